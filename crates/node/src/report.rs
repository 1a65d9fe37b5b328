//! Reports that cross as JSON.
//!
//! A report has dozens of fields, and every field set through N-API costs a call, a conversion and a
//! lookup in the engine; one string that JavaScript parses costs a fraction of that.

use serde::Serialize;

/// The report as JSON text.
pub(crate) fn json(report: &impl Serialize) -> String {
    // Fails only for maps with keys that are no strings; no report has a map.
    serde_json::to_string(report).unwrap_or_default()
}
