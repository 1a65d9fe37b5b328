//! The word lists of the checks. They are in lower case and sorted.

/// Whether `word` is in `list`. Upper and lower case are the same.
pub(crate) fn has(list: &[&str], word: &[u8]) -> bool {
    let lower = || word.iter().map(u8::to_ascii_lowercase);
    list.binary_search_by(|entry| entry.bytes().cmp(lower())).is_ok()
}

/// A name that ends in one of these says something about a secret and does not hold it.
#[rustfmt::skip]
pub(crate) const NON_SECRET_ENDINGS: &[&str] = &[
    "action", "address", "age", "algorithm", "at", "attempts", "auth", "backend", "body", "bucket", "budget",
    "change", "changed", "chars", "checking", "claim", "class", "cmd", "command", "cookie", "count", "counts",
    "created", "date", "description", "dir", "directory", "enabled", "encoding", "encryption", "endpoint", "env",
    "error", "exp", "expiration", "expired", "expires", "expiry", "field", "fields", "file", "filename", "format",
    "handler", "hash", "header", "help", "helper", "hint", "id", "ids", "in", "index", "info", "input", "issuer",
    "kind", "label", "len", "length", "level", "lifetime", "limit", "limits", "link", "location", "manager", "markup",
    "max", "message", "method", "mgr", "min", "mode", "name", "names", "namespace", "num", "number", "option",
    "options", "param", "path", "paths", "pattern", "per", "placeholder", "placement", "plugin", "policy", "position",
    "prefix", "prompt", "provider", "ratio", "reader", "ref", "regex", "required", "reset", "rotation", "rules",
    "schema", "scheme", "scope", "service", "size", "sort", "source", "status", "stdin", "store", "strategy",
    "stream", "streams", "strength", "subject", "suffix", "text", "through", "timeout", "title", "to", "ttl", "type",
    "types", "uri", "url", "usage", "used", "user", "username", "valid", "validator", "variable", "vault", "version",
];

/// A name that begins with one of these counts, asks or configures something.
#[rustfmt::skip]
pub(super) const NON_SECRET_BEGINNINGS: &[&str] = &[
    "allow", "append", "bos", "can", "change", "check", "cls", "disable", "disabled", "enable", "eos", "eot", "expected", "forgot",
    "has", "hide", "is", "mask", "max", "min", "n", "no", "num", "pad", "public", "require", "requires",
    "reset", "rotate", "sep", "should", "show", "special", "total", "unexpected", "unk", "unknown", "update", "use", "validate",
    "verify",
   
];

/// A `key` after one of these gives access to something.
#[rustfmt::skip]
pub(super) const SECRET_KEY_WORDS: &[&str] = &[
    "access", "account", "admin", "aes", "api", "app", "application", "auth", "backup", "cipher",
    "client", "consumer", "cookie", "crypt", "customer", "decryption", "deploy", "dev", "developer",
    "encrypt", "encryption", "fernet", "function", "functions", "gateway", "hmac", "host",
    "instrumentation", "integration", "jwt", "licence", "license", "live", "management", "master",
    "merchant", "partner", "payment", "preshared", "priv", "private", "project", "psk", "push",
    "read", "recovery", "restricted", "root", "salt", "secondary", "secret", "security", "server",
    "service", "session", "shared", "signature", "signing", "ssh", "storage", "stripe",
    "subscription", "symmetric", "tls", "token", "trial", "turn", "unseal", "vapid", "vault",
    "webhook", "wireguard", "write", "x",
];

/// The same keys written as one word.
#[rustfmt::skip]
pub(super) const JOINED_KEY_WORDS: &[&str] = &[
    "accesskey", "accountkey", "apikey", "apisecretkey", "appkey", "authkey", "encryptionkey",
    "licensekey", "masterkey", "privatekey", "privkey", "secretkey", "sharedaccesskey",
    "sharedkey", "signingkey", "storagekey",
];

/// A `key` after one of these looks something up.
#[rustfmt::skip]
pub(super) const LOOKUP_KEY_WORDS: &[&str] = &[
    "cache", "dedup", "foreign", "group", "i18n", "idempotency", "index", "locale", "object", "partition", "primary", "routing", "row", "sort",
    "translation",
];

/// A `token` after one of these marks a position in a listing, or belongs to a grammar.
#[rustfmt::skip]
pub(super) const LISTING_TOKEN_WORDS: &[&str] = &[
    "cancellation", "close", "closing", "continuation", "continue", "cur", "current", "cursor", "eof", "input", "keyword", "last",
    "lookahead", "next", "open", "opening", "operator", "output", "page", "pagination", "paging", "peek", "prev", "previous",
    "scroll", "starting", "sync",
];

/// The words that names of secrets consist of. A value of only these words is a name.
#[rustfmt::skip]
pub(super) const NAME_WORDS: &[&str] = &[
    "access", "account", "admin", "api", "apikey", "app", "auth", "authorization", "basic", "bearer", "bot", "client", "code", "confirm",
    "confirmation", "cookie", "cred", "credential", "credentials", "csrf", "current", "custom", "database", "db", "default", "env", "field",
    "file", "grant", "hash", "header", "id", "input", "internal", "jwt", "key", "keys", "login", "master", "my", "name", "new", "oauth", "of",
    "old", "one", "otp", "pass", "passphrase", "passwd", "password", "passwords", "plain", "policy", "post", "private", "public", "pwd",
    "refresh", "repeat", "reset", "root", "secret", "secrets", "service", "session", "set", "sign", "signature", "some", "store",
    "string", "text", "the", "time", "token", "tokens", "type", "url", "user", "username", "value", "webhook", "x", "xsrf",
];

/// Every name of a secret contains at least one of these words.
#[rustfmt::skip]
pub(super) const SECRET_NAME_WORDS: &[&str] = &[
    "apikey", "auth", "basic", "bearer", "cookie", "cred", "credential", "credentials", "key", "keys", "pass", "passphrase", "passwd", "password",
    "passwords", "pwd", "secret", "secrets", "signature", "token", "tokens", "username",
];

/// The words between a name and its value in a sentence: `the password for bob was set to …`. The value follows one of
/// [`LAST_LINKS`].
#[rustfmt::skip]
pub(super) const LINKS: &[&str] = &[
    "asked", "been", "by", "can", "changed", "created", "currently", "for", "generated", "has", "have", "here", "issued", "just", "must",
    "need", "new", "now", "of", "provided", "requested", "reset", "rotated", "set", "should", "still", "temporarily", "updated", "wanted", "we",
    "will", "you",
];
pub(super) const LAST_LINKS: &[&str] =
    &["are", "as", "be", "equals", "est", "from", "is", "ist", "lautet", "to", "was"];

/// The names of members, attributes and elements that hold the value of a name.
#[rustfmt::skip]
pub(crate) const VALUE_KEYS: &[&str] = &[
    "content", "data", "default", "default_value", "defaultvalue", "new_value", "newvalue", "optionvalue", "parametervalue",
    "plaintext", "secretstring", "secretvalue", "settingvalue", "string", "string_value", "stringvalue", "val", "value",
];

/// Words that stand for no value.
#[rustfmt::skip]
pub(super) const EMPTY_VALUE_WORDS: &[&str] = &[
    "added", "any", "bail", "bar", "baz", "bearer", "changed", "changeit", "changeme", "compat", "confirmed",
    "define", "deleted", "deprecated", "disabled", "dummy", "empty", "enabled", "example", "expired", "fail",
    "failed", "false", "files", "fixed", "foo", "generated", "hidden", "incorrect", "inherit", "invalid",
    "masked", "missing", "n/a", "na", "nan", "nil", "no", "none", "null", "nullable", "nullptr", "off", "ok",
    "omitted", "on", "optional", "pass", "passed", "placeholder", "prompt", "redacted", "removed", "renamed",
    "required", "revoked", "rotated", "sample", "sometimes", "success", "systemd", "tbd", "todo", "true",
    "undef", "undefined", "unknown", "unset", "updated", "void", "yes",
];

/// The names of types, and words that begin expressions.
#[rustfmt::skip]
pub(super) const TYPE_NAMES: &[&str] = &[
    "any", "arc", "array", "async", "await", "bigint", "bool", "boolean", "box", "buffer", "byte", "bytearray", "bytes", "c_char",
    "callable", "char", "charfield", "const", "dict", "double", "expr", "f32", "f64", "float", "function", "i128", "i16", "i32", "i64", "i8",
    "ident", "int", "integer", "isize", "keyof", "lambda", "list", "literal", "long", "map", "never", "new", "not", "number", "object",
    "option", "optional", "promise", "protected", "rc", "readonly", "record", "result", "secretstr", "secretstring",
    "securestring", "self", "short", "size_t", "static", "str", "string", "super", "symbol", "text", "this", "tuple", "typeof", "u128",
    "u16", "u32", "u64", "u8", "uint8array", "union", "unsigned", "usize", "uuid", "varchar", "vec", "yield", "zeroizing",
];

/// Words of prose that can follow a name and its separator.
#[rustfmt::skip]
pub(crate) const PROSE_WORDS: &[&str] = &[
    "a", "an", "and", "are", "as", "at", "be", "but", "by", "can", "cannot", "could", "did", "do", "does", "for", "from", "had", "has", "have",
    "if", "in", "instead", "into", "is", "it", "its", "may", "must", "not", "now", "of", "on", "only", "or", "please", "should",
    "since", "so", "than", "that", "the", "then", "there", "this", "to", "use", "used", "was", "were", "what", "when", "where", "which",
    "while", "will", "with", "without", "would", "you", "your",
];

/// The words that help texts of commands write in the place of a value.
#[rustfmt::skip]
pub(super) const METAVARIABLES: &[&str] = &[
    "arg", "file", "filename", "name", "path", "pw", "stdin", "str", "string", "text", "value", "word",
];

/// Words that a name and its value follow, separated by a blank.
#[rustfmt::skip]
pub(super) const DIRECTIVE_WORDS: &[&str] = &[
    "-gx", "-ux", "-x", "env", "fastcgi_param", "proxy_set_header", "set", "set-header", "setenv", "setx",
];

/// The names of algorithms and encodings. One of these followed by a number is no secret.
#[rustfmt::skip]
pub(super) const ALGORITHM_NAMES: &[&str] = &[
    "a", "aes", "argon", "base", "cbc", "chacha", "crc", "curve", "ed", "es", "gcm", "hmac", "hs", "ipv", "kw", "md", "oauth", "p", "pbkdf", "ps",
    "rc", "rs", "rsa", "secp", "sha", "sha-", "ssl", "tls", "utf", "utf-", "v", "x", "xchacha",
];

#[cfg(test)]
mod tests;
