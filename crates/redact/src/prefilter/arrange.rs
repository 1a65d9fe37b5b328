//! Finds buckets for the windows of the built-in rules: `HANDRAIL_ARRANGE=1 cargo test --release -p handrail-redact arrange`
//! puts new ones into those of `arranged.rs` and takes others out; with `all` for the 1 it puts every window anew, which
//! takes many away from where they are. Of all places of a text, as few as possible are to go through.

#![expect(clippy::disallowed_methods, reason = "asked to, it writes a source file")]

use std::fs;
use std::path::{Path, PathBuf};

use super::arranged::{BUCKETS, home};
use super::buckets::count;
use super::features::{FEATURES, features, values};
use super::model::SAMPLE;
use super::window::{WINDOW_BYTES, Window, fold};
use crate::engine::Engine;
use crate::options::Options;

const ARRANGE: &str = "HANDRAIL_ARRANGE=1 cargo test --release -p handrail-redact arrange";

/// Places of the texts that are looked at.
const PLACES: usize = 1 << 17;

/// How often each window is put where it costs least when all are.
const ROUNDS: usize = 16;

/// The lines of a sample are this part of the texts.
const SAMPLE_SHARE: usize = 8;

/// Most places of a thousand that the buckets may let through of the sample.
const MOST_OF_SAMPLE: usize = 20;

/// Longest line of the table.
const COLUMNS: usize = 116;

type Bits = Vec<u64>;
type Values = [u16; FEATURES];

/// Which places have a value of a feature.
struct Places {
    having: Vec<Bits>,
}

impl Places {
    fn of(text: &[u8]) -> Self {
        let mut having = vec![vec![0; PLACES / 64]; FEATURES * 16];
        let step = (text.len() - WINDOW_BYTES) / PLACES;
        for (number, window) in text.windows(WINDOW_BYTES).step_by(step).take(PLACES).enumerate() {
            let window = window.try_into().expect("a window has four bytes");
            for (feature, value) in features(window).into_iter().enumerate() {
                having[feature * 16 + usize::from(value)][number / 64] |= 1 << (number % 64);
            }
        }
        Self { having }
    }

    /// How many places have one of the values of each feature.
    fn count(&self, values: &Values) -> u32 {
        let mut both = vec![u64::MAX; PLACES / 64];
        for (feature, values) in values.iter().enumerate() {
            let mut any = vec![0; PLACES / 64];
            for value in (0..16).filter(|value| values >> value & 1 != 0) {
                let having = &self.having[feature * 16 + value];
                any.iter_mut().zip(having).for_each(|(any, having)| *any |= having);
            }
            both.iter_mut().zip(any).for_each(|(both, any)| *both &= any);
        }
        both.iter().map(|word| word.count_ones()).sum()
    }
}

fn join(one: &Values, other: &Values) -> Values {
    std::array::from_fn(|at| one[at] | other[at])
}

/// The number of the bucket of each window. Windows that have one keep it, unless `all` are put anew.
fn arrange(windows: &[Window], places: &Places, all: bool) -> Vec<usize> {
    let looks: Vec<Values> = windows.iter().map(|&window| values(window)).collect();
    let mut order: Vec<(u32, usize)> =
        looks.iter().enumerate().map(|(number, look)| (places.count(look), number)).collect();
    // Costly ones first: they decide what a bucket costs.
    order.sort_unstable_by_key(|&(cost, number)| (std::cmp::Reverse(cost), number));
    let count = count(windows.len());
    let kept = |&window: &Window| home(window).filter(|&home| !all && home < count);
    let mut homes: Vec<usize> = windows.iter().map(|one| kept(one).unwrap_or(count)).collect();
    order.retain(|&(_, window)| homes[window] == count);
    let bucket = |homes: &[usize], number: usize| {
        let members = homes.iter().zip(&looks).filter(|(home, _)| **home == number);
        let values = members.fold([0; FEATURES], |all, (_, look)| join(&all, look));
        (values, places.count(&values))
    };
    let mut buckets: Vec<_> = (0..count).map(|number| bucket(&homes, number)).collect();
    for _ in 0..ROUNDS {
        let mut moved = false;
        for &(_, window) in &order {
            let old = std::mem::replace(&mut homes[window], count);
            if old < count {
                buckets[old] = bucket(&homes, old);
            }
            let mut best = (u32::MAX, 0, buckets[0]);
            for (number, bucket) in buckets.iter().enumerate() {
                let values = join(&bucket.0, &looks[window]);
                let cost = if values == bucket.0 { bucket.1 } else { places.count(&values) };
                if cost - bucket.1 < best.0 {
                    best = (cost - bucket.1, number, (values, cost));
                }
            }
            homes[window] = best.1;
            buckets[best.1] = best.2;
            moved |= best.1 != old;
        }
        if !moved {
            break;
        }
    }
    homes
}

/// What this repository says, and lines of others.
fn texts() -> Vec<u8> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut text = Vec::new();
    for folder in ["crates", "docs", "ts"] {
        let mut files = Vec::new();
        collect(&root.join(folder), &mut files);
        files.sort();
        for file in files {
            text.extend(fs::read(file).expect("a file of the repository"));
        }
    }
    for _ in 0..text.len() / SAMPLE_SHARE / SAMPLE.len() {
        text.extend(SAMPLE.as_bytes());
    }
    text
}

/// Code and documentation, without that of the rules: their words are more frequent there than anywhere.
fn collect(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("a folder of the repository") {
        let path = entry.expect("an entry of a folder").path();
        let skipped =
            ["rules", "prefilter", "tests", "target"].iter().any(|name| path.ends_with(name));
        if path.is_dir() && !skipped {
            collect(&path, files);
        } else if path.extension().is_some_and(|end| end == "rs" || end == "ts" || end == "md") {
            files.push(path);
        }
    }
}

fn default_windows() -> Vec<Window> {
    let engine = Engine::new(Options::default()).expect("the default options");
    let mut windows: Vec<Window> = engine.triggers().windows().collect();
    windows.sort_unstable();
    windows.dedup();
    windows
}

/// The windows of each bucket as lines of `arranged.rs`.
fn table(windows: &[Window], homes: &[usize]) -> String {
    let mut lines = Vec::new();
    for bucket in 0..count(windows.len()) {
        let mut line = "    &[".to_owned();
        for (window, _) in windows.iter().zip(homes).filter(|(_, home)| **home == bucket) {
            let bytes = (0..WINDOW_BYTES).filter_map(|place| window.byte(place));
            let item = format!("{:?}, ", bytes.map(unfold).collect::<String>());
            if line.len() + item.len() > COLUMNS {
                lines.push(line.trim_end().to_owned());
                line = "       ".to_owned() + &item;
            } else {
                line += &item;
            }
        }
        lines.push(line.trim_end_matches(", ").to_owned() + "],");
    }
    lines.join("\n")
}

/// Of the bytes that fold to one, the one to read.
fn unfold(byte: u8) -> char {
    let marks = [b'_', b'\\', b'['].into_iter();
    char::from(marks.into_iter().find(|&mark| fold(mark) == byte).unwrap_or(byte))
}

fn write(table: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/prefilter/arranged.rs");
    let old = fs::read_to_string(&path).expect("the file to write");
    let (head, rest) = old.split_once("= &[\n").expect("the table");
    let (_, tail) = rest.split_once("\n];\n").expect("its end");
    fs::write(path, format!("{head}= &[\n{table}\n];\n{tail}"))
        .expect("a file that can be written");
}

#[test]
fn windows_of_the_rules_are_arranged() {
    let windows = default_windows();
    if let Some(asked) = std::env::var_os("HANDRAIL_ARRANGE") {
        let homes = arrange(&windows, &Places::of(&texts()), asked == "all");
        return write(&table(&windows, &homes));
    }
    assert_eq!(
        BUCKETS.len(),
        count(windows.len()),
        "HANDRAIL_ARRANGE=all takes as many as are searched"
    );
    let missing = windows.iter().filter(|&&window| home(window).is_none()).count();
    assert_eq!(missing, 0, "{ARRANGE} puts them into buckets");
    let arranged: usize = BUCKETS.iter().map(|bucket| bucket.len()).sum();
    assert_eq!(arranged, windows.len(), "{ARRANGE} takes others out");
}

#[test]
fn little_of_a_text_goes_through() {
    let bucket = |windows: &&[&str]| {
        let windows = windows.iter().map(|window| values(Window::at(window.as_bytes(), 0)));
        windows.fold([0; FEATURES], |all, one| join(&all, &one))
    };
    let buckets: Vec<Values> = BUCKETS.iter().map(bucket).collect();
    let goes_through = |window: &&[u8]| {
        let features = features((*window).try_into().expect("four bytes"));
        let fits = |values: &Values| (0..FEATURES).all(|at| values[at] >> features[at] & 1 != 0);
        buckets.iter().any(fits)
    };
    let count = SAMPLE.as_bytes().windows(WINDOW_BYTES).filter(goes_through).count();
    assert!(count * 1_000 <= MOST_OF_SAMPLE * SAMPLE.len(), "{count} of {}", SAMPLE.len());
}
