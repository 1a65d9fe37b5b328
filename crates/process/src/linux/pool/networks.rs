//! The network namespaces of an engine's owners: the listeners that the host has in them, and its connections to them.

use std::collections::{HashMap, HashSet};
use std::fmt;
use std::io;
use std::net::SocketAddr;
use std::os::fd::OwnedFd;
use std::sync::Arc;

use handrail_supervisor::message::ToSupervisor;
use handrail_supervisor::socket;
use rustix::io::Errno;
use rustix::net::SendFlags;

use super::Pool;

/// The listeners of the host in a namespace, or why there are none, in the order of their addresses. An error instead of the list
/// says that there is no namespace.
pub type NetworkListeners = io::Result<Vec<io::Result<OwnedFd>>>;

/// Receives listeners whenever the namespace is made: once, and again by each later supervisor. Called on the engine's thread.
pub type OnListeners = Arc<dyn Fn(NetworkListeners) + Send + Sync>;

#[derive(Default)]
pub(crate) struct Networks {
    known: HashMap<u32, HostNetwork>,
    last_number: u32,
    /// The requests for connections that the supervisor has not answered.
    connecting: HashSet<u64>,
}

/// A namespace as the host knows it.
#[derive(Default)]
struct HostNetwork {
    /// Whether the supervisor knows of it.
    is_announced: bool,
    addresses: Vec<SocketAddr>,
    on_listeners: Option<OnListeners>,
    /// The listeners that have come of the supervisor that is making the namespace.
    received: Vec<io::Result<OwnedFd>>,
}

impl fmt::Debug for Networks {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Networks").field("count", &self.known.len()).finish_non_exhaustive()
    }
}

impl Networks {
    /// A number that no other namespace of this engine has.
    pub(crate) fn next_number(&mut self) -> u32 {
        self.last_number += 1;
        self.known.insert(self.last_number, HostNetwork::default());
        self.last_number
    }

    /// Sets the listeners of a namespace, before the first program starts in it.
    pub(crate) fn set_listeners(
        &mut self,
        number: u32,
        addresses: Vec<SocketAddr>,
        on_listeners: OnListeners,
    ) {
        if let Some(network) = self.known.get_mut(&number) {
            (network.addresses, network.on_listeners) = (addresses, Some(on_listeners));
        }
    }

    /// The message about the namespace that the supervisor needs before a plan that names it, unless it has that.
    pub(super) fn announcement(&self, number: u32) -> Option<Vec<u8>> {
        let network = self.known.get(&number).filter(|network| !network.is_announced)?;
        let listeners = network.addresses.clone();
        Some(ToSupervisor::Network { number, listeners }.encode())
    }

    pub(super) fn set_announced(&mut self, number: u32) {
        if let Some(network) = self.known.get_mut(&number) {
            network.is_announced = true;
        }
    }

    pub(crate) fn add_listener(&mut self, number: u32, listener: io::Result<OwnedFd>) {
        if let Some(network) = self.known.get_mut(&number) {
            network.received.push(listener);
        }
    }

    /// The namespace was made, or was not. Gives who is to receive its listeners, and these.
    pub(crate) fn take_listeners(
        &mut self,
        number: u32,
        errno: i32,
    ) -> Option<(OnListeners, NetworkListeners)> {
        let network = self.known.get_mut(&number)?;
        let received = std::mem::take(&mut network.received);
        let listeners =
            if errno == 0 { Ok(received) } else { Err(io::Error::from_raw_os_error(errno)) };
        Some((network.on_listeners.clone()?, listeners))
    }

    /// Whether this request for a connection was not answered before.
    pub(crate) fn is_answered_now(&mut self, request: u64) -> bool {
        self.connecting.remove(&request)
    }

    /// The supervisor is gone; the next one knows no namespace. Gives the requests that it did not answer.
    pub(crate) fn forget_supervisor(&mut self) -> Vec<u64> {
        for network in self.known.values_mut() {
            network.is_announced = false;
            network.received.clear();
        }
        self.connecting.drain().collect()
    }
}

impl Pool {
    /// The owner of a namespace is closed: no program starts in it any more.
    pub(crate) fn close_network(&mut self, number: u32) {
        self.networks.known.remove(&number);
        self.retire_plans_of(number);
        if let Some(supervisor) = &self.supervisor {
            let message = ToSupervisor::CloseNetwork { number }.encode();
            // Where it cannot be sent, the namespace goes with the supervisor.
            let _ = socket::send(&supervisor.control, &message, &[], SendFlags::DONTWAIT);
        }
    }

    /// Requests a socket that is connected to a port of a namespace's loopback.
    ///
    /// # Errors
    /// When there is no supervisor, and so no program that could listen there, or it is busy.
    pub(crate) fn connect(&mut self, network: u32, request: u64, port: u16) -> io::Result<()> {
        let supervisor = self.supervisor.as_ref().ok_or(Errno::CONNREFUSED)?;
        let message = ToSupervisor::Connect { network, request, port }.encode();
        socket::send(&supervisor.control, &message, &[], SendFlags::DONTWAIT)?;
        self.networks.connecting.insert(request);
        Ok(())
    }
}
