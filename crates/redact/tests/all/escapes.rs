//! Colours and other sequences of a terminal hide no secret, wherever they stand.

use crate::support::{letters, redact, redact_with, stream};
use handrail_redact::{Options, Redactor};

const RED: &str = "\x1b[1;31m";
const RESET: &str = "\x1b[0m";

fn default() -> Redactor {
    Redactor::new(Options::default()).expect("the default options")
}

fn token() -> String {
    format!("{}{}", "ghp_", letters(36))
}

const SEQUENCES: [&str; 8] =
    [RED, RESET, "\x1b[m", "\x1b[K", "\x1b[38;5;208m", "\x1b[38;2;1;2;3m", "\x1b[?25l", "\x1b(B"];

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

/// A text with sequences is searched in stretches that grow: where one ends makes no difference.
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
    let apart = format!("name: {RED}password{RESET}\n\nvalue\n");
    assert_eq!(redact(&apart), apart);
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

/// A terminal takes the first letter of the value as the end of the sequence, and shows the rest.
#[test]
fn a_value_that_a_sequence_reaches_into_is_found_in_any_pieces() {
    let redactor = default();
    redactor.add_secret("NAME", "correct-horse").expect("a value that is taken");
    let line = "\x1b[<correct-horse \x1b[31mcorrect\x1b[0m-horse\n";
    let filler = "a line of words that nobody has to hide\n".repeat(60);
    for many in ["", &filler] {
        let text = format!("{many}{line}{many}").repeat(3);
        let whole = redact_with(&redactor, &text);
        assert_eq!(whole.matches("[REDACTED]").count(), 6, "{whole:?}");
        assert!(!whole.contains("orrect") && !whole.contains("horse"), "{whole:?}");
        for length in [1, 7, 1_000] {
            let pieces: Vec<&[u8]> = text.as_bytes().chunks(length).collect();
            assert_eq!(stream(&redactor, &pieces), whole.as_bytes(), "pieces of {length}");
        }
    }
}
