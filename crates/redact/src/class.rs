//! Classes of bytes, and the length of runs of one class.

/// A class of bytes. None but that of headers contains a newline, so a run never extends beyond its line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum Class {
    /// `A-Za-z0-9`
    Alnum,
    /// `A-Za-z0-9_`
    Word,
    /// `A-Za-z0-9_-`
    Dash,
    /// `A-Za-z0-9_.-`
    Dot,
    /// `A-Za-z0-9+/=_-`
    Base64,
    /// `0-9a-fA-F`
    Hex,
    /// `A-Z0-9`
    Upper,
    /// `a-z0-9`
    Lower,
    /// `0-9`
    Digit,
    /// The bytes of credentials in a header: `A-Za-z0-9-._~+/=:`
    Credential,
    /// The bytes of an unquoted value: no blank, quote or control character.
    Unquoted,
    /// `A-Za-z0-9+/=_.~%-`
    Encoded,
    /// The bytes that can follow a name that has a value. Most words are ruled out by this.
    AfterName,
    /// The bytes of the path and query of an address.
    UrlPathAndQuery,
    /// Every byte except a newline.
    NotNewline,
    /// The bytes of a cookie's value: no `;`, `"`, `'`, `\`, blank or newline.
    Cookie,
    /// The bytes of a salt or a hash of crypt(3): `A-Za-z0-9./`
    Crypt,
    /// The bytes of a line that may be a table's header: its headings, their quotes and what parts them.
    Header,
}

const CLASS_COUNT: usize = 18;

/// How many blanks may stand between a name and its separator, and between the separator and the value.
pub(crate) const MAX_BLANKS: usize = 64;

const fn contains(class: usize, byte: u8) -> bool {
    let alnum = byte.is_ascii_alphanumeric();
    match class {
        0 => alnum,
        1 => alnum || byte == b'_',
        2 => alnum || byte == b'_' || byte == b'-',
        3 => alnum || byte == b'_' || byte == b'-' || byte == b'.',
        4 => alnum || matches!(byte, b'+' | b'/' | b'=' | b'_' | b'-'),
        5 => byte.is_ascii_hexdigit(),
        6 => byte.is_ascii_uppercase() || byte.is_ascii_digit(),
        7 => byte.is_ascii_lowercase() || byte.is_ascii_digit(),
        8 => byte.is_ascii_digit(),
        9 => alnum || matches!(byte, b'-' | b'.' | b'_' | b'~' | b'+' | b'/' | b'=' | b':'),
        10 => byte > b' ' && byte != 0x7f && !matches!(byte, b'"' | b'\'' | b'`'),
        11 => alnum || matches!(byte, b'+' | b'/' | b'=' | b'_' | b'-' | b'.' | b'~' | b'%'),
        12 => {
            (byte == b' ' || byte == b'\t' || byte.is_ascii_punctuation())
                && !matches!(
                    byte,
                    b'_' | b'-' | b'/' | b';' | b')' | b'#' | b'@' | b'$' | b'^' | b'~'
                )
        }
        13 => {
            byte > b' '
                && byte != 0x7f
                && !matches!(byte, b'"' | b'\'' | b'`' | b'<' | b'>' | b')' | b']' | b'}' | b',')
        }
        14 => byte != b'\n',
        15 => !matches!(byte, b';' | b'"' | b'\'' | b'\n' | b'\\' | b' '),
        16 => alnum || byte == b'.' || byte == b'/',
        _ => {
            alnum
                || byte >= 0x80
                || byte.is_ascii_whitespace()
                || matches!(
                    byte,
                    b'_' | b'-' | b'.' | b'/' | b'(' | b')' | b'#' | b'%' | b':' | b'?'
                )
                || matches!(
                    byte,
                    b'+' | b'[' | b']' | b'"' | b'\'' | b'`' | b'*' | b'|' | b',' | b';'
                )
        }
    }
}

const fn table() -> [u32; 256] {
    let mut table = [0_u32; 256];
    let mut byte = 0;
    while byte < 256 {
        let mut class = 0;
        while class < CLASS_COUNT {
            #[expect(clippy::cast_possible_truncation, reason = "byte is below 256")]
            if contains(class, byte as u8) {
                table[byte] |= 1 << class;
            }
            class += 1;
        }
        byte += 1;
    }
    table
}

static TABLE: [u32; 256] = table();

impl Class {
    #[inline]
    pub(crate) fn has(self, byte: u8) -> bool {
        TABLE[usize::from(byte)] >> (self as u8) & 1 != 0
    }

    /// Whether all bytes of this class are of the other.
    pub(crate) fn is_within(self, other: Self) -> bool {
        (0..=u8::MAX).all(|byte| !self.has(byte) || other.has(byte))
    }

    /// The number of spaces and tabs at the start of `text`, counted up to one more than [`MAX_BLANKS`].
    pub(crate) fn run_of_blanks(text: &[u8]) -> usize {
        text.iter().take(MAX_BLANKS + 1).take_while(|&&byte| matches!(byte, b' ' | b'\t')).count()
    }

    /// The length of the run of this class at the start of `text`.
    pub(crate) fn run(self, text: &[u8]) -> usize {
        text.iter().position(|&byte| !self.has(byte)).unwrap_or(text.len())
    }
}

/// The run of each class that was measured last, so that many starts in one run cost only one pass over it.
pub(crate) struct Runs {
    known: [(usize, usize); CLASS_COUNT],
    /// The number of bytes read.
    pub(crate) steps: u64,
}

impl Runs {
    pub(crate) fn new() -> Self {
        Self { known: [(0, 0); CLASS_COUNT], steps: 0 }
    }

    /// Where the run of `class` that contains `at` ends; `at` if the byte there is not of the class.
    pub(crate) fn end(&mut self, text: &[u8], class: Class, at: usize) -> usize {
        let known = &mut self.known[class as usize];
        if !(known.0..known.1).contains(&at) {
            *known = (at, at + class.run(&text[at..]));
            self.steps += (known.1 - at) as u64;
        }
        known.1
    }
}
