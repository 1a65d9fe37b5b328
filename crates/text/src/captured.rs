//! What is kept of a stream, put together.

use std::ops::Range;

use crate::counts::{Counts, Unit};
use crate::ends::Mark;
use crate::notice;

/// What was kept of a stream.
#[derive(Clone, Default, PartialEq, Eq)]
pub struct Captured {
    /// The whole text, or head, a line saying what is missing, and tail.
    pub text: String,
    /// Bytes that were pushed.
    pub total_bytes: u64,
    /// Bytes of those that are in `text`. `kept_bytes + omitted_bytes == total_bytes`.
    pub kept_bytes: u64,
    /// Bytes of those that are not.
    pub omitted_bytes: u64,
    /// Characters among the omitted bytes.
    pub omitted_chars: u64,
    /// Line ends among the omitted bytes.
    pub omitted_lines: u64,
    /// True when anything was omitted.
    pub truncated: bool,
    /// Where the head lies in `text`; all of it when nothing was cut out.
    pub head: Range<usize>,
    /// Where the tail lies in `text`; empty when nothing was cut out.
    pub tail: Range<usize>,
}

impl std::fmt::Debug for Captured {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter
            .debug_struct("Captured")
            .field("total_bytes", &self.total_bytes)
            .field("omitted_bytes", &self.omitted_bytes)
            .finish_non_exhaustive()
    }
}

impl Captured {
    /// Replaces head, what lies between, and tail by what `redact` makes of each, where it makes something: as if what it
    /// removes had not been pushed. True when it did.
    pub fn redact_again(&mut self, mut redact: impl FnMut(Place, &str) -> Option<String>) -> bool {
        let (head, tail) = (self.head.end, self.tail.start);
        let mut text = String::with_capacity(self.text.len());
        let mut changed = false;
        let mut ends = [0; 3];
        let parts = [
            (Place::Head, &self.text[..head]),
            (Place::Between, &self.text[head..tail]),
            (Place::Tail, &self.text[tail..]),
        ];
        for ((place, part), end) in parts.into_iter().zip(&mut ends) {
            let redacted = if part.is_empty() { None } else { redact(place, part) };
            changed |= redacted.is_some();
            text.push_str(redacted.as_deref().unwrap_or(part));
            *end = text.len();
        }
        // Notices stay what they are: what was added or removed is of the source.
        let source = (self.total_bytes + text.len() as u64).saturating_sub(self.text.len() as u64);
        self.total_bytes = source;
        self.kept_bytes = source.saturating_sub(self.omitted_bytes);
        self.head = 0..ends[0];
        self.tail = ends[1]..ends[2];
        self.text = text;
        changed
    }

    /// What is not in the text.
    pub fn omitted(&self) -> Counts {
        Counts { bytes: self.omitted_bytes, chars: self.omitted_chars, lines: self.omitted_lines }
    }
}

/// A part of what was kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// The beginning of the stream; all of it when nothing was cut out.
    Head,
    /// The notice.
    Between,
    /// The end of a stream of which something was cut out.
    Tail,
}

/// One end of the kept text.
pub(crate) struct Part<'a> {
    pub(crate) bytes: &'a [u8],
    /// Where it ends in the source, for a head; where it begins, for a tail.
    pub(crate) border: Counts,
    /// What notices in it stand for.
    pub(crate) omitted: Counts,
}

impl<'a> Part<'a> {
    /// These bytes with the marks in them. The border is counted from their other end.
    pub(crate) fn new(bytes: &'a [u8], marks: impl Iterator<Item = &'a Mark>) -> Self {
        let mut part = Self { bytes, border: Counts::of(bytes), omitted: Counts::default() };
        for mark in marks {
            part.border = part.border - mark.notice;
            part.border += mark.omitted;
            part.omitted += mark.omitted;
        }
        part
    }
}

/// Head and tail of a source of this size, with a notice for what lies between.
pub(crate) fn join(unit: Unit, source: Counts, head: &Part<'_>, tail: &Part<'_>) -> Captured {
    let mut text = head.bytes.to_vec();
    let mut omitted = head.omitted;
    omitted += tail.omitted;
    let missing = tail.border - head.border;
    if missing.bytes > 0 {
        notice::put_line(&mut text, &notice::omitted(unit, missing));
        omitted += missing;
    }
    let tail_start = text.len();
    text.extend_from_slice(tail.bytes);
    let ends = (0..head.bytes.len(), tail_start..text.len());
    captured(text, source, omitted, ends)
}

/// A text from which nothing was cut out; notices in it stand for what was left out.
pub(crate) fn whole(text: Vec<u8>, source: Counts, omitted: Counts) -> Captured {
    let ends = (0..text.len(), text.len()..text.len());
    captured(text, source, omitted, ends)
}

fn captured(
    text: Vec<u8>,
    source: Counts,
    omitted: Counts,
    ends: (Range<usize>, Range<usize>),
) -> Captured {
    let (text, head, tail) = into_string(text, ends);
    Captured {
        text,
        total_bytes: source.bytes,
        kept_bytes: source.bytes - omitted.bytes,
        omitted_bytes: omitted.bytes,
        omitted_chars: omitted.chars,
        omitted_lines: omitted.lines,
        truncated: omitted.bytes > 0,
        head,
        tail,
    }
}

/// The text with what is not UTF-8 replaced, and where its ends lie then.
fn into_string(
    bytes: Vec<u8>,
    (head, tail): (Range<usize>, Range<usize>),
) -> (String, Range<usize>, Range<usize>) {
    let bytes = match String::from_utf8(bytes) {
        Ok(text) => return (text, head, tail),
        Err(error) => error.into_bytes(),
    };
    let lossy = |range: Range<usize>| String::from_utf8_lossy(&bytes[range]);
    let (first, between, last) = (lossy(0..head.end), lossy(head.end..tail.start), lossy(tail));
    let text = [first.as_ref(), &between, &last].concat();
    let (end, start) = (first.len(), text.len() - last.len());
    let all = text.len();
    (text, 0..end, start..all)
}
