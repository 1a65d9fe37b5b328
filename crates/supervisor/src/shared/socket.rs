//! Sending and receiving whole messages with descriptors over `SOCK_SEQPACKET` sockets.
//!
//! A message that is too large for one packet travels in a sealed memory file, so its size is limited by [`MAX_MESSAGE_BYTES`]
//! and not by the buffer of the socket.

use std::io::{self, IoSlice, IoSliceMut};
use std::mem::MaybeUninit;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};

use rustix::fs::{MemfdFlags, SealFlags};
use rustix::io::Errno;
use rustix::net::{
    AddressFamily, RecvAncillaryBuffer, RecvAncillaryMessage, RecvFlags, ReturnFlags,
    SendAncillaryBuffer, SendAncillaryMessage, SendFlags, SocketFlags, SocketType,
};

/// The largest message that travels in a packet. A larger one travels in a memory file.
const MAX_INLINE_BYTES: usize = 8 * 1024;
/// The largest message. The kernel's own limit for arguments is 2 MiB by default.
pub const MAX_MESSAGE_BYTES: usize = 8 * 1024 * 1024;
/// How many descriptors come with one message, including its memory file.
const MAX_DESCRIPTORS: usize = 12;

const INLINE_TAG: u8 = 0;
const FILE_TAG: u8 = 1;

/// Makes a pair of connected packet sockets, which are closed on exec.
pub fn pair() -> io::Result<(OwnedFd, OwnedFd)> {
    let flags = SocketFlags::CLOEXEC;
    Ok(rustix::net::socketpair(AddressFamily::UNIX, SocketType::SEQPACKET, flags, None)?)
}

/// Sends one message as a whole, or fails without having sent anything.
pub fn send(
    socket: impl AsFd,
    message: &[u8],
    descriptors: &[BorrowedFd<'_>],
    flags: SendFlags,
) -> io::Result<()> {
    if message.len() > MAX_MESSAGE_BYTES {
        return Err(io::Error::from(io::ErrorKind::InvalidInput));
    }
    if message.len() <= MAX_INLINE_BYTES {
        return send_packet(socket, INLINE_TAG, message, descriptors, flags);
    }
    let file = memory_file(message)?;
    let mut all = Vec::with_capacity(descriptors.len() + 1);
    all.push(file.as_fd());
    all.extend_from_slice(descriptors);
    send_packet(socket, FILE_TAG, &[], &all, flags)
}

/// Makes a sealed anonymous file with these contents, positioned at its start.
pub fn memory_file(contents: &[u8]) -> io::Result<OwnedFd> {
    let flags = MemfdFlags::CLOEXEC | MemfdFlags::ALLOW_SEALING;
    let file = rustix::fs::memfd_create("handrail", flags)?;
    let mut written_bytes = 0;
    while written_bytes < contents.len() {
        written_bytes +=
            rustix::io::pwrite(&file, &contents[written_bytes..], written_bytes as u64)?;
    }
    let seals = SealFlags::WRITE | SealFlags::GROW | SealFlags::SHRINK | SealFlags::SEAL;
    rustix::fs::fcntl_add_seals(&file, seals)?;
    Ok(file)
}

fn send_packet(
    socket: impl AsFd,
    tag: u8,
    body: &[u8],
    descriptors: &[BorrowedFd<'_>],
    flags: SendFlags,
) -> io::Result<()> {
    let mut control_buffer =
        [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(MAX_DESCRIPTORS))];
    let mut control = SendAncillaryBuffer::new(&mut control_buffer);
    if !descriptors.is_empty() && !control.push(SendAncillaryMessage::ScmRights(descriptors)) {
        return Err(io::Error::from(io::ErrorKind::InvalidInput));
    }
    let parts = [IoSlice::new(std::slice::from_ref(&tag)), IoSlice::new(body)];
    loop {
        match rustix::net::sendmsg(&socket, &parts, &mut control, flags | SendFlags::NOSIGNAL) {
            Ok(_) => return Ok(()),
            Err(Errno::INTR) => {}
            Err(error) => return Err(error.into()),
        }
    }
}

/// A message that was received.
#[derive(Debug)]
pub struct Received {
    /// The message's bytes.
    pub message: Vec<u8>,
    /// The descriptors that came with it, which are closed on exec. If this process could not open all of them, these are the
    /// first.
    pub descriptors: Vec<OwnedFd>,
}

/// Receives one message. `Ok(None)` means that the other side is gone.
pub fn receive(socket: impl AsFd, flags: RecvFlags) -> io::Result<Option<Received>> {
    let mut tag = [0_u8];
    let mut body = vec![0_u8; MAX_INLINE_BYTES];
    let mut control_buffer =
        [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(MAX_DESCRIPTORS))];
    let mut control = RecvAncillaryBuffer::new(&mut control_buffer);
    let flags = flags | RecvFlags::CMSG_CLOEXEC;
    let result = loop {
        let mut parts = [IoSliceMut::new(&mut tag), IoSliceMut::new(&mut body)];
        match rustix::net::recvmsg(&socket, &mut parts, &mut control, flags) {
            Ok(result) => break result,
            Err(Errno::INTR) => {}
            // The other side ended without having read a message of ours.
            Err(Errno::CONNRESET) => return Ok(None),
            Err(error) => return Err(error.into()),
        }
    };
    let mut descriptors: Vec<OwnedFd> = Vec::new();
    for message in control.drain() {
        if let RecvAncillaryMessage::ScmRights(received) = message {
            descriptors.extend(received);
        }
    }
    if result.bytes == 0 {
        return Ok(None);
    }
    // The kernel leaves descriptors out when this process may open no more. Only the request that needed them fails then.
    if result.flags.contains(ReturnFlags::TRUNC) {
        return Err(io::Error::from(io::ErrorKind::InvalidData));
    }
    if tag[0] == FILE_TAG {
        if descriptors.is_empty() {
            return Err(io::Error::from(io::ErrorKind::InvalidData));
        }
        let file = descriptors.remove(0);
        return Ok(Some(Received { message: read_file(&file)?, descriptors }));
    }
    body.truncate(result.bytes - 1);
    Ok(Some(Received { message: body, descriptors }))
}

fn read_file(file: &OwnedFd) -> io::Result<Vec<u8>> {
    let size = usize::try_from(rustix::fs::fstat(file)?.st_size).unwrap_or(usize::MAX);
    if size > MAX_MESSAGE_BYTES {
        return Err(io::Error::from(io::ErrorKind::InvalidData));
    }
    let mut contents = vec![0; size];
    let mut read_bytes = 0;
    while read_bytes < size {
        let count = rustix::io::pread(file, &mut contents[read_bytes..], read_bytes as u64)?;
        if count == 0 {
            return Err(io::Error::from(io::ErrorKind::UnexpectedEof));
        }
        read_bytes += count;
    }
    Ok(contents)
}
