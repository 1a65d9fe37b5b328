//! Compares a program and its arguments with the lists.

use crate::checked::CheckedConfig;
use crate::config::{Config, Rule};
use crate::mark;
use crate::place;
use crate::program::Program;
use crate::syntax::word::Word;

/// The answer of the allow list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Listing {
    Listed,
    /// The program is listed, but only with other arguments.
    OtherArguments,
    /// The path may lead to another program than the listed one.
    UntrustedPath,
    NotListed,
}

/// The answer of the deny list.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Denial {
    None,
    /// The command may be a denied program under another name, or a denied use of a program.
    Perhaps,
    Denied,
}

pub(crate) fn allowed(config: &Config, program: &Program, arguments: &[Word]) -> Listing {
    use crate::program::Origin;
    let mut best = Listing::NotListed;
    for rule in config.allow.iter().flatten() {
        if !is_named(rule, program, &config.roots) {
            continue;
        }
        // A rule with a path allows that very path.
        if !rule.program.contains('/') && program.origin == Origin::Untrusted {
            if best == Listing::NotListed {
                best = Listing::UntrustedPath;
            }
        } else if !starts_with(rule.args.as_deref(), arguments) {
            best = Listing::OtherArguments;
        } else {
            return Listing::Listed;
        }
    }
    best
}

pub(crate) fn is_named(rule: &Rule, program: &Program, roots: &[String]) -> bool {
    if rule.program.contains('/') {
        !program.paths.is_empty() && program.paths.iter().all(|path| names_path(rule, path, roots))
    } else {
        rule.program == program.base
    }
}

/// Whether a rule with a slash names this path.
fn names_path(rule: &Rule, path: &str, roots: &[String]) -> bool {
    rule.program == path
        || place::is_place(&rule.program) && place::includes(&rule.program, roots, path)
}

/// Whether every path that the program may have is a place that the allow list names.
pub(crate) fn is_at_place(config: &Config, paths: &[String]) -> bool {
    let is_allowed = |path: &String| {
        let mut rules = config.allow.iter().flatten();
        rules.any(|rule| {
            place::is_place(&rule.program) && place::includes(&rule.program, &config.roots, path)
        })
    };
    !paths.is_empty() && paths.iter().all(is_allowed)
}

/// Whether a rule of the allow list names this use of the program: it has arguments, and they include the word at `at`,
/// counted from 1.
pub(crate) fn names_use(config: &Config, program: &Program, arguments: &[Word], at: usize) -> bool {
    config.allow.iter().flatten().any(|rule| {
        let args = rule.args.as_deref().unwrap_or_default();
        args.len() >= at.max(1)
            && is_named(rule, program, &config.roots)
            && starts_with(Some(args), arguments)
    })
}

/// How many words after the program the longest rule of the allow list names that matches them.
pub(crate) fn named_words(config: &Config, program: &Program, arguments: &[Word]) -> usize {
    let lengths = config.allow.iter().flatten().filter_map(|rule| {
        let args = rule.args.as_deref()?;
        let matches = is_named(rule, program, &config.roots) && starts_with(Some(args), arguments);
        matches.then_some(args.len())
    });
    lengths.max().unwrap_or(0)
}

/// The arguments of every rule of the allow list that names this program.
pub(crate) fn allowed_uses<'c>(
    config: &'c Config,
    program: &Program,
) -> impl Iterator<Item = &'c [String]> {
    let rules = config.allow.iter().flatten();
    let named = rules.filter(|rule| is_named(rule, program, &config.roots));
    named.filter_map(|rule| rule.args.as_deref())
}

/// The strictest answer, with the rule that gives it. A rule for the whole program comes before one for a use.
pub(crate) fn denied<'c>(
    policy: &'c CheckedConfig,
    program: &Program,
    arguments: &[Word],
) -> Option<(Denial, &'c Rule)> {
    let rules = policy.config.deny.as_deref().unwrap_or_default().iter().zip(&policy.denied_names);
    let roots = &policy.config.roots;
    let denials =
        rules.map(|(rule, folded)| (denied_by(rule, folded, program, arguments, roots), rule));
    denials
        .filter(|(denial, _)| *denial != Denial::None)
        .max_by_key(|(denial, rule)| (*denial, rule.args.is_none()))
}

fn denied_by(
    rule: &Rule,
    folded: &str,
    program: &Program,
    arguments: &[Word],
    roots: &[String],
) -> Denial {
    let name = match_denied_name(rule, folded, program, roots);
    if name == Denial::None || starts_with(rule.args.as_deref(), arguments) {
        name
    } else if arguments.iter().any(|word| mark::is_in(&word.text))
        || contains_in_order(rule.args.as_deref().unwrap_or_default(), arguments)
    {
        Denial::Perhaps
    } else {
        Denial::None
    }
}

/// Compares a program with a denied name or path. A bare name and a denied path may be the same file, as may two paths
/// with the same base name: these cases are not decidable here.
fn match_denied_name(rule: &Rule, denied: &str, program: &Program, roots: &[String]) -> Denial {
    if rule.program.contains('/') {
        if program.paths.iter().any(|path| names_path(rule, path, roots)) {
            return Denial::Denied;
        }
        return if denied == program.folded { Denial::Perhaps } else { Denial::None };
    }
    if denied == program.folded {
        Denial::Denied
    } else if same_but_version(denied, &program.folded) {
        Denial::Perhaps
    } else {
        Denial::None
    }
}

/// Whether `program` is `denied` with a version: `python3.11` may be a denied `python3`.
fn same_but_version(denied: &str, program: &str) -> bool {
    let mut stem = program;
    while let Some(shorter) = strip_number(stem) {
        if shorter == denied {
            return true;
        }
        stem = shorter;
    }
    false
}

fn strip_number(name: &str) -> Option<&str> {
    let without = name.trim_end_matches(|c: char| c.is_ascii_digit());
    let changed = without.len() < name.len();
    let stem = without.trim_end_matches(['.', '-']);
    (changed && stem.len() > 1).then_some(stem)
}

fn starts_with(args: Option<&[String]>, arguments: &[Word]) -> bool {
    let args = args.unwrap_or_default();
    args.len() <= arguments.len()
        && args.iter().zip(arguments).all(|(expected, word)| *expected == word.text)
}

fn contains_in_order(args: &[String], arguments: &[Word]) -> bool {
    let mut words = arguments.iter();
    args.iter().all(|expected| words.any(|word| word.text == *expected))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_of_a_denied_name_may_be_it() {
        for (denied, program, expected) in [
            ("python3", "python3.11", true),
            ("python", "python3.11", true),
            ("gcc", "gcc-12", true),
            ("python3", "python", false),
            ("r", "r2", false),
            ("rm", "rmdir", false),
            ("sha", "sha256sum", false),
        ] {
            assert_eq!(same_but_version(denied, program), expected, "{denied} {program}");
        }
    }
}
