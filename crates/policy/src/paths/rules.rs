//! The rules of one host: the tables, less what it lifts, and the places it names.

use std::collections::HashMap;
use std::fmt;

use super::fold::{components, fold};
use super::reads::{DOTENV, READS};
use super::table::{Place, Row, rule_id};
use super::writes::WRITES;

/// What a host decided about paths.
#[derive(Clone, Debug, Default)]
pub struct PathRulesConfig {
    /// The user's home folder, absolute.
    pub home: Option<String>,
    /// Whether the list of places that are not written to holds.
    pub write: bool,
    /// Whether the list of places that are not read holds.
    pub read: bool,
    /// What reading an environment file means; without the read list it is always masked.
    pub dotenv_reads: DotenvReads,
    /// Rules that do not hold, by id.
    pub lifted: Vec<String>,
    /// Where tools work, absolute: one that lies below a folder of the system may be written to.
    pub roots: Vec<String>,
    /// Further folders and files that are neither written nor read, absolute. One that holds a root does not cover the root.
    pub protected: Vec<String>,
}

/// What reading an environment file means.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum DotenvReads {
    /// It is refused.
    #[default]
    Block,
    /// It is read like any other file; the redactor masks what it knows.
    Mask,
}

/// Why a path is not touched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Blocked {
    /// Stable id of the rule.
    pub rule: &'static str,
    /// What to do instead.
    pub hint: &'static str,
}

/// A rule that the host lifts and that does not exist.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UnknownRule {
    /// Its index in [`PathRulesConfig::lifted`].
    pub index: usize,
}

impl fmt::Display for UnknownRule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let known = rule_id::ALL.join(", ");
        write!(f, "lifted rule {} does not exist; there are {known}", self.index)
    }
}

impl std::error::Error for UnknownRule {}

const PROTECTED: Blocked =
    Blocked { rule: rule_id::HOST_PROTECTED, hint: "The host keeps it to itself." };

/// Judges paths by name.
#[derive(Clone, Debug)]
pub struct PathRules {
    writes: List,
    reads: List,
    /// Folded components of the home folder.
    home: Option<Vec<String>>,
    /// Files and folders that are not read, as they are written.
    secret_places: Vec<(String, Blocked)>,
    roots: Vec<Vec<String>>,
    /// Empty when their rule is lifted.
    protected: Vec<Vec<String>>,
}

impl PathRules {
    /// Takes the tables as far as they hold. Fails for a lifted rule that does not exist.
    pub fn new(config: PathRulesConfig) -> Result<PathRules, UnknownRule> {
        let unknown = |id: &String| !rule_id::ALL.contains(&id.as_str());
        if let Some(index) = config.lifted.iter().position(unknown) {
            return Err(UnknownRule { index });
        }
        let holds = |rule: &str| !config.lifted.iter().any(|id| id == rule);
        let mut writes = List::default();
        let mut reads = List::default();
        if config.write {
            WRITES.iter().filter(|row| holds(row.rule)).for_each(|row| writes.add(row));
        }
        if config.read {
            let dotenv = (config.dotenv_reads == DotenvReads::Block).then_some(&DOTENV);
            let rows = READS.iter().chain(dotenv);
            rows.filter(|row| holds(row.rule)).for_each(|row| reads.add(row));
        }
        let protected = if holds(rule_id::HOST_PROTECTED) { config.protected } else { Vec::new() };
        let folded = |paths: &[String]| paths.iter().map(|path| components(path)).collect();
        Ok(PathRules {
            home: config.home.as_deref().map(components),
            roots: folded(&config.roots),
            protected: folded(&protected),
            secret_places: reads
                .places_in(config.home.as_deref())
                .chain(protected.into_iter().map(|path| (path, PROTECTED)))
                .collect(),
            writes,
            reads,
        })
    }

    /// Why this absolute path is not written to.
    pub fn judge_write(&self, absolute: &str) -> Option<Blocked> {
        self.judge(&self.writes, absolute)
    }

    /// Why this absolute path is not read.
    pub fn judge_read(&self, absolute: &str) -> Option<Blocked> {
        self.judge(&self.reads, absolute)
    }

    /// Whether this rule of the write list holds.
    pub fn holds_for_writes(&self, rule: &str) -> bool {
        self.writes.patterns.iter().any(|pattern| pattern.blocked.rule == rule)
    }

    /// Files and folders that are not read and whose names are known, with their rule: who opens files recognises them by
    /// their identity, whatever other names they have.
    pub fn secret_places(&self) -> &[(String, Blocked)] {
        &self.secret_places
    }

    fn judge(&self, list: &List, absolute: &str) -> Option<Blocked> {
        let path = components(absolute);
        let is_root_in = |place: &[String]| {
            self.roots.iter().any(|root| root.starts_with(place) && path.starts_with(root))
        };
        if self.protected.iter().any(|place| path.starts_with(place) && !is_root_in(place)) {
            return Some(PROTECTED);
        }
        let found =
            (0..path.len()).flat_map(|start| list.at(&path, start)).find(|(start, pattern)| {
                match pattern.place {
                    Place::Anywhere => true,
                    Place::Home => self.home.as_ref().is_some_and(|home| path[..*start] == **home),
                    Place::Absolute => *start == 0,
                    Place::System => *start == 0 && !self.is_lifted_by_root(&path, pattern),
                }
            });
        found.map(|(_, pattern)| pattern.blocked)
    }

    /// Whether the path lies in a root that lies below the pattern's place.
    fn is_lifted_by_root(&self, path: &[String], pattern: &Pattern) -> bool {
        let depth = pattern.components.len();
        self.roots.iter().any(|root| root.len() > depth && path.starts_with(root))
    }
}

/// Patterns by their first component.
#[derive(Clone, Debug, Default)]
struct List {
    patterns: Vec<Pattern>,
    /// By the first component, where that has no `*`.
    by_name: HashMap<String, Vec<usize>>,
    /// Those whose first component has one.
    wild: Vec<usize>,
}

#[derive(Clone, Debug)]
struct Pattern {
    text: &'static str,
    components: Vec<Component>,
    /// Names that the last component does not mean, with blanks between them.
    except: &'static str,
    place: Place,
    blocked: Blocked,
}

/// What a component begins and ends with, folded; without a `*` it is the whole.
#[derive(Clone, Debug)]
enum Component {
    Name(String),
    Around(String, String),
}

impl Component {
    fn new(text: &str) -> Component {
        match text.split_once('*') {
            None => Component::Name(fold(text)),
            // A dot at the end of the first part is not the end of a name.
            Some((start, end)) => Component::Around(start.to_ascii_lowercase(), fold(end)),
        }
    }

    fn matches(&self, name: &str) -> bool {
        match self {
            Component::Name(own) => own == name,
            Component::Around(start, end) => {
                name.len() >= start.len() + end.len()
                    && name.starts_with(start)
                    && name.ends_with(end)
            }
        }
    }
}

impl List {
    fn add(&mut self, row: &Row) {
        for text in row.patterns.split_whitespace() {
            let components: Vec<Component> = text.split('/').map(Component::new).collect();
            let index = self.patterns.len();
            match &components[0] {
                Component::Name(name) => self.by_name.entry(name.clone()).or_default().push(index),
                Component::Around(..) => self.wild.push(index),
            }
            let blocked = Blocked { rule: row.rule, hint: row.hint };
            let (except, place) = (row.except, row.place);
            self.patterns.push(Pattern { text, components, except, place, blocked });
        }
    }

    /// What the patterns without a `*` name in a home folder.
    fn places_in(&self, home: Option<&str>) -> impl Iterator<Item = (String, Blocked)> {
        let is_there = |pattern: &&Pattern| {
            matches!(pattern.place, Place::Anywhere | Place::Home) && !pattern.text.contains('*')
        };
        let patterns = self.patterns.iter().filter(is_there);
        home.into_iter().flat_map(move |home| {
            patterns
                .clone()
                .map(move |pattern| (format!("{home}/{}", pattern.text), pattern.blocked))
        })
    }

    /// The patterns that match from `start` on, each with it.
    fn at<'a>(
        &'a self,
        path: &'a [String],
        start: usize,
    ) -> impl Iterator<Item = (usize, &'a Pattern)> {
        let named = self.by_name.get(&path[start]).map_or(&[][..], Vec::as_slice);
        let candidates = named.iter().chain(&self.wild).map(|&index| &self.patterns[index]);
        candidates
            .filter(move |pattern| pattern.matches(&path[start..]))
            .map(move |pattern| (start, pattern))
    }
}

impl Pattern {
    fn matches(&self, path: &[String]) -> bool {
        let Some(part) = path.get(..self.components.len()) else { return false };
        let alike =
            self.components.iter().zip(part).all(|(component, name)| component.matches(name));
        alike && part.last().is_none_or(|name| !self.except.split(' ').any(|except| except == name))
    }
}
