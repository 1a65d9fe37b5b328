//! How fast the redactor is on one core. All times are those of the thread, speeds are in millions of bytes per second.
//!
//! `redact-speed PATH RUNS` redacts a file as a whole, and in pieces of 64 KiB, and prints the median of the runs.

mod clock;

use std::fs;
use std::hint::black_box;
use std::io::{self, Write};
use std::process::ExitCode;

use handrail_redact::{Options, Redactor};

/// The size of the pieces that a reader of a pipe passes on.
const PIECE_BYTES: usize = 64 << 10;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let result = match &arguments[..] {
        [path, runs] => runs.parse().map_err(invalid).and_then(|runs| file(path, runs)),
        _ => Err(invalid("usage: redact-speed PATH RUNS")),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            // An error of standard error cannot be reported.
            let _ = writeln!(io::stderr(), "redact-speed: {error}");
            ExitCode::FAILURE
        }
    }
}

fn invalid(error: impl Into<Box<dyn std::error::Error + Send + Sync>>) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidInput, error)
}

fn file(path: &str, runs: usize) -> io::Result<()> {
    let text = fs::read(path)?;
    let redactor = Redactor::new(Options::default()).map_err(invalid)?;
    let whole = clock::median(runs, || {
        black_box(redactor.redact(&text));
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
    let [whole, streamed] = [whole, streamed].map(|time| clock::speed(text.len(), time));
    writeln!(
        io::stdout(),
        "whole {whole:.0} MB/s, streamed {streamed:.0} MB/s, {findings} findings"
    )
}
