//! What is known about a shell at one command of its script.

use std::collections::BTreeMap;
use std::rc::Rc;

use super::survey::ScriptFacts;
use crate::syntax::Dialect;

/// Most directories that are tracked; with more, the directory counts as unknown.
const MAX_DIRECTORIES: usize = 4;

/// A Python environment that was activated.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Activated {
    pub(super) folder: String,
    /// Whether it surely is: in no branch, and from a file that was there.
    pub(super) is_certain: bool,
}

#[derive(Clone, Debug)]
pub(crate) struct Shell {
    pub(super) dialect: Dialect,
    /// Whether it is the shell that the text is typed into, or a subshell of it.
    pub(super) is_typed_into: bool,
    /// The directories in which the next command may run. `None` when it may be any.
    pub(super) directories: Option<Vec<String>>,
    /// The directory of the next command when the last one was a `cd` that succeeded.
    directory_after_cd: Option<Vec<String>>,
    /// The Python environment that was activated. Its programs are found before all others.
    pub(super) environment: Option<Activated>,
    pub(super) facts: Rc<ScriptFacts>,
    /// The words that known arrays were set to so far, without those that are added.
    pub(super) arrays: Rc<BTreeMap<String, Vec<String>>>,
}

impl Shell {
    pub(super) fn new(dialect: Dialect, directory: Option<&str>) -> Self {
        Self {
            dialect,
            is_typed_into: false,
            directories: directory.map(|directory| vec![directory.to_owned()]),
            directory_after_cd: None,
            environment: None,
            facts: Rc::default(),
            arrays: Rc::default(),
        }
    }

    /// Joins two branches: afterwards every directory of both is possible.
    pub(super) fn merge(&mut self, other: &Self) {
        self.directories = match (self.directories.take(), &other.directories) {
            (Some(mut all), Some(others)) => {
                for directory in others {
                    if !all.contains(directory) {
                        all.push(directory.clone());
                    }
                }
                Some(all).filter(|all| all.len() <= MAX_DIRECTORIES)
            }
            _ => None,
        };
        self.directory_after_cd = None;
        if self.environment != other.environment {
            let either = self.environment.take().or_else(|| other.environment.clone());
            self.environment = either.map(|one| Activated { is_certain: false, ..one });
        }
    }

    /// Forgets the directory when code that has run may have changed it (`changes_directory`).
    pub(super) fn forget_directory(&mut self, changes_directory: bool) {
        if changes_directory {
            self.directories = None;
        }
        self.directory_after_cd = None;
    }

    /// Records a `cd` to one of these directories, which may have failed.
    pub(super) fn record_cd(&mut self, targets: Option<Vec<String>>) {
        let mut after = self.clone();
        after.directories.clone_from(&targets);
        let directory_after_cd = targets;
        self.merge(&after);
        self.directory_after_cd = directory_after_cd;
    }

    /// Records that the last command succeeded.
    pub(super) fn record_success(&mut self) {
        if let Some(directories) = self.directory_after_cd.take() {
            self.directories = Some(directories);
        }
    }

    pub(super) fn clear_cd(&mut self) {
        self.directory_after_cd = None;
    }
}
