//! Testing whether a worker that is started here could limit commands to listed programs.

use std::io;

use super::seccomp::{AllowedSockets, Filter};
use super::{confine, landlock, namespace};

/// Installs in this process, for good, what a worker installs. Fails if any part of it is missing.
pub(crate) fn try_all() -> io::Result<()> {
    if landlock::abi() == 0 {
        return Err(io::ErrorKind::Unsupported.into());
    }
    namespace::try_view()?;
    confine::forbid_privileges()?;
    Filter { sockets: AllowedSockets::All, no_memory_files: true, reports_programs: false }
        .install()
        .map(drop)
}
