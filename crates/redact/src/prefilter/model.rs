//! How much of ordinary text goes through a set of windows: counted on pairs of bytes of a sample.
//!
//! What a window's bytes say of each other is taken from their pairs alone, as if text were a chain of such pairs:
//! P(abcd) = P(ab) P(bc) P(cd) / P(b) P(c).

use std::sync::LazyLock;

use super::features::{FEATURES, features};

/// Pairs of the sample that are looked at.
const PAIRS: usize = 512;

/// One bit for each of them.
pub(super) type Bits = [u64; PAIRS / 64];

/// The features that depend on the first two bytes of a window, on the middle ones and on the last two.
const SLOTS: [&[usize]; 3] = [&[0, 1, 4, 6], &[1, 2, 7], &[2, 3, 5]];

/// Where in [`SLOTS`] the features are that depend on the second byte alone, and on the third.
const SHARED: [(usize, usize); 2] = [(1, 0), (2, 0)];

/// How many slots a place has at most.
const MOST_SLOTS: usize = 4;

/// Lines as terminals and editors show them. Only how often two bytes meet counts.
pub(super) const SAMPLE: &str = r#"2026-05-11T08:42:17.318Z INFO [http.server] request finished method=GET path=/api/v1/users/42 status=200 ms=13
{"time":"2026-05-11T08:42:19Z","level":"warn","msg":"retry in 250 ms","service":"billing","attempt":3,"ok":false}
pub fn read(&mut self, input: &[u8]) -> Result<usize, Error> { let length = input.len().min(self.rest); }
    at Module._compile (node:internal/modules/cjs/loader:1376:14) /usr/lib/node_modules/npm/lib/cli.js
export const options = { name: 'default', values: [1, 20, 300], async handler(event) { return await next(event); } };
commit 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b Merge branch 'main' of the project, see CONTRIBUTING.md for more
   Compiling serde_json v1.0.149  [ 64%] Building CXX object src/CMakeFiles/core.dir/string_view.cpp.o
error: expected one of `,` or `}`, found `;` --> src/main.rs:118:24 (1 warning, 2 tests failed, 0 ignored)
def get_value(key, default=None): # The first one that is not empty is taken, otherwise what the caller gave us.
10.0.3.17 - - [11/May/2026:08:42:17 +0000] "POST /static/js/index.js HTTP/1.1" 304 "Mozilla/5.0 (X11; Linux x86_64)"
if (typeof this.state !== "undefined" && config.length > 0) throw new TypeError(`Invalid argument ${index}`);
import { readFile, writeFile } from 'node:fs/promises'; const parsed = JSON.parse(await readFile(path, 'utf8'));
        for (const [name, item] of Object.entries(parsed.items)) {
            if (!item.enabled || item.type === 'unknown') continue;
        }
/// Returns the number of bytes that were written, or an error when the connection was closed by the other side.
impl<T: Clone + Default> Iterator for Windows<T> { type Item = Vec<T>; fn next(&mut self) -> Option<Self::Item> { None } }
#[cfg(target_os = "linux")] pub const SYS_open: c_long = 2; pub const PATH_MAX: c_int = 0x1000; #[test] fn splits() {}
    /** @param {string[]} args The arguments of the command, see https://nodejs.org/api/process.html for a list of them. */
	const char *message = buffer ? strchr(buffer, '\n') : "no message";	/* never NULL */ return sizeof(buffer) - 1;
        assert_eq!(parse("a = 1\n").unwrap(), vec![Token::Word("a"), Token::Equals, Token::Number(1)]);
export interface ClientOptions { readonly timeout?: number; signal: AbortSignal | undefined; retries: 0 | 1 | 2; }
<div class="content"><a href="/docs/index.html">Documentation</a></div>  [32m✓[0m src/utils/format.test.ts (12) 48ms
Downloading https://files.example.org/packages/linux-x64/tool-2.14.0.tar.gz (5.2 MB): 100% |########| eta 0:00:03
Step 4/9 : RUN apt-get update && apt-get install -y --no-install-recommends ca-certificates git && rm -rf /var/lib/apt
W0511 08:42:17 controller.go:114] pod default/web-7d4b9c6f5-x2x9q: container restarted, last exit code 137, node pool-1
#include <stdio.h> static int count(struct list *node, const char *text) { return node == NULL ? 0 : 1; }
"#;

/// Which pairs of the sample have a value of a feature, by slot.
pub(super) struct Model {
    having: [[[Bits; 16]; MOST_SLOTS]; 3],
}

pub(super) static MODEL: LazyLock<Model> = LazyLock::new(Model::new);

/// The pairs that fit some windows, by slot.
#[derive(Clone, Copy)]
pub(super) struct Fits([[Bits; MOST_SLOTS]; 3]);

impl Model {
    fn new() -> Self {
        let mut having = [[[Bits::default(); 16]; MOST_SLOTS]; 3];
        let pairs = SAMPLE.as_bytes().windows(2);
        let step = pairs.len() / PAIRS;
        for (number, pair) in pairs.step_by(step).take(PAIRS).enumerate() {
            for (place, slots) in SLOTS.iter().enumerate() {
                let mut window = [0; 4];
                window[place..place + 2].copy_from_slice(pair);
                let features = features(window);
                for (slot, feature) in slots.iter().enumerate() {
                    let value = usize::from(features[*feature]);
                    having[place][slot][value][number / 64] |= 1 << (number % 64);
                }
            }
        }
        Self { having }
    }

    /// The pairs that have one of the values of each feature.
    pub(super) fn fits(&self, values: &[u16; FEATURES]) -> Fits {
        let mut fits = Fits::NONE;
        for (place, slots) in SLOTS.iter().enumerate() {
            for (slot, feature) in slots.iter().enumerate() {
                let having = self.having[place][slot].iter().enumerate();
                for (_, having) in having.filter(|(value, _)| values[*feature] >> value & 1 != 0) {
                    fits.0[place][slot] = join(&fits.0[place][slot], having);
                }
            }
        }
        fits
    }
}

impl Fits {
    pub(super) const NONE: Self = Self([[[0; PAIRS / 64]; MOST_SLOTS]; 3]);

    pub(super) fn join(&self, other: &Self) -> Self {
        let slot = |place: usize, slot: usize| join(&self.0[place][slot], &other.0[place][slot]);
        Self(std::array::from_fn(|place| std::array::from_fn(|at| slot(place, at))))
    }
}

/// What goes through of a text: pairs that fit at each place, and of those that overlap.
#[derive(Clone, Copy)]
pub(super) struct Shares([f32; 3], [f32; 2]);

impl Shares {
    pub(super) const NONE: Self = Self([0.0; 3], [0.0; 2]);

    /// Of windows with these values.
    #[target_feature(enable = "avx2,popcnt")]
    pub(super) fn of(values: &[u16; FEATURES], fits: &Fits) -> Self {
        Self::NONE.with(&[0; FEATURES], fits, values, fits)
    }

    /// With windows that have the values `more`, besides those that have `values`. Only what differs is counted.
    #[inline]
    #[target_feature(enable = "avx2,popcnt")]
    pub(super) fn with(
        mut self,
        values: &[u16; FEATURES],
        fits: &Fits,
        more: &[u16; FEATURES],
        other: &Fits,
    ) -> Self {
        let new = |feature: usize| more[feature] & !values[feature] != 0;
        for (place, slots) in SLOTS.iter().enumerate() {
            if !slots.iter().any(|&feature| new(feature)) {
                continue;
            }
            let mut both = [u64::MAX; PAIRS / 64];
            for slot in 0..slots.len() {
                let (one, other) = (&fits.0[place][slot], &other.0[place][slot]);
                for at in 0..both.len() {
                    both[at] &= one[at] | other[at];
                }
            }
            self.0[place] = counted(&both);
        }
        for (number, (place, slot)) in SHARED.into_iter().enumerate() {
            if new(SLOTS[place][slot]) {
                self.1[number] = counted(&join(&fits.0[place][slot], &other.0[place][slot]));
            }
        }
        self
    }

    pub(super) fn product(&self) -> f32 {
        let ([first, middle, last], [second, third]) = (self.0, self.1);
        first * middle * last / (second * third)
    }
}

fn join(one: &Bits, other: &Bits) -> Bits {
    std::array::from_fn(|at| one[at] | other[at])
}

/// What part of the pairs that is. Never nothing: the sample is small.
#[inline]
#[target_feature(enable = "avx2,popcnt")]
fn counted(bits: &Bits) -> f32 {
    let count: u32 = bits.iter().map(|word| word.count_ones()).sum();
    #[expect(clippy::cast_precision_loss, reason = "at most a thousand")]
    let share = (count as f32 + 0.5) / PAIRS as f32;
    share
}
