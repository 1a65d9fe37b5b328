//! Texts that are shortened for a reader, and what is missing in them.

use handrail_text::{Bounds, Counts, Cut, Unit};
use serde::{Deserialize, Serialize};

use crate::decision::utf16_offset;
use crate::judgement::Problem;
use crate::{Excerpt, json};

/// How much of a text is missing, and where the text says so: the notice, as in `[… 12 lines left out …]`.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct TextCut {
    /// The unit of the first number in the notice.
    unit: TextUnit,
    bytes: u64,
    chars: u64,
    lines: u64,
    /// Where the notice is in the text, in UTF-16 units.
    #[cfg_attr(test, ts(type = "readonly [start: number, end: number]"))]
    notice: (u32, u32),
}

/// A unit in which texts are measured.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(test, derive(ts_rs::TS))]
pub enum TextUnit {
    /// Bytes of UTF-8.
    Bytes,
    /// Unicode scalar values.
    Chars,
    /// Lines.
    Lines,
}

impl From<Unit> for TextUnit {
    fn from(unit: Unit) -> TextUnit {
        match unit {
            Unit::Bytes => TextUnit::Bytes,
            Unit::Chars => TextUnit::Chars,
            Unit::Lines => TextUnit::Lines,
        }
    }
}

impl From<TextUnit> for Unit {
    fn from(unit: TextUnit) -> Unit {
        match unit {
            TextUnit::Bytes => Unit::Bytes,
            TextUnit::Chars => Unit::Chars,
            TextUnit::Lines => Unit::Lines,
        }
    }
}

/// How much of a text is kept.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(test, derive(ts_rs::TS), ts(optional_fields))]
pub struct TextBounds {
    /// The unit of `head` and `tail`.
    pub unit: TextUnit,
    /// Kept from the beginning.
    pub head: usize,
    /// Kept from the end.
    pub tail: usize,
    /// Characters kept of a line.
    pub max_line_chars: Option<usize>,
}

/// A text that was shortened to a head and a tail.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct BoundedText {
    /// The text, with a line that counts the omitted part.
    text: String,
    /// Whether anything is missing.
    truncated: bool,
    /// Unicode scalar values left out.
    omitted_chars: u64,
    /// UTF-8 bytes left out.
    omitted_bytes: u64,
    /// Line ends left out.
    omitted_lines: u64,
}

/// Lines that were chosen from a text.
#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct TextExcerpt {
    #[serde(flatten)]
    excerpt: Excerpt,
    /// Whether anything is missing.
    truncated: bool,
}

/// A text, what is missing in it already, and how much of it a reader gets.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(test, derive(ts_rs::TS), ts(optional_fields))]
pub(crate) struct FitQuestion {
    text: String,
    max_chars: usize,
    cut: Option<TextCut>,
}

/// The text that the reader gets.
#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(optional_fields))]
pub(crate) struct Fitted {
    /// Absent when it equals the given text.
    #[serde(skip_serializing_if = "Option::is_none")]
    text: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    cut: Option<TextCut>,
    /// How many masks the text has.
    masks: u64,
}

impl TextCut {
    /// `None` for a text in which nothing is missing.
    pub fn of(cut: &Cut) -> Option<TextCut> {
        let offset_in_units = |offset| utf16_offset(&cut.text, offset);
        cut.is_truncated().then(|| TextCut {
            unit: cut.unit.into(),
            bytes: cut.omitted.bytes,
            chars: cut.omitted.chars,
            lines: cut.omitted.lines,
            notice: (offset_in_units(cut.notice.start), offset_in_units(cut.notice.end)),
        })
    }

    /// The text with what is missing in it.
    fn with(self, text: String) -> Cut {
        let omitted = Counts { bytes: self.bytes, chars: self.chars, lines: self.lines };
        let start = byte_offset(&text, self.notice.0);
        let notice = start..byte_offset(&text, self.notice.1).max(start);
        Cut::of(text, omitted, notice, self.unit.into())
    }
}

/// Reads bounds from JSON.
pub fn text_bounds(bounds: &[u8]) -> Result<TextBounds, Problem> {
    serde_json::from_slice(bounds).map_err(|error| Problem::new("ERR_INVALID_ARGUMENT", &error))
}

/// The head and the tail of a text that is longer than its bounds, as a report in JSON.
pub fn bound(text: &str, TextBounds { unit, head, tail, max_line_chars }: TextBounds) -> String {
    let bounds = Bounds { unit: unit.into(), head, tail, max_line_chars };
    let bounded = handrail_text::bound(text, bounds);
    json(&BoundedText {
        truncated: bounded.is_truncated(),
        omitted_chars: bounded.omitted.chars,
        omitted_bytes: bounded.omitted.bytes,
        omitted_lines: bounded.omitted.lines,
        text: bounded.text,
    })
}

/// The most informative lines of a text, within about so many tokens, as a report in JSON.
pub fn excerpt(text: &str, tokens: usize) -> String {
    let excerpt = handrail_text::excerpt(text, tokens);
    let truncated = excerpt.truncated;
    json(&TextExcerpt { excerpt: Excerpt::of(excerpt), truncated })
}

/// Shortens the text of the question for its reader. Question and answer are JSON.
pub fn fit(question: &[u8]) -> Result<String, Problem> {
    let FitQuestion { text, max_chars, cut } = serde_json::from_slice(question)
        .map_err(|error| Problem::new("ERR_INVALID_ARGUMENT", &error))?;
    let length = text.len();
    let whole = match cut {
        Some(cut) => cut.with(text),
        None => Cut::of(text, Counts::default(), length..length, Unit::Chars),
    };
    let fitted = whole.within(max_chars);
    let (cut, masks) = (TextCut::of(&fitted), fitted.masks());
    let text = (fitted.text.len() != length).then_some(fitted.text);
    Ok(json(&Fitted { text, cut, masks }))
}

/// The byte offset of a UTF-16 offset; one inside a character counts as its start.
fn byte_offset(text: &str, offset: u32) -> usize {
    let mut units = 0;
    let found = text.char_indices().find(|(_, character)| {
        units += character.len_utf16();
        units > offset as usize
    });
    found.map_or(text.len(), |(at, _)| at)
}
