//! Assigning windows to buckets, for lookups in tables of sixteen bytes: the features that four bytes must have to fit
//! a bucket.
//!
//! A bucket lets any four bytes pass that share each feature with some window in the bucket. Similar windows therefore
//! belong together: each goes into the bucket where the share of text that passes grows least.

use super::window::{FOLD, WINDOW_BYTES, Window, frequency};

/// Features of four bytes. Each is a number of four bits that does not depend on the case of letters: the lower half of
/// each byte, and for two pairs of bytes the kinds of both (digit, mark or letter).
pub(super) const FEATURE_COUNT: usize = 6;

/// The bits of a byte's lower half.
pub(super) const LOW_HALF: u8 = 15;

/// The bits with the kind of the first of two bytes, shifted right by four, and of the second, shifted right by three.
pub(super) const FIRST_BYTE_KIND: u8 = 0b0101;
pub(super) const SECOND_BYTE_KIND: u8 = 0b1010;

/// The number of buckets in one byte of a table.
const BUCKETS_PER_SET: usize = 8;

/// How many sets of buckets there may be. Each set costs time at every byte, and lets less text pass.
const MAX_SETS: usize = 8;

/// How often every window is moved to the bucket where it costs least.
const ASSIGNMENT_ROUNDS: usize = 4;

/// For each feature and value, the buckets of a set that the value fits.
pub(super) type FeatureMasks = [[u8; 16]; FEATURE_COUNT];

/// How many bytes are ASCII.
pub(super) const ASCII_BYTES: usize = 0x80;

/// For each byte of a window and the lower seven bits of a byte of the text, the buckets of a set that these fit.
pub(super) type ByteMasks = [[u8; ASCII_BYTES]; WINDOW_BYTES];

/// For each bucket, the share of all text positions that it fits.
type TextShareOfBuckets = [f32; BUCKETS_PER_SET * MAX_SETS];

fn features([a, b, c, d]: [u8; WINDOW_BYTES]) -> [u8; FEATURE_COUNT] {
    let kinds = |one: u8, other: u8| one >> 4 & FIRST_BYTE_KIND | other >> 3 & SECOND_BYTE_KIND;
    [a & LOW_HALF, b & LOW_HALF, c & LOW_HALF, d & LOW_HALF, kinds(a, b), kinds(c, d)]
}

/// For each feature, the values that a window can have. There are several if the last byte is open.
fn values(window: Window) -> [Vec<usize>; FEATURE_COUNT] {
    let [a, b, c, d] = window.gram.to_le_bytes();
    let mut values = [const { Vec::new() }; FEATURE_COUNT];
    for d in if window.is_short { 0..=u8::MAX } else { d..=d } {
        for (values, value) in values.iter_mut().zip(features([a, b, c, d])) {
            if !values.contains(&usize::from(value)) {
                values.push(usize::from(value));
            }
        }
    }
    values
}

/// The share of text that has each value of each feature.
fn shares() -> [[f32; 16]; FEATURE_COUNT] {
    let folded = (0..0x80).filter(|byte| byte & FOLD != 0);
    let bytes: Vec<(u8, f32)> = folded.map(|byte| (byte, frequency(byte) / 1_000.0)).collect();
    let mut shares = [[0.0; 16]; FEATURE_COUNT];
    for &(one, share) in &bytes {
        for &(other, other_share) in &bytes {
            for (shares, value) in shares.iter_mut().zip(features([one, other, one, other])) {
                shares[usize::from(value)] += share * other_share;
            }
        }
    }
    shares
}

/// Assigns every window to a bucket. Returns the windows of each bucket, in sets for so many windows each.
pub(super) fn assign(windows: &[Window], windows_per_set: usize) -> Vec<Vec<Window>> {
    let shares = shares();
    let share = |(feature, values): (usize, &Vec<usize>)| -> f32 {
        values.iter().map(|&value| shares[feature][value]).sum()
    };
    let rated = windows.iter().map(|&window| {
        let values = values(window);
        (values.iter().enumerate().map(share).product(), window, values)
    });
    let mut order: Vec<(f32, Window, [Vec<usize>; FEATURE_COUNT])> = rated.collect();
    // Frequent windows come first, because they decide what passes a bucket.
    order.sort_by(|one, other| other.0.total_cmp(&one.0));
    let sets = windows.len().div_ceil(windows_per_set).clamp(1, MAX_SETS);
    // The share that each value would add to a bucket, the share of all values in the bucket, and the share that passes
    // the bucket.
    let mut added: Vec<[TextShareOfBuckets; 16]> = Vec::with_capacity(FEATURE_COUNT);
    added.extend(
        shares.iter().map(|values| values.map(|share| [share; BUCKETS_PER_SET * MAX_SETS])),
    );
    let mut covered: [TextShareOfBuckets; FEATURE_COUNT] =
        [[0.0; BUCKETS_PER_SET * MAX_SETS]; FEATURE_COUNT];
    let mut passed: TextShareOfBuckets = [0.0; BUCKETS_PER_SET * MAX_SETS];
    // How many windows of each bucket have each value.
    let mut counts = vec![[[0_u16; 16]; FEATURE_COUNT]; BUCKETS_PER_SET * sets];
    let mut bucket_of_window: Vec<Option<usize>> = vec![None; order.len()];
    for (home, (_, _, values)) in (0..ASSIGNMENT_ROUNDS).flat_map(|_| order.iter().enumerate()) {
        let each = || {
            values
                .iter()
                .enumerate()
                .flat_map(|(feature, values)| values.iter().map(move |&value| (feature, value)))
        };
        if let Some(bucket) = bucket_of_window[home] {
            for (feature, value) in each() {
                let count = &mut counts[bucket][feature][value];
                *count -= 1;
                if *count == 0 {
                    added[feature][value][bucket] = shares[feature][value];
                    covered[feature][bucket] -= shares[feature][value];
                }
            }
            passed[bucket] = covered.iter().map(|covered| covered[bucket]).product();
        }
        let mut passing: TextShareOfBuckets = [1.0; BUCKETS_PER_SET * MAX_SETS];
        for (feature, values) in values.iter().enumerate() {
            let mut covering = covered[feature];
            for &value in values {
                covering.iter_mut().zip(&added[feature][value]).for_each(|(all, one)| *all += one);
            }
            passing.iter_mut().zip(covering).for_each(|(all, one)| *all *= one);
        }
        let growth = |bucket: &usize| passing[*bucket] - passed[*bucket];
        let least =
            (0..BUCKETS_PER_SET * sets).min_by(|one, other| growth(one).total_cmp(&growth(other)));
        let bucket = least.unwrap_or_default();
        bucket_of_window[home] = Some(bucket);
        passed[bucket] = passing[bucket];
        for (feature, value) in each() {
            covered[feature][bucket] += std::mem::take(&mut added[feature][value][bucket]);
            counts[bucket][feature][value] += 1;
        }
    }
    let mut buckets = vec![Vec::new(); BUCKETS_PER_SET * sets];
    for ((_, window, _), bucket) in order.into_iter().zip(bucket_of_window) {
        buckets[bucket.unwrap_or_default()].push(window);
    }
    buckets
}

/// The masks of each set of buckets, by the features of four bytes.
pub(super) fn feature_masks(buckets: &[Vec<Window>]) -> Vec<FeatureMasks> {
    masks(buckets, [[0; 16]; FEATURE_COUNT], |masks: &mut FeatureMasks, window, bucket| {
        for (mask, values) in masks.iter_mut().zip(values(window)) {
            for value in values {
                mask[value] |= bucket;
            }
        }
    })
}

/// The masks of each set of buckets, by the bytes themselves.
pub(super) fn byte_masks(buckets: &[Vec<Window>]) -> Vec<ByteMasks> {
    masks(buckets, [[0; ASCII_BYTES]; WINDOW_BYTES], |masks: &mut ByteMasks, window, bucket| {
        for (place, byte) in window.gram.to_le_bytes().into_iter().enumerate() {
            let is_open = window.is_short && place + 1 == WINDOW_BYTES;
            let folded = usize::from(byte) % ASCII_BYTES;
            let fits = |at: usize| is_open || at | usize::from(FOLD) == folded;
            for at in (0..ASCII_BYTES).filter(|&at| fits(at)) {
                masks[place][at] |= bucket;
            }
        }
    })
}

fn masks<Masks: Copy>(
    buckets: &[Vec<Window>],
    none: Masks,
    add: impl Fn(&mut Masks, Window, u8),
) -> Vec<Masks> {
    let of_set = |set: &[Vec<Window>]| {
        let mut masks = none;
        for (bucket, windows) in set.iter().enumerate() {
            for &window in windows {
                add(&mut masks, window, 1 << bucket);
            }
        }
        masks
    };
    buckets.chunks(BUCKETS_PER_SET).map(of_set).collect()
}
