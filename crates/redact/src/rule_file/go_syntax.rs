//! Go's regular expressions, in which rule files are written, in the syntax of our engine.
//!
//! Both descend from RE2. The engine reads the result with Unicode off: then `\w`, `\d`, `\b` and the other case of a letter
//! are ASCII, as keys are. What may match other characters has Unicode on, so that no match ends inside of one. In our
//! classes `[`, `&&`, `--` and `~~` mean something, and a `{` that begins no repetition is an error. A line is the whole
//! text: `\A` and `\z` are its start and its end. What is unknown passes as it is, for the parser to refuse.

use regex_syntax::is_meta_character;

/// A pattern of the same meaning, and for each character of it the one of the given pattern that led to it.
pub(super) fn translate(pattern: &str) -> (String, Vec<usize>) {
    let given: Vec<char> = pattern.chars().collect();
    let (mut translated, mut origins) = (String::new(), Vec::new());
    let mut at = 0;
    while at < given.len() {
        let Part { mut text, length, is_wide, .. } = part(&given[at..]);
        if is_wide {
            text = format!("(?u:{text})");
        }
        origins.extend(text.chars().map(|_| at));
        translated.push_str(&text);
        at += length;
    }
    (translated, origins)
}

/// A piece of a pattern.
struct Part {
    /// What it becomes.
    text: String,
    /// How many characters it had.
    length: usize,
    /// It may match characters outside ASCII.
    is_wide: bool,
    /// It stands for several characters.
    is_class: bool,
}

impl Part {
    fn new(text: impl Into<String>, length: usize) -> Self {
        Self { text: text.into(), length, is_wide: false, is_class: false }
    }

    fn copy(rest: &[char], length: usize) -> Self {
        let part = &rest[..length.min(rest.len())];
        Self::new(part.iter().collect::<String>(), part.len())
    }

    /// From a backslash and a letter to the end of the braces behind it.
    fn braced(rest: &[char]) -> Self {
        let braces = rest.iter().skip(2).take_while(|&&char| char != '}').count() + 1;
        Self::copy(rest, if rest.get(2) == Some(&'{') { 2 + braces } else { 3 })
    }
}

/// The first part of `rest`, which is not empty.
fn part(rest: &[char]) -> Part {
    match *rest {
        ['[', ..] => class(rest),
        ['.', ..] => Part { is_wide: true, ..Part::copy(rest, 1) },
        ['{', '0'..='9', ..] => Part::copy(rest, 1),
        ['{', ..] => Part::new("\\{", 1),
        ['\\', 'A', ..] => Part::new("^", 2),
        ['\\', 'z', ..] => Part::new("$", 2),
        ['\\', ..] => {
            let member = member(rest);
            let is_name = member.text.starts_with("[:");
            let text = if is_name { format!("[{}]", member.text) } else { member.text };
            Part { text, ..member }
        }
        _ => Part::copy(rest, 1),
    }
}

/// From `[` to the end of the class.
fn class(rest: &[char]) -> Part {
    let is_negated = rest.get(1) == Some(&'^');
    let first = if is_negated { 2 } else { 1 };
    let mut class = Part { is_wide: is_negated, ..Part::copy(rest, first) };
    let mut no_range_follows = false;
    while let Some(&char) = rest.get(class.length) {
        if char == ']' && class.length > first {
            class.text.push(char);
            class.length += 1;
            return class;
        }
        let member = member(&rest[class.length..]);
        if char == '-' && no_range_follows {
            class.text.push('\\');
        }
        no_range_follows = member.is_class || char == '-';
        class.text.push_str(&member.text);
        class.is_wide |= member.is_wide;
        class.length += member.length;
    }
    // It has no end, and a group around it would have none either.
    Part { is_wide: false, ..class }
}

/// The first member of a class in `rest`, which is not empty.
fn member(rest: &[char]) -> Part {
    let named = |name: &str, length| {
        let (text, is_wide) = (format!("[:{name}:]"), name.starts_with('^'));
        Part { text, length, is_wide, is_class: true }
    };
    match *rest {
        ['\\', 'd', ..] => named("digit", 2),
        ['\\', 'D', ..] => named("^digit", 2),
        ['\\', 's', ..] => named("space", 2),
        ['\\', 'S', ..] => named("^space", 2),
        ['\\', 'w', ..] => named("word", 2),
        ['\\', 'W', ..] => named("^word", 2),
        ['\\', 'p' | 'P', ..] => Part { is_wide: true, is_class: true, ..Part::braced(rest) },
        // ASCII ends with `\x7f`.
        ['\\', 'x', '0'..='7', ..] => Part::braced(rest),
        ['\\', 'x', ..] => Part { is_wide: true, ..Part::braced(rest) },
        // With a backslash they would be the borders of a word.
        ['\\', char @ ('<' | '>'), ..] => Part::new(char, 2),
        ['\\', ..] => Part::copy(rest, 2),
        ['[', ':', ..] => {
            let is_name = |char: &&char| char.is_ascii_lowercase() || **char == '^';
            let name: String = rest[2..].iter().take_while(is_name).collect();
            let is_closed = rest[2 + name.len()..].starts_with(&[':', ']']);
            if is_closed { named(&name, name.len() + 4) } else { Part::new("\\[", 1) }
        }
        [char, ..] if char != '-' && is_meta_character(char) => Part::new(format!("\\{char}"), 1),
        _ => Part { is_wide: !rest[0].is_ascii(), ..Part::copy(rest, 1) },
    }
}
