//! When a read is over.

use handrail_pty::{Look, Read, Reason, Step, Until, Waiting};

use crate::support::{Terminal, ms, read};

#[test]
fn what_ends_a_read_and_when() {
    use Reason::{Marker, Quiet, Timeout};
    use Waiting::{Also, No, Only, Unknown};
    // What stands at the end, what the kernel says, how the read ends, confirmed, after how long.
    for (until, text, waiting, reason, confirmed, after) in [
        (Until::Ready, "a\n$ ", Only, Marker, true, 0),
        (Until::Ready, "a\n$ ", Also, Marker, true, 0),
        (Until::Ready, "a\n$ ", Unknown, Marker, false, 200),
        (Until::Ready, "a\n$ ", No, Timeout, false, 2_000),
        (Until::Ready, "a\n> ", Only, Quiet, true, 80),
        (Until::Ready, "a\n> ", Also, Timeout, false, 2_000),
        (Until::Ready, "a\n> ", Unknown, Timeout, false, 2_000),
        (Until::Ready, "a\n> ", No, Timeout, false, 2_000),
        (Until::Ready, "$ b\n", No, Timeout, false, 2_000),
        (Until::Quiet, "a\n$ ", Only, Quiet, true, 80),
        (Until::Quiet, "a\n$ ", Also, Quiet, false, 80),
        (Until::Quiet, "a\n$ ", Unknown, Quiet, false, 80),
        (Until::Quiet, "a\n$ ", No, Timeout, false, 2_000),
    ] {
        let mut terminal = Terminal::new().waiting(waiting);
        terminal.output(text);
        let begun = terminal.now;
        let answer = terminal.read(Read { until: until.clone(), ..read() });
        let name = format!("{until:?} {text:?} {waiting:?}");
        assert_eq!((answer.reason, answer.confirmed), (reason, confirmed), "{name}");
        assert_eq!(terminal.now - begun, ms(after), "{name}");
        assert_eq!(answer.text, text, "{name}");
        assert!(terminal.looks < 60, "{name}: looked {} times", terminal.looks);
    }
}

#[test]
fn without_markers_quiet_decides() {
    let mut terminal = Terminal::new();
    terminal.session.set_markers(Vec::new());
    terminal.output("a\n$ ");
    assert_eq!(terminal.read(read()).reason, Reason::Quiet);
}

#[test]
fn now_takes_what_there_is() {
    let mut terminal = Terminal::new().waiting(Waiting::No);
    terminal.output("a\nb");
    let now = Read { until: Until::Now, ..read() };
    let answer = terminal.read(now.clone());
    assert_eq!((answer.text.as_str(), answer.reason), ("a\n", Reason::Available));
    terminal.output("c d\n");
    assert_eq!(terminal.read(now.clone()).text, "bc d\n");
    assert_eq!(terminal.read(now).text, "");
}

#[test]
fn a_marker_counts_where_the_cursor_is() {
    for (text, found) in [
        ("\x1b[32muser\x1b[0m$ \x1b[K", true),
        ("\x1b[1G\x1b[0J$ \x1b[3G", true),
        ("x\r\x1b[K$ ", true),
        ("$ \x1b[10C12:00\x1b[15D", true),
        ("$ \x1b[2D\x1b[2C", true),
        ("progress 100%\r$ ", true),
        ("$ x", false),
        ("$ \n", false),
        ("$ \x1b]0;title", false),
        ("$ \x1b[", false),
        ("\x1b]0;never ended\nnext\n$ ", true),
    ] {
        let mut terminal = Terminal::new();
        terminal.output(text);
        assert_eq!(terminal.read(read()).reason == Reason::Marker, found, "{text:?}");
    }
}

#[test]
fn a_marker_may_hold_line_ends() {
    for (marker, text, found) in [
        ("ready\n", "x\r\nready\r\n", true),
        ("ready\n", "ready\nx\n", false),
        ("-\n> ", "-\n> ", true),
        ("-\n> ", "-\nx> ", false),
    ] {
        let mut terminal = Terminal::new();
        terminal.session.set_markers(vec![marker.to_owned()]);
        terminal.output(text);
        assert_eq!(terminal.read(read()).reason == Reason::Marker, found, "{text:?}");
    }
}

#[test]
fn a_look_with_output_behind_it_does_not_count() {
    let mut terminal = Terminal::new();
    terminal.output("$ ");
    terminal.session.begin_read(read(), terminal.now);
    terminal.now += ms(1);
    assert_eq!(terminal.session.step(terminal.now), Step::Look);
    terminal.output("fake\n");
    terminal.session.looked(terminal.look, terminal.now);
    let wait = terminal.session.step(terminal.now);
    assert_eq!(wait, Step::Wait(Some(terminal.now + ms(80))));
    terminal.output("$ ");
    assert_eq!(terminal.run("").text, "$ fake\n$ ");
}

#[test]
fn a_look_alike_is_looked_at_again_until_it_is_none() {
    let mut terminal = Terminal::new().waiting(Waiting::No);
    terminal.output("price in $ ");
    terminal.session.begin_read(read(), terminal.now);
    for _ in 0..20 {
        match terminal.session.step(terminal.now) {
            Step::Wait(at) => terminal.now = at.unwrap(),
            Step::Look => terminal.session.looked(terminal.look, terminal.now),
            step => panic!("{step:?}"),
        }
    }
    terminal.output("5\n$ ");
    terminal.look.waiting = Waiting::Only;
    let answer = terminal.run("");
    assert_eq!((answer.text.as_str(), answer.reason), ("price in $ 5\n$ ", Reason::Marker));
}

#[test]
fn a_waiter_that_was_not_woken_has_not_noticed_the_input() {
    let mut terminal = Terminal::new();
    terminal.session.set_markers(Vec::new());
    terminal.look = Look { waiter: Some((7, 1)), ..Look::at(Waiting::Only) };
    terminal.session.begin_send(b"x\n".to_vec(), read(), terminal.now);
    let mut looks = 0;
    let reason = loop {
        match terminal.session.step(terminal.now) {
            Step::Wait(at) => terminal.now = at.unwrap(),
            Step::Look => {
                looks += 1;
                // The first is before the write, the next three see the same.
                terminal.look.waiter = Some((7, 1 + u64::from(looks > 4)));
                terminal.session.looked(terminal.look, terminal.now);
            }
            Step::Write(_) => terminal.session.written(terminal.now),
            Step::Done(answer) => break answer.reason,
        }
    };
    assert_eq!((reason, looks), (Reason::Quiet, 5));
}

#[test]
fn an_owner_that_is_late_still_looks_once() {
    let mut terminal = Terminal::new();
    terminal.session.begin_read(read(), terminal.now);
    terminal.output("$ ");
    terminal.now += ms(5_000);
    assert_eq!(terminal.run("").reason, Reason::Marker);
}

#[test]
fn a_long_line_in_small_pieces_is_not_searched_again_and_again() {
    let mut terminal = Terminal::new().waiting(Waiting::No);
    terminal.session.begin_read(Read { timeout: ms(1_000_000), ..read() }, terminal.now);
    for _ in 0..60_000 {
        terminal.output("x");
        assert!(matches!(terminal.session.step(terminal.now), Step::Wait(_)));
    }
    terminal.output("$ ");
    terminal.look.waiting = Waiting::Only;
    assert_eq!(terminal.run("").reason, Reason::Marker);
}
