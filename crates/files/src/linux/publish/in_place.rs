//! Overwrites a file where no other can take its name. The change is not one step: a reader may see a part of it. The old
//! content is kept in a private file until the change is done.

use std::os::fd::{AsFd, OwnedFd};

use rustix::fs::{Mode, OFlags, Stat, Timespec, Timestamps};
use rustix::io::Errno;

use super::access::KEPT_MODE_BITS;
use super::temporary::{Temporary, is_same_content, write_all};
use super::{Change, OldFile, PRIVATE_FILE_MODE, PublishError};

/// Folder for the old content when the folder of the file takes no new file. Its files survive a restart of the machine.
const COPY_FOLDER: &str = "/var/tmp/";
/// Bytes that are copied at once.
const CHUNK_BYTES: usize = 64 << 10;

/// A file that was overwritten, and a copy of its old content.
#[derive(Debug)]
pub(super) struct InPlaceWrite {
    file: OwnedFd,
    /// Status of the file after the change.
    pub(super) new: Stat,
    old: Stat,
    copy: Temporary,
    /// Folder of the copy; empty when it is the folder of the file.
    folder: &'static str,
    copy_file: OwnedFd,
}

impl InPlaceWrite {
    pub(super) fn write(
        change: &Change,
        parent: impl AsFd,
        old: &OldFile,
        sync: bool,
    ) -> Result<InPlaceWrite, PublishError> {
        let file = change.handle.open(OFlags::RDWR)?;
        let is_as_read = || Ok::<_, Errno>(is_same_content(&rustix::fs::fstat(&file)?, &old.stat));
        if !is_as_read()? {
            return Err(PublishError::Changed);
        }
        let (folder, (copy, copy_file)) = match Temporary::named(parent.as_fd(), PRIVATE_FILE_MODE)
        {
            Err(Errno::ACCESS | Errno::PERM | Errno::ROFS) => {
                let flags = OFlags::PATH | OFlags::DIRECTORY | OFlags::CLOEXEC;
                let folder = rustix::fs::open(COPY_FOLDER, flags, Mode::empty())?;
                (COPY_FOLDER, Temporary::named(folder.as_fd(), PRIVATE_FILE_MODE)?)
            }
            made => ("", made?),
        };
        copy_all(&file, &copy_file)?;
        if sync {
            rustix::fs::fsync(&copy_file)?;
        }
        if !is_as_read()? {
            return Err(PublishError::Changed);
        }
        let new = old.stat;
        let mut place = InPlaceWrite { file, new, old: old.stat, copy, folder, copy_file };
        match place.overwrite(&change.bytes, sync) {
            Ok(stat) => {
                place.new = stat;
                Ok(place)
            }
            Err(error) if place.restore().is_ok() => Err(error.into()),
            Err(_) => Err(PublishError::HalfWritten(place.keep_copy())),
        }
    }

    fn overwrite(&self, bytes: &[u8], sync: bool) -> Result<Stat, Errno> {
        if self.old.st_mode & !KEPT_MODE_BITS & 0o7777 != 0 {
            // Where this user may not change the mode, the kernel clears these bits on the write.
            let _ = rustix::fs::fchmod(
                &self.file,
                Mode::from_raw_mode(self.old.st_mode & KEPT_MODE_BITS),
            );
        }
        rustix::fs::seek(&self.file, rustix::fs::SeekFrom::Start(0))?;
        write_all(&self.file, bytes)?;
        rustix::fs::ftruncate(&self.file, bytes.len() as u64)?;
        if sync {
            rustix::fs::fdatasync(&self.file)?;
        }
        rustix::fs::fstat(&self.file)
    }

    /// Whether no other process has written to the file since.
    fn is_unchanged_since(&self) -> bool {
        rustix::fs::fstat(&self.file).is_ok_and(|now| is_same_content(&now, &self.new))
    }

    /// Puts the old content back. Fails with the name of the copy when another process has written since.
    pub(super) fn undo(&mut self) -> Result<(), String> {
        if self.is_unchanged_since() && self.restore().is_ok() {
            Ok(())
        } else {
            Err(self.keep_copy())
        }
    }

    fn restore(&self) -> Result<(), Errno> {
        copy_all(&self.copy_file, &self.file)?;
        rustix::fs::ftruncate(&self.file, self.old.st_size.cast_unsigned())?;
        rustix::fs::fsync(&self.file)?;
        let time = |tv_sec, nsec: u64| Timespec { tv_sec, tv_nsec: nsec.cast_signed() };
        let times = Timestamps {
            last_access: time(self.old.st_atime, self.old.st_atime_nsec),
            last_modification: time(self.old.st_mtime, self.old.st_mtime_nsec),
        };
        // A user who may write to the file need not be allowed to set its times.
        let _ = rustix::fs::futimens(&self.file, &times);
        Ok(())
    }

    /// Keeps the copy of the old content, and returns its path.
    fn keep_copy(&mut self) -> String {
        self.copy.is_kept = true;
        format!("{}{}", self.folder, self.copy.name.to_string_lossy())
    }
}

fn copy_all(from: &OwnedFd, to: &OwnedFd) -> Result<(), Errno> {
    for file in [from, to] {
        rustix::fs::seek(file, rustix::fs::SeekFrom::Start(0))?;
    }
    let mut chunk = vec![0; CHUNK_BYTES];
    loop {
        match rustix::io::read(from, &mut chunk) {
            Ok(0) => return Ok(()),
            Ok(length) => write_all(to, &chunk[..length])?,
            Err(Errno::INTR) => {}
            Err(error) => return Err(error),
        }
    }
}
