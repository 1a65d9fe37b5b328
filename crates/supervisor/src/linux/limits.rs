//! The limits of what a run may use: what each program is started with, and how a worker notices that a limit was met.
//!
//! A control group holds memory and processes by itself, and tells the worker how often it had to. Everything else is counted by
//! the worker over its own processes, twenty times a second: a run can be past a limit for that long. Where a count
//! takes long, because there are many processes, the next one comes later.

use std::fs;
use std::os::unix::fs::{FileExt, MetadataExt};
use std::path::Path;
use std::time::{Duration, Instant};

use handrail_supervisor::control_groups::{GroupCounts, GroupEvents};
use handrail_supervisor::message::{Enforcement, Holder, LimitMet, LimitName, Limits};
use handrail_supervisor::proc::{OWN_PROC, Stat};
use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

use super::machine_memory::MachineMemory;
use super::namespace::{SHARED_MEMORY_FOLDER, TEMPORARY_FOLDER};
use super::reaper::Usage;
use super::{confine, processes};

/// Large enough for the file of a process about what it read and wrote.
const IO_BYTES: usize = 512;
/// The pause between two counts.
const COUNT_PAUSE: Duration = Duration::from_millis(50);
/// A count may take one in this many parts of the time.
const COUNT_SHARE: u32 = 20;
/// A single process may have this many times the memory of the whole run before the kernel gives it no more, where the worker
/// counts. A limit that is met exactly would end as an error of the program, and nobody could tell.
const MEMORY_BACKSTOP: u64 = 2;
/// How many more processes and threads than a run may have the kernel lets its user namespace have, where the worker counts:
/// the worker itself, two that made it and may not be gone yet, and one that the count finds. A limit that is met exactly would
/// end as an error of the program.
const EXTRA_PROCESSES: u64 = 4;
/// By how much the processor time of one process may exceed that of the run before the kernel ends it.
const CPU_BACKSTOP_S: u64 = 1;
/// A shell reports that a signal ended its program by this number and that of the signal.
const SHELL_SIGNAL_BASE: i32 = 128;

/// The limits of a process that each program is started with: the resource, and its limit.
pub(crate) type ProcessLimits = Vec<(Resource, u64)>;

/// The limits of a process for the programs of a plan. `descriptors` is how many a program may have in any case.
pub(crate) fn process_limits(
    limits: &Limits,
    memory: Holder,
    processes: Holder,
    descriptors: Option<u64>,
) -> ProcessLimits {
    let open_files = match (limits.open_files, descriptors) {
        (Some(limit), Some(descriptors)) => Some(limit.min(descriptors)),
        (limit, descriptors) => limit.or(descriptors),
    };
    let counts_memory = memory == Holder::Count;
    let memory = limits.memory_bytes.filter(|_| counts_memory);
    let counted_by_users = processes == Holder::UserNamespace;
    let processes = limits.processes.filter(|_| counted_by_users);
    let cpu = limits.cpu_ms.map(|limit| limit.div_ceil(1000).saturating_add(CPU_BACKSTOP_S));
    [
        (Resource::Nofile, open_files),
        (Resource::Fsize, limits.file_bytes),
        (Resource::Data, memory.map(|bytes| bytes.saturating_mul(MEMORY_BACKSTOP))),
        (Resource::Nproc, processes.map(|count| count.saturating_add(EXTRA_PROCESSES))),
        (Resource::Cpu, cpu),
    ]
    .into_iter()
    .filter_map(|(resource, limit)| Some((resource, limit?)))
    .collect()
}

/// Limits this process, for good. A limit that it has already stays where that is lower.
pub(crate) fn limit_process(limits: &[(Resource, u64)]) -> rustix::io::Result<()> {
    for &(resource, limit) in limits {
        let limit = getrlimit(resource).maximum.map_or(limit, |maximum| maximum.min(limit));
        setrlimit(resource, Rlimit { current: Some(limit), maximum: Some(limit) })?;
    }
    Ok(())
}

/// Notices when a run of this worker meets a limit.
pub(crate) struct LimitWatch {
    limits: Limits,
    events: GroupEvents,
    /// What the groups had counted at the end of the last run.
    group_counts: GroupCounts,
    /// What this process and everything that it has reaped had written by then.
    written: u64,
    /// The file with that number, which only root could open again.
    own_io: Option<fs::File>,
    /// Folders in memory that are the worker's own, which count as disk, and what they use while they are empty.
    folders: Vec<(&'static Path, u64)>,
    /// Whether `/proc` shows the processes of this worker and no others.
    own_processes: bool,
    /// Whether memory that is shared by a key is this worker's own.
    own_keys: bool,
    /// The memory of the machine when the run began, where the worker counts memory.
    machine_before: Option<MachineMemory>,
    next_count_at: Instant,
}

/// What the living processes of a run use.
#[derive(Default)]
struct Count {
    threads: u64,
    ticks: u64,
    resident_pages: u64,
    written: u64,
    max_open_files: u64,
    pids: Vec<i32>,
}

impl LimitWatch {
    pub(crate) fn new(
        limits: Limits,
        events: GroupEvents,
        own_memory: bool,
        enforcement: &Enforcement,
    ) -> LimitWatch {
        let own_folders =
            [(own_memory, SHARED_MEMORY_FOLDER), (enforcement.own_temporary, TEMPORARY_FOLDER)];
        let own_folders = own_folders.into_iter().filter(|(is_own, _)| *is_own);
        let mut watch = LimitWatch {
            limits,
            group_counts: events.counts(),
            events,
            written: 0,
            own_io: limits.disk_bytes.or(limits.file_bytes).and_then(|_| own_io()),
            folders: own_folders
                .map(|(_, folder)| (Path::new(folder), used_bytes(Path::new(folder))))
                .collect(),
            own_processes: enforcement.own_processes,
            own_keys: enforcement.namespace,
            machine_before: None,
            next_count_at: Instant::now(),
        };
        watch.written = watch.written_by_reaped();
        watch
    }

    /// How long the worker may wait before it has to look at the limits again.
    pub(crate) fn pause(&self) -> Option<Duration> {
        let Limits { memory_bytes, processes, cpu_ms, disk_bytes, open_files, .. } = self.limits;
        let is_watched =
            [memory_bytes, processes, cpu_ms, disk_bytes, open_files].iter().any(Option::is_some);
        is_watched.then(|| self.next_count_at.saturating_duration_since(Instant::now()))
    }

    /// Begins to watch a run.
    pub(crate) fn begin(&mut self) {
        self.next_count_at = Instant::now() + COUNT_PAUSE;
        self.machine_before = self.counts_memory().then(MachineMemory::now).flatten();
    }

    /// The limit that the run has met, if the time for a look has come. `reaped` is what its dead processes used.
    pub(crate) fn look(&mut self, reaped: &Usage) -> Option<LimitMet> {
        let start = Instant::now();
        if start < self.next_count_at {
            return None;
        }
        let met = self.held_by_group().or_else(|| self.counted(reaped));
        self.next_count_at = start + COUNT_PAUSE.max(start.elapsed() * COUNT_SHARE);
        met
    }

    /// The limit that the run met, after its last process was reaped. The counters begin anew for the next run.
    pub(crate) fn conclude(&mut self, reaped: &Usage, wait_status: i32) -> Option<LimitMet> {
        let (counts, written) = (self.events.counts(), self.written_by_reaped());
        let written_now = || written.saturating_sub(self.written) + self.folder_bytes();
        let met = self
            .events
            .limit_met_between(&self.group_counts, &counts)
            .and_then(|name| self.met(name))
            .or_else(|| self.told_by_signal(wait_status))
            .or_else(|| self.exceeded(LimitName::CpuMs, cpu_ms(reaped, 0)))
            .or_else(|| {
                self.limits.disk_bytes?;
                self.exceeded(LimitName::DiskBytes, written_now())
            })
            .or_else(|| {
                // The memory that a file is mapped to counts as well, which nobody misses. So this explains failures only.
                let used = reaped.max_rss_bytes;
                let is_explained = self.counts_memory() && wait_status != 0;
                is_explained.then(|| self.exceeded(LimitName::MemoryBytes, used))?
            });
        self.group_counts = counts;
        self.written = written;
        met
    }

    fn limit(&self, name: LimitName) -> Option<u64> {
        match name {
            LimitName::MemoryBytes => self.limits.memory_bytes,
            LimitName::Processes => self.limits.processes,
            LimitName::CpuMs => self.limits.cpu_ms,
            LimitName::FileBytes => self.limits.file_bytes,
            LimitName::DiskBytes => self.limits.disk_bytes,
            LimitName::OpenFiles => self.limits.open_files,
        }
    }

    fn exceeded(&self, name: LimitName, used: u64) -> Option<LimitMet> {
        let value = self.limit(name).filter(|&limit| used > limit)?;
        Some(LimitMet { name, value, used: Some(used) })
    }

    fn met(&self, name: LimitName) -> Option<LimitMet> {
        Some(LimitMet { name, value: self.limit(name)?, used: None })
    }

    fn held_by_group(&self) -> Option<LimitMet> {
        self.met(self.events.limit_met(&self.group_counts)?)
    }

    /// The limit of a file, when the kernel ended the program for it by a signal, or a program of a shell. A program may also end
    /// with the number by which a shell tells of that signal, so a shell is believed where enough was written for such a file.
    fn told_by_signal(&self, wait_status: i32) -> Option<LimitMet> {
        let met = self.met(LimitName::FileBytes)?;
        let is_told = match wait_status & 0x7f {
            0 => {
                (wait_status >> 8 & 0xff) - SHELL_SIGNAL_BASE == libc::SIGXFSZ
                    && counted_bytes(&self.own_io_text(), "wchar:") >= met.value
            }
            signal => signal == libc::SIGXFSZ,
        };
        is_told.then_some(met)
    }

    /// The limit that is exceeded by what the processes of the run use now.
    fn counted(&self, reaped: &Usage) -> Option<LimitMet> {
        let Limits { cpu_ms: cpu, disk_bytes, open_files, .. } = self.limits;
        let counts_memory = self.counts_memory();
        let counts_processes =
            self.limits.processes.is_some() && self.events.processes_holder() == Holder::Count;
        let is_needed = counts_memory || counts_processes || cpu.is_some();
        if !is_needed && disk_bytes.is_none() && open_files.is_none() {
            return None;
        }
        let count = self.count();
        let of_processes = || self.exceeded(LimitName::Processes, count.threads);
        counts_processes
            .then(of_processes)
            .flatten()
            .or_else(|| counts_memory.then(|| self.counted_memory(&count)).flatten())
            .or_else(|| self.exceeded(LimitName::CpuMs, cpu_ms(reaped, count.ticks)))
            .or_else(|| self.exceeded(LimitName::DiskBytes, self.written_now(count.written)))
            .or_else(|| {
                // No process can have more than that.
                let used = count.max_open_files;
                let value = open_files.filter(|&limit| used >= limit)?;
                Some(LimitMet { name: LimitName::OpenFiles, value, used: Some(used) })
            })
    }

    fn counts_memory(&self) -> bool {
        self.limits.memory_bytes.is_some() && self.events.memory_holder() == Holder::Count
    }

    /// The limit of memory, if it is exceeded by what processes have in their mappings and the run keeps in shared memory and
    /// private folders, or by what is hidden in a machine that is short of memory.
    fn counted_memory(&self, count: &Count) -> Option<LimitMet> {
        let kept = self.kept_bytes();
        let resident = count.resident_pages.saturating_mul(page_bytes());
        let used = || {
            let mapped = count.pids.iter().map(|&pid| mapped_bytes(self.proc(), pid));
            let (own, shared) =
                mapped.fold((0, 0), |sum: (u64, u64), one| (sum.0 + one.0, sum.1 + one.1));
            // What is kept may be mapped as well.
            own + shared.max(kept)
        };
        // Memory that processes share is in that more than once, so it is only looked at closely when it is too much.
        self.exceeded(LimitName::MemoryBytes, resident.saturating_add(kept))
            .and_then(|_| self.exceeded(LimitName::MemoryBytes, used()))
            .or_else(|| {
                let hidden = MachineMemory::now()?.hidden_since(&self.machine_before?)?;
                self.exceeded(LimitName::MemoryBytes, hidden)
            })
    }

    /// What a run keeps in memory whether or not a process has it in a mapping.
    fn kept_bytes(&self) -> u64 {
        let by_key = if self.own_keys { memory_by_key() } else { 0 };
        by_key + self.folder_bytes()
    }

    /// What was written to the private folders in memory.
    fn folder_bytes(&self) -> u64 {
        let folders = self.folders.iter();
        folders.map(|(folder, empty)| used_bytes(folder).saturating_sub(*empty)).sum()
    }

    /// The `/proc` with the processes of the run. A PID namespace has numbers of its own.
    fn proc(&self) -> &'static str {
        if self.own_processes { OWN_PROC } else { processes::proc_path() }
    }

    fn count(&self) -> Count {
        let pids =
            if self.own_processes { processes::others() } else { processes::own_descendants() };
        let proc = self.proc();
        let mut count = Count::default();
        for pid in pids {
            let Some(stat) = Stat::of(proc, pid) else { continue };
            if stat.is_dead() {
                // For the kernel it is a process until it is reaped.
                count.threads += 1;
                continue;
            }
            count.threads += stat.threads().unwrap_or(1);
            count.ticks += stat.processor_ticks_with_children().unwrap_or(0);
            count.resident_pages += stat.resident_pages().unwrap_or(0);
            if self.limits.disk_bytes.is_some() {
                let text = fs::read_to_string(format!("{proc}/{pid}/io"));
                count.written += written_bytes(&text.unwrap_or_default());
            }
            if self.limits.open_files.is_some() {
                count.max_open_files =
                    count.max_open_files.max(open_files(&format!("{proc}/{pid}/fd")));
            }
            count.pids.push(pid);
        }
        count
    }

    /// What the run has written: `living` by its living processes, and the rest by those that were reaped.
    fn written_now(&self, living: u64) -> u64 {
        if self.limits.disk_bytes.is_none() {
            return 0;
        }
        self.written_by_reaped().saturating_sub(self.written) + living + self.folder_bytes()
    }

    /// What this process and everything that it has reaped have written. The kernel adds up what children wrote when they are reaped.
    fn written_by_reaped(&self) -> u64 {
        if self.limits.disk_bytes.is_none() { 0 } else { written_bytes(&self.own_io_text()) }
    }

    fn own_io_text(&self) -> String {
        let mut bytes = [0; IO_BYTES];
        let read = self.own_io.as_ref().and_then(|file| file.read_at(&mut bytes, 0).ok());
        String::from_utf8_lossy(&bytes[..read.unwrap_or(0)]).into_owned()
    }
}

fn cpu_ms(reaped: &Usage, ticks: u64) -> u64 {
    let ticks_per_second = system_value(libc::_SC_CLK_TCK);
    (reaped.user_us + reaped.system_us) / 1000 + ticks * 1000 / ticks_per_second
}

fn page_bytes() -> u64 {
    system_value(libc::_SC_PAGESIZE)
}

/// A constant of this system, which is never 0.
fn system_value(name: i32) -> u64 {
    // SAFETY: a plain number.
    u64::try_from(unsafe { libc::sysconf(name) }).unwrap_or(0).max(1)
}

/// The memory of a process without files: its own, and its part of what it shares.
fn mapped_bytes(proc: &str, pid: i32) -> (u64, u64) {
    let path = format!("{proc}/{pid}/smaps_rollup");
    let Ok(text) = fs::read_to_string(path) else { return (0, 0) };
    let bytes = |name: &str| {
        let line = text.lines().find_map(|line| line.strip_prefix(name));
        let kilobytes =
            line.and_then(|line| line.trim_end_matches("kB").trim().parse::<u64>().ok());
        kilobytes.unwrap_or(0) * 1024
    };
    (bytes("Pss_Anon:"), bytes("Pss_Shmem:"))
}

/// The memory of this process's namespace that is shared by a key (System V).
fn memory_by_key() -> u64 {
    const SIZE_COLUMN: usize = 14;
    let text = fs::read_to_string("/proc/sysvipc/shm").unwrap_or_default();
    let sizes = text
        .lines()
        .filter_map(|line| line.split_ascii_whitespace().nth(SIZE_COLUMN)?.parse::<u64>().ok());
    sizes.sum()
}

/// The file about what this process, and the children that it has reaped, read and wrote.
fn own_io() -> Option<fs::File> {
    // The files in /proc of an opaque process belong to root.
    confine::become_opaque(false).ok()?;
    let opened = fs::File::open("/proc/self/io");
    confine::become_opaque(true).ok()?;
    opened.ok()
}

/// What a process has written to disk and not removed before it got there, with the children that it has reaped.
fn written_bytes(text: &str) -> u64 {
    counted_bytes(text, "write_bytes:")
        .saturating_sub(counted_bytes(text, "cancelled_write_bytes:"))
}

/// A count in the text of the kernel about what a process read and wrote.
fn counted_bytes(text: &str, name: &str) -> u64 {
    let line = text.lines().find_map(|line| line.strip_prefix(name));
    line.and_then(|value| value.trim().parse().ok()).unwrap_or(0)
}

/// How many descriptors a process has open.
fn open_files(folder: &str) -> u64 {
    let counted = fs::metadata(folder).map_or(0, |status| status.size());
    // The size is the number since Linux 6.2.
    if counted > 0 { counted } else { fs::read_dir(folder).map_or(0, |all| all.count() as u64) }
}

/// How many bytes of the file system at this folder are used.
fn used_bytes(folder: &Path) -> u64 {
    rustix::fs::statvfs(folder)
        .map_or(0, |status| status.f_blocks.saturating_sub(status.f_bfree) * status.f_frsize)
}
