//! The layer in which everything of a supervisor writes instead of in its roots: an overlay over each writable root, mounted in
//! a mount namespace of the supervisor's own at the path of the root. Or that of one program, mounted in its view alone.
//!
//! Whatever the supervisor starts begins in that namespace, so views, plans and paths are the same as without a layer. The host
//! gets the roots as descriptors and opens files beneath them through the same mounts: the kernel does not define what becomes of
//! two overlays that share a folder. The mounts are gone when the supervisor and the host's last descriptor are.

use std::ffi::{CString, OsStr};
use std::io;
use std::os::fd::{AsFd, AsRawFd, OwnedFd};
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

use handrail_supervisor::message::{
    FromSupervisor, Kernel, Layer, LayerRoot, LayerStage, Plan, PlanPlace, PlanRoot,
};
use handrail_supervisor::mount_table::MountTable;
use handrail_supervisor::socket;
use rustix::fs::{Mode, OFlags, StatVfsMountFlags};
use rustix::net::SendFlags;

use super::mount_tree::{MOUNT_ATTR_RDONLY, MountTree};
use super::namespace::{c_path, identity_of, mount, open_place, open_root, unshare_mounts};

/// The options of overlays: marks of the layer are attributes that an ordinary user may write, each entry of the layer is whole in
/// itself, and a file that was not written to has the inode number of the one below it.
const OVERLAY_OPTIONS: &str = "userxattr,index=off,metacopy=off,redirect_dir=nofollow,xino=off";
/// The options of what covers the folder of layers: empty.
const COVER_OPTIONS: &std::ffi::CStr = c"size=4k,mode=0";

/// Why there is no layer.
struct NoLayer {
    stage: LayerStage,
    error: io::Error,
}

fn at(stage: LayerStage) -> impl Fn(io::Error) -> NoLayer {
    move |error| NoLayer { stage, error }
}

/// Enters a mount namespace in which the roots are those of the layer, for good, and sends the host their directories. Returns
/// whether this process is in a user namespace of its own now.
///
/// # Errors
/// When there is no layer, which the host has been told, and when the host is gone.
pub(crate) fn enter(
    layer: &Layer,
    state: &Path,
    kernel: Kernel,
    control: &OwnedFd,
) -> io::Result<bool> {
    let tell = |message: &FromSupervisor, directory: Option<&OwnedFd>| {
        let directories: Vec<_> = directory.iter().map(AsFd::as_fd).collect();
        socket::send(control, &message.encode(), &directories, SendFlags::empty())
    };
    match make(layer, state, kernel.namespaces) {
        Ok((own_users, roots)) => {
            for root in &roots {
                tell(&FromSupervisor::LayerRoot, Some(root))?;
            }
            Ok(own_users)
        }
        Err(NoLayer { stage, error }) => {
            let errno = error.raw_os_error().unwrap_or(libc::EIO);
            tell(&FromSupervisor::NoLayer { stage, errno }, None)?;
            Err(error)
        }
    }
}

/// Makes the layer. Gives the directories of its roots as well.
fn make(layer: &Layer, state: &Path, namespaces: bool) -> Result<(bool, Vec<OwnedFd>), NoLayer> {
    if !namespaces {
        let error = io::Error::from_raw_os_error(libc::ENOSYS);
        return Err(NoLayer { stage: LayerStage::Namespace, error });
    }
    let own_users = unshare_mounts(false).map_err(at(LayerStage::Namespace))?;
    mount_all(layer, state)?;
    let flags = OFlags::PATH | OFlags::DIRECTORY | OFlags::CLOEXEC;
    let open = |root: &LayerRoot| rustix::fs::open(path_of(&root.path), flags, Mode::empty());
    let roots: Result<Vec<_>, _> = layer.roots.iter().map(open).collect();
    Ok((own_users, roots.map_err(|error| at(LayerStage::Root)(error.into()))?))
}

/// Mounts the layer of a plan in the namespace of this process, which is its own. Gives the plan with its roots and places as they
/// are in the layer: what its paths had led to is beneath it.
///
/// # Errors
/// When there is no layer. Nothing of the plan may run then.
pub(crate) fn enter_of(plan: &Plan, layer: &Layer, state: &Path) -> io::Result<Plan> {
    let mut laid = plan.clone();
    // What a path leads to by now is looked at before the layer hides it.
    laid.roots.retain(|root| open_root(root).is_some());
    let is_there = |place: &PlanPlace| open_place(place).is_some();
    laid.places.retain(is_there);
    laid.removable.retain(is_there);
    mount_all(layer, state).map_err(|NoLayer { error, .. }| error)?;
    for PlanRoot { path, device, inode, .. } in &mut laid.roots {
        (*device, *inode) = identity_of(path_of(path))?;
    }
    for PlanPlace { path, device, inode } in laid.places.iter_mut().chain(&mut laid.removable) {
        (*device, *inode) = identity_of(path_of(path))?;
    }
    Ok(laid)
}

/// The roots of such a plan over which the layer lies.
pub(crate) fn roots_of(laid: &Plan) -> Vec<PlanRoot> {
    let layered = laid.layer.iter().flat_map(|layer| &layer.roots);
    let paths: Vec<&[u8]> =
        layered.filter(|root| root.number.is_some()).map(|root| &root.path[..]).collect();
    laid.roots.iter().filter(|root| paths.contains(&&root.path[..])).cloned().collect()
}

/// Mounts the overlays of a layer, and covers the folder of all layers.
fn mount_all(layer: &Layer, state: &Path) -> Result<(), NoLayer> {
    let folder = path_of(&layer.folder);
    let mounts = MountTable::open().and_then(|table| table.mounts());
    let mounts = mounts.map_err(at(LayerStage::Namespace))?;
    let mut below = Vec::new();
    for root in &layer.roots {
        let path = path_of(&root.path);
        let held = open_lower(root).map_err(at(LayerStage::Root))?;
        // An overlay shows nothing of what is mounted beneath its lower folder.
        let is_apart = |other: &Path| !other.starts_with(path);
        let is_whole = mounts.iter().all(|one| one.point == path || is_apart(&one.point));
        if root.number.is_some() && !(is_whole && is_apart(folder) && is_apart(state)) {
            let error = io::Error::from_raw_os_error(libc::EXDEV);
            return Err(NoLayer { stage: LayerStage::Beneath, error });
        }
        below.push(held);
    }
    for (root, lower) in layer.roots.iter().zip(&below) {
        if let Some(number) = root.number {
            let own = folder.join(number.to_string());
            mount_over(lower, &own).map_err(at(LayerStage::Overlay))?;
        }
    }
    // The overlays hold their folders open; nobody else needs them.
    cover(folder.parent().unwrap_or(folder)).map_err(at(LayerStage::Overlay))
}

fn path_of(bytes: &[u8]) -> &Path {
    Path::new(OsStr::from_bytes(bytes))
}

/// Opens the directory of a root, which has to be the one that was meant.
fn open_lower(root: &LayerRoot) -> io::Result<OwnedFd> {
    let flags = OFlags::PATH | OFlags::DIRECTORY | OFlags::CLOEXEC;
    let opened = rustix::fs::open(path_of(&root.path), flags, Mode::empty())?;
    let status = rustix::fs::fstat(&opened)?;
    if (status.st_dev, status.st_ino) == (root.device, root.inode) {
        return Ok(opened);
    }
    Err(io::Error::from_raw_os_error(libc::ESTALE))
}

/// Mounts an overlay over a directory that is held.
fn mount_over(lower: &OwnedFd, own: &Path) -> io::Result<()> {
    let attributes = rustix::fs::fstatvfs(lower)?.f_flag;
    if attributes.contains(StatVfsMountFlags::RDONLY) {
        return Err(io::Error::from_raw_os_error(libc::EROFS));
    }
    let noexec = attributes.contains(StatVfsMountFlags::NOEXEC);
    let flags = libc::MS_NOSUID | libc::MS_NODEV | if noexec { libc::MS_NOEXEC } else { 0 };
    let open = |name: &str| {
        let flags = OFlags::PATH | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        rustix::fs::open(own.join(name), flags, Mode::empty())
    };
    let (upper, work) = (open("upper")?, open("work")?);
    // By descriptors, so that no path needs quoting and none leads elsewhere by now.
    let link = |held: &OwnedFd| format!("/proc/self/fd/{}", held.as_raw_fd());
    let options = format!(
        "lowerdir={},upperdir={},workdir={},{OVERLAY_OPTIONS}",
        link(lower),
        link(&upper),
        link(&work)
    );
    let [target, options] = [link(lower), options].map(CString::new);
    let (target, options) = (target?, options?);
    mount(c"handrail", &target, c"overlay", flags, &options)
}

/// Covers a folder with an empty one.
fn cover(folder: &Path) -> io::Result<()> {
    let flags = libc::MS_NOSUID | libc::MS_NODEV | libc::MS_NOEXEC;
    mount(c"handrail", &c_path(folder)?, c"tmpfs", flags, COVER_OPTIONS)?;
    MountTree::open(folder)?.set_one(MOUNT_ATTR_RDONLY)
}
