//! One connection of a client: what it asks for, the judgement, the answer, and the bytes in between.

use std::io::{self, ErrorKind, Read, Write};
use std::net::{Shutdown, TcpStream};
use std::time::{Duration, Instant};

use crate::authority::Target;
use crate::dial::{Dialed, dial_direct, dial_proxy, dial_tunnel};
use crate::gate::Gate;
use crate::http::{self, Form};
use crate::http_body::Body;
use crate::http_head::{BodyLength, HEAD_END, RequestHead};
use crate::priority::Pieces;
use crate::refusal::{Reason, Refusal};
use crate::relay::Relay;
use crate::server::Shared;
use crate::socks;
use crate::tls::{ACCESS_DENIED, HANDSHAKE_RECORD};

/// Time for one answer of ours to be taken.
const ANSWER_TIME: Duration = Duration::from_secs(10);
/// How long, and how much, is read from a client after a refusal, so that the answer is not lost with a reset.
const DRAIN_TIME: Duration = Duration::from_secs(1);
const DRAIN_BYTES: usize = 256 << 10;

/// A client, with what it sent that was not read yet.
pub(crate) struct Client<'a> {
    shared: &'a Shared,
    stream: &'a TcpStream,
    received: Vec<u8>,
    deadline: Instant,
    /// How many of these bytes were looked at for the end of a head, and from how many on they are read without it.
    looked_at: usize,
    next_look: usize,
    pieces: Pieces,
}

impl Client<'_> {
    /// Waits for more bytes. An end is an error.
    fn receive(&mut self) -> io::Result<()> {
        self.shared.stop.wait_readable(self.stream, self.deadline)?;
        let mut part = [0; 8192];
        let read = self.stream.read(&mut part)?;
        if read == 0 {
            return Err(ErrorKind::UnexpectedEof.into());
        }
        self.pieces.count();
        self.received.extend_from_slice(&part[..read]);
        Ok(())
    }

    /// Whether what is there is worth reading as a head: its end is there, or it has doubled, so that a bad one is refused before
    /// its end. A client that sends byte by byte costs no more than another.
    fn is_worth_reading(&mut self) -> bool {
        let from = self.looked_at.saturating_sub(HEAD_END.len() - 1);
        self.looked_at = self.received.len();
        let has_end = self.received[from..].windows(HEAD_END.len()).any(|end| end == HEAD_END);
        let has_doubled = self.received.len() >= self.next_look;
        if has_doubled {
            self.next_look = 2 * self.received.len();
        }
        has_end || has_doubled
    }

    /// Takes bytes from the beginning.
    pub(crate) fn take_bytes(&mut self, length: usize) -> io::Result<Vec<u8>> {
        while self.received.len() < length {
            self.receive()?;
        }
        let rest = self.received.split_off(length);
        Ok(std::mem::replace(&mut self.received, rest))
    }

    pub(crate) fn take<const N: usize>(&mut self) -> io::Result<[u8; N]> {
        let bytes = self.take_bytes(N)?;
        bytes.try_into().map_err(|_| ErrorKind::UnexpectedEof.into())
    }

    pub(crate) fn send(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.stream.write_all(bytes)
    }
}

/// Serves a connection to a listener that speaks the protocols of proxies.
pub(crate) fn serve_proxy(shared: &Shared, stream: &TcpStream) -> io::Result<()> {
    let deadline = Instant::now() + shared.limits.head_time;
    stream.set_write_timeout(Some(ANSWER_TIME))?;
    stream.set_nodelay(true)?;
    let mut client = Client {
        shared,
        stream,
        received: Vec::new(),
        deadline,
        looked_at: 0,
        next_look: 0,
        pieces: Pieces::default(),
    };
    client.receive()?;
    if client.received[0] == socks::VERSION { serve_socks(client) } else { serve_http(client) }
}

/// Serves a connection to a listener that stands for one address.
pub(crate) fn serve_address(
    shared: &Shared,
    stream: &TcpStream,
    target: &Target,
) -> io::Result<()> {
    stream.set_nodelay(true)?;
    let dialed = shared.guard.judge_target(target).and_then(|()| dial_tunnel(shared, target));
    match dialed {
        Ok(dialed) => tunnel(shared, stream, target, dialed, Vec::new(), &[]),
        Err(refusal) => shared.log.refused(&refusal),
    }
    Ok(())
}

fn serve_socks(mut client: Client<'_>) -> io::Result<()> {
    let (shared, stream) = (client.shared, client.stream);
    let Some(asked) = socks::read_target(&mut client)? else { return Ok(()) };
    let dialed = asked.and_then(|target| {
        shared.guard.judge_target(&target)?;
        dial_tunnel(shared, &target).map(|dialed| (target, dialed))
    });
    match dialed {
        Ok((target, dialed)) => {
            tunnel(shared, stream, &target, dialed, client.received, &socks::reply(0));
            Ok(())
        }
        Err(refusal) => {
            shared.log.refused(&refusal);
            answer(shared, stream, &socks::reply(refusal.socks_reply()))
        }
    }
}

fn serve_http(mut client: Client<'_>) -> io::Result<()> {
    let (shared, stream) = (client.shared, client.stream);
    let refusal = loop {
        let is_full = client.received.len() >= shared.limits.head_bytes;
        let read = if client.is_worth_reading() || is_full {
            RequestHead::parse(&client.received)
        } else {
            Ok(None)
        };
        match read {
            Ok(Some(head)) if head.method == "CONNECT" => match connect(shared, &head) {
                Ok((target, dialed)) => {
                    let rest = client.received[head.bytes..].to_vec();
                    let established = b"HTTP/1.1 200 Connection established\r\n\r\n";
                    tunnel(shared, stream, &target, dialed, rest, established);
                    return Ok(());
                }
                Err(refusal) => break refusal,
            },
            Ok(Some(_)) => match forward(shared, stream, &client.received) {
                Ok(()) => return Ok(()),
                Err(refusal) => break refusal,
            },
            Ok(None) if is_full => break Refusal::malformed("its head is too long"),
            Ok(None) => {}
            Err(refusal) => break refusal,
        }
        match client.receive() {
            Ok(()) => {}
            Err(error) if error.kind() == ErrorKind::TimedOut => {
                break Refusal { target: None, reason: Reason::TooSlow };
            }
            Err(error) => return Err(error),
        }
    };
    shared.log.refused(&refusal);
    answer(shared, stream, &refusal.http_answer())
}

/// Connects with the target of a CONNECT.
fn connect(shared: &Shared, head: &RequestHead<'_>) -> Result<(Target, Dialed), Refusal> {
    let target = Target::parse(head.target, None).map_err(Refusal::malformed)?;
    if head.body != BodyLength::Bytes(0) {
        return Err(Refusal::new(&target, Reason::Malformed("CONNECT has no body")));
    }
    let named = head.host.map(|host| Target::parse(host, Some(target.port)));
    if shared.guard.checks.hosts && named.is_some_and(|named| named.as_ref() != Ok(&target)) {
        return Err(Refusal::new(&target, Reason::OtherHost));
    }
    shared.guard.judge_target(&target)?;
    let dialed = dial_tunnel(shared, &target)?;
    Ok((target, dialed))
}

/// Passes on one request of plain HTTP, and its answer.
fn forward(shared: &Shared, stream: &TcpStream, received: &[u8]) -> Result<(), Refusal> {
    let cut = || Refusal::malformed("its head is cut off");
    let mut request =
        http::rewrite(received, &Form::Proxy, shared.guard.checks.hosts)?.ok_or_else(cut)?;
    let target = request.target.clone();
    shared.guard.judge_target(&target)?;
    let dialed = match shared.upstream.for_http(&target) {
        Some(proxy) => {
            let form = Form::Chained(&proxy.authorization);
            request = http::rewrite(received, &form, shared.guard.checks.hosts)?.ok_or_else(cut)?;
            dial_proxy(shared, &target, proxy)?
        }
        None => dial_direct(shared, &target)?,
    };
    let relay = Relay {
        shared,
        client: stream,
        host: &dialed.stream,
        gate: Gate::Request(Body::new(request.body)),
        pending: received[request.bytes..].to_vec(),
        to_host: request.head,
        to_client: dialed.received,
    };
    // A body that cannot be read is a refusal after the fact: the host may have answered already, and the client gets no other.
    if let Err(refusal) = relay.run(|| shared.log.reached(&target)) {
        shared.log.refused(&refusal);
    }
    Ok(())
}

/// Passes on what a client sends within a tunnel, once its first bytes name the target.
fn tunnel(
    shared: &Shared,
    stream: &TcpStream,
    target: &Target,
    dialed: Dialed,
    pending: Vec<u8>,
    established: &[u8],
) {
    let gate = Gate::for_tunnel(target, shared.guard.checks, shared.limits.head_bytes);
    // Where the host may speak first, it is reached now; otherwise once the client has named it.
    let reached_now = !gate.awaits_client();
    if reached_now {
        shared.log.reached(target);
    }
    let first = pending.first().copied();
    let relay = Relay {
        shared,
        client: stream,
        host: &dialed.stream,
        gate,
        pending,
        to_host: Vec::new(),
        to_client: [established, &dialed.received].concat(),
    };
    let opened = || {
        if !reached_now {
            shared.log.reached(target);
        }
    };
    if let Err(refusal) = relay.run(opened) {
        drop(dialed);
        shared.log.refused(&refusal);
        let told = match refusal.reason {
            Reason::NoServerName | Reason::OtherServerName => ACCESS_DENIED.to_vec(),
            Reason::NotTls if first == Some(HANDSHAKE_RECORD) => ACCESS_DENIED.to_vec(),
            _ => refusal.http_answer(),
        };
        // A client that is gone needs no answer.
        let _ = answer(shared, stream, &told);
    }
}

/// Sends a last answer, and reads on for a moment: a connection that is closed with bytes unread is reset, and the answer lost.
fn answer(shared: &Shared, mut stream: &TcpStream, bytes: &[u8]) -> io::Result<()> {
    stream.set_nonblocking(false)?;
    stream.set_write_timeout(Some(ANSWER_TIME))?;
    stream.write_all(bytes)?;
    stream.shutdown(Shutdown::Write)?;
    let deadline = Instant::now() + DRAIN_TIME;
    let mut drained = 0;
    let mut part = [0; 8192];
    while drained < DRAIN_BYTES {
        shared.stop.wait_readable(stream, deadline)?;
        match stream.read(&mut part)? {
            0 => break,
            read => drained += read,
        }
    }
    Ok(())
}
