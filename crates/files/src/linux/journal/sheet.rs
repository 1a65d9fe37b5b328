//! The file of one record: a head, the contents that the call replaced as far as they are short, and what is written down of
//! the call. One file costs less than a folder with one for each content: making and removing files is what takes time.
//!
//! The head says how far the call is and where the text is that counts. A longer text goes to the end before the head names
//! it, so that a process that is killed meanwhile leaves the one before.

use std::os::fd::{AsFd, OwnedFd};

use rustix::fs::{FlockOperation, Mode, OFlags};
use rustix::io::Errno;

use super::record::Record;

/// Letter of the stage, offset and length of the text as hexadecimal digits, line end.
const HEAD_BYTES: usize = 2 + 2 * NUMBER_DIGITS;
const NUMBER_DIGITS: usize = 16;
/// Longest text of a record.
const MAX_TEXT_BYTES: u64 = 64 << 20;
pub(super) const KEPT_MODE: Mode = Mode::RUSR.union(Mode::WUSR);

/// How far a call is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Stage {
    /// Places may be changed, and are taken back when the process ends.
    Pending,
    /// Every place has changed.
    Done,
}

impl Stage {
    fn letter(self) -> char {
        match self {
            Stage::Pending => 'P',
            Stage::Done => 'D',
        }
    }
}

/// The open file of a record, locked as long as the process lives.
#[derive(Debug)]
pub(super) struct Sheet {
    file: OwnedFd,
    end: u64,
}

/// The file that a killed process left.
pub(super) struct Abandoned {
    pub(super) sheet: Sheet,
    /// What it says; `None` where that was not written whole.
    pub(super) said: Option<(Stage, Record)>,
}

impl Sheet {
    pub(super) fn create(folder: &OwnedFd, name: &str) -> Result<Sheet, Errno> {
        let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | OFlags::CLOEXEC;
        let file = rustix::fs::openat(folder, name, flags, KEPT_MODE)?;
        rustix::fs::flock(&file, FlockOperation::NonBlockingLockExclusive)?;
        Ok(Sheet { file, end: 0 })
    }

    /// The file that a killed process left. `None` while the process lives, and when the record is gone.
    pub(super) fn abandoned(folder: &OwnedFd, name: &str) -> Result<Option<Abandoned>, Errno> {
        let flags = OFlags::RDWR | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        let file = match rustix::fs::openat(folder, name, flags, Mode::empty()) {
            Err(Errno::NOENT) => return Ok(None),
            opened => opened?,
        };
        match rustix::fs::flock(&file, FlockOperation::NonBlockingLockExclusive) {
            Err(Errno::WOULDBLOCK) => return Ok(None),
            locked => locked?,
        }
        let stat = rustix::fs::fstat(&file)?;
        if stat.st_nlink == 0 {
            return Ok(None);
        }
        let said = read(&file);
        Ok(Some(Abandoned { sheet: Sheet { file, end: stat.st_size.cast_unsigned() }, said }))
    }

    /// Where the next content goes.
    pub(super) fn next_offset(&self) -> u64 {
        self.end.max(HEAD_BYTES as u64)
    }

    /// Writes contents, which go to `next_offset`, and what is known of the call by now.
    pub(super) fn write(&mut self, contents: &[u8], record: &Record) -> Result<(), Errno> {
        let text = serde_json::to_vec(record).map_err(|_| Errno::INVAL)?;
        let at = self.next_offset();
        let head = head(Stage::Pending, at + contents.len() as u64, text.len() as u64);
        if self.end == 0 {
            write_at(&self.file, &[head.as_bytes(), contents, &text].concat(), 0)?;
        } else {
            write_at(&self.file, &[contents, &text].concat(), at)?;
            write_at(&self.file, head.as_bytes(), 0)?;
        }
        self.end = at + (contents.len() + text.len()) as u64;
        Ok(())
    }

    /// Every place has changed: from this moment the call counts as done.
    pub(super) fn done(&self) -> Result<(), Errno> {
        write_at(&self.file, Stage::Done.letter().to_string().as_bytes(), 0)
    }
}

fn head(stage: Stage, offset: u64, length: u64) -> String {
    let letter = stage.letter();
    format!("{letter}{offset:0NUMBER_DIGITS$x}{length:0NUMBER_DIGITS$x}\n")
}

/// How far the call is, and what is written down of it. `None` where that was not written whole.
pub(super) fn read(file: impl AsFd) -> Option<(Stage, Record)> {
    let head = String::from_utf8(read_at(&file, 0, HEAD_BYTES as u64).ok()?).ok()?;
    let stage =
        [Stage::Pending, Stage::Done].into_iter().find(|one| head.starts_with(one.letter()))?;
    let number = |at: usize| u64::from_str_radix(head.get(at..at + NUMBER_DIGITS)?, 16).ok();
    let (offset, length) = (number(1)?, number(1 + NUMBER_DIGITS)?);
    if length > MAX_TEXT_BYTES {
        return None;
    }
    let text = read_at(&file, offset, length).ok()?;
    Some((stage, serde_json::from_slice(&text).ok()?))
}

/// At most this many bytes of a file, fewer at its end.
pub(super) fn read_at(file: impl AsFd, offset: u64, length: u64) -> Result<Vec<u8>, Errno> {
    let mut bytes = vec![0; usize::try_from(length).map_err(|_| Errno::FBIG)?];
    let mut filled = 0;
    while filled < bytes.len() {
        match rustix::io::pread(&file, &mut bytes[filled..], offset + filled as u64) {
            Ok(0) => break,
            Ok(count) => filled += count,
            Err(Errno::INTR) => {}
            Err(error) => return Err(error),
        }
    }
    bytes.truncate(filled);
    Ok(bytes)
}

fn write_at(file: &OwnedFd, mut bytes: &[u8], mut offset: u64) -> Result<(), Errno> {
    while !bytes.is_empty() {
        match rustix::io::pwrite(file, bytes, offset) {
            Ok(0) => return Err(Errno::IO),
            Ok(written) => {
                bytes = &bytes[written..];
                offset += written as u64;
            }
            Err(Errno::INTR) => {}
            Err(error) => return Err(error),
        }
    }
    Ok(())
}
