//! Runs commands through the supervisor: finds the program, starts it by descriptor, reads, cleans,
//! redacts and bounds its output off the caller's thread, enforces deadlines, and reports the end
//! only when nothing of the run is alive.

mod capability;
mod engine;
mod error;
mod launch;
mod order;
mod outcome;
mod pipes;
mod pool;
mod program;
mod reactor;
mod recorder;
mod run;
mod shared;
mod spill;
mod terminal;
mod timers;

pub use capability::{Capability, Level};
pub use engine::{Engine, EngineOptions, OnReady, RunRequest};
pub use error::Error;
pub use handrail_supervisor::message::{Enforcement, Process};
pub use outcome::{Event, Failure, Outcome, Status, Stream};
pub use program::{Program, ProgramError, SearchPath};
pub use recorder::OutputLimits;
pub use terminal::{Answer, Call, Command, Refusal, Terminal};
