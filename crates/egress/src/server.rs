//! The listeners and the threads of a way out.

use std::fmt;
use std::io::{self, Write};
use std::net::{TcpListener, TcpStream};
use std::os::fd::{AsFd, OwnedFd};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use rustix::event::PollFlags;

use crate::allow_list::AllowList;
use crate::authority::Target;
use crate::connection::{serve_address, serve_proxy};
use crate::guard::{Checks, Guard};
use crate::limits::Limits;
use crate::log::Log;
use crate::questions::Questions;
use crate::refusal::{Reason, Refusal};
use crate::resolve::{Resolve, SystemResolver};
use crate::stop::{Stop, StopHandle};
use crate::upstream::Upstream;

/// Stack of a thread that serves one connection: room for the resolver of the C library.
const STACK_BYTES: usize = 512 << 10;
/// How long accepting waits after an error, which is of the machine: no descriptor or no memory is left.
const ERROR_PAUSE: Duration = Duration::from_millis(100);

/// A listening TCP socket, and what is spoken on it.
#[derive(Debug)]
pub struct Listener {
    /// The socket, bound and listening.
    pub socket: OwnedFd,
    /// What is spoken on it.
    pub kind: ListenerKind,
}

/// What is spoken on a listener.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ListenerKind {
    /// HTTP CONNECT, plain HTTP and SOCKS5.
    Proxy,
    /// Whatever this target speaks: each connection leads there.
    Address(Target),
}

/// What a way out reaches, and how.
pub struct EgressConfig {
    /// The hosts that are reached.
    pub allow: AllowList,
    /// The proxy that the machine itself uses.
    pub upstream: Upstream,
    /// The bounds.
    pub limits: Limits,
    /// Finds the addresses of names.
    pub resolver: Arc<dyn Resolve>,
    /// Which checks are made.
    pub checks: Checks,
    /// Who is asked about hosts that no entry names, if anybody is.
    pub questions: Option<Arc<Questions>>,
    /// Where it is written down what was reached and refused. One log can serve several ways out, one after the other.
    pub log: Arc<Log>,
}

impl fmt::Debug for EgressConfig {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("EgressConfig").field("allow", &self.allow).finish_non_exhaustive()
    }
}

impl EgressConfig {
    /// With the machine's resolver, no proxy, every check and the default limits.
    pub fn new(allow: AllowList) -> Self {
        Self {
            allow,
            upstream: Upstream::default(),
            limits: Limits::default(),
            resolver: Arc::new(SystemResolver),
            checks: Checks::default(),
            questions: None,
            log: Arc::default(),
        }
    }
}

/// A way out that is open. Dropping it closes its listeners and ends its connections.
#[derive(Debug)]
pub struct Egress {
    log: Arc<Log>,
    /// Closed first, by `drop`: the threads end then.
    stop: Option<StopHandle>,
    thread: Option<JoinHandle<()>>,
}

/// What all connections use.
pub(crate) struct Shared {
    pub(crate) guard: Guard,
    pub(crate) upstream: Upstream,
    pub(crate) limits: Limits,
    pub(crate) resolver: Arc<dyn Resolve>,
    pub(crate) log: Arc<Log>,
    pub(crate) stop: Stop,
    open: AtomicUsize,
}

impl Egress {
    /// Serves listeners on threads of its own: one that accepts, and one for each connection.
    pub fn start(listeners: Vec<Listener>, config: EgressConfig) -> io::Result<Self> {
        let EgressConfig { allow, upstream, limits, resolver, checks, questions, log } = config;
        let (stop, handle) = Stop::new()?;
        let guard = Guard { allow, checks, questions, answer_time: limits.answer_time };
        let shared = Shared {
            guard,
            upstream,
            limits,
            resolver,
            log: Arc::clone(&log),
            stop,
            open: AtomicUsize::new(0),
        };
        let mut sockets = Vec::new();
        for Listener { socket, kind } in listeners {
            let socket = TcpListener::from(socket);
            socket.set_nonblocking(true)?;
            sockets.push((socket, kind));
        }
        let shared = Arc::new(shared);
        let thread = thread::Builder::new()
            .name("handrail-egress".to_owned())
            .spawn(move || accept_all(&shared, &sockets))?;
        Ok(Self { log, stop: Some(handle), thread: Some(thread) })
    }

    /// What was reached and what was refused.
    pub fn log(&self) -> &Log {
        &self.log
    }
}

impl Drop for Egress {
    fn drop(&mut self) {
        drop(self.stop.take());
        if let Some(thread) = self.thread.take() {
            // A thread that ended by a bug has closed its listeners as well.
            let _ = thread.join();
        }
    }
}

fn accept_all(shared: &Arc<Shared>, sockets: &[(TcpListener, ListenerKind)]) {
    let watched: Vec<_> =
        sockets.iter().map(|(socket, _)| (socket.as_fd(), PollFlags::IN)).collect();
    while shared.stop.wait(&watched, None).is_ok() {
        for (socket, kind) in sockets {
            loop {
                match socket.accept() {
                    Ok((stream, _)) => begin(shared, stream, kind),
                    Err(error) if error.kind() == io::ErrorKind::WouldBlock => break,
                    Err(error) if error.kind() == io::ErrorKind::ConnectionAborted => {}
                    Err(_) => {
                        thread::sleep(ERROR_PAUSE);
                        break;
                    }
                }
            }
        }
    }
}

/// Serves a connection on a thread of its own.
fn begin(shared: &Arc<Shared>, stream: TcpStream, kind: &ListenerKind) {
    let slot = Slot(Arc::clone(shared));
    let open = shared.open.fetch_add(1, Ordering::Relaxed);
    let too_many = || {
        let target =
            if let ListenerKind::Address(target) = kind { Some(target.clone()) } else { None };
        Refusal { target, reason: Reason::TooMany }
    };
    if open >= shared.limits.connections {
        let refusal = too_many();
        shared.log.refused(&refusal);
        refuse(&stream, kind, &refusal);
        return;
    }
    let own_kind = kind.clone();
    let serve = move || {
        let shared = &*slot.0;
        // The error is of this client, which ended, or of the end of everything.
        let _ = match &own_kind {
            ListenerKind::Proxy => serve_proxy(shared, &stream),
            ListenerKind::Address(target) => serve_address(shared, &stream, target),
        };
    };
    let builder = thread::Builder::new().name("handrail-egress".to_owned()).stack_size(STACK_BYTES);
    if builder.spawn(serve).is_err() {
        shared.log.refused(&too_many());
    }
}

/// Tells a client at once, as far as its socket takes it. What protocol it speaks is not known yet; most speak HTTP.
fn refuse(mut stream: &TcpStream, kind: &ListenerKind, refusal: &Refusal) {
    if *kind == ListenerKind::Proxy && stream.set_nonblocking(true).is_ok() {
        let _ = stream.write(&refusal.http_answer());
    }
}

/// The place of one connection among those that may be open.
struct Slot(Arc<Shared>);

impl Drop for Slot {
    fn drop(&mut self) {
        self.0.open.fetch_sub(1, Ordering::Relaxed);
    }
}
