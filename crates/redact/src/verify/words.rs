//! The word lists behind the checks, in lower case.

use super::set::Set;

/// Names end in these when they say something about a secret instead of holding it.
#[rustfmt::skip]
pub(super) static ABOUT: Set<256> = Set::new(&[
    "address", "age", "algorithm", "at", "attempts", "body", "budget", "claim", "class",
    "command", "count", "counts", "created", "date", "description", "dir", "directory",
    "enabled", "encoding", "endpoint", "env", "error", "exp", "expiration", "expired",
    "expires", "expiry", "field", "fields", "file", "filename", "format", "handler", "header", "help", "helper",
    "hint", "id", "ids", "in", "index", "info", "input", "issuer", "kind", "label", "len", "length",
    "level", "lifetime", "limit", "limits", "link", "location", "manager", "markup", "max", "message",
    "method", "min", "mode", "name", "names", "namespace", "num", "number", "option", "options",
    "param", "path", "paths", "pattern", "per", "placeholder", "policy", "position", "prefix", "prompt", "provider",
    "ratio", "reader", "ref", "regex", "required", "rotation", "rules", "schema", "scope",
    "service", "size", "sort", "source", "status", "stdin", "store", "strategy", "strength", "suffix", "text",
    "timeout", "title", "to", "ttl", "type", "types", "uri", "url", "usage", "used", "user",
    "username", "valid", "validator", "variable", "vault", "version",
    "change", "chars", "checking", "cmd", "encryption", "mgr", "placement", "stream", "streams", "subject",
]);

/// Names begin with these when they count, ask or mark.
#[rustfmt::skip]
pub(super) static ASKING: Set<128> = Set::new(&[
    "allow", "bos", "can", "change", "cls", "disable", "enable", "eos", "eot", "expected",
    "forgot", "has", "hide", "is", "mask", "max", "min", "n", "no", "num", "pad", "public",
    "require", "requires", "reset", "sep", "should", "show", "special", "total", "unexpected",
    "unk", "unknown", "use", "validate", "with", "without",
]);

/// A `key` after one of these opens something.
#[rustfmt::skip]
pub(super) static KEY_OF: Set<128> = Set::new(&[
    "access", "account", "admin", "api", "app", "application", "auth", "client", "consumer",
    "customer", "decryption", "deploy", "encrypt", "encryption", "function", "functions",
    "hmac", "host", "integration", "jwt", "licence", "license", "management", "master", "priv",
    "private", "project", "recovery", "root", "secret", "security", "server", "service", "session",
    "shared", "signing", "ssh", "storage", "stripe", "subscription", "symmetric", "tls",
    "token", "unseal", "webhook", "write", "x",
]);

/// The same in one word.
#[rustfmt::skip]
pub(super) static KEY_WORDS: Set<32> = Set::new(&[
    "accesskey", "accountkey", "apikey", "apisecretkey", "appkey", "authkey", "encryptionkey",
    "licensekey", "masterkey", "privatekey", "privkey", "secretkey", "sharedaccesskey",
    "sharedkey", "signingkey", "storagekey",
]);

/// A `token` after one of these says where a listing goes on.
#[rustfmt::skip]
pub(super) static PAGING: Set<32> = Set::new(&[
    "continuation", "continue", "cursor", "input", "next", "output", "page", "pagination", "paging", "scroll", "starting", "sync",
]);

/// Words that name a secret.
#[rustfmt::skip]
pub(super) const SECRET_WORDS: &[&str] = &[
    "apikey", "credential", "credentials", "key", "pass", "passphrase", "passwd", "password", "secret", "secrets",
    "token", "tokens",
];

/// The same as a set.
pub(super) static SECRETS: Set<32> = Set::new(SECRET_WORDS);

/// Where a system looks for users.
pub(super) const DIRECTORIES: &[&[u8]] = &[
    b"compat", b"files", b"systemd", b"sss", b"ldap", b"nis", b"nisplus", b"winbind", b"db",
    b"hesiod",
];

/// Words that stand for no value.
#[rustfmt::skip]
pub(super) static NOTHING: Set<128> = Set::new(&[
    "any", "disabled", "empty", "enabled", "expired", "fail", "failed", "false", "hidden",
    "incorrect", "invalid", "masked", "missing", "n/a", "na", "nan", "nil", "no", "none",
    "null", "nullptr", "off", "ok", "omitted", "on", "optional", "pass", "passed", "redacted",
    "required", "true", "undefined", "unknown", "unset", "void", "yes",
    "added", "bearer", "changed", "define", "deleted", "deprecated", "fixed", "generated", "prompt",
    "removed", "renamed", "revoked", "rotated", "success", "undef", "updated",
]);

/// Words of prose behind the name of an option.
#[rustfmt::skip]
pub(super) static PROSE: Set<128> = Set::new(&[
    "a", "an", "and", "are", "argument", "arguments", "as", "be", "but", "by", "can", "command", "does",
    "flag", "flags", "for", "from", "had", "has", "have", "if", "in", "instead", "is", "it", "may", "must",
    "not", "now", "of", "on", "only", "option", "options", "or", "parameter", "parameters", "should",
    "since", "so", "switch", "switches", "than", "that", "the", "then", "this", "to", "was", "were",
    "when", "where", "which", "while", "will", "wins", "with", "without", "would",
]);

/// Words of labels and messages about what is typed.
#[rustfmt::skip]
pub(super) static REQUESTING: Set<128> = Set::new(&[
    "account", "again", "all", "change", "characters", "choose", "click", "confirm", "create", "current", "email",
    "enter", "error", "field", "forgot", "forgotten", "here", "incorrect", "invalid", "length", "login", "long", "match",
    "minimum", "missing", "new", "old", "one", "please", "provide", "repeat", "required", "reset", "short", "show", "sign",
    "strong", "too", "two", "type", "use", "user", "value", "weak", "wrong", "your",
]);

/// What the help of a command writes where a password goes.
#[rustfmt::skip]
pub(super) static METAVARIABLES: Set<64> = Set::new(&[
    "arg", "file", "filename", "name", "pass", "passphrase", "password", "passwd", "path", "pwd", "pw", "secret",
    "stdin", "str", "string", "text", "token", "value", "word",
]);

/// Words of at most three letters in names of code.
#[rustfmt::skip]
pub(super) static SHORT: Set<256> = Set::new(&[
    "a", "add", "all", "and", "any", "api", "app", "arg", "as", "ast", "at", "aws", "bad", "bar", "be", "bit", "box",
    "by", "can", "cc", "cli", "cmd", "css", "csv", "cur", "db", "def", "dir", "do", "doc", "dom", "dot", "end",
    "env", "eof", "err", "fd", "fn", "for", "get", "git", "has", "hex", "id", "if", "in", "int", "io", "ip",
    "is", "it", "js", "jwt", "key", "lex", "lib", "map", "max", "min", "my", "new", "no", "non", "not", "npm", "num",
    "obj", "of", "old", "on", "op", "opt", "or", "out", "pos", "pre", "raw", "ref", "reg", "req", "res", "rsa",
    "run", "sdk", "seq", "set", "sql", "src", "ssh", "ssl", "str", "sub", "svg", "tag", "tls", "to", "top",
    "ts", "ui", "up", "uri", "url", "use", "val", "var", "web", "xml",
]);

/// Words of grammars and languages that code compares tokens with.
#[rustfmt::skip]
pub(super) static LANGUAGE: Set<128> = Set::new(&[
    "abstract", "anonymous", "argument", "arguments", "arraybuffer", "assignment", "attribute", "bracket", "comments",
    "constructor", "continue", "debugger", "declaration", "decorator", "delimiter", "document", "expression",
    "extends", "foreach", "function", "generator", "identifier", "implements", "instanceof", "interface", "internal",
    "keyword", "literal", "modifier", "multiline", "namespace", "newline", "operator", "override", "parameter",
    "parenthesis", "predicate", "property", "protected", "punctuation", "punctuator", "register", "regexp",
    "selector", "semicolon", "separator", "statement", "template", "terminator", "undefined", "unparsed",
    "variable", "volatile", "whitespace",
]);

/// A word for a password as a label of a form begins, in languages that have one word for it.
#[rustfmt::skip]
pub(super) const PASSWORDS: &[&str] = &[
    "Adgangskode", "Contrasenya", "Contraseña", "Fjalëkalimi", "Geslo", "Hasło", "Heslo", "Jelszó", "Kennwort",
    "Lozinka", "Lykilorð", "Lösenord", "Parola", "Parole", "Parolă", "Parool", "Pasahitza", "Passord",
    "Passwort", "Salasana", "Senha", "Slaptažodis", "Wachtwoord", "Şifre", "Пароль", "パスワード", "密码", "密碼", "비밀번호",
];

/// Names of types and their constructors.
#[rustfmt::skip]
pub(super) static TYPES: Set<256> = Set::new(&[
    "&[u8]", "&mut", "&str", "__u16", "__u32", "__u64", "__u8", "any", "arc", "array", "bigint",
    "bool", "boolean", "box", "buffer", "byte", "byte[]", "bytearray", "bytes", "c_char",
    "c_int", "c_long", "c_uint", "c_ulong", "callable", "char", "char*", "dict", "double",
    "expr", "f32", "f64", "float", "function", "i128", "i16", "i32", "i64", "i8", "ident",
    "int", "integer", "isize", "list", "literal", "long", "map", "never", "number", "object",
    "option", "optional", "promise", "protected", "rc", "readonly", "record", "result",
    "secretstr", "secretstring", "securestring", "self", "short", "size_t", "static", "str",
    "string", "string[]", "symbol", "text", "tuple", "u128", "u16", "u32", "u64", "u8",
    "uint32_t", "uint64_t", "uint8_t", "uint8array", "union", "unknown", "usize", "uuid",
    "varchar", "vec", "zeroizing", "card16", "card32", "card8", "int16", "int32", "int64", "int8",
    "signed", "uint16", "uint32", "uint64", "uint8", "unsigned",
]);

/// Headings of columns that stand next to passwords and tokens.
#[rustfmt::skip]
pub(super) static COLUMNS: Set<128> = Set::new(&[
    "account", "active", "admin", "amount", "comment", "comments", "credential", "credentials",
    "database", "db", "default", "domain", "email", "first", "group", "groups", "hash", "home",
    "gecos", "gid", "host", "hostname", "ip", "key", "last", "login", "mail", "note", "notes", "owner",
    "passwd", "password", "phone", "port", "realm", "result", "role", "roles", "secret",
    "server", "shell", "site", "state", "test", "time", "token", "tokens", "uid", "users",
    "value", "values", "website",
]);

/// Words around `token` that make it one of a grammar.
#[rustfmt::skip]
pub(super) static GRAMMAR: Set<64> = Set::new(&[
    "close", "closing", "cur", "current", "end", "eof", "first", "id", "keyword", "last", "lookahead",
    "next", "open", "opening", "operator", "peek", "prev", "previous", "significant", "start",
]);

/// What a parser says before `token`.
#[rustfmt::skip]
pub(super) static COMPLAINTS: Set<32> = Set::new(&[
    "expected", "extraneous", "illegal", "mismatched", "misplaced", "offending", "reserved",
    "stray", "unexpected", "unhandled", "unrecognised", "unrecognized", "unterminated",
]);

/// What is said before that.
pub(super) static BEFORE_COMPLAINTS: Set<32> = Set::new(&[
    "an",
    "at",
    "encountered",
    "error",
    "found",
    "got",
    "is",
    "near",
    "of",
    "saw",
    "the",
    "with",
]);

/// Words that ask how a request deals with credentials.
#[rustfmt::skip]
pub(super) static REQUESTS: Set<32> = Set::new(&[
    "allow", "default", "fetch", "include", "init", "omit", "request", "send", "with", "xhr",
]);

/// Elements of HTML that stand behind or around a value.
#[rustfmt::skip]
pub(super) static ELEMENTS: Set<128> = Set::new(&[
    "a", "b", "br", "button", "code", "dd", "div", "dl", "dt", "em", "font", "hr", "i", "img",
    "input", "kbd", "li", "mark", "ol", "p", "pre", "small", "span", "strong", "sub", "sup",
    "table", "td", "th", "tr", "tt", "u", "ul", "wbr",
]);

/// First names of paths in code.
#[rustfmt::skip]
pub(super) static OBJECTS: Set<128> = Set::new(&[
    "app", "args", "auth", "body", "cfg", "cls", "config", "context", "credentials", "creds",
    "ctx", "data", "env", "environ", "event", "exports", "form", "global", "input", "inputs", "local",
    "module", "options", "opts", "os", "params", "process", "props", "req", "request", "res",
    "resource", "response", "secrets", "self", "session", "settings", "state", "steps", "super",
    "sys", "system", "this", "user", "values", "var", "vars",
]);
