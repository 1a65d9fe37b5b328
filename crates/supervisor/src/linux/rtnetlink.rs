//! The two changes of a network namespace's loopback interface that are needed, as requests of rtnetlink.

use std::io;
use std::net::IpAddr;
use std::os::fd::{AsRawFd, OwnedFd};

use super::syscall::{check, owned_fd};

/// The number of the loopback interface, which is the first one of every network namespace.
const LOOPBACK: u32 = 1;
/// The size of a header of a message, and of the number in front of an error's description.
const HEADER_BYTES: usize = 16;
const ERROR_BYTES: usize = 4;
/// The attribute of an address that says what it is.
const IFA_LOCAL: u16 = 2;
/// An IPv6 address is used at once: nobody else can have it.
const IFA_F_NODAD: u8 = 2;
/// An address that is known on this machine alone.
const RT_SCOPE_HOST: u8 = 254;

/// Brings the loopback interface of this process's namespace up.
pub(crate) fn start_loopback() -> io::Result<()> {
    let up = u32::try_from(libc::IFF_UP).unwrap_or(1);
    let mut body = vec![0; 4];
    for number in [LOOPBACK, up, up] {
        body.extend_from_slice(&number.to_ne_bytes());
    }
    request(libc::RTM_NEWLINK, 0, &body)
}

/// Gives the loopback interface of this process's namespace a further address. One that it has stays.
pub(crate) fn add_loopback_address(address: IpAddr) -> io::Result<()> {
    let (family, octets) = match address {
        IpAddr::V4(address) => (libc::AF_INET, address.octets().to_vec()),
        IpAddr::V6(address) => (libc::AF_INET6, address.octets().to_vec()),
    };
    let family = u8::try_from(family).map_err(io::Error::other)?;
    let prefix_bits = u8::try_from(octets.len() * 8).map_err(io::Error::other)?;
    let mut body = vec![family, prefix_bits, IFA_F_NODAD, RT_SCOPE_HOST];
    body.extend_from_slice(&LOOPBACK.to_ne_bytes());
    let attribute_bytes = u16::try_from(4 + octets.len()).map_err(io::Error::other)?;
    body.extend_from_slice(&attribute_bytes.to_ne_bytes());
    body.extend_from_slice(&IFA_LOCAL.to_ne_bytes());
    body.extend_from_slice(&octets);
    match request(libc::RTM_NEWADDR, libc::NLM_F_CREATE | libc::NLM_F_EXCL, &body) {
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Ok(()),
        done => done,
    }
}

/// Sends one request and waits for its answer.
fn request(kind: u16, flags: libc::c_int, body: &[u8]) -> io::Result<()> {
    let flags = flags | libc::NLM_F_REQUEST | libc::NLM_F_ACK;
    let length = u32::try_from(HEADER_BYTES + body.len()).map_err(io::Error::other)?;
    let mut message = Vec::with_capacity(HEADER_BYTES + body.len());
    message.extend_from_slice(&length.to_ne_bytes());
    message.extend_from_slice(&kind.to_ne_bytes());
    message.extend_from_slice(&u16::try_from(flags).map_err(io::Error::other)?.to_ne_bytes());
    // The number of the request, and the port of the sender, which the kernel fills in.
    message.extend_from_slice(&[0; 8]);
    message.extend_from_slice(body);
    let kind = libc::SOCK_RAW | libc::SOCK_CLOEXEC;
    // SAFETY: plain numbers.
    let socket = unsafe { libc::socket(libc::AF_NETLINK, kind, libc::NETLINK_ROUTE) };
    let socket: OwnedFd = owned_fd(socket)?;
    let (bytes, length) = (message.as_ptr().cast(), message.len());
    // SAFETY: the message is valid for the call and has the given size.
    let sent = unsafe { libc::send(socket.as_raw_fd(), bytes, length, 0) };
    check(sent as i64)?;
    let mut answer = [0_u8; 1024];
    // SAFETY: the buffer is valid for the call and has the given size.
    let received =
        unsafe { libc::recv(socket.as_raw_fd(), answer.as_mut_ptr().cast(), answer.len(), 0) };
    check(received as i64)?;
    let error = answer
        .get(HEADER_BYTES..HEADER_BYTES + ERROR_BYTES)
        .and_then(|bytes| <[u8; 4]>::try_from(bytes).ok())
        .map_or(libc::EIO, i32::from_ne_bytes);
    if error == 0 { Ok(()) } else { Err(io::Error::from_raw_os_error(-error)) }
}
