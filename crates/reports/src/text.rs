//! Texts for a reader, and what they lack.

use handrail_text::{Counts, Cut, Unit};
use serde::{Deserialize, Serialize};

use crate::judgement::Problem;
use crate::verdict::utf16_offset;

/// What a text lacks, and where it says so.
#[derive(Clone, Copy, Serialize, Deserialize)]
pub struct NativeCut {
    /// What its notice counts first.
    unit: NativeUnit,
    bytes: u64,
    chars: u64,
    lines: u64,
    /// Where the notice stands in the text, in units of UTF-16.
    notice: (u32, u32),
}

#[derive(Clone, Copy, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
enum NativeUnit {
    Bytes,
    Chars,
    Lines,
}

/// A text, what it lacks already, and how much of it a reader gets.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Question {
    text: String,
    max_chars: usize,
    cut: Option<NativeCut>,
}

/// What the reader gets.
#[derive(Serialize)]
struct NativeFitted {
    /// Absent when it is the text that was given.
    #[serde(skip_serializing_if = "Option::is_none")]
    text: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    cut: Option<NativeCut>,
    /// How many masks are in it.
    masks: u64,
}

impl NativeCut {
    /// `None` for a text that lacks nothing.
    pub fn of(cut: &Cut) -> Option<NativeCut> {
        let place = |offset| utf16_offset(&cut.text, offset);
        cut.is_truncated().then(|| NativeCut {
            unit: match cut.unit {
                Unit::Bytes => NativeUnit::Bytes,
                Unit::Chars => NativeUnit::Chars,
                Unit::Lines => NativeUnit::Lines,
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
            NativeUnit::Bytes => Unit::Bytes,
            NativeUnit::Chars => Unit::Chars,
            NativeUnit::Lines => Unit::Lines,
        };
        let omitted = Counts { bytes: self.bytes, chars: self.chars, lines: self.lines };
        let start = byte_offset(&text, self.notice.0);
        let notice = start..byte_offset(&text, self.notice.1).max(start);
        Cut::of(text, omitted, notice, unit)
    }
}

/// The text of the question for a reader of so many characters, and what it lacks then; both JSON.
pub fn fit(question: &[u8]) -> Result<String, Problem> {
    let Question { text, max_chars, cut } = serde_json::from_slice(question)
        .map_err(|error| Problem::new("ERR_INVALID_ARGUMENT", &error))?;
    let length = text.len();
    let whole = match cut {
        Some(cut) => cut.with(text),
        None => Cut::of(text, Counts::default(), length..length, Unit::Chars),
    };
    let fitted = whole.within(max_chars);
    let (cut, masks) = (NativeCut::of(&fitted), fitted.masks());
    let text = (fitted.text.len() != length).then_some(fitted.text);
    Ok(crate::json(&NativeFitted { text, cut, masks }))
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
