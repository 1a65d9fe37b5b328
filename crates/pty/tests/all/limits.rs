//! Bounds: of an answer, of the history, of the markers.

use handrail_pty::{MAX_MARKER_BYTES, MAX_MARKERS, Read, Reason, Until, Waiting};

use crate::support::{Terminal, read, redactor};

#[test]
fn a_cut_answer_leaves_nothing_for_the_next() {
    let mut terminal = Terminal::new().waiting(Waiting::No);
    terminal.output("aéé\nbbbb\n");
    let answer = terminal.read(Read { max_bytes: 4, ..read() });
    assert_eq!((answer.text.as_str(), answer.reason), ("aé", Reason::Limit));
    assert_eq!(answer.omitted_bytes, "é\nbbbb\n".len() as u64);
    terminal.output("more\n");
    terminal.output("$ ");
    terminal.look.waiting = Waiting::Only;
    let next = terminal.send("x", "new\n$ ");
    assert_eq!((next.text.as_str(), next.skipped_bytes), ("new\n$ ", 7));
    assert_eq!(terminal.history(), "aéé\nbbbb\nmore\n$ \nnew\n$ ");
}

#[test]
fn an_answer_that_keeps_its_end_goes_on_until_the_program_is_ready() {
    // A flood that neither the answer nor the history holds.
    for (history_bytes, max_bytes) in [(1 << 20, 12), (12, 1 << 20)] {
        let mut terminal = Terminal::with(&redactor(), history_bytes).waiting(Waiting::No);
        let flood = Read { max_bytes, keeps_end: true, ..read() };
        terminal.output("$ ");
        terminal.look.waiting = Waiting::Only;
        terminal.read(read());
        terminal.session.begin_send(b"x\n".to_vec(), flood, terminal.now);
        let lines = "é line\n".repeat(1_000);
        let answer = terminal.run(&format!("x\n{lines}LAST\n$ "));
        // The history holds whole lines; the unfinished one stands behind them.
        let more = answer.text.strip_suffix("line\nLAST\n$ ").unwrap();
        assert!(["", " "].contains(&more) && answer.reason == Reason::Marker, "{more:?}");
        // The echo is not looked for in what is not kept.
        let echo = if history_bytes == 12 { "x\n".len() } else { 0 };
        let omitted_bytes = echo + lines.len() - "line\n".len() - more.len();
        assert_eq!(answer.omitted_bytes, omitted_bytes as u64);
        // Nothing is left for the next answer, and nothing of it is lost.
        let next = terminal.send("y", "y\nnew\n$ ");
        assert_eq!((next.text.as_str(), next.skipped_bytes), ("new\n$ ", 0));
    }
}

#[test]
fn an_answer_that_fits_is_whole() {
    for (max_bytes, reason) in [(8, Reason::Marker), (7, Reason::Limit), (0, Reason::Limit)] {
        let mut terminal = Terminal::new();
        terminal.output("12345\n$ ");
        let answer = terminal.read(Read { max_bytes, ..read() });
        assert_eq!((answer.reason, answer.text.len()), (reason, max_bytes));
    }
    // The echo is not part of it.
    let mut terminal = Terminal::new();
    terminal.output("$ ");
    terminal.read(read());
    let small = Read { max_bytes: 5, ..read() };
    terminal.session.begin_send(b"echo hi\n".to_vec(), small, terminal.now);
    let answer = terminal.run("echo hi\nhi\n$ ");
    assert_eq!((answer.text.as_str(), answer.reason), ("hi\n$ ", Reason::Marker));
}

#[test]
fn the_history_keeps_the_newest_bytes() {
    let mut terminal = Terminal::with(&redactor(), 10);
    terminal.output("ééééééé\n");
    terminal.output("ab\n");
    let history = terminal.session.history(None);
    assert_eq!(history.text, "ééé\nab\n");
    assert_eq!((history.start, history.end, history.dropped_bytes), (8, 18, 8));
    assert_eq!(terminal.session.history(Some(16)).text, "b\n");
    assert_eq!(terminal.session.history(Some(99)).text, "");
    assert_eq!(terminal.session.end(), 18);
    let answer = terminal.read(Read { until: Until::Now, ..read() });
    assert_eq!((answer.text.as_str(), answer.omitted_bytes), ("ééé\nab\n", 8));
}

#[test]
fn output_that_nobody_reads_does_not_grow() {
    let mut terminal = Terminal::with(&redactor(), 1 << 16);
    for _ in 0..2_000 {
        terminal.output(&"y\r\n".repeat(1_365));
    }
    let history = terminal.session.history(None);
    assert!(history.text.len() <= 1 << 16);
    assert_eq!(history.end, 2_000 * 1_365 * 2);
    assert_eq!(history.dropped_bytes, history.start);
}

#[test]
fn markers_are_bounded() {
    for (count, bytes, found) in [
        (MAX_MARKERS, MAX_MARKER_BYTES, true),
        (MAX_MARKERS + 1, MAX_MARKER_BYTES, false),
        (MAX_MARKERS, MAX_MARKER_BYTES + 1, false),
    ] {
        let mut markers = vec!["no".to_owned(); count - 1];
        markers.push("m".repeat(bytes));
        let mut terminal = Terminal::new();
        terminal.session.set_markers(markers);
        terminal.output(&"m".repeat(bytes));
        assert_eq!(terminal.read(read()).reason == Reason::Marker, found, "{count} {bytes}");
    }
}
