//! Somebody who looks on is given what is shown, masked, and no read misses anything for it.

use handrail_pty::{Glimpse, MAX_ONLOOKERS, Waiting};

use crate::support::{Terminal, ms, read, redactor};

const MAX_BYTES: usize = 1 << 16;
const ENTER: &str = "\x1b[?1049h\x1b[H\x1b[2J";

fn glimpse(terminal: &mut Terminal, number: u64) -> Option<Glimpse> {
    let has_news = terminal.session.has_news(number, terminal.now);
    let glimpse = terminal.session.glimpse(number, MAX_BYTES, terminal.now);
    assert_eq!(has_news, glimpse.is_some());
    glimpse
}

fn text(terminal: &mut Terminal, number: u64) -> String {
    glimpse(terminal, number).map_or_else(String::new, |glimpse| glimpse.text)
}

#[test]
fn a_read_and_onlookers_get_the_same_text() {
    let mut terminal = Terminal::new();
    terminal.output("early\r\n$ ");
    terminal.session.shows_line();
    let late = terminal.session.add_onlooker(None).expect("a place");
    let whole = terminal.session.add_onlooker(Some(0)).expect("a place");
    assert_eq!(text(&mut terminal, late), "$ ");
    assert_eq!(text(&mut terminal, whole), "early\n$ ");
    assert_eq!(terminal.read(read()).text, "early\n$ ");
    assert_eq!(terminal.send("echo a", "a\r\n$ ").text, "a\n$ ");
    for number in [late, whole] {
        assert_eq!(text(&mut terminal, number), "\na\n$ ");
        assert_eq!(glimpse(&mut terminal, number), None);
    }
}

#[test]
fn there_is_a_limit_of_onlookers() {
    let mut terminal = Terminal::new();
    let first = terminal.session.add_onlooker(None).expect("a place");
    for _ in 1..MAX_ONLOOKERS {
        assert!(terminal.session.add_onlooker(None).is_some());
    }
    assert_eq!(terminal.session.add_onlooker(None), None);
    terminal.session.remove_onlooker(first);
    assert!(terminal.session.has_news(first, terminal.now), "one that is removed must not wait");
    assert!(terminal.session.add_onlooker(None).is_some());
}

#[test]
fn a_line_is_held_back_until_it_cannot_become_a_secret() {
    let redactor = redactor();
    redactor.add_secret("phrase", "correct-horse-battery").expect("a secret");
    let mut terminal = Terminal::with(&redactor, 1 << 20).waiting(Waiting::No);
    let number = terminal.session.add_onlooker(None).expect("a place");
    let mut told = String::new();
    for byte in "is correct-horse-battery or password=hunter2-hunter2".bytes() {
        terminal.session.output(&[byte], terminal.now);
        told += &text(&mut terminal, number);
    }
    assert!(!told.contains("corr") && !told.contains("hunter2"), "{told:?}");
    assert!(terminal.session.is_holding_line());
    terminal.output("\r\n");
    told += &text(&mut terminal, number);
    assert_eq!(told, "is [REDACTED] or password=[REDACTED]\n");
    // Half a secret before an input is masked too.
    terminal.output("now correct-hor");
    terminal.session.shows_line();
    assert_eq!(text(&mut terminal, number), "now [REDACTED]");
}

#[test]
fn a_line_that_changes_takes_the_place_of_what_was_shown() {
    let mut terminal = Terminal::new();
    let number = terminal.session.add_onlooker(None).expect("a place");
    let mut next = |output: &str| {
        terminal.output(output);
        terminal.session.shows_line();
        let glimpse = glimpse(&mut terminal, number).expect("news");
        (glimpse.text, glimpse.replaces_line, glimpse.back)
    };
    assert_eq!(next("$ echo fox"), ("$ echo fox".to_owned(), false, 0));
    assert_eq!(next("\x08"), ("$ echo fox".to_owned(), true, 1));
    assert_eq!(next("\x1b[K"), ("$ echo fo".to_owned(), true, 0));
    assert_eq!(next("\rprompt"), ("prompt fo".to_owned(), true, 3));
    assert_eq!(next("\r\ndone"), ("\ndone".to_owned(), false, 0));
}

#[test]
fn what_the_history_dropped_is_counted() {
    let mut terminal = Terminal::with(&redactor(), 64);
    let number = terminal.session.add_onlooker(None).expect("a place");
    for line in 100..200 {
        terminal.output(&format!("{line}\r\n"));
    }
    let glimpse = glimpse(&mut terminal, number).expect("news");
    assert_eq!(glimpse.skipped_bytes + glimpse.text.len() as u64, 400);
    assert!(glimpse.text.ends_with("\n198\n199\n") && glimpse.text.len() <= 64);
    assert_eq!(glimpse.cursor, 400);
}

#[test]
fn long_text_comes_in_whole_characters() {
    let mut terminal = Terminal::new();
    let number = terminal.session.add_onlooker(None).expect("a place");
    let lines = "aé€\r\n".repeat(100);
    terminal.output(&lines);
    let mut told = String::new();
    while let Some(glimpse) = terminal.session.glimpse(number, 10, terminal.now) {
        assert!(glimpse.text.len() <= 10 && !glimpse.text.is_empty());
        told += &glimpse.text;
        assert_eq!(glimpse.cursor, told.len() as u64);
    }
    assert_eq!(told, lines.replace('\r', ""));
}

#[test]
fn a_picture_is_shown_when_it_rests() {
    let mut terminal = Terminal::new();
    let number = terminal.session.add_onlooker(None).expect("a place");
    terminal.output(ENTER);
    terminal.output("\x1b[3;11Hhunter2-hunter2");
    assert_eq!(glimpse(&mut terminal, number), None, "its label may follow");
    terminal.output("\x1b[3;2Hpassword=");
    let due = terminal.session.picture_due(number, terminal.now).expect("a picture");
    assert!(due > terminal.now);
    terminal.now = due;
    let first = glimpse(&mut terminal, number).expect("news");
    assert_eq!(first.screen.expect("a picture").text.trim(), "password=[REDACTED]");
    assert_eq!(glimpse(&mut terminal, number), None);
    // One that never rests is shown after a while.
    let mut shown = 0;
    for number_shown in 0..50 {
        terminal.output(&format!("\x1b[1;1H{number_shown}"));
        terminal.now += ms(10);
        shown += usize::from(glimpse(&mut terminal, number).is_some());
    }
    assert!((2..=3).contains(&shown), "{shown}");
    terminal.output("\x1b[?1049l");
    let last = glimpse(&mut terminal, number).expect("the picture is over");
    assert!(!last.is_painted && last.screen.is_none() && last.text.is_empty());
    terminal.output("$ ");
    terminal.session.shows_line();
    assert_eq!(text(&mut terminal, number), "$ ");
}

#[test]
fn what_comes_last_is_shown_whole() {
    let mut terminal = Terminal::new().waiting(Waiting::No);
    let number = terminal.session.add_onlooker(None).expect("a place");
    terminal.output("password=hunter2-hunter2");
    terminal.session.exited(terminal.now);
    assert_eq!(text(&mut terminal, number), "password=[REDACTED]");
    assert_eq!(glimpse(&mut terminal, number), None);
}

#[test]
fn a_line_that_goes_on_is_told_in_pieces_that_are_shorter_than_it() {
    let mut terminal = Terminal::new();
    let number = terminal.session.add_onlooker(Some(0)).expect("a place");
    for (output, told) in
        [("a long line", "a long line"), (" on", " on"), ("\r\n", "\n"), ("$ ", "$ ")]
    {
        terminal.output(output);
        terminal.session.shows_line();
        assert_eq!(text(&mut terminal, number), told);
    }
}
