//! Decodes the bytes of a file to text, and encodes text as the file does.

use std::borrow::Cow;

use serde::Serialize;

/// A file with a NUL among this many first bytes is binary, as git has it.
pub(crate) const BINARY_SAMPLE_BYTES: usize = 8000;
/// The character that is shown for bytes that cannot be decoded.
pub(crate) const REPLACEMENT_CHARACTER: &str = "\u{fffd}";
const UTF8_BOM: &[u8] = b"\xef\xbb\xbf";
const UTF16_LE_BOM: &[u8] = b"\xff\xfe";
const UTF16_BE_BOM: &[u8] = b"\xfe\xff";

/// Whether a file that begins with these bytes is binary.
pub(crate) fn is_binary(start: &[u8]) -> bool {
    !start.starts_with(UTF16_LE_BOM) && !start.starts_with(UTF16_BE_BOM) && has_nul(start)
}

fn has_nul(bytes: &[u8]) -> bool {
    memchr::memchr(0, &bytes[..bytes.len().min(BINARY_SAMPLE_BYTES)]).is_some()
}

/// How a file is encoded. Text in an `unknown` encoding is shown lossily: only plain ASCII in it can be edited, and every
/// other byte stays. A `binary` file cannot be edited.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(rename = "FileEncoding"))]
pub enum Encoding {
    /// UTF-8.
    #[serde(rename = "utf-8")]
    Utf8,
    /// UTF-16, the low byte of each unit first.
    #[serde(rename = "utf-16le")]
    Utf16Le,
    /// UTF-16, the high byte of each unit first.
    #[serde(rename = "utf-16be")]
    Utf16Be,
    /// Text in another encoding.
    #[serde(rename = "unknown")]
    Unknown,
    /// No text: NUL is among the first bytes.
    #[serde(rename = "binary")]
    Binary,
}

impl Encoding {
    /// Whether encoding the text gives the same bytes.
    pub(crate) fn is_exact(self) -> bool {
        !matches!(self, Encoding::Unknown | Encoding::Binary)
    }
}

/// A decoded file.
#[derive(Debug)]
pub(crate) struct Document {
    pub(crate) encoding: Encoding,
    /// Whether the file begins with a byte order mark, which `text` does not have.
    pub(crate) bom: bool,
    /// Empty for a binary file.
    pub(crate) text: String,
    /// All bytes of a file in an unknown encoding; empty for every other file.
    original_bytes: Vec<u8>,
}

impl Document {
    pub(crate) fn decode(bytes: Vec<u8>) -> Document {
        let utf16 = |encoding, read: fn([u8; 2]) -> u16, bytes: &[u8]| {
            let (pairs, rest) = bytes.as_chunks::<2>();
            let text: Result<String, _> =
                char::decode_utf16(pairs.iter().map(|&pair| read(pair))).collect();
            let text = text.ok().filter(|_| rest.is_empty());
            text.map(|text| Document { encoding, bom: true, text, original_bytes: Vec::new() })
        };
        let decoded = if let Some(rest) = bytes.strip_prefix(UTF16_LE_BOM) {
            utf16(Encoding::Utf16Le, u16::from_le_bytes, rest)
        } else if let Some(rest) = bytes.strip_prefix(UTF16_BE_BOM) {
            utf16(Encoding::Utf16Be, u16::from_be_bytes, rest)
        } else {
            None
        };
        if let Some(document) = decoded {
            return document;
        }
        let exact =
            |encoding, bom, text| Document { encoding, bom, text, original_bytes: Vec::new() };
        if has_nul(&bytes) {
            return exact(Encoding::Binary, false, String::new());
        }
        let bom = bytes.starts_with(UTF8_BOM);
        match String::from_utf8(bytes) {
            Ok(text) if bom => exact(Encoding::Utf8, bom, text[UTF8_BOM.len()..].to_owned()),
            Ok(text) => exact(Encoding::Utf8, bom, text),
            Err(error) => {
                let text = String::from_utf8_lossy(error.as_bytes()).into_owned();
                Document {
                    encoding: Encoding::Unknown,
                    bom: false,
                    text,
                    original_bytes: error.into_bytes(),
                }
            }
        }
    }

    /// The bytes of a text in the encoding of this file.
    pub(crate) fn encode(&self, text: &str) -> Vec<u8> {
        let utf16 = |write: fn(u16) -> [u8; 2], bom: &[u8]| {
            bom.iter().copied().chain(text.encode_utf16().flat_map(write)).collect()
        };
        match self.encoding {
            Encoding::Utf16Le => utf16(u16::to_le_bytes, UTF16_LE_BOM),
            Encoding::Utf16Be => utf16(u16::to_be_bytes, UTF16_BE_BOM),
            _ if self.bom => [UTF8_BOM, text.as_bytes()].concat(),
            _ => text.as_bytes().to_vec(),
        }
    }

    /// The place of each U+FFFD in the text, and the bytes of the file that it stands for.
    pub(crate) fn undecodable(&self) -> Vec<(usize, &[u8])> {
        let (mut at, mut undecodable) = (0, Vec::new());
        for chunk in self.original_bytes.utf8_chunks() {
            let literal_characters = chunk.valid().match_indices(REPLACEMENT_CHARACTER).map(
                |(literal_characters, undecodable)| {
                    (at + literal_characters, undecodable.as_bytes())
                },
            );
            undecodable.extend(literal_characters);
            at += chunk.valid().len();
            if !chunk.invalid().is_empty() {
                undecodable.push((at, chunk.invalid()));
                at += REPLACEMENT_CHARACTER.len();
            }
        }
        undecodable
    }

    pub(crate) fn newline(&self) -> Newline {
        Newline::of(&self.text)
    }
}

/// Which line ends a text has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(test, derive(ts_rs::TS), ts(rename = "FileNewline"))]
pub enum Newline {
    /// No line end.
    None,
    /// LF only.
    Lf,
    /// CRLF only.
    Crlf,
    /// LF and CRLF.
    Mixed,
}

impl Newline {
    pub(crate) fn of(text: &str) -> Newline {
        let bytes = text.as_bytes();
        let mut ends = memchr::memchr_iter(b'\n', bytes).map(|at| at > 0 && bytes[at - 1] == b'\r');
        match ends.next() {
            None => Newline::None,
            Some(first) if ends.any(|end| end != first) => Newline::Mixed,
            Some(true) => Newline::Crlf,
            Some(false) => Newline::Lf,
        }
    }
}

/// The text with every LF as CRLF.
pub(crate) fn with_crlf(text: &str) -> String {
    without_crlf(text).replace('\n', "\r\n")
}

/// The text with every CRLF as LF.
pub(crate) fn without_crlf(text: &str) -> Cow<'_, str> {
    if memchr::memmem::find(text.as_bytes(), b"\r\n").is_none() {
        return Cow::Borrowed(text);
    }
    Cow::Owned(text.replace("\r\n", "\n"))
}

/// The lines with their line ends. A line end at the end of the text begins no further line.
pub(crate) fn lines(text: &str) -> impl DoubleEndedIterator<Item = &str> {
    text.split_inclusive('\n')
}

/// The number of lines of a text.
pub(crate) fn count_lines(text: &str) -> usize {
    let ends = memchr::memchr_iter(b'\n', text.as_bytes()).count();
    ends + usize::from(!text.is_empty() && !text.ends_with('\n'))
}

/// A range of lines for messages: `line 3`, `lines 3-5`.
pub(crate) fn line_range_name(first: usize, last: usize) -> String {
    if first == last { format!("line {first}") } else { format!("lines {first}-{last}") }
}

/// Where the line that has the byte at `at` ends, with its line feed.
pub(crate) fn line_end(text: &str, at: usize) -> usize {
    let at = at.min(text.len());
    memchr::memchr(b'\n', &text.as_bytes()[at..]).map_or(text.len(), |length| at + length + 1)
}

/// Number of the line, from 1, that a byte is in.
pub(crate) fn line_at(text: &str, at: usize) -> usize {
    1 + memchr::memchr_iter(b'\n', &text.as_bytes()[..at]).count()
}
