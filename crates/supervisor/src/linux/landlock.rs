//! Landlock by its raw calls: the rights that a process gives up, for itself and for everything it starts.

use std::io;
use std::os::fd::{AsFd, AsRawFd, BorrowedFd, OwnedFd};
use std::sync::atomic::{AtomicU32, Ordering};

use rustix::fs::{Mode, OFlags};

use super::syscall::{check, owned_fd};

const CREATE_RULESET_VERSION: u32 = 1;
const RULE_PATH_BENEATH: u32 = 1;

pub(crate) const EXECUTE: u64 = 1 << 0;
pub(crate) const WRITE_FILE: u64 = 1 << 1;
pub(crate) const READ_FILE: u64 = 1 << 2;
pub(crate) const READ_DIR: u64 = 1 << 3;
const REMOVE_DIR: u64 = 1 << 4;
const REMOVE_FILE: u64 = 1 << 5;
const MAKE_CHAR: u64 = 1 << 6;
const MAKE_DIR: u64 = 1 << 7;
const MAKE_REG: u64 = 1 << 8;
const MAKE_SOCK: u64 = 1 << 9;
const MAKE_FIFO: u64 = 1 << 10;
const MAKE_BLOCK: u64 = 1 << 11;
const MAKE_SYM: u64 = 1 << 12;
const REFER: u64 = 1 << 13;
pub(crate) const TRUNCATE: u64 = 1 << 14;
/// The right to send requests (`ioctl`) to a device that was opened in the domain.
const IOCTL_DEV: u64 = 1 << 15;

const SCOPE_ABSTRACT_UNIX_SOCKET: u64 = 1 << 0;
const SCOPE_SIGNAL: u64 = 1 << 1;
/// The first ABI version that can allow moving files between folders (Linux 5.19).
const ABI_REFER: u32 = 2;
/// The first ABI version with a right to truncate (Linux 6.2).
pub(crate) const ABI_TRUNCATE: u32 = 3;
/// The first ABI version with a right to send requests to devices (Linux 6.10).
const ABI_IOCTL_DEV: u32 = 5;
/// The first ABI version with scopes (Linux 6.12).
pub(crate) const ABI_SCOPES: u32 = 6;

/// The rights that a file other than a folder can be granted.
const FILE_RIGHTS: u64 = EXECUTE | WRITE_FILE | READ_FILE | TRUNCATE | IOCTL_DEV;
/// The rights that the use of a device needs.
pub(crate) const DEVICE_RIGHTS: u64 = WRITE_FILE | READ_FILE | TRUNCATE | IOCTL_DEV;
/// The rights to remove or move a file.
const REMOVE_RIGHTS: u64 = REMOVE_DIR | REMOVE_FILE | REFER;
const CREATE_RIGHTS: u64 = MAKE_DIR | MAKE_REG | MAKE_SOCK | MAKE_FIFO | MAKE_SYM;
const CREATE_DEVICE_RIGHTS: u64 = MAKE_CHAR | MAKE_BLOCK;

#[repr(C)]
struct RulesetAttributes {
    handled_access_fs: u64,
    handled_access_net: u64,
    scoped: u64,
}

#[repr(C, packed)]
struct PathBeneathRule {
    allowed_access: u64,
    parent_fd: i32,
}

/// The rights to change files and devices that this kernel knows.
pub(crate) fn write_rights(abi: u32) -> u64 {
    let refer_right = if abi >= ABI_REFER { REFER } else { 0 };
    let truncate_right = if abi >= ABI_TRUNCATE { TRUNCATE } else { 0 };
    let ioctl_right = if abi >= ABI_IOCTL_DEV { IOCTL_DEV } else { 0 };
    WRITE_FILE
        | REMOVE_DIR
        | REMOVE_FILE
        | CREATE_RIGHTS
        | CREATE_DEVICE_RIGHTS
        | refer_right
        | truncate_right
        | ioctl_right
}

/// The rights that are granted in a writable folder. Creating devices is never granted, and the use of devices is granted
/// for each by itself.
pub(crate) fn granted_rights(abi: u32, remove: bool, truncate: bool) -> u64 {
    let withheld_removal = if remove { 0 } else { REMOVE_RIGHTS };
    let withheld_truncation = if truncate { 0 } else { TRUNCATE };
    write_rights(abi)
        & !CREATE_DEVICE_RIGHTS
        & !IOCTL_DEV
        & !withheld_removal
        & !withheld_truncation
}

/// The newest ABI version that is used. It is set once, before the first fork.
static MAX_USED_ABI: AtomicU32 = AtomicU32::new(u32::MAX);

/// Sets the newest ABI version that is used.
pub(crate) fn limit_abi(abi: u32) {
    MAX_USED_ABI.store(abi, Ordering::Relaxed);
}

/// The ABI version of Landlock that is used; 0 if the kernel has no Landlock or it is switched off.
pub(crate) fn abi() -> u32 {
    let no_attributes = std::ptr::null::<RulesetAttributes>();
    // SAFETY: a null attribute of size 0 with this flag requests the version.
    let version = unsafe {
        libc::syscall(
            libc::SYS_landlock_create_ruleset,
            no_attributes,
            0_usize,
            CREATE_RULESET_VERSION,
        )
    };
    u32::try_from(version).unwrap_or(0).min(MAX_USED_ABI.load(Ordering::Relaxed))
}

/// A Landlock layer that is being made.
pub(crate) struct Ruleset {
    descriptor: OwnedFd,
    handled_rights: u64,
}

impl Ruleset {
    /// A layer that limits no access to files: its domain hides other processes. Any layer that does not grant moving files
    /// between folders forbids it, so this layer grants it everywhere.
    pub(crate) fn for_processes(abi: u32) -> io::Result<Ruleset> {
        // The oldest kernels forbid moving in any domain, and require a layer to handle at least one right.
        let layer = Ruleset::new(abi, if abi >= ABI_REFER { REFER } else { MAKE_BLOCK })?;
        let root = rustix::fs::open("/", OFlags::PATH | OFlags::CLOEXEC, Mode::empty())?;
        layer.allow(root.as_fd(), true, REFER)?;
        Ok(layer)
    }

    /// A layer that takes these rights to files away except where its rules grant them, and that keeps signals and abstract
    /// sockets inside its domain.
    pub(crate) fn new(abi: u32, handled_rights: u64) -> io::Result<Ruleset> {
        let has_scopes = abi >= ABI_SCOPES;
        let attributes = RulesetAttributes {
            handled_access_fs: handled_rights,
            handled_access_net: 0,
            scoped: if has_scopes { SCOPE_SIGNAL | SCOPE_ABSTRACT_UNIX_SOCKET } else { 0 },
        };
        // A kernel before ABI 6 accepts a longer attribute than its own if the rest of it is zero.
        let size = size_of::<RulesetAttributes>();
        // SAFETY: the attribute is valid for the call and has this size.
        let descriptor = owned_fd(unsafe {
            libc::syscall(libc::SYS_landlock_create_ruleset, &raw const attributes, size, 0_u32)
        })?;
        Ok(Ruleset { descriptor, handled_rights })
    }

    /// Grants these rights for a file, or for a folder and everything beneath it.
    pub(crate) fn allow(
        &self,
        opened_path: BorrowedFd<'_>,
        is_folder: bool,
        rights: u64,
    ) -> io::Result<()> {
        let rights = rights & self.handled_rights & if is_folder { u64::MAX } else { FILE_RIGHTS };
        if rights == 0 {
            return Ok(());
        }
        let rule = PathBeneathRule { allowed_access: rights, parent_fd: opened_path.as_raw_fd() };
        // SAFETY: the rule is valid for the call, and its descriptor is open.
        check(unsafe {
            libc::syscall(
                libc::SYS_landlock_add_rule,
                self.descriptor.as_raw_fd(),
                RULE_PATH_BENEATH,
                &raw const rule,
                0_u32,
            )
        })
    }

    /// Adds the layer to this process and to everything it will start.
    pub(crate) fn restrict_self(&self) -> io::Result<()> {
        restrict_self(self.descriptor.as_fd())
    }

    pub(crate) fn into_descriptor(self) -> OwnedFd {
        self.descriptor
    }
}

/// Adds this layer to the calling process and to everything it will start.
pub(crate) fn restrict_self(ruleset: BorrowedFd<'_>) -> io::Result<()> {
    // SAFETY: plain integers, and a descriptor that is open for the call.
    check(unsafe { libc::syscall(libc::SYS_landlock_restrict_self, ruleset.as_raw_fd(), 0_u32) })
}
