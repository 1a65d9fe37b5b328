//! Capture, `bound_chars` and `truncate_output`: exact counts, good cuts.

use handrail_text::{Capture, Captured, bound_chars, truncate_output};
use proptest::prelude::*;

fn capture(head: usize, tail: usize, pieces: &[&[u8]]) -> Captured {
    let mut capture = Capture::new(head, tail);
    for piece in pieces {
        capture.push(piece);
    }
    capture.finish()
}

fn lines_of(numbers: std::ops::Range<usize>) -> String {
    numbers.fold(String::new(), |text, number| text + &format!("line {number:02}\n"))
}

#[test]
fn what_fits_is_exact() {
    for (head, tail) in [(10, 0), (0, 10), (3, 7), (10, 10)] {
        let captured = capture(head, tail, &[b"01234", b"56789"]);
        assert_eq!(captured.text, "0123456789");
        assert!(!captured.truncated && captured.omitted_bytes == 0 && captured.kept_bytes == 10);
    }
}

#[test]
fn one_byte_more_is_cut() {
    let captured = capture(3, 7, &[b"0123456789X"]);
    assert_eq!(captured.text, "012\n[... 1 bytes, 0 lines omitted ...]\n456789X");
    assert_eq!((captured.kept_bytes, captured.omitted_bytes), (10, 1));
    assert_eq!(&captured.text[captured.head], "012");
    assert_eq!(&captured.text[captured.tail], "456789X");
}

#[test]
fn cuts_move_to_line_borders_that_are_near() {
    let lines = lines_of(0..100);
    let captured = capture(84, 85, &[lines.as_bytes()]);
    let expected_head = lines_of(0..10);
    assert_eq!(&captured.text[captured.head.clone()], expected_head);
    assert!(captured.text[captured.tail.clone()].starts_with("line 90\n"), "{}", captured.text);
    assert_eq!(captured.omitted_lines, 80);
    assert_eq!(captured.omitted_bytes, 640);
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
            assert_eq!(captured.kept_bytes + captured.omitted_bytes, captured.total_bytes);
        }
        let bounded = bound_chars("aaaaaaaa token=[REDACTED:rule] and more", cut / 2, cut / 2);
        let kept = bounded.text.replace("[REDACTED:rule]", "");
        assert!(!kept.contains("REDA") && !kept.contains("ule]"), "{cut}: {}", bounded.text);
    }
}

#[test]
fn bound_chars_counts_characters() {
    let unchanged = bound_chars("日本語", 2, 1);
    assert!(unchanged.text == "日本語" && !unchanged.truncated);
    let bounded = bound_chars("日本語です", 1, 2);
    assert_eq!(bounded.text, "日\n[... 2 characters, 0 lines omitted ...]\nです");
    assert_eq!((bounded.omitted_chars, bounded.omitted_bytes, bounded.omitted_lines), (2, 6, 0));
}

#[test]
fn bound_chars_keeps_combined_characters_and_line_breaks_whole() {
    // e + acute, family emoji, thumb with skin tone.
    assert_eq!(bound_chars("e\u{301}xxxx", 1, 0).omitted_chars, 6);
    let family = "\u{1f468}\u{200d}\u{1f469}\u{200d}\u{1f467}";
    let text = format!("a{family}b{family}c");
    let bounded = bound_chars(&text, 3, 3);
    assert_eq!(bounded.text, format!("a\n[... 11 characters, 0 lines omitted ...]\nc"));
    assert!(bound_chars("ab\r\ncdefgh", 3, 1).text.starts_with("ab\n[..."));
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
        prop_assert_eq!(captured.kept_bytes + captured.omitted_bytes, text.len() as u64);
        prop_assert_eq!(captured.truncated, text.len() > head + tail);
        let head_text = &captured.text[captured.head.clone()];
        let tail_text = &captured.text[captured.tail.clone()];
        prop_assert!(text.starts_with(head_text) && text.ends_with(tail_text));
        let middle = &text[head_text.len()..text.len() - tail_text.len()];
        prop_assert_eq!(captured.omitted_bytes, middle.len() as u64);
        prop_assert_eq!(captured.omitted_lines, middle.matches('\n').count() as u64);
        prop_assert!(head_text.len() <= head.max(text.len() * usize::from(!captured.truncated)));
    }

    #[test]
    fn byte_by_byte_is_the_same(text in "[a-z\n]{0,300}", head in 0_usize..40, tail in 0_usize..150) {
        let bytes: Vec<&[u8]> = text.as_bytes().chunks(1).collect();
        prop_assert_eq!(capture(head, tail, &bytes), capture(head, tail, &[text.as_bytes()]));
    }

    #[test]
    fn character_counts_are_exact(text in "[a-z\r\né\u{301}]{0,200}", head in 0_usize..60, tail in 0_usize..60) {
        let bounded = bound_chars(&text, head, tail);
        prop_assert_eq!(bounded.truncated, text.chars().count() > head + tail);
        if !bounded.truncated {
            prop_assert_eq!(bounded.text, text);
        }
    }
}
