//! What is known about a shell at one command of its script.

use std::rc::Rc;

use super::survey::Facts;
use crate::syntax::Dialect;

/// Most directories that are tracked; with more, the directory counts as unknown.
const MAX_DIRECTORIES: usize = 4;

#[derive(Clone, Debug)]
pub(crate) struct Shell {
    pub(super) dialect: Dialect,
    /// The directories in which the next command may run. `None` when it may be any.
    pub(super) directories: Option<Vec<String>>,
    /// The directory of the next command when the last one was a `cd` that succeeded.
    arrived: Option<Vec<String>>,
    pub(super) facts: Rc<Facts>,
}

impl Shell {
    pub(super) fn new(dialect: Dialect, directory: Option<&str>) -> Self {
        Self {
            dialect,
            directories: directory.map(|directory| vec![directory.to_owned()]),
            arrived: None,
            facts: Rc::default(),
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
        self.arrived = None;
    }

    /// Forgets the directory when code that has run may have changed it (`moves`).
    pub(super) fn forget(&mut self, moves: bool) {
        if moves {
            self.directories = None;
        }
        self.arrived = None;
    }

    /// Records a `cd` to one of these directories, which may have failed.
    pub(super) fn go(&mut self, targets: Option<Vec<String>>) {
        let mut after = self.clone();
        after.directories.clone_from(&targets);
        let arrived = targets;
        self.merge(&after);
        self.arrived = arrived;
    }

    /// Records that the last command succeeded.
    pub(super) fn arrive(&mut self) {
        if let Some(directories) = self.arrived.take() {
            self.directories = Some(directories);
        }
    }

    pub(super) fn stay(&mut self) {
        self.arrived = None;
    }
}
