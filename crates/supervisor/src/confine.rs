//! What a worker installs once, for itself and for everything it starts.
//!
//! First its view of the file system; then the Landlock layer with the plan's places; then the filter of system calls. None can be taken off again by anybody.
//!
//! Three Landlock layers matter. The supervisor's puts everything of one host into a domain, for its
//! watchdog. The worker's own puts it and its runs into one, apart from the supervisor, the host and
//! other workers, and holds the plan. The layer each program adds on top keeps it from signalling or
//! looking into the worker.

use std::ffi::OsStr;
use std::io;
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::FileTypeExt;
use std::path::{Path, PathBuf};

use handrail_supervisor::message::{Enforcement, Plan};
use rustix::fs::{FileType, Mode, OFlags};

use crate::landlock::{self, ABI_SCOPES, Ruleset};
use crate::namespace::{self, Entered};
use crate::pid_namespace;
use crate::seccomp::Filter;
use crate::views;

/// It lives as long as the machine or the container does.
const FIRST_PROCESS: i32 = 1;

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
/// How much sooner than the host a command is ended when memory is short: as if it had half of it all.
const SOONER_ENDED: i32 = 500;
const SOONEST_ENDED: i32 = 1000;
/// More capabilities than any kernel has; the loop ends at the first one it does not know.
const MAX_CAPABILITIES: u32 = 64;

/// File systems that are the kernel's own: writing there changes the machine or other processes.
const OF_THE_KERNEL: [&str; 2] = ["/proc", "/sys"];
/// The devices of commands that do not write everywhere: they keep nothing. Beside them are terminals,
/// see [`TERMINALS`].
pub(crate) const DEVICES: [&str; 7] =
    ["/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom", "/dev/tty", "/dev/ptmx"];
/// Where devices are.
const ALL_DEVICES: &str = "/dev";
/// It makes block devices of files.
const LOOP_CONTROL: &str = "/dev/loop-control";
/// Where terminals are: those of the user, or of the worker alone where it has a view of its own.
pub(crate) const TERMINALS: &str = "/dev/pts";

/// Of the descriptors that this process may have open, one in so many is a command's: the kernel lets a user
/// have as many on their way between processes as the sender may have open, so what commands send leaves room
/// for what their host sends.
const DESCRIPTOR_SHARE: u64 = 2;

/// The layer that each program adds, and what the worker's own set-up achieved.
pub(crate) struct Confinement {
    pub(crate) layer: Option<OwnedFd>,
    /// How many descriptors programs may have, where that is held.
    pub(crate) descriptors: Option<u64>,
    /// Whether memory is shared within this worker only.
    pub(crate) own_memory: bool,
    pub(crate) enforcement: Enforcement,
}

/// Where a worker stands while it confines itself.
pub(crate) struct Surroundings<'a> {
    /// A process outside of the new domain.
    pub(crate) supervisor: i32,
    /// The worker's own folder.
    pub(crate) own: &'a Path,
    /// Where a view of the file system comes from.
    pub(crate) view: Option<&'a OwnedFd>,
    /// Whether it has its processes to itself, with that view.
    pub(crate) own_processes: bool,
    /// Whether system calls may be filtered.
    pub(crate) filters: bool,
}

/// For good: no program that is executed gains a privilege.
pub(crate) fn forbid_privileges() -> io::Result<()> {
    prctl(libc::PR_SET_NO_NEW_PRIVS, 1)
}

/// Puts this process and all it forks into a domain of their own. False where the kernel does not
/// keep signals in it: the domain's members cannot be told from others then. `outside` is a process
/// that stays out.
pub(crate) fn enter_domain(outside: i32) -> io::Result<bool> {
    let abi = landlock::abi();
    if abi < ABI_SCOPES {
        return Ok(false);
    }
    prctl(libc::PR_SET_NO_NEW_PRIVS, 1)?;
    Ruleset::of_processes(abi)?.restrict_self()?;
    Ok(is_refused(outside) && is_refused(FIRST_PROCESS))
}

/// Installs the worker's share of a plan; without one, nothing.
pub(crate) fn install(
    plan: Option<&Plan>,
    surroundings: &Surroundings<'_>,
) -> io::Result<Confinement> {
    // SAFETY: always succeeds and touches no memory.
    let uid = unsafe { libc::geteuid() };
    let mut enforcement = Enforcement { uid, ..Enforcement::default() };
    let Some(plan) = plan else {
        return Ok(Confinement { layer: None, descriptors: None, own_memory: false, enforcement });
    };
    let Surroundings { supervisor, own, view: source, own_processes, filters } = *surroundings;
    // A kernel that lets nobody say so ends whoever is largest.
    let _ = be_ended_sooner();
    // The terminal of a session is one of these, and only its own descriptors lead there from a view.
    let terminals = rustix::fs::open(TERMINALS, OFlags::PATH | OFlags::CLOEXEC, Mode::empty()).ok();
    let view = source.map(views::enter).transpose()?;
    enforcement.namespace = view.is_some();
    if let Some(source) = source.filter(|_| own_processes) {
        // From here on this is another process.
        pid_namespace::enter(source)?;
        enforcement.own_processes = true;
        enforcement.signals = true;
        enforcement.atomic_kill = true;
    }
    if let Some(source) = source {
        // Who made the view has nothing more to do.
        let _ = rustix::net::shutdown(source, rustix::net::Shutdown::Both);
    }
    enforcement.loaders_bound = view.as_ref().is_some_and(|view| view.loaders_bound);
    prctl(libc::PR_SET_NO_NEW_PRIVS, 1)?;
    enforcement.no_new_privileges = true;
    enforcement.capabilities_bounded = (uid != 0 && view.is_none()) || bound_capabilities().is_ok();
    let abi = landlock::abi();
    enforcement.landlock_abi = abi;
    if abi > 0 {
        let layer = files(abi, plan, own, view.as_ref())?;
        if let (Some(_), Some(terminals)) = (&view, &terminals) {
            layer.allow(terminals.as_fd(), true, landlock::OF_DEVICES)?;
        }
        layer.restrict_self()?;
        enforcement.introspection = enforcement.capabilities_bounded;
        enforcement.abstract_sockets = abi >= ABI_SCOPES;
        if !enforcement.own_processes {
            enforcement.signals = abi >= ABI_SCOPES;
            // `kill(-1)` is only safe when the scope really holds, so look instead of trusting a number.
            enforcement.atomic_kill =
                enforcement.signals && is_refused(supervisor) && is_refused(FIRST_PROCESS);
        }
    }
    let filter = Filter { no_network: !plan.network, no_memory_files: plan.execute.is_some() };
    enforcement.filtered = filters && filter.install().is_ok();
    let layer = if abi > 0 { Some(Ruleset::of_processes(abi)?.into_descriptor()) } else { None };
    let own_memory = view.is_some_and(|view| view.own_memory);
    let limit = rustix::process::getrlimit(rustix::process::Resource::Nofile).current;
    let descriptors = limit.map(|limit| limit / DESCRIPTOR_SHARE);
    Ok(Confinement { layer, descriptors, own_memory, enforcement })
}

/// The layer with the plan's places.
fn files(abi: u32, plan: &Plan, own: &Path, view: Option<&Entered>) -> io::Result<Ruleset> {
    let executing = if plan.execute.is_some() { landlock::EXECUTE } else { 0 };
    // The user's terminals are not there in a view; without one they are not to be opened.
    let reading = if view.is_none() && !plan.writes_everywhere() { landlock::READ_FILE } else { 0 };
    let layer = Ruleset::new(abi, landlock::writing(abi) | executing | reading)?;
    let granted = landlock::granted(abi, plan.remove, plan.truncate);
    if plan.writes_anywhere {
        everywhere(&layer, granted)?;
    } else {
        for device in DEVICES {
            allow(&layer, Path::new(device), landlock::OF_DEVICES)?;
        }
        if view.is_some() {
            allow(&layer, Path::new(TERMINALS), landlock::OF_DEVICES)?;
        } else if reading != 0 {
            for path in entries(Path::new("/"))?.filter(|path| path != Path::new(ALL_DEVICES)) {
                allow(&layer, &path, reading)?;
            }
            allow(&layer, Path::new(namespace::MEMORY), reading)?;
        }
        for root in plan.roots.iter().filter(|root| root.writable) {
            let path = Path::new(OsStr::from_bytes(&root.path));
            if root.path == b"/" {
                everywhere(&layer, granted)?;
            } else if !is_of_the_kernel(path)
                && let Some(held) = namespace::open_root(root)
            {
                layer.allow(held.as_fd(), true, granted)?;
            }
        }
    }
    allow(&layer, own, landlock::granted(abi, true, true))?;
    if view.is_some_and(|view| view.own_memory) {
        allow(&layer, Path::new(namespace::MEMORY), landlock::granted(abi, true, true))?;
    }
    if let Some(places) = &plan.execute {
        for place in places {
            allow(&layer, Path::new(OsStr::from_bytes(place)), landlock::EXECUTE)?;
        }
        // Bound ones, in a view, and the others as well: without one nothing would start.
        for loader in &plan.loaders {
            allow(&layer, Path::new(OsStr::from_bytes(loader)), landlock::EXECUTE)?;
        }
    }
    Ok(layer)
}

/// Grants these rights in all of the file system but what is the kernel's own. Rights add up towards
/// the root, so it is granted folder by folder, and nothing is made in the root itself. Block devices
/// hold file systems that are somebody's: they are left out.
fn everywhere(layer: &Ruleset, rights: u64) -> io::Result<()> {
    for path in entries(Path::new("/"))?.filter(|path| !is_of_the_kernel(path)) {
        if path != Path::new(ALL_DEVICES) {
            allow(layer, &path, rights)?;
            continue;
        }
        for device in entries(&path)?.filter(|path| path != Path::new(LOOP_CONTROL)) {
            let is_block = std::fs::symlink_metadata(&device)
                .is_ok_and(|status| status.file_type().is_block_device());
            if !is_block {
                allow(layer, &device, rights | landlock::OF_DEVICES)?;
            }
        }
    }
    Ok(())
}

fn entries(folder: &Path) -> io::Result<impl Iterator<Item = PathBuf>> {
    let entries: io::Result<Vec<_>> = std::fs::read_dir(folder)?.collect();
    Ok(entries?.into_iter().map(|entry| entry.path()))
}

fn is_of_the_kernel(path: &Path) -> bool {
    OF_THE_KERNEL.iter().any(|place| path.starts_with(place))
}

/// Grants rights at a path. What is not there, or may not be looked at, is granted nothing.
fn allow(layer: &Ruleset, path: &Path, rights: u64) -> io::Result<()> {
    let flags = OFlags::PATH | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    let Ok(place) = rustix::fs::open(path, flags, Mode::empty()) else { return Ok(()) };
    let kind = FileType::from_raw_mode(rustix::fs::fstat(&place)?.st_mode);
    if kind == FileType::Symlink {
        return Ok(());
    }
    layer.allow(place.as_fd(), kind == FileType::Directory, rights)
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

/// Whether other processes of this user are kept from tracing or reading this one.
pub(crate) fn become_opaque(opaque: bool) -> io::Result<()> {
    prctl(libc::PR_SET_DUMPABLE, (!opaque).into())
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

/// When memory is short the kernel ends what this process starts before the host. Nobody may write there
/// any more once the layer is installed.
fn be_ended_sooner() -> io::Result<()> {
    const SCORE: &str = "/proc/self/oom_score_adj";
    let score: i32 = std::fs::read_to_string(SCORE)?.trim().parse().map_err(io::Error::other)?;
    let sooner = score.saturating_add(SOONER_ENDED).min(SOONEST_ENDED);
    // The files of a process that is opaque belong to root.
    become_opaque(false)?;
    let written = std::fs::write(SCORE, sooner.to_string());
    become_opaque(true)?;
    written
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
