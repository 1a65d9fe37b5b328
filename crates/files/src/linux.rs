//! Names resolved beneath descriptors, as Linux does it, and the tools that rest on that.

mod arguments;
mod directory;
mod edit;
mod files;
mod glob;
mod grep;
mod ignore_rules;
mod judge;
mod ledger;
mod line_diff;
mod line_pattern;
mod list;
mod patch;
mod path;
mod path_pattern;
mod publish;
mod read;
mod resolve;
mod restore;
mod stat;
mod suggest;
#[cfg(test)]
mod testing;
mod text;
#[cfg(test)]
mod types;
mod view;
mod walk;
mod write;

pub mod answer;
pub mod request;

use std::io;
use std::os::fd::{AsRawFd, OwnedFd};
use std::path::{Path, PathBuf};

use rustix::fs::{Mode, OFlags};
use serde::Serialize;

use crate::linux::request::Request;
use crate::refusal::{Answer, Refusal, WrongArgument, json};
use crate::root::Root;
pub use files::Files;
pub(crate) use resolve::{open_beneath, real_place};

/// What is held of a root: the directory.
pub(crate) type Held = OwnedFd;

const DIRECTORY: OFlags = OFlags::PATH.union(OFlags::DIRECTORY).union(OFlags::CLOEXEC);

/// Opens a directory and says where it is.
pub(crate) fn hold(path: &Path) -> io::Result<(Held, PathBuf)> {
    let directory = open_directory(path)?;
    let canonical = std::fs::read_link(format!("/proc/self/fd/{}", directory.as_raw_fd()))?;
    Ok((directory, canonical))
}

/// Opens a directory by path, for callers that are not restricted to roots.
pub fn open_directory(path: &Path) -> io::Result<OwnedFd> {
    Ok(rustix::fs::open(path, DIRECTORY, Mode::empty())?)
}

impl Root {
    /// The directory itself.
    pub(crate) fn held(&self) -> &Held {
        &self.held
    }

    /// Its device and inode.
    pub fn identity(&self) -> io::Result<(u64, u64)> {
        let status = rustix::fs::fstat(self.held())?;
        Ok((status.st_dev, status.st_ino))
    }
}

/// Each operation is a method of [`Files`] with this name; its request and its answer are JSON at the border.
macro_rules! operations {
    ($($name:ident),+) => {
        /// What [`Files::call`] can be asked for.
        pub const OPERATIONS: &[&str] = &[$(stringify!($name)),+];

        impl Files {
            /// Does what one of [`OPERATIONS`] says to a request in JSON.
            pub fn call(&self, operation: &str, request: &str) -> Answer {
                match operation {
                    $(stringify!($name) => answer(request, |request| self.$name(request)),)+
                    _ => Err(WrongArgument::new("operation", "there is no such operation".into())),
                }
            }
        }
    };
}

operations!(read, write, edit, patch, list, stat, glob, grep);

fn answer<Asked: Request, Given: Serialize>(
    request: &str,
    act: impl FnOnce(&Asked) -> Result<Given, Refusal>,
) -> Answer {
    Ok(match act(&Asked::parse(request)?) {
        Ok(answer) => json(&Done { ok: true, answer }),
        Err(refusal) => refusal.to_json(),
    })
}

#[derive(Serialize)]
struct Done<Given> {
    ok: bool,
    #[serde(flatten)]
    answer: Given,
}
