//! Tables by name. They are written for readers; the first look-up hashes them for the others.
//!
//! A plain program is in none of them and is looked for in most: a look-up that finds nothing must be cheap, also when
//! nothing of the table is in a cache. That is why names are hashed, not sorted.

use std::collections::{HashMap, HashSet};
use std::hash::{BuildHasherDefault, DefaultHasher};

use crate::program::Program;

/// The same in every process: nobody outside chooses the names of a table.
type Hasher = BuildHasherDefault<DefaultHasher>;

/// Rows that are found by any of their names.
pub(crate) struct Index<T: 'static> {
    /// No name stands twice.
    rows: HashMap<&'static str, &'static T, Hasher>,
}

impl<T> Index<T> {
    pub(crate) fn new(rows: impl Iterator<Item = (&'static str, &'static T)>) -> Self {
        let mut by_name = HashMap::default();
        for (name, row) in rows {
            let other = by_name.insert(name, row);
            assert!(other.is_none(), "{name} would hide another row");
        }
        Self { rows: by_name }
    }

    /// For rows whose names are one text with blanks between.
    pub(crate) fn of_texts(rows: impl Iterator<Item = (&'static str, &'static T)>) -> Self {
        Self::new(rows.flat_map(|(names, row)| names.split(' ').map(move |name| (name, row))))
    }

    pub(crate) fn find(&self, name: &str) -> Option<&'static T> {
        self.rows.get(name).copied()
    }

    /// By the name as it is, or without target and version, also one that nothing sets apart (`cpan5.36`).
    pub(crate) fn find_program(&self, program: &Program) -> Option<&'static T> {
        let kind = program.kind();
        let is_number = |c: char| c.is_ascii_digit() || c == '.';
        let bare = kind.trim_end_matches(is_number);
        self.find(&program.folded)
            .or_else(|| if kind == program.folded { None } else { self.find(kind) })
            .or_else(|| if bare == kind { None } else { self.find(bare) })
    }

    #[cfg(test)]
    pub(crate) fn names(&self) -> impl Iterator<Item = &'static str> {
        self.rows.keys().copied()
    }
}

/// A set of names.
pub(crate) struct Names {
    names: HashSet<&'static str, Hasher>,
}

impl Names {
    /// From one text with single blanks between.
    pub(crate) fn of(text: &'static str) -> Self {
        Self { names: text.split(' ').collect() }
    }

    pub(crate) fn hold(&self, name: &str) -> bool {
        self.names.contains(name)
    }

    #[cfg(test)]
    pub(crate) fn names(&self) -> impl Iterator<Item = &'static str> {
        self.names.iter().copied()
    }
}

#[cfg(test)]
mod tests {
    use super::super::{advice, interpreters, launchers, readers, uses};

    /// A name that stands twice would hide one of its rows: making the table fails.
    #[test]
    fn no_name_stands_twice_in_a_table() {
        let tables: [(&str, Vec<&str>); 5] = [
            ("advice", advice::ADVICE.names().collect()),
            ("interpreters", interpreters::INTERPRETERS.names().collect()),
            ("launchers", launchers::LAUNCHERS.names().collect()),
            ("readers", readers::READERS.names().collect()),
            ("uses", uses::USES.names().collect()),
        ];
        for (table, names) in tables {
            assert!(!names.is_empty() && !names.contains(&""), "{table}");
        }
    }
}
