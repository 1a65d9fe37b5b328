//! Reads that end without a prompt: the program is at rest, or what was waited for came.

use handrail_pty::{
    Activity, Answer, IDLE_TIME, Look, MAX_AWAITED_BYTES, MAX_IDLE_TICKS, MAX_SAMPLE_GAP, Pattern,
    Read, Reason, Rest, Shown, Step, Until, Waiting,
};

use handrail_redact::{Options, Redactor, Rules};

use crate::support::{Terminal, ms, read, redactor};

const REST: [Rest; 5] = [Rest::Running, Rest::Timed, Rest::Served, Rest::Blocked, Rest::Unknown];

fn activity(rest: Rest, ticks: u64) -> Activity {
    Activity { rest, ticks, processes: 1, pause: None }
}

/// Reads from a program whose activity changes at each look. Gives the answer and how long the read took.
fn sampled(waiting: Waiting, mut next: impl FnMut(u64) -> Activity) -> (Answer, u128) {
    let mut terminal = Terminal::new();
    terminal.output("up\n");
    let begun = terminal.now;
    terminal.session.begin_read(Read { timeout: ms(20_000), ..read() }, begun);
    let mut looks = 0;
    loop {
        match terminal.session.step(terminal.now) {
            Step::Wait(at) => terminal.now = at.expect("a read goes on").max(terminal.now),
            Step::Look => {
                let look = Look { activity: Some(next(looks)), ..Look::at(waiting) };
                looks += 1;
                terminal.session.looked(look, terminal.now);
            }
            Step::Done(answer) => return (answer, (terminal.now - begun).as_millis()),
            Step::Write(_) => panic!("a read writes nothing"),
        }
    }
}

#[test]
fn a_program_at_rest_ends_a_read_after_a_second() {
    for waiting in [Waiting::No, Waiting::Also, Waiting::Unknown] {
        for rest in REST {
            let (answer, after) = sampled(waiting, |_| activity(rest, 7));
            let reason = match (waiting, rest) {
                (Waiting::No, Rest::Served | Rest::Blocked) => Reason::Idle,
                (Waiting::Also, rest) if rest != Rest::Running => Reason::Quiet,
                _ => Reason::Timeout,
            };
            assert_eq!((answer.reason, answer.confirmed), (reason, false), "{waiting:?} {rest:?}");
            assert_eq!((answer.text.as_str(), answer.matched), ("up\n", None));
            let second = IDLE_TIME.as_millis();
            let expected =
                if reason == Reason::Timeout { 20_000..20_001 } else { second..second + 200 };
            assert!(expected.contains(&after), "{waiting:?} {rest:?}: after {after} ms");
        }
    }
}

#[test]
fn a_pause_that_a_thread_makes_is_waited_for() {
    let pausing = |pause| Activity { pause, ..activity(Rest::Limited, 0) };
    let timer = ms(1_600);
    for (pauses, expected) in [
        // The timer of the answer: it is set once.
        (&[Some(timer)] as &[_], 1_600),
        // A timer that is set again and again counts no longer than a second.
        (&[Some(ms(200)); 100], IDLE_TIME.as_millis() + 200),
        (&[Some(timer); 100], 2_600),
        // It is set by another timer.
        (&[Some(ms(300)), None, None, Some(timer)], 1_600),
    ] {
        let mut looks = pauses.iter();
        let next = |_| pausing(looks.next().copied().flatten());
        let (answer, after) = sampled(Waiting::Also, next);
        assert_eq!((answer.reason, answer.confirmed), (Reason::Quiet, false));
        // Whatever continues then has the time of a silence.
        let expected = expected + read().quiet.as_millis();
        assert!((expected..expected + 300).contains(&after), "after {after} ms");
    }
    let (_, after) = sampled(Waiting::Also, |_| pausing(None));
    assert!((IDLE_TIME.as_millis()..IDLE_TIME.as_millis() + 100).contains(&after));
}

#[test]
fn a_thread_that_continues_after_its_pause_is_no_rest() {
    let pausing = |pause| Activity { pause, ..activity(Rest::Limited, 0) };
    let mut pauses = [Some(ms(1_600)); 1].into_iter();
    let mut terminal = Terminal::new().waiting(Waiting::Also);
    terminal.output("up\n");
    terminal.session.begin_read(Read { timeout: ms(20_000), ..read() }, terminal.now);
    let over = terminal.now + ms(1_700);
    let late = terminal.now + ms(4_000);
    let mut looks_after = 0;
    while terminal.now < late {
        match terminal.session.step(terminal.now) {
            Step::Wait(at) => terminal.now = at.unwrap().max(terminal.now),
            Step::Look => {
                let is_over = terminal.now >= over;
                looks_after += usize::from(is_over);
                // At the first look after its pause the thread is between two sleeps; at the next ones it runs.
                let rest = if looks_after > 1 { Rest::Running } else { Rest::Limited };
                let activity = Activity { rest, ..pausing(pauses.next().flatten()) };
                let look = Look { activity: Some(activity), ..Look::at(Waiting::Also) };
                terminal.session.looked(look, terminal.now);
            }
            step => panic!("{step:?} after {looks_after} looks"),
        }
    }
    terminal.look = Look { activity: Some(activity(Rest::Blocked, 0)), ..Look::at(Waiting::Also) };
    terminal.output("late\n$ ");
    assert_eq!(terminal.run("").text, "up\nlate\n$ ");
}

#[test]
fn time_that_nobody_has_watched_is_no_rest() {
    for waiting in [Waiting::No, Waiting::Also] {
        let mut terminal = Terminal::new().waiting(waiting);
        terminal.output("up\n");
        terminal.session.begin_read(Read { timeout: ms(60_000), ..read() }, terminal.now);
        let mut samples = 0;
        let answer = loop {
            match terminal.session.step(terminal.now) {
                Step::Wait(at) => terminal.now = at.unwrap().max(terminal.now),
                Step::Look => {
                    // The machine is so busy that seconds pass between two looks.
                    terminal.now += ms(3_000);
                    samples += 1;
                    let activity = Some(activity(Rest::Blocked, 0));
                    let look = Look { activity, ..Look::at(waiting) };
                    terminal.session.looked(look, terminal.now);
                }
                Step::Done(answer) => break answer,
                Step::Write(_) => panic!("a read writes nothing"),
            }
        };
        assert_ne!(answer.reason, Reason::Timeout);
        let gaps = IDLE_TIME.as_millis() / MAX_SAMPLE_GAP.as_millis();
        assert_eq!(samples, gaps + 1, "{waiting:?}");
    }
}

#[test]
fn whatever_works_is_not_at_rest() {
    let at = |rest, ticks, processes| Activity { rest, ticks, processes, pause: None };
    let idle = |_| at(Rest::Blocked, 0, 1);
    assert_eq!(sampled(Waiting::No, idle).0.reason, Reason::Idle);
    // It uses the processor, though no look finds it running.
    let computes = |look| at(Rest::Blocked, look * (MAX_IDLE_TICKS + 1), 1);
    assert_eq!(sampled(Waiting::No, computes).0.reason, Reason::Timeout);
    assert_eq!(sampled(Waiting::Also, computes).0.reason, Reason::Timeout);
    // It starts processes.
    assert_eq!(sampled(Waiting::No, |look| at(Rest::Blocked, 0, look)).0.reason, Reason::Timeout);
    // Each fifth look finds a sleep, or a thread that runs.
    for other in [Rest::Timed, Rest::Running] {
        let sometimes = |look| at(if look % 5 == 0 { other } else { Rest::Blocked }, 0, 1);
        assert_eq!(sampled(Waiting::No, sometimes).0.reason, Reason::Timeout, "{other:?}");
    }
    // A little processor time is that of timers.
    let timers = |look: u64| at(Rest::Served, look.min(MAX_IDLE_TICKS), 1);
    assert_eq!(sampled(Waiting::No, timers).0.reason, Reason::Idle);
}

#[test]
fn an_idle_program_is_sent_nothing() {
    let mut terminal = Terminal::new().waiting(Waiting::No);
    terminal.look.activity = Some(activity(Rest::Served, 0));
    terminal.output("up\n");
    let answer = terminal.send("never", "");
    assert_eq!((answer.reason, answer.sent, answer.text.as_str()), (Reason::Idle, false, "up\n"));
    assert!(terminal.written.is_empty());
}

#[test]
fn input_that_is_not_noticed_is_no_rest() {
    let mut terminal = Terminal::new();
    terminal.look = Look {
        waiter: Some((7, 1)),
        activity: Some(activity(Rest::Blocked, 0)),
        ..Look::at(Waiting::Only)
    };
    terminal.session.begin_send(b"x\n".to_vec(), read(), terminal.now);
    let reason = loop {
        match terminal.session.step(terminal.now) {
            Step::Wait(at) => terminal.now = at.unwrap(),
            Step::Look => terminal.session.looked(terminal.look, terminal.now),
            Step::Write(_) => terminal.session.written(terminal.now),
            Step::Done(answer) => break answer.reason,
        }
    };
    assert_eq!(reason, Reason::Timeout);
}

fn until(until: Until) -> Read {
    Read { until, ..read() }
}

fn text(text: &str) -> Read {
    until(Until::Text(text.to_owned()))
}

fn pattern(source: &str) -> Read {
    until(Until::Pattern(Pattern::parse(source).expect("a regular expression")))
}

/// Waits while the program, which works, writes these pieces one after the other.
fn awaited(terminal: &mut Terminal, read: Read, pieces: &[&str]) -> Answer {
    terminal.session.begin_read(read, terminal.now);
    for piece in pieces {
        terminal.output(piece);
        terminal.now += ms(10);
        match terminal.session.step(terminal.now) {
            Step::Done(answer) => return answer,
            Step::Look => terminal.session.looked(terminal.look, terminal.now),
            _ => {}
        }
    }
    terminal.run("")
}

#[test]
fn a_text_or_a_pattern_ends_the_read_and_nothing_before_it() {
    for (read, pieces, matched) in [
        (text("ready"), vec!["$ ", "a\n", "ready in 3 s\n"], true),
        (text("ready"), vec!["rea", "dy\n"], true),
        (text("ready"), vec!["rea\n", "dy\n"], false),
        (text("a\nb"), vec!["xa\n", "bx\n"], true),
        (text("ready"), vec!["\x1b[32mre\x1b[1mady\x1b[0m\n"], true),
        (text("10%"), vec!["10%\r20%\n"], false),
        (pattern(r"^port (\d+)$"), vec!["on port 1\n", "port ", "80", "80\n"], true),
        (pattern(r"^port (\d+)$"), vec!["on port 8080\n"], false),
        (pattern("a.*b"), vec!["a\n", "b\n"], false),
        (pattern("READY|done"), vec!["All Done\n"], false),
        (pattern("(?i)READY|DONE"), vec!["All Done\n"], true),
    ] {
        let mut terminal = Terminal::new().waiting(Waiting::No);
        let answer = awaited(&mut terminal, read.clone(), &pieces);
        let reason = if matched { Reason::Matched } else { Reason::Timeout };
        assert_eq!((answer.reason, answer.matched), (reason, Some(matched)), "{read:?} {pieces:?}");
        assert!(!answer.confirmed);
    }
}

#[test]
fn what_was_told_before_and_the_echo_are_not_searched() {
    let mut terminal = Terminal::new();
    terminal.output("ready\n$ ");
    assert_eq!(terminal.read(read()).reason, Reason::Marker);
    assert_eq!(terminal.read(text("ready")).matched, Some(false));
    for shown in [Shown::ByTerminal, Shown::ByProgram] {
        terminal.shown = shown;
        terminal.look.waiting = Waiting::Only;
        terminal.session.begin_send(b"./ready\n".to_vec(), text("ready"), terminal.now);
        // The echo comes in two pieces.
        assert_eq!(terminal.run("./ready\r\nno\r\n$ ").matched, Some(false), "{shown:?}");
        terminal.session.begin_send(b"./ready\n".to_vec(), text("ready"), terminal.now);
        assert_eq!(terminal.run("./ready\r\nready\r\n$ ").matched, Some(true), "{shown:?}");
    }
    terminal.shown = Shown::ByTerminal;
    terminal.session.begin_send(b"./ready\n".to_vec(), text("ready"), terminal.now);
    while !matches!(terminal.session.step(terminal.now), Step::Write(_)) {
        terminal.now += ms(1);
        terminal.session.looked(terminal.look, terminal.now);
    }
    terminal.session.shown(Shown::ByTerminal);
    terminal.session.written(terminal.now);
    for piece in ["./rea", "dy", "\r\n", "not yet\r\n"] {
        terminal.output(piece);
        terminal.now += ms(10);
        assert!(!matches!(terminal.session.step(terminal.now), Step::Done(_)), "{piece:?}");
    }
    terminal.output("ready\r\n");
    assert_eq!(terminal.run("").text, "not yet\nready\n");
}

#[test]
fn a_wait_finds_out_no_secret() {
    let secret = "hunter2-hunter2";
    for read in [text("password=hunter2"), pattern("password=h"), text(secret), pattern("hunter")] {
        let mut terminal = Terminal::with(&redactor(), 1 << 20).waiting(Waiting::No);
        let output = format!("password={secret}\n");
        let answer = awaited(&mut terminal, read.clone(), &[&output]);
        assert_eq!(answer.matched, Some(false), "{read:?}");
        assert_eq!(answer.text, "password=[REDACTED]\n");
        let seen = awaited(&mut terminal, text("password=[REDACTED]"), &[&output]);
        assert_eq!(seen.matched, Some(true));
        // Where nothing is masked, the same waits find it.
        let bare = Redactor::new(Options { rules: Rules::None, ..Options::default() }).unwrap();
        let mut terminal = Terminal::with(&bare, 1 << 20).waiting(Waiting::No);
        assert_eq!(awaited(&mut terminal, read, &[&output]).matched, Some(true));
    }
    // Added after it was written, and before it is read.
    let secrets = redactor();
    let mut terminal = Terminal::with(&secrets, 1 << 20).waiting(Waiting::No);
    terminal.output("the word is correct-horse\n");
    secrets.add_secret("word", "correct-horse").unwrap();
    assert_eq!(terminal.read(text("correct")).matched, Some(false));
}

#[test]
fn a_port_is_looked_for_while_the_program_writes() {
    let mut terminal = Terminal::new().waiting(Waiting::No);
    terminal.session.begin_read(until(Until::Port(8080)), terminal.now);
    assert_eq!(terminal.session.awaited_port(), Some(8080));
    let mut looks = 0;
    let answer = loop {
        terminal.output(".");
        match terminal.session.step(terminal.now) {
            Step::Wait(at) => terminal.now = at.unwrap(),
            Step::Look => {
                looks += 1;
                // Output after the look does not matter to a port.
                terminal.output(".");
                let look = Look { listens: Some(looks == 3), ..terminal.look };
                terminal.session.looked(look, terminal.now);
            }
            Step::Done(answer) => break answer,
            Step::Write(_) => panic!("a read writes nothing"),
        }
    };
    assert_eq!((answer.reason, answer.matched, looks), (Reason::Matched, Some(true), 3));
    assert_eq!(terminal.session.awaited_port(), None);
    terminal.look.listens = Some(false);
    let late = terminal.read(until(Until::Port(8080)));
    assert_eq!((late.reason, late.matched), (Reason::Timeout, Some(false)));
}

#[test]
fn silence_ends_the_read_whatever_the_program_does() {
    for (waiting, confirmed) in
        [(Waiting::No, false), (Waiting::Also, false), (Waiting::Only, true)]
    {
        let mut terminal = Terminal::new().waiting(waiting);
        terminal.output("$ ");
        let begun = terminal.now;
        let answer = terminal.read(until(Until::Silence(ms(300))));
        assert_eq!((answer.reason, answer.matched), (Reason::Quiet, Some(true)), "{waiting:?}");
        assert_eq!((answer.confirmed, terminal.now - begun), (confirmed, ms(300)), "{waiting:?}");
    }
    let mut terminal = Terminal::new().waiting(Waiting::No);
    let answer = terminal.read(Read { timeout: ms(200), ..until(Until::Silence(ms(300))) });
    assert_eq!((answer.reason, answer.matched), (Reason::Timeout, Some(false)));
}

#[test]
fn a_wait_that_is_vain_ends() {
    for (rest, reason) in [
        (Rest::Blocked, Reason::Marker),
        (Rest::Served, Reason::Timeout),
        (Rest::Timed, Reason::Timeout),
        (Rest::Running, Reason::Timeout),
        (Rest::Unknown, Reason::Timeout),
    ] {
        for read in [text("x"), pattern("x"), until(Until::Port(1))] {
            let mut terminal = Terminal::new();
            terminal.look.activity = Some(activity(rest, 0));
            terminal.output("failed\n$ ");
            let answer = terminal.read(read);
            assert_eq!((answer.reason, answer.matched), (reason, Some(false)), "{rest:?}");
            assert_eq!(answer.confirmed, reason == Reason::Marker);
        }
    }
}

#[test]
fn the_end_and_a_limit_end_every_wait() {
    let mut terminal = Terminal::new().waiting(Waiting::No);
    terminal.output("some more than ten\n");
    let answer = terminal.read(Read { max_bytes: 10, ..text("never") });
    assert_eq!((answer.reason, answer.matched), (Reason::Limit, Some(false)));
    terminal.session.begin_read(text("last"), terminal.now);
    terminal.output("the last");
    terminal.session.exited(terminal.now);
    assert_eq!(terminal.run("").matched, Some(true));
    assert_eq!(terminal.read(text("last")).reason, Reason::Exited);
}

#[test]
fn a_pattern_is_bounded_and_its_errors_say_why() {
    let longest = "a".repeat(MAX_AWAITED_BYTES);
    assert!(Pattern::parse(&longest).is_ok());
    for (source, why) in [
        (format!("{longest}a"), "it is longer than 1024 bytes"),
        ("a(b".to_owned(), "error: unclosed group"),
        (r"(\w{100}){100}".to_owned(), "it is too large when compiled"),
        ("(?=a)".to_owned(), "look-around"),
    ] {
        let error = Pattern::parse(&source).unwrap_err();
        assert!(error.contains(why), "{source:.20}: {error}");
    }
}

#[test]
fn a_long_output_is_searched_once() {
    let mut terminal = Terminal::with(&redactor(), 64 << 20).waiting(Waiting::No);
    let read = Read { max_bytes: 64 << 20, timeout: ms(1 << 30), ..pattern("(x+x+)+y") };
    terminal.session.begin_read(read, terminal.now);
    let page = format!("{}\n", "x".repeat(1_000)).repeat(4);
    for _ in 0..1_000 {
        terminal.output(&page);
        terminal.now += ms(10);
        assert!(!matches!(terminal.session.step(terminal.now), Step::Done(_)));
    }
    terminal.output("xxy\n");
    assert_eq!(terminal.run("").matched, Some(true));
}
