//! Tokens that are known by a mark inside them, with a run of one class on both sides.

use super::scan::Scan;
use crate::boundary;
use crate::class::Class;

/// What surrounds the mark.
pub(crate) struct Middle {
    /// Class of the bytes before it, and how many there are: at most [`BEFORE_BYTES`].
    pub(crate) before: Class,
    pub(crate) before_length: usize,
    /// Class of the bytes behind it, and how many there are.
    pub(crate) after: Class,
    pub(crate) after_min: usize,
    pub(crate) after_max: usize,
}

/// Most bytes before a mark.
const BEFORE_BYTES: usize = 96;

impl Middle {
    pub(crate) const fn new(before: Class, length: usize, after: Class, min: usize) -> Self {
        assert!(length <= BEFORE_BYTES, "a window shows that much before it");
        let after_max = usize::MAX;
        Self { before, before_length: length, after, after_min: min, after_max }
    }

    /// The run behind may be this long and no longer.
    pub(crate) const fn after_to(self, after_max: usize) -> Self {
        Self { after_max, ..self }
    }
}

/// The mark was found at `mark..body`.
pub(crate) fn check(scan: &mut Scan<'_, '_>, middle: &Middle, mark: usize, body: usize) {
    let text = scan.text;
    let Some(start) = mark.checked_sub(middle.before_length) else { return };
    let before = &text[start..mark];
    if !before.iter().all(|&byte| middle.before.has(byte)) || !boundary::begins(text, start) {
        return;
    }
    let mut end = scan.runs.end(text, middle.after, body);
    if scan.is_cut(end) && middle.after_max == usize::MAX {
        return scan.found(start, end, middle.after);
    }
    while end > body && text[end - 1] == b'.' {
        end -= 1;
    }
    let length = end - body;
    if (middle.after_min..=middle.after_max).contains(&length) && boundary::ends(text, end) {
        scan.found(start, end, middle.after);
    }
}
