//! The bounders: counts are exact, budgets are kept, and the result does not depend on the cuts.

use handrail_text::{Bounder, Bounds, Capture, Captured, Unit, bound_chars, truncate_output};

use crate::pieces::{pieces, split_input};

/// More than any line that says what is missing.
const NOTICE_BYTES: usize = 128;

pub(crate) fn check(input: &[u8]) {
    let Some((how, bytes)) = split_input(input) else { return };
    let (head, tail) = (usize::from(how & 0xff), usize::from(how >> 8));
    let text = String::from_utf8_lossy(bytes);
    check_capture(&text, how, head, tail);
    check_bounder(bytes, how, head, tail);
    check_characters(&text, head, tail);
    let view = truncate_output(&text, head);
    assert!(view.chars().count() <= head.max(text.chars().count()) + NOTICE_BYTES);
}

fn check_capture(text: &str, how: u16, head: usize, tail: usize) {
    let mut whole = Capture::new(head, tail);
    whole.push(text.as_bytes());
    let whole = whole.finish();
    let mut cut = Capture::new(head, tail);
    for piece in pieces(text.as_bytes(), how) {
        cut.push(piece);
    }
    assert!(cut.finish() == whole, "the result depends on the cuts");
    assert_eq!(whole.total_bytes, text.len() as u64);
    assert_eq!(whole.kept_bytes + whole.omitted_bytes, whole.total_bytes);
    assert_eq!(whole.truncated, whole.omitted_bytes > 0);
    assert!(whole.text.len() <= head + tail + NOTICE_BYTES || !whole.truncated);
    assert!(text.as_bytes().starts_with(&whole.text.as_bytes()[whole.head.clone()]));
    assert!(text.as_bytes().ends_with(&whole.text.as_bytes()[whole.tail.clone()]));
}

/// With every option, which the first bytes choose; of bytes that are no text as well.
fn check_bounder(input: &[u8], how: u16, head: usize, tail: usize) {
    let Some((&[flags, line_chars], bytes)) = input.split_first_chunk::<2>() else { return };
    let unit = [Unit::Bytes, Unit::Chars, Unit::Lines][usize::from(flags % 3)];
    let bounds = Bounds {
        max_line_chars: (line_chars > 0).then_some(usize::from(line_chars)),
        ..Bounds::new(unit, head, tail)
    };
    let bounded = |pieces: &mut dyn Iterator<Item = &[u8]>| {
        let mut bounder = Bounder::new(bounds);
        pieces.for_each(|piece| bounder.push(piece));
        bounder.finish()
    };
    let whole = bounded(&mut std::iter::once(bytes));
    assert!(bounded(&mut pieces(bytes, how)) == whole, "the result depends on the cuts");
    assert!(whole.text.is_char_boundary(whole.head.end));
    assert!(whole.text.is_char_boundary(whole.tail.start));
    if let Ok(text) = std::str::from_utf8(bytes) {
        check_counts(text, &whole, bounds);
    }
}

fn check_counts(text: &str, whole: &Captured, bounds: Bounds) {
    assert_eq!(whole.total_bytes, text.len() as u64);
    assert_eq!(whole.kept_bytes + whole.omitted_bytes, whole.total_bytes);
    assert_eq!(whole.truncated, whole.omitted_bytes > 0);
    assert!(whole.truncated || whole.text == text, "a text that fits is changed");
    if whole.truncated && !whole.tail.is_empty() {
        let units = |part: &str| match bounds.unit {
            Unit::Bytes => part.len(),
            Unit::Chars => part.chars().count(),
            Unit::Lines => part.lines().count(),
        };
        assert!(units(&whole.text[whole.head.clone()]) <= bounds.head, "the head is too long");
        assert!(units(&whole.text[whole.tail.clone()]) <= bounds.tail, "the tail is too long");
    }
}

fn check_characters(text: &str, head: usize, tail: usize) {
    let bounded = bound_chars(text, head, tail);
    if !bounded.truncated {
        assert!(bounded.text == text && bounded.omitted_chars == 0);
        return;
    }
    assert!(bounded.text.chars().count() <= head + tail + NOTICE_BYTES);
    assert!(bounded.omitted_chars >= text.chars().count().saturating_sub(head + tail) as u64);
    assert!(bounded.omitted_bytes >= bounded.omitted_chars);
}
