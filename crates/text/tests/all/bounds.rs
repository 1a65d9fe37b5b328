//! `Cutter`, `Cut::within` and `truncate_output`: exact counts, good cuts.

use handrail_text::{
    Bounds, Counts, Cut, Cutter, MIN_HEAD_AND_TAIL_CHARS, Unit, bound, truncate_output,
};
use proptest::prelude::*;

fn capture(head: usize, tail: usize, pieces: &[&[u8]]) -> Cut {
    let mut capture = Cutter::new(Bounds::new(Unit::Bytes, head, tail));
    for piece in pieces {
        capture.push(piece);
    }
    capture.finish()
}

fn kept_bytes(cut: &Cut) -> u64 {
    (cut.head().len() + cut.tail().len()) as u64
}

fn lines_of(numbers: std::ops::Range<usize>) -> String {
    numbers.fold(String::new(), |text, number| text + &format!("line {number:02}\n"))
}

#[test]
fn what_fits_is_exact() {
    for (head, tail) in [(10, 0), (0, 10), (3, 7), (10, 10)] {
        let captured = capture(head, tail, &[b"01234", b"56789"]);
        assert_eq!(captured.text, "0123456789");
        assert!(
            !captured.is_truncated() && captured.omitted.bytes == 0 && kept_bytes(&captured) == 10
        );
    }
}

#[test]
fn one_byte_more_is_cut() {
    let captured = capture(3, 7, &[b"0123456789X"]);
    assert_eq!(captured.text, "012\n[... 1 bytes, 0 lines omitted ...]\n456789X");
    assert_eq!((kept_bytes(&captured), captured.omitted.bytes), (10, 1));
    assert_eq!(captured.head(), "012");
    assert_eq!(captured.tail(), "456789X");
}

#[test]
fn cuts_move_to_line_borders_that_are_near() {
    let lines = lines_of(0..100);
    let captured = capture(84, 85, &[lines.as_bytes()]);
    let expected_head = lines_of(0..10);
    assert_eq!(captured.head(), expected_head);
    assert!(captured.tail().starts_with("line 90\n"), "{}", captured.text);
    assert_eq!(captured.omitted.lines, 80);
    assert_eq!(captured.omitted.bytes, 640);
}

#[test]
fn characters_and_masks_stay_whole() {
    assert_eq!(
        capture(4, 0, &["aéééé".as_bytes()]).text,
        "aé\n[... 6 bytes, 0 lines omitted ...]\n"
    );
    assert_eq!(capture(0, 4, &["éééa".as_bytes()]).text, "[... 4 bytes, 0 lines omitted ...]\néa");
    let masked = b"aaaaaaaa token=[REDACTED] and more";
    for cut in 0..masked.len() {
        for captured in [capture(cut, 0, &[masked]), capture(0, cut, &[masked])] {
            let kept = captured.text.replace("[REDACTED]", "");
            assert!(!kept.contains("REDA") && !kept.contains("TED]"), "{cut}: {}", captured.text);
            assert_eq!(kept_bytes(&captured) + captured.omitted.bytes, captured.total.bytes);
        }
        let bounded = bound(
            "aaaaaaaa token=[REDACTED:rule] and more",
            Bounds::new(Unit::Chars, cut / 2, cut / 2),
        );
        let kept = bounded.text.replace("[REDACTED:rule]", "");
        assert!(!kept.contains("REDA") && !kept.contains("ule]"), "{cut}: {}", bounded.text);
    }
}

#[test]
fn a_budget_of_characters_counts_characters() {
    let unchanged = bound("日本語", Bounds::new(Unit::Chars, 2, 1));
    assert!(unchanged.text == "日本語" && !unchanged.is_truncated());
    let bounded = bound("日本語です", Bounds::new(Unit::Chars, 1, 2));
    assert_eq!(bounded.text, "日\n[... 2 characters, 0 lines omitted ...]\nです");
    assert_eq!((bounded.omitted.chars, bounded.omitted.bytes, bounded.omitted.lines), (2, 6, 0));
}

#[test]
fn a_budget_of_characters_keeps_combined_characters_and_line_breaks_whole() {
    // e + acute, family emoji, thumb with skin tone.
    assert_eq!(bound("e\u{301}xxxx", Bounds::new(Unit::Chars, 1, 0)).omitted.chars, 6);
    let family = "\u{1f468}\u{200d}\u{1f469}\u{200d}\u{1f467}";
    let text = format!("a{family}b{family}c");
    let bounded = bound(&text, Bounds::new(Unit::Chars, 3, 3));
    assert_eq!(bounded.text, format!("a\n[... 11 characters, 0 lines omitted ...]\nc"));
    assert!(bound("ab\r\ncdefgh", Bounds::new(Unit::Chars, 3, 1)).text.starts_with("ab\n[..."));
}

/// As it is, cut before by bytes, and cut before by a reader of more characters.
fn readings(text: &str, max_chars: usize) -> [Cut; 3] {
    let cut = |text: &str, bytes| bound(text, Bounds::new(Unit::Bytes, bytes / 2, bytes / 2));
    let whole = cut(text, text.len() + 2);
    let before = whole.clone().within(max_chars + 90);
    [whole, cut(text, text.len() * 2 / 3), before].map(|cut| cut.within(max_chars))
}

#[test]
fn a_reader_is_told_what_is_missing_of_the_whole() {
    let text = format!("{}{}", "h".repeat(500), "t\n".repeat(250));
    for cut in readings(&text, 300) {
        assert!(cut.text.chars().count() <= 300 && cut.text.matches("omitted").count() == 1);
        assert!(text.starts_with(cut.head()) && text.ends_with(cut.tail()));
        let middle = &text[cut.head().len()..text.len() - cut.tail().len()];
        assert_eq!(cut.omitted.bytes, middle.len() as u64);
        assert_eq!(cut.omitted.lines, middle.matches('\n').count() as u64);
        let Counts { bytes, chars, lines } = cut.omitted;
        let notice = match cut.unit {
            Unit::Bytes => format!("\n[... {bytes} bytes, {lines} lines omitted ...]\n"),
            _ => format!("\n[... {chars} characters, {lines} lines omitted ...]\n"),
        };
        assert_eq!(cut.text[cut.notice.clone()], notice);
    }
}

#[test]
fn a_short_head_leaves_its_room_to_the_tail() {
    let cut = bound(&"x".repeat(5_000), Bounds::new(Unit::Bytes, 10, 2_000)).within(1_000);
    assert_eq!(cut.head().len(), 10);
    assert!(cut.tail().len() > 900 && cut.text.len() <= 1_000);
    let cut = bound(&"x".repeat(5_000), Bounds::new(Unit::Bytes, 2_000, 10)).within(1_000);
    assert_eq!(cut.tail().len(), 10);
    assert!(cut.head().len() > 900 && cut.text.len() <= 1_000);
}

#[test]
fn a_reader_of_few_characters_gets_the_beginning() {
    let least = MIN_HEAD_AND_TAIL_CHARS;
    let text = "é".repeat(200);
    let whole = || bound(&text, Bounds::new(Unit::Bytes, 400, 0));
    let cut = whole().within(least - 1);
    assert_eq!(cut.text, "é".repeat(least - 1));
    assert_eq!(cut.omitted, Counts { bytes: 400 - 158, chars: 200 - 79, lines: 0 });
    assert!(whole().within(least).text.contains("omitted") && !cut.text.contains("omitted"));
    assert_eq!(bound("a=[REDACTED] b", Bounds::new(Unit::Bytes, 99, 0)).within(6).text, "a=");
    assert_eq!(whole().within(0).text, "");
}

#[test]
fn masks_are_counted() {
    let masks = |text: &str| bound(text, Bounds::new(Unit::Bytes, 999, 0)).masks();
    assert_eq!(masks("[REDACTED] [REDACTED:rule:2][REDACTED:]"), 3);
    assert_eq!(masks("[REDACTED [REDACTED: a] [REDACTEDx] [REDACTED"), 0);
}

#[test]
fn truncate_output_keeps_the_head_only() {
    assert_eq!(truncate_output("hello", 5), "hello");
    assert_eq!(truncate_output("", 0), "");
    assert_eq!(
        truncate_output("héllo!", 5),
        "héllo\n... (output truncated: 6 total chars, showing first 5)"
    );
    assert_eq!(
        truncate_output("ab", 0),
        "\n... (output truncated: 2 total chars, showing first 0)"
    );
    assert_eq!(
        truncate_output("a=[REDACTED] b", 6),
        "a=\n... (output truncated: 14 total chars, showing first 2)"
    );
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn counts_are_exact(text in "[a-z\né日]{0,200}", head in 0_usize..60, tail in 0_usize..60, cut in 0_usize..200) {
        let cut = (0..=cut.min(text.len())).rev().find(|&at| text.is_char_boundary(at)).unwrap_or(0);
        let captured = capture(head, tail, &[&text.as_bytes()[..cut], &text.as_bytes()[cut..]]);
        prop_assert_eq!(&captured, &capture(head, tail, &[text.as_bytes()]));
        prop_assert_eq!(kept_bytes(&captured) + captured.omitted.bytes, text.len() as u64);
        prop_assert_eq!(captured.is_truncated(), text.len() > head + tail);
        let head_text = captured.head();
        let tail_text = captured.tail();
        prop_assert!(text.starts_with(head_text) && text.ends_with(tail_text));
        let middle = &text[head_text.len()..text.len() - tail_text.len()];
        prop_assert_eq!(captured.omitted.bytes, middle.len() as u64);
        prop_assert_eq!(captured.omitted.lines, middle.matches('\n').count() as u64);
        prop_assert!(head_text.len() <= head.max(text.len() * usize::from(!captured.is_truncated())));
    }

    #[test]
    fn byte_by_byte_is_the_same(text in "[a-z\n]{0,300}", head in 0_usize..40, tail in 0_usize..150) {
        let bytes: Vec<&[u8]> = text.as_bytes().chunks(1).collect();
        prop_assert_eq!(capture(head, tail, &bytes), capture(head, tail, &[text.as_bytes()]));
    }

    #[test]
    fn character_counts_are_exact(text in "[a-z\r\né\u{301}]{0,200}", head in 0_usize..60, tail in 0_usize..60) {
        let bounded = bound(&text, Bounds::new(Unit::Chars, head, tail));
        prop_assert_eq!(bounded.is_truncated(), text.chars().count() > head + tail);
        if !bounded.is_truncated() {
            prop_assert_eq!(bounded.text, text);
        }
    }

    #[test]
    fn readers_are_told_exactly(text in "[a-z\né日 ]{0,600}", max_chars in 0_usize..400, head in 0_usize..400, tail in 0_usize..400) {
        let cut = bound(&text, Bounds::new(Unit::Bytes, head, tail)).within(max_chars);
        prop_assert!(cut.text.chars().count() <= max_chars);
        // Where few characters are wanted, what follows a notice is the beginning of a tail.
        let ends = max_chars < MIN_HEAD_AND_TAIL_CHARS || text.ends_with(cut.tail());
        prop_assert!(ends && text.starts_with(cut.head()));
        prop_assert_eq!(kept_bytes(&cut) + cut.omitted.bytes, text.len() as u64);
        prop_assert_eq!(cut.total.chars, text.chars().count() as u64);
        prop_assert!(cut.is_truncated() || cut.text == text);
        let again = cut.clone().within(max_chars);
        prop_assert_eq!(again, cut);
    }
}
