//! The first test with vectors of 32 bytes: looks up the features of the windows at 32 places at once.

use std::arch::x86_64::{
    __m256i, _mm256_add_epi8, _mm256_and_si256, _mm256_cmpeq_epi8, _mm256_loadu_si256,
    _mm256_movemask_epi8, _mm256_or_si256, _mm256_set1_epi8, _mm256_setzero_si256,
    _mm256_shuffle_epi8, _mm256_srli_epi16,
};
use std::ops::Range;

use super::buckets::Masks;
use super::features::{FEATURES, FIRST_KIND, LOW, SECOND_KIND};
use super::index::Index;
use super::window::{WINDOW_BYTES, Window};
use super::{ESCAPE, MIN_LITERAL_BYTES};

const VECTOR: usize = 32;

/// Positions tested at a time.
const STEP: usize = 2 * VECTOR;

/// What is read for them: the windows of the last ones reach further.
const BLOCK: usize = STEP + WINDOW_BYTES - 1;

/// Places that are noted before they are looked at together: one after the other, each would be a branch to guess.
const NOTED: usize = 512;

/// Blocks at the start whose places are looked at as they come, and places noted before the next ones are; then twice as
/// many each time. Whoever searches may want no more after a few bytes, again and again.
const FIRST_BLOCKS: usize = 2;
const FIRST_NOTED: usize = 16;

/// Places written at a time, whether there are as many or not.
const WRITTEN: usize = 4;

/// Tables of sixteen bytes, each twice, as a lookup wants it.
#[repr(align(32))]
struct Set([[u8; VECTOR]; FEATURES]);

/// The masks as tables. Exists only where the instructions do.
pub(super) struct Searcher {
    sets: Vec<Set>,
}

/// Places where a window may be, in order.
struct Places {
    at: [usize; NOTED + STEP + WRITTEN],
    count: usize,
}

impl Searcher {
    /// `None` on a machine without these instructions.
    pub(super) fn new(windows: impl Iterator<Item = Window>) -> Option<Self> {
        if !(is_x86_feature_detected!("avx2")
            && is_x86_feature_detected!("bmi1")
            && is_x86_feature_detected!("popcnt"))
        {
            return None;
        }
        // SAFETY: the instructions are there.
        let masks = unsafe { Masks::new(windows) };
        let table = |mask: &[u8; 16]| std::array::from_fn(|at| mask[at % mask.len()]);
        let set = |Masks(masks): Masks| Set(std::array::from_fn(|feature| table(&masks[feature])));
        Some(Self { sets: masks.into_iter().map(set).collect() })
    }

    /// Calls `compare` where a window may be, until it returns false. Gives where the rest begins that was not tested: there is none.
    pub(super) fn find(
        &self,
        text: &[u8],
        index: &Index,
        compare: &mut impl FnMut(usize) -> bool,
    ) -> Option<usize> {
        // SAFETY: a searcher is only made where the instructions were detected.
        unsafe { self.find_in_blocks(text, index, compare) }
    }

    #[target_feature(enable = "avx2,bmi1,popcnt")]
    fn find_in_blocks(
        &self,
        text: &[u8],
        index: &Index,
        compare: &mut impl FnMut(usize) -> bool,
    ) -> Option<usize> {
        let mut at = 0;
        while let Some(block) = text[at..].first_chunk::<BLOCK>() {
            if at == FIRST_BLOCKS * STEP {
                at = self.find_in_many(text, at, index, compare)?;
                break;
            }
            if !settle(self.places(block), text, at..at + STEP, index, compare) {
                return None;
            }
            at += STEP;
        }
        self.find_in_tail(text, at, index, compare).then_some(text.len())
    }

    /// The same from `at` on, as long as there are whole blocks. Gives where the rest begins.
    #[inline(never)]
    #[target_feature(enable = "avx2,bmi1,popcnt")]
    fn find_in_many(
        &self,
        text: &[u8],
        mut at: usize,
        index: &Index,
        compare: &mut impl FnMut(usize) -> bool,
    ) -> Option<usize> {
        let mut noted = Places { at: [0; NOTED + STEP + WRITTEN], count: 0 };
        let mut most = FIRST_NOTED;
        while let Some(block) = text[at..].first_chunk::<BLOCK>() {
            noted.add(self.places(block), at);
            at += STEP;
            if noted.count >= most {
                if !noted.settle(text, index, compare) {
                    return None;
                }
                most = NOTED.min(2 * most);
            }
        }
        noted.settle(text, index, compare).then_some(at)
    }

    /// The same in the last bytes, fewer than a block: most lines that are looked at alone have no others.
    #[inline]
    #[target_feature(enable = "avx2,bmi1")]
    fn find_in_tail(
        &self,
        text: &[u8],
        from: usize,
        index: &Index,
        compare: &mut impl FnMut(usize) -> bool,
    ) -> bool {
        let tail = &text[from..];
        let Some(count) = tail.len().checked_sub(MIN_LITERAL_BYTES - 1) else { return true };
        // Behind the text stands what no literal is compared with.
        let mut block = [0; 2 * STEP + WINDOW_BYTES - 1];
        block[..tail.len()].copy_from_slice(tail);
        for start in (0..count).step_by(STEP) {
            let Some(part) = block[start..].first_chunk::<BLOCK>() else { break };
            let mut found = |place| compare(from + place);
            if !settle(self.places(part), &block, start..count, index, &mut found) {
                return false;
            }
        }
        true
    }

    /// A bit for each of the first [`STEP`] positions where a window may begin.
    #[inline]
    #[target_feature(enable = "avx2")]
    fn places(&self, block: &[u8; BLOCK]) -> u64 {
        let (one, other) = (features(block, 0), features(block, VECTOR));
        // The buckets of any set that fit; an escape does without.
        let mut any = _mm256_cmpeq_epi8(load(block, 0), all(ESCAPE));
        let mut any_other = _mm256_cmpeq_epi8(load(block, VECTOR), all(ESCAPE));
        for Set(tables) in &self.sets {
            let (mut fits, mut fits_other) = (all(u8::MAX), all(u8::MAX));
            for feature in 0..FEATURES {
                let table = load(&tables[feature], 0);
                fits = _mm256_and_si256(fits, _mm256_shuffle_epi8(table, one[feature]));
                let shuffled = _mm256_shuffle_epi8(table, other[feature]);
                fits_other = _mm256_and_si256(fits_other, shuffled);
            }
            any = _mm256_or_si256(any, fits);
            any_other = _mm256_or_si256(any_other, fits_other);
        }
        u64::from(bits(any)) | u64::from(bits(any_other)) << VECTOR
    }
}

/// As in [`features`](super::features::features), of the windows at 32 positions from `from` on.
#[inline]
#[target_feature(enable = "avx2")]
fn features(block: &[u8; BLOCK], from: usize) -> [__m256i; FEATURES] {
    let (a, b) = (load(block, from), load(block, from + 1));
    let (c, d) = (load(block, from + 2), load(block, from + 3));
    let low = |bytes| _mm256_and_si256(bytes, all(LOW));
    let kinds = |one, other| {
        let first = _mm256_and_si256(_mm256_srli_epi16::<4>(one), all(FIRST_KIND));
        let second = _mm256_and_si256(_mm256_srli_epi16::<3>(other), all(SECOND_KIND));
        _mm256_or_si256(first, second)
    };
    let sum = |one, other| low(_mm256_add_epi8(one, other));
    [low(a), low(b), low(c), low(d), kinds(a, b), kinds(c, d), sum(a, b), sum(b, c)]
}

/// A bit for each byte that is not zero.
#[inline]
#[target_feature(enable = "avx2")]
fn bits(bytes: __m256i) -> u32 {
    let zero = _mm256_cmpeq_epi8(bytes, _mm256_setzero_si256());
    !_mm256_movemask_epi8(zero).cast_unsigned()
}

/// Calls `compare` at the places of a block, a bit for each, where the index may have the window and that lie in `within`, which
/// begins with the block. False when `compare` was.
#[inline]
#[target_feature(enable = "bmi1")]
fn settle(
    mut places: u64,
    text: &[u8],
    within: Range<usize>,
    index: &Index,
    compare: &mut impl FnMut(usize) -> bool,
) -> bool {
    while places != 0 {
        let place = within.start + places.trailing_zeros() as usize;
        places &= places - 1;
        let has = text[place..].first_chunk().is_some_and(|&window| index.may_have(window));
        if has && place < within.end && !compare(place) {
            return false;
        }
    }
    true
}

impl Places {
    /// Notes the places of a block that begins at `start`, a bit for each. What is written behind the last of them, because
    /// [`WRITTEN`] are at a time, the next ones take the place of. There is room: as many as [`NOTED`] are settled first.
    #[inline]
    #[target_feature(enable = "bmi1,popcnt")]
    fn add(&mut self, mut places: u64, start: usize) {
        debug_assert!(self.count < NOTED, "there is room for a block");
        let mut next = self.count;
        self.count += places.count_ones() as usize;
        // Nearly always once: whether there is any is a guess as well.
        loop {
            for slot in &mut self.at[next..next + WRITTEN] {
                *slot = start + places.trailing_zeros() as usize;
                places &= places.wrapping_sub(1);
            }
            next += WRITTEN;
            if next >= self.count {
                return;
            }
        }
    }

    /// Calls `compare` where the index may have the window, and forgets all places. False when `compare` was.
    #[inline]
    fn settle(
        &mut self,
        text: &[u8],
        index: &Index,
        compare: &mut impl FnMut(usize) -> bool,
    ) -> bool {
        let mut kept = 0;
        for place in 0..std::mem::take(&mut self.count) {
            let at = self.at[place];
            self.at[kept] = at;
            kept +=
                usize::from(text[at..].first_chunk().is_some_and(|&window| index.may_have(window)));
        }
        self.at[..kept].iter().all(|&at| compare(at))
    }
}

#[inline]
#[target_feature(enable = "avx2")]
fn all(byte: u8) -> __m256i {
    _mm256_set1_epi8(byte.cast_signed())
}

/// The 32 bytes from `at` on.
#[inline]
#[target_feature(enable = "avx2")]
fn load(bytes: &[u8], at: usize) -> __m256i {
    let bytes: &[u8] = &bytes[at..at + VECTOR];
    // SAFETY: the slice has 32 bytes, and any address will do.
    unsafe { _mm256_loadu_si256(bytes.as_ptr().cast()) }
}
