//! Changes of several names: all of them, or none. What each of them needs is written beside its place before the first
//! place is taken, and what had the places stays beside them until the last one is taken.

use std::collections::{BTreeMap, BTreeSet};
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::path::PathBuf;

use rustix::fs::{AtFlags, Mode, OFlags, Stat};
use rustix::io::Errno;

use super::in_place::InPlace;
use super::{Change, NEW_FOLDER, Temporary, Way, Why, is_same_renamed, rename_new};
use crate::refusal::{Refusal, code};

/// Changes that only have to take their places. Dropped, nothing is left of them but what was published.
#[derive(Debug)]
pub(crate) struct Staged<'c> {
    /// Before the folders: these are empty when they are taken away.
    steps: Vec<Step<'c>>,
    folders: Folders,
    way: Way,
    /// New contents: one of each file system, and whether it has more.
    contents: BTreeMap<u64, Content<'c>>,
}

#[derive(Debug)]
struct Content<'c> {
    file: OwnedFd,
    change: &'c Change,
    has_more: bool,
}

/// One change on its way.
#[derive(Debug)]
struct Step<'c> {
    change: &'c Change,
    parent: OwnedFd,
    /// The new file until it takes its place; then the old one.
    beside: Option<Temporary>,
    /// The file that has the name then.
    new: Option<Stat>,
    /// The file that was written to, as no other could take the place.
    in_place: Option<InPlace>,
}

impl<'c> Staged<'c> {
    /// Writes every content beside its place. It is on the disk before it has a name: a system that stops may know of the
    /// name and not of the content otherwise.
    pub(crate) fn new(changes: &[&'c Change], way: Way) -> Result<Staged<'c>, Refusal> {
        let steps = Vec::with_capacity(changes.len());
        let (folders, contents) = (Folders::default(), BTreeMap::new());
        let mut staged = Staged { steps, folders, way, contents };
        for change in changes {
            staged.add(change).map_err(|why| change.refused(why))?;
        }
        staged.sync(|content| {
            if content.has_more {
                rustix::fs::syncfs(&content.file)
            } else {
                rustix::fs::fdatasync(&content.file)
            }
        })?;
        Ok(staged)
    }

    fn add(&mut self, change: &'c Change) -> Result<(), Why> {
        let parent = self.folders.make(change)?;
        let beside = match change.stage(parent.as_fd()) {
            Err(Why::Fixed(_)) if self.way.in_place && change.may_be_in_place().is_ok() => None,
            staged => staged?,
        };
        let new = beside.as_ref().and_then(|(beside, _)| beside.own);
        let beside = beside.map(|(beside, file)| {
            let system = new.map_or(0, |new| new.st_dev);
            let entry = self.contents.entry(system);
            let content = Content { file, change, has_more: false };
            entry.and_modify(|content| content.has_more = true).or_insert(content);
            beside
        });
        self.steps.push(Step { change, parent, beside, new, in_place: None });
        Ok(())
    }

    fn sync(&self, sync: impl Fn(&Content<'_>) -> Result<(), Errno>) -> Result<(), Refusal> {
        self.contents.values().filter(|_| self.way.sync).try_for_each(|content| {
            sync(content).map_err(|error| content.change.refused(error.into()))
        })
    }

    /// What is gone from one file system may be so on the disk before what is new on another has its name there.
    fn sync_names(&self) -> Result<(), Refusal> {
        let systems = self.steps.iter().filter_map(Step::stat).map(|stat| stat.st_dev);
        if systems.collect::<BTreeSet<u64>>().len() < 2 {
            return Ok(());
        }
        self.sync(|content| rustix::fs::syncfs(&content.file))
    }

    /// Takes every place. Gives what has each of the names then, and of one that is gone what had it; after a refusal
    /// everything is as before, unless it says what is not.
    pub(crate) fn publish(self) -> Result<Vec<Stat>, Refusal> {
        self.publish_from(0)
    }

    fn publish_from(mut self, first: usize) -> Result<Vec<Stat>, Refusal> {
        for index in first..=self.steps.len() {
            let done = match self.steps.get_mut(index) {
                Some(step) => step.publish(self.way).map_err(|why| step.change.refused(why)),
                None => self.sync_names(),
            };
            if let Err(refusal) = done {
                let back = self.steps[..index].iter_mut().rev().filter_map(Step::take_back);
                let standing: Vec<String> = back.collect();
                return Err(if standing.is_empty() {
                    refusal
                } else {
                    partly(&refusal, &standing)
                });
            }
        }
        self.folders.made.clear();
        Ok(self.steps.iter().filter_map(Step::stat).collect())
    }

    /// So that a test can do something between two places.
    #[cfg(test)]
    pub(crate) fn publish_in_two(
        mut self,
        first: usize,
        meanwhile: impl FnOnce(),
    ) -> Result<Vec<Stat>, Refusal> {
        for step in &mut self.steps[..first] {
            step.publish(self.way).map_err(|why| step.change.refused(why))?;
        }
        meanwhile();
        self.publish_from(first)
    }
}

impl Step<'_> {
    /// What has the name, or had it.
    fn stat(&self) -> Option<Stat> {
        self.new.or(self.change.old.as_ref().map(|old| old.stat))
    }

    fn publish(&mut self, way: Way) -> Result<(), Why> {
        let (parent, name) = (self.parent.as_fd(), self.change.handle.name());
        let _held = self.change.hold();
        if !self.change.is_as_read(parent)? {
            return Err(Why::Changed);
        }
        match (&mut self.beside, &self.change.old) {
            (Some(new), Some(old)) => match new.replace(name, &old.stat) {
                Err(Why::System(error)) => match self.change.why_not_replaced(error) {
                    Why::Fixed(_) if way.in_place && self.change.may_be_in_place().is_ok() => {
                        self.write_in_place(way)
                    }
                    why => Err(why),
                },
                replaced => replaced,
            },
            (Some(new), None) => match rename_new(parent, &new.name, name) {
                Ok(()) => {
                    new.is_kept = true;
                    Ok(())
                }
                Err(Errno::EXIST) => Err(Why::Changed),
                Err(error) => Err(error.into()),
            },
            (None, Some(_)) if self.change.leaves_a_file() => self.write_in_place(way),
            (None, Some(old)) => {
                let is_it = |stat: &Stat| is_same_renamed(stat, &old.stat);
                self.beside = Some(Temporary::aside(parent, name, is_it)?);
                Ok(())
            }
            (None, None) => Ok(()),
        }
    }

    fn write_in_place(&mut self, way: Way) -> Result<(), Why> {
        self.beside = None;
        let Some(old) = &self.change.old else { return Err(Why::Changed) };
        let place = InPlace::write(self.change, &self.parent, old, way.sync)?;
        self.new = Some(place.new);
        self.in_place = Some(place);
        Ok(())
    }

    /// Undoes what was published. Says what stands when somebody has written there since.
    fn take_back(&mut self) -> Option<String> {
        let standing = |copy: Option<&str>| {
            let old = copy.map(|copy| format!(" (its old content is in {copy})"));
            Some(format!("{}{}", self.change.asked.shown, old.unwrap_or_default()))
        };
        if let Some(place) = &mut self.in_place {
            return place.take_back().err().and_then(|copy| standing(Some(&copy)));
        }
        let (parent, name) = (self.parent.as_fd(), self.change.handle.name());
        let taken_back = match (&mut self.beside, &self.change.old, &self.new) {
            (Some(old), Some(_), Some(_)) => old.give_back(name),
            (Some(old), Some(_), None) => {
                old.is_kept = true;
                rename_new(parent, &old.name, name).map_err(Why::from)
            }
            (_, None, Some(new)) => {
                let is_it = |stat: &Stat| is_same_renamed(stat, new);
                Temporary::aside(parent, name, is_it).map(drop)
            }
            _ => Ok(()),
        };
        taken_back.err()?;
        let old = self.beside.as_ref().filter(|beside| self.change.old.is_some() && beside.is_kept);
        standing(old.map(|old| old.name.to_string_lossy()).as_deref())
    }
}

/// Some of the changes stand.
fn partly(refusal: &Refusal, standing: &[String]) -> Refusal {
    let message = format!(
        "Applied in part. {}; what was changed before was put back, but somebody had written since to: {}",
        refusal.message,
        standing.join(", ")
    );
    Refusal::new(code::APPLIED_IN_PART, message)
        .with_hint("Read these files, and the patch again for what they should be.")
}

/// Folders that were made on the way. Dropped, they are taken away again, unless somebody has put something in.
#[derive(Debug, Default)]
struct Folders {
    made: Vec<Folder>,
}

#[derive(Debug)]
struct Folder {
    path: PathBuf,
    parent: OwnedFd,
    directory: OwnedFd,
}

impl Folders {
    /// Makes the folders that a change misses, but for those that another one has missed before. Gives the last of them.
    fn make(&mut self, change: &Change) -> Result<OwnedFd, Errno> {
        let flags = OFlags::PATH | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        let handle = &change.handle;
        let depth = handle.missing().len();
        let mut parent = duplicate(handle.parent())?;
        for (index, name) in handle.missing().iter().enumerate() {
            let path =
                handle.canonical().ancestors().nth(depth - index).unwrap_or(handle.canonical());
            if let Some(made) = self.made.iter().find(|made| made.path == path) {
                parent = duplicate(made.directory.as_fd())?;
                continue;
            }
            rustix::fs::mkdirat(&parent, name, NEW_FOLDER)?;
            let directory = rustix::fs::openat(&parent, name, flags, Mode::empty())?;
            let next = duplicate(directory.as_fd())?;
            self.made.push(Folder { path: path.to_path_buf(), parent, directory });
            parent = next;
        }
        Ok(parent)
    }
}

impl Drop for Folders {
    fn drop(&mut self) {
        while let Some(Folder { path, parent, .. }) = self.made.pop() {
            if let Some(name) = path.file_name() {
                let _ = rustix::fs::unlinkat(&parent, name, AtFlags::REMOVEDIR);
            }
        }
    }
}

fn duplicate(directory: BorrowedFd<'_>) -> Result<OwnedFd, Errno> {
    rustix::io::fcntl_dupfd_cloexec(directory, 0)
}
