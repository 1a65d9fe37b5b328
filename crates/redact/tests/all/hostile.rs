//! Inputs made to be slow. What is counted is the bytes read, each time anew: no clock tells the same twice.

use crate::support::hostile::PIECES;
use crate::support::stream;
use crate::tables;
use handrail_redact::{HOLD_BYTES, LOOK_BEHIND_BYTES, Options, Redactor, Rules};

/// More than a window, so that what is read again between two of them counts.
const BYTES: usize = 136 << 10;

/// Nearly the longest line that is looked at as a whole, and what a stream gets at a time.
const LINE_BYTES: usize = 60_000;
const CHUNK_BYTES: usize = 50_000;

/// How many times the input, and how many halves of the steps that may take.
const TIMES: usize = 8;
const GROWTH_HALVES: u64 = 17;

/// Half a piece at the end may be read otherwise. The longer text has windows that overlap.
const UNEVEN_STEPS: u64 = 64 << 10;
const OVERLAP_BYTES: usize = 2 * (HOLD_BYTES + LOOK_BEHIND_BYTES);

/// Most steps for each byte: of five bytes with a name and a colon, a value of 256 is judged and 64 around it are read.
const STEPS_PER_BYTE: u64 = 120;

/// The same for a pattern of a user, which is searched for again after each match.
const PATTERN_STEPS_PER_BYTE: u64 = 4 << 10;

/// Most steps of a pause: it reads a line of 4 KiB in several ways.
const PAUSE_STEPS: u64 = 6 * 4_096 * STEPS_PER_BYTE;

fn repeat(piece: &[u8], bytes: usize) -> Vec<u8> {
    piece.iter().copied().cycle().take(bytes).collect()
}

/// The text takes at most `most` steps for each byte, and a stream redacts it in the same way.
#[track_caller]
fn is_bounded(name: &[u8], redactor: &Redactor, text: &[u8], most: u64) -> u64 {
    let name = String::from_utf8_lossy(name);
    let (redacted, steps) = redactor.redact_counted(text);
    let each = steps / text.len() as u64;
    assert!(each < most, "{name:?}: {each} steps for each byte");
    let chunks: Vec<&[u8]> = text.chunks(CHUNK_BYTES).collect();
    assert!(stream(redactor, &chunks) == redacted.unwrap_or_else(|| text.to_vec()), "{name:?}");
    steps
}

/// The same of a piece again and again, and that so many times the pieces take so many times the steps.
#[track_caller]
fn is_linear(piece: &[u8], redactor: &Redactor, bytes: usize) {
    let text = repeat(piece, bytes);
    let all = is_bounded(piece, redactor, &text, STEPS_PER_BYTE);
    let (_, once) = redactor.redact_counted(&text[..bytes / TIMES]);
    let twice = once * OVERLAP_BYTES as u64 / (bytes / TIMES) as u64;
    let is_linear = all <= once * GROWTH_HALVES / 2 + twice + UNEVEN_STEPS;
    let name = String::from_utf8_lossy(piece);
    assert!(is_linear, "{name:?}: {TIMES} times the input: {all} steps after {once}");
}

#[test]
fn a_line_over_windows_is_linear() {
    let redactor = Redactor::new(Options::default()).unwrap();
    for piece in PIECES {
        is_linear(piece, &redactor, BYTES);
    }
}

#[test]
fn a_line_of_one_window_is_linear() {
    let redactor = Redactor::new(Options::default()).unwrap();
    for piece in PIECES {
        is_linear(piece, &redactor, LINE_BYTES);
    }
}

#[test]
fn many_lines_are_linear() {
    let redactor = Redactor::new(Options::default()).unwrap();
    let line = |piece: &&[u8]| [piece, &b"\n"[..]].concat();
    for piece in PIECES {
        is_linear(&line(piece), &redactor, LINE_BYTES);
    }
}

/// How examples come on one line again and again.
const REPEATED: &[&str] = &["@@ ", "@@;", "\"@@\",", "{\"a\":\"@@\"},", "{'a':'@@'},"];

#[test]
fn examples_on_one_line_are_read_once() {
    for row in tables::rows().iter().filter(|row| row.is_around()) {
        let example = row.input.replace('\n', " ");
        for around in REPEATED {
            let piece = around.replace("@@", &example);
            let text = repeat(piece.as_bytes(), CHUNK_BYTES);
            is_bounded(piece.as_bytes(), &row.redactor, &text, STEPS_PER_BYTE);
        }
    }
}

/// One name that asks for the words around it, and then nothing but lines with colours.
#[test]
fn coloured_lines_after_an_open_question_are_linear() {
    let redactor = Redactor::new(Options::default()).unwrap();
    let coloured = repeat(b"\x1b[31mpassword\x1b[0m=\x1b[32mhunter2x9\x1b[0m\n", BYTES);
    let text = [b"a token of trust\n", &coloured[..]].concat();
    is_bounded(b"coloured lines", &redactor, &text, STEPS_PER_BYTE);
}

#[test]
fn known_values_in_base64_are_linear() {
    let secrets = vec![("A".to_owned(), "correct-horse".to_owned())];
    let redactor = Redactor::new(Options { secrets, ..Options::default() }).unwrap();
    for piece in [&b"Y29ycmVjdC1ob3Jz"[..], b"Y29ycmVjdC1ob3Jz=", b"Y29ycmVjdC1ob3Jz ", b"A"] {
        is_bounded(piece, &redactor, &repeat(piece, BYTES), STEPS_PER_BYTE);
    }
}

/// The last: every match looks at all that follows before it is known to be short.
#[test]
fn user_patterns_are_linear() {
    let options = |pattern: &str| Options {
        patterns: vec![pattern.to_owned()],
        rules: Rules::None,
        ..Options::default()
    };
    for (pattern, piece) in [
        ("(a+)+$", &b"a"[..]),
        ("(a|a)*b", b"a"),
        (".*.*=.*", b"x"),
        ("\\w+@\\w+", b"a"),
        ("[A-Z].*x|[A-Z]", b"A"),
    ] {
        let redactor = Redactor::new(options(pattern)).unwrap();
        is_bounded(pattern.as_bytes(), &redactor, &repeat(piece, BYTES), PATTERN_STEPS_PER_BYTE);
    }
}

/// A pause tries several ways in which a line may go on: each reads the line once more.
#[test]
fn a_pause_in_a_dense_line_is_short() {
    const LINE: usize = 4_000;
    let redactor = Redactor::new(Options::default()).unwrap();
    for piece in PIECES {
        for start in [&b"a few words "[..], b""] {
            let line = [start, &repeat(piece, LINE - start.len())].concat();
            let line: Vec<u8> = line.into_iter().map(|byte| byte.max(b' ')).collect();
            let mut stream = redactor.stream();
            stream.push(&line, &mut |_| {});
            let before = stream.steps();
            stream.idle(&mut |_| {});
            let steps = stream.steps() - before;
            assert!(steps <= PAUSE_STEPS, "{:?}: {steps} steps", String::from_utf8_lossy(piece));
        }
    }
}

/// What a team brings: a thousand patterns, each with a prefix of its own. They are compiled when they are needed, so that a
/// text with one prefix is searched for one pattern.
#[test]
fn a_thousand_patterns_are_ready_at_once() {
    let tails = ["[A-Za-z0-9]{32}", "[0-9a-f]{40}\\b", "(?:live|test)_[\\w-]{16,20}", "\\d+"];
    let pattern = |index: usize| format!("\\b(?i:team){index}_{}", tails[index % tails.len()]);
    let options = Options { patterns: (0..1_000).map(pattern).collect(), ..Options::default() };
    let redactor = Redactor::new(options).unwrap();
    let text = b"a Team7_12 b";
    let (redacted, steps) = redactor.redact_counted(text);
    assert_eq!(redacted.as_deref(), Some(&b"a [REDACTED] b"[..]));
    assert!(steps < 1_000, "{steps} steps for one pattern");
}

/// The search for a name after its value ends at a limit, which may lie inside of any member.
#[test]
fn a_member_may_reach_over_the_limit_of_its_search() {
    let redactor = Redactor::new(Options::default()).expect("valid options");
    for length in 0..200 {
        for sign in ["=", ": ", "\": \""] {
            let text =
                format!("{{\"value\": \"Zk3v8wQ9xT7m\", \"{}{sign}x\"}}\n", "a".repeat(length));
            assert!(redactor.redact(text.as_bytes()).is_none(), "{text}");
        }
    }
}
