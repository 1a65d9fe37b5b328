//! What a host decides about engines and outputs.

use std::path::PathBuf;

/// How an engine is set up.
#[derive(Clone, Debug)]
pub struct EngineOptions {
    /// The supervisor executable.
    pub supervisor: PathBuf,
    /// Where private folders and spill files are made.
    pub state_parent: PathBuf,
    /// Runs at the same time; more wait.
    pub max_workers: usize,
    /// Sessions at the same time; one more is refused.
    pub max_sessions: usize,
    /// Services at the same time; one more is refused.
    pub max_services: usize,
    /// What all spill files take together; files of runs that are over make room, the oldest first.
    pub spill_total_bytes: u64,
    /// False only in tests that show what survives without it.
    pub killing: bool,
    /// False runs commands without the kernel's confinement.
    pub confine: bool,
    /// What is used of the kernel; less than all only in tests.
    pub kernel: handrail_supervisor::message::Kernel,
}

/// What a run reads on its standard input.
#[derive(Debug)]
pub enum Input {
    /// The null device.
    Null,
    /// A file in memory.
    Bytes(Vec<u8>),
    /// A pipe: [`Engine::command`](crate::Engine::command) writes and ends it.
    Pipe,
}

/// How much of an output is kept, in bytes but for the excerpt.
#[derive(Clone, Copy, Debug)]
pub struct OutputLimits {
    /// From its start.
    pub head_bytes: usize,
    /// From its end.
    pub tail_bytes: usize,
    /// Of both outputs as one, in characters, for who reads that.
    pub max_chars: Option<usize>,
    /// In the spill file; 0 makes none.
    pub spill_bytes: u64,
    /// Of the excerpt from both outputs, about; 0 makes none.
    pub excerpt_tokens: usize,
}
