//! Values written in parts: doubled and joined quotes, blanks and quotes behind a backslash, lists.

use crate::support::{letters, redact_with, stream};
use handrail_redact::{Options, Redactor, WINDOW_BYTES};

const MASKED: &[(&str, &str)] = &[
    ("password: 'it''shunter2Xk9fQ2'", "password: '[REDACTED]'"),
    ("password: 'it''shunter2''x9' # a", "password: '[REDACTED]' # a"),
    ("password: \"a\"\"hunter2Xk9fQ2\"", "password: \"[REDACTED]\""),
    ("ALTER USER u PASSWORD 'it''s9';", "ALTER USER u PASSWORD '[REDACTED]';"),
    (r"password='a'\''hunter2Xk9fQ2' x", "password='[REDACTED]' x"),
    (r#"password='a'"'"'hunter2Xk9fQ2'"#, "password='[REDACTED]'"),
    ("password=\"a\"hunter2Xk9fQ2 x", "password=\"[REDACTED]\"[REDACTED] x"),
    ("password=\"$A\"'hunter2'x, y", "password=\"[REDACTED]\"[REDACTED], y"),
    ("password=''hunter2", "password=''[REDACTED]"),
    ("password = \"\"\"hunter2\"\"\"", "password = \"[REDACTED]\""),
    (r#"{"x": "password=ab\"hunter2Xk9fQ2"}"#, r#"{"x": "password=[REDACTED]"}"#),
    (
        r#"{"x":"{\"password\":12345678901,\"n\":1}"}"#,
        r#"{"x":"{\"password\":[REDACTED],\"n\":1}"}"#,
    ),
    (r"password=a\ hunter2Xk9fQ2 x", "password=[REDACTED] x"),
    (r"password=a\\ hunter2Xk9fQ2", r"password=[REDACTED]\\ hunter2Xk9fQ2"),
    (r"--password a\ hunter2\ c x", "--password [REDACTED] x"),
    // What comes behind the quote is around the value.
    ("\"password='abc9'\" x", "\"password='[REDACTED]'\" x"),
    ("password: \"abc9\".into()", "password: \"[REDACTED]\".into()"),
    ("<a password=\"abc9\"name=\"x\">", "<a password=\"[REDACTED]\"name=\"x\">"),
    ("if(token==\"abc9\"in x)", "if(token==\"[REDACTED]\"in x)"),
    (r#"{"c":"sh -c \"password='abc9'\""}"#, r#"{"c":"sh -c \"password='[REDACTED]'\""}"#),
    (r#"{"c":"echo \"password=abc9\"\nx"}"#, r#"{"c":"echo \"password=[REDACTED]\"\nx"}"#),
    ("password: \"a1b2\"\"c3d4\" -> \"new1\"\n", "password: \"[REDACTED]\" -> \"[REDACTED]\"\n"),
    ("password: \"\"", "password: \"\""),
    ("password: '${A}''${B}'", "password: '${A}''${B}'"),
];

#[test]
fn every_part_is_masked_at_every_split() {
    let redactor = Redactor::new(Options::default()).expect("the default options");
    let wrong: Vec<_> = MASKED
        .iter()
        .map(|(text, expected)| (redact_with(&redactor, text), expected))
        .filter(|(redacted, expected)| redacted != *expected)
        .collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
    for (text, expected) in MASKED {
        assert_eq!(redact_with(&redactor, expected), *expected, "twice");
        for cut in 0..=text.len() {
            let (first, second) = text.as_bytes().split_at(cut);
            assert_eq!(stream(&redactor, &[first, second]), expected.as_bytes(), "{text} {cut}");
        }
    }
}

#[test]
fn a_window_may_end_between_the_parts() {
    let redactor = Redactor::new(Options::default()).expect("the default options");
    for blanks in WINDOW_BYTES - 60..WINDOW_BYTES {
        let text = format!("{}password='a9'\\''{}' x", " ".repeat(blanks), letters(40));
        let redacted = redact_with(&redactor, &text);
        assert!(!redacted.contains(&letters(8)), "{blanks}");
        let pieces: Vec<&[u8]> = text.as_bytes().chunks(997).collect();
        assert!(stream(&redactor, &pieces) == redacted.as_bytes(), "{blanks}");
    }
}
