//! Passing bytes between a client and its host, in both directions, nothing kept.

use std::io::{self, ErrorKind, Read, Write};
use std::net::{Shutdown, TcpStream};
use std::os::fd::AsFd;
use std::time::Instant;

use rustix::event::PollFlags;

use crate::gate::Gate;
use crate::priority::Pieces;
use crate::refusal::Refusal;
use crate::server::Shared;

/// Bytes that are read at once.
const PART_BYTES: usize = 32 << 10;

/// One direction: bytes on their way to `to`.
#[derive(Debug, Default)]
struct Flow {
    waiting: Vec<u8>,
    /// Whether nothing more comes.
    ended: bool,
    /// Whether the receiver was told so.
    told: bool,
}

/// A client, its host, and what is known of both.
pub(crate) struct Relay<'a> {
    pub(crate) shared: &'a Shared,
    pub(crate) client: &'a TcpStream,
    pub(crate) host: &'a TcpStream,
    pub(crate) gate: Gate,
    /// What the client sent that has not passed the gate.
    pub(crate) pending: Vec<u8>,
    /// What is to be sent to the host before anything else, and to the client.
    pub(crate) to_host: Vec<u8>,
    pub(crate) to_client: Vec<u8>,
}

impl Relay<'_> {
    /// Passes bytes until both sides have ended, or one fails. Calls `opened` once the first bytes have passed the gate. A
    /// refusal by the gate comes back, with nothing more sent to the host.
    pub(crate) fn run(mut self, opened: impl FnOnce()) -> Result<(), Refusal> {
        let mut opened = Some(opened);
        let mut to_host = Flow { waiting: std::mem::take(&mut self.to_host), ..Flow::default() };
        let mut to_client =
            Flow { waiting: std::mem::take(&mut self.to_client), ..Flow::default() };
        // Whether the host has sent anything, and whether the client has sent more than its one request.
        let (mut answered, mut asked_again) = (false, false);
        let mut part = vec![0; PART_BYTES];
        if [self.client, self.host].iter().any(|stream| stream.set_nonblocking(true).is_err()) {
            return Ok(());
        }
        let first_deadline = Instant::now() + self.shared.limits.head_time;
        let mut pieces = Pieces::default();
        self.gate.admit(&mut self.pending, &mut to_host.waiting)?;
        loop {
            if !self.gate.is_first()
                && let Some(opened) = opened.take()
            {
                opened();
            }
            let is_request = matches!(self.gate, Gate::Request(_));
            if to_client.told && (to_host.told || is_request) {
                return Ok(());
            }
            let limits = &self.shared.limits;
            let half_closed = to_client.ended || to_host.ended || (asked_again && answered);
            let idle = if half_closed { limits.half_closed_time } else { limits.idle_time };
            let awaited = self.gate.awaits_client();
            let deadline = if awaited { first_deadline } else { Instant::now() + idle };
            let watched = &[
                (self.client.as_fd(), flags(&to_host, &to_client)),
                (self.host.as_fd(), flags(&to_client, &to_host)),
            ];
            match self.shared.stop.wait(watched, Some(deadline)) {
                Ok(()) => pieces.count(),
                Err(error) if error.kind() == ErrorKind::TimedOut && awaited => {
                    return self.gate.end_late();
                }
                Err(_) => return Ok(()),
            }
            if !to_host.ended && to_host.waiting.is_empty() {
                match receive(self.client, &mut part) {
                    Ok(Some(0)) => {
                        to_host.ended = true;
                        self.gate.end(&mut self.pending, &mut to_host.waiting)?;
                    }
                    Ok(Some(_)) if self.gate.has_ended() => {
                        // The client has its answer and asks again: it has to connect anew for that.
                        if answered && to_client.waiting.is_empty() {
                            return Ok(());
                        }
                        asked_again = true;
                    }
                    Ok(Some(read)) => {
                        self.pending.extend_from_slice(&part[..read]);
                        self.gate.admit(&mut self.pending, &mut to_host.waiting)?;
                    }
                    Ok(None) => {}
                    Err(_) => return Ok(()),
                }
            }
            if !to_client.ended && to_client.waiting.is_empty() {
                match receive(self.host, &mut part) {
                    Ok(Some(0)) | Err(_) => to_client.ended = true,
                    Ok(Some(read)) => {
                        answered = true;
                        to_client.waiting.extend_from_slice(&part[..read]);
                    }
                    Ok(None) => {}
                }
            }
            if send(self.host, &mut to_host).is_err() || send(self.client, &mut to_client).is_err()
            {
                return Ok(());
            }
        }
    }
}

/// What is waited for on the side that `outgoing` comes from and `incoming` goes to.
fn flags(outgoing: &Flow, incoming: &Flow) -> PollFlags {
    let mut flags = PollFlags::empty();
    flags.set(PollFlags::IN, !outgoing.ended && outgoing.waiting.is_empty());
    flags.set(PollFlags::OUT, !incoming.waiting.is_empty());
    flags
}

/// Reads what is there. None: nothing yet; 0: nothing more.
fn receive(mut from: &TcpStream, part: &mut [u8]) -> io::Result<Option<usize>> {
    match from.read(part) {
        Ok(read) => Ok(Some(read)),
        Err(error) if matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::Interrupted) => {
            Ok(None)
        }
        Err(error) => Err(error),
    }
}

/// Writes what can be written, and then the end of it.
fn send(mut to: &TcpStream, flow: &mut Flow) -> io::Result<()> {
    while !flow.waiting.is_empty() {
        match to.write(&flow.waiting) {
            Ok(written) => drop(flow.waiting.drain(..written)),
            Err(error) if error.kind() == ErrorKind::WouldBlock => return Ok(()),
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    if flow.ended && !flow.told {
        flow.told = true;
        // A side that has closed already needs no word of it.
        let _ = to.shutdown(Shutdown::Write);
    }
    Ok(())
}
