//! Sessions and services as classes.

use std::path::PathBuf;
use std::sync::atomic::{AtomicI32, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Instant;

use handrail_policy::Verdict;
use handrail_process::{
    Environment, LiveProgram, LiveProgramKind, LiveRequest, OpenCall, ServiceStderr, Size, Warrant,
};
use handrail_pty::{Pattern, Read, Step, Until};
use napi::bindgen_prelude::{ClassInstance, Either, Either3, Uint8Array};
use napi_derive::napi;

use crate::call::{NativeLayerFolder, NativeSpillFolder};
use crate::code::{Result, error};
use crate::engine::{SharedEngine, lock};
use crate::plan::{self, NativeConfine};
use crate::result;
use crate::runner::{NativeJudgedCommand, NativeRunner, milliseconds, read_command};
use handrail_reports::{History, LastAnswer, Screen, json};

/// How a session or service is started.
#[napi(object)]
pub struct NativeOpenCall {
    /// Working directory; absolute.
    pub cwd: String,
    /// Time from SIGTERM to SIGKILL, in milliseconds.
    pub grace_ms: f64,
    /// Who decided that it may start: `host`, `approval` or `policy`.
    #[napi(ts_type = "'host' | 'approval' | 'policy'")]
    pub warrant: String,
    /// The environment: entries `NAME=value`, joined by NUL, since one text crosses faster than many.
    pub env: String,
    /// Further variables for programs that name git; they replace others of the same name.
    pub git_env: String,
    /// Whether `HOME` is a private empty folder.
    pub private_home: bool,
    /// Whether a private home has the files that those of commands start with.
    pub home_files: bool,
    /// The confinement of a program that the host names.
    pub confine: Option<NativeConfine>,
    /// Whether it is a shell whose lines are judged.
    pub typed: bool,
    /// The folder of spilled output that it sees, where a caller started it.
    pub spill: Option<NativeSpillFolder>,
    /// The layer in which it writes, of its own.
    pub layer: Option<NativeLayerFolder>,
}

/// The program to start: one that the host names, or a command that was judged.
type Startable<'a> = Either3<String, Vec<String>, ClassInstance<'a, NativeJudgedCommand>>;

/// Options of a session, beside those of its start.
#[napi(object)]
pub struct NativeSessionOptions {
    /// Characters of a row.
    pub columns: u16,
    /// Rows.
    pub rows: u16,
    /// How many bytes of cleaned text are kept.
    pub history_bytes: u32,
    /// Texts that show that the program is ready for input.
    pub markers: Vec<String>,
    /// Whether the terminal echoes, so that programs that ask for a password are told from others.
    pub echoes: bool,
}

/// When a read of a session is over.
#[napi(object)]
pub struct NativeRead {
    /// `ready`, `quiet` or `now`; `text`, `pattern`, `port` and `silence` have their value beside it.
    #[napi(ts_type = "'ready' | 'quiet' | 'now' | 'text' | 'pattern' | 'port' | 'silence'")]
    pub until: String,
    /// The text, or the regular expression.
    pub awaited: Option<String>,
    /// The port, or the silence in milliseconds.
    pub awaited_number: Option<f64>,
    /// Longest duration of the read, in milliseconds.
    pub timeout_ms: f64,
    /// Time without output after a marker that the kernel cannot confirm, in milliseconds.
    pub settle_ms: f64,
    /// Time without output after which the program counts as quiet, in milliseconds.
    pub quiet_ms: f64,
    /// Most bytes of the answer.
    pub max_bytes: u32,
    /// Whether a longer answer keeps its end.
    pub keeps_end: Option<bool>,
    /// Whether a send writes nothing to a program that reads without echo.
    pub spares_questions: Option<bool>,
    /// Whether a send writes only to the first program of the session.
    pub only_to_first: Option<bool>,
}

/// A program on a terminal.
#[napi]
pub struct NativeSession {
    engine: SharedEngine,
    id: u64,
    start: String,
    dialogue: Option<Arc<Mutex<handrail_pty::Session>>>,
    leader: Arc<AtomicI32>,
}

#[napi]
impl NativeSession {
    /// Starts the program; `start` says whether that worked.
    #[napi(constructor, catch_unwind)]
    pub fn new(
        terminal: &NativeRunner,
        id: f64,
        #[napi(ts_arg_type = "string | Array<string> | NativeJudgedCommand")] command: Startable<
            '_,
        >,
        call: NativeOpenCall,
        options: NativeSessionOptions,
    ) -> Result<Self> {
        let size = Size { columns: options.columns, rows: options.rows };
        let history_bytes = options.history_bytes as usize;
        let NativeSessionOptions { markers, echoes, .. } = options;
        let kind = LiveProgramKind::Session { size, history_bytes, markers, echoes };
        let (start, live) = terminal.open(id, command, open_call(call, kind)?)?;
        let (dialogue, leader) = match live {
            Some(LiveProgram::Session { dialogue, leader }) => (Some(dialogue), leader),
            _ => (None, Arc::default()),
        };
        Ok(NativeSession { engine: terminal.engine(), id: id as u64, start, dialogue, leader })
    }

    /// The report on the start.
    #[napi(getter, ts_return_type = "Json<Start>")]
    pub fn start(&self) -> String {
        self.start.clone()
    }

    /// Reads until the program is ready. An event with the request's number has the answer.
    #[napi(catch_unwind)]
    pub fn read(&self, request: f64, read: NativeRead) -> Result<()> {
        let read = read_of(&read)?;
        self.request(LiveRequest::Read { request: request as u64, read });
        Ok(())
    }

    /// Writes when the program is ready for input, and then reads.
    #[napi(catch_unwind)]
    pub fn send(&self, request: f64, input: Uint8Array, read: NativeRead) -> Result<()> {
        let read = read_of(&read)?;
        self.request(LiveRequest::Send { request: request as u64, input: input.to_vec(), read });
        Ok(())
    }

    /// Writes now, after the bytes that already wait.
    #[napi(catch_unwind)]
    pub fn write(&self, request: f64, bytes: Uint8Array) {
        self.request(LiveRequest::Write { request: request as u64, bytes: bytes.to_vec() });
    }

    /// Writes judged lines, if the first program of the session is the one that reads them. An event with the request's
    /// number follows.
    #[napi(catch_unwind)]
    pub fn lines(&self, request: f64, bytes: Uint8Array) {
        self.request(LiveRequest::Lines { request: request as u64, bytes: bytes.to_vec() });
    }

    /// Writes a key, if another program than the first one waits for it. An event with the request's number follows.
    #[napi(catch_unwind)]
    pub fn key(&self, request: f64, bytes: Uint8Array) {
        self.request(LiveRequest::Key { request: request as u64, bytes: bytes.to_vec() });
    }

    /// Answers the question of this number. An event with the request's number follows.
    #[napi(catch_unwind)]
    pub fn secret(&self, request: f64, question: f64, line: Uint8Array) {
        let (request, question, line) = (request as u64, question as u64, line.to_vec());
        self.request(LiveRequest::Secret { request, question, line });
    }

    /// Whether arrow keys have their application form.
    #[napi(catch_unwind)]
    pub fn application_cursor(&self) -> bool {
        self.dialogue.as_ref().is_some_and(|dialogue| lock(dialogue).modes().application_cursor)
    }

    /// Whether pasted text is marked as such.
    #[napi(catch_unwind)]
    pub fn bracketed_paste(&self) -> bool {
        self.dialogue.as_ref().is_some_and(|dialogue| lock(dialogue).modes().bracketed_paste)
    }

    /// Changes the size of its terminal.
    #[napi(catch_unwind)]
    pub fn resize(&self, columns: u16, rows: u16) {
        self.request(LiveRequest::Resize(Size { columns, rows }));
    }

    /// Sends a signal, by number, to the program that was started.
    #[napi(catch_unwind)]
    pub fn signal(&self, number: i32) {
        self.request(LiveRequest::Signal(number));
    }

    /// Replaces the texts that show that the program is ready for input.
    #[napi(catch_unwind)]
    pub fn set_markers(&self, markers: Vec<String>) {
        self.request(LiveRequest::SetMarkers(markers));
    }

    /// Requests an event with this number when the program runs.
    #[napi(catch_unwind)]
    pub fn await_start(&self, request: f64) {
        self.request(LiveRequest::AwaitStart { request: request as u64 });
    }

    /// Ends the read that is going on: the answer is the output so far.
    #[napi(catch_unwind)]
    pub fn stop(&self) {
        self.request(LiveRequest::Stop);
    }

    /// The present working directory of the program; null where it is unknown.
    #[napi(catch_unwind)]
    pub fn cwd(&self) -> Option<String> {
        let pid = self.leader.load(Ordering::Relaxed);
        let path = handrail_process::process_link(pid, "cwd")?;
        path.to_str().map(ToOwned::to_owned)
    }

    /// What the kernel enforces on the program while it runs, a line for each mechanism.
    #[napi(catch_unwind)]
    pub fn sandbox(&self) -> Vec<String> {
        lock(&self.engine).enforced(self.id).to_vec()
    }

    /// The output since the last answer, of a program that has ended.
    #[napi(catch_unwind, ts_return_type = "Json<LastAnswer> | null")]
    pub fn rest(&self, read: NativeRead) -> Result<Option<String>> {
        let read = read_of(&read)?;
        let Some(dialogue) = &self.dialogue else { return Ok(None) };
        let mut dialogue = lock(dialogue);
        let now = Instant::now();
        dialogue.begin_read(read, now);
        let Step::Done(answer) = dialogue.step(now) else { return Ok(None) };
        let (answer, text) = (result::answer(&answer), answer.text);
        Ok(Some(json(&LastAnswer { answer, text })))
    }

    /// The output so far: from an absolute position, or all that is kept.
    #[napi(catch_unwind, ts_return_type = "Json<History>")]
    pub fn history(&self, since: Option<f64>) -> String {
        let Some(dialogue) = &self.dialogue else { return json(&History::default()) };
        let history = lock(dialogue).history(since.map(|since| since as u64));
        json(&History {
            text: history.text,
            start: history.start,
            end: history.end,
            dropped_bytes: history.dropped_bytes,
        })
    }

    /// What the terminal shows now.
    #[napi(catch_unwind, ts_return_type = "Json<Screen>")]
    pub fn screen(&self) -> String {
        let Some(dialogue) = &self.dialogue else { return json(&Screen::default()) };
        json(&result::screen(lock(dialogue).screen()))
    }

    /// Adds somebody who looks on, from a position of the history on; null where there are as many as there may be.
    #[napi(catch_unwind)]
    pub fn add_onlooker(&self, since: Option<f64>) -> Option<f64> {
        let mut dialogue = lock(self.dialogue.as_ref()?);
        dialogue.add_onlooker(since.map(|since| since as u64)).map(|number| number as f64)
    }

    /// What is new to an onlooker; null where nothing is.
    #[napi(catch_unwind, ts_return_type = "Json<Glimpse> | null")]
    pub fn glimpse(&self, onlooker: f64, max_bytes: u32) -> Option<String> {
        let mut dialogue = lock(self.dialogue.as_ref()?);
        let glimpse = dialogue.glimpse(onlooker as u64, max_bytes as usize, Instant::now())?;
        Some(json(&result::glimpse(glimpse)))
    }

    /// Requests an event with this number when there is something new to an onlooker.
    #[napi(catch_unwind)]
    pub fn await_news(&self, request: f64, onlooker: f64) {
        let (request, onlooker) = (request as u64, onlooker as u64);
        self.request(LiveRequest::AwaitNews { request, onlooker });
    }

    /// Removes an onlooker, and answers its request.
    #[napi(catch_unwind)]
    pub fn remove_onlooker(&self, onlooker: f64) {
        if let Some(dialogue) = &self.dialogue {
            lock(dialogue).remove_onlooker(onlooker as u64);
        }
        self.request(LiveRequest::RemoveOnlooker(onlooker as u64));
    }

    fn request(&self, request: LiveRequest) {
        lock(&self.engine).request(self.id, request);
    }
}

/// A regular expression that output is waited for with. It is searched for in each line, in linear time.
#[napi]
pub struct NativePattern {
    pattern: Pattern,
}

#[napi]
impl NativePattern {
    /// Refuses what is no such expression.
    #[napi(constructor, catch_unwind)]
    pub fn new(source: String) -> Result<Self> {
        Ok(NativePattern { pattern: parse_pattern(&source)? })
    }

    /// Whether it matches within a line of a text.
    #[napi(catch_unwind)]
    pub fn is_in(&self, text: String) -> bool {
        self.pattern.is_in(&text)
    }
}

fn parse_pattern(pattern: &str) -> Result<Pattern> {
    Pattern::parse(pattern).map_err(|why| {
        let message = format!("`until.pattern` is no regular expression that can be used: {why}");
        error("ERR_INVALID_ARGUMENT", &message)
    })
}

/// A program on three pipes.
#[napi]
pub struct NativeService {
    engine: SharedEngine,
    id: u64,
    start: String,
    stderr: Option<Arc<Mutex<ServiceStderr>>>,
}

#[napi]
impl NativeService {
    /// Starts the program; `start` says whether that worked.
    #[napi(constructor, catch_unwind)]
    pub fn new(
        terminal: &NativeRunner,
        id: f64,
        #[napi(ts_arg_type = "string | Array<string> | NativeJudgedCommand")] command: Startable<
            '_,
        >,
        call: NativeOpenCall,
    ) -> Result<Self> {
        let (start, live) =
            terminal.open(id, command, open_call(call, LiveProgramKind::Service)?)?;
        let stderr = match live {
            Some(LiveProgram::Service { stderr }) => Some(stderr),
            _ => None,
        };
        Ok(NativeService { engine: terminal.engine(), id: id as u64, start, stderr })
    }

    /// The report on the start.
    #[napi(getter, ts_return_type = "Json<Start>")]
    pub fn start(&self) -> String {
        self.start.clone()
    }

    /// Writes after the bytes that already wait. An event with the request's number follows.
    #[napi(catch_unwind)]
    pub fn write(&self, request: f64, bytes: Uint8Array) {
        self.request(LiveRequest::Write { request: request as u64, bytes: bytes.to_vec() });
    }

    /// Ends the standard input.
    #[napi(catch_unwind)]
    pub fn end_input(&self) {
        self.request(LiveRequest::EndInput);
    }

    /// Sends a signal, by number, to the program that was started.
    #[napi(catch_unwind)]
    pub fn signal(&self, number: i32) {
        self.request(LiveRequest::Signal(number));
    }

    /// The end of its standard error, cleaned and masked.
    #[napi(catch_unwind)]
    pub fn stderr(&self) -> String {
        self.stderr.as_ref().map_or_else(String::new, |stderr| lock(stderr).text())
    }

    fn request(&self, request: LiveRequest) {
        lock(&self.engine).request(self.id, request);
    }
}

fn open_call(call: NativeOpenCall, kind: LiveProgramKind) -> Result<OpenCall> {
    Ok(OpenCall {
        kind,
        directory: Some(PathBuf::from(call.cwd)),
        grace: milliseconds(call.grace_ms),
        warrant: match call.warrant.as_str() {
            "host" => Warrant::Host,
            "approval" => Warrant::Approval,
            _ => Warrant::Policy,
        },
        environment: Environment {
            variables: variables(&call.env),
            git: variables(&call.git_env),
            private_home: call.private_home,
        },
        has_home_files: call.home_files,
        confine: call.confine.map(NativeConfine::read).transpose()?,
        typed: call.typed,
        spill: call.spill.map(NativeSpillFolder::read),
        layer: call.layer.map(NativeLayerFolder::read),
    })
}

fn variables(joined: &str) -> Vec<(String, String)> {
    let entries = joined.split('\0').filter_map(|entry| entry.split_once('='));
    entries.map(|(name, value)| (name.to_owned(), value.to_owned())).collect()
}

fn read_of(read: &NativeRead) -> Result<Read> {
    let awaited = read.awaited.as_deref().unwrap_or_default();
    let number = read.awaited_number.unwrap_or_default();
    Ok(Read {
        until: match read.until.as_str() {
            "quiet" => Until::Quiet,
            "now" => Until::Now,
            "text" => Until::Text(awaited.to_owned()),
            "pattern" => Until::Pattern(parse_pattern(awaited)?),
            "port" => Until::Port(number as u16),
            "silence" => Until::Silence(milliseconds(number)),
            _ => Until::Ready,
        },
        timeout: milliseconds(read.timeout_ms),
        settle: milliseconds(read.settle_ms),
        quiet: milliseconds(read.quiet_ms),
        max_bytes: read.max_bytes as usize,
        keeps_end: read.keeps_end.unwrap_or_default(),
        spares_questions: read.spares_questions.unwrap_or_default(),
        only_to_first: read.only_to_first.unwrap_or_default(),
    })
}

impl NativeRunner {
    /// Starts a session or a service. Gives the report on the start, as JSON.
    fn open(
        &self,
        id: f64,
        command: Startable<'_>,
        call: OpenCall,
    ) -> Result<(String, Option<LiveProgram>)> {
        let (verdict, source) = match command {
            Either3::A(line) => self.explain_named(Either::A(line)),
            Either3::B(arguments) => self.explain_named(Either::B(arguments)),
            Either3::C(judged) => (judged.verdict.clone(), judged.source.clone()),
        };
        if let Some(confine) = &call.confine {
            plan::holdable(self.runner(), confine)?;
        }
        let engine = self.engine();
        let (answer, live) = self
            .runner()
            .open(&mut lock(&engine), id as u64, verdict, call)
            .map_err(|e| error(e.code(), &e))?;
        Ok((self.start(answer, &source), live))
    }

    /// The verdict on a program that the host names, and the text of its command.
    fn explain_named(&self, command: Either<String, Vec<String>>) -> (Verdict, String) {
        let (command, source) = read_command(command);
        (self.runner().explain_plain(&command, None), source)
    }
}
