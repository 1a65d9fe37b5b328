//! Finds rows of tables by name. The tables are written for readers; the first look-up hashes all names of a table.
//!
//! Most programs are in no table and are looked up in all of them, so that a look-up without a result must be fast,
//! even when no part of the table is cached. Hashing needs fewer memory accesses than a binary search.

use std::collections::{HashMap, HashSet};
use std::hash::{BuildHasherDefault, DefaultHasher};

use crate::program::Program;

/// The hash is the same in every process: all names come from this crate.
type Hasher = BuildHasherDefault<DefaultHasher>;

/// Rows that are found by any of their names.
pub(crate) struct Index<T: 'static> {
    /// Each name belongs to one row.
    rows: HashMap<&'static str, &'static T, Hasher>,
}

impl<T> Index<T> {
    pub(crate) fn new(rows: impl Iterator<Item = (&'static str, &'static T)>) -> Self {
        let mut by_name = HashMap::default();
        for (name, row) in rows {
            let former_row = by_name.insert(name, row);
            assert!(former_row.is_none(), "{name} would hide another row");
        }
        Self { rows: by_name }
    }

    /// An index of rows whose names are one text, with blanks between them.
    pub(crate) fn of_texts(rows: impl Iterator<Item = (&'static str, &'static T)>) -> Self {
        Self::new(rows.flat_map(|(names, row)| names.split(' ').map(move |name| (name, row))))
    }

    pub(crate) fn find(&self, name: &str) -> Option<&'static T> {
        self.rows.get(name).copied()
    }

    /// Finds a program by its folded name, then without target and version, then without any digits at the end
    /// (`cpan5.36`).
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
    /// The set of the names in one text, with single blanks between them.
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

    /// An index with a repeated name would hide a row, so that making it panics.
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
