//! From a judged command to a run: its directory, its program, its environment.

use std::os::fd::OwnedFd;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::sync::Arc;

use handrail_files::{DirectoryRefusal, Roots};
use handrail_policy::plan::Plan;
use handrail_policy::{Decision, Verdict};
use handrail_reports::{Failure, FailureCode};

use crate::linux::engine::{Engine, LiveStart, RunStart};
use crate::linux::error::Error;
use crate::linux::failures;
use crate::linux::program::Program;
use crate::live::{LiveProgram, OpenCall, Warrant};
use crate::outcome::Event;
use crate::program_error::ProgramError;
use crate::runner::{Answer, Call, Command, Environment, Refusal, Runner, RunnerOptions};
use crate::{KernelPlan, Variant};

/// What every program is started with.
struct Parts {
    program: Program,
    directory: OwnedFd,
    environment: Vec<Vec<u8>>,
}

/// Where a program works and may lie.
struct Place<'a> {
    roots: &'a Roots,
    directory: Option<&'a Path>,
    /// It may lie where commands can write.
    trusted: bool,
}

impl Runner {
    /// Judges the command, and starts it when it may run. What was judged is what runs.
    pub fn run<S: Fn(Event) + Send + 'static>(
        &self,
        engine: &mut Engine<S>,
        id: u64,
        command: &Command,
        call: Call,
    ) -> Result<Answer, Error> {
        let verdict = self.explain(command, call.directory.as_deref());
        let may_run = match verdict.decision {
            Decision::Allow => true,
            Decision::Ask => call.approved,
            Decision::Deny => false,
        };
        let Some(arguments) = verdict.argv.as_ref().filter(|_| may_run) else {
            return Ok(Answer { verdict, started: false, refusal: None });
        };
        let arguments: Vec<Vec<u8>> =
            arguments.iter().map(|argument| argument.clone().into_bytes()).collect();
        match self.request(id, &arguments, &verdict, call) {
            Ok(request) => match engine.run(request) {
                Ok(()) => Ok(Answer { verdict, started: true, refusal: None }),
                // The machine is short of something: no mistake of the program that asks.
                Err(error) if error.is_system() => {
                    let failure = Failure::new(FailureCode::System, error.to_string());
                    let refusal = Refusal::Failed(failure);
                    Ok(Answer { verdict, started: false, refusal: Some(refusal) })
                }
                Err(error) => Err(error),
            },
            Err(refusal) => Ok(Answer { verdict, started: false, refusal: Some(refusal) }),
        }
    }

    /// Starts a session or a service as it was judged. Who calls this has decided already that it may run: only what is no
    /// plain command is refused.
    pub fn open<S: Fn(Event) + Send + 'static>(
        &self,
        engine: &mut Engine<S>,
        id: u64,
        verdict: Verdict,
        call: OpenCall,
    ) -> Result<(Answer, Option<LiveProgram>), Error> {
        let may_run = call.warrant != Warrant::Policy || verdict.decision != Decision::Deny;
        let words = verdict.argv.as_ref().filter(|_| verdict.script.is_none());
        let arguments = if call.typed { verdict.line_shell.as_ref() } else { words };
        let Some(arguments) = arguments.filter(|_| may_run) else {
            return Ok((Answer { verdict, started: false, refusal: None }, None));
        };
        let arguments: Vec<Vec<u8>> =
            arguments.iter().map(|argument| argument.clone().into_bytes()).collect();
        let is_host = call.warrant == Warrant::Host;
        let place = Place {
            roots: if is_host { &Roots::Unrestricted } else { &self.options.roots },
            directory: call.directory.as_deref(),
            trusted: call.warrant != Warrant::Policy,
        };
        let parts = match self.parts(&arguments, &verdict, &place, &call.environment) {
            Ok(parts) => parts,
            Err(refusal) => {
                return Ok((Answer { verdict, started: false, refusal: Some(refusal) }, None));
            }
        };
        let plan = self.live_plan(&verdict, &call, &parts.program);
        let Parts { program, directory, environment } = parts;
        let live = engine.open(LiveStart {
            id,
            kind: call.kind,
            program,
            plan,
            directory,
            environment,
            private_home: call.environment.private_home,
            extra: Vec::new(),
            grace: call.grace,
            redactor: self.options.redactor.clone(),
            needs_list: call.warrant == Warrant::Policy && verdict.stands_on.exec,
        })?;
        Ok((Answer { verdict, started: true, refusal: None }, Some(live)))
    }

    fn request(
        &self,
        id: u64,
        arguments: &[Vec<u8>],
        verdict: &Verdict,
        call: Call,
    ) -> Result<RunStart, Refusal> {
        let place = Place {
            roots: &self.options.roots,
            directory: call.directory.as_deref(),
            trusted: call.approved,
        };
        let parts = self.parts(arguments, verdict, &place, &self.options.environment)?;
        let Parts { program, directory, environment } = parts;
        Ok(RunStart {
            id,
            program,
            plan: self.plan_of(verdict),
            directory,
            environment,
            private_home: self.options.environment.private_home,
            stdin: call.stdin,
            merge: call.merge,
            timeout: call.timeout,
            grace: call.grace,
            stream: call.stream,
            redactor: self.options.redactor.clone(),
            limits: self.options.limits,
            needs_list: verdict.decision == Decision::Allow && verdict.stands_on.exec,
        })
    }

    /// What the kernel holds this command to. It may run: what asks was approved.
    fn plan_of(&self, verdict: &Verdict) -> Arc<KernelPlan> {
        let variant = match verdict.decision {
            Decision::Allow if is_rewriting(&self.plan, verdict) => Variant::Rewriting,
            Decision::Allow | Decision::Deny => Variant::Base,
            Decision::Ask => Variant::Approved,
        };
        self.resolved(&self.plan, variant, &self.options.environment)
    }

    /// The same for a program that lives on. A shell whose lines will be judged is asked about and not
    /// approved: it may start what they may name.
    fn live_plan(&self, verdict: &Verdict, call: &OpenCall, program: &Program) -> Arc<KernelPlan> {
        let RunnerOptions { policy, confine, writable_roots, .. } = &self.options;
        let is_host = call.warrant == Warrant::Host;
        let confine = call.confine.as_ref().filter(|_| is_host).unwrap_or(confine);
        let mut plan = policy.plan(confine, writable_roots.is_some(), call.typed);
        if is_host && plan.programs.is_some() {
            plan = plan.naming(&program.path().to_string_lossy());
        }
        let variant = match call.warrant {
            Warrant::Approval => Variant::Approved,
            _ if is_rewriting(&plan, verdict) => Variant::Rewriting,
            _ => Variant::Base,
        };
        self.resolved(&plan, variant, &call.environment)
    }

    /// What every program is started with.
    fn parts(
        &self,
        arguments: &[Vec<u8>],
        verdict: &Verdict,
        place: &Place<'_>,
        environment: &Environment,
    ) -> Result<Parts, Refusal> {
        let RunnerOptions { search, directory: default, .. } = &self.options;
        let path = place.directory.unwrap_or_else(|| Path::new("."));
        let directory = place.roots.open_directory(path, default).map_err(directory_refusal)?;
        let outside = place.trusted.then(|| std::os::fd::AsFd::as_fd(&directory));
        let program =
            search.find(arguments, place.roots, outside).map_err(|e| program_refusal(&e))?;
        let overridden = |name: &str| verdict.assignments.iter().any(|set| set.name == name);
        // What a script starts need not name git.
        let is_script = verdict.script.is_some();
        let git: &[_] = if is_script || is_git_named(arguments) { &environment.git } else { &[] };
        let replaced = |name: &str| git.iter().any(|(other, _)| other == name);
        let kept = environment.variables.iter().filter(|(name, _)| !replaced(name));
        let fixed = |name: &str| overridden(name) || (is_script && name == "PATH");
        let kept = kept.chain(git).filter(|(name, _)| !fixed(name));
        let environment = kept
            .map(|(name, value)| format!("{name}={value}").into_bytes())
            .chain(
                verdict
                    .assignments
                    .iter()
                    .map(|set| format!("{}={}", set.name, set.value).into_bytes()),
            )
            .chain(is_script.then(|| self.path_variable()))
            .collect();
        Ok(Parts { program, directory, environment })
    }
}

impl Runner {
    /// Where bash finds programs: the folders that are searched here, none of which commands may change.
    fn path_variable(&self) -> Vec<u8> {
        let folders = self.options.search.directories().map(|folder| folder.as_os_str().as_bytes());
        // A colon would name two others.
        let folders: Vec<&[u8]> = folders.filter(|folder| !folder.contains(&b':')).collect();
        [&b"PATH="[..], &folders.join(&b':')].concat()
    }
}

/// Whether the command consists of programs that may remove files.
fn is_rewriting(plan: &Plan, verdict: &Verdict) -> bool {
    verdict.programs_certain && plan.is_rewritten_by(&verdict.programs)
}

/// Whether git, or something that may stand for it, is named anywhere. Programs that start git
/// unasked are not seen.
fn is_git_named(arguments: &[Vec<u8>]) -> bool {
    arguments.iter().any(|argument| argument.windows(3).any(|part| part == b"git"))
}

fn directory_refusal(refusal: DirectoryRefusal) -> Refusal {
    match refusal {
        DirectoryRefusal::OutsideRoot => Refusal::Denied {
            rule: "outside_root",
            message: "Working directory escapes sandbox root".into(),
        },
        DirectoryRefusal::NotFound => Refusal::Failed(failures::directory_not_found()),
        DirectoryRefusal::NotADirectory => Refusal::Failed(failures::directory_is_none()),
        DirectoryRefusal::System(error) => {
            let message = format!("Working directory cannot be opened: {error}");
            Refusal::Failed(Failure::new(FailureCode::Unreadable, message))
        }
    }
}

fn program_refusal(error: &ProgramError) -> Refusal {
    let code = match error {
        ProgramError::NotTrusted => {
            return Refusal::Denied { rule: "not_trusted", message: error.to_string() };
        }
        ProgramError::NotFound | ProgramError::SearchDirectory(..) => FailureCode::ProgramNotFound,
        ProgramError::Interpreter => FailureCode::InterpreterNotFound,
        ProgramError::System(..) => FailureCode::System,
    };
    Refusal::Failed(Failure::new(code, error.to_string()))
}
