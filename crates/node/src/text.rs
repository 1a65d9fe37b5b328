//! Pure functions on text.

use napi_derive::napi;

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
pub fn bound_output(text: String, head_chars: u32, tail_chars: u32) -> NativeBounded {
    let bounded = handrail_text::bound_chars(&text, head_chars as usize, tail_chars as usize);
    NativeBounded {
        truncated: bounded.omitted_chars > 0,
        omitted_chars: bounded.omitted_chars as f64,
        omitted_bytes: bounded.omitted_bytes as f64,
        omitted_lines: bounded.omitted_lines as f64,
        text: bounded.text,
    }
}
