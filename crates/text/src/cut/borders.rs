//! Chooses where a text is cut: not inside a character, a CRLF or a mask, and at a line border when one is near.

use std::ops::Range;

use unicode_segmentation::UnicodeSegmentation;

use crate::counts::is_continuation;

/// Start of every mask the redactor writes.
const MASK_OPENING: &[u8] = b"[REDACTED";

/// Longest mask kept whole, label included.
const MAX_MASK_BYTES: usize = 96;

/// A line border is preferred when it costs at most one part in this many of the budget.
const NEAR_BUDGET_PARTS: usize = 10;

/// Most bytes to each side that are searched for the ends of a grapheme cluster; a longer cluster may be divided.
const MAX_GRAPHEME_BYTES: usize = 128;

/// The last place at or before `budget` where a head may end. `budget` is at most `text.len()`.
pub(super) fn head_end(text: &[u8], budget: usize) -> usize {
    if let Some(newline) = memchr::memrchr(b'\n', &text[..budget])
        && budget - (newline + 1) <= budget / NEAR_BUDGET_PARTS
    {
        return newline + 1;
    }
    let at = mask_around(text, budget).map_or(budget, |mask| mask.start);
    grapheme_around(text, at).start
}

/// The first place at or after `start` where a tail may begin. The text before `start` is only context.
pub(super) fn tail_start(text: &[u8], start: usize) -> usize {
    if start > 0 && text[start - 1] == b'\n' {
        return start;
    }
    let max_distance = (text.len() - start) / NEAR_BUDGET_PARTS;
    if let Some(newline) =
        memchr::memchr(b'\n', &text[start..text.len().min(start + max_distance + 1)])
        && newline < max_distance
    {
        return start + newline + 1;
    }
    let at = mask_around(text, start).map_or(start, |mask| mask.end.min(text.len()));
    grapheme_around(text, at).end
}

/// The mask that a cut at `at` would divide.
pub(crate) fn mask_around(text: &[u8], at: usize) -> Option<Range<usize>> {
    let from = at.saturating_sub(MAX_MASK_BYTES);
    let start = from + memchr::memrchr(b'[', &text[from..at])?;
    let candidate = &text[start..text.len().min(start + MAX_MASK_BYTES)];
    let compared = candidate.len().min(MASK_OPENING.len());
    if candidate[..compared] != MASK_OPENING[..compared] {
        return None;
    }
    let end = match memchr::memchr(b']', candidate) {
        Some(close) => start + close + 1,
        // The text ends inside the mask, so that the end of the mask is not known.
        None if candidate.len() < MAX_MASK_BYTES => text.len().max(at + 1),
        None => return None,
    };
    (end > at).then_some(start..end)
}

/// The last place within so many bytes where a text can be cut: between characters, and outside of masks.
pub fn end_within(text: &str, bytes: usize) -> usize {
    let last = bytes.min(text.len());
    let end = (0..=last).rev().find(|&at| text.is_char_boundary(at)).unwrap_or(0);
    mask_around(text.as_bytes(), end).map_or(end, |mask| mask.start)
}

/// The length of the first character, or of the mask that a text begins with.
pub fn first_unit(text: &str) -> usize {
    let first = text.chars().next().map_or(0, char::len_utf8);
    let mask = mask_around(text.as_bytes(), first).filter(|mask| mask.start == 0);
    mask.map_or(first, |mask| mask.end.min(text.len()))
}

/// Number of masks in a text: `[REDACTED]`, or with the id of a rule after a colon.
pub(super) fn count_masks(text: &[u8]) -> u64 {
    let is_mask = |at: usize| {
        let after_opening = &text[at + MASK_OPENING.len()..];
        let rule = after_opening.strip_prefix(b":").unwrap_or(after_opening);
        let name = rule.iter().position(|&byte| byte == b']' || byte.is_ascii_whitespace());
        name.is_some_and(|end| rule[end] == b']' && (end == 0 || rule.len() < after_opening.len()))
    };
    memchr::memmem::find_iter(text, MASK_OPENING).filter(|&at| is_mask(at)).count() as u64
}

/// The extended grapheme cluster (a character as a reader sees it, or CRLF) around `at`; empty when `at` is between clusters.
fn grapheme_around(text: &[u8], at: usize) -> Range<usize> {
    if at == 0 || at == text.len() {
        return at..at;
    }
    match (text[at - 1], text[at]) {
        (b'\r', b'\n') => return at - 1..at + 1,
        (..0x80, ..0x80) => return at..at,
        _ => {}
    }
    let from = window_start(text, at);
    let to = text.len().min(at + MAX_GRAPHEME_BYTES);
    let mut clusters = valid_prefix(&text[from..to]).grapheme_indices(true);
    let found = clusters.find(|(start, cluster)| from + start + cluster.len() > at);
    match found.map(|(start, cluster)| from + start..from + start + cluster.len()) {
        Some(cluster) if cluster.start < at => cluster,
        Some(_) => at..at,
        // No cluster is found only in a text that is not valid UTF-8.
        None => floor_char_border(text, at)..ceil_char_border(text, at),
    }
}

/// A place before `at` where a cluster begins for certain: at an ASCII character when one is near.
fn window_start(text: &[u8], at: usize) -> usize {
    let furthest = at.saturating_sub(MAX_GRAPHEME_BYTES);
    match text[furthest..at].iter().rposition(u8::is_ascii) {
        Some(ascii) => furthest + ascii,
        None => ceil_char_border(text, furthest).min(at),
    }
}

fn floor_char_border(text: &[u8], at: usize) -> usize {
    text[..=at].iter().rposition(|&byte| !is_continuation(byte)).unwrap_or(0)
}

fn ceil_char_border(text: &[u8], at: usize) -> usize {
    text[at..].iter().position(|&byte| !is_continuation(byte)).map_or(text.len(), |next| at + next)
}

/// The valid beginning of a text whose end may be inside a character.
fn valid_prefix(text: &[u8]) -> &str {
    let valid_prefix = std::str::from_utf8(text).map_or_else(|error| error.valid_up_to(), str::len);
    std::str::from_utf8(&text[..valid_prefix]).unwrap_or_default()
}
