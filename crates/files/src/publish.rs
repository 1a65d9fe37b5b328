//! A new content takes the place of the old one in one step, or not at all.

use std::ffi::{OsStr, OsString};
use std::hash::{BuildHasher, Hasher, RandomState};
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::time::Duration;

use rustix::fs::{AtFlags, FlockOperation, Gid, Mode, OFlags, RenameFlags, Stat, Uid};
use rustix::io::Errno;

use crate::judge::{Purpose, file_id, system};
use crate::path::Asked;
use crate::refusal::{Refusal, code};
use crate::resolve::Handle;

/// Tries to find a name nobody has.
const MAX_NAMES: usize = 8;
/// Tries to lock the old file, and the time between them.
const MAX_LOCK_TRIES: usize = 50;
const LOCK_PAUSE: Duration = Duration::from_millis(2);
/// Tries to give a file its place again.
const MAX_EXCHANGES: usize = 8;
/// What a new file may be, before the mask of the process.
const NEW_FILE: Mode = Mode::from_raw_mode(0o666);
const NEW_FOLDER: Mode = Mode::from_raw_mode(0o777);
/// The rights of an old file that its new content gets: not to run as somebody else.
const KEPT_RIGHTS: u32 = 0o777;

/// A content that is ready for its place.
#[derive(Debug)]
pub(crate) struct Change {
    pub(crate) asked: Asked,
    pub(crate) handle: Handle,
    /// The file whose content it replaces, as it was when it was read.
    pub(crate) old: Option<Stat>,
    pub(crate) bytes: Vec<u8>,
}

impl Change {
    /// Makes the folders that are missing and puts the content in its place. Gives what is there then; after a refusal
    /// everything is as before.
    pub(crate) fn publish(&self) -> Result<Stat, Refusal> {
        let mut made = Folders { top: self.handle.parent(), made: Vec::new() };
        let published = made
            .make(self.handle.missing())
            .map_err(Why::System)
            .and_then(|()| self.put(made.last()));
        published.map_err(|why| {
            made.remove();
            match why {
                Why::Changed => self.changed(),
                Why::System(error) => system(&self.asked, error, Purpose::Write),
            }
        })
    }

    fn put(&self, parent: BorrowedFd<'_>) -> Result<Stat, Why> {
        let temporary = Temporary::new(
            parent,
            if self.old.is_some() { Mode::RUSR | Mode::WUSR } else { NEW_FILE },
        )?;
        write_all(&temporary.file, &self.bytes)?;
        if let Some(old) = &self.old {
            let (owner, group) = (Uid::from_raw(old.st_uid), Gid::from_raw(old.st_gid));
            // Only some may give files away; the content belongs to who wrote it then.
            let _ = rustix::fs::fchown(&temporary.file, Some(owner), Some(group));
            rustix::fs::fchmod(&temporary.file, Mode::from_raw_mode(old.st_mode & KEPT_RIGHTS))?;
        }
        let stat = rustix::fs::fstat(&temporary.file)?;
        let _held = self.hold();
        if !self.is_as_read(parent)? {
            return Err(Why::Changed);
        }
        let name = self.handle.name();
        match &self.old {
            Some(old) => temporary.replace(name, old)?,
            None => match rename_new(parent, &temporary.name, name) {
                Ok(()) => temporary.keep(),
                Err(Errno::EXIST) => return Err(Why::Changed),
                Err(error) => return Err(error.into()),
            },
        }
        Ok(stat)
    }

    /// Keeps the tools of other processes from replacing the old file at the same time; who comes second finds another
    /// one. A program that locks it for its own ends is not waited for long.
    fn hold(&self) -> Option<OwnedFd> {
        let file = self.old.and_then(|_| self.handle.open(OFlags::RDONLY).ok())?;
        for _ in 0..MAX_LOCK_TRIES {
            if rustix::fs::flock(&file, FlockOperation::NonBlockingLockExclusive).is_ok() {
                return Some(file);
            }
            std::thread::sleep(LOCK_PAUSE);
        }
        None
    }

    /// Whether the name still has the file that was read.
    fn is_as_read(&self, parent: BorrowedFd<'_>) -> Result<bool, Errno> {
        match (rustix::fs::statat(parent, self.handle.name(), AtFlags::SYMLINK_NOFOLLOW), &self.old)
        {
            (Ok(now), Some(old)) => Ok(is_same_content(&now, old)),
            (Err(Errno::NOENT), None) => Ok(true),
            (Ok(_), None) | (Err(Errno::NOENT), Some(_)) => Ok(false),
            (Err(error), _) => Err(error),
        }
    }

    fn changed(&self) -> Refusal {
        let message = format!("Not written: {} changed on disk meanwhile", self.asked.shown);
        Refusal::new(code::CHANGED_ON_DISK, message).with_hint("Read it again.")
    }
}

/// The kernel changes the last of these whenever it changes any of the others.
fn is_same_content(a: &Stat, b: &Stat) -> bool {
    file_id(a) == file_id(b)
        && (a.st_size, a.st_mode) == (b.st_size, b.st_mode)
        && (a.st_mtime, a.st_mtime_nsec) == (b.st_mtime, b.st_mtime_nsec)
        && (a.st_ctime, a.st_ctime_nsec) == (b.st_ctime, b.st_ctime_nsec)
}

/// The same for a file that was renamed since, which changes its last time. Layers of a file system may give it another
/// device then, or another inode when it has several names.
fn is_same_renamed(now: &Stat, old: &Stat) -> bool {
    (now.st_size, now.st_mode) == (old.st_size, old.st_mode)
        && (now.st_mtime, now.st_mtime_nsec) == (old.st_mtime, old.st_mtime_nsec)
        && (now.st_ino == old.st_ino || now.st_dev != old.st_dev || old.st_nlink > 1)
}

/// A file that somebody else made meanwhile is not replaced.
fn rename_new(parent: BorrowedFd<'_>, from: &OsString, to: &OsStr) -> Result<(), Errno> {
    match rustix::fs::renameat_with(parent, from, parent, to, RenameFlags::NOREPLACE) {
        // File systems without it: a link fails when the name is taken, too.
        Err(Errno::INVAL | Errno::NOSYS) => {
            rustix::fs::linkat(parent, from, parent, to, AtFlags::empty())?;
            rustix::fs::unlinkat(parent, from, AtFlags::empty())
        }
        renamed => renamed,
    }
}

#[derive(Debug)]
enum Why {
    Changed,
    System(Errno),
}

impl From<Errno> for Why {
    fn from(error: Errno) -> Why {
        Why::System(error)
    }
}

/// A file beside the place, removed unless it is kept.
struct Temporary<'p> {
    parent: BorrowedFd<'p>,
    name: OsString,
    file: OwnedFd,
    is_kept: bool,
}

impl<'p> Temporary<'p> {
    fn new(parent: BorrowedFd<'p>, mode: Mode) -> Result<Temporary<'p>, Errno> {
        let flags =
            OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        let mut last = Errno::EXIST;
        for _ in 0..MAX_NAMES {
            let name = OsString::from(format!(".handrail-{:016x}.tmp", random()));
            match rustix::fs::openat(parent, &name, flags, mode) {
                Ok(file) => return Ok(Temporary { parent, name, file, is_kept: false }),
                Err(Errno::EXIST) => {}
                Err(error) => {
                    last = error;
                    break;
                }
            }
        }
        Err(last)
    }

    fn keep(mut self) {
        self.is_kept = true;
    }

    /// Takes the place of a file. What comes back in exchange is looked at: when it is not the old one, another process has
    /// written meanwhile, and gets its place again.
    fn replace(self, name: &OsStr, old: &Stat) -> Result<(), Why> {
        let own = rustix::fs::fstat(&self.file)?;
        let exchange = || {
            let flags = RenameFlags::EXCHANGE;
            rustix::fs::renameat_with(self.parent, &self.name, self.parent, name, flags)
        };
        match exchange() {
            Ok(()) => {}
            Err(Errno::NOENT) => return Err(Why::Changed),
            // File systems without it: what is written meanwhile is lost there.
            Err(Errno::INVAL | Errno::NOSYS | Errno::OPNOTSUPP) => {
                rustix::fs::renameat(self.parent, &self.name, self.parent, name)?;
                self.keep();
                return Ok(());
            }
            Err(error) => return Err(error.into()),
        }
        let is_back = |is_it: &dyn Fn(&Stat) -> bool| {
            let stat = rustix::fs::statat(self.parent, &self.name, AtFlags::SYMLINK_NOFOLLOW);
            stat.is_ok_and(|stat| is_it(&stat))
        };
        if is_back(&|stat| is_same_renamed(stat, old)) {
            return Ok(());
        }
        for _ in 0..MAX_EXCHANGES {
            if exchange().is_err() {
                break;
            }
            if is_back(&|stat| file_id(stat) == file_id(&own)) {
                return Err(Why::Changed);
            }
        }
        // Somebody exchanges files all the time. What came back last is nobody else's, so it stays.
        self.keep();
        Err(Why::Changed)
    }
}

impl Drop for Temporary<'_> {
    fn drop(&mut self) {
        if !self.is_kept {
            // Who removed it meanwhile has done what is wanted.
            let _ = rustix::fs::unlinkat(self.parent, &self.name, AtFlags::empty());
        }
    }
}

/// A number that others do not guess: every state is keyed from the system's randomness.
fn random() -> u64 {
    RandomState::new().build_hasher().finish()
}

/// Folders that were made on the way.
struct Folders<'p> {
    top: BorrowedFd<'p>,
    made: Vec<(OwnedFd, OsString)>,
}

impl Folders<'_> {
    fn make(&mut self, names: &[OsString]) -> Result<(), Errno> {
        let flags = OFlags::PATH | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        for name in names {
            rustix::fs::mkdirat(self.last(), name, NEW_FOLDER)?;
            let folder = rustix::fs::openat(self.last(), name, flags, Mode::empty())?;
            self.made.push((folder, name.clone()));
        }
        Ok(())
    }

    fn last(&self) -> BorrowedFd<'_> {
        self.made.last().map_or(self.top, |(folder, _)| folder.as_fd())
    }

    /// Takes them away again, unless somebody has put something in.
    fn remove(mut self) {
        while let Some((_, name)) = self.made.pop() {
            let _ = rustix::fs::unlinkat(self.last(), &name, AtFlags::REMOVEDIR);
        }
    }
}

fn write_all(file: &OwnedFd, mut bytes: &[u8]) -> Result<(), Errno> {
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

#[cfg(test)]
mod tests;
