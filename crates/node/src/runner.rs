//! A runner as a class: it judges and starts the programs of one owner.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use handrail_policy::paths::{PathRules, PathRulesConfig, command_places};
use handrail_policy::{Config, Policy, Rule, Verdict};
use handrail_process::{
    Answer, Command, Environment, HomeFile, OutputLimits, ProgramError, ReadPlaces, Runner,
    RunnerOptions, SearchFolder, SearchPath, Shell, WayOut,
};
use napi::bindgen_prelude::{ClassInstance, Either, Function};
use napi::threadsafe_function::{ThreadsafeFunction, ThreadsafeFunctionCallMode};
use napi_derive::napi;

use crate::call::NativeCall;
use crate::code::{Code, Result, error};
use crate::engine::{NativeEngine, SharedEngine, lock};
use crate::plan::{self, NativeConfine, REPORT_LIMIT};
use crate::redactor::NativeRedactor;
use crate::result;
use crate::roots::NativeRoots;
use crate::way_out::NativeWayOut;
use handrail_reports::{Decision, json};

type AskHost = ThreadsafeFunction<String, (), String, Code, false, true>;

/// A program of a list, with the arguments that its commands must begin with.
#[napi(object)]
pub struct NativeRule {
    /// Its name, its absolute path, or a place beneath a root.
    pub program: String,
    /// The arguments that a command must begin with.
    pub args: Option<Vec<String>>,
}

/// A folder of the search path.
#[napi(object)]
pub struct NativeSearchFolder {
    /// Its path.
    pub path: String,
    /// Whether it is an error that it cannot be used; otherwise it is left out.
    pub required: bool,
}

/// A file of a private home.
#[napi(object)]
pub struct NativeHomeFile {
    /// Its path beneath the home.
    pub path: String,
    /// Its content.
    pub content: String,
}

/// A place that commands are kept from.
#[napi(object)]
pub struct NativeWithheld {
    /// The guarantee that keeps them from it.
    #[napi(ts_type = "'reads' | 'sockets'")]
    pub guarantee: String,
    /// Its canonical path.
    pub place: String,
}

/// A variable of the environment.
#[napi(object)]
pub struct NativeVariable {
    /// Its name.
    pub name: String,
    /// Its value.
    pub value: String,
}

/// What a host decides once for the programs of one owner.
#[napi(object, object_to_js = false)]
pub struct NativeRunnerConfig<'a> {
    /// The programs that may run; any when absent.
    pub allow: Option<Vec<NativeRule>>,
    /// The programs that may not run.
    pub deny: Option<Vec<NativeRule>>,
    /// Uses of programs that are asked about.
    pub ask: Option<Vec<NativeRule>>,
    /// Names of interpreters whose code is not judged.
    pub trust_interpreters: Vec<String>,
    /// The parts of the kernel plan that the host chose.
    pub confine: NativeConfine,
    /// The way out, where the network is `allow`.
    pub way_out: Option<NativeWayOut>,
    /// Whether commands are judged; false only in tests of what the kernel enforces by itself.
    pub judging: bool,
    /// `none` where a text must be one plain command, `bash` where it may be a script.
    #[napi(ts_type = "'none' | 'bash'")]
    pub shell: String,
    /// The folders that programs are found in, the first searched first.
    pub path: Vec<NativeSearchFolder>,
    /// The scripts that stand before the hooks of git, absolute. Programs read their folders under every plan.
    pub hooks: Vec<String>,
    /// The user's home folder, absolute.
    pub home: Option<String>,
    /// The home folder that the user has for the system, absolute.
    pub login_home: Option<String>,
    /// Whether scripts may not write to the built-in list of protected places.
    pub write_rules: bool,
    /// Ids of rules of that list that are switched off.
    pub lifted: Vec<String>,
    /// Further protected places; absolute.
    pub protected_paths: Vec<String>,
    /// Default working directory; absolute.
    pub cwd: String,
    /// The environment of commands.
    pub env: Vec<NativeVariable>,
    /// Further variables for commands that name git; they replace others of the same name.
    pub git_env: Vec<NativeVariable>,
    /// Whether `HOME` is a private empty folder.
    pub private_home: bool,
    /// Time from SIGTERM to SIGKILL, in milliseconds.
    pub grace_ms: f64,
    /// Bytes kept from the start of an output.
    pub head_bytes: u32,
    /// Bytes kept from its end.
    pub tail_bytes: u32,
    /// Most characters of both outputs as one text, for its reader.
    pub max_chars: Option<u32>,
    /// Most bytes of a spill file; 0 makes none.
    pub spill_bytes: f64,
    /// About how many tokens the excerpt of both outputs has; 0 makes none.
    pub excerpt_tokens: u32,
    /// Masks secrets.
    pub redactor: ClassInstance<'a, NativeRedactor>,
}

/// Judges the programs of one owner, and starts them on an engine.
#[napi]
pub struct NativeRunner {
    engine: SharedEngine,
    runner: Runner,
    grace: Duration,
    way_out: Option<Arc<WayOut>>,
}

#[napi]
impl NativeRunner {
    /// Opens the directories of the search path; fails when one cannot be used.
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
        let read_places = ReadPlaces {
            places: command_places(&config.lifted),
            home: config.home.clone().map(PathBuf::from),
            login_home: config.login_home.map(PathBuf::from),
            directory: PathBuf::from(config.cwd.clone()),
            own: config
                .hooks
                .iter()
                .filter_map(|file| Some(Path::new(file).parent()?.into()))
                .collect(),
        };
        let path_rules = PathRules::new(PathRulesConfig {
            home: config.home,
            write: config.write_rules,
            lifted: config.lifted,
            roots: writable_roots.clone().unwrap_or_default(),
            protected: config.protected_paths,
            ..PathRulesConfig::default()
        })
        .map_err(|e| error("ERR_INVALID_ARGUMENT", &e))?;
        let folders: Vec<SearchFolder> = config
            .path
            .into_iter()
            .map(|folder| SearchFolder { path: folder.path.into(), is_required: folder.required })
            .collect();
        let search = SearchPath::open(&folders, &roots)
            .map_err(|e| error(search_code(&e), &format!("path: {e}")))?;
        let rules = |rules: Option<Vec<NativeRule>>| {
            rules.map(|rules| {
                rules
                    .into_iter()
                    .map(|rule| Rule { program: rule.program, args: rule.args })
                    .collect::<Vec<_>>()
            })
        };
        // A path names a listed program only in a directory of the search path.
        let trusted_directories = search
            .directories()
            .chain(search.given_paths())
            .map(|directory| directory.to_string_lossy().into_owned())
            .collect();
        let policy = Policy::new(Config {
            allow: rules(config.allow),
            deny: rules(config.deny),
            ask: rules(config.ask).unwrap_or_default(),
            trust_interpreters: config.trust_interpreters,
            trusted_directories,
            roots: roots.spellings(),
        })
        .map_err(|e| error(e.code(), &e))?;
        let proxy_port = config.way_out.as_ref().map(|way_out| way_out.proxy_port);
        let way_out = config.way_out.map(NativeWayOut::open).transpose()?;
        let network = lock(&engine.shared()).new_network();
        if let Some(way_out) = &way_out {
            way_out.open(&lock(&engine.shared()), network);
        }
        let confine = config.confine.read()?;
        let runner = Runner::new(RunnerOptions {
            policy,
            confine: confine.clone(),
            expected_enforcement: lock(&engine.shared()).expected_enforcement(),
            judging: config.judging,
            shell,
            search,
            path_rules,
            read_places,
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
            network,
            proxy_port,
        });
        plan::holdable(&runner, &confine)?;
        let grace = milliseconds(config.grace_ms);
        Ok(NativeRunner { engine: engine.shared(), runner, grace, way_out })
    }

    /// The decision on a command; nothing is run.
    #[napi(catch_unwind, ts_return_type = "Json<Decision>")]
    pub fn explain(&self, command: Either<String, Vec<String>>, cwd: Option<String>) -> String {
        let (command, source) = read_command(command);
        let directory = cwd.as_deref().map(Path::new);
        json(&self.decision(&self.runner.explain(&command, directory), &source))
    }

    /// The decision on a line that is typed into a shell, which edits lines itself or does not.
    #[napi(catch_unwind, ts_return_type = "Json<Decision>")]
    pub fn explain_typed(&self, line: String, edits_lines: bool, cwd: String) -> String {
        let verdict = self.runner.explain_typed(&line, edits_lines, Some(Path::new(&cwd)));
        json(&self.decision(&verdict, &line))
    }

    /// Whether the command is a bash that reads its commands from its terminal only.
    #[napi(catch_unwind)]
    pub fn is_line_shell(&self, command: Either<String, Vec<String>>) -> bool {
        self.runner.explain_plain(&read_command(command).0, None).line_shell.is_some()
    }

    /// Judges the command of a session once; the result is what starts. A shell may start when nothing is undecided but the
    /// lines that will be typed into it.
    #[napi(catch_unwind)]
    pub fn judge(&self, command: String, cwd: String) -> NativeJudgedCommand {
        let (command, source) = read_command(Either::A(command));
        let plain = self.runner.explain_live(&command, Some(Path::new(&cwd)));
        let with_lines = plain.with_judged_lines();
        let (typed, verdict) = (with_lines.is_some(), with_lines.unwrap_or(plain));
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
        let call = call.read(self.grace);
        let answer = self
            .runner
            .run(&mut lock(&self.engine), id as u64, &command, call)
            .map_err(|e| error(e.code(), &e))?;
        Ok(self.start(answer, &source))
    }

    /// Sets the files that private homes start with, for later starts.
    #[napi(catch_unwind)]
    pub fn set_home_files(&mut self, files: Vec<NativeHomeFile>) {
        let file = |NativeHomeFile { path, content }| HomeFile {
            path: path.into_bytes(),
            content: content.into_bytes(),
        };
        self.runner.set_home_files(files.into_iter().map(file).collect());
    }

    /// What this machine enforces for the commands of this runner. Starts the supervisor.
    #[napi(catch_unwind, ts_return_type = "Json<Capability[]>")]
    pub fn capabilities(&self) -> Result<String> {
        let plan = self.runner.kernel_plan();
        let report = lock(&self.engine).capabilities(&plan, REPORT_LIMIT);
        let report = report.map_err(|e| error(e.code(), &e))?;
        Ok(json(&plan::capabilities(report, self.way_out.is_some())))
    }

    /// What the kernel limits the commands of this runner to.
    #[napi(catch_unwind, ts_return_type = "Json<Plan>")]
    pub fn plan(&self) -> String {
        json(&plan::report(self.runner.plan(), self.runner.roots()))
    }

    /// The place that keeps commands from an absolute path.
    #[napi(catch_unwind)]
    pub fn withheld(&self, path: String) -> Option<NativeWithheld> {
        let (guarantee, place) = self.runner.withheld(Path::new(&path))?;
        Some(NativeWithheld {
            guarantee: guarantee.into(),
            place: place.to_string_lossy().into_owned(),
        })
    }

    /// The folders that programs are found in, and those that were left out.
    #[napi(catch_unwind, ts_return_type = "Json<SearchFolder[]>")]
    pub fn search_path(&self) -> String {
        json(&plan::search_folders(self.runner.search()))
    }

    /// This moment, for `contactsSince`.
    #[napi(catch_unwind)]
    pub fn contact_mark(&self) -> f64 {
        self.way_out.as_ref().map_or(0.0, |way_out| way_out.mark() as f64)
    }

    /// The hosts that programs asked for since that moment, and what became of that.
    #[napi(catch_unwind, ts_return_type = "Json<NetworkContact[]>")]
    pub fn contacts_since(&self, mark: f64) -> String {
        let contacts = self.way_out.as_ref().map(|way_out| way_out.contacts_since(mark as u64));
        json(&contacts.unwrap_or_default())
    }

    /// Calls `callback` with each question about a host, on the JavaScript thread. It does not keep the process alive.
    #[napi(catch_unwind)]
    pub fn on_host_question(
        &self,
        #[napi(ts_arg_type = "(question: Json<HostQuestion>) => void")] callback: Function<
            '_,
            String,
            (),
        >,
    ) -> Result<()> {
        let Some(way_out) = &self.way_out else { return Ok(()) };
        let callback: AskHost = callback
            .build_threadsafe_function()
            .weak::<true>()
            .callee_handled::<false>()
            .error_status::<Code>()
            .build()
            .map_err(|e| error("ERR_INVALID_ARGUMENT", &e.reason))?;
        way_out.ask_with(move |question| {
            // An error says that the host is exiting, and answers nothing any more.
            let _ = callback.call(json(&question), ThreadsafeFunctionCallMode::NonBlocking);
        });
        Ok(())
    }

    /// Answers a question about a host. Without an answer nobody could be asked, and a later connection asks again.
    #[napi(catch_unwind)]
    pub fn answer_host(&self, number: f64, allowed: Option<bool>) {
        if let Some(way_out) = &self.way_out {
            way_out.answer(number as u64, allowed);
        }
    }

    /// The hosts that were asked about and allowed, as entries of an allow list.
    #[napi(catch_unwind)]
    pub fn approved_hosts(&self) -> Vec<String> {
        self.way_out.as_ref().map(|way_out| way_out.approved()).unwrap_or_default()
    }

    /// Closes the directories that it keeps open. Nothing can be started any more.
    #[napi(catch_unwind)]
    pub fn close(&mut self) {
        lock(&self.engine).close_network(self.runner.network());
        self.way_out = None;
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

    /// The report on a start, as JSON. `source` is the text that the spans of the decision refer to.
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
    /// The text that the spans of the decision refer to.
    pub(crate) source: String,
    typed: bool,
    json: String,
}

#[napi]
impl NativeJudgedCommand {
    /// The decision of the policy.
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

/// The error code for a search path that cannot be used: a failure of the system is no mistake of the caller.
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
