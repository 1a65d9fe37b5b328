//! Deciding about text that stands alone: on a line below its name, in a cell below a heading, on the line after a
//! terminal's width, in the output of a command that prints a secret.

use super::classify::{
    MAX_EXAMINED_BYTES, MIN_VALUE_BYTES, has_mixed_word, is_algorithm, is_number,
};
use super::code;
use super::name::{self, Requirement};
use super::placeholder;
use super::random::{ByteStats, is_numbered_word, is_random};
use crate::block::IsValue;

/// The function that tells whether a line below a name is a secret.
pub(super) fn of_lines(requirement: Requirement) -> fn(&[u8]) -> bool {
    match requirement {
        Requirement::Any => |line| is_secret_line(line, true),
        Requirement::Marked | Requirement::Random => |line| is_secret_line(line, false),
    }
}

/// The functions that tell whether a cell below a heading is a secret, in a text and in data. In data a word is, but for
/// numbers; in a text one with a number is below a password.
pub(super) fn of_cells(heading: &[u8]) -> Option<[IsValue; 2]> {
    Some(match name::of_heading(heading)? {
        Requirement::Any => {
            [|cell| is_cell(cell, true), |cell| is_secret_line(cell, true) && !is_number(cell)]
        }
        Requirement::Marked => [|cell| is_cell(cell, false); 2],
        Requirement::Random => [|cell| is_random(cell) && is_secret_line(cell, false); 2],
    })
}

/// The functions that tell whether an item of a list, and whether a member of a map below a name is a secret. Members have
/// names of their own. `holds_values` says that each item is what the name says.
pub(super) fn of_members(holds_values: bool) -> [IsValue; 2] {
    let is_member = |value: &[u8]| is_random(value) && is_cell(value, false);
    if holds_values { [|value| is_cell(value, false), is_member] } else { [is_member; 2] }
}

fn is_cell(cell: &[u8], may_be_numbered: bool) -> bool {
    let body = &cell[..cell.len().min(MAX_EXAMINED_BYTES)];
    let any = may_be_numbered
        && is_numbered_word(body)
        && body.iter().all(u8::is_ascii_alphanumeric)
        && !is_algorithm(body);
    is_secret_line(cell, any) && !is_number(body) && !body.contains(&b' ')
}

/// Whether text is no word by itself.
pub(super) fn is_no_word(text: &[u8]) -> bool {
    text.len() >= MIN_VALUE_BYTES && is_secret_line(text, false)
}

/// Whether a line that a command prints is a secret, where the command is one that prints a secret alone.
pub(crate) fn is_printed_secret(line: &[u8]) -> bool {
    is_secret_line(line, true)
}

fn is_secret_line(line: &[u8], any: bool) -> bool {
    let body = &line[..line.len().min(MAX_EXAMINED_BYTES)];
    let stats = ByteStats::of(body);
    let looks_secret = stats.looks_like_secret(body);
    let is_value =
        if body.contains(&b' ') { any && has_mixed_word(body) } else { looks_secret || any };
    body.len() >= MIN_VALUE_BYTES
        && is_value
        && !code::is_expression(body, b"", body)
        && (stats.is_alternating() || !code::is_member(body))
        && !placeholder::is_name(body)
        && !placeholder::is_placeholder(body)
}
