//! Judges the actions of `find`, and the paths that it passes to them.

use super::Judge;
use crate::lists::{self, Listing};
use crate::mark;
use crate::program::Program;
use crate::syntax::word::Word;

/// The text that `find` replaces by a path.
const PATH_PLACEHOLDER: &str = "{}";
/// The program that removes what `-delete` removes.
const REMOVING_PROGRAM: &str = "rm";
/// Most relative starting points of one `find`. Its commands are judged once for each of them.
const MAX_NAMED_STARTS: usize = 4;

/// What the paths that replace `{}` begin with.
enum Paths {
    /// Anything, also a dash.
    Unknown,
    /// `.` or `/`, so that no path is an option, a subcommand, an assignment or an address.
    Explicit,
    /// One of these names, alone or followed by a slash.
    Named(Vec<String>),
}

impl Judge<'_> {
    /// Judges every action, wherever its word stands. Whether an earlier option takes that word as its value differs
    /// between versions of `find`.
    pub(super) fn judge_find_actions(&mut self, program: &Program, words: &[Word]) {
        self.ask_about_unknown_arguments(program, words[0].span, &words[1..]);
        let arguments = &words[1..];
        let paths = paths(program, arguments);
        for (at, word) in arguments.iter().enumerate() {
            let text = word.text.as_str();
            if text.starts_with("-exec") || text.starts_with("-ok") {
                let rest = &arguments[at + 1..];
                let command = &rest[..length(text, rest)];
                // `-execdir` passes paths that begin with `./`.
                if text.ends_with("dir") {
                    let explicit = matches!(paths, Paths::Named(_)).then_some(Paths::Explicit);
                    let paths = explicit.as_ref().unwrap_or(&paths);
                    // The command runs in the folder of each file.
                    self.in_directories(None, |judge| judge.judge_find_command(command, paths));
                } else {
                    self.judge_find_command(command, &paths);
                }
            } else if text == "-delete" && !self.is_writing_prevented() {
                let is_removal = is_narrow(&arguments[..at]) && self.lists_removal(word);
                if !is_removal {
                    self.judge_discard(program, words, at + 1, "`-delete`");
                }
            } else if text.starts_with("-fprint") || text == "-fls" {
                self.judge_written_file(program, word.span, "an action");
            }
        }
    }

    /// Whether the allow list has `rm`, which removes the same files.
    fn lists_removal(&self, word: &Word) -> bool {
        let arguments = ["-f", PATH_PLACEHOLDER].map(|text| word.with_text(text.to_owned()));
        let rm = self.program(REMOVING_PROGRAM);
        self.has_allow_list()
            && !self.is_denied_name(REMOVING_PROGRAM)
            && lists::allowed(&self.policy.config, &rm, &arguments) == Listing::Listed
    }

    fn judge_find_command(&mut self, words: &[Word], paths: &Paths) {
        let more_arguments = std::mem::take(&mut self.more_arguments);
        let marked: Vec<usize> =
            words.iter().skip(1).filter_map(|word| word.text.find(PATH_PLACEHOLDER)).collect();
        match paths {
            Paths::Explicit if marked.iter().all(|at| *at == 0) => self.with_path(words, "./{}"),
            Paths::Named(names) if !marked.is_empty() && marked.iter().all(|at| *at == 0) => {
                for name in names {
                    self.with_path(words, name);
                    self.with_path(
                        words,
                        &format!("{}/{PATH_PLACEHOLDER}", name.trim_end_matches('/')),
                    );
                }
            }
            _ => self.with_placeholder(PATH_PLACEHOLDER, |judge| judge.judge_inner_command(words)),
        }
        self.more_arguments = more_arguments;
    }

    /// Judges the command with this path in the place of `{}`.
    fn with_path(&mut self, words: &[Word], path: &str) {
        let place = |(at, word): (usize, &Word)| {
            if at == 0 {
                word.clone()
            } else {
                word.with_text(word.text.replace(PATH_PLACEHOLDER, path))
            }
        };
        let words: Vec<Word> = words.iter().enumerate().map(place).collect();
        self.with_placeholder(PATH_PLACEHOLDER, |judge| {
            judge.replaced_by_path = true;
            judge.judge_inner_command(&words);
        });
    }
}

/// Whether the words before an action choose files beneath the working directory by their names, in each alternative, and
/// none of a repository's history.
fn is_narrow(words: &[Word]) -> bool {
    let is_elsewhere = |word: &Word| {
        let text = word.text.as_str();
        let parts = || text.split('/');
        mark::is_in(text)
            || text.starts_with('/')
            || parts().any(|part| part == ".." || part.starts_with(".git"))
            || matches!(text, "-L" | "-H" | "-follow" | "-files0-from")
    };
    let is_or = |word: &Word| matches!(word.text.as_str(), "-o" | "-or" | ",");
    !words.iter().any(is_elsewhere) && words.split(is_or).all(names_files)
}

/// Whether one test of an alternative is the name of files, or a part of it, and that test is not negated.
fn names_files(words: &[Word]) -> bool {
    let text = |at: usize| words.get(at).map_or("", |word| word.text.as_str());
    let is_not = |at: usize| matches!(text(at), "!" | "-not");
    let is_pattern_only = |name: &str| name.chars().all(|c| "*?.[]!^-\\".contains(c));
    let has_name = (1..words.len()).any(|at| {
        let is_negated = at >= 2 && is_not(at - 2);
        matches!(text(at - 1), "-name" | "-iname") && !is_negated && !is_pattern_only(text(at))
    });
    has_name && !(1..words.len()).any(|at| text(at) == "(" && is_not(at - 1))
}

/// How many of the following words belong to the command of an action. Only `-exec` and `-execdir` may end with `{} +`.
fn length(action: &str, rest: &[Word]) -> usize {
    let ends_command = |(at, word): (usize, &Word)| {
        word.text == ";"
            || (word.text == "+"
                && action.starts_with("-exec")
                && at > 0
                && rest[at - 1].text == PATH_PLACEHOLDER)
    };
    rest.iter().enumerate().position(ends_command).unwrap_or(rest.len())
}

/// What the paths of this `find` begin with. GNU find takes a word with a leading dash for an expression, so that
/// starting points have none, unless they are read from a file. bfs accepts any starting point.
fn paths(program: &Program, arguments: &[Word]) -> Paths {
    if program.kind() == "bfs" || arguments.iter().any(|word| word.text == "-files0-from") {
        return Paths::Unknown;
    }
    let mut at = 0;
    while let Some(word) = arguments.get(at) {
        match word.text.as_str() {
            "-H" | "-L" | "-P" => at += 1,
            "-D" => at += 2,
            "--" => {
                at += 1;
                break;
            }
            text if text.starts_with("-O") => at += 1,
            _ => break,
        }
    }
    let is_expression = |text: &str| {
        (text.starts_with('-') && text != "-") || matches!(text, "(" | ")" | "," | "!")
    };
    let starting_points =
        arguments.get(at..).unwrap_or_default().iter().map(|word| word.text.as_str());
    let mut names = Vec::new();
    for start in starting_points.take_while(|text| !is_expression(text)) {
        if start.is_empty() || start == "-" || start.contains(PATH_PLACEHOLDER) {
            return Paths::Unknown;
        }
        if !is_explicit(start) {
            names.push(start.to_owned());
        }
    }
    if names.is_empty() {
        Paths::Explicit
    } else if names.len() > MAX_NAMED_STARTS {
        Paths::Unknown
    } else {
        Paths::Named(names)
    }
}

fn is_explicit(start: &str) -> bool {
    matches!(start, "." | "..") || ["/", "./", "../"].iter().any(|head| start.starts_with(head))
}
