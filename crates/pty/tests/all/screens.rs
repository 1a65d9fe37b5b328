//! What a full-screen program paints is read as a picture, and masked as one text.

use handrail_pty::{Reason, Screen, Until};

use crate::support::{Terminal, read};

const ENTER: &str = "\x1b[?1049h\x1b[H\x1b[2J";
const LEAVE: &str = "\x1b[?1049l";

fn screen(terminal: &mut Terminal) -> Screen {
    terminal.read(read()).screen.expect("a picture")
}

fn painted(output: &str) -> String {
    let mut terminal = Terminal::new();
    terminal.output(ENTER);
    terminal.output(output);
    screen(&mut terminal).text
}

#[test]
fn the_alternate_screen_is_a_picture_and_no_text() {
    let mut terminal = Terminal::new();
    terminal.output("before\r\n");
    terminal.output(ENTER);
    terminal.output("\x1b[3;5Hthree\x1b[1;1Hone\x1b[2;2H");
    let answer = terminal.read(read());
    assert_eq!(answer.text, "before\n");
    let screen = answer.screen.expect("a picture");
    assert_eq!(screen.text, "one\n\n    three");
    assert_eq!((screen.cursor.row, screen.cursor.column, screen.cursor.visible), (2, 2, true));
    terminal.output(LEAVE);
    terminal.output("after\r\n$ ");
    let answer = terminal.read(read());
    assert_eq!((answer.text.as_str(), answer.screen), ("after\n$ ", None));
    assert_eq!(terminal.history(), "before\nafter\n$ ");
}

#[test]
fn a_picture_on_the_normal_screen_becomes_lines_when_it_scrolls() {
    let mut terminal = Terminal::new();
    terminal.output("$ top\r\n\x1b[H\x1b[Jhead\r\n\x1b[6;1Hbody\x1b[?25l");
    let answer = terminal.read(read());
    let screen = answer.screen.expect("a picture");
    assert_eq!(screen.text, "head\n\n\n\n\nbody");
    assert!(!screen.cursor.visible && screen.is_painted);
    terminal.output("\x1b[24;1H\r\ndone\r\n$ ");
    let answer = terminal.read(read());
    assert_eq!(answer.screen, None);
    assert!(answer.text.starts_with("head\n\n\n\n\nbody\n"), "{:?}", answer.text);
    assert!(answer.text.ends_with("\ndone\n$ "), "{:?}", answer.text);
}

#[test]
fn output_after_a_picture_that_scrolled_is_whole() {
    let mut terminal = Terminal::new();
    terminal.output("\x1b[H\x1b[2J\x1b[5;1H");
    let numbers: Vec<_> = (0..5_000).map(|number| number.to_string()).collect();
    let lines = numbers.join("\r\n") + "\r\n";
    for piece in lines.as_bytes().chunks(1_000) {
        terminal.session.output(piece, terminal.now);
    }
    let text = terminal.read(read()).text;
    assert_eq!(text.trim_start_matches('\n'), numbers.join("\n") + "\n");
}

#[test]
fn a_line_for_the_program_after_a_picture_begins_lines_again() {
    let mut terminal = Terminal::new();
    terminal.output("\x1b[H\x1b[2J\x1b[5;3Hpainted\r\n$ ");
    let answer = terminal.read(read());
    assert_eq!(answer.reason, Reason::Marker);
    assert_eq!(answer.screen.expect("a picture").text, "\n\n\n\n  painted\n$");
    let answer = terminal.send("echo a", "echo a\r\na\r\n$ ");
    assert_eq!((answer.text.as_str(), answer.screen, answer.skipped_bytes), ("a\n$ ", None, 0));
}

#[test]
fn what_addresses_no_rows_or_erases_nothing_is_text() {
    for output in ["\x1b[H\x1b[2J$ ", "\x1b[5;1Hrow\r\n", "\x1b[2A\x1b[Jup\r\n"] {
        let mut terminal = Terminal::new();
        terminal.output(output);
        assert_eq!(terminal.read(read()).screen, None, "{output:?}");
    }
}

#[test]
fn a_secret_is_masked_however_it_was_painted() {
    let half = "x".repeat(71);
    let wrapped = format!("password={half}Zq8hunter2\r\nend");
    let pieces = format!("\x1b[1;1Hpassword={half}\r\n\x1b[2;1HZq8hunter2\x1b[3;1Hend");
    let margin = format!("\x1b[1;1Hpassword={half}\x1b[2;1H    Zq8hunter2\x1b[3;1Hend");
    for (name, output) in [
        ("before its label", "\x1b[4;10HZq8hunter2\x1b[4;1Hpassword="),
        ("in pieces", "\x1b[4;1Hpassword=Zq8\x1b[9;1Hother\x1b[4;13Hhunter2"),
        (
            "in single characters",
            "\x1b[4;13Hhunter2\x1b[4;12H8\x1b[4;11Hq\x1b[4;10HZ\x1b[4;1Hpassword=",
        ),
        ("wrapped by the terminal", wrapped.as_str()),
        ("wrapped by the program", pieces.as_str()),
        ("with a margin", margin.as_str()),
        (
            "in a column",
            "\x1b[1;1H│password=Zq│right│\x1b[2;1H│8hunter2   │side │\x1b[3;1H│end        │     │",
        ),
    ] {
        let text = painted(output);
        assert!(text.contains("password=[REDACTED]"), "{name}: {text:?}");
        assert!(!text.contains("hunter2") && !text.contains("Zq8"), "{name}: {text:?}");
        assert!(!name.starts_with("wrapped") || text.ends_with("\nend"), "{name}: {text:?}");
    }
}

#[test]
fn a_picture_that_ends_is_masked_in_the_history() {
    let mut terminal = Terminal::new();
    terminal.output("\x1b[H\x1b[2J\x1b[4;10HZq8hunter2\x1b[4;1Hpassword=\x1b[24;1H\r\n$ ");
    terminal.read(read());
    let history = terminal.history();
    assert!(history.contains("password=[REDACTED]") && !history.contains("hunter2"), "{history:?}");
}

#[test]
fn lines_that_are_drawn_with_letters_are_lines() {
    assert_eq!(painted("\x1b(0lqk\x1b(Bx"), "┌─┐x");
}

#[test]
fn a_text_is_waited_for_on_the_screen() {
    let mut terminal = Terminal::new();
    terminal.output(ENTER);
    terminal.output("\x1b[3;3HRT\x1b[3;1HINSE");
    let until = Until::Text("INSERT".to_owned());
    let mut read = read();
    read.until = until;
    assert_eq!(terminal.read(read.clone()).reason, Reason::Timeout);
    terminal.output("\x1b[3;5HRT");
    assert_eq!(terminal.read(read).reason, Reason::Matched);
}

#[test]
fn the_screen_of_lines_is_their_end() {
    let mut terminal = Terminal::new();
    let lines: Vec<_> = (0..100).map(|number| format!("line {number}")).collect();
    terminal.output(&format!("{}\r\n{}\r\n$ ", lines.join("\r\n"), "w".repeat(100)));
    terminal.read(read());
    let screen = terminal.session.screen();
    let rows: Vec<_> = screen.text.split('\n').collect();
    assert_eq!(rows.len(), 24);
    assert_eq!(rows[20], "line 99");
    assert_eq!((rows[21].len(), rows[22].len(), rows[23]), (80, 20, "$"));
    assert_eq!((screen.cursor.row, screen.cursor.column, screen.is_painted), (24, 3, false));
}

#[test]
fn a_picture_follows_the_size_of_the_terminal() {
    let mut terminal = Terminal::new();
    terminal.output(ENTER);
    terminal.session.resize(100, 30);
    terminal.output("\x1b[30;99Hend");
    let text = screen(&mut terminal).text;
    assert_eq!(text.split('\n').count(), 30);
    assert!(text.contains("en"));
}

#[test]
fn a_picture_is_the_same_however_the_output_was_cut() {
    let mut state = 7_u64;
    let mut random = move |below: usize| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        usize::try_from(state >> 33).expect("31 bits") % below
    };
    let sequences = [
        "\x1b[?1049h",
        "\x1b[?1049l",
        "\x1b[2J",
        "\x1b[H",
        "\x1b[J",
        "\x1bM",
        "\x1b[3;9r",
        "\x1b[L",
        "\x1b[9X",
        "\x1b[65535b",
        "\x1b[65535S",
        "\x1b[65535T",
        "\x1b[65535@",
        "\x1b(0",
        "\x1b(B",
        "\x1b#8",
        "\x1b7",
        "\x1b8",
        "\x1b[?6h",
        "\x1b[4h",
        "\x1b[?7l",
        "\x1b[?7h",
        "\x1bc",
        "\r\n",
        "\n",
        "\t",
        "界",
        "ö",
        "\u{301}",
        "\u{9b}2J",
        "\x1b]0;t\x07",
        "text ",
    ];
    for round in 0..400 {
        let mut output = Vec::new();
        for _ in 0..60 {
            match random(4) {
                0 => output.push(u8::try_from(random(256)).expect("a byte")),
                1 => output.extend(format!("\x1b[{};{}H", random(30), random(90)).bytes()),
                _ => output.extend(sequences[random(sequences.len())].bytes()),
            }
        }
        let (mut whole, mut cut) = (Terminal::new(), Terminal::new());
        whole.session.output(&output, whole.now);
        let mut rest = output.as_slice();
        while !rest.is_empty() {
            let (piece, after) = rest.split_at(rest.len().min(1 + random(9)));
            cut.session.output(piece, cut.now);
            rest = after;
        }
        assert_eq!(whole.session.screen(), cut.session.screen(), "round {round}: {output:?}");
        assert_eq!(whole.session.take_replies(), cut.session.take_replies(), "round {round}");
    }
}

#[test]
fn a_picture_whose_program_is_gone_becomes_lines_and_nothing_after_it_is_lost() {
    let lines: Vec<_> = (0..300).map(|number| format!("{number}\r\n")).collect();
    let lines = lines.concat();
    let after = format!("Killed\r\n{lines}$ ");
    for left_by_itself in [false, true] {
        let mut terminal = Terminal::new();
        terminal.output(&format!("{ENTER}menu\x1b[2;1H"));
        assert!(screen(&mut terminal).is_painted);
        terminal.session.lose_painter();
        if left_by_itself {
            terminal.output(&format!("\x1b[24;1Hbye{LEAVE}"));
        }
        terminal.output(&after);
        terminal.session.drained();
        let answer = terminal.read(read());
        let expected = format!("{}{after}", if left_by_itself { "" } else { "menu\r\n" });
        assert_eq!((answer.text, answer.screen), (expected.replace('\r', ""), None));
    }
}

#[test]
fn much_output_after_a_lost_picture_is_not_held() {
    let mut terminal = Terminal::new();
    terminal.output(ENTER);
    terminal.session.lose_painter();
    terminal.output(&"line\r\n".repeat(20_000));
    assert!(!terminal.session.is_alternate());
    assert_eq!(terminal.read(read()).text, "line\n".repeat(20_000));
}

#[test]
fn a_picture_that_its_program_leaves_on_the_screen_is_masked_when_it_becomes_lines() {
    let mut terminal = Terminal::new();
    terminal.output(&format!("{ENTER}\x1b[4;10HZq8hunter2\x1b[4;1Hpassword="));
    terminal.session.exited(terminal.now);
    assert_eq!(terminal.history().trim(), "password=[REDACTED]");
}

#[test]
fn the_beginning_of_a_known_value_is_masked_where_it_is_being_painted() {
    let value = "corr3ct-horse-battery";
    let redactor = crate::support::redactor();
    redactor.add_secret("value", value).expect("a value");
    // The cursor stays, or is sent elsewhere after each character.
    for away in ["", "\x1b7\x1b[9;1H\x1b8", "\x1b[1;1H"] {
        let mut terminal = Terminal::with(&redactor, 1 << 20);
        terminal.output(ENTER);
        for (at, character) in value.chars().enumerate() {
            terminal.output(&format!("\x1b[3;{}H{character}{away}", at + 5));
            let text = terminal.session.screen().text;
            let shown = text.trim();
            assert!(at < 3 || shown == "[REDACTED]", "{at} {away:?}: {shown:?}");
        }
        // What is shorter than four characters, or is not being painted, stands.
        terminal.output("\x1b[2J\x1b[1;1Hcorr3ct\x1b[2;1Hother");
        assert_eq!(terminal.session.screen().text, "corr3ct\nother");
    }
}
