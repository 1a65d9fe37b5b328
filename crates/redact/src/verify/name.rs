//! What the words of a name promise of its value.

use super::identifier::{NAME_BYTES, Words};
use super::words::{ABOUT, ASKING, KEY_OF, KEY_WORDS, PAGING, SECRET_WORDS};
use crate::class::Class;
use crate::quote::Quote;

/// Fewest digits of a password that is used once, and shortest id of a session.
const OTP_DIGITS: usize = 4;
const SESSION_BYTES: usize = 16;

/// Words before a lone `key` that say it is no secret, and those that may stand between them and it, and between it and
/// its cache.
const PUBLIC: [&[u8]; 3] = [b"public", b"publishable", b"site"];
const OF_PUBLIC: [&[u8]; 5] = [b"deploy", b"encryption", b"host", b"signing", b"ssh"];
const BEHIND_CACHE: [&[u8]; 9] =
    [b"for", b"found", b"from", b"hit", b"loaded", b"restored", b"saved", b"stored", b"with"];

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

/// How sure the name alone makes it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Strength {
    /// Any value that is not a placeholder is a secret.
    Strong,
    /// The value must look random.
    Weak,
}

/// What a name says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Promise {
    pub(super) strength: Strength,
    /// It is one word, and that is `pass`, which tests say of themselves.
    pub(super) lone_pass: bool,
    /// It begins with a word that counts, asks or marks: only a value that looks like nothing else is one.
    pub(super) asks: bool,
}

/// How many names are remembered.
const REMEMBERED: usize = 16;

/// The names read last: the same few come again and again.
pub(crate) struct Remembered {
    names: [Entry; REMEMBERED],
}

/// A name at `start..end` of the text.
#[derive(Clone, Copy)]
struct Entry {
    start: u32,
    end: u32,
    kind: Kind,
    promise: Option<Promise>,
}

impl Remembered {
    pub(crate) fn new() -> Self {
        let none = Entry { kind: Kind::Password, start: 0, end: 0, promise: None };
        Self { names: [none; REMEMBERED] }
    }

    /// The name at `start..end`, not empty, and what it promises. What an escape before it ends in, as in `\ntoken` and
    /// `%22token`, is not part of it.
    pub(super) fn read<'t>(
        &mut self,
        kind: Kind,
        text: &'t [u8],
        start: usize,
        end: usize,
    ) -> Option<(&'t [u8], Promise)> {
        let escape = match (text[..start].last(), &text[start..end]) {
            (Some(b'\\'), [b'n' | b'r' | b't', ..]) => 1,
            (Some(b'\\'), [b'u', b'0', b'0', ..]) => 5,
            (Some(b'%'), [high, low, ..])
                if high.is_ascii_hexdigit() && low.is_ascii_hexdigit() =>
            {
                2
            }
            _ => 0,
        };
        let mut read = |start: usize| {
            let promise = self.promise(kind, text, start, end)?;
            Some((trim(&text[start..end]), promise))
        };
        read(start)
            .or_else(|| (escape > 0 && start + escape < end).then(|| read(start + escape))?)
    }

    fn promise(&mut self, kind: Kind, text: &[u8], start: usize, end: usize) -> Option<Promise> {
        let name = &text[start..end];
        let hash = name.len() + usize::from(name[0]) + 3 * usize::from(name[name.len() / 2]);
        let entry = &mut self.names[(hash + 5 * kind as usize) % REMEMBERED];
        if entry.kind != kind || text[entry.start as usize..entry.end as usize] != *name {
            let promise = promise(kind, &Words::new(trim(name)));
            let (Ok(start), Ok(end)) = (u32::try_from(start), u32::try_from(end)) else {
                return promise;
            };
            *entry = Entry { start, end, kind, promise };
        }
        entry.promise
    }
}

/// A plural before a list: `tokens`, `apiKeys`. Alone it names tokens of a grammar or keys of a table as often.
pub(super) fn read_plural(kind: Kind, name: &[u8]) -> Option<(&[u8], Promise)> {
    let name = trim(name);
    let words = Words::new(singular(name)?);
    let promise = promise(kind, &words).filter(|promise| !promise.asks)?;
    let alone = kind == Kind::Token && words.len() == 1;
    let strength = if alone { Strength::Weak } else { promise.strength };
    Some((name, Promise { strength, ..promise }))
}

/// The name without the letter that makes it a plural.
pub(super) fn singular(name: &[u8]) -> Option<&[u8]> {
    name.strip_suffix(b"s").or_else(|| name.strip_suffix(b"S"))
}

/// What the words promise.
fn promise(kind: Kind, words: &Words) -> Option<Promise> {
    let strength = strength(kind, words)?;
    // A sentence joined by lines, as the names of messages are.
    let named = |index: usize| {
        SECRET_WORDS.iter().any(|secret| words.get(index).ends_with(secret.as_bytes()))
    };
    if words.len() >= SENTENCE_WORDS && !(words.len() - 2..words.len()).any(named) {
        return None;
    }
    if ABOUT.has(words.last()) {
        return None;
    }
    let asks = words.len() > 1 && kind != Kind::Key && ASKING.has(words.get(0));
    let promise = Promise { strength, lone_pass: is_lone_pass(words), asks };
    (!asks || strength == Strength::Strong).then_some(promise)
}

/// One word that tests say of themselves.
pub(super) fn is_lone_pass(words: &Words) -> bool {
    words.len() == 1 && words.last() == b"pass"
}

/// What the words make of the value, whatever else the name says.
fn strength(kind: Kind, words: &Words) -> Option<Strength> {
    let any = |test: fn(&[u8]) -> bool| words.iter().any(test);
    let strong = |test: fn(&[u8]) -> bool| any(test).then_some(Strength::Strong);
    match kind {
        Kind::Password => {
            let named = strong(names_password);
            let short = matches!(words.last(), b"pass" | b"pw" | b"psk" | b"otp");
            named.or_else(|| short.then_some(Strength::Strong))
        }
        Kind::Secret => strong(|word| {
            word.ends_with(b"secret")
                || word.starts_with(b"secretkey")
                || word.starts_with(b"secretaccess")
                || word == b"secrets"
        }),
        Kind::Token => strong(|word| word.ends_with(b"token") || SESSIONS.contains(&word))
            .filter(|_| !turns_pages(words)),
        Kind::Credential => {
            strong(|word| matches!(word, b"cred" | b"creds" | b"credential" | b"credentials"))
        }
        Kind::Key => key_strength(words),
        Kind::Auth => strong(|word| word == b"masterauth")
            .or_else(|| any(|word| word == b"auth").then_some(Strength::Weak)),
        Kind::Signature => {
            any(|word| matches!(word, b"sig" | b"signature")).then_some(Strength::Weak)
        }
    }
}

/// The word ends in one for a password.
fn names_password(word: &[u8]) -> bool {
    let ends = |end: &[u8]| word.ends_with(end);
    match word.last() {
        Some(b'd') => ends(b"password") || ends(b"passwd") || ends(b"pwd"),
        Some(b'e') => ends(b"passphrase") || ends(b"passcode"),
        Some(b't') => ends(b"passwort"),
        Some(b's') => {
            ends(b"passwords")
                || ends(b"userpass")
                || ends(b"dbpass")
                || ends(b"sshpass")
                || ends(b"requirepass")
        }
        _ => false,
    }
}

/// Names that say something else as often: a password that is used once is a number, the id of a session is long.
pub(super) fn is_unlike(kind: Kind, name: &[u8], value: &[u8]) -> bool {
    let Some((rest, end)) = name.split_last_chunk::<3>() else { return false };
    let (kept, class): (usize, fn(&u8) -> bool) = match kind {
        Kind::Password if end.eq_ignore_ascii_case(b"otp") => (OTP_DIGITS, u8::is_ascii_digit),
        Kind::Token if end.eq_ignore_ascii_case(b"nid") || end.eq_ignore_ascii_case(b"sid") => {
            if !names_session(rest) {
                return false;
            }
            (SESSION_BYTES, u8::is_ascii_alphanumeric)
        }
        _ => return false,
    };
    let value = &value[Quote::at(value).map_or(0, |(_, length)| length)..];
    value.len() < kept || !value[..kept].iter().all(class)
}

/// Names of sessions' ids.
const SESSIONS: [&[u8]; 2] = [b"jsessionid", b"phpsessid"];

/// One of them without the last three letters.
fn names_session(name: &[u8]) -> bool {
    let ends = |session: &&[u8]| {
        let rest = &session[..session.len() - 3];
        name.len() >= rest.len() && name[name.len() - rest.len()..].eq_ignore_ascii_case(rest)
    };
    SESSIONS.iter().any(ends)
}

/// `next_page_token`: where a listing goes on.
fn turns_pages(words: &Words) -> bool {
    words.len() > 1 && words.last() == b"token" && PAGING.has(words.get(words.len() - 2))
}

fn key_strength(words: &Words) -> Option<Strength> {
    for index in 0..words.len() {
        let word = words.get(index);
        let qualified = word == b"key" && index > 0 && KEY_OF.has(words.get(index - 1));
        if qualified || KEY_WORDS.has(word) {
            return Some(Strength::Strong);
        }
    }
    let bare = words.len() == 1 && words.get(0) == b"key";
    bare.then_some(Strength::Weak)
}

/// `API key`, `Secret Key`: the word before a lone `key` says of what, with a blank between.
pub(super) fn is_qualified(text: &[u8], start: usize, end: usize) -> bool {
    let Some(before) = text[..start].strip_suffix(b" ") else { return false };
    let word = before.iter().rev().take(NAME_BYTES).take_while(|byte| byte.is_ascii_alphabetic());
    text[start..end].eq_ignore_ascii_case(b"key")
        && KEY_OF.has(&before[before.len() - word.count()..])
}

/// `public key`, `site key`, `Cache saved with key`: what the words before a lone `key` say is no secret.
pub(super) fn is_public(text: &[u8], start: usize, end: usize) -> bool {
    let near = &text[start.saturating_sub(NAME_BYTES)..start];
    if !text[start..end].eq_ignore_ascii_case(b"key") || !near.ends_with(b" ") {
        return false;
    }
    let line = &near[memchr::memrchr(b'\n', near).map_or(0, |newline| newline + 1)..near.len() - 1];
    let mut words = line.rsplit(|byte| b" \t([\"'`:,".contains(byte));
    let mut word = || words.next().unwrap_or_default();
    let (nearest, next, last) = (word(), word(), word());
    let is_one =
        |list: &[&[u8]], word: &[u8]| list.iter().any(|one| one.eq_ignore_ascii_case(word));
    let cache = |word: &[u8]| word.eq_ignore_ascii_case(b"cache");
    is_one(&PUBLIC, nearest)
        || is_one(&OF_PUBLIC, nearest) && is_one(&PUBLIC, next)
        || cache(nearest)
        || is_one(&BEHIND_CACHE, nearest)
            && (cache(next) || is_one(&BEHIND_CACHE, next) && cache(last))
}

/// `Signing Key: 4AEE18F83AFDEB23`: the id or the fingerprint of a key of `OpenPGP`.
pub(super) fn is_key_id(text: &[u8], start: usize, value: &[u8]) -> bool {
    let length = Class::Upper.run(&value[..value.len().min(NAME_BYTES)]);
    let signing = text[..start].len().checked_sub(b"signing ".len());
    signing.is_some_and(|at| text[at..start].eq_ignore_ascii_case(b"signing "))
        && matches!(length, 16 | 40)
        && value[..length].iter().all(u8::is_ascii_hexdigit)
        && value.get(length).is_none_or(u8::is_ascii_whitespace)
}

/// The end of a name without the dashes and dots around it.
fn trim(mut name: &[u8]) -> &[u8] {
    while let [b'-' | b'.', rest @ ..] | [rest @ .., b'-' | b'.'] = name {
        name = rest;
    }
    &name[name.len().saturating_sub(NAME_BYTES)..]
}
