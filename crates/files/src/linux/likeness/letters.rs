//! Letters that are written in several ways: typographic ones, HTML entities, and escapes of string literals.

/// Longest entity that is read, with `&` and `;`.
const MAX_ENTITY_BYTES: usize = 12;
/// Entities by name. Any other character is written with its number.
const ENTITIES: [(&str, char); 18] = [
    ("amp", '&'),
    ("lt", '<'),
    ("gt", '>'),
    ("quot", '"'),
    ("apos", '\''),
    ("nbsp", '\u{a0}'),
    ("ndash", '\u{2013}'),
    ("mdash", '\u{2014}'),
    ("hellip", '\u{2026}'),
    ("lsquo", '\u{2018}'),
    ("rsquo", '\u{2019}'),
    ("ldquo", '\u{201c}'),
    ("rdquo", '\u{201d}'),
    ("laquo", '\u{ab}'),
    ("raquo", '\u{bb}'),
    ("times", '\u{d7}'),
    ("copy", '\u{a9}'),
    ("euro", '\u{20ac}'),
];

/// What a keyboard types for a long dash.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Dashes {
    Single,
    Double,
}

/// What a keyboard types in place of a typographic character; `None` for any other character.
pub(super) fn typed(char: char, dashes: Dashes) -> Option<&'static str> {
    Some(match char {
        '\u{201c}'..='\u{201f}' | '\u{2033}' | '\u{ab}' | '\u{bb}' | '\u{ff02}' => "\"",
        '\u{2018}'..='\u{201b}' | '\u{2032}' | '\u{2bc}' | '\u{2039}' | '\u{203a}' => "'",
        '\u{2010}' | '\u{2011}' | '\u{2212}' => "-",
        '\u{2012}'..='\u{2015}' if dashes == Dashes::Single => "-",
        '\u{2012}'..='\u{2015}' => "--",
        '\u{2026}' => "...",
        '\u{a0}' | '\u{2000}'..='\u{200a}' | '\u{202f}' | '\u{205f}' | '\u{3000}' => " ",
        _ => return None,
    })
}

/// Whether a character is a blank in the middle of a line.
pub(super) fn is_blank(char: char) -> bool {
    char == ' ' || char == '\t' || typed(char, Dashes::Single) == Some(" ")
}

/// How a text writes characters that it cannot have as they are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Code {
    /// `&lt;` for `<`.
    Entities,
    /// `\n` for a line end, `\"` for a quote.
    Escapes,
}

impl Code {
    /// The character that begins each code.
    pub(super) fn mark(self) -> char {
        match self {
            Code::Entities => '&',
            Code::Escapes => '\\',
        }
    }

    /// The character that the text begins with in this code, and the bytes of the code; `None` where it begins with none.
    pub(super) fn first(self, text: &str) -> Option<(char, usize)> {
        match self {
            Code::Entities => entity(text),
            Code::Escapes => {
                let after = text.strip_prefix('\\')?;
                let decoded = match after.chars().next()? {
                    'n' => '\n',
                    't' => '\t',
                    'r' => '\r',
                    'u' => return hexadecimal(&after[1..], 4).map(|char| (char, 6)),
                    'x' => return hexadecimal(&after[1..], 2).map(|char| (char, 4)),
                    same if same.is_ascii_punctuation() => same,
                    _ => return None,
                };
                Some((decoded, 2))
            }
        }
    }

    /// The text with each code replaced by its character.
    pub(super) fn decoded(self, text: &str) -> Decoded {
        let mut decoded = Decoded { text: String::with_capacity(text.len()), ..Decoded::default() };
        let mut at = 0;
        while let Some(char) = text[at..].chars().next() {
            let code = self.first(&text[at..]);
            let chars = if code.is_some() { &mut decoded.coded } else { &mut decoded.bare };
            let (char, length) = code.unwrap_or((char, char.len_utf8()));
            if char.is_ascii_punctuation() || self.hides(char) || code.is_some() {
                chars.push(char);
            }
            decoded.text.push(char);
            at += length;
        }
        decoded
    }

    /// Whether a text that is written in this code has the character in no other way.
    pub(super) fn hides(self, char: char) -> bool {
        match self {
            Code::Entities => matches!(char, '<' | '>' | '&'),
            Code::Escapes => matches!(char, '\n' | '\t' | '\r' | '"' | '\'' | '`' | '\\'),
        }
    }
}

/// A text that was read as code.
#[derive(Debug, Default)]
pub(super) struct Decoded {
    pub(super) text: String,
    /// The characters that were coded, in order.
    pub(super) coded: Vec<char>,
    /// The characters that a code would have hidden and that were not coded.
    pub(super) bare: Vec<char>,
}

/// The character with this number of so many digits; none of a control character.
fn hexadecimal(text: &str, digits: usize) -> Option<char> {
    let number =
        text.get(..digits).filter(|text| text.bytes().all(|byte| byte.is_ascii_hexdigit()));
    let char = char::from_u32(u32::from_str_radix(number?, 16).ok()?)?;
    (!char.is_control()).then_some(char)
}

fn entity(text: &str) -> Option<(char, usize)> {
    let body = text.strip_prefix('&')?;
    let end = body.bytes().take(MAX_ENTITY_BYTES - 1).position(|byte| byte == b';')?;
    let name = &body[..end];
    let number = name.strip_prefix('#').and_then(|number| match number.strip_prefix(['x', 'X']) {
        Some(hex) => u32::from_str_radix(hex, 16).ok(),
        None => number.parse().ok(),
    });
    let named = || ENTITIES.iter().find(|(known, _)| *known == name).map(|&(_, char)| char);
    let char = number.and_then(char::from_u32).or_else(named)?;
    // A line end in a code would make two lines of one.
    (!char.is_control()).then_some((char, end + 2))
}
