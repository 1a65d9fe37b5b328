//! Texts cut to a budget: as they come, or finished.

use crate::capture::Capture;
use crate::captured::Captured;
use crate::counts::Unit;
use crate::cut;
use crate::rows::Rows;

/// Characters kept of a line when the budget is in lines and nothing else was said.
pub const DEFAULT_MAX_LINE_CHARS: usize = 2_000;

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
}

impl Bounds {
    /// Only a head and a tail.
    pub fn new(unit: Unit, head: usize, tail: usize) -> Self {
        Self { unit, head, tail, max_line_chars: None }
    }
}

/// Cuts a stream to its bounds in memory that depends on them alone.
///
/// Feed it text that has been redacted. What comes out does not depend on how the stream was divided.
pub struct Bounder {
    capture: Capture,
    /// Lines are only looked for when they have a limit.
    rows: Option<Rows>,
}

impl std::fmt::Debug for Bounder {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("Bounder").field("capture", &self.capture).finish_non_exhaustive()
    }
}

impl Bounder {
    /// At the start of a text.
    pub fn new(bounds: Bounds) -> Self {
        let Bounds { unit, head, tail, max_line_chars } = bounds;
        let default_chars = (unit == Unit::Lines).then_some(DEFAULT_MAX_LINE_CHARS);
        Self {
            capture: Capture::with_unit(unit, head, tail),
            rows: max_line_chars.or(default_chars).map(Rows::new),
        }
    }

    /// Takes the next bytes.
    pub fn push(&mut self, text: &[u8]) {
        match &mut self.rows {
            Some(rows) => rows.push(text, &mut |row| self.capture.push_row(&row)),
            None => self.capture.push(text),
        }
    }

    /// What was kept.
    pub fn finish(mut self) -> Captured {
        if let Some(mut rows) = self.rows.take() {
            rows.finish(&mut |row| self.capture.push_row(&row));
        }
        self.capture.finish()
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
