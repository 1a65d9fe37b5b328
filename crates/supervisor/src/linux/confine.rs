//! The confinement that a worker installs once, for itself and for everything it starts.
//!
//! The worker first enters its view of the file system, then adds the Landlock layer with the paths of the plan, then installs
//! the filter of system calls. Nobody can remove any of them again.
//!
//! Three Landlock layers matter. The supervisor's layer puts everything of one host into a domain, which its watchdog can
//! end. The worker's layer puts the worker and its runs into a domain apart from the supervisor, the host and other workers,
//! and enforces the plan. Each program adds a layer of its own, so that it can neither signal nor inspect its worker.

use std::ffi::OsStr;
use std::io;
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::FileTypeExt;
use std::path::{Path, PathBuf};

use handrail_supervisor::control_groups::{GroupEvents, OpenGroup, WorkerGroup};
use handrail_supervisor::message::{Enforcement, Holder, Limits, Plan, PlanRoot, Reach};
use handrail_supervisor::mount_table::MountTable;
use rustix::fs::{FileType, Mode, OFlags};
use rustix::thread::{CapabilitySet, CapabilitySets};

use super::exec_watch::ExecWatch;
use super::landlock::{self, ABI_SCOPES, Ruleset};
use super::layer;
use super::limits::{self, ProcessLimits};
use super::namespace::{self, EnteredView};
use super::network::Network;
use super::pid_namespace;
use super::reads;
use super::reported_calls::ReportedCalls;
use super::seccomp::{AllowedSockets, Filter, Filtering};
use super::ssh;
use super::state::BUILD_NAME;
use super::syscall::check;
use super::view_root::ShownRoot;
use super::views;

/// A process that lives as long as the machine or the container does.
const INIT_PID: i32 = 1;

/// The capabilities that a program of root keeps. They are enough for file ownership and ports; none of them inspects other
/// processes or undoes the confinement.
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
/// How much is added to a command's score, so that the kernel ends it before the host when memory is short. The command counts
/// as if it used half of all memory more.
const OOM_SCORE_RAISE: i32 = 500;
const MAX_OOM_SCORE: i32 = 1000;
/// More capabilities than any kernel has. The loop ends at the first one that the kernel does not know.
const MAX_CAPABILITIES: u32 = 64;

/// The first kernel that counts the processes of a user in each user namespace by itself.
const FIRST_COUNT_BY_USERS: [u32; 2] = [5, 14];
const KERNEL_RELEASE: &str = "/proc/sys/kernel/osrelease";

/// The kernel's own file systems. Writing there changes the machine or other processes.
const KERNEL_FILE_SYSTEMS: [&str; 2] = ["/proc", "/sys"];
/// The devices that commands may use when they may not write everywhere: none of them stores anything. Terminals come in
/// addition, see [`TERMINAL_FOLDER`].
pub(crate) const ALLOWED_DEVICES: [&str; 7] =
    ["/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom", "/dev/tty", "/dev/ptmx"];
/// The folder of all devices.
const DEVICE_FOLDER: &str = "/dev";
/// The device that makes block devices out of files.
const LOOP_CONTROL: &str = "/dev/loop-control";
/// The folder of terminals. They are the user's, or the worker's alone if it has a view of its own.
pub(crate) const TERMINAL_FOLDER: &str = "/dev/pts";

/// A command may have one in this many of the descriptors that this process may have open. The kernel limits how many a user
/// may have in transit between processes by what the sender may have open, so commands leave room for what the host sends.
const DESCRIPTOR_DIVISOR: u64 = 2;

/// The confinement that was installed, and what each program adds to it.
pub(crate) struct Confinement {
    /// The Landlock layer that each program adds.
    pub(crate) layer: Option<OwnedFd>,
    /// The limits of a process that programs are started with.
    pub(crate) process_limits: ProcessLimits,
    /// What looks at the calls that are reported.
    pub(crate) calls: ReportedCalls,
    /// How much each run may use.
    pub(crate) limits: Limits,
    /// The files that tell how often a control group held a limit.
    pub(crate) events: GroupEvents,
    /// Whether the folder of shared memory is this worker's own.
    pub(crate) own_memory: bool,
    /// Whether programs that a run builds may be executed in its build folder.
    pub(crate) builds: bool,
    /// Whether that folder is the one for temporary files.
    pub(crate) builds_among_temporary_files: bool,
    /// The roots that the view shows by a second path.
    pub(crate) shown: Vec<ShownRoot>,
    /// The roots over which the view has a layer.
    pub(crate) layered: Vec<PlanRoot>,
    /// The program that `ssh` starts as the shell of its `ProxyCommand`, where it may start no other.
    pub(crate) shell: Option<PathBuf>,
    pub(crate) enforcement: Enforcement,
    /// The mounts of its view, if it has one.
    pub(crate) mounts: Option<MountTable>,
}

/// The facts that a worker needs while it confines itself.
pub(crate) struct WorkerSetup<'a> {
    /// The process id of the supervisor, which is outside of the new domain.
    pub(crate) supervisor: i32,
    /// The path of the worker's own folder.
    pub(crate) own: &'a Path,
    /// The socket that a view of the file system comes from, if the worker has one.
    pub(crate) view: Option<&'a OwnedFd>,
    /// Whether the worker becomes the first process of a PID namespace. That needs a view.
    pub(crate) own_processes: bool,
    /// The network namespace of the plan, if there is one. Entering it needs a view.
    pub(crate) network: Option<&'a Network>,
    /// Which system calls it may filter.
    pub(crate) filtering: Filtering,
    /// The control group that it enters, if there is one.
    pub(crate) group: Option<&'a WorkerGroup>,
}

/// Keeps every program that this process and its descendants execute from gaining privileges, for good.
pub(crate) fn forbid_privileges() -> io::Result<()> {
    prctl(libc::PR_SET_NO_NEW_PRIVS, 1)
}

/// Puts this process and everything that it forks into a domain of their own. False if the kernel does not keep signals inside
/// the domain, because then one signal cannot reach exactly its members. `outside` is a process that stays out.
pub(crate) fn enter_domain(outside: i32) -> io::Result<bool> {
    let abi = landlock::abi();
    if abi < ABI_SCOPES {
        return Ok(false);
    }
    forbid_privileges()?;
    Ruleset::for_processes(abi)?.restrict_self()?;
    Ok(is_signal_refused(outside) && is_signal_refused(INIT_PID))
}

/// Installs the plan for a worker. Without a plan nothing is installed.
pub(crate) fn install(plan: Option<&Plan>, setup: &WorkerSetup<'_>) -> io::Result<Confinement> {
    // SAFETY: always succeeds and touches no memory.
    let uid = unsafe { libc::geteuid() };
    let mut enforcement = Enforcement { uid, ..Enforcement::default() };
    let Some(plan) = plan else {
        return Ok(Confinement {
            layer: None,
            process_limits: ProcessLimits::new(),
            calls: ReportedCalls::default(),
            limits: Limits::default(),
            events: GroupEvents::default(),
            own_memory: false,
            builds: false,
            builds_among_temporary_files: false,
            shown: Vec::new(),
            layered: Vec::new(),
            shell: None,
            enforcement,
            mounts: None,
        });
    };
    let WorkerSetup { supervisor, own, view: source, own_processes, network, filtering, group } =
        *setup;
    // The view has no writable control groups.
    let group = group.map(WorkerGroup::open);
    // A kernel that does not allow this ends the largest process instead.
    let _ = raise_oom_score();
    // The terminal of a session is in this folder. In a view, only the descriptors of that terminal lead there.
    let terminals =
        rustix::fs::open(TERMINAL_FOLDER, OFlags::PATH | OFlags::CLOEXEC, Mode::empty()).ok();
    if let Some(network) = network.filter(|_| source.is_some()) {
        // The view is in a user namespace beneath that of the network, and from there nothing leads to the network.
        network.enter_users()?;
        network.enter()?;
        enforcement.own_network = true;
    }
    let mut view = source.map(views::enter).transpose()?;
    enforcement.namespace = view.is_some();
    let laid = laid_plan(plan, view.as_mut())?;
    let plan = laid.as_ref().unwrap_or(plan);
    if let Some(source) = source.filter(|_| own_processes) {
        // From here on this is another process.
        pid_namespace::enter(source)?;
        enforcement.own_processes = true;
        enforcement.signals = true;
        enforcement.atomic_kill = true;
    }
    // The process that forked this one is not in the group, where a run may have as many processes as its limit says.
    let events = group.map(OpenGroup::enter).unwrap_or_default();
    enforcement.memory_holder = events.memory_holder();
    enforcement.processes_holder = match events.processes_holder() {
        Holder::Count if view.as_ref().is_some_and(|view| view.own_users) && counts_by_users() => {
            Holder::UserNamespace
        }
        holder => holder,
    };
    if let Some(source) = source {
        // The process that made the view has nothing more to do.
        let _ = rustix::net::shutdown(source, rustix::net::Shutdown::Both);
    }
    // From here on nothing is mounted in the view any more.
    let mounts = view.as_ref().map(|_| MountTable::open()).transpose()?;
    enforcement.own_temporary = view.as_ref().is_some_and(|view| view.own_temporary);
    let has_own_root = view.as_ref().is_some_and(|view| view.own_root);
    let shown = if has_own_root { ShownRoot::of(plan) } else { Vec::new() };
    enforcement.loaders_bound = view.as_ref().is_some_and(|view| view.loaders_bound);
    forbid_privileges()?;
    enforcement.no_new_privileges = true;
    enforcement.capabilities_bounded = (uid != 0 && view.is_none()) || bound_capabilities().is_ok();
    let abi = landlock::abi();
    enforcement.landlock_abi = abi;
    if abi > 0 {
        let layer = plan_layer(abi, plan, own, view.as_ref())?;
        if let (Some(_), Some(terminals)) = (&view, &terminals) {
            layer.allow(terminals.as_fd(), true, landlock::DEVICE_RIGHTS)?;
        }
        layer.restrict_self()?;
        enforcement.introspection = enforcement.capabilities_bounded;
        enforcement.abstract_sockets = abi >= ABI_SCOPES;
        if !enforcement.own_processes {
            enforcement.signals = abi >= ABI_SCOPES;
            // `kill(-1)` is safe only if the scope really holds, so this is tested; the ABI version alone is not trusted.
            enforcement.atomic_kill =
                enforcement.signals && is_signal_refused(supervisor) && is_signal_refused(INIT_PID);
        }
    }
    let sockets = match plan.network {
        Reach::Anything => AllowedSockets::All,
        Reach::Own(_) if enforcement.own_network => AllowedSockets::OfNamespace,
        Reach::Own(_) | Reach::Nothing => AllowedSockets::Pairs,
    };
    // Before the filter, which may report the making of a layer: to this process, once it waits for reports.
    let layer = if abi > 0 { Some(Ruleset::for_processes(abi)?.into_descriptor()) } else { None };
    // Landlock executes the listed programs, and the loaders, which run any file unless the view has bound them.
    let has_open_loaders = abi > 0 && plan.execute.is_some() && !enforcement.loaders_bound;
    let no_memory_files = plan.execute.is_some();
    let filter = Filter {
        sockets,
        no_memory_files,
        reports_programs: has_open_loaders,
        reports_renames: (filtering == Filtering::CallsAndRenames || laid.is_some())
            && view.is_some(),
    };
    let filters = filtering != Filtering::Nothing;
    let installed = if filters { filter.install().ok() } else { None };
    enforcement.filtered = installed.is_some();
    let listener = installed.flatten();
    enforcement.reports_programs = has_open_loaders && listener.is_some();
    let execs = has_open_loaders.then(|| ExecWatch::new(plan, listener.is_some()));
    let calls = ReportedCalls::new(listener, execs.unwrap_or_default());
    let own_memory = view.is_some_and(|view| view.own_memory);
    let limit = rustix::process::getrlimit(rustix::process::Resource::Nofile).current;
    let descriptors = limit.map(|limit| limit / DESCRIPTOR_DIVISOR);
    let Enforcement { memory_holder, processes_holder, .. } = enforcement;
    let process_limits =
        limits::process_limits(&plan.limits, memory_holder, processes_holder, descriptors);
    Ok(Confinement {
        layer,
        process_limits,
        calls,
        limits: plan.limits,
        events,
        own_memory,
        builds: plan.build,
        builds_among_temporary_files: plan.build && plan.build_among_temporary_files,
        shown,
        layered: laid.as_ref().map(layer::roots_of).unwrap_or_default(),
        shell: ssh::connector_of(plan, own).filter(|path| plan.execute.is_some() && path.exists()),
        enforcement,
        mounts,
    })
}

/// The plan as it is in its layer, if it has one. Nothing of such a plan runs without.
fn laid_plan(plan: &Plan, view: Option<&mut EnteredView>) -> io::Result<Option<Plan>> {
    let laid = view.and_then(|view| view.layered.take());
    if plan.layer.is_some() != laid.is_some() {
        return Err(io::Error::other("there is no layer"));
    }
    Ok(laid)
}

/// Whether the kernel counts the processes of a user in each user namespace by itself. An older one counts them all together.
fn counts_by_users() -> bool {
    let release = std::fs::read_to_string(KERNEL_RELEASE).unwrap_or_default();
    let mut numbers = release.split(|char: char| !char.is_ascii_digit()).map(str::parse::<u32>);
    let version = [numbers.next(), numbers.next()].map(|number| number.and_then(Result::ok));
    version >= FIRST_COUNT_BY_USERS.map(Some)
}

/// The Landlock layer with the paths of the plan.
fn plan_layer(
    abi: u32,
    plan: &Plan,
    own: &Path,
    view: Option<&EnteredView>,
) -> io::Result<Ruleset> {
    let execute_rights = if plan.execute.is_some() { landlock::EXECUTE } else { 0 };
    let has_view = view.is_some();
    let read_rights = reads::handled_rights(plan, has_view);
    let layer = Ruleset::new(abi, landlock::write_rights(abi) | execute_rights | read_rights)?;
    let granted_rights = landlock::granted_rights(abi, plan.remove, plan.truncate);
    if plan.writes_anywhere {
        allow_everywhere(&layer, granted_rights)?;
    } else {
        for device in ALLOWED_DEVICES {
            allow(&layer, Path::new(device), landlock::DEVICE_RIGHTS)?;
        }
        if view.is_some() {
            allow(&layer, Path::new(TERMINAL_FOLDER), landlock::DEVICE_RIGHTS)?;
        } else if read_rights != 0 {
            allow(&layer, Path::new(namespace::SHARED_MEMORY_FOLDER), read_rights)?;
        }
        for root in plan.roots.iter().filter(|root| root.writable) {
            let path = Path::new(OsStr::from_bytes(&root.path));
            if root.path == b"/" {
                allow_everywhere(&layer, granted_rights)?;
            } else if !is_kernel_file_system(path)
                && let Some(held) = namespace::open_root(root)
            {
                layer.allow(held.as_fd(), true, granted_rights)?;
            }
        }
    }
    for folder in &plan.removable {
        if let Some(held) = namespace::open_place(folder) {
            layer.allow(held.as_fd(), true, landlock::granted_rights(abi, true, true))?;
        }
    }
    // The state directory is the folder above the worker's own.
    reads::grant(&layer, plan, has_view, own.parent().unwrap_or(own))?;
    let own_rights = landlock::granted_rights(abi, true, true) | read_rights;
    allow(&layer, own, own_rights)?;
    let own_folders = [
        (view.is_some_and(|view| view.own_memory), namespace::SHARED_MEMORY_FOLDER),
        (view.is_some_and(|view| view.own_temporary), namespace::TEMPORARY_FOLDER),
    ];
    for (_, folder) in own_folders.into_iter().filter(|(is_own, _)| *is_own) {
        allow(&layer, Path::new(folder), own_rights)?;
    }
    if let Some(places) = &plan.execute {
        for place in places {
            allow(&layer, Path::new(OsStr::from_bytes(place)), landlock::EXECUTE)?;
        }
        if plan.build {
            allow(&layer, &own.join(BUILD_NAME), landlock::EXECUTE)?;
        }
        if let Some(connector) = ssh::connector_of(plan, own) {
            allow(&layer, &connector, landlock::EXECUTE)?;
        }
        for place in &plan.places {
            if let Some(held) = namespace::open_place(place) {
                let kind = FileType::from_raw_mode(rustix::fs::fstat(&held)?.st_mode);
                layer.allow(held.as_fd(), kind == FileType::Directory, landlock::EXECUTE)?;
            }
        }
        // A view holds copies that only load; without a view these are the real loaders. No program starts without one.
        for loader in &plan.loaders {
            allow(&layer, Path::new(OsStr::from_bytes(loader)), landlock::EXECUTE)?;
        }
    }
    Ok(layer)
}

/// Grants these rights in the whole file system except the kernel's own file systems. A right that is granted at the root
/// holds everywhere, so each folder of the root is granted by itself, and nothing can be created in the root. Block devices
/// are left out because they hold file systems.
fn allow_everywhere(layer: &Ruleset, rights: u64) -> io::Result<()> {
    for path in entries(Path::new("/"))?.filter(|path| !is_kernel_file_system(path)) {
        if path != Path::new(DEVICE_FOLDER) {
            allow(layer, &path, rights)?;
            continue;
        }
        for device in entries(&path)?.filter(|path| path != Path::new(LOOP_CONTROL)) {
            let is_block = std::fs::symlink_metadata(&device)
                .is_ok_and(|status| status.file_type().is_block_device());
            if !is_block {
                allow(layer, &device, rights | landlock::DEVICE_RIGHTS)?;
            }
        }
    }
    Ok(())
}

pub(crate) fn entries(folder: &Path) -> io::Result<impl Iterator<Item = PathBuf>> {
    let entries: io::Result<Vec<_>> = std::fs::read_dir(folder)?.collect();
    Ok(entries?.into_iter().map(|entry| entry.path()))
}

fn is_kernel_file_system(path: &Path) -> bool {
    KERNEL_FILE_SYSTEMS.iter().any(|place| path.starts_with(place))
}

/// Grants rights at a path. A path that does not exist or cannot be opened is left out.
pub(crate) fn allow(layer: &Ruleset, path: &Path, rights: u64) -> io::Result<()> {
    let flags = OFlags::PATH | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    let Ok(place) = rustix::fs::open(path, flags, Mode::empty()) else { return Ok(()) };
    let kind = FileType::from_raw_mode(rustix::fs::fstat(&place)?.st_mode);
    if kind == FileType::Symlink {
        return Ok(());
    }
    layer.allow(place.as_fd(), kind == FileType::Directory, rights)
}

/// Whether the kernel refuses a signal to this process, which is alive.
fn is_signal_refused(pid: i32) -> bool {
    // SAFETY: signal 0 sends nothing.
    let answer = unsafe { libc::kill(pid, 0) };
    answer == -1 && io::Error::last_os_error().raw_os_error() == Some(libc::EPERM)
}

fn prctl(option: i32, argument: libc::c_ulong) -> io::Result<()> {
    // SAFETY: the options used here take plain integers.
    check(unsafe { libc::prctl(option, argument, 0, 0, 0) })
}

/// Makes orphaned descendants children of this process.
pub(crate) fn become_subreaper() -> io::Result<()> {
    prctl(libc::PR_SET_CHILD_SUBREAPER, 1)
}

/// Makes the kernel end this process when its parent ends, even after it has executed a program. Fails if the parent is
/// gone already.
pub(crate) fn die_with(parent: i32) -> io::Result<()> {
    prctl(libc::PR_SET_PDEATHSIG, libc::SIGKILL.cast_unsigned().into())?;
    // SAFETY: always succeeds.
    if unsafe { libc::getppid() } == parent { Ok(()) } else { Err(io::ErrorKind::NotFound.into()) }
}

/// Sets whether other processes of this user are kept from tracing this one and reading its memory.
pub(crate) fn become_opaque(opaque: bool) -> io::Result<()> {
    prctl(libc::PR_SET_DUMPABLE, (!opaque).into())
}

/// Forbids core files of this process and of everything it starts, because they would hold what was in memory.
pub(crate) fn forbid_core_files() -> io::Result<()> {
    let none = libc::rlimit { rlim_cur: 0, rlim_max: 0 };
    // SAFETY: the limit is valid for the call.
    check(unsafe { libc::setrlimit(libc::RLIMIT_CORE, &raw const none) })
}

/// Makes the kernel end the processes that this one starts before the host when memory is short. The file cannot be written
/// any more once the Landlock layer is installed.
fn raise_oom_score() -> io::Result<()> {
    const SCORE: &str = "/proc/self/oom_score_adj";
    let score: i32 = std::fs::read_to_string(SCORE)?.trim().parse().map_err(io::Error::other)?;
    let raised_score = score.saturating_add(OOM_SCORE_RAISE).min(MAX_OOM_SCORE);
    // The files in /proc of an opaque process belong to root.
    become_opaque(false)?;
    let written = std::fs::write(SCORE, raised_score.to_string());
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

/// Clears the inheritable capabilities: a program that root executes gets them in spite of the bounding set.
fn clear_inheritable() -> io::Result<()> {
    let held = rustix::thread::capabilities(None)?;
    let inheritable = CapabilitySet::empty();
    rustix::thread::set_capabilities(None, CapabilitySets { inheritable, ..held })?;
    Ok(rustix::thread::clear_ambient_capability_set()?)
}
