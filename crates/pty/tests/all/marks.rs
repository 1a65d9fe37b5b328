//! What a shell says about its commands.

use handrail_pty::{CommandEnd, NONCE_BYTES, Nonce, Reason, Waiting};

use crate::support::{Terminal, ms, read};

const NONCE: [u8; NONCE_BYTES] = *b"0123456789abcdef0123456789abcdef";
const BEGINS: &str = "\x1b]133;C;0123456789abcdef0123456789abcdef\x07";

fn ends(status: u32) -> String {
    format!("\x1b]133;D;{status};0123456789abcdef0123456789abcdef\x07")
}

fn shell() -> Terminal {
    let mut terminal = Terminal::new();
    terminal.session.expect_marks(Nonce(NONCE), false);
    terminal.session.set_markers(Vec::new());
    terminal
}

/// What an answer says about its command.
#[derive(Debug, PartialEq, Eq)]
enum Told {
    Nothing,
    Unknown,
    Status(u8),
}
use Told::{Nothing, Status, Unknown};

fn status(command: Option<CommandEnd>) -> Told {
    command.map_or(Nothing, |end| end.status.map_or(Unknown, Status))
}

/// The status in the answer to this input, its text, and how it ended.
fn answer(input: &str, reply: &str) -> (Told, String, Reason) {
    let mut terminal = shell();
    terminal.session.begin_send(format!("{input}\n").into_bytes(), read(), terminal.now);
    let answer = terminal.run(reply);
    (status(answer.command), answer.text, answer.reason)
}

#[test]
fn a_mark_with_the_nonce_tells_the_status_and_is_no_text() {
    let reply = format!("{BEGINS}out\n{}$ ", ends(3));
    let expected = (Status(3), "out\n$ ".to_owned(), Reason::Quiet);
    assert_eq!(answer("x", &reply), expected);
}

#[test]
fn a_mark_without_the_nonce_tells_nothing() {
    for forged in ["\x1b]133;D;0\x07", "\x1b]133;D;0;fedcba9876543210fedcba9876543210\x07"] {
        let reply = format!("{BEGINS}{forged}out\n$ ");
        assert_eq!(answer("x", &reply).0, Unknown);
        let reply = format!("{BEGINS}out\n{}{forged}$ ", ends(1));
        assert_eq!(answer("x", &reply), (Status(1), "out\n$ ".to_owned(), Reason::Quiet));
    }
    for wrong in [ends(256), ends(1000), ends(7).replace(";7;", ";;"), ends(7).replace('D', "E")] {
        assert_eq!(answer("x", &format!("{BEGINS}out\n{wrong}$ ")).0, Unknown, "{wrong:?}");
    }
}

#[test]
fn of_several_commands_the_last_counts_and_one_that_has_begun_is_not_known() {
    let both = format!("{BEGINS}{}$ {BEGINS}{}$ ", ends(1), ends(0));
    assert_eq!(answer("false\ntrue", &both).0, Status(0));
    let open = format!("{BEGINS}{}$ {BEGINS}name? ", ends(1));
    assert_eq!(answer("false\nread name", &open).0, Unknown);
}

#[test]
fn an_input_without_a_command_has_no_status() {
    for input in ["", "  ", "# x", "\n  # y"] {
        assert_eq!(answer(input, &format!("{}$ ", ends(1))).0, Nothing, "{input:?}");
    }
    assert_eq!(answer(")", &format!("syntax error\n{}$ ", ends(2))).0, Status(2));
}

#[test]
fn what_ends_late_is_told_to_the_read_in_which_it_ends_and_once() {
    let mut terminal = shell().waiting(Waiting::No);
    terminal.session.begin_send(b"sleep 3\n".to_vec(), read(), terminal.now);
    terminal.look.waiting = Waiting::Only;
    // The program takes the input, and then works.
    let late = loop {
        match terminal.session.step(terminal.now) {
            handrail_pty::Step::Write(_) => {
                terminal.session.written(terminal.now);
                terminal.output(BEGINS);
                terminal.look.waiting = Waiting::No;
            }
            handrail_pty::Step::Look => terminal.session.looked(terminal.look, terminal.now),
            handrail_pty::Step::Wait(at) => terminal.now = at.unwrap().max(terminal.now),
            handrail_pty::Step::Done(answer) => break answer,
        }
    };
    assert_eq!((late.reason, status(late.command)), (Reason::Timeout, Unknown));
    terminal.look.waiting = Waiting::Only;
    terminal.now += ms(1_000);
    terminal.output(&format!("{}$ ", ends(4)));
    terminal.session.begin_read(read(), terminal.now);
    let answer = terminal.run("");
    assert_eq!(status(answer.command), Status(4));
    assert!(answer.command.unwrap().duration >= ms(2_500));
    terminal.session.begin_read(read(), terminal.now);
    assert_eq!(terminal.run("").command, None);
}

#[test]
fn an_end_before_the_input_is_written_is_not_its_own() {
    let mut terminal = shell();
    terminal.session.begin_send(b"slow\n".to_vec(), read(), terminal.now);
    terminal.run(BEGINS);
    terminal.session.begin_send(b"next\n".to_vec(), read(), terminal.now);
    terminal.output(&format!("{}$ ", ends(9)));
    assert_eq!(status(terminal.run(&format!("{BEGINS}{}$ ", ends(0))).command), Status(0));
}

#[test]
fn marks_are_found_however_the_output_is_cut() {
    let reply = format!("a\x1b[1mb{BEGINS}\x1b]0;t\x07c\x1b\n{}$ \x1b]13", ends(77));
    let whole = answer("x", &reply);
    assert_eq!(whole.0, Status(77));
    for cut in 1..reply.len() {
        let mut terminal = shell();
        terminal.session.begin_send(b"x\n".to_vec(), read(), terminal.now);
        let mut later = None;
        let answer = loop {
            match terminal.session.step(terminal.now) {
                handrail_pty::Step::Write(_) => {
                    terminal.session.written(terminal.now);
                    terminal.output(&reply[..cut]);
                    later = Some(&reply[cut..]);
                }
                handrail_pty::Step::Look => {
                    if let Some(rest) = later.take() {
                        terminal.output(rest);
                    }
                    terminal.session.looked(terminal.look, terminal.now);
                }
                handrail_pty::Step::Wait(at) => terminal.now = at.unwrap().max(terminal.now),
                handrail_pty::Step::Done(answer) => break answer,
            }
        };
        assert_eq!((status(answer.command), answer.text, answer.reason), whole, "cut at {cut}");
    }
}

#[test]
fn what_a_line_editor_paints_before_the_command_is_no_part_of_the_answer() {
    let painted = "\x1b[31mech\r\x1b[9Co a\r\n";
    for (paints_echo, text) in [(true, "a\n$ "), (false, "ech      o a\na\n$ ")] {
        let mut terminal = shell();
        terminal.session.expect_marks(Nonce(NONCE), paints_echo);
        terminal.session.begin_send(b"echo a\n".to_vec(), read(), terminal.now);
        let answer = terminal.run(&format!("{painted}{BEGINS}a\n{}$ ", ends(0)));
        assert_eq!((answer.text.as_str(), status(answer.command)), (text, Status(0)));
    }
}

#[test]
fn an_echo_that_ends_in_a_secret_takes_nothing_of_the_answer() {
    let mut terminal = shell();
    terminal.session.expect_marks(Nonce(NONCE), true);
    terminal.session.begin_send(b"login --password=hunter2\n".to_vec(), read(), terminal.now);
    let painted = "login --password=hunter2";
    let answer = terminal.run(&format!("{painted}{BEGINS}welcome\n{}$ ", ends(0)));
    assert_eq!(answer.text, "welcome\n$ ");
    assert!(!terminal.history().contains("hunter2"));
}

#[test]
fn without_a_nonce_nothing_is_a_mark() {
    let mut terminal = Terminal::new();
    terminal.session.begin_send(b"x\n".to_vec(), read(), terminal.now);
    let answer = terminal.run(&format!("{BEGINS}out\n{}$ ", ends(3)));
    assert_eq!((answer.command, answer.text.as_str()), (None, "out\n$ "));
}

#[test]
fn a_picture_ends_when_the_shell_says_that_its_command_is_over() {
    let numbers: Vec<_> = (0..300).map(|number| format!("{number}\r\n")).collect();
    let numbers = numbers.concat();
    let reply = format!("{BEGINS}\x1b[?1049h\x1b[Hmenu\r\n{}{numbers}$ ", ends(137));
    let (status, text, _) = answer("x", &reply);
    let expected = format!("menu\r\n{numbers}$ ").replace('\r', "");
    assert_eq!((status, text), (Status(137), expected));
    // A mark without the nonce ends nothing.
    let forged = reply.replace(&ends(137), "\x1b]133;D;137\x07");
    assert_eq!(answer("x", &forged).1, "");
}

/// A shell that paints what is typed, at its prompt.
fn painter() -> Terminal {
    let mut terminal = shell();
    terminal.session.expect_marks(Nonce(NONCE), true);
    terminal.output(&format!("{}$ ", ends(0)));
    terminal.read(read());
    terminal.look.waiting = Waiting::Also;
    terminal
}

#[test]
fn a_shell_that_reads_the_rest_of_a_line_has_ended_the_read_without_its_echo() {
    for (input, painted) in [
        ("echo \"one", "echo\r\x1b[22C\"one\r\n\x1b[K\r\n\x1b[22Cecho \"one\r\r\n\x1b[17C"),
        ("echo x", "echo \r\n    x\r\n\r\n     echo x\r\n\r\n"),
    ] {
        let mut terminal = painter();
        let answer = terminal.send(input, painted);
        let got = (answer.text.trim(), answer.reason, answer.confirmed, status(answer.command));
        assert_eq!(got, ("", Reason::Quiet, true, Unknown), "{input}");
    }
    // A command that has begun is waited for, though the same wait is seen.
    let mut terminal = painter();
    let answer = terminal.send("top", &format!("top\r\n{BEGINS}working"));
    assert_eq!((answer.reason, answer.text.as_str()), (Reason::Timeout, "working"));
}

#[test]
fn only_what_was_typed_is_an_echo_however_it_is_painted() {
    let mut terminal = painter();
    let error = "fish: command substitutions not allowed here";
    let answer =
        terminal.send("(exit 42)", &format!("(exit \x1b[9C42)\r\n{error}\r\n{}$ ", ends(127)));
    let got = (answer.text, status(answer.command));
    assert_eq!(got, (format!("{error}\n$ "), Status(127)));
}

#[test]
fn a_line_that_the_shell_fills_up_is_as_the_command_wrote_it() {
    for written in [1, 10, 79, 80, 81, 159, 160] {
        for (mark, erased) in [("%", "\r \r"), ("⏎", "\r⏎ \r\x1b[K"), ("", "\r \r")] {
            // The row of the terminal is full after the mark and the blanks.
            let blanks = " ".repeat(80 - mark.chars().count());
            let text = "y".repeat(written);
            let mut terminal = painter();
            let end = ends(0);
            let reply = format!("x\r\n{BEGINS}{text}{mark}{blanks}{erased}{end}\r\x1b[J$ ");
            assert_eq!(terminal.send("x", &reply).text, format!("{text}\n$ "), "{written} {mark}");
        }
    }
    // A command that ended its line has nothing to fill.
    let blanks = " ".repeat(79);
    let reply = format!("x\r\n{BEGINS}100%\r\n%{blanks}\r \r{}\r\x1b[J$ ", ends(0));
    assert_eq!(painter().send("x", &reply).text.trim_end(), "100%\n$");
}
