//! The process that makes views of the file system for workers.
//!
//! In a Landlock domain no file moves to another folder unless every layer of it grants that, and where
//! a layer grants it nothing may be mounted. The supervisor's own layer is such a one. So its first child
//! is a process outside of the domain, which makes a view in a child of its own; the worker enters it.

use std::ffi::OsStr;
use std::io;
use std::os::fd::{AsFd, AsRawFd, OwnedFd, RawFd};
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

use handrail_supervisor::message::{Plan, ViewRequest};
use handrail_supervisor::socket;
use rustix::fs::{Mode, OFlags};
use rustix::net::{RecvFlags, SendFlags};

use crate::namespace::{Entered, View, unshare};
use crate::{confine, descriptors, pid_namespace, processes};

/// The process name, for people and tests. At most 15 bytes are kept by the kernel.
const NAME: &std::ffi::CStr = c"handrail-views";

/// The process, as the supervisor has it. It ends with the supervisor.
pub(crate) struct Views {
    pub(crate) pid: i32,
    socket: OwnedFd,
}

impl Views {
    /// Forks it; this process is in no domain yet.
    pub(crate) fn fork() -> io::Result<Views> {
        let (socket, requests) = socket::pair()?;
        let pid = fork(|| serve(&requests))?;
        Ok(Views { pid, socket })
    }

    /// Asks for a view. A worker enters it by what this gives.
    pub(crate) fn request(&self, plan: &Plan, state: &Path, own: &Path) -> io::Result<OwnedFd> {
        let bytes = |path: &Path| path.as_os_str().as_bytes().to_vec();
        let request = ViewRequest { plan: plan.clone(), state: bytes(state), own: bytes(own) };
        let (view, reply) = socket::pair()?;
        socket::send(&self.socket, &request.encode(), &[reply.as_fd()], SendFlags::empty())?;
        Ok(view)
    }
}

/// Runs a function in a child of this single-threaded process.
fn fork(child: impl FnOnce() -> io::Result<()>) -> io::Result<i32> {
    // SAFETY: this process has one thread.
    let pid = unsafe { libc::fork() };
    if pid < 0 {
        return Err(io::Error::last_os_error());
    }
    if pid == 0 {
        let code = i32::from(child().is_err());
        // SAFETY: ends the child without running anything of its parent's.
        unsafe { libc::_exit(code) }
    }
    Ok(pid)
}

/// In the forked child, until the supervisor is gone.
fn serve(requests: &OwnedFd) -> io::Result<()> {
    // Should it be stopped then, nobody in the domain may end it; a group of its own, which is orphaned
    // with the supervisor's end, is ended by the kernel.
    rustix::process::setpgid(None, None)?;
    descriptors::close_all_but(&mut [requests.as_raw_fd()])?;
    // SAFETY: the name is a valid string.
    unsafe { libc::prctl(libc::PR_SET_NAME, NAME.as_ptr()) };
    // SAFETY: no handler is installed; children that end leave nothing to wait for.
    unsafe { libc::signal(libc::SIGCHLD, libc::SIG_IGN) };
    let own = processes::own_id();
    while let Some(received) = socket::receive(requests, RecvFlags::empty())? {
        let (Some(request), Some(reply)) =
            (ViewRequest::decode(&received.message), received.descriptors.into_iter().next())
        else {
            continue;
        };
        // Without an answer the worker has no view.
        let _ = fork(|| {
            confine::die_with(own)?;
            descriptors::close_all_but(&mut [reply.as_raw_fd()])?;
            make(&request, &reply)
        });
    }
    Ok(())
}

/// In a child of that child: the view lives as long as somebody has it.
fn make(request: &ViewRequest, reply: &OwnedFd) -> io::Result<()> {
    let path = |bytes| Path::new(OsStr::from_bytes(bytes));
    let view = View { plan: &request.plan, state: path(&request.state), own: path(&request.own) };
    let Entered { loaders_bound, own_memory, own_users } = view.enter()?;
    let users = own_users.then(|| open("/proc/self/ns/user")).transpose()?;
    let mounts = open("/proc/self/ns/mnt")?;
    let namespaces: Vec<_> =
        [Some(&mounts), users.as_ref()].into_iter().flatten().map(AsFd::as_fd).collect();
    let answer = [u8::from(loaders_bound), u8::from(own_memory)];
    socket::send(reply, &answer, &namespaces, SendFlags::empty())?;
    // A worker in a Landlock domain mounts nothing: what shows its own processes is mounted here.
    if let Some(received) = socket::receive(reply, RecvFlags::empty())?
        && let Some(processes) = received.descriptors.into_iter().next()
    {
        pid_namespace::show(processes)?;
        socket::send(reply, &[], &[], SendFlags::empty())?;
    }
    Ok(())
}

/// In a worker: enters the view that was asked for, for good.
///
/// # Errors
/// When there is none, or it begins elsewhere than what this process sees: it must not serve then.
pub(crate) fn enter(view: &OwnedFd) -> io::Result<Entered> {
    let received = socket::receive(view, RecvFlags::empty())?.ok_or(io::ErrorKind::BrokenPipe)?;
    let ([loaders_bound, own_memory], [mounts, users @ ..]) =
        (&received.message[..], &received.descriptors[..])
    else {
        return Err(io::ErrorKind::InvalidData.into());
    };
    let own_users = !users.is_empty();
    let beginning = identity()?;
    if let Some(users) = users.first() {
        set_namespace(users.as_raw_fd(), libc::CLONE_NEWUSER)?;
        confine::become_opaque(true)?;
    }
    set_namespace(mounts.as_raw_fd(), libc::CLONE_NEWNS)?;
    // Memory and queues that are shared by a key or a name belong to no folder: they are apart too.
    unshare(libc::CLONE_NEWIPC)?;
    // Entering one leaves a root directory of the host's.
    if identity()? != beginning {
        return Err(io::Error::other("the view begins elsewhere"));
    }
    Ok(Entered { loaders_bound: *loaders_bound == 1, own_memory: *own_memory == 1, own_users })
}

fn set_namespace(namespace: RawFd, kind: libc::c_int) -> io::Result<()> {
    // SAFETY: plain numbers; this process has one thread.
    if unsafe { libc::setns(namespace, kind) } == -1 {
        return Err(io::Error::last_os_error());
    }
    Ok(())
}

fn identity() -> io::Result<(u64, u64)> {
    let root = rustix::fs::stat("/")?;
    Ok((root.st_dev, root.st_ino))
}

fn open(path: &str) -> io::Result<OwnedFd> {
    Ok(rustix::fs::open(path, OFlags::RDONLY | OFlags::CLOEXEC, Mode::empty())?)
}
