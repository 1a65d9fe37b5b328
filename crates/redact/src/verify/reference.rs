//! What names a secret that is kept elsewhere: variables of statements, entries of stores, keys of a storage.

use super::identifier::Words;
use super::judge::is_same_name;
use super::name::Kind;
use super::operator::Operator;
use super::shape::names_a_secret;
use super::value::{Value, Writing};
use super::words::{METAVARIABLES, SECRETS};
use crate::class::Class;

/// Furthest that the beginning of a reference is looked for.
const REFERENCE_BYTES: usize = 128;

/// Longest number of a version.
const VERSION_BYTES: usize = 3;

/// Digests of what is public, as in `--discovery-token-ca-cert-hash sha256:…`.
const DIGESTS: [&[u8]; 4] = [b"sha256:", b"sha384:", b"sha512:", b"sha1:"];

/// `password = :password`, `token = @token`, `PASSWORD = @pw`: the variable of a statement, which says what it holds.
pub(super) fn is_variable(value: &Value<'_>, body: &[u8]) -> bool {
    let [b':' | b'@', name @ ..] = body else { return false };
    value.operator == Operator::Assign
        && name.iter().all(|byte| byte.is_ascii_alphabetic() || *byte == b'_')
        && (is_same_name(value, name)
            || names_a_secret(name)
            || SECRETS.has(name)
            || METAVARIABLES.has(name))
}

/// The digest of something that a name without a password says is one.
pub(super) fn is_digest(value: &Value<'_>, body: &[u8]) -> bool {
    let Some(digest) = DIGESTS.iter().find_map(|prefix| body.strip_prefix(*prefix)) else {
        return false;
    };
    value.kind != Kind::Password
        && value.name.len() > b"hash".len()
        && matches!(value.words().last(), b"hash" | b"digest" | b"fingerprint")
        && digest.iter().all(u8::is_ascii_hexdigit)
}

/// What names an entry of a store of secrets: `--secret=db-password`, `--secret source=db_password,target=pw`,
/// `--set-secrets=DB_PASS=db-pass:latest`, and the pair in that.
pub(super) fn is_entry(value: &Value<'_>, body: &[u8]) -> bool {
    let pair = |part: &[u8]| {
        let name = memchr::memchr(b'=', part).map_or(0, |equals| equals + 1);
        is_versioned(&part[name..])
    };
    if value.kind == Kind::Password || value.writing != Writing::Flag {
        let mut parts = body.split(|byte| *byte == b',');
        let first = parts.next().unwrap_or_default();
        return matches!(value.before, Some(b'=' | b','))
            && (is_versioned(first) || value.operator == Operator::Colon && first == b"latest")
            && parts.all(pair);
    }
    let option = |part: &[u8]| {
        [&b"id="[..], b"source=", b"src=", b"target=", b"type=", b"env="]
            .iter()
            .any(|name| part.starts_with(name))
    };
    let words = value.words();
    let several = words.last() == b"secrets";
    (several || words.last() == b"secret" && words.len() == 1)
        && (body.split(|byte| *byte == b',').all(option)
            || several && body.split(|byte| *byte == b',').all(pair)
            || names_a_secret(body)
                && body.iter().all(|byte| byte.is_ascii_lowercase() || b"_-".contains(byte)))
}

/// `db-pass:latest`, `db-pass:3`: an entry and its version.
fn is_versioned(text: &[u8]) -> bool {
    let Some(colon) = memchr::memrchr(b':', text) else { return false };
    let (name, version) = (&text[..colon], &text[colon + 1..]);
    let number = (1..=VERSION_BYTES).contains(&version.len())
        && version.iter().all(u8::is_ascii_digit)
        && !name.iter().any(u8::is_ascii_digit);
    !name.is_empty()
        && Class::Dash.run(name) == name.len()
        && (version == b"latest" || number && names_a_secret(name))
}

/// `TOKEN_KEY = "auth_token"`: the key under which a storage holds a token or a password.
pub(super) fn is_key_of_storage(value: &Value<'_>, body: &[u8]) -> bool {
    let held =
        [&b"TOKEN_KEY"[..], b"PASSWORD_KEY"].into_iter().find(|name| value.name.ends_with(name));
    held.is_some_and(|name| {
        let held = &name[..name.len() - b"_KEY".len()];
        value.operator == Operator::Assign
            && value.spaced
            && Words::new(body).len() > 1
            && Words::new(body).last().eq_ignore_ascii_case(held)
            && body.iter().all(|byte| byte.is_ascii_alphabetic() || b"_-.:@".contains(byte))
    })
}

/// True when `before` ends inside `{{resolve:…}}`, which a template looks up when it is deployed.
pub(super) fn is_in_lookup(before: &[u8]) -> bool {
    let near = &before[before.len().saturating_sub(REFERENCE_BYTES)..];
    let word = near.rsplit(|byte| b" \t\n\"'".contains(byte)).next().unwrap_or_default();
    memchr::memmem::rfind(word, b"{{resolve:").is_some_and(|at| !word[at..].contains(&b'}'))
}

/// True when a message follows the name that ends at `name_end` and `before` opens a parameter of a shell:
/// `${PASSWORD:?must be set}`.
pub(super) fn has_message(before: &[u8], rest: &[u8]) -> bool {
    before.ends_with(b"${") && matches!(rest, [b'?', ..] | [b':', b'?', ..])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_told_from_values() {
        assert!(is_versioned(b"db-pass:latest") && is_versioned(b"db-pass:3"));
        for value in [&b"db-pass"[..], b":latest", b"db-pass:a1", b"hunter2:3", b"tiger-pony:42"] {
            assert!(!is_versioned(value));
        }
    }
}
