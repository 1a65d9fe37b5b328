//! Findings in joined rows, as pieces of the rows.

use std::ops::Range;

/// Marks in dates, times, versions and numbers.
const NUMBER_MARKS: &[u8] = b"-:./+,TZ";

/// The parts of a finding in the rows joined, in the text; one for each row it has a part of.
pub(super) fn of(finding: Range<usize>, rows: &[Range<usize>]) -> Vec<Range<usize>> {
    let mut begin = 0;
    let mut pieces = Vec::new();
    for row in rows {
        let start = finding.start.max(begin);
        let end = finding.end.min(begin + row.len());
        if start < end {
            pieces.push(row.start + start - begin..row.start + end - begin);
        }
        begin += row.len();
    }
    pieces
}

/// Whether what stands at the beginning of a line, before `after`, looks like the rest of a secret and not like the first
/// word of a line: a word, a name with its value, a number, a date, a path.
pub(super) fn is_rest(piece: &[u8], after: Option<u8>) -> bool {
    if matches!(after, Some(b'"' | b'\'')) {
        return !piece.contains(&b' ');
    }
    let body = piece.trim_ascii_end();
    let body = body.strip_suffix(b"=").map_or(body, |body| body.strip_suffix(b"=").unwrap_or(body));
    let is_number = body.iter().all(|byte| byte.is_ascii_digit() || NUMBER_MARKS.contains(byte));
    if is_number || body.contains(&b'=') || body.contains(&b':') {
        return false;
    }
    let parts = body.split(|byte| !byte.is_ascii_alphanumeric());
    parts.filter(|part| !part.is_empty()).any(is_random)
}

/// Whether [`is_rest`] may say so of a beginning of the row.
pub(super) fn may_begin_rest(row: &[u8]) -> bool {
    let word = memchr::memchr(b' ', row).map_or(row, |blank| &row[..blank]);
    if memchr::memchr2(b'"', b'\'', word).is_some() {
        return true;
    }
    // No part of a word looks more random than the word.
    let body = memchr::memchr2(b'=', b':', row).map_or(row, |mark| &row[..mark]);
    body.split(|byte| !byte.is_ascii_alphanumeric()).any(|part| !part.is_empty() && is_random(part))
}

/// The word that the break between two rows goes through: no token is in more than that.
pub(super) fn seam(row: &[u8], next: &[u8]) -> Vec<u8> {
    let is_blank = |byte: &u8| byte.is_ascii_whitespace();
    let begin = row.iter().rposition(is_blank).map_or(0, |blank| blank + 1);
    let end = next.iter().position(is_blank).unwrap_or(next.len());
    [&row[begin..], &next[..end]].concat()
}

/// Whether a part of a word has digits among letters, or capitals that no word has.
fn is_random(part: &[u8]) -> bool {
    let digits = part.iter().filter(|byte| byte.is_ascii_digit()).count();
    if digits > 0 {
        return digits < part.len();
    }
    let small = part.iter().filter(|byte| byte.is_ascii_lowercase()).count();
    let is_word = small == 0 || small == part.len();
    let is_capitalised = small + 1 == part.len() && part[0].is_ascii_uppercase();
    !is_word && !is_capitalised
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_of_which_no_beginning_is_a_rest_is_known_by_itself() {
        let bytes = b"aB3=:\"' -zZ.";
        let mut row = Vec::new();
        for number in 0..bytes.len().pow(4) {
            row.clear();
            row.extend((0..4).map(|place| bytes[number / bytes.len().pow(place) % bytes.len()]));
            let begins = |to: usize| is_rest(&row[..to], row.get(to).copied());
            let any = (1..=row.len()).any(begins);
            assert!(may_begin_rest(&row) || !any, "{:?}", String::from_utf8_lossy(&row));
        }
    }
}
