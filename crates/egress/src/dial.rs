//! Connecting with a host: the name is resolved once, every address is judged, and only a judged address is dialed.

use std::io::{self, Read, Write};
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, TcpStream};
use std::time::{Duration, Instant};

use crate::authority::{Host, Target};
use crate::refusal::{Reason, Refusal};
use crate::server::Shared;
use crate::upstream::Proxy;

/// Least time for one of several addresses.
const MIN_DIAL_TIME: Duration = Duration::from_secs(1);
const LOOPBACK: [IpAddr; 2] = [IpAddr::V4(Ipv4Addr::LOCALHOST), IpAddr::V6(Ipv6Addr::LOCALHOST)];

/// A connection with a host.
#[derive(Debug)]
pub(crate) struct Dialed {
    pub(crate) stream: TcpStream,
    /// What the host sent already.
    pub(crate) received: Vec<u8>,
}

/// Connects with an allowed target, for a tunnel.
pub(crate) fn dial_tunnel(shared: &Shared, target: &Target) -> Result<Dialed, Refusal> {
    match shared.upstream.for_tunnel(target) {
        Some(proxy) => dial_through(shared, target, proxy),
        None => dial_direct(shared, target),
    }
}

/// Connects with an allowed target itself.
pub(crate) fn dial_direct(shared: &Shared, target: &Target) -> Result<Dialed, Refusal> {
    let mut judged = Vec::new();
    let mut refusal = Refusal::new(target, Reason::NotFound);
    for address in addresses(shared, &target.host) {
        match shared.guard.judge_address(target, address) {
            Ok(()) => judged.push(address),
            Err(refused) => refusal = refused,
        }
    }
    if judged.is_empty() {
        return Err(refusal);
    }
    let deadline = Instant::now() + shared.limits.dial_time;
    let stream = connect(&judged, target.port, deadline);
    let stream = stream.map_err(|_| Refusal::new(target, Reason::NotReached))?;
    Ok(Dialed { stream, received: Vec::new() })
}

/// Connects with the machine's own proxy, to send it requests of plain HTTP for this target.
pub(crate) fn dial_proxy(
    shared: &Shared,
    target: &Target,
    proxy: &Proxy,
) -> Result<Dialed, Refusal> {
    if let Host::Address(address) = target.host {
        shared.guard.judge_address(target, address)?;
    }
    let deadline = Instant::now() + shared.limits.dial_time;
    let stream = connect(&addresses(shared, &proxy.host), proxy.port, deadline)
        .map_err(|_| Refusal::new(target, Reason::NotReached))?;
    Ok(Dialed { stream, received: Vec::new() })
}

/// Connects with a target through the machine's own proxy. That proxy resolves names.
fn dial_through(shared: &Shared, target: &Target, proxy: &Proxy) -> Result<Dialed, Refusal> {
    let mut dialed = dial_proxy(shared, target, proxy)?;
    let deadline = Instant::now() + shared.limits.dial_time;
    let request =
        format!("CONNECT {target} HTTP/1.1\r\nHost: {target}\r\n{}\r\n", proxy.authorization);
    let not_reached = |_: io::Error| Refusal::new(target, Reason::NotReached);
    dialed.stream.write_all(request.as_bytes()).map_err(not_reached)?;
    let answer = &mut dialed.received;
    let end = loop {
        if let Some(end) = answer.windows(4).position(|window| window == b"\r\n\r\n") {
            break end + 4;
        }
        if answer.len() >= shared.limits.head_bytes {
            return Err(Refusal::new(target, Reason::NotReached));
        }
        shared.stop.wait_readable(&dialed.stream, deadline).map_err(not_reached)?;
        let mut part = [0; 4096];
        let read = dialed.stream.read(&mut part).map_err(not_reached)?;
        if read == 0 {
            return Err(Refusal::new(target, Reason::NotReached));
        }
        answer.extend_from_slice(&part[..read]);
    };
    match status(answer) {
        Some(200..=299) => {
            answer.drain(..end);
            Ok(dialed)
        }
        Some(status) => Err(Refusal::new(target, Reason::Upstream(status))),
        None => Err(Refusal::new(target, Reason::NotReached)),
    }
}

/// The status of an answer in HTTP.
fn status(answer: &[u8]) -> Option<u16> {
    let rest = answer.strip_prefix(b"HTTP/1.").filter(|rest| rest.get(1) == Some(&b' '))?;
    std::str::from_utf8(rest.get(2..5)?).ok()?.parse().ok()
}

fn addresses(shared: &Shared, host: &Host) -> Vec<IpAddr> {
    match host {
        Host::Localhost => LOOPBACK.to_vec(),
        Host::Address(address) => vec![*address],
        Host::Name(name) => shared.resolver.resolve(name).unwrap_or_default(),
    }
}

/// Connects with the first of the addresses that answers.
fn connect(addresses: &[IpAddr], port: u16, deadline: Instant) -> io::Result<TcpStream> {
    let mut last = io::ErrorKind::NotFound.into();
    for (index, address) in addresses.iter().enumerate() {
        let left = deadline.saturating_duration_since(Instant::now());
        let remaining = u32::try_from(addresses.len() - index).unwrap_or(u32::MAX);
        let share = (left / remaining).max(MIN_DIAL_TIME.min(left));
        if share.is_zero() {
            break;
        }
        match TcpStream::connect_timeout(&SocketAddr::new(*address, port), share) {
            Ok(stream) => {
                // Without it small messages wait for each other. Where it cannot be set, they do.
                let _ = stream.set_nodelay(true);
                return Ok(stream);
            }
            Err(error) => last = error,
        }
    }
    Err(last)
}
