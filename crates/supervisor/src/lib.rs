//! The protocol between a host process and `handrail-supervisor`.
//!
//! The executable in this package is the only process that forks. This library is what its client
//! (`handrail-process`) needs to talk to it, and nothing else: message types, their encoding, sending
//! them together with file descriptors over a `SOCK_SEQPACKET` socket, and holding and removing
//! folders that both may have to remove. Everything but the messages needs Linux.

mod codec;
#[cfg(target_os = "linux")]
pub mod folder;
pub mod message;
pub mod platform;
#[cfg(target_os = "linux")]
pub mod removal;
#[cfg(target_os = "linux")]
pub mod socket;

/// The argument with which the executable serves nobody: it succeeds where its workers could hold commands to listed
/// programs.
pub const PROBE: &str = "probe";

/// Both sides refuse to talk to another version: they are always shipped together.
pub const PROTOCOL_VERSION: u32 = 3;
