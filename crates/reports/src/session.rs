//! What is reported of requests to sessions and services.

use serde::Serialize;

/// What became of a request to a session or a service.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(optional_fields))]
pub struct Reply {
    /// The number it came with.
    pub request: u64,
    /// Why it was not served.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<RequestError>,
    /// What a session wrote; its text is beside this.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub answer: Option<Answer>,
}

/// Why a request was not served.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct RequestError {
    /// The code of the error that the caller gets.
    #[cfg_attr(test, ts(type = "'ERR_BUSY' | 'ERR_CLOSED' | 'ERR_INVALID_ARGUMENT'"))]
    pub code: &'static str,
    /// For people.
    pub message: String,
}

/// How a read of a session ended.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Answer {
    /// Why it is over.
    pub reason: AnswerReason,
    /// Whether the kernel confirmed that the program waits for input.
    pub confirmed: bool,
    /// Whether the input was written.
    pub sent: bool,
    /// Bytes between the last answer and this one that are in the history only.
    pub skipped_bytes: u64,
    /// Bytes of this answer that are in the history only.
    pub omitted_bytes: u64,
    /// Secrets masked.
    pub redactions: u64,
    /// Where it ends in the history.
    pub cursor: u64,
}

/// Why a read is over.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
#[cfg_attr(test, derive(ts_rs::TS))]
pub enum AnswerReason {
    /// A marker is at the end of the output.
    Marker,
    /// Nothing came for a while.
    Quiet,
    /// The time is over.
    Timeout,
    /// The answer is as long as it may be.
    Limit,
    /// The program has ended.
    Exited,
    /// It is what there was.
    Available,
}

/// What a program that has ended wrote since the last answer.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct LastAnswer {
    /// How the read ended.
    pub answer: Answer,
    /// What it wrote.
    pub text: String,
}

/// What a session wrote so far.
#[derive(Debug, Default, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct History {
    /// As far as it is kept.
    pub text: String,
    /// Absolute position of its first byte.
    pub start: u64,
    /// Of its end.
    pub end: u64,
    /// Bytes before `start` that were asked for and are not kept any more.
    pub dropped_bytes: u64,
}
