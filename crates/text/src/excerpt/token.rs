//! Divides a line into words, numbers, paths, quoted texts and signs.

/// The shortest run of letters and digits that is an id.
const MIN_ID_BYTES: usize = 5;

/// The kind of a token of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TokenKind {
    Blanks,
    /// Also a hash, an address and any other id.
    Number,
    Path,
    Quoted,
    Word,
    /// A single byte.
    Sign,
}

/// A token; its text is never empty.
pub(super) struct Token<'a> {
    pub(super) kind: TokenKind,
    pub(super) text: &'a [u8],
}

/// Reads the tokens of a line.
pub(super) struct Tokens<'a> {
    line: &'a [u8],
    at: usize,
    /// Up to here no path begins, since the bytes from `at` on that paths consist of have no slash.
    no_path_until: usize,
}

impl<'a> Tokens<'a> {
    pub(super) fn of(line: &'a [u8]) -> Self {
        Self { line, at: 0, no_path_until: 0 }
    }

    fn kind_and_length(&mut self) -> Option<(TokenKind, usize)> {
        let unread = &self.line[self.at..];
        let first = *unread.first()?;
        let class = CLASSES[usize::from(first)];
        if class & (PATH | QUOTE) == 0 {
            return Some(if class & BLANK == 0 {
                (TokenKind::Sign, 1)
            } else {
                (TokenKind::Blanks, length_of(unread, BLANK))
            });
        }
        let last = self.at.checked_sub(1).map_or(0, |before| self.line[before]);
        if class & QUOTE != 0 {
            let length = quoted_length(unread, last);
            return Some(length.map_or((TokenKind::Sign, 1), |length| (TokenKind::Quoted, length)));
        }
        if self.at >= self.no_path_until {
            let joined = length_of(unread, PATH);
            if joined > 1 && memchr::memchr(b'/', &unread[..joined]).is_some() {
                return Some((TokenKind::Path, joined));
            }
            self.no_path_until = self.at + joined;
        }
        if class & (LETTER | DIGIT) == 0 {
            let is_minus = first == b'-' && CLASSES[usize::from(last)] & (LETTER | DIGIT) == 0;
            return Some(match unread {
                [_, digit, ..] if is_minus && digit.is_ascii_digit() => {
                    (TokenKind::Number, 1 + number_length(&unread[1..]))
                }
                _ => (TokenKind::Sign, 1),
            });
        }
        let word = length_of(unread, LETTER);
        let run = word + length_of(&unread[word..], LETTER | DIGIT);
        Some(if word < run && is_id(&unread[..run]) {
            (TokenKind::Number, run)
        } else if word == 0 {
            (TokenKind::Number, number_length(unread))
        } else {
            (TokenKind::Word, word)
        })
    }
}

impl<'a> Iterator for Tokens<'a> {
    type Item = Token<'a>;

    fn next(&mut self) -> Option<Token<'a>> {
        let (kind, length) = self.kind_and_length()?;
        let text = &self.line[self.at..self.at + length];
        self.at += length;
        Some(Token { kind, text })
    }
}

impl TokenKind {
    /// The value of a number with at most one point; none of an id, or of a version.
    pub(super) fn number(self, text: &[u8]) -> Option<f32> {
        if self != TokenKind::Number {
            return None;
        }
        let (is_negative, digits) = match text {
            [b'-', digits @ ..] => (true, digits),
            digits => (false, digits),
        };
        let mut value = 0.0_f32;
        let mut scale = None;
        for &byte in digits {
            match (byte, &mut scale) {
                (b'0'..=b'9', None) => value = value * 10.0 + f32::from(byte - b'0'),
                (b'0'..=b'9', Some(scale)) => {
                    *scale *= 0.1_f32;
                    value += *scale * f32::from(byte - b'0');
                }
                (b'.', None) => scale = Some(1.0),
                _ => return None,
            }
        }
        Some(if is_negative { -value } else { value })
    }
}

/// Whether letters and digits are an id, such as a hash or the end of a pod's name.
pub(super) fn is_id(run: &[u8]) -> bool {
    run.len() >= MIN_ID_BYTES
        && run.iter().any(u8::is_ascii_digit)
        && run.iter().any(u8::is_ascii_alphabetic)
        && run.iter().all(u8::is_ascii_alphanumeric)
}

/// The length of digits with points between them.
fn number_length(unread: &[u8]) -> usize {
    let mut length = 0;
    loop {
        length += length_of(&unread[length..], DIGIT);
        match unread[length..] {
            [b'.', digit, ..] if digit.is_ascii_digit() => length += 1,
            _ => return length,
        }
    }
}

/// The length of a quoted text that `unread` begins with and that ends within the line. An apostrophe in a word begins none.
fn quoted_length(unread: &[u8], last: u8) -> Option<usize> {
    const OPENING: &[u8] = "‘".as_bytes();
    const CLOSING: &[u8] = "’".as_bytes();
    if unread.starts_with(OPENING) {
        return memchr::memmem::find(unread, CLOSING).map(|at| at + CLOSING.len());
    }
    let quote = unread[0];
    if !matches!(quote, b'"' | b'\'' | b'`') || last.is_ascii_alphanumeric() {
        return None;
    }
    memchr::memchr(quote, &unread[1..]).map(|at| at + 2)
}

const BLANK: u8 = 1;
const DIGIT: u8 = 2;
/// Letters and the underscore.
const LETTER: u8 = 4;
const PATH: u8 = 8;
/// The first bytes of quotation marks.
const QUOTE: u8 = 16;

/// The classes of each byte.
const CLASSES: [u8; 256] = {
    let mut classes = [0; 256];
    let mut byte = 0_u8;
    loop {
        classes[byte as usize] = match byte {
            b' ' | b'\t' | b'\r' | b'\n' | 0x0c => BLANK,
            b'0'..=b'9' => DIGIT | PATH,
            b'a'..=b'z' | b'A'..=b'Z' | b'_' => LETTER | PATH,
            b'.' | b'@' | b'+' | b'-' | b'/' | b'~' => PATH,
            b'"' | b'\'' | b'`' | 0xe2 => QUOTE,
            _ => 0,
        };
        if byte == u8::MAX {
            break classes;
        }
        byte += 1;
    }
};

/// Number of bytes at the beginning that are of one of the classes.
fn length_of(text: &[u8], classes: u8) -> usize {
    text.iter().take_while(|byte| CLASSES[usize::from(**byte)] & classes != 0).count()
}
