//! Bounding a stream: exact for every option, and the same however the stream is divided.

use crate::exact::{bounded, divided, units, verify};
use crate::soak::soak;
use handrail_text::{Bounds, Cut, DEFAULT_MAX_LINE_CHARS, Unit, bound};
use proptest::prelude::*;

const UNITS: [Unit; 3] = [Unit::Bytes, Unit::Chars, Unit::Lines];

fn checked(text: &str, bounds: Bounds) -> Cut {
    let captured = bound(text, bounds);
    verify(text, &captured);
    captured
}

#[test]
fn a12_the_end_of_a_build_log_stays_and_the_cut_is_told() {
    let log = format!("start\n{}error: the last line says why\n", "compiling\n".repeat(500));
    let captured = checked(&log, Bounds::new(Unit::Chars, 300, 700));
    assert!(captured.is_truncated());
    assert!(captured.text.starts_with("start\n"));
    assert!(captured.text.ends_with("error: the last line says why\n"));
    let notice = format!(
        "[... {} characters, {} lines omitted ...]\n",
        captured.omitted.chars, captured.omitted.lines
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
        (captured.omitted.chars, captured.omitted.bytes, captured.omitted.lines),
        (990, 1980, 0)
    );
    assert!(captured.is_truncated());
}

#[test]
fn a_budget_of_lines_limits_lines_as_well() {
    let text = "x".repeat(DEFAULT_MAX_LINE_CHARS + 1);
    let captured = checked(&text, Bounds::new(Unit::Lines, 10, 10));
    assert_eq!((captured.is_truncated(), captured.omitted.chars), (true, 1));
    let exact = "x".repeat(DEFAULT_MAX_LINE_CHARS);
    assert_eq!(checked(&exact, Bounds::new(Unit::Lines, 10, 10)).text, exact);
}

#[test]
fn memory_does_not_grow_with_the_stream() {
    let line = format!("{}\n", "x".repeat(1 << 20));
    let mut bounder = handrail_text::Cutter::new(Bounds::new(Unit::Lines, 5, 5));
    for _ in 0..200 * soak() {
        bounder.push(line.as_bytes());
    }
    let captured = bounder.finish();
    assert!(captured.text.len() < 100_000);
    assert_eq!(captured.total.bytes, 200 * u64::from(soak()) * line.len() as u64);
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
    let unit = prop::sample::select(UNITS.to_vec());
    (unit, budget(), budget(), maximum).prop_map(|(unit, head, tail, max_line_chars)| {
        let scale = if unit == Unit::Lines { 10 } else { 1 };
        Bounds { max_line_chars, ..Bounds::new(unit, head / scale, tail / scale) }
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
        prop_assert_eq!(captured.is_truncated(), units(bounds.unit, &text) > bounds.head + bounds.tail);
    }

    #[test]
    fn budgets_are_kept(text in texts(), bounds in bounds()) {
        let captured = bound(&text, bounds);
        if captured.is_truncated() && !captured.tail().is_empty() {
            prop_assert!(units(bounds.unit, captured.head()) <= bounds.head);
            prop_assert!(units(bounds.unit, captured.tail()) <= bounds.tail);
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
