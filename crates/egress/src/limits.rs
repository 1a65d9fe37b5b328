//! The bounds of the way out.

use std::time::Duration;

/// What a connection, and all of them together, may use.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Connections at one time. One more is answered with a refusal and closed. Default: 256.
    pub connections: usize,
    /// Bytes of a request's head, of an answer of the machine's own proxy, or of a `ClientHello`. Default: 64 KiB.
    pub head_bytes: usize,
    /// Time for a client to say which host it wants, and, where that is checked, for its first bytes to that host. Default: 30 s.
    pub head_time: Duration,
    /// Time for an answer about a host that is asked about. Default: 2 minutes.
    pub answer_time: Duration,
    /// Time to connect to a host, all of its addresses together. Default: 15 s.
    pub dial_time: Duration,
    /// Time without a byte in either direction after which a connection is closed. Default: 15 minutes.
    pub idle_time: Duration,
    /// The same for a connection of which one side has ended. Nobody can tell whether that side still reads or is gone, so what is
    /// gone holds its place no longer. Default: 15 s.
    pub half_closed_time: Duration,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            connections: 256,
            head_bytes: 64 << 10,
            head_time: Duration::from_secs(30),
            answer_time: Duration::from_secs(2 * 60),
            dial_time: Duration::from_secs(15),
            idle_time: Duration::from_secs(15 * 60),
            half_closed_time: Duration::from_secs(15),
        }
    }
}
