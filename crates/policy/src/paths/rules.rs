//! The path rules of one host: the tables without the rules that it lifts, and with the places that it adds.

use std::borrow::Cow;
use std::collections::HashMap;
use std::fmt;

use super::fold::{components, fold};
use super::later::LATER;
use super::reads::{DOTENV, READS};
use super::table::{ForCommands, Later, Row, SourceKind, rule_id};
use super::writes::WRITES;

/// What a host chose about paths.
#[derive(Clone, Debug, Default)]
pub struct PathRulesConfig {
    /// The user's home folder, absolute.
    pub home: Option<String>,
    /// Whether the rules about writing apply.
    pub write: bool,
    /// Whether the rules about reading apply.
    pub read: bool,
    /// How environment files are read. Without the rules about reading they are always masked.
    pub dotenv_reads: DotenvReads,
    /// Ids of rules that do not apply.
    pub lifted: Vec<String>,
    /// The roots of tools, absolute. Beneath a folder of the system they may be written to all the same.
    pub roots: Vec<String>,
    /// Further folders and files that are neither written nor read, absolute. One that holds a root does not cover the root.
    pub protected: Vec<String>,
}

/// How environment files are read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum DotenvReads {
    /// Reading is refused.
    #[default]
    Block,
    /// They are read like other files, and the redactor masks their secrets.
    Mask,
}

/// Why a path is neither read nor written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Blocked {
    /// Stable id of the rule.
    pub rule: &'static str,
    /// What to do instead. Empty where `later` says it.
    pub hint: &'static str,
    /// Who runs or believes the file later. `None` for a place that is protected for another reason.
    pub later: Option<Later>,
}

impl Blocked {
    /// Whether only a file that does not exist yet is kept from being written.
    pub fn is_only_new(&self) -> bool {
        self.later.is_some_and(|later| later.may_be_edited)
    }

    /// What to do instead, and for a file that a tool takes up later who does so and who can allow it.
    pub fn hint(&self) -> Cow<'static, str> {
        let Some(Later { takes, when, may_be_edited }) = self.later else {
            return Cow::Borrowed(self.hint);
        };
        let (first, rest) = takes.split_at(1);
        let ask = if may_be_edited {
            "It does not exist yet: ask the user to make it, or the host"
        } else {
            "Ask the user to change it, or the host"
        };
        let rule = self.rule;
        let sentence = format!("{}{rest} when {when}", first.to_uppercase());
        Cow::Owned(format!("{sentence}. {ask} for `lift: ['{rule}']`."))
    }
}

/// The error about a lifted rule that does not exist.
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
    Blocked { rule: rule_id::HOST_PROTECTED, hint: "The host keeps it to itself.", later: None };

/// The path rules of one host.
#[derive(Clone, Debug)]
pub struct PathRules {
    writes: List,
    /// What the host lifted of the files that a tool takes up later. A shape that covers these names as well leaves them alone.
    lifted: List,
    reads: List,
    /// What commands do not read, whether or not the rules about reading apply to file tools.
    command_reads: List,
    /// The home folder as the host wrote it.
    written_home: Option<String>,
    /// Folded components of the home folder.
    home: Option<Vec<String>>,
    /// Files and folders that are not read, in the spelling of the tables and the host.
    secret_places: Vec<(String, Blocked)>,
    roots: Vec<Vec<String>>,
    /// Folded components of the host's protected places. Empty when their rule is lifted.
    protected: Vec<Vec<String>>,
}

impl PathRules {
    /// Fails when a lifted rule does not exist.
    pub fn new(config: PathRulesConfig) -> Result<PathRules, UnknownRule> {
        let unknown = |id: &String| !rule_id::ALL.contains(&id.as_str());
        if let Some(index) = config.lifted.iter().position(unknown) {
            return Err(UnknownRule { index });
        }
        let holds = |rule: &str| !config.lifted.iter().any(|id| id == rule);
        let (mut writes, mut lifted) = (List::default(), List::default());
        let mut reads = List::default();
        if config.write {
            let rows = LATER.iter().chain(WRITES);
            rows.filter(|row| holds(row.rule)).for_each(|row| writes.add(row));
            LATER.iter().filter(|row| !holds(row.rule)).for_each(|row| lifted.add(row));
        }
        if config.read {
            let dotenv = (config.dotenv_reads == DotenvReads::Block).then_some(&DOTENV);
            let rows = READS.iter().chain(dotenv);
            rows.filter(|row| holds(row.rule)).for_each(|row| reads.add(row));
        }
        let mut command_reads = List::default();
        let kept = READS.iter().filter(|row| row.commands != ForCommands::No);
        kept.filter(|row| holds(row.rule)).for_each(|row| command_reads.add(row));
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
            lifted,
            reads,
            command_reads,
            written_home: config.home,
        })
    }

    /// The user's home folder.
    pub(crate) fn home(&self) -> Option<&str> {
        self.written_home.as_deref()
    }

    /// Why commands are kept from reading this absolute path. `None` when they are not.
    pub(crate) fn judge_command_read(&self, absolute: &str) -> Option<Blocked> {
        self.judge(&self.command_reads, absolute)
    }

    /// Why this absolute path must not be written. `None` when it may. Where more than one rule says so, one that holds for
    /// files that exist comes first.
    pub fn judge_write(&self, absolute: &str) -> Option<Blocked> {
        let blocked = self.judge(&self.writes, absolute)?;
        let is_lifted = blocked.is_only_new() && self.judge(&self.lifted, absolute).is_some();
        (!is_lifted).then_some(blocked)
    }

    /// Why this absolute path must not be read. `None` when it may.
    pub fn judge_read(&self, absolute: &str) -> Option<Blocked> {
        self.judge(&self.reads, absolute)
    }

    /// Whether this rule about writing applies.
    pub fn holds_for_writes(&self, rule: &str) -> bool {
        self.writes.patterns.iter().any(|pattern| pattern.blocked.rule == rule)
    }

    /// Files and folders of known names that are not read, with their rules. Whoever opens files compares their
    /// identity, because they may have other names.
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
            (0..path.len()).flat_map(|start| list.at(&path, start)).filter(|(start, pattern)| {
                match pattern.place {
                    // Where a root lies in such a folder, that is where the host works.
                    SourceKind::Anywhere if pattern.blocked.is_only_new() => {
                        !is_root_in(&path[..start + pattern.components.len()])
                    }
                    // Agents keep work trees in their own folders.
                    SourceKind::Anywhere if pattern.blocked.rule == rule_id::AGENT_SETTINGS => {
                        let depth = start + pattern.components.len();
                        !self.roots.iter().any(|root| root.len() > depth && path.starts_with(root))
                    }
                    SourceKind::Anywhere => true,
                    SourceKind::Home => {
                        self.home.as_ref().is_some_and(|home| path[..*start] == **home)
                    }
                    SourceKind::Absolute => *start == 0,
                    SourceKind::System => *start == 0 && !self.is_lifted_by_root(&path, pattern),
                    SourceKind::Others => {
                        *start == 0
                            && !self.is_of_home(&path, pattern)
                            && !self.is_in_root(&path, pattern)
                    }
                }
            });
        let mut only_new = None;
        for (_, Pattern { blocked, .. }) in found {
            if !blocked.is_only_new() {
                return Some(*blocked);
            }
            only_new = only_new.or(Some(*blocked));
        }
        only_new
    }

    /// Whether the own home folder lies where the path does, as far as the pattern goes.
    fn is_of_home(&self, path: &[String], pattern: &Pattern) -> bool {
        let depth = pattern.components.len();
        self.home.as_ref().is_some_and(|home| home.len() >= depth && home[..depth] == path[..depth])
    }

    /// Whether the path lies in a root that is the pattern's folder, or lies beneath that folder.
    fn is_in_root(&self, path: &[String], pattern: &Pattern) -> bool {
        let depth = pattern.components.len();
        self.roots.iter().any(|root| root.len() >= depth && path.starts_with(root))
    }

    /// Whether a root beneath the pattern's folder makes the path writable.
    fn is_lifted_by_root(&self, path: &[String], pattern: &Pattern) -> bool {
        let depth = pattern.components.len();
        self.roots.iter().any(|root| root.len() > depth && path.starts_with(root))
    }
}

/// Patterns, found by their first component.
#[derive(Clone, Debug, Default)]
struct List {
    patterns: Vec<Pattern>,
    /// Indices of patterns by their first component, when it has no `*`.
    by_name: HashMap<String, Vec<usize>>,
    /// Indices of patterns whose first component has a `*`.
    wild: Vec<usize>,
}

#[derive(Clone, Debug)]
struct Pattern {
    text: &'static str,
    components: Vec<Component>,
    /// Names, with blanks between them, that the last component does not match.
    except: &'static str,
    place: SourceKind,
    blocked: Blocked,
}

/// A component of a pattern, folded: the whole name, or its beginning and end around a `*`.
#[derive(Clone, Debug)]
enum Component {
    Name(String),
    Around(String, String),
}

impl Component {
    fn new(text: &str) -> Component {
        match text.split_once('*') {
            None => Component::Name(fold(text)),
            // Folding would remove a dot at the end of the first part, which is not the end of the name.
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
            let blocked = Blocked { rule: row.rule, hint: row.hint, later: row.later };
            let (except, place) = (row.except, row.place);
            self.patterns.push(Pattern { text, components, except, place, blocked });
        }
    }

    /// The paths that patterns without a `*` name in a home folder.
    fn places_in(&self, home: Option<&str>) -> impl Iterator<Item = (String, Blocked)> {
        let is_there = |pattern: &&Pattern| {
            matches!(pattern.place, SourceKind::Anywhere | SourceKind::Home)
                && !pattern.text.contains('*')
        };
        let patterns = self.patterns.iter().filter(is_there);
        home.into_iter().flat_map(move |home| {
            patterns
                .clone()
                .map(move |pattern| (format!("{home}/{}", pattern.text), pattern.blocked))
        })
    }

    /// Indices of the patterns that match at component `start`.
    fn at<'a>(
        &'a self,
        path: &'a [String],
        start: usize,
    ) -> impl Iterator<Item = (usize, &'a Pattern)> {
        let named_patterns = self.by_name.get(&path[start]).map_or(&[][..], Vec::as_slice);
        let candidates =
            named_patterns.iter().chain(&self.wild).map(|&index| &self.patterns[index]);
        candidates
            .filter(move |pattern| pattern.matches(&path[start..]))
            .map(move |pattern| (start, pattern))
    }
}

impl Pattern {
    fn matches(&self, path: &[String]) -> bool {
        let Some(part) = path.get(..self.components.len()) else { return false };
        let matching =
            self.components.iter().zip(part).all(|(component, name)| component.matches(name));
        matching
            && part
                .last()
                .is_none_or(|name| !self.except.split_whitespace().any(|except| except == name))
    }
}
