//! Publishes several changes: all of them, or none. Every new content is written to a temporary file before the first place
//! is changed, and every old file stays under a temporary name until the last place is changed.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsString;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::path::{Path, PathBuf};

use rustix::fs::{AtFlags, Mode, OFlags, Stat};
use rustix::io::Errno;

use super::access::copy_access;
use super::in_place::InPlaceWrite;
use super::temporary::{Temporary, is_same_renamed, rename_new, temporary_name};
use super::{Change, NEW_FOLDER_MODE, PublishError, PublishOptions};
use crate::linux::journal::{ChangedPlace, Journal, JournalCall, Pending};
use crate::refusal::{Refusal, code};

/// Changes whose contents are written to temporary files. Dropping this removes the files that were not published.
#[derive(Debug)]
pub(crate) struct Staged<'c> {
    /// Dropped before `folders`, so that the files in a folder are removed before the folder.
    changes: Vec<StagedChange<'c>>,
    folders: CreatedFolders,
    options: PublishOptions,
    /// One new content of each file system, by its device.
    synced_files: BTreeMap<u64, SyncedFile<'c>>,
    /// The record of the call. Dropped last: it says what has to be taken back until then.
    pending: Option<Pending>,
}

/// A new content that stands for all new contents of its file system when they are synced to the disk.
#[derive(Debug)]
struct SyncedFile<'c> {
    file: OwnedFd,
    change: &'c Change,
    /// Whether the file system has further new contents.
    has_others: bool,
}

/// One change, and how far it is.
#[derive(Debug)]
struct StagedChange<'c> {
    change: &'c Change,
    parent: OwnedFd,
    /// The new file until it takes its place; after that the old one.
    temporary: Option<Temporary>,
    /// Status of the file that has the name after the change.
    new: Option<Stat>,
    /// The overwritten file, where no other could take the place.
    in_place: Option<InPlaceWrite>,
    /// Name of a file that is set aside.
    aside: OsString,
}

impl<'c> Staged<'c> {
    /// Writes every content to a temporary file, and has all of them on the disk before one gets its name: after a power cut
    /// a name could be there without its content otherwise.
    pub(crate) fn new(
        changes: &[&'c Change],
        options: PublishOptions,
        call: Option<JournalCall<'_>>,
    ) -> Result<Staged<'c>, Refusal> {
        let (folders, synced_files) = (CreatedFolders::default(), BTreeMap::new());
        let pending = call.and_then(|call| begin(&call, changes));
        let mut staged = Staged { changes: Vec::new(), folders, options, synced_files, pending };
        for change in changes {
            staged.add(change).map_err(|why| change.refused(why))?;
        }
        staged.sync(|content| {
            if content.has_others {
                rustix::fs::syncfs(&content.file)
            } else {
                rustix::fs::fdatasync(&content.file)
            }
        })?;
        staged.keep(call.as_ref());
        Ok(staged)
    }

    fn add(&mut self, change: &'c Change) -> Result<(), PublishError> {
        let parent = self.folders.make(change)?;
        let temporary = match change.stage(parent.as_fd()) {
            Err(PublishError::OnlyInPlace(_))
                if self.options.in_place && change.check_in_place().is_ok() =>
            {
                None
            }
            staged => staged?,
        };
        let new = temporary.as_ref().and_then(|(temporary, _)| temporary.new_stat);
        let temporary = temporary.map(|(temporary, file)| {
            let system = new.map_or(0, |new| new.st_dev);
            let entry = self.synced_files.entry(system);
            let content = SyncedFile { file, change, has_others: false };
            entry.and_modify(|content| content.has_others = true).or_insert(content);
            temporary
        });
        let aside = temporary.as_ref().map_or_else(temporary_name, |new| new.name.clone());
        self.changes.push(StagedChange { change, parent, temporary, new, in_place: None, aside });
        Ok(())
    }

    fn sync(&self, sync: impl Fn(&SyncedFile<'_>) -> Result<(), Errno>) -> Result<(), Refusal> {
        self.synced_files.values().filter(|_| self.options.sync).try_for_each(|content| {
            sync(content).map_err(|error| content.change.refused(error.into()))
        })
    }

    /// Has the new names on the disk where several file systems are concerned: a removal on one of them could reach the disk
    /// before the new file on another.
    fn sync_names(&self) -> Result<(), Refusal> {
        let systems = self.changes.iter().filter_map(StagedChange::stat).map(|stat| stat.st_dev);
        if systems.collect::<BTreeSet<u64>>().len() < 2 {
            return Ok(());
        }
        self.sync(|content| rustix::fs::syncfs(&content.file))
    }

    /// Changes every place. Returns the status of the new file of each, or of the old one where it was removed. After a
    /// refusal everything is as before, unless the refusal says what is not.
    pub(crate) fn publish(self) -> Result<Vec<Stat>, Refusal> {
        let (stats, pending) = self.publish_from(0)?;
        if let Some(pending) = pending {
            // Where the folder cannot get its last name, the next start gives it.
            let _ = pending.close();
        }
        Ok(stats)
    }

    /// The same, with the record of the call, which is not closed.
    pub(crate) fn publish_open(self) -> Result<Option<Pending>, Refusal> {
        Ok(self.publish_from(0)?.1)
    }

    /// Id of the call in the journal. `None` where it is not kept.
    pub(crate) fn id(&self) -> Option<String> {
        self.pending.as_ref().map(|pending| pending.id().to_owned())
    }

    /// Has the journal keep what the places have now.
    fn keep(&mut self, call: Option<&JournalCall<'_>>) {
        let (Some(call), Some(pending)) = (call, &mut self.pending) else { return };
        let keepers: Vec<_> = self.changes.iter().map(StagedChange::keep_access).collect();
        let places: Vec<ChangedPlace<'_>> = self
            .changes
            .iter()
            .zip(&keepers)
            .map(|(staged, keep_access)| staged.changed_place(keep_access))
            .collect();
        let kept = pending.keep(&places);
        if !call.journal.notes(kept) {
            self.pending = None;
        }
    }

    fn publish_from(mut self, first: usize) -> Result<(Vec<Stat>, Option<Pending>), Refusal> {
        for index in first..=self.changes.len() {
            let done = match self.changes.get_mut(index) {
                Some(staged) => {
                    staged.publish(self.options).map_err(|why| staged.change.refused(why))
                }
                None => self.sync_names().and_then(|()| self.commit()),
            };
            if let Err(refusal) = done {
                let undone = self.changes[..index].iter_mut().rev().filter_map(StagedChange::undo);
                let not_undone: Vec<String> = undone.collect();
                if not_undone.is_empty() {
                    return Err(refusal);
                }
                let _ = self.pending.take().map(Pending::interrupted);
                return Err(applied_in_part(&refusal, &not_undone));
            }
        }
        self.folders.created.clear();
        let stats = self.changes.iter().filter_map(StagedChange::stat).collect();
        let pending = self.pending.take();
        Ok((stats, pending))
    }

    /// Has the journal say that every place has changed. Where it cannot, a later start would take the call back, so it fails now.
    fn commit(&mut self) -> Result<(), Refusal> {
        let Some(pending) = &mut self.pending else { return Ok(()) };
        pending.done().map_err(|error| {
            let first = self.changes.first().map(|staged| staged.change);
            first.map_or_else(
                || Refusal::new(code::SYSTEM, "no change"),
                |change| change.refused(error.into()),
            )
        })
    }

    /// Calls `meanwhile` after the first changes; for tests.
    #[cfg(test)]
    pub(crate) fn publish_in_two(
        mut self,
        first: usize,
        meanwhile: impl FnOnce(),
    ) -> Result<Vec<Stat>, Refusal> {
        for staged in &mut self.changes[..first] {
            staged.publish(self.options).map_err(|why| staged.change.refused(why))?;
        }
        meanwhile();
        Ok(self.publish_from(first)?.0)
    }
}

/// Begins the record of a call, before the first folder is made.
fn begin(call: &JournalCall<'_>, changes: &[&Change]) -> Option<Pending> {
    let mut folders: Vec<PathBuf> = Vec::new();
    for change in changes {
        let (path, depth) = (change.handle.canonical(), change.handle.missing().len());
        let above: Vec<&Path> = path.ancestors().skip(1).take(depth).collect();
        for folder in above.into_iter().rev() {
            if !folders.iter().any(|known| known == folder) {
                folders.push(folder.to_path_buf());
            }
        }
    }
    let old = changes.iter().filter_map(|change| change.old.as_ref());
    let bytes = old.map(|old| old.stat.st_size.cast_unsigned()).sum();
    Journal::begin(call, bytes, &folders)
}

impl StagedChange<'_> {
    /// What the journal keeps of the place.
    fn changed_place<'p>(&'p self, keep_access: &'p dyn Fn(BorrowedFd<'_>)) -> ChangedPlace<'p> {
        let old = self.change.old.as_deref();
        let leaves_a_file = self.change.leaves_a_file();
        // A file that is overwritten in place stays the same one.
        let new = self.new.or(old.map(|old| old.stat)).filter(|_| leaves_a_file);
        ChangedPlace {
            path: self.change.handle.canonical(),
            parent: self.parent.as_fd(),
            temporary: &self.aside,
            old: old.map(|old| (&old.stat, old.file.as_ref().map(AsFd::as_fd))),
            new: new.map(|new| (new, &*self.change.bytes)),
            keep_access,
        }
    }

    /// Gives another file the owner, mode and attributes of the old one, as far as that can be.
    fn keep_access(&self) -> impl Fn(BorrowedFd<'_>) {
        |kept| {
            let Some(old) = &self.change.old else { return };
            let Some(file) = &old.file else { return };
            let _ = copy_access(file, &old.stat, kept);
        }
    }

    /// Status of the file that has the name after the change, or of the removed file.
    fn stat(&self) -> Option<Stat> {
        self.new.or(self.change.old.as_ref().map(|old| old.stat))
    }

    fn publish(&mut self, options: PublishOptions) -> Result<(), PublishError> {
        let (parent, name) = (self.parent.as_fd(), self.change.handle.name());
        let _lock = self.change.lock_old();
        if !self.change.is_as_read(parent)? {
            return Err(PublishError::Changed);
        }
        match (&mut self.temporary, &self.change.old) {
            (Some(new), Some(old)) => match new.replace(name, &old.stat) {
                Err(PublishError::System(error)) => match self.change.error_of_replacing(error) {
                    PublishError::OnlyInPlace(_)
                        if options.in_place && self.change.check_in_place().is_ok() =>
                    {
                        self.write_in_place(options)
                    }
                    why => Err(why),
                },
                replaced => replaced,
            },
            (Some(new), None) => match new.take(name) {
                Ok(()) => Ok(()),
                Err(Errno::EXIST) => Err(PublishError::Changed),
                Err(error) => Err(error.into()),
            },
            (None, Some(_)) if self.change.leaves_a_file() => self.write_in_place(options),
            (None, Some(old)) => {
                let is_expected = |stat: &Stat| is_same_renamed(stat, &old.stat);
                self.temporary =
                    Some(Temporary::set_aside(parent, name, self.aside.clone(), is_expected)?);
                Ok(())
            }
            (None, None) => Ok(()),
        }
    }

    fn write_in_place(&mut self, options: PublishOptions) -> Result<(), PublishError> {
        self.temporary = None;
        let Some(old) = &self.change.old else { return Err(PublishError::Changed) };
        let place = InPlaceWrite::write(self.change, &self.parent, old, options.sync)?;
        self.new = Some(place.new);
        self.in_place = Some(place);
        Ok(())
    }

    /// Undoes the change. Returns the names of files that could not be put back, since another process has written there.
    fn undo(&mut self) -> Option<String> {
        let not_undone = |copy: Option<&str>| {
            let old = copy.map(|copy| format!(" (its old content is in {copy})"));
            Some(format!("{}{}", self.change.requested.shown, old.unwrap_or_default()))
        };
        if let Some(place) = &mut self.in_place {
            return place.undo().err().and_then(|copy| not_undone(Some(&copy)));
        }
        let (parent, name) = (self.parent.as_fd(), self.change.handle.name());
        let taken_back = match (&mut self.temporary, &self.change.old, &self.new) {
            (Some(old), Some(_), Some(_)) => old.put_old_back(name),
            (Some(old), Some(_), None) => {
                old.is_kept = true;
                rename_new(parent, &old.name, name).map_err(PublishError::from)
            }
            (_, None, Some(new)) => {
                let is_expected = |stat: &Stat| is_same_renamed(stat, new);
                Temporary::set_aside(parent, name, self.aside.clone(), is_expected).map(drop)
            }
            _ => Ok(()),
        };
        taken_back.err()?;
        let old = self
            .temporary
            .as_ref()
            .filter(|temporary| self.change.old.is_some() && temporary.is_kept);
        not_undone(old.map(|old| old.name.to_string_lossy()).as_deref())
    }
}

/// The refusal after which some changes could not be undone.
fn applied_in_part(refusal: &Refusal, not_undone: &[String]) -> Refusal {
    let message = format!(
        "Applied in part. {}; what was changed before was put back, but somebody had written since to: {}",
        refusal.message,
        not_undone.join(", ")
    );
    Refusal::new(code::APPLIED_IN_PART, message)
        .with_hint("Read these files, and the patch again for what they should be.")
}

/// Folders that were made for new files. Dropping this removes them again, unless they are not empty.
#[derive(Debug, Default)]
struct CreatedFolders {
    created: Vec<CreatedFolder>,
}

#[derive(Debug)]
struct CreatedFolder {
    path: PathBuf,
    parent: OwnedFd,
    directory: OwnedFd,
}

impl CreatedFolders {
    /// Makes the missing folders of a change, but for those that were made for another one. Returns the innermost of them.
    fn make(&mut self, change: &Change) -> Result<OwnedFd, Errno> {
        let flags = OFlags::PATH | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        let handle = &change.handle;
        let depth = handle.missing().len();
        let mut parent = duplicate(handle.parent())?;
        for (index, name) in handle.missing().iter().enumerate() {
            let path =
                handle.canonical().ancestors().nth(depth - index).unwrap_or(handle.canonical());
            if let Some(created) = self.created.iter().find(|created| created.path == path) {
                parent = duplicate(created.directory.as_fd())?;
                continue;
            }
            rustix::fs::mkdirat(&parent, name, NEW_FOLDER_MODE)?;
            let directory = rustix::fs::openat(&parent, name, flags, Mode::empty())?;
            let next = duplicate(directory.as_fd())?;
            self.created.push(CreatedFolder { path: path.to_path_buf(), parent, directory });
            parent = next;
        }
        Ok(parent)
    }
}

impl Drop for CreatedFolders {
    fn drop(&mut self) {
        while let Some(CreatedFolder { path, parent, .. }) = self.created.pop() {
            if let Some(name) = path.file_name() {
                let _ = rustix::fs::unlinkat(&parent, name, AtFlags::REMOVEDIR);
            }
        }
    }
}

fn duplicate(directory: BorrowedFd<'_>) -> Result<OwnedFd, Errno> {
    rustix::io::fcntl_dupfd_cloexec(directory, 0)
}
