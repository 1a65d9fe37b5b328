//! Words of a language where a secret could stand: `unexpected token: identifier`, `credentials: include`.

use super::identifier::{NAME_BYTES, Words};
use super::name::Kind;
use super::operator::Operator;
use super::random::RANDOM_BYTES;
use super::value::Value;
use super::words::{
    ABOUT, ASKING, BEFORE_COMPLAINTS, COLUMNS, COMPLAINTS, GRAMMAR, LANGUAGE, NOTHING, OBJECTS,
    REQUESTS, SECRETS, SHORT, TYPES,
};
use crate::class::Class;

/// Longest text taken for words, and for one of them.
const TEXT_BYTES: usize = 32;
const WORD_BYTES: usize = 14;

/// Shortest word in quotes that counts as one: shorter ones are made up too easily.
const QUOTED_BYTES: usize = 4;

/// Shortest word that code compares a token with only if it is a known one.
const COMPARED_BYTES: usize = 8;

/// Words from this length on may have one pair of letters that is rare in English: many are two words.
const JOINED_BYTES: usize = 7;

/// For each letter the ones that often follow it in English words.
const FOLLOWERS: [&[u8]; 26] = [
    b"bcdfgiklmnprstuvwyz",
    b"abcdegijlorstuy",
    b"acehikloprstuy",
    b"abcdegilmorsuvwy",
    b"abcdefghijklmnopqrstuvwxyz",
    b"adefilorstuy",
    b"aceghilmnoprstu",
    b"aeilmnorstuy",
    b"abcdefgklmnoprstuvxz",
    b"aeiou",
    b"aeilnostu",
    b"abcdefiklmopstuvy",
    b"abeilmopsu",
    b"abcdefghiklmnoprstuvwy",
    b"abcdefghiklmnoprstuvwxy",
    b"acehiloprstuy",
    b"u",
    b"abcdefgiklmnoprstuvwy",
    b"acefhiklmnopstuwy",
    b"acdehilmoprstuwyz",
    b"abcdefgilmnoprst",
    b"aeio",
    b"aehinors",
    b"aceipt",
    b"aeilmnopst",
    b"aei",
];

/// True when the name can mean something else than a secret, and the value is a word that says so, or it is compared with
/// one, as in `name_token != "name"`. A password is never
/// judged by this: passwords are words often enough.
pub(super) fn is_word_of_grammar(value: &Value<'_>, body: &[u8], quoted: bool) -> bool {
    if value.complaint && value.operator == Operator::Colon && body.len() < RANDOM_BYTES {
        return true;
    }
    // Code asks for a word; a password in code may be one.
    if value.operator == Operator::Compare && value.kind != Kind::Password {
        return is_words(body, 1) && Words::new(body).iter().all(is_compared);
    }
    let colon = value.operator == Operator::Colon;
    let ambiguous = match value.kind {
        Kind::Token | Kind::Secret => colon,
        Kind::Credential => colon || quoted,
        _ => false,
    };
    if !ambiguous || !is_words(body, if quoted { QUOTED_BYTES } else { 1 }) {
        return false;
    }
    let words = value.words();
    let mut others = words.iter().take(words.len() - 1);
    match value.kind {
        Kind::Token => others.all(|word| GRAMMAR.has(word)),
        // `secrets: inherit`
        Kind::Secret => words.len() == 1 && words.last() == b"secrets",
        _ => others.all(|word| REQUESTS.has(word)),
    }
}

/// `identifier`, `same-origin`, `StringLiteral`, `T_VARIABLE`: words of English or capitals joined by lines.
pub(super) fn is_words(body: &[u8], least: usize) -> bool {
    let letters = body.iter().all(|byte| byte.is_ascii_alphabetic() || matches!(byte, b'_' | b'-'));
    if !letters || body.len() < least || body.len() > TEXT_BYTES {
        return false;
    }
    let constant =
        body.contains(&b'_') && body.iter().all(|byte| byte.is_ascii_uppercase() || *byte == b'_');
    let words = Words::new(body);
    // Case that changes all the time is no camel case.
    let dense = words.len() * 3 > body.len() + 2;
    // Noise has capitals too; what stands between them is a word only if it is a known one or long enough.
    let camel =
        body.windows(2).any(|pair| pair[0].is_ascii_lowercase() && pair[1].is_ascii_uppercase());
    let known = |word: &[u8]| word.len() >= QUOTED_BYTES || SHORT.has(word);
    constant || !dense && words.iter().all(|word| is_word(word) && (!camel || known(word)))
}

/// `progressToken`, `StringLiteral`: words joined by capitals of which one is known in code.
pub(super) fn is_name_of_code(body: &[u8]) -> bool {
    let named = |word: &[u8]| SHORT.has(word) || is_listed(word);
    is_words(body, 1) && Words::new(body).iter().any(named)
}

/// A word that code may compare a token with: a short one, or one of those that are known.
fn is_compared(word: &[u8]) -> bool {
    word.len() < COMPARED_BYTES || is_listed(word)
}

/// `sha256WithRSAEncryption`: words of which one may end with a number.
pub(super) fn is_numbered_words(body: &[u8]) -> bool {
    let digits = body.iter().filter(|byte| byte.is_ascii_digit()).count();
    let words = Words::new(body);
    digits <= 4
        && body.len() <= NAME_BYTES
        && Class::Dash.run(body) == body.len()
        && words.len() * 4 <= body.len()
        && words.iter().all(|word| word.iter().all(u8::is_ascii_alphabetic) && is_word(word))
}

/// One of the words of code.
fn is_listed(word: &[u8]) -> bool {
    [&ABOUT, &TYPES].iter().any(|list| list.has(word))
        || [&ASKING, &COLUMNS, &NOTHING, &OBJECTS, &LANGUAGE].iter().any(|list| list.has(word))
        || SECRETS.has(word)
        || GRAMMAR.has(word)
}

fn is_word(word: &[u8]) -> bool {
    let follows = |pair: &[u8]| {
        let followers = FOLLOWERS.get(usize::from(pair[0].wrapping_sub(b'a')));
        followers.is_some_and(|followers| followers.contains(&pair[1]))
    };
    let rare = word.windows(2).filter(|pair| !follows(pair)).count();
    word.len() <= 3 || word.len() <= WORD_BYTES && rare <= usize::from(word.len() >= JOINED_BYTES)
}

/// True when what stands before a name complains of it, as in `unexpected token`.
pub(super) fn is_complaint(before: &[u8]) -> bool {
    let (word, before) = last_word(before.strip_suffix(b" ").unwrap_or_default());
    if !COMPLAINTS.has(word) {
        return false;
    }
    // Not when the word may be a value itself, as in `-p unexpected token: …`: masked, it would complain no more.
    match before {
        // Behind a quote that closes, the word may be joined to a value.
        [.., before, b'"' | b'\'']
            if !matches!(before, b' ' | b'(' | b'[' | b'{' | b',' | b':' | b'=' | b'\n') =>
        {
            false
        }
        []
        | [.., b'\n' | b'(' | b'"' | b'\'']
        | [.., b':' | b',' | b'.' | b';' | b')' | b']' | b'-', b' '] => true,
        [rest @ .., b' '] => BEFORE_COMPLAINTS.has(last_word(rest).0),
        _ => false,
    }
}

/// The word at the end of `text`, and what is before it.
fn last_word(text: &[u8]) -> (&[u8], &[u8]) {
    let letters = text.iter().rev().take(16).take_while(|byte| byte.is_ascii_alphabetic()).count();
    let (before, word) = text.split_at(text.len() - letters);
    (word, before)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_told_from_made_up_ones() {
        for words in [
            "identifier",
            "same-origin",
            "include",
            "omit",
            "StringLiteral",
            "T_VARIABLE",
            "LPAREN",
            "whitespace",
            "keyword",
            "newline",
            "punctuation",
            "end-of-file",
            "Eof",
            "unknown",
        ] {
            assert!(is_words(words.as_bytes(), 1), "{words}");
        }
        for secret in
            ["qzxkvbwpjh", "aBcDeFgHiJ", "hunter2", "abcd", "xkcdqwrtzp", "wJalrXUtnFEMIKmd"]
        {
            assert!(!is_words(secret.as_bytes(), 1), "{secret}");
        }
        assert!(!is_words(b"eof", QUOTED_BYTES) && is_words(b"else", QUOTED_BYTES));
        assert!(is_words(&b"end-".repeat(8), 1) && !is_words(&b"end-".repeat(9), 1));
    }

    #[test]
    fn every_letter_has_followers() {
        assert!(FOLLOWERS.iter().all(|followers| followers.is_sorted() && !followers.is_empty()));
    }
}
