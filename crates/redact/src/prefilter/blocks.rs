//! The search with vector instructions: what finds places in blocks of bytes, [`avx2`] or [`avx512`], and what compares
//! them.

use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};

use super::beginnings::{Place, in_order};
use super::window::{Window, gram_at};
use super::{MIN_TOKEN_BYTES, Prefilter, Vectors, avx2, avx512};
use crate::class::Class;

/// The number of offsets that are tested at once, and the bytes that are read for them: the windows and tokens of the
/// last ones reach further.
pub(super) const STEP_BYTES: usize = 64;
pub(super) const BLOCK_BYTES: usize = 96;
/// How far ahead the text is fetched: the processor itself fetches no further than the end of a page.
const PREFETCHED_BYTES: usize = 1 << 10;

const _: () = assert!(MIN_TOKEN_BYTES == 16, "`token_starts` looks for runs of this length");

/// The number of offsets that are collected before they are compared together: comparing one after the other would cost
/// a badly predicted branch each. The first batch is smaller and each further one twice as large, because a search may
/// end after a few bytes and start again many times.
const MAX_BATCH_OFFSETS: usize = 256;
const MIN_BATCH_OFFSETS: usize = 8;

/// The number of offsets that are written at once, even if fewer were found.
const OFFSETS_PER_WRITE: usize = 4;

/// Offsets that were found.
struct Batch {
    offsets: [usize; MAX_BATCH_OFFSETS + STEP_BYTES + OFFSETS_PER_WRITE],
    count: usize,
}

impl Batch {
    fn new() -> Self {
        Self { offsets: [0; MAX_BATCH_OFFSETS + STEP_BYTES + OFFSETS_PER_WRITE], count: 0 }
    }

    /// Adds an offset, counted from `start`, for each bit of `places`.
    #[inline]
    fn push(&mut self, start: usize, mut places: u64) {
        let mut next = self.count;
        self.count += places.count_ones() as usize;
        // This loop nearly always runs once. The next offsets overwrite what is written after the last one.
        loop {
            for slot in &mut self.offsets[next..next + OFFSETS_PER_WRITE] {
                *slot = start + places.trailing_zeros() as usize;
                places &= places.wrapping_sub(1);
            }
            next += OFFSETS_PER_WRITE;
            if next >= self.count {
                break;
            }
        }
    }

    /// All offsets. The batch is empty then.
    fn take(&mut self) -> &mut [usize] {
        let count = std::mem::take(&mut self.count);
        &mut self.offsets[..count]
    }
}

/// The offsets that pass a test, without a branch for each.
#[inline]
fn keep(offsets: &mut [usize], passes: impl Fn(usize) -> bool) -> &[usize] {
    let mut kept = 0;
    for number in 0..offsets.len() {
        let offset = offsets[number];
        offsets[kept] = offset;
        kept += usize::from(passes(offset));
    }
    &offsets[..kept]
}

/// The search that the processor has instructions for.
pub(super) enum VectorSearch {
    Avx2(avx2::Tables),
    Avx512(avx512::Tables),
}

impl VectorSearch {
    /// `None` if the processor has no AVX2, or if no vectors are wanted.
    pub(super) fn new(windows: &[Window], widest: Vectors) -> Option<Self> {
        let wide = (widest >= Vectors::Avx512).then(|| avx512::Tables::new(windows)).flatten();
        let avx2 = || (widest >= Vectors::Avx2).then(|| avx2::Tables::new(windows)).flatten();
        wide.map(Self::Avx512).or_else(|| avx2().map(Self::Avx2))
    }

    /// Calls `compare` where a literal may be. Returns the offset of the rest that is too short for a vector, or as an
    /// error how many bytes were read until `compare` returned false.
    pub(super) fn find(
        &self,
        text: &[u8],
        prefilter: &Prefilter,
        compare: &mut impl FnMut(Place) -> bool,
    ) -> Result<usize, usize> {
        if text.len() < BLOCK_BYTES {
            return Ok(0);
        }
        match self {
            Self::Avx2(tables) => tables.find(text, prefilter, compare),
            Self::Avx512(tables) => tables.find(text, prefilter, compare),
        }
    }
}

/// Calls `compare` where a literal may be in a text of at least a block, as [`VectorSearch::find`] does. `places` returns
/// a bit for each of the first [`STEP_BYTES`] offsets of a block at which a window may begin, and one for each at which
/// a token may; it is told whether a letter or a digit precedes the block.
#[expect(clippy::inline_always, reason = "it is compiled with the instructions of its caller")]
#[inline(always)]
pub(super) fn find(
    text: &[u8],
    Prefilter { index, tokens, .. }: &Prefilter,
    compare: &mut impl FnMut(Place) -> bool,
    places: impl Fn(&[u8; BLOCK_BYTES], bool) -> [u64; 2],
) -> Result<usize, usize> {
    let mut compare_batch = |windows: &mut [usize], starts: &mut [usize]| {
        let windows = keep(windows, |place| index.may_have(gram_at(text, place), text[place]) != 0);
        let starts = keep(starts, |start| tokens.may_begin(text, start));
        let mut starts = starts.iter().copied().peekable();
        in_order(windows, &mut starts, text.len(), compare)
    };
    let mut windows = Batch::new();
    // Where tokens may begin.
    let mut starts = Batch::new();
    let (mut at, mut most) = (0, MIN_BATCH_OFFSETS);
    let last = text.len().saturating_sub(BLOCK_BYTES);
    while at < last + STEP_BYTES {
        // The last block overlaps offsets that were tested already.
        let start = at.min(last);
        let Some(block) = text[start..].first_chunk::<BLOCK_BYTES>() else { break };
        let untested = u64::MAX << (at - start);
        let after_alnum = start > 0 && Class::Alnum.has(text[start - 1]);
        let ahead = text.as_ptr().wrapping_add(start + PREFETCHED_BYTES);
        // SAFETY: a hint never fails, whatever it points to.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(ahead.cast()) };
        let [of_windows, of_starts] = places(block, after_alnum);
        windows.push(start, of_windows & untested);
        starts.push(start, of_starts & untested);
        at = start + STEP_BYTES;
        if windows.count.max(starts.count) >= most {
            if !compare_batch(windows.take(), starts.take()) {
                return Err(at);
            }
            most = MAX_BATCH_OFFSETS.min(2 * most);
        }
    }
    if compare_batch(windows.take(), starts.take()) { Ok(at) } else { Err(at) }
}

/// A bit for each of the first [`STEP_BYTES`] offsets where [`super::beginnings::Starts`] finds a start. `runs` has a bit
/// for each token character, `alnum` for each letter and digit, and `after_alnum` tells of the byte before.
#[inline]
pub(super) fn token_starts(mut runs: u128, alnum: u64, after_alnum: bool) -> u64 {
    // After each step, a bit for each run that is twice as long.
    for step in [1, 2, 4, 8] {
        runs &= runs >> step;
    }
    #[expect(clippy::cast_possible_truncation, reason = "the first offsets are wanted")]
    let runs = runs as u64;
    runs & alnum & !(alnum << 1 | u64::from(after_alnum))
}
