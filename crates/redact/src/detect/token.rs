//! Tokens that are known by how they begin.

use super::checksum;
use super::scan::Scan;
use crate::boundary;
use crate::class::Class;
use crate::span::Swallow;

/// What follows the prefix of a token.
pub(crate) struct Token {
    class: Class,
    min: usize,
    max: usize,
    shape: Shape,
    /// The last bytes of a body of the usual length are a checksum.
    summed: bool,
}

/// A condition on the bytes after the prefix.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Shape {
    Any,
    /// Not a word or words joined by dashes: a long piece or several digits.
    Dense,
    /// At least one digit.
    Digits,
    /// 14 characters, a dot, 64 hexadecimal digits.
    Airtable,
    /// Dashes where a UUID has them.
    Uuid,
    /// Three parts joined by dots.
    Parts,
    /// Letters of both cases and digits, as in what is random.
    Mixed,
}

/// So many signs written as in an address are read before a token is known to be long enough.
const PERCENTS: usize = 8;

/// How much of a body tells whether it is dense.
const DENSE_BYTES: usize = 256;

/// Longest piece of a joined name such as `sk-folding-cube`.
const WORD_BYTES: usize = 9;

impl Token {
    pub(crate) const fn at_least(class: Class, min: usize) -> Self {
        Self::between(class, min, usize::MAX)
    }

    pub(crate) const fn exactly(class: Class, length: usize) -> Self {
        Self::between(class, length, length)
    }

    pub(crate) const fn between(class: Class, min: usize, max: usize) -> Self {
        Self { class, min, max, shape: Shape::Any, summed: false }
    }

    pub(crate) const fn dense(self) -> Self {
        self.shaped(Shape::Dense)
    }

    pub(crate) const fn shaped(self, shape: Shape) -> Self {
        Self { shape, ..self }
    }

    /// A UUID.
    pub(crate) const fn uuid() -> Self {
        Self::exactly(Class::Uuid, 36).shaped(Shape::Uuid)
    }

    /// The body carries a checksum of its first part.
    pub(crate) const fn summed(self) -> Self {
        Self { summed: true, ..self }
    }

    /// Class, shortest and longest body, shape, and whether it carries a checksum: what a sample is made from.
    #[cfg(test)]
    pub(crate) fn measures(&self) -> (Class, usize, usize, Shape, bool) {
        (self.class, self.min, self.max, self.shape, self.summed)
    }

    pub(crate) fn class(&self) -> Class {
        self.class
    }

    /// True when `body`, a run of the class, is of the right length and shape.
    pub(crate) fn takes(&self, body: &[u8]) -> bool {
        (self.min..=self.max).contains(&body.len()) && fits(self.shape, body)
    }
}

/// A prefix was found at `start..body`.
pub(crate) fn check(scan: &mut Scan<'_, '_>, token: &Token, start: usize, body: usize) {
    if !boundary::begins(scan.text, start) {
        if token.summed {
            glued(scan, start, body);
        }
        return;
    }
    let mut end = scan.runs.end(scan.text, token.class, body);
    if scan.is_cut(end) {
        return scan.found(start, end, token.class);
    }
    if token.class == Class::Base64 && token.max == usize::MAX {
        end = after_percents(scan, end, PERCENTS);
    }
    // A dot at the end belongs to the sentence.
    while end > body && scan.text[end - 1] == b'.' {
        end -= 1;
    }
    let length = end - body;
    if length < token.min || length > token.max {
        return;
    }
    if token.max < usize::MAX && !boundary::ends(scan.text, end) {
        return;
    }
    let fits = match token.shape {
        Shape::Dense => is_dense(scan, body, end),
        shape => fits(shape, &scan.text[body..end]),
    };
    // `sk-ssh-ed25519@openssh.com` is a sort of key.
    let named = scan.text[end..].starts_with(b"@openssh")
        || scan.text[body..end].starts_with(b"ecdsa-sha2-nistp");
    if fits && !named {
        if token.class == Class::Base64 && token.max == usize::MAX {
            end = after_percents(scan, end, usize::MAX);
        }
        scan.found(start, end, token.class);
    }
}

/// Where base64 ends that goes on behind `end` with a plus, slash or equals sign written as in an address.
fn after_percents(scan: &mut Scan<'_, '_>, mut end: usize, most: usize) -> usize {
    let mut count = 0;
    while let [b'%', b'2' | b'3', code, ..] = scan.text[end..] {
        if count == most || !matches!(code, b'B' | b'b' | b'F' | b'f' | b'D' | b'd') {
            break;
        }
        count += 1;
        end = scan.runs.end(scan.text, Class::Base64, end + 3);
    }
    end
}

/// A token that a word is joined to. What cannot be told from the rest of the word is told by the checksum.
fn glued(scan: &mut Scan<'_, '_>, start: usize, body: usize) {
    let end = body + checksum::BODY_BYTES;
    if scan.text.get(body..end).is_some_and(checksum::is_right) && !scan.is_cut(end) {
        scan.add(start, end, Swallow::While(Class::Alnum), false);
    }
}

fn fits(shape: Shape, body: &[u8]) -> bool {
    match shape {
        Shape::Any => true,
        Shape::Dense => is_dense_alone(body),
        Shape::Digits => body.iter().any(u8::is_ascii_digit),
        Shape::Airtable => {
            body[14] == b'.' && Class::Alnum.run(body) == 14 && Class::Hex.run(&body[15..]) == 64
        }
        Shape::Uuid => {
            let dash = |index: usize| matches!(index, 8 | 13 | 18 | 23);
            let right = |(index, &byte): (usize, &u8)| (byte == b'-') == dash(index);
            body.len() == 36 && body.iter().enumerate().all(right)
        }
        Shape::Parts => {
            body.split(|&byte| byte == b'.').filter(|part| part.len() >= 6).count() == 3
        }
        Shape::Mixed => {
            let has = |test: fn(&u8) -> bool| body.iter().any(test);
            has(u8::is_ascii_digit) && has(u8::is_ascii_lowercase) && has(u8::is_ascii_uppercase)
        }
    }
}

/// A long piece, or several digits, among the first bytes of a body.
fn is_dense_alone(body: &[u8]) -> bool {
    let body = &body[..body.len().min(DENSE_BYTES)];
    let longest = body.split(|byte| matches!(byte, b'-' | b'_')).map(<[u8]>::len).max();
    let digits = body.iter().filter(|byte| byte.is_ascii_digit()).count();
    longest > Some(WORD_BYTES) || (digits >= 3 && body.len() >= 16)
}

/// The same of `text[start..end]`. Of many bodies in one run, what the last one was searched for is not searched again.
fn is_dense(scan: &mut Scan<'_, '_>, start: usize, end: usize) -> bool {
    let stop = end.min(start + DENSE_BYTES);
    let known = scan.sparse.contains(&start) && stop >= scan.sparse.end;
    // Without a digit, a long piece would end behind what is known.
    if known && scan.runs.end(scan.text, Class::Digitless, start) >= stop {
        let from = start.max(scan.sparse.end.saturating_sub(WORD_BYTES));
        let dense = is_dense_alone(&scan.text[from..stop]);
        scan.sparse.end = if dense { scan.sparse.end } else { stop };
        return dense;
    }
    let dense = is_dense_alone(&scan.text[start..stop]);
    scan.sparse = if dense { 0..0 } else { start..stop };
    dense
}

/// `123456789:AA…`: digits before the trigger, a token from its letters on.
pub(crate) fn bot(scan: &mut Scan<'_, '_>, start: usize, end: usize) {
    let digits =
        scan.text[..start].iter().rev().take(11).take_while(|byte| byte.is_ascii_digit()).count();
    if !(8..=10).contains(&digits) || !boundary::begins(scan.text, start - digits) {
        // `bot` is written before the number in the addresses of the service.
        let before = &scan.text[..start - digits.min(start)];
        if !(8..=10).contains(&digits) || !before.ends_with(b"bot") {
            return;
        }
    }
    let body_end = scan.runs.end(scan.text, Class::Dash, end);
    if body_end - end >= 30 || scan.is_cut(body_end) {
        scan.found(start + 1, body_end, Class::Dash);
    }
}
