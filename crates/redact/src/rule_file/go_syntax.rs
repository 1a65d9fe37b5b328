//! Translating Go's regular expressions, in which rule files are written, into the syntax of the regex engine.
//!
//! Both syntaxes descend from RE2. The engine reads the result without Unicode: `\w`, `\d`, `\b` and the case of
//! letters are limited to ASCII, as keys are. A part that may match other characters has Unicode switched on, so that
//! no match ends inside a character. In the engine's classes `[`, `&&`, `--` and `~~` have a meaning, and a `{` that
//! begins no repetition is an error. The searched text is one line, so `\A` and `\z` are its start and its end. Unknown
//! syntax stays as it is, and the parser refuses it.

use regex_syntax::is_meta_character;

/// The translated pattern, and for each of its characters the index of the character that it came from.
pub(super) fn translate(pattern: &str) -> (String, Vec<usize>) {
    let given: Vec<char> = pattern.chars().collect();
    let (mut translated, mut origins) = (String::new(), Vec::new());
    let mut at = 0;
    while at < given.len() {
        let PatternPiece { mut text, length, is_wide, .. } = piece(&given[at..]);
        if is_wide {
            text = format!("(?u:{text})");
        }
        origins.extend(text.chars().map(|_| at));
        translated.push_str(&text);
        at += length;
    }
    (translated, origins)
}

/// A translated piece of a pattern.
struct PatternPiece {
    /// The text of the piece after translation.
    text: String,
    /// The number of characters that it had before.
    length: usize,
    /// Whether it may match characters outside ASCII.
    is_wide: bool,
    /// Whether it stands for several characters.
    is_class: bool,
}

impl PatternPiece {
    fn new(text: impl Into<String>, length: usize) -> Self {
        Self { text: text.into(), length, is_wide: false, is_class: false }
    }

    fn copy(rest: &[char], length: usize) -> Self {
        let piece = &rest[..length.min(rest.len())];
        Self::new(piece.iter().collect::<String>(), piece.len())
    }

    /// A copy from a backslash and a letter to the end of the braces after them.
    fn braced(rest: &[char]) -> Self {
        let braces = rest.iter().skip(2).take_while(|&&char| char != '}').count() + 1;
        Self::copy(rest, if rest.get(2) == Some(&'{') { 2 + braces } else { 3 })
    }
}

/// The first piece of `rest`, which is not empty.
fn piece(rest: &[char]) -> PatternPiece {
    match *rest {
        ['[', ..] => class(rest),
        ['.', ..] => PatternPiece { is_wide: true, ..PatternPiece::copy(rest, 1) },
        ['{', '0'..='9', ..] => PatternPiece::copy(rest, 1),
        ['{', ..] => PatternPiece::new("\\{", 1),
        ['\\', 'A', ..] => PatternPiece::new("^", 2),
        ['\\', 'z', ..] => PatternPiece::new("$", 2),
        ['\\', ..] => {
            let member = member(rest);
            let is_name = member.text.starts_with("[:");
            let text = if is_name { format!("[{}]", member.text) } else { member.text };
            PatternPiece { text, ..member }
        }
        _ => PatternPiece::copy(rest, 1),
    }
}

/// The piece from `[` to the end of the class.
fn class(rest: &[char]) -> PatternPiece {
    let is_negated = rest.get(1) == Some(&'^');
    let first = if is_negated { 2 } else { 1 };
    let mut class = PatternPiece { is_wide: is_negated, ..PatternPiece::copy(rest, first) };
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
    // The class is not closed, and a group around it would not be closed either.
    PatternPiece { is_wide: false, ..class }
}

/// The first member of a class in `rest`, which is not empty.
fn member(rest: &[char]) -> PatternPiece {
    let named = |name: &str, length| {
        let (text, is_wide) = (format!("[:{name}:]"), name.starts_with('^'));
        PatternPiece { text, length, is_wide, is_class: true }
    };
    match *rest {
        ['\\', 'd', ..] => named("digit", 2),
        ['\\', 'D', ..] => named("^digit", 2),
        ['\\', 's', ..] => named("space", 2),
        ['\\', 'S', ..] => named("^space", 2),
        ['\\', 'w', ..] => named("word", 2),
        ['\\', 'W', ..] => named("^word", 2),
        ['\\', 'p' | 'P', ..] => {
            PatternPiece { is_wide: true, is_class: true, ..PatternPiece::braced(rest) }
        }
        // ASCII ends with `\x7f`.
        ['\\', 'x', '0'..='7', ..] => PatternPiece::braced(rest),
        ['\\', 'x', ..] => PatternPiece { is_wide: true, ..PatternPiece::braced(rest) },
        // With a backslash the engine reads them as word boundaries.
        ['\\', char @ ('<' | '>'), ..] => PatternPiece::new(char, 2),
        ['\\', ..] => PatternPiece::copy(rest, 2),
        ['[', ':', ..] => {
            let is_name = |char: &&char| char.is_ascii_lowercase() || **char == '^';
            let name: String = rest[2..].iter().take_while(is_name).collect();
            let is_closed = rest[2 + name.len()..].starts_with(&[':', ']']);
            if is_closed { named(&name, name.len() + 4) } else { PatternPiece::new("\\[", 1) }
        }
        [char, ..] if char != '-' && is_meta_character(char) => {
            PatternPiece::new(format!("\\{char}"), 1)
        }
        _ => PatternPiece { is_wide: !rest[0].is_ascii(), ..PatternPiece::copy(rest, 1) },
    }
}
