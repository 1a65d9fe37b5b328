//! Bounding a stream: exact for every option, and the same however the stream is divided.

use crate::exact::{bounded, divided, units, verify};
use crate::soak::soak;
use handrail_text::{Bounds, Captured, DEFAULT_MAX_LINE_CHARS, Unit, bound};
use proptest::prelude::*;

const UNITS: [Unit; 3] = [Unit::Bytes, Unit::Chars, Unit::Lines];

fn lines(unit: Unit, head: usize, tail: usize) -> Bounds {
    Bounds { fold_repeats: true, ..Bounds::new(unit, head, tail) }
}

fn checked(text: &str, bounds: Bounds) -> Captured {
    let captured = bound(text, bounds);
    verify(text, &captured);
    captured
}

fn numbered(range: std::ops::RangeInclusive<usize>, line: impl Fn(usize) -> String) -> String {
    range.fold(String::new(), |text, number| text + &line(number))
}

#[test]
fn a12_the_end_of_a_build_log_stays_and_the_cut_is_told() {
    let log = format!("start\n{}error: the last line says why\n", "compiling\n".repeat(500));
    let captured = checked(&log, Bounds::new(Unit::Chars, 300, 700));
    assert!(captured.truncated);
    assert!(captured.text.starts_with("start\n"));
    assert!(captured.text.ends_with("error: the last line says why\n"));
    let notice = format!(
        "[... {} characters, {} lines omitted ...]\n",
        captured.omitted_chars, captured.omitted_lines
    );
    assert!(captured.text.contains(&notice), "{}", captured.text);
}

#[test]
fn a_budget_of_lines() {
    let text = "one\ntwo\nthree\nfour\nfive";
    assert_eq!(checked(text, Bounds::new(Unit::Lines, 2, 3)).text, text);
    assert_eq!(
        checked(text, Bounds::new(Unit::Lines, 1, 1)).text,
        "one\n[... 3 lines, 15 characters omitted ...]\nfive"
    );
    assert_eq!(
        checked(text, Bounds::new(Unit::Lines, 0, 2)).text,
        "[... 3 lines, 14 characters omitted ...]\nfour\nfive"
    );
    assert_eq!(
        checked("a\nb\n", Bounds::new(Unit::Lines, 1, 0)).text,
        "a\n[... 1 lines, 2 characters omitted ...]\n"
    );
}

#[test]
fn a_line_is_shortened_in_its_middle() {
    let bounds = Bounds { max_line_chars: Some(10), ..Bounds::new(Unit::Bytes, 1000, 1000) };
    assert_eq!(checked("0123456789\n", bounds).text, "0123456789\n");
    assert_eq!(
        checked("a\n0123456789X\r\nb\n", bounds).text,
        "a\n01234[... 2 characters omitted ...]789X\r\nb\n"
    );
    let captured = checked(&"é".repeat(1000), bounds);
    assert_eq!(captured.text, "ééééé[... 990 characters omitted ...]ééééé");
    assert_eq!(
        (captured.omitted_chars, captured.omitted_bytes, captured.omitted_lines),
        (990, 1980, 0)
    );
    assert!(captured.truncated);
}

#[test]
fn a_budget_of_lines_limits_lines_as_well() {
    let text = "x".repeat(DEFAULT_MAX_LINE_CHARS + 1);
    let captured = checked(&text, Bounds::new(Unit::Lines, 10, 10));
    assert_eq!((captured.truncated, captured.omitted_chars), (true, 1));
    let exact = "x".repeat(DEFAULT_MAX_LINE_CHARS);
    assert_eq!(checked(&exact, Bounds::new(Unit::Lines, 10, 10)).text, exact);
}

#[test]
fn repeated_lines_are_folded_when_the_text_does_not_fit() {
    let progress = numbered(1..=43, |count| format!("fetched {count:3} of 43\n"));
    let text = format!("begin\n{progress}end\n");
    assert_eq!(checked(&text, lines(Unit::Bytes, 500, 1000)).text, text);
    let captured = checked(&text, lines(Unit::Bytes, 100, 100));
    assert_eq!(
        captured.text,
        "begin\nfetched   1 of 43\n[... 41 similar lines ...]\nfetched  43 of 43\nend\n"
    );
    assert_eq!((captured.omitted_lines, captured.omitted_bytes), (41, 41 * 18));
    let same = "waiting\n".repeat(1000);
    assert_eq!(
        checked(&same, lines(Unit::Bytes, 100, 100)).text,
        "waiting\n[... 998 identical lines ...]\nwaiting\n"
    );
}

#[test]
fn what_a_notice_would_not_make_shorter_is_not_folded() {
    let text = format!("{}{}", "a 1\n".repeat(18), "b\n".repeat(1000));
    let captured = checked(&text, lines(Unit::Bytes, 100, 100));
    assert!(captured.text.starts_with(&"a 1\n".repeat(18)), "{}", captured.text);
    let text = format!("{}{}", "a 1\n".repeat(19), "b\n".repeat(1000));
    assert!(
        checked(&text, lines(Unit::Bytes, 100, 100)).text.starts_with("a 1\n[... 17 identical")
    );
}

#[test]
fn the_first_error_in_the_middle_is_kept() {
    let noise = |name: &str| numbered(1..=200, |count| format!("{name} step {count} is done\n"));
    let error = "error[E0308]: mismatched types\n  --> src/main.rs:4:5\n   |\n4  | x\n\n";
    let text = format!("{}{error}{}warning: 0 errors\nend\n", noise("a"), noise("b"));
    for unit in UNITS {
        let budget = if unit == Unit::Lines { 40 } else { 1000 };
        let bounds =
            Bounds { keep_errors: true, ..Bounds::new(unit, budget * 3 / 10, budget * 7 / 10) };
        let captured = checked(&text, bounds);
        assert!(captured.text.contains(error.trim_end()), "{unit:?} {}", captured.text);
        assert!(captured.text.ends_with("end\n"));
        assert_eq!(captured.text.matches("omitted").count(), 2, "{}", captured.text);
        let without = bound(&text, Bounds { keep_errors: false, ..bounds });
        assert!(!without.text.contains("E0308"));
    }
}

#[test]
fn errors_in_head_or_tail_cost_nothing() {
    let text = format!("error: first\n{}error: last\n", "noise of a build\n".repeat(500));
    let plain = Bounds::new(Unit::Chars, 300, 700);
    let with_errors = Bounds { keep_errors: true, ..plain };
    assert_eq!(checked(&text, with_errors), checked(&text, plain));
}

#[test]
fn errors_take_a_quarter_at_most() {
    let text = numbered(1..=100_000, |count| format!("error: number {count} of many\n"));
    for unit in UNITS {
        let bounds = Bounds { keep_errors: true, ..Bounds::new(unit, 300, 700) };
        let captured = checked(&text, bounds);
        let cost = units(unit, &captured.text);
        let notices = 2 * units(unit, "[... 1000000 characters, 1000000 lines omitted ...]\n");
        assert!(cost <= 1000 + notices, "{unit:?} {cost}");
        let tail = units(unit, &captured.text[captured.tail]);
        assert!((400..=450).contains(&tail), "{unit:?} {tail}");
    }
}

#[test]
fn a_huge_error_line_is_kept_from_its_beginning() {
    let noise = "noise of a build\n".repeat(500);
    let text = format!("{noise}error: {}\n{noise}", "x".repeat(100_000));
    let bounds = Bounds { keep_errors: true, ..Bounds::new(Unit::Chars, 300, 700) };
    assert!(checked(&text, bounds).text.contains("error: xxxxxxxxx"));
}

#[test]
fn memory_does_not_grow_with_the_stream() {
    let line = format!("{}\n", "x".repeat(1 << 20));
    let bounds = Bounds { fold_repeats: true, keep_errors: true, ..Bounds::new(Unit::Lines, 5, 5) };
    let mut bounder = handrail_text::Bounder::new(bounds);
    for _ in 0..200 * soak() {
        bounder.push(line.as_bytes());
    }
    let captured = bounder.finish();
    assert!(captured.text.len() < 100_000);
    assert_eq!(captured.total_bytes, 200 * u64::from(soak()) * line.len() as u64);
}

/// Text in which all that a cut has to respect is frequent.
fn texts() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        6 => "[a-z ]{1,12}",
        4 => Just("\n".to_owned()),
        2 => (0_u32..2000).prop_map(|number| format!("step {number:4}\n")),
        2 => (1_usize..30).prop_map(|count| "same line\n".repeat(count)),
        1 => prop::sample::select(vec![
            "\r\n", "error: no\n", "[REDACTED]", "[REDACTED:rule]", "é", "日本", "e\u{301}", "\u{1f468}\u{200d}\u{1f469}",
            "\u{1f1e9}\u{1f1ea}", "Traceback\n",
        ]).prop_map(str::to_owned),
        1 => (1_usize..400).prop_map(|count| "x".repeat(count)),
    ];
    prop::collection::vec(piece, 0..60).prop_map(|pieces| pieces.concat())
}

fn bounds() -> impl Strategy<Value = Bounds> {
    let budget = || 0_usize..300;
    let maximum = prop::option::of(1_usize..100);
    (
        prop::sample::select(UNITS.to_vec()),
        budget(),
        budget(),
        maximum,
        any::<bool>(),
        any::<bool>(),
    )
        .prop_map(|(unit, head, tail, max_line_chars, fold_repeats, keep_errors)| {
            let scale = if unit == Unit::Lines { 10 } else { 1 };
            Bounds {
                unit,
                head: head / scale,
                tail: tail / scale,
                max_line_chars,
                fold_repeats,
                keep_errors,
            }
        })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 3000 * soak(), failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_split_gives_the_same(text in texts(), bounds in bounds(), cuts in prop::collection::vec(0_usize..1500, 0..8)) {
        let whole = bounded(bounds, &[text.as_bytes()]);
        verify(&text, &whole);
        prop_assert_eq!(&bounded(bounds, &divided(text.as_bytes(), &cuts)), &whole);
        let bytes: Vec<&[u8]> = text.as_bytes().chunks(1).collect();
        prop_assert_eq!(&bounded(bounds, &bytes), &whole);
    }

    #[test]
    fn what_fits_is_unchanged(text in texts(), bounds in bounds()) {
        let bounds = Bounds { max_line_chars: None, ..bounds };
        let captured = bound(&text, bounds);
        prop_assert_eq!(captured.truncated, units(bounds.unit, &text) > bounds.head + bounds.tail);
    }

    #[test]
    fn budgets_are_kept(text in texts(), bounds in bounds()) {
        let captured = bound(&text, bounds);
        if captured.truncated && !captured.tail.is_empty() {
            prop_assert!(units(bounds.unit, &captured.text[captured.head.clone()]) <= bounds.head);
            prop_assert!(units(bounds.unit, &captured.text[captured.tail.clone()]) <= bounds.tail);
        }
    }

    #[test]
    fn nothing_is_divided(text in texts(), bounds in bounds()) {
        let captured = bound(&text, bounds);
        let rest = captured.text.replace("[REDACTED]", "").replace("[REDACTED:rule]", "");
        prop_assert!(!rest.contains("REDA") && !rest.contains("ED]") && !rest.contains("rule]"), "{}", captured.text);
        // What follows a cut begins no piece of what was one character.
        for piece in captured.text.split("omitted ...]\n").skip(1) {
            prop_assert!(!piece.starts_with(['\u{301}', '\u{200d}', '\u{1f1ea}']), "{:?}", captured.text);
        }
        prop_assert!(!captured.text.contains("\r\n[...") || text.contains("\r\n"));
    }
}
