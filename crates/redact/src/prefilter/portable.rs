//! The first test without vectors: a table over a hash of the first three bytes of a window.

use super::ESCAPE;
use super::window::{SHORT, Window, gram};

/// Bits of a hash: a table of single bytes this large stays in the nearest cache.
const HASH_BITS: u32 = 14;

/// Spreads grams over hashes. Of many odd numbers one for which few grams of logs and source share a hash with a window.
const MULTIPLIER: u32 = 0x7a86_f7a3;

/// Positions tested between two branches.
const STRIDE: usize = 5;

pub(super) struct Grams {
    /// Nonzero where a window may begin.
    near: Box<[u8; 1 << HASH_BITS]>,
}

impl Grams {
    pub(super) fn new(windows: impl Iterator<Item = Window>) -> Self {
        let mut near = Box::new([0; 1 << HASH_BITS]);
        for window in windows {
            near[hash(window.gram() & SHORT)] = 1;
        }
        Self { near }
    }

    /// Calls `compare` where a window may be, until it returns false. Gives where the rest begins that was not tested.
    pub(super) fn find(
        &self,
        text: &[u8],
        compare: &mut impl FnMut(usize) -> bool,
    ) -> Option<usize> {
        let mut at = 0;
        while let Some(&bytes) = text[at..].first_chunk::<8>() {
            let word = u64::from_le_bytes(bytes);
            #[expect(clippy::cast_possible_truncation, reason = "four of the bytes are wanted")]
            let near = |step: usize| {
                let bytes = ((word >> (8 * step)) as u32).to_le_bytes();
                self.near[hash(gram(bytes) & SHORT)] | u8::from(bytes[0] == ESCAPE)
            };
            if (0..STRIDE).fold(0, |any, step| any | near(step)) != 0 {
                for step in 0..STRIDE {
                    if near(step) != 0 && !compare(at + step) {
                        return None;
                    }
                }
            }
            at += STRIDE;
        }
        Some(at)
    }
}

#[inline]
fn hash(gram: u32) -> usize {
    (gram.wrapping_mul(MULTIPLIER) >> (32 - HASH_BITS)) as usize
}
