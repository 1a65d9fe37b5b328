//! The executable's parts: the supervisor, its workers, and the processes that help them. All of it needs Linux.

mod confine;
mod descriptors;
mod forking;
mod landlock;
mod limits;
mod loader;
mod machine_memory;
mod namespace;
mod network;
mod networks;
mod pid_namespace;
mod probe;
mod processes;
mod program;
mod reaper;
mod rtnetlink;
mod seccomp;
mod secret_files;
mod signals;
mod standby;
mod state;
mod supervisor;
mod syscall;
mod sysv_ipc;
mod views;
mod watchdog;
mod worker;

pub(crate) use probe::{try_all, try_network};
pub(crate) use supervisor::serve;
