//! Judging one command and everything it starts. Reasons are collected, nothing ends early.

mod advice;
mod builtins;
mod discards;
mod effects;
mod environment;
mod find;
mod git;
mod interpreter;
mod later;
mod launcher;
mod listing;
mod named;
pub(crate) mod options;
mod payload;
mod script;
mod settings;
mod shell;
mod starter;
mod unknown;
mod uses;
pub(crate) mod walk;

use crate::checked::Checked;
use crate::hygiene::Blemish;
use crate::length::{self, Excess};
use crate::limits::{MAX_INNER_COMMANDS, MAX_NESTING};
use crate::mark;
use crate::program::Program;
use crate::rule_id;
use crate::surroundings::{Enforced, Surroundings};
use crate::syntax::construct::Fault;
use crate::syntax::word::Word;
use crate::verdict::{Advice, Decision, Reason, Report, Span};
pub(crate) use named::Named;
use payload::Placeholders;
pub(crate) use shell::line_shell;
use walk::Walk;

/// Longest program name shown in a message, in characters.
const MAX_SHOWN_NAME_CHARS: usize = 64;

/// Where a command stands, which decides what a built-in's name means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Place {
    /// A string for this crate: words are programs, built-ins do not exist.
    Line,
    /// An argv, given or after a launcher: words are programs.
    Argv,
    /// Code of a real shell: pure built-ins are free.
    Code,
}

/// What a finding says besides its rule and place.
pub(crate) struct Text<'a> {
    pub(crate) program: Option<&'a Program>,
    pub(crate) message: String,
    pub(crate) hint: &'a str,
}

/// One decision under way.
pub(crate) struct Judge<'p> {
    policy: &'p Checked,
    report: Report,
    depth: usize,
    /// Arguments are appended when the command runs (`xargs`).
    more_arguments: bool,
    placeholder: Placeholders,
    /// Of that text only paths are left, each behind a beginning that is known.
    replaced_by_path: bool,
    /// Commands judged so far inside of others.
    commands: usize,
    /// The first variable of which nothing is known.
    unknown_variable: Option<(String, Span)>,
    /// Where reasons point while code is judged that stands in one word.
    at: Option<Span>,
    named: Named,
    /// What an allowed command would start that is not listed.
    advice: Option<String>,
    /// What questions were left out for.
    stands_on: Enforced,
    walk: Walk<'p>,
}

/// What a judgement found.
pub(crate) struct Found {
    pub(crate) report: Report,
    pub(crate) named: Named,
    pub(crate) stands_on: Enforced,
}

impl<'p> Judge<'p> {
    pub(crate) fn new(policy: &'p Checked, surroundings: Surroundings<'p>) -> Self {
        Self {
            policy,
            report: Report::new(),
            depth: 0,
            more_arguments: false,
            placeholder: Placeholders::of_shells(),
            replaced_by_path: false,
            commands: 0,
            unknown_variable: None,
            at: None,
            named: Named::default(),
            advice: None,
            stands_on: Enforced::NOTHING,
            walk: Walk::new(surroundings),
        }
    }

    /// What was found, and what an allowed command would start that is not listed.
    pub(crate) fn into_parts(mut self) -> (Found, Option<String>) {
        self.evaluated_names();
        self.opened_names();
        let Self { report, named, stands_on, advice, .. } = self;
        (Found { report, named, stands_on }, advice)
    }

    /// Whether the kernel keeps whatever runs to the programs of the allow list. It knows programs and not their
    /// arguments, so that it holds nothing of a rule with arguments, of a denied use, or of code that is trusted.
    fn is_held_to_list(&mut self) -> bool {
        let held = self.walk.surroundings.enforced.exec && self.policy.lists_whole_programs;
        self.stands_on.exec |= held;
        held
    }

    /// Whether the kernel leaves every file as it is, whatever runs.
    fn is_kept_from_writing(&mut self) -> bool {
        let held = self.walk.surroundings.enforced.writes;
        self.stands_on.writes |= held;
        held
    }

    fn find(&mut self, decision: Decision, rule: &'static str, span: Span, text: Text<'_>) {
        self.find_liftable(decision, rule, span, text, Vec::new());
    }

    /// The one place where reasons are made. `offers`: options that may lift it, the narrowest first; what follows from
    /// the rule and the program is found without.
    fn find_liftable(
        &mut self,
        decision: Decision,
        rule: &'static str,
        span: Span,
        text: Text<'_>,
        offers: Vec<Advice>,
    ) {
        self.named.found(rule);
        self.report.push(Reason {
            decision,
            rule,
            span: self.at.unwrap_or(span),
            program: text.program.map(|program| shown(&program.base)),
            message: text.message,
            hint: (!text.hint.is_empty()).then(|| text.hint.to_owned()),
            advice: Vec::new(),
            offers,
            meant: None,
        });
    }

    pub(crate) fn too_long(&mut self, excess: Excess, span: Span) {
        let text = Text { program: None, message: excess.to_string(), hint: length::HINT };
        self.find(Decision::Deny, rule_id::HYGIENE_LENGTH, span, text);
    }

    pub(crate) fn empty(&mut self, span: Span) {
        let message = "Empty command".to_owned();
        let hint = "Name a program.";
        let text = Text { program: None, message, hint };
        self.find(Decision::Deny, rule_id::COMMAND_EMPTY, span, text);
    }

    pub(crate) fn blemish(&mut self, blemish: &Blemish, span: Span) {
        let message = blemish.message.to_owned();
        let text = Text { program: None, message, hint: blemish.hint };
        self.find(blemish.decision, blemish.rule, span, text);
    }

    pub(crate) fn fault(&mut self, fault: Fault) {
        let (rule, message, hint) = fault.construct.describe();
        self.find(Decision::Deny, rule, fault.span, Text { program: None, message, hint });
    }

    /// Judges a whole simple command: its name, and what its arguments start.
    pub(crate) fn command(&mut self, words: &[Word], place: Place) {
        let Some(first) = words.first() else { return };
        if first.text.is_empty() {
            return self.empty(first.span);
        }
        if let Some(excess) = Excess::of_words(words.len()) {
            return self.too_long(excess, first.span);
        }
        if mark::is_in(&first.text) {
            return self.dynamic_name(words);
        }
        let program = Program::parse(&first.text, &self.policy.config.trusted_directories);
        if place != Place::Argv && self.builtin(&program, words, place) {
            return;
        }
        self.listing(&program, words);
        self.inspect(&program, words);
    }

    /// Judges the name alone, for a command whose arguments could not be read.
    pub(crate) fn name_only(&mut self, words: &[Word]) {
        let Some(first) = words.first() else { return };
        if !first.text.is_empty() {
            let program = Program::parse(&first.text, &self.policy.config.trusted_directories);
            if builtins::has_no_program(&program) {
                self.deny_side_only(&program, words);
            } else {
                self.listing(&program, words);
            }
        }
    }

    /// What the arguments make the program do.
    fn inspect(&mut self, program: &Program, words: &[Word]) {
        self.advise(program, words);
        self.equivalents(program, words);
        self.discards_widely(program, words);
        self.reads_commands(program, words);
        if self.shell(program, words) {
            return;
        }
        if self.interpreter(program, words) {
            if !self.is_trusted(program) {
                self.completed_later(program, words[0].span, &words[1..]);
            }
            return;
        }
        if self.launcher(program, words) || self.starter(program, words) {
            return;
        }
        let has_row = self.uses(program, words) | self.language(program, words);
        if !Self::is_plain_reader(program, has_row) {
            if has_row || !self.is_known_later_by_a_shell(words) {
                self.told_later(program, words);
            }
            self.told_by_unknown_variable(program, &words[1..]);
        }
        self.unknown_launcher(program, words);
    }

    /// Runs `judge` one level deeper, or denies at the limit.
    fn nested(&mut self, span: Span, judge: impl FnOnce(&mut Self)) {
        self.commands += 1;
        if self.depth == MAX_NESTING || self.commands > MAX_INNER_COMMANDS {
            let message = "Commands are nested too deeply".to_owned();
            let hint = "Run the inner command directly.";
            let text = Text { program: None, message, hint };
            return self.find(Decision::Deny, rule_id::HYGIENE_NESTING, span, text);
        }
        self.depth += 1;
        judge(self);
        self.depth -= 1;
    }

    /// Judges the command that another one starts.
    fn inner(&mut self, words: &[Word]) {
        let Some(first) = words.first() else { return };
        self.nested(first.span, |judge| judge.command(words, Place::Argv));
    }

    /// Whether an allow list restricts what runs.
    fn has_allow_list(&self) -> bool {
        self.policy.config.allow.is_some()
    }

    /// Whether a deny list is all there is.
    fn is_deny_only(&self) -> bool {
        self.policy.config.allow.is_none() && self.policy.config.deny.is_some()
    }

    /// Denied where an allow list says what runs, otherwise a question.
    fn strict(&self) -> Decision {
        if self.has_allow_list() { Decision::Deny } else { Decision::Ask }
    }

    fn ask(
        &mut self,
        rule: &'static str,
        program: &Program,
        span: Span,
        message: String,
        hint: &str,
    ) {
        let text = Text { program: Some(program), message, hint };
        self.find(Decision::Ask, rule, span, text);
    }
}

/// A program name for a message: bounded, printable, and never the value of something that looks
/// like an assignment.
pub(crate) fn shown(name: &str) -> String {
    let (visible, mut cut) = match name.split_once('=') {
        Some((before, _)) if !before.is_empty() => (before, true),
        _ => (name, false),
    };
    let mut text = String::new();
    for (index, character) in visible.chars().enumerate() {
        if index == MAX_SHOWN_NAME_CHARS {
            cut = true;
            break;
        }
        text.push(if character.is_control() { '\u{fffd}' } else { character });
    }
    if cut {
        text.push('…');
    }
    text
}
