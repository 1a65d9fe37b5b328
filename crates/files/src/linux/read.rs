//! Reading: the whole file is masked before lines are cut out of it.

use std::ops::Range;
use std::os::fd::AsFd;
use std::time::{Duration, Instant};

use rustix::fs::{FileType, OFlags, Stat};
use rustix::io::Errno;

use crate::linux::answer::ReadFile;
use crate::linux::files::Files;
use crate::linux::judge::{Purpose, file_id, special_file, system};
use crate::linux::path::Asked;
use crate::linux::request::{ReadRequest, Text};
use crate::linux::resolve::Handle;
use crate::linux::text::{Document, Encoding, lines};
use crate::linux::view::View;
use crate::refusal::{Refusal, code};

/// Tries when a file is exchanged between finding and opening it.
const MAX_TRIES: usize = 32;
/// How long a file that names no size may go on: such files are the kernel's, and some never end.
const ENDLESS_LIMIT: Duration = Duration::from_millis(300);
/// Read at a time.
const CHUNK_BYTES: usize = 64 << 10;

/// The content of a file, and what it was when it was read.
#[derive(Debug)]
pub(crate) struct Content {
    pub(crate) bytes: Vec<u8>,
    pub(crate) hash: u64,
    pub(crate) stat: Stat,
}

impl Files {
    /// Lines of a file.
    pub fn read(&self, request: &ReadRequest) -> Result<ReadFile, Refusal> {
        self.read_lines(request).map_err(|refusal| self.masked(refusal))
    }

    fn read_lines(&self, request: &ReadRequest) -> Result<ReadFile, Refusal> {
        let (handle, content) = self.open_and_read(&request.path, Purpose::Read)?;
        let bytes = content.bytes.len();
        let document = Document::decode(content.bytes);
        let view = View::of(&self.redactor, &document.text);
        let page = Page::cut(&view.text, request)?;
        let given = if page.is_cut || page.text.is_empty() {
            0..0
        } else {
            page.first.saturating_sub(1)..page.last
        };
        let numbers = vec![view.masks_in(&page.at)];
        self.ledger().record(file_id(&content.stat), content.hash, &view.text, given, numbers);
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

    /// The file that has this name, and what is in it.
    pub(crate) fn open_and_read(
        &self,
        path: &Text,
        purpose: Purpose,
    ) -> Result<(Handle, Content), Refusal> {
        for _ in 0..MAX_TRIES {
            let (asked, handle) = self.place(path, purpose)?;
            if let Some(content) = self.content(&asked, &handle, purpose)? {
                return Ok((handle, content));
            }
        }
        let message = "The file is being replaced all the time; nothing was read";
        Err(Refusal::new(code::CHANGED_ON_DISK, message))
    }

    /// What is in the file of this handle; `None` when another file has its name by now.
    pub(crate) fn content(
        &self,
        asked: &Asked,
        handle: &Handle,
        purpose: Purpose,
    ) -> Result<Option<Content>, Refusal> {
        let file = match handle.open(OFlags::RDONLY) {
            Ok(file) => file,
            Err(Errno::LOOP | Errno::NOENT | Errno::NXIO) => return Ok(None),
            Err(error) => return Err(system(asked, error, purpose)),
        };
        let stat = rustix::fs::fstat(&file).map_err(|error| system(asked, error, purpose))?;
        let is_same = handle.stat().is_some_and(|found| file_id(found) == file_id(&stat));
        if !is_same || FileType::from_raw_mode(stat.st_mode) != FileType::RegularFile {
            return Ok(None);
        }
        let bytes = self.read_to_end(asked, &file, &stat, purpose)?;
        let hash = self.ledger().hash(&bytes);
        Ok(Some(Content { bytes, hash, stat }))
    }

    fn read_to_end(
        &self,
        asked: &Asked,
        file: &impl AsFd,
        stat: &Stat,
        purpose: Purpose,
    ) -> Result<Vec<u8>, Refusal> {
        let too_large = |size: String| {
            let message = format!(
                "{} is too large: {size}, and at most {} bytes are read",
                asked.shown, self.max_read_bytes
            );
            Refusal::new(code::TOO_LARGE, message)
        };
        read_all(file, stat, self.max_read_bytes).map_err(|why| match why {
            Unread::TooLarge(size) => too_large(format!("{size} bytes")),
            Unread::Grows => too_large("it grows while it is read".into()),
            Unread::Endless => special_file(asked, purpose),
            Unread::System(error) => system(asked, error, purpose),
        })
    }
}

/// Why a file was not read to its end.
#[derive(Debug)]
pub(crate) enum Unread {
    /// So many bytes are in it.
    TooLarge(u64),
    Grows,
    Endless,
    System(Errno),
}

/// All that is in a regular file, if that is not more than so many bytes.
pub(crate) fn read_all(file: &impl AsFd, stat: &Stat, most: u64) -> Result<Vec<u8>, Unread> {
    let size = u64::try_from(stat.st_size).unwrap_or(0);
    if size > most {
        return Err(Unread::TooLarge(size));
    }
    let most = usize::try_from(most).unwrap_or(usize::MAX);
    let started = Instant::now();
    // One more, so that the end is seen without making room for another piece.
    let mut bytes = Vec::with_capacity(usize::try_from(size).unwrap_or(0) + 1);
    loop {
        if bytes.len() == bytes.capacity() {
            bytes.reserve(CHUNK_BYTES);
        }
        match rustix::io::read(file, rustix::buffer::spare_capacity(&mut bytes)) {
            Ok(0) => return Ok(bytes),
            Ok(_) if bytes.len() > most => return Err(Unread::Grows),
            Ok(_) if size == 0 && started.elapsed() > ENDLESS_LIMIT => return Err(Unread::Endless),
            Ok(_) | Err(Errno::INTR) => {}
            Err(Errno::AGAIN) => return Err(Unread::Endless),
            Err(error) => return Err(Unread::System(error)),
        }
    }
}

/// The lines that were asked for.
struct Page<'t> {
    text: &'t str,
    /// Where it stands in the whole.
    at: Range<usize>,
    first: usize,
    last: usize,
    total: usize,
    /// The only line was too long.
    is_cut: bool,
}

impl<'t> Page<'t> {
    fn cut(text: &'t str, request: &ReadRequest) -> Result<Page<'t>, Refusal> {
        let (first, most) = (request.offset, request.limit);
        let budget = request.max_bytes.unwrap_or(usize::MAX);
        let (mut start, mut end, mut total, mut taken) = (0, 0, 0, 0);
        let mut is_full = false;
        for line in lines(text) {
            total += 1;
            if total < first {
                start += line.len();
                end = start;
            } else if !is_full && taken < most && (end - start + line.len() <= budget || taken == 0)
            {
                end += line.len();
                taken += 1;
            } else {
                is_full = true;
            }
        }
        if first > total.max(1) {
            let message = format!("Line {first} is past the end: the file has {total} lines");
            return Err(Refusal::new(code::PAST_END, message));
        }
        let is_cut = end - start > budget;
        if is_cut {
            end = (start..=start + budget)
                .rev()
                .find(|&at| text.is_char_boundary(at))
                .unwrap_or(start);
        }
        let last = if taken == 0 { first - 1 } else { first + taken - 1 };
        let first = if taken == 0 { last.min(first) } else { first };
        Ok(Page { text: &text[start..end], at: start..end, first, last, total, is_cut })
    }
}
