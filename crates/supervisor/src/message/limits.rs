//! What one run may use, which limit a run met, and what holds the limits.

use crate::wire::wire;

/// How much one run, session or service may use. `None` sets no limit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Limits {
    /// The memory of all of its processes, in bytes.
    pub memory_bytes: Option<u64>,
    /// Processes and their threads at the same time.
    pub processes: Option<u64>,
    /// The processor time of all of its processes, in milliseconds.
    pub cpu_ms: Option<u64>,
    /// The size of one file that it writes, in bytes.
    pub file_bytes: Option<u64>,
    /// What all of its processes write to disk, in bytes.
    pub disk_bytes: Option<u64>,
    /// The descriptors that one process has open.
    pub open_files: Option<u64>,
}

/// One of the [`Limits`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LimitName {
    /// [`Limits::memory_bytes`].
    MemoryBytes,
    /// [`Limits::processes`].
    Processes,
    /// [`Limits::cpu_ms`].
    CpuMs,
    /// [`Limits::file_bytes`].
    FileBytes,
    /// [`Limits::disk_bytes`].
    DiskBytes,
    /// [`Limits::open_files`].
    OpenFiles,
}

/// A limit that a run met.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LimitMet {
    /// Which one.
    pub name: LimitName,
    /// The limit, in its unit.
    pub value: u64,
    /// How much was used when that was seen, where somebody counted.
    pub used: Option<u64>,
}

/// What holds the limit of memory, or that of processes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Holder {
    /// The worker, which counts its own processes.
    #[default]
    Count,
    /// A control group of the first version.
    GroupV1,
    /// A control group of the second version.
    GroupV2,
    /// The user namespace of the worker, whose processes the kernel counts.
    UserNamespace,
}

wire!(struct Limits { memory_bytes, processes, cpu_ms, file_bytes, disk_bytes, open_files });
wire!(
    enum LimitName {
        0 => MemoryBytes,
        1 => Processes,
        2 => CpuMs,
        3 => FileBytes,
        4 => DiskBytes,
        5 => OpenFiles,
    }
);
wire!(struct LimitMet { name, value, used });
wire!(enum Holder { 0 => Count, 1 => GroupV1, 2 => GroupV2, 3 => UserNamespace });
