//! Attempts to get past the way out, each with the check that stops it switched off as well, on sockets of loopback.
#![cfg(target_os = "linux")]
#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod attempts;
mod bounds;
mod fixture;
mod protocols;
mod upstream;
