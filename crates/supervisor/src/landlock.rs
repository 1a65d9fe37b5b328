//! Landlock by its raw calls: what a process gives up, for itself and for everything it starts.

use std::io;
use std::os::fd::{AsFd, AsRawFd, BorrowedFd, FromRawFd, OwnedFd};
use std::sync::atomic::{AtomicU32, Ordering};

use rustix::fs::{Mode, OFlags};

const CREATE_RULESET_VERSION: u32 = 1;
const RULE_PATH_BENEATH: u32 = 1;

pub(crate) const EXECUTE: u64 = 1 << 0;
pub(crate) const WRITE_FILE: u64 = 1 << 1;
pub(crate) const READ_FILE: u64 = 1 << 2;
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
/// Requests to a device that was opened in the domain.
const IOCTL_DEV: u64 = 1 << 15;

const SCOPE_ABSTRACT_UNIX_SOCKET: u64 = 1 << 0;
const SCOPE_SIGNAL: u64 = 1 << 1;
/// First ABI with files moved between folders (Linux 5.19).
const ABI_REFER: u32 = 2;
/// First ABI with truncation (Linux 6.2).
pub(crate) const ABI_TRUNCATE: u32 = 3;
/// First ABI with requests to devices (Linux 6.10).
const ABI_IOCTL_DEV: u32 = 5;
/// First ABI with scopes (Linux 6.12).
pub(crate) const ABI_SCOPES: u32 = 6;

/// What a file that is no folder can be granted.
const OF_FILES: u64 = EXECUTE | WRITE_FILE | READ_FILE | TRUNCATE | IOCTL_DEV;
/// All that is done with a device.
pub(crate) const OF_DEVICES: u64 = WRITE_FILE | READ_FILE | TRUNCATE | IOCTL_DEV;
/// Taking a file away from where it is.
const REMOVING: u64 = REMOVE_DIR | REMOVE_FILE | REFER;
const MAKING: u64 = MAKE_DIR | MAKE_REG | MAKE_SOCK | MAKE_FIFO | MAKE_SYM;
const MAKING_DEVICES: u64 = MAKE_CHAR | MAKE_BLOCK;

#[repr(C)]
struct Attributes {
    handled_access_fs: u64,
    handled_access_net: u64,
    scoped: u64,
}

#[repr(C, packed)]
struct PathBeneath {
    allowed_access: u64,
    parent_fd: i32,
}

/// What this kernel knows of changing files and devices.
pub(crate) fn writing(abi: u32) -> u64 {
    let moving = if abi >= ABI_REFER { REFER } else { 0 };
    let emptying = if abi >= ABI_TRUNCATE { TRUNCATE } else { 0 };
    let asking = if abi >= ABI_IOCTL_DEV { IOCTL_DEV } else { 0 };
    WRITE_FILE | REMOVE_DIR | REMOVE_FILE | MAKING | MAKING_DEVICES | moving | emptying | asking
}

/// The same as it is granted for files: devices are never made, and granted one by one.
pub(crate) fn granted(abi: u32, remove: bool, truncate: bool) -> u64 {
    let kept = if remove { 0 } else { REMOVING };
    let whole = if truncate { 0 } else { TRUNCATE };
    writing(abi) & !MAKING_DEVICES & !IOCTL_DEV & !kept & !whole
}

/// The newest version that is used; set once, before the first fork.
static LIMIT: AtomicU32 = AtomicU32::new(u32::MAX);

/// Uses no newer version than this.
pub(crate) fn limit(abi: u32) {
    LIMIT.store(abi, Ordering::Relaxed);
}

/// Landlock's version here, 0 when it is missing or switched off.
pub(crate) fn abi() -> u32 {
    let none = std::ptr::null::<Attributes>();
    // SAFETY: a null attribute with size 0 and this flag asks for the version.
    let version = unsafe {
        libc::syscall(libc::SYS_landlock_create_ruleset, none, 0_usize, CREATE_RULESET_VERSION)
    };
    u32::try_from(version).unwrap_or(0).min(LIMIT.load(Ordering::Relaxed))
}

/// A layer that is being made.
pub(crate) struct Ruleset {
    descriptor: OwnedFd,
    handled: u64,
}

impl Ruleset {
    /// One that is about processes, and leaves files alone: the domain is what hides other processes.
    /// Moving a file to another folder is refused by every layer that does not grant it, so this one
    /// does, everywhere.
    pub(crate) fn of_processes(abi: u32) -> io::Result<Ruleset> {
        // The oldest kernels refuse it anyway, and want one right at least.
        let layer = Ruleset::new(abi, if abi >= ABI_REFER { REFER } else { MAKE_BLOCK })?;
        let root = rustix::fs::open("/", OFlags::PATH | OFlags::CLOEXEC, Mode::empty())?;
        layer.allow(root.as_fd(), true, REFER)?;
        Ok(layer)
    }

    /// One that takes these rights to files away but for its rules, and keeps signals and abstract
    /// sockets within.
    pub(crate) fn new(abi: u32, handled: u64) -> io::Result<Ruleset> {
        let scopes = abi >= ABI_SCOPES;
        let attributes = Attributes {
            handled_access_fs: handled,
            handled_access_net: 0,
            scoped: if scopes { SCOPE_SIGNAL | SCOPE_ABSTRACT_UNIX_SOCKET } else { 0 },
        };
        // Kernels before ABI 6 refuse an attribute that is longer than theirs unless it is zero there.
        let size = size_of::<Attributes>();
        // SAFETY: the attribute is valid for the call and as long as said.
        let fd = unsafe {
            libc::syscall(libc::SYS_landlock_create_ruleset, &raw const attributes, size, 0_u32)
        };
        let fd = i32::try_from(fd).unwrap_or(-1);
        if fd < 0 {
            return Err(io::Error::last_os_error());
        }
        // SAFETY: the kernel just gave us this descriptor.
        Ok(Ruleset { descriptor: unsafe { OwnedFd::from_raw_fd(fd) }, handled })
    }

    /// Grants these rights at a file, or at a folder and all beneath it.
    pub(crate) fn allow(
        &self,
        place: BorrowedFd<'_>,
        is_folder: bool,
        rights: u64,
    ) -> io::Result<()> {
        let rights = rights & self.handled & if is_folder { u64::MAX } else { OF_FILES };
        if rights == 0 {
            return Ok(());
        }
        let rule = PathBeneath { allowed_access: rights, parent_fd: place.as_raw_fd() };
        // SAFETY: the rule is valid for the call, and its descriptor is open.
        let done = unsafe {
            libc::syscall(
                libc::SYS_landlock_add_rule,
                self.descriptor.as_raw_fd(),
                RULE_PATH_BENEATH,
                &raw const rule,
                0_u32,
            )
        };
        if done == 0 { Ok(()) } else { Err(io::Error::last_os_error()) }
    }

    /// Adds the layer to this process.
    pub(crate) fn restrict_self(&self) -> io::Result<()> {
        restrict_self(self.descriptor.as_fd())
    }

    pub(crate) fn into_descriptor(self) -> OwnedFd {
        self.descriptor
    }
}

/// Adds this layer to the calling process and all it will start.
pub(crate) fn restrict_self(ruleset: BorrowedFd<'_>) -> io::Result<()> {
    // SAFETY: plain integers, and a descriptor that is open for the call.
    let done =
        unsafe { libc::syscall(libc::SYS_landlock_restrict_self, ruleset.as_raw_fd(), 0_u32) };
    if done == 0 { Ok(()) } else { Err(io::Error::last_os_error()) }
}
