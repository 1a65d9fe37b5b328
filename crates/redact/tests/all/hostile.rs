//! Inputs made to be slow.

use std::time::Duration;

use crate::support::hostile::PIECES;
use handrail_redact::{Options, Redactor, Rules};
use rustix::time::{ClockId, clock_gettime};

const BYTES: usize = if cfg!(debug_assertions) { 1 << 17 } else { 1 << 18 };

/// What they may take at most: some times what they do take, far below what work that looks at bytes again and again takes.
const LIMIT: Duration = Duration::from_millis(if cfg!(debug_assertions) { 20_000 } else { 1_000 });

/// A processor may be slow for a while, but not every time. The fastest of all attempts is nearest to what it takes.
const ATTEMPTS: usize = 24;

/// How much of a processor this thread has had: what else runs makes no difference.
fn spent() -> Duration {
    Duration::try_from(clock_gettime(ClockId::ThreadCPUTime)).expect("a time since the start")
}

/// A user's pattern may be slow by itself; what it may not be is quadratic, which takes hours.
const PATTERN_LIMIT: Duration = Duration::from_secs(30);

fn timed(name: &str, redactor: &Redactor, text: &[u8], limit: Duration) {
    let mut redacted = None;
    let in_time = (0..ATTEMPTS).any(|_| {
        let start = spent();
        redacted = redactor.redact(text);
        spent().saturating_sub(start) < limit
    });
    assert!(in_time, "{name}: more than {limit:?}");
    let chunks: Vec<&[u8]> = text.chunks(60_000).collect();
    let streamed = crate::support::stream(redactor, &chunks);
    assert!(streamed == redacted.unwrap_or_else(|| text.to_vec()), "{name}");
}

fn repeat(piece: &[u8]) -> Vec<u8> {
    piece.iter().copied().cycle().take(BYTES).collect()
}

/// Longest line that is looked at as a whole, nearly.
const LINE_BYTES: usize = 60_000;

/// Short and long, so that work that grows with a line, a window or the text shows.
const SIZES: &[usize] = if cfg!(debug_assertions) { &[8 << 10] } else { &[8 << 10, BYTES / TIMES] };

/// How many times the input. Far more than two, so that neither a cache nor the memory that a longer text needs decides.
const TIMES: usize = 8;

/// What that may take: 8 times is right, 64 times is quadratic.
const GROWTH: f64 = 28.0;

/// What takes less than this is too short to compare.
const UNNOTICED: Duration = Duration::from_millis(if cfg!(debug_assertions) { 40 } else { 4 });

fn taken(redactor: &Redactor, text: &[u8]) -> Duration {
    let start = spent();
    std::hint::black_box(redactor.redact(text));
    spent().saturating_sub(start)
}

#[test]
fn one_line_of_triggers_is_linear() {
    let redactor = Redactor::new(Options::default()).unwrap();
    for piece in PIECES {
        timed(&String::from_utf8_lossy(piece), &redactor, &repeat(piece), LIMIT);
    }
}

#[test]
fn many_lines_of_triggers_are_linear() {
    let redactor = Redactor::new(Options::default()).unwrap();
    for piece in PIECES {
        let name = String::from_utf8_lossy(piece);
        timed(&name, &redactor, &repeat(&[piece, &b"\n"[..]].concat()), LIMIT);
        let mut long = repeat(piece);
        long.iter_mut().skip(LINE_BYTES).step_by(LINE_BYTES).for_each(|byte| *byte = b'\n');
        timed(&name, &redactor, &long, LIMIT);
    }
}

#[test]
fn time_grows_with_the_input() {
    let redactor = Redactor::new(Options::default()).unwrap();
    for piece in PIECES {
        for &bytes in SIZES {
            let text = repeat(piece);
            // Half a piece at the end may be read otherwise, and all of the line a second time.
            let bytes = bytes - bytes % piece.len();
            let mut growth = 0.0;
            let (mut once, mut all) = (Duration::MAX, Duration::MAX);
            let is_linear = (0..ATTEMPTS).any(|_| {
                once = once.min(taken(&redactor, &text[..bytes]));
                all = all.min(taken(&redactor, &text[..TIMES * bytes]));
                growth = all.as_secs_f64() / once.as_secs_f64().max(1e-6);
                all < UNNOTICED || growth < GROWTH
            });
            let name = String::from_utf8_lossy(piece);
            assert!(is_linear, "{name:?}: {TIMES} x {bytes} bytes take {growth:.1} times as long");
        }
    }
}

/// One name that asks for the words around it, and then nothing but lines behind colours.
#[test]
fn coloured_lines_behind_an_open_question_are_linear() {
    let redactor = Redactor::new(Options::default()).unwrap();
    let coloured = repeat(b"\x1b[31mpassword\x1b[0m=\x1b[32mhunter2x9\x1b[0m\n");
    let text = [b"a token of trust\n", &coloured[..]].concat();
    timed("coloured lines", &redactor, &text, LIMIT);
}

#[test]
fn known_values_in_base64_are_linear() {
    let secrets = vec![("A".to_owned(), "correct-horse".to_owned())];
    let redactor = Redactor::new(Options { secrets, ..Options::default() }).unwrap();
    for piece in [&b"Y29ycmVjdC1ob3Jz"[..], b"Y29ycmVjdC1ob3Jz=", b"Y29ycmVjdC1ob3Jz ", b"A"] {
        timed(&String::from_utf8_lossy(piece), &redactor, &repeat(piece), LIMIT);
    }
}

#[test]
fn user_patterns_are_linear() {
    let options = |pattern: &str| Options {
        patterns: vec![pattern.to_owned()],
        rules: Rules::None,
        ..Options::default()
    };
    for (pattern, piece) in
        [("(a+)+$", &b"a"[..]), ("(a|a)*b", b"a"), (".*.*=.*", b"x"), ("\\w+@\\w+", b"a")]
    {
        timed(pattern, &Redactor::new(options(pattern)).unwrap(), &repeat(piece), PATTERN_LIMIT);
    }
    // Every match looks at all that follows before it is known to be short.
    timed(
        "overscan",
        &Redactor::new(options("[A-Z].*x|[A-Z]")).unwrap(),
        &repeat(b"A"),
        PATTERN_LIMIT,
    );
}

/// A pause tries many ways in which a line may go on: not at the cost of all that is in a full line for each.
#[test]
fn a_pause_in_a_dense_line_is_short() {
    const BYTES: usize = 4_000;
    const LIMIT: Duration = Duration::from_millis(if cfg!(debug_assertions) { 150 } else { 30 });
    let redactor = Redactor::new(Options::default()).unwrap();
    for piece in PIECES {
        for start in [&b"a few words "[..], b""] {
            let line = [start, &repeat(piece)[..BYTES - start.len()]].concat();
            let line: Vec<u8> = line.into_iter().map(|byte| byte.max(b' ')).collect();
            let in_time = (0..ATTEMPTS).any(|_| {
                let mut stream = redactor.stream();
                stream.push(&line, &mut |_| {});
                let begin = spent();
                stream.idle(&mut |_| {});
                spent().saturating_sub(begin) < LIMIT
            });
            assert!(in_time, "{:?}: more than {LIMIT:?}", String::from_utf8_lossy(piece));
        }
    }
}

/// What a team brings: a thousand patterns, each with a prefix of its own. They are compiled when they are needed; together
/// that takes over a second.
#[test]
fn a_thousand_patterns_are_ready_at_once() {
    const LIMIT: Duration =
        Duration::from_millis(if cfg!(debug_assertions) { 20_000 } else { 2_000 });
    let tails = ["[A-Za-z0-9]{32}", "[0-9a-f]{40}\\b", "(?:live|test)_[\\w-]{16,20}", "\\d+"];
    let pattern = |index: usize| format!("\\b(?i:team){index}_{}", tails[index % tails.len()]);
    let options = Options { patterns: (0..1_000).map(pattern).collect(), ..Options::default() };
    let in_time = (0..ATTEMPTS).any(|_| {
        let start = spent();
        let redactor = Redactor::new(options.clone()).unwrap();
        let time = spent().saturating_sub(start);
        assert_eq!(redactor.redact(b"a Team7_12 b").as_deref(), Some(&b"a [REDACTED] b"[..]));
        time < LIMIT
    });
    assert!(in_time, "more than {LIMIT:?}");
}
