//! Runs commands through the supervisor: finds the program, starts it by descriptor, reads, cleans, redacts and bounds its
//! output off the caller's thread, enforces deadlines, and reports the end only when nothing of the run is alive.
//!
//! One thread, `handrail-io`, waits for all runs at once (`linux::reactor`). A bug that shows while an output is read ends
//! its run with a failure (`linux::child::Child::contain`).
//!
//! Starting commands needs Linux. Elsewhere the same names exist: commands are judged, and running one is refused.

mod capability;
mod controlling_terminal;
mod live;
mod options;
mod outcome;
mod program_error;
mod read_places;
mod remedy;
mod runner;
mod search_folder;
mod way_out;

#[cfg(target_os = "linux")]
mod linux;
#[cfg(any(test, not(target_os = "linux")))]
pub mod unsupported;

#[cfg(target_os = "linux")]
use linux as platform;
#[cfg(not(target_os = "linux"))]
use unsupported as platform;

pub use capability::{Capability, Level};
pub use controlling_terminal::ControllingTerminal;
pub use handrail_supervisor::message::HomeFile;
pub use handrail_supervisor::message::{
    Enforcement, Kernel, Layer, LayerRoot, LimitMet, LimitName, Plan as KernelPlan, Process,
};
#[cfg(target_os = "linux")]
pub use linux::{NetworkListeners, OnListeners};
pub use live::{LiveProgram, LiveProgramKind, LiveRequest, OpenCall, Size, Warrant};
pub use options::{EngineOptions, Input, LayerFolder, OutputLimits, SpillFolder};
pub use outcome::{Digest, DigestLimits, Event, Outcome, RequestError, Spilled, Status, Stream};
use platform::JudgedFiles;
pub use platform::{
    Engine, Error, ExpectedEnforcement, KernelPlans, SearchPath, ServiceStderr, TextDigest, WayOut,
    controlling_terminal, discard_typed_input, listens, peer, process_link,
};
pub use program_error::ProgramError;
pub use read_places::ReadPlaces;
pub use remedy::HostFacts;
pub use runner::{
    Answer, Call, Command, Environment, Refusal, Runner, RunnerOptions, Shell, Variant,
};
pub use search_folder::{LeftOut, SearchFolder};
pub use way_out::{WayOutConfig, WayOutError};
