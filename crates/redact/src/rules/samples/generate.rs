//! Makes samples from what a rule says of its secret.

use super::{Class, Middle, Shape, Token, checksum};

/// A small generator of numbers (xorshift): the same seed gives the same samples.
pub(super) struct Random(u64);

const LETTERS: &[u8] = b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";

/// Longest body that is made where none is too long.
const MORE: usize = 8;

impl Random {
    pub(super) fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 >> 33).unwrap_or(0) % limit
    }

    /// A run of the class, with a digit and letters of all its cases.
    pub(super) fn run(&mut self, class: Class, length: usize) -> String {
        let (set, sure): (&[u8], &[u8]) = match class {
            Class::Hex | Class::Uuid => (b"0123456789abcdef", b"3f9a1c7e"),
            Class::Upper => (&LETTERS[26..], b"Q7KZ"),
            Class::Lower => (b"abcdefghijklmnopqrstuvwxyz0123456789", b"q7kz"),
            _ => (LETTERS, b"a7Kq2Zx9"),
        };
        let byte = |index: usize| {
            let sure = sure.get(index).filter(|_| length > sure.len()).copied();
            char::from(sure.unwrap_or_else(|| set[self.below(set.len())]))
        };
        (0..length).map(byte).collect()
    }

    /// What follows the prefix of a token.
    pub(super) fn body(&mut self, token: &Token) -> String {
        let (class, min, max, shape, summed) = token.measures();
        let length = if max == usize::MAX { min + self.below(MORE) } else { max };
        match shape {
            Shape::Uuid => self.uuid(),
            Shape::Airtable => {
                format!("{}.{}", self.run(Class::Alnum, 14), self.run(Class::Hex, 64))
            }
            Shape::Parts => {
                let parts = [24, 6, 38].map(|length| self.run(Class::Alnum, length));
                parts.join(".")
            }
            _ if summed => checksum::with_sum(&self.run(class, 30)),
            _ if class == Class::Uuid && length == 36 => self.uuid(),
            _ => self.run(class, length),
        }
    }

    fn uuid(&mut self) -> String {
        [8, 4, 4, 4, 12].map(|length| self.run(Class::Hex, length)).join("-")
    }

    /// A token with a mark inside.
    pub(super) fn around(&mut self, middle: &Middle, mark: &str) -> String {
        let before = self.run(middle.before, middle.before_length);
        let more = if middle.after_max == usize::MAX { self.below(MORE) } else { 0 };
        format!("{before}{mark}{}", self.run(middle.after, middle.after_min + more))
    }

    /// Marks with too little around them.
    pub(super) fn lone_mark(&mut self, middle: &Middle, mark: &str) -> Vec<String> {
        let before = self.run(middle.before, middle.before_length);
        let after = self.run(middle.after, middle.after_min);
        vec![
            format!("a {mark} b"),
            format!("{} {mark}{after}", &before[..2]),
            format!("{mark}{after}"),
        ]
    }
}

/// A name that holds the vendor's name and a word for a key.
pub(super) fn name(vendor: &str) -> String {
    let ends = ["key", "token", "secret", "password"];
    if ends.iter().any(|end| vendor.ends_with(end)) {
        return vendor.to_owned();
    }
    let joined = vendor.ends_with(['_', '-', ' ']);
    format!("{vendor}{}key", if joined { "" } else { "_" })
}

/// Prefixes without a body, with one that is too short, and inside a word.
pub(super) fn too_short(token: &Token, prefix: &str) -> Vec<String> {
    let (_, min, ..) = token.measures();
    let short = &"hedge"[..(min - 1).min(5)];
    let mut texts = vec![format!("{prefix} alone"), format!("the {prefix}{short} one")];
    if prefix.starts_with(|first: char| first.is_ascii_alphabetic()) && prefix.contains(['_', '-'])
    {
        texts.push(format!("a word{prefix}{short}"));
    }
    texts
}
