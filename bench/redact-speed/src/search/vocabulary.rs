//! What inputs are made of: names, operators, values, what stands between them, and every literal of the rules.

#[rustfmt::skip]
pub(super) const NAMES: &[&str] = &[
    "password", "PASSWORD", "passwords", "pwd", "PWD", "pass", "secret", "secrets", "client_secret", "token",
    "tokens", "accessToken", "next_page_token", "max_tokens", "key", "apiKey", "api_keys", "a_key",
    "credentials", "auth", "_auth", "sig", "signature", "X-Amz-Signature", "value", "name", "token.c",
    "password.txt", "a/password", "--password", "-p", "-u", "authorization", "cookie", "set-cookie",
    "datadog key", "datadog api key", "docker login", "machine a login b",
    "passwordpasswordpasswordpasswordpasswordpassword", "a.b.c.d.e.f.g.h.token", "key-key-key-key-key",
];

#[rustfmt::skip]
pub(super) const OPERATORS: &[&str] = &[
    "=", ": ", ":", " = ", " : ", ":=", "=>", "==", " != ", "?:", "%3D", "%3A", "\\u003d", "&#61;", "&#58;",
    ">", "\t", " ", "\": \"", "': '", "\\\":\\\"", "&quot;:&quot;", "%22%3A%22", "=\"", "='", "=`", ": |",
    ": >-", "=[", ": [\"", "=(", "=$(", "=b\"", "=%22", "=\\\\\\\"", "\" value=\"",
];

#[rustfmt::skip]
pub(super) const VALUES: &[&str] = &[
    "a", "1", "x1", "aB3", "hunter2", "aB3dE5gH7jK9mN1pQ3sT5v", "0123456789abcdef0123456789abcdef", "12345",
    "null", "true", "string", "Option<A", "A<b", "a.b", "a.b(", "a::b", "a->b", "${A}", "$A", "{{a}}", "<a>",
    "%s", "your-key", "/a/b", "../a", "http://a", "a://b:c@", "[REDACTED]", "[REDACTED:", "[REDACTED:token]",
    "identifier", "The text.", "secret_name", "DEFAULT_PASSWORD", "1.2.3", "^1.0", "#ffffff", "****", "xxxx",
    "$2b$10$", "eyJhbGciOiJI", "a,b,c", "((((", "))))", "{[(", "a-b-c", "a_b_c", "a.b.c.d.e.f", "Bearer",
    "Basic", "Digest a=b,", "user:pass@", "/a,b;c&d=", "\u{2022}\u{2022}",
];

#[rustfmt::skip]
pub(super) const SEPARATORS: &[&str] = &[
    "", " ", "\n", "\r\n", "\t", ",", ";", "&", ", ", "; ", " && ", " | ", "\"", "'", "`", "\\\"", "\\'", "\\",
    "\\\\", "&quot;", "&amp;", "%22", "%26", "\\u0022", "\\n", "<", ">", "</", "/>", "(", ")", "[", "]", "{",
    "}", "\",", "\", \"", "' '", "\"\"", "''", "'\\''", "-", "_", ".", "/", ":", "=", "%", "#", "\n- ", "\n  ",
    "\n\n", "<a b=\"", "\u{ff}", "  ", "-----",
];

/// Lines that a value follows, some of them on the next one.
#[rustfmt::skip]
pub(super) const LINES: &[&str] = &[
    "", "password=", "name: password\nvalue: ", "- name: TOKEN\n  value: ", "\"name\": \"secret\",\n\"value\": \"",
    "password: |\n  ", "- token: >-\n    ", "secret: |\n\n  ", "  value: ", "\n", "\n\n", "  x1\n", "key: ", "# token: |\n#  ",
    "Private-Lines: 1\n",
];

/// Every literal of the rules: all that stands in quotes in their tables.
pub(super) const TABLES: &[&str] = &[
    include_str!("../../../../crates/redact/src/rules/ai.toml"),
    include_str!("../../../../crates/redact/src/rules/azure.toml"),
    include_str!("../../../../crates/redact/src/rules/cloud.toml"),
    include_str!("../../../../crates/redact/src/rules/code.toml"),
    include_str!("../../../../crates/redact/src/rules/commands.rs"),
    include_str!("../../../../crates/redact/src/rules/messaging.toml"),
    include_str!("../../../../crates/redact/src/rules/names.rs"),
    include_str!("../../../../crates/redact/src/rules/payments.toml"),
    include_str!("../../../../crates/redact/src/rules/services.toml"),
    include_str!("../../../../crates/redact/src/rules/structure.rs"),
    include_str!("../../../../crates/redact/src/rules/vendors.toml"),
    include_str!("../../../../crates/redact/src/rules/webhooks.toml"),
];
