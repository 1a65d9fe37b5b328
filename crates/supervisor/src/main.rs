//! `handrail-supervisor`: the only process of Handrail that forks.
//!
//! It is started by a host with an empty environment and one socket as standard input. It keeps a
//! pool of single-threaded workers for that host, and when the host goes, for whatever reason,
//! everything that was ever started goes with it. It is not meant to be run by hand.

mod confine;
mod descriptors;
mod forking;
mod processes;
mod program;
mod reaper;
mod signals;
mod standby;
mod state;
mod supervisor;
mod watchdog;
mod worker;

use std::process::ExitCode;

fn main() -> ExitCode {
    match supervisor::serve() {
        Ok(()) => ExitCode::SUCCESS,
        // Nobody reads our standard error; the exit code is all the host can see.
        Err(error) if error.kind() == std::io::ErrorKind::InvalidInput => ExitCode::from(2),
        Err(_) => ExitCode::FAILURE,
    }
}
