//! The search without vector instructions.

use super::MIN_LITERAL_BYTES;
use super::index::Index;
use super::window::{WINDOW_BYTES, gram, gram_at};

/// The number of offsets between two branches, and the bytes that are read for them.
const STRIDE_BYTES: usize = 8;
const BLOCK_BYTES: usize = STRIDE_BYTES + WINDOW_BYTES - 1;

/// The number of offsets that are collected before literals are compared: a branch for each offset would often be badly
/// predicted.
const MAX_BATCH_OFFSETS: usize = 16;

/// Calls `compare` where a window may be, starting at `at`, until `compare` returns false. Returns how many bytes were
/// read.
pub(super) fn find(
    text: &[u8],
    mut at: usize,
    index: &Index,
    compare: &mut impl FnMut(usize) -> bool,
) -> usize {
    let (mut batch, mut count) = ([0; MAX_BATCH_OFFSETS + STRIDE_BYTES], 0);
    while let Some(block) = text[at..].first_chunk::<BLOCK_BYTES>() {
        for step in 0..STRIDE_BYTES {
            batch[count] = at + step;
            let window = [block[step], block[step + 1], block[step + 2], block[step + 3]];
            count += index.may_have(gram(window), window[0]);
        }
        at += STRIDE_BYTES;
        if count >= MAX_BATCH_OFFSETS {
            if !batch[..count].iter().all(|&place| compare(place)) {
                return at;
            }
            count = 0;
        }
    }
    let places = at..text.len().saturating_sub(MIN_LITERAL_BYTES - 1);
    let rest = places.filter(|&place| index.may_have(gram_at(text, place), text[place]) != 0);
    batch[..count].iter().copied().chain(rest).all(compare);
    text.len()
}
