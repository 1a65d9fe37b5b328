//! The search without vector instructions.

use super::MIN_LITERAL_BYTES;
use super::index::Index;
use super::window::{WINDOW_BYTES, gram, gram_at};

/// The number of offsets between two branches, and the bytes that are read for them.
const STRIDE: usize = 8;
const BLOCK: usize = STRIDE + WINDOW_BYTES - 1;

/// The number of offsets that are collected before literals are compared: a branch for each offset would often be badly
/// predicted.
const NOTED: usize = 16;

/// Calls `compare` where a window may be, starting at `at`, until `compare` returns false. Returns how many bytes were
/// read.
pub(super) fn find(
    text: &[u8],
    mut at: usize,
    index: &Index,
    compare: &mut impl FnMut(usize) -> bool,
) -> usize {
    let (mut noted, mut count) = ([0; NOTED + STRIDE], 0);
    while let Some(block) = text[at..].first_chunk::<BLOCK>() {
        for step in 0..STRIDE {
            noted[count] = at + step;
            let window = [block[step], block[step + 1], block[step + 2], block[step + 3]];
            count += index.may_have(gram(window), window[0]);
        }
        at += STRIDE;
        if count >= NOTED {
            if !noted[..count].iter().all(|&place| compare(place)) {
                return at;
            }
            count = 0;
        }
    }
    let places = at..text.len().saturating_sub(MIN_LITERAL_BYTES - 1);
    let rest = places.filter(|&place| index.may_have(gram_at(text, place), text[place]) != 0);
    noted[..count].iter().copied().chain(rest).all(compare);
    text.len()
}
