//! Options of engines and limits of outputs.

use std::path::PathBuf;

/// How an engine is set up.
#[derive(Clone, Debug)]
pub struct EngineOptions {
    /// The supervisor executable.
    pub supervisor: PathBuf,
    /// The directory in which private folders and spill files are made.
    pub state_parent: PathBuf,
    /// Most runs at the same time; further ones wait.
    pub max_workers: usize,
    /// Most sessions at the same time; one more is refused.
    pub max_sessions: usize,
    /// Most services at the same time; one more is refused.
    pub max_services: usize,
    /// Most jobs at the same time; one more is refused.
    pub max_jobs: usize,
    /// Most bytes that all spill files take together; files of runs that have ended make room, the oldest first.
    pub spill_total_bytes: u64,
    /// Whether processes are killed at the end of a run; false only in tests that show what survives without it.
    pub killing: bool,
    /// Whether the kernel confines commands.
    pub confine: bool,
    /// The mechanisms of the kernel that are used; all of them outside of tests.
    pub kernel: handrail_supervisor::message::Kernel,
}

/// The standard input of a run.
#[derive(Debug)]
pub enum Input {
    /// The null device.
    Null,
    /// A file in memory.
    Bytes(Vec<u8>),
    /// A pipe: [`Engine::command`](crate::Engine::command) writes and ends it.
    Pipe,
}

/// How much of an output is kept.
#[derive(Clone, Copy, Debug)]
pub struct OutputLimits {
    /// Bytes kept from its start.
    pub head_bytes: usize,
    /// Bytes kept from its end.
    pub tail_bytes: usize,
    /// Most characters of both outputs as one text, for its reader.
    pub max_chars: Option<usize>,
    /// Most bytes of the spill file; 0 makes none.
    pub spill_bytes: u64,
    /// About how many tokens the excerpt of both outputs has; 0 makes none.
    pub excerpt_tokens: usize,
}

/// The layer in which one program writes instead of in the roots.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LayerFolder {
    /// The absolute path of its folder. Root number `n` has the folders `n/upper` and `n/work` in it.
    pub path: PathBuf,
    /// The canonical paths of the roots, in the order of their numbers.
    pub roots: Vec<PathBuf>,
}

/// The folder for output that did not fit into results of one caller, who sees no other.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SpillFolder {
    /// Its name in the state directory. Nobody can guess it.
    pub name: String,
    /// Whether commands see it too. They are then served by workers of their own.
    pub is_shown: bool,
}
