//! Finished texts, shortened by characters.

use crate::cut;

/// A text cut to a budget of characters.
#[derive(Clone, PartialEq, Eq)]
pub struct Bounded {
    /// The whole text, or head, a line saying what is missing, and tail.
    pub text: String,
    /// Unicode scalar values left out.
    pub omitted_chars: u64,
    /// Their bytes.
    pub omitted_bytes: u64,
    /// Line ends among them.
    pub omitted_lines: u64,
    /// True when anything was left out.
    pub truncated: bool,
}

impl std::fmt::Debug for Bounded {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter
            .debug_struct("Bounded")
            .field("omitted_chars", &self.omitted_chars)
            .finish_non_exhaustive()
    }
}

/// The first `head_chars` and the last `tail_chars` characters (Unicode scalar values) of a text, which is unchanged
/// when it fits. Line borders are preferred when near; a line break, a combined character or a mask is not divided.
pub fn bound_chars(text: &str, head_chars: usize, tail_chars: usize) -> Bounded {
    let bytes = text.as_bytes();
    let Some((head_end, tail_start)) = borders(text, head_chars, tail_chars) else {
        return Bounded {
            text: text.to_owned(),
            omitted_chars: 0,
            omitted_bytes: 0,
            omitted_lines: 0,
            truncated: false,
        };
    };
    let head_end = cut::head_end(bytes, head_end);
    let tail_start = cut::tail_start(bytes, tail_start);
    let omitted = &text[head_end..tail_start];
    let omitted_chars = omitted.chars().count() as u64;
    let omitted_lines = memchr::memchr_iter(b'\n', omitted.as_bytes()).count() as u64;
    let notice = cut::notice(omitted_chars, "characters", omitted_lines);
    let (joined, ..) = cut::join(&bytes[..head_end], &notice, &bytes[tail_start..]);
    Bounded {
        text: crate::cleaner::into_string(joined),
        omitted_chars,
        omitted_bytes: omitted.len() as u64,
        omitted_lines,
        truncated: true,
    }
}

/// Byte offsets of the plain cuts, `None` when the text fits.
fn borders(text: &str, head_chars: usize, tail_chars: usize) -> Option<(usize, usize)> {
    if text.len() <= head_chars.saturating_add(tail_chars) {
        return None;
    }
    let head_end = nth_border(text, head_chars)?;
    if tail_chars == 0 {
        return Some((head_end, text.len()));
    }
    let (tail_start, _) = text.char_indices().rev().nth(tail_chars - 1)?;
    (tail_start > head_end).then_some((head_end, tail_start))
}

/// Offset of the border after `chars` characters, `None` when the text has no more than that.
fn nth_border(text: &str, chars: usize) -> Option<usize> {
    text.char_indices().nth(chars).map(|(offset, _)| offset)
}

/// The first `max_chars` characters and a notice, or the text itself when it fits. Only a mask makes the cut earlier.
pub fn truncate_output(text: &str, max_chars: usize) -> String {
    let Some(cut) = nth_border(text, max_chars) else { return text.to_owned() };
    let mask = cut::mask_around(text.as_bytes(), cut);
    let kept = &text[..mask.map_or(cut, |mask| mask.start)];
    let total = text.chars().count();
    let shown = kept.chars().count();
    format!("{kept}\n... (output truncated: {total} total chars, showing first {shown})")
}
