//! Shortens long lines to their beginning and their end.

use super::pool::HeldLine;
use crate::{counts, cut};

/// Most characters shown of a line whose template other lines have too.
const MAX_COMMON_CHARS: usize = 240;
/// Most characters shown of any other line, and of one that tells of an error.
const MAX_RARE_CHARS: usize = 1_000;
/// Part of these characters that comes from the beginning, as a fraction.
const HEAD_SHARE: (usize, usize) = (7, 10);

/// Tokens of a budget for each character of a line that may be shown, so that any line fits a small budget.
const TOKENS_PER_CHAR: usize = 3;

/// A kept line as it is shown within a budget of tokens, without a line end.
pub(super) fn shortened(
    line: &HeldLine,
    head: &[u8],
    tail: &[u8],
    is_rare: bool,
    tokens: usize,
) -> Vec<u8> {
    let most = if is_rare || line.tells_of_error { MAX_RARE_CHARS } else { MAX_COMMON_CHARS };
    let most = most.min(tokens / TOKENS_PER_CHAR);
    let mut text = Vec::with_capacity(head.len().min(4 * most) + 1);
    let chars = counts::chars(head) + counts::chars(tail);
    if line.omitted_chars == 0 && chars <= most as u64 {
        text.extend_from_slice(head);
    } else {
        let ending = if tail.is_empty() { head } else { tail };
        let first = most * HEAD_SHARE.0 / HEAD_SHARE.1;
        let end = counts::end_of_first(counts::Unit::Chars, first, head).unwrap_or(head.len());
        let end = cut::mask_around(head, end).map_or(end, |mask| mask.start);
        let start = counts::start_of_last(counts::Unit::Chars, most - first, ending);
        let start = cut::mask_around(ending, start).map_or(start, |mask| mask.end);
        let shortened = counts::chars(&head[..end]) + counts::chars(&ending[start..]);
        text.extend_from_slice(&head[..end]);
        let omitted = (line.omitted_chars + chars).saturating_sub(shortened);
        text.extend_from_slice(format!("[... {omitted} characters ...]").as_bytes());
        text.extend_from_slice(&ending[start..]);
    }
    text
}
