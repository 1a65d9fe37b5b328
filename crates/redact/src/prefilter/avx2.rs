//! The features of windows at 32 offsets at once, with AVX2.

use std::arch::x86_64::{
    __m256i, _mm256_and_si256, _mm256_cmpeq_epi8, _mm256_loadu_si256, _mm256_movemask_epi8,
    _mm256_or_si256, _mm256_set1_epi8, _mm256_setzero_si256, _mm256_shuffle_epi8,
    _mm256_srli_epi16,
};

use super::beginnings::Place;
use super::blocks::{self, BLOCK_BYTES, token_starts};
use super::buckets::{
    FEATURE_COUNT, FIRST_BYTE_KIND, FeatureMasks, LOW_HALF, SECOND_BYTE_KIND, assign, feature_masks,
};
use super::window::Window;
use super::{ESCAPE, Prefilter};

const VECTOR_BYTES: usize = 32;

/// The number of windows for each set of buckets.
const WINDOWS_PER_SET: usize = 70;

/// Tables of sixteen bytes, each stored twice as the lookup needs it. They exist only if the processor has the
/// instructions.
pub(super) struct Tables(Vec<[[u8; VECTOR_BYTES]; FEATURE_COUNT]>);

impl Tables {
    /// `None` if the processor lacks these instructions.
    pub(super) fn new(windows: &[Window]) -> Option<Self> {
        let is_there = is_x86_feature_detected!("avx2")
            && is_x86_feature_detected!("bmi1")
            && is_x86_feature_detected!("bmi2")
            && is_x86_feature_detected!("popcnt");
        let twice = |mask: [u8; 16]| std::array::from_fn(|at| mask[at % 16]);
        let tables = |masks: FeatureMasks| masks.map(twice);
        let buckets = || assign(windows, WINDOWS_PER_SET);
        is_there.then(|| Self(feature_masks(&buckets()).into_iter().map(tables).collect()))
    }

    /// See [`blocks::find`].
    pub(super) fn find(
        &self,
        text: &[u8],
        prefilter: &Prefilter,
        compare: &mut impl FnMut(Place) -> bool,
    ) -> Result<usize, usize> {
        // SAFETY: the instructions were detected when `self` was made.
        unsafe { self.find_with_avx2(text, prefilter, compare) }
    }

    #[target_feature(enable = "avx2,bmi1,bmi2,popcnt")]
    fn find_with_avx2(
        &self,
        text: &[u8],
        prefilter: &Prefilter,
        compare: &mut impl FnMut(Place) -> bool,
    ) -> Result<usize, usize> {
        blocks::find(text, prefilter, compare, |block, after_alnum| {
            [self.windows(block), tokens(block, after_alnum)]
        })
    }

    /// A bit for each offset at which a window may begin.
    #[inline]
    #[target_feature(enable = "avx2")]
    fn windows(&self, block: &[u8; BLOCK_BYTES]) -> u64 {
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

/// A bit for each offset at which a token may begin.
#[inline]
#[target_feature(enable = "avx2")]
fn tokens(block: &[u8; BLOCK_BYTES], after_alnum: bool) -> u64 {
    let kinds = [0, VECTOR_BYTES, 2 * VECTOR_BYTES].map(|from| {
        let bytes = load(block, from);
        let upper = _mm256_and_si256(_mm256_srli_epi16::<4>(bytes), all(LOW_HALF));
        let by_upper = _mm256_shuffle_epi8(load(&TOKEN_KINDS[0], 0), upper);
        // The lookup gives nothing for bytes that are not ASCII.
        _mm256_and_si256(by_upper, _mm256_shuffle_epi8(load(&TOKEN_KINDS[1], 0), bytes))
    });
    let [near, middle, far] = kinds.map(|kinds| u128::from(bits(kinds)));
    let runs = near | middle << VECTOR_BYTES | far << (2 * VECTOR_BYTES);
    let alnum = all(DIGIT | FIRST_LETTERS | LAST_LETTERS);
    let is_alnum = |kinds| u64::from(bits(_mm256_and_si256(kinds, alnum)));
    let alnum = is_alnum(kinds[0]) | is_alnum(kinds[1]) << VECTOR_BYTES;
    token_starts(runs, alnum, after_alnum)
}

/// The same as [`super::buckets::features`], for the windows at 32 offsets starting with `from`.
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
