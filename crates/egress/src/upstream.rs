//! The proxy that the machine itself has to use, if any.

use std::fmt;
use std::net::IpAddr;

use crate::authority::{Host, Target, split_port};

/// The ports of a proxy's URL without one: the scheme's.
const DEFAULT_PORT: u16 = 80;

/// The proxies of the machine, as its variables name them.
#[derive(Clone, Default)]
pub struct Upstream {
    /// For tunnels: `HTTPS_PROXY`.
    https: Option<Proxy>,
    /// For plain HTTP: `HTTP_PROXY`.
    http: Option<Proxy>,
    /// Hosts that are reached without: `NO_PROXY`.
    direct: Vec<Direct>,
}

#[derive(Clone)]
pub(crate) struct Proxy {
    pub(crate) host: Host,
    pub(crate) port: u16,
    /// The header with the credentials of the URL, complete with its line end, or empty. Shown nowhere.
    pub(crate) authorization: String,
}

#[derive(Clone, Debug)]
enum Direct {
    Everything,
    Host(Host, Option<u16>),
    /// A name and every name below it.
    Domain(String, Option<u16>),
    Network(IpAddr, u32),
}

/// A variable that names a proxy in a way that is not spoken here. The value, which may hold a password, is not shown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UpstreamError {
    /// The name of the variable.
    pub variable: &'static str,
    /// Why, as the rest of a sentence about the variable.
    pub reason: &'static str,
}

impl fmt::Display for UpstreamError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{} of this machine names no proxy that can be used: {}. Give the host an `http://` proxy there, or none",
            self.variable, self.reason
        )
    }
}

impl std::error::Error for UpstreamError {}

impl fmt::Debug for Upstream {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names = [self.https.is_some(), self.http.is_some()];
        f.debug_struct("Upstream").field("proxies", &names).field("direct", &self.direct).finish()
    }
}

impl Upstream {
    /// Reads the values of `HTTPS_PROXY`, `HTTP_PROXY` and `NO_PROXY`. An empty value is none.
    pub fn new(https: &str, http: &str, no_proxy: &str) -> Result<Self, UpstreamError> {
        let read = |variable, value| {
            Proxy::parse(value).map_err(|reason| UpstreamError { variable, reason })
        };
        Ok(Self {
            https: read("HTTPS_PROXY", https)?,
            http: read("HTTP_PROXY", http)?,
            direct: no_proxy
                .split([',', ' '])
                .filter_map(|entry| Direct::parse(entry.trim()))
                .collect(),
        })
    }

    /// The proxy for a tunnel to this target.
    pub(crate) fn for_tunnel(&self, target: &Target) -> Option<&Proxy> {
        self.https.as_ref().filter(|_| !self.is_direct(target))
    }

    /// The proxy for a request of plain HTTP to this target.
    pub(crate) fn for_http(&self, target: &Target) -> Option<&Proxy> {
        self.http.as_ref().filter(|_| !self.is_direct(target))
    }

    fn is_direct(&self, target: &Target) -> bool {
        let loopback = match target.host {
            Host::Localhost => true,
            Host::Address(address) => address.is_loopback(),
            Host::Name(_) => false,
        };
        loopback || self.direct.iter().any(|direct| direct.has(target))
    }
}

impl Proxy {
    fn parse(value: &str) -> Result<Option<Self>, &'static str> {
        let value = value.trim();
        if value.is_empty() {
            return Ok(None);
        }
        let rest = match value.split_once("://") {
            Some((scheme, rest)) if scheme.eq_ignore_ascii_case("http") => rest,
            Some(_) => return Err("its scheme is not `http://`"),
            None => value,
        };
        let authority = rest.split(['/', '?', '#']).next().unwrap_or_default();
        let (user, place) = match authority.rsplit_once('@') {
            Some((user, place)) => (Some(user), place),
            None => (None, authority),
        };
        let Target { host, port } = Target::parse(place, Some(DEFAULT_PORT))?;
        let authorization = match user {
            Some(user) => {
                let credentials = percent_decode(user).ok_or("its user is not percent-encoded")?;
                format!("Proxy-Authorization: Basic {}\r\n", base64(&credentials))
            }
            None => String::new(),
        };
        Ok(Some(Self { host, port, authorization }))
    }
}

impl Direct {
    /// Reads an entry. One that cannot be read names nothing: the proxy is used.
    fn parse(entry: &str) -> Option<Self> {
        if entry == "*" {
            return Some(Self::Everything);
        }
        if let Some((address, bits)) = entry.split_once('/') {
            return Some(Self::Network(address.parse().ok()?, bits.parse().ok()?));
        }
        if let Ok(address) = entry.parse::<IpAddr>() {
            return Some(Self::Host(Host::Address(address.to_canonical()), None));
        }
        let (host, port) = split_port(entry).ok()?;
        let port = port.map(str::parse).transpose().ok()?;
        let name = host.strip_prefix('*').unwrap_or(host);
        Some(match Host::parse(name.strip_prefix('.').unwrap_or(name)).ok()? {
            Host::Name(name) => Self::Domain(name, port),
            host => Self::Host(host, port),
        })
    }

    fn has(&self, target: &Target) -> bool {
        let has_port = |port: &Option<u16>| port.is_none_or(|port| port == target.port);
        match (self, &target.host) {
            (Self::Everything, _) => true,
            (Self::Host(host, port), own) => host == own && has_port(port),
            (Self::Domain(domain, port), Host::Name(name)) => {
                let below = name.strip_suffix(domain.as_str());
                below.is_some_and(|below| below.is_empty() || below.ends_with('.'))
                    && has_port(port)
            }
            (Self::Network(network, bits), Host::Address(address)) => {
                same_network(*network, *address, *bits)
            }
            _ => false,
        }
    }
}

fn same_network(network: IpAddr, address: IpAddr, bits: u32) -> bool {
    match (network, address) {
        (IpAddr::V4(network), IpAddr::V4(address)) if bits <= 32 => {
            (network.to_bits() ^ address.to_bits()).checked_shr(32 - bits).unwrap_or(0) == 0
        }
        (IpAddr::V6(network), IpAddr::V6(address)) if bits <= 128 => {
            (network.to_bits() ^ address.to_bits()).checked_shr(128 - bits).unwrap_or(0) == 0
        }
        _ => false,
    }
}

fn percent_decode(text: &str) -> Option<Vec<u8>> {
    let mut decoded = Vec::new();
    let mut bytes = text.bytes();
    while let Some(byte) = bytes.next() {
        decoded.push(if byte == b'%' {
            let digits = [bytes.next()?, bytes.next()?];
            u8::from_str_radix(std::str::from_utf8(&digits).ok()?, 16).ok()?
        } else {
            byte
        });
    }
    Some(decoded)
}

fn base64(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut text = String::new();
    for part in bytes.chunks(3) {
        let byte = |index: usize| u32::from(part.get(index).copied().unwrap_or(0));
        let group = byte(0) << 16 | byte(1) << 8 | byte(2);
        for index in 0..4u32 {
            let digit = (group >> (18 - 6 * index)) & 63;
            let used = (index as usize) <= part.len();
            text.push(if used { DIGITS[digit as usize] as char } else { '=' });
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn uses_proxy(no_proxy: &str, target: &str) -> bool {
        let upstream = Upstream::new("http://proxy.example:3128", "", no_proxy).unwrap();
        upstream.for_tunnel(&Target::parse(target, None).unwrap()).is_some()
    }

    #[test]
    fn no_proxy_names_hosts_domains_and_networks() {
        for (no_proxy, target, proxied) in [
            ("", "a.example:443", true),
            ("*", "a.example:443", false),
            ("a.example", "a.example:443", false),
            ("a.example", "b.a.example:443", false),
            (".a.example, x", "b.a.example:443", false),
            ("*.a.example", "b.a.example:443", false),
            ("a.example", "xa.example:443", true),
            ("a.example:8443", "a.example:443", true),
            ("10.0.0.0/8", "10.1.2.3:443", false),
            ("10.0.0.0/8", "11.1.2.3:443", true),
            ("0.0.0.0/0", "11.1.2.3:443", false),
            ("10.0.0.7", "10.0.0.7:443", false),
            ("fd00::/8", "[fd12::1]:443", false),
            ("", "localhost:443", false),
            ("", "127.0.0.1:443", false),
        ] {
            assert_eq!(uses_proxy(no_proxy, target), proxied, "{no_proxy} {target}");
        }
    }

    #[test]
    fn credentials_are_sent_and_not_shown() {
        let upstream = Upstream::new("http://user:p%40ss@[::1]:3128/", "", "").unwrap();
        let proxy = upstream.https.clone().unwrap();
        assert_eq!(proxy.authorization, "Proxy-Authorization: Basic dXNlcjpwQHNz\r\n");
        assert_eq!(proxy.port, 3128);
        assert!(!format!("{upstream:?}").contains("dXNlcjpwQHNz"));
        let error = Upstream::new("socks5://user:pass@proxy.example", "", "").unwrap_err();
        assert!(!error.to_string().contains("pass"));
        assert_eq!(
            ["", "f", "fo", "foo"].map(|text| base64(text.as_bytes())),
            ["", "Zg==", "Zm8=", "Zm9v"]
        );
    }
}
