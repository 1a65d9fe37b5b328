//! Finds numbers that are extreme beside the others of their column.

use super::rarity::rarity;

/// How many times as large an extreme is as nine tenths of the numbers, and as half of them.
const EXTREME_OVER_MOST: f32 = 4.0;
const EXTREME_OVER_HALF: f32 = 8.0;

/// Sizes are told apart by half octaves, from 2^-7 on.
const BUCKETS: usize = 96;
const FIRST_BUCKET: u32 = (127 - 7) * 2;
/// After so many further numbers it is asked again how large an extreme is.
const NUMBERS_PER_BOUND: u64 = 64;

/// How many numbers of a column have which size.
#[derive(Default)]
pub(super) struct Numbers {
    rows: u64,
    negative_rows: u64,
    zero_rows: u64,
    sizes: Option<Box<[u32; BUCKETS]>>,
    /// A larger number is an extreme.
    bound: f32,
}

impl Numbers {
    pub(super) fn add(&mut self, number: f32) {
        self.rows += 1;
        self.negative_rows += u64::from(number < 0.0);
        self.zero_rows += u64::from(number == 0.0);
        if number != 0.0 {
            let sizes = self.sizes.get_or_insert_with(|| Box::new([0; BUCKETS]));
            sizes[bucket(number)] = sizes[bucket(number)].saturating_add(1);
        }
        if self.rows < NUMBERS_PER_BOUND || self.rows.is_multiple_of(NUMBERS_PER_BOUND) {
            self.look_at_bound();
        }
    }

    fn look_at_bound(&mut self) {
        let most = self.size_below(9, 10) * EXTREME_OVER_MOST;
        self.bound = most.max(self.size_below(1, 2) * EXTREME_OVER_HALF);
    }

    /// How rare it is that a number is as extreme; 0 for one that is no extreme.
    pub(super) fn rarity(&self, number: f32) -> f32 {
        if number < 0.0 {
            let most_are_positive = self.negative_rows * 10 < self.rows;
            return if most_are_positive { rarity(self.rows, self.negative_rows) } else { 0.0 };
        }
        match &self.sizes {
            Some(sizes) if number > self.bound => {
                let as_large = sizes[bucket(number)..].iter().map(|rows| u64::from(*rows)).sum();
                rarity(self.rows, as_large)
            }
            _ => 0.0,
        }
    }

    /// The largest size of a share of the numbers.
    fn size_below(&self, part: u64, whole: u64) -> f32 {
        let mut left = (self.rows * part).div_ceil(whole).saturating_sub(self.zero_rows);
        for (rows, bucket) in self.sizes.iter().flat_map(|sizes| sizes.iter()).zip(0..) {
            if left == 0 {
                return size_of(bucket);
            }
            left = left.saturating_sub(u64::from(*rows));
        }
        f32::INFINITY
    }
}

/// The bucket of a size: its exponent, and whether it is in the upper half of the octave.
fn bucket(number: f32) -> usize {
    let size = (number.abs().to_bits() >> 22).saturating_sub(FIRST_BUCKET);
    (size as usize).min(BUCKETS - 1)
}

/// The smallest size in a bucket; 0 in the first, which holds all that is smaller.
fn size_of(bucket: u32) -> f32 {
    if bucket == 0 { 0.0 } else { f32::from_bits((bucket + FIRST_BUCKET) << 22) }
}
