//! Values of weak names: those that hold something else as often as a secret are masked only when they look random.

use std::sync::LazyLock;

use super::assignment::JUDGED_BYTES;
use super::name::Kind;
use super::operator::Operator;
use super::placeholder::is_placeholder;
use super::shape::is_code_path;
use super::value::Value;
use super::{Scan, plain};
use crate::class::Class;
use crate::quote::Quote;

/// Shortest value that can look random.
pub(super) const RANDOM_BYTES: usize = 20;

/// Shortest value of `_auth`, which holds nothing else than a password.
const PASSWORD_BYTES: usize = 8;

/// Shortest user and password in base64.
const LOGIN_BYTES: usize = 12;

/// Shortest signature in hexadecimal digits.
const SIGNATURE_BYTES: usize = 32;

/// What is looked at of a word, and how much of it for each slash.
const MADE_UP_BYTES: usize = 64;
const SLASHED_BYTES: usize = 12;

/// Fewest hexadecimal digits that are neither a number nor a word.
const HEX_BYTES: usize = 16;

/// Fewest changes between letters and digits in a word that is made up, when it has letters of both cases and otherwise.
const MIXED_CHANGES: usize = 3;
const CHANGES: usize = 5;

/// What one bit counts in the sums of [`Window`].
const BIT: u32 = 1 << 16;

/// What names of algorithms are known by, which digits and letters of both cases make look like values.
const ALGORITHMS: [&[u8]; 5] = [b"Ed25519", b"PBKDF2", b"SHA1", b"SHA256", b"SHA512"];

/// Half bits per byte from which on a value looks random: 3.5.
const RANDOM_HALF_BITS: u32 = 7;

/// `n * log2(n)` in units of [`BIT`], for every count of bytes in a window.
static WEIGHTS: LazyLock<[u32; JUDGED_BYTES + 1]> = LazyLock::new(|| {
    std::array::from_fn(|count| {
        let count = f64::from(u32::try_from(count).unwrap_or(u32::MAX)).max(1.0);
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "at most 512 * 9 bits, none below zero"
        )]
        let weight = (count * count.log2() * f64::from(BIT)).round() as u32;
        weight
    })
});

/// What is counted of the value judged last. The next one shares most of it when there are many in a run.
pub(crate) struct Window {
    from: usize,
    to: usize,
    counts: [u16; 256],
    /// The weights of all counts.
    sum: u32,
}

impl Window {
    pub(crate) fn new() -> Self {
        Self { from: 0, to: 0, counts: [0; 256], sum: 0 }
    }

    /// Moves to `from..to` of the text, at most [`JUDGED_BYTES`].
    fn show(&mut self, text: &[u8], from: usize, to: usize) {
        if !(self.from..self.to).contains(&from) || to < self.to {
            *self = Self { from, to: from, ..Self::new() };
        }
        for &byte in &text[self.from..from] {
            self.count(byte, |count| count - 1);
        }
        for &byte in &text[self.to..to] {
            self.count(byte, |count| count + 1);
        }
        (self.from, self.to) = (from, to);
    }

    fn count(&mut self, byte: u8, change: fn(u16) -> u16) {
        let count = &mut self.counts[usize::from(byte)];
        let before = WEIGHTS[usize::from(*count)];
        *count = change(*count);
        self.sum = self.sum + WEIGHTS[usize::from(*count)] - before;
    }

    fn has(&self, mut bytes: std::ops::RangeInclusive<u8>) -> bool {
        bytes.any(|byte| self.counts[usize::from(byte)] > 0)
    }

    /// Digits and letters of both cases, few slashes, and a high entropy.
    fn is_random(&self) -> bool {
        let length = u32::try_from(self.to - self.from).unwrap_or(u32::MAX);
        let bits = WEIGHTS[self.to - self.from].saturating_sub(self.sum);
        self.has(b'0'..=b'9')
            && self.has(b'A'..=b'Z')
            && self.has(b'a'..=b'z')
            && u32::from(self.counts[usize::from(b'/')]) * 12 < length
            && bits >= RANDOM_HALF_BITS * BIT / 2 * length
    }
}

/// A quick no for a value at `at`: it has no digit, or it ends too early. `direct`: it follows an equals sign.
pub(super) fn is_hopeless(scan: &mut Scan<'_, '_>, name: &[u8], direct: bool, at: usize) -> bool {
    let text = scan.text;
    let Some(first) = text.get(at) else { return true };
    if direct && Class::Bare.has(*first) && !b"\\&%@$".contains(first) {
        let least = if name == b"_auth" { PASSWORD_BYTES } else { RANDOM_BYTES };
        let end = scan.runs.end(text, Class::Bare, at);
        // A letter before a quote can belong to it.
        if end < at + least {
            return !(end == at + 1 && matches!(text.get(end), Some(b'"' | b'\'')));
        }
    }
    has_no_digit(scan, name, at)
}

/// A quick no for the value of any weak name, unless it is a list, of which it is noted how far it was read.
pub(super) fn lacks_digit(scan: &mut Scan<'_, '_>, name: &[u8], at: usize) -> bool {
    scan.text.get(at) != Some(&b'[') && has_no_digit(scan, name, at)
}

/// No digit follows on the line, which a value needs, but for that of `_auth`.
fn has_no_digit(scan: &mut Scan<'_, '_>, name: &[u8], at: usize) -> bool {
    if name == b"_auth" {
        return false;
    }
    let digit = scan.runs.end(scan.text, Class::Digitless, at);
    scan.text.get(digit).is_none_or(|&byte| byte == b'\n')
}

/// True when the word that `text` begins with, perhaps behind a quote, is at least `least` bytes and neither a word, a number nor
/// a name of code: letters of both cases between digits, many changes between letters and digits, hexadecimal digits, or a long
/// mix of all, or with signs that take turns with them.
pub(super) fn is_made_up(text: &[u8], least: usize) -> bool {
    let text = &text[Quote::at(text).map_or(0, |(_, length)| length)..];
    let near = &text[..text.len().min(MADE_UP_BYTES)];
    let end = near.iter().position(|byte| !byte.is_ascii_graphic() || b"\"'`<".contains(byte));
    let word = &near[..end.unwrap_or(near.len())];
    let named = || ALGORITHMS.iter().any(|name| memchr::memmem::find(word, name).is_some());
    (is_mix(text, least) || has_signs(word, least)) && !named()
}

/// True when signs stand between letters of both cases and digits and the sort changes with every second byte, as it does in no
/// address, expression or version.
fn has_signs(word: &[u8], least: usize) -> bool {
    let sort = |byte: u8| (byte.is_ascii_digit(), byte.is_ascii_alphabetic());
    let has = |test: fn(&u8) -> bool| word.iter().any(test);
    // A capital before small letters begins a word.
    let turns = word.windows(2).filter(|pair| {
        sort(pair[0]) != sort(pair[1])
            || pair[0].is_ascii_lowercase() && pair[1].is_ascii_uppercase()
    });
    word.len() >= least
        && has(|byte| b"!@#%^&*;?~$".contains(byte))
        && has(u8::is_ascii_digit)
        && has(u8::is_ascii_lowercase)
        && has(u8::is_ascii_uppercase)
        && !has(|byte| b"()[]{}|\\=:".contains(byte))
        && !b"$%&@#*".contains(&word[0])
        && turns.count() * 2 >= word.len()
}

/// The same without signs.
fn is_mix(text: &[u8], least: usize) -> bool {
    let body = &text[..Class::Base64.run(&text[..text.len().min(MADE_UP_BYTES)])];
    let count = |test: fn(&u8) -> bool| body.iter().filter(|byte| test(byte)).count();
    let digits = count(u8::is_ascii_digit);
    if body.len() < least
        || digits == 0
        || matches!(text.get(body.len()), Some(b'(' | b'['))
        || count(|byte| *byte == b'/') * SLASHED_BYTES >= body.len()
    {
        return false;
    }
    let changes = body.windows(2).filter(|pair| {
        pair[0].is_ascii_digit() && pair[1].is_ascii_alphabetic()
            || pair[0].is_ascii_alphabetic() && pair[1].is_ascii_digit()
    });
    let changes = changes.count();
    let mixed = count(u8::is_ascii_lowercase) > 0 && count(u8::is_ascii_uppercase) > 0;
    let hex = body.len() >= HEX_BYTES && digits < body.len() && Class::Hex.run(body) == body.len();
    hex || changes >= if mixed { MIXED_CHANGES } else { CHANGES }
        || mixed && body.len() >= RANDOM_BYTES && !plain::is_numbered_words(body)
}

/// True when the value at `start..end`, of which not more than [`JUDGED_BYTES`] count, must be masked.
pub(super) fn is_weak_secret(
    scan: &mut Scan<'_, '_>,
    value: &Value<'_>,
    start: usize,
    end: usize,
) -> bool {
    let text = scan.text;
    let end = end.min(start + JUDGED_BYTES);
    let length = end - start;
    if length < PASSWORD_BYTES || scan.runs.end(text, Class::Encoded, start) < end {
        return false;
    }
    if value.name == b"auth" && value.is_member() && is_login(&text[start..end]) {
        return true;
    }
    let direct = value.operator == Operator::Assign && !value.spaced;
    if value.kind == Kind::Auth && value.name == b"_auth" && direct {
        return !is_placeholder(&text[start..end], false);
    }
    if length < RANDOM_BYTES || scan.runs.end(text, Class::Digitless, start) >= end {
        return false;
    }
    if value.kind == Kind::Signature
        && direct
        && length >= SIGNATURE_BYTES
        && scan.runs.end(text, Class::Hex, start) >= end
    {
        return true;
    }
    let window = scan.window.get_or_insert_with(Window::new);
    window.show(text, start, end);
    window.is_random()
        && !is_public_key(&text[start..end])
        && !plain::is_numbered_words(&text[start..end])
        && !value.name.ends_with(&text[start..end])
        && !is_code_path(&text[start..end])
}

/// Base64 of a user, a colon and a password, as Docker keeps them for each registry.
fn is_login(body: &[u8]) -> bool {
    let digit = |byte: &u8| match byte {
        b'A'..=b'Z' => Some(byte - b'A'),
        b'a'..=b'z' => Some(byte - b'a' + 26),
        b'0'..=b'9' => Some(byte - b'0' + 52),
        b'+' => Some(62),
        b'/' => Some(63),
        _ => None,
    };
    let digits = body.strip_suffix(b"==").or_else(|| body.strip_suffix(b"=")).unwrap_or(body);
    let (mut bits, mut held, mut colons, mut texts) = (0_u16, 0_u32, 0, true);
    for byte in digits {
        let Some(digit) = digit(byte) else { return false };
        (bits, held) = (bits << 6 | u16::from(digit), held + 6);
        if held >= 8 {
            held -= 8;
            let byte = bits >> held;
            bits &= (1 << held) - 1;
            colons += usize::from(byte == u16::from(b':'));
            texts &= (0x20..0x7f).contains(&byte);
        }
    }
    body.len().is_multiple_of(4) && body.len() >= LOGIN_BYTES && texts && colons > 0
}

/// The encoding of a public key begins with what sort of key it is: RSA, elliptic curves, Ed25519.
fn is_public_key(body: &[u8]) -> bool {
    const BEGINNINGS: [&[u8]; 4] = [
        b"MFkwEwYHKoZIzj0CAQ",
        b"MHYwEAYHKoZIzj0CAQ",
        b"MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8A",
        b"MCowBQYDK2VwAyEA",
    ];
    BEGINNINGS.iter().any(|beginning| body.starts_with(beginning))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_window_that_moved_counts_like_a_new_one() {
        let byte = |n: u32| u8::try_from(n * n / 7 % 90 + 33).unwrap_or_default();
        let text: Vec<u8> = (0..4_000).map(byte).collect();
        let mut moved = Window::new();
        let mut to = 0;
        for step in 0_usize..600 {
            let from = step * 5 + step % 3;
            to = if step % 50 == 0 { from + 40 } else { to.max(from + step * 31 % JUDGED_BYTES) };
            to = to.min(from + JUDGED_BYTES);
            moved.show(&text, from, to);
            let mut new = Window::new();
            new.show(&text, from, to);
            assert!(moved.counts == new.counts && moved.sum == new.sum, "{from}..{to}");
        }
    }

    #[test]
    fn entropy_is_that_of_the_bytes() {
        for (text, random) in [
            ("aB3aB3aB3aB3aB3aB3aB3", false),
            ("aB3dE5gH7jK9mN1pQ3sT5v", true),
            ("/aB3/dE5/gH7/jK9/mN1/", false),
            ("ab3de5gh7jk9mn1pq3st5v", false),
        ] {
            let mut window = Window::new();
            window.show(text.as_bytes(), 0, text.len());
            assert_eq!(window.is_random(), random, "{text}");
        }
    }
}
