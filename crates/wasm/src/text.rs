//! Pure functions on text.

use handrail_text::{Bounds, Unit};
use serde::Serialize;

use crate::{fail, give_json, give_text, with_input};

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
    with_input(|bytes| give_text(&handrail_text::sanitize(bytes)))
}

/// The text of the input without escape sequences.
#[unsafe(no_mangle)]
pub extern "C" fn strip_ansi() -> u32 {
    with_text(|text| give_text(&handrail_text::strip_ansi(text)))
}

/// The head of the text with a notice, when it is longer.
#[unsafe(no_mangle)]
pub extern "C" fn truncate_output(max_chars: u32) -> u32 {
    with_text(|text| give_text(&handrail_text::truncate_output(text, max_chars as usize)))
}

/// Units that head and tail are counted in.
const UNITS: [Unit; 3] = [Unit::Bytes, Unit::Chars, Unit::Lines];

/// Head and tail of the text, JSON. `max_line_chars` is 0 for no limit.
#[unsafe(no_mangle)]
pub extern "C" fn bound_output(unit: u32, head: u32, tail: u32, max_line_chars: u32) -> u32 {
    let Some(&unit) = UNITS.get(unit as usize) else {
        return fail("ERR_INTERNAL", &"there is no unit of this number");
    };
    let bounds = Bounds {
        max_line_chars: (max_line_chars > 0).then_some(max_line_chars as usize),
        ..Bounds::new(unit, head as usize, tail as usize)
    };
    with_text(|text| {
        let kept = handrail_text::bound(text, bounds);
        give_json(&Kept {
            truncated: kept.is_truncated(),
            omitted_chars: kept.omitted.chars,
            omitted_bytes: kept.omitted.bytes,
            omitted_lines: kept.omitted.lines,
            text: kept.text,
        })
    })
}

/// The text of the question in the input for a reader, both JSON.
#[unsafe(no_mangle)]
pub extern "C" fn fit_output() -> u32 {
    match with_input(handrail_reports::fit) {
        Ok(fitted) => give_text(&fitted),
        Err(problem) => fail(problem.code, &problem.message),
    }
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
