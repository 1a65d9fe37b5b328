//! Temporary files in the folder of a file that is changed, and the renames that exchange the two.

use std::ffi::{OsStr, OsString};
use std::hash::{BuildHasher, Hasher, RandomState};
use std::os::fd::{AsFd, AsRawFd, BorrowedFd, OwnedFd};
use std::sync::OnceLock;

use rustix::fs::{AtFlags, CWD, Mode, OFlags, RenameFlags, Stat};
use rustix::io::Errno;

use super::PublishError;
use crate::linux::judge::file_id;

/// Tries to find a name that no file has.
const MAX_NAMES: usize = 8;
/// Tries to give a file of another process its name back.
const MAX_EXCHANGES: usize = 8;

/// A file in the folder of the place, removed when this is dropped unless it is kept.
#[derive(Debug)]
pub(super) struct Temporary {
    pub(super) parent: OwnedFd,
    pub(super) name: OsString,
    /// Status of the new file, which this is until it takes its place; `None` for an old file that was set aside.
    pub(super) new_stat: Option<Stat>,
    pub(super) is_kept: bool,
    /// The file while it has no name yet: should the process be killed, nothing of it is left.
    unnamed: Option<OwnedFd>,
}

impl Temporary {
    /// A file that gets its name when it takes its place, or at once where the file system has none without a name.
    pub(super) fn new(parent: BorrowedFd<'_>, mode: Mode) -> Result<(Temporary, OwnedFd), Errno> {
        let flags = OFlags::RDWR | OFlags::TMPFILE | OFlags::CLOEXEC;
        let unnamed = has_descriptor_paths().then(|| rustix::fs::openat(parent, ".", flags, mode));
        let Some(Ok(file)) = unnamed else { return Temporary::named(parent, mode) };
        let parent = rustix::io::fcntl_dupfd_cloexec(parent, 0)?;
        let unnamed = Some(rustix::io::fcntl_dupfd_cloexec(&file, 0)?);
        let temporary =
            Temporary { parent, name: temporary_name(), new_stat: None, is_kept: false, unnamed };
        Ok((temporary, file))
    }

    /// A file with a name from the start.
    pub(super) fn named(parent: BorrowedFd<'_>, mode: Mode) -> Result<(Temporary, OwnedFd), Errno> {
        let flags =
            OFlags::RDWR | OFlags::CREATE | OFlags::EXCL | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        Temporary::with_name(parent, temporary_name(), |name| {
            rustix::fs::openat(parent, name, flags, mode)
        })
    }

    /// Gives the file its temporary name, unless it has one.
    fn give_name(&mut self) -> Result<(), Errno> {
        let Some(file) = self.unnamed.take() else { return Ok(()) };
        link_descriptor(&file, self.parent.as_fd(), &self.name)
    }

    /// Gives this new file a name that no file may have.
    pub(super) fn take(&mut self, name: &OsStr) -> Result<(), Errno> {
        match self.unnamed.take() {
            Some(file) => link_descriptor(&file, self.parent.as_fd(), name)?,
            None => rename_new(self.parent.as_fd(), &self.name, name)?,
        }
        self.is_kept = true;
        Ok(())
    }

    /// Tries this name, and random ones until one is free.
    fn with_name<T>(
        parent: BorrowedFd<'_>,
        first: OsString,
        take: impl Fn(&OsString) -> Result<T, Errno>,
    ) -> Result<(Temporary, T), Errno> {
        let mut last = Errno::EXIST;
        let mut name = first;
        for _ in 0..MAX_NAMES {
            match take(&name) {
                Ok(taken) => {
                    let parent = rustix::io::fcntl_dupfd_cloexec(parent, 0)?;
                    let temporary =
                        Temporary { parent, name, new_stat: None, is_kept: false, unnamed: None };
                    return Ok((temporary, taken));
                }
                Err(Errno::EXIST) => name = temporary_name(),
                Err(error) => {
                    last = error;
                    break;
                }
            }
        }
        Err(last)
    }

    /// Renames the expected file to this temporary name. Another file gets its name back.
    pub(super) fn set_aside(
        parent: BorrowedFd<'_>,
        name: &OsStr,
        to: OsString,
        is_expected: impl Fn(&Stat) -> bool,
    ) -> Result<Temporary, PublishError> {
        let moved = Temporary::with_name(parent, to, |to| rename_new(parent, name, to));
        let (mut temporary, ()) = moved.map_err(|error| match error {
            Errno::NOENT => PublishError::Changed,
            error => PublishError::System(error),
        })?;
        if temporary.is(is_expected) {
            return Ok(temporary);
        }
        // A file that has taken the name by now keeps it, and this one stays under its temporary name.
        temporary.is_kept = true;
        let _ = rename_new(parent, &temporary.name, name);
        Err(PublishError::Changed)
    }

    /// Whether the file under the temporary name is the expected one.
    fn is(&self, is_expected: impl Fn(&Stat) -> bool) -> bool {
        let stat = rustix::fs::statat(&self.parent, &self.name, AtFlags::SYMLINK_NOFOLLOW);
        stat.is_ok_and(|stat| is_expected(&stat))
    }

    fn exchange(&self, name: &OsStr) -> Result<(), Errno> {
        let flags = RenameFlags::EXCHANGE;
        rustix::fs::renameat_with(&self.parent, &self.name, &self.parent, name, flags)
    }

    /// Exchanges this new file for the old one, which this is afterwards. When the exchange gives another file than the old
    /// one, another process has written meanwhile, and its file gets the name back.
    pub(super) fn replace(&mut self, name: &OsStr, old: &Stat) -> Result<(), PublishError> {
        self.give_name()?;
        match self.exchange(name) {
            Ok(()) => {}
            Err(Errno::NOENT) => return Err(PublishError::Changed),
            // On file systems without exchange, a file that is written meanwhile is lost.
            Err(Errno::INVAL | Errno::NOSYS | Errno::OPNOTSUPP) => return self.rename_over(name),
            Err(error) => return Err(error.into()),
        }
        if self.is(|stat| is_same_renamed(stat, old)) {
            return Ok(());
        }
        for _ in 0..MAX_EXCHANGES {
            if self.exchange(name).is_err() {
                break;
            }
            if self.is(|stat| self.is_own(stat)) {
                return Err(PublishError::Changed);
            }
        }
        // Another process exchanges files all the time. The file that came back last has no other name, so it stays.
        self.is_kept = true;
        Err(PublishError::Changed)
    }

    /// Renames this new file over the old one, whose second name is this afterwards, where the file system has hard links.
    fn rename_over(&mut self, name: &OsStr) -> Result<(), PublishError> {
        let parent = self.parent.as_fd();
        let link = |to: &OsString| rustix::fs::linkat(parent, name, parent, to, AtFlags::empty());
        let second = Temporary::with_name(parent, temporary_name(), link);
        rustix::fs::renameat(parent, &self.name, parent, name)?;
        match second {
            Ok((mut second, ())) => {
                second.is_kept = true;
                self.name.clone_from(&second.name);
            }
            Err(_) => self.is_kept = true,
        }
        Ok(())
    }

    fn is_own(&self, stat: &Stat) -> bool {
        self.new_stat.as_ref().is_some_and(|new_stat| file_id(stat) == file_id(new_stat))
    }

    /// Gives the old file, which this is by now, its name back.
    pub(super) fn put_old_back(&mut self, name: &OsStr) -> Result<(), PublishError> {
        let gone = match self.exchange(name) {
            Err(Errno::INVAL | Errno::NOSYS | Errno::OPNOTSUPP) if !self.is_kept => {
                rustix::fs::renameat(&self.parent, &self.name, &self.parent, name)?;
                self.is_kept = true;
                return Ok(());
            }
            exchanged => exchanged.is_err(),
        };
        if !gone
            && self
                .is(|stat| self.new_stat.is_some_and(|new_stat| is_same_renamed(stat, &new_stat)))
        {
            return Ok(());
        }
        // Another process that has written meanwhile keeps the name, and the old file its temporary one.
        self.is_kept = true;
        if !gone {
            self.exchange(name)?;
        }
        Err(PublishError::Changed)
    }
}

impl Drop for Temporary {
    fn drop(&mut self) {
        if !self.is_kept && self.unnamed.is_none() {
            // Another process may have removed the file already.
            let _ = rustix::fs::unlinkat(&self.parent, &self.name, AtFlags::empty());
        }
    }
}

/// A name that other processes cannot guess, and take.
pub(crate) fn temporary_name() -> OsString {
    format!(".handrail-{:016x}.tmp", random()).into()
}

/// Whether a file without a name can get one: that takes its path in `/proc`.
fn has_descriptor_paths() -> bool {
    static HAS_PATHS: OnceLock<bool> = OnceLock::new();
    *HAS_PATHS.get_or_init(|| std::fs::exists("/proc/self/fd").unwrap_or(false))
}

/// Gives a file without a name this one, which no file may have.
fn link_descriptor(file: &OwnedFd, parent: BorrowedFd<'_>, name: &OsStr) -> Result<(), Errno> {
    let path = format!("/proc/self/fd/{}", file.as_raw_fd());
    rustix::fs::linkat(CWD, path, parent, name, AtFlags::SYMLINK_FOLLOW)
}

/// A number that other processes cannot guess: the state is keyed with random numbers of the system.
pub(crate) fn random() -> u64 {
    RandomState::new().build_hasher().finish()
}

pub(crate) fn write_all(file: &OwnedFd, mut bytes: &[u8]) -> Result<(), Errno> {
    while !bytes.is_empty() {
        match rustix::io::write(file, bytes) {
            Ok(0) => return Err(Errno::IO),
            Ok(written) => bytes = &bytes[written..],
            Err(Errno::INTR) => {}
            Err(error) => return Err(error),
        }
    }
    Ok(())
}

/// Whether both are the same file with the same content. The kernel sets the change time whenever anything else changes.
pub(super) fn is_same_content(a: &Stat, b: &Stat) -> bool {
    file_id(a) == file_id(b)
        && (a.st_size, a.st_mode) == (b.st_size, b.st_mode)
        && (a.st_mtime, a.st_mtime_nsec) == (b.st_mtime, b.st_mtime_nsec)
        && (a.st_ctime, a.st_ctime_nsec) == (b.st_ctime, b.st_ctime_nsec)
}

/// Whether this is the old file after a rename, which sets the change time. An overlay file system may give the file another
/// device then, or another inode when it has several names.
pub(super) fn is_same_renamed(now: &Stat, old: &Stat) -> bool {
    (now.st_size, now.st_mode) == (old.st_size, old.st_mode)
        && (now.st_mtime, now.st_mtime_nsec) == (old.st_mtime, old.st_mtime_nsec)
        && (now.st_ino == old.st_ino || now.st_dev != old.st_dev || old.st_nlink > 1)
}

/// Renames a file to a name that no file may have.
pub(crate) fn rename_new(parent: BorrowedFd<'_>, from: &OsStr, to: &OsStr) -> Result<(), Errno> {
    match rustix::fs::renameat_with(parent, from, parent, to, RenameFlags::NOREPLACE) {
        // On file systems without that flag, a hard link fails as well when the name is taken.
        Err(Errno::INVAL | Errno::NOSYS) => {
            rustix::fs::linkat(parent, from, parent, to, AtFlags::empty())?;
            rustix::fs::unlinkat(parent, from, AtFlags::empty())
        }
        renamed => renamed,
    }
}
