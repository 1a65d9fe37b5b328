//! Package managers, and other programs that run the scripts of what they are given.

use super::{Judge, shown};
use crate::lists::{self, option_name};
use crate::program::Program;
use crate::rule_id;
use crate::syntax::word::Word;
use crate::tables::holds;
use crate::tables::managers::{MANAGERS, Manager};
use crate::verdict::Span;

/// What a subcommand does.
enum Use {
    Quiet,
    /// It starts what its arguments name.
    Starts,
    /// It runs scripts.
    Scripts,
}

impl Judge<'_> {
    /// True when the program has a row.
    pub(super) fn manager(&mut self, program: &Program, words: &[Word]) -> bool {
        let Some(row) = MANAGERS.find(program.kind()) else { return false };
        match subcommand(row, words) {
            Err(unknown) => self.unknown_option(program, unknown),
            Ok(None) if row.bare_installs && words.len() == 1 => self.scripts(program, words, 0),
            Ok(None) => {}
            Ok(Some(at)) => match purpose(row, words, at) {
                Use::Quiet => {}
                Use::Starts => self.unfollowed(program, words[0].span),
                Use::Scripts => self.scripts(program, words, at),
            },
        }
        true
    }

    /// Scripts of packages or projects. Listing the program does not say that they may run; a rule that names this use
    /// says so. Under a deny list alone they are left to the kernel plan. The use ends with `words[at]`.
    pub(super) fn scripts(&mut self, program: &Program, words: &[Word], at: usize) {
        let rules = self.policy.config.allow.as_deref();
        let named = |rules| lists::names_use(rules, program, &words[1..], at);
        if rules.is_none_or(named) || self.is_trusted(program) {
            return;
        }
        let message =
            format!("Command '{}' would run scripts of packages or projects", shown(&program.base));
        let hint = "A host can list this use (program and args), or name the program in trustInterpreters.";
        self.ask(rule_id::INTERPRETER_CODE, program, words[at].span, message, hint);
    }

    /// Packages that are not from the configured sources but files or addresses.
    pub(super) fn package_files(&mut self, program: &Program, words: &[Word]) {
        let installs = |word: &Word| {
            let text = word.text.as_str();
            text.contains("install") || matches!(text, "add" | "build-dep" | "upgrade" | "update")
        };
        let Some(at) = words.iter().skip(1).position(installs) else { return };
        let is_file = |word: &Word| {
            let text = word.text.as_str();
            text.starts_with(['/', '.', '~'])
                || text.contains("://")
                || [".deb", ".rpm", ".apk", ".dsc"].iter().any(|end| text.ends_with(end))
        };
        if words[1..].iter().any(is_file) {
            self.scripts(program, words, at + 1);
        }
    }

    /// `rpm -i` installs, `rpm -qi` shows.
    pub(super) fn rpm(&mut self, program: &Program, words: &[Word]) {
        let cluster = |word: &Word, letter| {
            word.text.starts_with('-') && !word.text.starts_with("--") && word.text.contains(letter)
        };
        let shows = words[1..].iter().any(|word| {
            matches!(word.text.as_str(), "--query" | "--verify" | "--checksig")
                || ['q', 'V', 'K'].iter().any(|letter| cluster(word, *letter))
        });
        let installs = words.iter().position(|word| cluster(word, 'i') || cluster(word, 'e'));
        if let Some(at) = installs.filter(|_| !shows) {
            self.scripts(program, words, at);
        }
    }

    /// `pacman -S x` installs, `pacman -Ss x` searches.
    pub(super) fn pacman(&mut self, program: &Program, words: &[Word]) {
        let installs = |word: &Word| {
            word.text
                .strip_prefix("-S")
                .is_some_and(|rest| !rest.contains(['s', 'i', 'g', 'l', 'p']))
                || word.text == "--sync"
        };
        if let Some(at) = words.iter().position(installs) {
            self.scripts(program, words, at);
        }
    }
}

/// Where the subcommand stands; an option that is not known may take it as its value.
fn subcommand(row: &Manager, words: &[Word]) -> Result<Option<usize>, Span> {
    let mut at = 1;
    while let Some(word) = words.get(at) {
        let text = word.text.as_str();
        if !text.starts_with('-') || holds(row.quiet, text) {
            return Ok(Some(at));
        }
        if holds(row.valued, text) {
            at += 1;
        } else if !holds(row.flags, text) && !text.contains('=') && text != "--" {
            return Err(word.span);
        }
        at += 1;
    }
    Ok(None)
}

fn purpose(row: &Manager, words: &[Word], at: usize) -> Use {
    let name = words[at].text.as_str();
    let operand = words[at + 1..].iter().find(|word| !word.text.starts_with('-'));
    let both = format!("{name}/{}", operand.map_or("", |operand| operand.text.as_str()));
    let quiet = holds(row.quiet, &both) || holds(row.quiet, name);
    if holds(row.installs, &both) || (holds(row.installs, name) && !quiet) {
        return if leaves_scripts(row, words) && !builds(row, words, at) {
            Use::Quiet
        } else {
            Use::Scripts
        };
    }
    if quiet {
        return Use::Quiet;
    }
    // Some take any beginning of a subcommand.
    let starts = row.starts.split(' ').any(|full| !full.is_empty() && full.starts_with(name));
    if starts { Use::Starts } else { Use::Scripts }
}

/// Whether the scripts of an installation are turned off, and nothing turns them on again.
fn leaves_scripts(row: &Manager, words: &[Word]) -> bool {
    let name = option_name(row.without_scripts);
    let similar = |word: &&Word| {
        let given = option_name(&word.text);
        word.text.starts_with('-')
            && given.len() > 1
            && (name.starts_with(given) || given.starts_with(name))
            || matches!(word.text.as_str(), "false" | "null")
    };
    let mut spoken = words[1..].iter().filter(similar);
    !name.is_empty()
        && spoken.next().is_some_and(|word| word.text == row.without_scripts)
        && spoken.next().is_none()
}

/// Words of pip in front of a path that is not a project.
const PIP_PATHS: &str = "-d --dest -t --target -w --wheel-dir -i --index-url --extra-index-url -f --find-links \
--cache-dir --log --cert --proxy --trusted-host --report";

/// pip builds what it is given as a path, an archive or an address, also where it takes no sources from an index.
fn builds(row: &Manager, words: &[Word], at: usize) -> bool {
    let is_source = |word: &Word| {
        let text = word.text.as_str();
        let ending = text.rsplit_once('.').map_or("", |(_, ending)| ending);
        let is_archive = holds("zip gz tgz bz2 tbz xz txz lzma tlz tar", ending);
        let is_wheel = ending == "whl" && !text.contains("://");
        let is_place = text.starts_with('.') || text.contains(['/', '@']) || is_archive;
        let is_editable = text.starts_with("-e") || text.starts_with("--ed");
        is_editable || is_place && !is_wheel && !text.starts_with("--")
    };
    let is_value = |at: usize| holds(PIP_PATHS, &words[at - 1].text);
    holds(row.names, "pip")
        && (at + 1..words.len()).any(|at| is_source(&words[at]) && !is_value(at))
}
