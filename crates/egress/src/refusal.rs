//! Why a connection was not made, and how each kind of client is told.

use std::fmt;
use std::net::IpAddr;

use crate::address::AddressKind;
use crate::allow_list::DEFAULT_PORTS;
use crate::authority::{Host, Target};

/// Why a connection was not made.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Reason {
    /// No entry names the host and port.
    NotAllowed,
    /// Somebody was asked about the host and port, and refused.
    NotApproved,
    /// Somebody was asked, and did not answer in time.
    NotAnswered,
    /// There is nobody who could be asked.
    NobodyAsked,
    /// As many hosts as may be are asked about.
    TooManyQuestions,
    /// The name leads to an address that is reached only where an entry names it.
    Special(IpAddr, AddressKind),
    /// The first bytes to port 443 are not TLS.
    NotTls,
    /// The first bytes to port 80 are not HTTP.
    NotHttp,
    /// TLS names no server.
    NoServerName,
    /// TLS names another server than the target.
    OtherServerName,
    /// `Host`, or the target of a request, is another host than the connection's.
    OtherHost,
    /// A request that two programs may read in two ways, or that is no request at all.
    Malformed(&'static str),
    /// A way of asking that is not spoken here.
    Unsupported(&'static str),
    /// The client did not say in time which host it wants.
    TooSlow,
    /// As many connections as there may be are open.
    TooMany,
    /// The name has no address.
    NotFound,
    /// The host did not answer, or not in time.
    NotReached,
    /// The proxy that this machine itself uses refused, with its status.
    Upstream(u16),
}

/// A reason, with the target that it is about, where that was known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// Where the connection was to lead.
    pub target: Option<Target>,
    /// Why it was not made.
    pub reason: Reason,
}

impl Refusal {
    pub(crate) fn new(target: &Target, reason: Reason) -> Self {
        Self { target: Some(target.clone()), reason }
    }

    /// Of a request whose target is not known.
    pub(crate) fn malformed(what: &'static str) -> Self {
        Self { target: None, reason: Reason::Malformed(what) }
    }

    /// Whether the target was refused, rather than not there or not in time.
    pub fn is_refused(&self) -> bool {
        !matches!(
            self.reason,
            Reason::TooSlow
                | Reason::TooMany
                | Reason::NotFound
                | Reason::NotReached
                | Reason::Upstream(_)
        )
    }

    /// The entry of the allow list that lifts this.
    pub fn lifting_entry(&self) -> Option<String> {
        let target = self.target.as_ref()?;
        match (&self.reason, &target.host) {
            (Reason::Special(address, _), _) => {
                Some(Target { host: Host::Address(*address), port: target.port }.to_string())
            }
            _ if !self.is_unnamed() => None,
            (_, Host::Name(name)) if DEFAULT_PORTS.contains(&target.port) => Some(name.clone()),
            _ => Some(target.to_string()),
        }
    }

    /// Whether it would not have been refused if an entry named the target.
    fn is_unnamed(&self) -> bool {
        matches!(
            self.reason,
            Reason::NotAllowed
                | Reason::NotApproved
                | Reason::NotAnswered
                | Reason::NobodyAsked
                | Reason::TooManyQuestions
        )
    }

    /// The status of the answer in HTTP.
    pub(crate) fn status(&self) -> u16 {
        match self.reason {
            Reason::NotAllowed
            | Reason::NotApproved
            | Reason::NotAnswered
            | Reason::NobodyAsked
            | Reason::TooManyQuestions
            | Reason::Special(..)
            | Reason::NotTls
            | Reason::NotHttp
            | Reason::NoServerName
            | Reason::OtherServerName => 403,
            Reason::OtherHost => 421,
            Reason::Malformed(_) => 400,
            Reason::Unsupported(_) => 501,
            Reason::TooSlow => 408,
            Reason::TooMany => 503,
            Reason::NotFound | Reason::Upstream(_) => 502,
            Reason::NotReached => 504,
        }
    }

    /// The reply in SOCKS5 (RFC 1928, 6).
    pub(crate) fn socks_reply(&self) -> u8 {
        match self.reason {
            Reason::NotFound => 4,
            Reason::NotReached | Reason::Upstream(_) => 5,
            Reason::Unsupported(_) => 7,
            Reason::TooMany | Reason::TooSlow | Reason::Malformed(_) => 1,
            _ => 2,
        }
    }

    /// The whole answer in HTTP. The sentence is in the status line as well, because clients show that and not the body.
    pub(crate) fn http_answer(&self) -> Vec<u8> {
        let body = format!("handrail: {self}\n");
        format!(
            "HTTP/1.1 {} handrail: {self}\r\nContent-Type: text/plain\r\nContent-Length: {}\r\n\
             Cache-Control: no-store\r\nConnection: close\r\n\r\n{body}",
            self.status(),
            body.len()
        )
        .into_bytes()
    }
}

/// Without the name of the program that says it.
impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.target {
            Some(target) => write!(f, "{target} ")?,
            None => f.write_str("the request ")?,
        }
        match &self.reason {
            Reason::NotAllowed => f.write_str("is not allowed (network.allow)"),
            Reason::NotApproved => f.write_str("was not approved (network: ask)"),
            Reason::NotAnswered => f.write_str("was not approved in time (network: ask)"),
            Reason::NobodyAsked => {
                f.write_str("needs approval, and nobody here can give it (network: ask)")
            }
            Reason::TooManyQuestions => {
                f.write_str("is refused: too many hosts are asked about (network: ask)")
            }
            Reason::Special(address, kind) => {
                write!(
                    f,
                    "leads to {address}, {}, which network.allow does not name",
                    kind.phrase()
                )
            }
            Reason::NotTls => f.write_str("is reached by TLS only"),
            Reason::NotHttp => f.write_str("is reached by HTTP only"),
            Reason::NoServerName => f.write_str("is reached only by TLS that names the server"),
            Reason::OtherServerName => f.write_str("is not the server that TLS names"),
            Reason::OtherHost => f.write_str("is not the host that the request names"),
            Reason::Malformed(what) | Reason::Unsupported(what) => {
                write!(f, "is refused: {what}")
            }
            Reason::TooSlow => f.write_str("came too slowly"),
            Reason::TooMany => f.write_str("is refused: too many connections are open"),
            Reason::NotFound => f.write_str("has no address"),
            Reason::NotReached => f.write_str("does not answer"),
            Reason::Upstream(status) => {
                write!(f, "is refused by the proxy of this machine with status {status}")
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::allow_list::AllowList;
    use crate::guard::Guard;

    #[test]
    fn the_advised_entries_lift_a_refusal() {
        for (target, address, expected) in [
            ("a.example:443", "1.1.1.1", "a.example"),
            ("a.example:22", "10.0.0.7", "a.example:22 10.0.0.7:22"),
            ("localhost:5432", "127.0.0.1", "localhost:5432"),
            ("10.0.0.7:443", "10.0.0.7", "10.0.0.7:443"),
            ("[fd00::1]:80", "fd00::1", "[fd00::1]:80"),
        ] {
            let target = Target::parse(target, None).unwrap();
            let address = address.parse().unwrap();
            let mut entries: Vec<String> = Vec::new();
            loop {
                let allow = AllowList::parse(&entries).unwrap();
                let guard = Guard::listed(allow);
                let judged = guard.judge_target(&target);
                match judged.and_then(|()| guard.judge_address(&target, address)) {
                    Ok(()) => break,
                    Err(refusal) => entries.push(refusal.lifting_entry().unwrap()),
                }
            }
            assert_eq!(entries.join(" "), expected);
        }
    }
}
