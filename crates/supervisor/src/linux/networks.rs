//! The network namespaces of a supervisor, which are made with the first worker that needs them.

use std::collections::{HashMap, HashSet};
use std::io;
use std::net::SocketAddr;
use std::os::fd::{AsFd, OwnedFd};
use std::time::{Duration, Instant};

use handrail_supervisor::message::{FromSupervisor, MAX_LISTENERS};
use handrail_supervisor::socket;
use rustix::net::SendFlags;

use super::forking::{HOST_GONE_ERROR, await_readable};
use super::network::{self, MakingNetwork, Network};
use super::processes;

/// How long a namespace and its listeners may take to be made.
const MAX_NETWORK_TIME: Duration = Duration::from_secs(10);

#[derive(Default)]
pub(crate) struct Networks {
    known: HashMap<u32, KnownNetwork>,
    /// Children that make a namespace or a connection, until they have ended.
    children: HashSet<i32>,
}

enum KnownNetwork {
    /// The host wants these listeners in it.
    Announced(Vec<SocketAddr>),
    Made(Network),
    /// It could not be made, and this is not tried again: all workers of a plan reach the same.
    Failed,
}

impl Networks {
    /// The host has announced a namespace.
    pub(crate) fn announce(&mut self, number: u32, mut listeners: Vec<SocketAddr>) {
        listeners.truncate(MAX_LISTENERS);
        self.known.entry(number).or_insert(KnownNetwork::Announced(listeners));
    }

    /// The host needs a namespace no more.
    pub(crate) fn close(&mut self, number: u32) {
        self.known.remove(&number);
    }

    /// Makes a namespace unless that was tried before, and tells the host.
    ///
    /// # Errors
    /// When the host is gone.
    pub(crate) fn ensure(
        &mut self,
        number: u32,
        host: &OwnedFd,
        control: &OwnedFd,
    ) -> io::Result<()> {
        let listeners = match self.known.get_mut(&number) {
            Some(KnownNetwork::Announced(listeners)) => std::mem::take(listeners),
            Some(_) => return Ok(()),
            None => Vec::new(),
        };
        let made = self.make(number, &listeners, host, control);
        if let Err(error) = &made
            && error.kind() == HOST_GONE_ERROR
        {
            return made.map(drop);
        }
        let errno = made.as_ref().map_or_else(|e| e.raw_os_error().unwrap_or(libc::EIO), |_| 0);
        let known = made.map_or(KnownNetwork::Failed, KnownNetwork::Made);
        self.known.insert(number, known);
        let message = FromSupervisor::Network { number, errno };
        socket::send(control, &message.encode(), &[], SendFlags::empty())
    }

    /// The namespace of this number, if it was made.
    pub(crate) fn get(&self, number: u32) -> Option<&Network> {
        match self.known.get(&number) {
            Some(KnownNetwork::Made(network)) => Some(network),
            _ => None,
        }
    }

    /// Has a child connect to a port of a namespace's loopback and answer the host.
    pub(crate) fn connect(
        &mut self,
        number: u32,
        request: u64,
        port: u16,
        control: &OwnedFd,
    ) -> io::Result<()> {
        // Where there is no namespace yet, nothing listens in it.
        let refused = || io::Error::from_raw_os_error(libc::ECONNREFUSED);
        let network = self.get(number).ok_or_else(refused);
        match network.and_then(|network| network.connect(control, request, port)) {
            Ok(pid) => {
                self.children.insert(pid);
                Ok(())
            }
            Err(error) => network::send_connected(control, request, Err(error)),
        }
    }

    /// Whether this child makes a namespace or a connection.
    pub(crate) fn has_child(&self, pid: i32) -> bool {
        self.children.contains(&pid)
    }

    /// A child of the supervisor has ended.
    pub(crate) fn forget_child(&mut self, pid: i32) {
        self.children.remove(&pid);
    }

    fn make(
        &mut self,
        number: u32,
        listeners: &[SocketAddr],
        host: &OwnedFd,
        control: &OwnedFd,
    ) -> io::Result<Network> {
        let deadline = Instant::now() + MAX_NETWORK_TIME;
        let making = MakingNetwork::fork(listeners)?;
        self.children.insert(making.pid);
        let made = await_readable(&making.socket, host, control, deadline)
            .and_then(|()| making.receive())
            .and_then(|network| {
                for index in 0..listeners.len() {
                    await_readable(&making.socket, host, control, deadline)?;
                    let index = u32::try_from(index).unwrap_or(u32::MAX);
                    hand_over(number, index, &making.receive_listener(), control)?;
                }
                Ok(network)
            });
        if made.is_err() {
            processes::signal(making.pid, libc::SIGKILL);
        }
        made
    }
}

/// Hands a listener over to the host, or the error of making it.
fn hand_over(
    network: u32,
    index: u32,
    listener: &io::Result<OwnedFd>,
    control: &OwnedFd,
) -> io::Result<()> {
    let tell = |errno: i32, listener: Option<&OwnedFd>| {
        let message = FromSupervisor::Listener { network, index, errno };
        let descriptors: Vec<_> = listener.iter().map(AsFd::as_fd).collect();
        socket::send(control, &message.encode(), &descriptors, SendFlags::empty())
    };
    let listener = match listener {
        Ok(listener) => listener,
        Err(error) => return tell(error.raw_os_error().unwrap_or(libc::EIO), None),
    };
    match tell(0, Some(listener)) {
        // Too many descriptors of this user are on their way.
        Err(error) if error.raw_os_error() == Some(libc::ETOOMANYREFS) => {
            tell(libc::ETOOMANYREFS, None)
        }
        told => told,
    }
}
