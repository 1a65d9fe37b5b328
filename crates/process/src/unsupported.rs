//! What stands in for `linux` on other systems: commands are judged, and running one is refused.

use std::fmt;
use std::io;
use std::os::fd::OwnedFd;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use handrail_files::Roots;
use handrail_policy::plan::{Plan, ReadLimits};
use handrail_reports::{HostQuestion, NetworkContact};
use handrail_supervisor::message::{Layer, Plan as KernelPlan};
use handrail_supervisor::platform;

use crate::ReadPlaces;
use crate::capability::Capability;
use crate::controlling_terminal::ControllingTerminal;
use crate::live::LiveRequest;
use crate::options::{EngineOptions, SpillFolder};
use crate::outcome::{Digest, DigestLimits, Event};
use crate::program_error::ProgramError;
use crate::runner::Variant;
use crate::search_folder::{LeftOut, SearchFolder};
use crate::way_out::{WayOutConfig, WayOutError};

/// The error of every start: this platform runs no commands.
#[derive(Debug, PartialEq, Eq)]
pub struct Error;

impl Error {
    /// The stable code of the error.
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

/// No process has a link.
pub fn process_link(_pid: i32, _name: &str) -> Option<PathBuf> {
    None
}

/// False: no program runs.
pub fn listens(_ancestor: i32, _port: u16) -> bool {
    false
}

/// A refusal: no socket is asked about.
pub fn peer(_socket: i32) -> Result<i32, &'static str> {
    Err("unknown")
}

/// An engine without a supervisor: it can be made, asked and closed, and starts nothing.
pub struct Engine<S> {
    /// Receives the events; gone once the engine is closed.
    sink: Option<S>,
}

impl<S: Fn(Event) + Send + 'static> Engine<S> {
    /// Makes an engine that starts nothing.
    pub fn new(_options: EngineOptions, sink: S) -> Result<Self, Error> {
        Ok(Engine { sink: Some(sink) })
    }

    /// Does nothing: no run exists.
    pub fn cancel(&self, _run: u64) {}

    /// Does nothing: no run has output.
    pub fn acknowledge(&self, _run: u64) {}

    /// Does nothing: there is no session and no service.
    pub fn request(&self, _id: u64, _request: LiveRequest) {}

    /// None: no program runs.
    pub fn ancestor(&self, _id: u64) -> Option<i32> {
        None
    }

    /// An empty list: no program runs.
    pub fn enforced(&self, _id: u64) -> Arc<[String]> {
        Arc::default()
    }

    /// The expectation that nothing is enforced.
    pub fn expected_enforcement(&self) -> Arc<ExpectedEnforcement> {
        Arc::new(ExpectedEnforcement)
    }

    /// What shortens a text, and keeps no file.
    pub fn text_digest(&mut self, _spill: Option<&SpillFolder>) -> TextDigest {
        TextDigest
    }

    /// A number of no namespace.
    pub fn new_network(&self) -> u32 {
        0
    }

    /// Refuses: no program listens anywhere.
    pub fn connect(&self, _network: u32, _request: u64, _port: u16) -> Result<(), Error> {
        Err(Error)
    }

    /// Does nothing: there is no namespace.
    pub fn close_network(&self, _network: u32) {}

    /// A report that nothing is enforced, with the reason.
    pub fn capabilities(
        &mut self,
        _plan: &Arc<KernelPlan>,
        _limit: Duration,
    ) -> Result<Vec<Capability>, Error> {
        Ok(Capability::without_runs(&platform::refusal()))
    }

    /// Refuses: there are no layers.
    pub fn enter_layer(&mut self, _layer: &Layer) -> Result<(), Error> {
        Err(Error)
    }

    /// Refuses: there are no layers.
    pub fn hold_layer(&mut self, _folder: &Path) -> Result<(), Error> {
        Err(Error)
    }

    /// Does nothing: there are no layers.
    pub fn release_layer(&mut self, _folder: &Path) {}

    /// None: there are no layers.
    pub fn layered(&self) -> &[(PathBuf, OwnedFd)] {
        &[]
    }

    /// Sends [`Event::Closed`], once.
    pub fn close(&mut self) -> Result<(), Error> {
        if let Some(sink) = self.sink.take() {
            sink(Event::Closed);
        }
        Ok(())
    }
}

/// Shortens a text.
#[derive(Debug)]
pub struct TextDigest;

impl TextDigest {
    /// The lines of a text that tell most; `None` for a text that fits.
    pub fn of(self, text: &str, limits: DigestLimits) -> Option<Digest> {
        let excerpt = handrail_text::excerpt(text, limits.tokens);
        excerpt.truncated.then_some(Digest { excerpt, spill: None })
    }
}

/// Files that nobody reads, as no command runs.
#[derive(Debug)]
pub struct JudgedFiles;

impl JudgedFiles {
    /// Reads nothing.
    pub fn new(_roots: &[String], _all: &handrail_files::Roots) -> JudgedFiles {
        JudgedFiles
    }
}

impl handrail_policy::Files for JudgedFiles {
    fn text(&self, _path: &str) -> handrail_policy::FileText {
        handrail_policy::FileText::Unreadable
    }

    fn entry(&self, _path: &str) -> handrail_policy::Entry {
        handrail_policy::Entry::Other
    }

    fn is_program(&self, _path: &str) -> bool {
        false
    }
}

/// The expectation that nothing is enforced.
#[derive(Debug)]
pub struct ExpectedEnforcement;

impl ExpectedEnforcement {
    /// False: nothing is enforced.
    pub fn is_complete(&self) -> bool {
        false
    }

    /// False: nothing is started.
    pub fn has_networks(&self) -> bool {
        false
    }

    /// False: no view is made.
    pub fn can_own_temporary_folder(&self) -> bool {
        false
    }
}

/// A way out that nothing leads to.
#[derive(Debug)]
pub struct WayOut;

impl WayOut {
    /// Reads nothing.
    pub fn new(_config: &WayOutConfig) -> Result<WayOut, WayOutError> {
        Ok(WayOut)
    }

    /// Does nothing: there is no namespace.
    pub fn open<S: Fn(Event) + Send + 'static>(
        self: &Arc<Self>,
        _engine: &Engine<S>,
        _network: u32,
    ) {
    }

    /// Asks nobody.
    pub fn ask_with(&self, _ask: impl Fn(HostQuestion) + Send + Sync + 'static) {}

    /// Does nothing: nothing was asked.
    pub fn answer(&self, _number: u64, _allowed: Option<bool>) {}

    /// None.
    pub fn approved(&self) -> Vec<String> {
        Vec::new()
    }

    /// The only moment.
    pub fn mark(&self) -> u64 {
        0
    }

    /// Nothing.
    pub fn contacts_since(&self, _mark: u64) -> Vec<NetworkContact> {
        Vec::new()
    }
}

/// Kernel plans that nothing installs.
#[derive(Debug)]
pub struct KernelPlans;

impl KernelPlans {
    /// Resolves nothing.
    pub fn new(_network: u32, _proxy_port: Option<u16>) -> KernelPlans {
        KernelPlans
    }

    /// A plan without limits: nothing is resolved.
    pub fn resolve(
        &self,
        _plan: &Plan,
        _variant: Variant,
        _search: &SearchPath,
        _roots: &Roots,
        _read_places: &ReadPlaces,
        _environment: &[(String, String)],
    ) -> Arc<KernelPlan> {
        Arc::new(KernelPlan::unconfined())
    }

    /// None: nothing is held.
    pub fn unholdable<'a>(
        _limits: &'a ReadLimits,
        _read_places: &ReadPlaces,
        _roots: &Roots,
    ) -> Option<(&'a str, &'static str)> {
        None
    }

    /// False: no folder is anybody's own.
    pub fn is_temporary_folder_free(
        _search: &SearchPath,
        _roots: &Roots,
        _environment: &[(String, String)],
    ) -> bool {
        false
    }
}

/// The directories that commands are judged by. No program in them is opened.
#[derive(Debug, Default)]
pub struct SearchPath {
    directories: Vec<PathBuf>,
    given_paths: Vec<PathBuf>,
    left_out: Vec<(PathBuf, LeftOut)>,
}

impl SearchPath {
    /// Finds the folders. Those that do not exist, or that this user may not enter, are left out. A required one that agents
    /// may write to is an error, and so is one that the system fails to resolve; any other is left out.
    pub fn open<Folder: Into<SearchFolder>>(
        folders: impl IntoIterator<Item = Folder>,
        roots: &Roots,
    ) -> Result<SearchPath, ProgramError> {
        let mut search = SearchPath::default();
        for folder in folders {
            let SearchFolder { path: given, is_required } = folder.into();
            match search_directory(&given, is_required, roots)? {
                Err(reason) => search.left_out.push((given, reason)),
                Ok(directory) => {
                    if !search.directories.contains(&directory) {
                        search.directories.push(directory);
                    }
                    search.given_paths.push(given);
                }
            }
        }
        Ok(search)
    }

    /// The paths by which the host named the directories in use.
    pub fn given_paths(&self) -> impl Iterator<Item = &Path> {
        self.given_paths.iter().map(PathBuf::as_path)
    }

    /// The folders that are not in use, by their given paths.
    pub fn left_out(&self) -> &[(PathBuf, LeftOut)] {
        &self.left_out
    }

    /// The canonical paths of the directories in use.
    pub fn directories(&self) -> impl Iterator<Item = &Path> {
        self.directories.iter().map(PathBuf::as_path)
    }
}

fn search_directory(
    given: &Path,
    is_required: bool,
    roots: &Roots,
) -> Result<Result<PathBuf, LeftOut>, ProgramError> {
    let refuse = |reason, why| {
        if is_required {
            Err(ProgramError::SearchDirectory(given.to_path_buf(), why))
        } else {
            Ok(Err(reason))
        }
    };
    if !given.is_absolute() {
        return refuse(LeftOut::Relative, "it must be an absolute path");
    }
    match canonical_directory(given) {
        Ok(Some(canonical)) if roots.is_writable(&canonical) => {
            refuse(LeftOut::Commands, "it lies in a root that commands may write to")
        }
        Ok(Some(canonical)) => Ok(Ok(canonical)),
        Ok(None) => Ok(Err(LeftOut::Absent)),
        Err(_) if !is_required => Ok(Err(LeftOut::Absent)),
        Err(error) => Err(error),
    }
}

fn canonical_directory(given: &Path) -> Result<Option<PathBuf>, ProgramError> {
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

/// Nobody is asked where no command runs.
pub fn controlling_terminal() -> ControllingTerminal {
    ControllingTerminal::None
}

/// Never needed, as nobody is asked.
pub fn discard_typed_input() -> io::Result<()> {
    Err(io::ErrorKind::Unsupported.into())
}

/// The standard error of a service that never runs.
pub enum ServiceStderr {}

impl ServiceStderr {
    /// Never called: there is no value to call it on.
    pub fn text(&self) -> String {
        match *self {}
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

    /// Refuses every session and service.
    pub fn open<S>(
        &self,
        _engine: &mut Engine<S>,
        _id: u64,
        _verdict: handrail_policy::Verdict,
        _call: crate::OpenCall,
    ) -> Result<(crate::Answer, Option<crate::LiveProgram>), Error> {
        Err(Error)
    }
}

#[cfg(test)]
mod tests;
