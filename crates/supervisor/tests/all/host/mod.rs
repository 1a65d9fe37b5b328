//! The least a host does: starts the supervisor, takes its workers, runs a program.

use std::io;
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use handrail_supervisor::PROTOCOL_VERSION;
use handrail_supervisor::message::{
    Done, FromSupervisor, FromWorker, Kernel, Kind, Plan, Start, ToSupervisor, ToWorker,
};
use handrail_supervisor::socket;
use rustix::fs::{Mode, OFlags};
use rustix::net::{RecvFlags, SendFlags};
use rustix::process::{Pid, PidfdFlags};

pub(crate) struct Host {
    pub(crate) supervisor: Child,
    pub(crate) state_directory: PathBuf,
    control: OwnedFd,
}

pub(crate) struct Worker {
    pub(crate) number: u32,
    socket: OwnedFd,
}

const PLAN: u32 = 0;
/// Asks for one more worker.
pub(crate) const MORE: ToSupervisor = ToSupervisor::MoreWorkers { plan: PLAN, count: 1 };

/// What the supervisor answered to being asked for a worker.
pub(crate) enum Answer {
    Made(Worker),
    Failed(i32),
}

fn gone<T>() -> io::Result<T> {
    Err(io::ErrorKind::BrokenPipe.into())
}

/// Where a test's folders are.
pub(crate) fn state_directory(test: &str) -> PathBuf {
    let name = format!("handrail-supervisor-test-{}-{test}", std::process::id());
    std::env::temp_dir().join(name)
}

impl Host {
    /// With a first worker, whose plan asks for nothing.
    pub(crate) fn start(name: &str) -> io::Result<(Host, Worker)> {
        Host::start_with(name, true)
    }

    /// The same without confinement: its commands reach the folders that are not theirs.
    pub(crate) fn start_open(name: &str) -> io::Result<(Host, Worker)> {
        Host::start_with(name, false)
    }

    fn start_with(name: &str, confine: bool) -> io::Result<(Host, Worker)> {
        let state_directory = state_directory(name);
        std::fs::create_dir(&state_directory)?;
        let (control, theirs) = socket::pair()?;
        let supervisor = Command::new(env!("CARGO_BIN_EXE_handrail-supervisor"))
            .env_clear()
            .stdin(Stdio::from(theirs))
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()?;
        let hello = ToSupervisor::Hello {
            version: PROTOCOL_VERSION,
            state_directory: state_directory.as_os_str().as_bytes().to_vec(),
            first_worker: 1,
            killing: true,
            confine,
            kernel: Kernel::WHOLE,
            layer: None,
        };
        let host = Host { supervisor, state_directory, control };
        let me = i32::try_from(std::process::id()).ok().and_then(Pid::from_raw);
        let Some(me) = me else { return gone() };
        let pidfd = rustix::process::pidfd_open(me, PidfdFlags::empty())?;
        socket::send(&host.control, &hello.encode(), &[pidfd.as_fd()], SendFlags::empty())?;
        host.ask(&ToSupervisor::Plan { number: PLAN, plan: Plan::unconfined() })?;
        host.ask(&MORE)?;
        match host.worker()? {
            Answer::Made(worker) => Ok((host, worker)),
            Answer::Failed(errno) => Err(io::Error::from_raw_os_error(errno)),
        }
    }

    pub(crate) fn ask(&self, message: &ToSupervisor) -> io::Result<()> {
        socket::send(&self.control, &message.encode(), &[], SendFlags::empty())
    }

    /// The next message, with its descriptors.
    pub(crate) fn hear(&self) -> io::Result<(FromSupervisor, Vec<OwnedFd>)> {
        let Some(received) = socket::receive(&self.control, RecvFlags::empty())? else {
            return gone();
        };
        match FromSupervisor::decode(&received.message) {
            Some(message) => Ok((message, received.descriptors)),
            None => gone(),
        }
    }

    /// The next worker, or why it could not be made.
    pub(crate) fn worker(&self) -> io::Result<Answer> {
        Ok(self.worker_with(|_| None::<()>)?.0)
    }

    /// The same, with what a look at its message gives.
    pub(crate) fn worker_with<T>(
        &self,
        look: impl Fn(&FromSupervisor) -> Option<T>,
    ) -> io::Result<(Answer, Option<T>)> {
        loop {
            let (message, descriptors) = self.hear()?;
            let seen = look(&message);
            match message {
                FromSupervisor::Worker { worker, .. } => {
                    let Some(socket) = descriptors.into_iter().next() else { return gone() };
                    return Ok((Answer::Made(Worker { number: worker, socket }), seen));
                }
                FromSupervisor::WorkerFailed { errno, .. } => {
                    return Ok((Answer::Failed(errno), seen));
                }
                _ => {}
            }
        }
    }

    pub(crate) fn worker_folders(&self) -> io::Result<Vec<std::ffi::OsString>> {
        let entries = std::fs::read_dir(&self.state_directory)?;
        let mut names =
            entries.map(|entry| Ok(entry?.file_name())).collect::<io::Result<Vec<_>>>()?;
        names.sort();
        Ok(names)
    }

    /// Ends the supervisor in order; tells whether it did so and removed its folders.
    pub(crate) fn close(mut self) -> io::Result<bool> {
        self.ask(&ToSupervisor::Shutdown)?;
        Ok(self.supervisor.wait()?.success() && !self.state_directory.exists())
    }
}

impl Worker {
    /// Runs a script of the shell to its end.
    pub(crate) fn run(&self, run: u64, script: &str) -> io::Result<Done> {
        self.run_with(run, Kind::Run, script, None, &[], &[])
    }

    /// The same on this terminal, where there is one, with further descriptors at these numbers.
    pub(crate) fn run_with(
        &self,
        run: u64,
        kind: Kind,
        script: &str,
        terminal: Option<&OwnedFd>,
        numbers: &[u8],
        further: &[OwnedFd],
    ) -> io::Result<Done> {
        let start = Start {
            run,
            kind,
            arguments: ["sh", "-c", script].map(|word| word.as_bytes().to_vec()).to_vec(),
            environment: Vec::new(),
            private_home: true,
            home_files: Vec::new(),
            streams: [terminal.map(|_| 0), Some(0), Some(0)],
            extra: numbers.to_vec(),
        };
        let open = |path: &Path, flags| rustix::fs::open(path, flags, Mode::empty());
        let program = open(Path::new("/bin/sh"), OFlags::RDONLY | OFlags::CLOEXEC)?;
        let directory = open(Path::new("/"), OFlags::RDONLY | OFlags::CLOEXEC)?;
        let output = open(Path::new("/dev/null"), OFlags::RDWR | OFlags::CLOEXEC)?;
        let stream = terminal.unwrap_or(&output);
        let mut descriptors = vec![program.as_fd(), directory.as_fd(), stream.as_fd()];
        descriptors.extend(further.iter().map(AsFd::as_fd));
        let message = ToWorker::Start(start).encode();
        socket::send(&self.socket, &message, &descriptors, SendFlags::empty())?;
        loop {
            match self.hear()? {
                FromWorker::Done(done) => return Ok(done),
                FromWorker::Failed { errno, .. } => {
                    return Err(io::Error::from_raw_os_error(errno));
                }
                _ => {}
            }
        }
    }

    pub(crate) fn hear(&self) -> io::Result<FromWorker> {
        let received = socket::receive(&self.socket, RecvFlags::empty())?;
        match received.and_then(|received| FromWorker::decode(&received.message)) {
            Some(message) => Ok(message),
            None => gone(),
        }
    }
}
