//! Tests of the supervisor as a process, in one program.
#![cfg(target_os = "linux")]

mod host;
mod networks;

mod protocol;
mod removal;
mod shortage;
mod shown;
mod swapped;
mod workers;
