//! The search with vector instructions, which looks up the features of windows at 32 offsets at once.

use std::arch::x86_64::{
    __m256i, _mm256_and_si256, _mm256_cmpeq_epi8, _mm256_loadu_si256, _mm256_movemask_epi8,
    _mm256_or_si256, _mm256_set1_epi8, _mm256_setzero_si256, _mm256_shuffle_epi8,
    _mm256_srli_epi16,
};

use super::beginnings::{Place, in_order};
use super::buckets::{
    self, FEATURE_COUNT, FIRST_BYTE_KIND, FeatureMasks, LOW_HALF, SECOND_BYTE_KIND,
};
use super::window::{Window, gram_at};
use super::{ESCAPE, MIN_TOKEN_BYTES, Prefilter};
use crate::class::Class;

const VECTOR_BYTES: usize = 32;

/// The number of offsets that are tested at once, and the bytes that are read for them: the windows and tokens of the
/// last ones reach further.
const STEP_BYTES: usize = 2 * VECTOR_BYTES;
const BLOCK_BYTES: usize = 3 * VECTOR_BYTES;
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
    #[target_feature(enable = "bmi1,popcnt")]
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

/// Tables of sixteen bytes, each stored twice as the lookup needs it. They exist only if the processor has the
/// instructions.
pub(super) struct VectorTables(Vec<[[u8; VECTOR_BYTES]; FEATURE_COUNT]>);

impl VectorTables {
    /// `None` if the processor lacks these instructions.
    pub(super) fn new(windows: &[Window]) -> Option<Self> {
        let is_there = is_x86_feature_detected!("avx2")
            && is_x86_feature_detected!("bmi1")
            && is_x86_feature_detected!("bmi2")
            && is_x86_feature_detected!("popcnt");
        let twice = |mask: [u8; 16]| std::array::from_fn(|at| mask[at % 16]);
        let tables = |masks: FeatureMasks| masks.map(twice);
        is_there.then(|| Self(buckets::assign(windows).into_iter().map(tables).collect()))
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
        // SAFETY: the instructions were detected when `self` was made.
        unsafe { self.find_in_blocks(text, prefilter, compare) }
    }

    #[target_feature(enable = "avx2,bmi1,bmi2,popcnt")]
    fn find_in_blocks(
        &self,
        text: &[u8],
        Prefilter { index, tokens, .. }: &Prefilter,
        compare: &mut impl FnMut(Place) -> bool,
    ) -> Result<usize, usize> {
        let mut compare_batch = |windows: &mut [usize], starts: &mut [usize]| {
            let windows =
                keep(windows, |place| index.may_have(gram_at(text, place), text[place]) != 0);
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
            windows.push(start, self.places(block) & untested);
            starts.push(start, token_starts(block, after_alnum) & untested);
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

    /// A bit for each of the first [`STEP_BYTES`] offsets at which a window may begin.
    #[inline]
    #[target_feature(enable = "avx2")]
    fn places(&self, block: &[u8; BLOCK_BYTES]) -> u64 {
        let (one, other) = (features(block, 0), features(block, VECTOR_BYTES));
        // The buckets that fit in any set. An escape needs no bucket.
        let mut any = _mm256_cmpeq_epi8(load(block, 0), all(ESCAPE));
        let mut any_other = _mm256_cmpeq_epi8(load(block, VECTOR_BYTES), all(ESCAPE));
        for tables in &self.0 {
            let (mut fits, mut fits_other) = (all(u8::MAX), all(u8::MAX));
            for feature in 0..FEATURE_COUNT {
                let table = load(&tables[feature], 0);
                fits = _mm256_and_si256(fits, _mm256_shuffle_epi8(table, one[feature]));
                let shuffled = _mm256_shuffle_epi8(table, other[feature]);
                fits_other = _mm256_and_si256(fits_other, shuffled);
            }
            any = _mm256_or_si256(any, fits);
            any_other = _mm256_or_si256(any_other, fits_other);
        }
        u64::from(bits(any)) | u64::from(bits(any_other)) << VECTOR_BYTES
    }
}

/// The kinds of token characters, by the upper and by the lower half of a byte. A byte is of the kinds that both halves
/// have.
const TOKEN_KINDS: [[u8; VECTOR_BYTES]; 2] = {
    let mut kinds = [[0; VECTOR_BYTES]; 2];
    let mut byte: usize = 0;
    while byte < 0x80 {
        let kind = match byte {
            0x2d => DASH,
            0x5f => UNDERSCORE,
            0x30..=0x39 => DIGIT,
            0x41..=0x4f | 0x61..=0x6f => FIRST_LETTERS,
            0x50..=0x5a | 0x70..=0x7a => LAST_LETTERS,
            _ => 0,
        };
        let (upper, lower) = (byte >> 4, byte & 0xf);
        kinds[0][upper] |= kind;
        kinds[0][upper + 16] |= kind;
        kinds[1][lower] |= kind;
        kinds[1][lower + 16] |= kind;
        byte += 1;
    }
    kinds
};
const DIGIT: u8 = 1;
const FIRST_LETTERS: u8 = 1 << 1;
const LAST_LETTERS: u8 = 1 << 2;
const DASH: u8 = 1 << 3;
const UNDERSCORE: u8 = 1 << 4;

/// A bit for each of the first [`STEP_BYTES`] offsets where [`super::beginnings::Starts`] finds a start. `after_alnum` tells
/// of the byte before.
#[inline]
#[target_feature(enable = "avx2")]
fn token_starts(block: &[u8; BLOCK_BYTES], after_alnum: bool) -> u64 {
    let kinds = [0, VECTOR_BYTES, 2 * VECTOR_BYTES].map(|from| {
        let bytes = load(block, from);
        let upper = _mm256_and_si256(_mm256_srli_epi16::<4>(bytes), all(LOW_HALF));
        let by_upper = _mm256_shuffle_epi8(load(&TOKEN_KINDS[0], 0), upper);
        // The lookup gives nothing for bytes that are not ASCII.
        _mm256_and_si256(by_upper, _mm256_shuffle_epi8(load(&TOKEN_KINDS[1], 0), bytes))
    });
    let [near, middle, far] = kinds.map(|kinds| u128::from(bits(kinds)));
    let mut runs = near | middle << VECTOR_BYTES | far << (2 * VECTOR_BYTES);
    // After each step, a bit for each run that is twice as long.
    for step in [1, 2, 4, 8] {
        runs &= runs >> step;
    }
    let alnum = all(DIGIT | FIRST_LETTERS | LAST_LETTERS);
    let is_alnum = |kinds| u64::from(bits(_mm256_and_si256(kinds, alnum)));
    let alnum = is_alnum(kinds[0]) | is_alnum(kinds[1]) << VECTOR_BYTES;
    #[expect(clippy::cast_possible_truncation, reason = "the first offsets are wanted")]
    let runs = runs as u64;
    runs & alnum & !(alnum << 1 | u64::from(after_alnum))
}

/// The same as [`buckets::features`], for the windows at 32 offsets starting with `from`.
#[inline]
#[target_feature(enable = "avx2")]
fn features(block: &[u8; BLOCK_BYTES], from: usize) -> [__m256i; FEATURE_COUNT] {
    let (a, b) = (load(block, from), load(block, from + 1));
    let (c, d) = (load(block, from + 2), load(block, from + 3));
    let low = |bytes| _mm256_and_si256(bytes, all(LOW_HALF));
    let kinds = |one, other| {
        let first = _mm256_and_si256(_mm256_srli_epi16::<4>(one), all(FIRST_BYTE_KIND));
        let second = _mm256_and_si256(_mm256_srli_epi16::<3>(other), all(SECOND_BYTE_KIND));
        _mm256_or_si256(first, second)
    };
    [low(a), low(b), low(c), low(d), kinds(a, b), kinds(c, d)]
}

/// A bit for each byte that is not zero.
#[inline]
#[target_feature(enable = "avx2")]
fn bits(bytes: __m256i) -> u32 {
    let zero = _mm256_cmpeq_epi8(bytes, _mm256_setzero_si256());
    !_mm256_movemask_epi8(zero).cast_unsigned()
}

#[inline]
#[target_feature(enable = "avx2")]
fn all(byte: u8) -> __m256i {
    _mm256_set1_epi8(byte.cast_signed())
}

/// The 32 bytes that start at `at`.
#[inline]
#[target_feature(enable = "avx2")]
fn load(bytes: &[u8], at: usize) -> __m256i {
    let bytes: &[u8] = &bytes[at..at + VECTOR_BYTES];
    // SAFETY: the slice has 32 bytes, and any address will do.
    unsafe { _mm256_loadu_si256(bytes.as_ptr().cast()) }
}
