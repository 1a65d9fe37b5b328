//! The search with vector instructions, which looks up the features of windows at 32 offsets at once.

use std::arch::x86_64::{
    __m256i, _mm256_and_si256, _mm256_cmpeq_epi8, _mm256_loadu_si256, _mm256_movemask_epi8,
    _mm256_or_si256, _mm256_set1_epi8, _mm256_setzero_si256, _mm256_shuffle_epi8,
    _mm256_srli_epi16,
};

use super::ESCAPE;
use super::buckets::{
    self, FEATURE_COUNT, FIRST_BYTE_KIND, FeatureMasks, LOW_HALF, SECOND_BYTE_KIND,
};
use super::index::Index;
use super::window::{WINDOW_BYTES, Window, gram_at};

const VECTOR_BYTES: usize = 32;

/// The number of offsets that are tested at once, and the bytes that are read for them: the windows of the last ones
/// reach further.
const STEP_BYTES: usize = 2 * VECTOR_BYTES;
const BLOCK_BYTES: usize = STEP_BYTES + WINDOW_BYTES - 1;

/// The number of offsets that are collected before they are compared together: comparing one after the other would cost
/// a badly predicted branch each. The first batch is smaller and each further one twice as large, because a search may
/// end after a few bytes and start again many times.
const MAX_BATCH_OFFSETS: usize = 256;
const MIN_BATCH_OFFSETS: usize = 8;

/// The number of offsets that are written at once, even if fewer were found.
const OFFSETS_PER_WRITE: usize = 8;

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

    /// Calls `compare` where a window may be. Returns the offset of the rest that is too short for a vector, or as an
    /// error how many bytes were read until `compare` returned false.
    pub(super) fn find(
        &self,
        text: &[u8],
        index: &Index,
        compare: &mut impl FnMut(usize) -> bool,
    ) -> Result<usize, usize> {
        if text.len() < BLOCK_BYTES {
            return Ok(0);
        }
        // SAFETY: the instructions were detected when `self` was made.
        unsafe { self.find_in_blocks(text, index, compare) }
    }

    #[target_feature(enable = "avx2,bmi1,bmi2,popcnt")]
    fn find_in_blocks(
        &self,
        text: &[u8],
        index: &Index,
        compare: &mut impl FnMut(usize) -> bool,
    ) -> Result<usize, usize> {
        let mut compare_batch = |places: &mut [usize]| {
            let mut kept = 0;
            for number in 0..places.len() {
                let place = places[number];
                places[kept] = place;
                kept += index.may_have(gram_at(text, place), text[place]);
            }
            places[..kept].iter().all(|&place| compare(place))
        };
        let mut batch = [0; MAX_BATCH_OFFSETS + STEP_BYTES + OFFSETS_PER_WRITE];
        let (mut at, mut count, mut most) = (0, 0, MIN_BATCH_OFFSETS);
        let last = text.len().saturating_sub(BLOCK_BYTES);
        while at < last + STEP_BYTES {
            // The last block overlaps offsets that were tested already.
            let start = at.min(last);
            let Some(block) = text[start..].first_chunk::<BLOCK_BYTES>() else { break };
            let mut places = self.places(block) & u64::MAX << (at - start);
            let mut next = count;
            count += places.count_ones() as usize;
            // This loop nearly always runs once. The next offsets overwrite what is written after the last one.
            loop {
                for slot in &mut batch[next..next + OFFSETS_PER_WRITE] {
                    *slot = start + places.trailing_zeros() as usize;
                    places &= places.wrapping_sub(1);
                }
                next += OFFSETS_PER_WRITE;
                if next >= count {
                    break;
                }
            }
            at = start + STEP_BYTES;
            if count >= most {
                if !compare_batch(&mut batch[..count]) {
                    return Err(at);
                }
                (count, most) = (0, MAX_BATCH_OFFSETS.min(2 * most));
            }
        }
        if compare_batch(&mut batch[..count]) { Ok(at) } else { Err(at) }
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
