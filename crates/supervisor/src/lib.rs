//! The protocol between a host process and `handrail-supervisor`.
//!
//! The executable in this package is the only process that forks. This library holds what its client (`handrail-process`)
//! needs to talk to it, and nothing else: the messages and their encoding, sending them together with file descriptors over
//! a `SOCK_SEQPACKET` socket, and holding and removing folders that either side may have to remove. Everything but the
//! messages needs Linux.

pub mod message;
pub mod platform;
#[cfg(target_os = "linux")]
mod shared;
mod wire;

#[cfg(target_os = "linux")]
pub use shared::{control_groups, folder, mount_table, peer, proc, removal, socket};

/// The argument that makes the executable only test this system: it succeeds if workers here could limit commands to listed
/// programs.
pub const PROBE: &str = "probe";
/// The argument with which the supervisor tests whether it could give commands a network namespace, and does nothing else.
pub const NETWORK_PROBE: &str = "probe-network";

/// The name under which the executable is the program that `ssh` reaches its server by. See `connect` in the executable.
pub const CONNECT_NAME: &str = "handrail-connect";

/// The version of the protocol. Either side refuses to talk to another version: both are always shipped together.
pub const PROTOCOL_VERSION: u32 = 9;
