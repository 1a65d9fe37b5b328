//! Judges launchers that find the inner program in a folder of the project: `npx`, `npm exec`, `pnpm exec`, `bunx`,
//! `uv run`, `poetry run`. What is installed there is judged as its place is. What would be downloaded is a question.

use super::options::{Grammar, OptionsEnd, parse};
use super::{Judge, ReasonText, shown};
use crate::config::Rule;
use crate::lists::{self, Listing};
use crate::place;
use crate::program::Program;
use crate::rule_id;
use crate::syntax::word::Word;
use crate::tables::finders::Finder;
use crate::verdict::{Advice, Decision, Span};

/// The suffix of a file that `uv run` hands to Python.
const PYTHON_SUFFIX: &str = ".py";

impl Judge<'_> {
    /// Judges a launcher of the table. True when the program and its first words are one, and all of it is understood.
    pub(super) fn judge_finder(&mut self, program: &Program, words: &[Word]) -> bool {
        // A rule that names the use has answered what it starts.
        if !self.has_allow_list() || !self.answered.is_empty() {
            return false;
        }
        let Some((row, arguments)) = Finder::find(program, words) else { return false };
        let grammar = Grammar { short: row.short, long: row.long };
        let parsed = parse(arguments, grammar, OptionsEnd::FirstOperand);
        if parsed.unknown.is_some() || parsed.has(row.elsewhere) || parsed.has("help version") {
            return false;
        }
        let module = parsed.given.iter().any(|given| matches!(&given.name[..], "m" | "module"));
        let mut inner = parsed.operands.as_slice();
        if let [separator, rest @ ..] = inner
            && separator.text == "--"
        {
            inner = rest;
        }
        let Some(first) = inner.first().filter(|first| is_name(&first.text)) else { return false };
        if module || (row.runs_python && first.text.ends_with(PYTHON_SUFFIX)) {
            let python = first.with_text("python".to_owned());
            return self.judge_found(program, row, &python, inner, first.span);
        }
        self.judge_found(program, row, first, &inner[1..], first.span)
    }

    fn judge_found(
        &mut self,
        program: &Program,
        row: &Finder,
        name: &Word,
        arguments: &[Word],
        span: Span,
    ) -> bool {
        let Some(paths) = self.installed(row, &name.text) else { return false };
        let config = &self.policy.config;
        if lists::is_at_place(config, &paths) {
            let path = name.with_text(paths[0].clone());
            let words: Vec<Word> = [path].into_iter().chain(arguments.iter().cloned()).collect();
            self.judge_inner_command(&words);
            return true;
        }
        let words: Vec<Word> =
            [name.clone()].into_iter().chain(arguments.iter().cloned()).collect();
        let inner = self.program(&name.text);
        if paths.is_empty()
            && row.searches_path
            && lists::allowed(config, &inner, arguments) == Listing::Listed
        {
            self.judge_inner_command(&words);
            return true;
        }
        let inner = shown(&name.text);
        let outer = shown(&program.base);
        let (message, hint) = if paths.is_empty() {
            let hint = "It has to be installed first: where that takes a network that commands do not have, by the user.";
            (format!("'{inner}' is not installed here, and '{outer}' may download it"), hint)
        } else {
            let message = format!("'{outer}' would start '{inner}' of the project");
            (message, "Use one of the allowed programs.")
        };
        let text = ReasonText { program: Some(program), message, hint };
        let place = paths.first().and_then(|path| place::of_path(&config.roots, path));
        let offers = place.into_iter().map(|place| Advice::Allow(Rule::program(place))).collect();
        let rule = rule_id::PROGRAM_DYNAMIC;
        self.add_liftable_reason(Decision::Ask, rule, span, text, offers);
        true
    }

    /// The file of this name that the launcher starts, in every directory that the command may be in. Empty where it is
    /// not installed in one of them; `None` where that is unknown.
    fn installed(&self, row: &Finder, name: &str) -> Option<Vec<String>> {
        let files = self.walk.surroundings.files?;
        let directories = self.resolve(".")?;
        let roots = &self.policy.config.roots;
        let mut paths: Vec<String> = Vec::new();
        for directory in &directories {
            let found = ancestors(directory, roots)
                .map(|above| format!("{above}/{}/{name}", row.folder))
                .find(|path| files.is_program(path));
            match found {
                Some(path) => paths.push(path),
                None => return Some(Vec::new()),
            }
        }
        paths.dedup();
        Some(paths)
    }
}

/// The directory and those above it, up to the root that it lies beneath.
fn ancestors<'d>(directory: &'d str, roots: &'d [String]) -> impl Iterator<Item = &'d str> {
    let is_within = |path: &str| {
        roots.iter().any(|root| {
            let root = root.trim_end_matches('/');
            path.strip_prefix(root).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
        })
    };
    std::iter::successors(Some(directory), |path| path.rsplit_once('/').map(|(above, _)| above))
        .take_while(move |path| is_within(path))
}

/// Whether a word is the name of a program, without a version, a path or an address.
fn is_name(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_alphanumeric() || c == '_')
        && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"._-".contains(&byte))
}
