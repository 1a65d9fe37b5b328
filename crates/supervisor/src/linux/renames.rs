//! Renames of folders in a layer. An overlay that an ordinary user may mount refuses to rename a folder that lies below it, with
//! `EXDEV`, and programs that rename a folder of a project do not expect that.
//!
//! The kernel reports the call to the worker, which has a helper make it: a child of the worker, under the same Landlock domain,
//! filter and view as the commands, with the user and the capabilities of the caller. Where the overlay refuses, the helper
//! moves the folder piece by piece (`folder_move.rs`), as the program could itself. So it passes no wall that the program would not
//! pass. A caller that differs from the worker in its user, root or namespaces, or that has confined itself further, gets no help:
//! the kernel makes its call as it is.
//!
//! What the caller's memory says is read once. A caller that changes it meanwhile gets what it asked for first, which it may do.

use std::ffi::{CString, OsStr};
use std::os::fd::OwnedFd;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

use handrail_supervisor::proc::OWN_PROC;
use rustix::event::{PollFd, PollFlags, Timespec};
use rustix::fs::{AtFlags, FileType, Mode, OFlags, RenameFlags, ResolveFlags};
use rustix::io::Errno;
use rustix::process::{Pid, Signal};
use rustix::thread::{CapabilitySet, CapabilitySets};

use super::folder_move::move_folder;
use super::processes::{self, open_pidfd};
use super::reported_calls::{answer_with, still_waits};
use super::syscall;

/// Most helpers at one time. Further calls are made by the kernel as they are.
const MAX_HELPERS: usize = 16;
/// Longest path that the kernel takes, with its zero.
const MAX_PATH_BYTES: usize = 4096;
/// Reading never crosses the border of a page: the next one may not be there.
const PAGE_BYTES: u64 = 4096;
const OVERLAY_MAGIC: i64 = 0x794c_7630;
/// The argument that stands for the working directory.
const CWD: u64 = (libc::AT_FDCWD as i64).cast_unsigned();
/// The lines of a process's status that say whose it is.
const USER_LINES: [&str; 3] = ["Uid:", "Gid:", "Groups:"];
const FOLDER_FLAGS: OFlags = OFlags::PATH.union(OFlags::DIRECTORY).union(OFlags::CLOEXEC);

/// The renames of one run.
#[derive(Default)]
pub(crate) struct Renames {
    /// Whether a process of the run confines itself further: nobody else could make its calls under the same rules.
    has_own_walls: bool,
    helpers: Vec<Helper>,
}

/// A child that makes a rename.
struct Helper {
    pid: u32,
    /// Readable once it has ended.
    process: OwnedFd,
    /// The call that it answers.
    call: u64,
}

/// A call as it was read from its caller.
struct Request {
    old: Name,
    new: Name,
    flags: RenameFlags,
    capabilities: CapabilitySet,
}

/// A path as a call has it.
struct Name {
    base: OwnedFd,
    path: Vec<u8>,
}

/// The folder of an entry, and its name there.
struct Place {
    folder: OwnedFd,
    name: CString,
}

/// What becomes of a call.
enum Outcome {
    /// The kernel makes it as it is.
    AsItIs,
    Made,
    Failed(Errno),
}

impl Renames {
    /// Has a helper make a rename of a folder. False where the kernel is to make the call.
    pub(crate) fn on_call(&mut self, listener: &OwnedFd, call: &libc::seccomp_notif) -> bool {
        let is_own = self.helpers.iter().any(|helper| helper.pid == call.pid);
        if is_own || self.has_own_walls || self.helpers.len() == MAX_HELPERS {
            return false;
        }
        let Some(request) = Request::read(call) else { return false };
        // From here on the process of this id is known to be the one that called.
        if !still_waits(listener, call.id) {
            return false;
        }
        let id = call.id;
        let forked = syscall::fork(|| {
            match request.make() {
                Outcome::AsItIs => return Err(std::io::ErrorKind::Unsupported.into()),
                Outcome::Made => answer_with(listener, id, Ok(())),
                Outcome::Failed(error) => answer_with(listener, id, Err(error.raw_os_error())),
            }
            Ok(())
        });
        let Ok(pid) = forked else { return false };
        let Ok(process) = open_pidfd(pid) else {
            // Nobody would learn of its end: a call is answered once.
            processes::signal(pid, libc::SIGKILL);
            return false;
        };
        self.helpers.push(Helper { pid: pid.cast_unsigned(), process, call: id });
        true
    }

    /// Notes what a call that the kernel makes says of the run.
    pub(crate) fn notes(&mut self, call: &libc::seccomp_notif) {
        let number = libc::c_long::from(call.data.nr);
        self.has_own_walls |= number == libc::SYS_landlock_create_ruleset;
    }

    /// Has the kernel make the calls whose helpers have ended. It ignores those that were answered.
    pub(crate) fn on_children(&mut self, go_on: impl Fn(u64)) {
        self.helpers.retain(|helper| {
            let mut watched = [PollFd::new(&helper.process, PollFlags::IN)];
            let now = Timespec { tv_sec: 0, tv_nsec: 0 };
            let has_ended =
                rustix::event::poll(&mut watched, Some(&now)).is_ok_and(|ready| ready > 0);
            if has_ended {
                go_on(helper.call);
            }
            !has_ended
        });
    }
}

impl Request {
    /// Reads a call that renames a folder of an overlay, of a caller that is like this process. `None` for any other.
    fn read(call: &libc::seccomp_notif) -> Option<Request> {
        let pid = i32::try_from(call.pid).ok()?;
        let args = call.data.args;
        let (old, new, flags) = match libc::c_long::from(call.data.nr) {
            libc::SYS_renameat => ((args[0], args[1]), (args[2], args[3]), 0),
            libc::SYS_renameat2 => ((args[0], args[1]), (args[2], args[3]), args[4]),
            // `rename`, which some machines do not have.
            _ => ((CWD, args[0]), (CWD, args[1]), 0),
        };
        let flags = RenameFlags::from_bits(u32::try_from(flags).ok()?)?;
        if !(flags.is_empty() || flags == RenameFlags::NOREPLACE) {
            return None;
        }
        // Most renames are of files: what tells that comes first.
        let old = Name::read(pid, old)?;
        let place = old.place()?;
        let stat =
            rustix::fs::statat(&place.folder, &place.name, AtFlags::SYMLINK_NOFOLLOW).ok()?;
        let is_folder = FileType::from_raw_mode(stat.st_mode) == FileType::Directory;
        if !is_folder || !is_overlay(&place.folder) || !is_like_this_process(pid) {
            return None;
        }
        let caller = rustix::thread::capabilities(Some(Pid::from_raw(pid)?)).ok()?;
        Some(Request { old, new: Name::read(pid, new)?, flags, capabilities: caller.effective })
    }

    /// Makes the call in a process of its own.
    fn make(&self) -> Outcome {
        // What ends the run politely lets a rename come to its end; without its worker it goes on no longer.
        // SAFETY: sets the action of a signal, without a handler.
        unsafe { libc::signal(libc::SIGTERM, libc::SIG_IGN) };
        let _ = rustix::process::set_parent_process_death_signal(Some(Signal::KILL));
        syscall::set_process_name(c"handrail-rename");
        let sets = CapabilitySets {
            effective: self.capabilities,
            permitted: self.capabilities,
            inheritable: CapabilitySet::empty(),
        };
        if rustix::thread::set_capabilities(None, sets).is_err() {
            return Outcome::AsItIs;
        }
        let (Some(old), Some(new)) = (self.old.place(), self.new.place()) else {
            return Outcome::AsItIs;
        };
        let flags = self.flags;
        match rustix::fs::renameat_with(&old.folder, &old.name, &new.folder, &new.name, flags) {
            Ok(()) => Outcome::Made,
            Err(Errno::XDEV) if is_same_mount(&old.folder, &new.folder) => {
                let (from, to) =
                    ((&old.folder, old.name.as_c_str()), (&new.folder, new.name.as_c_str()));
                match move_folder(from, to, flags) {
                    Ok(()) => Outcome::Made,
                    Err(error) => Outcome::Failed(error),
                }
            }
            Err(_) => Outcome::AsItIs,
        }
    }
}

impl Name {
    fn read(pid: i32, (folder, address): (u64, u64)) -> Option<Name> {
        let path = read_path(pid, address)?;
        // The kernel takes the low half of this argument alone.
        let [a, b, c, d, ..] = folder.to_le_bytes();
        let base = match i32::from_le_bytes([a, b, c, d]) {
            _ if path.starts_with(b"/") => "/".to_owned(),
            libc::AT_FDCWD => format!("{OWN_PROC}/{pid}/cwd"),
            descriptor => format!("{OWN_PROC}/{pid}/fd/{descriptor}"),
        };
        let base = rustix::fs::open(base.as_str(), FOLDER_FLAGS, Mode::empty()).ok()?;
        Some(Name { base, path })
    }

    /// Opens the folder of the entry. `None` for a path that ends in no name, and for one that leads through links which mean
    /// something else to this process.
    fn place(&self) -> Option<Place> {
        let end = self.path.iter().rposition(|byte| *byte != b'/')? + 1;
        let path = &self.path[..end];
        let start = path.iter().rposition(|byte| *byte == b'/').map_or(0, |slash| slash + 1);
        let (above, name) = path.split_at(start);
        if matches!(name, b"." | b"..") {
            return None;
        }
        let above = if above.is_empty() { b"." } else { above };
        let above = Path::new(OsStr::from_bytes(above));
        let resolve = ResolveFlags::NO_MAGICLINKS;
        let folder = rustix::fs::openat2(&self.base, above, FOLDER_FLAGS, Mode::empty(), resolve);
        Some(Place { folder: folder.ok()?, name: CString::new(name).ok()? })
    }
}

/// Whether a process is of the same user and sees the same files as this one.
fn is_like_this_process(pid: i32) -> bool {
    let user = |process: &str| -> Option<Vec<String>> {
        let status = std::fs::read_to_string(format!("{OWN_PROC}/{process}/status")).ok()?;
        let is_wanted = |line: &&str| USER_LINES.iter().any(|name| line.starts_with(name));
        Some(status.lines().filter(is_wanted).map(str::to_owned).collect())
    };
    let mounts = |process: &str| std::fs::read_link(format!("{OWN_PROC}/{process}/ns/mnt")).ok();
    let root = |path: &str| {
        let stat = rustix::fs::stat(path).ok()?;
        Some((stat.st_dev, stat.st_ino))
    };
    let caller = pid.to_string();
    let is_same_user = user("self").is_some_and(|own| Some(own) == user(&caller));
    let has_same_mounts = mounts("self").is_some_and(|own| Some(own) == mounts(&caller));
    let theirs = root(&format!("{OWN_PROC}/{caller}/root"));
    is_same_user && has_same_mounts && root("/").is_some_and(|own| Some(own) == theirs)
}

/// Reads a path out of the memory of a process, once.
fn read_path(pid: i32, address: u64) -> Option<Vec<u8>> {
    let mut path = vec![0; MAX_PATH_BYTES];
    let mut length = 0;
    while length < MAX_PATH_BYTES {
        let at = address.checked_add(length as u64)?;
        let room = usize::try_from(PAGE_BYTES - at % PAGE_BYTES).ok()?.min(MAX_PATH_BYTES - length);
        let local = libc::iovec { iov_base: path[length..].as_mut_ptr().cast(), iov_len: room };
        let remote = libc::iovec { iov_base: at as *mut libc::c_void, iov_len: room };
        // SAFETY: the local buffer has this much room; the remote address is only read, by the kernel.
        let read =
            unsafe { libc::process_vm_readv(pid, &raw const local, 1, &raw const remote, 1, 0) };
        let read = usize::try_from(read).ok().filter(|read| *read > 0)?;
        if let Some(end) = path[length..length + read].iter().position(|byte| *byte == 0) {
            path.truncate(length + end);
            return Some(path);
        }
        length += read;
    }
    None
}

fn is_overlay(folder: &OwnedFd) -> bool {
    rustix::fs::fstatfs(folder).is_ok_and(|found| found.f_type == OVERLAY_MAGIC)
}

/// Whether two folders lie in the same mounted file system: the kernel moves nothing from one to another.
fn is_same_mount(one: &OwnedFd, other: &OwnedFd) -> bool {
    let mount = |folder: &OwnedFd| {
        let wanted = rustix::fs::StatxFlags::MNT_ID;
        let found = rustix::fs::statx(folder, c"", AtFlags::EMPTY_PATH, wanted).ok()?;
        Some(found.stx_mnt_id)
    };
    mount(one).is_some() && mount(one) == mount(other)
}
