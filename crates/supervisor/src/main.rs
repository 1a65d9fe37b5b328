//! `handrail-supervisor`: the only process of Handrail that forks.
//!
//! It is started by a host with an empty environment and one socket as standard input. It keeps a
//! pool of single-threaded workers for that host, and when the host goes, for whatever reason,
//! everything that was ever started goes with it. It is not meant to be run by hand.
//!
//! It runs on Linux. Elsewhere it says so and ends: the packages for other systems have it too, so that
//! all are laid out alike.

#[cfg(target_os = "linux")]
mod confine;
#[cfg(target_os = "linux")]
mod descriptors;
#[cfg(target_os = "linux")]
mod forking;
#[cfg(target_os = "linux")]
mod keyed;
#[cfg(target_os = "linux")]
mod landlock;
#[cfg(target_os = "linux")]
mod loader;
#[cfg(target_os = "linux")]
mod namespace;
#[cfg(target_os = "linux")]
mod pid_namespace;
#[cfg(target_os = "linux")]
mod probe;
#[cfg(target_os = "linux")]
mod processes;
#[cfg(target_os = "linux")]
mod program;
#[cfg(target_os = "linux")]
mod reaper;
#[cfg(target_os = "linux")]
mod seccomp;
#[cfg(target_os = "linux")]
mod signals;
#[cfg(target_os = "linux")]
mod standby;
#[cfg(target_os = "linux")]
mod state;
#[cfg(target_os = "linux")]
mod supervisor;
#[cfg(target_os = "linux")]
mod views;
#[cfg(target_os = "linux")]
mod watchdog;
#[cfg(target_os = "linux")]
mod worker;

use std::process::ExitCode;

#[cfg(target_os = "linux")]
fn main() -> ExitCode {
    let asked = std::env::args_os().nth(1);
    let done = match asked.as_deref().and_then(std::ffi::OsStr::to_str) {
        Some(handrail_supervisor::PROBE) => probe::try_all(),
        _ => supervisor::serve(),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        // Nobody reads our standard error; the exit code is all the host can see.
        Err(error) if error.kind() == std::io::ErrorKind::InvalidInput => ExitCode::from(2),
        Err(_) => ExitCode::FAILURE,
    }
}

#[cfg(not(target_os = "linux"))]
fn main() -> ExitCode {
    use std::io::Write as _;
    let why = handrail_supervisor::platform::refusal();
    // Hosts do not start it here: whoever did, by hand, may read this.
    let _ = writeln!(std::io::stderr(), "handrail-supervisor: {why}");
    ExitCode::FAILURE
}
