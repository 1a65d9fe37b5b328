//! The first test with vectors of 32 bytes: looks up the halves of all bytes at once, for the four places of a window.

use std::arch::x86_64::{
    __m256i, _mm256_and_si256, _mm256_cmpeq_epi8, _mm256_loadu_si256, _mm256_movemask_epi8,
    _mm256_or_si256, _mm256_set1_epi8, _mm256_setzero_si256, _mm256_shuffle_epi8,
    _mm256_srli_epi16,
};

use super::buckets::Masks;
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

/// The buckets that the halves of a byte fit, for each place of a window.
struct Set {
    low: [Table; WINDOW_BYTES],
    high: [Table; WINDOW_BYTES],
}

/// The masks as tables. Exists only where the instructions do.
pub(super) struct Searcher {
    sets: Vec<Set>,
}

impl Searcher {
    /// `None` on a machine without these instructions.
    pub(super) fn new(masks: impl FnOnce() -> Vec<Masks>) -> Option<Self> {
        if !is_x86_feature_detected!("avx2") {
            return None;
        }
        let set = |masks: Masks| Set {
            low: std::array::from_fn(|place| Table::new(&masks.low[place])),
            high: std::array::from_fn(|place| Table::new(&masks.high[place])),
        };
        Some(Self { sets: masks().into_iter().map(set).collect() })
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
    fn places(&self, block: &[u8; BLOCK]) -> u64 {
        let half = _mm256_set1_epi8(0x0f);
        let none = _mm256_setzero_si256();
        let mut low = [[none; 2]; WINDOW_BYTES];
        let mut high = [[none; 2]; WINDOW_BYTES];
        for place in 0..WINDOW_BYTES {
            for part in 0..2 {
                let text = load(block, part * VECTOR + place);
                low[place][part] = _mm256_and_si256(text, half);
                high[place][part] = _mm256_and_si256(_mm256_srli_epi16::<4>(text), half);
            }
        }
        // The buckets of any set that fit.
        let mut any = [none; 2];
        for set in &self.sets {
            let mut fits = [_mm256_set1_epi8(-1); 2];
            for place in 0..WINDOW_BYTES {
                let (lows, highs) = (load(&set.low[place].0, 0), load(&set.high[place].0, 0));
                for part in 0..2 {
                    let low = _mm256_shuffle_epi8(lows, low[place][part]);
                    let high = _mm256_shuffle_epi8(highs, high[place][part]);
                    fits[part] = _mm256_and_si256(fits[part], _mm256_and_si256(low, high));
                }
            }
            any[0] = _mm256_or_si256(any[0], fits[0]);
            any[1] = _mm256_or_si256(any[1], fits[1]);
        }
        u64::from(bits(any[0])) | u64::from(bits(any[1])) << VECTOR
    }
}

/// A bit for each byte that is not zero.
#[inline]
#[target_feature(enable = "avx2")]
fn bits(bytes: __m256i) -> u32 {
    let none = _mm256_cmpeq_epi8(bytes, _mm256_setzero_si256());
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
