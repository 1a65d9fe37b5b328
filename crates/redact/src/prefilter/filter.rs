//! A set of windows. One lookup tells whether a window may be in it.

use super::window::Window;

/// The number of bits of the hash of three bytes. The table has to fit into the first-level cache.
pub(super) const ROW_BITS: u32 = 13;

/// For each hash of three bytes, a bit for the lower five bits of each byte that follows them.
pub(super) struct Filter(Box<[u32; 1 << ROW_BITS]>);

impl Filter {
    pub(super) fn new() -> Self {
        #[expect(clippy::large_stack_arrays, reason = "32 KiB, for a moment")]
        Self(Box::new([0; 1 << ROW_BITS]))
    }

    pub(super) fn insert(&mut self, Window { gram, is_short }: Window) {
        self.0[row(gram)] |= if is_short { u32::MAX } else { last(gram) };
    }

    #[inline]
    pub(super) fn may_have(&self, gram: u32) -> bool {
        self.0[row(gram)] & last(gram) != 0
    }
}

#[inline]
fn last(gram: u32) -> u32 {
    1_u32.wrapping_shl(gram >> 24)
}

/// The hash of the first three bytes.
#[inline]
pub(super) fn row(gram: u32) -> usize {
    ((gram << 8).wrapping_mul(0x9e37_79b1) >> (u32::BITS - ROW_BITS)) as usize
}
