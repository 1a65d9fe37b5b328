//! Processes below another one, as /proc shows them. For the one case in which nobody else can signal
//! them: their supervisor and its workers are frozen.

use std::collections::HashSet;
use std::fs;

use rustix::process::{Pid, PidfdFlags, Signal};

/// Passes over /proc; one that finds nobody new is the last. What forks meanwhile is found by the next.
const MAX_PASSES: u32 = 20;

/// Kills all that descend from this process. What is frozen dies when it is thawed.
pub(crate) fn kill_all(ancestor: u32) {
    let Ok(ancestor) = i32::try_from(ancestor) else { return };
    let mut signalled = HashSet::new();
    for _ in 0..MAX_PASSES {
        let new: Vec<(i32, i32)> = descendants_of(ancestor)
            .into_iter()
            .filter(|process| !signalled.contains(process))
            .collect();
        if new.is_empty() {
            return;
        }
        for (pid, parent) in new {
            kill(pid, parent);
            signalled.insert((pid, parent));
        }
    }
}

/// The processor time a process has used, in clock ticks; none for one that is gone.
pub(crate) fn processor_ticks(pid: u32) -> Option<u64> {
    let fields = fields(i32::try_from(pid).ok()?)?;
    let mut times = fields.split_ascii_whitespace().skip(11).map(str::parse::<u64>);
    Some(times.next()?.ok()? + times.next()?.ok()?)
}

/// Kills the process while this is still its parent: its number may be another's by now.
fn kill(pid: i32, of: i32) {
    let Some(number) = Pid::from_raw(pid) else { return };
    let Ok(pidfd) = rustix::process::pidfd_open(number, PidfdFlags::empty()) else { return };
    if parent(pid) == Some(of) {
        // A process that is gone needs no signal.
        let _ = rustix::process::pidfd_send_signal(pidfd, Signal::KILL);
    }
}

/// `(pid, parent)` of all below this process.
fn descendants_of(ancestor: i32) -> Vec<(i32, i32)> {
    let all = all();
    let mut found = Vec::new();
    let mut parents = vec![ancestor];
    while let Some(parent) = parents.pop() {
        let children = all.iter().filter(|&&(_, of)| of == parent);
        found.extend(children.clone());
        parents.extend(children.map(|&(pid, _)| pid));
    }
    found
}

fn all() -> Vec<(i32, i32)> {
    let Ok(entries) = fs::read_dir("/proc") else { return Vec::new() };
    entries
        .filter_map(|entry| entry.ok()?.file_name().to_str()?.parse::<i32>().ok())
        .filter_map(|pid| Some((pid, parent(pid)?)))
        .collect()
}

fn parent(pid: i32) -> Option<i32> {
    fields(pid)?.split_ascii_whitespace().nth(1)?.parse().ok()
}

/// The fields behind the name, which may hold anything: the state comes first.
fn fields(pid: i32) -> Option<String> {
    let stat = fs::read(format!("/proc/{pid}/stat")).ok()?;
    let after = stat.iter().rposition(|&byte| byte == b')')? + 1;
    Some(String::from_utf8_lossy(&stat[after..]).into_owned())
}

#[cfg(test)]
mod tests {
    use std::io::BufRead;
    use std::process::{Command, Stdio};

    use super::*;

    #[test]
    fn the_family_of_a_process_is_found_and_killed_and_nobody_else() {
        let mut other = Command::new("sleep").arg("60").spawn().unwrap();
        let script = "sleep 60 & (sleep 60 & echo ready; wait) & wait";
        let mut shell =
            Command::new("sh").args(["-c", script]).stdout(Stdio::piped()).spawn().unwrap();
        let mut line = String::new();
        std::io::BufReader::new(shell.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let ancestor = i32::try_from(shell.id()).unwrap();
        // Two of the shell, one of the shell in it.
        while descendants_of(ancestor).len() < 3 {
            std::thread::yield_now();
        }
        let family = descendants_of(ancestor);
        kill_all(shell.id());
        shell.wait().unwrap();
        for (pid, of) in family {
            // Dead, or a zombie that nobody has waited for yet.
            while parent(pid) == Some(of) && !fields(pid).is_none_or(|text| text.starts_with(" Z"))
            {
                std::thread::yield_now();
            }
        }
        assert!(other.try_wait().unwrap().is_none());
        assert!(processor_ticks(other.id()).is_some());
        other.kill().unwrap();
        other.wait().unwrap();
        assert_eq!(processor_ticks(other.id()), None);
    }
}
