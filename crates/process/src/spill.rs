//! The capped file that holds what does not fit into a result.

use std::fs::File;
use std::io::{self, Write};
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};

use handrail_redact::Redactor;
use rustix::fs::{AtFlags, CWD, Mode, OFlags};
use rustix::io::Errno;

use crate::outcome::Spilled;

/// Who may enter the folders above the file: only this user.
const FOLDER_MODE: Mode = Mode::RWXU;
/// Read at once when a file is masked again.
const COPY_BYTES: usize = 64 * 1024;
const FILE_MODE: Mode = Mode::RUSR.union(Mode::WUSR);

/// Receives the cleaned and redacted output from its first byte on.
pub(crate) struct Spill {
    directory: PathBuf,
    name: String,
    limit: u64,
    state: State,
}

enum State {
    /// Everything so far, while it is small enough to need no file.
    Buffered { bytes: Vec<u8>, threshold: usize },
    Writing {
        file: File,
        /// Commands may put another in its place.
        folder: OwnedFd,
        written: u64,
        complete: bool,
    },
    /// Not wanted, or the file could not be made or written: there is none to offer.
    Off,
}

impl Spill {
    /// Makes a file once more than `threshold` bytes came. `limit` bytes are kept; 0 turns it off.
    pub(crate) fn new(directory: &Path, run: u64, threshold: usize, limit: u64) -> Spill {
        let state =
            if limit == 0 { State::Off } else { State::Buffered { bytes: Vec::new(), threshold } };
        Spill { directory: directory.to_path_buf(), name: format!("run-{run}.txt"), limit, state }
    }

    pub(crate) fn push(&mut self, chunk: &[u8]) {
        if let State::Buffered { bytes, threshold } = &mut self.state {
            if bytes.len() + chunk.len() <= *threshold {
                bytes.extend_from_slice(chunk);
                return;
            }
            let buffered = std::mem::take(bytes);
            // An output that cannot be kept is still an output.
            self.state = self.open().unwrap_or(State::Off);
            self.write(&buffered);
        }
        self.write(chunk);
    }

    /// Masks what was written before a secret was known. Where that fails there is no file to offer.
    pub(crate) fn mask_again(&mut self, redactor: &Redactor) {
        let State::Writing { file, folder, written, .. } = &mut self.state else { return };
        if let Ok(masked) = rewritten(file, folder.as_fd(), &self.name, redactor) {
            (*file, *written) = masked;
        } else {
            let _ = rustix::fs::unlinkat(folder, &self.name, AtFlags::empty());
            self.state = State::Off;
        }
    }

    fn open(&self) -> io::Result<State> {
        let folder = open_folder(&self.directory)?;
        let file = create(folder.as_fd(), &self.name)?;
        Ok(State::Writing { file, folder, written: 0, complete: true })
    }

    fn write(&mut self, chunk: &[u8]) {
        let State::Writing { file, folder, written, complete } = &mut self.state else { return };
        let room = usize::try_from(self.limit - *written).unwrap_or(usize::MAX);
        let part = &chunk[..chunk.len().min(room)];
        *complete &= part.len() == chunk.len();
        if part.is_empty() {
            return;
        }
        if file.write_all(part).is_ok() {
            *written += part.len() as u64;
        } else {
            // A full disk costs the spill, not the command; a torn file is not offered.
            let _ = rustix::fs::unlinkat(folder, &self.name, AtFlags::empty());
            self.state = State::Off;
        }
    }

    /// What can be read under its path; nothing when something else is there by now.
    pub(crate) fn finish(self) -> Option<Spilled> {
        let State::Writing { file, written, complete, .. } = self.state else { return None };
        let path = self.directory.join(self.name);
        let (named, own) = (rustix::fs::lstat(&path).ok()?, rustix::fs::fstat(&file).ok()?);
        let same = (named.st_dev, named.st_ino) == (own.st_dev, own.st_ino);
        same.then_some(Spilled { path, bytes: written, complete })
    }
}

fn create(folder: BorrowedFd<'_>, name: &str) -> io::Result<File> {
    let flags = OFlags::RDWR | OFlags::CREATE | OFlags::EXCL | OFlags::CLOEXEC;
    Ok(rustix::fs::openat(folder, name, flags, FILE_MODE)?.into())
}

/// A masked copy of `file` in its place, and its length.
fn rewritten(
    file: &File,
    folder: BorrowedFd<'_>,
    name: &str,
    redactor: &Redactor,
) -> io::Result<(File, u64)> {
    let next = format!("{name}.next");
    let mut copy = create(folder, &next)?;
    let written = mask_into(&mut copy, file, redactor).and_then(|written| {
        rustix::fs::renameat(folder, &next, folder, name)?;
        Ok(written)
    });
    match written {
        Ok(written) => Ok((copy, written)),
        Err(error) => {
            // What cannot be completed is not left behind; the folder goes with the session in any case.
            let _ = rustix::fs::unlinkat(folder, &next, AtFlags::empty());
            Err(error)
        }
    }
}

/// Writes what `file` holds to `copy`, masked. Gives how much that is.
fn mask_into(copy: &mut File, file: &File, redactor: &Redactor) -> io::Result<u64> {
    let mut stream = redactor.stream();
    let mut buffer = vec![0; COPY_BYTES];
    let mut masked = Vec::new();
    let (mut read, mut written) = (0, 0);
    loop {
        let count = file.read_at(&mut buffer, read)?;
        read += count as u64;
        masked.clear();
        let mut keep = |bytes: &[u8]| masked.extend_from_slice(bytes);
        if count == 0 {
            stream.finish(&mut keep);
        } else {
            stream.push(&buffer[..count], &mut keep);
        }
        copy.write_all(&masked)?;
        written += masked.len() as u64;
        if count == 0 {
            return Ok(written);
        }
    }
}

/// Opens the spill folder, and makes it when somebody removed it. Nobody else may have made what is
/// there, and no link leads there.
fn open_folder(path: &Path) -> io::Result<OwnedFd> {
    let (above, name) = path.parent().zip(path.file_name()).ok_or(io::ErrorKind::InvalidInput)?;
    let above = open_private(CWD, above)?;
    match rustix::fs::mkdirat(&above, name, FOLDER_MODE) {
        Ok(()) | Err(Errno::EXIST) => open_private(above.as_fd(), Path::new(name)),
        Err(error) => Err(error.into()),
    }
}

fn open_private(above: BorrowedFd<'_>, path: &Path) -> io::Result<OwnedFd> {
    let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    let folder = rustix::fs::openat(above, path, flags, Mode::empty())?;
    let status = rustix::fs::fstat(&folder)?;
    let own = status.st_uid == rustix::process::geteuid().as_raw();
    let shared = Mode::from_raw_mode(status.st_mode).intersects(Mode::RWXG | Mode::RWXO);
    if own && !shared { Ok(folder) } else { Err(io::ErrorKind::PermissionDenied.into()) }
}

#[cfg(test)]
mod tests;
