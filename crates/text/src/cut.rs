//! Texts cut to a head and a tail: as they come, as a whole, and once more for a reader.

mod borders;
mod ends;
mod rows;

use std::ops::Range;

use crate::counts::{self, Counts, Unit};
pub(crate) use borders::mask_around;
use ends::Ends;
use rows::Rows;

/// Characters kept of a line when the budget is in lines and nothing else was said.
pub const DEFAULT_MAX_LINE_CHARS: usize = 2_000;

/// Below this budget a line with counts would be most of what a reader gets: the head alone is kept.
pub const MIN_HEAD_AND_TAIL_CHARS: usize = 80;

/// Of what a reader gets, the part in hundred that comes from the beginning; ends of outputs say more.
const HEAD_PERCENT: usize = 30;

/// First guess of what the line with the counts takes; corrected when it takes more.
const NOTICE_CHARS: usize = 64;

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

/// A text from which something may have been left out, and how much that is.
///
/// `omitted` and what is kept of the source add up to `total`. The notice is no part of the source.
#[derive(Clone, PartialEq, Eq)]
pub struct Cut {
    /// The whole text, or head, a line that counts what is missing, and tail.
    pub text: String,
    /// The source.
    pub total: Counts,
    /// What is not in the text.
    pub omitted: Counts,
    /// Where the notice stands in the text, with the line end before it that the head lacked. Empty, and at the end of the
    /// text, when nothing was left out between head and tail.
    pub notice: Range<usize>,
    /// What the notice counts first.
    pub unit: Unit,
}

impl Default for Cut {
    fn default() -> Self {
        Self::of(String::new(), Counts::default(), 0..0, Unit::Bytes)
    }
}

impl std::fmt::Debug for Cut {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter
            .debug_struct("Cut")
            .field("total", &self.total)
            .field("omitted", &self.omitted)
            .finish_non_exhaustive()
    }
}

impl Cut {
    /// A text that lacks this much where its notice stands. `notice` lies on borders of characters.
    pub fn of(text: String, omitted: Counts, notice: Range<usize>, unit: Unit) -> Self {
        let mut cut = Self { text, total: omitted, omitted, notice, unit };
        cut.total = omitted + cut.kept();
        cut
    }

    /// Whether anything is missing.
    pub fn is_truncated(&self) -> bool {
        self.omitted.bytes > 0
    }

    /// What comes before the notice; the whole text when there is none.
    pub fn head(&self) -> &str {
        &self.text[..self.notice.start]
    }

    /// What follows the notice.
    pub fn tail(&self) -> &str {
        &self.text[self.notice.end..]
    }

    /// How many masks are in the text.
    pub fn masks(&self) -> u64 {
        borders::masks(self.text.as_bytes())
    }

    /// Replaces head and tail by what `redact` makes of each, where it makes something: as if what it removes had not been
    /// in the source. `redact` is told whether its text was cut at the start and at the end. True when it did.
    pub fn redact_again(&mut self, redact: impl Fn(&str, bool, bool) -> Option<String>) -> bool {
        let is_cut = !self.notice.is_empty();
        let head = redact(self.head(), false, is_cut);
        let tail = if is_cut { redact(self.tail(), true, false) } else { None };
        if head.is_none() && tail.is_none() {
            return false;
        }
        let before = head.as_deref().unwrap_or(self.head());
        let notice = before.len()..before.len() + self.notice.len();
        let after = tail.as_deref().unwrap_or(self.tail());
        let text = [before, &self.text[self.notice.clone()], after].concat();
        *self = Self::of(text, self.omitted, notice, self.unit);
        true
    }

    /// The same for a reader of at most `max_chars` characters, the notice among them. A notice that the text has gives way to
    /// one that counts what is missing of the whole source, so that no text has two. Not for texts with shortened lines.
    #[must_use]
    pub fn within(self, max_chars: usize) -> Self {
        let chars = counts::chars(self.text.as_bytes());
        if chars <= max_chars as u64 {
            return self;
        }
        let mut kept = max_chars.saturating_sub(NOTICE_CHARS);
        while max_chars >= MIN_HEAD_AND_TAIL_CHARS && kept > 0 {
            let cut = self.ends(kept);
            let length = usize::try_from(counts::chars(cut.text.as_bytes())).unwrap_or(usize::MAX);
            if length <= max_chars {
                return cut;
            }
            kept = kept.saturating_sub(length - max_chars);
        }
        self.beginning(max_chars)
    }

    /// So many characters of head and tail. What one of them does not need, the other gets.
    fn ends(&self, chars: usize) -> Self {
        let has_notice = !self.notice.is_empty();
        let head = self.head().as_bytes();
        let tail = if has_notice { self.tail().as_bytes() } else { head };
        let unit = if has_notice { self.unit } else { Unit::Chars };
        let length = |text| usize::try_from(counts::chars(text)).unwrap_or(usize::MAX);
        let from_head = (chars * HEAD_PERCENT / 100).max(chars.saturating_sub(length(tail)));
        let from_tail = chars - from_head.min(length(head));
        let end = counts::first(Unit::Chars, from_head, head);
        let end = end.map_or(head.len(), |budget| borders::head_end(head, budget));
        let start = match counts::last(Unit::Chars, from_tail, tail) {
            0 => 0,
            budget => borders::tail_start(tail, budget),
        };
        let (head, tail) = (&head[..end], &tail[start..]);
        let kept = Counts::of(head) + Counts::of(tail);
        join(unit, [self.total, kept, Counts::default()], head, tail)
    }

    /// The first characters alone. Only a mask makes them fewer.
    fn beginning(mut self, chars: usize) -> Self {
        let end = first_chars(&self.text, chars);
        self.text.truncate(end);
        self.notice = self.notice.start.min(end)..self.notice.end.min(end);
        self.omitted = self.total - self.kept();
        self
    }

    fn kept(&self) -> Counts {
        Counts::of(self.head().as_bytes()) + Counts::of(self.tail().as_bytes())
    }
}

/// Cuts a stream to its bounds in memory that depends on them alone; a budget of lines bounds it, since lines are bounded.
///
/// Feed it text that has been redacted. What comes out does not depend on how the stream was divided.
#[derive(Clone)]
pub struct Cutter {
    ends: Ends,
    /// Lines are only looked for when they have a limit.
    rows: Option<Rows>,
}

impl std::fmt::Debug for Cutter {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("Cutter").finish_non_exhaustive()
    }
}

impl Cutter {
    /// At the start of a text.
    pub fn new(bounds: Bounds) -> Self {
        let default_chars = (bounds.unit == Unit::Lines).then_some(DEFAULT_MAX_LINE_CHARS);
        Self {
            ends: Ends::new(bounds.unit, bounds.head, bounds.tail),
            rows: bounds.max_line_chars.or(default_chars).map(Rows::new),
        }
    }

    /// Takes the next bytes.
    pub fn push(&mut self, text: &[u8]) {
        match &mut self.rows {
            Some(rows) => rows.push(text, &mut self.ends),
            None => self.ends.push(text),
        }
    }

    /// What was kept.
    pub fn finish(mut self) -> Cut {
        if let Some(mut rows) = self.rows.take() {
            rows.finish(&mut self.ends);
        }
        self.ends.finish()
    }
}

/// A finished text within its bounds.
pub fn bound(text: &str, bounds: Bounds) -> Cut {
    let mut cutter = Cutter::new(bounds);
    cutter.push(text.as_bytes());
    cutter.finish()
}

/// The first `max_chars` characters and a notice, or the text itself when it fits. Only a mask makes the cut earlier.
pub fn truncate_output(text: &str, max_chars: usize) -> String {
    let kept = &text[..first_chars(text, max_chars)];
    if kept.len() == text.len() {
        return text.to_owned();
    }
    let total = text.chars().count();
    let shown = kept.chars().count();
    format!("{kept}\n... (output truncated: {total} total chars, showing first {shown})")
}

/// Where the first `chars` characters end, without a part of a mask.
fn first_chars(text: &str, chars: usize) -> usize {
    let Some((end, _)) = text.char_indices().nth(chars) else { return text.len() };
    mask_around(text.as_bytes(), end).map_or(end, |mask| mask.start)
}

/// Head and tail of a source of this size, with a notice for what lies between. `inline` is what notices in them stand for,
/// and `kept` is what they have of the source.
fn join(unit: Unit, [total, kept, inline]: [Counts; 3], head: &[u8], tail: &[u8]) -> Cut {
    let omitted = total - kept;
    let mut text = head.to_vec();
    let missing = omitted - inline;
    if missing.bytes > 0 {
        if head.last().is_some_and(|&byte| byte != b'\n') {
            text.push(b'\n');
        }
        text.extend_from_slice(notice(unit, missing).as_bytes());
    }
    let start = text.len();
    text.extend_from_slice(tail);
    let notice = if missing.bytes > 0 { head.len()..start } else { text.len()..text.len() };
    let (text, notice) = into_string(text, notice);
    Cut { text, total, omitted, notice, unit }
}

/// The line between head and tail.
fn notice(unit: Unit, missing: Counts) -> String {
    let Counts { bytes, chars, lines } = missing;
    match unit {
        Unit::Bytes => format!("[... {bytes} bytes, {lines} lines omitted ...]\n"),
        Unit::Chars => format!("[... {chars} characters, {lines} lines omitted ...]\n"),
        Unit::Lines => format!("[... {lines} lines, {chars} characters omitted ...]\n"),
    }
}

/// The text with what is not UTF-8 replaced, and where the notice lies then.
fn into_string(bytes: Vec<u8>, notice: Range<usize>) -> (String, Range<usize>) {
    let bytes = match String::from_utf8(bytes) {
        Ok(text) => return (text, notice),
        Err(error) => error.into_bytes(),
    };
    let [head, between, tail] = [0..notice.start, notice.clone(), notice.end..bytes.len()]
        .map(|range| String::from_utf8_lossy(&bytes[range]));
    let text = [head.as_ref(), &between, &tail].concat();
    let end = text.len() - tail.len();
    (text, head.len()..end)
}
