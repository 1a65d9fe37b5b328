//! `handrail-supervisor`: the only process of Handrail that forks.
//!
//! A host starts it with an empty environment and one socket as standard input. It keeps a pool of single-threaded workers
//! for that host. When the host ends, for whatever reason, everything that was ever started ends with it. Nobody is meant to
//! run it by hand.
//!
//! It needs Linux. On other systems it says so and exits: their packages contain it too, so that all packages have the same
//! layout.

#[cfg(target_os = "linux")]
mod linux;

use std::process::ExitCode;

#[cfg(target_os = "linux")]
fn main() -> ExitCode {
    let mut arguments = std::env::args_os();
    if arguments.next().is_some_and(|name| linux::is_connect(&name)) {
        return linux::connect();
    }
    let argument = arguments.next();
    let done = match argument.as_deref().and_then(std::ffi::OsStr::to_str) {
        Some(handrail_supervisor::PROBE) => linux::try_all(),
        Some(handrail_supervisor::NETWORK_PROBE) => linux::try_network(),
        _ => linux::serve(),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        // Nobody reads our standard error: the exit code is all that the host can see.
        Err(error) if error.kind() == std::io::ErrorKind::InvalidInput => ExitCode::from(2),
        Err(_) => ExitCode::FAILURE,
    }
}

#[cfg(not(target_os = "linux"))]
fn main() -> ExitCode {
    use std::io::Write as _;
    let why = handrail_supervisor::platform::refusal();
    // No host starts it on this system, so whoever did it by hand may read this.
    let _ = writeln!(std::io::stderr(), "handrail-supervisor: {why}");
    ExitCode::FAILURE
}
