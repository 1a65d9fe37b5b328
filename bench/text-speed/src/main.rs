//! The cost of turning terminal output into bounded text, with two baselines: a copy of the same bytes, and a stripper that
//! only removes escape sequences.
//!
//! `text-speed [MEBIBYTES] [ROUNDS] [WORD]` prints one line per measurement (whose name has the word): the median over all
//! rounds, in MB (10^6 bytes) of input per second of this thread's CPU time. The measurements take turns, so that a busy
//! machine disturbs all alike.

mod bounding;
mod corpus;
mod stripper;

use std::io::Write;
use std::process::ExitCode;

use corpus::Corpus;
use handrail_text::Cleaner;
use rustix::time::{ClockId, clock_gettime};

const PIECE_BYTES: usize = 64 << 10;
const DEFAULT_MEBIBYTES: usize = 64;
const DEFAULT_ROUNDS: usize = 7;

/// A measurement, and its time in each round.
pub(crate) struct Row<'a> {
    name: String,
    bytes: usize,
    run: Box<dyn FnMut() + 'a>,
    nanoseconds: Vec<u128>,
}

impl<'a> Row<'a> {
    pub(crate) fn new(name: impl Into<String>, bytes: usize, run: impl FnMut() + 'a) -> Self {
        Self { name: name.into(), bytes, run: Box::new(run), nanoseconds: Vec::new() }
    }

    fn measure(&mut self) {
        let begun = thread_nanoseconds();
        (self.run)();
        self.nanoseconds.push(thread_nanoseconds() - begun);
    }

    fn megabytes_per_second(&mut self) -> u128 {
        self.nanoseconds.sort_unstable();
        let median = self.nanoseconds.get(self.nanoseconds.len() / 2).copied().unwrap_or(0);
        self.bytes as u128 * 1000 / median.max(1)
    }
}

fn thread_nanoseconds() -> u128 {
    let time = clock_gettime(ClockId::ThreadCPUTime);
    u128::try_from(time.tv_sec).unwrap_or(0) * 1_000_000_000
        + u128::try_from(time.tv_nsec).unwrap_or(0)
}

fn main() -> ExitCode {
    let mut arguments = std::env::args().skip(1);
    let mut number = |default| arguments.next().map_or(Ok(default), |text| text.parse::<usize>());
    let (Ok(mebibytes), Ok(rounds)) = (number(DEFAULT_MEBIBYTES), number(DEFAULT_ROUNDS)) else {
        return ExitCode::FAILURE;
    };
    let word = arguments.next().unwrap_or_default();
    let bytes = mebibytes << 20;
    let corpora = [
        ("mixed", Corpus::of(bytes, corpus::mixed)),
        ("plain", Corpus::of(bytes / 4, corpus::plain)),
        ("CR LF", Corpus::of(bytes / 4, corpus::crlf)),
        ("coloured", Corpus::of(bytes / 4, corpus::coloured)),
        ("progress", Corpus::of(bytes / 4, corpus::progress)),
        ("other scripts", Corpus::of(bytes / 4, corpus::other_scripts)),
        ("invalid UTF-8", Corpus::of(bytes / 4, corpus::invalid)),
    ];
    for (name, corpus) in &corpora {
        if clean(&corpus.raw, PIECE_BYTES) != corpus.clean {
            report(&format!("the text of '{name}' is wrong"));
            return ExitCode::FAILURE;
        }
    }
    let mixed = &corpora[0].1;
    let mut rows = floor(&mixed.raw);
    for (name, corpus) in &corpora {
        rows.push(cleaner(format!("clean: {name}, 64 KiB pieces"), &corpus.raw, PIECE_BYTES));
    }
    rows.push(cleaner("clean: mixed, 4 KiB pieces".into(), &mixed.raw, 4 << 10));
    rows.extend(bounding::rows(&mixed.clean));
    rows.retain(|row| row.name.contains(&word));
    for _ in 0..rounds {
        rows.iter_mut().for_each(Row::measure);
    }
    for row in &mut rows {
        let speed = row.megabytes_per_second();
        report(&format!("{speed:7} MB/s  {}", row.name));
    }
    ExitCode::SUCCESS
}

/// The baselines: lower bounds, and a stripper that does less.
fn floor(raw: &[u8]) -> Vec<Row<'_>> {
    let mut copy = vec![0; raw.len()];
    let mut stripped = Vec::with_capacity(raw.len());
    vec![
        Row::new("memcpy", raw.len(), move || {
            copy.copy_from_slice(raw);
            std::hint::black_box(&copy);
        }),
        Row::new("finding ESC, CR and BS, nothing done", raw.len(), move || {
            std::hint::black_box(memchr::memchr3_iter(0x1b, b'\r', 0x08, raw).count());
        }),
        Row::new("escape sequences cut out, nothing resolved or decoded", raw.len(), move || {
            stripped.clear();
            stripper::strip(raw, &mut stripped);
            std::hint::black_box(&stripped);
        }),
    ]
}

fn cleaner(name: String, raw: &[u8], piece_bytes: usize) -> Row<'_> {
    let mut text = Vec::with_capacity(2 * raw.len());
    Row::new(name, raw.len(), move || {
        text.clear();
        let mut cleaner = Cleaner::new();
        for piece in raw.chunks(piece_bytes) {
            cleaner.push(piece, &mut |bytes| text.extend_from_slice(bytes));
        }
        cleaner.finish(&mut |bytes| text.extend_from_slice(bytes));
        std::hint::black_box(&text);
    })
}

fn clean(raw: &[u8], piece_bytes: usize) -> Vec<u8> {
    let mut text = Vec::new();
    let mut cleaner = Cleaner::new();
    for piece in raw.chunks(piece_bytes) {
        cleaner.push(piece, &mut |bytes| text.extend_from_slice(bytes));
    }
    cleaner.finish(&mut |bytes| text.extend_from_slice(bytes));
    text
}

fn report(line: &str) {
    // The output may be a closed pipe.
    let _ = writeln!(std::io::stdout(), "{line}");
}
