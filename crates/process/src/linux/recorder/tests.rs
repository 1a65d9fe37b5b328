use handrail_redact::Options;

use super::*;

const SECRET: &str = "swordfish-1-and-more";

fn recorder(redactor: &Redactor, head_bytes: usize, tail_bytes: usize) -> Recorder {
    let limits =
        OutputLimits { head_bytes, tail_bytes, max_chars: None, spill_bytes: 0, excerpt_tokens: 0 };
    Recorder::new(redactor.clone(), limits, false, Path::new("/nowhere"), 1, &Budget::new(0))
}

/// The part that is kept of `text` when the secret is added after it was written.
fn recorded(text: &str, head_bytes: usize, tail_bytes: usize) -> Cut {
    let redactor = Redactor::new(Options::default()).unwrap();
    let mut recorder = recorder(&redactor, head_bytes, tail_bytes);
    recorder.push(Stream::Stdout, text.as_bytes());
    recorder.end(Stream::Stdout, false);
    redactor.add_secret("LATE", SECRET).unwrap();
    recorder.finish().stdout
}

#[test]
fn head_and_tail_are_where_they_say_after_a_late_secret() {
    let text = format!("a {SECRET} b\n{}c {SECRET} d\n", "filler\n".repeat(100));
    let captured = recorded(&text, 60, 60);
    assert!(captured.is_truncated());
    assert!(captured.head().starts_with("a [REDACTED] b\n"));
    assert!(captured.tail().ends_with("c [REDACTED] d\n"));
    let kept = (captured.head().len() + captured.tail().len()) as u64;
    assert_eq!(kept + captured.omitted.bytes, captured.total.bytes);
    let whole = recorded(&format!("a {SECRET} b\n"), 60, 60);
    assert_eq!(whole.text, "a [REDACTED] b\n");
    assert_eq!((whole.head().len(), whole.total.bytes), (15, 15));
}

#[test]
fn a_late_secret_shows_no_half_at_the_cut() {
    for before in 0..SECRET.len() {
        // No line ends are near, so that the cut is where the budget ends.
        let filler = "x".repeat(500);
        let head = format!("{}{SECRET}{filler}", "y".repeat(60 - before));
        let tail = format!("{SECRET}{}", "z".repeat(60 - before));
        let captured = recorded(&format!("{head}{tail}"), 60, 60);
        assert!(captured.is_truncated());
        let shown = SECRET
            .as_bytes()
            .windows(4)
            .any(|part| captured.text.contains(std::str::from_utf8(part).unwrap()));
        assert!(!shown, "{before}: {}", captured.text);
    }
}

/// The joined output of these pieces; `from_the_start` keeps a text of its own for it from the first byte on.
fn joined(redactor: &Redactor, pieces: &[(Stream, &str)], from_the_start: bool) -> Cut {
    let mut recorder = recorder(redactor, 40, 90);
    if from_the_start {
        recorder.joined_output =
            JoinedOutput::Both(Box::new(Cutter::new(Bounds::new(Unit::Bytes, 40, 90))));
    }
    for (stream, piece) in pieces {
        recorder.push(*stream, piece.as_bytes());
    }
    recorder.end(Stream::Stdout, false);
    recorder.end(Stream::Stderr, false);
    let Recorded { stdout, stderr, joined, .. } = recorder.finish();
    joined.unwrap_or(if stdout.text.is_empty() { stderr } else { stdout })
}

#[test]
fn one_output_alone_is_both_until_the_other_is_read_from() {
    use Stream::{Stderr, Stdout};
    let redactor = Redactor::new(Options::default()).unwrap();
    let long = "a line of some length\n".repeat(30);
    let texts = ["", "a\n", "no end", "\n", "password=hunter2hunter2\n", &long];
    for first in [Stdout, Stderr] {
        let second = if first == Stdout { Stderr } else { Stdout };
        for count in 0..texts.len().pow(3) {
            let text = |power| texts[count / texts.len().pow(power) % texts.len()];
            let (one, two, three) = (text(0), text(1), text(2));
            for pieces in [
                &[(first, one), (first, two), (first, three)][..],
                &[(first, one), (first, two), (second, three)],
                &[(first, one), (second, two), (first, three)],
            ] {
                let (alone, apart) =
                    (joined(&redactor, pieces, false), joined(&redactor, pieces, true));
                assert_eq!(alone.text, apart.text, "{pieces:?}");
                assert_eq!(
                    (alone.total, alone.omitted),
                    (apart.total, apart.omitted),
                    "{pieces:?}"
                );
            }
        }
    }
}

#[test]
fn a_reader_of_both_is_told_what_is_missing_of_both() {
    let redactor = Redactor::new(Options::default()).unwrap();
    let line = "a line of some length\n";
    for (stderr, max_chars) in [("", 200), ("", 60), ("an error\n", 200), ("an error\n", 9_000)] {
        let mut recorder = recorder(&redactor, 1_000, 1_000);
        recorder.max_joined_chars = Some(max_chars);
        for _ in 0..200 {
            recorder.push(Stream::Stdout, line.as_bytes());
        }
        recorder.push(Stream::Stderr, stderr.as_bytes());
        recorder.end(Stream::Stdout, false);
        recorder.end(Stream::Stderr, false);
        let written = (200 * line.len() + stderr.len()) as u64;
        let Recorded { stdout, joined, .. } = recorder.finish();
        let joined = joined.unwrap();
        assert!(joined.text.chars().count() <= max_chars);
        assert_eq!(joined.total.bytes, written);
        let kept = (joined.head().len() + joined.tail().len()) as u64;
        assert_eq!(joined.omitted.bytes, written - kept);
        assert_eq!(stdout.head().len() + stdout.tail().len(), 2_000 / line.len() * line.len());
    }
}

#[test]
fn halves_of_a_secret_on_both_outputs_are_masked_where_they_meet() {
    let redactor = Redactor::new(Options::default()).unwrap();
    redactor.add_secret("KNOWN", SECRET).unwrap();
    let (first, second) = SECRET.split_at(9);
    let joined = joined(&redactor, &[(Stream::Stdout, first), (Stream::Stderr, second)], false);
    assert_eq!(joined.text, "[REDACTED]");
}

#[test]
fn of_an_output_that_was_cut_no_first_half_of_a_secret_is_shown() {
    let redactor = Redactor::new(Options::default()).unwrap();
    redactor.add_secret("KNOWN", SECRET).unwrap();
    let half = &SECRET[..9];
    for (is_cut, expected) in [(true, "a [REDACTED]"), (false, "a swordfish")] {
        let limits = OutputLimits {
            head_bytes: 99,
            tail_bytes: 99,
            max_chars: None,
            spill_bytes: 0,
            excerpt_tokens: 0,
        };
        let budget = Budget::new(0);
        let mut recorder =
            Recorder::new(redactor.clone(), limits, true, Path::new("/nowhere"), 1, &budget);
        recorder.push(Stream::Stdout, format!("a {half}").as_bytes());
        recorder.end(Stream::Stdout, is_cut);
        assert_eq!(recorder.take_streamed(Stream::Stdout).as_deref(), Some(expected));
        assert_eq!(recorder.finish().stdout.text, expected);
    }
    // The same where the secret is added after the first half was recorded.
    assert_eq!(recorded(&format!("a {half}"), 60, 60).text, "a [REDACTED]");
}

#[test]
fn a_secret_that_is_printed_alone_is_masked_whatever_it_looks_like() {
    let output = |expects: bool| {
        let redactor = Redactor::new(Options::default()).unwrap();
        let mut recorder = recorder(&redactor, 1_000, 1_000);
        if expects {
            recorder.expect_secret();
        }
        recorder.push(Stream::Stdout, b"ti");
        recorder.push(Stream::Stdout, b"ger");
        recorder.push(Stream::Stderr, b"tiger\n");
        recorder.end(Stream::Stdout, false);
        recorder.end(Stream::Stderr, false);
        let found = recorder.finish();
        (found.stdout.text, found.stderr.text)
    };
    assert_eq!(output(true), ("[REDACTED]".to_owned(), "tiger\n".to_owned()));
    assert_eq!(output(false), ("tiger".to_owned(), "tiger\n".to_owned()));
}
