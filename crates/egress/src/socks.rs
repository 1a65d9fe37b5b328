//! SOCKS5 (RFC 1928): the greeting and the request. Without authentication, CONNECT only.

use std::io;
use std::net::{Ipv4Addr, Ipv6Addr};

use crate::address::canonical;
use crate::authority::{Host, Target};
use crate::connection::Client;
use crate::refusal::{Reason, Refusal};

/// First byte of what a client sends.
pub(crate) const VERSION: u8 = 5;
const CONNECT: u8 = 1;
const NO_AUTHENTICATION: u8 = 0;
const NO_ACCEPTABLE_METHOD: u8 = 0xff;
const IPV4: u8 = 1;
const NAME: u8 = 3;
const IPV6: u8 = 4;

/// A reply with an address of zeros: the address that was used is the host's matter.
pub(crate) fn reply(code: u8) -> [u8; 10] {
    [VERSION, code, 0, IPV4, 0, 0, 0, 0, 0, 0]
}

/// Reads what a client asks for. None for a client that ended or that cannot do without authentication.
pub(crate) fn read_target(client: &mut Client<'_>) -> io::Result<Option<Result<Target, Refusal>>> {
    let [_, methods] = client.take()?;
    let methods = client.take_bytes(methods.into())?;
    if !methods.contains(&NO_AUTHENTICATION) {
        client.send(&[VERSION, NO_ACCEPTABLE_METHOD])?;
        return Ok(None);
    }
    client.send(&[VERSION, NO_AUTHENTICATION])?;
    let [version, command, _, kind] = client.take()?;
    let host = match kind {
        IPV4 => Ok(Host::Address(Ipv4Addr::from(client.take::<4>()?).into())),
        IPV6 => Ok(Host::Address(canonical(Ipv6Addr::from(client.take::<16>()?).into()))),
        NAME => {
            let [length] = client.take()?;
            let name = client.take_bytes(length.into())?;
            let name = String::from_utf8(name).map_err(|_| "its host name is no text");
            name.and_then(|name| Host::parse(&name))
        }
        _ => Err("its address is of an unknown kind"),
    };
    let port = u16::from_be_bytes(client.take()?);
    Ok(Some(match host {
        _ if version != VERSION => Err(Refusal::malformed("its version is not 5")),
        Err(what) => Err(Refusal::malformed(what)),
        Ok(_) if port == 0 => Err(Refusal::malformed("its port is 0")),
        Ok(host) if command != CONNECT => {
            let reason = Reason::Unsupported("only CONNECT of SOCKS5 is spoken");
            Err(Refusal::new(&Target { host, port }, reason))
        }
        Ok(host) => Ok(Target { host, port }),
    }))
}
