//! The encoded forms in which a known value may occur.

const BASE64: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
const BASE64_URL: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

/// The shortest encoded form that is searched for.
const MIN_FORM_BYTES: usize = 8;

/// The characters that every Base64 encoding of a text with the value contains, whatever precedes and follows the
/// value. The characters next to them also encode a part of the value.
pub(crate) fn base64_forms(value: &[u8]) -> Vec<Vec<u8>> {
    let mut forms: Vec<_> = [BASE64, BASE64_URL]
        .into_iter()
        .flat_map(|alphabet| (0..3).map(move |offset| base64_core(value, alphabet, offset)))
        .filter(|form| form.len() >= MIN_FORM_BYTES)
        .collect();
    forms.sort();
    forms.dedup();
    forms
}

/// All other encoded forms of a value that differ from it.
pub(crate) fn forms(value: &[u8]) -> Vec<Vec<u8>> {
    let mut forms = Vec::new();
    forms.push(hex(value, b"0123456789abcdef"));
    forms.push(hex(value, b"0123456789ABCDEF"));
    for unreserved in [&b"-._~"[..], b"-._~!*'()"] {
        forms.push(percent(value, unreserved, b"0123456789ABCDEF"));
        forms.push(percent(value, unreserved, b"0123456789abcdef"));
    }
    for digits in [b"0123456789ABCDEF", b"0123456789abcdef"] {
        let form = percent(value, b"-._~* ", digits);
        forms.push(form.iter().map(|&byte| if byte == b' ' { b'+' } else { byte }).collect());
        let form = percent(value, b"-._~ ", digits);
        forms.push(form.iter().map(|&byte| if byte == b' ' { b'+' } else { byte }).collect());
    }
    for escape in [Escape::Controls, Escape::Slashes, Escape::Markup, Escape::MarkupUpper] {
        let json = json(value, escape);
        let twice_escaped = self::json(&json, escape);
        forms.push(self::json(&twice_escaped, escape));
        forms.extend([json, twice_escaped]);
    }
    forms.extend(ENTITIES.iter().map(|entities| markup(value, entities)));
    forms.push(shell(value));
    forms.push(with_backslashes(value, b"\"\\$`"));
    forms.push(with_backslashes(value, b"'\\"));
    forms.push(doubled(value, b'\''));
    forms.push(doubled(value, b'"'));
    forms.push(with_backslashes(value, b" \t!\"#$&'()*,;<>?[\\]^`{|}~"));
    forms.retain(|form| form.len() >= MIN_FORM_BYTES && form != value);
    forms.sort();
    forms.dedup();
    forms
}

/// The characters of Base64 that depend only on the value if `offset` other bytes precede it in its group of three.
fn base64_core(value: &[u8], alphabet: &[u8; 64], offset: usize) -> Vec<u8> {
    let mut bits = 0_u32;
    let mut unread_bits = 0;
    let mut core = Vec::with_capacity(value.len() * 4 / 3 + 2);
    // The first character after such a byte also encodes bits of that byte.
    let mut skip = match offset {
        0 => 0,
        1 => 4,
        _ => 2,
    };
    for &byte in value {
        bits = bits << 8 | u32::from(byte);
        unread_bits += 8;
        if skip > 0 {
            unread_bits -= skip;
            skip = 0;
        }
        while unread_bits >= 6 {
            unread_bits -= 6;
            core.push(alphabet[(bits >> unread_bits) as usize & 63]);
        }
    }
    core
}

fn hex(value: &[u8], digits: &[u8; 16]) -> Vec<u8> {
    value
        .iter()
        .flat_map(|byte| [digits[usize::from(byte >> 4)], digits[usize::from(byte & 15)]])
        .collect()
}

fn percent(value: &[u8], unreserved: &[u8], digits: &[u8; 16]) -> Vec<u8> {
    let mut text = Vec::with_capacity(value.len() * 3);
    for &byte in value {
        if byte.is_ascii_alphanumeric() || unreserved.contains(&byte) {
            text.push(byte);
        } else {
            text.extend([b'%', digits[usize::from(byte >> 4)], digits[usize::from(byte & 15)]]);
        }
    }
    text
}

/// What a JSON writer escapes in addition to quotes, backslashes and control characters.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Escape {
    Controls,
    /// The slash.
    Slashes,
    /// Characters with a meaning in markup, and everything beyond ASCII.
    Markup,
    /// The same as [`Self::Markup`], with upper-case digits.
    MarkupUpper,
}

impl Escape {
    fn is_markup(self) -> bool {
        matches!(self, Self::Markup | Self::MarkupUpper)
    }
}

/// The value as the inside of a JSON string.
fn json(value: &[u8], escape: Escape) -> Vec<u8> {
    let mut text = Vec::with_capacity(value.len() + 8);
    let unit = |unit: u16| match escape {
        Escape::MarkupUpper => format!("\\u{unit:04X}"),
        _ => format!("\\u{unit:04x}"),
    };
    for chunk in value.utf8_chunks() {
        for character in chunk.valid().chars() {
            let mut buffer = [0; 4];
            match character {
                '"' | '\\' => text.extend([b'\\', character as u8]),
                '\t' => text.extend(b"\\t"),
                '\r' => text.extend(b"\\r"),
                '\n' => text.extend(b"\\n"),
                '/' if escape == Escape::Slashes => text.extend(b"\\/"),
                '<' | '>' | '&' | '\'' if escape.is_markup() => {
                    text.extend(unit(character as u16).bytes());
                }
                '\0'..='\x1f' => text.extend(unit(character as u16).bytes()),
                '\u{80}'.. if escape.is_markup() => {
                    let mut units = [0; 2];
                    for &mut half in character.encode_utf16(&mut units) {
                        text.extend(unit(half).bytes());
                    }
                }
                _ => text.extend(character.encode_utf8(&mut buffer).bytes()),
            }
        }
        text.extend(chunk.invalid());
    }
    text
}

/// The entities that a markup writer uses for `& < > " '`. `None` means that it leaves the character as it is.
type Entities = [Option<&'static str>; 5];

const MARKUP_BYTES: [u8; 5] = *b"&<>\"'";

/// The entities for the body of an element, for attributes, and as common template engines write them.
const ENTITIES: &[Entities] = &[
    [Some("&amp;"), Some("&lt;"), Some("&gt;"), None, None],
    [Some("&amp;"), Some("&lt;"), Some("&gt;"), Some("&quot;"), None],
    [Some("&amp;"), Some("&lt;"), Some("&gt;"), Some("&quot;"), Some("&apos;")],
    [Some("&amp;"), Some("&lt;"), Some("&gt;"), Some("&quot;"), Some("&#39;")],
    [Some("&amp;"), Some("&lt;"), Some("&gt;"), Some("&quot;"), Some("&#x27;")],
    [Some("&amp;"), Some("&lt;"), Some("&gt;"), Some("&quot;"), Some("&#039;")],
    [Some("&amp;"), Some("&lt;"), Some("&gt;"), Some("&#34;"), Some("&#39;")],
    [Some("&#38;"), Some("&#60;"), Some("&#62;"), Some("&#34;"), Some("&#39;")],
    [Some("&#x26;"), Some("&#x3C;"), Some("&#x3E;"), Some("&#x22;"), Some("&#x27;")],
    [Some("&#x26;"), Some("&#x3c;"), Some("&#x3e;"), Some("&#x22;"), Some("&#x27;")],
    [Some("&amp;"), Some("&lt;"), None, Some("&quot;"), None],
];

/// The value as text or an attribute of XML or HTML.
fn markup(value: &[u8], entities: &Entities) -> Vec<u8> {
    let mut text = Vec::with_capacity(value.len() + 16);
    for &byte in value {
        let mark = MARKUP_BYTES.iter().position(|&mark| mark == byte);
        match mark.and_then(|mark| entities[mark]) {
            Some(entity) => text.extend(entity.bytes()),
            None => text.push(byte),
        }
    }
    text
}

/// The value with a backslash before each of these bytes, as in a word of a shell.
fn with_backslashes(value: &[u8], special: &[u8]) -> Vec<u8> {
    let escaped = |&byte: &u8| {
        let backslash = special.contains(&byte).then_some(b'\\');
        backslash.into_iter().chain([byte])
    };
    value.iter().flat_map(escaped).collect()
}

/// The value with its quotes doubled, as inside quotes in CSV, SQL, YAML and PowerShell.
fn doubled(value: &[u8], quote: u8) -> Vec<u8> {
    let twice = |&byte: &u8| std::iter::repeat_n(byte, if byte == quote { 2 } else { 1 });
    value.iter().flat_map(twice).collect()
}

/// The value as the inside of single quotes in a shell.
fn shell(value: &[u8]) -> Vec<u8> {
    let mut text = Vec::with_capacity(value.len() + 8);
    for &byte in value {
        if byte == b'\'' {
            text.extend(b"'\\''");
        } else {
            text.push(byte);
        }
    }
    text
}
