//! Deciding whether a text looks random.

use super::words::{ALGORITHM_NAMES, NAME_WORDS, SECRET_NAME_WORDS, has};
use crate::class::Class;

/// The shortest text that can look random, and how much of a longer text is examined.
const MIN_RANDOM_BYTES: usize = 16;
const MAX_EXAMINED_BYTES: usize = 96;

/// The shortest text that counts as no word because of a digit or a sign in it.
const MIN_MARKED_BYTES: usize = 6;

/// The shortest text that counts as alternating between letters and digits.
const MIN_ALTERNATING_BYTES: usize = 8;

/// The shortest word of letters that counts as random for its capitals.
const MIN_UNPRONOUNCEABLE_BYTES: usize = 12;

/// The letters that rarely follow each letter of the alphabet, in words of English and of source code.
#[rustfmt::skip]
const RARE_AFTER: [&str; 26] = [
    "hjoqz", "ghknpqvwxz", "jqwxz", "hjkqxyz", "jz", "ghjkmqvwxz", "bcdfjkqvwxyz", "bcfghjknpqvwxz", "hijquwy",
    "bcdfghijklmnpqrtuvwxyz", "bcfghjklmnopqruvwxyz", "hjqwxz", "fghjknqvwxyz", "jqwxz", "hjqyz", "jkqxz",
    "abcdefghijklmnopqrstvwxyz", "hjqxz", "jqx", "jkqvz", "hjkoquvwxyz", "bcdfghjklnpqrtuvwxyz", "bcfgjklmpqtuvwxyz",
    "bdghjklmnoqrsuvwxyz", "bcdfghjkoqruvwxyz", "bcdfghjklmnopqrstuvwxyz",
];

/// The same with a bit for each letter.
static RARE_PAIRS: [u32; 26] = {
    let (mut pairs, mut letter) = ([0; 26], 0);
    while letter < 26 {
        let rare = RARE_AFTER[letter].as_bytes();
        let mut at = 0;
        while at < rare.len() {
            pairs[letter] |= 1 << (rare[at] - b'a');
            at += 1;
        }
        letter += 1;
    }
    pairs
};

/// The longest number and the longest acronym in a name, and more consonants in a row than its words have.
const MAX_NUMBER_DIGITS: usize = 5;
const MAX_ACRONYM_BYTES: usize = 5;
const MAX_CONSONANTS: usize = 5;

/// Counts of the bytes of a text by kind. Of a longer text only the first [`MAX_EXAMINED_BYTES`] are counted.
#[derive(Clone, Copy, Default)]
pub(super) struct ByteStats {
    length: usize,
    pub(super) digits: usize,
    lower: usize,
    upper: usize,
    /// Signs that occur in passwords and not in names.
    signs: usize,
    /// The signs, other than `?`, `+` and `=`, that are neither the first nor the last byte of the text.
    inner: usize,
    vowels: usize,
    /// The pairs of letters within words, and those that words rarely have.
    pairs: usize,
    rare_pairs: usize,
    /// How often the text changes between letters and digits, or between upper and lower case.
    alternations: usize,
    /// Upper-case letters directly after lower-case ones.
    pub(super) camel_humps: usize,
    /// Whether an upper-case letter follows a digit.
    pub(super) joins_number: bool,
    /// The number of groups of digits that something follows.
    pub(super) groups: usize,
    /// Whether every byte occurs in encodings such as Base64.
    encoded: bool,
}

/// The kinds of bytes that are counted.
#[derive(Clone, Copy, PartialEq, Eq)]
enum ByteKind {
    /// A byte that joins words.
    Joint,
    Digit,
    Lower,
    Upper,
    Sign,
}

impl ByteKind {
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

impl ByteStats {
    pub(super) fn of(body: &[u8]) -> Self {
        let body = &body[..body.len().min(MAX_EXAMINED_BYTES)];
        let mut stats = Self { length: body.len(), encoded: true, ..Self::default() };
        let mut before = ByteKind::Joint;
        for (at, &byte) in body.iter().enumerate() {
            let kind = ByteKind::of(byte);
            let is_vowel = matches!(byte | 0x20, b'a' | b'e' | b'i' | b'o' | b'u' | b'y');
            let is_inner = at > 0 && at + 1 < body.len();
            stats.digits += usize::from(kind == ByteKind::Digit);
            stats.lower += usize::from(kind == ByteKind::Lower);
            stats.upper += usize::from(kind == ByteKind::Upper);
            let is_rare = matches!(byte, b'!' | b'@' | b'#'..=b'&' | b'*' | b'^' | b'~');
            stats.signs += usize::from(is_rare || matches!(byte, b'?' | b'+' | b'='));
            stats.inner += usize::from(is_rare && is_inner);
            stats.vowels += usize::from(is_vowel);
            let alternates = before != kind && before != ByteKind::Joint && kind != ByteKind::Joint;
            stats.alternations += usize::from(alternates);
            stats.camel_humps += usize::from(before == ByteKind::Lower && kind == ByteKind::Upper);
            stats.joins_number |= before == ByteKind::Digit && kind == ByteKind::Upper;
            stats.groups += usize::from(before == ByteKind::Digit && kind != ByteKind::Digit);
            stats.encoded &= Class::Encoded.has(byte);
            let is_letter = |kind| matches!(kind, ByteKind::Lower | ByteKind::Upper);
            let begins_word = before == ByteKind::Lower && kind == ByteKind::Upper;
            if is_letter(before) && is_letter(kind) && !begins_word {
                let rare = RARE_PAIRS[usize::from((body[at - 1] | 0x20) - b'a')];
                stats.pairs += 1;
                stats.rare_pairs += (rare >> ((byte | 0x20) - b'a') & 1) as usize;
            }
            before = kind;
        }
        stats
    }

    fn letters(&self) -> usize {
        self.lower + self.upper
    }

    /// Whether the text has a digit or a sign that no name has, looks random, or is unpronounceable.
    pub(super) fn looks_like_secret(&self, body: &[u8]) -> bool {
        self.is_marked(body) || self.is_random() || self.is_unpronounceable(body)
    }

    /// Whether the text is random: long, mixed and without order.
    pub(super) fn is_random(&self) -> bool {
        self.length >= MIN_RANDOM_BYTES
            && self.encoded
            && (self.digits > 0 || self.signs > 0 && self.lower > 0 && self.is_alternating())
            && self.alternations * 6 >= self.length
    }

    /// Whether the text has digits or signs as no name has: `summer5963`, `Cc2lT#TxaaM`; not `oauth2`, `sha256`,
    /// `x-id`.
    pub(super) fn is_marked(&self, body: &[u8]) -> bool {
        if self.length < MIN_MARKED_BYTES || self.letters() == 0 {
            return false;
        }
        let joined = self.inner > 0 && self.lower > 0 && self.upper > 0;
        self.signs > 0 && (self.digits > 0 || joined)
            || self.digits > 0 && (!is_numbered(body) || self.is_alternating())
    }

    /// Whether the text changes between letters and digits, or upper and lower case, more often than any name.
    pub(super) fn is_alternating(&self) -> bool {
        self.length >= MIN_ALTERNATING_BYTES && self.alternations * 5 >= self.length * 2
    }

    /// Whether the text has no vowels, or upper-case letters inside without order, so that it is no word of a sentence.
    pub(super) fn is_shuffled(&self) -> bool {
        self.vowels == 0 || self.camel_humps > 0 && self.alternations * 5 >= self.length * 2
    }

    /// Whether the text is a word with digits: `hunter2`, `summer-24`.
    pub(super) fn is_numbered_word(&self) -> bool {
        self.length >= MIN_MARKED_BYTES && self.digits > 0 && self.letters() >= 3
    }

    /// Whether the text has letters in an order that words do not have, or upper-case letters without order.
    pub(super) fn is_unpronounceable(&self, body: &[u8]) -> bool {
        self.length >= MIN_ALTERNATING_BYTES
            && self.letters() == self.length
            && (self.is_disordered()
                || self.length >= MIN_UNPRONOUNCEABLE_BYTES
                    && self.lower > 0
                    && self.camel_humps > 0
                    && !reads_like_words(body))
    }

    /// Whether too many letters follow each other as they rarely do in words.
    pub(super) fn is_disordered(&self) -> bool {
        self.rare_pairs >= 4 && self.rare_pairs * 5 >= self.pairs
            || self.rare_pairs >= 3 && self.rare_pairs * 3 >= self.pairs
    }
}

/// Whether a text is words joined as names of variables and types are, with few digits: `Base32SecretKey`, `tokenV2`.
pub(crate) fn reads_like_words(body: &[u8]) -> bool {
    let body = &body[..body.len().min(MAX_EXAMINED_BYTES)];
    if ByteStats::of(body).is_disordered() {
        return false;
    }
    let (mut words, mut letters, mut good) = (0, 0, 0);
    let (mut groups, mut digits) = (0, 0);
    let mut rest = body;
    while !rest.is_empty() {
        let run = |rest: &[u8], belongs: fn(&u8) -> bool| {
            rest.iter().take_while(|byte| belongs(byte)).count()
        };
        let upper = run(rest, u8::is_ascii_uppercase);
        let lower = run(&rest[upper..], u8::is_ascii_lowercase);
        let number = run(&rest[upper + lower..], u8::is_ascii_digit);
        (groups, digits) = (groups + usize::from(number > 0), digits + number);
        // The last capital begins the next word: `XMLParser`.
        let acronym = if lower > 0 { upper.saturating_sub(1) } else { upper };
        let word = &rest[acronym..upper + lower];
        // One letter before a number is no word: `V2`.
        if !(upper + lower == 1 && number > 0) {
            words += usize::from(acronym > 0) + usize::from(!word.is_empty());
            letters += upper + lower;
            good += if is_acronym(&rest[..acronym]) { acronym } else { 0 };
            good += if is_pronounceable(word) || has(NAME_WORDS, word) { word.len() } else { 0 };
        }
        if number > MAX_NUMBER_DIGITS {
            return false;
        }
        rest = &rest[(upper + lower + number).max(1)..];
        // A name of a type says at its end what it holds, and abbreviates the rest: `Aes256GcmKey`.
        if rest.is_empty() && words > 1 && has(SECRET_NAME_WORDS, word) {
            good += word.len();
        }
    }
    words > 0
        && letters >= 3 * words
        && good * 5 >= letters * 4
        && groups <= 2
        && digits * 3 <= body.len()
}

fn is_acronym(word: &[u8]) -> bool {
    (2..=MAX_ACRONYM_BYTES).contains(&word.len()) || is_pronounceable(word)
}

/// Whether a word has a vowel, and no more consonants in a row than words have.
fn is_pronounceable(word: &[u8]) -> bool {
    let is_vowel = |byte: &u8| matches!(byte | 0x20, b'a' | b'e' | b'i' | b'o' | b'u' | b'y');
    let mut consonants = word.split(is_vowel).map(<[u8]>::len);
    word.len() >= 3 && word.iter().any(is_vowel) && consonants.all(|run| run < MAX_CONSONANTS)
}

/// Whether a text looks random, see [`ByteStats::is_random`].
pub(super) fn is_random(body: &[u8]) -> bool {
    body.len() >= MIN_RANDOM_BYTES && ByteStats::of(body).is_random()
}

pub(crate) fn is_alternating(body: &[u8]) -> bool {
    ByteStats::of(body).is_alternating()
}

pub(super) fn is_numbered_word(body: &[u8]) -> bool {
    ByteStats::of(body).is_numbered_word()
}

pub(crate) fn looks_like_secret(body: &[u8]) -> bool {
    ByteStats::of(body).looks_like_secret(body)
}

/// Whether the text is words joined by signs, each an algorithm, a year or with at most two digits at its end: `token1`,
/// `x-hub-signature-256`, `v2.1`.
fn is_numbered(body: &[u8]) -> bool {
    body.split(|byte| b"-_./: ".contains(byte)).all(|part| {
        let digits = part.iter().rev().take_while(|byte| byte.is_ascii_digit()).count();
        let word = &part[..part.len() - digits];
        let is_year = digits == 4 && (part.starts_with(b"19") || part.starts_with(b"20"));
        let numbered = digits <= 2
            || word.is_empty() && (digits == 3 || is_year)
            || has(ALGORITHM_NAMES, word) && digits <= 5;
        numbered && word.len() <= 24 && word.iter().all(u8::is_ascii_alphabetic)
    })
}

/// Whether the text consists of letters and signs that join words, as names do.
pub(super) fn is_word(body: &[u8]) -> bool {
    body.iter().all(|byte| byte.is_ascii_alphabetic() || b"_-.:/".contains(byte))
}
