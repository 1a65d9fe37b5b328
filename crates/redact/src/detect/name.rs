//! What the words of a name promise of its value.

use std::ops::Range;

use super::identifier::Words;
use super::words::{self, ABOUT, ASKING, KEY_OF, KEY_WORDS, NO_KEY_OF, NO_TOKEN_OF};

/// A name of so many words is a sentence joined by signs, as the names of messages are.
const SENTENCE_WORDS: usize = 8;

/// Which family of words the name has; it decides how much the value must look like a secret.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Password,
    Secret,
    Token,
    Key,
    Credential,
    Auth,
    Signature,
}

/// How many kinds there are.
pub(crate) const KINDS: usize = 7;

/// What a name promises.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Promise {
    /// The value must look random.
    Random,
    /// The value must have a digit or sign that no word has.
    Marked,
    /// Any value that is not a placeholder is a secret.
    Any,
}

/// The words of the name that was read last: several kinds may have a word in it.
#[derive(Default)]
pub(super) struct Named {
    place: Range<usize>,
    words: Words,
}

impl Named {
    /// What the name at `place` promises; `None` when it promises nothing.
    pub(super) fn read(
        &mut self,
        kind: Kind,
        text: &[u8],
        place: &Range<usize>,
    ) -> Option<Promise> {
        if self.place != *place {
            self.place = place.clone();
            self.words.read(&text[place.clone()]);
        }
        read_words(kind, &self.words)
    }
}

/// The same of a name that stands nowhere.
pub(super) fn read(kind: Kind, name: &[u8]) -> Option<Promise> {
    read_words(kind, &Words::new(name))
}

fn read_words(kind: Kind, words: &Words) -> Option<Promise> {
    let last = words.last();
    if words.len() >= SENTENCE_WORDS || words::has(ABOUT, last) && !matches!(last, b"auth") {
        return None;
    }
    let public =
        words.iter().any(|word| matches!(word, b"public" | b"pub" | b"publishable" | b"publickey"));
    if public && last.ends_with(b"key") {
        return None;
    }
    let any = |test: fn(&[u8]) -> bool| words.iter().any(test);
    let promise = match kind {
        Kind::Password => {
            let at = words.iter().position(is_password)?;
            // Further words say what about the password is meant.
            Some(if last == b"otp" {
                Promise::Random
            } else if at + 2 < words.len() {
                Promise::Marked
            } else {
                Promise::Any
            })
        }
        Kind::Secret => {
            let secret = |word: &[u8]| {
                word.ends_with(b"secret")
                    || word.starts_with(b"secretkey")
                    || word.starts_with(b"secretaccess")
            };
            if any(secret) {
                Some(Promise::Any)
            } else {
                any(|word| matches!(word, b"seed" | b"mnemonic")).then_some(Promise::Random)
            }
        }
        Kind::Token => {
            let other = words.len() > 1 && words::has(NO_TOKEN_OF, words.get(words.len() - 2));
            let token = |word: &[u8]| {
                word.ends_with(b"token") || matches!(word, b"jsessionid" | b"phpsessid")
            };
            (any(token) && !other).then_some(Promise::Marked)
        }
        Kind::Credential => {
            { any(|word| matches!(word, b"cred" | b"creds" | b"credential" | b"credentials")) }
                .then_some(Promise::Marked)
        }
        Kind::Key => key(words),
        Kind::Auth => {
            any(|word| matches!(word, b"auth" | b"masterauth")).then_some(Promise::Random)
        }
        Kind::Signature => {
            any(|word| matches!(word, b"sig" | b"signature")).then_some(Promise::Random)
        }
    }?;
    let asks = words.len() > 1 && kind != Kind::Key && words::has(ASKING, words.get(0));
    Some(if asks { promise.min(Promise::Marked) } else { promise })
}

/// The word ends in one for a password.
fn is_password(word: &[u8]) -> bool {
    const ENDS: [&[u8]; 9] = [
        b"password",
        b"passwords",
        b"passwd",
        b"pwd",
        b"passphrase",
        b"passcode",
        b"passwort",
        b"userpass",
        b"requirepass",
    ];
    matches!(word, b"pass" | b"pw" | b"psk" | b"otp")
        || ENDS.iter().any(|end| word.ends_with(end))
        || word.len() <= 8
            && word.ends_with(b"pass")
            && !matches!(word, b"bypass" | b"compass" | b"surpass" | b"trespass")
}

fn key(words: &Words) -> Option<Promise> {
    for index in 0..words.len() {
        let word = words.get(index);
        let of = |before: usize| words::has(KEY_OF, words.get(before));
        if words::has(KEY_WORDS, word) || word == b"key" && index > 0 && of(index - 1) {
            return Some(Promise::Marked);
        }
    }
    let finds = words.len() > 1 && words::has(NO_KEY_OF, words.get(words.len() - 2));
    (words.last() == b"key" && !finds).then_some(Promise::Random)
}
