//! Shapes of lines: lines of one shape differ only in numbers, names or quoted texts.

use std::hash::{BuildHasherDefault, Hasher};

use super::token::{Token, TokenKind, Tokens, is_id};

/// First bytes of a line that its shape depends on.
const MAX_SHAPED_BYTES: usize = 400;
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
    pub(crate) value: u64,
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
        let mut value = HashState::default();
        for Token { kind, text } in Tokens::of(line.trim_ascii()) {
            let sign = match kind {
                TokenKind::Blanks => {
                    template.add(b' ');
                    continue;
                }
                TokenKind::Sign => {
                    template.add(text[0]);
                    skeleton.add(text[0]);
                    continue;
                }
                TokenKind::Word => {
                    template.add_word(text);
                    if text.iter().any(u8::is_ascii_lowercase) { b'w' } else { b'W' }
                }
                TokenKind::Number => b'#',
                TokenKind::Path => b'/',
                TokenKind::Quoted => b'"',
            };
            let before =
                atoms.last_mut().filter(|_| kind == TokenKind::Word && skeleton.last == sign);
            if let Some(before) = before {
                value.add_word(text);
                before.value = value.end();
                continue;
            }
            if kind != TokenKind::Word {
                template.add(sign);
            }
            skeleton.add(sign);
            value = HashState::default();
            value.add_word(text);
            let column = skeleton.end();
            atoms.push(Atom { column, value: value.end(), number: kind.number(text) });
        }
        Shape { template: template.end(), skeleton: skeleton.end() }
    }
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

    fn add_word(&mut self, word: &[u8]) {
        let (numbers, rest) = word.as_chunks::<8>();
        for number in numbers {
            self.add_number(u64::from_le_bytes(*number));
        }
        let mut last = [0; 8];
        last[..rest.len()].copy_from_slice(rest);
        self.add_number(u64::from_le_bytes(last) ^ (word.len() as u64) << 56);
        self.last = 0;
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
