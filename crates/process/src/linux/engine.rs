mod prepare;

use std::io;
use std::os::fd::{AsFd, OwnedFd};
use std::path::Path;
use std::sync::Arc;
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use handrail_redact::Redactor;
use handrail_supervisor::message::{Enforcement, Kind, Plan};

use self::prepare::{begin, prepare, prepare_live, watch_live};
use crate::capability::Capability;
use crate::linux::child::{Child, Sink};
use crate::linux::error::Error;
use crate::linux::expected_enforcement::ExpectedEnforcement;
use crate::linux::pool::{EngineCommand, Limits, MAX_PLANS, Phase, SupervisorLink};
use crate::linux::program::Program;
use crate::linux::reactor::Reactor;
use crate::linux::shared::{Shared, Token};
use crate::linux::spill::Budget;
use crate::linux::supervisor_launch;
use crate::live::{LiveProgram, LiveProgramKind, LiveRequest};
use crate::options::{EngineOptions, Input, OutputLimits};
use crate::outcome::{Event, Stream};

/// One command to run.
#[expect(clippy::struct_excessive_bools, reason = "independent choices of whoever asks")]
pub struct RunStart {
    /// Unique for this engine; names the run in events. At most 2^60.
    pub id: u64,
    /// What is executed.
    pub program: Program,
    /// What the kernel holds it to.
    pub plan: Arc<Plan>,
    /// Its working directory.
    pub directory: OwnedFd,
    /// `NAME=value` entries.
    pub environment: Vec<Vec<u8>>,
    /// Whether `HOME` is a private empty folder.
    pub private_home: bool,
    /// What it reads.
    pub stdin: Input,
    /// One pipe for both outputs, for their exact order.
    pub merge: bool,
    /// Absolute limit, waiting for a worker included.
    pub timeout: Duration,
    /// From SIGTERM to SIGKILL when the deadline passes or the run is cancelled.
    pub grace: Duration,
    /// Whether output is also sent as events.
    pub stream: bool,
    /// Masks secrets.
    pub redactor: Redactor,
    /// How much is kept.
    pub limits: OutputLimits,
    /// It was judged by what its plan lists: nothing runs where that is not held.
    pub needs_list: bool,
}

/// One session or service to start.
pub struct LiveStart {
    /// Unique for this engine, runs included; names the program in events. At most 2^60.
    pub id: u64,
    /// What it is.
    pub kind: LiveProgramKind,
    /// What is executed.
    pub program: Program,
    /// What the kernel holds it to.
    pub plan: Arc<Plan>,
    /// Its working directory.
    pub directory: OwnedFd,
    /// `NAME=value` entries.
    pub environment: Vec<Vec<u8>>,
    /// Whether `HOME` is a private empty folder.
    pub private_home: bool,
    /// Further descriptors it finds open, by their numbers from 3 on; at most
    /// [`handrail_supervisor::message::MAX_EXTRA_DESCRIPTORS`].
    pub extra: Vec<(u8, OwnedFd)>,
    /// From SIGTERM to SIGKILL when it is ended.
    pub grace: Duration,
    /// Masks secrets.
    pub redactor: Redactor,
    /// It was judged by what its plan lists: nothing runs where that is not held.
    pub needs_list: bool,
}

/// One supervisor, its workers, and the thread that serves them.
///
/// Dropping it is closing it without waiting. When the process ends without either, the supervisor
/// notices and ends everything.
pub struct Engine<S> {
    options: EngineOptions,
    expected_enforcement: Arc<ExpectedEnforcement>,
    shared: Arc<Shared>,
    /// Given to the thread when it starts.
    sink: Option<S>,
    thread: Option<JoinHandle<()>>,
}

impl<S: Fn(Event) + Send + 'static> Engine<S> {
    /// Starts nothing yet: the first run does.
    pub fn new(options: EngineOptions, sink: S) -> Result<Self, Error> {
        let EngineOptions { max_workers, max_sessions, max_services, .. } = options;
        let limits = Limits { runs: max_workers, sessions: max_sessions, services: max_services };
        let shared = Shared::new(limits, Budget::new(options.spill_total_bytes))?;
        let expected_enforcement = Arc::new(ExpectedEnforcement::new(&options));
        Ok(Engine { options, expected_enforcement, shared, sink: Some(sink), thread: None })
    }

    /// Whether workers will limit commands to listed programs, for whoever judges.
    pub fn expected_enforcement(&self) -> Arc<ExpectedEnforcement> {
        Arc::clone(&self.expected_enforcement)
    }

    /// Starts a command. What becomes of it is told by events only.
    pub fn run(&mut self, request: RunStart) -> Result<(), Error> {
        let system = |error: io::Error| Error::system("a command could not be started", error);
        self.start()?;
        let shared = Arc::clone(&self.shared);
        let state = match shared.serving() {
            Some(state) => state,
            None => self.ensure_supervisor()?,
        };
        let (id, timeout, grace) = (request.id, request.timeout, request.grace);
        let plan = self.number_of(&request.plan, request.needs_list)?;
        let (run, launch) =
            prepare(&shared, plan, request, &state.join("spill")).map_err(system)?;
        for stream in [Stream::Stdout, Stream::Stderr] {
            if let Some(pipe) = &run.pipes[stream as usize] {
                shared.watch(pipe.as_fd(), Token::Pipe(id, stream)).map_err(system)?;
            }
        }
        let sink = Sink::Run(Box::new(run));
        begin(&shared, Child::new((id, plan), Some(timeout), grace, sink), launch);
        Ok(())
    }

    /// Starts a program that lives on. Its end is told by an event, like that of a run.
    pub fn open(&mut self, request: LiveStart) -> Result<LiveProgram, Error> {
        let system = |error: io::Error| Error::system("a program could not be started", error);
        self.start()?;
        let shared = Arc::clone(&self.shared);
        if shared.serving().is_none() {
            self.ensure_supervisor()?;
        }
        let (id, grace) = (request.id, request.grace);
        let plan = self.number_of(&request.plan, request.needs_list)?;
        let kind = match request.kind {
            LiveProgramKind::Session { .. } => Kind::Session,
            LiveProgramKind::Service => Kind::Service,
        };
        shared.pool().admit(id, kind).map_err(|(what, limit)| Error::busy(what, limit))?;
        let prepared = prepare_live(&shared, plan, request).and_then(|(sink, launch, live)| {
            watch_live(&shared, id, &sink)?;
            Ok((sink, launch, live))
        });
        match prepared {
            Ok((sink, launch, live)) => {
                begin(&shared, Child::new((id, plan), None, grace, sink), launch);
                Ok(live)
            }
            Err(error) => {
                shared.pool().forget_live(id);
                Err(system(error))
            }
        }
    }

    /// Passes a request to a session, to a service or to a run whose input is a pipe. A program that is over ignores it.
    pub fn request(&self, id: u64, request: LiveRequest) {
        self.shared.command(EngineCommand::Request(id, request));
    }

    /// What the kernel enforces on a program that runs, as results say it; empty before its start and after its end.
    pub fn enforced(&self, id: u64) -> Arc<[String]> {
        let pool = self.shared.pool();
        let worker = pool.worker_of(id);
        let group = worker.and_then(|worker| pool.group(worker.plan));
        group.map(|group| Arc::clone(&group.installed)).unwrap_or_default()
    }

    /// Ends a run: SIGTERM, its grace, SIGKILL.
    pub fn cancel(&self, run: u64) {
        self.shared.command(EngineCommand::Cancel(run));
    }

    /// The owner consumed one output event of this run.
    pub fn acknowledge(&self, run: u64) {
        self.shared.command(EngineCommand::Acknowledge(run));
    }

    /// What this machine enforces of a plan; starts the supervisor and a worker, and waits for their
    /// word, at most `limit`.
    pub fn capabilities(
        &mut self,
        plan: &Arc<Plan>,
        limit: Duration,
    ) -> Result<Vec<Capability>, Error> {
        if !self.options.confine {
            return Ok(Capability::report(&Enforcement::default(), plan));
        }
        self.start()?;
        let shared = Arc::clone(&self.shared);
        self.ensure_supervisor()?;
        let number = self.number_of(plan, false)?;
        shared.pool().ask_for(number);
        let deadline = Instant::now() + limit;
        loop {
            let pool = shared.pool();
            if let Some(enforcement) =
                pool.group(number).and_then(|group| group.enforcement.as_ref())
            {
                return Ok(Capability::report(enforcement, plan));
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
        self.start()?;
        self.shared.command(EngineCommand::Close);
        Ok(())
    }

    fn start(&mut self) -> Result<(), Error> {
        let Some(sink) = self.sink.take() else { return Ok(()) };
        let reactor = Reactor::new(Arc::clone(&self.shared), sink);
        let thread = std::thread::Builder::new().name("handrail-io".into());
        let thread = thread.spawn(move || reactor.serve());
        let thread = thread.inspect_err(|_| {
            // The callbacks went with it. Without a thread a later run would wait for ever.
            self.shared.pool().phase = Phase::Closed;
        });
        self.thread = Some(thread.map_err(|e| Error::system("no thread could be made", e))?);
        Ok(())
    }

    /// The number of a plan. With `needs_list`, an error where workers do not limit commands to its list of programs.
    fn number_of(&self, plan: &Arc<Plan>, needs_list: bool) -> Result<u32, Error> {
        let mut pool = self.shared.pool();
        let number = pool.number_of(plan).ok_or_else(|| Error::busy("kernel plans", MAX_PLANS))?;
        if needs_list && !pool.require_list(number, &self.expected_enforcement) {
            let error = io::ErrorKind::PermissionDenied.into();
            return Err(Error::system(
                "the kernel does not limit commands to listed programs",
                error,
            ));
        }
        Ok(number)
    }

    fn ensure_supervisor(&self) -> Result<Arc<Path>, Error> {
        let mut pool = self.shared.pool();
        if pool.phase != Phase::Open {
            return Err(Error::closed());
        }
        if let Some(supervisor) = &pool.supervisor {
            return Ok(supervisor.state_directory.path().into());
        }
        for directory in pool.stale_directories.drain(..) {
            // Left by a supervisor that was killed.
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
        )
        .inspect_err(|_| {
            // Nobody else will.
            state_directory.remove();
        })
        .map_err(Error::supervisor)?;
        self.shared
            .watch(started.control.as_fd(), Token::Control)
            .map_err(|error| Error::system("the supervisor cannot be watched", error))?;
        let supervisor_launch::Supervisor { process, pidfd, control } = started;
        let path: Arc<Path> = state_directory.path().into();
        pool.link(SupervisorLink { process, pidfd, control, state_directory });
        self.shared.set_serving(Some(Arc::clone(&path)));
        Ok(path)
    }
}

impl<S> Drop for Engine<S> {
    fn drop(&mut self) {
        // Nobody is left to tell what became of the runs; nothing of them may stay either.
        if self.thread.is_some() {
            self.shared.command(EngineCommand::Close);
        }
    }
}
