//! The reports that cross to JavaScript as JSON, through N-API and through WASM with the same text. `ts/native/reports.ts` has
//! their types, written by the test in `types.rs`.
//!
//! A report has dozens of fields. Setting each through N-API costs a call, a conversion and a lookup in the engine; one string
//! that JavaScript parses costs a fraction of that.
//!
//! The crate does no IO, reads no clock and no environment.

mod decision;
mod document;
mod end;
mod event;
mod failure;
mod judgement;
mod network;
mod redactor;
mod run;
mod session;
mod start;
mod text;
#[cfg(test)]
mod types;

use serde::Serialize;

pub use decision::{Decision, utf16_offset};
pub use document::document;
pub use end::{End, LimitReport, Process, Status};
pub use event::{Event, Stream};
pub use failure::{Failure, FailureCode, StartStage};
pub use judgement::{Problem, explain, named_words, rule_list};
pub use network::{HostQuestion, NetworkContact};
pub use redactor::{mark_numbers, mask, redactor, rule};
pub use run::{Cuts, Excerpt, RunReport, Spill, Streams, TextDigest, Usage};
pub use session::{
    Answer, AnswerReason, CommandEnd, Glimpse, History, LastAnswer, Reply, RequestError, Screen,
    ScreenCursor, SecretQuestion,
};
pub use start::{Capability, Denial, Plan, SearchFolder, Start};
pub use text::{TextBounds, TextCut, TextUnit, bound, excerpt, fit, text_bounds};

/// The report as JSON text.
pub fn json(report: &impl Serialize) -> String {
    // Serialization fails only for maps whose keys are no strings, and no report has a map.
    serde_json::to_string(report).unwrap_or_default()
}
