//! Kinds of addresses that a public name has no business to lead to.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use crate::interfaces;

/// Why an address is reached only where an entry names it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum AddressKind {
    /// The service where a cloud machine asks for its own credentials.
    Metadata,
    /// The machine's loopback, or the unspecified address, which leads there.
    Loopback,
    /// Only on the cable or radio beside the machine.
    LinkLocal,
    /// A network that is not the Internet.
    Private,
    /// Many receivers.
    Multicast,
    /// Reserved, for documentation or without use.
    Reserved,
    /// An address of one of this machine's interfaces.
    Own,
}

impl AddressKind {
    /// The kind with its article, for sentences.
    pub fn phrase(self) -> &'static str {
        match self {
            Self::Metadata => "a metadata address",
            Self::Loopback => "a loopback address",
            Self::LinkLocal => "a link-local address",
            Self::Private => "a private address",
            Self::Multicast => "a multicast address",
            Self::Reserved => "a reserved address",
            Self::Own => "an address of this machine",
        }
    }
}

/// The address with an IPv4 address in IPv6's clothes (`::ffff:1.2.3.4`) taken out of them: the kernel reaches the same host.
pub(crate) fn canonical(address: IpAddr) -> IpAddr {
    address.to_canonical()
}

/// The kind of an address, or none where it is one of the public Internet and of another machine.
pub(crate) fn kind_of(address: IpAddr) -> Option<AddressKind> {
    let kind = match canonical(address) {
        IpAddr::V4(address) => kind_of_v4(address),
        IpAddr::V6(address) => kind_of_v6(address),
    };
    kind.or_else(|| interfaces::has(canonical(address)).then_some(AddressKind::Own))
}

fn kind_of_v4(address: Ipv4Addr) -> Option<AddressKind> {
    let kind = match address.octets() {
        // Of EC2 and most others, of Azure's host, of Alibaba, and of Oracle.
        [169, 254, 169, 254] | [168, 63, 129, 16] | [100, 100, 100, 200] | [192, 0, 0, 192] => {
            AddressKind::Metadata
        }
        [0 | 127, ..] => AddressKind::Loopback,
        [169, 254, ..] => AddressKind::LinkLocal,
        [10, ..]
        | [172, 16..=31, ..]
        | [192, 168, ..]
        | [100, 64..=127, ..]
        | [198, 18 | 19, ..] => AddressKind::Private,
        [224..=239, ..] => AddressKind::Multicast,
        [240..=255, ..]
        | [192, 0, 0 | 2, _]
        | [192, 88, 99, _]
        | [198, 51, 100, _]
        | [203, 0, 113, _] => AddressKind::Reserved,
        _ => return None,
    };
    Some(kind)
}

fn kind_of_v6(address: Ipv6Addr) -> Option<AddressKind> {
    let segments = address.segments();
    if let Some(inner) = translated(segments) {
        return kind_of_v4(inner);
    }
    let kind = match segments {
        [0xfd00, 0xec2, 0, 0, 0, 0, 0, 0x254] => AddressKind::Metadata,
        [0, 0, 0, 0, 0, 0, 0, 0 | 1] => AddressKind::Loopback,
        [0xfe80..=0xfebf, ..] => AddressKind::LinkLocal,
        // Unique local, the former site local, and a translator of this network's own.
        [0xfc00..=0xfdff | 0xfec0..=0xfeff, ..] | [0x64, 0xff9b, 1, ..] => AddressKind::Private,
        [0xff00..=0xffff, ..] => AddressKind::Multicast,
        // All that is not global unicast, and what of it is for documentation, benchmarks or Teredo.
        [0x2001, 0 | 2 | 0xdb8, ..] | [0x3fff, ..] => AddressKind::Reserved,
        [0x2000..=0x3fff, ..] => return None,
        _ => AddressKind::Reserved,
    };
    Some(kind)
}

/// The IPv4 address that a translator makes of this one: NAT64, 6to4, or the old compatible form.
fn translated(segments: [u16; 8]) -> Option<Ipv4Addr> {
    let (high, low) = match segments {
        [0x64, 0xff9b, 0, 0, 0, 0, high, low] | [0x2002, high, low, ..] => (high, low),
        [0, 0, 0, 0, 0, 0, high, low] if high != 0 => (high, low),
        _ => return None,
    };
    let ([a, b], [c, d]) = (high.to_be_bytes(), low.to_be_bytes());
    Some(Ipv4Addr::new(a, b, c, d))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kind(text: &str) -> Option<AddressKind> {
        kind_of(text.parse().unwrap())
    }

    #[test]
    fn public_addresses_have_no_kind() {
        for text in ["1.1.1.1", "172.32.0.1", "100.128.0.1", "2606:4700::1111", "64:ff9b::1.1.1.1"]
        {
            assert_eq!(kind(text), None, "{text}");
        }
    }

    #[test]
    fn special_addresses_have_their_kind_in_every_form() {
        use AddressKind::{LinkLocal, Loopback, Metadata, Multicast, Private, Reserved};
        for (kinds, texts) in [
            (Loopback, "127.0.0.1 127.9.9.9 0.0.0.0 0.1.2.3 ::1 :: ::ffff:127.0.0.1 ::127.0.0.1"),
            (Loopback, "64:ff9b::127.0.0.1 2002:7f00:1::1"),
            (Metadata, "169.254.169.254 fd00:ec2::254 ::ffff:169.254.169.254 64:ff9b::a9fe:a9fe"),
            (Metadata, "100.100.100.200 168.63.129.16 192.0.0.192"),
            (LinkLocal, "169.254.1.1 fe80::1 febf::1"),
            (Private, "10.0.0.1 172.16.0.1 172.31.255.255 192.168.1.1 100.64.0.1 198.18.0.1"),
            (Private, "fc00::1 fdff::1 fec0::1 64:ff9b:1::1 2002:a00:1:: ::ffff:10.0.0.1"),
            (Multicast, "224.0.0.1 239.255.255.255 ff02::1"),
            (
                Reserved,
                "240.0.0.1 255.255.255.255 192.0.2.1 203.0.113.9 2001:db8::1 2001::1 100::1",
            ),
        ] {
            for text in texts.split(' ') {
                assert_eq!(kind(text), Some(kinds), "{text}");
            }
        }
    }
}
