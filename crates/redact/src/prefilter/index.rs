//! Which literals have a window, and whether one of them is there.

use std::cmp::Reverse;

use super::Literal;
use super::window::{SHORT, WINDOW_BYTES, Window, fold, gram};

/// Bits of a hash of a window.
const HASH_BITS: u32 = 16;

/// Upper bits of it that choose a row of the table.
const ROW_BITS: u32 = 12;

/// Spreads grams over hashes.
const MULTIPLIER: u32 = 0x9e37_79b1;

/// A set of hashes.
struct Bitmap(Box<[u64; 1 << (HASH_BITS - 6)]>);

impl Bitmap {
    fn new() -> Self {
        Self(Box::new([0; 1 << (HASH_BITS - 6)]))
    }

    fn insert(&mut self, hash: u16) {
        self.0[usize::from(hash >> 6)] |= 1 << (hash & 63);
    }

    #[inline]
    fn has(&self, hash: u16) -> bool {
        self.0[usize::from(hash >> 6)] >> (hash & 63) & 1 != 0
    }
}

struct Entry {
    /// Of the window.
    gram: u32,
    window: Window,
    /// Where in the literal the window begins.
    offset: usize,
    /// Where the literal is in the bytes of all.
    start: usize,
    length: usize,
    caseless: bool,
    owner: u16,
}

/// All literals by their windows.
pub(super) struct Index {
    /// Hashes of windows of four bytes, and of three.
    long: Bitmap,
    short: Bitmap,
    /// Where the entries of each row begin; one more than there are rows.
    rows: Box<[u32]>,
    /// Sorted by row.
    entries: Vec<Entry>,
    bytes: Vec<u8>,
}

impl Index {
    pub(super) fn new(literals: &[Literal]) -> Self {
        let mut bytes = Vec::with_capacity(literals.iter().map(|one| one.bytes.len()).sum());
        let mut entries: Vec<Entry> = Vec::with_capacity(literals.len());
        let (mut long, mut short) = (Bitmap::new(), Bitmap::new());
        for (Literal { bytes: literal, caseless, owner }, offset) in
            literals.iter().zip(offsets(literals))
        {
            let window = Window::at(literal, offset);
            let gram = window.gram();
            let bitmap = if window.is_short() { &mut short } else { &mut long };
            bitmap.insert(hash(gram));
            let (start, length) = (bytes.len(), literal.len());
            bytes.extend_from_slice(literal);
            let (caseless, owner) = (*caseless, *owner);
            entries.push(Entry { gram, window, offset, start, length, caseless, owner });
        }
        // Stable: literals of one window and length stay in their order.
        entries.sort_by_key(|entry| (row(entry.gram), entry.window, Reverse(entry.length)));
        let mut rows = vec![0; (1 << ROW_BITS) + 1].into_boxed_slice();
        for entry in &entries {
            rows[row(entry.gram) + 1] += 1;
        }
        for at in 1..rows.len() {
            rows[at] += rows[at - 1];
        }
        Self { long, short, rows, entries, bytes }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// The windows of all literals.
    pub(super) fn windows(&self) -> impl Iterator<Item = Window> {
        self.entries.iter().map(|entry| entry.window)
    }

    /// False when no literal has the window of these bytes.
    #[inline]
    pub(super) fn may_have(&self, bytes: [u8; WINDOW_BYTES]) -> bool {
        let gram = gram(bytes);
        self.long.has(hash(gram)) | self.short.has(hash(gram & SHORT))
    }

    /// Compares the literals whose window may be at `at`. False when `found` wants no more.
    #[inline(never)]
    pub(super) fn compare(
        &self,
        text: &[u8],
        at: usize,
        found: &mut impl FnMut(u16, usize, usize) -> bool,
    ) -> bool {
        let Some((&bytes, _)) = text[at..].split_first_chunk::<3>() else { return true };
        let last = text.get(at + 3);
        let here = gram([bytes[0], bytes[1], bytes[2], last.copied().unwrap_or_default()]);
        (last.is_none() || self.compare_gram(here, text, at, found))
            && self.compare_gram(here & SHORT, text, at, found)
    }

    #[inline]
    fn compare_gram(
        &self,
        gram: u32,
        text: &[u8],
        at: usize,
        found: &mut impl FnMut(u16, usize, usize) -> bool,
    ) -> bool {
        let row = row(gram);
        let (from, to) = (self.rows[row] as usize, self.rows[row + 1] as usize);
        for entry in self.entries[from..to].iter().filter(|entry| entry.gram == gram) {
            let Some(start) = at.checked_sub(entry.offset) else { continue };
            let end = start + entry.length;
            let Some(candidate) = text.get(start..end) else { continue };
            let literal = &self.bytes[entry.start..entry.start + entry.length];
            // Not an iterator over both: most differ early, and no call is worth it.
            let same = |at: &usize| {
                let differs = candidate[*at] ^ literal[*at];
                differs == 0
                    || entry.caseless && differs == 0x20 && literal[*at].is_ascii_alphabetic()
            };
            let equal = (0..candidate.len().min(literal.len())).all(|at| same(&at));
            if equal && !found(entry.owner, start, end) {
                return false;
            }
        }
        true
    }
}

/// Where the window of each literal begins. One that continues another has the window of that, so that the longer is
/// compared first.
fn offsets(literals: &[Literal]) -> Vec<usize> {
    let folded = |index: usize| literals[index].bytes.iter().map(|&byte| fold(byte));
    let mut sorted: Vec<usize> = (0..literals.len()).collect();
    sorted.sort_by(|&one, &other| folded(one).cmp(folded(other)));
    let mut offsets = vec![0; literals.len()];
    let mut shortest: Option<usize> = None;
    for index in sorted {
        let continues = |begin: &usize| {
            literals[*begin].bytes.len() <= literals[index].bytes.len()
                && folded(*begin).zip(folded(index)).all(|(one, other)| one == other)
        };
        if let Some(begin) = shortest.filter(continues) {
            offsets[index] = offsets[begin];
        } else {
            offsets[index] = Window::rarest(&literals[index].bytes).0;
            shortest = Some(index);
        }
    }
    offsets
}

fn row(gram: u32) -> usize {
    usize::from(hash(gram) >> (HASH_BITS - ROW_BITS))
}

#[inline]
fn hash(gram: u32) -> u16 {
    (gram.wrapping_mul(MULTIPLIER) >> (32 - HASH_BITS)) as u16
}
