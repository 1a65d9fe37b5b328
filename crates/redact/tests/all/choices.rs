//! Several names and values, lists with and without quotes, and what code compares, chooses or calls by a name.

use crate::support::{redact, unchanged};

const MASKED: &[(&str, &str)] = &[
    // Several names and values.
    ("user, password = \"bob\", \"x9kQ2z\"", "user, password = \"bob\", \"[REDACTED]\""),
    (
        "    host, user, password := \"h\", \"bob\", \"x9kQ2z\"",
        "    host, user, password := \"h\", \"bob\", \"[REDACTED]\"",
    ),
    ("password, user := \"x9kQ2z\",\"bob\"", "password, user := \"[REDACTED]\",\"bob\""),
    ("const [user,password]=['bob','x9kQ2z']", "const [user,password]=['bob','[REDACTED]']"),
    ("(user, password) = ('bob', 'x9kQ2z')", "(user, password) = ('bob', '[REDACTED]')"),
    ("connect(user, password=\"x9kQ2z\")", "connect(user, password=\"[REDACTED]\")"),
    (
        "var user, password string = \"bob\", \"x9kQ2z\"",
        "var user, password string = \"bob\", \"[REDACTED]\"",
    ),
    (
        "my ($user, $password) = ('bob', 'x9kQ2z');",
        "my ($user, $password) = ('bob', '[REDACTED]');",
    ),
    ("[$user, $password] = ['bob', 'x9kQ2z'];", "[$user, $password] = ['bob', '[REDACTED]'];"),
    ("secrets: [Summer2024, hunter2]", "secrets: [[REDACTED], [REDACTED]]"),
    ("api_keys = [\"Summer2024\"]", "api_keys = [\"[REDACTED]\"]"),
    // Lists in which some items have quotes.
    ("passwords: [\"ab12cd34\", zx98cv76]", "passwords: [\"[REDACTED]\", [REDACTED]]"),
    ("passwords: [zx98cv76, 'ab12cd34']", "passwords: [[REDACTED], '[REDACTED]']"),
    // The word before says of what the key is.
    ("API key: 3f9a1c7e5b2d80463f9a1c7e5b2d8046", "API key: [REDACTED]"),
    ("Secret Key = \"3f9a1c7e5b2d80463f9a1c7e5b2d8046\"", "Secret Key = \"[REDACTED]\""),
    ("x == password: tiger42", "x == password: [REDACTED]"),
    (
        "docker login --password-stdin=x --password tiger42",
        "docker login --password-stdin=x --password [REDACTED]",
    ),
];

const KEPT: &[&str] = &[
    // Names of constants, variables and types.
    "SECRET_KEY = 'AWS_SECRET_ACCESS_KEY'; HOST_KEY = 'HTTP_HOST'",
    "ACCESS_TOKEN_KEY = 'access_token'",
    "  apiKey: 'OPENAI_API_KEY', SECRET = \"DB_PASSWORD\"",
    "{\"input_token\": \"Marker\", \"output_token\": \"Contents[-1].Key\"}",
    "    TOKEN_COMMENT: \"comment\", TokenKind.BRACKET_L: \"list\"",
    "{\"name\":\"token\",\"value\":\"string\"}",
    // What is compared, chosen or printed.
    "type={show ? \"password\" : \"text\"} type={show?\"password\":\"text\"}",
    "n === 1 ? 'secret' : 'secrets'",
    "if kind == \"password\": return 1",
    "case \"password\": return one",
    "f\"{token:10s} {token:>8s}\"",
    "def f(token: Token=None):",
    "{ROOT_KEY: obj}",
    "password_regex=r'(?:password:)|(?:x)'",
    // Names of things.
    "docker login --username AWS --password-stdin 123456789012.dkr.ecr.us-east-1.amazonaws.com",
    "docker login --username AWS --password-stdin registry.example:5050",
    "arn:aws:secretsmanager:us-east-1:123456789012:secret:prod/db/password-AbCdEf",
    "\"sk-ecdsa-sha2-nistp256 private keys",
    "x-api-key: {pass: 1e5, k: []}",
    "x-api-key: [[[0, 1]]]",
    "passwd: compat\npasswd:         files systemd",
    "pwd: oldDir; s.pwd = dir; PATH=\"`pwd`:$$PATH\"",
    "password: 8-64 characters",
    "the API key: required, the public key: 3f9a1c7e5b2d80463f9a1c7e5b2d8046",
    "user, password = read(\"bob\", \"x9kQ2z\")",
    "user, password, mail = a, b",
];

#[test]
fn values_of_several_names_are_masked() {
    for (text, expected) in MASKED {
        assert_eq!(redact(text), *expected);
        assert_eq!(redact(expected), *expected);
    }
}

#[test]
fn what_is_compared_or_named_stays() {
    for text in KEPT {
        unchanged(text);
    }
}
