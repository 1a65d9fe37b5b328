//! The little JSON that the corpus needs.

use std::collections::BTreeMap;
use std::iter::Peekable;
use std::str::Chars;

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Json {
    Other,
    Text(String),
    List(Vec<Json>),
    Map(BTreeMap<String, Json>),
}

impl Json {
    pub(crate) fn parse(source: &str) -> Self {
        value(&mut source.chars().peekable())
    }

    pub(crate) fn get(&self, key: &str) -> Option<&Self> {
        match self {
            Self::Map(map) => map.get(key),
            _ => None,
        }
    }

    pub(crate) fn text(&self) -> &str {
        match self {
            Self::Text(text) => text,
            other => panic!("not a text: {other:?}"),
        }
    }

    pub(crate) fn list(&self) -> &[Self] {
        match self {
            Self::List(list) => list,
            other => panic!("not a list: {other:?}"),
        }
    }

    pub(crate) fn texts(&self) -> Vec<String> {
        self.list().iter().map(|item| item.text().to_owned()).collect()
    }
}

type Source<'a> = Peekable<Chars<'a>>;

fn blanks(source: &mut Source<'_>) {
    while source.next_if(char::is_ascii_whitespace).is_some() {}
}

fn value(source: &mut Source<'_>) -> Json {
    blanks(source);
    match source.peek() {
        Some('"') => Json::Text(string(source)),
        Some('[') => Json::List(items(source, ']', value)),
        Some('{') => Json::Map(items(source, '}', entry).into_iter().collect()),
        _ => {
            while source.next_if(|c| !matches!(c, ',' | ']' | '}')).is_some() {}
            Json::Other
        }
    }
}

fn items<T>(source: &mut Source<'_>, end: char, read: fn(&mut Source<'_>) -> T) -> Vec<T> {
    source.next();
    let mut all = Vec::new();
    loop {
        blanks(source);
        if source.next_if_eq(&end).is_some() {
            return all;
        }
        all.push(read(source));
        blanks(source);
        source.next_if_eq(&',');
    }
}

fn entry(source: &mut Source<'_>) -> (String, Json) {
    blanks(source);
    let key = string(source);
    blanks(source);
    assert_eq!(source.next(), Some(':'));
    (key, value(source))
}

fn string(source: &mut Source<'_>) -> String {
    let mut text = String::new();
    assert_eq!(source.next(), Some('"'));
    loop {
        match source.next().expect("the string ends") {
            '"' => return text,
            '\\' => match source.next().expect("an escape") {
                'n' => text.push('\n'),
                't' => text.push('\t'),
                'r' => text.push('\r'),
                'b' => text.push('\u{8}'),
                'f' => text.push('\u{c}'),
                'u' => text.push(unicode(source)),
                other => text.push(other),
            },
            other => text.push(other),
        }
    }
}

fn unicode(source: &mut Source<'_>) -> char {
    let mut four = || {
        let digits: String = source.by_ref().take(4).collect();
        u32::from_str_radix(&digits, 16).expect("four hexadecimal digits")
    };
    let first = four();
    if !(0xd800..0xdc00).contains(&first) {
        return char::from_u32(first).expect("a character");
    }
    source.next();
    source.next();
    let digits: String = source.by_ref().take(4).collect();
    let second = u32::from_str_radix(&digits, 16).expect("four hexadecimal digits");
    char::from_u32(0x10000 + ((first - 0xd800) << 10) + (second - 0xdc00)).expect("a character")
}
