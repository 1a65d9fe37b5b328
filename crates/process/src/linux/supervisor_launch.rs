//! Starting the supervisor.

use std::io;
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::time::{SystemTime, UNIX_EPOCH};

use handrail_supervisor::PROTOCOL_VERSION;
use handrail_supervisor::control_groups::{self, ControlGroups};
use handrail_supervisor::folder::Folder;
use handrail_supervisor::message::{FromSupervisor, Kernel, Layer, ToSupervisor};
use handrail_supervisor::socket;
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::fs::{Mode, OFlags};
use rustix::net::{RecvFlags, SendFlags};
use rustix::process::PidfdFlags;

use crate::linux::error::Error;

/// Tries at a name for the state directory that nobody has.
const MAX_NAME_TRIES: u32 = 100;

/// A supervisor that was started; it answers on `control`.
pub(crate) struct Supervisor {
    pub(crate) process: Child,
    pub(crate) pidfd: OwnedFd,
    pub(crate) control: OwnedFd,
    /// The directories of a layer's roots, in their order.
    pub(crate) layered: Vec<OwnedFd>,
}

/// How long a supervisor may take to make a layer.
const MAX_LAYER_TIME: Timespec = Timespec { tv_sec: 10, tv_nsec: 0 };

/// Starts the executable with an empty environment and one socket. With a layer it waits until that is made.
pub(crate) fn start(
    executable: &Path,
    state_directory: &Path,
    first_worker: u32,
    killing: bool,
    confine: bool,
    kernel: Kernel,
    layer: Option<&Layer>,
) -> Result<Supervisor, Error> {
    let started =
        launch(executable, state_directory, first_worker, (killing, confine), kernel, layer);
    let mut supervisor = started.map_err(Error::supervisor)?;
    if layer.is_some() {
        supervisor.layered = await_layer(&supervisor.control).inspect_err(|_| {
            // It ends by itself where it has answered.
            let _ = supervisor.process.kill();
            let _ = supervisor.process.wait();
        })?;
    }
    Ok(supervisor)
}

fn launch(
    executable: &Path,
    state_directory: &Path,
    first_worker: u32,
    (killing, confine): (bool, bool),
    kernel: Kernel,
    layer: Option<&Layer>,
) -> io::Result<Supervisor> {
    let (control, theirs) = socket::pair()?;
    // The supervisor sets its own signal mask: it would inherit that of this thread.
    let process = Command::new(executable)
        .env_clear()
        .current_dir("/")
        .stdin(Stdio::from(theirs))
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()?;
    let pidfd = open_pidfd(process.id())?;
    let host = open_pidfd(std::process::id())?;
    let hello = ToSupervisor::Hello {
        version: PROTOCOL_VERSION,
        state_directory: state_directory.as_os_str().as_bytes().to_vec(),
        first_worker,
        killing,
        confine,
        kernel,
        layer: layer.cloned(),
    };
    socket::send(&control, &hello.encode(), &[host.as_fd()], SendFlags::empty())?;
    Ok(Supervisor { process, pidfd, control, layered: Vec::new() })
}

/// Receives the directories of a layer's roots.
fn await_layer(control: &OwnedFd) -> Result<Vec<OwnedFd>, Error> {
    let mut layered = Vec::new();
    loop {
        let mut polled = [PollFd::new(control, PollFlags::IN)];
        let ready = poll(&mut polled, Some(&MAX_LAYER_TIME));
        if ready.map_err(|error| Error::supervisor(error.into()))? == 0 {
            return Err(Error::supervisor(io::ErrorKind::TimedOut.into()));
        }
        let received = socket::receive(control, RecvFlags::empty()).map_err(Error::supervisor)?;
        let lost = || Error::supervisor(io::ErrorKind::BrokenPipe.into());
        let received = received.ok_or_else(lost)?;
        match FromSupervisor::decode(&received.message) {
            Some(FromSupervisor::LayerRoot) => layered.extend(received.descriptors),
            Some(FromSupervisor::Ready { .. }) => return Ok(layered),
            Some(FromSupervisor::NoLayer { stage, errno }) => {
                return Err(Error::no_layer(stage, io::Error::from_raw_os_error(errno)));
            }
            _ => return Err(lost()),
        }
    }
}

fn open_pidfd(pid: u32) -> io::Result<OwnedFd> {
    let pid = i32::try_from(pid).ok().and_then(rustix::process::Pid::from_raw);
    let pid = pid.ok_or(io::ErrorKind::InvalidInput)?;
    Ok(rustix::process::pidfd_open(pid, PidfdFlags::empty())?)
}

/// The directory of a supervisor, which removes it at its end unless it is killed.
pub(crate) struct StateDirectory {
    path: PathBuf,
    folder: Folder,
}

impl StateDirectory {
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// Removes the directory, and the control groups of its supervisor. Files that resist stay, and so does anything that has taken
    /// the place of the directory.
    pub(crate) fn remove(&self) {
        let prefix = control_groups::group_prefix(&self.path);
        control_groups::remove_all(&ControlGroups::find(), &prefix);
        let _ = self.folder.remove();
    }
}

/// Makes a fresh directory that only this user can enter.
pub(crate) fn make_state_directory(parent: &Path) -> io::Result<StateDirectory> {
    let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
    let above = Arc::new(rustix::fs::open(parent, flags, Mode::empty())?);
    let nanoseconds =
        SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_nanos());
    let mut last = io::Error::from(io::ErrorKind::AlreadyExists);
    for count in 0..MAX_NAME_TRIES {
        let name =
            format!("handrail-{}-{:x}-{count}", std::process::id(), nanoseconds & 0xffff_ffff);
        match Folder::make(&above, name.as_ref()) {
            Ok(folder) => {
                let made = StateDirectory { path: parent.join(name), folder };
                Folder::make(made.folder.held(), "spill".as_ref())
                    .inspect_err(|_| made.remove())?;
                return Ok(made);
            }
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => last = error,
            Err(error) => return Err(error),
        }
    }
    Err(last)
}
