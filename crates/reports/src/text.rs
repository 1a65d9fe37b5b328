//! Texts for a reader, and what they lack.

use handrail_text::{Counts, Cut, Unit};
use serde::{Deserialize, Serialize};

use crate::decision::utf16_offset;
use crate::judgement::Problem;

/// What a text lacks, and where it says so.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct TextCut {
    /// What its notice counts first.
    unit: CutUnit,
    bytes: u64,
    chars: u64,
    lines: u64,
    /// Where the notice stands in the text, in units of UTF-16.
    #[cfg_attr(test, ts(type = "readonly [start: number, end: number]"))]
    notice: (u32, u32),
}

#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(test, derive(ts_rs::TS))]
enum CutUnit {
    Bytes,
    Chars,
    Lines,
}

/// A text, what it lacks already, and how much of it a reader gets.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(test, derive(ts_rs::TS), ts(optional_fields))]
pub(crate) struct Reading {
    text: String,
    max_chars: usize,
    cut: Option<TextCut>,
}

/// What the reader gets.
#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(optional_fields))]
pub(crate) struct Fitted {
    /// Absent when it is the text that was given.
    #[serde(skip_serializing_if = "Option::is_none")]
    text: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    cut: Option<TextCut>,
    /// How many masks are in it.
    masks: u64,
}

impl TextCut {
    /// `None` for a text that lacks nothing.
    pub fn of(cut: &Cut) -> Option<TextCut> {
        let place = |offset| utf16_offset(&cut.text, offset);
        cut.is_truncated().then(|| TextCut {
            unit: match cut.unit {
                Unit::Bytes => CutUnit::Bytes,
                Unit::Chars => CutUnit::Chars,
                Unit::Lines => CutUnit::Lines,
            },
            bytes: cut.omitted.bytes,
            chars: cut.omitted.chars,
            lines: cut.omitted.lines,
            notice: (place(cut.notice.start), place(cut.notice.end)),
        })
    }

    /// The text with what it lacks.
    fn with(self, text: String) -> Cut {
        let unit = match self.unit {
            CutUnit::Bytes => Unit::Bytes,
            CutUnit::Chars => Unit::Chars,
            CutUnit::Lines => Unit::Lines,
        };
        let omitted = Counts { bytes: self.bytes, chars: self.chars, lines: self.lines };
        let start = byte_offset(&text, self.notice.0);
        let notice = start..byte_offset(&text, self.notice.1).max(start);
        Cut::of(text, omitted, notice, unit)
    }
}

/// The text of the question for a reader of so many characters, and what it lacks then; both JSON.
pub fn fit(question: &[u8]) -> Result<String, Problem> {
    let Reading { text, max_chars, cut } = serde_json::from_slice(question)
        .map_err(|error| Problem::new("ERR_INVALID_ARGUMENT", &error))?;
    let length = text.len();
    let whole = match cut {
        Some(cut) => cut.with(text),
        None => Cut::of(text, Counts::default(), length..length, Unit::Chars),
    };
    let fitted = whole.within(max_chars);
    let (cut, masks) = (TextCut::of(&fitted), fitted.masks());
    let text = (fitted.text.len() != length).then_some(fitted.text);
    Ok(crate::json(&Fitted { text, cut, masks }))
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
