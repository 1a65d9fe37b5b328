//! Who is at the other end of a Unix socket.

use napi_derive::napi;

/// The process at the other end of a Unix socket.
#[napi(object)]
pub struct NativePeer {
    /// Its id; 0 where it is refused.
    pub pid: i32,
    /// Why it is not talked to: `other_user`, `command` for what a command started, or `unknown`. Absent where it is.
    #[napi(ts_type = "'other_user' | 'command' | 'unknown'")]
    pub refusal: Option<String>,
}

/// Looks at the process at the other end of a connected socket, by the descriptor of the socket.
#[napi(catch_unwind)]
pub fn peer(socket: i32) -> NativePeer {
    match handrail_process::peer(socket) {
        Ok(pid) => NativePeer { pid, refusal: None },
        Err(refusal) => NativePeer { pid: 0, refusal: Some(refusal.to_owned()) },
    }
}
