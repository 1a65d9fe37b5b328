//! The process that makes views of the file system for workers.
//!
//! Inside a Landlock domain a file can be moved to another folder only if every layer of the domain grants it, and a process
//! in a domain with a layer that grants it may mount nothing. The supervisor's own layer grants it. Views are therefore made
//! outside of the domain: the supervisor's first child forks a child for each view, and the worker enters what that made.

use std::ffi::OsStr;
use std::io;
use std::os::fd::{AsFd, AsRawFd, OwnedFd};
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

use handrail_supervisor::message::{Plan, ViewAnswer, ViewRequest};
use handrail_supervisor::socket;
use rustix::fs::{Mode, OFlags};
use rustix::net::{RecvFlags, SendFlags};

use super::namespace::{EnteredView, View};
use super::syscall::{fork, set_process_name};
use super::users::unshare;
use super::{confine, descriptors, network, pid_namespace, processes, view_root};

/// The name of the process that makes views.
const PROCESS_NAME: &std::ffi::CStr = c"handrail-views";

/// The supervisor's connection to the process that makes views. The process ends with the supervisor.
pub(crate) struct Views {
    pub(crate) pid: i32,
    socket: OwnedFd,
}

impl Views {
    /// Forks the process that makes views. It has to be forked before the supervisor enters its Landlock domain, which a
    /// child would inherit. `own_users`: whether each view gets a user namespace of its own although this process may make one
    /// without.
    pub(crate) fn fork(own_users: bool) -> io::Result<Views> {
        let (socket, requests) = socket::pair()?;
        let pid = fork(|| serve(&requests, own_users))?;
        Ok(Views { pid, socket })
    }

    /// Requests a view. The worker receives it over the socket that this returns. The view is made in this user namespace
    /// or in one beneath, if there is one.
    pub(crate) fn request(
        &self,
        plan: &Plan,
        state: &Path,
        own: &Path,
        users: Option<&OwnedFd>,
    ) -> io::Result<OwnedFd> {
        let bytes = |path: &Path| path.as_os_str().as_bytes().to_vec();
        let request = ViewRequest { plan: plan.clone(), state: bytes(state), own: bytes(own) };
        let (view, reply) = socket::pair()?;
        let descriptors: Vec<_> =
            [Some(&reply), users].into_iter().flatten().map(AsFd::as_fd).collect();
        socket::send(&self.socket, &request.encode(), &descriptors, SendFlags::empty())?;
        Ok(view)
    }
}

/// Serves requests in the forked child until the supervisor is gone.
fn serve(requests: &OwnedFd, own_users: bool) -> io::Result<()> {
    // No process in the domain may end this one, even if it is stopped when the supervisor ends. The kernel ends a stopped
    // process group that is orphaned, so this process leads a group of its own.
    rustix::process::setpgid(None, None)?;
    descriptors::close_all_but(&mut [requests.as_raw_fd()])?;
    set_process_name(PROCESS_NAME);
    // SAFETY: no handler is installed. Children that end need not be waited for.
    unsafe { libc::signal(libc::SIGCHLD, libc::SIG_IGN) };
    let own = processes::own_pid();
    while let Some(received) = socket::receive(requests, RecvFlags::empty())? {
        let mut descriptors = received.descriptors.into_iter();
        let (Some(request), Some(reply)) =
            (ViewRequest::decode(&received.message), descriptors.next())
        else {
            continue;
        };
        let users = descriptors.next();
        // Without an answer the worker has no view.
        let _ = fork(|| {
            confine::die_with(own)?;
            let mut kept = vec![reply.as_raw_fd()];
            kept.extend(users.as_ref().map(AsRawFd::as_raw_fd));
            descriptors::close_all_but(&mut kept)?;
            make(&request, &reply, users.as_ref(), own_users)
        });
    }
    Ok(())
}

/// Makes one view in a child of its own, in this user namespace if there is one. The view exists for as long as some process is
/// in it.
fn make(
    request: &ViewRequest,
    reply: &OwnedFd,
    users: Option<&OwnedFd>,
    own_users: bool,
) -> io::Result<()> {
    if let Some(users) = users {
        network::enter_users(users.as_fd())?;
    }
    let path = |bytes| Path::new(OsStr::from_bytes(bytes));
    let view = View {
        plan: &request.plan,
        state: path(&request.state),
        own: path(&request.own),
        // Workers share the network with its user namespace, where the kernel would count their processes together.
        own_users: own_users || users.is_some(),
    };
    let EnteredView { loaders_bound, own_memory, own_temporary, own_users, own_root, layered } =
        view.enter()?;
    let users = own_users.then(|| open("/proc/self/ns/user")).transpose()?;
    let mounts = open("/proc/self/ns/mnt")?;
    let namespaces: Vec<_> =
        [Some(&mounts), users.as_ref()].into_iter().flatten().map(AsFd::as_fd).collect();
    let answer = ViewAnswer { loaders_bound, own_memory, own_temporary, own_root, layered };
    socket::send(reply, &answer.encode(), &namespaces, SendFlags::empty())?;
    // A worker in a Landlock domain may mount nothing, so the /proc of its own processes is mounted here.
    if let Some(received) = socket::receive(reply, RecvFlags::empty())?
        && let Some(processes) = received.descriptors.into_iter().next()
    {
        pid_namespace::mount_proc(processes)?;
        socket::send(reply, &[], &[], SendFlags::empty())?;
    }
    Ok(())
}

/// Enters the view that was requested for this worker, for good. The worker is in the user namespace that the view was
/// requested for.
///
/// # Errors
/// When there is no view, or its root is another directory than this process sees. The worker must not serve then.
pub(crate) fn enter(view: &OwnedFd) -> io::Result<EnteredView> {
    let received = socket::receive(view, RecvFlags::empty())?.ok_or(io::ErrorKind::BrokenPipe)?;
    let (Some(answer), [mounts, users @ ..]) =
        (ViewAnswer::decode(&received.message), &received.descriptors[..])
    else {
        return Err(io::ErrorKind::InvalidData.into());
    };
    let ViewAnswer { loaders_bound, own_memory, own_temporary, own_root, layered } = answer;
    let own_users = !users.is_empty();
    let beginning = identity()?;
    if let Some(users) = users.first() {
        network::enter_users(users.as_fd())?;
    }
    network::set_namespace(mounts.as_fd(), libc::CLONE_NEWNS)?;
    // Memory and queues that are shared by a key or a name belong to no folder, so the worker gets its own of them too.
    unshare(libc::CLONE_NEWIPC)?;
    // Entering the namespace sets the root directory to the one that the host has there.
    if identity()? != beginning {
        return Err(io::Error::other("the view begins elsewhere"));
    }
    if own_root {
        view_root::enter()?;
    }
    Ok(EnteredView { loaders_bound, own_memory, own_temporary, own_users, own_root, layered })
}

fn identity() -> io::Result<(u64, u64)> {
    let root = rustix::fs::stat("/")?;
    Ok((root.st_dev, root.st_ino))
}

fn open(path: &str) -> io::Result<OwnedFd> {
    Ok(rustix::fs::open(path, OFlags::RDONLY | OFlags::CLOEXEC, Mode::empty())?)
}
