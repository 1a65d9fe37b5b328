//! Which lines of a text are new: for counting them, and for the ends of those that stay. No secret hangs on it.

use std::time::{Duration, Instant};

use similar::{Algorithm, DiffOp, capture_diff_slices_deadline};

use crate::linux::text::lines;

/// After so long a comparison is less exact.
const DIFF_LIMIT: Duration = Duration::from_secs(2);

/// How many lines are new, and how many are gone.
pub(crate) fn count_changes(old: &str, new: &str) -> (usize, usize) {
    diff(old, new).iter().fold((0, 0), |(added, removed), op| match op {
        DiffOp::Equal { .. } => (added, removed),
        op => (added + op.new_range().len(), removed + op.old_range().len()),
    })
}

/// The new text with the ends that its lines have in the old one, where they stay.
pub(crate) fn with_old_ends(old: &str, new: &str) -> String {
    let ops = diff(old, new);
    let (old, new): (Vec<&str>, Vec<&str>) = (lines(old).collect(), lines(new).collect());
    let stretch = |op: &DiffOp| match op {
        DiffOp::Equal { .. } => &old[op.old_range()],
        op => &new[op.new_range()],
    };
    ops.iter().flat_map(stretch).copied().collect()
}

/// CRLF and LF are the same.
fn diff(old: &str, new: &str) -> Vec<DiffOp> {
    let key = |line| {
        let body = str::strip_suffix(line, "\n");
        (body.map_or(line, |body| body.strip_suffix('\r').unwrap_or(body)), body.is_some())
    };
    let (old, new): (Vec<_>, Vec<_>) =
        (lines(old).map(key).collect(), lines(new).map(key).collect());
    capture_diff_slices_deadline(Algorithm::Myers, &old, &new, Some(Instant::now() + DIFF_LIMIT))
}
