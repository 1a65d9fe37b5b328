//! Which literals have a window, and whether one of them is there.

use std::cmp::Reverse;
use std::collections::HashMap;
use std::ops::Range;

use super::window::{SHORT, WINDOW_BYTES, Window, fold, gram};
use super::{ESCAPE, ESCAPE_OWNER, Literal};

/// Bits of a hash of a window.
const HASH_BITS: u32 = 16;

/// Upper bits of it that choose a row of the table.
const ROW_BITS: u32 = 12;

/// Bytes of a literal that are compared first.
const HEAD_BYTES: usize = 8;

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
    /// The first bytes of the literal, and which of their bits must be as they are there.
    head: u64,
    mask: u64,
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
    /// Hashes of any three bytes in a row of a literal.
    threes: Bitmap,
    /// Where the entries of each row begin; one more than there are rows.
    rows: Box<[u32]>,
    /// Sorted by row.
    entries: Vec<Entry>,
    /// The window of each entry.
    windows: Vec<Window>,
    bytes: Vec<u8>,
}

impl Index {
    pub(super) fn new(literals: &[Literal]) -> Self {
        let mut bytes = Vec::with_capacity(literals.iter().map(|one| one.bytes.len()).sum());
        let mut entries: Vec<(Window, Entry)> = Vec::with_capacity(literals.len());
        let (mut long, mut short) = (Bitmap::new(), Bitmap::new());
        let threes = threes(literals);
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
            let (head, mask) = head(literal, caseless);
            let entry = Entry { gram, head, mask, offset, start, length, caseless, owner };
            entries.push((window, entry));
        }
        // Stable: literals of one window and length stay in their order.
        entries.sort_by_key(|(window, entry)| (row(entry.gram), *window, Reverse(entry.length)));
        let (windows, entries): (Vec<Window>, Vec<Entry>) = entries.into_iter().unzip();
        let mut rows = vec![0; (1 << ROW_BITS) + 1].into_boxed_slice();
        for entry in &entries {
            rows[row(entry.gram) + 1] += 1;
        }
        for at in 1..rows.len() {
            rows[at] += rows[at - 1];
        }
        Self { long, short, threes, rows, entries, windows, bytes }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// The windows of all literals.
    pub(super) fn windows(&self) -> impl Iterator<Item = Window> {
        self.windows.iter().copied()
    }

    /// False when no literal has the window of these bytes, and they do not begin with an escape.
    #[cfg(target_arch = "x86_64")]
    #[inline]
    pub(super) fn may_have(&self, bytes: [u8; WINDOW_BYTES]) -> bool {
        let gram = gram(bytes);
        let is_escape = bytes[0] == ESCAPE;
        self.long.has(hash(gram)) | self.short.has(hash(gram & SHORT)) | is_escape
    }

    /// False when no literal goes over the place between these bytes.
    #[inline]
    pub(super) fn may_cross(&self, [one, two]: [u8; 2], [three, four]: [u8; 2]) -> bool {
        let has = |bytes: [u8; 3]| self.threes.has(hash(three_gram(bytes)));
        has([one, two, three]) | has([two, three, four])
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
        if bytes[0] == ESCAPE && !found(ESCAPE_OWNER, at, at + 1) {
            return false;
        }
        let last = text.get(at + 3);
        let here = gram([bytes[0], bytes[1], bytes[2], last.copied().unwrap_or_default()]);
        let short = here & SHORT;
        let has_long = last.is_some() && self.long.has(hash(here));
        (!has_long || self.compare_gram(here, text, at, found))
            && (!self.short.has(hash(short)) || self.compare_gram(short, text, at, found))
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
            // Most differ early: the first bytes are compared as one.
            let head = text.get(start..).and_then(<[u8]>::first_chunk::<HEAD_BYTES>);
            if head.is_some_and(|&head| (u64::from_le_bytes(head) ^ entry.head) & entry.mask != 0) {
                continue;
            }
            let end = start + entry.length;
            let compared = head.is_some() && entry.length <= HEAD_BYTES;
            if (compared || self.is_at(entry, text, start..end)) && !found(entry.owner, start, end)
            {
                return false;
            }
        }
        true
    }

    fn is_at(&self, entry: &Entry, text: &[u8], place: Range<usize>) -> bool {
        let Some(candidate) = text.get(place) else { return false };
        let literal = &self.bytes[entry.start..entry.start + entry.length];
        if entry.caseless { candidate.eq_ignore_ascii_case(literal) } else { candidate == literal }
    }
}

/// Of all literals, longer than two bytes as they are.
fn threes(literals: &[Literal]) -> Bitmap {
    let mut threes = Bitmap::new();
    for literal in literals {
        for bytes in literal.bytes.windows(3) {
            threes.insert(hash(three_gram([bytes[0], bytes[1], bytes[2]])));
        }
    }
    threes
}

fn three_gram([one, two, three]: [u8; 3]) -> u32 {
    gram([one, two, three, 0]) & SHORT
}

/// The first bytes of a literal as one number, and which bits of it count.
fn head(literal: &[u8], caseless: bool) -> (u64, u64) {
    let (mut head, mut mask) = ([0; HEAD_BYTES], [0; HEAD_BYTES]);
    for ((&byte, head), mask) in literal.iter().zip(&mut head).zip(&mut mask) {
        *head = byte;
        *mask = if caseless && byte.is_ascii_alphabetic() { !fold(0) } else { u8::MAX };
    }
    (u64::from_le_bytes(head), u64::from_le_bytes(mask))
}

/// Where the window of each literal begins: one that is rare, and that many have. A literal that continues another has the
/// window of that, so that the longer is compared first.
fn offsets(literals: &[Literal]) -> Vec<usize> {
    let folded = |index: usize| literals[index].bytes.iter().map(|&byte| fold(byte));
    let mut sorted: Vec<usize> = (0..literals.len()).collect();
    sorted.sort_by(|&one, &other| folded(one).cmp(folded(other)));
    // Of each literal the one it continues, or itself.
    let mut begins: Vec<usize> = (0..literals.len()).collect();
    let mut shortest: Option<usize> = None;
    for index in sorted {
        let continues = |begin: &usize| {
            literals[*begin].bytes.len() <= literals[index].bytes.len()
                && folded(*begin).zip(folded(index)).all(|(one, other)| one == other)
        };
        begins[index] = *shortest.get_or_insert(index);
        if !continues(&begins[index]) {
            (begins[index], shortest) = (index, Some(index));
        }
    }
    let mut shared: HashMap<Window, usize> = HashMap::new();
    let first = |index: &usize| begins[*index] == *index;
    for index in (0..literals.len()).filter(first) {
        for (_, window) in Window::rare(&literals[index].bytes) {
            *shared.entry(window).or_default() += 1;
        }
    }
    let offset = |index: usize| {
        let rare = Window::rare(&literals[index].bytes);
        let rated = rare.map(|(offset, window)| (shared[&window], window.rarity(), offset));
        // Of equals the first: what comes before a token is checked where it begins.
        let best = rated.max_by(|one, other| {
            one.0.cmp(&other.0).then(one.1.total_cmp(&other.1)).then(other.2.cmp(&one.2))
        });
        best.map_or(0, |(.., offset)| offset)
    };
    begins.iter().map(|&begin| offset(begin)).collect()
}

fn row(gram: u32) -> usize {
    usize::from(hash(gram) >> (HASH_BITS - ROW_BITS))
}

#[inline]
fn hash(gram: u32) -> u16 {
    (gram.wrapping_mul(MULTIPLIER) >> (32 - HASH_BITS)) as u16
}
