//! Calls that are known by their names: what each makes of its arguments.

use super::identifier::NAME_BYTES;
use super::set::Set;
use crate::class::Class;

/// Calls that take the name of a setting and its value, or what stands for it: the last word.
static SETTERS: Set<64> = Set::new(&[
    "addproperty",
    "define",
    "env",
    "environ",
    "exportvariable",
    "fetch",
    "getenv",
    "getordefault",
    "getproperty",
    "putenv",
    "setenv",
    "setproperty",
    "setsecret",
    "stubenv",
    "withenv",
]);

/// Calls that do so when they are members of one of these.
static MEMBERS: Set<16> = Set::new(&["add", "get", "pop", "put", "set", "setdefault", "store"]);

/// What a call does with a name when its argument is the value: the first word of its name.
pub(super) static WRITERS: Set<32> =
    Set::new(&["basic", "change", "key", "set", "store", "update", "use", "using", "with"]);

/// Methods of what may be none: their argument stands in for it.
pub(super) static STAND_INS: Set<8> = Set::new(&["getorelse", "orelse", "unwrap_or"]);

/// Calls whose literal is the value, hashed, encoded or in a type of its own: the last word of the name.
pub(super) static WRAPPERS: Set<128> = Set::new(&[
    "argon2",
    "b64decode",
    "b64encode",
    "base64",
    "base64_decode",
    "base64_encode",
    "base64decode",
    "base64encode",
    "bcrypt",
    "bcrypt_hash",
    "byte",
    "bytearray",
    "buffer",
    "bytes",
    "crypt",
    "cstring",
    "digest",
    "encode",
    "encode_base64",
    "encrypt",
    "hash",
    "hash_hmac",
    "hashlib",
    "hashpw",
    "hex",
    "hmac",
    "jsonencode",
    "make_password",
    "md5",
    "md5sum",
    "nonsensitive",
    "old_password",
    "osstring",
    "password",
    "password_hash",
    "pbkdf2",
    "quote",
    "scrypt",
    "secret",
    "secretstr",
    "secretstring",
    "securestring",
    "sensitive",
    "sha",
    "sha1",
    "sha2",
    "sha224",
    "sha256",
    "sha384",
    "sha512",
    "some",
    "str",
    "string",
    "stringptr",
    "stringvalue",
    "to_base64",
    "to_bytes",
    "to_string",
    "tobase64",
    "unhex",
    "urlencode",
    "utf8",
]);

/// Names of functions that make the type before them: `String::from`, `Buffer.from`.
const MAKERS: [&[u8]; 5] = [b"from", b"new", b"of", b"valueOf", b"to_owned"];

/// A call of [`SETTERS`] has what follows for its first argument.
pub(super) fn is_setter(before: &[u8]) -> bool {
    let before = before.strip_suffix(b" ").unwrap_or(before);
    let Some(before) = before.strip_suffix(b"(") else { return false };
    let last = last_word(before);
    sets(last)
        || MEMBERS.has(last) && {
            let path = &before[..before.len() - last.len()];
            path.strip_suffix(b".").is_some_and(|path| sets(last_word(path)))
        }
}

/// The same of an index: `process.env["X"]`, `ENV["X"]`.
pub(super) fn is_index(before: &[u8]) -> bool {
    before.strip_suffix(b"[").is_some_and(|before| sets(last_word(before)))
}

fn sets(word: &[u8]) -> bool {
    SETTERS.has(word) || word.eq_ignore_ascii_case(b"SetEnvironmentVariable")
}

fn last_word(text: &[u8]) -> &[u8] {
    let length = text.iter().rev().take(NAME_BYTES).take_while(|&&byte| Class::Word.has(byte));
    &text[text.len() - length.count()..]
}

/// The last name of a path, before that of a function which makes the type it belongs to: `sha256` of `hashlib.sha256`,
/// `String` of `String::from`.
pub(super) fn name(path: &[u8]) -> Option<&[u8]> {
    let mut names = path.rsplit(|&byte| b".:>".contains(&byte)).filter(|name| !name.is_empty());
    let name = names.next()?;
    if MAKERS.contains(&name) { names.next() } else { Some(name) }
}

/// True when the literal in a call of `path` is the value.
pub(super) fn wraps(path: &[u8]) -> bool {
    name(path).is_some_and(|name| WRAPPERS.has(name))
}
