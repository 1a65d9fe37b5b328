//! Testing what a worker that is started here could hold commands to.

use std::io;

use super::seccomp::{AllowedSockets, Filter};
use super::{confine, landlock, namespace, network};

/// Installs in this process, for good, what a worker installs. Fails if any part of it is missing.
pub(crate) fn try_all() -> io::Result<()> {
    if landlock::abi() == 0 {
        return Err(io::ErrorKind::Unsupported.into());
    }
    namespace::try_view()?;
    confine::forbid_privileges()?;
    install(AllowedSockets::All, true)
}

/// Enters, for good, a network namespace as commands have it, and a view in it. Fails if any part of it is missing.
pub(crate) fn try_network() -> io::Result<()> {
    network::try_new()?;
    namespace::try_view()?;
    confine::forbid_privileges()?;
    install(AllowedSockets::OfNamespace, false)
}

fn install(sockets: AllowedSockets, no_memory_files: bool) -> io::Result<()> {
    Filter { sockets, no_memory_files, reports_programs: false, reports_renames: false }
        .install()
        .map(drop)
}
