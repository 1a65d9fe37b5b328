//! What the words of a name promise of its value.

use super::identifier::{NAME_BYTES, Words};
use super::words::{ABOUT, ASKING, KEY_OF, KEY_WORDS, PAGING, SECRETS};

/// A name of so many words ends with what it promises.
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

/// The name at `start..end`, its words, and how sure they make it. What an escape before the name ends in, as in `\ntoken`
/// and `%22token`, is not part of it.
pub(super) fn read(
    kind: Kind,
    text: &[u8],
    start: usize,
    end: usize,
) -> Option<(&[u8], Words, Strength)> {
    let read = |start: usize| {
        let name = trim(&text[start..end]);
        let name = &name[name.len().saturating_sub(NAME_BYTES)..];
        let words = Words::new(name);
        strength(kind, &words).map(|strength| (name, words, strength))
    };
    let escape = match (text[..start].last(), &text[start..end]) {
        (Some(b'\\'), [b'n' | b'r' | b't', ..]) => 1,
        (Some(b'\\'), [b'u', b'0', b'0', ..]) => 5,
        (Some(b'%'), [high, low, ..]) if high.is_ascii_hexdigit() && low.is_ascii_hexdigit() => 2,
        _ => 0,
    };
    read(start).or_else(|| (escape > 0 && start + escape < end).then(|| read(start + escape))?)
}

/// A plural before a list: `tokens`, `apiKeys`. Alone it names tokens of a grammar or keys of a table as often.
pub(super) fn read_plural(kind: Kind, name: &[u8]) -> Option<(&[u8], Words, Strength)> {
    let name = trim(name);
    let name = &name[name.len().saturating_sub(NAME_BYTES)..];
    let singular = name.strip_suffix(b"s").or_else(|| name.strip_suffix(b"S"))?;
    let words = Words::new(singular);
    let strength = strength(kind, &words)?;
    let alone = kind == Kind::Token && words.len() == 1;
    Some((name, words, if alone { Strength::Weak } else { strength }))
}

/// How sure the name alone makes it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Strength {
    /// Any value that is not a placeholder is a secret.
    Strong,
    /// The value must look random.
    Weak,
}

fn strength(kind: Kind, words: &Words) -> Option<Strength> {
    let strength = promise(kind, words)?;
    // A sentence joined by lines, as the names of messages are.
    let named = |index: usize| SECRETS.iter().any(|secret| words.get(index).ends_with(secret));
    if words.len() >= SENTENCE_WORDS && !(words.len() - 3..words.len()).any(named) {
        return None;
    }
    let asks =
        || words.len() > 1 && kind != Kind::Key && ASKING.binary_search(&words.get(0)).is_ok();
    (ABOUT.binary_search(&words.last()).is_err() && !asks()).then_some(strength)
}

/// What the words promise, whatever else the name says.
fn promise(kind: Kind, words: &Words) -> Option<Strength> {
    let any = |test: fn(&str) -> bool| words.iter().any(test);
    let strong = |test: fn(&str) -> bool| any(test).then_some(Strength::Strong);
    match kind {
        Kind::Password => {
            let named = strong(|word| {
                [
                    "password",
                    "passwd",
                    "passphrase",
                    "passwort",
                    "passcode",
                    "passwords",
                    "pwd",
                    "userpass",
                    "dbpass",
                    "sshpass",
                ]
                .iter()
                .any(|end| word.ends_with(end))
            });
            named.or_else(|| (words.last() == "pass").then_some(Strength::Strong))
        }
        Kind::Secret => strong(|word| {
            word.ends_with("secret")
                || word.starts_with("secretkey")
                || word.starts_with("secretaccess")
                || word == "secrets"
        }),
        Kind::Token => strong(|word| word.ends_with("token")).filter(|_| !turns_pages(words)),
        Kind::Credential => {
            strong(|word| matches!(word, "cred" | "creds" | "credential" | "credentials"))
        }
        Kind::Key => key_strength(words),
        Kind::Auth => any(|word| word == "auth").then_some(Strength::Weak),
        Kind::Signature => {
            any(|word| matches!(word, "sig" | "signature")).then_some(Strength::Weak)
        }
    }
}

/// `next_page_token`: where a listing goes on.
fn turns_pages(words: &Words) -> bool {
    words.len() > 1
        && words.last() == "token"
        && PAGING.binary_search(&words.get(words.len() - 2)).is_ok()
}

fn key_strength(words: &Words) -> Option<Strength> {
    for index in 0..words.len() {
        let word = words.get(index);
        let known = KEY_WORDS.contains(&word);
        let qualified =
            word == "key" && index > 0 && KEY_OF.binary_search(&words.get(index - 1)).is_ok();
        if known || qualified {
            return Some(Strength::Strong);
        }
    }
    let bare = words.len() == 1 && words.get(0) == "key";
    bare.then_some(Strength::Weak)
}

/// A name without the dashes and dots around it.
fn trim(mut name: &[u8]) -> &[u8] {
    while let [b'-' | b'.', rest @ ..] | [rest @ .., b'-' | b'.'] = name {
        name = rest;
    }
    name
}
