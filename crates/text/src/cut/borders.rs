//! Where a text may be cut: not inside a character, a line break or a mask, and at a line border when one is near.

use std::ops::Range;

use unicode_segmentation::UnicodeSegmentation;

use crate::counts::is_continuation;

/// Start of every mask the redactor writes.
const MASK_OPENING: &[u8] = b"[REDACTED";

/// Longest mask kept whole, label included.
const MASK_BYTES: usize = 96;

/// A line border is preferred when it costs at most one part in this many of the budget.
const NEAR_PARTS: usize = 10;

/// How far to each side a character as a reader sees it is followed; a longer one may be divided between its parts.
const GRAPHEME_BYTES: usize = 128;

/// The last good place at or before `budget` to end a head. `budget` is at most `text.len()`.
pub(super) fn head_end(text: &[u8], budget: usize) -> usize {
    if let Some(newline) = memchr::memrchr(b'\n', &text[..budget])
        && budget - (newline + 1) <= budget / NEAR_PARTS
    {
        return newline + 1;
    }
    let at = mask_around(text, budget).map_or(budget, |mask| mask.start);
    grapheme_around(text, at).start
}

/// The first good place at or after `start` to begin a tail. What lies before `start` is only looked at.
pub(super) fn tail_start(text: &[u8], start: usize) -> usize {
    if start > 0 && text[start - 1] == b'\n' {
        return start;
    }
    let near = (text.len() - start) / NEAR_PARTS;
    if let Some(newline) = memchr::memchr(b'\n', &text[start..text.len().min(start + near + 1)])
        && newline < near
    {
        return start + newline + 1;
    }
    let at = mask_around(text, start).map_or(start, |mask| mask.end.min(text.len()));
    grapheme_around(text, at).end
}

/// The mask that a cut at `at` would divide.
pub(crate) fn mask_around(text: &[u8], at: usize) -> Option<Range<usize>> {
    let from = at.saturating_sub(MASK_BYTES);
    let start = from + memchr::memrchr(b'[', &text[from..at])?;
    let candidate = &text[start..text.len().min(start + MASK_BYTES)];
    let compared = candidate.len().min(MASK_OPENING.len());
    if candidate[..compared] != MASK_OPENING[..compared] {
        return None;
    }
    let end = match memchr::memchr(b']', candidate) {
        Some(close) => start + close + 1,
        // The text ends inside the mask: what follows it is not known.
        None if candidate.len() < MASK_BYTES => text.len().max(at + 1),
        None => return None,
    };
    (end > at).then_some(start..end)
}

/// How many masks are in a text: with nothing, or the rule behind a colon.
pub(super) fn masks(text: &[u8]) -> u64 {
    let is_mask = |at: usize| {
        let rest = &text[at + MASK_OPENING.len()..];
        let rule = rest.strip_prefix(b":").unwrap_or(rest);
        let name = rule.iter().position(|&byte| byte == b']' || byte.is_ascii_whitespace());
        name.is_some_and(|end| rule[end] == b']' && (end == 0 || rule.len() < rest.len()))
    };
    memchr::memmem::find_iter(text, MASK_OPENING).filter(|&at| is_mask(at)).count() as u64
}

/// What a reader sees as one character (an extended grapheme cluster, so CR LF too) around `at`; empty when `at` is a border.
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
    let to = text.len().min(at + GRAPHEME_BYTES);
    let mut clusters = valid(&text[from..to]).grapheme_indices(true);
    let found = clusters.find(|(start, cluster)| from + start + cluster.len() > at);
    match found.map(|(start, cluster)| from + start..from + start + cluster.len()) {
        Some(cluster) if cluster.start < at => cluster,
        Some(_) => at..at,
        // Only in a text that is no UTF-8.
        None => floor_border(text, at)..ceil_border(text, at),
    }
}

/// A border before `at` from which clusters can be told: an ASCII character when there is one in reach.
fn window_start(text: &[u8], at: usize) -> usize {
    let furthest = at.saturating_sub(GRAPHEME_BYTES);
    match text[furthest..at].iter().rposition(u8::is_ascii) {
        Some(ascii) => furthest + ascii,
        None => ceil_border(text, furthest).min(at),
    }
}

fn floor_border(text: &[u8], at: usize) -> usize {
    text[..=at].iter().rposition(|&byte| !is_continuation(byte)).unwrap_or(0)
}

fn ceil_border(text: &[u8], at: usize) -> usize {
    text[at..].iter().position(|&byte| !is_continuation(byte)).map_or(text.len(), |next| at + next)
}

/// As much of a text as is valid; the end may be inside a character.
fn valid(text: &[u8]) -> &str {
    let valid = std::str::from_utf8(text).map_or_else(|error| error.valid_up_to(), str::len);
    std::str::from_utf8(&text[..valid]).unwrap_or_default()
}
