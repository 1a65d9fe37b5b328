//! Functions on texts that need no redactor.

use handrail_reports::{TextBounds, TextUnit};

use crate::{fail, give_text, with_input, with_text};

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

/// The head of a text that is longer, with a notice.
#[unsafe(no_mangle)]
pub extern "C" fn truncate_output(max_chars: u32) -> u32 {
    with_text(|text| give_text(&handrail_text::truncate_output(text, max_chars as usize)))
}

/// The units of head and tail, by their numbers.
const UNITS: [TextUnit; 3] = [TextUnit::Bytes, TextUnit::Chars, TextUnit::Lines];

/// The head and the tail of the text in the input, JSON. `max_line_chars` is 0 for no limit.
#[unsafe(no_mangle)]
pub extern "C" fn bound_output(unit: u32, head: u32, tail: u32, max_line_chars: u32) -> u32 {
    let Some(&unit) = UNITS.get(unit as usize) else {
        return fail("ERR_INTERNAL", &"there is no unit of this number");
    };
    let bounds = TextBounds {
        unit,
        head: head as usize,
        tail: tail as usize,
        max_line_chars: (max_line_chars > 0).then_some(max_line_chars as usize),
    };
    with_text(|text| give_text(&handrail_reports::bound(text, bounds)))
}

/// Shortens the text of the question in the input for its reader. Question and answer are JSON.
#[unsafe(no_mangle)]
pub extern "C" fn fit_output() -> u32 {
    match with_input(handrail_reports::fit) {
        Ok(fitted) => give_text(&fitted),
        Err(problem) => fail(problem.code, &problem.message),
    }
}

/// The most informative lines of the text in the input, JSON.
#[unsafe(no_mangle)]
pub extern "C" fn excerpt_output(tokens: u32) -> u32 {
    with_text(|text| give_text(&handrail_reports::excerpt(text, tokens as usize)))
}
