//! Paths of files that lie in a layer over a root. Commands find them at the path of the root; this machine opens them beneath the
//! directory of the layer.

use std::collections::VecDeque;
use std::ffi::OsString;
use std::io;
use std::os::fd::{AsRawFd, OwnedFd};
use std::path::{Component, Path, PathBuf};

use rustix::fs::{Mode, ResolveFlags};
use rustix::io::Errno;

use crate::linux::DIRECTORY_FLAGS;
use crate::linux::resolve::MAX_LINKS;
use crate::root::Root;

/// Opens the directory of a root beneath one of a layer; the way there has no links.
pub(crate) fn open_in_layer(held: &OwnedFd, rest: &Path) -> io::Result<OwnedFd> {
    let rest = if rest.as_os_str().is_empty() { Path::new(".") } else { rest };
    let resolve = ResolveFlags::BENEATH | ResolveFlags::NO_SYMLINKS;
    Ok(rustix::fs::openat2(held, rest, DIRECTORY_FLAGS, Mode::empty(), resolve)?)
}

/// The path beneath the directory of a layer for a canonical path; `None` for what lies in none.
pub(crate) fn path_beneath(roots: &[Root], canonical: &Path) -> Option<PathBuf> {
    let below =
        roots.iter().filter_map(|root| Some((root, canonical.strip_prefix(root.path()).ok()?)));
    let (root, rest) = below.min_by_key(|(_, rest)| rest.components().count())?;
    let held = || PathBuf::from(format!("/proc/self/fd/{}", root.directory().as_raw_fd()));
    // The path of the root itself ends with a slash then, so that the link which a descriptor is there is followed.
    root.is_in_layer().then(|| held().join(rest))
}

/// The canonical path of an absolute one. Links are followed as commands follow them, into a layer and out of it.
pub(crate) fn canonical_in_layer(roots: &[Root], path: &Path) -> io::Result<PathBuf> {
    let look = |path: &Path| path_beneath(roots, path).unwrap_or_else(|| path.to_path_buf());
    let mut remaining = names(path);
    let mut here = PathBuf::from("/");
    let mut links = 0;
    while let Some(name) = remaining.pop_front() {
        if name == ".." {
            here.pop();
            continue;
        }
        let next = here.join(name);
        let status = std::fs::symlink_metadata(look(&next))?;
        if !status.is_symlink() {
            if !remaining.is_empty() && !status.is_dir() {
                return Err(Errno::NOTDIR.into());
            }
            here = next;
            continue;
        }
        links += 1;
        if links > MAX_LINKS {
            return Err(Errno::LOOP.into());
        }
        let target = std::fs::read_link(look(&next))?;
        if target.is_absolute() {
            here = PathBuf::from("/");
        }
        let mut rest = names(&target);
        rest.append(&mut remaining);
        remaining = rest;
    }
    Ok(here)
}

fn names(path: &Path) -> VecDeque<OsString> {
    path.components()
        .filter(|part| matches!(part, Component::Normal(_) | Component::ParentDir))
        .map(|part| part.as_os_str().to_os_string())
        .collect()
}
