//! The text that replaces a secret.

use std::ops::Range;

use memchr::memmem;

/// The mask without a label.
pub(crate) const MASK: &str = "[REDACTED]";

/// How every mask begins.
const MASK_OPENING: &[u8] = b"[REDACTED";

/// The longest label that is recognised in a text that was redacted before.
const MAX_LABEL_BYTES: usize = 80;

/// How many digits the number of a mask may have.
pub const MAX_NUMBER_DIGITS: usize = 9;

/// The length of the mask at the start of `text`, 0 if there is none.
pub(crate) fn length(text: &[u8]) -> usize {
    // Most texts differ in this byte, so the check is made before any call.
    if text.first() != MASK_OPENING.first() {
        return 0;
    }
    let Some(rest) = text.strip_prefix(MASK_OPENING) else { return 0 };
    let label = match rest.first() {
        Some(b']') => 0,
        Some(b':') => 1 + label_length(&rest[1..]),
        _ => return 0,
    };
    let end = label + number_length(&rest[label..]);
    if rest.get(end) == Some(&b']') { MASK_OPENING.len() + end + 1 } else { 0 }
}

/// The length of a number after a label, with its colon. Views of files number their masks.
fn number_length(text: &[u8]) -> usize {
    let [b':', rest @ ..] = text else { return 0 };
    let digits =
        rest.iter().take(MAX_NUMBER_DIGITS).take_while(|byte| byte.is_ascii_digit()).count();
    if digits == 0 { 0 } else { 1 + digits }
}

/// Whether a mask overlaps `range`.
pub(crate) fn touches(text: &[u8], range: Range<usize>) -> bool {
    let from =
        range.start.saturating_sub(MASK_OPENING.len() + MAX_LABEL_BYTES + MAX_NUMBER_DIGITS + 2);
    let is_in = memchr::memrchr(MASK_OPENING[0], &text[from..range.start])
        .is_some_and(|start| from + start + length(&text[from + start..]) > range.start);
    is_in
        || memchr::memchr_iter(MASK_OPENING[0], &text[range.clone()])
            .any(|at| length(&text[range.start + at..]) > 0)
}

/// The label for a rule's id, in characters that are recognised in a mask: lower-case letters, digits and dashes.
pub(crate) fn label_of(id: &str) -> String {
    let plain =
        |char: char| if char.is_ascii_alphanumeric() { char.to_ascii_lowercase() } else { '-' };
    let label: String = id.chars().take(MAX_OWN_LABEL_BYTES).map(plain).collect();
    if label.is_empty() { "rule".to_owned() } else { label }
}

/// Whether a mask begins somewhere in `text`.
pub(crate) fn occurs(text: &[u8]) -> bool {
    memchr::memchr_iter(MASK_OPENING[0], text).any(|at| text[at..].starts_with(MASK_OPENING))
}

/// Whether `at` is inside the label of a mask.
pub(crate) fn labels(text: &[u8], at: usize) -> bool {
    let is_label = |byte: &&u8| matches!(byte, b'a'..=b'z' | b'-' | b'0'..=b'9' | b':');
    let reach = MAX_LABEL_BYTES + MAX_NUMBER_DIGITS + 1;
    let label = text[..at].iter().rev().take(reach).take_while(is_label).count();
    let start = at - label;
    label > 0 && text[start] == b':' && text[..start].ends_with(MASK_OPENING)
}

/// The ranges of all masks in `text`, in order. A text that looks like a mask counts too.
pub fn find_all(text: &[u8]) -> Vec<Range<usize>> {
    memmem::find_iter(text, MASK_OPENING)
        .filter_map(|start| match length(&text[start..]) {
            0 => None,
            length => Some(start..start + length),
        })
        .collect()
}

/// The longest label that is written for a rule of a file. It is shorter than [`MAX_LABEL_BYTES`].
const MAX_OWN_LABEL_BYTES: usize = 64;

fn label_length(text: &[u8]) -> usize {
    let label = &text[..text.len().min(MAX_LABEL_BYTES)];
    label
        .iter()
        .position(|&byte| !(byte.is_ascii_alphanumeric() || byte == b'-'))
        .unwrap_or(label.len())
}
