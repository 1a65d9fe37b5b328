//! Lines longer than a window are read as if they were whole, wherever a window ends in them.

use crate::support::{letters, redact_with, stream};
use handrail_redact::{HOLD_BYTES, Options, Redactor, WINDOW_BYTES};

const MASK: &str = "[REDACTED]";

fn redactor() -> Redactor {
    let options = Options {
        secrets: vec![("A".to_owned(), "correct-horse-battery".to_owned())],
        substrings: vec!["NEEDLE".to_owned()],
        patterns: vec!["ref-[0-9]+x?".to_owned()],
        ..Options::default()
    };
    Redactor::new(options).expect("valid options")
}

/// Whole, again and in pieces, `text` becomes `expected`.
#[track_caller]
fn becomes(redactor: &Redactor, text: &str, expected: &str, what: &str) {
    assert!(redact_with(redactor, text) == expected, "{what}");
    assert!(redact_with(redactor, expected) == expected, "{what}, twice");
    for size in [997, 4_096, WINDOW_BYTES - 1, WINDOW_BYTES, WINDOW_BYTES + 1] {
        let pieces: Vec<&[u8]> = text.as_bytes().chunks(size).collect();
        assert!(stream(redactor, &pieces) == expected.as_bytes(), "{what} in {size}");
    }
}

/// A secret at every offset around the borders of the windows of a long line is masked.
#[test]
fn no_secret_is_lost_at_a_border() {
    let redactor = redactor();
    let secrets = ["password=hunter2hunter2", "correct-horse-battery", "NEEDLE", "ref-123456"];
    for base in [WINDOW_BYTES - HOLD_BYTES, WINDOW_BYTES] {
        for shift in 0..60 {
            for secret in secrets {
                let mut text = "ab ".repeat(base / 3 + 1);
                text.truncate(base - 30 + shift);
                let text = format!("{text} {secret}{}", " tail".repeat(2000));
                let redacted = redact_with(&redactor, &text);
                let value = secret.rsplit('=').next().expect("a part");
                let end = &value[value.len() - 4..];
                assert!(!redacted.contains(end), "{secret} at {base} {shift}");
                assert!(redacted.contains("[REDACTED] tail"), "{secret} at {base} {shift}");
            }
        }
    }
}

/// A value of any length is one mask, and what follows it is read again.
#[test]
fn a_value_of_any_length_is_one_mask() {
    let redactor = redactor();
    for length in [WINDOW_BYTES - HOLD_BYTES, WINDOW_BYTES, 3 * WINDOW_BYTES + 17] {
        for (before, kept, after) in [
            ("password=", "password=", " x token=abc\n"),
            ("{\"password\": \"", "{\"password\": \"", "\", \"secret\": \"abc\"}\n"),
            ("ghp_", "", "!\n"),
        ] {
            let text = format!("{before}{}{after}", letters(length));
            let expected = format!("{kept}{MASK}{}", after.replace("abc", MASK));
            becomes(&redactor, &text, &expected, &format!("{before} {length}"));
        }
    }
}

#[test]
fn a_private_key_of_any_length_is_one_mask() {
    let begin = format!("-----BEGIN {} KEY-----", "PRIVATE");
    let text = format!("x {begin}\\n{}\" rest password=hunter2\nnext\n", letters(300_000));
    let expected = format!("x {begin}{MASK}\" rest password={MASK}\nnext\n");
    becomes(&redactor(), &text, &expected, "a long line");
    let text = format!("{begin}\n{}the end of it.\n", format!("{}\n", letters(64)).repeat(5_000));
    becomes(&redactor(), &text, &format!("{begin}\n{MASK}\nthe end of it.\n"), "many lines");
}

#[test]
fn a_block_of_any_length_is_one_mask() {
    let lines = format!("  {}\n\n", letters(100)).repeat(2_000);
    let long = format!("  {}\n", letters(3 * WINDOW_BYTES + 17));
    for (body, shown) in [
        (lines, format!("  {MASK}\n\n").repeat(2_000)),
        (long.clone(), format!("  {MASK}\n")),
        (format!("  hunter2\n{long}"), format!("  {MASK}\n").repeat(2)),
    ] {
        let text = format!("a: 1\npassword: |\n{body}next: token=abc\n");
        let expected = format!("a: 1\npassword: |\n{shown}next: token={MASK}\n");
        becomes(&redactor(), &text, &expected, "a block");
        let findings = redactor().scan(text.as_bytes());
        let last = findings.last().expect("the token");
        assert_eq!(&text[last.start..last.end], "abc");
    }
}

/// Backslashes of the closing quote stay, wherever a window ends.
#[test]
fn an_escaped_value_keeps_its_quotes() {
    let redactor = redactor();
    for (open, close) in [(r#"\""#, r#"\""#), (r#"\\\""#, r#"\\\""#), (r#"\\\""#, r#"\""#)] {
        for length in (WINDOW_BYTES - 40..WINDOW_BYTES + 4).chain([2 * WINDOW_BYTES]) {
            let text = format!("{{password{open}:{open}{}{close}, token=abc\n", letters(length));
            let expected = format!("{{password{open}:{open}{MASK}{close}, token={MASK}\n");
            becomes(&redactor, &text, &expected, &format!("{open} {length}"));
        }
    }
}

#[test]
fn a_value_in_parts_shows_none() {
    let redactor = redactor();
    for blanks in WINDOW_BYTES - 60..WINDOW_BYTES {
        let text = format!("{}password='a9'\\''{}' x", " ".repeat(blanks), letters(40));
        let redacted = redact_with(&redactor, &text);
        assert!(!redacted.contains(&letters(8)), "{blanks}");
        let pieces: Vec<&[u8]> = text.as_bytes().chunks(997).collect();
        assert!(stream(&redactor, &pieces) == redacted.as_bytes(), "{blanks}");
    }
}

#[test]
fn sequences_of_a_terminal_are_seen() {
    let token = format!("ghp_{}", letters(36));
    let coloured = |text: &str| format!("\x1b[1;31m{text}\x1b[0m");
    for before in (WINDOW_BYTES - 100..WINDOW_BYTES + 10).step_by(7) {
        let line = |token: &str, password: &str| {
            format!(
                "{}{} password: {} x",
                "ab ".repeat(before / 3),
                coloured(token),
                coloured(password)
            )
        };
        becomes(&redactor(), &line(&token, "hunter2"), &line(MASK, MASK), &before.to_string());
    }
}

/// The characters around the part of base64 that depends on a known value alone hold bits of it, too.
#[test]
fn a_run_of_base64_of_any_length_is_masked() {
    let redactor = redactor();
    let run = "Y29ycmVjdC1ob3JzZS1iYXR0ZXJ5";
    let text = format!("a {}{run}=={} b\n", "A".repeat(100_000), "B".repeat(100_000));
    let expected = redact_with(&redactor, &text);
    assert!(expected.ends_with("A[REDACTED] b\n") || expected == "a [REDACTED] b\n");
    becomes(&redactor, &text, &expected, "a run");
}
