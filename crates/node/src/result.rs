//! What runs report.

use handrail_process::{Event, Outcome, Process, Status, Stream};
use napi_derive::napi;

/// What an engine tells JavaScript.
#[napi(object, object_from_js = false)]
pub struct NativeEvent {
    /// `output`, `done` or `closed`.
    pub kind: String,
    /// The run; 0 for `closed`.
    pub id: f64,
    /// With `output`.
    pub chunk: Option<NativeChunk>,
    /// With `done`.
    pub result: Option<NativeResult>,
}

/// A piece of output.
#[napi(object)]
pub struct NativeChunk {
    /// `stdout` or `stderr`.
    pub stream: String,
    /// Cleaned and redacted.
    pub text: String,
}

/// A process by id and name.
#[napi(object)]
pub struct NativeProcess {
    /// Its id when it was seen.
    pub pid: i32,
    /// The kernel's short name of it.
    pub program: String,
}

/// A code with a message.
#[napi(object)]
pub struct NativeRefusal {
    /// Stable.
    pub code: String,
    /// For people and models.
    pub message: String,
}

/// How a run went. Sizes are bytes.
#[napi(object, object_from_js = false)]
pub struct NativeResult {
    /// `exited`, `signaled`, `timed_out`, `cancelled` or `spawn_failed`.
    pub status: String,
    /// With `exited`.
    pub exit_code: Option<i32>,
    /// With `signaled`, for example `SIGSEGV`.
    pub signal: Option<String>,
    /// Standard output, bounded.
    pub stdout: String,
    /// Standard error, bounded.
    pub stderr: String,
    /// Both in the order they were read, bounded.
    pub output: String,
    /// Whether any of the three lost something.
    pub truncated: bool,
    /// From the request to the end.
    pub duration_ms: f64,
    /// Written by the command.
    pub stdout_bytes: f64,
    /// Written by the command.
    pub stderr_bytes: f64,
    /// Kept in `output`.
    pub kept_bytes: f64,
    /// Left out of `output`.
    pub omitted_bytes: f64,
    /// Line ends left out of `output`.
    pub omitted_lines: f64,
    /// The file with the whole output, when it did not fit.
    pub spill_path: Option<String>,
    /// Its size.
    pub spill_bytes: f64,
    /// False when its cap cut it.
    pub spill_complete: bool,
    /// Secrets masked.
    pub redactions: f64,
    /// Processes that could not be killed.
    pub survivors: Vec<NativeProcess>,
    /// Processes that still ran when the command had ended, and were killed.
    pub leftovers: Vec<NativeProcess>,
    /// Processor time.
    pub user_ms: f64,
    /// Processor time.
    pub system_ms: f64,
    /// Largest resident size of a single process.
    pub max_rss_bytes: f64,
    /// Present when something went wrong on our side or the program could not start.
    pub failure: Option<NativeRefusal>,
    /// What the kernel enforced.
    pub sandbox: Vec<String>,
}

pub(crate) fn event(event: Event, sandbox: &[String]) -> NativeEvent {
    match event {
        Event::Output { run, stream, text } => {
            let stream = match stream {
                Stream::Stdout => "stdout",
                Stream::Stderr => "stderr",
            };
            let chunk = Some(NativeChunk { stream: stream.into(), text });
            NativeEvent { kind: "output".into(), id: run as f64, chunk, result: None }
        }
        Event::Done { run, outcome } => {
            let result = Some(result(*outcome, sandbox.to_vec()));
            NativeEvent { kind: "done".into(), id: run as f64, chunk: None, result }
        }
        Event::Closed => NativeEvent { kind: "closed".into(), id: 0.0, chunk: None, result: None },
    }
}

fn result(outcome: Outcome, sandbox: Vec<String>) -> NativeResult {
    let (status, exit_code, signal) = match outcome.status {
        Status::Exited(code) => ("exited", Some(code), None),
        Status::Signaled(number) => ("signaled", None, Some(signal_name(number))),
        Status::TimedOut => ("timed_out", None, None),
        Status::Cancelled => ("cancelled", None, None),
        Status::SpawnFailed => ("spawn_failed", None, None),
    };
    let milliseconds = |duration: std::time::Duration| duration.as_secs_f64() * 1000.0;
    NativeResult {
        status: status.into(),
        exit_code,
        signal,
        stdout: outcome.stdout,
        stderr: outcome.stderr,
        output: outcome.output,
        truncated: outcome.truncated,
        duration_ms: milliseconds(outcome.duration),
        stdout_bytes: outcome.stdout_bytes as f64,
        stderr_bytes: outcome.stderr_bytes as f64,
        kept_bytes: outcome.kept_bytes as f64,
        omitted_bytes: outcome.omitted_bytes as f64,
        omitted_lines: outcome.omitted_lines as f64,
        spill_bytes: outcome.spill.as_ref().map_or(0.0, |spill| spill.bytes as f64),
        spill_complete: outcome.spill.as_ref().is_none_or(|spill| spill.complete),
        spill_path: outcome.spill.map(|spill| spill.path.to_string_lossy().into_owned()),
        redactions: outcome.redactions as f64,
        survivors: outcome.survivors.iter().map(process).collect(),
        leftovers: outcome.leftovers.iter().map(process).collect(),
        user_ms: milliseconds(outcome.user),
        system_ms: milliseconds(outcome.system),
        max_rss_bytes: outcome.max_rss_bytes as f64,
        failure: outcome
            .failure
            .map(|failure| NativeRefusal { code: failure.code.into(), message: failure.message }),
        sandbox,
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
