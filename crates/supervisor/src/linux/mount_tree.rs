//! Mounts that are made, changed and put in their place by descriptors.

use std::io;
use std::os::fd::{AsFd, AsRawFd, BorrowedFd, OwnedFd};
use std::path::Path;

use rustix::fs::{Mode, OFlags};

use super::syscall::{check, owned_fd};

const OPEN_TREE_CLONE: libc::c_uint = 1;
const MOVE_MOUNT_F_EMPTY_PATH: libc::c_uint = 4;
const MOVE_MOUNT_T_EMPTY_PATH: libc::c_uint = 0x40;
pub(crate) const MOUNT_ATTR_RDONLY: u64 = 1;
pub(crate) const MOUNT_ATTR_NODEV: u64 = 4;
pub(crate) const MOUNT_ATTR_NOEXEC: u64 = 8;

#[repr(C)]
struct MountAttributes {
    set: u64,
    clear: u64,
    propagation: u64,
    userns_fd: u64,
}

/// A tree of mounts, held by a descriptor.
pub(crate) struct MountTree(pub(crate) OwnedFd);

impl MountTree {
    /// A copy of everything that is mounted at and beneath a path, with these attributes. It is not mounted yet.
    pub(crate) fn clone(path: &Path, attributes: u64) -> io::Result<MountTree> {
        let opened = rustix::fs::open(path, OFlags::PATH | OFlags::CLOEXEC, Mode::empty())?;
        MountTree::clone_held(opened.as_fd(), attributes)
    }

    pub(crate) fn clone_held(place: BorrowedFd<'_>, attributes: u64) -> io::Result<MountTree> {
        let flags = OPEN_TREE_CLONE
            | (libc::AT_RECURSIVE | libc::AT_EMPTY_PATH | libc::O_CLOEXEC).cast_unsigned();
        // SAFETY: the descriptor is open, and the path empty.
        let fd =
            unsafe { libc::syscall(libc::SYS_open_tree, place.as_raw_fd(), c"".as_ptr(), flags) };
        let tree = MountTree(owned_fd(fd)?);
        if attributes != 0 {
            tree.set_all(attributes)?;
        }
        Ok(tree)
    }

    pub(crate) fn open(path: &Path) -> io::Result<MountTree> {
        let flags = OFlags::PATH | OFlags::CLOEXEC;
        Ok(MountTree(rustix::fs::open(path, flags, Mode::empty())?))
    }

    /// Sets attributes of this mount and of all beneath it.
    pub(crate) fn set_all(&self, attributes: u64) -> io::Result<()> {
        self.change(attributes, 0, libc::AT_RECURSIVE)
    }

    /// Sets attributes of this mount alone.
    pub(crate) fn set_one(&self, attributes: u64) -> io::Result<()> {
        self.change(attributes, 0, 0)
    }

    /// Makes this mount writable, and none of those beneath it.
    pub(crate) fn make_writable(&self) -> io::Result<()> {
        self.change(0, MOUNT_ATTR_RDONLY, 0)
    }

    fn change(&self, set: u64, clear: u64, flags: libc::c_int) -> io::Result<()> {
        let attributes = MountAttributes { set, clear, propagation: 0, userns_fd: 0 };
        // SAFETY: the attributes are valid for the call and have the given size.
        let done = unsafe {
            libc::syscall(
                libc::SYS_mount_setattr,
                self.0.as_raw_fd(),
                c"".as_ptr(),
                flags | libc::AT_EMPTY_PATH,
                &raw const attributes,
                size_of::<MountAttributes>(),
            )
        };
        check(done)
    }

    /// Mounts the tree at this path.
    pub(crate) fn mount_at(&self, path: &Path) -> io::Result<()> {
        let place = rustix::fs::open(path, OFlags::PATH | OFlags::CLOEXEC, Mode::empty())?;
        let flags = MOVE_MOUNT_F_EMPTY_PATH | MOVE_MOUNT_T_EMPTY_PATH;
        // SAFETY: both descriptors are open, and both paths empty.
        let done = unsafe {
            libc::syscall(
                libc::SYS_move_mount,
                self.0.as_raw_fd(),
                c"".as_ptr(),
                place.as_raw_fd(),
                c"".as_ptr(),
                flags,
            )
        };
        check(done)
    }
}
