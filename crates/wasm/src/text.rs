//! Pure functions on text.

use handrail_text::{Bounds, Unit};
use serde::{Deserialize, Serialize};

use crate::{fail, give, give_json, read_json, with_input};

/// A text and how much of it is kept.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Bounded {
    text: String,
    unit: String,
    head: usize,
    tail: usize,
    max_line_chars: Option<usize>,
}

/// What was kept.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Kept {
    text: String,
    truncated: bool,
    omitted_chars: u64,
    omitted_bytes: u64,
    omitted_lines: u64,
}

/// Lines that were chosen.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Chosen {
    text: String,
    total_lines: u64,
    shown_lines: u64,
    truncated: bool,
}

/// The bytes of the input as a terminal shows them.
#[unsafe(no_mangle)]
pub extern "C" fn sanitize() -> u32 {
    with_input(|bytes| give(handrail_text::sanitize(bytes).as_bytes()))
}

/// The text of the input without escape sequences.
#[unsafe(no_mangle)]
pub extern "C" fn strip_ansi() -> u32 {
    with_text(|text| give(handrail_text::strip_ansi(text).as_bytes()))
}

/// The head of the text with a notice, when it is longer.
#[unsafe(no_mangle)]
pub extern "C" fn truncate_output(max_chars: u32) -> u32 {
    with_text(|text| give(handrail_text::truncate_output(text, max_chars as usize).as_bytes()))
}

/// Head and tail of a text, JSON.
#[unsafe(no_mangle)]
pub extern "C" fn bound_output() -> u32 {
    let bounded: Bounded = match read_json() {
        Ok(bounded) => bounded,
        Err(error) => return fail("ERR_INVALID_ARGUMENT", &error),
    };
    let unit = match bounded.unit.as_str() {
        "bytes" => Unit::Bytes,
        "lines" => Unit::Lines,
        _ => Unit::Chars,
    };
    let bounds = Bounds {
        max_line_chars: bounded.max_line_chars,
        ..Bounds::new(unit, bounded.head, bounded.tail)
    };
    let kept = handrail_text::bound(&bounded.text, bounds);
    give_json(&Kept {
        truncated: kept.truncated,
        omitted_chars: kept.omitted_chars,
        omitted_bytes: kept.omitted_bytes,
        omitted_lines: kept.omitted_lines,
        text: kept.text,
    })
}

/// The lines of the text that tell most, JSON.
#[unsafe(no_mangle)]
pub extern "C" fn excerpt_output(tokens: u32) -> u32 {
    with_text(|text| {
        let excerpt = handrail_text::excerpt(text, tokens as usize);
        give_json(&Chosen {
            text: excerpt.text,
            total_lines: excerpt.total_lines,
            shown_lines: excerpt.shown_lines,
            truncated: excerpt.truncated,
        })
    })
}

fn with_text(use_it: impl FnOnce(&str) -> u32) -> u32 {
    with_input(|bytes| match std::str::from_utf8(bytes) {
        Ok(text) => use_it(text),
        Err(error) => fail("ERR_INVALID_ARGUMENT", &error),
    })
}
