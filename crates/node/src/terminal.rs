//! What a host lets start, as a class.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use handrail_policy::paths::{PathRules, PathRulesConfig};
use handrail_policy::{Config, Policy, Rule, Verdict};
use handrail_process::{
    Answer, Call, Command, Environment, Input, OutputLimits, ProgramError, Refusal, Runner,
    RunnerOptions, SearchPath, Shell,
};
use napi::bindgen_prelude::{ClassInstance, Either, Uint8Array};
use napi_derive::napi;
use serde::Serialize;

use crate::code::{Result, error};
use crate::engine::{NativeEngine, SharedEngine, lock};
use crate::plan::{self, NativeCapability, NativeConfine, NativePlan, REPORT_LIMIT};
use crate::redactor::NativeRedactor;
use crate::result::NativeRefusal;
use crate::roots::NativeRoots;
use handrail_reports::{Failure, json};

/// A program, with the arguments it must start with.
#[napi(object)]
pub struct NativeRule {
    /// A name, or an absolute path.
    pub program: String,
    /// Leading arguments.
    pub args: Option<Vec<String>>,
}

/// A variable of the environment.
#[napi(object)]
pub struct NativeVariable {
    /// Its name.
    pub name: String,
    /// Its value.
    pub value: String,
}

/// What a host decided, once.
#[napi(object, object_to_js = false)]
pub struct NativeTerminalConfig<'a> {
    /// Only these, when given.
    pub allow: Option<Vec<NativeRule>>,
    /// Never these.
    pub deny: Option<Vec<NativeRule>>,
    /// Interpreters whose code is not judged.
    pub trust_interpreters: Vec<String>,
    /// What the kernel holds commands to, as far as the host chose.
    pub confine: NativeConfine,
    /// False only in tests of what the kernel holds by itself.
    pub judging: bool,
    /// `none`: a text is one plain command; `bash`: it may be a script.
    pub shell: String,
    /// Directories programs are found in.
    pub path: Vec<String>,
    /// The user's home folder, absolute.
    pub home: Option<String>,
    /// Whether scripts keep to the list of places that are not written to.
    pub write_rules: bool,
    /// Ids of rules of that list that do not hold.
    pub lifted: Vec<String>,
    /// Further places that scripts do not write to, absolute.
    pub protected_paths: Vec<String>,
    /// Default working directory; absolute.
    pub cwd: String,
    /// What commands find in their environment.
    pub env: Vec<NativeVariable>,
    /// What those that name git find there as well, or instead.
    pub git_env: Vec<NativeVariable>,
    /// Whether `HOME` is a private empty folder.
    pub private_home: bool,
    /// From SIGTERM to SIGKILL, milliseconds.
    pub grace_ms: f64,
    /// Kept from the start of an output, bytes.
    pub head_bytes: u32,
    /// Kept from its end, bytes.
    pub tail_bytes: u32,
    /// Kept of both outputs as one, for its reader, characters.
    pub max_chars: Option<u32>,
    /// Largest spill file, bytes; 0 makes none.
    pub spill_bytes: f64,
    /// Of the excerpt from both outputs, about; 0 makes none.
    pub excerpt_tokens: u32,
    /// Masks secrets.
    pub redactor: ClassInstance<'a, NativeRedactor>,
}

/// Bits of the number that [`NativeTerminal::run`] takes; one argument is cheaper than three.
mod flag {
    /// One pipe for both outputs.
    pub(super) const MERGE: u32 = 1;
    /// Output is also sent as events.
    pub(super) const STREAM: u32 = 2;
    /// An `ask` was answered with yes.
    pub(super) const APPROVED: u32 = 4;
    /// The standard input is a pipe; the engine writes and ends it.
    pub(super) const PIPED: u32 = 8;
}

/// What became of a request.
#[derive(Serialize)]
struct NativeStart<'a> {
    /// What the policy says.
    verdict: handrail_reports::NativeVerdict<'a>,
    /// Whether it runs.
    started: bool,
    /// Why an allowed command must not.
    #[serde(skip_serializing_if = "Option::is_none")]
    refusal: Option<NativeRefusal>,
    /// Why it cannot.
    #[serde(skip_serializing_if = "Option::is_none")]
    failure: Option<Failure>,
}

/// What starts the programs of one owner on an engine.
#[napi]
pub struct NativeTerminal {
    engine: SharedEngine,
    runner: Runner,
    grace: Duration,
}

#[napi]
impl NativeTerminal {
    /// Opens the search path; fails when it cannot be used.
    #[napi(constructor, catch_unwind)]
    pub fn new(
        engine: &NativeEngine,
        roots: &NativeRoots,
        config: NativeTerminalConfig<'_>,
    ) -> Result<Self> {
        let shell = match config.shell.as_str() {
            "none" => Shell::None,
            "bash" => Shell::Bash,
            _ => return Err(error("ERR_INVALID_ARGUMENT", &"shell: `none` or `bash`")),
        };
        let roots = roots.shared();
        let writable_roots = roots.writable_spellings();
        let path_rules = PathRules::new(PathRulesConfig {
            home: config.home,
            write: config.write_rules,
            lifted: config.lifted,
            roots: writable_roots.clone().unwrap_or_default(),
            protected: config.protected_paths,
            ..PathRulesConfig::default()
        })
        .map_err(|e| error("ERR_INVALID_ARGUMENT", &e))?;
        let directories: Vec<PathBuf> = config.path.iter().map(PathBuf::from).collect();
        let search = SearchPath::open(&directories, &roots)
            .map_err(|e| error(search_code(&e), &format!("path: {e}")))?;
        let rules = |rules: Option<Vec<NativeRule>>| {
            rules.map(|rules| {
                rules
                    .into_iter()
                    .map(|rule| Rule { program: rule.program, args: rule.args })
                    .collect::<Vec<_>>()
            })
        };
        // A path names a listed program only in a directory that programs are found in anyway.
        let trusted_directories = search
            .directories()
            .chain(directories.iter().map(PathBuf::as_path))
            .map(|directory| directory.to_string_lossy().into_owned())
            .collect();
        let policy = Policy::new(Config {
            allow: rules(config.allow),
            deny: rules(config.deny),
            trust_interpreters: config.trust_interpreters,
            trusted_directories,
        })
        .map_err(|e| error(e.code(), &e))?;
        let runner = Runner::new(RunnerOptions {
            policy,
            confine: config.confine.read()?,
            held: lock(&engine.shared()).holds(),
            judging: config.judging,
            shell,
            search,
            path_rules,
            writable_roots,
            roots,
            directory: PathBuf::from(config.cwd),
            environment: Environment {
                variables: config.env.into_iter().map(|v| (v.name, v.value)).collect(),
                git: config.git_env.into_iter().map(|v| (v.name, v.value)).collect(),
                private_home: config.private_home,
            },
            limits: OutputLimits {
                head_bytes: config.head_bytes as usize,
                tail_bytes: config.tail_bytes as usize,
                max_chars: config.max_chars.map(|chars| chars as usize),
                spill_bytes: config.spill_bytes as u64,
                excerpt_tokens: config.excerpt_tokens as usize,
            },
            redactor: config.redactor.shared(),
        });
        Ok(NativeTerminal { engine: engine.shared(), runner, grace: milliseconds(config.grace_ms) })
    }

    /// What the policy says, as JSON; nothing is run.
    #[napi(catch_unwind)]
    pub fn explain(&self, command: Either<String, Vec<String>>, cwd: Option<String>) -> String {
        let (command, source) = read_command(command);
        let directory = cwd.as_deref().map(Path::new);
        json(&self.native_verdict(&self.runner.explain(&command, directory), &source))
    }

    /// What the policy says of a text that bash runs, as JSON, whatever commands may be.
    #[napi(catch_unwind)]
    pub fn explain_script(&self, script: String, cwd: String) -> String {
        let verdict = self.runner.explain_script(&script, Some(Path::new(&cwd)));
        json(&self.native_verdict(&verdict, &script))
    }

    /// Judges a program that is to live, once: what this gives is what starts.
    #[napi(catch_unwind)]
    pub fn judge(&self, command: String, cwd: String) -> NativeJudged {
        let (command, source) = read_command(Either::A(command));
        let verdict = self.runner.explain_live(&command, Some(Path::new(&cwd)));
        let json = json(&self.native_verdict(&verdict, &source));
        NativeJudged { verdict, source, json }
    }

    /// Judges the command, and starts it when it may run; events with this id follow. Returns what
    /// became of it, as JSON.
    #[napi(catch_unwind)]
    pub fn run(
        &self,
        id: f64,
        command: Either<String, Vec<String>>,
        cwd: String,
        timeout_ms: f64,
        flags: u32,
        stdin: Option<Uint8Array>,
    ) -> Result<String> {
        let (command, source) = read_command(command);
        let call = Call {
            directory: Some(PathBuf::from(cwd)),
            timeout: milliseconds(timeout_ms),
            grace: self.grace,
            stdin: match stdin {
                Some(input) => Input::Bytes(input.to_vec()),
                None if flags & flag::PIPED != 0 => Input::Pipe,
                None => Input::Null,
            },
            merge: flags & flag::MERGE != 0,
            stream: flags & flag::STREAM != 0,
            approved: flags & flag::APPROVED != 0,
        };
        let answer = self
            .runner
            .run(&mut lock(&self.engine), id as u64, &command, call)
            .map_err(|e| error(e.code(), &e))?;
        Ok(self.native_start(answer, &source))
    }

    /// What this machine enforces for these commands; starts the supervisor.
    #[napi(catch_unwind)]
    pub fn capabilities(&self) -> Result<Vec<NativeCapability>> {
        let plan = self.runner.kernel_plan();
        let report = lock(&self.engine).capabilities(&plan, REPORT_LIMIT);
        Ok(plan::native(report.map_err(|e| error(e.code(), &e))?))
    }

    /// What the kernel holds these commands to, as JSON.
    #[napi(catch_unwind)]
    pub fn plan(&self) -> String {
        json(&NativePlan::of(self.runner.plan(), self.runner.roots()))
    }

    /// Closes the directories it holds; nothing can be run any more.
    #[napi(catch_unwind)]
    pub fn close(&mut self) {
        self.runner.close();
    }
}

impl NativeTerminal {
    pub(crate) fn engine(&self) -> SharedEngine {
        Arc::clone(&self.engine)
    }

    pub(crate) fn runner(&self) -> &Runner {
        &self.runner
    }

    /// What became of a request, as JSON. `source` is what its spans refer to.
    pub(crate) fn native_start(&self, answer: Answer, source: &str) -> String {
        let Answer { verdict, started, refusal } = answer;
        let (refusal, failure) = match refusal {
            None => (None, None),
            Some(Refusal::Denied { rule, message }) => {
                (Some(NativeRefusal { code: rule, message }), None)
            }
            Some(Refusal::Failed(failure)) => (None, Some(failure)),
        };
        let verdict = self.native_verdict(&verdict, source);
        json(&NativeStart { verdict, started, refusal, failure })
    }

    fn native_verdict<'a>(
        &self,
        verdict: &'a Verdict,
        source: &str,
    ) -> handrail_reports::NativeVerdict<'a> {
        handrail_reports::to_native(verdict, source, self.runner.redactor())
    }
}

/// A command that was judged and may be started as it was.
#[napi]
pub struct NativeJudged {
    pub(crate) verdict: Verdict,
    /// What its spans refer to.
    pub(crate) source: String,
    json: String,
}

#[napi]
impl NativeJudged {
    /// What the policy says, as JSON.
    #[napi(getter)]
    pub fn verdict(&self) -> String {
        self.json.clone()
    }
}

/// What the machine could not do is no mistake of the caller.
fn search_code(error: &ProgramError) -> &'static str {
    match error {
        ProgramError::System(..) => "ERR_SYSTEM",
        _ => "ERR_INVALID_ARGUMENT",
    }
}

/// The command, and the text that the spans of its verdict refer to.
pub(crate) fn read_command(command: Either<String, Vec<String>>) -> (Command, String) {
    match command {
        Either::A(line) => (Command::Line(line.clone()), line),
        Either::B(arguments) => {
            let source = arguments.join(" ");
            (Command::Arguments(arguments), source)
        }
    }
}

pub(crate) fn milliseconds(value: f64) -> Duration {
    Duration::try_from_secs_f64(value / 1000.0).unwrap_or(Duration::ZERO)
}
