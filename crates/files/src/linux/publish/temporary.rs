//! Files beside the place of another, and the renames that exchange the two.

use std::ffi::{OsStr, OsString};
use std::hash::{BuildHasher, Hasher, RandomState};
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};

use rustix::fs::{AtFlags, Mode, OFlags, RenameFlags, Stat};
use rustix::io::Errno;

use super::PublishError;
use crate::linux::judge::file_id;

/// Tries to find a name nobody has.
const MAX_NAMES: usize = 8;
/// Tries to give a file its place again.
const MAX_EXCHANGES: usize = 8;

/// A file beside the place, removed in the end unless it is kept.
#[derive(Debug)]
pub(super) struct Temporary {
    pub(super) parent: OwnedFd,
    pub(super) name: OsString,
    /// The new file, which this is until it takes its place; `None` for an old file that was put aside.
    pub(super) new_stat: Option<Stat>,
    pub(super) is_kept: bool,
}

impl Temporary {
    pub(super) fn new(parent: BorrowedFd<'_>, mode: Mode) -> Result<(Temporary, OwnedFd), Errno> {
        let flags =
            OFlags::RDWR | OFlags::CREATE | OFlags::EXCL | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        Temporary::with_name(parent, |name| rustix::fs::openat(parent, name, flags, mode))
    }

    /// Tries names until nobody has one.
    fn with_name<T>(
        parent: BorrowedFd<'_>,
        take: impl Fn(&OsString) -> Result<T, Errno>,
    ) -> Result<(Temporary, T), Errno> {
        let mut last = Errno::EXIST;
        for _ in 0..MAX_NAMES {
            let name = OsString::from(format!(".handrail-{:016x}.tmp", random()));
            match take(&name) {
                Ok(taken) => {
                    let parent = rustix::io::fcntl_dupfd_cloexec(parent, 0)?;
                    return Ok((Temporary { parent, name, new_stat: None, is_kept: false }, taken));
                }
                Err(Errno::EXIST) => {}
                Err(error) => {
                    last = error;
                    break;
                }
            }
        }
        Err(last)
    }

    /// Puts a file aside. Only that one: any other gets its name again.
    pub(super) fn set_aside(
        parent: BorrowedFd<'_>,
        name: &OsStr,
        is_expected: impl Fn(&Stat) -> bool,
    ) -> Result<Temporary, PublishError> {
        let moved = Temporary::with_name(parent, |to| rename_new(parent, name, to));
        let (mut temporary, ()) = moved.map_err(|error| match error {
            Errno::NOENT => PublishError::Changed,
            error => PublishError::System(error),
        })?;
        if temporary.is(is_expected) {
            return Ok(temporary);
        }
        // Whoever has the name by now keeps it, and this file its content.
        temporary.is_kept = true;
        let _ = rename_new(parent, &temporary.name, name);
        Err(PublishError::Changed)
    }

    fn is(&self, is_expected: impl Fn(&Stat) -> bool) -> bool {
        let stat = rustix::fs::statat(&self.parent, &self.name, AtFlags::SYMLINK_NOFOLLOW);
        stat.is_ok_and(|stat| is_expected(&stat))
    }

    fn exchange(&self, name: &OsStr) -> Result<(), Errno> {
        let flags = RenameFlags::EXCHANGE;
        rustix::fs::renameat_with(&self.parent, &self.name, &self.parent, name, flags)
    }

    /// Takes the place of a file, and is the old one then. What comes back in exchange is looked at: when it is not the old
    /// one, another process has written meanwhile, and gets its place again.
    pub(super) fn replace(&mut self, name: &OsStr, old: &Stat) -> Result<(), PublishError> {
        match self.exchange(name) {
            Ok(()) => {}
            Err(Errno::NOENT) => return Err(PublishError::Changed),
            // File systems without it: what is written meanwhile is lost there.
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
        // Somebody exchanges files all the time. What came back last is nobody else's, so it stays.
        self.is_kept = true;
        Err(PublishError::Changed)
    }

    /// Takes the place of a file of which a second name is kept, where the file system has such.
    fn rename_over(&mut self, name: &OsStr) -> Result<(), PublishError> {
        let parent = self.parent.as_fd();
        let link = |to: &OsString| rustix::fs::linkat(parent, name, parent, to, AtFlags::empty());
        let second = Temporary::with_name(parent, link);
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

    /// Gives the old file, which this is by now, its place again.
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
        // Who has written meanwhile keeps the place, and the old content a name.
        self.is_kept = true;
        if !gone {
            self.exchange(name)?;
        }
        Err(PublishError::Changed)
    }
}

impl Drop for Temporary {
    fn drop(&mut self) {
        if !self.is_kept {
            // Who removed it meanwhile has done what is wanted.
            let _ = rustix::fs::unlinkat(&self.parent, &self.name, AtFlags::empty());
        }
    }
}

/// A number that others do not guess: every state is keyed from the system's randomness.
fn random() -> u64 {
    RandomState::new().build_hasher().finish()
}

pub(super) fn write_all(file: &OwnedFd, mut bytes: &[u8]) -> Result<(), Errno> {
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

/// The kernel changes the last of these whenever it changes any of the others.
pub(super) fn is_same_content(a: &Stat, b: &Stat) -> bool {
    file_id(a) == file_id(b)
        && (a.st_size, a.st_mode) == (b.st_size, b.st_mode)
        && (a.st_mtime, a.st_mtime_nsec) == (b.st_mtime, b.st_mtime_nsec)
        && (a.st_ctime, a.st_ctime_nsec) == (b.st_ctime, b.st_ctime_nsec)
}

/// The same for a file that was renamed since, which changes its last time. Layers of a file system may give it another
/// device then, or another inode when it has several names.
pub(super) fn is_same_renamed(now: &Stat, old: &Stat) -> bool {
    (now.st_size, now.st_mode) == (old.st_size, old.st_mode)
        && (now.st_mtime, now.st_mtime_nsec) == (old.st_mtime, old.st_mtime_nsec)
        && (now.st_ino == old.st_ino || now.st_dev != old.st_dev || old.st_nlink > 1)
}

/// A file that somebody else made meanwhile is not replaced.
pub(super) fn rename_new(parent: BorrowedFd<'_>, from: &OsStr, to: &OsStr) -> Result<(), Errno> {
    match rustix::fs::renameat_with(parent, from, parent, to, RenameFlags::NOREPLACE) {
        // File systems without it: a link fails when the name is taken, too.
        Err(Errno::INVAL | Errno::NOSYS) => {
            rustix::fs::linkat(parent, from, parent, to, AtFlags::empty())?;
            rustix::fs::unlinkat(parent, from, AtFlags::empty())
        }
        renamed => renamed,
    }
}
