//! What a host lets start, decided once: runs, sessions and services of one owner are judged and held by it. It judges;
//! `start` starts.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use handrail_files::Roots;
use handrail_policy::paths::PathRules;
use handrail_policy::plan::{Confine, Plan, Writes};
use handrail_policy::{Decision, Enforced, Policy, Surroundings, Verdict};
use handrail_redact::Redactor;
use handrail_reports::Failure;

use crate::options::{Input, OutputLimits};
use crate::{ExpectedEnforcement, KernelPlan, KernelPlans, SearchPath};

/// What becomes of a text that is more than one plain command.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shell {
    /// It is refused: no shell sees anything.
    None,
    /// It is judged whole, and bash runs exactly the judged bytes.
    Bash,
}

/// What a host decided, once.
pub struct RunnerOptions {
    /// Who may run.
    pub policy: Policy,
    /// What the host chose of the plan.
    pub confine: Confine,
    /// What the engine's workers hold commands to.
    pub expected_enforcement: Arc<ExpectedEnforcement>,
    /// False only in tests of what the kernel holds by itself.
    pub judging: bool,
    /// Whether texts may be scripts.
    pub shell: Shell,
    /// Where programs are found.
    pub search: SearchPath,
    /// Where commands may work; other tools work there too.
    pub roots: Arc<Roots>,
    /// Every spelling of the roots that commands may change; `None` when the host set no roots.
    pub writable_roots: Option<Vec<String>>,
    /// What redirections of scripts do not write to.
    pub path_rules: PathRules,
    /// Where they work by default; absolute.
    pub directory: PathBuf,
    /// What commands find in their environment.
    pub environment: Environment,
    /// How much output is kept.
    pub limits: OutputLimits,
    /// Masks secrets.
    pub redactor: Redactor,
}

/// What a program finds in its environment.
#[derive(Debug, Default)]
pub struct Environment {
    /// Name and value of every variable; `TMPDIR`, and `HOME` if private, are added.
    pub variables: Vec<(String, String)>,
    /// The same for programs that name git, beside those or in their place.
    pub git: Vec<(String, String)>,
    /// Whether `HOME` is a private empty folder.
    pub private_home: bool,
}

/// The variants of a plan that programs run under.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Variant {
    /// What commands run under.
    Base,
    /// What a command that consists of rewriters runs under.
    Rewriting,
    /// What a command runs under that somebody approved.
    Approved,
}

/// Judges and starts the programs of one owner.
pub struct Runner {
    pub(crate) options: RunnerOptions,
    /// What the kernel holds commands to.
    pub(crate) plan: Plan,
    pub(crate) plans: KernelPlans,
}

/// What is to be run.
#[derive(Debug)]
pub enum Command {
    /// Bash syntax.
    Line(String),
    /// An argument vector that no shell sees.
    Arguments(Vec<String>),
}

/// What can differ from call to call.
#[derive(Debug)]
pub struct Call {
    /// Working directory; relative ones start at the terminal's.
    pub directory: Option<PathBuf>,
    /// Absolute limit, waiting for a worker included.
    pub timeout: Duration,
    /// From SIGTERM to SIGKILL when the deadline passes or the run is cancelled.
    pub grace: Duration,
    /// What it reads.
    pub stdin: Input,
    /// One pipe for both outputs, for their exact order.
    pub merge: bool,
    /// Whether output is also sent as events.
    pub stream: bool,
    /// Whether a person or the host said yes to an `ask`.
    pub approved: bool,
}

/// What became of a request.
#[derive(Debug)]
pub struct Answer {
    /// What the policy says.
    pub verdict: Verdict,
    /// Whether it runs; its events follow.
    pub started: bool,
    /// Why an allowed command does not run.
    pub refusal: Option<Refusal>,
}

/// Why an allowed command does not run.
#[derive(Debug)]
pub enum Refusal {
    /// It must not be started.
    Denied {
        /// A rule: `outside_root` or `not_trusted`.
        rule: &'static str,
        /// For people and models.
        message: String,
    },
    /// It cannot be started.
    Failed(Failure),
}

impl Runner {
    /// Derives the plan of commands. Names are resolved with the first program that is held to them.
    pub fn new(options: RunnerOptions) -> Runner {
        let RunnerOptions { policy, confine, writable_roots, judging, shell, .. } = &options;
        let has_shell = *shell == Shell::Bash || !judging;
        let plan = policy.plan(confine, writable_roots.is_some(), has_shell);
        Runner { options, plan, plans: KernelPlans::default() }
    }

    /// What masks secrets in what it says.
    pub fn redactor(&self) -> &Redactor {
        &self.options.redactor
    }

    /// Where commands may work.
    pub fn roots(&self) -> &Arc<Roots> {
        &self.options.roots
    }

    /// What the kernel holds commands to.
    pub fn plan(&self) -> &Plan {
        &self.plan
    }

    /// The same as workers install it.
    pub fn kernel_plan(&self) -> Arc<KernelPlan> {
        self.resolved(&self.plan, Variant::Base, &self.options.environment)
    }

    pub(crate) fn resolved(
        &self,
        plan: &Plan,
        variant: Variant,
        environment: &Environment,
    ) -> Arc<KernelPlan> {
        let RunnerOptions { search, roots, .. } = &self.options;
        self.plans.resolved(plan, variant, search, roots, &environment.variables)
    }

    /// What the policy says; nothing is run. A relative directory starts at the owner's.
    pub fn explain(&self, command: &Command, directory: Option<&Path>) -> Verdict {
        let verdict = self.decide(command, directory, Enforced::NOTHING);
        // What is held matters where something is not known, and is only found out then.
        if verdict.decision == Decision::Allow || !self.is_held_to_list() {
            return verdict;
        }
        let held = self.decide(command, directory, Enforced { exec: true });
        // Whoever is asked agrees to all that is open, and then any program may be started: nothing is left out for a list
        // that holds no more.
        if held.decision == Decision::Allow { held } else { verdict }
    }

    /// What the policy says of one plain command, whatever is held.
    pub fn explain_plain(&self, command: &Command) -> Verdict {
        self.decide_plain(command, Enforced::NOTHING)
    }

    /// What the policy says of a program that will live: of more than one plain command, that it is none.
    pub fn explain_live(&self, command: &Command, directory: Option<&Path>) -> Verdict {
        let verdict = self.explain(command, directory);
        if verdict.script.is_some() { self.explain_plain(command) } else { verdict }
    }

    /// What the policy says of a line that is typed into a shell, which `edits_lines` itself or does not. Who started that
    /// shell may have held it to anything, so nothing counts as held.
    pub fn explain_typed(
        &self,
        line: &str,
        edits_lines: bool,
        directory: Option<&Path>,
    ) -> Verdict {
        self.with_surroundings(directory, Enforced::NOTHING, |policy, surroundings| {
            policy.decide_typed(line, edits_lines, surroundings)
        })
    }

    /// Whether the kernel will hold commands to the programs of the plan.
    fn is_held_to_list(&self) -> bool {
        let RunnerOptions { writable_roots, expected_enforcement, .. } = &self.options;
        let roots = writable_roots.as_deref().unwrap_or_default();
        self.plan.programs.is_some()
            && self.plan.writes != Writes::Any
            && !roots.iter().any(|root| root == "/")
            && expected_enforcement.limits_programs()
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
            _ => self.decide_plain(command, enforced),
        }
    }

    fn decide_plain(&self, command: &Command, enforced: Enforced) -> Verdict {
        match command {
            Command::Line(line) => self.options.policy.decide_line(line, enforced),
            Command::Arguments(arguments) => self.options.policy.decide_argv(arguments, enforced),
        }
    }

    /// Lets `decide` judge what bash runs in this directory.
    fn with_surroundings(
        &self,
        directory: Option<&Path>,
        enforced: Enforced,
        decide: impl FnOnce(&Policy, &Surroundings<'_>) -> Verdict,
    ) -> Verdict {
        let RunnerOptions { policy, environment, writable_roots, path_rules, .. } = &self.options;
        let directory = self.options.directory.join(directory.unwrap_or_else(|| Path::new("")));
        let Environment { variables, git, .. } = environment;
        let names: Vec<String> = variables
            .iter()
            .chain(git)
            .map(|(name, _)| name.clone())
            // These are added when it starts.
            .chain(["HOME", "PATH", "TMPDIR"].map(str::to_owned))
            .collect();
        decide(
            policy,
            &Surroundings {
                directory: directory.to_str(),
                writable_roots: writable_roots.as_deref(),
                environment: &names,
                path_rules: Some(path_rules),
                enforced,
            },
        )
    }

    /// Gives back the directories it holds; nothing can be run any more.
    pub fn close(&mut self) {
        self.options.search = SearchPath::default();
        self.options.roots = Arc::new(Roots::Only(Vec::new()));
    }
}
