//! Finds the lines that are most like an old text that a file does not have, how they differ, and what to send instead.

use std::collections::HashMap;
use std::ops::Range;

use handrail_redact::find_masks;
use memchr::memmem;

use super::locate::Wording;
use crate::linux::path::RequestedPath;
use crate::linux::text::{line_at, line_end, line_range_name};
use crate::linux::view::floor_char_boundary;
use crate::refusal::{Refusal, code};

/// Most equal lines of the file that one line of the old text counts for.
const MAX_EQUAL_LINES: usize = 64;
/// Most lines of the old text that are looked up.
const MAX_OLD_LINES: usize = 200;
/// Most lines of the file that are compared by their beginning and end.
const MAX_COMPARED_LINES: usize = 100_000;
/// Most characters of the old text whose neighbours are looked up.
const MAX_OLD_CHARS: usize = 1 << 16;
/// Characters in a row that are looked up; blanks do not count.
const GRAM_CHARS: usize = 3;
/// What a line of the file gains by characters that the old text has in a row, and loses by others.
const GAIN: i64 = 10;
const LOSS: i64 = 3;
/// Times that the file has characters in a row which are common to many of its lines, and what they gain.
const COMMON_GRAMS: u32 = 64;
const COMMON_GAIN: i64 = 2;
/// Percentage of the old text that has to be in the lines that are shown as the nearest.
const MIN_SHARED_PERCENT: usize = 25;
/// Most lines shown of the file.
const MAX_SHOWN_LINES: usize = 30;
/// Lines shown on each side of the nearest ones.
const LINES_AROUND: usize = 3;
/// Most characters shown of a line.
const MAX_SHOWN_CHARS: usize = 160;
/// Most bytes of a text that is offered as the old text to send.
const MAX_OFFERED_BYTES: usize = 1 << 10;
/// Most places of a repeated text for which a text is offered that only one of them has.
const MAX_OFFERED_PLACES: usize = 4;
/// Most lines on each side of a repeated text that are needed to tell it apart.
const MAX_LINES_APART: usize = 6;

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
    let Some(nearest) = nearest_lines(&file, &old_lines) else {
        let reason = format!("{absent}, nor anything like it");
        return wording
            .refuse(code::NO_MATCH, &reason)
            .with_hint("Search for a word of it, or read the file, and copy the text.");
    };
    let (first, last) = (nearest.start + 1, nearest.end.max(nearest.start + 1));
    let differs =
        old_lines.iter().enumerate().find(|(at, line)| file.get(nearest.start + at) != Some(line));
    let difference = match differs {
        None => "; it differs in how its last line ends".to_owned(),
        Some((at, yours)) => {
            let theirs = file.get(nearest.start + at);
            // Beside a mask a secret that the caller has guessed is not told back.
            let is_masked = theirs.is_some_and(|line| !find_masks(line.as_bytes()).is_empty());
            let yours = if is_masked {
                "(not shown, since the file has a masked secret there)".to_owned()
            } else {
                with_visible_blanks(yours)
            };
            let theirs =
                theirs.map_or("(the end of the file)".to_owned(), |line| with_visible_blanks(line));
            format!(
                "; first difference at {} {} / file line {}:\n  yours: {}\n  file:  {theirs}\n",
                wording.line,
                wording.numbers.get(at).copied().unwrap_or(at + 1),
                nearest.start + at + 1,
                yours
            )
        }
    };
    let from = first.saturating_sub(LINES_AROUND).max(1);
    let count = (last + LINES_AROUND + 1 - from).min(MAX_SHOWN_LINES);
    let current_lines = with_line_numbers(text, from, count);
    let lines = line_range_name(first, last);
    let reason =
        format!("{absent}. Nearest is {lines}{difference}The file has there:\n{current_lines}");
    let refusal = wording.refuse(code::NO_MATCH, &reason).with_lines(vec![first, last]);
    match offered(&file[nearest].join("\n")) {
        Some(offered) => refusal.with_hint(format!("{} {offered}", wording.offer)),
        None => refusal,
    }
}

/// The text as JSON, which shows its blanks and quotes, where it is short enough to be sent.
fn offered(text: &str) -> Option<String> {
    (text.len() <= MAX_OFFERED_BYTES).then(|| serde_json::to_string(text).ok()).flatten()
}

/// For the first places of a repeated text the lines that only this place has.
pub(super) fn told_apart(text: &str, places: &[usize], length: usize) -> Vec<String> {
    let line_start = |at: usize| text[..at].rfind('\n').map_or(0, |end| end + 1);
    let is_once = |range: &Range<usize>| {
        let mut found = memmem::find_iter(text.as_bytes(), &text.as_bytes()[range.clone()]);
        found.next().is_some() && found.next().is_none()
    };
    let apart = |&at: &usize| {
        let end = floor_char_boundary(text, at + length).max(at);
        let last = if text[at..end].ends_with('\n') { end } else { line_end(text, end) };
        let (mut before, mut after) = (line_start(at)..last, line_start(at)..last);
        for _ in 0..=MAX_LINES_APART {
            for range in [&before, &after] {
                if is_once(range) {
                    let lines = text[range.clone()].trim_end_matches('\n');
                    let line = line_at(text, at);
                    return offered(lines).map(|offer| format!("only at line {line}: {offer}"));
                }
            }
            before.start = line_start(before.start.saturating_sub(1));
            after.end = line_end(text, after.end);
        }
        None
    };
    places.iter().take(MAX_OFFERED_PLACES).filter_map(apart).collect()
}

/// The lines of the file that have most of the old text.
fn nearest_lines(file: &[&str], old_lines: &[&str]) -> Option<Range<usize>> {
    let found = most_alike(file, old_lines).or_else(|| first_alike(file, old_lines))?;
    // Equal lines tell where exactly the old text would begin.
    let count = old_lines.len().max(1);
    let near = found.start.saturating_sub(count)..(found.end + count).min(file.len());
    let start = voted_start(&file[near.clone()], old_lines).map(|start| near.start + start);
    Some(match start {
        Some(start) if found.len() <= 2 * count => start..(start + count).min(file.len()),
        _ => found,
    })
}

/// The lines that begin with the one that begins and ends most like the first line of the old text, for short texts.
fn first_alike(file: &[&str], old_lines: &[&str]) -> Option<Range<usize>> {
    let (offset, first) = old_lines.iter().enumerate().find(|(_, line)| !line.trim().is_empty())?;
    let compared = file.iter().take(MAX_COMPARED_LINES).enumerate();
    let likenesses = compared.map(|(index, line)| (likeness(line.trim(), first.trim()), index));
    let (likeness, index) =
        likenesses.max_by_key(|&(likeness, index)| (likeness, std::cmp::Reverse(index)))?;
    let start = index.saturating_sub(offset);
    (likeness >= 50).then(|| start..(start + old_lines.len()).min(file.len()))
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

/// The lines whose characters in a row are most often those of the old text, however either is broken into lines.
fn most_alike(file: &[&str], old_lines: &[&str]) -> Option<Range<usize>> {
    let mut wanted: HashMap<[char; GRAM_CHARS], u32> = HashMap::new();
    let mut last = Vec::new();
    let mut all = 0;
    let old_chars = old_lines.iter().flat_map(|line| line.chars()).take(MAX_OLD_CHARS);
    grams(old_chars, &mut last, |gram| {
        all += 1;
        wanted.entry(gram).or_default();
    });
    last.clear();
    for line in file {
        grams(line.chars(), &mut last, |gram| {
            if let Some(count) = wanted.get_mut(&gram) {
                *count += 1;
            }
        });
    }
    last.clear();
    let max_lines = 2 * old_lines.len() + 2 * LINES_AROUND;
    // The best run of lines that ends here, and the best of all.
    let (mut run, mut best) = ((0_i64, 0_usize, 0_usize), (0_i64, 0_usize, 0..0_usize));
    for (index, line) in file.iter().enumerate() {
        let (mut score, mut shared) = (0, 0);
        grams(line.chars(), &mut last, |gram| match wanted.get(&gram) {
            Some(&count) if count > COMMON_GRAMS => {
                score += COMMON_GAIN;
                shared += 1;
            }
            Some(_) => {
                score += GAIN;
                shared += 1;
            }
            None => score -= LOSS,
        });
        if run.0 <= 0 || index - run.2 >= max_lines {
            run = (0, 0, index);
        }
        run = (run.0 + score, run.1 + shared, run.2);
        if run.0 > best.0 {
            best = (run.0, run.1, run.2..index + 1);
        }
    }
    let (_, shared, lines) = best;
    (all > 0 && 100 * shared >= MIN_SHARED_PERCENT * all && !lines.is_empty()).then_some(lines)
}

/// Calls back for all characters in a row, without blanks and escapes and with quotes of one kind; `last` are the characters before.
fn grams(
    chars: impl Iterator<Item = char>,
    last: &mut Vec<char>,
    mut each: impl FnMut([char; GRAM_CHARS]),
) {
    for char in chars.filter(|char| !char.is_whitespace() && *char != '\\') {
        let char = match char {
            '\u{2018}'..='\u{201f}' | '\'' | '`' => '"',
            '\u{2010}'..='\u{2015}' => '-',
            char => char.to_ascii_lowercase(),
        };
        last.push(char);
        if let Some(&gram) = last.last_chunk::<GRAM_CHARS>() {
            each(gram);
            last.remove(0);
        }
    }
}

/// Index of the line where most of the old text would match, by equal lines.
fn voted_start(file: &[&str], old_lines: &[&str]) -> Option<usize> {
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
    best.map(|(start, _)| start)
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
