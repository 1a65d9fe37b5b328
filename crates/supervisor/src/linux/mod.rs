//! The executable's parts: the supervisor, its workers, and the processes that help them. All of it needs Linux.

mod confine;
mod connect;
mod descriptors;
mod exec_watch;
mod forking;
mod landlock;
mod limits;
mod loader;
mod machine_memory;
mod mount_tree;
mod namespace;
mod network;
mod networks;
mod pid_namespace;
mod probe;
mod processes;
mod program;
mod reads;
mod reaper;
mod rtnetlink;
mod seccomp;
mod signals;
mod ssh;
mod standby;
mod state;
mod supervisor;
mod syscall;
mod sysv_ipc;
mod users;
mod view_root;
mod views;
mod watchdog;
mod worker;

pub(crate) use connect::{connect, is_connect};
pub(crate) use probe::{try_all, try_network};
pub(crate) use supervisor::serve;
