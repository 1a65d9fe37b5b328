//! Tables by name. They are written for readers; the first look-up sorts them for the others.

use crate::program::Program;

/// Rows that are found by any of their names.
pub(crate) struct Index<T: 'static> {
    /// Sorted by name; no name stands twice.
    rows: Vec<(&'static str, &'static T)>,
}

impl<T> Index<T> {
    pub(crate) fn new(rows: impl Iterator<Item = (&'static str, &'static T)>) -> Self {
        let mut rows: Vec<_> = rows.collect();
        rows.sort_by_key(|(name, _)| *name);
        Self { rows }
    }

    /// For rows whose names are one text with blanks between.
    pub(crate) fn of_texts(rows: impl Iterator<Item = (&'static str, &'static T)>) -> Self {
        Self::new(rows.flat_map(|(names, row)| names.split(' ').map(move |name| (name, row))))
    }

    pub(crate) fn find(&self, name: &str) -> Option<&'static T> {
        let at = self.rows.binary_search_by_key(&name, |(known, _)| known).ok()?;
        Some(self.rows[at].1)
    }

    /// By the name as it is, or without target and version, also one that nothing sets apart (`cpan5.36`).
    pub(crate) fn find_program(&self, program: &Program) -> Option<&'static T> {
        let kind = program.kind();
        let is_number = |c: char| c.is_ascii_digit() || c == '.';
        self.find(&program.folded)
            .or_else(|| self.find(kind))
            .or_else(|| self.find(kind.trim_end_matches(is_number)))
    }

    #[cfg(test)]
    pub(crate) fn names(&self) -> impl Iterator<Item = &'static str> {
        self.rows.iter().map(|(name, _)| *name)
    }
}

/// A set of names.
pub(crate) struct Names {
    /// Sorted.
    names: Vec<&'static str>,
}

impl Names {
    /// From one text with single blanks between.
    pub(crate) fn of(text: &'static str) -> Self {
        let mut names: Vec<_> = text.split(' ').collect();
        names.sort_unstable();
        Self { names }
    }

    pub(crate) fn hold(&self, name: &str) -> bool {
        self.names.binary_search(&name).is_ok()
    }

    #[cfg(test)]
    pub(crate) fn names(&self) -> impl Iterator<Item = &'static str> {
        self.names.iter().copied()
    }
}

#[cfg(test)]
mod tests {
    use super::super::{
        arguments, extensibles, git, interpreters, launchers, managers, readers, starters,
    };

    /// A name that stands twice would hide one of its rows.
    #[test]
    fn no_name_stands_twice_in_a_table() {
        let tables: [(&str, Vec<&str>); 9] = [
            ("arguments", arguments::ROWS.names().collect()),
            ("extensibles", extensibles::EXTENSIBLES.names().collect()),
            ("git options", git::OPTIONS.names().collect()),
            ("git subcommands", git::SUBCOMMANDS.names().collect()),
            ("interpreters", interpreters::INTERPRETERS.names().collect()),
            ("launchers", launchers::LAUNCHERS.names().collect()),
            ("managers", managers::MANAGERS.names().collect()),
            ("readers", readers::READERS.names().collect()),
            ("starters", starters::STARTERS.names().collect()),
        ];
        for (table, names) in tables {
            assert!(!names.is_empty() && !names.contains(&""), "{table}");
            let twice: Vec<_> = names.windows(2).filter(|pair| pair[0] == pair[1]).collect();
            assert!(twice.is_empty(), "{table}: {twice:?}");
        }
    }
}
