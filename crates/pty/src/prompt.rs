//! Markers: texts that a program writes when it is ready for input. A marker counts only at the end of the text. The
//! owner gives some. Others are learned: the lines that stood there when the kernel said that the program waits.

use handrail_text::Cleaner;

/// How many markers a session may have.
pub const MAX_MARKERS: usize = 64;

/// The longest marker.
pub const MAX_MARKER_BYTES: usize = 256;

/// How many prompts are learned. A further one takes the place of the one that was seen longest ago.
pub const MAX_LEARNED_PROMPTS: usize = 8;

/// The markers, and the end of the finished text that they are compared with. That text is not redacted, because a
/// marker may look like a secret.
#[derive(Default)]
pub(crate) struct Prompt {
    markers: Vec<String>,
    /// Lines up to the cursor, as [`shape`] gives them. The one that was seen last is at the end.
    learned: Vec<Vec<u8>>,
    /// The last finished text of the cleaner, at most [`MAX_MARKER_BYTES`].
    tail: Vec<u8>,
}

impl Prompt {
    /// Sets the markers. The caller refuses empty, too long and too many markers; here they are left out.
    pub(crate) fn set(&mut self, mut markers: Vec<String>) {
        markers.retain(|marker| (1..=MAX_MARKER_BYTES).contains(&marker.len()));
        markers.truncate(MAX_MARKERS);
        self.markers = markers;
    }

    pub(crate) fn has_learned(&self) -> bool {
        !self.learned.is_empty()
    }

    pub(crate) fn has_given(&self) -> bool {
        !self.markers.is_empty()
    }

    /// Learns the line before the cursor. A blank line is no prompt, and neither is one that is longer than a marker.
    pub(crate) fn learn(&mut self, cleaner: &Cleaner) {
        let Some(shape) = shape(&cleaner.before_cursor(MAX_MARKER_BYTES)) else { return };
        if let Some(at) = self.learned.iter().position(|known| *known == shape) {
            self.learned.remove(at);
        } else if self.learned.len() == MAX_LEARNED_PROMPTS {
            self.learned.remove(0);
        }
        self.learned.push(shape);
    }

    /// Takes finished text.
    pub(crate) fn push(&mut self, text: &[u8]) {
        let new = &text[text.len().saturating_sub(MAX_MARKER_BYTES)..];
        let excess = (self.tail.len() + new.len()).saturating_sub(MAX_MARKER_BYTES);
        self.tail.drain(..excess);
        self.tail.extend_from_slice(new);
    }

    /// Makes sure that the text so far does not count as part of a marker.
    pub(crate) fn forget(&mut self) {
        self.tail.clear();
    }

    /// Whether this line ends with a marker, or is a learned prompt.
    pub(crate) fn is_at_end(&self, line: &[u8]) -> bool {
        self.is_given_at_end(line)
            || self.has_learned() && shape(line).is_some_and(|shape| self.learned.contains(&shape))
    }

    /// Whether this line ends with a given marker. The time depends on the markers and not on the length of the line.
    pub(crate) fn is_given_at_end(&self, line: &[u8]) -> bool {
        let is_whole = line.len() < MAX_MARKER_BYTES;
        self.markers.iter().map(String::as_bytes).any(|marker| {
            // The line may be the part of a marker after a newline in it.
            line.ends_with(marker)
                || is_whole
                    && marker.strip_suffix(line).is_some_and(|before| {
                        before.ends_with(b"\n") && self.tail.ends_with(before)
                    })
        })
    }
}

/// Whether the line before the cursor is blank.
pub(crate) fn is_blank(line: &[u8]) -> bool {
    line.iter().all(u8::is_ascii_whitespace)
}

/// The line before the cursor with `0` for each number, because many prompts count: `In [1]: ` and `In [2]: ` are one.
fn shape(line: &[u8]) -> Option<Vec<u8>> {
    let is_whole = line.len() < MAX_MARKER_BYTES;
    if !is_whole || is_blank(line) {
        return None;
    }
    let mut shape = Vec::with_capacity(line.len());
    for &byte in line {
        if !byte.is_ascii_digit() {
            shape.push(byte);
        } else if shape.last() != Some(&b'0') {
            shape.push(b'0');
        }
    }
    Some(shape)
}
