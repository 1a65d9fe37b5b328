//! Functions on texts that need no engine.

use napi_derive::napi;

use crate::code::{Result, error};

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

/// The head of a text that is longer, with a notice.
#[napi(catch_unwind)]
pub fn truncate_output(text: String, max_chars: u32) -> String {
    handrail_text::truncate_output(&text, max_chars as usize)
}

/// The head and the tail of a text that is longer than its bounds.
#[napi(
    catch_unwind,
    ts_args_type = "text: string, bounds: Json<TextBounds>",
    ts_return_type = "Json<BoundedText>"
)]
pub fn bound_output(text: String, bounds: String) -> Result<String> {
    let bounds = handrail_reports::text_bounds(bounds.as_bytes());
    let bounds = bounds.map_err(|problem| error(problem.code, &problem.message))?;
    Ok(handrail_reports::bound(&text, bounds))
}

/// Shortens the text of the question for its reader.
#[napi(catch_unwind, ts_args_type = "question: Json<FitQuestion>", ts_return_type = "Json<Fitted>")]
pub fn fit_output(question: String) -> Result<String> {
    handrail_reports::fit(question.as_bytes())
        .map_err(|problem| error(problem.code, &problem.message))
}

/// The estimated number of tokens of the text.
#[napi(catch_unwind)]
pub fn estimate_tokens(text: String) -> u32 {
    u32::try_from(handrail_text::estimate_tokens(text.as_bytes())).unwrap_or(u32::MAX)
}

/// The most informative lines of the text, within about so many tokens.
#[napi(catch_unwind, ts_return_type = "Json<TextExcerpt>")]
pub fn excerpt_output(text: String, tokens: u32) -> String {
    handrail_reports::excerpt(&text, tokens as usize)
}
