//! How fast the redactor is on one core. All times are those of the thread, speeds are in millions of bytes per second.
//!
//! ```text
//! redact-speed file PATH [RUNS]          redact as a whole, into new memory and into used, and in pieces of 64 KiB
//! redact-speed hostile [BYTES] [NAME]    inputs made to be slow, at this size and at twice of it
//! redact-speed unit BYTES TEXT…          the same with such pieces
//! redact-speed search [UNITS] [SEED]     looks for such inputs among many and lists the slowest
//! redact-speed build [RUNS]              building a redactor, also with a thousand patterns of a user
//! redact-speed rules PATH [RUNS]         the cost of 10, 100 and 1,000 patterns of a user
//! redact-speed write-log BYTES           a log of mixed kinds with some secrets, the same in every run
//! redact-speed write-source BYTES DIR…   source files of these folders in a fixed disorder
//! ```

mod clock;
mod corpus;
mod hostile;
#[path = "../../../crates/node/src/memory.rs"]
mod memory;
/// The same that the tests hold to be linear.
#[path = "../../../crates/redact/tests/all/support/hostile.rs"]
mod pieces;
mod search;
mod user_rules;

use std::cell::Cell;
use std::fs;
use std::hint::black_box;
use std::io::{self, Write};
use std::process::ExitCode;

use handrail_redact::{Options, Redactor};

/// What a reader of a pipe hands on at a time.
const PIECE_BYTES: usize = 64 << 10;

/// Runs of which the median is taken, unless the caller says otherwise.
const RUNS: usize = 5;

/// Bytes of a hostile input, unless the caller says otherwise.
const HOSTILE_BYTES: usize = 16_000_000;

/// Units tried in a search, unless the caller says otherwise.
const SEARCHED_UNITS: usize = 10_000;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match run(&arguments, &mut io::stdout()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            // Nothing more can be done when this fails as well.
            let _ = writeln!(io::stderr(), "redact-speed: {error}");
            ExitCode::FAILURE
        }
    }
}

fn run(arguments: &[&str], output: &mut impl Write) -> io::Result<()> {
    match arguments {
        ["file", path] => file(path, RUNS, output),
        ["file", path, runs] => file(path, number(runs)?, output),
        ["hostile"] => hostile::measure(HOSTILE_BYTES, "", output),
        ["hostile", bytes] => hostile::measure(number(bytes)?, "", output),
        ["hostile", bytes, name] => hostile::measure(number(bytes)?, name, output),
        ["unit", bytes, pieces @ ..] => {
            let pieces = pieces.iter().map(|piece| piece.as_bytes());
            hostile::measure_each(number(bytes)?, pieces, output)
        }
        ["search"] => search::search(SEARCHED_UNITS, 0, output),
        ["search", units] => search::search(number(units)?, 0, output),
        ["search", units, seed] => search::search(number(units)?, number(seed)?, output),
        ["build"] => user_rules::build(RUNS, output),
        ["build", runs] => user_rules::build(number(runs)?, output),
        ["rules", path] => user_rules::scan(&fs::read(path)?, RUNS, output),
        ["rules", path, runs] => user_rules::scan(&fs::read(path)?, number(runs)?, output),
        ["write-log", bytes] => corpus::log(number(bytes)?, output),
        ["write-source", bytes, folders @ ..] => corpus::source(number(bytes)?, folders, output),
        _ => {
            Err(io::Error::new(io::ErrorKind::InvalidInput, "see the head of main.rs for its use"))
        }
    }
}

fn number(text: &str) -> io::Result<usize> {
    let error = |_| io::Error::new(io::ErrorKind::InvalidInput, format!("`{text}` is no number"));
    text.replace('_', "").parse().map_err(error)
}

fn file(path: &str, runs: usize, output: &mut impl Write) -> io::Result<()> {
    let text = fs::read(path)?;
    let redactor = default_redactor()?;
    // As the binding does for JavaScript.
    let whole = clock::median(runs, || {
        black_box(redactor.redact_in(&text, memory::vector));
    });
    let used = Cell::new(Vec::with_capacity(2 * text.len()));
    let again = clock::median(runs, || {
        let redacted = redactor.redact_in(&text, |_| {
            let mut memory = used.take();
            memory.clear();
            memory
        });
        used.set(redacted.unwrap_or_default());
    });
    let mut findings = 0;
    let streamed = clock::median(runs, || {
        let mut stream = redactor.stream();
        let mut redacted = Vec::with_capacity(2 * PIECE_BYTES);
        for piece in text.chunks(PIECE_BYTES) {
            redacted.clear();
            stream.push(piece, &mut |bytes| redacted.extend_from_slice(bytes));
            black_box(&redacted);
        }
        stream.finish(&mut |bytes| redacted.extend_from_slice(bytes));
        findings = stream.findings();
    });
    let [whole, again, streamed] =
        [whole, again, streamed].map(|time| clock::speed(text.len(), time));
    writeln!(
        output,
        "{path}: whole {whole:.0} MB/s, into memory used before {again:.0} MB/s, streamed {streamed:.0} MB/s ({:.2} of \
         the latter), {findings} findings",
        streamed / again
    )
}

fn default_redactor() -> io::Result<Redactor> {
    redactor(Options::default())
}

fn redactor(options: Options) -> io::Result<Redactor> {
    Redactor::new(options).map_err(|error| io::Error::new(io::ErrorKind::InvalidInput, error))
}
