//! The supervisor's own loop: makes workers, notices their end and the host's.

use std::collections::{HashMap, HashSet};
use std::io;
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::ffi::OsStringExt;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use handrail_supervisor::PROTOCOL_VERSION;
use handrail_supervisor::message::{
    Enforcement, FromSupervisor, Kernel, Plan, Process, ToSupervisor,
};
use handrail_supervisor::socket;
use rustix::fs::{Mode as FileMode, OFlags};
use rustix::net::{RecvFlags, SendFlags};

use crate::confine;
use crate::descriptors;
use crate::forking::{self, Forked, HOST_GONE, Mode};
use crate::landlock;
use crate::pid_namespace;
use crate::reaper::{self, Means, Reaper};
use crate::signals;
use crate::state::{State, WorkerFolder};
use crate::views::Views;
use crate::watchdog;

/// How long workers get to end their runs before the supervisor does it itself.
const WORKER_EXIT_LIMIT: Duration = Duration::from_millis(950);

struct Supervisor {
    control: OwnedFd,
    host: OwnedFd,
    signals: OwnedFd,
    state: State,
    killing: bool,
    confine: bool,
    kernel: Kernel,
    /// Who makes views of the file system; `None` where nothing is confined, and at the end.
    views: Option<Views>,
    plans: HashMap<u32, Known>,
    workers: HashMap<i32, WorkerHandle>,
    next_worker: u32,
    /// Whether everything started lives in a domain that a watchdog can end.
    in_domain: bool,
    /// The process id of the watchdog that lives.
    watchdog: Option<i32>,
    /// Orphans that were killed and did not die: nobody waits for them again.
    hanging: HashSet<i32>,
}

/// A plan, and what is known about it.
struct Known {
    plan: Plan,
    /// What its workers have of their own.
    own: Own,
    /// Whether one of them had it.
    proven: bool,
}

/// What a worker has of its own, where its plan wants that: each with all that stands before it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd)]
enum Own {
    Nothing,
    /// A view of the file system.
    View,
    /// A PID namespace.
    Processes,
}

struct WorkerHandle {
    number: u32,
    /// Closed to tell the worker that its supervisor is gone.
    leash: OwnedFd,
    folder: WorkerFolder,
}

/// Serves the host on standard input until one of both ends.
pub(crate) fn serve() -> io::Result<()> {
    descriptors::close_inherited()?;
    signals::reset_actions();
    confine::become_opaque(true)?;
    confine::forbid_core_files()?;
    // Out of the host's process group, so that a Ctrl-C meant for the host does not hit us.
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
    landlock::limit(kernel.landlock);
    let views = confine.then(Views::fork).transpose()?;
    let in_domain = killing && confine && confine::enter_domain(parent())?;
    let signals = signals::descriptor(&[libc::SIGCHLD, libc::SIGTERM, libc::SIGINT, libc::SIGHUP])?;
    let state = State::open(PathBuf::from(std::ffi::OsString::from_vec(state_directory)))?;
    let mut supervisor = Supervisor {
        control,
        host,
        signals,
        state,
        killing,
        confine,
        kernel,
        views,
        plans: HashMap::new(),
        workers: HashMap::new(),
        next_worker: first_worker,
        in_domain,
        watchdog: None,
        hanging: HashSet::new(),
    };
    let result = supervisor.greet().and_then(|()| supervisor.watch());
    supervisor.end();
    result
}

fn parent() -> i32 {
    rustix::process::getppid().map_or(0, |pid| pid.as_raw_nonzero().get())
}

impl Supervisor {
    fn greet(&self) -> io::Result<()> {
        let ready = FromSupervisor::Ready { version: PROTOCOL_VERSION };
        socket::send(&self.control, &ready.encode(), &[], SendFlags::empty())
    }

    /// Until the host is gone, says so, or we are told to end.
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
                    let own = self.most();
                    self.plans.insert(number, Known { plan, own, proven: false });
                }
                Some(ToSupervisor::MoreWorkers { plan, count }) => {
                    for _ in 0..count {
                        self.add_worker(plan)?;
                    }
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
        // A first one that fails may have failed for what it has of its own, unless others have that.
        let others = self.plans.values().filter(|known| known.proven).map(|known| known.own);
        let shown = others.fold(Own::Nothing, |most, own| if own > most { own } else { most });
        while let (Err(error), Some(known)) = (&made, self.plans.get_mut(&plan))
            && error.kind() != HOST_GONE
            && !known.proven
            && known.own > shown
        {
            known.own = if known.own == Own::Processes { Own::View } else { Own::Nothing };
            made = self.make_worker(plan);
        }
        match made {
            Ok(made) => {
                if let Some(known) = self.plans.get_mut(&plan) {
                    known.proven = true;
                }
                match self.hand_over(made, plan) {
                    // Without its socket the worker ends.
                    Err(error) if error.raw_os_error() == Some(libc::ETOOMANYREFS) => {
                        self.say_failed(plan, &error)
                    }
                    handed => handed,
                }
            }
            Err(error) if error.kind() == HOST_GONE => Err(error),
            Err(error) => self.say_failed(plan, &error),
        }
    }

    fn say_failed(&self, plan: u32, error: &io::Error) -> io::Result<()> {
        let errno = error.raw_os_error().unwrap_or(libc::EIO);
        let message = FromSupervisor::WorkerFailed { plan, errno };
        socket::send(&self.control, &message.encode(), &[], SendFlags::empty())
    }

    fn hand_over(&self, made: Made, plan: u32) -> io::Result<()> {
        let Made { number: worker, pid, enforcement, .. } = made;
        let message = FromSupervisor::Worker { worker, plan, pid, enforcement };
        let descriptors = [made.socket.as_fd(), made.pidfd.as_fd()];
        socket::send(&self.control, &message.encode(), &descriptors, SendFlags::empty())
    }

    fn make_worker(&mut self, plan: u32) -> io::Result<Made> {
        self.restore_folders()?;
        self.ensure_watchdog()?;
        let number = self.next_worker;
        self.next_worker += 1;
        let folder = WorkerFolder::create(&self.state, number)?;
        let known = self.plans.get(&plan).ok_or(io::ErrorKind::InvalidData)?;
        let plan = Some(&known.plan).filter(|_| self.confine);
        let view = self.view_for(known, &folder).inspect_err(|_| folder.discard())?;
        let mode = Mode {
            killing: self.killing,
            plan,
            view: view.as_ref(),
            own_processes: known.own == Own::Processes,
            filters: self.kernel.filters,
        };
        let forked = forking::fork_worker(&folder, mode).inspect_err(|_| folder.discard())?;
        drop(view);
        let Forked { pid, socket, leash } = forked;
        let pidfd = open_pidfd(pid);
        let handle = self.workers.entry(pid).insert_entry(WorkerHandle { number, leash, folder });
        let report = forking::await_report(&handle.get().leash, &self.host, &self.control);
        let (now, enforcement) = report?;
        let pidfd = if now == pid {
            pidfd?
        } else {
            // It went on in a child, which has come to this process.
            let handle = handle.remove();
            self.workers.insert(now, handle);
            open_pidfd(now)?
        };
        Ok(Made { number, pid: now, socket, pidfd, enforcement })
    }

    /// What a worker can have of its own here, before one has tried.
    fn most(&self) -> Own {
        match (self.kernel.namespaces, self.killing && pid_namespace::is_possible()) {
            (false, _) => Own::Nothing,
            (true, false) => Own::View,
            (true, true) => Own::Processes,
        }
    }

    /// A view of the file system for a worker, where it is to have one.
    fn view_for(&self, known: &Known, folder: &WorkerFolder) -> io::Result<Option<OwnedFd>> {
        let plan = &known.plan;
        // For an ordinary user it costs the names of all other users: only what needs it pays that.
        let needed = plan.execute.is_some() || !plan.writes_anywhere;
        let wanted = needed || rustix::process::geteuid().is_root();
        let views = self.views.as_ref().filter(|_| wanted && known.own >= Own::View);
        views.map(|views| views.request(plan, self.state.path(), folder.path())).transpose()
    }

    /// Makes folders anew that a command, or whoever tidies up temporary files, has removed: workers
    /// that are idle meanwhile give their paths to the next program.
    fn restore_folders(&mut self) -> io::Result<()> {
        let replaced = !self.state.is_in_place();
        if replaced {
            self.state.replace()?;
            // It knows the old one.
            if let Some(pid) = self.watchdog.take() {
                let made = self.ensure_watchdog();
                crate::processes::signal(pid, libc::SIGKILL);
                made?;
            }
        }
        for WorkerHandle { number, folder, .. } in self.workers.values_mut() {
            // Without one its next run does without, and is its last.
            if (replaced || folder.is_missing())
                && let Ok(made) = WorkerFolder::create(&self.state, *number)
            {
                *folder = made;
            }
        }
        Ok(())
    }

    /// Before the first worker, and again when it was killed.
    fn ensure_watchdog(&mut self) -> io::Result<()> {
        if self.in_domain && self.watchdog.is_none() {
            self.watchdog = Some(watchdog::fork(&self.host, &self.state)?);
        }
        Ok(())
    }

    /// False when one of them asks us to end, or there can be no workers any more.
    fn handle_signals(&mut self) -> io::Result<bool> {
        let asked =
            signals::pending(&self.signals).filter(|&signal| signal != libc::SIGCHLD).count();
        for gone in self.reap() {
            socket::send(&self.control, &gone.encode(), &[], SendFlags::empty())?;
        }
        // One that cannot be made now is made with the next worker, which fails without it.
        let _ = self.ensure_watchdog();
        Ok(asked == 0 && self.views.is_some() == self.confine)
    }

    /// Buries dead workers. What they leave comes to us, and since living workers keep their own,
    /// every child that is no worker belongs to a dead one.
    fn reap(&mut self) -> Vec<FromSupervisor> {
        let mut gone = Vec::new();
        loop {
            // SAFETY: a null status pointer is allowed.
            let pid = unsafe { libc::waitpid(-1, std::ptr::null_mut(), libc::WNOHANG) };
            if pid <= 0 {
                break;
            }
            self.hanging.remove(&pid);
            if let Some(handle) = self.workers.remove(&pid) {
                gone.push(handle);
            } else if self.watchdog == Some(pid) {
                self.watchdog = None;
            } else if self.is_views(pid) {
                self.views = None;
            }
        }
        if gone.is_empty() {
            return Vec::new();
        }
        let survivors = self.sweep_orphans();
        let gone = gone.into_iter().map(|handle| {
            handle.folder.remove();
            let survivors = survivors.clone();
            FromSupervisor::WorkerGone { worker: handle.number, survivors }
        });
        let gone = gone.collect();
        // What cannot be made now is made with the next worker, which fails without it.
        let _ = self.restore_folders();
        gone
    }

    fn is_views(&self, pid: i32) -> bool {
        self.views.as_ref().is_some_and(|views| views.pid == pid)
    }

    fn sweep_orphans(&mut self) -> Vec<Process> {
        if !self.killing {
            return Vec::new();
        }
        let deadline = Instant::now() + WORKER_EXIT_LIMIT;
        loop {
            let orphans: Vec<i32> = crate::processes::own_children()
                .into_iter()
                .filter(|pid| !self.workers.contains_key(pid) && self.watchdog != Some(*pid))
                .filter(|pid| !self.hanging.contains(pid) && !self.is_views(*pid))
                .collect();
            if orphans.is_empty() {
                return Vec::new();
            }
            if Instant::now() >= deadline {
                self.hanging.extend(&orphans);
                for pid in crate::processes::descendants_of(&orphans) {
                    crate::processes::signal(pid, libc::SIGKILL);
                }
                return crate::processes::describe(&orphans);
            }
            for &pid in &orphans {
                crate::processes::signal(pid, libc::SIGKILL);
                // SAFETY: a null status pointer is allowed.
                unsafe { libc::waitpid(pid, std::ptr::null_mut(), libc::WNOHANG) };
            }
            reaper::wait_readable(&[], Some(Duration::from_micros(200)));
        }
    }

    /// Lets the workers end their runs, ends what they could not, removes the state directory.
    fn end(mut self) {
        let pids: Vec<i32> = self.workers.keys().copied().collect();
        // Without their leashes they know, and so does who makes views.
        self.workers.clear();
        self.views = None;
        if self.killing {
            let deadline = Instant::now() + WORKER_EXIT_LIMIT;
            let mut left = pids;
            while !left.is_empty() && Instant::now() < deadline {
                // SAFETY: a null status pointer is allowed.
                left.retain(|&pid| unsafe {
                    libc::waitpid(pid, std::ptr::null_mut(), libc::WNOHANG) == 0
                });
                if !left.is_empty() {
                    reaper::wait_readable(&[&self.signals], Some(Duration::from_millis(5)));
                    signals::clear(&self.signals);
                }
            }
            Reaper::new(0).end_all(Means::Sweep, &self.signals);
        }
        self.state.remove();
    }
}

struct Made {
    number: u32,
    pid: i32,
    socket: OwnedFd,
    pidfd: OwnedFd,
    enforcement: Enforcement,
}

fn open_pidfd(pid: i32) -> io::Result<OwnedFd> {
    let pid = rustix::process::Pid::from_raw(pid).ok_or(io::ErrorKind::InvalidInput)?;
    Ok(rustix::process::pidfd_open(pid, rustix::process::PidfdFlags::empty())?)
}
