//! The form of a token: literal text and runs of a class, as rules write it, for example `{alnum:14}.{hex:64}`.

use crate::boundary;
use crate::class::Class;
use crate::detect::scan::Scan;

/// The parts of a token. A run that is not the last has an end of its own, so that a form is measured without
/// backtracking.
#[derive(Debug)]
pub(crate) struct Form {
    pub(crate) parts: Vec<FormPart>,
    pub(crate) shape: Shape,
    /// Whether the last six of 36 bytes are a checksum. A correct one proves a token that is joined to a word.
    pub(crate) has_checksum: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum FormPart {
    Literal(&'static str),
    /// From `min` to `max` bytes of a class.
    Run {
        class: Class,
        min: usize,
        max: usize,
    },
}

/// A condition on all bytes of the form together.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Shape {
    #[default]
    Any,
    /// A long piece without dashes, or several digits: not words joined by dashes.
    Dense,
    /// At least one digit.
    Digits,
    /// Letters of both cases and digits, as in random text.
    Mixed,
    /// Mixed, and not words of an identifier such as `readFirstEntry2`.
    Random,
    /// No digit that Base32 does not use.
    Base32,
}

/// Where a form ends.
pub(super) enum End {
    /// At the end of a window whose line continues.
    Cut(usize),
    Whole(usize),
}

/// The longest piece of a joined name such as `sk-folding-cube`.
const MAX_WORD_BYTES: usize = 9;

/// The shortest run of small letters that counts as a word.
const MIN_WORD_BYTES: usize = 3;

/// The largest share of a random text that words take, in percent. With both limits, words take more in 98 % of the
/// camel-case names with a digit in headers and libraries, and in 6 % of 22 random letters and digits, 1 % of 40.
const MAX_WORDS_PERCENT: usize = 50;

const MAX_WORDS_PERCENT_BESIDE_A_NUMBER: usize = 30;

/// How much of a body is read to decide whether it is dense.
const MAX_DENSITY_BYTES: usize = 64;

/// How many percent-encoded signs are read after a run of Base64.
const MAX_PERCENT_SIGNS: usize = 64;

const UUID: [usize; 5] = [8, 4, 4, 4, 12];

/// The classes by the names that rules use.
const CLASSES_BY_NAME: [(&str, Class); 13] = [
    ("alnum", Class::Alnum),
    ("word", Class::Word),
    ("dash", Class::Dash),
    ("dot", Class::Dot),
    ("base64", Class::Base64),
    ("hex", Class::Hex),
    ("upper", Class::Upper),
    ("lower", Class::Lower),
    ("digit", Class::Digit),
    ("credential", Class::Credential),
    ("encoded", Class::Encoded),
    ("bare", Class::Unquoted),
    ("crypt", Class::Crypt),
];

impl Form {
    /// Parses `{class:N}`, `{class:N..M}`, `{class:N..}`, `{uuid}` and the text between them.
    pub(crate) fn parse(text: &'static str) -> Option<Self> {
        let mut parts = Vec::new();
        let mut rest = text;
        while let Some((literal, more)) = rest.split_once('{') {
            let (run, after) = more.split_once('}')?;
            push_literal(&mut parts, literal);
            if run == "uuid" {
                for (index, length) in UUID.into_iter().enumerate() {
                    push_literal(&mut parts, if index > 0 { "-" } else { "" });
                    parts.push(FormPart::Run { class: Class::Hex, min: length, max: length });
                }
            } else {
                parts.push(FormPart::parse_run(run)?);
            }
            rest = after;
        }
        push_literal(&mut parts, rest);
        let ends_in_run = matches!(parts.last(), Some(FormPart::Run { .. }));
        ends_in_run.then_some(Self { parts, shape: Shape::Any, has_checksum: false })
    }

    /// The class of the last run. A token continues after a window with bytes of this class.
    pub(crate) fn last_class(&self) -> Class {
        match self.parts.last() {
            Some(FormPart::Run { class, .. }) => *class,
            _ => Class::Alnum,
        }
    }

    /// With how many bytes of `class` every token of the form begins at least.
    pub(crate) fn least_run(&self, class: Class) -> usize {
        let mut least = 0;
        for part in &self.parts {
            match *part {
                FormPart::Run { class: other, min, .. } if other.is_within(class) => least += min,
                FormPart::Run { .. } => break,
                FormPart::Literal(literal) => {
                    let run = class.run(literal.as_bytes());
                    least += run;
                    if run < literal.len() {
                        break;
                    }
                }
            }
        }
        least
    }

    /// Where the form that begins at `start` ends, if the text has its parts and its shape.
    pub(super) fn end(&self, scan: &mut Scan<'_, '_>, start: usize) -> Option<End> {
        let text = scan.text;
        let mut at = start;
        let last = self.parts.len() - 1;
        for (index, part) in self.parts.iter().enumerate() {
            match *part {
                FormPart::Literal(literal) if text[at..].starts_with(literal.as_bytes()) => {
                    at += literal.len();
                }
                FormPart::Literal(_) => return None,
                FormPart::Run { class, min, max } if index < last => {
                    let run = class.run(&text[at..text.len().min(at + max)]);
                    if scan.is_cut(at + run) {
                        return Some(End::Cut(at + run));
                    }
                    if run < min {
                        return None;
                    }
                    at += run;
                }
                FormPart::Run { class, min, max } => {
                    let mut end = scan.runs.end(text, class, at);
                    if scan.is_cut(end) {
                        return Some(End::Cut(end));
                    }
                    if class == Class::Base64 && max == usize::MAX {
                        end = after_percents(scan, end);
                    }
                    // A dot at the end belongs to the sentence, unless the form needs it.
                    while end > at + min && text[end - 1] == b'.' {
                        end -= 1;
                    }
                    let fits = (min..=max).contains(&(end - at))
                        && (max == usize::MAX || boundary::ends(text, end));
                    if !fits {
                        return None;
                    }
                    at = end;
                }
            }
        }
        // Only the beginning of a long token is examined, so that a text with many prefixes is not read again for each
        // of them.
        let body = &text[start..at.min(start + MAX_DENSITY_BYTES)];
        scan.count(match self.shape {
            Shape::Any => 0,
            Shape::Dense => body.len().min(MAX_DENSITY_BYTES),
            Shape::Digits | Shape::Mixed | Shape::Random | Shape::Base32 => body.len(),
        });
        self.shape.fits(body).then_some(End::Whole(at))
    }
}

impl FormPart {
    fn parse_run(run: &str) -> Option<Self> {
        let (name, length) = run.split_once(':')?;
        let (_, class) = CLASSES_BY_NAME.into_iter().find(|(class, _)| *class == name)?;
        let (min, max) = match length.split_once("..") {
            None => (length.parse().ok()?, length.parse().ok()?),
            Some((min, "")) => (min.parse().ok()?, usize::MAX),
            Some((min, max)) => (min.parse().ok()?, max.parse().ok()?),
        };
        Some(Self::Run { class, min, max })
    }
}

fn push_literal(parts: &mut Vec<FormPart>, literal: &'static str) {
    if !literal.is_empty() {
        parts.push(FormPart::Literal(literal));
    }
}

impl Shape {
    pub(crate) fn parse(name: &str) -> Option<Self> {
        match name {
            "dense" => Some(Self::Dense),
            "digits" => Some(Self::Digits),
            "mixed" => Some(Self::Mixed),
            "random" => Some(Self::Random),
            "base32" => Some(Self::Base32),
            _ => None,
        }
    }

    fn fits(self, body: &[u8]) -> bool {
        let has = |test: fn(&u8) -> bool| body.iter().any(test);
        match self {
            Self::Any => true,
            Self::Dense => is_dense(body),
            Self::Digits => has(u8::is_ascii_digit),
            Self::Base32 => !has(|byte| matches!(byte, b'0' | b'1' | b'8' | b'9')),
            Self::Mixed => {
                has(u8::is_ascii_digit)
                    && has(u8::is_ascii_lowercase)
                    && has(u8::is_ascii_uppercase)
            }
            Self::Random => Self::Mixed.fits(body) && !is_of_words(body),
        }
    }
}

fn is_dense(body: &[u8]) -> bool {
    // `sk-ecdsa-sha2-nistp256@openssh.com` is the name of a key type.
    if body.starts_with(b"ecdsa-sha2-nistp") || body.starts_with(b"ssh-ed25519") {
        return false;
    }
    let body = &body[..body.len().min(MAX_DENSITY_BYTES)];
    let longest = body.split(|byte| matches!(byte, b'-' | b'_')).map(<[u8]>::len).max();
    let digits = body.iter().filter(|byte| byte.is_ascii_digit()).count();
    longest > Some(MAX_WORD_BYTES) || (digits >= 3 && body.len() >= 16)
}

/// Whether the letters are mostly words. A single number leaves room for fewer of them: identifiers seldom have two.
fn is_of_words(body: &[u8]) -> bool {
    let numbers = body.chunk_by(|a, b| a.is_ascii_digit() == b.is_ascii_digit());
    let numbers = numbers.filter(|run| run[0].is_ascii_digit()).count();
    // A word is a run of small letters, and the capital in front of it.
    let words = body.chunk_by(|_, next| next.is_ascii_lowercase());
    let words = words.map(|word| {
        let small = word.iter().filter(|byte| byte.is_ascii_lowercase()).count();
        let capital = usize::from(word[0].is_ascii_uppercase());
        if small >= MIN_WORD_BYTES { small + capital } else { 0 }
    });
    let share = if numbers > 1 { MAX_WORDS_PERCENT } else { MAX_WORDS_PERCENT_BESIDE_A_NUMBER };
    words.sum::<usize>() * 100 > body.len() * share
}

/// Where Base64 ends that continues after `end` with a percent-encoded plus, slash or equals sign.
fn after_percents(scan: &mut Scan<'_, '_>, mut end: usize) -> usize {
    for _ in 0..MAX_PERCENT_SIGNS {
        let [b'%', b'2' | b'3', b'B' | b'b' | b'F' | b'f' | b'D' | b'd', ..] = scan.text[end..]
        else {
            break;
        };
        end = scan.runs.end(scan.text, Class::Base64, end + 3);
    }
    end
}
