//! What a host lets start, as a class.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use handrail_policy::paths::{PathRules, PathRulesConfig};
use handrail_policy::{Config, Policy, Rule, Verdict};
use handrail_process::{
    Answer, Call, Command, Environment, Input, OutputLimits, ProgramError, Runner, RunnerOptions,
    SearchPath, Shell,
};
use napi::bindgen_prelude::{ClassInstance, Either, Uint8Array};
use napi_derive::napi;

use crate::code::{Result, error};
use crate::engine::{NativeEngine, SharedEngine, lock};
use crate::plan::{self, NativeConfine, REPORT_LIMIT};
use crate::redactor::NativeRedactor;
use crate::result;
use crate::roots::NativeRoots;
use handrail_reports::{Decision, json};

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
pub struct NativeRunnerConfig<'a> {
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
    #[napi(ts_type = "'none' | 'bash'")]
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

/// How a command is run.
#[expect(clippy::struct_excessive_bools, reason = "each is an option of the caller")]
#[napi(object, object_to_js = false)]
pub struct NativeCall {
    /// Working directory, absolute.
    pub cwd: String,
    /// Milliseconds.
    pub timeout_ms: f64,
    /// What the command reads; nothing when absent.
    pub stdin: Option<Uint8Array>,
    /// Whether its standard input is a pipe, which the engine writes and ends.
    pub piped: bool,
    /// One pipe for both outputs.
    pub merge: bool,
    /// Whether output is also sent as events.
    pub stream: bool,
    /// Whether somebody who was asked said yes.
    pub approved: bool,
}

/// What starts the programs of one owner on an engine.
#[napi]
pub struct NativeRunner {
    engine: SharedEngine,
    runner: Runner,
    grace: Duration,
}

#[napi]
impl NativeRunner {
    /// Opens the search path; fails when it cannot be used.
    #[napi(constructor, catch_unwind)]
    pub fn new(
        engine: &NativeEngine,
        roots: &NativeRoots,
        config: NativeRunnerConfig<'_>,
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
            expected_enforcement: lock(&engine.shared()).expected_enforcement(),
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
        Ok(NativeRunner { engine: engine.shared(), runner, grace: milliseconds(config.grace_ms) })
    }

    /// What the policy says; nothing is run.
    #[napi(catch_unwind, ts_return_type = "Json<Decision>")]
    pub fn explain(&self, command: Either<String, Vec<String>>, cwd: Option<String>) -> String {
        let (command, source) = read_command(command);
        let directory = cwd.as_deref().map(Path::new);
        json(&self.decision(&self.runner.explain(&command, directory), &source))
    }

    /// What the policy says of a line that is typed into a shell, which `edits_lines` itself or does not.
    #[napi(catch_unwind, ts_return_type = "Json<Decision>")]
    pub fn explain_typed(&self, line: String, edits_lines: bool, cwd: String) -> String {
        let verdict = self.runner.explain_typed(&line, edits_lines, Some(Path::new(&cwd)));
        json(&self.decision(&verdict, &line))
    }

    /// Whether the command is a bash that takes what it runs from its terminal, and nothing else.
    #[napi(catch_unwind)]
    pub fn is_line_shell(&self, command: Either<String, Vec<String>>) -> bool {
        self.runner.explain_plain(&read_command(command).0).line_shell.is_some()
    }

    /// Judges a session, once: what this gives is what starts. A shell may start when nothing is open but the lines that will
    /// be typed into it.
    #[napi(catch_unwind)]
    pub fn judge(&self, command: String, cwd: String) -> NativeJudgedCommand {
        let (command, source) = read_command(Either::A(command));
        let plain = self.runner.explain_live(&command, Some(Path::new(&cwd)));
        let with_lines = plain.with_judged_lines();
        let typed = with_lines.is_some();
        let verdict = with_lines.unwrap_or(plain);
        let json = json(&self.decision(&verdict, &source));
        NativeJudgedCommand { verdict, source, typed, json }
    }

    /// Judges the command, and starts it when it may run; events with this id follow.
    #[napi(catch_unwind, ts_return_type = "Json<Start>")]
    pub fn run(
        &self,
        id: f64,
        command: Either<String, Vec<String>>,
        call: NativeCall,
    ) -> Result<String> {
        let (command, source) = read_command(command);
        let call = Call {
            directory: Some(PathBuf::from(call.cwd)),
            timeout: milliseconds(call.timeout_ms),
            grace: self.grace,
            stdin: match call.stdin {
                Some(input) => Input::Bytes(input.to_vec()),
                None if call.piped => Input::Pipe,
                None => Input::Null,
            },
            merge: call.merge,
            stream: call.stream,
            approved: call.approved,
        };
        let answer = self
            .runner
            .run(&mut lock(&self.engine), id as u64, &command, call)
            .map_err(|e| error(e.code(), &e))?;
        Ok(self.start(answer, &source))
    }

    /// What this machine enforces for these commands; starts the supervisor.
    #[napi(catch_unwind, ts_return_type = "Json<Capability[]>")]
    pub fn capabilities(&self) -> Result<String> {
        let plan = self.runner.kernel_plan();
        let report = lock(&self.engine).capabilities(&plan, REPORT_LIMIT);
        Ok(json(&plan::capabilities(report.map_err(|e| error(e.code(), &e))?)))
    }

    /// What the kernel holds these commands to.
    #[napi(catch_unwind, ts_return_type = "Json<Plan>")]
    pub fn plan(&self) -> String {
        json(&plan::report(self.runner.plan(), self.runner.roots()))
    }

    /// Closes the directories it holds; nothing can be run any more.
    #[napi(catch_unwind)]
    pub fn close(&mut self) {
        self.runner.close();
    }
}

impl NativeRunner {
    pub(crate) fn engine(&self) -> SharedEngine {
        Arc::clone(&self.engine)
    }

    pub(crate) fn runner(&self) -> &Runner {
        &self.runner
    }

    /// What became of a request to start something. `source` is the text that its spans refer to.
    pub(crate) fn start(&self, answer: Answer, source: &str) -> String {
        let Answer { verdict, started, refusal } = answer;
        json(&result::start(self.decision(&verdict, source), started, refusal))
    }

    fn decision<'a>(&self, verdict: &'a Verdict, source: &str) -> Decision<'a> {
        Decision::of(verdict, source, self.runner.redactor())
    }
}

/// A command that was judged and may be started as it was.
#[napi]
pub struct NativeJudgedCommand {
    pub(crate) verdict: Verdict,
    /// What its spans refer to.
    pub(crate) source: String,
    typed: bool,
    json: String,
}

#[napi]
impl NativeJudgedCommand {
    /// What the policy says.
    #[napi(getter, ts_return_type = "Json<Decision>")]
    pub fn decision(&self) -> String {
        self.json.clone()
    }

    /// Whether it is a shell that starts because each line typed into it will be judged.
    #[napi(getter)]
    pub fn typed(&self) -> bool {
        self.typed
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
