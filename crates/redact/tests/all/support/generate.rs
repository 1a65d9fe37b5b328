//! Makes examples from a form: `{alnum:36}` is a run of 36 letters and digits, `{hex:40..}` one of at least 40.

use std::fmt::Write;

/// A small generator of numbers (xorshift): the same seed gives the same samples.
pub(crate) struct Random(u64);

const LETTERS: &[u8] = b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";

/// Longest body that is made where none is too long.
const MORE: usize = 8;

impl Random {
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 >> 33).unwrap_or(0) % limit
    }

    /// A run of the class, with a digit and letters of all its cases.
    fn run(&mut self, class: &str, length: usize) -> String {
        let (set, sure): (&[u8], &[u8]) = match class {
            "digit" => (b"0123456789", b"7"),
            "hex" => (b"0123456789abcdef", b"3f9a1c7e"),
            "HEX" => (b"0123456789ABCDEF", b"3F9A1C7E"),
            "base32" => (b"ABCDEFGHIJKLMNOPQRSTUVWXYZ234567", b"Q7KZ"),
            "upper" => (&LETTERS[26..], b"Q7KZ"),
            "lower" => (b"abcdefghijklmnopqrstuvwxyz0123456789", b"q7kz"),
            _ => (LETTERS, b"a7Kq2Zx9"),
        };
        let byte = |index: usize| {
            let sure = sure.get(index).filter(|_| length > sure.len()).copied();
            char::from(sure.unwrap_or_else(|| set[self.below(set.len())]))
        };
        (0..length).map(byte).collect()
    }

    /// Writes the runs of a form out. `{sum}` is a body that ends in its checksum.
    pub(crate) fn expand(&mut self, form: &str) -> String {
        let mut text = String::new();
        let mut rest = form;
        while let Some((literal, more)) = rest.split_once('{') {
            let (run, after) = more.split_once('}').expect("a form is closed");
            text += literal;
            text += &self.part(run);
            rest = after;
        }
        text + rest
    }

    fn part(&mut self, run: &str) -> String {
        match run {
            "sum" => with_sum(&self.run("alnum", 30)),
            "uuid" => {
                let mut uuid = self.run("hex", 8);
                for length in [4, 4, 4, 12] {
                    write!(uuid, "-{}", self.run("hex", length)).expect("a string takes all");
                }
                uuid
            }
            _ => {
                let (class, length) = run.split_once(':').expect("a class and a length");
                let length = match length.split_once("..") {
                    Some((min, "")) => min.parse::<usize>().expect("a number") + self.below(MORE),
                    Some((_, max)) => max.parse().expect("a number"),
                    None => length.parse().expect("a number"),
                };
                self.run(class, length)
            }
        }
    }
}

/// `random` and its CRC-32 in six digits to the base of 62.
pub(crate) fn with_sum(random: &str) -> String {
    const DIGITS: &[u8; 62] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
    let step = |crc: u32, _| (crc >> 1) ^ if crc & 1 == 0 { 0 } else { 0xedb8_8320 };
    let bit_by_bit = |crc: u32, byte: u8| (0..8).fold(crc ^ u32::from(byte), step);
    let mut rest = !random.bytes().fold(!0, bit_by_bit);
    let mut digits = [b'0'; 6];
    for digit in digits.iter_mut().rev() {
        *digit = DIGITS[(rest % 62) as usize];
        rest /= 62;
    }
    format!("{random}{}", String::from_utf8_lossy(&digits))
}

/// A name that holds the vendor's name and a word for a key.
pub(crate) fn name(vendor: &str) -> String {
    let ends = ["key", "token", "secret", "password"];
    if ends.iter().any(|end| vendor.ends_with(end)) {
        return vendor.to_owned();
    }
    let joined = vendor.ends_with(['_', '-', ' ', '.']);
    format!("{vendor}{}key", if joined { "" } else { "_" })
}

/// A prefix without a body, with one that is too short, and inside a word.
pub(crate) fn too_short(prefix: &str) -> Vec<String> {
    let mut texts = vec![format!("{prefix} alone"), format!("the {prefix}hed one")];
    if prefix.starts_with(|first: char| first.is_ascii_alphabetic()) && prefix.contains(['_', '-'])
    {
        texts.push(format!("a word{prefix}hed"));
    }
    texts
}
