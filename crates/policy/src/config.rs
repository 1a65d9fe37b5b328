//! The configuration of a host, and its checks.

use std::fmt;

use crate::place;

/// One entry of a list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rule {
    /// A whole program name (`git`), which matches that base name; an absolute path, which matches
    /// only that path; or a place: a path beneath a root (`.venv/bin/pytest`), whose last part may
    /// be `*` for every file in that folder, or `**` for everything beneath it. A program at an
    /// allowed place is trusted as an interpreter is: its arguments and its code are not judged.
    pub program: String,
    /// When given, the words after the program must start with these, word for word:
    /// `["log"]` covers `git log -3` and not `git -C x log`. A deny rule also asks when the words
    /// appear later, in this order.
    pub args: Option<Vec<String>>,
}

impl Rule {
    /// A rule for a program with any arguments.
    pub fn program(name: impl Into<String>) -> Self {
        Self { program: name.into(), args: None }
    }
}

/// The lists of a host.
#[derive(Clone, Debug)]
pub struct Config {
    /// When present, only these programs run; an empty list lets nothing run. When absent, see `deny`.
    pub allow: Option<Vec<Rule>>,
    /// Programs that do not run. Without `allow`, every other program runs; with it, these are exceptions. When both
    /// lists are absent, nothing runs.
    pub deny: Option<Vec<Rule>>,
    /// Uses of programs that are a question. A rule of `allow` with the same words, or more, answers it. Options of git in
    /// front of its subcommand do not count: `["push"]` covers `git -C x push`.
    pub ask: Vec<Rule>,
    /// Shells and interpreters whose code is not judged. They must still be listed themselves.
    pub trust_interpreters: Vec<String>,
    /// Absolute directories in which a path may name a listed program.
    pub trusted_directories: Vec<String>,
    /// The directories that commands work in, absolute and in every spelling. Places in rules lie beneath them.
    pub roots: Vec<String>,
}

/// The directories that are trusted unless the host names others.
pub const DEFAULT_TRUSTED_DIRECTORIES: [&str; 6] =
    ["/usr/local/bin", "/usr/bin", "/bin", "/usr/local/sbin", "/usr/sbin", "/sbin"];

impl Default for Config {
    /// Has no lists, so that nothing runs.
    fn default() -> Self {
        Self {
            allow: None,
            deny: None,
            ask: Vec::new(),
            trust_interpreters: Vec::new(),
            trusted_directories: DEFAULT_TRUSTED_DIRECTORIES.map(String::from).to_vec(),
            roots: Vec::new(),
        }
    }
}

/// What is wrong with a configuration.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ErrorKind {
    /// A program name is empty.
    EmptyName,
    /// A program name or path holds `*`, `?` or `[…]`: names are compared whole.
    Pattern,
    /// A program name holds blanks or control characters: arguments belong into `args`.
    NotAName,
    /// A place beneath a root has a pattern that is not its last part, or another one than `*` and `**`.
    PlacePattern,
    /// A program with a slash, or a trusted directory, is not a plain path: it has `.`, `..` or empty parts.
    NotAbsolute,
    /// A place beneath a root is named, and there are no roots.
    NoRoots,
    /// A name of an interpreter holds a slash.
    PathAsInterpreter,
}

/// A configuration that cannot be used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error {
    kind: ErrorKind,
    list: &'static str,
    index: usize,
}

impl Error {
    /// What is wrong with it.
    pub fn kind(&self) -> ErrorKind {
        self.kind
    }

    /// The stable code of such errors.
    pub fn code(&self) -> &'static str {
        "ERR_INVALID_ARGUMENT"
    }

    /// The list that holds the wrong entry, and the index of the entry, from 0.
    pub fn place(&self) -> (&'static str, usize) {
        (self.list, self.index)
    }
}

impl fmt::Display for Error {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let problem = match self.kind {
            ErrorKind::EmptyName => "is empty",
            ErrorKind::Pattern => {
                "is a pattern, and programs are matched by their whole name: name each one"
            }
            ErrorKind::NotAName => {
                "is not a program name; one with arguments is { program: 'npm', args: ['test'] }"
            }
            ErrorKind::PlacePattern => {
                "is a pattern in the wrong place: only the last part of a path beneath a root may be `*` or `**`, as in \
                 'node_modules/.bin/*'"
            }
            ErrorKind::NotAbsolute if self.list == "trusted_directories" => {
                "must be an absolute path without `.`, `..` and empty parts"
            }
            ErrorKind::NotAbsolute => {
                "must be an absolute path, or a path beneath a root, without `.`, `..` and empty parts"
            }
            ErrorKind::NoRoots => {
                "is a path beneath a root, and there are no roots: set `roots`, or name the program"
            }
            ErrorKind::PathAsInterpreter => "must be a program name, not a path",
        };
        write!(formatter, "entry {} of {} {problem}", self.index, self.list)
    }
}

impl std::error::Error for Error {}

pub(crate) fn check(config: &Config) -> Result<(), Error> {
    let lists = [
        ("allow", config.allow.as_deref()),
        ("deny", config.deny.as_deref()),
        ("ask", Some(config.ask.as_slice())),
    ];
    for (list, rules) in lists {
        for (index, rule) in rules.unwrap_or_default().iter().enumerate() {
            let error = |kind| Error { kind, list, index };
            check_program(&rule.program).map_err(error)?;
            if place::is_place(&rule.program) && config.roots.is_empty() {
                return Err(error(ErrorKind::NoRoots));
            }
        }
    }
    for (index, name) in config.trust_interpreters.iter().enumerate() {
        let list = "trustInterpreters";
        check_program(name).map_err(|kind| Error { kind, list, index })?;
        if name.contains('/') {
            return Err(Error { kind: ErrorKind::PathAsInterpreter, list, index });
        }
    }
    for (index, directory) in config.trusted_directories.iter().enumerate() {
        if !is_plain_absolute(directory.strip_suffix('/').unwrap_or(directory)) {
            let kind = ErrorKind::NotAbsolute;
            return Err(Error { kind, list: "trusted_directories", index });
        }
    }
    Ok(())
}

fn check_program(program: &str) -> Result<(), ErrorKind> {
    if program.is_empty() {
        Err(ErrorKind::EmptyName)
    } else if place::is_place(program) {
        place::check(program, is_pattern)
    } else if is_pattern(program) {
        Err(ErrorKind::Pattern)
    } else if program.contains('/') {
        if is_plain_absolute(program) { Ok(()) } else { Err(ErrorKind::NotAbsolute) }
    } else if program.chars().any(|c| c.is_whitespace() || c.is_control()) {
        Err(ErrorKind::NotAName)
    } else {
        Ok(())
    }
}

/// `[` is the name of a program, and `[]` matches nothing: neither is a pattern.
fn is_pattern(program: &str) -> bool {
    let is_set = |open: usize| program.rfind(']').is_some_and(|close| close > open + 1);
    program.contains(['*', '?']) || program.find('[').is_some_and(is_set)
}

fn is_plain_absolute(path: &str) -> bool {
    path.strip_prefix('/').is_some_and(|rest| {
        !path.contains('\0') && rest.split('/').all(|part| !matches!(part, "" | "." | ".."))
    })
}
