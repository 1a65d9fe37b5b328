//! Who is at the other end of a Unix socket, in a word for the caller.

use std::os::fd::RawFd;

use handrail_supervisor::peer::{self, PeerRefusal};

/// The id of the process at the other end of a connected socket, or why it is not talked to: `other_user`, `command` or
/// `unknown`.
pub fn peer(socket: RawFd) -> Result<i32, &'static str> {
    peer::peer(socket).map_err(|refusal| match refusal {
        PeerRefusal::OtherUser => "other_user",
        PeerRefusal::Command => "command",
        PeerRefusal::Unknown => "unknown",
    })
}
