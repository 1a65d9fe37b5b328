//! Whether a worker that is started here would hold commands to listed programs.

use std::io;

use crate::landlock;
use crate::namespace;
use crate::seccomp::Filter;

/// Does in this process what a worker does, for good, and gives an error where something of it is missing.
pub(crate) fn try_all() -> io::Result<()> {
    if landlock::abi() == 0 {
        return Err(io::ErrorKind::Unsupported.into());
    }
    namespace::try_view()?;
    crate::confine::forbid_privileges()?;
    Filter { no_network: false, no_memory_files: true }.install()
}
