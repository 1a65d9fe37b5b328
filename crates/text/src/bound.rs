//! Texts cut to a budget: as they come, or finished.

use crate::capture::Capture;
use crate::captured::Captured;
use crate::counts::Unit;
use crate::cut;
use crate::errors::ErrorLines;
use crate::fold::Fold;
use crate::rows::{Row, Rows};

/// Characters kept of a line when the budget is in lines and nothing else was said.
pub const DEFAULT_MAX_LINE_CHARS: usize = 2_000;

/// The part of a budget that error lines may take is one in this many.
const ERROR_PARTS: usize = 4;

/// How much of a text is kept, and how.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bounds {
    /// What the budgets count.
    pub unit: Unit,
    /// Kept from the beginning.
    pub head: usize,
    /// Kept from the end.
    pub tail: usize,
    /// Characters kept of a line, half of them from its end; more are left out in its middle, whether the text fits or not.
    /// Without it lines have no limit of their own, but for [`DEFAULT_MAX_LINE_CHARS`] when budgets are in lines.
    pub max_line_chars: Option<usize>,
    /// When the text does not fit: of consecutive lines that are the same but for their numbers only the first and the
    /// last are kept.
    pub fold_repeats: bool,
    /// When the text does not fit: lines of its middle that tell of an error, and those after them, are kept as well. They
    /// take up to a quarter of the budget, from the tail's first.
    pub keep_errors: bool,
}

impl Bounds {
    /// Only a head and a tail.
    pub fn new(unit: Unit, head: usize, tail: usize) -> Self {
        Self { unit, head, tail, max_line_chars: None, fold_repeats: false, keep_errors: false }
    }
}

/// Cuts a stream to its bounds in memory that depends on them alone.
///
/// Feed it text that has been redacted. What comes out does not depend on how the stream was divided.
pub struct Bounder {
    capture: Capture,
    /// Lines are only looked for when something is done with them.
    rows: Option<Rows>,
    fold: Option<Fold>,
    /// The text without folds, as long as it fits.
    unfolded: Option<Capture>,
    errors: Option<ErrorLines>,
}

impl std::fmt::Debug for Bounder {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("Bounder").field("capture", &self.capture).finish_non_exhaustive()
    }
}

impl Bounder {
    /// At the start of a text.
    pub fn new(bounds: Bounds) -> Self {
        let Bounds { unit, head, tail, fold_repeats, keep_errors, .. } = bounds;
        let default_chars = (unit == Unit::Lines).then_some(DEFAULT_MAX_LINE_CHARS);
        let max_chars = bounds.max_line_chars.or(default_chars);
        let has_rows = max_chars.is_some() || fold_repeats || keep_errors;
        let capture = || Capture::with_unit(unit, head, tail);
        Self {
            capture: capture(),
            rows: has_rows.then(|| Rows::new(max_chars)),
            fold: fold_repeats.then(Fold::default),
            unfolded: fold_repeats.then(capture),
            errors: keep_errors
                .then(|| ErrorLines::new(unit, head.saturating_add(tail) / ERROR_PARTS)),
        }
    }

    /// Takes the next bytes.
    pub fn push(&mut self, text: &[u8]) {
        let Some(mut rows) = self.rows.take() else { return self.capture.push(text) };
        rows.push(text, &mut |row| self.row(row));
        self.rows = Some(rows);
    }

    /// What was kept.
    pub fn finish(mut self) -> Captured {
        if let Some(mut rows) = self.rows.take() {
            rows.finish(&mut |row| self.row(row));
        }
        if let Some(mut fold) = self.fold.take() {
            fold.finish(&mut |row| self.keep(&row));
        }
        match self.unfolded {
            Some(unfolded) => unfolded.finish(),
            None => self.capture.finish_with(self.errors.map_or_else(Vec::new, ErrorLines::finish)),
        }
    }

    fn row(&mut self, row: Row<'_>) {
        if let Some(unfolded) = &mut self.unfolded {
            unfolded.push_row(&row);
            if unfolded.is_truncated() {
                self.unfolded = None;
            }
        }
        match self.fold.take() {
            Some(mut fold) => {
                fold.row(row, &mut |row| self.keep(&row));
                self.fold = Some(fold);
            }
            None => self.keep(&row),
        }
    }

    fn keep(&mut self, row: &Row<'_>) {
        let start = self.capture.position();
        self.capture.push_row(row);
        if let Some(errors) = &mut self.errors {
            errors.row(row, start, self.capture.position(), self.capture.is_in_head());
        }
    }
}

/// A finished text within its bounds.
pub fn bound(text: &str, bounds: Bounds) -> Captured {
    let mut bounder = Bounder::new(bounds);
    bounder.push(text.as_bytes());
    bounder.finish()
}

/// The first `head_chars` and the last `tail_chars` characters (Unicode scalar values) of a text, which is unchanged
/// when it fits. Line borders are preferred when near; a line break, a combined character or a mask is not divided.
pub fn bound_chars(text: &str, head_chars: usize, tail_chars: usize) -> Captured {
    bound(text, Bounds::new(Unit::Chars, head_chars, tail_chars))
}

/// The first `max_chars` characters and a notice, or the text itself when it fits. Only a mask makes the cut earlier.
pub fn truncate_output(text: &str, max_chars: usize) -> String {
    let Some((cut, _)) = text.char_indices().nth(max_chars) else { return text.to_owned() };
    let mask = cut::mask_around(text.as_bytes(), cut);
    let kept = &text[..mask.map_or(cut, |mask| mask.start)];
    let total = text.chars().count();
    let shown = kept.chars().count();
    format!("{kept}\n... (output truncated: {total} total chars, showing first {shown})")
}
