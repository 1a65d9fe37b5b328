//! What stands in for the engine where no supervisor runs: commands are judged, and none is run.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use handrail_files::Roots;
use handrail_policy::plan::Plan;
use handrail_supervisor::message::Plan as KernelPlan;
use handrail_supervisor::platform;

use crate::Variant;
use crate::capability::Capability;
use crate::live::LiveCommand;
use crate::options::EngineOptions;
use crate::outcome::Event;
use crate::program_error::ProgramError;

/// This platform runs no commands.
#[derive(Debug, PartialEq, Eq)]
pub struct Error;

impl Error {
    /// The stable code of this error.
    pub fn code(&self) -> &'static str {
        "ERR_NOT_SUPPORTED"
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&platform::refusal())
    }
}

impl std::error::Error for Error {}

/// An engine without a supervisor: it can be made, asked and closed.
pub struct Engine<S> {
    /// Until it is closed.
    sink: Option<S>,
}

impl<S: Fn(Event) + Send + 'static> Engine<S> {
    /// Starts nothing, and never will.
    pub fn new(_options: EngineOptions, sink: S) -> Result<Self, Error> {
        Ok(Engine { sink: Some(sink) })
    }

    /// There is no run to end.
    pub fn cancel(&self, _run: u64) {}

    /// There is no run with output.
    pub fn acknowledge(&self, _run: u64) {}

    /// There is no program that lives.
    pub fn command(&self, _id: u64, _command: LiveCommand) {}

    /// Nothing runs.
    pub fn held(&self, _id: u64) -> Arc<[String]> {
        Arc::default()
    }

    /// Nothing.
    pub fn holds(&self) -> Arc<Held> {
        Arc::new(Held)
    }

    /// Nothing is enforced, and why.
    pub fn capabilities(
        &mut self,
        _plan: &Arc<KernelPlan>,
        _limit: Duration,
    ) -> Result<Vec<Capability>, Error> {
        Ok(Capability::without_runs(&platform::refusal()))
    }

    /// [`Event::Closed`] comes, once.
    pub fn close(&mut self) -> Result<(), Error> {
        if let Some(sink) = self.sink.take() {
            sink(Event::Closed);
        }
        Ok(())
    }
}

/// Nothing runs, and nothing holds it.
#[derive(Debug)]
pub struct Held;

impl Held {
    /// It does not.
    pub fn exec(&self) -> bool {
        false
    }
}

/// Plans that nothing installs.
#[derive(Debug, Default)]
pub struct Plans;

impl Plans {
    /// Resolves nothing.
    pub fn resolved(
        &self,
        _plan: &Plan,
        _variant: Variant,
        _search: &SearchPath,
        _roots: &Roots,
        _environment: &[(String, String)],
    ) -> Arc<KernelPlan> {
        Arc::new(KernelPlan::unconfined())
    }
}

/// The directories that commands are judged by. No program is opened in them.
#[derive(Debug, Default)]
pub struct SearchPath {
    directories: Vec<PathBuf>,
}

impl SearchPath {
    /// Finds the directories. Those that do not exist, or that this user may not enter, are left out;
    /// one that agents may write to is an error, and so is one that the system fails to find.
    pub fn open(directories: &[PathBuf], roots: &Roots) -> Result<SearchPath, ProgramError> {
        let mut found: Vec<PathBuf> = Vec::new();
        for given in directories {
            let refuse = |why| ProgramError::SearchDirectory(given.clone(), why);
            if !given.is_absolute() {
                return Err(refuse("it must be an absolute path"));
            }
            let Some(canonical) = find(given)? else { continue };
            if roots.is_writable(&canonical) {
                return Err(refuse("it lies in a root that commands may write to"));
            }
            if !found.contains(&canonical) {
                found.push(canonical);
            }
        }
        Ok(SearchPath { directories: found })
    }

    /// The directories in use, canonical.
    pub fn directories(&self) -> impl Iterator<Item = &Path> {
        self.directories.iter().map(PathBuf::as_path)
    }
}

fn find(given: &Path) -> Result<Option<PathBuf>, ProgramError> {
    match std::fs::canonicalize(given) {
        Ok(path) => Ok(path.is_dir().then_some(path)),
        Err(error) => match (error.kind(), error.raw_os_error()) {
            (
                io::ErrorKind::NotFound
                | io::ErrorKind::NotADirectory
                | io::ErrorKind::PermissionDenied,
                _,
            )
            | (_, None) => Ok(None),
            (_, Some(errno)) => Err(ProgramError::System(given.to_path_buf(), errno)),
        },
    }
}

#[cfg(not(target_os = "linux"))]
impl crate::Runner {
    /// Refuses, whatever the command is: nobody is to approve one that cannot be run.
    pub fn run<S>(
        &self,
        _engine: &mut Engine<S>,
        _id: u64,
        _command: &crate::Command,
        _call: crate::Call,
    ) -> Result<crate::Answer, Error> {
        Err(Error)
    }

    /// Likewise.
    pub fn open<S>(
        &self,
        _engine: &mut Engine<S>,
        _id: u64,
        _verdict: handrail_policy::Verdict,
        _call: crate::OpenCall,
    ) -> Result<(crate::Answer, Option<crate::Live>), Error> {
        Err(Error)
    }
}

#[cfg(test)]
mod tests;
