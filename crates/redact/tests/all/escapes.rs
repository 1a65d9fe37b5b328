//! Colours and other sequences of a terminal hide no secret, wherever they stand.

use crate::support::{letters, redact, redact_with, stream, unchanged};
use handrail_redact::{Options, Redactor, WINDOW_BYTES};

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

/// As documents and programs write them.
const SPELLED: [&str; 5] = ["\\u001b[31m", "\\u001B[0m", "\\x1b[1m", "\\033[0;32m", "\\e[1m"];

#[test]
fn a_value_is_masked_behind_every_sequence_at_every_split() {
    let redactor = default();
    for sequence in SEQUENCES.into_iter().chain(SPELLED) {
        for (text, expected) in MASKED {
            let text = text.replace('*', sequence);
            let expected = expected.replace('*', sequence);
            let redacted = redact_with(&redactor, &text);
            assert_eq!(redacted, expected, "{text:?}");
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
fn a_known_value_is_masked_with_a_sequence_anywhere_in_it() {
    for value in [&letters(20), "correct horse battery", "p@ss!w0rd.Value#9 and more"] {
        let options = Options {
            secrets: vec![("OWN".into(), value.to_owned())],
            substrings: vec!["need.le no".into()],
            rules: handrail_redact::Rules::None,
            ..Options::default()
        };
        let redactor = Redactor::new(options).expect("a good value");
        for sequence in SEQUENCES {
            for (text, value) in [(value, "[REDACTED]"), ("need.le no", "[REDACTED]")] {
                for place in 1..text.len() {
                    let (first, second) = text.split_at(place);
                    let redacted =
                        redact_with(&redactor, &format!("is {first}{sequence}{second}\n"));
                    assert_eq!(redacted, format!("is {value}\n"), "{place} {sequence:?}");
                }
            }
        }
    }
}

/// Every sequence that is one to us is noticed where nothing else is, and what it stands before is whole.
#[test]
fn a_token_behind_any_sequence_is_masked() {
    let token = token();
    for sequence in [
        "\x1b[C",
        "\x1b[A",
        "\x1b[P",
        "\x1b[s",
        "\x1b[u",
        "\x1b[r",
        "\x1b[l",
        "\x1b[L",
        "\x1b[X",
        "\x1b[>c",
        "\x1b[=1h",
        "\x1b(A",
        "\x1b)0",
        "\x1b7",
        "\x1b8",
        "\x1b=",
        "\x1b>",
        "\\33[1m",
        "\\\\u001b[1m",
    ] {
        let redacted = redact(&format!("{sequence}{token}\n"));
        assert_eq!(redacted, format!("{sequence}[REDACTED]\n"), "{sequence:?}");
        // What stands behind it in the line is nothing to it.
        let redacted = redact(&format!("{token} a{sequence}b\n"));
        assert_eq!(redacted, format!("[REDACTED] a{sequence}b\n"), "{sequence:?}");
    }
}

#[test]
fn documents_stay_whole() {
    for (text, masked) in [
        (r#"{"password":"hunter2\\e[0m"}"#, r#"{"password":"[REDACTED]\\e[0m"}"#),
        (r#"{"password":"hunter2\u001b[0m"}"#, r#"{"password":"[REDACTED]\u001b[0m"}"#),
        (
            r#"{"log":"{\"password\":\"hunter2\\u001b[0m\"}"}"#,
            r#"{"log":"{\"password\":\"[REDACTED]\\u001b[0m\"}"}"#,
        ),
        (
            r#"{"log":"\u001b[36mpassword\u001b[0m=\u001b[1mhunter2\u001b[0m\n"}"#,
            r#"{"log":"\u001b[36mpassword\u001b[0m=\u001b[1m[REDACTED]\u001b[0m\n"}"#,
        ),
    ] {
        assert_eq!(redact(text), masked);
        assert_eq!(redact(masked), masked);
    }
}

/// What a pause shows is not masked when the line goes on.
#[test]
fn a_pause_behind_a_sequence_shows_no_part() {
    let known = Options {
        secrets: vec![("OWN".into(), "correct horse battery".into())],
        ..Options::default()
    };
    let redactor = Redactor::new(known).expect("a good value");
    let token = token();
    let (first, second) = token.split_at(14);
    for (begun, rest) in [
        ("cor\x1b[mrect ".to_owned(), "horse battery\n".to_owned()),
        ("correct ho\x1b[1mrse ".to_owned(), "battery\n".to_owned()),
        ("correct\x1b[31m horse battery ".to_owned(), "a\x1b[0mb\n".to_owned()),
        (format!("{first}\x1b7{second} "), "a\x1b[0mb\n".to_owned()),
        (format!("{first}\x1b[3"), format!("1m{second}\n")),
        (format!("{first}\\u00"), format!("1b[1m{second}\n")),
        ("\x1b[1mPassword:\x1b[0m ".to_owned(), "hunter2\n".to_owned()),
    ] {
        let mut stream = redactor.stream();
        let mut shown = Vec::new();
        stream.push(begun.as_bytes(), &mut |bytes| shown.extend_from_slice(bytes));
        stream.idle(&mut |bytes| shown.extend_from_slice(bytes));
        let at_pause = shown.len();
        stream.push(rest.as_bytes(), &mut |bytes| shown.extend_from_slice(bytes));
        stream.finish(&mut |bytes| shown.extend_from_slice(bytes));
        let whole = redact_with(&redactor, &(begun.clone() + &rest));
        assert_eq!(String::from_utf8_lossy(&shown), whole, "{begun:?}");
        if begun.contains("Password") {
            assert_eq!(at_pause, begun.len(), "a prompt is shown");
        }
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

/// Few coloured lines are searched apart from the others, many with them: that makes no difference.
#[test]
fn a_coloured_line_is_redacted_alike_among_few_and_among_many() {
    let token = token();
    let key = format!("-----BEGIN {} KEY-----", "PRIVATE");
    let lines = [
        format!("{RED}password{RESET}: {RED}hunter2{RESET}\n"),
        format!("{RED}{token}{RESET} a\n"),
        format!("{RED}name{RESET}: password\nvalue: {RED}x1y2{RESET}\n"),
        format!("pass{RED}word: |\n  x1y2z3\n  a9b8c7\nend\n"),
        format!("{RED}{key}{RESET}\n{}\nend\n\n", letters(64)),
        "password: |\n  x1y2z3\nend\n".to_owned(),
        "plain key=value and password=hunter2\n".to_owned(),
        format!("{RED}INFO{RESET} nothing of note\n"),
        // Names that are whole only as they are shown, with sequences at every place of them.
        format!("p{RED}assword: hunter2\n"),
        format!("passwor{RED}{RESET}d: hunter2\n"),
        format!("{RESET}p{RESET}a{RESET}ssword: hunter2\n"),
        format!("to\\\\u001b[1mken: {RED}hunter2\n"),
        format!("\\{RED}password: hunter2\n"),
        format!("password: hunter2{RED} and then\n"),
    ];
    let redactor = default();
    let filler = "a line of words that nobody has to hide from anybody\n".repeat(30);
    for (first, second) in lines.iter().flat_map(|one| lines.iter().map(move |two| (one, two))) {
        let apart = |line: &String| redact_with(&redactor, line);
        for many in ["", &filler] {
            let text = format!("{first}{many}{second}{many}{first}{many}").repeat(4);
            let expected = [&apart(first), many, &apart(second), many, &apart(first), many];
            let expected = expected.concat().repeat(4);
            assert_eq!(redact_with(&redactor, &text), expected, "{first:?} {second:?}");
            for pieces in [7, 1_000, 5_000] {
                let pieces: Vec<&[u8]> = text.as_bytes().chunks(pieces).collect();
                assert_eq!(stream(&redactor, &pieces), expected.as_bytes());
            }
        }
    }
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
