//! The addresses of this machine's interfaces.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};
use std::ptr;

/// Whether an address belongs to an interface of this machine, at this moment. Where the interfaces cannot be listed, every
/// address counts as one: nothing is reached by an error.
pub(crate) fn has(address: IpAddr) -> bool {
    let mut list: *mut libc::ifaddrs = ptr::null_mut();
    // SAFETY: `list` is a valid place for the pointer that the call writes.
    if unsafe { libc::getifaddrs(&raw mut list) } != 0 {
        return true;
    }
    let mut found = false;
    let mut next = list;
    while !next.is_null() {
        // SAFETY: the call made a list whose entries are valid until `freeifaddrs`.
        let entry = unsafe { &*next };
        found |= address_of(entry.ifa_addr) == Some(address);
        next = entry.ifa_next;
    }
    // SAFETY: `list` came from `getifaddrs`, and nothing refers to it any more.
    unsafe { libc::freeifaddrs(list) };
    found
}

/// The IP address in a socket address that may be null.
fn address_of(place: *const libc::sockaddr) -> Option<IpAddr> {
    // SAFETY: null, or a socket address of an entry of the list, which lives as long as that.
    match i32::from(unsafe { place.as_ref() }?.sa_family) {
        libc::AF_INET => {
            // SAFETY: the family says which structure this is.
            let address = unsafe { ptr::read_unaligned(place.cast::<libc::sockaddr_in>()) };
            Some(Ipv4Addr::from_bits(u32::from_be(address.sin_addr.s_addr)).into())
        }
        libc::AF_INET6 => {
            // SAFETY: likewise.
            let address = unsafe { ptr::read_unaligned(place.cast::<libc::sockaddr_in6>()) };
            Some(Ipv6Addr::from(address.sin6_addr.s6_addr).into())
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn loopback_is_an_address_of_this_machine() {
        assert!(has(Ipv4Addr::LOCALHOST.into()));
        assert!(!has(Ipv4Addr::new(1, 1, 1, 1).into()));
    }
}
