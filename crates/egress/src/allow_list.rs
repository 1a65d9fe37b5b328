//! The allow list: which hosts are reached, at which ports.

use std::fmt;
use std::net::IpAddr;

use crate::authority::{Host, Target, check_name, parse_port, split_port};

/// Most entries of a list.
pub const MAX_ENTRIES: usize = 1024;
/// The ports of an entry that names none.
pub(crate) const DEFAULT_PORTS: [u16; 2] = [443, 80];

/// The hosts that are reached. Empty means none.
#[derive(Clone, Debug, Default)]
pub struct AllowList {
    entries: Vec<Entry>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Entry {
    pattern: Pattern,
    /// None stands for [`DEFAULT_PORTS`].
    port: Option<u16>,
    /// Whether a name of it may lead into this machine's own network.
    is_trusted: bool,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Pattern {
    Host(Host),
    /// Every name that ends with this text, which begins with a dot.
    Subdomains(String),
}

/// An entry that cannot be read.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct EntryError {
    /// The position of the entry in the list.
    pub index: usize,
    /// Why, as the rest of a sentence about the entry.
    pub reason: &'static str,
}

impl fmt::Display for EntryError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "entry {} cannot be read: {}", self.index, self.reason)
    }
}

impl std::error::Error for EntryError {}

impl AllowList {
    /// Reads entries: `host`, `*.host`, an IPv4 address, an IPv6 address in brackets, or `localhost`, each with `:port` or, for
    /// ports 443 and 80, without.
    pub fn parse<S: AsRef<str>>(entries: &[S]) -> Result<Self, EntryError> {
        if entries.len() > MAX_ENTRIES {
            let reason = "there are more than 1024 entries";
            return Err(EntryError { index: MAX_ENTRIES, reason });
        }
        let read = |(index, text): (usize, &S)| {
            Entry::parse(text.as_ref()).map_err(|reason| EntryError { index, reason })
        };
        Ok(Self { entries: entries.iter().enumerate().map(read).collect::<Result<_, _>>()? })
    }

    /// Adds the entries of another list. A name of theirs may lead to any address but that of a metadata service: the machine's
    /// own settings name it, and its own name service says where it is.
    #[must_use]
    pub fn with_trusted(mut self, trusted: Self) -> Self {
        let entries = trusted.entries.into_iter();
        self.entries.extend(entries.map(|entry| Entry { is_trusted: true, ..entry }));
        self
    }

    /// The entries that need a listener of their own where commands are: the ports of `localhost` and of addresses. Clients that
    /// know no proxy reach them there.
    pub fn addresses(&self) -> Vec<Target> {
        let mut targets: Vec<Target> = Vec::new();
        for Entry { pattern, port, .. } in &self.entries {
            let Pattern::Host(host @ (Host::Localhost | Host::Address(_))) = pattern else {
                continue;
            };
            for port in port.as_ref().map_or(DEFAULT_PORTS.as_slice(), std::slice::from_ref) {
                let target = Target { host: host.clone(), port: *port };
                if !targets.contains(&target) {
                    targets.push(target);
                }
            }
        }
        targets
    }

    /// Whether an entry names this host and port.
    pub(crate) fn names(&self, target: &Target) -> bool {
        self.entries.iter().any(|entry| entry.has(target))
    }

    /// Whether an entry that is trusted names this host and port.
    pub(crate) fn trusts(&self, target: &Target) -> bool {
        self.entries.iter().any(|entry| entry.is_trusted && entry.has(target))
    }

    /// Whether an entry that is an address, or `localhost`, names this address and port.
    pub(crate) fn names_address(&self, address: IpAddr, port: u16) -> bool {
        self.names(&Target { host: Host::Address(address), port })
    }
}

impl Entry {
    fn parse(text: &str) -> Result<Self, &'static str> {
        if text.contains("://") {
            return Err("leave out the scheme, such as `https://`");
        }
        if text.contains('/') {
            return Err("leave out the path: what is allowed is a host and a port");
        }
        if text.contains('@') {
            return Err("leave out the user: what is allowed is a host and a port");
        }
        let (host, port) = split_port(text)?;
        let port = port.map(parse_port).transpose()?;
        let pattern = match host.strip_prefix('*') {
            Some("") => return Err("`*` alone is every host: ask for the network `any`"),
            Some(rest) => {
                let name = rest.strip_prefix('.').ok_or("`*` is followed by a dot and a name")?;
                check_name(name)?;
                if !matches!(Host::parse(name)?, Host::Name(_)) {
                    return Err("`*.` is followed by a name, not by an address or `localhost`");
                }
                Pattern::Subdomains(rest.to_ascii_lowercase())
            }
            None => Pattern::Host(one_host(Host::parse(host)?)?),
        };
        Ok(Self { pattern, port, is_trusted: false })
    }

    fn has(&self, target: &Target) -> bool {
        self.has_port(target.port) && self.has_host(&target.host)
    }

    fn has_port(&self, port: u16) -> bool {
        self.port.map_or_else(|| DEFAULT_PORTS.contains(&port), |own| own == port)
    }

    fn has_host(&self, host: &Host) -> bool {
        match (&self.pattern, host) {
            (Pattern::Subdomains(suffix), Host::Name(name)) => {
                name.len() > suffix.len() && name.ends_with(suffix)
            }
            (Pattern::Subdomains(_), _) => false,
            (Pattern::Host(Host::Localhost), Host::Address(address)) if address.is_loopback() => {
                true
            }
            (Pattern::Host(own), host) => own == host,
        }
    }
}

/// Refuses the addresses that no single host has, and those that need an interface besides.
fn one_host(host: Host) -> Result<Host, &'static str> {
    let Host::Address(address) = host else { return Ok(host) };
    let is_one = match address {
        IpAddr::V4(address) => !address.is_broadcast(),
        IpAddr::V6(address) => !address.is_unicast_link_local(),
    };
    if !is_one || address.is_unspecified() || address.is_multicast() {
        return Err("this address is not that of one host");
    }
    Ok(host)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(entries: &[&str], target: &str) -> bool {
        let target = Target::parse(target, None).unwrap();
        AllowList::parse(entries).unwrap().names(&target)
    }

    #[test]
    fn entries_name_their_hosts_and_ports_and_no_others() {
        for (entry, target, named) in [
            ("a.example", "a.example:443", true),
            ("a.example", "a.example:80", true),
            ("a.example", "a.example:8443", false),
            ("a.example", "b.a.example:443", false),
            ("a.example", "xa.example:443", false),
            ("A.Example.", "a.example:443", true),
            ("a.example", "A.EXAMPLE.:443", true),
            ("a.example:8443", "a.example:443", false),
            ("*.example.org", "x.example.org:443", true),
            ("*.example.org", "x.y.example.org:443", true),
            ("*.example.org", "example.org:443", false),
            ("*.example.org", "xexample.org:443", false),
            ("10.0.0.7:5432", "10.0.0.7:5432", true),
            ("10.0.0.7:5432", "[::ffff:10.0.0.7]:5432", true),
            ("[::ffff:10.0.0.7]:5432", "10.0.0.7:5432", true),
            ("[FD00::1]:1", "[fd00:0::1]:1", true),
            ("localhost:5432", "localhost:5432", true),
            ("localhost:5432", "LOCALHOST.:5432", true),
            ("localhost:5432", "127.0.0.1:5432", true),
            ("localhost:5432", "[::1]:5432", true),
            ("localhost:5432", "x.localhost:5432", false),
            ("127.0.0.1:5432", "localhost:5432", false),
        ] {
            assert_eq!(names(&[entry], target), named, "{entry} {target}");
        }
        assert!(!names(&[], "a.example:443"));
    }

    #[test]
    fn entries_that_could_mean_two_things_are_refused() {
        for entry in [
            "",
            "*",
            "*.",
            "*a.example",
            "a.*.example",
            "*.*.example",
            "*.1.2.3.4",
            "*.localhost",
            "https://a.example",
            "a.example/x",
            "u@a.example",
            "a.example:",
            "a.example:0",
            "a.example:080",
            "a.example:65536",
            "a.example:+80",
            "a.example:80:80",
            "a..example",
            ".a.example",
            "a b",
            "a\n",
            "fd00::1",
            "[fd00::1",
            "[fd00::1]x",
            "[fe80::1%eth0]",
            "0.0.0.0:5432",
            "[::]:80",
            "224.0.0.1",
            "255.255.255.255:80",
            "[fe80::1]:80",
            "[ff02::1]",
            "[10.0.0.1]",
            "127.1",
            "0x7f000001",
            "0177.0.0.1",
            "2130706433",
            "1.2.3.4.5",
            "a.0x1",
            "bücher.example",
            "a.example..",
            "a%2eexample",
        ] {
            assert!(AllowList::parse(&[entry]).is_err(), "{entry:?}");
        }
        let long = format!("{}.example", "a".repeat(64));
        assert!(AllowList::parse(&[long]).is_err());
        assert!(AllowList::parse(&vec!["a.example"; MAX_ENTRIES]).is_ok());
        assert!(AllowList::parse(&vec!["a.example"; MAX_ENTRIES + 1]).is_err());
    }

    #[test]
    fn trusted_entries_name_what_the_others_name() {
        let [listed, trusted] = [["a.example"], ["b.example:8080"]];
        let list = AllowList::parse(&listed).unwrap();
        let list = list.with_trusted(AllowList::parse(&trusted).unwrap());
        for (target, is_named, is_trusted) in [
            ("a.example:443", true, false),
            ("b.example:8080", true, true),
            ("b.example:443", false, false),
        ] {
            let target = Target::parse(target, None).unwrap();
            assert_eq!((list.names(&target), list.trusts(&target)), (is_named, is_trusted));
        }
    }

    #[test]
    fn addresses_get_listeners_at_each_port() {
        let entries =
            ["a.example:1", "localhost:2", "10.0.0.7:3", "10.0.0.8", "localhost:2", "[::1]:4"];
        let list = AllowList::parse(&entries).unwrap();
        let targets: Vec<_> = list.addresses().iter().map(ToString::to_string).collect();
        assert_eq!(
            targets,
            ["localhost:2", "10.0.0.7:3", "10.0.0.8:443", "10.0.0.8:80", "[::1]:4"]
        );
    }
}
