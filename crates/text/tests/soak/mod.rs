//! How long the soak tests run, and the numbers they are made from.
#![allow(dead_code, clippy::allow_attributes, reason = "each test file uses a part of it")]
#![expect(clippy::disallowed_methods, reason = "a reduced row runs for a time")]

use std::time::{Duration, Instant};

/// A reduced row still runs this long, unless its full count is reached before.
const REDUCED_MINIMUM: Duration = Duration::from_millis(500);

/// How often a soak test repeats, in hundredths of its full count.
#[expect(clippy::disallowed_methods, reason = "how long to test is the runner's choice")]
pub(crate) fn soak() -> u32 {
    std::env::var("HANDRAIL_SOAK").ok().and_then(|factor| factor.parse().ok()).unwrap_or(1)
}

/// Calls `body` with the numbers from 0, until its share of `full` is done and, when reduced, `REDUCED_MINIMUM` has passed.
/// Says how many `what` that were, and how long they took; `npm run soak` shows the line.
#[expect(clippy::print_stdout, reason = "the line is the row's result")]
pub(crate) fn repeat(what: &str, full: u64, mut body: impl FnMut(u64)) {
    let count = (full * u64::from(soak())).div_ceil(100).max(1);
    let started = Instant::now();
    let mut done = 0;
    while done < full && (done < count || started.elapsed() < REDUCED_MINIMUM) {
        body(done);
        done += 1;
    }
    println!("\nsoak: {done} {what} in {:.1} s", started.elapsed().as_secs_f64());
}

/// Numbers that a seed decides.
pub(crate) struct Random(u64);

impl Random {
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed)
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// A number below `limit`, which is above 0.
    pub(crate) fn below(&mut self, limit: usize) -> usize {
        usize::try_from(self.next() % limit as u64).expect("below a usize")
    }

    pub(crate) fn pick<'a, T>(&mut self, from: &'a [T]) -> &'a T {
        &from[self.below(from.len())]
    }

    /// Whether one in `count` comes up.
    pub(crate) fn one_in(&mut self, count: usize) -> bool {
        self.below(count) == 0
    }

    pub(crate) fn bytes(&mut self, count: usize) -> Vec<u8> {
        (0..count).map(|_| self.next().to_le_bytes()[0]).collect()
    }

    /// The text in pieces: at up to seven places anywhere, or, one time in four, at every few bytes.
    pub(crate) fn split<'a>(&mut self, text: &'a [u8]) -> Vec<&'a [u8]> {
        if self.one_in(4) {
            let longest = 1 + self.below(8);
            let mut rest = text;
            let mut pieces = Vec::new();
            while !rest.is_empty() {
                let (piece, after) = rest.split_at((1 + self.below(longest)).min(rest.len()));
                pieces.push(piece);
                rest = after;
            }
            return pieces;
        }
        let mut cuts: Vec<usize> =
            (0..=self.below(7)).map(|_| self.below(text.len() + 1)).collect();
        cuts.extend([0, text.len()]);
        cuts.sort_unstable();
        cuts.windows(2).map(|pair| &text[pair[0]..pair[1]]).collect()
    }
}
