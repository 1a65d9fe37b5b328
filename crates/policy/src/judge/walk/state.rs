//! What is known of a shell at a place of its script.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use super::survey::{Effects, Facts};
use crate::syntax::Dialect;

/// Known variables past these are not known.
const MAX_VARIABLES: usize = 64;
const MAX_FUNCTIONS: usize = 256;
const MAX_VALUE_BYTES: usize = 4096;
/// More possible directories are none that is known.
const MAX_DIRECTORIES: usize = 4;

#[derive(Clone, Debug)]
pub(crate) struct Shell {
    pub(super) dialect: Dialect,
    /// Values that hold wherever the walk is; they may have marks.
    pub(super) variables: BTreeMap<String, String>,
    /// Where the next command may run; `None`: anywhere.
    pub(super) directories: Option<Vec<String>>,
    /// Where it runs when the last command was a `cd` that worked.
    arrived: Option<Vec<String>>,
    /// Functions that exist for sure.
    pub(super) functions: Rc<BTreeSet<String>>,
    pub(super) facts: Rc<Facts>,
}

impl Shell {
    pub(super) fn new(dialect: Dialect, directory: Option<&str>) -> Self {
        Self {
            dialect,
            variables: BTreeMap::new(),
            directories: directory.map(|directory| vec![directory.to_owned()]),
            arrived: None,
            functions: Rc::default(),
            facts: Rc::default(),
        }
    }

    /// One that is not remembered is judged as a program where it is called.
    pub(super) fn define(&mut self, name: &str) {
        if self.functions.len() < MAX_FUNCTIONS && !self.functions.contains(name) {
            Rc::make_mut(&mut self.functions).insert(name.to_owned());
        }
    }

    pub(super) fn set(&mut self, name: &str, value: &str) {
        let has_room = self.variables.len() < MAX_VARIABLES || self.variables.contains_key(name);
        if has_room && value.len() <= MAX_VALUE_BYTES {
            self.variables.insert(name.to_owned(), value.to_owned());
        } else {
            self.variables.remove(name);
        }
    }

    /// Behind another way to the same place only what both agree on is known.
    pub(super) fn merge(&mut self, other: &Self) {
        self.variables.retain(|name, value| other.variables.get(name) == Some(value));
        if !Rc::ptr_eq(&self.functions, &other.functions) {
            Rc::make_mut(&mut self.functions).retain(|name| other.functions.contains(name));
        }
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

    pub(super) fn forget(&mut self, effects: &Effects) {
        if effects.everything {
            self.variables.clear();
        } else {
            self.variables.retain(|name, _| !effects.names.contains(name));
        }
        if effects.moves {
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
