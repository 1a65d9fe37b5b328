//! What a host lets start, decided once. The runs, sessions and services of one owner are judged here, and started in
//! `linux::start`.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use handrail_files::Roots;
use handrail_policy::paths::PathRules;
use handrail_policy::plan::{Confine, Plan, Removal, Writes};
use handrail_policy::{Decision, Enforced, Policy, Surroundings, Verdict};
use handrail_redact::Redactor;
use handrail_reports::Failure;
use handrail_supervisor::message::HomeFile;

use crate::options::{Input, LayerFolder, OutputLimits, SpillFolder};
use crate::{ExpectedEnforcement, JudgedFiles, KernelPlan, KernelPlans, ReadPlaces, SearchPath};

/// What is done with a text that is more than one plain command.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shell {
    /// The text is refused: no shell sees it.
    None,
    /// The text is judged as a whole, and bash runs exactly the judged bytes.
    Bash,
}

/// What a host decides once for its runs, sessions and services.
pub struct RunnerOptions {
    /// The lists of programs that may run.
    pub policy: Policy,
    /// The parts of the kernel plan that the host chose.
    pub confine: Confine,
    /// Whether the engine's workers will enforce everything of a plan.
    pub expected_enforcement: Arc<ExpectedEnforcement>,
    /// Whether commands are judged; false only in tests of what the kernel enforces by itself.
    pub judging: bool,
    /// Whether a text may be a script.
    pub shell: Shell,
    /// The directories that programs are found in.
    pub search: SearchPath,
    /// The directories that commands may work in, shared with other tools.
    pub roots: Arc<Roots>,
    /// Every spelling of the roots that commands may write to; `None` when the host set no roots.
    pub writable_roots: Option<Vec<String>>,
    /// The protected paths, which redirections of scripts may not write to.
    pub path_rules: PathRules,
    /// The places that commands do not read.
    pub read_places: ReadPlaces,
    /// The default working directory; absolute.
    pub directory: PathBuf,
    /// The environment of commands.
    pub environment: Environment,
    /// Limits of the output that is kept.
    pub limits: OutputLimits,
    /// Masks secrets.
    pub redactor: Redactor,
    /// The number of the network namespace of its programs.
    pub network: u32,
    /// The port of the proxy that leads out of that namespace, if there is one.
    pub proxy_port: Option<u16>,
}

/// The environment of a program.
#[derive(Debug, Default)]
pub struct Environment {
    /// The name and value of every variable; `TMPDIR`, and a private `HOME`, are added at the start.
    pub variables: Vec<(String, String)>,
    /// Further variables for commands that name git; they replace others of the same name.
    pub git: Vec<(String, String)>,
    /// Whether `HOME` is a private folder.
    pub private_home: bool,
}

/// The variants of a plan.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Variant {
    /// The plan of ordinary commands.
    Base,
    /// The plan of a command all of whose programs are rewriters: they may remove files here.
    Rewriting(Removal),
    /// The plan of a command that somebody approved.
    Approved,
}

/// Judges and starts the programs of one owner.
pub struct Runner {
    pub(crate) options: RunnerOptions,
    /// What the kernel limits commands to.
    pub(crate) plan: Plan,
    /// The same with names resolved to files.
    pub(crate) kernel_plans: KernelPlans,
    /// The files that private homes start with.
    pub(crate) home_files: Vec<HomeFile>,
}

/// A command to run.
#[derive(Debug)]
pub enum Command {
    /// A text in the syntax of bash.
    Line(String),
    /// An argument vector that no shell sees.
    Arguments(Vec<String>),
}

/// How one command is run.
#[expect(clippy::struct_excessive_bools, reason = "each is an option of the caller")]
#[derive(Debug)]
pub struct Call {
    /// Working directory; a relative one starts at the runner's.
    pub directory: Option<PathBuf>,
    /// Limit of the whole run, the wait for a worker included.
    pub timeout: Duration,
    /// Time from SIGTERM to SIGKILL when the deadline passes or the run is cancelled.
    pub grace: Duration,
    /// The standard input.
    pub stdin: Input,
    /// Whether both outputs share one pipe, which keeps their exact order.
    pub merge: bool,
    /// Whether the output is also sent as events.
    pub stream: bool,
    /// Whether a person or the host approved a command that the policy asks about.
    pub approved: bool,
    /// Whether it is a job: it counts among the jobs, and takes the place of no other run.
    pub is_job: bool,
    /// The folder for its output that does not fit its result; `None` for the usual one.
    pub spill: Option<SpillFolder>,
    /// The layer in which it writes, of its own. Default: none.
    pub layer: Option<LayerFolder>,
}

/// Whether a command was started, and why not.
#[derive(Debug)]
pub struct Answer {
    /// The verdict of the policy.
    pub verdict: Verdict,
    /// Whether it was started; its events follow.
    pub started: bool,
    /// Why an allowed command was not started.
    pub refusal: Option<Refusal>,
}

/// Why an allowed command was not started.
#[derive(Debug)]
pub enum Refusal {
    /// A rule forbids it.
    Denied {
        /// The rule: `outside_root` or `not_trusted`.
        rule: &'static str,
        /// The reason, for people and models.
        message: String,
    },
    /// The start failed.
    Failed(Failure),
}

impl Runner {
    /// Derives the plan of commands. Its names are resolved to files when the first program starts under it.
    pub fn new(options: RunnerOptions) -> Runner {
        let RunnerOptions { policy, confine, writable_roots, judging, shell, .. } = &options;
        let has_shell = *shell == Shell::Bash || !judging;
        let plan = policy.plan(confine, writable_roots.is_some(), has_shell);
        let kernel_plans = KernelPlans::new(options.network, options.proxy_port);
        Runner { options, plan, kernel_plans, home_files: Vec::new() }
    }

    /// Sets the files that the private homes of later runs, sessions and services start with.
    pub fn set_home_files(&mut self, files: Vec<HomeFile>) {
        self.home_files = files;
    }

    /// Masks secrets in messages.
    pub fn redactor(&self) -> &Redactor {
        &self.options.redactor
    }

    /// The number of the network namespace of its programs.
    pub fn network(&self) -> u32 {
        self.options.network
    }

    /// The directories that commands may work in.
    pub fn roots(&self) -> &Arc<Roots> {
        &self.options.roots
    }

    /// The folders that programs are found in.
    pub fn search(&self) -> &SearchPath {
        &self.options.search
    }

    /// What the kernel limits commands to.
    pub fn plan(&self) -> &Plan {
        &self.plan
    }

    /// The plan of commands as workers install it.
    pub fn kernel_plan(&self) -> Arc<KernelPlan> {
        self.resolve_plan(&self.plan, Variant::Base, &self.options.environment)
    }

    /// An entry of what the host says that commands do not read which cannot be held, and why.
    pub fn unholdable(&self, confine: &Confine) -> Option<(String, &'static str)> {
        let RunnerOptions { policy, roots, read_places, writable_roots, .. } = &self.options;
        let plan = policy.plan(confine, writable_roots.is_some(), false);
        let (entry, why) = KernelPlans::unholdable(&plan.reads, read_places, roots)?;
        Some((entry.to_owned(), why))
    }

    /// The place that keeps commands from this absolute path, and the guarantee that does. `None` where they may read it.
    pub fn withheld(&self, path: &Path) -> Option<(&'static str, PathBuf)> {
        let plan = self.kernel_plan();
        plan.reads.withheld(&plan.roots, &self.options.roots.real_path(path))
    }

    pub(crate) fn resolve_plan(
        &self,
        plan: &Plan,
        variant: Variant,
        environment: &Environment,
    ) -> Arc<KernelPlan> {
        let RunnerOptions { search, roots, read_places, .. } = &self.options;
        let variables = &environment.variables;
        self.kernel_plans.resolve(plan, variant, search, roots, read_places, variables)
    }

    /// The verdict on a command; nothing is run. A relative directory starts at the runner's.
    pub fn explain(&self, command: &Command, directory: Option<&Path>) -> Verdict {
        let verdict = self.decide(command, directory, Enforced::NOTHING);
        // Enforcement matters only where the policy does not know something, and finding out about it takes time.
        if verdict.decision == Decision::Allow {
            return verdict;
        }
        let enforced = self.enforced();
        if enforced == Enforced::NOTHING {
            return verdict;
        }
        let enforced_verdict = self.decide(command, directory, enforced);
        // A person who approves agrees to everything unknown, and then the plan limits less. So an `ask` has all reasons, those
        // included that the plan would settle.
        let is_allowed = enforced_verdict.decision == Decision::Allow;
        if is_allowed { enforced_verdict } else { verdict }
    }

    /// The verdict on one plain command, as if the kernel enforced nothing.
    pub fn explain_plain(&self, command: &Command, directory: Option<&Path>) -> Verdict {
        self.decide_plain(command, directory, Enforced::NOTHING)
    }

    /// The verdict on a session or a service, which must be one plain command.
    pub fn explain_live(&self, command: &Command, directory: Option<&Path>) -> Verdict {
        let verdict = self.explain(command, directory);
        if verdict.script.is_some() { self.explain_plain(command, directory) } else { verdict }
    }

    /// The verdict on a line that is typed into a shell, which `edits_lines` itself or does not. That shell may have been
    /// started under any plan, so nothing counts as enforced.
    pub fn explain_typed(
        &self,
        line: &str,
        edits_lines: bool,
        directory: Option<&Path>,
    ) -> Verdict {
        self.with_surroundings(directory, Enforced::NOTHING, |policy, surroundings| {
            // The shell keeps what a file of code changes, and later lines are judged without it.
            let surroundings = Surroundings { files: None, ..*surroundings };
            policy.decide_typed(line, edits_lines, &surroundings)
        })
    }

    /// What the kernel will enforce for commands of the plan.
    fn enforced(&self) -> Enforced {
        let RunnerOptions { writable_roots, expected_enforcement, .. } = &self.options;
        let roots = writable_roots.as_deref().unwrap_or_default();
        let are_writes_limited =
            self.plan.writes != Writes::Any && !roots.iter().any(|root| root == "/");
        let enforced = Enforced {
            exec: self.plan.programs.is_some() && are_writes_limited,
            writes: self.plan.writes == Writes::None,
            roots: are_writes_limited,
            signals: true,
            temporary: self.plan.own_temporary
                && are_writes_limited
                && expected_enforcement.can_own_temporary_folder()
                && self.is_temporary_folder_free(),
        };
        if expected_enforcement.is_complete() { enforced } else { Enforced::NOTHING }
    }

    fn is_temporary_folder_free(&self) -> bool {
        let RunnerOptions { search, roots, environment, .. } = &self.options;
        KernelPlans::is_temporary_folder_free(search, roots, &environment.variables)
    }

    fn decide(&self, command: &Command, directory: Option<&Path>, enforced: Enforced) -> Verdict {
        if !self.options.judging {
            return Verdict::unjudged(match command {
                Command::Line(text) => ["bash", "-p", "-c", text].map(str::to_owned).to_vec(),
                Command::Arguments(arguments) => arguments.clone(),
            });
        }
        match (command, self.options.shell) {
            (Command::Line(text), Shell::Bash) => {
                self.with_surroundings(directory, enforced, |policy, surroundings| {
                    policy.decide_script(text, surroundings)
                })
            }
            _ => self.decide_plain(command, directory, enforced),
        }
    }

    fn decide_plain(
        &self,
        command: &Command,
        directory: Option<&Path>,
        enforced: Enforced,
    ) -> Verdict {
        let directory = self.absolute(directory);
        let RunnerOptions { policy, writable_roots, path_rules, .. } = &self.options;
        // No code of files is a part of one plain command: advice about a script reads it.
        let writable = writable_roots.as_deref().unwrap_or_default();
        let files = JudgedFiles::new(writable, &self.options.roots);
        let surroundings = Surroundings {
            directory: directory.to_str(),
            path_rules: Some(path_rules),
            files: Some(&files),
            ..enforced.into()
        };
        match command {
            Command::Line(line) => policy.decide_line(line, surroundings),
            Command::Arguments(arguments) => policy.decide_argv(arguments, surroundings),
        }
    }

    /// The directory by the path that commands know it by.
    fn absolute(&self, directory: Option<&Path>) -> PathBuf {
        let absolute = self.options.directory.join(directory.unwrap_or_else(|| Path::new("")));
        self.options.roots.shown_path(&absolute).into_owned()
    }

    /// Calls `decide` with the surroundings of a script in this directory.
    fn with_surroundings(
        &self,
        directory: Option<&Path>,
        enforced: Enforced,
        decide: impl FnOnce(&Policy, &Surroundings<'_>) -> Verdict,
    ) -> Verdict {
        let RunnerOptions { policy, environment, writable_roots, path_rules, .. } = &self.options;
        let directory = self.absolute(directory);
        let Environment { variables, git, .. } = environment;
        let names: Vec<String> = variables
            .iter()
            .chain(git)
            .map(|(name, _)| name.clone())
            // The start adds these.
            .chain(["HOME", "PATH", "TMPDIR"].map(str::to_owned))
            .collect();
        let writable = writable_roots.as_deref().unwrap_or_default();
        // What the plan keeps from being written is none, whether or not this machine can hold it.
        let changed = match self.plan.writes {
            Writes::None => Some([].as_slice()),
            Writes::Roots | Writes::Any => writable_roots.as_deref(),
        };
        let files = JudgedFiles::new(writable, &self.options.roots);
        decide(
            policy,
            &Surroundings {
                directory: directory.to_str(),
                writable_roots: changed,
                environment: &names,
                path_rules: Some(path_rules),
                files: Some(&files),
                enforced,
                is_continued: false,
            },
        )
    }

    /// Closes the directories that it keeps open. Nothing can be started any more.
    pub fn close(&mut self) {
        self.options.search = SearchPath::default();
        self.options.roots = Arc::new(Roots::Only(Vec::new()));
    }
}
