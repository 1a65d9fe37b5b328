//! A root directory of a view's own, in which a root of the plan has a second path that the machine does not have.
//!
//! Nothing is made in the machine's root directory. Such a view therefore has a file system in memory as its root, with
//! everything in it that is mounted in the machine's root, and is entered by `chroot`. It lies right beneath the machine's root
//! and not over it: Landlock looks for grants on the way up through all mounts, and the layer that holds everything of one host
//! grants moving files at the machine's root. Commands have no capability for `chroot`, and no descriptor that leads out; what
//! they would find outside is the same view without the second path.

use std::ffi::{CStr, OsStr};
use std::fs::{DirEntry, File};
use std::io;
use std::os::fd::AsFd;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::DirBuilderExt;
use std::path::{Component, Path, PathBuf};

use handrail_supervisor::message::{Plan, PlanRoot};

use super::mount_tree::{MOUNT_ATTR_RDONLY, MountTree};
use super::namespace::{VIEW_OPTIONS, mount, open_root};

/// Where the root directory of a view lies. Every machine has this folder, and no layer ever grants anything there.
const PLACE: &CStr = c"/proc";
/// The mode of the folders in it, which something is mounted over.
const FOLDER_MODE: u32 = 0o755;

/// A root that a view shows by a second path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ShownRoot {
    path: Vec<u8>,
    shown_as: Vec<u8>,
}

impl ShownRoot {
    /// The roots of a plan that a view shows by a second path.
    pub(crate) fn of(plan: &Plan) -> Vec<ShownRoot> {
        let shown = |root: &PlanRoot| {
            let shown_as = root.shown_as.clone()?;
            Some(ShownRoot { path: root.path.clone(), shown_as })
        };
        plan.roots.iter().filter_map(shown).collect()
    }
}

/// Something in the machine's root directory.
enum Part {
    Folder(MountTree),
    File(MountTree),
    Link(PathBuf),
}

impl Part {
    /// `None` for what is gone by now, and for what is no file, folder or link.
    fn of(entry: &DirEntry) -> io::Result<Option<Part>> {
        let kind = entry.file_type()?;
        let found = if kind.is_symlink() {
            std::fs::read_link(entry.path()).map(Part::Link)
        } else if kind.is_dir() {
            MountTree::clone(&entry.path(), 0).map(Part::Folder)
        } else if kind.is_file() {
            MountTree::clone(&entry.path(), 0).map(Part::File)
        } else {
            return Ok(None);
        };
        match found {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            found => found.map(Some),
        }
    }

    fn put_at(&self, place: &Path) -> io::Result<()> {
        match self {
            Part::Link(target) => Ok(rustix::fs::symlink(target, place)?),
            Part::Folder(tree) => {
                std::fs::DirBuilder::new().mode(FOLDER_MODE).create(place)?;
                tree.mount_at(place)
            }
            Part::File(tree) => {
                File::create_new(place)?;
                tree.mount_at(place)
            }
        }
    }
}

/// Makes a root directory for a view that is otherwise complete, and enters it, if a root of the plan has a second path. Returns
/// whether it did. A view hides nothing of the machine by it: where the machine has something at the first name of a second path
/// by now, there is none.
pub(crate) fn enter_new(plan: &Plan) -> io::Result<bool> {
    let mut shown = Vec::new();
    for root in &plan.roots {
        // A root whose path leads to another folder by now is left out.
        if let Some(shown_as) = &root.shown_as
            && let Some(held) = open_root(root)
        {
            let tree = MountTree::clone_held(held.as_fd(), 0)?;
            shown.push((Path::new(OsStr::from_bytes(shown_as)), tree));
        }
    }
    if shown.is_empty() {
        return Ok(false);
    }
    let entries = std::fs::read_dir("/")?.collect::<io::Result<Vec<_>>>()?;
    let is_free = |name: &OsStr| entries.iter().all(|entry| entry.file_name() != name);
    if !shown.iter().all(|(path, _)| first_name(path).is_some_and(is_free)) {
        return Ok(false);
    }
    let mut parts = Vec::new();
    for entry in &entries {
        parts.extend(Part::of(entry)?.map(|part| (entry.file_name(), part)));
    }
    let new_root = Path::new(OsStr::from_bytes(PLACE.to_bytes()));
    mount(c"handrail", PLACE, c"tmpfs", libc::MS_NOSUID | libc::MS_NODEV, VIEW_OPTIONS)?;
    for (name, part) in &parts {
        part.put_at(&new_root.join(name))?;
    }
    let mut places = Vec::new();
    for (path, tree) in &shown {
        let place = new_root.join(path.strip_prefix("/").unwrap_or(path));
        std::fs::DirBuilder::new().recursive(true).mode(FOLDER_MODE).create(&place)?;
        places.push((place, tree));
    }
    for (place, tree) in places {
        tree.mount_at(&place)?;
    }
    MountTree::open(new_root)?.set_one(MOUNT_ATTR_RDONLY)?;
    enter()?;
    Ok(true)
}

/// The first name of an absolute path without `.` and `..`.
fn first_name(path: &Path) -> Option<&OsStr> {
    let mut parts = path.components();
    let is_absolute = parts.next() == Some(Component::RootDir);
    let names: Option<Vec<&OsStr>> = parts
        .map(|part| match part {
            Component::Normal(name) => Some(name),
            _ => None,
        })
        .collect();
    names?.first().copied().filter(|_| is_absolute)
}

/// Enters the root directory that was made for the view of this process, for good.
pub(crate) fn enter() -> io::Result<()> {
    rustix::process::chroot(PLACE)?;
    Ok(rustix::process::chdir("/")?)
}

/// The second path of what has this path, which ends with a NUL byte, written to the buffer. `None` where it has none. Allocates
/// nothing.
pub(crate) fn shown_path<'b>(
    path: &[u8],
    shown: &[ShownRoot],
    buffer: &'b mut [u8],
) -> Option<&'b [u8]> {
    let path = CStr::from_bytes_until_nul(path).ok()?.to_bytes();
    let rest_below = |root: &ShownRoot| -> Option<usize> {
        let rest = path.strip_prefix(&root.path[..])?;
        (rest.is_empty() || rest.starts_with(b"/")).then_some(rest.len())
    };
    let below = shown.iter().filter_map(|root| Some((root, rest_below(root)?)));
    let (root, rest_length) = below.min_by_key(|&(_, rest)| rest)?;
    let rest = &path[path.len() - rest_length..];
    let length = root.shown_as.len() + rest.len();
    // The buffer has only zeros, and one byte more than the path.
    let target = buffer.get_mut(..=length)?;
    target[..root.shown_as.len()].copy_from_slice(&root.shown_as);
    target[root.shown_as.len()..length].copy_from_slice(rest);
    Some(target)
}

#[cfg(test)]
mod tests {
    use std::ffi::CString;

    use super::*;

    #[test]
    fn the_innermost_root_gives_a_path_its_second_name() {
        let shown: Vec<ShownRoot> = [("/w", "/workspace"), ("/w/a", "/a/b")]
            .map(|(path, shown_as)| ShownRoot { path: path.into(), shown_as: shown_as.into() })
            .into();
        for (path, expected) in [
            ("/w", Some("/workspace")),
            ("/w/sub", Some("/workspace/sub")),
            ("/w/a", Some("/a/b")),
            ("/w/a/b c", Some("/a/b/b c")),
            ("/w/ab", Some("/workspace/ab")),
            ("/wa", None),
            ("/", None),
        ] {
            let mut buffer = [0; 64];
            let terminated = CString::new(path).unwrap();
            let found = shown_path(terminated.as_bytes_with_nul(), &shown, &mut buffer);
            let expected = expected.map(|path| CString::new(path).unwrap().into_bytes_with_nul());
            assert_eq!(found.map(<[u8]>::to_vec), expected, "{path}");
        }
        let mut short = [0; 10];
        assert_eq!(shown_path(b"/w\0", &shown, &mut short), None);
    }
}
