//! The floor of a command runner, its lower bound: the cost of starting a program and of reading a
//! pipe when nothing else is done.
//!
//! Driven over standard input, one line per measurement, so that a benchmark can interleave
//! this and other runners. Each answer is one line: `ok NANOSECONDS BYTES`.

mod lines;
mod reading;
mod spawning;
mod terminal;

use std::io::{self, BufRead, Write};
use std::process::ExitCode;

/// Written to when memory is touched; smaller than any page in use.
const PAGE_BYTES: usize = 4096;

/// One measurement.
struct Taken {
    nanoseconds: u128,
    bytes: u64,
}

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let result = match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["serve"] => serve(),
        ["write", bytes] => number(bytes).and_then(|bytes| lines::write(bytes, lines::log())),
        ["assign", bytes] => {
            number(bytes).and_then(|bytes| lines::write(bytes, lines::assignments()))
        }
        _ => Err(io::ErrorKind::InvalidInput.into()),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        // The driver reads only the exit code.
        Err(_) => ExitCode::FAILURE,
    }
}

fn number(text: &str) -> io::Result<u64> {
    text.parse().map_err(|_| io::ErrorKind::InvalidInput.into())
}

/// Answers until standard input ends.
fn serve() -> io::Result<()> {
    let mut ballast = Vec::new();
    let mut answers = io::stdout();
    for line in io::stdin().lock().lines() {
        let line = line?;
        let taken = match line.split(' ').collect::<Vec<_>>()[..] {
            ["spawn", program] => spawning::spawn(program)?,
            ["terminal", bytes] => terminal::read(number(bytes)?)?,
            ["read", bytes] => reading::read(number(bytes)?)?,
            ["hold", bytes] => hold(&mut ballast, number(bytes)?)?,
            _ => return Err(io::ErrorKind::InvalidInput.into()),
        };
        answers.write_all(format!("ok {} {}\n", taken.nanoseconds, taken.bytes).as_bytes())?;
        answers.flush()?;
    }
    Ok(())
}

/// Keeps this much touched memory, like the host that is compared with.
fn hold(ballast: &mut Vec<u8>, bytes: u64) -> io::Result<Taken> {
    let length = usize::try_from(bytes).map_err(|_| io::ErrorKind::InvalidInput)?;
    *ballast = vec![0; length];
    for page in ballast.chunks_mut(PAGE_BYTES) {
        page[0] = 1;
    }
    Ok(Taken { nanoseconds: 0, bytes: std::hint::black_box(&*ballast).len() as u64 })
}
