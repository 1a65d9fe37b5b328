use handrail_redact::Options;

use super::*;

const SECRET: &str = "swordfish-1-and-more";

/// What is kept of `text` when the secret joins behind it.
fn recorded(text: &str, head_bytes: usize, tail_bytes: usize) -> Captured {
    let redactor = Redactor::new(Options::default()).unwrap();
    let limits = OutputLimits { head_bytes, tail_bytes, spill_bytes: 0, excerpt_tokens: 0 };
    let mut recorder =
        Recorder::new(redactor.clone(), limits, false, Path::new("/nowhere"), 1, &Budget::new(0));
    recorder.push(Stream::Stdout, text.as_bytes());
    recorder.end(Stream::Stdout);
    redactor.add_secret("LATE", SECRET).unwrap();
    recorder.finish().stdout
}

#[test]
fn head_and_tail_are_where_they_say_after_a_late_secret() {
    let text = format!("a {SECRET} b\n{}c {SECRET} d\n", "filler\n".repeat(100));
    let captured = recorded(&text, 60, 60);
    assert!(captured.truncated);
    assert!(captured.text[captured.head.clone()].starts_with("a [REDACTED] b\n"));
    assert!(captured.text[captured.tail.clone()].ends_with("c [REDACTED] d\n"));
    assert_eq!(captured.kept_bytes, (captured.head.len() + captured.tail.len()) as u64);
    assert_eq!(captured.kept_bytes + captured.omitted_bytes, captured.total_bytes);
    let whole = recorded(&format!("a {SECRET} b\n"), 60, 60);
    assert_eq!(whole.text, "a [REDACTED] b\n");
    assert_eq!((whole.head, whole.kept_bytes), (0..15, 15));
}

#[test]
fn a_late_secret_shows_no_half_at_the_cut() {
    for before in 0..SECRET.len() {
        // No line ends are near, so that the cut is where the budget ends.
        let filler = "x".repeat(500);
        let head = format!("{}{SECRET}{filler}", "y".repeat(60 - before));
        let tail = format!("{SECRET}{}", "z".repeat(60 - before));
        let captured = recorded(&format!("{head}{tail}"), 60, 60);
        assert!(captured.truncated);
        let shown = SECRET
            .as_bytes()
            .windows(4)
            .any(|part| captured.text.contains(std::str::from_utf8(part).unwrap()));
        assert!(!shown, "{before}: {}", captured.text);
    }
}

/// Both outputs as one, of pieces on either; `from_the_start` keeps it apart from the first byte on.
fn combined(redactor: &Redactor, pieces: &[(Stream, &str)], from_the_start: bool) -> Captured {
    let limits = OutputLimits { head_bytes: 40, tail_bytes: 90, spill_bytes: 0, excerpt_tokens: 0 };
    let mut recorder =
        Recorder::new(redactor.clone(), limits, false, Path::new("/nowhere"), 1, &Budget::new(0));
    if from_the_start {
        recorder.together = Together::Both(Box::new(Capture::new(40, 90)));
    }
    for (stream, piece) in pieces {
        recorder.push(*stream, piece.as_bytes());
    }
    recorder.end(Stream::Stdout);
    recorder.end(Stream::Stderr);
    recorder.finish().combined
}

#[test]
fn one_output_alone_is_both_until_the_other_is_heard() {
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
                    (combined(&redactor, pieces, false), combined(&redactor, pieces, true));
                assert_eq!(alone.text, apart.text, "{pieces:?}");
                assert_eq!(alone.total_bytes, apart.total_bytes, "{pieces:?}");
                assert_eq!(alone.kept_bytes, apart.kept_bytes, "{pieces:?}");
            }
        }
    }
}
