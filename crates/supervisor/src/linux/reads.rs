//! What commands do not read, held in two ways.
//!
//! In a view of the file system something is mounted over each protected place: an empty folder over a folder, a device that
//! nobody can open over a file or a socket. What is made there later is covered as well. Landlock can only grant, so without a
//! view it grants everything beside the path to each protected place; what is made later on the way there is read by nobody.

use std::ffi::OsStr;
use std::io;
use std::os::fd::AsFd;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use handrail_supervisor::CONNECT_NAME;
use handrail_supervisor::message::{Plan, PlanPlace, SPILL_FOLDER_NAME};
use rustix::fs::{Mode, OFlags};

use super::confine::{allow, entries};
use super::landlock::{self, Ruleset};
use super::mount_tree::{MOUNT_ATTR_NODEV, MOUNT_ATTR_NOEXEC, MOUNT_ATTR_RDONLY, MountTree};
use super::namespace::{TEMPORARY_FOLDER, c_path, mount};
use super::processes;

/// The device that covers files. On a mount without devices nobody can open it.
const COVERING_DEVICE: &str = "/dev/null";
/// An empty folder that only root enters, and one with ways to what stays in it.
const EMPTY_OPTIONS: &std::ffi::CStr = c"size=4k,mode=0";
const PASSED_OPTIONS: &std::ffi::CStr = c"size=1m,mode=0711";
/// How the names of the state directories of hosts begin.
const STATE_PREFIX: &[u8] = b"handrail-";
/// The folder of devices.
const DEVICE_FOLDER: &str = "/dev";

/// Something that is mounted in a view at a path.
pub(crate) enum Mounted {
    /// The tree, which was cloned before anything was covered.
    Tree(MountTree),
    /// What hides the path.
    Cover,
}

/// What is mounted over the protected places, and the trees beneath them that stay visible.
pub(crate) fn mounts(plan: &Plan, state: &Path) -> io::Result<Vec<(PathBuf, Mounted)>> {
    let places = plan.reads.covered.iter().chain(&plan.reads.hidden).map(path_of);
    let states = if plan.reads.limited { other_states(plan, state) } else { Vec::new() };
    let mut mounted: Vec<_> =
        places.map(Path::to_path_buf).chain(states).map(|path| (path, Mounted::Cover)).collect();
    let is_in_root = |path: &Path| {
        let mut roots = plan.roots.iter().filter(|root| root.path != b"/");
        roots.any(|root| path.starts_with(OsStr::from_bytes(&root.path)))
    };
    let attributes = if plan.writes_anywhere { 0 } else { MOUNT_ATTR_RDONLY | MOUNT_ATTR_NODEV };
    for path in plan.reads.kept.iter().map(|path| Path::new(OsStr::from_bytes(path))) {
        if !is_in_root(path)
            && let Some(tree) = missing_is_none(MountTree::clone(path, attributes))?
        {
            mounted.push((path.to_path_buf(), Mounted::Tree(tree)));
        }
    }
    Ok(mounted)
}

/// The state directories of other hosts beside this one.
fn other_states(plan: &Plan, state: &Path) -> Vec<PathBuf> {
    let Some(folder) = state.parent() else { return Vec::new() };
    if plan.own_temporary && folder.starts_with(TEMPORARY_FOLDER) {
        return Vec::new();
    }
    let found = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let is_state = |entry: &std::fs::DirEntry| {
        entry.file_name().as_bytes().starts_with(STATE_PREFIX)
            && entry.file_type().is_ok_and(|kind| kind.is_dir())
            && entry.path().join(SPILL_FOLDER_NAME).is_dir()
    };
    let others = found.filter(is_state).map(|entry| entry.path());
    let is_root = |path: &Path| {
        plan.roots.iter().any(|root| Path::new(OsStr::from_bytes(&root.path)).starts_with(path))
    };
    others.filter(|path| path != state && !is_root(path)).collect()
}

/// Mounts all of it. What lies beneath a covered place is mounted after that.
pub(crate) fn mount_all(mut mounted: Vec<(PathBuf, Mounted)>, state: &Path) -> io::Result<()> {
    mounted.sort_by_key(|(path, _)| path.as_os_str().len());
    let visible: Vec<PathBuf> = mounted
        .iter()
        .filter(|(_, one)| matches!(one, Mounted::Tree(_)))
        .map(|(path, _)| path.clone())
        .chain([state.to_path_buf()])
        .collect();
    let mut empty: Option<PathBuf> = None;
    for (path, one) in mounted {
        match one {
            Mounted::Tree(tree) => tree.mount_at(&path)?,
            Mounted::Cover => {
                let inner: Vec<&Path> = visible
                    .iter()
                    .map(PathBuf::as_path)
                    .filter(|one| one.starts_with(&path) && **one != *path)
                    .collect();
                missing_is_none(cover(&path, &inner, &mut empty))?;
            }
        }
    }
    Ok(())
}

/// Covers a place. Folders are made in it for what stays visible.
fn cover(path: &Path, visible: &[&Path], empty: &mut Option<PathBuf>) -> io::Result<()> {
    let flags = MOUNT_ATTR_RDONLY | MOUNT_ATTR_NODEV | MOUNT_ATTR_NOEXEC;
    if !std::fs::symlink_metadata(path)?.is_dir() {
        return MountTree::clone(Path::new(COVERING_DEVICE), flags)?.mount_at(path);
    }
    if let Some(empty) = empty.as_ref().filter(|_| visible.is_empty()) {
        return MountTree::clone(empty, flags)?.mount_at(path);
    }
    // What is visible is a folder or a file; it is looked at before the cover hides it.
    let kinds: Vec<(&Path, bool)> = visible.iter().map(|one| (*one, one.is_dir())).collect();
    let options = if visible.is_empty() { EMPTY_OPTIONS } else { PASSED_OPTIONS };
    let mount_flags = libc::MS_NOSUID | libc::MS_NODEV | libc::MS_NOEXEC;
    mount(c"handrail", &c_path(path)?, c"tmpfs", mount_flags, options)?;
    for (one, is_folder) in kinds {
        let folder = if is_folder { Some(one) } else { one.parent() };
        if let Some(folder) = folder {
            make_folders(path, folder)?;
        }
        if !is_folder {
            std::fs::File::create(one)?;
        }
    }
    if visible.is_empty() {
        *empty = Some(path.to_path_buf());
    }
    // The attribute is set on this mount only once its folders are made.
    MountTree::open(path)?.set_one(MOUNT_ATTR_RDONLY)
}

/// Makes the folders on the way from one to another. They can be passed through and not listed.
fn make_folders(above: &Path, folder: &Path) -> io::Result<()> {
    let Ok(rest) = folder.strip_prefix(above) else { return Ok(()) };
    let mut path = above.to_path_buf();
    for part in rest.components() {
        path.push(part);
        match rustix::fs::mkdir(&path, Mode::from_raw_mode(0o711)) {
            Ok(()) | Err(rustix::io::Errno::EXIST) => {}
            Err(error) => return Err(error.into()),
        }
    }
    Ok(())
}

fn missing_is_none<T>(done: io::Result<T>) -> io::Result<Option<T>> {
    match done {
        Ok(value) => Ok(Some(value)),
        Err(error)
            if matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) =>
        {
            Ok(None)
        }
        Err(error) => Err(error),
    }
}

/// The rights to read that the layer of a worker takes away.
pub(crate) fn handled_rights(plan: &Plan, has_view: bool) -> u64 {
    if plan.reads.only.is_some() {
        return landlock::READ_FILE | landlock::READ_DIR;
    }
    // The user's terminals do not exist in a view. Without a view the layer keeps commands from opening them.
    let hides_terminals = !has_view && !plan.writes_everywhere();
    let covers = !has_view && !plan.reads.covered.is_empty();
    // Block devices hold file systems, and with them everything that is covered.
    let hides_disks = plan.reads.limited && plan.writes_everywhere();
    if hides_terminals || covers || hides_disks { landlock::READ_FILE } else { 0 }
}

/// Grants the rights to read outside of the worker's own folders. Devices are granted by themselves.
pub(crate) fn grant(layer: &Ruleset, plan: &Plan, has_view: bool, state: &Path) -> io::Result<()> {
    let rights = handled_rights(plan, has_view);
    if rights == 0 {
        return Ok(());
    }
    // In a view nothing is granted beside a covered place: what is made there later can be read.
    let covered = if has_view { &[][..] } else { &plan.reads.covered };
    let grants = Grants { layer, rights, covered };
    if let Some(only) = &plan.reads.only {
        for path in only {
            grants.add(Path::new(OsStr::from_bytes(path)))?;
        }
        for name in [plan.spill_folder(), OsStr::new(CONNECT_NAME)] {
            allow(layer, &state.join(name), rights)?;
        }
    } else {
        for path in entries(Path::new("/"))?.filter(|path| path != Path::new(DEVICE_FOLDER)) {
            grants.add(&path)?;
        }
    }
    // The worker reads about its children in the host's /proc, which commands have no way to.
    let flags = OFlags::PATH | OFlags::DIRECTORY | OFlags::CLOEXEC;
    let host_proc = rustix::fs::open(processes::proc_path(), flags, Mode::empty())?;
    layer.allow(host_proc.as_fd(), true, rights)?;
    for path in &plan.reads.kept {
        grants.add(Path::new(OsStr::from_bytes(path)))?;
    }
    for root in plan.roots.iter().filter(|root| root.path != b"/") {
        let Some(held) = super::namespace::open_root(root) else { continue };
        if root.writable {
            // Whatever a command makes there has to be readable, so nothing beneath it is left out.
            layer.allow(held.as_fd(), true, rights)?;
        } else {
            grants.add(Path::new(OsStr::from_bytes(&root.path)))?;
        }
    }
    Ok(())
}

struct Grants<'a> {
    layer: &'a Ruleset,
    rights: u64,
    covered: &'a [PlanPlace],
}

impl Grants<'_> {
    /// Grants a path; around the covered places beneath it, entry by entry. The folders on the way to a covered place can be
    /// listed only where the layer takes no right to list away.
    fn add(&self, path: &Path) -> io::Result<()> {
        if self.covered.iter().any(|place| path_of(place) == path) {
            return Ok(());
        }
        let has_covered = self.covered.iter().any(|place| path_of(place).starts_with(path));
        if !has_covered || std::fs::symlink_metadata(path).is_ok_and(|status| status.is_symlink()) {
            return allow(self.layer, path, self.rights);
        }
        for entry in entries(path)? {
            self.add(&entry)?;
        }
        Ok(())
    }
}

fn path_of(place: &PlanPlace) -> &Path {
    Path::new(OsStr::from_bytes(&place.path))
}
