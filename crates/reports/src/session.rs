//! Reports on requests to sessions and services.

use serde::Serialize;

/// The reply to a request to a session or a service.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(optional_fields))]
pub struct Reply {
    /// The number of the request.
    pub request: u64,
    /// Why it was not served.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<RequestError>,
    /// The answer of a session. Its text crosses beside the event.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub answer: Option<Answer>,
}

/// Why a request was not served.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct RequestError {
    /// The stable code of the error that the caller gets.
    #[cfg_attr(test, ts(type = "'ERR_BUSY' | 'ERR_CLOSED' | 'ERR_INVALID_ARGUMENT'"))]
    pub code: &'static str,
    /// For people.
    pub message: String,
}

/// How a read of a session ended.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(test, derive(ts_rs::TS), ts(optional_fields))]
pub struct Answer {
    /// Why the read is over.
    pub reason: AnswerReason,
    /// Whether the kernel confirmed that the program waits for input.
    pub confirmed: bool,
    /// Whether what the read waited for came. Absent where the read waited for readiness alone.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub matched: Option<bool>,
    /// What a shell that marks its commands has said about the one that was sent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub command: Option<CommandEnd>,
    /// Whether the input of a send was written.
    pub sent: bool,
    /// Bytes between the last answer and this one that are in the history only.
    pub skipped_bytes: u64,
    /// Bytes of this answer that are in the history only.
    pub omitted_bytes: u64,
    /// How many secrets were masked.
    pub redactions: u64,
    /// What the program shows. Absent where its output is lines.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub screen: Option<Screen>,
    /// The line that the program reads without echo.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub question: Option<SecretQuestion>,
    /// The position in the history at which the answer ends.
    pub cursor: u64,
}

/// A line, such as a password, that a program reads with the echo of its terminal turned off.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(optional_fields))]
pub struct SecretQuestion {
    /// Counts the questions of the session.
    pub number: u64,
    /// The executable file of the process that waits, where the kernel names it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub program: Option<String>,
    /// The arguments of this process, joined with blanks; not masked.
    pub command: String,
}

/// What is known about a command that was sent to a shell.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct CommandEnd {
    /// The exit status, where the shell has said it.
    pub status: Option<u8>,
    /// Milliseconds from the input to the end of the command, or of the read.
    pub duration_ms: f64,
}

/// What a terminal shows.
#[derive(Debug, Default, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Screen {
    /// The rows.
    pub text: String,
    /// Where the cursor is.
    pub cursor: ScreenCursor,
    /// Whether a full-screen program paints it. Otherwise it is the end of the lines that were written.
    pub full_screen: bool,
    /// How many secrets were masked.
    pub redactions: u64,
}

/// What is new to somebody who looks on.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(test, ts(optional_fields))]
pub struct Glimpse {
    /// Cleaned and masked.
    pub text: String,
    /// Whether the text begins with the unfinished line that was given before, which has changed.
    pub replaces_line: bool,
    /// How many characters the cursor is left of the text's end.
    pub back: u32,
    /// The picture of a full-screen program, where it has changed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub screen: Option<Screen>,
    /// Whether output is a picture now.
    pub full_screen: bool,
    /// Bytes before the text that are not kept any more.
    pub skipped_bytes: u64,
    /// The position of the text's end.
    pub cursor: u64,
}

/// The cursor of a terminal.
#[derive(Debug, Default, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct ScreenCursor {
    /// The row, counted from 1.
    pub row: u32,
    /// The column, counted from 1.
    pub column: u32,
    /// Whether it is shown.
    pub visible: bool,
}

/// Why a read is over.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
#[cfg_attr(test, derive(ts_rs::TS))]
pub enum AnswerReason {
    /// A marker is at the end of the output.
    Marker,
    /// The program was quiet for a while.
    Quiet,
    /// The program is silent and uses no processor, and does not wait for its terminal.
    Idle,
    /// The text, the pattern or the port came that was waited for.
    Matched,
    /// The time is over.
    Timeout,
    /// The answer is as long as it may be.
    Limit,
    /// The program has ended.
    Exited,
    /// The read did not wait: the answer is the output that had come already.
    Available,
}

/// The output since the last answer, of a program that has ended.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct LastAnswer {
    /// How the read ended.
    pub answer: Answer,
    /// The output.
    pub text: String,
}

/// The output of a session so far.
#[derive(Debug, Default, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct History {
    /// The text that is kept.
    pub text: String,
    /// The absolute position of its first byte.
    pub start: u64,
    /// The absolute position of its end.
    pub end: u64,
    /// Bytes before `start` that were asked for and are not kept any more.
    pub dropped_bytes: u64,
}
