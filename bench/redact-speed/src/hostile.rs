//! Inputs made to be slow: one short piece again and again, without a line break unless it has one.

use std::hint::black_box;
use std::io::{self, Write};

use crate::pieces::PIECES;
use crate::{clock, default_redactor};

/// Less would be a way to stop whoever redacts.
pub(crate) const LEAST_SPEED: f64 = 50.0;

/// Twice the input may take this much more time; the rest is noise.
const MOST_GROWTH: f64 = 2.4;

/// Runs of each.
const RUNS: usize = 3;

/// Measures those whose piece holds `name`. Fails when one is too slow or its time grows faster than its size.
pub(crate) fn measure(bytes: usize, name: &str, output: &mut impl Write) -> io::Result<()> {
    let pieces = PIECES.iter().copied();
    let named =
        |piece: &&[u8]| piece.windows(name.len().max(1)).any(|part| part == name.as_bytes());
    measure_each(bytes, pieces.filter(|piece| name.is_empty() || named(piece)), output)
}

/// The same with these pieces.
pub(crate) fn measure_each<'p>(
    bytes: usize,
    pieces: impl Iterator<Item = &'p [u8]>,
    output: &mut impl Write,
) -> io::Result<()> {
    let redactor = default_redactor()?;
    let mut breaches = 0;
    for piece in pieces {
        let time = |bytes: usize| {
            let text = filled(piece, bytes);
            clock::median(RUNS, || {
                black_box(redactor.redact(&text));
            })
        };
        let (once, twice) = (time(bytes), time(2 * bytes));
        let speed = clock::speed(2 * bytes, twice);
        let growth = twice.as_secs_f64() / once.as_secs_f64().max(1e-9);
        let breach = speed < LEAST_SPEED || growth > MOST_GROWTH;
        breaches += usize::from(breach);
        let mark = if breach { "  <<<" } else { "" };
        let piece = String::from_utf8_lossy(piece);
        writeln!(output, "{speed:8.0} MB/s  x{growth:.2}  {piece:?}{mark}")?;
    }
    if breaches > 0 {
        return Err(io::Error::other(format!("{breaches} inputs are too slow")));
    }
    Ok(())
}

/// The piece again and again.
pub(crate) fn filled(piece: &[u8], bytes: usize) -> Vec<u8> {
    piece.iter().copied().cycle().take(bytes).collect()
}
