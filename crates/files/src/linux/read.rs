//! Reads lines of a file. The whole file is masked before lines are cut out of it.

use std::ops::Range;
use std::os::fd::AsFd;
use std::time::{Duration, Instant};

use handrail_text::{TokenBudget, end_within, first_unit};
use rustix::fs::{FileType, OFlags, Stat};
use rustix::io::Errno;

use crate::linux::answer::ReadFile;
use crate::linux::files::Files;
use crate::linux::judge::{Purpose, file_id, refuse_special_file, refuse_system_error};
use crate::linux::kinds::{MAX_MAGIC_BYTES, kind_of};
use crate::linux::path::RequestedPath;
use crate::linux::request::{ReadRequest, Text};
use crate::linux::resolve::Handle;
use crate::linux::text::{Document, lines};
use crate::linux::until_stable;
use crate::refusal::{Refusal, code};

/// Longest time of reading a file of size 0: such files are the kernel's, and some never end.
const ENDLESS_LIMIT: Duration = Duration::from_millis(300);
/// The characters of line ends.
const LINE_END: [char; 2] = ['\n', '\r'];
/// Bytes that are read at once.
const CHUNK_BYTES: usize = 64 << 10;

/// The content of a file, and its status when it was read.
#[derive(Debug)]
pub(crate) struct Content {
    pub(crate) bytes: Vec<u8>,
    pub(crate) hash: u64,
    pub(crate) stat: Stat,
}

impl Files {
    pub(super) fn read_lines(&self, request: &ReadRequest) -> Result<ReadFile, Refusal> {
        let (handle, content) = match self.open_and_read(&request.path, Purpose::Read) {
            Ok(read) => read,
            Err(refusal) if refusal.code == code::TOO_LARGE => {
                return self.read_large(request)?.ok_or(refusal);
            }
            Err(refusal) => return Err(refusal),
        };
        let bytes = content.bytes.len();
        let start = content.bytes[..bytes.min(MAX_MAGIC_BYTES)].to_vec();
        let document = Document::decode(content.bytes);
        if let Some(kind) = kind_of(&start, &document) {
            return Err(refuse_binary(&self.display(handle.canonical()), kind, bytes));
        }
        let view = self.view(handle.canonical(), &document.text);
        let page = Page::of_text(&view.text, request)?;
        // Of a line that was given in part nothing counts as given.
        let first = page.first.saturating_sub(usize::from(request.column == 1));
        let last = page.last - usize::from(page.next_column.is_some() && page.last > 0);
        let given = if page.text.is_empty() || first > last { 0..0 } else { first..last };
        let known_masks = vec![view.masks_in(&page.at)];
        self.ledger().record(file_id(&content.stat), content.hash, &view.text, given, known_masks);
        let path = self.display(handle.canonical());
        Ok(ReadFile {
            path,
            absolute: self.masked_text(&handle.canonical().to_string_lossy()),
            bytes,
            encoding: document.encoding,
            bom: document.bom,
            newline: document.newline(),
            final_newline: document.text.ends_with('\n'),
            redactions: view.masks.len(),
            text: page.text.to_owned(),
            first_line: page.first,
            last_line: page.last,
            total_lines: page.total,
            truncated: page.last < page.total || page.next_column.is_some(),
            next_offset: page.next_offset(),
            next_column: page.next_column,
            version: self.version(&handle, content.hash),
        })
    }

    /// The file that this path leads to, and its content.
    pub(crate) fn open_and_read(
        &self,
        path: &Text,
        purpose: Purpose,
    ) -> Result<(Handle, Content), Refusal> {
        until_stable(Some("Not read"), || {
            let (requested, handle) = self.place(path, purpose)?;
            let content = self.content(&requested, &handle, purpose)?;
            Ok(content.map(|content| (handle, content)))
        })
    }

    /// The content of the file of this handle; `None` when another file has its name by now.
    pub(crate) fn content(
        &self,
        requested: &RequestedPath,
        handle: &Handle,
        purpose: Purpose,
    ) -> Result<Option<Content>, Refusal> {
        let file = match handle.open(OFlags::RDONLY) {
            Ok(file) => file,
            Err(Errno::LOOP | Errno::NOENT | Errno::NXIO) => return Ok(None),
            Err(error) => return Err(refuse_system_error(requested, error, purpose)),
        };
        let stat = rustix::fs::fstat(&file)
            .map_err(|error| refuse_system_error(requested, error, purpose))?;
        let is_same = handle.stat().is_some_and(|found| file_id(found) == file_id(&stat));
        if !is_same || FileType::from_raw_mode(stat.st_mode) != FileType::RegularFile {
            return Ok(None);
        }
        let bytes = self.read_to_end(requested, &file, &stat, purpose)?;
        let hash = self.ledger().hash(&bytes);
        Ok(Some(Content { bytes, hash, stat }))
    }

    fn read_to_end(
        &self,
        requested: &RequestedPath,
        file: &impl AsFd,
        stat: &Stat,
        purpose: Purpose,
    ) -> Result<Vec<u8>, Refusal> {
        let too_large = |size: String| {
            let message = format!(
                "{} is too large: {size}, and at most {} bytes are read",
                requested.shown, self.max_read_bytes
            );
            let hint = "The host has larger files changed with `maxReadBytes`.";
            Refusal::new(code::TOO_LARGE, message).with_hint(hint)
        };
        read_all(file, stat, self.max_read_bytes).map_err(|why| match why {
            ReadFailure::TooLarge(size) => too_large(format!("{size} bytes")),
            ReadFailure::Grows => too_large("it grows while it is read".into()),
            ReadFailure::Endless => refuse_special_file(requested, purpose),
            ReadFailure::System(error) => refuse_system_error(requested, error, purpose),
        })
    }
}

/// Why a file was not read to its end.
#[derive(Debug)]
pub(crate) enum ReadFailure {
    /// The file has this many bytes.
    TooLarge(u64),
    Grows,
    Endless,
    System(Errno),
}

/// The content of a regular file. Fails for one with more than `most` bytes.
pub(crate) fn read_all(
    file: &impl AsFd,
    stat: &Stat,
    max_lines: u64,
) -> Result<Vec<u8>, ReadFailure> {
    let size = u64::try_from(stat.st_size).unwrap_or(0);
    if size > max_lines {
        return Err(ReadFailure::TooLarge(size));
    }
    let max_lines = usize::try_from(max_lines).unwrap_or(usize::MAX);
    let started = Instant::now();
    // One more byte, so that the end of the file is noticed without growing the buffer.
    let mut bytes = Vec::with_capacity(usize::try_from(size).unwrap_or(0) + 1);
    loop {
        if bytes.len() == bytes.capacity() {
            bytes.reserve(CHUNK_BYTES);
        }
        match rustix::io::read(file, rustix::buffer::spare_capacity(&mut bytes)) {
            Ok(0) => return Ok(bytes),
            Ok(_) if bytes.len() > max_lines => return Err(ReadFailure::Grows),
            Ok(_) if size == 0 && started.elapsed() > ENDLESS_LIMIT => {
                return Err(ReadFailure::Endless);
            }
            Ok(_) | Err(Errno::INTR) => {}
            Err(Errno::AGAIN) => return Err(ReadFailure::Endless),
            Err(error) => return Err(ReadFailure::System(error)),
        }
    }
}

/// Refuses to show a file that is no text.
pub(super) fn refuse_binary(path: &str, kind: &str, bytes: usize) -> Refusal {
    let message = format!("{path} is {kind} ({bytes} bytes), and no text: nothing of it is shown");
    Refusal::new(code::BINARY, message).with_hint("The tools for files show text alone.")
}

/// The lines of a text that a request asks for.
pub(super) struct Page<'t> {
    pub(super) text: &'t str,
    /// Range of `text` in the whole text.
    at: Range<usize>,
    first: usize,
    pub(super) last: usize,
    total: usize,
    /// The number of the character of the last line where the rest of it begins; `None` when that line is whole.
    pub(super) next_column: Option<usize>,
}

/// How much of a text is taken.
struct Room {
    lines: usize,
    bytes: usize,
    /// `None` for no bound.
    tokens: Option<TokenBudget>,
}

impl Room {
    /// Takes this line, or nothing of it.
    fn take(&mut self, number: Option<usize>, line: &str) -> bool {
        let mut tokens = self.tokens.clone();
        let number = number.map(|number| format!("{number}\t")).unwrap_or_default();
        let is_paid = tokens
            .as_mut()
            .is_none_or(|tokens| tokens.pay(number.as_bytes()) && tokens.pay(line.as_bytes()));
        if self.lines == 0 || line.len() > self.bytes || !is_paid {
            return false;
        }
        self.lines -= 1;
        self.bytes -= line.len();
        self.tokens = tokens;
        true
    }

    /// The length of the beginning of a line that is taken where all of it has no room: at least a character or a mask.
    fn beginning(&self, line: &str) -> usize {
        let most = self.tokens.as_ref().map_or(line.len(), |tokens| tokens.beginning(line));
        match end_within(line, most.min(self.bytes)) {
            0 => first_unit(line),
            end => end,
        }
    }
}

impl<'t> Page<'t> {
    pub(super) fn of_text(text: &'t str, request: &ReadRequest) -> Result<Page<'t>, Refusal> {
        let ReadRequest { offset: first, column, limit, .. } = *request;
        let mut room = Room {
            lines: limit,
            bytes: request.max_bytes.unwrap_or(usize::MAX),
            tokens: request.max_tokens.map(TokenBudget::new),
        };
        let mut page =
            Page { text: "", at: 0..0, first, last: first - 1, total: 0, next_column: None };
        let mut is_full = false;
        let mut line_start = 0;
        for line in lines(text) {
            page.total += 1;
            let number = page.total;
            let skipped = if number == first { start_of_column(line, request)? } else { 0 };
            let rest = &line[skipped..];
            if number == first {
                page.at = line_start + skipped..line_start + skipped;
            }
            if number >= first && !is_full {
                is_full = !room.take(request.numbered.then_some(number), rest);
                if !is_full {
                    page.at.end += rest.len();
                    page.last = number;
                } else if number == first {
                    let end = room.beginning(rest);
                    page.last = number;
                    if rest[end..].trim_end_matches(LINE_END).is_empty() {
                        page.at.end += rest.len();
                    } else {
                        page.at.end += end;
                        page.next_column = Some(column + rest[..end].chars().count());
                    }
                }
            }
            line_start += line.len();
        }
        if first > page.total.max(1) {
            return Err(past_end(first, page.total));
        }
        if page.last < first {
            page.first = page.last;
        }
        page.text = &text[page.at.clone()];
        Ok(page)
    }

    fn next_offset(&self) -> Option<usize> {
        match self.next_column {
            Some(_) => Some(self.last),
            None => (self.last < self.total).then_some(self.last + 1),
        }
    }
}

/// Where the column that a request asks for begins in its first line, in bytes.
fn start_of_column(
    line: &str,
    &ReadRequest { offset, column, .. }: &ReadRequest,
) -> Result<usize, Refusal> {
    let content = line.trim_end_matches(LINE_END);
    let mut starts = content.char_indices().map(|(at, _)| at).chain([content.len()]);
    let start = starts.nth(column - 1).filter(|at| column == 1 || *at < content.len());
    start.ok_or_else(|| {
        let message = format!(
            "Column {column} is past the end: line {offset} has {} characters",
            content.chars().count()
        );
        Refusal::new(code::PAST_END, message)
    })
}

pub(super) fn past_end(line: usize, total: usize) -> Refusal {
    let message = format!("Line {line} is past the end: the file has {total} lines");
    Refusal::new(code::PAST_END, message)
}
