//! Layers: what commands wrote above the roots in place of writing beneath them, as the upper folders of overlay mounts.
//!
//! A layer is a private folder. `begun` is an empty file, and the time of its last change is the moment from which changes
//! beneath the roots count as those of others. `layer.json` says whose the layer is and which roots it lies over; the folder
//! `N/upper` has what changed below the root of number N. Nothing here needs a mount: a whiteout is a device 0:0, and a folder
//! that hides the one below it has an attribute.
//!
//! Notes are there where they are needed. `made` names folders that were made beneath the roots for what writes into the layer, and
//! that are gone after it where nothing else fills them. `brought` has a line for each time that the layer was brought over while
//! something went on in it: when it was looked at, and when that was done. `removed` has the places that it said are removed then.

mod bring;
mod commit;
mod compare;
mod contents;
mod guard;
mod sweep;
mod undo;

use std::collections::BTreeSet;
use std::ffi::{CStr, OsStr, OsString};
use std::fs::File;
use std::io::Read;
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::ffi::OsStringExt;
use std::path::{Path, PathBuf};

use rustix::fs::{FileType, Mode, OFlags, Stat};
use rustix::io::Errno;
use serde::Deserialize;

use crate::linux::files::Files;
use crate::linux::request::Text;
use crate::linux::tree::{Time, changed_at, is_changed_since, kind, open_folder_at, status};
use crate::linux::{open_file, publish};
use crate::refusal::{Refusal, code};
use crate::root::Root;

/// Name of the file whose last change is the moment at which the layer began.
const BEGUN: &str = "begun";
const DESCRIPTION: &str = "layer.json";
const MADE: &str = "made";
const BROUGHT: &str = "brought";
const REMOVED: &str = "removed";
/// Longest description, and note, that is read.
const MAX_DESCRIPTION_BYTES: u64 = 1 << 20;
/// Format of the description.
const VERSION: u32 = 1;
/// Mode bits that give others access.
const OTHERS_MODE: u32 = 0o077;
/// Attribute of a folder that hides the one below it, and its value.
const OPAQUE: (&CStr, &[u8]) = (c"user.overlay.opaque", b"y");

/// Attribute of an entry that was copied from the one below it. In the namespace of an ordinary user it has no value.
const ORIGIN: &str = "user.overlay.origin";

/// What a layer says of itself.
#[derive(Debug, Deserialize)]
struct Description {
    version: u32,
    owner: Owner,
    roots: Vec<PathBuf>,
}

/// The process that a layer belongs to.
#[derive(Clone, Copy, Debug, Deserialize)]
struct Owner {
    pid: i32,
    /// When it was started, in ticks of the kernel since the machine was: the 22nd field of its `stat`.
    start: u64,
}

/// An open layer, with the roots that it lies over.
#[derive(Debug)]
pub(crate) struct Layer<'f> {
    folder: OwnedFd,
    /// Changes at this time or later are those of others.
    since: Time,
    /// When it was made: nothing was changed in it before.
    born: Time,
    /// When the layer was brought over before, from the look at it to the end. What changed beneath the roots then is its own.
    brought: Vec<(Time, Time)>,
    /// The places that it said are removed when it was last brought over so.
    removed: BTreeSet<PathBuf>,
    /// The folders that were made beneath the roots for what wrote into the layer.
    made: BTreeSet<PathBuf>,
    parts: Vec<Part<'f>>,
}

/// What a layer has for one root.
#[derive(Debug)]
struct Part<'f> {
    root: &'f Root,
    upper: OwnedFd,
}

/// Opens a folder that nobody else may use.
fn open_private(path: &Path) -> Result<OwnedFd, Errno> {
    let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    let folder = rustix::fs::open(path, flags, Mode::empty())?;
    let stat = rustix::fs::fstat(&folder)?;
    let is_own = stat.st_uid == rustix::process::geteuid().as_raw();
    if is_own && stat.st_mode & OTHERS_MODE == 0 { Ok(folder) } else { Err(Errno::PERM) }
}

fn description(folder: &OwnedFd) -> Option<Description> {
    let file = File::from(open_file(folder, OsStr::new(DESCRIPTION)).ok()?);
    let mut text = String::new();
    file.take(MAX_DESCRIPTION_BYTES).read_to_string(&mut text).ok()?;
    serde_json::from_str(&text).ok().filter(|found: &Description| found.version == VERSION)
}

/// The content of a small file of a layer; nothing where it cannot be read.
fn note(folder: &OwnedFd, name: &str) -> Vec<u8> {
    let mut bytes = Vec::new();
    if let Ok(file) = open_file(folder, OsStr::new(name))
        && File::from(file).take(MAX_DESCRIPTION_BYTES).read_to_end(&mut bytes).is_err()
    {
        bytes.clear();
    }
    bytes
}

/// Without a note everything counts as a change, and what others have changed since as a conflict.
fn times_brought(folder: &OwnedFd) -> Vec<(Time, Time)> {
    let text = String::from_utf8(note(folder, BROUGHT)).unwrap_or_default();
    let times = text.lines().map(|line| {
        let numbers: Result<Vec<i64>, _> = line.split(' ').map(str::parse).collect();
        match numbers.ok()?[..] {
            [from, from_ns, to, to_ns] => Some(((from, from_ns), (to, to_ns))),
            _ => None,
        }
    });
    times.collect::<Option<_>>().unwrap_or_default()
}

/// The paths in a note, each with a NUL byte at its end. Without a note of made folders, what is missing below the layer counts as
/// removed by others.
fn places(folder: &OwnedFd, name: &str) -> BTreeSet<PathBuf> {
    let bytes = note(folder, name);
    let paths = bytes.split(|&byte| byte == 0).filter(|path| !path.is_empty());
    paths.map(|path| PathBuf::from(OsString::from_vec(path.to_vec()))).collect()
}

fn refuse(why: impl std::fmt::Display) -> Refusal {
    Refusal::new(code::SYSTEM, format!("the layer cannot be used: {why}"))
}

fn refuse_error(error: Errno) -> Refusal {
    refuse(std::io::Error::from(error))
}

impl Files {
    /// Refuses a layer that lies in a root: commands could write to it there.
    fn check_outside(&self, path: &Path) -> Result<(), Refusal> {
        let is_inside = self.resolver().root_of(path).is_some() && !self.is_unrestricted();
        if is_inside { Err(refuse("its folder lies in a root")) } else { Ok(()) }
    }

    /// Opens a layer. Fails where it lies in a root, and where a root that it lies over is none of these files', or read-only.
    fn open_layer(&self, path: &Text) -> Result<Layer<'_>, Refusal> {
        let path = layer_path(path)?;
        self.check_outside(&path)?;
        let folder = open_private(&path).map_err(refuse_error)?;
        let begun = open_file(&folder, OsStr::new(BEGUN)).map_err(refuse_error)?;
        let since = changed_at(&rustix::fs::fstat(begun).map_err(refuse_error)?);
        let born = status(&folder, OsStr::new(DESCRIPTION)).map_err(refuse_error)?;
        let born = born.map_or(since, |stat| changed_at(&stat));
        let found = description(&folder).ok_or_else(|| refuse("its description cannot be read"))?;
        let mut parts = Vec::new();
        for (number, path) in found.roots.iter().enumerate() {
            let root = self.roots().iter().find(|root| root.path() == path && root.is_writable());
            let root = root.ok_or_else(|| refuse("it lies over another root"))?;
            match open_folder_at(&folder, &Path::new(&number.to_string()).join("upper")) {
                Ok(upper) => parts.push(Part { root, upper }),
                Err(Errno::NOENT) => {}
                Err(error) => return Err(refuse_error(error)),
            }
        }
        let (removed, made) = (places(&folder, REMOVED), places(&folder, MADE));
        Ok(Layer { since, born, brought: times_brought(&folder), removed, made, parts, folder })
    }
}

impl Layer<'_> {
    /// Whether others have changed an entry of a root since the layer began.
    fn is_newer(&self, old: &Stat) -> bool {
        let time = changed_at(old);
        let is_own = || self.brought.iter().any(|(from, to)| (*from..*to).contains(&time));
        is_changed_since(old, self.since) && !is_own()
    }

    /// Whether an entry, of the place of this path, has stayed as it was when the layer was last brought over: it is no change any
    /// more.
    fn is_settled(&self, path: &Path, new: &Stat) -> bool {
        if is_whiteout(new) {
            // All of them may be one file, which each further one changes.
            return self.removed.contains(path);
        }
        self.brought.last().is_some_and(|(looked_at, _)| changed_at(new) < *looked_at)
    }
}

fn layer_path(path: &Text) -> Result<PathBuf, Refusal> {
    let path = path.0.as_deref().map(PathBuf::from);
    path.filter(|path| path.is_absolute()).ok_or_else(|| refuse("its path is not absolute"))
}

/// Whether an entry says that the one below it is removed.
fn is_whiteout(stat: &Stat) -> bool {
    kind(stat) == FileType::CharacterDevice && stat.st_rdev == 0
}

/// Whether a layer keeps the entry as something that roots have: a file, a link or a folder.
fn is_carried(stat: &Stat) -> bool {
    matches!(kind(stat), FileType::RegularFile | FileType::Symlink | FileType::Directory)
}

/// Whether a folder hides the one below it.
fn is_opaque(folder: impl AsFd) -> Result<bool, Errno> {
    let mut value = [0; 8];
    match rustix::fs::fgetxattr(folder, OPAQUE.0, &mut value) {
        Ok(length) => Ok(&value[..length] == OPAQUE.1),
        Err(Errno::NODATA | Errno::OPNOTSUPP) => Ok(false),
        Err(error) => Err(error),
    }
}

/// Whether an entry was copied from one that lay below it when it was first changed, under this name or another.
fn is_copied(file: impl AsFd) -> Result<bool, Errno> {
    match rustix::fs::fgetxattr(file, ORIGIN, &mut [0; 0][..]) {
        Ok(_) => Ok(true),
        Err(Errno::NODATA | Errno::OPNOTSUPP) => Ok(false),
        Err(error) => Err(error),
    }
}

/// A name in a layer that nothing else has.
fn private_name(what: &str) -> String {
    format!("{what}-{:016x}", publish::random())
}
