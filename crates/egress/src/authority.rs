//! Hosts and ports as requests and allow lists write them.

use std::fmt;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use crate::address::canonical;

/// Most bytes of a host name.
const MAX_NAME_BYTES: usize = 253;
/// Most bytes between two dots of a host name.
const MAX_LABEL_BYTES: usize = 63;

/// A host in its canonical form.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Host {
    /// The machine itself, by its usual name.
    Localhost,
    /// A name in lower case, without a dot at its end.
    Name(String),
    /// An address; an IPv4 address is never in a form of IPv6.
    Address(IpAddr),
}

impl Host {
    /// Reads a host. An IPv6 address stands in brackets.
    pub(crate) fn parse(text: &str) -> Result<Self, &'static str> {
        if let Some(rest) = text.strip_prefix('[') {
            let inner = rest.strip_suffix(']').ok_or("it has a bracket that is not closed")?;
            let address: Ipv6Addr = inner.parse().map_err(|_| "it is no IPv6 address")?;
            return Ok(Self::Address(canonical(address.into())));
        }
        let name = text.strip_suffix('.').unwrap_or(text);
        if ends_in_number(name) {
            let address: Ipv4Addr = name.parse().map_err(|_| {
                "it is an IPv4 address in another form than four decimal numbers without leading zeros"
            })?;
            return Ok(Self::Address(address.into()));
        }
        check_name(name)?;
        let name = name.to_ascii_lowercase();
        Ok(if name == "localhost" { Self::Localhost } else { Self::Name(name) })
    }
}

impl fmt::Display for Host {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Localhost => f.write_str("localhost"),
            Self::Name(name) => f.write_str(name),
            Self::Address(IpAddr::V4(address)) => write!(f, "{address}"),
            Self::Address(IpAddr::V6(address)) => write!(f, "[{address}]"),
        }
    }
}

/// A host and a port: where a connection is to lead.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Target {
    /// The host.
    pub host: Host,
    /// The port, which is not 0.
    pub port: u16,
}

impl Target {
    /// Reads `host:port`, with a port for a text that has none.
    pub(crate) fn parse(text: &str, default_port: Option<u16>) -> Result<Self, &'static str> {
        let (host, port) = split_port(text)?;
        let port = match port {
            Some(port) => parse_port(port)?,
            None => default_port.ok_or("it has no port")?,
        };
        Ok(Self { host: Host::parse(host)?, port })
    }
}

impl fmt::Display for Target {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.host, self.port)
    }
}

/// Splits a text into a host and the digits after its colon.
pub(crate) fn split_port(text: &str) -> Result<(&str, Option<&str>), &'static str> {
    let host_end = if text.starts_with('[') {
        text.find(']').ok_or("it has a bracket that is not closed")? + 1
    } else {
        text.find(':').unwrap_or(text.len())
    };
    let (host, rest) = text.split_at(host_end);
    match rest.strip_prefix(':') {
        Some(port) if port.contains(':') => Err("an IPv6 address stands in brackets"),
        Some(port) => Ok((host, Some(port))),
        None if rest.is_empty() => Ok((host, None)),
        None => Err("after a bracket stands something other than a port"),
    }
}

/// Reads a port: decimal digits without a sign or a leading zero.
pub(crate) fn parse_port(digits: &str) -> Result<u16, &'static str> {
    const BAD_PORT: &str = "its port is no number from 1 to 65535";
    let decimal = digits.bytes().all(|byte| byte.is_ascii_digit()) && !digits.starts_with('0');
    if decimal { digits.parse().map_err(|_| BAD_PORT) } else { Err(BAD_PORT) }
}

/// Whether the last label is a number, in decimal or hexadecimal: then the whole is an address for some programs.
fn ends_in_number(name: &str) -> bool {
    let last = name.rsplit('.').next().unwrap_or(name);
    let hexadecimal = last.strip_prefix("0x").or_else(|| last.strip_prefix("0X"));
    let decimal = !last.is_empty() && last.bytes().all(|byte| byte.is_ascii_digit());
    decimal || hexadecimal.is_some_and(|digits| digits.bytes().all(|byte| byte.is_ascii_hexdigit()))
}

/// Checks the characters and lengths of a name.
pub(crate) fn check_name(name: &str) -> Result<(), &'static str> {
    if !name.is_ascii() {
        return Err("it has letters beyond ASCII: write it in its `xn--` form");
    }
    if name.is_empty() || name.len() > MAX_NAME_BYTES {
        return Err("it is empty or longer than a host name can be");
    }
    for label in name.split('.') {
        if label.is_empty() || label.len() > MAX_LABEL_BYTES {
            return Err("between two of its dots stands nothing, or more than 63 characters");
        }
        if !label.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_') {
            return Err("it has a character that no host name has");
        }
    }
    Ok(())
}
