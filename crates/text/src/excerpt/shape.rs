//! Shapes of lines: lines of one shape differ only in numbers, names or quoted texts.

use std::hash::{BuildHasherDefault, Hasher};

/// First bytes of a line that its shape depends on.
const MAX_SHAPED_BYTES: usize = 400;
/// The shortest run of letters and digits that is an id.
const MIN_ID_BYTES: usize = 5;
/// Deepest indentation that shapes tell apart, in blanks.
const MAX_INDENT: usize = 8;

/// Two hashes of a line, a finer and a coarser one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Shape {
    /// Equal for lines that differ only in numbers, paths and quoted texts.
    pub(crate) template: u64,
    /// Equal also for lines that differ in words.
    pub(crate) skeleton: u64,
}

/// A number, a path, a quoted text or a run of words of a line.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Atom {
    /// Equal for lines whose skeletons are equal up to here.
    pub(crate) column: u64,
    pub(crate) hash: u64,
    pub(crate) number: Option<f32>,
}

impl Shape {
    /// The shape of a line. `atoms` gets its values.
    pub(crate) fn of(line: &[u8], atoms: &mut Vec<Atom>) -> Shape {
        atoms.clear();
        let line = &line[..line.len().min(MAX_SHAPED_BYTES)];
        let indent = indent(line);
        let (mut template, mut skeleton) = (HashState::default(), HashState::default());
        skeleton.add(u8::try_from(indent.min(MAX_INDENT)).unwrap_or(u8::MAX));
        let mut last = 0;
        let mut unread = line.trim_ascii();
        let mut run = HashState::default();
        while let Some(&first) = unread.first() {
            let (length, token) = token(unread, last);
            let text = &unread[..length];
            let kind = match token {
                TokenKind::Blanks => {
                    template.add(b' ');
                    None
                }
                TokenKind::Word => {
                    template.add_word(text);
                    let is_upper_case = text.iter().all(|byte| !byte.is_ascii_lowercase());
                    Some(if is_upper_case { b'W' } else { b'w' })
                }
                TokenKind::Number => Some(b'#'),
                TokenKind::Path => Some(b'/'),
                TokenKind::Quoted => Some(b'"'),
                TokenKind::Sign => Some(first),
            };
            if let Some(kind) = kind {
                let is_word = matches!(token, TokenKind::Word);
                let continues = is_word && skeleton.last == kind;
                if !is_word {
                    template.add(kind);
                }
                if !continues {
                    skeleton.add(kind);
                    run = HashState::default();
                }
                run.add_word(text);
                let atom = Atom { column: skeleton.end(), hash: run.end(), number: number(&token, text) };
                match token {
                    TokenKind::Sign => {}
                    _ if continues => {
                        if let Some(before) = atoms.last_mut() {
                            *before = atom;
                        }
                    }
                    _ => atoms.push(atom),
                }
            }
            last = unread[length - 1];
            unread = &unread[length..];
        }
        Shape { template: template.end(), skeleton: skeleton.end() }
    }
}

/// The value of a number with at most one point; none of a hexadecimal one, or of a version.
fn number(token: &TokenKind, text: &[u8]) -> Option<f32> {
    if !matches!(token, TokenKind::Number) {
        return None;
    }
    std::str::from_utf8(text).ok()?.parse().ok()
}

/// Number of blanks and tabs at the beginning of a line.
pub(crate) fn indent(line: &[u8]) -> usize {
    line.iter().take_while(|byte| matches!(byte, b' ' | b'\t')).count()
}

/// Calls `found` with a hash of each word of the line; upper and lower case count as equal, and all numbers as one word.
pub(crate) fn words(line: &[u8], mut found: impl FnMut(u32)) {
    let mut unread = line;
    let mut last = 0;
    while !unread.is_empty() {
        let run = unread.iter().take_while(|byte| byte.is_ascii_alphanumeric()).count();
        if run == 0 {
            last = unread[0];
            unread = &unread[1..];
            continue;
        }
        if is_id(&unread[..run]) {
            found(0);
        } else {
            for word in unread[..run].split(u8::is_ascii_digit).filter(|word| word.len() > 1) {
                let mut state = HashState::default();
                for byte in word {
                    state.add(byte.to_ascii_lowercase());
                }
                found((state.end() >> 32) as u32 | 1);
            }
            if unread[..run].iter().any(u8::is_ascii_digit) && last != b'\\' {
                found(0);
            }
        }
        unread = &unread[run..];
    }
}

/// The kind of a token of a line.
enum TokenKind {
    Blanks,
    Number,
    Path,
    Quoted,
    Word,
    Sign,
}

/// The length and kind of the token that `unread` begins with; the length is at least 1. `last` is the byte before.
fn token(unread: &[u8], last: u8) -> (usize, TokenKind) {
    let first = unread[0];
    let blanks = unread.iter().take_while(|byte| byte.is_ascii_whitespace()).count();
    if blanks > 0 {
        return (blanks, TokenKind::Blanks);
    }
    if let Some(length) = quoted_length(unread, last) {
        return (length, TokenKind::Quoted);
    }
    let joined = unread.iter().take_while(|byte| is_path_byte(**byte)).count();
    if joined > 1 && unread[..joined].contains(&b'/') {
        return (joined, TokenKind::Path);
    }
    let run =
        unread.iter().take_while(|byte| byte.is_ascii_alphanumeric() || **byte == b'_').count();
    if is_id(&unread[..run]) {
        return (run, TokenKind::Number);
    }
    match first {
        b'0'..=b'9' => (number_length(unread), TokenKind::Number),
        b'-' if !last.is_ascii_alphanumeric() && unread.get(1).is_some_and(u8::is_ascii_digit) => {
            (1 + number_length(&unread[1..]), TokenKind::Number)
        }
        b'a'..=b'z' | b'A'..=b'Z' | b'_' => {
            let word =
                unread.iter().take_while(|byte| byte.is_ascii_alphabetic() || **byte == b'_');
            (word.count(), TokenKind::Word)
        }
        _ => (1, TokenKind::Sign),
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

fn is_path_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.' | b'@' | b'+' | b'-' | b'/' | b'~')
}

/// The length of digits with points between them.
fn number_length(unread: &[u8]) -> usize {
    let mut length = 0;
    loop {
        length += unread[length..].iter().take_while(|byte| byte.is_ascii_digit()).count();
        match unread[length..] {
            [b'.', digit, ..] if digit.is_ascii_digit() => length += 1,
            _ => return length,
        }
    }
}

/// Whether letters and digits are an id, such as a hash or the end of a pod's name.
fn is_id(run: &[u8]) -> bool {
    run.len() >= MIN_ID_BYTES
        && run.iter().any(u8::is_ascii_digit)
        && run.iter().any(u8::is_ascii_alphabetic)
        && run.iter().all(u8::is_ascii_alphanumeric)
}

/// A hash that is equal for lines that differ only in the values of their digits. Faster than a shape.
pub(crate) fn signature(line: &[u8]) -> u64 {
    let line = &line[..line.len().min(MAX_SHAPED_BYTES)];
    let mut state = HashState::default();
    let (words, unread) = line.as_chunks::<8>();
    for word in words {
        state.add_number(without_digits(u64::from_le_bytes(*word)));
    }
    let mut last = [0; 8];
    last[..unread.len()].copy_from_slice(unread);
    state.add_number(without_digits(u64::from_le_bytes(last)));
    state.end()
}

/// The eight bytes of a word, each digit replaced by `0`.
fn without_digits(word: u64) -> u64 {
    const HIGH: u64 = 0x8080_8080_8080_8080;
    const ONES: u64 = 0x0101_0101_0101_0101;
    let ascii = !word & HIGH;
    let low = word & !HIGH;
    let from_zero = low + ONES * (0x80 - 0x30);
    let beyond_nine = low + ONES * (0x80 - 0x3a);
    let digits = from_zero & !beyond_nine & ascii;
    // Clears the lowest four bits of each digit.
    word & !((digits >> 7) * 0x0f)
}

/// Hash of the first word of a line, up to a blank, colon or bracket; the same for all lines that are indented.
pub(crate) fn first_word(line: &[u8]) -> u64 {
    let end = |byte: &u8| byte.is_ascii_whitespace() || matches!(byte, b':' | b'(' | b'[');
    let line = &line[..line.len().min(MAX_SHAPED_BYTES)];
    let mut state = HashState::default();
    state.add_word(&line[..line.iter().position(end).unwrap_or(line.len())]);
    state.end()
}

/// A hash that is computed byte by byte.
#[derive(Clone, Copy, Default)]
struct HashState {
    state: u64,
    last: u8,
}

impl HashState {
    const FACTOR: u64 = 0x9e37_79b9_7f4a_7c15;

    fn add(&mut self, byte: u8) {
        self.add_number(u64::from(byte) + 1);
        self.last = byte;
    }

    fn add_once(&mut self, byte: u8) {
        if self.last != byte {
            self.add(byte);
        }
    }

    fn add_word(&mut self, word: &[u8]) {
        for byte in word {
            self.add(*byte);
        }
    }

    fn add_number(&mut self, number: u64) {
        self.state = (self.state.rotate_left(5) ^ number).wrapping_mul(Self::FACTOR);
    }

    fn end(self) -> u64 {
        let state = (self.state ^ self.state >> 32).wrapping_mul(Self::FACTOR);
        state ^ state >> 29
    }
}

/// A hasher for keys that are hashes already.
#[derive(Clone, Copy, Default)]
pub(crate) struct HashedKey(u64);

impl Hasher for HashedKey {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.0 = self.0 << 8 | u64::from(byte);
        }
    }

    fn write_u64(&mut self, number: u64) {
        self.0 = number;
    }

    fn write_u32(&mut self, number: u32) {
        self.0 = u64::from(number).wrapping_mul(HashState::FACTOR);
    }
}

/// A map whose keys are hashes.
pub(crate) type HashedMap<Key, Value> =
    std::collections::HashMap<Key, Value, BuildHasherDefault<HashedKey>>;
