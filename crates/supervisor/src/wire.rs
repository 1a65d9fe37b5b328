//! The encoding of messages: little-endian numbers, lists with their length first, and the fields of a message in order.
//! Decoding never panics: bytes that are not exactly one message give `None`.

use std::net::{IpAddr, Ipv6Addr, SocketAddr};

/// A value that is part of a message.
pub(crate) trait Wire: Sized {
    /// Appends the value to `bytes`.
    fn put(&self, bytes: &mut Vec<u8>);

    /// Takes a value off the front of `bytes`.
    fn take(bytes: &mut &[u8]) -> Option<Self>;

    /// Appends all values of a list.
    fn put_all(list: &[Self], bytes: &mut Vec<u8>) {
        for value in list {
            value.put(bytes);
        }
    }

    /// Takes `count` values off the front of `bytes`.
    fn take_all(count: usize, bytes: &mut &[u8]) -> Option<Vec<Self>> {
        // The count reserves no memory: a false one fails at the first missing value.
        (0..count).map(|_| Self::take(bytes)).collect()
    }
}

pub(crate) fn encode(message: &impl Wire) -> Vec<u8> {
    let mut bytes = Vec::new();
    message.put(&mut bytes);
    bytes
}

pub(crate) fn decode<T: Wire>(mut bytes: &[u8]) -> Option<T> {
    let message = T::take(&mut bytes)?;
    bytes.is_empty().then_some(message)
}

impl Wire for u8 {
    fn put(&self, bytes: &mut Vec<u8>) {
        bytes.push(*self);
    }

    fn take(bytes: &mut &[u8]) -> Option<Self> {
        bytes.split_off_first().copied()
    }

    fn put_all(list: &[Self], bytes: &mut Vec<u8>) {
        bytes.extend_from_slice(list);
    }

    fn take_all(count: usize, bytes: &mut &[u8]) -> Option<Vec<Self>> {
        bytes.split_off(..count).map(<[u8]>::to_vec)
    }
}

macro_rules! numbers {
    ($($number:ty),*) => {$(
        impl Wire for $number {
            fn put(&self, bytes: &mut Vec<u8>) {
                bytes.extend_from_slice(&self.to_le_bytes());
            }

            fn take(bytes: &mut &[u8]) -> Option<Self> {
                let (number, rest) = bytes.split_first_chunk()?;
                *bytes = rest;
                Some(Self::from_le_bytes(*number))
            }
        }
    )*};
}

numbers!(u16, u32, u64, i32);

impl Wire for bool {
    fn put(&self, bytes: &mut Vec<u8>) {
        u8::from(*self).put(bytes);
    }

    fn take(bytes: &mut &[u8]) -> Option<Self> {
        match u8::take(bytes)? {
            0 => Some(false),
            1 => Some(true),
            _ => None,
        }
    }
}

impl<T: Wire> Wire for Option<T> {
    fn put(&self, bytes: &mut Vec<u8>) {
        self.is_some().put(bytes);
        T::put_all(self.as_slice(), bytes);
    }

    fn take(bytes: &mut &[u8]) -> Option<Self> {
        if bool::take(bytes)? { T::take(bytes).map(Some) } else { Some(None) }
    }
}

impl<T: Wire> Wire for Vec<T> {
    fn put(&self, bytes: &mut Vec<u8>) {
        u32::try_from(self.len()).expect("lists are far below 4 Gi entries").put(bytes);
        T::put_all(self, bytes);
    }

    fn take(bytes: &mut &[u8]) -> Option<Self> {
        let count = usize::try_from(u32::take(bytes)?).ok()?;
        T::take_all(count, bytes)
    }
}

impl<T: Wire, const LENGTH: usize> Wire for [T; LENGTH] {
    fn put(&self, bytes: &mut Vec<u8>) {
        T::put_all(self, bytes);
    }

    fn take(bytes: &mut &[u8]) -> Option<Self> {
        T::take_all(LENGTH, bytes)?.try_into().ok()
    }
}

/// An address as the bytes of an IPv6 address, which has a form for every IPv4 address, and its port.
impl Wire for SocketAddr {
    fn put(&self, bytes: &mut Vec<u8>) {
        let octets = match self.ip() {
            IpAddr::V4(address) => address.to_ipv6_mapped().octets(),
            IpAddr::V6(address) => address.octets(),
        };
        octets.put(bytes);
        self.port().put(bytes);
    }

    fn take(bytes: &mut &[u8]) -> Option<Self> {
        let address = Ipv6Addr::from(<[u8; 16]>::take(bytes)?).to_canonical();
        Some(SocketAddr::new(address, u16::take(bytes)?))
    }
}

/// Encodes a struct as its fields in the order given here, and an enum as the number of its variant and then the fields of
/// that. `valid` is what a decoded struct has to fulfil.
macro_rules! wire {
    (struct $name:ident { $($field:ident),* $(,)? } $(valid $valid:expr)?) => {
        impl $crate::wire::Wire for $name {
            fn put(&self, bytes: &mut Vec<u8>) {
                $(self.$field.put(bytes);)*
            }

            fn take(bytes: &mut &[u8]) -> Option<Self> {
                Some($name { $($field: $crate::wire::Wire::take(bytes)?),* })$(.filter($valid))?
            }
        }
    };
    (enum $name:ident {
        $($number:literal => $variant:ident $({ $($field:ident),* })? $(($inner:ident))?),* $(,)?
    }) => {
        impl $crate::wire::Wire for $name {
            fn put(&self, bytes: &mut Vec<u8>) {
                match self {
                    $(Self::$variant $({ $($field),* })? $(($inner))? => {
                        bytes.push($number);
                        $($($field.put(bytes);)*)?
                        $($inner.put(bytes);)?
                    })*
                }
            }

            fn take(bytes: &mut &[u8]) -> Option<Self> {
                Some(match u8::take(bytes)? {
                    $($number => {
                        $(let $inner = $crate::wire::Wire::take(bytes)?;)?
                        Self::$variant
                            $({ $($field: $crate::wire::Wire::take(bytes)?),* })?
                            $(($inner))?
                    })*
                    _ => return None,
                })
            }
        }
    };
}

/// Lets other crates encode and decode whole messages.
macro_rules! messages {
    ($($name:ident),*) => {$(
        impl $name {
            /// The message as bytes.
            pub fn encode(&self) -> Vec<u8> {
                $crate::wire::encode(self)
            }

            /// The message that these bytes are, if they are one.
            pub fn decode(bytes: &[u8]) -> Option<Self> {
                $crate::wire::decode(bytes)
            }
        }
    )*};
}

pub(crate) use {messages, wire};
