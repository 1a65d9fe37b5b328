//! What a worker installs once, for itself and for everything it starts.
//!
//! Three Landlock layers matter. The supervisor's puts everything of one host into a domain, for its
//! watchdog. The worker's own puts it and its runs into one, apart from the supervisor, the host and
//! other workers. The layer each program adds on top keeps it from signalling or looking into the
//! worker. None can be taken off again by anybody.

use std::io;
use std::os::fd::{AsFd, AsRawFd, BorrowedFd, FromRawFd, OwnedFd};

use handrail_supervisor::message::Enforcement;

const CREATE_RULESET_VERSION: u32 = 1;
const ACCESS_FS_MAKE_BLOCK: u64 = 1 << 11;
const SCOPE_ABSTRACT_UNIX_SOCKET: u64 = 1 << 0;
const SCOPE_SIGNAL: u64 = 1 << 1;
/// It lives as long as the machine or the container does.
const FIRST_PROCESS: i32 = 1;
/// First ABI with scopes (Linux 6.12).
const ABI_SCOPES: u32 = 6;

/// What a program run by root keeps: enough for file ownership and ports, nothing that looks into
/// other processes or undoes the confinement.
const KEPT_CAPABILITIES: [u32; 8] = [
    0,  // CAP_CHOWN
    1,  // CAP_DAC_OVERRIDE
    3,  // CAP_FOWNER
    4,  // CAP_FSETID
    5,  // CAP_KILL
    6,  // CAP_SETGID
    7,  // CAP_SETUID
    10, // CAP_NET_BIND_SERVICE
];
/// More capabilities than any kernel has; the loop ends at the first one it does not know.
const MAX_CAPABILITIES: u32 = 64;

#[repr(C)]
struct RulesetAttributes {
    handled_access_fs: u64,
    handled_access_net: u64,
    scoped: u64,
}

/// The layer that each program adds, and what the worker's own set-up achieved.
pub(crate) struct Confinement {
    pub(crate) layer: Option<OwnedFd>,
    pub(crate) enforcement: Enforcement,
}

/// Puts this process and all it forks into a domain of their own. False where the kernel does not
/// keep signals in it: the domain's members cannot be told from others then. `outside` is a process
/// that stays out.
pub(crate) fn enter_domain(outside: i32) -> io::Result<bool> {
    let abi = landlock_abi();
    if abi < ABI_SCOPES {
        return Ok(false);
    }
    prctl(libc::PR_SET_NO_NEW_PRIVS, 1)?;
    restrict_self(ruleset(abi)?.as_fd())?;
    Ok(is_refused(outside) && is_refused(FIRST_PROCESS))
}

/// Installs the worker's share. `supervisor` is a process outside of the new domain.
pub(crate) fn install(supervisor: i32, confine: bool) -> io::Result<Confinement> {
    // SAFETY: always succeeds and touches no memory.
    let uid = unsafe { libc::geteuid() };
    let mut enforcement = Enforcement { uid, ..Enforcement::default() };
    if !confine {
        return Ok(Confinement { layer: None, enforcement });
    }
    prctl(libc::PR_SET_NO_NEW_PRIVS, 1)?;
    enforcement.no_new_privileges = true;
    enforcement.capabilities_bounded = uid != 0 || bound_capabilities().is_ok();
    let abi = landlock_abi();
    enforcement.landlock_abi = abi;
    if abi == 0 {
        return Ok(Confinement { layer: None, enforcement });
    }
    restrict_self(ruleset(abi)?.as_fd())?;
    enforcement.introspection = enforcement.capabilities_bounded;
    enforcement.abstract_sockets = abi >= ABI_SCOPES;
    enforcement.signals = abi >= ABI_SCOPES;
    // `kill(-1)` is only safe when the scope really holds, so look instead of trusting a number.
    enforcement.atomic_kill =
        enforcement.signals && is_refused(supervisor) && is_refused(FIRST_PROCESS);
    Ok(Confinement { layer: Some(ruleset(abi)?), enforcement })
}

/// Whether signalling this living process is refused.
fn is_refused(pid: i32) -> bool {
    // SAFETY: signal 0 only asks.
    let answer = unsafe { libc::kill(pid, 0) };
    answer == -1 && io::Error::last_os_error().raw_os_error() == Some(libc::EPERM)
}

fn prctl(option: i32, argument: libc::c_ulong) -> io::Result<()> {
    // SAFETY: the options used here take plain integers.
    if unsafe { libc::prctl(option, argument, 0, 0, 0) } == -1 {
        return Err(io::Error::last_os_error());
    }
    Ok(())
}

/// Makes orphans come back to this process.
pub(crate) fn become_subreaper() -> io::Result<()> {
    prctl(libc::PR_SET_CHILD_SUBREAPER, 1)
}

/// Ends this process when its parent ends, also after it has executed a program. Fails when the parent
/// is gone already.
pub(crate) fn die_with(parent: i32) -> io::Result<()> {
    prctl(libc::PR_SET_PDEATHSIG, libc::SIGKILL.cast_unsigned().into())?;
    // SAFETY: always succeeds.
    if unsafe { libc::getppid() } == parent { Ok(()) } else { Err(io::ErrorKind::NotFound.into()) }
}

/// Keeps other processes of this user from tracing or reading this one.
pub(crate) fn become_opaque() -> io::Result<()> {
    prctl(libc::PR_SET_DUMPABLE, 0)
}

/// No core files, of this process and of all it starts: they would hold what was in memory.
pub(crate) fn forbid_core_files() -> io::Result<()> {
    let none = libc::rlimit { rlim_cur: 0, rlim_max: 0 };
    // SAFETY: the limit is valid for the call.
    if unsafe { libc::setrlimit(libc::RLIMIT_CORE, &raw const none) } == -1 {
        return Err(io::Error::last_os_error());
    }
    Ok(())
}

fn bound_capabilities() -> io::Result<()> {
    for capability in 0..MAX_CAPABILITIES {
        let number = libc::c_ulong::from(capability);
        // SAFETY: plain integers.
        let present = unsafe { libc::prctl(libc::PR_CAPBSET_READ, number, 0, 0, 0) };
        match present {
            1 if !KEPT_CAPABILITIES.contains(&capability) => {
                prctl(libc::PR_CAPBSET_DROP, number)?;
            }
            0 | 1 => {}
            _ => break,
        }
    }
    clear_inheritable()
}

/// A program executed by root also gets what is inheritable, past the bounding set.
fn clear_inheritable() -> io::Result<()> {
    #[repr(C)]
    struct Header {
        version: u32,
        pid: i32,
    }
    #[repr(C)]
    #[derive(Clone, Copy, Default)]
    struct Data {
        effective: u32,
        permitted: u32,
        inheritable: u32,
    }
    const VERSION_3: u32 = 0x2008_0522;
    let mut header = Header { version: VERSION_3, pid: 0 };
    let mut data = [Data::default(); 2];
    // SAFETY: header and data have the layout of version 3, which has two data blocks.
    if unsafe { libc::syscall(libc::SYS_capget, &raw mut header, data.as_mut_ptr()) } == -1 {
        return Err(io::Error::last_os_error());
    }
    for block in &mut data {
        block.inheritable = 0;
    }
    // SAFETY: as above.
    if unsafe { libc::syscall(libc::SYS_capset, &raw mut header, data.as_ptr()) } == -1 {
        return Err(io::Error::last_os_error());
    }
    prctl(libc::PR_CAP_AMBIENT, libc::PR_CAP_AMBIENT_CLEAR_ALL.cast_unsigned().into())
}

fn landlock_abi() -> u32 {
    let none = std::ptr::null::<RulesetAttributes>();
    // SAFETY: a null attribute with size 0 and this flag asks for the version.
    let version = unsafe {
        libc::syscall(libc::SYS_landlock_create_ruleset, none, 0_usize, CREATE_RULESET_VERSION)
    };
    u32::try_from(version).unwrap_or(0)
}

/// A ruleset that only scopes signals and abstract sockets. Before scopes existed, one that refuses
/// making block devices, for the sake of the domain: it is what hides other processes.
fn ruleset(abi: u32) -> io::Result<OwnedFd> {
    let scopes = abi >= ABI_SCOPES;
    let attributes = RulesetAttributes {
        handled_access_fs: if scopes { 0 } else { ACCESS_FS_MAKE_BLOCK },
        handled_access_net: 0,
        scoped: if scopes { SCOPE_SIGNAL | SCOPE_ABSTRACT_UNIX_SOCKET } else { 0 },
    };
    // Kernels before ABI 6 refuse an attribute that is longer than theirs unless it is zero there.
    let size = size_of::<RulesetAttributes>();
    // SAFETY: the attribute is valid for the call and as long as said.
    let fd = unsafe {
        libc::syscall(libc::SYS_landlock_create_ruleset, &raw const attributes, size, 0_u32)
    };
    let fd = i32::try_from(fd).unwrap_or(-1);
    if fd < 0 {
        return Err(io::Error::last_os_error());
    }
    // SAFETY: the kernel just gave us this descriptor.
    Ok(unsafe { OwnedFd::from_raw_fd(fd) })
}

/// Adds this layer to the calling process and all it will start.
pub(crate) fn restrict_self(ruleset: BorrowedFd<'_>) -> io::Result<()> {
    // SAFETY: plain integers, and a descriptor that is open for the call.
    let done =
        unsafe { libc::syscall(libc::SYS_landlock_restrict_self, ruleset.as_raw_fd(), 0_u32) };
    if done == 0 {
        return Ok(());
    }
    Err(io::Error::last_os_error())
}
