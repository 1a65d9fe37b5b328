//! Compares the lines of two texts, to count the new ones and to keep the line ends of unchanged ones.

use std::collections::HashMap;
use std::hash::Hash;
use std::time::{Duration, Instant};

use similar::{Algorithm, DiffOp, capture_diff_slices_deadline};

use crate::linux::text::lines;

/// Time after which a comparison becomes less exact.
const DIFF_LIMIT: Duration = Duration::from_secs(2);

/// The number of new lines, and the number of removed lines.
pub(crate) fn count_changes(old: &str, new: &str) -> (usize, usize) {
    diff(old, new).iter().fold((0, 0), |(added, removed), op| match op {
        DiffOp::Equal { .. } => (added, removed),
        op => (added + op.new_range().len(), removed + op.old_range().len()),
    })
}

/// The new text, in which unchanged lines have the line ends of the old text.
pub(crate) fn with_old_ends(old: &str, new: &str) -> String {
    let ops = diff(old, new);
    let (old, new): (Vec<&str>, Vec<&str>) = (lines(old).collect(), lines(new).collect());
    let stretch = |op: &DiffOp| match op {
        DiffOp::Equal { .. } => &old[op.old_range()],
        op => &new[op.new_range()],
    };
    ops.iter().flat_map(stretch).copied().collect()
}

/// The differences of two texts by lines; CRLF and LF count as equal.
fn diff(old: &str, new: &str) -> Vec<DiffOp> {
    let key = |line| {
        let body = str::strip_suffix(line, "\n");
        (body.map_or(line, |body| body.strip_suffix('\r').unwrap_or(body)), body.is_some())
    };
    let (old, new): (Vec<_>, Vec<_>) =
        (lines(old).map(key).collect(), lines(new).map(key).collect());
    differences(&old, &new)
}

/// The differences of two lists. Equal parts get equal numbers first: the comparison is compiled once then, whatever the parts.
pub(crate) fn differences<T: Eq + Hash>(old: &[T], new: &[T]) -> Vec<DiffOp> {
    let mut numbers: HashMap<&T, usize> = HashMap::new();
    let mut number = |part| {
        let next = numbers.len();
        *numbers.entry(part).or_insert(next)
    };
    let old: Vec<usize> = old.iter().map(&mut number).collect();
    let new: Vec<usize> = new.iter().map(&mut number).collect();
    capture_diff_slices_deadline(Algorithm::Myers, &old, &new, Some(Instant::now() + DIFF_LIMIT))
}
