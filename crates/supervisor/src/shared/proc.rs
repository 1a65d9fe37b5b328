//! What `/proc/PID/stat` says about processes: their state, their parents and their descendants.
//!
//! Each function takes the path of the `/proc` that it reads: a process in a PID namespace of its own reads its host's.

use std::fs;

/// The path of this process's own `/proc`.
pub const OWN_PROC: &str = "/proc";

/// The index of the parent's id among the fields of [`Stat`].
const PARENT_FIELD: usize = 1;
/// The index of the process group.
const GROUP_FIELD: usize = 2;
/// The index of the terminal, which the group in its foreground follows.
const TERMINAL_FIELD: usize = 4;
/// The index of the processor time in user mode, which that in the kernel follows.
const USER_TICKS_FIELD: usize = 11;
/// The index of the processor time of dead children in user mode, which that in the kernel follows.
const CHILDREN_TICKS_FIELD: usize = 13;
/// The index of the time of the start.
const START_FIELD: usize = 19;
/// The index of the number of resident pages.
const RESIDENT_FIELD: usize = 21;
/// The index of the number of threads.
const THREADS_FIELD: usize = 17;

/// The fields of `/proc/PID/stat` after the name of the program.
pub struct Stat(String);

impl Stat {
    /// Reads about a process; `None` when it is gone.
    pub fn of(proc: &str, pid: i32) -> Option<Stat> {
        let stat = fs::read(format!("{proc}/{pid}/stat")).ok()?;
        // The name in parentheses may contain anything, so the fields start after the last parenthesis.
        let after_name = stat.iter().rposition(|&byte| byte == b')')? + 1;
        String::from_utf8(stat[after_name..].to_vec()).ok().map(Stat)
    }

    fn field(&self, index: usize) -> Option<&str> {
        self.0.split_ascii_whitespace().nth(index)
    }

    /// The id of the parent.
    pub fn parent(&self) -> Option<i32> {
        self.field(PARENT_FIELD)?.parse().ok()
    }

    /// The id of the process group.
    pub fn group(&self) -> Option<i32> {
        self.field(GROUP_FIELD)?.parse().ok()
    }

    /// The device of its terminal, as the kernel encodes it, and the process group in the foreground of that terminal.
    pub fn terminal(&self) -> Option<(i32, i32)> {
        Some((
            self.field(TERMINAL_FIELD)?.parse().ok()?,
            self.field(TERMINAL_FIELD + 1)?.parse().ok()?,
        ))
    }

    /// The processor time that the process has used, in clock ticks.
    pub fn processor_ticks(&self) -> Option<u64> {
        let [user, kernel] =
            [USER_TICKS_FIELD, USER_TICKS_FIELD + 1].map(|index| self.field(index));
        Some(user?.parse::<u64>().ok()? + kernel?.parse::<u64>().ok()?)
    }

    /// The processor time that the process and its dead children have used, in clock ticks.
    pub fn processor_ticks_with_children(&self) -> Option<u64> {
        let [user, kernel] =
            [CHILDREN_TICKS_FIELD, CHILDREN_TICKS_FIELD + 1].map(|index| self.field(index));
        // The kernel shows these as signed numbers.
        let children = user?.parse::<u64>().ok()? + kernel?.parse::<u64>().ok()?;
        Some(self.processor_ticks()? + children)
    }

    /// How many threads it has.
    pub fn threads(&self) -> Option<u64> {
        self.field(THREADS_FIELD)?.parse().ok()
    }

    /// When it was started, in clock ticks since the start of the machine.
    pub fn start_ticks(&self) -> Option<u64> {
        self.field(START_FIELD)?.parse().ok()
    }

    /// How many pages of its memory are resident, those included that it shares with others.
    pub fn resident_pages(&self) -> Option<u64> {
        self.field(RESIDENT_FIELD)?.parse().ok()
    }

    /// Whether a signal or a debugger has stopped the process.
    pub fn is_stopped(&self) -> bool {
        matches!(self.field(0), Some("T" | "t"))
    }

    /// Whether the process is dead. A leader whose other threads are alive has the state of a dead process, and is alive.
    pub fn is_dead(&self) -> bool {
        matches!(self.field(0), Some("Z" | "X"))
            && matches!(self.field(THREADS_FIELD), Some("0" | "1"))
    }
}

/// The id of every process, with the id of its parent.
pub fn parents(proc: &str) -> Vec<(i32, i32)> {
    let Ok(entries) = fs::read_dir(proc) else { return Vec::new() };
    entries
        .filter_map(|entry| entry.ok()?.file_name().to_str()?.parse::<i32>().ok())
        .filter_map(|pid| Some((pid, Stat::of(proc, pid)?.parent()?)))
        .collect()
}

/// All descendants of these processes, each with the id of its parent; a process comes before its own children.
pub fn descendants_of(proc: &str, ancestors: &[i32]) -> Vec<(i32, i32)> {
    let parents = parents(proc);
    let children_of = |parent: i32| parents.iter().copied().filter(move |&(_, of)| of == parent);
    let mut descendants: Vec<(i32, i32)> =
        ancestors.iter().flat_map(|&ancestor| children_of(ancestor)).collect();
    let mut next = 0;
    while let Some(&(parent, _)) = descendants.get(next) {
        descendants.extend(children_of(parent));
        next += 1;
    }
    descendants
}
