//! A command with a large output: lines that are prepared once and written as fast as the pipe accepts them.

use std::fs::File;
use std::io::{self, Write};
use std::os::fd::AsFd;

const BUFFER_BYTES: usize = 1024 * 1024;
const LEVELS: [&str; 4] = ["DEBUG", "INFO", "INFO", "WARN"];
const PATHS: [&str; 5] =
    ["/api/v1/items", "/api/v1/items/search", "/health", "/static/app.js", "/api/v2/orders/new"];
const MESSAGES: [&str; 5] = [
    "request finished",
    "cache miss, reading from the second level",
    "connection reused",
    "retry scheduled after a timeout of the upstream",
    "row written",
];

/// Writes exactly `bytes` of these lines; the last one may be cut.
pub(crate) fn write(bytes: u64, lines: impl FnMut(usize) -> String) -> io::Result<()> {
    let buffer = prepare(lines);
    // Not `Stdout`, which would write each line separately.
    let mut output = File::from(io::stdout().as_fd().try_clone_to_owned()?);
    let mut left = bytes;
    while left > 0 {
        let count = buffer.len().min(usize::try_from(left).unwrap_or(usize::MAX));
        output.write_all(&buffer[..count])?;
        left -= count as u64;
    }
    Ok(())
}

/// A generator of the same pseudo-random numbers in every run.
fn numbers() -> impl FnMut(usize) -> usize {
    let mut state: u64 = 0x9e37_79b9_7f4a_7c15;
    move |below| {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(state >> 33).unwrap_or(0) % below
    }
}

/// Log lines of a server, no two of them equal.
pub(crate) fn log() -> impl FnMut(usize) -> String {
    let mut next = numbers();
    move |count| {
        let (level, path) = (LEVELS[next(LEVELS.len())], PATHS[next(PATHS.len())]);
        let message = MESSAGES[next(MESSAGES.len())];
        let (status, time, size) = ([200, 201, 304, 404][next(4)], next(900), next(90_000));
        format!(
            "2026-03-14T09:{:02}:{:02}.{:03}Z {level:5} [worker-{}] {message} method=GET \
             path={path} status={status} duration_ms={time} bytes={size} n={count}\n",
            next(60),
            next(60),
            next(1000),
            next(16),
        )
    }
}

/// Names that secrets often follow, with harmless values: the most work for a redactor.
pub(crate) fn assignments() -> impl FnMut(usize) -> String {
    let mut next = numbers();
    move |count| format!("key={}ms auth=none token_count={} n={count}\n", next(900), next(4096))
}

fn prepare(mut line: impl FnMut(usize) -> String) -> Vec<u8> {
    let mut buffer = Vec::with_capacity(BUFFER_BYTES);
    let mut count = 0;
    while buffer.len() < BUFFER_BYTES {
        count += 1;
        let line = line(count);
        let room = BUFFER_BYTES - buffer.len();
        buffer.extend_from_slice(&line.as_bytes()[..line.len().min(room)]);
    }
    // The buffer is written repeatedly, so it must end with a whole line.
    buffer[BUFFER_BYTES - 1] = b'\n';
    buffer
}
