//! What is known of a shell at a place of its script.

use std::rc::Rc;

use super::survey::Facts;
use crate::syntax::Dialect;

/// More possible directories are none that is known.
const MAX_DIRECTORIES: usize = 4;

#[derive(Clone, Debug)]
pub(crate) struct Shell {
    pub(super) dialect: Dialect,
    /// Where the next command may run; `None`: anywhere.
    pub(super) directories: Option<Vec<String>>,
    /// Where it runs when the last command was a `cd` that worked.
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

    /// After another way to the same place, every directory of both is possible.
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

    /// Something ran that may have changed the directory, if `moves`.
    pub(super) fn forget(&mut self, moves: bool) {
        if moves {
            self.directories = None;
        }
        self.arrived = None;
    }

    /// A `cd` that may fail.
    pub(super) fn go(&mut self, targets: Option<Vec<String>>) {
        let mut after = self.clone();
        after.directories.clone_from(&targets);
        let arrived = targets;
        self.merge(&after);
        self.arrived = arrived;
    }

    /// The command in front worked.
    pub(super) fn arrive(&mut self) {
        if let Some(directories) = self.arrived.take() {
            self.directories = Some(directories);
        }
    }

    pub(super) fn stay(&mut self) {
        self.arrived = None;
    }
}
