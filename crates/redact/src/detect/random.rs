//! Whether a text looks made up.

use super::words::{ALGORITHMS, has};
use crate::class::Class;

/// Shortest text that can look random, and how much of a longer one is looked at.
const RANDOM_BYTES: usize = 16;
const JUDGED_BYTES: usize = 96;

/// Shortest text with a digit or a sign that is no word.
const MARKED_BYTES: usize = 6;

/// Shortest text in which letters and digits take turns.
const RESTLESS_BYTES: usize = 8;

/// Shortest word of letters in which no word can be read.
const UNREADABLE_BYTES: usize = 12;

/// Consonants in a row that no word has.
const CONSONANTS: usize = 6;

/// What a text is made of: counts of its bytes, of a longer one of the first [`JUDGED_BYTES`].
#[derive(Clone, Copy, Default)]
pub(super) struct Makeup {
    length: usize,
    pub(super) digits: usize,
    lower: usize,
    upper: usize,
    /// Signs that passwords have and names do not.
    signs: usize,
    /// Of them those with something on both sides.
    inner: usize,
    vowels: usize,
    /// Longest run of letters without a vowel, capitals not counted.
    consonants: usize,
    /// Places where letters and digits, or letters of both cases, take turns.
    turns: usize,
    /// Capitals after small letters.
    pub(super) humps: usize,
    /// Digits with something else after them.
    pub(super) groups: usize,
    /// All bytes are those of encodings.
    encoded: bool,
}

/// The sorts of bytes whose neighbours are counted.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Sort {
    /// What joins words.
    Joint,
    Digit,
    Lower,
    Upper,
    Sign,
}

impl Sort {
    fn of(byte: u8) -> Self {
        match byte {
            b'0'..=b'9' => Self::Digit,
            b'a'..=b'z' => Self::Lower,
            b'A'..=b'Z' => Self::Upper,
            b'-' | b'_' | b'.' => Self::Joint,
            _ => Self::Sign,
        }
    }
}

impl Makeup {
    pub(super) fn of(body: &[u8]) -> Self {
        let body = &body[..body.len().min(JUDGED_BYTES)];
        let mut makeup = Self { length: body.len(), encoded: true, ..Self::default() };
        let (mut before, mut run) = (Sort::Joint, 0);
        for (at, &byte) in body.iter().enumerate() {
            let sort = Sort::of(byte);
            let is_vowel = matches!(byte | 0x20, b'a' | b'e' | b'i' | b'o' | b'u' | b'y');
            let is_inner = at > 0 && at + 1 < body.len();
            makeup.digits += usize::from(sort == Sort::Digit);
            makeup.lower += usize::from(sort == Sort::Lower);
            makeup.upper += usize::from(sort == Sort::Upper);
            let is_rare = matches!(byte, b'!' | b'@' | b'#'..=b'&' | b'*' | b'^' | b'~');
            makeup.signs += usize::from(is_rare || matches!(byte, b'?' | b'+' | b'='));
            makeup.inner += usize::from(is_rare && is_inner);
            makeup.vowels += usize::from(is_vowel);
            let is_turn = before != sort && before != Sort::Joint && sort != Sort::Joint;
            makeup.turns += usize::from(is_turn);
            makeup.humps += usize::from(before == Sort::Lower && sort == Sort::Upper);
            makeup.groups += usize::from(before == Sort::Digit && sort != Sort::Digit);
            makeup.encoded &= Class::Encoded.has(byte);
            run = if is_vowel { 0 } else { run + usize::from(sort == Sort::Lower) };
            makeup.consonants = makeup.consonants.max(run);
            before = sort;
        }
        makeup
    }

    fn letters(&self) -> usize {
        self.lower + self.upper
    }

    /// A digit or a sign that no name of a thing has, letters and digits without order, or a word that nobody can read.
    pub(super) fn looks_like_secret(&self, body: &[u8]) -> bool {
        self.is_marked(body) || self.is_random() || self.is_unreadable()
    }

    /// Letters and digits without order: long, mixed, of many different bytes.
    pub(super) fn is_random(&self) -> bool {
        self.length >= RANDOM_BYTES
            && self.encoded
            && (self.digits > 0 || self.signs > 0 && self.lower > 0 && self.is_restless())
            && self.turns * 6 >= self.length
    }

    /// `summer5963`, `Cc2lT#TxaaM`; not `oauth2`, `sha256`, `x-id`.
    pub(super) fn is_marked(&self, body: &[u8]) -> bool {
        if self.length < MARKED_BYTES || self.letters() == 0 {
            return false;
        }
        let joined = self.inner > 0 && self.lower > 0 && self.upper > 0;
        self.signs > 0 && (self.digits > 0 || joined)
            || self.digits > 0 && (!is_numbered(body) || self.is_restless())
    }

    /// Letters and digits, or letters of both cases, take turns more often than in any name.
    pub(super) fn is_restless(&self) -> bool {
        self.length >= RESTLESS_BYTES && self.turns * 5 >= self.length * 2
    }

    /// No vowels, or capitals within and no order: no word of a sentence.
    pub(super) fn is_shuffled(&self) -> bool {
        self.vowels == 0 || self.humps > 0 && self.turns * 5 >= self.length * 2
    }

    /// A word and a number: `hunter2`, `summer-24`.
    pub(super) fn is_numbered_word(&self) -> bool {
        self.length >= MARKED_BYTES && self.digits > 0 && self.letters() >= 3
    }

    /// Too few vowels, too many consonants in a row, or capitals without order.
    pub(super) fn is_unreadable(&self) -> bool {
        self.length >= UNREADABLE_BYTES
            && self.letters() == self.length
            && (self.vowels * 6 < self.length
                || self.humps * 5 >= self.length
                || self.consonants >= CONSONANTS
                || self.is_restless())
    }
}

/// The same of a text that is judged alone.
pub(super) fn is_random(body: &[u8]) -> bool {
    body.len() >= RANDOM_BYTES && Makeup::of(body).is_random()
}

pub(crate) fn is_restless(body: &[u8]) -> bool {
    Makeup::of(body).is_restless()
}

pub(super) fn is_numbered_word(body: &[u8]) -> bool {
    Makeup::of(body).is_numbered_word()
}

pub(crate) fn looks_like_secret(body: &[u8]) -> bool {
    Makeup::of(body).looks_like_secret(body)
}

/// Words joined by signs, each with at most two digits at its end, or an algorithm: `token1`, `x-hub-signature-256`, `v2.1`.
fn is_numbered(body: &[u8]) -> bool {
    body.split(|byte| b"-_./: ".contains(byte)).all(|part| {
        let digits = part.iter().rev().take_while(|byte| byte.is_ascii_digit()).count();
        let word = &part[..part.len() - digits];
        let numbered =
            digits <= 2 || word.is_empty() && digits <= 4 || has(ALGORITHMS, word) && digits <= 5;
        numbered && word.len() <= 24 && word.iter().all(u8::is_ascii_alphabetic)
    })
}

/// Only letters and the signs that join words: a name of a thing.
pub(super) fn is_word(body: &[u8]) -> bool {
    body.iter().all(|byte| byte.is_ascii_alphabetic() || b"_-.:/".contains(byte))
}
