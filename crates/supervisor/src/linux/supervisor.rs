//! The supervisor's loop: it makes workers, and notices when a worker or the host ends.

use std::collections::{HashMap, HashSet};
use std::io;
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::ffi::OsStringExt;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use handrail_supervisor::PROTOCOL_VERSION;
use handrail_supervisor::control_groups::{self, ControlGroups, WorkerGroup};
use handrail_supervisor::message::{
    Enforcement, FromSupervisor, Kernel, Plan, Process, Reach, ToSupervisor,
};
use handrail_supervisor::socket;
use rustix::fs::{Mode as FileMode, OFlags};
use rustix::net::{RecvFlags, SendFlags};

use super::forking::{self, ForkedWorker, HOST_GONE_ERROR, Mode};
use super::network::Network;
use super::networks::Networks;
use super::reaper::{self, KillMethod, Reaper};
use super::seccomp::Filtering;
use super::state::{State, WorkerFolder};
use super::views::Views;
use super::{confine, descriptors, landlock, layer, pid_namespace, processes, signals, watchdog};

/// How long workers get to end their runs before the supervisor ends the runs itself.
const MAX_WORKER_EXIT_TIME: Duration = Duration::from_millis(950);

struct Supervisor {
    control: OwnedFd,
    host: OwnedFd,
    signals: OwnedFd,
    state: State,
    /// Where control groups for workers may be made.
    groups: ControlGroups,
    /// What the names of those groups begin with.
    group_prefix: String,
    killing: bool,
    confine: bool,
    filtering: Filtering,
    kernel: Kernel,
    /// The process that makes views of the file system. `None` if nothing is confined, or if that process has ended.
    views: Option<Views>,
    plans: HashMap<u32, KnownPlan>,
    networks: Networks,
    workers: HashMap<i32, WorkerHandle>,
    next_worker: u32,
    /// Whether everything that is started is in a domain that a watchdog can end.
    in_domain: bool,
    /// The process id of the watchdog, if one is alive.
    watchdog: Option<i32>,
    /// Orphans that were killed and did not die. Nobody waits for them again.
    unkillable_orphans: HashSet<i32>,
}

/// A plan, and how workers of it are isolated.
struct KnownPlan {
    plan: Plan,
    /// How its workers are isolated.
    isolation: Isolation,
    /// Whether a worker with this isolation has been made.
    has_made_worker: bool,
}

/// How a worker is isolated, if its plan wants that. Each level includes those before it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd)]
enum Isolation {
    Nothing,
    /// The worker has its own view of the file system.
    View,
    /// The worker is the first process of a PID namespace.
    Processes,
}

struct WorkerHandle {
    number: u32,
    /// When this closes, the worker knows that its supervisor is gone.
    lifeline: OwnedFd,
    folder: WorkerFolder,
    group: WorkerGroup,
}

/// Serves the host, whose socket is standard input, until the host or this process ends.
pub(crate) fn serve() -> io::Result<()> {
    descriptors::close_inherited()?;
    signals::reset_actions();
    confine::become_opaque(true)?;
    confine::forbid_core_files()?;
    // The supervisor leaves the host's process group, so that a Ctrl-C for the host does not end it.
    let _ = rustix::process::setsid();
    let control = rustix::io::fcntl_dupfd_cloexec(io::stdin(), 3)?;
    let null = rustix::fs::open("/dev/null", OFlags::RDWR | OFlags::CLOEXEC, FileMode::empty())?;
    rustix::stdio::dup2_stdin(&null)?;
    let Some(hello) = socket::receive(&control, RecvFlags::empty())? else { return Ok(()) };
    let Some(ToSupervisor::Hello {
        version,
        state_directory,
        first_worker,
        killing,
        confine,
        kernel,
        layer,
    }) = ToSupervisor::decode(&hello.message)
    else {
        return Err(io::ErrorKind::InvalidInput.into());
    };
    let Some(host) = hello.descriptors.into_iter().next() else {
        return Err(io::ErrorKind::InvalidInput.into());
    };
    if version != PROTOCOL_VERSION {
        return Err(io::ErrorKind::InvalidInput.into());
    }
    if killing {
        confine::become_subreaper()?;
    }
    landlock::limit_abi(kernel.landlock);
    let state = PathBuf::from(std::ffi::OsString::from_vec(state_directory));
    // Before the supervisor enters its domain, in which nothing is mounted.
    let own_users =
        layer.as_ref().map_or(Ok(false), |at| layer::enter(at, &state, kernel, &control))?;
    let views = confine.then(|| Views::fork(own_users)).transpose()?;
    let in_domain = killing && confine && confine::enter_domain(parent())?;
    let signals = signals::descriptor(&[libc::SIGCHLD, libc::SIGTERM, libc::SIGINT, libc::SIGHUP])?;
    let groups =
        if kernel.control_groups { ControlGroups::find() } else { ControlGroups::default() };
    let state = State::open(state)?;
    let mut supervisor = Supervisor {
        control,
        host,
        signals,
        group_prefix: control_groups::group_prefix(state.path()),
        state,
        groups,
        killing,
        confine,
        filtering: Filtering::new(kernel.filters, layer.is_some()),
        kernel,
        views,
        plans: HashMap::new(),
        networks: Networks::default(),
        workers: HashMap::new(),
        next_worker: first_worker,
        in_domain,
        watchdog: None,
        unkillable_orphans: HashSet::new(),
    };
    let result = supervisor.send_ready().and_then(|()| supervisor.watch());
    supervisor.end();
    result
}

fn parent() -> i32 {
    rustix::process::getppid().map_or(0, |pid| pid.as_raw_nonzero().get())
}

impl Supervisor {
    fn send_ready(&self) -> io::Result<()> {
        let ready = FromSupervisor::Ready { version: PROTOCOL_VERSION };
        socket::send(&self.control, &ready.encode(), &[], SendFlags::empty())
    }

    /// Handles requests until the host is gone or asks for the end, or until a signal asks for it.
    fn watch(&mut self) -> io::Result<()> {
        loop {
            let watched = [&self.control, &self.host, &self.signals];
            let [control, host, pending] = reaper::wait_readable(&watched, None);
            if pending && !self.handle_signals()? {
                return Ok(());
            }
            if host {
                return Ok(());
            }
            if !control {
                continue;
            }
            let Some(received) = socket::receive(&self.control, RecvFlags::empty())? else {
                return Ok(());
            };
            match ToSupervisor::decode(&received.message) {
                Some(ToSupervisor::Plan { number, plan }) => {
                    let isolation = self.best_isolation();
                    self.plans
                        .insert(number, KnownPlan { plan, isolation, has_made_worker: false });
                }
                Some(ToSupervisor::MoreWorkers { plan, count }) => {
                    for _ in 0..count {
                        self.add_worker(plan)?;
                    }
                }
                Some(ToSupervisor::Network { number, listeners }) => {
                    self.networks.announce(number, listeners);
                }
                Some(ToSupervisor::CloseNetwork { number }) => self.networks.close(number),
                Some(ToSupervisor::Connect { network, request, port }) => {
                    self.networks.connect(network, request, port, &self.control)?;
                }
                Some(ToSupervisor::Shutdown) => return Ok(()),
                Some(ToSupervisor::Hello { .. }) | None => {
                    return Err(io::ErrorKind::InvalidData.into());
                }
            }
        }
    }

    fn add_worker(&mut self, plan: u32) -> io::Result<()> {
        let mut made = self.make_worker(plan);
        // The first worker of a plan may fail because of its isolation, unless workers of other plans have the same isolation.
        let others =
            self.plans.values().filter(|known| known.has_made_worker).map(|known| known.isolation);
        let proven_isolation = others.fold(Isolation::Nothing, |best_isolation, own| {
            if own > best_isolation { own } else { best_isolation }
        });
        while let (Err(error), Some(known)) = (&made, self.plans.get_mut(&plan))
            && error.kind() != HOST_GONE_ERROR
            && !known.has_made_worker
            && known.plan.layer.is_none()
            && known.isolation > proven_isolation
        {
            known.isolation = if known.isolation == Isolation::Processes {
                Isolation::View
            } else {
                Isolation::Nothing
            };
            made = self.make_worker(plan);
        }
        match made {
            Ok(made) => {
                if let Some(known) = self.plans.get_mut(&plan) {
                    known.has_made_worker = true;
                }
                match self.hand_over(made, plan) {
                    // The worker ends because its socket was not handed over.
                    Err(error) if error.raw_os_error() == Some(libc::ETOOMANYREFS) => {
                        self.send_failure(plan, &error)
                    }
                    handed => handed,
                }
            }
            Err(error) if error.kind() == HOST_GONE_ERROR => Err(error),
            Err(error) => self.send_failure(plan, &error),
        }
    }

    fn send_failure(&self, plan: u32, error: &io::Error) -> io::Result<()> {
        let errno = error.raw_os_error().unwrap_or(libc::EIO);
        let message = FromSupervisor::WorkerFailed { plan, errno };
        socket::send(&self.control, &message.encode(), &[], SendFlags::empty())
    }

    fn hand_over(&self, made: NewWorker, plan: u32) -> io::Result<()> {
        let NewWorker { number: worker, pid, enforcement, .. } = made;
        let message = FromSupervisor::Worker { worker, plan, pid, enforcement };
        let descriptors: Vec<_> = [Some(&made.socket), Some(&made.pidfd), made.mounts.as_ref()]
            .into_iter()
            .flatten()
            .map(AsFd::as_fd)
            .collect();
        socket::send(&self.control, &message.encode(), &descriptors, SendFlags::empty())
    }

    fn make_worker(&mut self, plan: u32) -> io::Result<NewWorker> {
        self.restore_folders()?;
        self.ensure_watchdog()?;
        let known = self.plans.get(&plan).ok_or(io::ErrorKind::InvalidData)?;
        // A worker enters the network's namespaces with its view, so one without a view has none.
        let network = match known.plan.network {
            Reach::Own(network) if self.confine && known.isolation >= Isolation::View => {
                self.networks.ensure(network, &self.host, &self.control)?;
                self.networks.get(network)
            }
            _ => None,
        };
        let number = self.next_worker;
        self.next_worker += 1;
        let folder = WorkerFolder::create(&self.state, number)?;
        let plan = Some(&known.plan).filter(|_| self.confine);
        let view = self.view_for(known, &folder, network).inspect_err(|_| folder.discard())?;
        let name = format!("{}{number}", self.group_prefix);
        let limits = plan.map(|plan| plan.limits).unwrap_or_default();
        let group = self.groups.make(name.as_ref(), &limits);
        let mode = Mode {
            killing: self.killing,
            plan,
            view: view.as_ref(),
            own_processes: known.isolation == Isolation::Processes,
            network,
            filtering: self.filtering,
            group: Some(&group).filter(|group| !group.is_empty()),
        };
        let forked = forking::fork_worker(&folder, mode).inspect_err(|_| {
            folder.discard();
            group.remove();
        })?;
        drop(view);
        let ForkedWorker { pid, socket, lifeline } = forked;
        let pidfd = processes::open_pidfd(pid);
        let handle =
            self.workers.entry(pid).insert_entry(WorkerHandle { number, lifeline, folder, group });
        let report = forking::await_report(&handle.get().lifeline, &self.host, &self.control);
        let (now, enforcement, mounts) = report?;
        let pidfd = if now == pid {
            pidfd?
        } else {
            // The worker continued in a child, which has become a child of this process.
            let handle = handle.remove();
            self.workers.insert(now, handle);
            processes::open_pidfd(now)?
        };
        Ok(NewWorker { number, pid: now, socket, pidfd, enforcement, mounts })
    }

    /// The best isolation that seems possible here before a worker has tried it.
    fn best_isolation(&self) -> Isolation {
        match (self.kernel.namespaces, self.killing && pid_namespace::is_possible()) {
            (false, _) => Isolation::Nothing,
            (true, false) => Isolation::View,
            (true, true) => Isolation::Processes,
        }
    }

    /// Requests a view of the file system for a worker, if it gets one.
    fn view_for(
        &self,
        known: &KnownPlan,
        folder: &WorkerFolder,
        network: Option<&Network>,
    ) -> io::Result<Option<OwnedFd>> {
        let plan = &known.plan;
        // For an ordinary user a view hides the names of all other users, so only a plan that needs a view gets one.
        let plan_needs_view = plan.execute.is_some()
            || !plan.writes_anywhere
            || plan.reads.limited
            || plan.roots.iter().any(|root| root.shown_as.is_some())
            || network.is_some();
        let wants_view = plan_needs_view || rustix::process::geteuid().is_root();
        let views =
            self.views.as_ref().filter(|_| wants_view && known.isolation >= Isolation::View);
        let users = network.and_then(Network::users);
        views.map(|views| views.request(plan, self.state.path(), folder.path(), users)).transpose()
    }

    /// Makes folders again that somebody has removed, for example a command or a program that cleans up temporary files. Idle
    /// workers will give the paths of their folders to the next program.
    fn restore_folders(&mut self) -> io::Result<()> {
        let replaced = !self.state.is_in_place();
        if replaced {
            self.state.replace()?;
            // The watchdog knows only the old directory.
            if let Some(pid) = self.watchdog.take() {
                let made = self.ensure_watchdog();
                processes::signal(pid, libc::SIGKILL);
                made?;
            }
        }
        for WorkerHandle { number, folder, .. } in self.workers.values_mut() {
            // If the folder cannot be made, the worker's next run has none and is its last.
            if (replaced || folder.is_missing())
                && let Ok(made) = WorkerFolder::create(&self.state, *number)
            {
                *folder = made;
            }
        }
        Ok(())
    }

    /// Makes a watchdog if there is none: before the first worker, and again if the watchdog was killed.
    fn ensure_watchdog(&mut self) -> io::Result<()> {
        if self.in_domain && self.watchdog.is_none() {
            self.watchdog =
                Some(watchdog::fork(&self.host, &self.state, (&self.groups, &self.group_prefix))?);
        }
        Ok(())
    }

    /// Handles pending signals. False if one of them asks the supervisor to end, or if no further worker can be made.
    fn handle_signals(&mut self) -> io::Result<bool> {
        let asked =
            signals::pending(&self.signals).filter(|&signal| signal != libc::SIGCHLD).count();
        for message in self.reap() {
            socket::send(&self.control, &message.encode(), &[], SendFlags::empty())?;
        }
        // A watchdog that cannot be made now is made with the next worker, which fails without it.
        let _ = self.ensure_watchdog();
        Ok(asked == 0 && self.views.is_some() == self.confine)
    }

    /// Reaps dead workers and ends what they left. Their orphans become children of the supervisor, while orphans of living
    /// workers do not; every child that is no worker was therefore left by a dead one.
    fn reap(&mut self) -> Vec<FromSupervisor> {
        let mut ended_workers = Vec::new();
        loop {
            // SAFETY: a null status pointer is allowed.
            let pid = unsafe { libc::waitpid(-1, std::ptr::null_mut(), libc::WNOHANG) };
            if pid <= 0 {
                break;
            }
            self.unkillable_orphans.remove(&pid);
            self.networks.forget_child(pid);
            if let Some(handle) = self.workers.remove(&pid) {
                ended_workers.push(handle);
            } else if self.watchdog == Some(pid) {
                self.watchdog = None;
            } else if self.is_view_maker(pid) {
                self.views = None;
            }
        }
        if ended_workers.is_empty() {
            return Vec::new();
        }
        let survivors = self.sweep_orphans();
        let messages = ended_workers.into_iter().map(|handle| {
            handle.folder.remove();
            let limit = handle.group.limit_met();
            // A group that cannot be removed now goes when the supervisor ends.
            handle.group.remove();
            let survivors = survivors.clone();
            FromSupervisor::WorkerGone { worker: handle.number, survivors, limit }
        });
        let messages = messages.collect();
        // A folder that cannot be made now is made with the next worker, which fails without it.
        let _ = self.restore_folders();
        messages
    }

    fn is_view_maker(&self, pid: i32) -> bool {
        self.views.as_ref().is_some_and(|views| views.pid == pid)
    }

    fn sweep_orphans(&mut self) -> Vec<Process> {
        if !self.killing {
            return Vec::new();
        }
        let deadline = Instant::now() + MAX_WORKER_EXIT_TIME;
        loop {
            let orphans: Vec<i32> = processes::own_children()
                .into_iter()
                .filter(|pid| !self.workers.contains_key(pid) && self.watchdog != Some(*pid))
                .filter(|pid| !self.unkillable_orphans.contains(pid) && !self.is_view_maker(*pid))
                .filter(|pid| !self.networks.has_child(*pid))
                .collect();
            if orphans.is_empty() {
                return Vec::new();
            }
            if Instant::now() >= deadline {
                self.unkillable_orphans.extend(&orphans);
                for pid in processes::descendants_of(&orphans) {
                    processes::signal(pid, libc::SIGKILL);
                }
                return processes::describe(&orphans);
            }
            for &pid in &orphans {
                processes::signal(pid, libc::SIGKILL);
                // SAFETY: a null status pointer is allowed.
                unsafe { libc::waitpid(pid, std::ptr::null_mut(), libc::WNOHANG) };
            }
            reaper::wait_readable(&[], Some(Duration::from_micros(200)));
        }
    }

    /// Lets the workers end their runs, ends everything that they could not, and removes the state directory.
    fn end(mut self) {
        let pids: Vec<i32> = self.workers.keys().copied().collect();
        // This closes the lifelines of the workers and the socket of the process that makes views, so that all of them end.
        self.workers.clear();
        self.views = None;
        if self.killing {
            let deadline = Instant::now() + MAX_WORKER_EXIT_TIME;
            let mut running_pids = pids;
            while !running_pids.is_empty() && Instant::now() < deadline {
                // SAFETY: a null status pointer is allowed.
                running_pids.retain(|&pid| unsafe {
                    libc::waitpid(pid, std::ptr::null_mut(), libc::WNOHANG) == 0
                });
                if !running_pids.is_empty() {
                    reaper::wait_readable(&[&self.signals], Some(Duration::from_millis(5)));
                    signals::clear(&self.signals);
                }
            }
            Reaper::new(0).end_all(KillMethod::Sweep, &self.signals);
        }
        control_groups::remove_all(&self.groups, &self.group_prefix);
        self.state.remove();
    }
}

struct NewWorker {
    number: u32,
    pid: i32,
    socket: OwnedFd,
    pidfd: OwnedFd,
    enforcement: Enforcement,
    /// The mounts of its view, if it has one.
    mounts: Option<OwnedFd>,
}
