//! Texts of programs in catalogues: `error.password=Too short`, `"password": "Wachtwoord"`.

use super::identifier::Words;
use super::name::Kind;
use super::operator::Operator;
use super::set::Set;
use super::value::Value;
use super::words::{PASSWORDS, PROSE, REQUESTING, SECRETS};

/// Words in the names of messages.
#[rustfmt::skip]
static SPEAKING: Set<128> = Set::new(&[
    "caption", "confirm", "dialog", "error", "errors", "forgot", "forgotten", "form", "forms", "help", "hint", "hints",
    "incorrect", "invalid", "label", "labels", "long", "match", "message", "messages", "mismatch", "missing",
    "msg", "placeholder", "prompt", "required", "short",
    "text", "title", "tooltip", "validation", "validator", "warning", "weak", "wrong",
]);

/// Words in the names of settings.
#[rustfmt::skip]
static SETTINGS: Set<64> = Set::new(&[
    "admin", "database", "datasource", "db", "ftp", "imap", "jdbc", "jpa", "kafka", "keystore", "ldap", "mail",
    "mongo", "mysql", "oracle", "postgres", "proxy", "redis", "root", "server", "smtp", "spring", "ssl", "truststore",
]);

/// `error.password.tooShort=Too short`: in a catalogue, a text that begins with two words of messages.
pub(super) fn is_message(value: &Value<'_>, body: &[u8], after: &[u8]) -> bool {
    let says = |word: &[u8]| PROSE.has(word) || REQUESTING.has(word) || SECRETS.has(word);
    let next = || {
        let rest = after.strip_prefix(b" ").unwrap_or_default();
        let length = rest.iter().take_while(|byte| byte.is_ascii_alphabetic()).count();
        let ends = !rest.get(length).is_some_and(u8::is_ascii_alphanumeric);
        says(&rest[..length]) && ends
    };
    let named = || {
        let words = Words::new(value.name);
        words.iter().any(|word| SPEAKING.has(word)) && !words.iter().any(|word| SETTINGS.has(word))
    };
    body[0].is_ascii_uppercase() && is_property(value) && says(body) && next() && named()
}

/// `"password": "Wachtwoord"`, `login.password=Wachtwoord`: the label of a form in another language. Of a name for a
/// setting or a variable it is the value, and without quotes unless the line has nothing else.
pub(super) fn is_label(value: &Value<'_>, body: &[u8], quoted: bool, after: &[u8]) -> bool {
    let says = |word: &[u8]| SPEAKING.has(word) || REQUESTING.has(word) || is_plain(word);
    let alone = || matches!(after, [] | [b'\n' | b'\r', ..]);
    let member = quoted && value.operator == Operator::Colon && (value.spaced || value.is_member());
    let body = body.strip_suffix(b":").unwrap_or(body);
    value.kind == Kind::Password
        && (member || is_property(value) && alone())
        && value.name.iter().any(u8::is_ascii_lowercase)
        && PASSWORDS.iter().any(|word| word.as_bytes() == body)
        && Words::new(value.name).iter().all(says)
}

/// A line of a file of properties: a name of several parts and an equals sign.
fn is_property(value: &Value<'_>) -> bool {
    value.operator == Operator::Assign
        && matches!(value.before, None | Some(b'\n'))
        && value.name.contains(&b'.')
}

/// A word for a password, and nothing else.
fn is_plain(word: &[u8]) -> bool {
    matches!(word, b"password" | b"passwords" | b"passwd" | b"passphrase" | b"passwort" | b"pwd")
}
