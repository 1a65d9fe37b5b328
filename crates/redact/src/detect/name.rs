//! What the words of a name require of its value.

use std::ops::Range;

use super::identifier::NameWords;
use super::words::{
    self, JOINED_KEY_WORDS, LISTING_TOKEN_WORDS, LOOKUP_KEY_WORDS, NON_SECRET_BEGINNINGS,
    NON_SECRET_ENDINGS, SECRET_KEY_WORDS,
};

/// A name of this many words is a joined sentence, such as the name of a message.
const MIN_SENTENCE_WORDS: usize = 8;

/// The family of words in a name. It decides how much the value has to look like a secret.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum NameKind {
    Password,
    Secret,
    Token,
    Key,
    Credential,
    Auth,
    Signature,
}

/// All kinds, and their number.
const KINDS: [NameKind; NAME_KIND_COUNT] = [
    NameKind::Password,
    NameKind::Secret,
    NameKind::Token,
    NameKind::Key,
    NameKind::Credential,
    NameKind::Auth,
    NameKind::Signature,
];
pub(crate) const NAME_KIND_COUNT: usize = 7;

/// What the value of a name has to look like to count as a secret.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Requirement {
    /// The value has to look random.
    Random,
    /// The value has to contain a digit or a sign that no word contains.
    Marked,
    /// Every value except a placeholder is a secret.
    Any,
}

/// The words of the name that was read last. Triggers of several kinds may stand in one name.
#[derive(Default)]
pub(super) struct NameCache {
    name_range: Range<usize>,
    words: NameWords,
}

impl NameCache {
    /// What the name at `name_range` requires of its value. `None` if the name does not stand for a secret.
    pub(super) fn read(
        &mut self,
        kind: NameKind,
        text: &[u8],
        name_range: &Range<usize>,
    ) -> Option<Requirement> {
        if self.name_range != *name_range {
            self.name_range = name_range.clone();
            self.words.read(&text[name_range.clone()]);
        }
        read_words(kind, &self.words)
    }
}

/// The same for a name by itself.
pub(super) fn read(kind: NameKind, name: &[u8]) -> Option<Requirement> {
    read_words(kind, &NameWords::new(name))
}

/// What the heading of a column requires of its cells, whatever kind of secret it names. A `key` by itself heads the
/// names of a table.
pub(super) fn of_heading(heading: &[u8]) -> Option<Requirement> {
    let words = NameWords::new(heading);
    let kinds = KINDS.iter().filter_map(|kind| read_words(*kind, &words));
    kinds.max().filter(|_| words.len() > 1 || words.last() != b"key")
}

fn read_words(kind: NameKind, words: &NameWords) -> Option<Requirement> {
    let last = words.last();
    let is_secret_id = words.len() > 1 && last == b"id" && words.get(words.len() - 2) == b"secret";
    if kind == NameKind::Secret && is_secret_id {
        return Some(Requirement::Random);
    }
    if words.len() >= MIN_SENTENCE_WORDS && !words.is_path()
        || words::has(NON_SECRET_ENDINGS, last) && !matches!(last, b"auth")
    {
        return None;
    }
    let public =
        words.iter().any(|word| matches!(word, b"public" | b"pub" | b"publishable" | b"publickey"));
    if public && last.ends_with(b"key") {
        return None;
    }
    let any = |test: fn(&[u8]) -> bool| words.iter().any(test);
    let requirement = match kind {
        NameKind::Password => {
            let at = words.iter().position(is_password)?;
            // Two or more words after the password say that something about the password is meant.
            Some(if last == b"otp" {
                Requirement::Random
            } else if at + 2 < words.len() {
                Requirement::Marked
            } else {
                Requirement::Any
            })
        }
        NameKind::Secret => {
            let secret = |word: &[u8]| {
                word.ends_with(b"secret")
                    || word.starts_with(b"secretkey")
                    || word.starts_with(b"secretaccess")
            };
            if any(secret) {
                Some(Requirement::Any)
            } else {
                let random = |word: &[u8]| matches!(word, b"seed" | b"mnemonic" | b"pepper");
                any(random).then_some(Requirement::Random)
            }
        }
        NameKind::Token => {
            let other =
                words.len() > 1 && words::has(LISTING_TOKEN_WORDS, words.get(words.len() - 2));
            let token = |word: &[u8]| word.ends_with(b"token") || word.ends_with(b"sessionid");
            let is_own = matches!(last, b"phpsessid" | b"csrf" | b"xsrf" | b"bearer" | b"pat");
            (any(token) && !other || is_own).then_some(Requirement::Marked)
        }
        NameKind::Credential => {
            { any(|word| matches!(word, b"cred" | b"creds" | b"credential" | b"credentials")) }
                .then_some(Requirement::Marked)
        }
        NameKind::Key => key(words),
        NameKind::Auth => {
            // `REDIS_AUTH` holds a password, an `auth` by itself anything.
            let is_own = words.len() > 1 && last == b"auth";
            let requirement = if is_own { Requirement::Marked } else { Requirement::Random };
            any(|word| matches!(word, b"auth" | b"masterauth")).then_some(requirement)
        }
        NameKind::Signature => {
            any(|word| matches!(word, b"sig" | b"signature")).then_some(Requirement::Random)
        }
    }?;
    let has_non_secret_beginning =
        words.len() > 1 && kind != NameKind::Key && words::has(NON_SECRET_BEGINNINGS, words.get(0));
    Some(if has_non_secret_beginning { requirement.min(Requirement::Marked) } else { requirement })
}

/// Whether the word ends in a word for a password.
fn is_password(word: &[u8]) -> bool {
    #[rustfmt::skip]
    const ENDS: [&[u8]; 14] = [
        b"password", b"passwords", b"passwd", b"pwd", b"passphrase", b"passcode", b"passwort", b"userpass",
        b"requirepass", b"storepass", b"kennwort", b"senha", b"wachtwoord", b"contrasena",
    ];
    let is_short = |end: &[u8]| word.len() <= 8 && word.ends_with(end);
    matches!(word, b"pass" | b"passe" | b"psk" | b"otp")
        || ENDS.iter().any(|end| word.ends_with(end)) && word != b"oldpwd"
        || is_short(b"pw")
        || is_short(b"pass") && !matches!(word, b"bypass" | b"compass" | b"surpass" | b"trespass")
}

fn key(words: &NameWords) -> Option<Requirement> {
    for index in 0..words.len() {
        let word = words.get(index);
        if !word.ends_with(b"key") {
            continue;
        }
        let of = |before: usize| words::has(SECRET_KEY_WORDS, words.get(before));
        if words::has(JOINED_KEY_WORDS, word) || word == b"key" && index > 0 && of(index - 1) {
            return Some(Requirement::Marked);
        }
    }
    let is_lookup_key = words.len() > 1 && words::has(LOOKUP_KEY_WORDS, words.get(words.len() - 2));
    (words.last() == b"key" && !is_lookup_key).then_some(Requirement::Random)
}
