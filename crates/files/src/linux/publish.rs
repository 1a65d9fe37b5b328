//! A new content takes the place of the old one in one step, or not at all.

mod access;
mod in_place;
mod staged;

use std::ffi::{OsStr, OsString};
use std::hash::{BuildHasher, Hasher, RandomState};
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::rc::Rc;
use std::time::Duration;

use rustix::fs::{Access, AtFlags, FlockOperation, Mode, OFlags, RenameFlags, Stat};
use rustix::io::Errno;

use crate::linux::judge::{Purpose, file_id, system};
use crate::linux::path::Asked;
use crate::linux::resolve::Handle;
use crate::linux::write::NOT_WRITTEN;
use crate::refusal::{Refusal, code};
use access::Unkept;
pub(crate) use staged::Staged;

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
/// What nobody else may open.
const PRIVATE: Mode = Mode::RUSR.union(Mode::WUSR);

/// How a content gets to its place; what the host decided.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Way {
    /// It is on the disk before it has the name.
    pub(crate) sync: bool,
    /// What cannot be replaced is written to.
    pub(crate) in_place: bool,
}

/// What becomes of a name.
#[derive(Debug)]
pub(crate) struct Change {
    pub(crate) asked: Asked,
    pub(crate) handle: Handle,
    /// The file that has the name.
    old: Option<Rc<Old>>,
    /// What is in the new file; empty when there is none.
    pub(crate) bytes: Vec<u8>,
    new: New,
}

/// A file as it was when it was read.
#[derive(Debug)]
struct Old {
    stat: Stat,
    /// Open for reading, where that is allowed and it still is that file.
    file: Option<OwnedFd>,
}

/// What has the name afterwards.
#[derive(Clone, Debug)]
enum New {
    /// A file that anybody may execute, or not.
    File {
        is_executable: bool,
    },
    /// A file that everybody may do with what they may do with another.
    Like(Rc<Old>),
    Nothing,
}

impl Change {
    pub(crate) fn creating(
        asked: Asked,
        handle: Handle,
        bytes: Vec<u8>,
        is_executable: bool,
    ) -> Change {
        Change { asked, handle, old: None, bytes, new: New::File { is_executable } }
    }

    pub(crate) fn replacing(asked: Asked, handle: Handle, old: Stat, bytes: Vec<u8>) -> Change {
        let is_old =
            |file: &OwnedFd| rustix::fs::fstat(file).is_ok_and(|stat| is_same_content(&stat, &old));
        let file = handle.open(OFlags::RDONLY).ok().filter(is_old);
        let old = Rc::new(Old { stat: old, file });
        Change { asked, handle, old: Some(Rc::clone(&old)), bytes, new: New::Like(old) }
    }

    /// The content goes to another place, where nothing is, and this one is taken away.
    pub(crate) fn moved_to(mut self, asked: Asked, handle: Handle) -> [Change; 2] {
        let bytes = std::mem::take(&mut self.bytes);
        let new = self.new.clone();
        [Change { asked, handle, old: None, bytes, new }, self.into_removal()]
    }

    pub(crate) fn into_removal(self) -> Change {
        Change { bytes: Vec::new(), new: New::Nothing, ..self }
    }

    /// Makes the folders that are missing and puts the content in its place. Gives what is there then; after a refusal
    /// everything is as before.
    pub(crate) fn publish(&self, way: Way) -> Result<Stat, Refusal> {
        let stats = Staged::new(&[self], way)?.publish()?;
        stats.first().copied().ok_or_else(|| self.refused(Why::Changed))
    }

    /// Writes the new content beside its place.
    fn stage(&self, parent: BorrowedFd<'_>) -> Result<Option<(Temporary, OwnedFd)>, Why> {
        let mode = match self.new {
            New::Nothing => return Ok(None),
            New::Like(_) => PRIVATE,
            New::File { is_executable: true } => NEW_FOLDER,
            New::File { is_executable: false } => NEW_FILE,
        };
        let (mut temporary, file) =
            Temporary::new(parent, mode).map_err(|error| self.why_not_replaced(error))?;
        write_all(&file, &self.bytes)?;
        if let New::Like(old) = &self.new {
            if let Some(like) = &old.file {
                access::keep(like, &old.stat, &file).map_err(Fixed::Access)?;
            } else if self.is_as_read(parent)? {
                let what = "list of extended attributes".into();
                return Err(Fixed::Access(Unkept { what, error: Errno::ACCESS }).into());
            } else {
                return Err(Why::Changed);
            }
        }
        temporary.own = Some(rustix::fs::fstat(&file)?);
        Ok(Some((temporary, file)))
    }

    /// Keeps the tools of other processes from replacing the old file at the same time; who comes second finds another
    /// one. A program that locks it for its own ends is not waited for long.
    fn hold(&self) -> Option<Held<'_>> {
        let file = self.old.as_ref()?.file.as_ref()?;
        for _ in 0..MAX_LOCK_TRIES {
            if rustix::fs::flock(file, FlockOperation::NonBlockingLockExclusive).is_ok() {
                return Some(Held(file));
            }
            std::thread::sleep(LOCK_PAUSE);
        }
        None
    }

    /// Where the system lets no other file have the name, the one that has it may still be written to.
    fn why_not_replaced(&self, error: Errno) -> Why {
        let is_fixed =
            matches!(error, Errno::BUSY | Errno::XDEV | Errno::ACCESS | Errno::PERM | Errno::ROFS);
        if is_fixed && self.old.is_some() { Fixed::Name(error).into() } else { error.into() }
    }

    fn leaves_a_file(&self) -> bool {
        !matches!(self.new, New::Nothing)
    }

    /// Whether the file that has the name may be written to, and nothing else is changed by that.
    fn may_be_in_place(&self) -> Result<(), &'static str> {
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

    /// Whether the name still has the file that was read.
    fn is_as_read(&self, parent: BorrowedFd<'_>) -> Result<bool, Errno> {
        match (rustix::fs::statat(parent, self.handle.name(), AtFlags::SYMLINK_NOFOLLOW), &self.old)
        {
            (Ok(now), Some(old)) => Ok(is_same_content(&now, &old.stat)),
            (Err(Errno::NOENT), None) => Ok(true),
            (Ok(_), None) | (Err(Errno::NOENT), Some(_)) => Ok(false),
            (Err(error), _) => Err(error),
        }
    }

    fn refused(&self, why: Why) -> Refusal {
        match why {
            Why::System(error) => system(&self.asked, error, Purpose::Write),
            Why::Changed => {
                let reason = format!("{} changed on disk meanwhile", self.asked.shown);
                let refusal = Refusal::new(code::CHANGED_ON_DISK, reason).titled(NOT_WRITTEN);
                refusal.with_hint("Read it again.")
            }
            Why::Fixed(fixed) => {
                let hint = match self.may_be_in_place() {
                    Ok(()) => {
                        "The host allows a change in place, which is not one step, with `inPlace: true`"
                    }
                    Err(hint) => hint,
                };
                fixed.refused(&self.asked.shown).with_hint(format!("{hint}."))
            }
            Why::Torn(copy) => {
                let message = format!(
                    "Applied in part. {} was being changed in place when that failed, and it could not be put back; its old \
                     content is in {copy}",
                    self.asked.shown
                );
                Refusal::new(code::APPLIED_IN_PART, message)
                    .with_hint("Ask the user to put it back.")
            }
        }
    }
}

/// A file that is locked until this is dropped.
struct Held<'f>(&'f OwnedFd);

impl Drop for Held<'_> {
    fn drop(&mut self) {
        let _ = rustix::fs::flock(self.0, FlockOperation::Unlock);
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
fn rename_new(parent: BorrowedFd<'_>, from: &OsStr, to: &OsStr) -> Result<(), Errno> {
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
    Fixed(Fixed),
    /// A change in place that failed; what was there is kept under this name.
    Torn(String),
}

/// Why a file can only be changed in place.
#[derive(Debug)]
enum Fixed {
    /// No other file can have its name.
    Name(Errno),
    /// Another file could be opened by others than it.
    Access(Unkept),
}

impl Fixed {
    fn refused(&self, shown: &str) -> Refusal {
        let said = |error: Errno| std::io::Error::from(error);
        let refusal = match self {
            Fixed::Name(error) => {
                let reason = format!("{shown} can only be changed in place: {}", said(*error));
                Refusal::new(code::IN_PLACE_ONLY, reason)
            }
            Fixed::Access(Unkept { what, error }) => {
                let place = format!("a new file in the place of {shown}");
                let reason = format!("{place} cannot have its {what}: {}", said(*error));
                Refusal::new(code::ACCESS_NOT_KEPT, reason)
            }
        };
        refusal.titled(NOT_WRITTEN)
    }
}

impl From<Fixed> for Why {
    fn from(fixed: Fixed) -> Why {
        Why::Fixed(fixed)
    }
}

impl From<Errno> for Why {
    fn from(error: Errno) -> Why {
        Why::System(error)
    }
}

/// A file beside the place, removed in the end unless it is kept.
#[derive(Debug)]
struct Temporary {
    parent: OwnedFd,
    name: OsString,
    /// The new file, which this is until it takes its place; `None` for an old file that was put aside.
    own: Option<Stat>,
    is_kept: bool,
}

impl Temporary {
    fn new(parent: BorrowedFd<'_>, mode: Mode) -> Result<(Temporary, OwnedFd), Errno> {
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
                    return Ok((Temporary { parent, name, own: None, is_kept: false }, taken));
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
    fn aside(
        parent: BorrowedFd<'_>,
        name: &OsStr,
        is_it: impl Fn(&Stat) -> bool,
    ) -> Result<Temporary, Why> {
        let moved = Temporary::with_name(parent, |to| rename_new(parent, name, to));
        let (mut temporary, ()) = moved.map_err(|error| match error {
            Errno::NOENT => Why::Changed,
            error => Why::System(error),
        })?;
        if temporary.is(is_it) {
            return Ok(temporary);
        }
        // Whoever has the name by now keeps it, and this file its content.
        temporary.is_kept = true;
        let _ = rename_new(parent, &temporary.name, name);
        Err(Why::Changed)
    }

    fn is(&self, is_it: impl Fn(&Stat) -> bool) -> bool {
        let stat = rustix::fs::statat(&self.parent, &self.name, AtFlags::SYMLINK_NOFOLLOW);
        stat.is_ok_and(|stat| is_it(&stat))
    }

    fn exchange(&self, name: &OsStr) -> Result<(), Errno> {
        let flags = RenameFlags::EXCHANGE;
        rustix::fs::renameat_with(&self.parent, &self.name, &self.parent, name, flags)
    }

    /// Takes the place of a file, and is the old one then. What comes back in exchange is looked at: when it is not the old
    /// one, another process has written meanwhile, and gets its place again.
    fn replace(&mut self, name: &OsStr, old: &Stat) -> Result<(), Why> {
        match self.exchange(name) {
            Ok(()) => {}
            Err(Errno::NOENT) => return Err(Why::Changed),
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
                return Err(Why::Changed);
            }
        }
        // Somebody exchanges files all the time. What came back last is nobody else's, so it stays.
        self.is_kept = true;
        Err(Why::Changed)
    }

    /// Takes the place of a file of which a second name is kept, where the file system has such.
    fn rename_over(&mut self, name: &OsStr) -> Result<(), Why> {
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
        self.own.as_ref().is_some_and(|own| file_id(stat) == file_id(own))
    }

    /// Gives the old file, which this is by now, its place again.
    fn give_back(&mut self, name: &OsStr) -> Result<(), Why> {
        let gone = match self.exchange(name) {
            Err(Errno::INVAL | Errno::NOSYS | Errno::OPNOTSUPP) if !self.is_kept => {
                rustix::fs::renameat(&self.parent, &self.name, &self.parent, name)?;
                self.is_kept = true;
                return Ok(());
            }
            exchanged => exchanged.is_err(),
        };
        if !gone && self.is(|stat| self.own.is_some_and(|own| is_same_renamed(stat, &own))) {
            return Ok(());
        }
        // Who has written meanwhile keeps the place, and the old content a name.
        self.is_kept = true;
        if !gone {
            self.exchange(name)?;
        }
        Err(Why::Changed)
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
