//! Places in files named after a secret stay; values that only look like one do not.

use crate::support::{redact_with, stream};
use handrail_redact::{Options, Redactor};

const KEPT: &[&str] = &[
    "src/token.c:1:22: error: 'x' undeclared",
    "src/token.c:12: warning: unused\n",
    "In file included from src/token.h:12,",
    "src/token.c:12:return x;",
    "src/token.c:1:main(){ return x; }",
    "src/secret.rs:120: let x",
    "   --> src/credentials.rs:12:5",
    "at f (/w/src/token.js:12:5)",
    "at f (file:///w/token.mjs:3:14)",
    "at a.b.Token.main(Token.java:12)",
    "thread 'main' panicked at src/token.rs:120:13:\nx",
    "./password.py:12: in f",
    "in /w/Token.cs:line 12",
    "api_key.rs:1:1",
    "api_key.test.ts:1:1 - error TS2304: x",
    "C:\\w\\token.cpp:12:5: error",
    "{\"at\":\"src/token.ts:12:5\\nnext\"}",
    "authorization.rs:12:5: error",
    "auth.rs:12:5: error",
    "\"src/password.yml:12\"",
    "notes/password.txt:12: the old one",
    "notes/password.txt:12",
    "./bin/token: 12: Syntax error",
    "token.sh: line 12: x: command not found",
    "bin/secret:12: exit 1",
    "src/token.zzz:12:5: error",
    "src/password.py:x = 1",
    "./src/api_key.ts:export const a = f(b1);",
];

const MASKED: &[(&str, &str)] = &[
    ("password.txt: hunter2Xk9", "password.txt: [REDACTED]"),
    ("password.txt:hunter2Xk9", "password.txt:[REDACTED]"),
    ("password.txt:12:hunter2Xk9", "password.txt:12:[REDACTED]"),
    ("password.txt:12:5:hunter2Xk9", "password.txt:12:5:[REDACTED]"),
    ("password.c:hunter2Xk9", "password.c:[REDACTED]"),
    ("password.c:12hunter", "password.c:[REDACTED]"),
    ("password.c:12_ab", "password.c:[REDACTED]"),
    ("password.c:123456789", "password.c:[REDACTED]"),
    ("password.c: 1234", "password.c: [REDACTED]"),
    ("password.c=1234", "password.c=[REDACTED]"),
    ("password: 1234: x", "password: [REDACTED] x"),
    ("a/password: 1234", "a/password: [REDACTED]"),
    ("db.password:1234", "db.password:[REDACTED]"),
    ("db.password:12:34", "db.password:[REDACTED]"),
    ("a/password:1234", "a/password:[REDACTED]"),
    ("password:12:34", "password:[REDACTED]"),
    ("src/password.py:password = \"hunter2\"", "src/password.py:password = \"[REDACTED]\""),
    ("src/token.c:12: token = \"hunter2\"", "src/token.c:12: token = \"[REDACTED]\""),
    ("src/token.c:12:password=hunter2", "src/token.c:12:password=[REDACTED]"),
];

#[test]
fn a_place_stays_and_a_value_does_not_at_every_split() {
    let redactor = Redactor::new(Options::default()).expect("the default options");
    let cases = KEPT.iter().map(|text| (text, text)).chain(MASKED.iter().map(|(a, b)| (a, b)));
    let wrong: Vec<_> = cases
        .clone()
        .map(|(text, expected)| (redact_with(&redactor, text), expected))
        .filter(|(redacted, expected)| redacted != *expected)
        .collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
    for (text, expected) in cases {
        assert_eq!(redact_with(&redactor, expected), *expected, "twice");
        for cut in 0..=text.len() {
            let (first, second) = text.as_bytes().split_at(cut);
            assert_eq!(stream(&redactor, &[first, second]), expected.as_bytes(), "{text} {cut}");
        }
    }
}
