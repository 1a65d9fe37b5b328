//! Reads lines of a file that is too large to be held: it is masked as a stream, and only the lines that are asked for are
//! kept.

use std::os::fd::OwnedFd;
use std::time::{Duration, Instant};

use rustix::fs::{FileType, OFlags};
use rustix::io::Errno;

use crate::linux::answer::ReadFile;
use crate::linux::files::Files;
use crate::linux::judge::{Purpose, file_id, refuse_system_error};
use crate::linux::kinds::{MAX_MAGIC_BYTES, kind_of};
use crate::linux::path::RequestedPath;
use crate::linux::read::{Page, past_end, refuse_binary};
use crate::linux::request::ReadRequest;
use crate::linux::text::{BINARY_SAMPLE_BYTES, Document, Encoding, Newline};
use crate::refusal::{Refusal, code};

/// Bytes that are read at once.
const CHUNK_BYTES: usize = 256 << 10;
/// A larger file cannot be read in that time by any disk: it is refused before it is read.
const MAX_STREAMED_BYTES: u64 = 64 << 30;
/// Longest time of reading one file.
const READ_LIMIT: Duration = Duration::from_secs(10);
/// Bytes that are kept beyond those that are given, so that a line that goes on is seen to.
const BEYOND_BYTES: usize = 16;

impl Files {
    /// The lines of a file with more than `maxReadBytes` bytes. `None` for every other file. Its masks have no numbers, since
    /// it cannot be changed here.
    pub(super) fn read_large(&self, request: &ReadRequest) -> Result<Option<ReadFile>, Refusal> {
        let (requested, handle) = self.place(&request.path, Purpose::Read)?;
        let failed = |error| refuse_system_error(&requested, error, Purpose::Read);
        let file = handle.open(OFlags::RDONLY).map_err(failed)?;
        let stat = rustix::fs::fstat(&file).map_err(failed)?;
        let size = u64::try_from(stat.st_size).unwrap_or(0);
        let is_same = handle.stat().is_some_and(|found| file_id(found) == file_id(&stat));
        let is_file = FileType::from_raw_mode(stat.st_mode) == FileType::RegularFile;
        if !is_same || !is_file || size <= self.max_read_bytes {
            return Ok(None);
        }
        if size > MAX_STREAMED_BYTES {
            return Err(refuse_slow(&requested, size));
        }
        let bytes = usize::try_from(size).unwrap_or(usize::MAX);
        let path = self.display(handle.canonical());
        let most = usize::try_from(self.max_read_bytes).unwrap_or(usize::MAX);
        let most = request.max_bytes.map_or(most, |given| given.min(most));
        let mut window = Window::new(request, most);
        let mut stream = self.redactor.stream();
        let mut beginning = Vec::new();
        let mut left = bytes;
        let started = Instant::now();
        let mut chunk = Vec::with_capacity(CHUNK_BYTES);
        // What is written to it meanwhile is for the next call.
        while left > 0 {
            chunk.clear();
            read_chunk(&file, &mut chunk).map_err(failed)?;
            chunk.truncate(left);
            if chunk.is_empty() {
                break;
            }
            left -= chunk.len();
            if beginning.is_empty() {
                beginning = chunk[..chunk.len().min(BINARY_SAMPLE_BYTES)].to_vec();
                let sample = Document::decode(beginning.clone());
                let kind = kind_of(&beginning[..beginning.len().min(MAX_MAGIC_BYTES)], &sample);
                if let Some(kind) = kind {
                    return Err(refuse_binary(&path, kind, bytes));
                }
                // The lines of other encodings are not those of its bytes.
                if !matches!(sample.encoding, Encoding::Utf8 | Encoding::Unknown) {
                    return Ok(None);
                }
            }
            stream.push(&chunk, &mut |masked| window.push(masked));
            if started.elapsed() > READ_LIMIT {
                return Err(refuse_slow(&requested, size));
            }
        }
        stream.finish(&mut |masked| window.push(masked));
        let redactions = usize::try_from(stream.findings()).unwrap_or(usize::MAX);
        let (newline, final_newline) = (window.newline(), window.last == Some(b'\n'));
        let total = window.line_ends + usize::from(!final_newline);
        let (text, encoding) = window.text(request, total)?;
        // The window begins at the line and the column that were asked for.
        let within = ReadRequest { offset: 1, column: 1, max_bytes: Some(most), ..request.clone() };
        let page = Page::of_text(&text, &within)?;
        let last_line = request.offset - 1 + page.last;
        let next_column = page
            .next_column
            .map(|next| if page.last == 1 { request.column - 1 + next } else { next });
        let is_whole = last_line >= total && next_column.is_none();
        let next_offset = if next_column.is_some() { last_line } else { last_line + 1 };
        // Who knows the size and the time of the last change knows of every change that is told.
        let content = format!("{size} {} {}", stat.st_mtime, stat.st_mtime_nsec);
        let hash = self.ledger().hash(content.as_bytes());
        Ok(Some(ReadFile {
            path,
            absolute: self.masked_text(&handle.canonical().to_string_lossy()),
            bytes,
            encoding,
            bom: beginning.starts_with("\u{feff}".as_bytes()),
            newline,
            final_newline,
            redactions,
            text: page.text.to_owned(),
            first_line: request.offset,
            last_line,
            total_lines: total,
            truncated: !is_whole,
            next_offset: (!is_whole).then_some(next_offset),
            next_column,
            version: self.version(&handle, hash),
        }))
    }
}

fn read_chunk(file: &OwnedFd, chunk: &mut Vec<u8>) -> Result<(), Errno> {
    loop {
        match rustix::io::read(file, rustix::buffer::spare_capacity(chunk)) {
            Err(Errno::INTR) => {}
            read => return read.map(|_| ()),
        }
    }
}

fn refuse_slow(requested: &RequestedPath, size: u64) -> Refusal {
    let message = format!("{} is too large: {size} bytes are not read in time", requested.shown);
    Refusal::new(code::TOO_LARGE, message)
}

/// The lines of a masked text that a request asks for, taken out of its stream.
struct Window {
    /// Lines, and characters of the line behind them, that are still to be passed over.
    lines_before: usize,
    chars_before: usize,
    /// Whether the part that is kept has begun.
    is_open: bool,
    /// Whether the line ended before the column that is asked for.
    is_short: bool,
    most: usize,
    kept: Vec<u8>,
    line_ends: usize,
    carriage_returns: usize,
    last: Option<u8>,
}

impl Window {
    fn new(request: &ReadRequest, most: usize) -> Window {
        Window {
            lines_before: request.offset - 1,
            chars_before: request.column - 1,
            is_open: false,
            is_short: false,
            most: most.saturating_add(BEYOND_BYTES),
            kept: Vec::new(),
            line_ends: 0,
            carriage_returns: 0,
            last: None,
        }
    }

    fn push(&mut self, masked: &[u8]) {
        for at in memchr::memchr_iter(b'\n', masked) {
            let before = if at == 0 { self.last } else { Some(masked[at - 1]) };
            self.line_ends += 1;
            self.carriage_returns += usize::from(before == Some(b'\r'));
        }
        self.last = masked.last().copied().or(self.last);
        let mut rest = if self.is_open { masked } else { self.behind_beginning(masked) };
        rest = &rest[..rest.len().min(self.most - self.kept.len())];
        self.kept.extend_from_slice(rest);
    }

    /// What follows the place where the part begins. Empty where that is not here.
    fn behind_beginning<'t>(&mut self, mut rest: &'t [u8]) -> &'t [u8] {
        while self.lines_before > 0 {
            let Some(end) = memchr::memchr(b'\n', rest) else { return &[] };
            self.lines_before -= 1;
            rest = &rest[end + 1..];
        }
        let is_first = self.chars_before == 0;
        while let Some((&byte, others)) = rest.split_first() {
            let begins_char = byte & 0xc0 != 0x80;
            if begins_char && self.chars_before == 0 {
                self.is_open = true;
                self.is_short |= !is_first && matches!(byte, b'\n' | b'\r');
                return rest;
            }
            if byte == b'\n' {
                self.is_short = true;
                self.is_open = true;
                return rest;
            }
            self.chars_before -= usize::from(begins_char);
            rest = others;
        }
        rest
    }

    fn newline(&self) -> Newline {
        match (self.line_ends, self.carriage_returns) {
            (0, _) => Newline::None,
            (_, 0) => Newline::Lf,
            (all, returns) if all == returns => Newline::Crlf,
            _ => Newline::Mixed,
        }
    }

    /// The text from the place that was asked for on.
    fn text(self, request: &ReadRequest, total: usize) -> Result<(String, Encoding), Refusal> {
        let ReadRequest { offset, column, .. } = *request;
        if offset > total.max(1) {
            return Err(past_end(offset, total));
        }
        if self.is_short || (column > 1 && !self.is_open) {
            let message = format!("Column {column} is past the end of line {offset}");
            return Err(Refusal::new(code::PAST_END, message));
        }
        let mut kept = self.kept;
        if offset == 1 && column == 1 && kept.starts_with("\u{feff}".as_bytes()) {
            kept.drain(.."\u{feff}".len());
        }
        // The last character may be cut, far behind what is given.
        let is_cut = kept.len() == self.most;
        let valid = match std::str::from_utf8(&kept) {
            Ok(_) => true,
            Err(error) => is_cut && error.error_len().is_none(),
        };
        let encoding = if valid { Encoding::Utf8 } else { Encoding::Unknown };
        Ok((String::from_utf8_lossy(&kept).into_owned(), encoding))
    }
}
