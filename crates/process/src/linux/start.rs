//! Starts judged commands: opens the directory, finds the program, makes the environment, and passes all of it to the engine.

use std::ffi::OsStr;
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::ffi::OsStrExt;
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

use handrail_files::{DirectoryRefusal, Roots};
use handrail_policy::plan::Plan;
use handrail_policy::{Decision, Enforced, FolderMakers, Verdict};
use handrail_reports::{Failure, FailureCode};

use crate::linux::engine::{Engine, ProgramStart, RunOptions};
use crate::linux::error::Error;
use crate::linux::failures;
use crate::linux::made_folders::MadeFolders;
use crate::linux::program::{self, Program};
use crate::linux::shell_marks::ShellMarks;
use crate::live::{LiveProgram, LiveProgramKind, OpenCall, Warrant};
use crate::options::{LayerFolder, SpillFolder};
use crate::outcome::Event;
use crate::program_error::ProgramError;
use crate::runner::{Answer, Call, Command, Environment, Refusal, Runner, RunnerOptions};
use crate::{KernelPlan, Layer, LayerRoot, Variant};

/// The variable that names the folder of build results.
const BUILD_FOLDER_VARIABLE: &str = "CARGO_TARGET_DIR";

/// The folder of spilled output of programs that see none. It stays empty.
const NO_SPILL_FOLDER: &str = "no-spill";

/// Where a program may work, and where its file may lie.
struct Location<'a> {
    /// The roots that its working directory must lie in.
    roots: &'a Roots,
    directory: Option<&'a Path>,
    /// Whether the file of the program may lie outside the search path, and where commands can write.
    is_trusted: bool,
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
        let location = Location {
            roots: &self.options.roots,
            directory: call.directory.as_deref(),
            is_trusted: call.approved,
        };
        let environment = &self.options.environment;
        let needs = match verdict.decision {
            Decision::Allow => verdict.required_enforcement,
            Decision::Ask | Decision::Deny => Enforced::NOTHING,
        };
        let located = self.locate(&arguments, &location);
        let start = match located {
            Ok((program, directory)) => ProgramStart {
                id,
                program,
                // The plan grants what is there when it is resolved.
                made_folders: self.make_folders(
                    &makers_of(&verdict),
                    &verdict,
                    &directory,
                    environment,
                ),
                plan: self.laid(
                    showing(self.run_plan(&verdict), call.spill.as_ref()),
                    call.layer.as_ref(),
                )?,
                directory,
                environment: self.variables(
                    may_start_git(&self.plan, &verdict, &arguments),
                    &verdict,
                    environment,
                ),
                private_home: environment.private_home,
                home_files: self.home_files.clone(),
                grace: call.grace,
                redactor: self.options.redactor.clone(),
                prints_secret: verdict.prints_secret,
                needs,
                shell_marks: None,
            },
            Err(refusal) => {
                return Ok(Answer { verdict, started: false, refusal: Some(refusal) });
            }
        };
        if let Some(refusal) = incomplete(&start.plan) {
            return Ok(Answer { verdict, started: false, refusal: Some(refusal) });
        }
        let Call { stdin, merge, timeout, stream, is_job, spill, .. } = call;
        let limits = self.options.limits;
        let options = RunOptions { stdin, merge, timeout, stream, limits, is_job, spill };
        match engine.run(start, options) {
            Ok(()) => Ok(Answer { verdict, started: true, refusal: None }),
            // The machine is short of something, which is no mistake of the host.
            Err(error) if error.is_system() => {
                let refusal = Refusal::Failed(Failure::new(FailureCode::System, error.to_string()));
                Ok(Answer { verdict, started: false, refusal: Some(refusal) })
            }
            Err(error) => Err(error),
        }
    }

    /// Starts a session or a service as it was judged. The caller has decided that it may run; only a command that is not one
    /// plain command is refused.
    pub fn open<S: Fn(Event) + Send + 'static>(
        &self,
        engine: &mut Engine<S>,
        id: u64,
        verdict: Verdict,
        call: OpenCall,
    ) -> Result<(Answer, Option<LiveProgram>), Error> {
        let may_run = call.warrant != Warrant::Policy || verdict.decision != Decision::Deny;
        let plain_command = verdict.argv.as_ref().filter(|_| verdict.script.is_none());
        let arguments = if call.typed { verdict.line_shell.as_ref() } else { plain_command };
        let Some(arguments) = arguments.filter(|_| may_run) else {
            return Ok((Answer { verdict, started: false, refusal: None }, None));
        };
        let mut arguments: Vec<Vec<u8>> =
            arguments.iter().map(|argument| argument.clone().into_bytes()).collect();
        let mut environment = self.variables(is_git_named(&arguments), &verdict, &call.environment);
        let mut home_files = if call.has_home_files { self.home_files.clone() } else { Vec::new() };
        let shell_marks = match call.kind {
            LiveProgramKind::Session { .. } => {
                let files = call.environment.private_home.then_some(&mut home_files);
                ShellMarks::request(&mut arguments, &mut environment, files).map_err(|error| {
                    Error::system("the start-up text of a shell could not be made", error)
                })?
            }
            LiveProgramKind::Service => None,
        };
        let is_host = call.warrant == Warrant::Host;
        let location = Location {
            roots: if is_host { &Roots::Unrestricted } else { &self.options.roots },
            directory: call.directory.as_deref(),
            is_trusted: call.warrant != Warrant::Policy,
        };
        let (program, directory) = match self.locate(&arguments, &location) {
            Ok(found) => found,
            Err(refusal) => {
                return Ok((Answer { verdict, started: false, refusal: Some(refusal) }, None));
            }
        };
        let makers = match call.warrant {
            Warrant::Policy if call.typed => FolderMakers::of_shell(),
            Warrant::Policy => makers_of(&verdict),
            // What nobody listed starts any program.
            Warrant::Host | Warrant::Approval => FolderMakers::default(),
        };
        let start = ProgramStart {
            id,
            made_folders: self.make_folders(&makers, &verdict, &directory, &call.environment),
            plan: self.laid(
                showing(self.live_plan(&verdict, &call, &program), call.spill.as_ref()),
                call.layer.as_ref(),
            )?,
            program,
            directory,
            environment,
            shell_marks,
            private_home: call.environment.private_home,
            home_files,
            grace: call.grace,
            redactor: self.options.redactor.clone(),
            prints_secret: verdict.prints_secret,
            needs: if call.warrant == Warrant::Policy {
                verdict.required_enforcement
            } else {
                Enforced::NOTHING
            },
        };
        if let Some(refusal) = incomplete(&start.plan) {
            return Ok((Answer { verdict, started: false, refusal: Some(refusal) }, None));
        }
        let live = engine.open(start, call.kind)?;
        Ok((Answer { verdict, started: true, refusal: None }, Some(live)))
    }

    /// The plan of a program that writes into a layer of its own.
    fn laid(
        &self,
        plan: Arc<KernelPlan>,
        layer: Option<&LayerFolder>,
    ) -> Result<Arc<KernelPlan>, Error> {
        let Some(LayerFolder { path, roots: numbered }) = layer else { return Ok(plan) };
        let Roots::Only(roots) = &*self.options.roots else {
            return Err(Error::system(
                "a layer needs roots",
                std::io::ErrorKind::Unsupported.into(),
            ));
        };
        let mut laid = Vec::new();
        for root in roots {
            let number = numbered.iter().position(|path| *path == root.path());
            let (device, inode) =
                root.identity().map_err(|error| Error::system("a root is gone", error))?;
            laid.push(LayerRoot {
                path: root.path().as_os_str().as_bytes().to_vec(),
                device,
                inode,
                number: number.and_then(|number| u32::try_from(number).ok()),
            });
        }
        let layer = Layer { folder: path.as_os_str().as_bytes().to_vec(), roots: laid };
        Ok(Arc::new(KernelPlan { layer: Some(layer), ..KernelPlan::clone(&plan) }))
    }

    /// Makes the folders of places that a program would make itself.
    fn make_folders(
        &self,
        makers: &FolderMakers,
        verdict: &Verdict,
        directory: &OwnedFd,
        environment: &Environment,
    ) -> Option<MadeFolders> {
        let assigned = verdict.assignments.iter().map(|set| (&set.name, &set.value));
        let inherited = environment.variables.iter().map(|(name, value)| (name, value));
        let mut variables = assigned.chain(inherited);
        let build_folder = variables.find(|(name, _)| *name == BUILD_FOLDER_VARIABLE);
        let build_folder = build_folder.map(|(_, value)| value.as_str());
        let variant = variant_for(&self.plan, verdict);
        let directory = program::real_path(directory.as_fd()).unwrap_or_default();
        let roots = &self.options.roots;
        self.kernel_plans.make_folders(
            makers,
            build_folder,
            &self.plan,
            &variant,
            &directory,
            roots,
        )
    }

    /// The plan of a command that may run: where the policy asks, somebody has approved it.
    fn run_plan(&self, verdict: &Verdict) -> Arc<KernelPlan> {
        let variant = match verdict.decision {
            Decision::Allow => variant_for(&self.plan, verdict),
            Decision::Deny => Variant::Base,
            Decision::Ask => Variant::Approved,
        };
        self.resolve_plan(&self.plan, variant, &self.options.environment)
    }

    /// The plan of a session or a service. A shell whose lines will be judged gets the plan of commands although the policy
    /// asks about it: it may start the programs that its lines may name.
    fn live_plan(&self, verdict: &Verdict, call: &OpenCall, program: &Program) -> Arc<KernelPlan> {
        let RunnerOptions { policy, confine, writable_roots, .. } = &self.options;
        let is_host = call.warrant == Warrant::Host;
        let confine = call.confine.as_ref().filter(|_| is_host).unwrap_or(confine);
        let mut plan = policy.plan(confine, writable_roots.is_some(), call.typed);
        // What the host itself starts may use files that the host has there.
        plan.own_temporary &= !is_host;
        if is_host && plan.programs.is_some() {
            plan = plan.naming(&program.path().to_string_lossy());
        }
        let variant = match call.warrant {
            Warrant::Approval => Variant::Approved,
            _ => variant_for(&plan, verdict),
        };
        self.resolve_plan(&plan, variant, &call.environment)
    }

    /// Opens the working directory, and finds the program.
    fn locate(
        &self,
        arguments: &[Vec<u8>],
        location: &Location<'_>,
    ) -> Result<(Program, OwnedFd), Refusal> {
        let RunnerOptions { search, directory: default, roots: own, .. } = &self.options;
        let path = location.directory.unwrap_or_else(|| Path::new("."));
        // Without a restriction a path leads into a layer as well.
        let is_layered = own.are_in_layer();
        let directory = if is_layered && matches!(location.roots, Roots::Unrestricted) {
            own.open_anywhere(&default.join(path))
        } else {
            location.roots.open_directory(path, default)
        };
        let directory = directory.map_err(directory_refusal)?;
        let is_free = location.is_trusted || self.is_at_place(arguments, &directory);
        let outside = is_free.then_some(directory.as_fd());
        let roots = if is_layered { own } else { location.roots };
        let program = search.find(arguments, roots, outside).map_err(|e| program_refusal(&e))?;
        Ok((program, directory))
    }

    /// Whether a rule for a place names this program, which is looked up in the directory.
    fn is_at_place(&self, arguments: &[Vec<u8>], directory: &OwnedFd) -> bool {
        let word = arguments.first().filter(|word| word.contains(&b'/'));
        let Some(word) = word.filter(|_| !self.plan.places.is_empty()) else { return false };
        let Ok(directory) = program::real_path(directory.as_fd()) else { return false };
        let path = plain_path(&directory.join(OsStr::from_bytes(word)));
        let spellings = self.options.roots.spellings();
        let is_named =
            |path: &str| self.plan.places.iter().any(|one| one.includes(&spellings, path));
        path.to_str().is_some_and(is_named)
    }

    /// The environment of a program as `NAME=value` entries, the assignments of its command included.
    ///
    /// `starts_git`: whether it gets the variables for git.
    fn variables(
        &self,
        starts_git: bool,
        verdict: &Verdict,
        environment: &Environment,
    ) -> Vec<Vec<u8>> {
        let is_assigned = |name: &str| verdict.assignments.iter().any(|set| set.name == name);
        let is_script = verdict.script.is_some();
        let git: &[_] = if is_script || starts_git { &environment.git } else { &[] };
        let is_git_variable = |name: &str| git.iter().any(|(other, _)| other == name);
        let others = environment.variables.iter().filter(|(name, _)| !is_git_variable(name));
        // A host may give a session or a service a `PATH` of its own.
        let has_path = environment.variables.iter().any(|(name, _)| name == "PATH");
        let needs_path = is_script || !has_path;
        let is_replaced = |name: &str| is_assigned(name) || (is_script && name == "PATH");
        let inherited = others.chain(git).filter(|(name, _)| !is_replaced(name));
        inherited
            .map(|(name, value)| format!("{name}={value}").into_bytes())
            .chain(
                verdict
                    .assignments
                    .iter()
                    .map(|set| format!("{}={}", set.name, set.value).into_bytes()),
            )
            .chain((needs_path && !is_assigned("PATH")).then(|| self.path_variable()))
            .collect()
    }

    /// The `PATH` of commands: the directories of the search path, in which their own names were looked up.
    fn path_variable(&self) -> Vec<u8> {
        let folders = self.options.search.directories().map(|folder| folder.as_os_str().as_bytes());
        // A directory with a colon in its name would be read as two others.
        let folders: Vec<&[u8]> = folders.filter(|folder| !folder.contains(&b':')).collect();
        [&b"PATH="[..], &folders.join(&b':')].concat()
    }
}

/// The plan of a caller's program, which sees no spilled output but that of its caller.
fn showing(plan: Arc<KernelPlan>, spill: Option<&SpillFolder>) -> Arc<KernelPlan> {
    let Some(SpillFolder { name, is_shown }) = spill else { return plan };
    let name = if *is_shown { name } else { NO_SPILL_FOLDER };
    Arc::new(KernelPlan { spill: Some(name.to_owned().into_bytes()), ..KernelPlan::clone(&plan) })
}

/// The dependency folders that a command makes. What somebody approved may start any program, and needs none.
fn makers_of(verdict: &Verdict) -> FolderMakers {
    match (&verdict.script, &verdict.argv) {
        _ if verdict.decision != Decision::Allow => FolderMakers::default(),
        (Some(text), _) => FolderMakers::of_text(text, &verdict.programs),
        (None, Some(words)) => FolderMakers::of_words(words, &verdict.programs),
        (None, None) => FolderMakers::default(),
    }
}

/// A path without `.` and `..`, as the policy judged it.
fn plain_path(path: &Path) -> PathBuf {
    let mut plain = PathBuf::from("/");
    for part in path.components() {
        match part {
            Component::Normal(name) => plain.push(name),
            Component::ParentDir => {
                plain.pop();
            }
            _ => {}
        }
    }
    plain
}

/// The variant of the plan for a command that is allowed: if all of its programs are rewriters, they may remove files.
fn variant_for(plan: &Plan, verdict: &Verdict) -> Variant {
    let programs = Some(&verdict.programs).filter(|_| verdict.programs_certain);
    let removal = programs.and_then(|programs| plan.removal_by(programs));
    removal.map_or(Variant::Base, Variant::Rewriting)
}

/// Whether the program of a run may start git, which it need not name (`npm version`).
fn may_start_git(plan: &Plan, verdict: &Verdict, arguments: &[Vec<u8>]) -> bool {
    let mut listed = plan.programs.iter().flatten();
    let is_listed =
        plan.programs.is_none() || listed.any(|one| Path::new(&one.name).ends_with("git"));
    // What somebody approved may start any program.
    is_listed || verdict.decision == Decision::Ask || is_git_named(arguments)
}

/// Whether an argument has `git` in it, as the name of a session's program. A shell that starts git is a person's.
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
        ProgramError::NotFound
        | ProgramError::NoFile
        | ProgramError::NotExecutable
        | ProgramError::SearchDirectory(..) => FailureCode::ProgramNotFound,
        ProgramError::Interpreter => FailureCode::InterpreterNotFound,
        ProgramError::System(..) => FailureCode::System,
    };
    Refusal::Failed(Failure::new(code, error.to_string()))
}

/// The refusal of a plan that cannot hold all that the host's list names.
fn incomplete(plan: &KernelPlan) -> Option<Refusal> {
    plan.reads.is_overfull.then(|| Refusal::Failed(failures::overfull()))
}
