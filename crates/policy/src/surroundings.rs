//! What a host knows about the place where a command runs.

use std::fmt;

use crate::paths::PathRules;

/// What a file that a script reads as code holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FileText {
    /// Nothing has this path.
    Missing,
    /// There is something, but no text that may be judged: no regular file beneath a root, too long, or not UTF-8.
    Unreadable,
    /// The whole text.
    Text(String),
}

/// What has a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Entry {
    /// Nothing.
    Missing,
    /// A folder, or a link to one.
    Folder,
    /// Anything else, or something that cannot be looked at.
    Other,
}

/// The files beneath the roots that a judgement depends on. The host reads them. An answer must stay the same while one
/// command is judged.
pub trait Files {
    /// The text of the file at an absolute path.
    fn text(&self, path: &str) -> FileText;
    /// What is at an absolute path. Links are followed.
    fn entry(&self, path: &str) -> Entry;
    /// Whether a program may be started by this absolute path.
    fn is_program(&self, path: &str) -> bool;
}

impl fmt::Debug for dyn Files + '_ {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("Files")
    }
}

/// What the kernel of this machine enforces for every command of a policy. What is unknown counts as not enforced.
#[expect(clippy::struct_excessive_bools, reason = "independent facts, each enforced on its own")]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Enforced {
    /// Only the programs of the allow list and their parts are started.
    pub exec: bool,
    /// No file is written, emptied or removed, and no file changes its mode, owner or times. Only the private folders
    /// of a run change.
    pub writes: bool,
    /// Files change only beneath the writable roots, and in the private folders of a run.
    pub roots: bool,
    /// Signals reach only processes of the run itself.
    pub signals: bool,
    /// The folder `/tmp` is the run's own.
    pub temporary: bool,
}

impl Enforced {
    /// Nothing is enforced: the kernel is too old, there is no plan, or the command runs on another machine.
    pub const NOTHING: Self =
        Self { exec: false, writes: false, roots: false, signals: false, temporary: false };

    /// Everything that one of the two includes.
    #[must_use]
    pub fn union(self, other: Self) -> Self {
        Self {
            exec: self.exec || other.exec,
            writes: self.writes || other.writes,
            roots: self.roots || other.roots,
            signals: self.signals || other.signals,
            temporary: self.temporary || other.temporary,
        }
    }
}

/// Where a command runs. Paths are judged as written; the kernel plan holds what symbolic links make of them.
#[derive(Clone, Copy, Debug, Default)]
pub struct Surroundings<'a> {
    /// The working directory, absolute. `None` when it is unknown, and with it all relative paths.
    pub directory: Option<&'a str>,
    /// The folders that commands may change, absolute, in every spelling. `None` when the host sets no roots.
    pub writable_roots: Option<&'a [String]>,
    /// Names of the variables in the environment of the shell. An assignment to one of them changes what programs see.
    pub environment: &'a [String],
    /// Places that are not written, even beneath a root.
    pub path_rules: Option<&'a PathRules>,
    /// The files beneath the roots. `None` where nobody reads them: then `source` is refused.
    pub files: Option<&'a dyn Files>,
    /// What the kernel enforces here.
    pub enforced: Enforced,
    /// Whether the shell has run other commands already, so that any variable may hold anything.
    pub is_continued: bool,
}

/// Surroundings of which nothing else is known: what a shell in a command writes is a question.
impl From<Enforced> for Surroundings<'_> {
    fn from(enforced: Enforced) -> Self {
        Self { writable_roots: Some(&[]), enforced, ..Self::default() }
    }
}
