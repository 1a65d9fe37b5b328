//! Reads lines of a file. The whole file is masked before lines are cut out of it.

use std::ops::Range;
use std::os::fd::AsFd;
use std::time::{Duration, Instant};

use rustix::fs::{FileType, OFlags, Stat};
use rustix::io::Errno;

use crate::linux::answer::ReadFile;
use crate::linux::files::Files;
use crate::linux::judge::{Purpose, file_id, refuse_special_file, refuse_system_error};
use crate::linux::path::RequestedPath;
use crate::linux::request::{ReadRequest, Text};
use crate::linux::resolve::Handle;
use crate::linux::text::{Document, Encoding, lines};
use crate::linux::until_stable;
use crate::linux::view::MaskedView;
use crate::refusal::{Refusal, code};

/// Longest time of reading a file of size 0: such files are the kernel's, and some never end.
const ENDLESS_LIMIT: Duration = Duration::from_millis(300);
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
        let (handle, content) = self.open_and_read(&request.path, Purpose::Read)?;
        let bytes = content.bytes.len();
        let document = Document::decode(content.bytes);
        let view = MaskedView::of(&self.redactor, &document.text);
        let page = Page::of_text(&view.text, request)?;
        let given = if page.is_cut || page.text.is_empty() {
            0..0
        } else {
            page.first.saturating_sub(1)..page.last
        };
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
            binary: document.encoding == Encoding::Binary,
            redactions: view.masks.len(),
            text: page.text.to_owned(),
            first_line: page.first,
            last_line: page.last,
            total_lines: page.total,
            truncated: page.last < page.total || page.is_cut,
            next_offset: (page.last < page.total).then_some(page.last + 1),
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
            Refusal::new(code::TOO_LARGE, message)
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

/// The lines of a text that a request asks for.
struct Page<'t> {
    text: &'t str,
    /// Range of `text` in the whole text.
    at: Range<usize>,
    first: usize,
    last: usize,
    total: usize,
    /// Whether the only line was too long and is cut.
    is_cut: bool,
}

impl<'t> Page<'t> {
    fn of_text(text: &'t str, request: &ReadRequest) -> Result<Page<'t>, Refusal> {
        let (first, max_lines) = (request.offset, request.limit);
        let max_bytes = request.max_bytes.unwrap_or(usize::MAX);
        let (mut start, mut end, mut total, mut lines_taken) = (0, 0, 0, 0);
        let mut is_full = false;
        for line in lines(text) {
            total += 1;
            if total < first {
                start += line.len();
                end = start;
            } else if !is_full
                && lines_taken < max_lines
                && (end - start + line.len() <= max_bytes || lines_taken == 0)
            {
                end += line.len();
                lines_taken += 1;
            } else {
                is_full = true;
            }
        }
        if first > total.max(1) {
            let message = format!("Line {first} is past the end: the file has {total} lines");
            return Err(Refusal::new(code::PAST_END, message));
        }
        let is_cut = end - start > max_bytes;
        if is_cut {
            end = (start..=start + max_bytes)
                .rev()
                .find(|&at| text.is_char_boundary(at))
                .unwrap_or(start);
        }
        let last = if lines_taken == 0 { first - 1 } else { first + lines_taken - 1 };
        let first = if lines_taken == 0 { last.min(first) } else { first };
        Ok(Page { text: &text[start..end], at: start..end, first, last, total, is_cut })
    }
}
