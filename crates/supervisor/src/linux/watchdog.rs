//! The watchdog, which ends everything when the supervisor itself was killed.
//!
//! The supervisor reaps a worker that dies, and the workers end their runs when the supervisor dies. When both are killed at
//! once, for example because memory runs out, the processes of a run would become children of the machine's first process.
//! The watchdog is in the supervisor's Landlock domain, whose signal scope was verified. One `kill(-1)` from the watchdog
//! therefore reaches every process of the domain, whoever its parent is.

use std::io;
use std::os::fd::{AsRawFd, OwnedFd};
use std::time::Duration;

use handrail_supervisor::control_groups::{self, ControlGroups};

use super::descriptors;
use super::reaper::{self, KillMethod};
use super::state::State;
use super::syscall;

/// The name of the watchdog's process.
const PROCESS_NAME: &std::ffi::CStr = c"handrail-watch";
/// How long a supervisor may take to end after its host. It needs at most 2 s, and then the time to remove its folders.
const MAX_SUPERVISOR_EXIT_TIME: Duration = Duration::from_secs(3);
/// How long the watchdog waits for a host that may have been killed together with its supervisor.
const MAX_HOST_EXIT_TIME: Duration = Duration::from_secs(1);
/// How often the folders are removed, and the pause between two tries: processes that were killed may still make files.
const MAX_REMOVE_TRIES: u32 = 50;
const REMOVE_PAUSE: Duration = Duration::from_millis(10);

/// Forks the watchdog of this process, which is in a domain of its own with a verified signal scope.
pub(crate) fn fork(
    host: &OwnedFd,
    state: &State,
    groups: (&ControlGroups, &str),
) -> io::Result<i32> {
    let flags = rustix::process::PidfdFlags::empty();
    let supervisor = rustix::process::pidfd_open(rustix::process::getpid(), flags)?;
    syscall::fork(|| watch(&supervisor, host, state, groups))
}

/// Waits in the forked child until the supervisor is gone, and then ends the domain. A supervisor that ends in order has
/// ended its watchdog before.
fn watch(
    supervisor: &OwnedFd,
    host: &OwnedFd,
    state: &State,
    (groups, group_prefix): (&ControlGroups, &str),
) -> io::Result<()> {
    // A copy of the control socket or of a lifeline would hide the supervisor's end from other processes.
    let [above, own] = state.descriptors();
    let (supervisor_fd, host_fd) = (supervisor.as_raw_fd(), host.as_raw_fd());
    descriptors::close_all_but(&mut [supervisor_fd, host_fd, above, own])?;
    syscall::set_process_name(PROCESS_NAME);
    loop {
        let [supervisor_gone, host_gone] = reaper::wait_readable(&[supervisor, host], None);
        if supervisor_gone {
            break;
        }
        if host_gone {
            // A stopped supervisor does not end its workers. It is in the domain, so it is killed as well.
            reaper::wait_readable(&[supervisor], Some(MAX_SUPERVISOR_EXIT_TIME));
            break;
        }
    }
    reaper::kill_all(KillMethod::Domain);
    control_groups::remove_all(groups, group_prefix);
    let [host_gone] = reaper::wait_readable(&[host], Some(MAX_HOST_EXIT_TIME));
    if host_gone {
        // A host that is alive still reads spilled output in the folders, and removes them itself.
        for _ in 0..MAX_REMOVE_TRIES {
            if state.remove() {
                break;
            }
            std::thread::sleep(REMOVE_PAUSE);
        }
    }
    Ok(())
}
