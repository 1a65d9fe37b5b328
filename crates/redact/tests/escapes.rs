//! Colours and other sequences of a terminal hide no secret, wherever they stand.

mod support;

use handrail_redact::{Options, Redactor, WINDOW_BYTES};
use support::{letters, redact, redact_with, stream, unchanged};

const RED: &str = "\x1b[1;31m";
const RESET: &str = "\x1b[0m";

fn default() -> Redactor {
    Redactor::new(Options::default()).expect("the default options")
}

fn token() -> String {
    format!("{}{}", "ghp_", letters(36))
}

/// `*` stands for a sequence.
const MASKED: &[(&str, &str)] = &[
    ("password: *hunter2*", "password: *[REDACTED]*"),
    ("*password*: hunter2", "*password*: [REDACTED]"),
    ("*password=*hunter2* ok", "*password=*[REDACTED]* ok"),
    ("*password=*\"hunter2\"", "*password=*\"[REDACTED]\""),
    ("*password*=*hunter2* (a)", "*password*=*[REDACTED]* (a)"),
    ("Authorization: *Bearer* a7Kq2Zx9Lm4W", "Authorization: *Bearer* [REDACTED]"),
    (
        "{*\"password\"*: *\"hunter2\"*, *\"n\"*: *1*}",
        "{*\"password\"*: *\"[REDACTED]\"*, *\"n\"*: *1*}",
    ),
    ("login --password *hunter2*", "login --password *[REDACTED]*"),
    ("postgres://app:*hunter2*@db/x", "postgres://app:*[REDACTED]*@db/x"),
    // What goes over a sequence takes it along.
    ("password=hun*ter2 x", "password=[REDACTED] x"),
    ("pass*word*: hunter2", "pass*word*: [REDACTED]"),
    // Nothing of this is a secret.
    ("*INFO* keys *12* of *40*", "*INFO* keys *12* of *40*"),
    ("password: *${PASSWORD}*", "password: *${PASSWORD}*"),
    ("token: *null*", "token: *null*"),
];

const SEQUENCES: [&str; 8] =
    [RED, RESET, "\x1b[m", "\x1b[K", "\x1b[38;5;208m", "\x1b[38;2;1;2;3m", "\x1b[?25l", "\x1b(B"];

/// As documents and programs write them. A value may begin with one, which is masked with it then.
const SPELLED: [&str; 5] = ["\\u001b[31m", "\\u001B[0m", "\\x1b[1m", "\\033[0;32m", "\\e[1m"];

#[test]
fn a_value_is_masked_behind_every_sequence_at_every_split() {
    let redactor = default();
    for sequence in SEQUENCES.into_iter().chain(SPELLED) {
        for (text, expected) in MASKED {
            let text = text.replace('*', sequence);
            let expected = expected.replace('*', sequence);
            let redacted = redact_with(&redactor, &text);
            if SPELLED.contains(&sequence) {
                assert!(!redacted.contains("ter2") && !redacted.contains("a7Kq"), "{redacted}");
            } else {
                assert_eq!(redacted, expected, "{text:?}");
            }
            assert_eq!(redact_with(&redactor, &redacted), redacted, "twice: {text:?}");
            for cut in 0..=text.len() {
                let (first, second) = text.as_bytes().split_at(cut);
                let shown = stream(&redactor, &[first, second]);
                assert_eq!(String::from_utf8_lossy(&shown), redacted, "{text:?} {cut}");
            }
        }
    }
}

#[test]
fn a_token_is_masked_with_a_sequence_anywhere_in_it() {
    let token = token();
    for place in 0..=token.len() {
        for sequence in [RED, RESET, "\\u001b[1m"] {
            let (first, second) = token.split_at(place);
            let text = format!("created {RED}{first}{sequence}{second}{RESET} now\n");
            let redacted = redact(&text);
            assert!(redacted.contains("[REDACTED]"), "{place} {redacted:?}");
            assert!(!redacted.contains(&token[token.len() - 4..]), "{place} {redacted:?}");
            assert!(!redacted.contains(&token[4..8]), "{place} {redacted:?}");
            assert_eq!(redact(&redacted), redacted, "{place}");
        }
    }
}

#[test]
fn a_known_value_is_masked_with_a_sequence_in_it() {
    let value = letters(20);
    let redactor = Redactor::new(Options {
        secrets: vec![("OWN".into(), value.clone())],
        rules: handrail_redact::Rules::None,
        ..Options::default()
    })
    .expect("a good value");
    for place in 1..value.len() {
        let (first, second) = value.split_at(place);
        let redacted = redact_with(&redactor, &format!("is {first}{RED}{second}\n"));
        assert_eq!(redacted, "is [REDACTED]\n", "{place}");
    }
}

#[test]
fn a_line_longer_than_a_window_is_searched_as_well() {
    let token = token();
    for before in (WINDOW_BYTES - 100..WINDOW_BYTES + 10).step_by(7) {
        let filler = "ab ".repeat(before / 3);
        let text = format!("{filler}{RED}{token}{RESET} and password: {RED}hunter2{RESET} x");
        let redacted = redact(&text);
        let expected =
            format!("{filler}{RED}[REDACTED]{RESET} and password: {RED}[REDACTED]{RESET} x");
        assert!(redacted == expected, "{before}: {:?}", &redacted[redacted.len() - 120..]);
    }
}

#[test]
fn findings_are_places_of_the_text() {
    let text = format!("{RED}password{RESET}={RED}hun{RESET}ter2 x\n{RED}{}{RESET}", token());
    let redactor = default();
    let mut redacted = text.clone();
    for finding in redactor.scan(text.as_bytes()).iter().rev() {
        redacted.replace_range(finding.start..finding.end, "[REDACTED]");
    }
    assert_eq!(redacted, redact(&text));
    let masked = format!("{RED}password{RESET}={RED}[REDACTED] x\n{RED}[REDACTED]{RESET}");
    assert_eq!(redacted, masked);
}

/// What was cut off, or carries text of its own, takes nothing out of sight.
#[test]
fn what_is_no_sequence_hides_nothing() {
    let token = token();
    for begin in ["\x1b[", "\x1b[', '", "\x1b[1;", "\x1b", "\x1b]8;;"] {
        let redacted = redact(&format!("{begin}{token}\n"));
        assert!(!redacted.contains(&token[8..]), "{begin:?} {redacted:?}");
        let redacted = redact(&format!("{begin}password=hunter2\n"));
        assert!(!redacted.contains("hunter2"), "{begin:?} {redacted:?}");
    }
    let link = format!("\x1b]8;;https://app:hunter2@host/\x1b\\link {token}\x1b]8;;\x1b\\\n");
    let redacted = redact(&link);
    assert!(!redacted.contains("hunter2") && !redacted.contains(&token), "{redacted:?}");
}

#[test]
fn lines_do_not_change_each_other() {
    unchanged(&format!("name: {RED}password{RESET}\n\nvalue\n"));
    let lines = [
        format!("name: {RED}password{RESET}\n"),
        "nothing\n".to_owned(),
        format!("value: {RED}x{RESET}\n"),
        format!("password: {RED}hunter2{RESET}\n"),
    ];
    for (first, second) in lines.iter().flat_map(|one| lines.iter().map(move |two| (one, two))) {
        let between = "\n\n".to_owned();
        let apart = redact(first) + &between + &redact(second);
        assert_eq!(redact(&(first.clone() + &between + second)), apart);
    }
}
