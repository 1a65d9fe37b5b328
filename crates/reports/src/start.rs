//! Reports on starts, kernel plans and guarantees.

use serde::Serialize;

use crate::{Decision, Failure};

/// The report on a request to start a program.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(optional_fields))]
pub struct Start<'a> {
    /// The decision of the policy.
    pub decision: Decision<'a>,
    /// Whether the program was started.
    pub started: bool,
    /// Present when a rule forbids the start of an allowed program.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub denial: Option<Denial>,
    /// Present when the start failed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub failure: Option<Failure>,
}

/// The rule that forbids the start of an allowed program.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Denial {
    /// Stable id of the rule.
    pub rule: &'static str,
    /// One sentence.
    pub message: String,
}

/// A kernel plan, by the names of its options.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Plan<'a> {
    /// Where commands may write.
    #[cfg_attr(test, ts(type = "'roots' | 'none' | 'any'"))]
    pub writes: &'static str,
    /// Which programs they may start.
    #[cfg_attr(test, ts(type = "'listed' | 'any'"))]
    pub exec: &'static str,
    /// What they may connect to.
    #[cfg_attr(test, ts(type = "'none' | 'loopback' | 'allow' | 'any'"))]
    pub network: &'static str,
    /// Whether they may remove files.
    #[cfg_attr(test, ts(type = "'yes' | 'no' | 'no-truncate'"))]
    pub remove: &'static str,
    /// What they may read.
    #[cfg_attr(test, ts(type = "'protected' | 'roots' | 'any'"))]
    pub reads: &'static str,
    /// Names of the programs that are listed.
    pub programs: Vec<&'a str>,
    /// Canonical paths of the roots that they may write to.
    pub writable: Vec<String>,
}

/// A folder that programs are found in, or one that was left out.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(test, derive(ts_rs::TS), ts(optional_fields))]
pub struct SearchFolder {
    /// Its path, canonical where it is in use.
    pub path: String,
    /// Why it is not in use.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(type = "'relative' | 'absent' | 'commands' | 'others'"))]
    pub left_out: Option<&'static str>,
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
    /// The reason.
    pub detail: String,
    /// What the host can do about it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fix: Option<&'static str>,
}
