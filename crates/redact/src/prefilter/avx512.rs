//! The bytes of windows at 64 offsets at once, with AVX-512.

use std::arch::x86_64::{
    __m512i, _mm512_cmpeq_epi8_mask, _mm512_loadu_epi8, _mm512_movepi8_mask,
    _mm512_permutex2var_epi8, _mm512_set1_epi8, _mm512_setzero_si512, _mm512_ternarylogic_epi64,
    _mm512_test_epi8_mask,
};

use super::beginnings::Place;
use super::blocks::{self, BLOCK_BYTES, STEP_BYTES, token_starts};
use super::buckets::{ASCII_BYTES, ByteMasks, assign, byte_masks};
use super::window::{WINDOW_BYTES, Window};
use super::{ESCAPE, Prefilter};

const VECTOR_BYTES: usize = 64;
const _: () = assert!(STEP_BYTES == VECTOR_BYTES, "one vector has the bytes of a step");

/// Where the vector begins that ends with the block.
const LAST_VECTOR: usize = BLOCK_BYTES - VECTOR_BYTES;

/// The number of windows for each set of buckets.
const WINDOWS_PER_SET: usize = 110;

/// The truth tables of `a & b & c` and of `a | (b & c)`.
const ALL_THREE: i32 = 0x80;
const OR_BOTH: i32 = 0xf8;

/// Tables of the buckets that each byte fits. They exist only if the processor has the instructions.
pub(super) struct Tables(Vec<ByteMasks>);

impl Tables {
    /// `None` if the processor lacks these instructions.
    pub(super) fn new(windows: &[Window]) -> Option<Self> {
        let is_there = is_x86_feature_detected!("avx512f")
            && is_x86_feature_detected!("avx512bw")
            && is_x86_feature_detected!("avx512vbmi")
            && is_x86_feature_detected!("bmi1")
            && is_x86_feature_detected!("bmi2")
            && is_x86_feature_detected!("popcnt");
        is_there.then(|| Self(byte_masks(&assign(windows, WINDOWS_PER_SET))))
    }

    /// See [`blocks::find`].
    pub(super) fn find(
        &self,
        text: &[u8],
        prefilter: &Prefilter,
        compare: &mut impl FnMut(Place) -> bool,
    ) -> Result<usize, usize> {
        // SAFETY: the instructions were detected when `self` was made.
        unsafe { self.find_with_avx512(text, prefilter, compare) }
    }

    #[target_feature(enable = "avx512f,avx512bw,avx512vbmi,bmi1,bmi2,popcnt")]
    fn find_with_avx512(
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
    #[target_feature(enable = "avx512f,avx512bw,avx512vbmi")]
    fn windows(&self, block: &[u8; BLOCK_BYTES]) -> u64 {
        let bytes: [__m512i; WINDOW_BYTES] = std::array::from_fn(|place| load(block, place));
        // The buckets that fit in any set. An escape needs no bucket.
        let mut any = _mm512_setzero_si512();
        for tables in &self.0 {
            let [a, b, c, d] = std::array::from_fn(|place| look_up(&tables[place], bytes[place]));
            let three = _mm512_ternarylogic_epi64::<ALL_THREE>(a, b, c);
            any = _mm512_ternarylogic_epi64::<OR_BOTH>(any, three, d);
        }
        let escapes = _mm512_cmpeq_epi8_mask(bytes[0], _mm512_set1_epi8(ESCAPE.cast_signed()));
        _mm512_test_epi8_mask(any, any) | escapes
    }
}

/// The kinds of token characters.
const TOKEN_KINDS: [u8; ASCII_BYTES] = {
    let mut kinds = [0; ASCII_BYTES];
    let mut byte: u8 = 0;
    while byte.is_ascii() {
        kinds[byte as usize] = match byte {
            b'-' | b'_' => JOINT,
            _ if byte.is_ascii_alphanumeric() => ALNUM,
            _ => 0,
        };
        byte += 1;
    }
    kinds
};
const ALNUM: u8 = 1;
const JOINT: u8 = 1 << 1;

/// A bit for each offset at which a token may begin.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi")]
fn tokens(block: &[u8; BLOCK_BYTES], after_alnum: bool) -> u64 {
    let of_kind = |from, kind: u8| {
        let bytes = load(block, from);
        let kind = _mm512_set1_epi8(kind.cast_signed());
        // The lookup takes other bytes for ASCII.
        _mm512_test_epi8_mask(look_up(&TOKEN_KINDS, bytes), kind) & !_mm512_movepi8_mask(bytes)
    };
    let near = u128::from(of_kind(0, ALNUM | JOINT));
    let far = u128::from(of_kind(LAST_VECTOR, ALNUM | JOINT));
    token_starts(near | far << LAST_VECTOR, of_kind(0, ALNUM), after_alnum)
}

/// What a table has for the lower seven bits of each byte.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi")]
fn look_up(table: &[u8; ASCII_BYTES], bytes: __m512i) -> __m512i {
    _mm512_permutex2var_epi8(load(table, 0), bytes, load(table, VECTOR_BYTES))
}

/// The 64 bytes that start at `at`.
#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn load(bytes: &[u8], at: usize) -> __m512i {
    let bytes: &[u8] = &bytes[at..at + VECTOR_BYTES];
    // SAFETY: the slice has 64 bytes, and any address will do.
    unsafe { _mm512_loadu_epi8(bytes.as_ptr().cast()) }
}
