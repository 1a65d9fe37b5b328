//! Puts a new content in the place of an old one in one step, or not at all.

mod access;
mod in_place;
mod staged;
mod temporary;

use std::os::fd::{BorrowedFd, OwnedFd};
use std::rc::Rc;
use std::time::Duration;

use rustix::fs::{Access, AtFlags, FlockOperation, Mode, OFlags, Stat};
use rustix::io::Errno;

use crate::linux::journal::JournalCall;
use crate::linux::judge::{Purpose, refuse_system_error};
use crate::linux::path::RequestedPath;
use crate::linux::resolve::Handle;
use crate::linux::write::NOT_WRITTEN;
use crate::refusal::{Refusal, code};
use access::AccessNotKept;
pub(crate) use staged::Staged;
use temporary::{Temporary, is_same_content};
pub(crate) use temporary::{random, rename_new, temporary_name, write_all};

/// Tries to lock the old file.
const MAX_LOCK_TRIES: usize = 50;
/// Time between two of these tries.
const LOCK_PAUSE: Duration = Duration::from_millis(2);
/// Mode of a new file, before the umask of the process.
const NEW_FILE_MODE: Mode = Mode::from_raw_mode(0o666);
/// Mode of a new folder, and of a new executable file, before the umask.
const NEW_FOLDER_MODE: Mode = Mode::from_raw_mode(0o777);
/// Mode of a file that only its owner may open.
const PRIVATE_FILE_MODE: Mode = Mode::RUSR.union(Mode::WUSR);

/// What the host decided about changing files.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PublishOptions {
    /// Whether a content is on the disk before it gets its name.
    pub(crate) sync: bool,
    /// Whether a file that cannot be replaced is overwritten.
    pub(crate) in_place: bool,
}

/// A change of one place: a file is created, replaced or removed.
#[derive(Debug)]
pub(crate) struct Change {
    pub(crate) requested: RequestedPath,
    pub(crate) handle: Handle,
    /// The file that has the name before the change.
    old: Option<Rc<OldFile>>,
    /// Content of the new file; empty when there is none.
    pub(crate) bytes: Vec<u8>,
    new: Replacement,
}

/// A file as it was when it was read.
#[derive(Debug)]
struct OldFile {
    stat: Stat,
    /// The file opened for reading; `None` where that is not allowed, or another file has the name by now.
    file: Option<OwnedFd>,
}

/// What has the name after the change.
#[derive(Clone, Debug)]
enum Replacement {
    /// A new file.
    File {
        is_executable: bool,
    },
    /// A file with the owner, mode and attributes of this old one.
    Like(Rc<OldFile>),
    Nothing,
}

impl Change {
    pub(crate) fn creating(
        requested: RequestedPath,
        handle: Handle,
        bytes: Vec<u8>,
        is_executable: bool,
    ) -> Change {
        Change { requested, handle, old: None, bytes, new: Replacement::File { is_executable } }
    }

    pub(crate) fn replacing(
        requested: RequestedPath,
        handle: Handle,
        old: Stat,
        bytes: Vec<u8>,
    ) -> Change {
        let is_old =
            |file: &OwnedFd| rustix::fs::fstat(file).is_ok_and(|stat| is_same_content(&stat, &old));
        let file = handle.open(OFlags::RDONLY).ok().filter(is_old);
        let old = Rc::new(OldFile { stat: old, file });
        Change { requested, handle, old: Some(Rc::clone(&old)), bytes, new: Replacement::Like(old) }
    }

    /// A new file with the owner, mode and attributes of another one.
    pub(crate) fn creating_like(
        requested: RequestedPath,
        handle: Handle,
        bytes: Vec<u8>,
        like: OwnedFd,
    ) -> Result<Change, Errno> {
        let like = OldFile { stat: rustix::fs::fstat(&like)?, file: Some(like) };
        Ok(Change { requested, handle, old: None, bytes, new: Replacement::Like(Rc::new(like)) })
    }

    /// Two changes in place of this one: the new content gets another place, which is empty, and the old file is removed.
    pub(crate) fn moved_to(mut self, requested: RequestedPath, handle: Handle) -> [Change; 2] {
        let bytes = std::mem::take(&mut self.bytes);
        let new = self.new.clone();
        [Change { requested, handle, old: None, bytes, new }, self.into_removal()]
    }

    pub(crate) fn into_removal(self) -> Change {
        Change { bytes: Vec::new(), new: Replacement::Nothing, ..self }
    }

    /// Makes the missing folders and puts the content in its place. Returns the status of the new file; after a refusal
    /// everything is as before.
    pub(crate) fn publish(
        &self,
        options: PublishOptions,
        call: Option<JournalCall<'_>>,
    ) -> Result<Stat, Refusal> {
        let stats = Staged::new(&[self], options, call)?.publish()?;
        stats.first().copied().ok_or_else(|| self.refused(PublishError::Changed))
    }

    /// Writes the new content to a temporary file in the folder of its place.
    fn stage(&self, parent: BorrowedFd<'_>) -> Result<Option<(Temporary, OwnedFd)>, PublishError> {
        let mode = match self.new {
            Replacement::Nothing => return Ok(None),
            Replacement::Like(_) => PRIVATE_FILE_MODE,
            Replacement::File { is_executable: true } => NEW_FOLDER_MODE,
            Replacement::File { is_executable: false } => NEW_FILE_MODE,
        };
        let (mut temporary, file) =
            Temporary::new(parent, mode).map_err(|error| self.error_of_replacing(error))?;
        write_all(&file, &self.bytes)?;
        if let Replacement::Like(old) = &self.new {
            if let Some(like) = &old.file {
                access::copy_access(like, &old.stat, &file).map_err(OnlyInPlace::Access)?;
            } else if self.is_as_read(parent)? {
                let property = "list of extended attributes".into();
                return Err(
                    OnlyInPlace::Access(AccessNotKept { property, error: Errno::ACCESS }).into()
                );
            } else {
                return Err(PublishError::Changed);
            }
        }
        temporary.new_stat = Some(rustix::fs::fstat(&file)?);
        Ok(Some((temporary, file)))
    }

    /// Locks the old file, so that engines of other processes do not replace it at the same time: the second one finds that
    /// the file was exchanged. A program that keeps the file locked is waited for a short time only.
    fn lock_old(&self) -> Option<FileLock<'_>> {
        let file = self.old.as_ref()?.file.as_ref()?;
        for _ in 0..MAX_LOCK_TRIES {
            if rustix::fs::flock(file, FlockOperation::NonBlockingLockExclusive).is_ok() {
                return Some(FileLock(file));
            }
            std::thread::sleep(LOCK_PAUSE);
        }
        None
    }

    /// The error of replacing a file. Where no other file may take the name, the old file may still be overwritten.
    fn error_of_replacing(&self, error: Errno) -> PublishError {
        let is_fixed =
            matches!(error, Errno::BUSY | Errno::XDEV | Errno::ACCESS | Errno::PERM | Errno::ROFS);
        if is_fixed && self.old.is_some() { OnlyInPlace::Name(error).into() } else { error.into() }
    }

    fn leaves_a_file(&self) -> bool {
        !matches!(self.new, Replacement::Nothing)
    }

    /// Whether the old file may be overwritten without changing anything else; fails with a hint.
    fn check_in_place(&self) -> Result<(), &'static str> {
        let may_write = || {
            let (parent, name) = (self.handle.parent(), self.handle.name());
            rustix::fs::accessat(parent, name, Access::WRITE_OK, AtFlags::EACCESS).is_ok()
        };
        match &self.old {
            None => Err("Leave it where it is"),
            Some(old) if old.stat.st_nlink > 1 => Err("It has other names, which would change too"),
            Some(_) if !may_write() => {
                Err("It cannot be written to either; whoever it belongs to can change it")
            }
            Some(_) => Ok(()),
        }
    }

    /// Whether the file with the name is still the one that was read.
    fn is_as_read(&self, parent: BorrowedFd<'_>) -> Result<bool, Errno> {
        match (rustix::fs::statat(parent, self.handle.name(), AtFlags::SYMLINK_NOFOLLOW), &self.old)
        {
            (Ok(now), Some(old)) => Ok(is_same_content(&now, &old.stat)),
            (Err(Errno::NOENT), None) => Ok(true),
            (Ok(_), None) | (Err(Errno::NOENT), Some(_)) => Ok(false),
            (Err(error), _) => Err(error),
        }
    }

    fn refused(&self, why: PublishError) -> Refusal {
        match why {
            PublishError::System(error) => {
                refuse_system_error(&self.requested, error, Purpose::Write)
            }
            PublishError::Changed => {
                let refusal =
                    self.requested.refuse(code::CHANGED_ON_DISK, "changed on disk meanwhile");
                let refusal = refusal.titled(NOT_WRITTEN);
                refusal.with_hint("Read it again.")
            }
            PublishError::OnlyInPlace(fixed) => {
                let hint = match self.check_in_place() {
                    Ok(()) => {
                        "The host allows a change in place, which is not one step, with `inPlace: true`"
                    }
                    Err(hint) => hint,
                };
                fixed.refused(&self.requested.shown).with_hint(format!("{hint}."))
            }
            PublishError::HalfWritten(copy) => {
                let message = format!(
                    "Applied in part. {} was being changed in place when that failed, and it could not be put back; its old \
                     content is in {copy}",
                    self.requested.shown
                );
                Refusal::new(code::APPLIED_IN_PART, message)
                    .with_hint("Ask the user to put it back.")
            }
        }
    }
}

/// The lock of a file, until this is dropped.
struct FileLock<'f>(&'f OwnedFd);

impl Drop for FileLock<'_> {
    fn drop(&mut self) {
        let _ = rustix::fs::flock(self.0, FlockOperation::Unlock);
    }
}

/// Why a change was not published.
#[derive(Debug)]
enum PublishError {
    Changed,
    System(Errno),
    OnlyInPlace(OnlyInPlace),
    /// A change in place failed half way; the old content is kept under this name.
    HalfWritten(String),
}

/// Why a file can only be overwritten, not replaced.
#[derive(Debug)]
enum OnlyInPlace {
    /// No other file can take the name.
    Name(Errno),
    /// A new file could not have the owner, mode or attributes of the old one.
    Access(AccessNotKept),
}

impl OnlyInPlace {
    fn refused(&self, shown: &str) -> Refusal {
        let said = |error: Errno| std::io::Error::from(error);
        let refusal = match self {
            OnlyInPlace::Name(error) => {
                let reason = format!("{shown} can only be changed in place: {}", said(*error));
                Refusal::new(code::IN_PLACE_ONLY, reason)
            }
            OnlyInPlace::Access(AccessNotKept { property, error }) => {
                let place = format!("a new file in the place of {shown}");
                let reason = format!("{place} cannot have its {property}: {}", said(*error));
                Refusal::new(code::ACCESS_NOT_KEPT, reason)
            }
        };
        refusal.titled(NOT_WRITTEN)
    }
}

impl From<OnlyInPlace> for PublishError {
    fn from(fixed: OnlyInPlace) -> PublishError {
        PublishError::OnlyInPlace(fixed)
    }
}

impl From<Errno> for PublishError {
    fn from(error: Errno) -> PublishError {
        PublishError::System(error)
    }
}

#[cfg(test)]
mod tests;
