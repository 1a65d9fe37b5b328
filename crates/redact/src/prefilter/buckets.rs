//! Windows in buckets: which of them a byte fits at each place of a window, looked up by its two halves.
//!
//! A bucket lets through every window whose bytes have halves that some window of the bucket has at that place. So
//! windows that are alike belong together; a model of how frequent bytes are says what a bucket lets through.

use super::window::{WINDOW_BYTES, Window, fold, frequency};

/// Buckets in one byte of a table.
const SET: usize = 8;

/// Fewest and most sets of buckets. A set costs time at every byte, and less of the text goes through.
const SETS: std::ops::RangeInclusive<usize> = 2..=8;

/// Windows for which there is a set of buckets.
const WINDOWS_PER_SET: usize = 110;

/// How often each window is put where it costs least.
const ROUNDS: usize = 2;

/// For every place of a window: the buckets of a set that the lower and the upper half of a byte fit.
pub(super) struct Masks {
    pub(super) low: [[u8; 16]; WINDOW_BYTES],
    pub(super) high: [[u8; 16]; WINDOW_BYTES],
}

/// Frequencies of bytes with an upper half and a lower one of a set: that of the set is the sum of two lookups.
struct Model {
    sums: Vec<[[f32; 256]; 2]>,
}

impl Model {
    fn new() -> Self {
        let mut folded = [[0.0_f32; 16]; 16];
        for byte in 0..=u8::MAX {
            let (high, low) = halves(byte);
            if fold(byte) == byte {
                folded[high][low] = frequency(byte) / 1_000.0;
            }
        }
        let mut sums = vec![[[0.0; 256]; 2]; 16];
        for (row, sums) in folded.iter().zip(sums.iter_mut()) {
            for (part, sums) in sums.iter_mut().enumerate() {
                for mask in 1..256_usize {
                    let lowest = mask.trailing_zeros() as usize;
                    sums[mask] = sums[mask & (mask - 1)] + row[8 * part + lowest];
                }
            }
        }
        Self { sums }
    }

    /// How many bytes have one of these halves each.
    fn share(&self, high: u16, low: u16) -> f32 {
        let [one, other] = low.to_le_bytes().map(usize::from);
        let mut rest = high;
        let mut share = 0.0;
        while rest != 0 {
            let sums = &self.sums[rest.trailing_zeros() as usize];
            share += sums[0][one] + sums[1][other];
            rest &= rest - 1;
        }
        share.min(1.0)
    }
}

/// Sets of halves, for each place.
#[derive(Clone, Copy, Default)]
struct Halves {
    low: [u16; WINDOW_BYTES],
    high: [u16; WINDOW_BYTES],
}

impl Halves {
    fn of(window: Window) -> Self {
        let mut halves = Self::default();
        for place in 0..WINDOW_BYTES {
            let byte = window.byte(place).map(self::halves);
            halves.low[place] = byte.map_or(u16::MAX, |(_, low)| 1 << low);
            halves.high[place] = byte.map_or(u16::MAX, |(high, _)| 1 << high);
        }
        halves
    }

    fn join(mut self, other: &Self) -> Self {
        for place in 0..WINDOW_BYTES {
            self.low[place] |= other.low[place];
            self.high[place] |= other.high[place];
        }
        self
    }

    /// How much of a text goes through.
    fn cost(&self, model: &Model) -> f32 {
        (0..WINDOW_BYTES).map(|place| model.share(self.high[place], self.low[place])).product()
    }
}

#[derive(Clone, Default)]
struct Bucket {
    halves: Halves,
    /// How much of a text goes through at each place.
    shares: [f32; WINDOW_BYTES],
    cost: f32,
    members: Vec<usize>,
}

impl Bucket {
    /// What the bucket lets through with one more window.
    fn with(&self, window: &Halves, model: &Model) -> [f32; WINDOW_BYTES] {
        let mut shares = self.shares;
        let (low, high) = (&self.halves.low, &self.halves.high);
        for place in 0..WINDOW_BYTES {
            let joined = (high[place] | window.high[place], low[place] | window.low[place]);
            if joined != (high[place], low[place]) {
                shares[place] = model.share(joined.0, joined.1);
            }
        }
        shares
    }
}

impl Masks {
    /// The masks of all sets.
    pub(super) fn new(windows: impl Iterator<Item = Window>) -> Vec<Self> {
        let mut windows: Vec<Window> = windows.collect();
        windows.sort_unstable();
        windows.dedup();
        let halves: Vec<Halves> = windows.into_iter().map(Halves::of).collect();
        let sets = halves.len().div_ceil(WINDOWS_PER_SET).clamp(*SETS.start(), *SETS.end());
        assign(&halves, sets * SET).chunks(SET).map(Self::of).collect()
    }

    fn of(buckets: &[Bucket]) -> Self {
        let empty = [[0; 16]; WINDOW_BYTES];
        let mut masks = Self { low: empty, high: empty };
        for (number, bucket) in buckets.iter().enumerate() {
            for place in 0..WINDOW_BYTES {
                for half in 0..16 {
                    let (low, high) = (bucket.halves.low[place], bucket.halves.high[place]);
                    masks.low[place][half] |= u8::from(low >> half & 1 != 0) << number;
                    // The text is not folded: the bit that folding sets may be clear there.
                    masks.high[place][half] |= u8::from(high >> (half | 2) & 1 != 0) << number;
                }
            }
        }
        masks
    }
}

/// Puts every window into the bucket whose cost grows least, again and again.
fn assign(windows: &[Halves], count: usize) -> Vec<Bucket> {
    let model = Model::new();
    let mut buckets = vec![Bucket::default(); count];
    let mut order: Vec<(f32, usize)> =
        windows.iter().enumerate().map(|(at, window)| (window.cost(&model), at)).collect();
    // Costly ones first: they decide what a bucket costs.
    order.sort_unstable_by(|one, other| other.0.total_cmp(&one.0).then(one.1.cmp(&other.1)));
    let mut home = vec![0; windows.len()];
    for round in 0..=ROUNDS {
        for &(_, window) in &order {
            if round > 0 {
                take_out(&mut buckets[home[window]], window, windows, &model);
            }
            home[window] = put_in(&mut buckets, window, &windows[window], &model);
        }
    }
    buckets
}

fn take_out(bucket: &mut Bucket, window: usize, windows: &[Halves], model: &Model) {
    bucket.members.retain(|&member| member != window);
    let members = bucket.members.iter().map(|&member| windows[member]);
    bucket.halves = members.fold(Halves::default(), |all, one| all.join(&one));
    let (low, high) = (&bucket.halves.low, &bucket.halves.high);
    bucket.shares = std::array::from_fn(|place| model.share(high[place], low[place]));
    bucket.cost = bucket.shares.iter().product();
}

/// The bucket that was chosen.
fn put_in(buckets: &mut [Bucket], window: usize, halves: &Halves, model: &Model) -> usize {
    let mut best = (f32::INFINITY, 0, [0.0; WINDOW_BYTES]);
    for (number, bucket) in buckets.iter().enumerate() {
        let shares = bucket.with(halves, model);
        let growth = shares.iter().product::<f32>() - bucket.cost;
        if growth < best.0 {
            best = (growth, number, shares);
        }
    }
    let bucket = &mut buckets[best.1];
    (bucket.halves, bucket.shares) = (bucket.halves.join(halves), best.2);
    bucket.cost = best.2.iter().product();
    bucket.members.push(window);
    best.1
}

/// Upper and lower half of a byte.
fn halves(byte: u8) -> (usize, usize) {
    (usize::from(byte >> 4), usize::from(byte & 15))
}
