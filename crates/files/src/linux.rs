//! The file tools, which rest on resolving names below a descriptor, as Linux does it.

mod arguments;
mod directory;
mod edit;
mod files;
mod glob;
mod grep;
mod history;
mod ignore_rules;
mod journal;
mod judge;
mod kinds;
mod large;
mod layer;
mod layer_paths;
mod ledger;
mod likeness;
mod line_diff;
mod line_pattern;
mod list;
mod masked_diff;
mod patch;
mod path;
mod path_pattern;
mod publish;
mod read;
mod record_diff;
mod repository;
mod resolve;
mod restore;
mod stat;
mod suggest;
#[cfg(test)]
mod testing;
mod text;
mod tree;
mod undo;
mod view;
mod walk;
mod write;

pub mod answer;
pub mod request;

use std::ffi::OsStr;
use std::io;
use std::os::fd::{AsFd, AsRawFd, OwnedFd};
use std::path::{Path, PathBuf};

use rustix::fs::{Mode, OFlags};
use rustix::io::Errno;
use serde::Serialize;

use crate::linux::request::Request;
use crate::refusal::{Answer, Refusal, WrongArgument, code, json};
use crate::root::Root;
pub use files::Files;
pub(crate) use layer_paths::{canonical_in_layer, open_in_layer, path_beneath};
pub(crate) use resolve::{canonical_beneath, open_beneath, real_place};

/// What a root keeps open: its directory.
pub(crate) type RootDirectory = OwnedFd;

/// Opens a directory to resolve names in it, not to read it.
const DIRECTORY_FLAGS: OFlags = OFlags::PATH.union(OFlags::DIRECTORY).union(OFlags::CLOEXEC);
/// Opens a file without following a link, waiting for a pipe or making a terminal the controlling one.
const NO_FOLLOW_FLAGS: OFlags =
    OFlags::NOFOLLOW.union(OFlags::NONBLOCK).union(OFlags::NOCTTY).union(OFlags::CLOEXEC);

/// Opens the directory of a root. Gives its canonical path as well.
pub(crate) fn open_root(path: &Path) -> io::Result<(RootDirectory, PathBuf)> {
    let directory = open_directory(path)?;
    let canonical = std::fs::read_link(format!("/proc/self/fd/{}", directory.as_raw_fd()))?;
    Ok((directory, canonical))
}

/// Opens a directory by path, for callers that are not restricted to roots.
pub fn open_directory(path: &Path) -> io::Result<OwnedFd> {
    Ok(rustix::fs::open(path, DIRECTORY_FLAGS, Mode::empty())?)
}

impl Root {
    /// The open directory.
    pub(crate) fn directory(&self) -> &RootDirectory {
        &self.directory
    }

    /// Device and inode of the directory.
    pub fn identity(&self) -> io::Result<(u64, u64)> {
        let status = rustix::fs::fstat(self.directory())?;
        Ok((status.st_dev, status.st_ino))
    }
}

/// Opens the file with this name in a directory for reading, without following a link or waiting.
fn open_file(directory: impl AsFd, name: &OsStr) -> Result<OwnedFd, Errno> {
    rustix::fs::openat(directory, name, OFlags::RDONLY | NO_FOLLOW_FLAGS, Mode::empty())
}

/// Opens the folder with this name in a directory for reading, without following a link.
fn open_folder(directory: impl AsFd, name: &OsStr) -> Result<OwnedFd, Errno> {
    let flags = OFlags::RDONLY | OFlags::DIRECTORY | NO_FOLLOW_FLAGS;
    rustix::fs::openat(directory, name, flags, Mode::empty())
}

/// Tries of a call when its file is exchanged for another between resolving and opening it.
const MAX_TRIES: usize = 32;

/// Tries until a file has stayed in its place; `attempt` gives `None` when another one had its name by then. A refusal to go
/// on has this title.
fn until_stable<T>(
    title: Option<&str>,
    mut attempt: impl FnMut() -> Result<Option<T>, Refusal>,
) -> Result<T, Refusal> {
    for _ in 0..MAX_TRIES {
        if let Some(done) = attempt()? {
            return Ok(done);
        }
    }
    let refusal = Refusal::new(code::CHANGED_ON_DISK, "a file is being replaced all the time");
    Err(match title {
        Some(title) => refusal.titled(title),
        None => refusal,
    })
}

/// Makes each operation a method of [`Files`] with its name. The refusals of a method are masked. [`Files::call`] calls the
/// methods with requests and answers in JSON.
macro_rules! operations {
    ($($(#[$docs:meta])* $name:ident($request:ident) -> $answer:ident by $method:ident;)+) => {
        /// The operations that [`Files::call`] knows.
        pub const OPERATIONS: &[&str] = &[$(stringify!($name)),+];

        impl Files {
            $($(#[$docs])*
            pub fn $name(&self, request: &request::$request) -> Result<answer::$answer, Refusal> {
                self.$method(request).map_err(|refusal| self.masked(refusal))
            })+

            /// Does the operation with this name; the request and the answer are JSON.
            pub fn call(&self, operation: &str, request: &str) -> Answer {
                match operation {
                    $(stringify!($name) => {
                        Ok(to_json(self.$name(&request::$request::parse(request)?)))
                    })+
                    _ => Err(WrongArgument::new("operation", "there is no such operation".into())),
                }
            }
        }
    };
}

operations! {
    /// Reads lines of a file.
    read(ReadRequest) -> ReadFile by read_lines;
    /// Makes a file or replaces its content.
    write(WriteRequest) -> WrittenFile by write_file;
    /// Replaces texts in a file.
    edit(EditRequest) -> EditedFile by edit_file;
    /// Changes several files as a patch says.
    patch(PatchRequest) -> PatchedFiles by apply_patch;
    /// Lists the entries of a directory.
    list(ListRequest) -> ListedDirectory by list_entries;
    /// Tells what a name stands for; judged as reading is.
    stat(StatRequest) -> StatedFile by stat_entry;
    /// Finds files whose paths match a pattern.
    glob(GlobRequest) -> FoundFiles by find_files;
    /// Finds lines that match a regular expression.
    grep(GrepRequest) -> FoundLines by find_lines;
    /// Lists the calls that changed files.
    history(HistoryRequest) -> ChangeHistory by list_changes;
    /// Takes calls back.
    undo(UndoRequest) -> UndoneChanges by undo_changes;
    /// Lists what a layer has changed.
    layer_changes(LayerChangesRequest) -> LayerChanges by list_layer_changes;
    /// Brings a layer over.
    layer_commit(LayerCommitRequest) -> CommittedLayer by commit_layer;
    /// Drops a layer.
    layer_discard(LayerDiscardRequest) -> DiscardedLayer by discard_layer;
    /// Drops layers that were left behind.
    layer_sweep(LayerSweepRequest) -> SweptLayers by sweep_layers;
}

fn to_json<T: Serialize>(result: Result<T, Refusal>) -> String {
    match result {
        Ok(answer) => json(&Answered { ok: true, answer }),
        Err(refusal) => refusal.to_json(),
    }
}

#[derive(Serialize)]
struct Answered<T> {
    ok: bool,
    #[serde(flatten)]
    answer: T,
}
