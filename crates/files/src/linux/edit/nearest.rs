//! Finds the lines that are most like an old text that a file does not have, and how they differ.

use std::collections::HashMap;

use super::locate::Wording;
use crate::linux::path::RequestedPath;
use crate::linux::text::line_range_name;
use crate::refusal::{Refusal, code};

/// Most equal lines of the file that one line of the old text counts for.
const MAX_EQUAL_LINES: usize = 64;
/// Most lines of the old text that are looked up.
const MAX_OLD_LINES: usize = 200;
/// Most lines of the file that are compared by their beginning and end.
const MAX_COMPARED_LINES: usize = 100_000;
/// Most lines shown of the file.
const MAX_SHOWN_LINES: usize = 10;
/// Most characters shown of a line.
const MAX_SHOWN_CHARS: usize = 160;

/// The refusal of an old text, with the lines that are most like it. Both texts have LF only.
pub(super) fn refuse_no_match(
    requested: &RequestedPath,
    wording: &Wording,
    text: &str,
    old: &str,
) -> Refusal {
    let file: Vec<&str> = text.lines().collect();
    let old_lines: Vec<&str> = old.lines().collect();
    let absent = format!("old text not found in {}", requested.shown);
    let Some(start) = nearest_line(&file, &old_lines) else {
        return wording
            .refuse(code::NO_MATCH, &absent)
            .with_hint("Read the file and copy the text exactly.");
    };
    let end = (start + old_lines.len()).min(file.len());
    let (first, last) = (start + 1, end.max(start + 1));
    let differs =
        old_lines.iter().enumerate().find(|(at, line)| file.get(start + at) != Some(line));
    let difference = match differs {
        None => "; it differs in how its last line ends".to_owned(),
        Some((at, yours)) => {
            let theirs = file
                .get(start + at)
                .map_or("(the end of the file)".to_owned(), |line| with_visible_blanks(line));
            format!(
                "; first difference at {} {} / file line {}:\n  yours: {}\n  file:  {theirs}\n",
                wording.line,
                wording.numbers.get(at).copied().unwrap_or(at + 1),
                start + at + 1,
                with_visible_blanks(yours)
            )
        }
    };
    let current_lines = with_line_numbers(text, first, (last + 1 - first).min(MAX_SHOWN_LINES));
    let lines = line_range_name(first, last);
    let reason =
        format!("{absent}. Nearest is {lines}{difference}The file has there:\n{current_lines}");
    wording.refuse(code::NO_MATCH, &reason).with_lines(vec![first, last])
}

/// Index of the line where most of the old text would match; else of the line that is most like its first line.
fn nearest_line(file: &[&str], old_lines: &[&str]) -> Option<usize> {
    let mut at: HashMap<String, Vec<usize>> = HashMap::new();
    for (index, line) in file.iter().enumerate() {
        let key = with_single_blanks(line);
        if !key.is_empty() {
            let lines = at.entry(key).or_default();
            if lines.len() < MAX_EQUAL_LINES {
                lines.push(index);
            }
        }
    }
    let mut votes: HashMap<usize, usize> = HashMap::new();
    for (offset, line) in old_lines.iter().take(MAX_OLD_LINES).enumerate() {
        let key = with_single_blanks(line);
        for &index in at.get(&key).map_or(&[][..], Vec::as_slice) {
            if let Some(start) = index.checked_sub(offset) {
                *votes.entry(start).or_default() += key.len();
            }
        }
    }
    let best = votes.into_iter().max_by_key(|&(start, votes)| (votes, std::cmp::Reverse(start)));
    best.map(|(start, _)| start).or_else(|| {
        let (offset, first) =
            old_lines.iter().enumerate().find(|(_, line)| !line.trim().is_empty())?;
        let compared = file.iter().take(MAX_COMPARED_LINES).enumerate();
        let likenesses = compared.map(|(index, line)| (likeness(line.trim(), first.trim()), index));
        let best = likenesses.max_by_key(|&(likeness, index)| (likeness, std::cmp::Reverse(index)));
        best.filter(|&(likeness, _)| likeness >= 50).map(|(_, index)| index.saturating_sub(offset))
    })
}

/// Percentage of two lines that is the same at their beginning and end.
fn likeness(a: &str, b: &str) -> usize {
    let longest = a.len().max(b.len());
    let start = a.bytes().zip(b.bytes()).take_while(|(a, b)| a == b).count();
    let max_equal = a.len().min(b.len()) - start;
    let end =
        a.bytes().rev().zip(b.bytes().rev()).take(max_equal).take_while(|(a, b)| a == b).count();
    (100 * (start + end)).checked_div(longest).unwrap_or(0)
}

/// The line with single blanks in place of white space, and none at its ends.
fn with_single_blanks(line: &str) -> String {
    line.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The line with visible characters in place of blanks and tabs, cut when it is long.
fn with_visible_blanks(line: &str) -> String {
    let shown = line.chars().take(MAX_SHOWN_CHARS).map(|char| match char {
        ' ' => '·',
        '\t' => '→',
        '\u{a0}' => '⍽',
        other => other,
    });
    let mut shown: String = shown.collect();
    if line.chars().nth(MAX_SHOWN_CHARS).is_some() {
        shown.push('…');
    }
    shown
}

/// Some lines of a text, each with its number.
pub(super) fn with_line_numbers(text: &str, first: usize, count: usize) -> String {
    let lines = text.lines().enumerate().skip(first - 1).take(count);
    let line = |(index, line): (usize, &str)| {
        let cut: String = line.chars().take(MAX_SHOWN_CHARS).collect();
        format!("{}\t{cut}", index + 1)
    };
    lines.map(line).collect::<Vec<_>>().join("\n")
}
