//! What crosses to JavaScript as JSON, through N-API and through WASM: the same text from both.
//!
//! A report has dozens of fields, and every field set one by one costs a call, a conversion and a lookup in the engine; one
//! string that JavaScript parses costs a fraction of that.
//!
//! The crate does no IO, reads no clock and no environment.

mod document;
mod failure;
mod judgement;
mod redactor;
mod text;
mod verdict;

use serde::Serialize;

pub use document::document;
pub use failure::{Failure, FailureCode, StartStage};
pub use judgement::{Problem, explain};
pub use redactor::{mask, packed, redactor, rule};
pub use text::{NativeCut, fit};
pub use verdict::{NativeVerdict, to_native, utf16_offset};

/// The report as JSON text.
pub fn json(report: &impl Serialize) -> String {
    // Fails only for maps with keys that are no strings; no report has a map.
    serde_json::to_string(report).unwrap_or_default()
}
