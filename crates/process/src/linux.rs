//! Programs started and ended through the supervisor, and their output read. All of it needs Linux.

mod available_memory;
mod child;
mod controlling_terminal;
mod descendants;
mod engine;
mod error;
mod expected_enforcement;
mod failures;
mod interleave;
mod judged_files;
mod kernel_plan;
mod live;
mod place_files;
mod pool;
mod premade;
mod program;
mod reactor;
mod recorder;
mod run;
mod shared;
mod spill;
mod start;
mod streamed_text;
mod supervisor_launch;
mod timers;
mod way_out;

pub use controlling_terminal::{controlling_terminal, discard_typed_input};
pub use engine::Engine;
pub use error::Error;
pub use expected_enforcement::ExpectedEnforcement;
pub(crate) use judged_files::JudgedFiles;
pub use kernel_plan::KernelPlans;
pub use live::ServiceStderr;
pub use pool::{NetworkListeners, OnListeners};
pub use program::SearchPath;
pub use way_out::WayOut;
