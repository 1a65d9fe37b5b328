//! How much a run may use.

/// The value of a limit that is lifted.
pub const NO_LIMIT: u64 = u64::MAX;

/// How much each run, session or service may use, as a host chose it. `None` is the default, [`NO_LIMIT`] is no limit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Limits {
    /// The memory of all of its processes, in bytes. Default: three quarters of what the machine or its control group has.
    pub memory_bytes: Option<u64>,
    /// Processes and their threads at the same time. Default: [`DEFAULT_PROCESSES`].
    pub processes: Option<u64>,
    /// The processor time of all of its processes, in milliseconds. Default: no limit.
    pub cpu_ms: Option<u64>,
    /// The size of one file that it writes, in bytes. Default: [`DEFAULT_FILE_BYTES`].
    pub file_bytes: Option<u64>,
    /// What all of its processes write to disk, in bytes. Default: no limit.
    pub disk_bytes: Option<u64>,
    /// The descriptors that one process has open. Default: half of those that the host may have.
    pub open_files: Option<u64>,
}

/// How many processes and threads a run may have where the host says nothing.
pub const DEFAULT_PROCESSES: u64 = 4096;
/// How large a file may become where the host says nothing: 8 GiB.
pub const DEFAULT_FILE_BYTES: u64 = 8 << 30;

impl Limits {
    /// No limit at all.
    pub const LIFTED: Limits = Limits {
        memory_bytes: Some(NO_LIMIT),
        processes: Some(NO_LIMIT),
        cpu_ms: Some(NO_LIMIT),
        file_bytes: Some(NO_LIMIT),
        disk_bytes: Some(NO_LIMIT),
        open_files: Some(NO_LIMIT),
    };
}
