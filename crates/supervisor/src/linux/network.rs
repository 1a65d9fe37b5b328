//! Network namespaces, which the workers of one owner share.
//!
//! A namespace is made by a forked child, which hands over descriptors of it and ends. An ordinary user needs a user namespace
//! for that, and whoever enters the network enters that user namespace first. Nothing leads out of the namespace: it has a
//! loopback interface, and sockets that were made in it and are used elsewhere.

use std::io;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::os::fd::{AsFd, AsRawFd, BorrowedFd, OwnedFd};
use std::time::Duration;

use handrail_supervisor::message::FromSupervisor;
use handrail_supervisor::socket;
use rustix::fs::{Mode, OFlags};
use rustix::net::sockopt::{Timeout, set_socket_reuseaddr, set_socket_timeout};
use rustix::net::{AddressFamily, RecvFlags, SendFlags, SocketFlags, SocketType, ipproto};

use super::syscall::{check, fork};
use super::users::unshare_with_users;
use super::{confine, descriptors, rtnetlink};

/// The most connections that wait at a listener until the host accepts them.
const BACKLOG: i32 = 128;
/// How long a connection to a program in the namespace may take: its queue of connections may be full.
const MAX_CONNECT_TIME: Duration = Duration::from_secs(5);
/// The lowest port that an ordinary user may listen on. Only the namespace's own programs meet them.
const FIRST_PORT_FILE: &str = "/proc/sys/net/ipv4/ip_unprivileged_port_start";

/// A network namespace, held by descriptors.
pub(crate) struct Network {
    /// The user namespace that owns it, if that is not the one of this process.
    users: Option<OwnedFd>,
    namespace: OwnedFd,
}

/// A namespace that is being made in a child.
pub(crate) struct MakingNetwork {
    pub(crate) pid: i32,
    /// The socket that the namespace and its listeners come over.
    pub(crate) socket: OwnedFd,
}

impl MakingNetwork {
    /// Forks the child that makes a namespace with these listeners.
    pub(crate) fn fork(listeners: &[SocketAddr]) -> io::Result<MakingNetwork> {
        let (socket, reply) = socket::pair()?;
        let pid = fork(|| {
            descriptors::close_all_but(&mut [reply.as_raw_fd()])?;
            make(listeners, &reply)
        })?;
        Ok(MakingNetwork { pid, socket })
    }

    /// Receives the namespace. The child has sent it, or has ended.
    pub(crate) fn receive(&self) -> io::Result<Network> {
        let received =
            socket::receive(&self.socket, RecvFlags::empty())?.ok_or(io::ErrorKind::BrokenPipe)?;
        if let Ok(errno) = <[u8; 4]>::try_from(&received.message[..])
            && received.descriptors.is_empty()
        {
            return Err(io::Error::from_raw_os_error(i32::from_le_bytes(errno)));
        }
        let mut descriptors = received.descriptors.into_iter();
        let namespace = descriptors.next().ok_or(io::ErrorKind::InvalidData)?;
        Ok(Network { users: descriptors.next(), namespace })
    }

    /// Receives the next listener, or the error of making it.
    pub(crate) fn receive_listener(&self) -> io::Result<OwnedFd> {
        let received =
            socket::receive(&self.socket, RecvFlags::empty())?.ok_or(io::ErrorKind::BrokenPipe)?;
        received.descriptors.into_iter().next().ok_or_else(|| {
            let errno = <[u8; 4]>::try_from(&received.message[..]).map(i32::from_le_bytes);
            io::Error::from_raw_os_error(errno.unwrap_or(libc::EIO))
        })
    }
}

/// Makes a namespace in a child of its own, and sends it and its listeners.
fn make(listeners: &[SocketAddr], reply: &OwnedFd) -> io::Result<()> {
    let send = |sent: io::Result<&[BorrowedFd<'_>]>| match sent {
        Ok(descriptors) => socket::send(reply, &[], descriptors, SendFlags::empty()),
        Err(error) => {
            let errno = error.raw_os_error().unwrap_or(libc::EIO);
            socket::send(reply, &errno.to_le_bytes(), &[], SendFlags::empty())
        }
    };
    let network = match enter_new() {
        Ok(network) => network,
        Err(error) => return send(Err(error)),
    };
    let held: Vec<_> =
        [Some(&network.namespace), network.users.as_ref()].into_iter().flatten().collect();
    send(Ok(&held.iter().map(AsFd::as_fd).collect::<Vec<_>>()))?;
    for &address in listeners {
        match listen(address) {
            Ok(listener) => send(Ok(&[listener.as_fd()]))?,
            Err(error) => send(Err(error))?,
        }
    }
    Ok(())
}

/// Enters a new namespace, for good, with a loopback interface that is up.
fn enter_new() -> io::Result<Network> {
    let own_users = unshare_with_users(libc::CLONE_NEWNET)?;
    rtnetlink::start_loopback()?;
    // Where a container has this file read-only, ports below 1024 stay root's.
    let _ = std::fs::write(FIRST_PORT_FILE, "0");
    let open = |path: &str| rustix::fs::open(path, OFlags::RDONLY | OFlags::CLOEXEC, Mode::empty());
    let users = own_users.then(|| open("/proc/self/ns/user")).transpose()?;
    Ok(Network { users, namespace: open("/proc/self/ns/net")? })
}

/// Enters a new namespace, for good, to test whether there can be one.
pub(crate) fn try_new() -> io::Result<()> {
    enter_new().map(drop)
}

/// Makes a listener in this process's namespace.
fn listen(address: SocketAddr) -> io::Result<OwnedFd> {
    if !address.ip().is_loopback() && !address.ip().is_unspecified() {
        rtnetlink::add_loopback_address(address.ip())?;
    }
    let listener = tcp_socket(address.ip())?;
    set_socket_reuseaddr(&listener, true)?;
    rustix::net::bind(&listener, &address)?;
    rustix::net::listen(&listener, BACKLOG)?;
    Ok(listener)
}

fn tcp_socket(address: IpAddr) -> io::Result<OwnedFd> {
    let family = if address.is_ipv4() { AddressFamily::INET } else { AddressFamily::INET6 };
    let (kind, flags) = (SocketType::STREAM, SocketFlags::CLOEXEC);
    Ok(rustix::net::socket_with(family, kind, flags, Some(ipproto::TCP))?)
}

impl Network {
    /// The descriptors that a worker needs to enter it.
    pub(crate) fn descriptors(&self) -> impl Iterator<Item = i32> {
        [Some(&self.namespace), self.users.as_ref()].into_iter().flatten().map(AsRawFd::as_raw_fd)
    }

    /// The user namespace that owns it, which a view of the file system for its workers is made in.
    pub(crate) fn users(&self) -> Option<&OwnedFd> {
        self.users.as_ref()
    }

    /// Enters the user namespace that owns it, for good. A process of root stays where it is.
    pub(crate) fn enter_users(&self) -> io::Result<()> {
        self.users.as_ref().map_or(Ok(()), |users| enter_users(users.as_fd()))
    }

    /// Enters it, for good. The process must be in the user namespace that owns it.
    pub(crate) fn enter(&self) -> io::Result<()> {
        set_namespace(self.namespace.as_fd(), libc::CLONE_NEWNET)
    }

    /// Forks a child that connects to a port of the loopback in the namespace, and answers over the control socket. Returns
    /// the child's process id.
    pub(crate) fn connect(&self, control: &OwnedFd, request: u64, port: u16) -> io::Result<i32> {
        let supervisor = super::processes::own_pid();
        fork(|| {
            confine::die_with(supervisor)?;
            let mut kept: Vec<_> = self.descriptors().collect();
            kept.push(control.as_raw_fd());
            descriptors::close_all_but(&mut kept)?;
            let connected = self.enter_users().and_then(|()| self.enter()).and_then(|()| {
                connect(Ipv4Addr::LOCALHOST.into(), port)
                    .or_else(|error| connect(Ipv6Addr::LOCALHOST.into(), port).map_err(|_| error))
            });
            send_connected(control, request, connected)
        })
    }
}

/// Tells the host the outcome of its request for a connection.
pub(crate) fn send_connected(
    control: &OwnedFd,
    request: u64,
    connected: io::Result<OwnedFd>,
) -> io::Result<()> {
    let (errno, descriptor) = match connected {
        Ok(descriptor) => (0, Some(descriptor)),
        Err(error) => (error.raw_os_error().unwrap_or(libc::EIO), None),
    };
    let message = FromSupervisor::Connected { request, errno };
    let descriptors: Vec<_> = descriptor.iter().map(AsFd::as_fd).collect();
    socket::send(control, &message.encode(), &descriptors, SendFlags::empty())
}

fn connect(address: IpAddr, port: u16) -> io::Result<OwnedFd> {
    let socket = tcp_socket(address)?;
    set_socket_timeout(&socket, Timeout::Send, Some(MAX_CONNECT_TIME))?;
    match rustix::net::connect(&socket, &SocketAddr::new(address, port)) {
        // This is how the kernel says that the time is over.
        Err(rustix::io::Errno::INPROGRESS) => Err(rustix::io::Errno::TIMEDOUT.into()),
        Err(error) => Err(error.into()),
        Ok(()) => {
            set_socket_timeout(&socket, Timeout::Send, None)?;
            Ok(socket)
        }
    }
}

/// Enters a user namespace, for good.
pub(crate) fn enter_users(users: BorrowedFd<'_>) -> io::Result<()> {
    set_namespace(users, libc::CLONE_NEWUSER)?;
    confine::become_opaque(true)
}

/// Enters a namespace of this kind, for good.
pub(crate) fn set_namespace(namespace: BorrowedFd<'_>, kind: libc::c_int) -> io::Result<()> {
    // SAFETY: plain numbers; this process has one thread.
    check(unsafe { libc::setns(namespace.as_raw_fd(), kind) })
}
