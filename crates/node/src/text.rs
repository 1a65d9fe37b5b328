//! Pure functions on text.

use handrail_text::{Bounds, Unit};
use napi_derive::napi;

use crate::code::{Result, error};

/// How much of a text is kept, and how.
#[napi(object)]
pub struct NativeBounds {
    /// What head and tail count: `bytes`, `chars` or `lines`.
    #[napi(ts_type = "'bytes' | 'chars' | 'lines'")]
    pub unit: String,
    /// Kept from the beginning.
    pub head: u32,
    /// Kept from the end.
    pub tail: u32,
    /// Characters kept of a line.
    pub max_line_chars: Option<u32>,
}

/// A text that was shortened to a head and a tail.
#[napi(object)]
pub struct NativeBounded {
    /// The text, with a line that counts what is missing.
    pub text: String,
    /// Whether anything is missing.
    pub truncated: bool,
    /// Unicode scalar values left out.
    pub omitted_chars: f64,
    /// UTF-8 bytes left out.
    pub omitted_bytes: f64,
    /// Line ends left out.
    pub omitted_lines: f64,
}

/// Lines that were chosen from a text.
#[napi(object)]
pub struct NativeChosen {
    /// The lines, with a line for each gap.
    pub text: String,
    /// Lines of the whole text.
    pub total_lines: f64,
    /// Lines of those that are in `text`.
    pub shown_lines: f64,
    /// Whether anything is missing.
    pub truncated: bool,
}

/// Bytes of a terminal as text: controls resolved, invalid UTF-8 replaced.
#[napi(catch_unwind)]
pub fn sanitize(bytes: &[u8]) -> String {
    handrail_text::sanitize(bytes)
}

/// The text without escape sequences.
#[napi(catch_unwind)]
pub fn strip_ansi(text: String) -> String {
    handrail_text::strip_ansi(&text)
}

/// The head of the text with a notice, when it is longer.
#[napi(catch_unwind)]
pub fn truncate_output(text: String, max_chars: u32) -> String {
    handrail_text::truncate_output(&text, max_chars as usize)
}

/// Head and tail of the text, when it is longer than both together.
#[napi(catch_unwind)]
pub fn bound_output(text: String, bounds: NativeBounds) -> NativeBounded {
    let unit = match bounds.unit.as_str() {
        "bytes" => Unit::Bytes,
        "lines" => Unit::Lines,
        _ => Unit::Chars,
    };
    let bounded = handrail_text::bound(
        &text,
        Bounds {
            unit,
            head: bounds.head as usize,
            tail: bounds.tail as usize,
            max_line_chars: bounds.max_line_chars.map(|chars| chars as usize),
        },
    );
    NativeBounded {
        truncated: bounded.is_truncated(),
        omitted_chars: bounded.omitted.chars as f64,
        omitted_bytes: bounded.omitted.bytes as f64,
        omitted_lines: bounded.omitted.lines as f64,
        text: bounded.text,
    }
}

/// The text of the question for a reader of so many characters, and what it lacks then.
#[napi(catch_unwind, ts_args_type = "question: Json<Reading>", ts_return_type = "Json<Fitted>")]
pub fn fit_output(question: String) -> Result<String> {
    handrail_reports::fit(question.as_bytes())
        .map_err(|problem| error(problem.code, &problem.message))
}

/// The lines of the text that tell most, within about so many tokens.
#[napi(catch_unwind)]
pub fn excerpt_output(text: String, tokens: u32) -> NativeChosen {
    let excerpt = handrail_text::excerpt(&text, tokens as usize);
    NativeChosen {
        text: excerpt.text,
        total_lines: excerpt.total_lines as f64,
        shown_lines: excerpt.shown_lines as f64,
        truncated: excerpt.truncated,
    }
}
