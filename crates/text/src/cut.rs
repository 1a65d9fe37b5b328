//! Where a text may be cut: not inside a character, a line break or a mask, and at a line border when one is near.

use std::ops::Range;

/// Start of every mask the redactor writes.
const MASK_OPENING: &[u8] = b"[REDACTED";

/// Longest mask kept whole, label included.
pub(crate) const MASK_BYTES: usize = 96;

/// A line border is preferred when it costs at most one part in this many of the budget.
const NEAR_PARTS: usize = 10;

/// Longest run of combining characters respected.
const COMBINING_CHARACTERS: usize = 32;

/// The line that stands for what was left out. `unit` is the plural of what `count` counts.
pub(crate) fn notice(count: u64, unit: &str, lines: u64) -> String {
    format!("[... {count} {unit}, {lines} lines omitted ...]\n")
}

/// Joins what was kept. The notice has a line of its own.
pub(crate) fn join(
    head: &[u8],
    notice: &str,
    tail: &[u8],
) -> (Vec<u8>, Range<usize>, Range<usize>) {
    let mut text = Vec::with_capacity(head.len() + notice.len() + tail.len() + 1);
    text.extend_from_slice(head);
    if head.last().is_some_and(|&byte| byte != b'\n') {
        text.push(b'\n');
    }
    text.extend_from_slice(notice.as_bytes());
    let tail_start = text.len();
    text.extend_from_slice(tail);
    let end = text.len();
    (text, 0..head.len(), tail_start..end)
}

/// The last good place at or before `budget` to end a head. `budget` is at most `text.len()`.
pub(crate) fn head_end(text: &[u8], budget: usize) -> usize {
    if let Some(newline) = memchr::memrchr(b'\n', &text[..budget])
        && budget - (newline + 1) <= budget / NEAR_PARTS
    {
        return newline + 1;
    }
    let at = mask_around(text, budget).map_or(budget, |mask| mask.start);
    settle_back(text, at)
}

/// The first good place at or after `start` to begin a tail. What lies before `start` is only looked at.
pub(crate) fn tail_start(text: &[u8], start: usize) -> usize {
    let near = (text.len() - start) / NEAR_PARTS;
    if let Some(newline) = memchr::memchr(b'\n', &text[start..text.len().min(start + near + 1)])
        && newline < near
    {
        return start + newline + 1;
    }
    let at = mask_around(text, start).map_or(start, |mask| mask.end.min(text.len()));
    settle_forward(text, at)
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

/// Moves back to a border between characters as a reader sees them.
fn settle_back(text: &[u8], mut at: usize) -> usize {
    for _ in 0..COMBINING_CHARACTERS {
        while at > 0 && at < text.len() && is_continuation(text[at]) {
            at -= 1;
        }
        if at == 0 || !divides(text, at) {
            break;
        }
        at -= 1;
    }
    at
}

/// Moves forward to a border between characters as a reader sees them.
fn settle_forward(text: &[u8], mut at: usize) -> usize {
    for _ in 0..COMBINING_CHARACTERS {
        while at < text.len() && is_continuation(text[at]) {
            at += 1;
        }
        if at == text.len() || !divides(text, at) {
            break;
        }
        at += 1;
    }
    at
}

fn is_continuation(byte: u8) -> bool {
    byte & 0xc0 == 0x80
}

/// True when the character border `at` lies inside what a reader sees as one character, or inside a CR LF pair.
fn divides(text: &[u8], at: usize) -> bool {
    let (before, after) = text.split_at(at);
    match after.first() {
        Some(b'\n') => return before.last() == Some(&b'\r'),
        None | Some(0..=0x7f) => return false,
        Some(_) => {}
    }
    before.ends_with("\u{200d}".as_bytes()) || first_character(after).is_some_and(extends)
}

fn first_character(text: &[u8]) -> Option<char> {
    let piece = &text[..text.len().min(4)];
    let valid = match std::str::from_utf8(piece) {
        Ok(valid) => valid,
        Err(error) => std::str::from_utf8(&piece[..error.valid_up_to()]).ok()?,
    };
    valid.chars().next()
}

/// Characters that are drawn onto the one before them: combining marks, joiners, variation selectors, skin tones.
fn extends(character: char) -> bool {
    matches!(character,
        '\u{0300}'..='\u{036f}' | '\u{0483}'..='\u{0489}' | '\u{0591}'..='\u{05bd}' | '\u{0610}'..='\u{061a}'
        | '\u{064b}'..='\u{065f}' | '\u{093c}' | '\u{093e}'..='\u{094d}' | '\u{0e31}' | '\u{0e34}'..='\u{0e3a}'
        | '\u{0e47}'..='\u{0e4e}' | '\u{1ab0}'..='\u{1aff}' | '\u{1dc0}'..='\u{1dff}' | '\u{200d}'
        | '\u{20d0}'..='\u{20ff}' | '\u{302a}'..='\u{302f}' | '\u{3099}' | '\u{309a}' | '\u{fe00}'..='\u{fe0f}'
        | '\u{fe20}'..='\u{fe2f}' | '\u{1f3fb}'..='\u{1f3ff}' | '\u{e0020}'..='\u{e007f}' | '\u{e0100}'..='\u{e01ef}')
}
