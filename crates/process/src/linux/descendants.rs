//! Killing the descendants of a process from here. That is for the one case in which nobody else can signal them: their
//! supervisor and its workers are frozen.

use std::collections::HashSet;

use handrail_supervisor::proc::{OWN_PROC, Stat, descendants_of};
use rustix::process::{Pid, PidfdFlags, Signal};

/// Most passes over /proc. Each finds the processes that were forked during the one before; a pass that finds nobody new is
/// the last.
const MAX_PASSES: u32 = 20;

/// Kills all descendants of this process. A frozen one dies when it is thawed.
pub(crate) fn kill_descendants(ancestor: u32) {
    let Ok(ancestor) = i32::try_from(ancestor) else { return };
    let mut signalled = HashSet::new();
    for _ in 0..MAX_PASSES {
        let mut found_new = false;
        for (pid, parent) in descendants_of(OWN_PROC, &[ancestor]) {
            if signalled.insert((pid, parent)) {
                found_new = true;
                kill_child(pid, parent);
            }
        }
        if !found_new {
            return;
        }
    }
}

/// Kills the process if it is still a child of `parent`: by now its id may be another's.
pub(crate) fn kill_child(pid: i32, parent: i32) {
    let Some(number) = Pid::from_raw(pid) else { return };
    let Ok(pidfd) = rustix::process::pidfd_open(number, PidfdFlags::empty()) else { return };
    if Stat::of(OWN_PROC, pid).and_then(|stat| stat.parent()) == Some(parent) {
        // A process that is gone needs no signal.
        let _ = rustix::process::pidfd_send_signal(pidfd, Signal::KILL);
    }
}

#[cfg(test)]
mod tests {
    use std::io::BufRead;
    use std::process::{Command, Stdio};

    use super::*;

    #[test]
    fn the_descendants_of_a_process_are_killed_and_nobody_else() {
        let mut other = Command::new("sleep").arg("60").spawn().unwrap();
        let script = "sleep 60 & (sleep 60 & echo ready; wait) & wait";
        let mut shell =
            Command::new("sh").args(["-c", script]).stdout(Stdio::piped()).spawn().unwrap();
        let mut line = String::new();
        std::io::BufReader::new(shell.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let ancestor = i32::try_from(shell.id()).unwrap();
        // Two of the shell, one of the shell in it.
        while descendants_of(OWN_PROC, &[ancestor]).len() < 3 {
            std::thread::yield_now();
        }
        let family = descendants_of(OWN_PROC, &[ancestor]);
        kill_descendants(shell.id());
        shell.wait().unwrap();
        for (pid, parent) in family {
            // Dead, or a zombie that nobody has waited for yet.
            while Stat::of(OWN_PROC, pid)
                .is_some_and(|stat| stat.parent() == Some(parent) && !stat.is_dead())
            {
                std::thread::yield_now();
            }
        }
        let processor_ticks =
            |pid: u32| Stat::of(OWN_PROC, pid.try_into().ok()?)?.processor_ticks();
        assert!(other.try_wait().unwrap().is_none());
        assert!(processor_ticks(other.id()).is_some());
        other.kill().unwrap();
        other.wait().unwrap();
        assert_eq!(processor_ticks(other.id()), None);
    }
}
