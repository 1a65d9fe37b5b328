//! One configured terminal, what is asked of it and what it answers. It judges; `start` runs.

use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use handrail_files::Roots;
use handrail_policy::paths::PathRules;
use handrail_policy::plan::{Plan, Writes};
use handrail_policy::{Decision, Enforced, Policy, Surroundings, Verdict};
use handrail_redact::Redactor;
use handrail_reports::Failure;

use crate::options::{Input, OutputLimits};
use crate::{Held, Plans, SearchPath};

/// What becomes of a text that is more than one plain command.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shell {
    /// It is refused: no shell sees anything.
    None,
    /// It is judged whole, and bash runs exactly the judged bytes.
    Bash,
}

/// What a host decided, once.
pub struct Terminal {
    /// Who may run.
    pub policy: Policy,
    /// What the kernel holds commands to.
    pub plan: Plan,
    /// The same as workers install it; found out with the first command.
    pub plans: OnceLock<Plans>,
    /// What the engine's workers hold commands to.
    pub held: Arc<Held>,
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
    /// Name and value of every variable they get; `TMPDIR`, and `HOME` if private, are added.
    pub environment: Vec<(String, String)>,
    /// The same for commands that name git, beside those or in their place.
    pub git_environment: Vec<(String, String)>,
    /// Whether `HOME` is a private empty folder.
    pub private_home: bool,
    /// How much output is kept.
    pub limits: OutputLimits,
    /// Masks secrets.
    pub redactor: Redactor,
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

impl Terminal {
    /// What the policy says; nothing is run. A relative directory starts at the terminal's.
    pub fn explain(&self, command: &Command, directory: Option<&Path>) -> Verdict {
        if !self.judging {
            return Verdict::unjudged(match command {
                Command::Line(text) => ["bash", "-p", "-c", text].map(str::to_owned).to_vec(),
                Command::Arguments(arguments) => arguments.clone(),
            });
        }
        let verdict = self.decide(command, directory, Enforced::NOTHING);
        // What is held matters where something is not known, and is only found out then.
        if verdict.decision == Decision::Allow || !self.is_held_to_list() {
            return verdict;
        }
        self.decide(command, directory, Enforced { exec: true })
    }

    /// What the policy says of a text that is typed into a shell. Who started that shell may have held it to anything, so
    /// nothing counts as held.
    pub fn explain_script(&self, text: &str, directory: Option<&Path>) -> Verdict {
        self.decide_script(text, directory, Enforced::NOTHING)
    }

    /// Whether the kernel will hold commands to the programs of the plan.
    fn is_held_to_list(&self) -> bool {
        let roots = self.writable_roots.as_deref().unwrap_or_default();
        self.plan.programs.is_some()
            && self.plan.writes != Writes::Any
            && !roots.iter().any(|root| root == "/")
            && self.held.exec()
    }

    fn decide(&self, command: &Command, directory: Option<&Path>, enforced: Enforced) -> Verdict {
        match (command, self.shell) {
            (Command::Line(text), Shell::Bash) => self.decide_script(text, directory, enforced),
            (Command::Line(line), Shell::None) => self.policy.decide_line(line, enforced),
            (Command::Arguments(arguments), _) => self.policy.decide_argv(arguments, enforced),
        }
    }

    fn decide_script(&self, text: &str, directory: Option<&Path>, enforced: Enforced) -> Verdict {
        let directory = self.directory.join(directory.unwrap_or_else(|| Path::new("")));
        let names: Vec<String> = self
            .environment
            .iter()
            .chain(&self.git_environment)
            .map(|(name, _)| name.clone())
            // These are added when it starts.
            .chain(["HOME", "PATH", "TMPDIR"].map(str::to_owned))
            .collect();
        self.policy.decide_script(
            text,
            &Surroundings {
                directory: directory.to_str(),
                writable_roots: self.writable_roots.as_deref(),
                environment: &names,
                path_rules: Some(&self.path_rules),
                enforced,
            },
        )
    }

    /// The plan with its names resolved.
    pub fn plans(&self) -> &Plans {
        let resolve = || Plans::new(&self.plan, &self.search, &self.roots, &self.environment);
        self.plans.get_or_init(resolve)
    }

    /// Gives back the directories it holds; nothing can be run any more.
    pub fn close(&mut self) {
        self.search = SearchPath::default();
        self.roots = Arc::new(Roots::Only(Vec::new()));
    }
}
