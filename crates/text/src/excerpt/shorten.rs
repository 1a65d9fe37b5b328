//! Long lines, shown by their beginning and their end.

use super::pool::Held;
use crate::{counts, cut};

/// Characters that are shown of a line that is like others, and of one that is not.
const COMMON_CHARS: usize = 240;
const RARE_CHARS: usize = 1_000;
/// The part of them that comes from the beginning.
const HEAD_SHARE: (usize, usize) = (7, 10);

/// A held line as it is shown, with its end.
pub(super) fn shown(line: &Held, head: &[u8], tail: &[u8], is_rare: bool) -> Vec<u8> {
    let most = if is_rare || line.tells_of_error { RARE_CHARS } else { COMMON_CHARS };
    let mut text = Vec::with_capacity(head.len().min(4 * most) + 1);
    let chars = counts::chars(head) + counts::chars(tail);
    if line.omitted_chars == 0 && chars <= most as u64 {
        text.extend_from_slice(head);
    } else {
        let ending = if tail.is_empty() { head } else { tail };
        let first = most * HEAD_SHARE.0 / HEAD_SHARE.1;
        let end = counts::first(counts::Unit::Chars, first, head).unwrap_or(head.len());
        let end = cut::mask_around(head, end).map_or(end, |mask| mask.start);
        let start = counts::last(counts::Unit::Chars, most - first, ending);
        let start = cut::mask_around(ending, start).map_or(start, |mask| mask.end);
        let shown = counts::chars(&head[..end]) + counts::chars(&ending[start..]);
        text.extend_from_slice(&head[..end]);
        let omitted = (line.omitted_chars + chars).saturating_sub(shown);
        text.extend_from_slice(format!("[... {omitted} characters ...]").as_bytes());
        text.extend_from_slice(&ending[start..]);
    }
    text.push(b'\n');
    text
}
