mod prepare;

use std::collections::HashMap;
use std::ffi::OsStr;
use std::io;
use std::net::SocketAddr;
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use handrail_policy::Enforced;
use handrail_redact::Redactor;
use handrail_supervisor::message::{Enforcement, HomeFile, Layer, Plan, SPILL_FOLDER_NAME};
use rustix::fs::{FlockOperation, Mode, OFlags};

use self::prepare::{begin, prepare_live, prepare_run, watch_live, watch_run};
use crate::capability::Capability;
use crate::linux::child::{Child, Sink};
use crate::linux::error::Error;
use crate::linux::expected_enforcement::ExpectedEnforcement;
use crate::linux::host_facts::host_facts;
use crate::linux::made_folders::MadeFolders;
use crate::linux::pool::{
    EngineCommand, Limits, MAX_PLANS, OnListeners, Phase, Quota, SupervisorLink,
};
use crate::linux::program::Program;
use crate::linux::reactor::Reactor;
use crate::linux::shared::{Shared, Token};
use crate::linux::shell_marks::ShellMarks;
use crate::linux::spill::{self, Budget};
use crate::linux::supervisor_launch;
use crate::linux::text_digest::TextDigest;
use crate::live::{LiveProgram, LiveProgramKind, LiveRequest};
use crate::options::{EngineOptions, Input, OutputLimits, SpillFolder};
use crate::outcome::Event;

/// A program to start: a run, a session or a service.
pub(crate) struct ProgramStart {
    /// The id of the program in events: unique for this engine, at most 2^60.
    pub(crate) id: u64,
    pub(crate) program: Program,
    /// The kernel plan that it runs under.
    pub(crate) plan: Arc<Plan>,
    /// Its working directory.
    pub(crate) directory: OwnedFd,
    /// `NAME=value` entries.
    pub(crate) environment: Vec<Vec<u8>>,
    /// Whether `HOME` is a private folder.
    pub(crate) private_home: bool,
    /// The files that a private home starts with.
    pub(crate) home_files: Vec<HomeFile>,
    /// Time from SIGTERM to SIGKILL when it is ended.
    pub(crate) grace: Duration,
    /// Masks secrets.
    pub(crate) redactor: Redactor,
    /// Whether it prints a secret alone, which only runs mind.
    pub(crate) prints_secret: bool,
    /// What its judgement relied on the kernel enforcing: where workers enforce less, it does not start.
    pub(crate) needs: Enforced,
    /// The folders that were made for it.
    pub(crate) made_folders: Option<MadeFolders>,
    /// How it marks its commands, where it is a shell.
    pub(crate) shell_marks: Option<ShellMarks>,
}

/// What only a run is started with.
pub(crate) struct RunOptions {
    /// Its standard input.
    pub(crate) stdin: Input,
    /// Whether both outputs share one pipe, which keeps their exact order.
    pub(crate) merge: bool,
    /// Limit of the whole run, the wait for a worker included.
    pub(crate) timeout: Duration,
    /// Whether the output is also sent as events.
    pub(crate) stream: bool,
    /// Limits of the output that is kept.
    pub(crate) limits: OutputLimits,
    /// Whether it counts among the jobs.
    pub(crate) is_job: bool,
    /// The folder for output that does not fit its result; `None` for the usual one.
    pub(crate) spill: Option<SpillFolder>,
}

/// One supervisor, its workers, and the thread that serves them.
///
/// Dropping an engine closes it without waiting. When the process ends without either, the supervisor notices and ends
/// everything.
pub struct Engine<S> {
    options: EngineOptions,
    expected_enforcement: Arc<ExpectedEnforcement>,
    shared: Arc<Shared>,
    /// Receives the events; moved to the thread when that starts.
    sink: Option<S>,
    thread: Option<JoinHandle<()>>,
    /// How many texts were shortened.
    texts: u64,
    /// The directories of the roots in its layer by their canonical paths, if it has one. Only one supervisor ever has it: the kernel does not define what becomes of two
    /// overlays that share a folder.
    layered: Option<Vec<(PathBuf, OwnedFd)>>,
    /// The locked file of its layer: what belongs to a process of another container is not swept there.
    layer_lock: Option<OwnedFd>,
    /// The locked files of the layers of single programs.
    held_layers: HashMap<PathBuf, OwnedFd>,
}

impl<S: Fn(Event) + Send + 'static> Engine<S> {
    /// Makes an engine. The first run starts its thread and the supervisor.
    pub fn new(options: EngineOptions, sink: S) -> Result<Self, Error> {
        let EngineOptions { max_workers, max_sessions, max_services, max_jobs, .. } = options;
        let limits = Limits {
            runs: max_workers,
            sessions: max_sessions,
            services: max_services,
            jobs: max_jobs,
        };
        let shared = Shared::new(limits, Budget::new(options.spill_total_bytes))?;
        let expected_enforcement = Arc::new(ExpectedEnforcement::new(&options));
        Ok(Engine {
            options,
            expected_enforcement,
            shared,
            sink: Some(sink),
            thread: None,
            texts: 0,
            layered: None,
            layer_lock: None,
            held_layers: HashMap::new(),
        })
    }

    /// Has everything that it starts write into this layer from now on. Starts the supervisor, and waits until the layer is made.
    /// Nothing may have been started before.
    ///
    /// # Errors
    /// When there is no layer. Then nothing can be started.
    pub fn enter_layer(&mut self, layer: &Layer) -> Result<(), Error> {
        self.start_thread()?;
        if self.layered.replace(Vec::new()).is_some() || self.shared.state_directory().is_some() {
            return Err(Error::supervisor(io::ErrorKind::AlreadyExists.into()));
        }
        let lock = lock_layer(Path::new(OsStr::from_bytes(&layer.folder)));
        let lock = lock.map_err(|error| Error::system("the folder of a layer is in use", error))?;
        self.layer_lock = Some(lock);
        let (_, directories) = self.start_supervisor(Some(layer))?;
        let paths = layer.roots.iter().map(|root| OsStr::from_bytes(&root.path).into());
        self.layered = Some(paths.zip(directories).collect());
        Ok(())
    }

    /// Keeps the folder of a layer for one program from being swept by a process of another container.
    ///
    /// # Errors
    /// When it is no layer, or is being removed.
    pub fn hold_layer(&mut self, folder: &Path) -> Result<(), Error> {
        let lock = lock_layer(folder);
        let lock = lock.map_err(|error| Error::system("the folder of a layer is in use", error))?;
        self.held_layers.insert(folder.to_path_buf(), lock);
        Ok(())
    }

    /// Such a layer is gone.
    pub fn release_layer(&mut self, folder: &Path) {
        self.held_layers.remove(folder);
    }

    /// The roots in its layer; none without one.
    pub fn layered(&self) -> &[(PathBuf, OwnedFd)] {
        self.layered.as_deref().unwrap_or_default()
    }

    /// Whether workers will enforce everything of a plan, for whoever judges.
    pub fn expected_enforcement(&self) -> Arc<ExpectedEnforcement> {
        Arc::clone(&self.expected_enforcement)
    }

    /// Starts a run. Events report its output and its end.
    pub(crate) fn run(
        &mut self,
        mut start: ProgramStart,
        options: RunOptions,
    ) -> Result<(), Error> {
        let system = |error: io::Error| Error::system("a command could not be started", error);
        self.start_thread()?;
        let shared = Arc::clone(&self.shared);
        let state_directory = match shared.state_directory() {
            Some(path) => path,
            None => self.ensure_supervisor()?,
        };
        let (id, timeout, grace) = (start.id, options.timeout, start.grace);
        make_spill_folder(&state_directory, &start.plan);
        let plan = self.number_of(&start.plan, start.needs)?;
        let made_folders = start.made_folders.take();
        note_made_folders(&start.plan, made_folders.as_ref()).map_err(system)?;
        let spill_directory = state_directory.join(spill_name(options.spill.as_ref()));
        if options.is_job {
            let admitted = shared.pool().admit(id, Quota::Jobs);
            admitted.map_err(|(what, limit)| {
                shared.pool().retire_layered(plan);
                Error::busy(what, limit)
            })?;
        }
        let prepared = prepare_run(&shared, plan, start, options, &spill_directory)
            .and_then(|(run, pending)| watch_run(&shared, id, &run).map(|()| (run, pending)));
        let (run, pending) = prepared.map_err(|error| {
            shared.pool().forget_live(id);
            shared.pool().retire_layered(plan);
            system(error)
        })?;
        let sink = Sink::Run(Box::new(run));
        let mut child = Child::new((id, plan), Some(timeout), grace, sink);
        child.made_folders = made_folders;
        begin(&shared, child, pending);
        Ok(())
    }

    /// Starts a session or a service. An event reports its end, like that of a run.
    pub(crate) fn open(
        &mut self,
        mut start: ProgramStart,
        kind: LiveProgramKind,
    ) -> Result<LiveProgram, Error> {
        let system = |error: io::Error| Error::system("a program could not be started", error);
        self.start_thread()?;
        let shared = Arc::clone(&self.shared);
        let state_directory = match shared.state_directory() {
            Some(path) => path,
            None => self.ensure_supervisor()?,
        };
        make_spill_folder(&state_directory, &start.plan);
        let (id, grace) = (start.id, start.grace);
        let plan = self.number_of(&start.plan, start.needs)?;
        let made_folders = start.made_folders.take();
        note_made_folders(&start.plan, made_folders.as_ref()).map_err(system)?;
        let quota = match kind {
            LiveProgramKind::Session { .. } => Quota::Sessions,
            LiveProgramKind::Service => Quota::Services,
        };
        let admitted = shared.pool().admit(id, quota);
        admitted.map_err(|(what, limit)| {
            shared.pool().retire_layered(plan);
            Error::busy(what, limit)
        })?;
        let prepared =
            prepare_live(&shared, plan, start, kind).and_then(|(sink, pending, live)| {
                watch_live(&shared, id, &sink)?;
                Ok((sink, pending, live))
            });
        match prepared {
            Ok((sink, pending, live)) => {
                let mut child = Child::new((id, plan), None, grace, sink);
                child.made_folders = made_folders;
                begin(&shared, child, pending);
                Ok(live)
            }
            Err(error) => {
                shared.pool().forget_live(id);
                shared.pool().retire_layered(plan);
                Err(system(error))
            }
        }
    }

    /// Passes a request to a session, to a service or to a run whose input is a pipe. A program that is over ignores it.
    pub fn request(&self, id: u64, request: LiveRequest) {
        self.shared.send_command(EngineCommand::Request(id, request));
    }

    /// What the kernel enforces on a program that runs, as results say it; empty before its start and after its end.
    pub fn enforced(&self, id: u64) -> Arc<[String]> {
        let pool = self.shared.pool();
        let worker = pool.worker_of(id);
        let group = worker.and_then(|worker| pool.group(worker.plan));
        group.map(|group| Arc::clone(&group.installed)).unwrap_or_default()
    }

    /// The process that every process of this program descends from; `None` before its start and after its end.
    pub fn ancestor(&self, id: u64) -> Option<i32> {
        self.shared.pool().worker_of(id).map(|worker| worker.pid)
    }

    /// A number for a network namespace of an owner's programs, which kernel plans name it by. It is made with the first program
    /// whose plan names it.
    pub fn new_network(&self) -> u32 {
        self.shared.pool().networks.next_number()
    }

    /// Sets the listeners that the host has in a namespace, at most [`MAX_LISTENERS`](handrail_supervisor::message::MAX_LISTENERS),
    /// before the first program starts in it. Port 0 is any port.
    pub fn set_listeners(
        &self,
        network: u32,
        addresses: Vec<SocketAddr>,
        on_listeners: OnListeners,
    ) {
        self.shared.pool().networks.set_listeners(network, addresses, on_listeners);
    }

    /// Requests a socket that is connected to a port of a namespace's loopback. [`Event::Connected`] follows.
    ///
    /// # Errors
    /// When nothing can listen there.
    pub fn connect(&self, network: u32, request: u64, port: u16) -> Result<(), Error> {
        let connected = self.shared.pool().connect(network, request, port);
        connected.map_err(|error| Error::system("nothing listens at that port", error))
    }

    /// The owner of a namespace is closed. The namespace is gone when its last process and its last socket are.
    pub fn close_network(&self, network: u32) {
        self.shared.pool().close_network(network);
    }

    /// What shortens a text that is no output of a run. Without a folder for files it does so too.
    pub fn text_digest(&mut self, spill: Option<&SpillFolder>) -> TextDigest {
        self.texts += 1;
        let state_directory = self.shared.state_directory();
        let state_directory = state_directory.or_else(|| {
            self.start_thread().ok()?;
            self.ensure_supervisor().ok()
        });
        let directory = state_directory.map(|state| state.join(spill_name(spill)));
        TextDigest::new(directory, self.texts, &self.shared.spills)
    }

    /// Ends a run: SIGTERM, its grace, SIGKILL.
    pub fn cancel(&self, run: u64) {
        self.shared.send_command(EngineCommand::Cancel(run));
    }

    /// The caller consumed one output event of this run.
    pub fn acknowledge(&self, run: u64) {
        self.shared.send_command(EngineCommand::Acknowledge(run));
    }

    /// What this machine enforces of a plan. Starts the supervisor and a worker, and waits at most `limit` for their report.
    pub fn capabilities(
        &mut self,
        plan: &Arc<Plan>,
        limit: Duration,
    ) -> Result<Vec<Capability>, Error> {
        if !self.options.confine {
            return Ok(Capability::report(&Enforcement::default(), plan, host_facts()));
        }
        self.start_thread()?;
        let shared = Arc::clone(&self.shared);
        self.ensure_supervisor()?;
        let number = self.number_of(plan, Enforced::NOTHING)?;
        shared.pool().request_report(number);
        let deadline = Instant::now() + limit;
        loop {
            let pool = shared.pool();
            if let Some(enforcement) =
                pool.group(number).and_then(|group| group.enforcement.as_ref())
            {
                return Ok(Capability::report(enforcement, plan, host_facts()));
            }
            if pool.supervisor.is_none() {
                return Err(Error::supervisor(io::ErrorKind::BrokenPipe.into()));
            }
            drop(pool);
            if Instant::now() >= deadline {
                return Err(Error::supervisor(io::ErrorKind::TimedOut.into()));
            }
            std::thread::sleep(Duration::from_micros(200));
        }
    }

    /// Ends every run and the supervisor; [`Event::Closed`] follows.
    pub fn close(&mut self) -> Result<(), Error> {
        self.start_thread()?;
        self.shared.send_command(EngineCommand::Close);
        Ok(())
    }

    fn start_thread(&mut self) -> Result<(), Error> {
        let Some(sink) = self.sink.take() else { return Ok(()) };
        let reactor = Reactor::new(Arc::clone(&self.shared), sink);
        let thread = std::thread::Builder::new().name("handrail-io".into());
        let thread = thread.spawn(move || reactor.serve());
        let thread = thread.inspect_err(|_| {
            // The sink is lost with the thread. A later run would wait for ever.
            self.shared.pool().phase = Phase::Closed;
        });
        self.thread = Some(thread.map_err(|e| Error::system("no thread could be made", e))?);
        Ok(())
    }

    /// The number of a plan. With `needs`, an error where workers enforce less of it.
    fn number_of(&self, plan: &Arc<Plan>, needs: Enforced) -> Result<u32, Error> {
        let mut pool = self.shared.pool();
        let number = pool.number_of(plan).ok_or_else(|| Error::busy("kernel plans", MAX_PLANS))?;
        let is_enforced =
            needs == Enforced::NOTHING || pool.require(number, needs, &self.expected_enforcement);
        if !is_enforced {
            let error = io::ErrorKind::PermissionDenied.into();
            return Err(Error::system(
                "the kernel enforces less than this command was judged by",
                error,
            ));
        }
        Ok(number)
    }

    fn ensure_supervisor(&self) -> Result<Arc<Path>, Error> {
        if self.layered.is_some() && self.shared.pool().supervisor.is_none() {
            return Err(Error::supervisor(io::ErrorKind::BrokenPipe.into()));
        }
        Ok(self.start_supervisor(None)?.0)
    }

    fn start_supervisor(&self, layer: Option<&Layer>) -> Result<(Arc<Path>, Vec<OwnedFd>), Error> {
        let mut pool = self.shared.pool();
        if pool.phase != Phase::Open {
            return Err(Error::closed());
        }
        if let Some(supervisor) = &pool.supervisor {
            return Ok((supervisor.state_directory.path().into(), Vec::new()));
        }
        for directory in pool.stale_directories.drain(..) {
            // A supervisor that was killed has left it.
            directory.remove();
        }
        let state_directory =
            supervisor_launch::make_state_directory(&self.options.state_parent)
                .map_err(|error| Error::system("no temporary folder could be made", error))?;
        let EngineOptions { supervisor, killing, confine, kernel, .. } = &self.options;
        let first_worker = pool.next_generation();
        let started = supervisor_launch::start(
            supervisor,
            state_directory.path(),
            first_worker,
            *killing,
            *confine,
            *kernel,
            layer,
        )
        .inspect_err(|_| {
            // The supervisor, which removes its own directory, was not started.
            state_directory.remove();
        })?;
        self.shared
            .watch(started.control.as_fd(), Token::Control)
            .map_err(|error| Error::system("the supervisor cannot be watched", error))?;
        let supervisor_launch::Supervisor { process, pidfd, control, layered } = started;
        let path: Arc<Path> = state_directory.path().into();
        pool.link(SupervisorLink { process, pidfd, control, state_directory });
        self.shared.set_state_directory(Some(Arc::clone(&path)));
        Ok((path, layered))
    }
}

impl<S> Drop for Engine<S> {
    fn drop(&mut self) {
        // Nobody receives the results of the runs any more, and nothing of the runs may be left either.
        if self.thread.is_some() {
            self.shared.send_command(EngineCommand::Close);
        }
    }
}

/// Tells in the layer of a program which folders were made for it: those are removed after it, and nobody else has removed them
/// then. One path follows the other, each with a NUL byte at its end.
fn note_made_folders(plan: &Plan, made: Option<&MadeFolders>) -> io::Result<()> {
    let (Some(layer), Some(made)) = (&plan.layer, made) else { return Ok(()) };
    let mut paths = Vec::new();
    for path in made.paths() {
        paths.extend_from_slice(path.as_os_str().as_bytes());
        paths.push(0);
    }
    std::fs::write(Path::new(OsStr::from_bytes(&layer.folder)).join("made"), paths)
}

/// Locks the file that a layer begins with.
fn lock_layer(folder: &Path) -> io::Result<OwnedFd> {
    let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    let begun = rustix::fs::open(folder.join("begun"), flags, Mode::empty())?;
    rustix::fs::flock(&begun, FlockOperation::NonBlockingLockShared)?;
    Ok(begun)
}

/// The name of a folder of spilled output.
fn spill_name(folder: Option<&SpillFolder>) -> &str {
    folder.map_or(SPILL_FOLDER_NAME, |folder| &folder.name)
}

/// Makes the folder that commands of this plan see, since a worker shows only what is there when it starts. Where that fails
/// they see none.
fn make_spill_folder(state_directory: &Path, plan: &Plan) {
    if plan.spill.is_some() {
        let _ = spill::make_folder(&state_directory.join(plan.spill_folder()));
    }
}
