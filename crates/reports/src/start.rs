//! What becomes of a request to start a program, and what holds it.

use serde::Serialize;

use crate::{Decision, Failure};

/// What became of a request to start a program.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(optional_fields))]
pub struct Start<'a> {
    /// What the policy says.
    pub decision: Decision<'a>,
    /// Whether it runs.
    pub started: bool,
    /// Why an allowed program must not be started.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub denial: Option<Denial>,
    /// Why it cannot be.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub failure: Option<Failure>,
}

/// Why an allowed program must not be started.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Denial {
    /// Stable id of the rule.
    pub rule: &'static str,
    /// One sentence.
    pub message: String,
}

/// What the kernel holds commands to, by the names of its options.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Plan<'a> {
    /// Where they may write.
    #[cfg_attr(test, ts(type = "'roots' | 'none' | 'any'"))]
    pub writes: &'static str,
    /// What they may start.
    #[cfg_attr(test, ts(type = "'listed' | 'any'"))]
    pub exec: &'static str,
    /// What they may reach.
    #[cfg_attr(test, ts(type = "'none' | 'any'"))]
    pub network: &'static str,
    /// Whether they may remove files.
    #[cfg_attr(test, ts(type = "'yes' | 'no' | 'no-truncate'"))]
    pub remove: &'static str,
    /// Names of the programs that are listed.
    pub programs: Vec<&'a str>,
    /// Canonical directories of the roots that may be written beneath.
    pub writable: Vec<String>,
}

/// One line of the report on what this machine enforces.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(optional_fields))]
pub struct Capability {
    /// The name of a guarantee.
    pub feature: &'static str,
    /// `enforced`, `best-effort` or `unavailable`.
    #[cfg_attr(test, ts(type = "'enforced' | 'best-effort' | 'unavailable'"))]
    pub level: &'static str,
    /// What makes it so.
    pub detail: String,
    /// What would make it better.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fix: Option<&'static str>,
}
