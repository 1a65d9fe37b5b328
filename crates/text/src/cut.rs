//! Cuts texts to a head and a tail: streams, whole texts, and texts that were cut before.

mod borders;
mod head_and_tail;
mod line_shortener;

use std::ops::Range;

use crate::counts::{self, Counts, Unit};
pub(crate) use borders::mask_around;
pub use borders::{end_within, first_unit};
use head_and_tail::HeadAndTail;
use line_shortener::LineShortener;

/// Default for the characters kept of a line when the budget is in lines.
pub const DEFAULT_MAX_LINE_CHARS: usize = 2_000;

/// With a smaller budget only the head is kept, since the notice would take most of the text.
pub const MIN_HEAD_AND_TAIL_CHARS: usize = 80;

/// Percentage of a text for a reader that comes from the beginning; the ends of outputs say more.
const HEAD_PERCENT: usize = 30;

/// Estimated length of the notice; corrected when it is longer.
const ESTIMATED_NOTICE_CHARS: usize = 64;

/// How much of a text is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bounds {
    /// Unit of both budgets.
    pub unit: Unit,
    /// Budget of the head.
    pub head: usize,
    /// Budget of the tail.
    pub tail: usize,
    /// Most characters of a line, half of them from its end; the middle of a longer line is left out, whether the text fits or
    /// not. With `None` lines have no limit, or [`DEFAULT_MAX_LINE_CHARS`] where the budgets are in lines.
    pub max_line_chars: Option<usize>,
}

impl Bounds {
    /// Bounds with a head and a tail only.
    pub fn new(unit: Unit, head: usize, tail: usize) -> Self {
        Self { unit, head, tail, max_line_chars: None }
    }
}

/// A text that may lack a part of its source, and the size of that part.
///
/// The kept part of the source and `omitted` add up to `total`. The notice is no part of the source.
#[derive(Clone, PartialEq, Eq)]
pub struct Cut {
    /// The whole text; or the head, a notice that counts what is missing, and the tail.
    pub text: String,
    /// Size of the source.
    pub total: Counts,
    /// Size of the part of the source that is not in the text.
    pub omitted: Counts,
    /// Range of the notice in the text, with a line end before it where the head lacks one. Empty, and at the end of the text,
    /// when nothing was left out between head and tail.
    pub notice: Range<usize>,
    /// The unit that the notice counts first.
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
    /// A text that lacks this much at its notice. `notice` lies on character boundaries.
    pub fn of(text: String, omitted: Counts, notice: Range<usize>, unit: Unit) -> Self {
        let mut cut = Self { text, total: omitted, omitted, notice, unit };
        cut.total = omitted + cut.kept();
        cut
    }

    /// Whether anything is missing.
    pub fn is_truncated(&self) -> bool {
        self.omitted.bytes > 0
    }

    /// The text before the notice; the whole text when there is none.
    pub fn head(&self) -> &str {
        &self.text[..self.notice.start]
    }

    /// The text after the notice.
    pub fn tail(&self) -> &str {
        &self.text[self.notice.end..]
    }

    /// Number of masks in the text.
    pub fn masks(&self) -> u64 {
        borders::count_masks(self.text.as_bytes())
    }

    /// Replaces head and tail by the result of `redact` for each, where there is one: as if the removed text had not been in
    /// the source. `redact` gets the text, and whether it was cut at its start. Returns whether anything was replaced.
    pub fn redact_again(&mut self, redact: impl Fn(&str, bool) -> Option<String>) -> bool {
        let is_cut = !self.notice.is_empty();
        let head = redact(self.head(), false);
        let tail = if is_cut { redact(self.tail(), true) } else { None };
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

    /// Cuts the text to at most `max_chars` characters with the notice. An earlier notice is replaced by one that counts what is
    /// missing of the whole source, so that no text has two notices. Not for texts with shortened lines.
    #[must_use]
    pub fn within(self, max_chars: usize) -> Self {
        let chars = counts::chars(self.text.as_bytes());
        if chars <= max_chars as u64 {
            return self;
        }
        let mut kept = max_chars.saturating_sub(ESTIMATED_NOTICE_CHARS);
        while max_chars >= MIN_HEAD_AND_TAIL_CHARS && kept > 0 {
            let cut = self.head_and_tail(kept);
            let length = usize::try_from(counts::chars(cut.text.as_bytes())).unwrap_or(usize::MAX);
            if length <= max_chars {
                return cut;
            }
            kept = kept.saturating_sub(length - max_chars);
        }
        self.head_only(max_chars)
    }

    /// So many characters of head and tail together. The unused budget of one goes to the other.
    fn head_and_tail(&self, chars: usize) -> Self {
        let has_notice = !self.notice.is_empty();
        let head = self.head().as_bytes();
        let tail = if has_notice { self.tail().as_bytes() } else { head };
        let unit = if has_notice { self.unit } else { Unit::Chars };
        let length = |text| usize::try_from(counts::chars(text)).unwrap_or(usize::MAX);
        let from_head = (chars * HEAD_PERCENT / 100).max(chars.saturating_sub(length(tail)));
        let from_tail = chars - from_head.min(length(head));
        let end = counts::end_of_first(Unit::Chars, from_head, head);
        let end = end.map_or(head.len(), |budget| borders::head_end(head, budget));
        let start = match counts::start_of_last(Unit::Chars, from_tail, tail) {
            0 => 0,
            budget => borders::tail_start(tail, budget),
        };
        let (head, tail) = (&head[..end], &tail[start..]);
        let kept = Counts::of(head) + Counts::of(tail);
        join_with_notice(unit, [self.total, kept, Counts::default()], head, tail)
    }

    /// The first characters alone; fewer only where the cut would divide a mask.
    fn head_only(mut self, chars: usize) -> Self {
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

/// Cuts a stream to its bounds, in memory that depends on the bounds alone. A budget of lines bounds it as well, since lines
/// are bounded.
///
/// The text must have been redacted. The result does not depend on how the stream was divided.
#[derive(Clone)]
pub struct Cutter {
    head_and_tail: HeadAndTail,
    /// Shortens long lines; `None` when lines have no limit.
    line_shortener: Option<LineShortener>,
}

impl std::fmt::Debug for Cutter {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("Cutter").finish_non_exhaustive()
    }
}

impl Cutter {
    /// A cutter at the start of a text.
    pub fn new(bounds: Bounds) -> Self {
        let default_chars = (bounds.unit == Unit::Lines).then_some(DEFAULT_MAX_LINE_CHARS);
        Self {
            head_and_tail: HeadAndTail::new(bounds.unit, bounds.head, bounds.tail),
            line_shortener: bounds.max_line_chars.or(default_chars).map(LineShortener::new),
        }
    }

    /// Takes the next bytes.
    pub fn push(&mut self, text: &[u8]) {
        match &mut self.line_shortener {
            Some(line_shortener) => line_shortener.push(text, &mut self.head_and_tail),
            None => self.head_and_tail.push(text),
        }
    }

    /// The cut text.
    pub fn finish(mut self) -> Cut {
        if let Some(mut line_shortener) = self.line_shortener.take() {
            line_shortener.finish(&mut self.head_and_tail);
        }
        self.head_and_tail.finish()
    }
}

/// Cuts a finished text to its bounds.
pub fn bound(text: &str, bounds: Bounds) -> Cut {
    let mut cutter = Cutter::new(bounds);
    cutter.push(text.as_bytes());
    cutter.finish()
}

/// The first `max_chars` characters and a notice, or the text itself when it fits. The cut is earlier only where it would
/// divide a mask.
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

/// Joins head and tail of a source of this size with a notice. `kept` is the size of the source in head and tail, and
/// `in_notices` that of the source that notices within them stand for.
fn join_with_notice(
    unit: Unit,
    [total, kept, in_notices]: [Counts; 3],
    head: &[u8],
    tail: &[u8],
) -> Cut {
    let omitted = total - kept;
    let mut text = head.to_vec();
    let missing = omitted - in_notices;
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

/// The notice between head and tail.
fn notice(unit: Unit, missing: Counts) -> String {
    let Counts { bytes, chars, lines } = missing;
    match unit {
        Unit::Bytes => format!("[... {bytes} bytes, {lines} lines omitted ...]\n"),
        Unit::Chars => format!("[... {chars} characters, {lines} lines omitted ...]\n"),
        Unit::Lines => format!("[... {lines} lines, {chars} characters omitted ...]\n"),
    }
}

/// The text with invalid UTF-8 replaced, and the range of the notice in it.
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
