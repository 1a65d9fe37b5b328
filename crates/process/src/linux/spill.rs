//! The capped file with the whole output of a run that does not fit into its result.

mod budget;
mod folder;

use std::fs::File;
use std::io::{self, Write};
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};

use handrail_redact::Redactor;
use rustix::fs::{AtFlags, Mode, OFlags};

pub(crate) use self::budget::Budget;
use self::budget::Claim;
use self::folder::Identity;
use crate::outcome::Spilled;

/// How much is read at once when a file is masked again.
const COPY_BYTES: usize = 64 * 1024;
const FILE_MODE: Mode = Mode::RUSR.union(Mode::WUSR);

/// Takes the cleaned and redacted output from its first byte on.
pub(crate) struct Spill {
    directory: PathBuf,
    name: String,
    limit: u64,
    budget: Budget,
    state: State,
}

enum State {
    /// The whole output so far, while it is small enough to need no file.
    Buffered { bytes: Vec<u8>, threshold: usize },
    Writing {
        file: File,
        /// The folder of the file. Commands may put another one in its place.
        folder: OwnedFd,
        written: u64,
        claim: Claim,
        /// False once a part was left out. Then nothing more is written, so that the file has no gap.
        complete: bool,
    },
    /// There is no file: none is wanted, or it could not be made or written.
    Off,
}

impl Spill {
    /// Makes a file once more than `threshold` bytes came. `limit` bytes are kept, fewer when the budget
    /// has no room; 0 turns it off.
    pub(crate) fn new(
        directory: &Path,
        name: String,
        threshold: usize,
        limit: u64,
        budget: &Budget,
    ) -> Spill {
        let state =
            if limit == 0 { State::Off } else { State::Buffered { bytes: Vec::new(), threshold } };
        Spill { directory: directory.to_path_buf(), name, limit, budget: budget.clone(), state }
    }

    pub(crate) fn push(&mut self, chunk: &[u8]) {
        if let State::Buffered { bytes, threshold } = &mut self.state {
            if bytes.len() + chunk.len() <= *threshold {
                bytes.extend_from_slice(chunk);
                return;
            }
            let buffered = std::mem::take(bytes);
            // The run goes on without a file.
            self.state = self.open().unwrap_or(State::Off);
            self.write(&buffered);
        }
        self.write(chunk);
    }

    /// Masks text that was written before a secret was known. Where that fails, the file is removed.
    pub(crate) fn mask_again(&mut self, redactor: &Redactor) {
        let State::Writing { file, folder, written, claim, .. } = &mut self.state else { return };
        let copy = self.budget.claim();
        if let Ok(masked) = rewritten(file, folder.as_fd(), &self.name, redactor, copy) {
            (*file, *written, *claim) = masked;
        } else {
            self.discard();
        }
    }

    /// Removes the file, if there is one.
    fn discard(&mut self) {
        if let State::Writing { file, folder, .. } = std::mem::replace(&mut self.state, State::Off)
            && let Ok(own) = rustix::fs::fstat(&file)
        {
            folder::remove(&folder, &self.name, Identity::of(&own));
        }
    }

    fn open(&self) -> io::Result<State> {
        let mut claim = self.budget.claim();
        if claim.grow(1) == 0 {
            return Err(io::ErrorKind::StorageFull.into());
        }
        let folder = folder::open(&self.directory)?;
        let file = create(folder.as_fd(), &self.name)?;
        Ok(State::Writing { file, folder, written: 0, claim, complete: true })
    }

    fn write(&mut self, chunk: &[u8]) {
        let State::Writing { file, written, claim, complete, .. } = &mut self.state else { return };
        if !*complete {
            return;
        }
        let size = claim.grow((*written + chunk.len() as u64).min(self.limit));
        let free_bytes = usize::try_from(size - *written).unwrap_or(usize::MAX);
        let part = &chunk[..chunk.len().min(free_bytes)];
        *complete = part.len() == chunk.len();
        if part.is_empty() {
            return;
        }
        if file.write_all(part).is_ok() {
            *written += part.len() as u64;
        } else {
            // On a full disk the file is lost, and the command goes on.
            self.discard();
        }
    }

    /// The file, if its path still leads to it.
    pub(crate) fn finish(mut self) -> Option<Spilled> {
        let state = std::mem::replace(&mut self.state, State::Off);
        let State::Writing { file, written, claim, complete, .. } = state else { return None };
        let path = self.directory.join(&self.name);
        let own = Identity::of(&rustix::fs::fstat(&file).ok()?);
        if Identity::of(&rustix::fs::lstat(&path).ok()?) != own {
            return None;
        }
        claim.keep(path.clone(), own);
        Some(Spilled { path, bytes: written, complete })
    }
}

impl Drop for Spill {
    fn drop(&mut self) {
        // A file that `finish` did not report is not needed.
        self.discard();
    }
}

/// Makes a folder for such files, if it is not there.
pub(crate) fn make_folder(directory: &Path) -> io::Result<()> {
    folder::open(directory).map(drop)
}

fn create(folder: BorrowedFd<'_>, name: &str) -> io::Result<File> {
    let flags = OFlags::RDWR | OFlags::CREATE | OFlags::EXCL | OFlags::CLOEXEC;
    Ok(rustix::fs::openat(folder, name, flags, FILE_MODE)?.into())
}

/// Replaces `file` by a masked copy. Gives the copy, its length, and its part of the budget.
fn rewritten(
    file: &File,
    folder: BorrowedFd<'_>,
    name: &str,
    redactor: &Redactor,
    mut claim: Claim,
) -> io::Result<(File, u64, Claim)> {
    let next = format!("{name}.next");
    let mut copy = create(folder, &next)?;
    let written = mask_into(&mut copy, file, redactor, &mut claim).and_then(|written| {
        rustix::fs::renameat(folder, &next, folder, name)?;
        Ok(written)
    });
    match written {
        Ok(written) => Ok((copy, written, claim)),
        Err(error) => {
            // An incomplete copy is removed now, or with the folder when the engine closes.
            let _ = rustix::fs::unlinkat(folder, &next, AtFlags::empty());
            Err(error)
        }
    }
}

/// Writes the content of `file` to `copy`, masked. Gives the number of bytes.
fn mask_into(
    copy: &mut File,
    file: &File,
    redactor: &Redactor,
    claim: &mut Claim,
) -> io::Result<u64> {
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
            stream.finish_cut(&mut keep);
        } else {
            stream.push(&buffer[..count], &mut keep);
        }
        let size = written + masked.len() as u64;
        if claim.grow(size) < size {
            return Err(io::ErrorKind::StorageFull.into());
        }
        copy.write_all(&masked)?;
        written = size;
        if count == 0 {
            return Ok(written);
        }
    }
}

#[cfg(test)]
mod tests;
