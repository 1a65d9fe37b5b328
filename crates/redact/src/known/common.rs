//! Values that are common in ordinary text. Masking them would garble the text and hide nothing.

/// The shortest number that is accepted as a secret.
const MIN_NUMBER_DIGITS: usize = 10;

/// Words of programs, settings and messages, in lower case.
#[rustfmt::skip]
const COMMON_WORDS: &[&str] = &[
    "account", "active", "admin", "administrator", "anonymous", "application", "automatic", "backend", "backup",
    "boolean", "branch", "browser", "cache", "changeme", "client", "cluster", "command", "config", "configuration",
    "connection", "console", "container", "content", "context", "database", "debug", "default", "deploy",
    "deployment", "dev", "develop", "development", "directory", "disable", "disabled", "docker", "document", "domain",
    "dummy", "enable", "enabled", "environment", "error", "example", "external", "failed", "failure", "false",
    "filename", "folder", "format", "frontend", "function", "gateway", "github", "global", "google", "guest",
    "header", "home", "hostname", "inactive", "index", "info", "install", "integer", "internal", "javascript",
    "kubernetes", "latest", "library", "linux", "local", "localhost", "logging", "login", "machine", "main",
    "manager", "manual", "master", "memory", "message", "method", "module", "monitor", "mysql", "network", "never",
    "no", "node", "none", "normal", "null", "number", "object", "off", "on", "option", "optional", "options",
    "origin", "output", "package", "parameter", "pass", "password", "path", "pipeline", "platform", "plugin",
    "postgres", "postgresql", "primary", "private", "process", "prod", "product", "production", "profile", "program",
    "project", "protocol", "provider", "public", "python", "readonly", "redacted", "redis", "region", "release",
    "remote", "replica", "repository", "request", "required", "resource", "response", "result", "root", "runner",
    "runtime", "sample", "schema", "script", "secret", "secrets", "secure", "security", "server", "service",
    "session", "setting", "settings", "stable", "staging", "standard", "status", "storage", "string", "success",
    "system", "target", "template", "terminal", "test", "testing", "tests", "timeout", "token", "true", "typescript",
    "ubuntu", "undefined", "unknown", "update", "upload", "user", "username", "utf-8", "value", "variable", "version",
    "warning", "webhook", "website", "windows", "worker", "workflow", "workspace", "yes",
];

/// The first folders of common paths.
#[rustfmt::skip]
const COMMON_FOLDERS: &[&str] = &[
    "Applications", "Library", "System", "Users", "Volumes", "app", "bin", "boot", "builds", "data", "dev", "etc",
    "github", "home", "lib", "lib64", "media", "mnt", "nix", "opt", "private", "proc", "root", "run", "runner", "sbin",
    "snap", "srv", "sys", "tmp", "usr", "var", "work", "workspace", "workspaces",
];

/// The reason why `value` is too common, if it is.
pub(super) fn reason(value: &str) -> Option<&'static str> {
    let lower = value.to_ascii_lowercase();
    if COMMON_WORDS.binary_search(&lower.as_str()).is_ok() {
        Some("its value is a common word")
    } else if !value.chars().any(char::is_alphanumeric) {
        Some("its value has neither letters nor digits")
    } else if is_number(value) {
        Some("its value is a number")
    } else if is_path(value) {
        Some("its value is a path")
    } else {
        None
    }
}

/// Whether the value is a number, a version or an IP address.
fn is_number(value: &str) -> bool {
    let digits = value.bytes().filter(u8::is_ascii_digit).count();
    let marks = b"+-.,_: ";
    digits > 0
        && (digits < MIN_NUMBER_DIGITS || value.contains('.'))
        && value.bytes().all(|byte| byte.is_ascii_digit() || marks.contains(&byte))
}

/// Whether the value is a path, or several paths with colons or semicolons between them.
fn is_path(value: &str) -> bool {
    let is_plain =
        |character: char| character.is_alphanumeric() || " /\\._-:;~@+()".contains(character);
    let begins = |path: &str| {
        let drive = path.as_bytes();
        let first = path.strip_prefix('/').and_then(|rest| rest.split('/').next());
        first.is_some_and(|folder| COMMON_FOLDERS.contains(&folder))
            || ["~/", "./", "../"].iter().any(|start| path.starts_with(start))
            || matches!(drive, [letter, b':', b'\\' | b'/', ..] if letter.is_ascii_alphabetic())
    };
    let drive = matches!(value.as_bytes(), [letter, b':', ..] if letter.is_ascii_alphabetic());
    let separator = if drive || value.contains(';') { ';' } else { ':' };
    value.chars().all(is_plain) && value.split(separator).all(begins)
}

#[cfg(test)]
#[test]
fn words_are_sorted() {
    assert!(COMMON_WORDS.is_sorted());
}
