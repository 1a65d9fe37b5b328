//! What names a secret that is kept elsewhere: variables of statements, digests, keys of a storage.

use super::identifier::Words;
use super::judge::is_same_name;
use super::name::Kind;
use super::operator::Operator;
use super::set::Set;
use super::shape::names_a_secret;
use super::value::Value;
use super::words::{METAVARIABLES, SECRETS};

/// Furthest on both sides that the beginning and the end of a reference are looked for.
const REFERENCE_BYTES: usize = 128;

/// Most digits behind the name of a variable, and of a version.
const NUMBER_BYTES: usize = 2;

/// Digests of what is public, as in `--discovery-token-ca-cert-hash sha256:…`, and how many digits each has.
const DIGESTS: [(&[u8], usize); 5] =
    [(b"sha256:", 64), (b"sha384:", 96), (b"sha512:", 128), (b"sha1:", 40), (b"md5:", 32)];

/// Services that a template looks up values in.
const LOOKUPS: [&[u8]; 3] = [b"ssm:", b"ssm-secure:", b"secretsmanager:"];

/// Words around `token` in the key of a storage, and the letter before a version.
#[rustfmt::skip]
static HOLDERS: Set<64> = Set::new(&[
    "access", "api", "app", "auth", "bearer", "csrf", "device", "fcm", "id", "jwt", "key", "local", "login", "my",
    "oauth", "push", "refresh", "session", "storage", "token", "user", "v", "xsrf",
]);

/// `password = :password`, `token = @token_1`, `PASSWORD = @pw`, `password=@p0`: the variable of a statement, which says
/// what it holds.
pub(super) fn is_variable(value: &Value<'_>, body: &[u8]) -> bool {
    let [b':' | b'@', name @ ..] = body else { return false };
    let name = name.strip_prefix(b"__").unwrap_or(name);
    let (name, number) = split_number(name);
    let name = match (name, number.len()) {
        (_, 0) => name,
        (b"p", 1..=NUMBER_BYTES) => return value.operator == Operator::Assign,
        ([name @ .., b'_'], 1..=NUMBER_BYTES) => name,
        _ => return false,
    };
    value.operator == Operator::Assign
        && name.iter().all(|byte| byte.is_ascii_alphabetic() || *byte == b'_')
        && (is_same_name(value, name)
            || names_a_secret(name)
            || SECRETS.has(name)
            || METAVARIABLES.has(name))
}

/// What `name` is without the digits at its end, and these.
fn split_number(name: &[u8]) -> (&[u8], &[u8]) {
    name.split_at(name.iter().rposition(|byte| !byte.is_ascii_digit()).map_or(0, |last| last + 1))
}

/// The digest of something that a name without a password says is one, with as many digits as its algorithm gives.
pub(super) fn is_digest(value: &Value<'_>, body: &[u8]) -> bool {
    let digits = |(prefix, length): &(&[u8], usize)| {
        let digest = body.strip_prefix(*prefix)?;
        Some(digest.len() == *length && digest.iter().all(u8::is_ascii_hexdigit))
    };
    value.kind != Kind::Password
        && value.name.len() > b"hash".len()
        && matches!(value.words().last(), b"hash" | b"digest" | b"fingerprint")
        && DIGESTS.iter().find_map(digits) == Some(true)
}

/// `TOKEN_KEY = "auth_token"`: the key under which a storage holds a token, of words that name nothing else.
pub(super) fn is_key_of_storage(value: &Value<'_>, body: &[u8]) -> bool {
    let words = || Words::new(body);
    let (name, number) = split_number(body);
    let version = number.is_empty() || name.ends_with(b"v") && number.len() <= NUMBER_BYTES;
    value.name.ends_with(b"TOKEN_KEY")
        && matches!(value.operator, Operator::Assign | Operator::Colon)
        && value.spaced
        && version
        && name.iter().all(|byte| byte.is_ascii_alphabetic() || b"_-.:@/".contains(byte))
        && words().len() > 1
        && words().iter().any(|word| word == b"token")
        && words().iter().all(|word| HOLDERS.has(word))
}

/// True when the name at `start..end` is a part of `{{resolve:ssm:…}}`, which a template looks up when it is deployed.
pub(super) fn is_in_lookup(text: &[u8], start: usize, end: usize) -> bool {
    let part = |byte: &u8| byte.is_ascii_alphanumeric() || b"_-.:/+=@${}".contains(byte);
    let near = &text[start.saturating_sub(REFERENCE_BYTES)..start];
    let begins = memchr::memmem::rfind(near, b"{{resolve:").is_some_and(|open| {
        let lookup = &near[open + b"{{resolve:".len()..];
        LOOKUPS.iter().any(|service| lookup.starts_with(service))
            && memchr::memmem::find(lookup, b"}}").is_none()
            && lookup.iter().all(part)
    });
    let rest = &text[end..text.len().min(end + REFERENCE_BYTES)];
    begins && memchr::memmem::find(rest, b"}}").is_some_and(|close| rest[..close].iter().all(part))
}

/// True when `before` opens a parameter of a shell and what follows its name is no value: a message, or what stands for any
/// value. `${PASSWORD:?must be set}`, `${TOKEN:+--token "$TOKEN"}`
pub(super) fn has_no_default(before: &[u8], rest: &[u8]) -> bool {
    opens_parameter(before) && matches!(rest, [b'?' | b'+', ..] | [b':', b'?' | b'+', ..])
}

/// True when `before` opens a parameter of a shell: `${PASSWORD-…}`.
pub(super) fn opens_parameter(before: &[u8]) -> bool {
    before.ends_with(b"${")
}
