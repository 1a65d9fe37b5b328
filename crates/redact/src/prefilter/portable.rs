//! The search without vector instructions.

use super::beginnings::{Place, Starts, in_order};
use super::window::{WINDOW_BYTES, gram, gram_at};
use super::{MIN_LITERAL_BYTES, Prefilter};

/// The number of offsets between two branches, and the bytes that are read for them.
const STRIDE_BYTES: usize = 8;
const BLOCK_BYTES: usize = STRIDE_BYTES + WINDOW_BYTES - 1;

/// The number of offsets that are collected before literals are compared: a branch for each offset would often be badly
/// predicted.
const MAX_BATCH_OFFSETS: usize = 16;

/// Calls `compare` where a literal may be, starting at `at`, until `compare` returns false. Returns how many bytes were
/// read.
pub(super) fn find(
    text: &[u8],
    mut at: usize,
    Prefilter { index, tokens, .. }: &Prefilter,
    compare: &mut impl FnMut(Place) -> bool,
) -> usize {
    let (mut batch, mut count) = ([0; MAX_BATCH_OFFSETS + STRIDE_BYTES], 0);
    let may_begin = |start: &usize| tokens.may_begin(text, *start);
    let mut starts = Starts::new(text, at).filter(may_begin).peekable();
    while let Some(block) = text[at..].first_chunk::<BLOCK_BYTES>() {
        for step in 0..STRIDE_BYTES {
            batch[count] = at + step;
            let window = [block[step], block[step + 1], block[step + 2], block[step + 3]];
            count += index.may_have(gram(window), window[0]);
        }
        at += STRIDE_BYTES;
        if count >= MAX_BATCH_OFFSETS {
            if !in_order(&batch[..count], &mut starts, at, compare) {
                return at;
            }
            count = 0;
        }
    }
    let places = at..text.len().saturating_sub(MIN_LITERAL_BYTES - 1);
    let rest = places.filter(|&place| index.may_have(gram_at(text, place), text[place]) != 0);
    let windows: Vec<usize> = batch[..count].iter().copied().chain(rest).collect();
    in_order(&windows, &mut starts, text.len(), compare);
    text.len()
}
