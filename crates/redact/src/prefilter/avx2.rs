//! The first test with vectors of 32 bytes: looks up the halves of all bytes at once, for the four places of a window.

use std::arch::x86_64::{
    __m256i, _mm256_and_si256, _mm256_cmpeq_epi8, _mm256_loadu_si256, _mm256_movemask_epi8,
    _mm256_or_si256, _mm256_set1_epi8, _mm256_setzero_si256, _mm256_shuffle_epi8,
    _mm256_srli_epi16,
};

use super::buckets::{Masks, SETS};
use super::index::Index;
use super::window::WINDOW_BYTES;

const VECTOR: usize = 32;

/// Positions tested at a time.
const STEP: usize = 2 * VECTOR;

/// What is read for them: the windows of the last ones reach further.
const BLOCK: usize = STEP + WINDOW_BYTES - 1;

/// A table of sixteen bytes, twice, as a lookup wants it.
#[repr(align(32))]
struct Table([u8; VECTOR]);

impl Table {
    fn new(half: &[u8; 16]) -> Self {
        Self(std::array::from_fn(|at| half[at % 16]))
    }
}

/// The masks as tables. Exists only where the instructions do.
pub(super) struct Searcher {
    tables: Box<[[(Table, Table); SETS]; WINDOW_BYTES]>,
}

impl Searcher {
    /// `None` on a machine without these instructions.
    pub(super) fn new(masks: impl FnOnce() -> Masks) -> Option<Self> {
        if !is_x86_feature_detected!("avx2") {
            return None;
        }
        let masks = masks();
        let tables = std::array::from_fn(|place| {
            std::array::from_fn(|set| {
                (Table::new(&masks.low[set][place]), Table::new(&masks.high[set][place]))
            })
        });
        Some(Self { tables: Box::new(tables) })
    }

    /// Calls `compare` where a window may be, until it returns false. Gives where the rest begins that was not tested.
    pub(super) fn find(
        &self,
        text: &[u8],
        index: &Index,
        compare: &mut impl FnMut(usize) -> bool,
    ) -> Option<usize> {
        // SAFETY: a searcher is only made where AVX2 was detected.
        unsafe { self.find_in_blocks(text, index, compare) }
    }

    #[target_feature(enable = "avx2")]
    fn find_in_blocks(
        &self,
        text: &[u8],
        index: &Index,
        compare: &mut impl FnMut(usize) -> bool,
    ) -> Option<usize> {
        let mut at = 0;
        while let Some(block) = text[at..].first_chunk::<BLOCK>() {
            let mut places = self.places(block);
            while places != 0 {
                let place = places.trailing_zeros() as usize;
                places &= places - 1;
                let window = [block[place], block[place + 1], block[place + 2], block[place + 3]];
                if index.may_have(window) && !compare(at + place) {
                    return None;
                }
            }
            at += STEP;
        }
        Some(at)
    }

    /// A bit for each of the first [`STEP`] positions where a window may begin.
    #[inline]
    #[target_feature(enable = "avx2")]
    #[expect(
        clippy::needless_range_loop,
        reason = "loops over constants are unrolled, iterators are not"
    )]
    fn places(&self, block: &[u8; BLOCK]) -> u64 {
        let half = _mm256_set1_epi8(0x0f);
        // For each half of the block and each set, the buckets that fit so far.
        let mut fits = [[_mm256_set1_epi8(-1); SETS]; 2];
        for place in 0..WINDOW_BYTES {
            for part in 0..2 {
                let text = load(block, part * VECTOR + place);
                let low = _mm256_and_si256(text, half);
                let high = _mm256_and_si256(_mm256_srli_epi16::<4>(text), half);
                for set in 0..SETS {
                    let (lows, highs) = &self.tables[place][set];
                    let low = _mm256_shuffle_epi8(load(&lows.0, 0), low);
                    let high = _mm256_shuffle_epi8(load(&highs.0, 0), high);
                    let both = _mm256_and_si256(low, high);
                    fits[part][set] = _mm256_and_si256(fits[part][set], both);
                }
            }
        }
        u64::from(bits(&fits[0])) | u64::from(bits(&fits[1])) << VECTOR
    }
}

/// A bit for each byte that is not zero in all sets.
#[inline]
#[target_feature(enable = "avx2")]
fn bits(sets: &[__m256i; SETS]) -> u32 {
    let mut any = sets[0];
    for set in &sets[1..] {
        any = _mm256_or_si256(any, *set);
    }
    let none = _mm256_cmpeq_epi8(any, _mm256_setzero_si256());
    !_mm256_movemask_epi8(none).cast_unsigned()
}

/// The 32 bytes from `at` on.
#[inline]
#[target_feature(enable = "avx2")]
fn load(bytes: &[u8], at: usize) -> __m256i {
    let bytes: &[u8] = &bytes[at..at + VECTOR];
    // SAFETY: the slice has 32 bytes, and any address will do.
    unsafe { _mm256_loadu_si256(bytes.as_ptr().cast()) }
}
