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
const OTHER: usize = 0;
const DIGIT: usize = 1;
const LOWER: usize = 2;
const UPPER: usize = 3;
const SIGN: usize = 4;
const SORTS: usize = 5;

/// Where a count begins in the sum of a text: none is above [`JUDGED_BYTES`], so that eight fit in one number.
const DIGITS: u32 = 0;
const LOWERS: u32 = 8;
const UPPERS: u32 = 16;
const SIGNS: u32 = 24;
const INNERS: u32 = 32;
const VOWELS: u32 = 40;
const FOREIGN: u32 = 48;

/// The same of two neighbours.
const TURNS: u32 = 0;
const HUMPS: u32 = 8;
const GROUPS: u32 = 16;

/// What each byte adds to the sum, with its sort in the highest bits.
static BYTES: [u64; 256] = bytes();
const SORT: u32 = 56;

const fn bytes() -> [u64; 256] {
    const SIGN_BYTES: &[u8] = b"!@#$%^&*?~+=";
    let mut table = [0; 256];
    let mut byte = 0_u8;
    loop {
        let mut index = 0;
        let mut is_sign = false;
        while index < SIGN_BYTES.len() {
            is_sign |= SIGN_BYTES[index] == byte;
            index += 1;
        }
        let vowel = matches!(byte | 0x20, b'a' | b'e' | b'i' | b'o' | b'u' | b'y') as u64;
        let inner = (is_sign && !matches!(byte, b'?' | b'+' | b'=')) as u64;
        let (sort, counts) = match byte {
            b'0'..=b'9' => (DIGIT, 1 << DIGITS),
            b'a'..=b'z' => (LOWER, 1 << LOWERS | vowel << VOWELS),
            b'A'..=b'Z' => (UPPER, 1 << UPPERS | vowel << VOWELS),
            b'-' | b'_' | b'.' => (OTHER, 0),
            _ => (SIGN, (is_sign as u64) << SIGNS | inner << INNERS),
        };
        let foreign = !Class::Encoded.holds(byte) as u64;
        table[byte as usize] = counts | foreign << FOREIGN | (sort as u64) << SORT;
        if byte == u8::MAX {
            return table;
        }
        byte += 1;
    }
}

/// What a byte of the second sort adds after one of the first.
static PAIRS: [[u32; SORTS]; SORTS] = pairs();

const fn pairs() -> [[u32; SORTS]; SORTS] {
    let mut table = [[0; SORTS]; SORTS];
    let mut before = 0;
    while before < SORTS {
        let mut sort = 0;
        while sort < SORTS {
            let turn = before != sort && before != OTHER && sort != OTHER;
            let group = before == DIGIT && sort != DIGIT;
            let hump = before == LOWER && sort == UPPER;
            table[before][sort] =
                (turn as u32) << TURNS | (hump as u32) << HUMPS | (group as u32) << GROUPS;
            sort += 1;
        }
        before += 1;
    }
    table
}

impl Makeup {
    pub(super) fn of(body: &[u8]) -> Self {
        let body = &body[..body.len().min(JUDGED_BYTES)];
        let (mut counts, mut turns, mut before) = (0_u64, 0_u32, OTHER);
        for &byte in body {
            let adds = BYTES[usize::from(byte)];
            let sort = (adds >> SORT) as usize;
            counts += adds & ((1 << SORT) - 1);
            turns += PAIRS[before][sort];
            before = sort;
        }
        let count = |at: u32| (counts >> at & 0xff) as usize;
        let turn = |at: u32| (turns >> at & 0xff) as usize;
        let inner = |byte: &u8| (BYTES[usize::from(*byte)] >> INNERS & 1) as usize;
        let outer = match body {
            [] => 0,
            [only] => inner(only),
            [first, .., last] => inner(first) + inner(last),
        };
        let letters = count(LOWERS) + count(UPPERS) == body.len();
        Self {
            length: body.len(),
            consonants: if letters { consonants(body) } else { 0 },
            digits: count(DIGITS),
            lower: count(LOWERS),
            upper: count(UPPERS),
            signs: count(SIGNS),
            inner: count(INNERS) - outer,
            vowels: count(VOWELS),
            turns: turn(TURNS),
            humps: turn(HUMPS),
            groups: turn(GROUPS),
            encoded: count(FOREIGN) == 0,
        }
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

/// Longest run of letters without a vowel, capitals not counted.
fn consonants(letters: &[u8]) -> usize {
    let mut run = 0;
    let next = |byte: &u8| {
        run = match byte {
            b'A' | b'E' | b'I' | b'O' | b'U' | b'Y' | b'a' | b'e' | b'i' | b'o' | b'u' | b'y' => 0,
            b'A'..=b'Z' => run,
            _ => run + 1,
        };
        run
    };
    letters.iter().map(next).max().unwrap_or(0)
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
            digits <= 2 || word.is_empty() && digits <= 4 || has(&ALGORITHMS, word) && digits <= 5;
        numbered && word.len() <= 24 && word.iter().all(u8::is_ascii_alphabetic)
    })
}

/// Only letters and the signs that join words: a name of a thing.
pub(super) fn is_word(body: &[u8]) -> bool {
    body.iter().all(|byte| byte.is_ascii_alphabetic() || b"_-.:/".contains(byte))
}
