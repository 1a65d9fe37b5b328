//! Properties of bounding: counts are exact, limits are kept, and the result does not depend on how the input is split.

use handrail_text::{Bounds, Cut, Cutter, Unit, bound, truncate_output};

use crate::pieces::{pieces, split_input};

/// More than the longest notice about omitted text.
const NOTICE_BYTES: usize = 128;

pub(crate) fn check(input: &[u8]) {
    let Some((how, bytes)) = split_input(input) else { return };
    let (head, tail) = (usize::from(how & 0xff), usize::from(how >> 8));
    let text = String::from_utf8_lossy(bytes);
    check_capture(&text, how, head, tail);
    check_bounder(bytes, how, head, tail);
    check_characters(&text, head, tail);
    check_reader(&text, head, tail);
    let view = truncate_output(&text, head);
    assert!(view.chars().count() <= head.max(text.chars().count()) + NOTICE_BYTES);
}

fn check_capture(text: &str, how: u16, head: usize, tail: usize) {
    let mut whole = Cutter::new(Bounds::new(Unit::Bytes, head, tail));
    whole.push(text.as_bytes());
    let whole = whole.finish();
    let mut cut = Cutter::new(Bounds::new(Unit::Bytes, head, tail));
    for piece in pieces(text.as_bytes(), how) {
        cut.push(piece);
    }
    assert!(cut.finish() == whole, "the result depends on the cuts");
    assert_eq!(whole.total.bytes, text.len() as u64);
    let kept = (whole.head().len() + whole.tail().len()) as u64;
    assert_eq!(kept + whole.omitted.bytes, whole.total.bytes);
    assert!(whole.text.len() <= head + tail + NOTICE_BYTES || !whole.is_truncated());
    assert!(text.starts_with(whole.head()));
    assert!(text.ends_with(whole.tail()));
}

/// Tests bounding with options that the first bytes choose, also for bytes that are not valid UTF-8.
fn check_bounder(input: &[u8], how: u16, head: usize, tail: usize) {
    let Some((&[flags, line_chars], bytes)) = input.split_first_chunk::<2>() else { return };
    let unit = [Unit::Bytes, Unit::Chars, Unit::Lines][usize::from(flags % 3)];
    let bounds = Bounds {
        max_line_chars: (line_chars > 0).then_some(usize::from(line_chars)),
        ..Bounds::new(unit, head, tail)
    };
    let bounded = |pieces: &mut dyn Iterator<Item = &[u8]>| {
        let mut bounder = Cutter::new(bounds);
        pieces.for_each(|piece| bounder.push(piece));
        bounder.finish()
    };
    let whole = bounded(&mut std::iter::once(bytes));
    assert!(bounded(&mut pieces(bytes, how)) == whole, "the result depends on the cuts");
    assert!(whole.text.is_char_boundary(whole.notice.start));
    assert!(whole.text.is_char_boundary(whole.notice.end));
    if let Ok(text) = std::str::from_utf8(bytes) {
        check_counts(text, &whole, bounds);
    }
}

fn check_counts(text: &str, whole: &Cut, bounds: Bounds) {
    assert_eq!(whole.total.bytes, text.len() as u64);
    assert!(whole.is_truncated() || whole.text == text, "a text that fits is changed");
    if whole.is_truncated() && !whole.tail().is_empty() {
        let units = |part: &str| match bounds.unit {
            Unit::Bytes => part.len(),
            Unit::Chars => part.chars().count(),
            Unit::Lines => part.lines().count(),
        };
        assert!(units(whole.head()) <= bounds.head, "the head is too long");
        assert!(units(whole.tail()) <= bounds.tail, "the tail is too long");
    }
}

/// Tests the second limit, `within`, on a text that was bounded before.
fn check_reader(text: &str, bytes: usize, max_chars: usize) {
    let cut = bound(text, Bounds::new(Unit::Bytes, bytes, bytes)).within(max_chars);
    assert!(cut.text.chars().count() <= max_chars, "the reader gets too much");
    assert!(text.starts_with(cut.head()));
    let kept = (cut.head().len() + cut.tail().len()) as u64;
    assert_eq!(kept + cut.omitted.bytes, text.len() as u64);
}

fn check_characters(text: &str, head: usize, tail: usize) {
    let bounded = bound(text, Bounds::new(Unit::Chars, head, tail));
    if !bounded.is_truncated() {
        assert!(bounded.text == text && bounded.omitted.chars == 0);
        return;
    }
    assert!(bounded.text.chars().count() <= head + tail + NOTICE_BYTES);
    assert!(bounded.omitted.chars >= text.chars().count().saturating_sub(head + tail) as u64);
    assert!(bounded.omitted.bytes >= bounded.omitted.chars);
}
