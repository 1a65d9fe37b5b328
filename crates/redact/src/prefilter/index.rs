//! Finding the literals that have a window, and comparing them with the text.

use std::cmp::Reverse;
use std::collections::HashMap;
use std::ops::Range;

use super::filter::{Filter, ROW_BITS, row};
use super::window::{FOLD, Window, gram_at, rare};
use super::{ESCAPE, ESCAPE_OWNER, Literal};

/// The number of a literal's bytes that are compared first, as one number.
const HEAD_BYTES: usize = 8;

struct Entry {
    window: Window,
    /// The first bytes of the literal, and the bits of them that have to be equal in the text.
    head: u64,
    mask: u64,
    /// The offset of the window in the literal.
    offset: usize,
    bytes: Box<[u8]>,
    caseless: bool,
    owner: u16,
}

/// All literals, indexed by their windows.
pub(super) struct Index {
    windows: Filter,
    /// The index of each row's first entry, with one more row at the end.
    rows: Box<[u32]>,
    /// Sorted by row; in each row the longest literal comes first.
    entries: Vec<Entry>,
}

impl Index {
    /// `offsets` are those of the literals' windows.
    pub(super) fn new(literals: &[Literal], offsets: &[usize]) -> Self {
        let mut windows = Filter::new();
        let mut entries = Vec::with_capacity(literals.len());
        let mut rows = vec![0; (1 << ROW_BITS) + 1].into_boxed_slice();
        for (literal, &offset) in literals.iter().zip(offsets) {
            let entry = Entry::new(literal, offset);
            windows.insert(entry.window);
            rows[row(entry.window.gram) + 1] += 1;
            entries.push(entry);
        }
        // The sort is stable, so equal entries stay in order.
        entries.sort_by_key(|entry| (row(entry.window.gram), Reverse(entry.bytes.len())));
        for at in 1..rows.len() {
            rows[at] += rows[at - 1];
        }
        Self { windows, rows, entries }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// The windows of all literals, without duplicates.
    #[cfg(target_arch = "x86_64")]
    pub(super) fn windows(&self) -> Vec<Window> {
        let mut windows: Vec<Window> = self.entries.iter().map(|entry| entry.window).collect();
        windows.sort_unstable();
        windows.dedup();
        windows
    }

    /// 1 if a literal may have this window, or if `first`, the window's first byte in the text, is an escape; otherwise
    /// 0. The number is added without a branch.
    #[inline]
    pub(super) fn may_have(&self, gram: u32, first: u8) -> usize {
        usize::from(self.windows.may_have(gram)) | usize::from(first == ESCAPE)
    }

    /// Compares the literals whose window may be at `at`. False if `found` returned false.
    #[inline(never)]
    pub(super) fn compare(
        &self,
        text: &[u8],
        at: usize,
        found: &mut impl FnMut(u16, usize, usize) -> bool,
    ) -> bool {
        if text[at] == ESCAPE && !found(ESCAPE_OWNER, at, at + 1) {
            return false;
        }
        let gram = gram_at(text, at);
        let row = row(gram);
        let entries = self.rows[row] as usize..self.rows[row + 1] as usize;
        for entry in self.entries[entries].iter().filter(|entry| entry.window.has(gram)) {
            let Some(start) = at.checked_sub(entry.offset) else { continue };
            let place = start..start + entry.bytes.len();
            if entry.is_at(text, place.clone()) && !found(entry.owner, place.start, place.end) {
                return false;
            }
        }
        true
    }
}

impl Entry {
    fn new(literal: &Literal, offset: usize) -> Self {
        let &Literal { ref bytes, caseless, owner, .. } = literal;
        let either = |byte: &u8| caseless && byte.is_ascii_alphabetic();
        let kept = |byte: &u8| if either(byte) { !FOLD } else { u8::MAX };
        let mask: Vec<u8> = bytes.iter().map(kept).collect();
        let window = Window::at(bytes, offset);
        let (head, mask) = (head(bytes), head(&mask));
        Self { window, head, mask, offset, bytes: bytes[..].into(), caseless, owner }
    }

    #[inline]
    fn is_at(&self, text: &[u8], place: Range<usize>) -> bool {
        let Some(candidate) = text.get(place.clone()) else { return false };
        // Most literals differ in the first bytes.
        if let Some(&head) = text[place.start..].first_chunk::<HEAD_BYTES>() {
            let is_same = (u64::from_le_bytes(head) ^ self.head) & self.mask == 0;
            if !is_same || self.bytes.len() <= HEAD_BYTES {
                return is_same;
            }
        }
        let bytes = &*self.bytes;
        if self.caseless { candidate.eq_ignore_ascii_case(bytes) } else { candidate == bytes }
    }
}

/// The first bytes as a number; zeros follow the last byte.
fn head(bytes: &[u8]) -> u64 {
    u64::from_le_bytes(std::array::from_fn(|place| bytes.get(place).copied().unwrap_or(0)))
}

/// The offset of each literal's window: a rare one, and among rare ones the one that most literals share. A literal
/// that continues another has the same window as that, so that the longer one is compared first.
pub(super) fn offsets(literals: &[Literal]) -> Vec<usize> {
    let fold = |literal: &Literal| literal.bytes.iter().map(|byte| byte | FOLD).collect();
    let folded: Vec<Vec<u8>> = literals.iter().map(fold).collect();
    let mut sorted: Vec<usize> = (0..literals.len()).collect();
    sorted.sort_by(|&one, &other| folded[one].cmp(&folded[other]));
    // For each literal, the shortest literal that it begins with, or itself.
    let mut begins: Vec<usize> = (0..literals.len()).collect();
    for pair in sorted.windows(2) {
        let begin = begins[pair[0]];
        if folded[pair[1]].starts_with(&folded[begin]) {
            begins[pair[1]] = begin;
        }
    }
    let mut shared: HashMap<Window, usize> = HashMap::new();
    for (_, begin) in begins.iter().enumerate().filter(|(index, begin)| index == *begin) {
        let windows = rare(&literals[*begin].bytes);
        windows.for_each(|(_, window)| *shared.entry(window).or_default() += 1);
    }
    let best = |begin: &usize| {
        let rated = rare(&literals[*begin].bytes)
            .map(|(offset, window)| (shared[&window], window.rarity(), Reverse(offset)));
        // Among equal windows the first is chosen, so that a token is compared near its beginning.
        let best = rated.reduce(|best, next| if next > best { next } else { best });
        best.map_or(0, |(.., Reverse(offset))| offset)
    };
    begins.iter().map(best).collect()
}
