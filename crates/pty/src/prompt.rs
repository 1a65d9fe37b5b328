//! Markers: texts that a program writes when it is ready for input. A marker counts only at the end of the text.

use handrail_text::Cleaner;

/// How many markers a session may have.
pub const MAX_MARKERS: usize = 64;

/// The longest marker.
pub const MAX_MARKER_BYTES: usize = 256;

/// The markers, and the end of the finished text that they are compared with. That text is not redacted, because a
/// marker may look like a secret.
#[derive(Default)]
pub(crate) struct Prompt {
    markers: Vec<String>,
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

    pub(crate) fn has_markers(&self) -> bool {
        !self.markers.is_empty()
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

    /// Whether a row of a picture ends with a marker before the cursor.
    pub(crate) fn is_at_end_of(&self, row: &str) -> bool {
        self.markers.iter().any(|marker| row.ends_with(marker.as_str()))
    }

    /// Whether a marker stands before the cursor. The time depends on the markers and not on the length of the line.
    pub(crate) fn is_at_end(&self, cleaner: &Cleaner) -> bool {
        if cleaner.is_inside() {
            return false;
        }
        let line = cleaner.before_cursor(MAX_MARKER_BYTES);
        let is_whole = line.len() < MAX_MARKER_BYTES;
        self.markers.iter().map(String::as_bytes).any(|marker| {
            // The line may be the part of a marker after a newline in it.
            line.ends_with(marker)
                || is_whole
                    && marker.strip_suffix(line.as_slice()).is_some_and(|before| {
                        before.ends_with(b"\n") && self.tail.ends_with(before)
                    })
        })
    }
}
