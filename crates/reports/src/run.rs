//! The report on a run. Its texts cross separately.

use serde::Serialize;

use crate::{End, TextCut};

/// How a run went, without its texts.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(test, derive(ts_rs::TS), ts(optional_fields))]
pub struct RunReport {
    /// How it ended.
    pub end: End,
    /// Counts of its outputs.
    pub streams: Streams,
    /// The most informative lines of both outputs, where they were asked for and not all lines fit.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub excerpt: Option<Excerpt>,
    /// The file with the whole output, where that did not fit.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub spill: Option<Spill>,
    /// How many secrets were masked.
    pub redactions: u64,
    /// Time from the request to the end, in milliseconds.
    pub duration_ms: f64,
    /// The processor time and memory of the program and its descendants.
    pub usage: Usage,
}

/// Counts of the outputs, in bytes.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Streams {
    /// Bytes that the command wrote to its standard output.
    pub stdout_bytes: u64,
    /// Bytes that the command wrote to its standard error.
    pub stderr_bytes: u64,
    /// Bytes kept of both outputs.
    pub kept_bytes: u64,
    /// Bytes left out of both outputs.
    pub omitted_bytes: u64,
    /// What is missing in each text.
    pub cuts: Cuts,
}

/// What is missing in each text; absent where nothing is.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(optional_fields))]
pub struct Cuts {
    /// Missing in standard output.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stdout: Option<TextCut>,
    /// Missing in standard error.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stderr: Option<TextCut>,
    /// Missing in both outputs as one text.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub output: Option<TextCut>,
}

/// Lines that were chosen from an output.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Excerpt {
    /// The chosen lines, with a line for each gap.
    pub text: String,
    /// Lines of the whole text.
    pub total_lines: u64,
    /// Lines that are in `text`.
    pub shown_lines: u64,
}

impl Excerpt {
    /// Reports the lines that were chosen.
    pub fn of(excerpt: handrail_text::Excerpt) -> Excerpt {
        let handrail_text::Excerpt { text, total_lines, shown_lines, .. } = excerpt;
        Excerpt { text, total_lines, shown_lines }
    }
}

/// What the reader of a long text gets.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(optional_fields))]
pub struct TextDigest {
    /// The chosen lines.
    pub excerpt: Excerpt,
    /// The file with the whole text.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub spill: Option<Spill>,
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

/// The processor time and memory of a program and its descendants.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Usage {
    /// Processor time in user mode, in milliseconds.
    pub user_ms: f64,
    /// Processor time in the kernel, in milliseconds.
    pub system_ms: f64,
    /// Largest resident size of a single process, in bytes.
    pub max_rss_bytes: u64,
}
