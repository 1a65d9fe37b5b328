//! Prompts that are learned: a line at which the kernel said that the program waits ends later reads.

use handrail_pty::{
    Activity, IDLE_TIME, Look, MAX_LEARNED_PROMPTS, MAX_MARKER_BYTES, Read, Reason, Rest, Step,
    Until, Waiting,
};

use crate::support::{Terminal, ms, read};

/// A terminal without markers, whose program polls it among other things and does this meanwhile.
fn event_loop(rest: Rest) -> Terminal {
    let mut terminal = Terminal::new().waiting(Waiting::Also);
    terminal.session.set_markers(Vec::new());
    terminal.look.activity = Some(Activity { rest, ticks: 0, processes: 1, pause: None });
    terminal
}

fn took(terminal: &mut Terminal, send: &str, reply: &str) -> (Reason, bool, u128) {
    let begun = terminal.now;
    let answer = terminal.send(send, reply);
    (answer.reason, answer.confirmed, (terminal.now - begun).as_millis())
}

#[test]
fn what_stood_where_input_was_sent_is_a_marker() {
    for waiting in [Waiting::Only, Waiting::Also] {
        let mut terminal = event_loop(Rest::Timed).waiting(waiting);
        terminal.output("banner\n> ");
        let first = terminal.read(read());
        let expected = (Reason::Quiet, waiting == Waiting::Only);
        assert_eq!((first.reason, first.confirmed), expected);
        assert_eq!(took(&mut terminal, "1", "one\n> "), (Reason::Quiet, true, 0), "{waiting:?}");
        assert_eq!(took(&mut terminal, "2", "\x1b[32m> \x1b[0m"), (Reason::Quiet, true, 0));
    }
}

#[test]
fn the_answer_of_an_event_loop_that_comes_late_is_its_answer() {
    let mut terminal = event_loop(Rest::Timed);
    terminal.output("> ");
    terminal.read(read());
    terminal.session.begin_send(b"later\n".to_vec(), read(), terminal.now);
    let late = terminal.now + ms(600);
    let mut has_come = false;
    let answer = loop {
        match terminal.session.step(terminal.now) {
            Step::Wait(at) => {
                let at = at.unwrap().max(terminal.now);
                if !has_come && at >= late {
                    terminal.now = late;
                    has_come = true;
                    terminal.output("done\n> ");
                } else {
                    terminal.now = at;
                }
            }
            Step::Look => terminal.session.looked(terminal.look, terminal.now),
            Step::Write(_) => terminal.session.written(terminal.now),
            Step::Done(answer) => break answer,
        }
    };
    assert_eq!((answer.text.as_str(), answer.reason), ("done\n> ", Reason::Quiet));
    assert_eq!((answer.confirmed, terminal.now), (true, late));
}

#[test]
fn where_a_known_prompt_does_not_stand_what_the_program_does_decides() {
    use Waiting::{Also, Only, Unknown};
    let second = IDLE_TIME.as_millis();
    // What the program waits for, whether its wait is limited, what it does, its text, how the read ends and when.
    for (waiting, is_limited, rest, reply, expected) in [
        // A read that blocks waits for an answer. A poll with a time limit may go on by itself.
        (Only, false, Rest::Blocked, "name? ", (Reason::Quiet, true, 80)),
        (Only, true, Rest::Timed, "name? ", (Reason::Quiet, false, second)),
        (Only, true, Rest::Timed, "", (Reason::Quiet, false, second)),
        (Also, true, Rest::Timed, "Loading", (Reason::Quiet, false, second)),
        (Also, false, Rest::Blocked, "version: (1.0.0) ", (Reason::Quiet, false, 80)),
        (Also, false, Rest::Blocked, "", (Reason::Quiet, false, second)),
        // The long time limits of an event loop do not count; of a short one a pause is known.
        (Also, true, Rest::Limited, "version: (1.0.0) ", (Reason::Quiet, false, 160)),
        (Also, true, Rest::Limited, "", (Reason::Quiet, false, second)),
        (Also, false, Rest::Running, "name? ", (Reason::Timeout, false, 2_000)),
        (Unknown, false, Rest::Unknown, "", (Reason::Quiet, false, 80)),
    ] {
        let mut terminal = event_loop(rest);
        terminal.output("> ");
        terminal.read(read());
        terminal.session.begin_send(b"x\n".to_vec(), read(), terminal.now);
        // The input is written at a prompt that is known already.
        let begun = terminal.now;
        terminal.look.is_limited = is_limited;
        terminal.look.waiting = Also;
        let answer = loop {
            match terminal.session.step(terminal.now) {
                Step::Wait(at) => terminal.now = at.unwrap().max(terminal.now),
                Step::Look => {
                    terminal.session.looked(terminal.look, terminal.now);
                }
                Step::Write(_) => {
                    terminal.session.written(terminal.now);
                    terminal.look.waiting = waiting;
                    terminal.output(reply);
                }
                Step::Done(answer) => break answer,
            }
        };
        let after = (terminal.now - begun).as_millis();
        let (reason, confirmed, at) = expected;
        let name = format!("{waiting:?} {is_limited} {rest:?} {reply:?}");
        assert_eq!((answer.reason, answer.confirmed), (reason, confirmed), "{name}");
        assert!((at..at + 200).contains(&after), "{name}: after {after} ms");
    }
}

#[test]
fn a_forged_prompt_ends_nothing_while_the_program_works() {
    let mut terminal = event_loop(Rest::Timed);
    terminal.output("> ");
    terminal.read(read());
    assert_eq!(took(&mut terminal, "1", "> "), (Reason::Quiet, true, 0));
    for waiting in [Waiting::No, Waiting::Unknown] {
        terminal.look.waiting = Waiting::Also;
        terminal.session.begin_send(b"x\n".to_vec(), read(), terminal.now);
        while let step = terminal.session.step(terminal.now)
            && !matches!(step, Step::Write(_))
        {
            terminal.session.looked(terminal.look, terminal.now);
        }
        terminal.session.written(terminal.now);
        terminal.look.waiting = waiting;
        terminal.output("price\n> ");
        let begun = terminal.now;
        let answer = terminal.run("");
        assert!(!answer.confirmed && terminal.now >= begun + ms(200), "{waiting:?}");
    }
}

#[test]
fn a_line_counts_as_a_whole_and_numbers_do_not_count() {
    for (reply, is_known) in [
        ("In [12]: ", true),
        ("text\nIn [345]: ", true),
        ("see In [2]: ", false),
        ("In [x]: ", false),
        ("In [2]: x", false),
        ("In []: ", false),
    ] {
        let mut terminal = event_loop(Rest::Timed);
        terminal.output("In [1]: ");
        terminal.read(read());
        assert_eq!(took(&mut terminal, "x", reply).2 == 0, is_known, "{reply:?}");
    }
}

#[test]
fn what_is_learned_is_bounded() {
    let line = |count: usize| format!("{}: ", "x".repeat(count));
    for (bytes, is_known) in [(MAX_MARKER_BYTES - 1, true), (MAX_MARKER_BYTES, false)] {
        let mut terminal = Terminal::new();
        terminal.session.set_markers(Vec::new());
        let long = line(bytes - 2);
        terminal.output(&long);
        terminal.read(read());
        assert_eq!(took(&mut terminal, "x", &long).2 == 0, is_known, "{bytes} bytes");
    }
    for (others, is_known) in [(MAX_LEARNED_PROMPTS - 1, true), (MAX_LEARNED_PROMPTS, false)] {
        let mut terminal = Terminal::new();
        terminal.session.set_markers(Vec::new());
        for count in 0..=others {
            terminal.output(&format!("\n{}", line(count + 1)));
            terminal.read(Read { until: Until::Quiet, ..read() });
        }
        terminal.output(&format!("\n{}", line(1)));
        let begun = terminal.now;
        terminal.read(read());
        assert_eq!(terminal.now == begun, is_known, "{others} others");
    }
}

#[test]
fn a_key_that_the_program_has_not_noticed_leaves_its_prompt_unanswered() {
    let mut terminal = Terminal::new();
    terminal.output("$ ");
    terminal.read(read());
    terminal.look = Look { waiter: Some((7, 1)), ..Look::at(Waiting::Only) };
    // Without a look before the key, the prompt would count at once.
    terminal.session.touched(terminal.now);
    let begun = terminal.now;
    terminal.read(read());
    assert_eq!(terminal.now, begun);
    terminal.session.touching(terminal.look, false);
    terminal.session.touched(terminal.now);
    let begun = terminal.now;
    // Part of a line wakes nobody: after `quiet` the prompt counts again.
    assert_eq!(terminal.read(read()).reason, Reason::Marker);
    assert!(terminal.now >= begun + read().quiet);
    // A whole line wakes the program, however late that is.
    terminal.session.touching(terminal.look, true);
    terminal.session.touched(terminal.now);
    let late = terminal.now + ms(1_500);
    terminal.session.begin_read(read(), terminal.now);
    while terminal.now < late {
        match terminal.session.step(terminal.now) {
            Step::Wait(at) => terminal.now = at.unwrap().max(terminal.now),
            Step::Look => terminal.session.looked(terminal.look, terminal.now),
            step => panic!("{step:?}"),
        }
    }
    terminal.output("one\n$ ");
    terminal.look.waiter = Some((7, 2));
    assert_eq!(terminal.run("").text, "one\n$ ");
    terminal.session.touching(terminal.look, false);
    terminal.session.touched(terminal.now);
    terminal.look.waiter = Some((7, 3));
    let begun = terminal.now;
    assert_eq!(terminal.read(read()).reason, Reason::Marker);
    assert_eq!(terminal.now, begun);
}

#[test]
fn where_no_prompt_is_known_a_blank_line_may_be_one() {
    let second = IDLE_TIME.as_millis();
    for (rest, text, expected) in [
        (Rest::Blocked, "up\n", (Reason::Quiet, false, 160)),
        (Rest::Served, "up\n", (Reason::Quiet, false, 160)),
        (Rest::Limited, "", (Reason::Quiet, false, 160)),
        // Something else in the session goes on.
        (Rest::Timed, "up\n", (Reason::Quiet, false, second)),
        (Rest::Running, "up\n", (Reason::Timeout, false, 2_000)),
    ] {
        let mut terminal = event_loop(rest);
        let begun = terminal.now;
        terminal.output(text);
        let answer = terminal.read(read());
        let after = (terminal.now - begun).as_millis();
        let (reason, confirmed, at) = expected;
        assert_eq!((answer.reason, answer.confirmed), (reason, confirmed), "{rest:?}");
        assert!((at..at + 200).contains(&after), "{rest:?}: after {after} ms");
    }
}
