//! What runs report.

use std::time::Duration;

use handrail_process::{Event, Outcome, Process, RequestError, Status, Stream};
use handrail_pty::{Answer, Reason};
use handrail_text::Cut;
use napi::bindgen_prelude::{Buffer, FnArgs};
use serde::Serialize;

use handrail_reports::{Failure, NativeCut, json};

/// What an engine tells JavaScript: which kind of event it is, the program's number, a report as JSON, up to three texts
/// (standard output, standard error, and both in the order read), and bytes. What a kind does not have, or what is empty, is
/// missing.
pub(crate) type NativeEvent = FnArgs<(
    u32,
    f64,
    Option<String>,
    Option<String>,
    Option<String>,
    Option<String>,
    Option<Buffer>,
)>;

/// The kinds of events, as `ts/native/raw.ts` knows them.
mod kind {
    pub(super) const CLOSED: u32 = 0;
    pub(super) const OUTPUT: u32 = 1;
    pub(super) const DONE: u32 = 2;
    pub(super) const ANSWERED: u32 = 3;
    pub(super) const WRITTEN: u32 = 4;
    pub(super) const DATA: u32 = 5;
}

/// What became of a request to a session or a service.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct NativeReply {
    /// The number it came with.
    request: u64,
    /// Why it was not done.
    #[serde(skip_serializing_if = "Option::is_none")]
    failure: Option<NativeRefusal>,
    /// What a session wrote; its text is beside this.
    #[serde(skip_serializing_if = "Option::is_none")]
    answer: Option<NativeAnswer>,
}

/// How a read of a session ended.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct NativeAnswer {
    /// `marker`, `quiet`, `timeout`, `limit`, `exited` or `available`.
    reason: &'static str,
    confirmed: bool,
    sent: bool,
    skipped_bytes: u64,
    omitted_bytes: u64,
    redactions: u64,
    cursor: u64,
}

/// A process by id and name.
#[derive(Serialize)]
struct NativeProcess {
    pid: i32,
    program: String,
}

/// A code with a message.
#[derive(Serialize)]
pub(crate) struct NativeRefusal {
    pub(crate) code: &'static str,
    pub(crate) message: String,
}

/// Lines that were chosen from an output.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct NativeExcerpt {
    text: String,
    total_lines: u64,
    shown_lines: u64,
}

/// What each text lacks; nothing is there of one that lacks nothing.
#[derive(Serialize)]
struct NativeCuts {
    #[serde(skip_serializing_if = "Option::is_none")]
    stdout: Option<NativeCut>,
    #[serde(skip_serializing_if = "Option::is_none")]
    stderr: Option<NativeCut>,
    #[serde(skip_serializing_if = "Option::is_none")]
    output: Option<NativeCut>,
}

/// The texts of a run, but for themselves.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct NativeTexts {
    cuts: NativeCuts,
    /// The output that is both as well, when the other one is empty: `stdout` or `stderr`. No text of both is given then.
    #[serde(skip_serializing_if = "Option::is_none")]
    alone: Option<&'static str>,
    /// Kept of both.
    kept_bytes: u64,
    /// Left out of both.
    omitted_bytes: u64,
}

/// How a run went, without its output. Sizes are bytes.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct NativeReport {
    /// `exited`, `signaled`, `timed_out`, `cancelled` or `spawn_failed`.
    status: &'static str,
    /// With `exited`.
    #[serde(skip_serializing_if = "Option::is_none")]
    exit_code: Option<i32>,
    /// With `signaled`, for example `SIGSEGV`.
    #[serde(skip_serializing_if = "Option::is_none")]
    signal: Option<String>,
    /// What is said of the texts.
    #[serde(flatten)]
    texts: NativeTexts,
    /// From the request to the end.
    duration_ms: f64,
    /// Written by the command.
    stdout_bytes: u64,
    /// Written by the command.
    stderr_bytes: u64,
    /// Lines of both that tell most, when they were asked for and not all fit.
    #[serde(skip_serializing_if = "Option::is_none")]
    excerpt: Option<NativeExcerpt>,
    /// The file with the whole output, when it did not fit.
    #[serde(skip_serializing_if = "Option::is_none")]
    spill_path: Option<String>,
    /// Its size.
    spill_bytes: u64,
    /// False when its cap cut it.
    spill_complete: bool,
    /// Secrets masked.
    redactions: u64,
    /// Processes that could not be killed; null where nobody could look.
    survivors: Option<Vec<NativeProcess>>,
    /// Processes that still ran when the command had ended, and were killed.
    leftovers: Vec<NativeProcess>,
    /// Processor time.
    user_ms: f64,
    /// Processor time.
    system_ms: f64,
    /// Largest resident size of a single process.
    max_rss_bytes: u64,
    /// Present when something went wrong on our side or the program could not start.
    #[serde(skip_serializing_if = "Option::is_none")]
    failure: Option<Failure>,
    /// What the kernel enforced.
    sandbox: Vec<String>,
}

pub(crate) fn event(event: Event) -> NativeEvent {
    match event {
        Event::Output { run, stream: Stream::Stdout, text } => {
            (kind::OUTPUT, run as f64, None, Some(text), None, None, None).into()
        }
        Event::Output { run, stream: Stream::Stderr, text } => {
            (kind::OUTPUT, run as f64, None, None, Some(text), None, None).into()
        }
        Event::Done { run, mut outcome } => {
            let texts = texts(&outcome);
            let text =
                |cut: &mut Cut| Some(std::mem::take(&mut cut.text)).filter(|text| !text.is_empty());
            let (stdout, stderr) = (text(&mut outcome.stdout), text(&mut outcome.stderr));
            let output = outcome.joined.as_mut().and_then(text);
            let report = Some(json(&report(*outcome, texts)));
            (kind::DONE, run as f64, report, stdout, stderr, output, None).into()
        }
        Event::Answered { run, request, result } => {
            let (text, reply) = match result {
                Ok(mut answer) => {
                    let text = std::mem::take(&mut answer.text);
                    let answer = Some(native_answer(&answer));
                    (text, NativeReply { request, failure: None, answer })
                }
                Err(failure) => (String::new(), refused(request, failure)),
            };
            let reply = Some(json(&reply));
            (kind::ANSWERED, run as f64, reply, Some(text), None, None, None).into()
        }
        Event::Written { run, request, result } => {
            let reply = match result {
                Ok(()) => NativeReply { request, failure: None, answer: None },
                Err(failure) => refused(request, failure),
            };
            (kind::WRITTEN, run as f64, Some(json(&reply)), None, None, None, None).into()
        }
        Event::Data { run, bytes } => {
            (kind::DATA, run as f64, None, None, None, None, Some(bytes.into())).into()
        }
        Event::Closed => (kind::CLOSED, 0.0, None, None, None, None, None).into(),
    }
}

fn refused(request: u64, failure: RequestError) -> NativeReply {
    let failure = NativeRefusal { code: failure.code, message: failure.message };
    NativeReply { request, failure: Some(failure), answer: None }
}

/// How a read ended, as JSON.
pub(crate) fn answer(answer: &Answer) -> String {
    json(&native_answer(answer))
}

fn native_answer(answer: &Answer) -> NativeAnswer {
    NativeAnswer {
        reason: match answer.reason {
            Reason::Marker => "marker",
            Reason::Quiet => "quiet",
            Reason::Timeout => "timeout",
            Reason::Limit => "limit",
            Reason::Exited => "exited",
            Reason::Available => "available",
        },
        confirmed: answer.confirmed,
        sent: answer.sent,
        skipped_bytes: answer.skipped_bytes,
        omitted_bytes: answer.omitted_bytes,
        redactions: answer.redactions,
        cursor: answer.cursor,
    }
}

fn texts(outcome: &Outcome) -> NativeTexts {
    let output = outcome.output();
    NativeTexts {
        cuts: NativeCuts {
            stdout: NativeCut::of(&outcome.stdout),
            stderr: NativeCut::of(&outcome.stderr),
            output: NativeCut::of(output),
        },
        alone: match outcome.joined {
            None if !outcome.stdout.text.is_empty() => Some("stdout"),
            None if !outcome.stderr.text.is_empty() => Some("stderr"),
            _ => None,
        },
        kept_bytes: output.total.bytes - output.omitted.bytes,
        omitted_bytes: output.omitted.bytes,
    }
}

fn report(outcome: Outcome, texts: NativeTexts) -> NativeReport {
    let (status, exit_code, signal) = match outcome.status {
        Status::Exited(code) => ("exited", Some(code), None),
        Status::Signaled(number) => ("signaled", None, Some(signal_name(number))),
        Status::TimedOut => ("timed_out", None, None),
        Status::Cancelled => ("cancelled", None, None),
        Status::SpawnFailed => ("spawn_failed", None, None),
    };
    let milliseconds = |duration: Duration| duration.as_secs_f64() * 1000.0;
    NativeReport {
        status,
        exit_code,
        signal,
        texts,
        duration_ms: milliseconds(outcome.duration),
        stdout_bytes: outcome.stdout_bytes,
        stderr_bytes: outcome.stderr_bytes,
        excerpt: outcome.excerpt.map(|excerpt| NativeExcerpt {
            text: excerpt.text,
            total_lines: excerpt.total_lines,
            shown_lines: excerpt.shown_lines,
        }),
        spill_bytes: outcome.spill.as_ref().map_or(0, |spill| spill.bytes),
        spill_complete: outcome.spill.as_ref().is_none_or(|spill| spill.complete),
        spill_path: outcome.spill.map(|spill| spill.path.to_string_lossy().into_owned()),
        redactions: outcome.redactions,
        survivors: outcome.survivors.map(|left| left.iter().map(process).collect()),
        leftovers: outcome.leftovers.iter().map(process).collect(),
        user_ms: milliseconds(outcome.user),
        system_ms: milliseconds(outcome.system),
        max_rss_bytes: outcome.max_rss_bytes,
        failure: outcome.failure,
        sandbox: outcome.sandbox.to_vec(),
    }
}

fn process(process: &Process) -> NativeProcess {
    let program = String::from_utf8_lossy(&process.program).into_owned();
    NativeProcess { pid: process.pid, program }
}

/// Names of the standard signals on Linux, from 1.
const SIGNALS: [&str; 31] = [
    "SIGHUP",
    "SIGINT",
    "SIGQUIT",
    "SIGILL",
    "SIGTRAP",
    "SIGABRT",
    "SIGBUS",
    "SIGFPE",
    "SIGKILL",
    "SIGUSR1",
    "SIGSEGV",
    "SIGUSR2",
    "SIGPIPE",
    "SIGALRM",
    "SIGTERM",
    "SIGSTKFLT",
    "SIGCHLD",
    "SIGCONT",
    "SIGSTOP",
    "SIGTSTP",
    "SIGTTIN",
    "SIGTTOU",
    "SIGURG",
    "SIGXCPU",
    "SIGXFSZ",
    "SIGVTALRM",
    "SIGPROF",
    "SIGWINCH",
    "SIGIO",
    "SIGPWR",
    "SIGSYS",
];

fn signal_name(number: i32) -> String {
    let index = usize::try_from(number - 1).unwrap_or(usize::MAX);
    SIGNALS.get(index).map_or_else(|| format!("SIG{number}"), ToString::to_string)
}
