//! Windows in buckets: which of them the features of four bytes fit, looked up feature by feature.
//!
//! A bucket lets through every four bytes that share each feature with some window of the bucket. So windows that are
//! alike belong together. Those of the built-in rules are put where [`arranged`] says, which took seconds to find; for
//! others a model of text says what a bucket lets through.

use super::arranged;
use super::features::{FEATURES, values};
use super::model::{Fits, MODEL, Shares};
use super::window::Window;

/// Buckets in one byte of a table.
const SET: usize = 8;

/// Fewest and most sets of buckets. A set costs time at every byte, and less of the text goes through.
const SETS: std::ops::RangeInclusive<usize> = 2..=8;

/// Windows for which there is a set of buckets.
const WINDOWS_PER_SET: usize = 130;

/// How often each window is put where it costs least, after the first time.
const ROUNDS: usize = 1;

/// How many buckets there are for so many windows.
pub(super) fn count(windows: usize) -> usize {
    SET * windows.div_ceil(WINDOWS_PER_SET).clamp(*SETS.start(), *SETS.end())
}

/// For every feature: the buckets of a set that each of its values fits.
pub(super) struct Masks(pub(super) [[u8; 16]; FEATURES]);

/// What a window, or all of a bucket, has of each feature.
#[derive(Clone, Copy)]
struct Look {
    values: [u16; FEATURES],
    fits: Fits,
}

impl Look {
    const NONE: Self = Self { values: [0; FEATURES], fits: Fits::NONE };

    fn of(values: [u16; FEATURES]) -> Self {
        Self { values, fits: MODEL.fits(&values) }
    }

    fn join(&self, other: &Self) -> Self {
        let values = std::array::from_fn(|feature| self.values[feature] | other.values[feature]);
        Self { values, fits: self.fits.join(&other.fits) }
    }
}

#[derive(Clone)]
struct Bucket {
    /// What the windows have that were put here beforehand.
    arranged: Look,
    /// The same with its members.
    look: Look,
    shares: Shares,
    /// How much of a text goes through.
    cost: f32,
    members: Vec<usize>,
}

impl Bucket {
    const EMPTY: Self = Self {
        arranged: Look::NONE,
        look: Look::NONE,
        shares: Shares::NONE,
        cost: 0.0,
        members: Vec::new(),
    };

    /// Counts what goes through.
    #[target_feature(enable = "avx2,popcnt")]
    fn count(&mut self) {
        (self.shares, self.cost) = (Shares::NONE, 0.0);
        if self.look.values[0] != 0 {
            self.shares = Shares::of(&self.look.values, &self.look.fits);
            self.cost = self.shares.product();
        }
    }
}

impl Masks {
    /// The masks of all sets.
    #[target_feature(enable = "avx2,popcnt")]
    pub(super) fn new(windows: impl Iterator<Item = Window>) -> Vec<Self> {
        let mut windows: Vec<Window> = windows.collect();
        windows.sort_unstable();
        windows.dedup();
        assign(&windows, count(windows.len())).chunks(SET).map(Self::of).collect()
    }

    fn of(buckets: &[Bucket]) -> Self {
        let mut masks = [[0; 16]; FEATURES];
        for (number, bucket) in buckets.iter().enumerate() {
            for (mask, values) in masks.iter_mut().zip(bucket.look.values) {
                for (value, mask) in mask.iter_mut().enumerate() {
                    *mask |= u8::from(values >> value & 1 != 0) << number;
                }
            }
        }
        Self(masks)
    }
}

/// Puts every window into a bucket.
#[target_feature(enable = "avx2,popcnt")]
fn assign(windows: &[Window], count: usize) -> Vec<Bucket> {
    let mut buckets = vec![Bucket::EMPTY; count];
    let mut others = Vec::new();
    for &window in windows {
        match arranged::home(window).and_then(|home| buckets.get_mut(home)) {
            Some(bucket) => {
                let all = &mut bucket.look.values;
                all.iter_mut().zip(values(window)).for_each(|(all, value)| *all |= value);
            }
            None => others.push(window),
        }
    }
    if !others.is_empty() {
        for bucket in &mut buckets {
            bucket.look = Look::of(bucket.look.values);
            bucket.arranged = bucket.look;
            bucket.count();
        }
        put(&others, &mut buckets);
    }
    buckets
}

/// Puts every window into the bucket whose cost grows least, again and again.
#[target_feature(enable = "avx2,popcnt")]
fn put(windows: &[Window], buckets: &mut [Bucket]) {
    let looks: Vec<Look> = windows.iter().map(|&window| Look::of(values(window))).collect();
    let mut order: Vec<(f32, usize)> = Vec::with_capacity(looks.len());
    for (number, look) in looks.iter().enumerate() {
        order.push((Shares::of(&look.values, &look.fits).product(), number));
    }
    // Costly ones first: they decide what a bucket costs.
    order.sort_unstable_by(|one, other| other.0.total_cmp(&one.0).then(one.1.cmp(&other.1)));
    let mut home = vec![0; looks.len()];
    for round in 0..=ROUNDS {
        for &(_, window) in &order {
            if round > 0 {
                take_out(&mut buckets[home[window]], window, &looks);
            }
            home[window] = put_in(buckets, window, &looks[window]);
        }
    }
}

#[target_feature(enable = "avx2,popcnt")]
fn take_out(bucket: &mut Bucket, window: usize, looks: &[Look]) {
    bucket.members.retain(|&member| member != window);
    let members = bucket.members.iter().map(|&member| &looks[member]);
    bucket.look = members.fold(bucket.arranged, |all, one| all.join(one));
    bucket.count();
}

/// The bucket that was chosen.
#[target_feature(enable = "avx2,popcnt")]
fn put_in(buckets: &mut [Bucket], window: usize, look: &Look) -> usize {
    let mut best = (f32::INFINITY, 0, Shares::NONE);
    for (number, bucket) in buckets.iter().enumerate() {
        let Look { values, fits } = &bucket.look;
        let shares = bucket.shares.with(values, fits, &look.values, &look.fits);
        let growth = shares.product() - bucket.cost;
        if growth < best.0 {
            best = (growth, number, shares);
        }
    }
    let bucket = &mut buckets[best.1];
    (bucket.look, bucket.shares) = (bucket.look.join(look), best.2);
    bucket.cost = best.2.product();
    bucket.members.push(window);
    best.1
}
