//! What belongs to an answer.

use handrail_pty::{Read, Reason, Shown, Step, Waiting};

use crate::support::{Terminal, ms, read};

#[test]
fn the_answer_is_what_came_behind_the_input() {
    // The input, what the program writes, the answer.
    for (input, reply, text) in [
        ("echo hi", "hi\r\n$ ", "hi\n$ "),
        ("echo hi", "echo hi\r\nhi\r\n$ ", "hi\n$ "),
        ("echo hi", "\r$ echo hi\r\nhi\r\n$ ", "hi\n$ "),
        ("echo hi", "echo hi\r\necho hi\r\n$ ", "echo hi\n$ "),
        ("a\nb", "a\r\nb\r\n1\r\n$ ", "1\n$ "),
        ("a\nb", "a\r\n1\r\n$ b\r\n2\r\n$ ", "1\n$ b\n2\n$ "),
        ("echo 'x", "echo 'x\r\n> ", "> "),
        ("p", "10%\r20%\r100%\r\n$ ", "100%\n$ "),
        ("p", "10%\r\x1b[K$ ", "$ "),
        ("p", "no echo", "no echo"),
        ("p", "printed $ in the middle\nreal\n$ ", "printed $ in the middle\nreal\n$ "),
    ] {
        let mut terminal = Terminal::new();
        terminal.output("hello\n$ ");
        assert_eq!(terminal.read(read()).text, "hello\n$ ");
        let answer = terminal.send(input, reply);
        assert_eq!(answer.text, text, "{input:?} {reply:?}");
        assert!(answer.sent && answer.confirmed && answer.skipped_bytes == 0, "{answer:?}");
        assert_eq!(terminal.written, format!("{input}\n").as_bytes());
        assert!(terminal.history().starts_with("hello\n$ \n"), "{:?}", terminal.history());
        assert_eq!(answer.cursor, terminal.session.end());
    }
}

#[test]
fn what_is_no_echo_is_not_taken_for_one() {
    // Who shows the input, the input, what the program writes, the answer.
    for (shown, input, reply, text) in [
        // As `cat` does.
        (Shown::No, "hi", "hi\r\n", "hi\n"),
        (Shown::No, "hi", "\r\nhi\r\n", "\nhi\n"),
        (Shown::ByTerminal, "hi", "hi\r\nhi\r\n", "hi\n"),
        (Shown::ByTerminal, "hi", "\r\nho\r\n", "\nho\n"),
        // A line editor that shows nothing ends the line nevertheless.
        (Shown::ByProgram, "hi", "\r\nho\r\n", "ho\n"),
        (Shown::ByProgram, "hi", "\r\n\r\nho\r\n", "\nho\n"),
        (Shown::ByProgram, "hi", "hi\r\n\r\nho\r\n", "\nho\n"),
    ] {
        let mut terminal = Terminal::new();
        terminal.shown = shown;
        terminal.output("$ ");
        terminal.read(read());
        assert_eq!(terminal.send(input, reply).text, text, "{shown:?} {reply:?}");
    }
}

#[test]
fn an_echo_that_wraps_is_found() {
    let mut terminal = Terminal::new();
    terminal.output("$ ");
    terminal.read(read());
    let input = "x".repeat(100);
    // As readline writes it on 80 columns: the prompt takes two of the first row.
    let (row, rest) = input.split_at(78);
    let reply = format!("{row}{} \r{rest}\r\nout\r\n$ ", "");
    let answer = terminal.send(&input, &reply);
    assert_eq!(answer.text, "out\n$ ");
}

#[test]
fn late_output_is_skipped_and_stays_in_the_history() {
    let mut terminal = Terminal::new().waiting(Waiting::No);
    terminal.output("$ ");
    let answer = terminal.send("early", "");
    assert_eq!((answer.reason, answer.sent), (Reason::Timeout, false));
    assert_eq!(answer.text, "$ ");
    assert!(terminal.written.is_empty());
    terminal.output("late\n$ ");
    terminal.look.waiting = Waiting::Only;
    let answer = terminal.send("next", "NEXT\n$ ");
    assert_eq!((answer.text.as_str(), answer.reason), ("NEXT\n$ ", Reason::Marker));
    assert_eq!(answer.skipped_bytes, "late\n$ ".len() as u64);
    assert_eq!(terminal.history(), "$ late\n$ \nNEXT\n$ ");
}

#[test]
fn a_send_waits_for_late_output_to_end() {
    let mut terminal = Terminal::new().waiting(Waiting::No);
    terminal.output("$ ");
    terminal.session.begin_send(b"b\n".to_vec(), read(), terminal.now);
    for _ in 0..30 {
        match terminal.session.step(terminal.now) {
            Step::Wait(at) => terminal.now = at.unwrap(),
            Step::Look => terminal.session.looked(terminal.look, terminal.now),
            step => panic!("{step:?}"),
        }
    }
    terminal.output("late of a\n$ ");
    terminal.look.waiting = Waiting::Only;
    assert_eq!(terminal.run("of b\n$ ").text, "of b\n$ ");
}

#[test]
fn a_part_is_given_when_the_time_is_up_and_the_rest_later() {
    let mut terminal = Terminal::new();
    terminal.output("$ ");
    terminal.read(read());
    terminal.session.begin_send(b"slow\n".to_vec(), read(), terminal.now);
    terminal.look.waiting = Waiting::Only;
    while !matches!(terminal.session.step(terminal.now), Step::Write(_)) {
        terminal.now += ms(1);
        terminal.session.looked(terminal.look, terminal.now);
    }
    terminal.session.written(terminal.now);
    terminal.look.waiting = Waiting::No;
    terminal.output("one\ntwo");
    let answer = terminal.run("");
    assert_eq!((answer.text.as_str(), answer.reason), ("one\n", Reason::Timeout));
    assert!(answer.sent);
    terminal.output("!\n$ ");
    terminal.look.waiting = Waiting::Only;
    assert_eq!(terminal.read(read()).text, "two!\n$ ");
}

#[test]
fn what_was_told_of_a_line_is_not_told_again() {
    let mut terminal = Terminal::new();
    terminal.output("Name: ");
    assert_eq!(terminal.read(read()).text, "Name: ");
    terminal.output("bob\n$ ");
    assert_eq!(terminal.read(read()).text, "bob\n$ ");
    assert_eq!(terminal.read(read()).text, "");
    terminal.output("\r\x1b[Knew\n$ ");
    assert_eq!(terminal.read(read()).text, "\nnew\n$ ");
}

#[test]
fn the_end_is_told_at_once_and_ever_after() {
    let mut terminal = Terminal::new().waiting(Waiting::No);
    terminal.output("$ ");
    terminal.session.begin_read(read(), terminal.now);
    terminal.output("bye");
    terminal.session.exited(terminal.now);
    let answer = terminal.run("");
    assert_eq!((answer.text.as_str(), answer.reason), ("$ bye", Reason::Exited));
    let again = terminal.read(read());
    assert_eq!((again.text.as_str(), again.reason), ("", Reason::Exited));
    let sent = terminal.send("x", "");
    assert_eq!((sent.reason, sent.sent), (Reason::Exited, false));
}

#[test]
fn a_read_can_be_cancelled() {
    let mut terminal = Terminal::new();
    assert_eq!(terminal.session.cancel(terminal.now), None);
    terminal.output("a\n");
    terminal.session.begin_read(Read { timeout: ms(9), ..read() }, terminal.now);
    assert!(terminal.session.is_busy());
    let answer = terminal.session.cancel(terminal.now).unwrap();
    assert_eq!((answer.text.as_str(), answer.reason), ("a\n", Reason::Timeout));
    assert!(!terminal.session.is_busy());
}

#[test]
fn a_send_that_spares_questions_writes_nothing_to_a_program_that_reads_without_echo() {
    for (spares, unechoed) in [(true, true), (true, false), (false, true)] {
        let mut terminal = Terminal::new();
        terminal.output("Password: ");
        let read = Read { spares_questions: spares, ..read() };
        terminal.session.begin_send(b"guess\n".to_vec(), read, terminal.now);
        assert_eq!(terminal.session.unechoed(unechoed), unechoed);
        let answer = terminal.run("$ ");
        let is_written = !(spares && unechoed);
        assert_eq!((answer.sent, terminal.written.is_empty()), (is_written, !is_written));
    }
}
