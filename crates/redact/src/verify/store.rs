//! Entries of stores of secrets, which a command names instead of the secrets: `--secret=db-password`,
//! `--set-secrets=DB_PASS=db-pass:latest`.

use super::name::Kind;
use super::operator::Operator;
use super::random;
use super::shape::{is_constant, names_a_secret};
use super::value::{Value, Writing};
use crate::class::Class;

/// Furthest before a name that its command, or the option it stands in, is looked for.
const LINE_BYTES: usize = 256;

/// Longest number of a version, and longest one at the end of a word.
const VERSION_BYTES: usize = 3;

/// Longest word of a name or a path.
const WORD_BYTES: usize = 16;

/// Shortest name of an entry that may look made up.
const MADE_UP_BYTES: usize = 8;

/// Commands whose flags take secrets from a store or a file.
const CONTAINERS: [&[u8]; 5] = [b"docker", b"podman", b"buildah", b"buildx", b"nerdctl"];

/// What those flags take besides the type.
const OPTIONS: [&[u8]; 5] = [b"env=", b"id=", b"source=", b"src=", b"target="];

/// Options that take a list of variables, each with an entry.
const LISTS: [&[u8]; 2] = [b"--set-secrets", b"--update-secrets"];

/// What stands before a name, as far as it says that its value is an entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Store {
    /// Nothing does.
    None,
    /// The name is a flag of a command that builds or runs containers.
    Containers,
    /// It is a flag of `gcloud secrets`.
    Cloud,
    /// It is a variable in the list of an option.
    List,
}

/// What stands before the name of a `kind` at `start`.
pub(super) fn read(text: &[u8], start: usize, kind: Kind, writing: Writing) -> Store {
    let near = &text[start.saturating_sub(LINE_BYTES)..start];
    match (writing, near.last()) {
        (Writing::Flag, _) if kind == Kind::Secret => command(line_end(near)),
        (Writing::Plain, Some(b'=' | b',' | b' ' | b'"' | b'\'')) if is_in_list(line_end(near)) => {
            Store::List
        }
        _ => Store::None,
    }
}

/// The last line of `text`.
fn line_end(text: &[u8]) -> &[u8] {
    &text[memchr::memrchr(b'\n', text).map_or(0, |newline| newline + 1)..]
}

/// The store of the command that `line` ends in. One in a text in quotes, or behind a command of its own, is another.
fn command(line: &[u8]) -> Store {
    let line = line.rsplit(|byte| b";|&`".contains(byte)).next().unwrap_or_default();
    let mut words = line.split(|byte| *byte == b' ');
    let program = |word: &[u8]| {
        let from = word.iter().rposition(|byte| !byte.is_ascii_alphabetic()).map_or(0, |at| at + 1);
        let word = &word[from..];
        CONTAINERS.contains(&word) || word == b"gcloud"
    };
    let Some(word) = words.by_ref().find(|word| program(word)) else { return Store::None };
    let opened = |quote: &u8| words.clone().flatten().filter(|byte| *byte == quote).count() % 2;
    if opened(&b'"') + opened(&b'\'') > 0 {
        return Store::None;
    }
    match word.ends_with(b"gcloud") {
        false => Store::Containers,
        true if words.any(|word| word == b"secrets") => Store::Cloud,
        true => Store::None,
    }
}

/// Whether a name behind `line` is a variable in the list of an option.
fn is_in_list(line: &[u8]) -> bool {
    let word = line.iter().rposition(|byte| b" \"'".contains(byte)).map_or(0, |at| at + 1);
    let (before, word) = line.split_at(word);
    let mut before = before;
    while let [rest @ .., b' ' | b'"' | b'\'' | b'=' | b'\\'] = before {
        before = rest;
    }
    let direct = |list: &&[u8]| word.strip_prefix(*list).is_some_and(|rest| rest.starts_with(b"="));
    LISTS.iter().any(|list| direct(list) || before.ends_with(list))
}

/// What names entries of a store: `--secret=db-password`, `--secret source=db_password,target=pw`,
/// `--set-secrets=DB_PASS=db-pass:latest`, and the pair in that. `after` is the text behind it.
pub(super) fn is_entry(value: &Value<'_>, body: &[u8], after: &[u8]) -> bool {
    let mut parts = body.split(|byte| *byte == b',');
    if value.store == Store::List {
        // Of `NAME=api-key:latest` the value may be a name itself.
        let first = parts.next().unwrap_or_default();
        return (is_versioned(first) || value.operator == Operator::Colon && first == b"latest")
            && parts.all(is_pair);
    }
    if value.writing != Writing::Flag || value.kind != Kind::Secret {
        return false;
    }
    let words = value.words();
    match (words.len(), words.last()) {
        (2, b"secrets") if matches!(words.get(0), b"set" | b"update") => parts.all(is_pair),
        (1, b"secret" | b"secrets") => {
            // On a line of its own, as behind a line that goes on, one part is any value but for `id=`, which no value begins with.
            let goes_on = || {
                let next = after.strip_prefix(b",").unwrap_or_default();
                OPTIONS.iter().any(|option| next.starts_with(option))
            };
            let several = value.store != Store::None
                || body.starts_with(b"id=")
                || body.contains(&b',')
                || goes_on();
            several && parts.all(is_option)
                || match value.store {
                    Store::Containers => names_a_secret(body) && is_name(body),
                    Store::Cloud => {
                        Class::Dash.run(body) == body.len()
                            && !random::is_made_up(body, MADE_UP_BYTES)
                    }
                    Store::None | Store::List => false,
                }
        }
        _ => false,
    }
}

/// `DB_PASS=db-pass:latest`: a variable and an entry.
fn is_pair(part: &[u8]) -> bool {
    let name = memchr::memchr(b'=', part).map_or(0, |equals| equals + 1);
    is_versioned(&part[name..])
}

/// `db-pass:latest`, `db-pass:3`, `projects/1/secrets/db-pass:3`: an entry and its version.
fn is_versioned(text: &[u8]) -> bool {
    let Some(colon) = memchr::memrchr(b':', text) else { return false };
    let (name, version) = (&text[..colon], &text[colon + 1..]);
    let path = name.starts_with(b"projects/").then(|| memchr::memmem::find(name, b"/secrets/"));
    let name = path.flatten().map_or(name, |at| &name[at + b"/secrets/".len()..]);
    let number = (1..=VERSION_BYTES).contains(&version.len())
        && version.iter().all(u8::is_ascii_digit)
        && !name.iter().any(u8::is_ascii_digit);
    !name.is_empty()
        && Class::Dash.run(name) == name.len()
        && (version == b"latest" || number && names_a_secret(name))
}

/// `id=npmrc`, `src=/run/secrets/npmrc`, `env=NPM_TOKEN`, `type=file`: a part of what a command for containers takes.
fn is_option(part: &[u8]) -> bool {
    let Some(equals) = memchr::memchr(b'=', part) else { return false };
    let value = &part[equals + 1..];
    match &part[..=equals] {
        b"type=" => matches!(value, b"env" | b"file" | b"mount"),
        b"env=" => {
            is_constant(value) || !value.is_empty() && value.iter().all(u8::is_ascii_uppercase)
        }
        option => OPTIONS.contains(&option) && is_name(value),
    }
}

/// A name or a path: words of letters of one case, or with a capital first, that may end in a number.
fn is_name(text: &[u8]) -> bool {
    let joins = |byte: &u8| b"_-./~${}".contains(byte);
    let word = |word: &[u8]| {
        let letters = word.iter().take_while(|byte| byte.is_ascii_alphabetic()).count();
        let (letters, number) = word.split_at(letters);
        let small = |byte: &u8| byte.is_ascii_lowercase();
        let plain = letters.iter().skip(1).all(small) || !letters.iter().any(small);
        plain
            && letters.len() <= WORD_BYTES
            && number.len() <= VERSION_BYTES
            && number.iter().all(u8::is_ascii_digit)
    };
    text.iter().any(u8::is_ascii_alphabetic) && text.split(joins).all(word)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_told_from_values() {
        for entry in [&b"db-pass:latest"[..], b"db-pass:3", b"projects/1/secrets/tok:latest"] {
            assert!(is_versioned(entry));
        }
        for value in [
            &b"db-pass"[..],
            b":latest",
            b"db-pass:a1",
            b"hunter2:3",
            b"tiger-pony:42",
            b"projects/1/secrets/:latest",
            b"keys/tok:latest",
        ] {
            assert!(!is_versioned(value));
        }
    }

    #[test]
    fn options_are_told_from_values() {
        for option in [
            &b"id=npmrc"[..],
            b"src=.npmrc",
            b"src=$HOME/.aws/credentials",
            b"env=NPM_TOKEN",
            b"type=file",
            b"target=pw2",
        ] {
            assert!(is_option(option));
        }
        for value in [
            &b"id="[..],
            b"id=aB3dE5gH7jK9",
            b"src=tigerXpony",
            b"src=12345678",
            b"env=tiger",
            b"type=tiger",
            b"tiger=pony",
            b"target=pony-12345",
        ] {
            assert!(!is_option(value));
        }
    }

    #[test]
    fn the_command_is_the_last_one() {
        for (line, store) in [
            (&b"docker build "[..], Store::Containers),
            (b"$ x=$(/usr/bin/podman run -e \"A=b\" ", Store::Containers),
            (b"gcloud beta secrets versions access latest ", Store::Cloud),
            (b"gcloud run deploy ", Store::None),
            (b"docker build . && app ", Store::None),
            (b"docker exec c sh -c \"app ", Store::None),
            (b"dockerize app ", Store::None),
        ] {
            assert_eq!(command(line), store, "{}", String::from_utf8_lossy(line));
        }
    }
}
