//! A text as a model may see it, with the way back to the bytes behind its masks.

use std::borrow::Cow;
use std::ops::Range;

use handrail_redact::{Mark, Redactor};

/// A redacted text. What lies between its masks is the same in both.
#[derive(Debug)]
pub(crate) struct View<'t> {
    pub(crate) text: Cow<'t, str>,
    /// In order, without overlaps.
    pub(crate) masks: Vec<Mask>,
}

/// A secret: where its mask is shown, and where it stands in the source. Never printed with the source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Mask {
    pub(crate) shown: Range<usize>,
    pub(crate) source: Range<usize>,
}

impl<'t> View<'t> {
    pub(crate) fn of(redactor: &Redactor, source: &'t str) -> View<'t> {
        let found = redactor.marks(source.as_bytes());
        if found.is_empty() {
            return View { text: Cow::Borrowed(source), masks: Vec::new() };
        }
        let mut text = String::with_capacity(source.len());
        let mut masks: Vec<Mask> = Vec::with_capacity(found.len());
        let mut kept = 0;
        for Mark { rule, start, end, quoted, continues } in found {
            let (start, end) = (floor(source, start).max(kept), ceil(source, end).max(kept));
            text.push_str(&source[kept..start]);
            kept = end;
            match masks.last_mut() {
                // What stays between the parts of one secret belongs to its mask.
                Some(last) if continues => {
                    last.source.end = end;
                    last.shown.end = text.len();
                }
                _ => {
                    let from = text.len();
                    text.push_str(&redactor.mask(rule, quoted));
                    masks.push(Mask { shown: from..text.len(), source: start..end });
                }
            }
        }
        text.push_str(&source[kept..]);
        View { text: Cow::Owned(text), masks }
    }

    /// Where a place of the view is in the source; `None` inside of a mask.
    pub(crate) fn source_at(&self, shown: usize) -> Option<usize> {
        let after = self.masks.partition_point(|mask| mask.shown.end <= shown);
        if self.masks.get(after).is_some_and(|mask| mask.shown.start < shown) {
            return None;
        }
        let (shown_end, source_end) =
            self.masks[..after].last().map_or((0, 0), |mask| (mask.shown.end, mask.source.end));
        Some(source_end + (shown - shown_end))
    }

    /// Where a stretch of the view is in the source; `None` when an end of it is inside of a mask.
    pub(crate) fn source_of(&self, shown: &Range<usize>) -> Option<Range<usize>> {
        Some(self.source_at(shown.start)?..self.source_at(shown.end)?)
    }

    /// The masks that lie in a stretch of the view.
    pub(crate) fn masks_in(&self, shown: &Range<usize>) -> &[Mask] {
        let first = self.masks.partition_point(|mask| mask.shown.start < shown.start);
        let after = self.masks.partition_point(|mask| mask.shown.end <= shown.end);
        self.masks.get(first..after).unwrap_or_default()
    }
}

/// The last border of a character up to this place.
pub(crate) fn floor(text: &str, at: usize) -> usize {
    (0..=at.min(text.len())).rev().find(|&at| text.is_char_boundary(at)).unwrap_or(0)
}

fn ceil(text: &str, at: usize) -> usize {
    (at..text.len()).find(|&at| text.is_char_boundary(at)).unwrap_or(text.len())
}
