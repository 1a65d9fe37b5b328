//! `find`: its actions, and what the paths that it hands on can look like.

use super::Judge;
use crate::program::Program;
use crate::syntax::word::Word;

/// Text that `find` replaces by a path.
const MARK: &str = "{}";
/// Most relative starting points for which a command is judged once each.
const MAX_NAMED_STARTS: usize = 4;

/// How the paths begin that replace `{}`.
enum Paths {
    /// With anything, a dash included.
    Unknown,
    /// With `.` or `/`: never an option, a subcommand, an assignment or an address.
    Explicit,
    /// Each is one of these names, or one of them and a slash in front of more.
    Named(Vec<String>),
}

impl Judge<'_> {
    /// Every action is judged wherever its word stands: whether a word in front takes it as a value is for `find` to
    /// know, and differs between versions.
    pub(super) fn find_actions(&mut self, program: &Program, words: &[Word]) {
        self.completed_later(program, words[0].span, &words[1..]);
        let arguments = &words[1..];
        let paths = paths(program, arguments);
        for (at, word) in arguments.iter().enumerate() {
            let text = word.text.as_str();
            if text.starts_with("-exec") || text.starts_with("-ok") {
                let rest = &arguments[at + 1..];
                let command = &rest[..length(text, rest)];
                // Paths of `-execdir` begin with `./`, unless a list of names says otherwise.
                match &paths {
                    Paths::Named(_) if text.ends_with("dir") => {
                        self.find_command(command, &Paths::Explicit);
                    }
                    paths => self.find_command(command, paths),
                }
            } else if text == "-delete" && !self.is_kept_from_writing() {
                self.discards(program, words, at + 1, "`-delete`");
            } else if text.starts_with("-fprint") || text == "-fls" {
                self.writes(program, word.span, "an action");
            }
        }
    }

    fn find_command(&mut self, words: &[Word], paths: &Paths) {
        let more_arguments = std::mem::take(&mut self.more_arguments);
        let marked: Vec<usize> =
            words.iter().skip(1).filter_map(|word| word.text.find(MARK)).collect();
        match paths {
            Paths::Explicit if marked.iter().all(|at| *at == 0) => self.with_path(words, "./{}"),
            Paths::Named(names) if !marked.is_empty() && marked.iter().all(|at| *at == 0) => {
                for name in names {
                    self.with_path(words, name);
                    self.with_path(words, &format!("{}/{MARK}", name.trim_end_matches('/')));
                }
            }
            _ => self.with_placeholder(MARK, |judge| judge.inner(words)),
        }
        self.more_arguments = more_arguments;
    }

    /// Judges the command with such a path in the place of the mark.
    fn with_path(&mut self, words: &[Word], path: &str) {
        let place = |(at, word): (usize, &Word)| {
            if at == 0 { word.clone() } else { word.with_text(word.text.replace(MARK, path)) }
        };
        let words: Vec<Word> = words.iter().enumerate().map(place).collect();
        self.with_placeholder(MARK, |judge| {
            judge.replaced_by_path = true;
            judge.inner(&words);
        });
    }
}

/// How many words belong to the command. Only `-exec` and `-execdir` may end in `{} +`.
fn length(action: &str, rest: &[Word]) -> usize {
    let ends = |(at, word): (usize, &Word)| {
        word.text == ";"
            || (word.text == "+"
                && action.starts_with("-exec")
                && at > 0
                && rest[at - 1].text == MARK)
    };
    rest.iter().enumerate().position(ends).unwrap_or(rest.len())
}

/// GNU find takes what begins with a dash for an expression and not for a starting point, unless the starting points
/// come from a file. bfs takes them anywhere, and any with `-f`.
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
    let starts = arguments.get(at..).unwrap_or_default().iter().map(|word| word.text.as_str());
    let mut names = Vec::new();
    for start in starts.take_while(|text| !is_expression(text)) {
        if start.is_empty() || start == "-" || start.contains(MARK) {
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
