//! From names to addresses.

use std::io;
use std::net::{IpAddr, ToSocketAddrs};

/// Most addresses of a name that are looked at.
const MAX_ADDRESSES: usize = 16;

/// Finds the addresses of a name.
pub trait Resolve: Send + Sync {
    /// The addresses of a name, which is in its canonical form. May block.
    fn resolve(&self, name: &str) -> io::Result<Vec<IpAddr>>;
}

/// The resolver of the machine: its name service, `/etc/hosts` included.
#[derive(Debug, Default)]
pub struct SystemResolver;

impl Resolve for SystemResolver {
    fn resolve(&self, name: &str) -> io::Result<Vec<IpAddr>> {
        let mut addresses: Vec<IpAddr> = Vec::new();
        for address in (name, 0).to_socket_addrs()?.map(|address| address.ip()) {
            if !addresses.contains(&address) && addresses.len() < MAX_ADDRESSES {
                addresses.push(address);
            }
        }
        Ok(addresses)
    }
}
