//! The way out of an owner's network namespace: the addresses that it listens at there, and what programs reached through it.

use std::fmt;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use handrail_egress::{
    AddressKind, AllowList, Answer, Egress, EgressConfig, Host, Listener, ListenerKind, Log, Mark,
    Outcome, Question, Questions, Target, Upstream,
};
use handrail_reports::{HostQuestion, NetworkContact};
use handrail_supervisor::message::MAX_LISTENERS;

use crate::way_out::{REGISTRIES, WayOutConfig, WayOutError};

use crate::outcome::Event;

use super::engine::Engine;
use super::pool::NetworkListeners;

/// A way out. It is open from the moment when the namespace is made until this is dropped.
pub struct WayOut {
    allow: AllowList,
    upstream: Upstream,
    /// Where it listens, and what each listener stands for.
    places: Vec<(SocketAddr, ListenerKind)>,
    log: Arc<Log>,
    /// The questions about hosts, and how long an answer may take. `None`: nobody is asked.
    questions: Option<(Arc<Questions>, Duration)>,
    open: Mutex<Option<Egress>>,
}

impl fmt::Debug for WayOut {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("WayOut").field("allow", &self.allow).finish_non_exhaustive()
    }
}

impl WayOut {
    /// Reads the lists. Nothing is opened.
    pub fn new(config: &WayOutConfig) -> Result<WayOut, WayOutError> {
        let WayOutConfig { proxy_port, https_proxy, http_proxy, no_proxy, .. } = config;
        let allow = allow_list(config)?;
        let upstream = Upstream::new(https_proxy, http_proxy, no_proxy)
            .map_err(|error| WayOutError::Proxy(error.to_string()))?;
        let proxy = SocketAddr::new(Ipv4Addr::LOCALHOST.into(), *proxy_port);
        let mut places = vec![(proxy, ListenerKind::Proxy)];
        for target in allow.addresses() {
            for address in addresses_of(&target) {
                let place = SocketAddr::new(address, target.port);
                if place == proxy {
                    return Err(WayOutError::PortInUse(*proxy_port));
                }
                if places.iter().all(|(other, _)| *other != place) {
                    places.push((place, ListenerKind::Address(target.clone())));
                }
            }
        }
        if places.len() > MAX_LISTENERS {
            return Err(WayOutError::TooManyAddresses(MAX_LISTENERS - 1));
        }
        let questions =
            config.answer_ms.map(|limit| (Arc::default(), Duration::from_millis(limit.into())));
        let log = Arc::default();
        Ok(WayOut { allow, upstream, places, log, questions, open: Mutex::default() })
    }

    /// The addresses at which it listens in the namespace.
    fn addresses(&self) -> Vec<SocketAddr> {
        self.places.iter().map(|(address, _)| *address).collect()
    }

    /// Asks for the listeners in a namespace that is not made yet, and serves them once they come.
    pub fn open<S: Fn(Event) + Send + 'static>(self: &Arc<Self>, engine: &Engine<S>, network: u32) {
        // The engine keeps this for as long as the namespace is known; the owner may close the way out before.
        let this = Arc::downgrade(self);
        let serve = move |listeners| {
            if let Some(this) = this.upgrade() {
                this.serve(listeners);
            }
        };
        engine.set_listeners(network, self.addresses(), Arc::new(serve));
    }

    /// Serves the listeners of a namespace that was made, in place of those of an earlier one. Where there is no namespace, or a
    /// listener is missing, nothing is reached that way.
    fn serve(&self, listeners: NetworkListeners) {
        let listeners = listeners.unwrap_or_default().into_iter().zip(&self.places);
        let listeners = listeners
            .filter_map(|(socket, (_, kind))| {
                Some(Listener { socket: socket.ok()?, kind: kind.clone() })
            })
            .collect();
        let mut config = EgressConfig::new(self.allow.clone());
        config.upstream = self.upstream.clone();
        config.log = Arc::clone(&self.log);
        if let Some((questions, answer_time)) = &self.questions {
            config.questions = Some(Arc::clone(questions));
            config.limits.answer_time = *answer_time;
        }
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        *open = None;
        // A process without threads or descriptors left has no way out.
        *open = Egress::start(listeners, config).ok();
    }

    /// Sets who is asked about hosts, before the first program starts. What is called may not block.
    pub fn ask_with(&self, ask: impl Fn(HostQuestion) + Send + Sync + 'static) {
        if let Some((questions, _)) = &self.questions {
            questions.ask_with(move |Question { number, target, kind }| {
                let (host, port) = (target.host.to_string(), target.port);
                ask(HostQuestion { number, host, port, kind: kind.map(AddressKind::phrase) });
            });
        }
    }

    /// Answers a question about a host: whether it may be reached. `None`: nobody could be asked.
    pub fn answer(&self, number: u64, allowed: Option<bool>) {
        let answer = match allowed {
            Some(true) => Answer::Allowed,
            Some(false) => Answer::Refused,
            None => Answer::Nobody,
        };
        if let Some((questions, _)) = &self.questions {
            questions.answer(number, answer);
        }
    }

    /// The hosts that were asked about and allowed, as entries of an allow list.
    pub fn approved(&self) -> Vec<String> {
        let questions = self.questions.as_ref();
        let approved = questions.map(|(questions, _)| questions.allowed()).unwrap_or_default();
        approved.iter().map(ToString::to_string).collect()
    }

    /// This moment, for [`WayOut::contacts_since`].
    pub fn mark(&self) -> u64 {
        self.log.mark().number()
    }

    /// What programs reached, and what was refused, since that moment.
    pub fn contacts_since(&self, mark: u64) -> Vec<NetworkContact> {
        self.log.since(Mark::from_number(mark)).iter().map(contact).collect()
    }
}

impl Drop for WayOut {
    fn drop(&mut self) {
        // Connections that wait for an answer would go on to wait.
        if let Some((questions, _)) = &self.questions {
            questions.close();
        }
    }
}

/// The entries that the host wrote, and the registries where one of them stands for these.
fn allow_list(config: &WayOutConfig) -> Result<AllowList, WayOutError> {
    let WayOutConfig { allow, registries, own_registries, .. } = config;
    let hosts = allow.iter().enumerate().filter(|(_, entry)| *entry != REGISTRIES);
    let (indices, hosts): (Vec<_>, Vec<_>) = hosts.unzip();
    let names_registries = hosts.len() < allow.len();
    let projects: &[String] = if names_registries { registries } else { &[] };
    let own: &[String] = if names_registries { own_registries } else { &[] };
    let hosts: Vec<&String> = hosts.into_iter().chain(projects).collect();
    let read = AllowList::parse(&hosts).map_err(|error| {
        let index = indices.get(error.index).copied().unwrap_or(error.index);
        WayOutError::Entry(index, error.reason)
    })?;
    let own = AllowList::parse(own)
        .map_err(|error| WayOutError::Entry(allow.len() + error.index, error.reason))?;
    Ok(read.with_trusted(own))
}

/// The addresses in the namespace at which programs look for a target.
fn addresses_of(target: &Target) -> Vec<IpAddr> {
    match target.host {
        Host::Localhost => vec![Ipv4Addr::LOCALHOST.into(), Ipv6Addr::LOCALHOST.into()],
        Host::Address(address) => vec![address],
        Host::Name(_) => Vec::new(),
    }
}

fn contact(event: &handrail_egress::Event) -> NetworkContact {
    let refusal = event.refusal();
    let outcome = match (&event.outcome, &refusal) {
        (Outcome::Refused(_), Some(refusal)) if refusal.is_refused() => "refused",
        (Outcome::Refused(_), _) => "failed",
        (Outcome::Reached, _) => "reached",
    };
    NetworkContact {
        host: event.target.as_ref().map(|target| target.host.to_string()),
        port: event.target.as_ref().map(|target| target.port),
        outcome,
        message: refusal.as_ref().map(ToString::to_string),
        entry: refusal.and_then(|refusal| refusal.lifting_entry()),
        times: event.times,
    }
}
