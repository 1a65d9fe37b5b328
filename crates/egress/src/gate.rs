//! What a client may send to the host that it was connected with. The first bytes are held back until they are known to name
//! that host.

use crate::authority::{Host, Target};
use crate::guard::Checks;
use crate::http::{self, Form};
use crate::http_body::Body;
use crate::refusal::{Reason, Refusal};
use crate::tls::{HANDSHAKE_RECORD, Hello, read_hello};

/// What may follow a method: a space, and what lenient servers take for one.
const BLANKS: &[u8] = b" \t\x0b\x0c\r";

/// The state of one connection's way to its host.
#[derive(Debug)]
pub(crate) enum Gate {
    /// The first bytes of a tunnel, not yet known.
    First { target: Target, checks: Checks, head_bytes: usize },
    /// Everything passes.
    Open,
    /// The body of one request passes, and nothing after it.
    Request(Body),
}

impl Gate {
    /// For a tunnel to a target. To an address or `localhost`, which was named as such, everything passes.
    pub(crate) fn for_tunnel(target: &Target, checks: Checks, head_bytes: usize) -> Self {
        match target.host {
            Host::Name(_) if checks.server_names || checks.hosts => {
                Self::First { target: target.clone(), checks, head_bytes }
            }
            _ => Self::Open,
        }
    }

    /// Whether bytes are held back that have to come before anything else passes.
    pub(crate) fn is_first(&self) -> bool {
        matches!(self, Self::First { .. })
    }

    /// Whether the client has to speak first, and in time.
    pub(crate) fn awaits_client(&self) -> bool {
        matches!(self, Self::First { target, checks, .. }
            if target.port == checks.tls_port || target.port == checks.http_port)
    }

    /// Moves what may pass from `pending` to `passed`.
    pub(crate) fn admit(
        &mut self,
        pending: &mut Vec<u8>,
        passed: &mut Vec<u8>,
    ) -> Result<(), Refusal> {
        if let Self::First { target, checks, head_bytes } = self {
            let next = match classify(pending, target, *checks) {
                First::Unknown if pending.len() < *head_bytes => return Ok(()),
                First::Unknown => return Err(too_long(target)),
                First::Tls => match judge_hello(pending, target)? {
                    true => Self::Open,
                    false if pending.len() < *head_bytes => return Ok(()),
                    false => return Err(too_long(target)),
                },
                First::Http => match http::rewrite(pending, &Form::Tunnel(target), true)? {
                    Some(request) => {
                        pending.drain(..request.bytes);
                        passed.extend_from_slice(&request.head);
                        Self::Request(Body::new(request.body))
                    }
                    None if pending.len() < *head_bytes => return Ok(()),
                    None => return Err(too_long(target)),
                },
                First::Other if checks.server_names && target.port == checks.tls_port => {
                    return Err(Refusal::new(target, Reason::NotTls));
                }
                First::Other if checks.hosts && target.port == checks.http_port => {
                    return Err(Refusal::new(target, Reason::NotHttp));
                }
                First::Other => Self::Open,
            };
            *self = next;
        }
        match self {
            Self::First { .. } => {}
            Self::Open => passed.append(pending),
            Self::Request(body) => {
                let admitted = body.admit(pending)?;
                passed.extend_from_slice(&pending[..admitted]);
                // The rest would be a second request.
                pending.clear();
            }
        }
        Ok(())
    }

    /// Whether the one request that may pass has passed whole.
    pub(crate) fn has_ended(&self) -> bool {
        matches!(self, Self::Request(body) if body.has_ended())
    }

    /// The client sends nothing more: what was held back passes, except where it had to name the host.
    pub(crate) fn end(&self, pending: &mut Vec<u8>, passed: &mut Vec<u8>) -> Result<(), Refusal> {
        match self {
            Self::First { target, .. } if self.awaits_client() && !pending.is_empty() => {
                Err(Refusal::new(target, Reason::Malformed("its first bytes are cut off")))
            }
            Self::First { .. } => {
                passed.append(pending);
                Ok(())
            }
            _ => Ok(()),
        }
    }

    /// The time for the first bytes is over.
    pub(crate) fn end_late(&self) -> Result<(), Refusal> {
        match self {
            Self::First { target, .. } => Err(Refusal::new(target, Reason::TooSlow)),
            _ => Ok(()),
        }
    }
}

fn too_long(target: &Target) -> Refusal {
    Refusal::new(target, Reason::Malformed("its head is too long"))
}

/// What the first bytes are.
enum First {
    /// Too few to know.
    Unknown,
    Tls,
    Http,
    Other,
}

fn classify(bytes: &[u8], target: &Target, checks: Checks) -> First {
    let tls_only = checks.server_names && target.port == checks.tls_port;
    match bytes {
        [] | [HANDSHAKE_RECORD] => First::Unknown,
        [HANDSHAKE_RECORD, 3, ..] if checks.server_names => First::Tls,
        _ if tls_only || !checks.hosts => First::Other,
        _ => classify_line(bytes),
    }
}

/// Whether the first line is a request of HTTP. A line that begins with a method, which is one word, is one if it names a version
/// anywhere, and this is known at its end only. Empty lines before it are skipped, as servers do.
fn classify_line(bytes: &[u8]) -> First {
    let start = bytes.iter().position(|byte| !b"\r\n".contains(byte));
    let Some(line) = start.map(|start| &bytes[start..]) else { return First::Unknown };
    match line.iter().position(|byte| !is_of_method(*byte)) {
        None => return First::Unknown,
        Some(end) if end > 0 && BLANKS.contains(&line[end]) => {}
        _ => return First::Other,
    }
    let end = line.iter().position(|byte| *byte == b'\n');
    let line = &line[..end.unwrap_or(line.len())];
    if line.windows(5).any(|window| window.eq_ignore_ascii_case(b"HTTP/")) {
        First::Http
    } else if end.is_some() {
        First::Other
    } else {
        First::Unknown
    }
}

/// Whether a method may have this byte: it is a token, RFC 9110.
fn is_of_method(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&byte)
}

/// Whether a `ClientHello` is whole; refuses one that does not name the target.
fn judge_hello(bytes: &[u8], target: &Target) -> Result<bool, Refusal> {
    match read_hello(bytes) {
        Hello::Incomplete => Ok(false),
        Hello::Malformed => Err(Refusal::new(target, Reason::NotTls)),
        Hello::Complete(None) => Err(Refusal::new(target, Reason::NoServerName)),
        Hello::Complete(Some(name)) if Host::parse(&name).is_ok_and(|host| host == target.host) => {
            Ok(true)
        }
        Hello::Complete(Some(_)) => Err(Refusal::new(target, Reason::OtherServerName)),
    }
}
