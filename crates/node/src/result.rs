//! Events and results of the process core as reports.

use std::time::Duration;

use handrail_process::{
    Digest, Event, LimitMet, LimitName, Outcome, Refusal, RequestError, Spilled, Status, Stream,
};
use handrail_reports::{self as reports, json};
use napi::Either;
use napi::bindgen_prelude::{Buffer, FnArgs};

/// An event of an engine for JavaScript: the report as JSON, and the texts or the bytes of the event.
pub(crate) type NativeEvent = FnArgs<(String, Option<Either<Vec<String>, Buffer>>)>;

pub(crate) fn event(event: Event) -> NativeEvent {
    let (event, beside) = match event {
        Event::Output { run: id, stream, text } => {
            let stream = match stream {
                Stream::Stdout => reports::Stream::Stdout,
                Stream::Stderr => reports::Stream::Stderr,
            };
            (reports::Event::Output { id, stream }, Some(Either::A(vec![text])))
        }
        Event::Data { run: id, bytes } => {
            (reports::Event::Data { id }, Some(Either::B(bytes.into())))
        }
        Event::Answered { run: id, request, result } => {
            let (error, answer, text) = match result {
                Ok(mut found) => {
                    let text = std::mem::take(&mut found.text);
                    (None, Some(answer(&found)), Some(Either::A(vec![text])))
                }
                Err(error) => (Some(request_error(error)), None, None),
            };
            let reply = reports::Reply { request, error, answer };
            (reports::Event::Answered { id, reply }, text)
        }
        Event::Written { run: id, request, result } => {
            let error = result.err().map(request_error);
            let reply = reports::Reply { request, error, answer: None };
            (reports::Event::Written { id, reply }, None)
        }
        Event::Done { run: id, mut outcome } => {
            let streams = streams(&outcome);
            let texts = texts(&mut outcome);
            let report = Box::new(report(*outcome, streams));
            (reports::Event::Done { id, report }, Some(Either::A(texts)))
        }
        Event::Connected { request: id, result } => {
            let message = result.as_ref().err().map(ToString::to_string);
            (reports::Event::Connected { id, descriptor: result.ok(), message }, None)
        }
        Event::Closed => (reports::Event::Closed, None),
    };
    (json(&event), beside).into()
}

/// The texts of standard output, standard error and, where neither is the whole output, of both.
fn texts(outcome: &mut Outcome) -> Vec<String> {
    let each = [Some(&mut outcome.stdout), Some(&mut outcome.stderr), outcome.joined.as_mut()];
    each.into_iter().flatten().map(|cut| std::mem::take(&mut cut.text)).collect()
}

fn streams(outcome: &Outcome) -> reports::Streams {
    let output = outcome.output();
    reports::Streams {
        stdout_bytes: outcome.stdout_bytes,
        stderr_bytes: outcome.stderr_bytes,
        kept_bytes: output.total.bytes - output.omitted.bytes,
        omitted_bytes: output.omitted.bytes,
        cuts: reports::Cuts {
            stdout: reports::TextCut::of(&outcome.stdout),
            stderr: reports::TextCut::of(&outcome.stderr),
            output: reports::TextCut::of(output),
        },
    }
}

pub(crate) fn start(
    decision: reports::Decision<'_>,
    started: bool,
    refusal: Option<Refusal>,
) -> reports::Start<'_> {
    let (denial, failure) = match refusal {
        None => (None, None),
        Some(Refusal::Denied { rule, message }) => (Some(reports::Denial { rule, message }), None),
        Some(Refusal::Failed(failure)) => (None, Some(failure)),
    };
    reports::Start { decision, started, denial, failure }
}

fn request_error(error: RequestError) -> reports::RequestError {
    reports::RequestError { code: error.code, message: error.message }
}

pub(crate) fn answer(answer: &handrail_pty::Answer) -> reports::Answer {
    use handrail_pty::Reason;
    reports::Answer {
        reason: match answer.reason {
            Reason::Marker => reports::AnswerReason::Marker,
            Reason::Quiet => reports::AnswerReason::Quiet,
            Reason::Idle => reports::AnswerReason::Idle,
            Reason::Matched => reports::AnswerReason::Matched,
            Reason::Timeout => reports::AnswerReason::Timeout,
            Reason::Limit => reports::AnswerReason::Limit,
            Reason::Exited => reports::AnswerReason::Exited,
            Reason::Available => reports::AnswerReason::Available,
        },
        confirmed: answer.confirmed,
        matched: answer.matched,
        command: answer.command.map(|end| reports::CommandEnd {
            status: end.status,
            duration_ms: end.duration.as_secs_f64() * 1000.0,
        }),
        sent: answer.sent,
        skipped_bytes: answer.skipped_bytes,
        omitted_bytes: answer.omitted_bytes,
        redactions: answer.redactions,
        screen: answer.screen.clone().map(screen),
        question: answer.question.clone().map(|question| reports::SecretQuestion {
            number: question.number,
            program: question.program,
            command: question.command,
        }),
        cursor: answer.cursor,
    }
}

pub(crate) fn screen(screen: handrail_pty::Screen) -> reports::Screen {
    let handrail_pty::Screen { text, cursor, redactions, is_painted } = screen;
    // A terminal has at most 65,535 rows and columns.
    let number = |count: usize| u32::try_from(count).unwrap_or(u32::MAX);
    let (row, column) = (number(cursor.row), number(cursor.column));
    reports::Screen {
        text,
        cursor: reports::ScreenCursor { row, column, visible: cursor.visible },
        full_screen: is_painted,
        redactions,
    }
}

pub(crate) fn glimpse(glimpse: handrail_pty::Glimpse) -> reports::Glimpse {
    reports::Glimpse {
        text: glimpse.text,
        replaces_line: glimpse.replaces_line,
        back: u32::try_from(glimpse.back).unwrap_or(u32::MAX),
        screen: glimpse.screen.map(screen),
        full_screen: glimpse.is_painted,
        skipped_bytes: glimpse.skipped_bytes,
        cursor: glimpse.cursor,
    }
}

fn report(outcome: Outcome, streams: reports::Streams) -> reports::RunReport {
    let milliseconds = |duration: Duration| duration.as_secs_f64() * 1000.0;
    reports::RunReport {
        end: reports::End {
            status: match outcome.status {
                Status::Exited(exit_code) => reports::Status::Exited { exit_code },
                Status::Signaled(number) => reports::Status::signaled(number),
                Status::TimedOut => reports::Status::TimedOut,
                Status::Limited(met) => reports::Status::Limited { limit: limit(met) },
                Status::Cancelled => reports::Status::Cancelled,
                Status::SpawnFailed => reports::Status::SpawnFailed,
            },
            failure: outcome.failure,
            survivors: outcome.survivors.map(|left| left.iter().map(process).collect()),
            leftovers: outcome.leftovers.iter().map(process).collect(),
            sandbox: outcome.sandbox.to_vec(),
        },
        streams,
        excerpt: outcome.excerpt.map(reports::Excerpt::of),
        spill: outcome.spill.map(spill),
        redactions: outcome.redactions,
        duration_ms: milliseconds(outcome.duration),
        usage: reports::Usage {
            user_ms: milliseconds(outcome.user),
            system_ms: milliseconds(outcome.system),
            max_rss_bytes: outcome.max_rss_bytes,
        },
    }
}

/// The report of a shortened text.
pub(crate) fn digest(Digest { excerpt, spill: file }: Digest) -> reports::TextDigest {
    reports::TextDigest { excerpt: reports::Excerpt::of(excerpt), spill: file.map(spill) }
}

fn spill(Spilled { path, bytes, complete }: Spilled) -> reports::Spill {
    reports::Spill { path: path.to_string_lossy().into_owned(), bytes, complete }
}

fn limit(LimitMet { name, value, used }: LimitMet) -> reports::LimitReport {
    let name = match name {
        LimitName::MemoryBytes => "memoryBytes",
        LimitName::Processes => "processes",
        LimitName::CpuMs => "cpuMs",
        LimitName::FileBytes => "fileBytes",
        LimitName::DiskBytes => "diskBytes",
        LimitName::OpenFiles => "openFiles",
    };
    reports::LimitReport { name, value, used }
}

fn process(process: &handrail_process::Process) -> reports::Process {
    let program = String::from_utf8_lossy(&process.program).into_owned();
    reports::Process { pid: process.pid, program }
}
