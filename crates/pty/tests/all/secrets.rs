//! No secret in an answer or in the history, wherever it was cut.

use handrail_pty::{Read, Until, Waiting};

use crate::support::{Terminal, read, redactor};

/// In parts, so that it is none here.
fn token() -> String {
    ["gh", "p_", "a7Kq2Zx9Lm4Wt6Rb8Yc1Nv3Hd5Jf0Pg7Kq2Z"].concat()
}

const KNOWN: &str = "correct-horse-battery";

fn now() -> Read {
    Read { until: Until::Now, ..read() }
}

#[test]
fn a_secret_is_masked_wherever_it_is_cut() {
    let text = format!("token {} end\n", token());
    for cut in 1..text.len() {
        let mut terminal = Terminal::new().waiting(Waiting::No);
        let mut told = String::new();
        for piece in [&text[..cut], &text[cut..]] {
            terminal.output(piece);
            told += &terminal.read(now()).text;
        }
        assert_eq!(told, "token [REDACTED] end\n", "{cut}");
        assert_eq!(terminal.history(), told);
    }
}

#[test]
fn a_secret_in_a_prompt_is_masked() {
    for waiting in [Waiting::Only, Waiting::Unknown, Waiting::No] {
        let mut terminal = Terminal::new().waiting(waiting);
        terminal.output(&format!("{}$ ", token()));
        let answer = terminal.read(read());
        assert!(!answer.text.contains("a7Kq2"), "{waiting:?} {answer:?}");
        assert!(!terminal.history().contains("a7Kq2"));
        if waiting == Waiting::Only {
            assert_eq!((answer.text.as_str(), answer.redactions), ("[REDACTED]$ ", 1));
        }
    }
}

#[test]
fn an_echo_with_a_secret_is_not_part_of_the_answer() {
    let mut terminal = Terminal::new();
    terminal.output("$ ");
    terminal.read(read());
    let input = format!("export T={}", token());
    let answer = terminal.send(&input, &format!("{input}\r\n$ "));
    assert_eq!(answer.text, "$ ");
    assert_eq!(terminal.history(), "$ \nexport T=[REDACTED]\n$ ");
}

#[test]
fn the_beginning_of_a_known_value_is_held_back_in_a_prompt() {
    let redactor = redactor();
    redactor.add_secret("k", KNOWN).unwrap();
    let mut terminal = Terminal::with(&redactor, 1 << 20);
    terminal.output(&KNOWN[..10]);
    let answer = terminal.read(read());
    assert_eq!(answer.text, "[REDACTED]");
    terminal.output(&format!("{}\n$ ", &KNOWN[10..]));
    assert!(!terminal.read(read()).text.contains("horse"));
    assert_eq!(terminal.history(), "[REDACTED]\n$ ");
}

#[test]
fn a_secret_that_joins_later_is_masked_in_what_is_given_out() {
    let redactor = redactor();
    let mut terminal = Terminal::with(&redactor, 1 << 20);
    terminal.output(&format!("a {KNOWN} b\n"));
    redactor.add_secret("k", KNOWN).unwrap();
    assert_eq!(terminal.history(), "a [REDACTED] b\n");
    terminal.output("$ ");
    assert_eq!(terminal.read(read()).text, "a [REDACTED] b\n$ ");
    assert_eq!(terminal.history(), "a [REDACTED] b\n$ ");
    // What is left of it at the border of the ring, and behind a cursor.
    let cut = terminal.session.history(Some(8)).text;
    assert_eq!(cut, "[REDACTED] b\n$ ");
}

#[test]
fn a_ring_that_wraps_shows_no_part_of_a_secret() {
    for size in 8..60 {
        let mut terminal = Terminal::with(&redactor(), size);
        terminal.output(&format!("some text {} and more\n", token()));
        assert!(!terminal.history().contains("Kq2"), "{size}");
    }
}

#[test]
fn a_private_key_goes_on_behind_an_input() {
    let body = "MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQC7VJTUt9Us8cKj";
    let begin = ["-----BEGIN ", "PRIVATE KEY-----\n"].concat();
    let mut terminal = Terminal::new();
    terminal.output(&format!("{begin}{body}\n"));
    assert!(!terminal.read(read()).text.contains("MIIE"));
    let answer = terminal.send("more", &format!("{body}\n"));
    assert!(!answer.text.contains("MIIE"), "{answer:?}");
    assert!(!terminal.history().contains("MIIE"));
}

#[test]
fn the_second_half_of_a_secret_is_masked_after_an_input_too() {
    let redactor = redactor();
    redactor.add_secret("k", KNOWN).unwrap();
    for (first, second, before) in [
        (&KNOWN[..10], &KNOWN[10..], ""),
        ("password=hunter2", "-hunter3", "password="),
        ("user: a\ntoken=abc4", "def5ghi6", "user: a\ntoken="),
    ] {
        let mut terminal = Terminal::with(&redactor, 1 << 20);
        terminal.output(first);
        assert_eq!(terminal.read(read()).text, format!("{before}[REDACTED]"));
        let answer = terminal.send("", &format!("{second}\nwelcome\n$ "));
        assert_eq!(answer.text, "welcome\n$ ", "{second}");
        assert_eq!(terminal.history(), format!("{before}[REDACTED]\nwelcome\n$ "));
    }
    // A line that does not end in a mask ends before an input.
    let mut terminal = Terminal::with(&redactor, 1 << 20);
    terminal.output(&format!("key [{KNOWN}]: "));
    terminal.read(read());
    assert_eq!(terminal.send("", "-battery\n$ ").text, "-battery\n$ ");
    assert_eq!(terminal.history(), "key [[REDACTED]]: \n-battery\n$ ");
}
