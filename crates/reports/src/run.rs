//! What is reported of a run, beside its texts.

use serde::Serialize;

use crate::{End, TextCut};

/// How a run went. Its texts are beside this.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(test, derive(ts_rs::TS), ts(optional_fields))]
pub struct RunReport {
    /// How it ended.
    pub end: End,
    /// What is known of its outputs.
    pub streams: Streams,
    /// The lines of both outputs that tell most, when they were asked for and not all fit.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub excerpt: Option<Excerpt>,
    /// The file with the whole output, when it did not fit.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub spill: Option<Spill>,
    /// Secrets masked.
    pub redactions: u64,
    /// From the request to the end, in milliseconds.
    pub duration_ms: f64,
    /// What the program and its descendants used.
    pub usage: Usage,
}

/// Counts beside the texts, in bytes.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Streams {
    /// Written by the command to its standard output.
    pub stdout_bytes: u64,
    /// Written by the command to its standard error.
    pub stderr_bytes: u64,
    /// Kept of both.
    pub kept_bytes: u64,
    /// Left out of both.
    pub omitted_bytes: u64,
    /// What each text lacks.
    pub cuts: Cuts,
}

/// What each text lacks; nothing is there of one that lacks nothing.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(optional_fields))]
pub struct Cuts {
    /// Of standard output.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stdout: Option<TextCut>,
    /// Of standard error.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stderr: Option<TextCut>,
    /// Of both as one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub output: Option<TextCut>,
}

/// Lines that were chosen from an output.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Excerpt {
    /// The lines, with a line for each gap.
    pub text: String,
    /// Lines of the whole text.
    pub total_lines: u64,
    /// Those that are in `text`.
    pub shown_lines: u64,
}

/// A file with an output that did not fit.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Spill {
    /// Absolute.
    pub path: String,
    /// Its size.
    pub bytes: u64,
    /// False when its limit cut it.
    pub complete: bool,
}

/// What a program and its descendants used.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Usage {
    /// Processor time of programs, in milliseconds.
    pub user_ms: f64,
    /// Processor time of the kernel, in milliseconds.
    pub system_ms: f64,
    /// Largest resident size of a single process.
    pub max_rss_bytes: u64,
}
