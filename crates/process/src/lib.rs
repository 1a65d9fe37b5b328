//! Runs commands through the supervisor: finds the program, starts it by descriptor, reads, cleans,
//! redacts and bounds its output off the caller's thread, enforces deadlines, and reports the end
//! only when nothing of the run is alive.
//!
//! One thread, `handrail-io`, waits for all runs at once (`reactor`). An output that comes faster than it is redacted is
//! read and cleaned on a second one, `handrail-read`, within one turn of the first (`ahead`): pipe and cleaner are back
//! when the turn ends. A bug while an output is read ends its run with a failure (`Run::contain`).
//!
//! That needs Linux. Elsewhere the same names are there: commands are judged, and running one is
//! refused (`unsupported`).

#[cfg(target_os = "linux")]
mod ahead;
mod capability;
#[cfg(target_os = "linux")]
mod child;
#[cfg(target_os = "linux")]
mod descendants;
#[cfg(target_os = "linux")]
mod engine;
#[cfg(target_os = "linux")]
mod error;
#[cfg(target_os = "linux")]
mod failures;
#[cfg(target_os = "linux")]
mod held;
#[cfg(target_os = "linux")]
mod launch;
mod live;
mod options;
#[cfg(target_os = "linux")]
mod order;
mod outcome;
#[cfg(target_os = "linux")]
mod plan;
#[cfg(target_os = "linux")]
mod pool;
#[cfg(target_os = "linux")]
mod program;
mod program_error;
#[cfg(target_os = "linux")]
mod reactor;
#[cfg(target_os = "linux")]
mod ready;
#[cfg(target_os = "linux")]
mod recorder;
#[cfg(target_os = "linux")]
mod run;
mod runner;
#[cfg(target_os = "linux")]
mod shared;
#[cfg(target_os = "linux")]
mod spill;
#[cfg(target_os = "linux")]
mod start;
#[cfg(target_os = "linux")]
mod timers;
#[cfg(target_os = "linux")]
mod told;
#[cfg(any(test, not(target_os = "linux")))]
pub mod unsupported;

pub use capability::{Capability, Level};
#[cfg(target_os = "linux")]
pub use engine::{Engine, LiveRequest, RunRequest};
#[cfg(target_os = "linux")]
pub use error::Error;
pub use handrail_supervisor::message::{Enforcement, Kernel, Plan as KernelPlan, Process};
#[cfg(target_os = "linux")]
pub use held::Held;
#[cfg(target_os = "linux")]
pub use live::MAX_QUEUED_BYTES;
pub use live::{Errors, Live, LiveCommand, LiveKind, MAX_ERROR_BYTES, OpenCall, Size, Warrant};
pub use options::{EngineOptions, Input, OutputLimits};
pub use outcome::{Event, Outcome, RequestError, Status, Stream};
#[cfg(target_os = "linux")]
pub use plan::Plans;
#[cfg(target_os = "linux")]
pub use program::{Program, SearchPath};
pub use program_error::ProgramError;
pub use runner::{
    Answer, Call, Command, Environment, Refusal, Runner, RunnerOptions, Shell, Variant,
};
#[cfg(not(target_os = "linux"))]
pub use unsupported::{Engine, Error, Held, Plans, SearchPath};
