//! What the control groups of a worker tell about their limits.
//!
//! The kernel also counts in a group what a group above refused. A limit was met only if the worker's own group was full.

use std::fs::File;
use std::os::unix::fs::FileExt;
use std::path::Path;

use crate::message::{Holder, LimitName};

/// Large enough for every event file of a control group.
const EVENT_BYTES: usize = 512;
/// The counter of processes that were ended because memory was used up.
const MEMORY_KILLS: &str = "oom_kill";
/// The counter of how often the memory of the group itself was used up, in the second version.
const FULL_MEMORY: &str = "oom";
/// The counter of processes and threads that were not made.
const REFUSED_PROCESSES: &str = "max";
/// In the first version, what the group took at most: without swap, and with it. Not every kernel counts refusals there.
const MEMORY_FILES: [&str; 2] = ["memory.max_usage_in_bytes", "memory.memsw.max_usage_in_bytes"];
/// The same for the buffers of sockets.
const SOCKETS_FILE: &str = "memory.kmem.tcp.max_usage_in_bytes";
/// What is refused may have been as large as this.
const MAX_PIECE_BYTES: u64 = 256 << 10;
/// How many processes the group had at most, and on older kernels how many it has.
const PROCESSES_FILES: [&str; 2] = ["pids.peak", "pids.current"];

/// The files in which the groups of a worker tell about their limits.
#[derive(Debug, Default)]
pub struct GroupEvents {
    memory: Option<MemoryEvents>,
    processes: Option<ProcessEvents>,
}

#[derive(Debug)]
struct MemoryEvents {
    holder: Holder,
    kills: File,
    /// Files about how much was used at most.
    usage: Vec<File>,
    sockets: Option<File>,
    max_bytes: u64,
}

#[derive(Debug)]
struct ProcessEvents {
    holder: Holder,
    refusals: File,
    count: Option<File>,
    max: u64,
}

/// How often each limit was met until some moment.
#[derive(Clone, Copy, Debug, Default)]
pub struct GroupCounts {
    memory_kills: u64,
    full_memory: u64,
    has_full_sockets: bool,
    refused_processes: u64,
}

impl GroupEvents {
    /// Opens the files of the memory in the folder of a group that has at most `max_bytes`.
    pub(super) fn open_memory(&mut self, holder: Holder, folder: &Path, max_bytes: u64) {
        let open = |name: &str| File::open(folder.join(name)).ok();
        let is_second = holder == Holder::GroupV2;
        let kills = open(if is_second { "memory.events" } else { "memory.oom_control" });
        self.memory = kills.map(|kills| MemoryEvents {
            holder,
            kills,
            usage: MEMORY_FILES.into_iter().filter_map(open).collect(),
            sockets: open(SOCKETS_FILE),
            max_bytes,
        });
    }

    /// Opens the files of the processes in the folder of a group that has at most `max`.
    pub(super) fn open_processes(&mut self, holder: Holder, folder: &Path, max: u64) {
        let open = |name: &str| File::open(folder.join(name)).ok();
        self.processes = open("pids.events").map(|refusals| ProcessEvents {
            holder,
            refusals,
            count: PROCESSES_FILES.into_iter().find_map(open),
            max,
        });
    }

    /// What holds the memory.
    pub fn memory_holder(&self) -> Holder {
        self.memory.as_ref().map_or(Holder::Count, |events| events.holder)
    }

    /// What holds the processes.
    pub fn processes_holder(&self) -> Holder {
        self.processes.as_ref().map_or(Holder::Count, |events| events.holder)
    }

    /// The counts of this moment.
    pub fn counts(&self) -> GroupCounts {
        let mut counts = GroupCounts::default();
        if let Some(events) = &self.memory {
            let text = text(&events.kills);
            counts.memory_kills = counter(&text, MEMORY_KILLS);
            counts.full_memory = counter(&text, FULL_MEMORY);
            counts.has_full_sockets = events.is_full(events.sockets.as_ref());
        }
        if let Some(ProcessEvents { refusals, .. }) = &self.processes {
            counts.refused_processes = counter(&text(refusals), REFUSED_PROCESSES);
        }
        counts
    }

    /// The limit of the groups that was met since these counts.
    pub fn limit_met(&self, before: &GroupCounts) -> Option<LimitName> {
        self.limit_met_between(before, &self.counts())
    }

    /// The limit of the groups that was met between these counts, of which the second are those of now.
    pub fn limit_met_between(&self, before: &GroupCounts, now: &GroupCounts) -> Option<LimitName> {
        let is_full = |events: &MemoryEvents| {
            now.full_memory > before.full_memory || events.is_full(&events.usage)
        };
        let is_memory_full = now.memory_kills > before.memory_kills
            && self.memory.as_ref().is_some_and(is_full)
            || now.has_full_sockets && !before.has_full_sockets;
        if is_memory_full {
            return Some(LimitName::MemoryBytes);
        }
        let is_refused = now.refused_processes > before.refused_processes;
        let is_full = |ProcessEvents { count, max, .. }: &ProcessEvents| {
            count.as_ref().is_none_or(|count| number(count) >= *max)
        };
        (is_refused && self.processes.as_ref().is_some_and(is_full)).then_some(LimitName::Processes)
    }
}

impl MemoryEvents {
    /// Whether one of these files says that as much was used as the group may have.
    fn is_full<'a>(&self, usage: impl IntoIterator<Item = &'a File>) -> bool {
        let is_full = |file| number(file).saturating_add(MAX_PIECE_BYTES) >= self.max_bytes;
        usage.into_iter().any(is_full)
    }
}

fn text(file: &File) -> String {
    let mut bytes = [0; EVENT_BYTES];
    let length = file.read_at(&mut bytes, 0).unwrap_or(0);
    String::from_utf8_lossy(&bytes[..length]).into_owned()
}

fn number(file: &File) -> u64 {
    text(file).trim().parse().unwrap_or(0)
}

/// The value of this counter in the text of an event file.
fn counter(text: &str, name: &str) -> u64 {
    let mut lines = text.lines().filter_map(|line| line.split_once(' '));
    lines
        .find(|(key, _)| *key == name)
        .and_then(|(_, count)| count.trim().parse().ok())
        .unwrap_or(0)
}

#[cfg(test)]
mod tests;
