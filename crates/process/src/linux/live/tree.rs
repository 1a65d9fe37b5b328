//! The processes of a session.

use std::fs;

use handrail_supervisor::proc::{OWN_PROC, Stat};

/// Most processes of one session that are examined.
const MAX_PROCESSES: usize = 256;
/// Most threads of one process that are examined.
pub(crate) const MAX_THREADS: usize = 64;

/// The descendants of a worker. Each parent comes before its children.
pub(crate) struct Tree {
    /// Each process, and the position of its parent in this list, unless the parent is the worker.
    processes: Vec<(i32, Option<usize>)>,
    /// Whether there are more than [`MAX_PROCESSES`].
    is_cut: bool,
}

impl Tree {
    /// The descendants of a process, as the threads of each process list their children.
    pub(crate) fn of(worker: i32) -> Tree {
        let mut processes: Vec<(i32, Option<usize>)> =
            children_of(worker).into_iter().map(|pid| (pid, None)).collect();
        let mut next = 0;
        while let Some(&(parent, _)) = processes.get(next)
            && processes.len() <= MAX_PROCESSES
        {
            processes.extend(children_of(parent).into_iter().map(|pid| (pid, Some(next))));
            next += 1;
        }
        let is_cut = processes.len() > MAX_PROCESSES;
        Tree { processes, is_cut }
    }

    pub(crate) fn pids(&self) -> Vec<i32> {
        self.processes.iter().map(|&(pid, _)| pid).collect()
    }

    /// Whether no other process lives in the group of this process. False where there are too many to tell.
    pub(crate) fn is_alone_in_group(&self, leader: i32) -> bool {
        let is_other = |&(pid, _): &(i32, _)| {
            pid != leader
                && Stat::of(OWN_PROC, pid)
                    .is_some_and(|stat| !stat.is_dead() && stat.group() == Some(leader))
        };
        !self.is_cut && !self.processes.iter().any(is_other)
    }

    /// The processes of a group, and their descendants. Where the program of the session is among them, all of its
    /// processes are: a daemon has another parent than the process that started it. `None` where there are too many.
    pub(crate) fn foreground(&self, group: i32, leader: i32) -> Option<Vec<i32>> {
        if self.is_cut {
            return None;
        }
        let is_in_group =
            |pid| Stat::of(OWN_PROC, pid).and_then(|stat| stat.group()) == Some(group);
        let mut includes = vec![false; self.processes.len()];
        for (at, &(pid, parent)) in self.processes.iter().enumerate() {
            includes[at] = parent.is_some_and(|parent| includes[parent]) || is_in_group(pid);
            if includes[at] && pid == leader {
                return Some(self.pids());
            }
        }
        let found = self.processes.iter().zip(includes).filter(|&(_, included)| included);
        Some(found.map(|(&(pid, _), _)| pid).collect())
    }
}

/// The threads of a process.
pub(crate) fn threads_of(pid: i32) -> impl Iterator<Item = i32> {
    let threads = fs::read_dir(format!("/proc/{pid}/task")).ok();
    let threads = threads.into_iter().flatten();
    threads.filter_map(|thread| thread.ok()?.file_name().to_str()?.parse::<i32>().ok())
}

fn children_of(parent: i32) -> Vec<i32> {
    let mut children = Vec::new();
    for thread in threads_of(parent) {
        let list = fs::read_to_string(format!("/proc/{parent}/task/{thread}/children"));
        let list = list.unwrap_or_default();
        children.extend(list.split_ascii_whitespace().filter_map(|pid| pid.parse::<i32>().ok()));
    }
    children
}

/// Whether a process lives. The id 0 stands for a program that does not run yet.
pub(crate) fn is_alive(pid: i32) -> bool {
    pid != 0 && Stat::of(OWN_PROC, pid).is_some_and(|stat| !stat.is_dead())
}
