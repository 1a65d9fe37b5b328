//! Judges one command and everything that it starts. All reasons are collected; no reason ends the judgement early.

mod advice;
mod asked;
mod builtins;
mod discards;
mod effects;
mod environment;
mod find;
mod found;
mod git;
mod history;
mod interpreter;
mod kill;
mod later;
mod launcher;
mod listing;
mod named;
pub(crate) mod options;
mod outputs;
mod payload;
mod script;
mod secrets;
mod settings;
mod shell;
mod starter;
mod unknown;
mod uses;
pub(crate) mod walk;

use crate::checked::CheckedConfig;
use crate::hygiene::MisplacedCharacter;
use crate::length::{self, Excess};
use crate::limits::{MAX_INNER_COMMANDS, MAX_NESTING};
use crate::mark;
use crate::program::Program;
use crate::rule_id;
use crate::surroundings::{Enforced, Surroundings};
use crate::syntax::construct::Fault;
use crate::syntax::word::Word;
use crate::tables::printed_secrets;
use crate::verdict::{Advice, Decision, Reason, Report, Span};
pub(crate) use named::NamedPrograms;
use payload::Placeholders;
pub(crate) use shell::line_shell;
use walk::Walk;

/// Longest program name shown in a message, in characters.
const MAX_SHOWN_NAME_CHARS: usize = 64;

/// The kind of text that a command was read from. It decides what the name of a built-in means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SourceKind {
    /// A plain command that no shell runs: every word in front names a program, and built-ins do not exist.
    Line,
    /// Words of an argv, or after a launcher: the first names a program.
    Argv,
    /// Code that a shell runs: built-ins without effects are allowed.
    Code,
}

/// The texts of a reason, and the program that it concerns.
pub(crate) struct ReasonText<'a> {
    pub(crate) program: Option<&'a Program>,
    pub(crate) message: String,
    pub(crate) hint: &'a str,
}

/// A judgement in progress.
pub(crate) struct Judge<'p> {
    policy: &'p CheckedConfig,
    report: Report,
    depth: usize,
    /// More arguments are appended when the command runs (`xargs`).
    more_arguments: bool,
    placeholder: Placeholders,
    /// All unknown parts of arguments are paths with a known beginning.
    replaced_by_path: bool,
    /// How many inner commands were judged so far.
    commands: usize,
    /// The first variable that no table knows, and where it was set.
    unknown_variable: Option<(String, Span)>,
    /// The span of all reasons while code inside of one word is judged.
    at: Option<Span>,
    named: NamedPrograms,
    /// A sentence about unlisted programs that an allowed command would start.
    advice: Option<String>,
    /// What the kernel has to enforce, because questions were left out for it.
    required_enforcement: Enforced,
    /// The words of the present command that a rule of the allow list names: they are no question any more.
    answered: Vec<Span>,
    /// Whether the command is a bash of which each line can be judged ([`line_shell`]).
    pub(crate) is_line_shell: bool,
    walk: Walk<'p>,
}

/// The result of a judgement.
pub(crate) struct Judgement {
    pub(crate) report: Report,
    pub(crate) named: NamedPrograms,
    pub(crate) required_enforcement: Enforced,
}

impl<'p> Judge<'p> {
    pub(crate) fn new(policy: &'p CheckedConfig, surroundings: Surroundings<'p>) -> Self {
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
            named: NamedPrograms::default(),
            advice: None,
            required_enforcement: Enforced::NOTHING,
            answered: Vec::new(),
            is_line_shell: false,
            walk: Walk::new(surroundings),
        }
    }

    /// The result, and the sentence about unlisted programs.
    pub(crate) fn into_parts(mut self) -> (Judgement, Option<String>) {
        self.judge_numeric_uses();
        self.judge_opened_variables();
        self.judge_declared_texts();
        self.judge_array_uses();
        self.judge_files_written_later();
        self.judge_temporary_uses();
        let Self { report, named, required_enforcement, advice, .. } = self;
        (Judgement { report, named, required_enforcement }, advice)
    }

    /// Whether the kernel limits whatever runs to the programs of the allow list. The kernel compares programs and not
    /// arguments, so the answer is no for lists with arguments, denied uses or trusted code.
    fn is_limited_to_list(&mut self) -> bool {
        let held = self.walk.surroundings.enforced.exec && self.policy.lists_whole_programs;
        self.required_enforcement.exec |= held;
        held
    }

    /// Whether the kernel keeps all changes of files beneath the writable roots, whatever runs. Nothing is settled where
    /// the host denies programs: their effects have to be kept off the files beneath the roots too.
    fn is_writing_contained(&mut self) -> bool {
        let held = self.walk.surroundings.enforced.roots
            && self.has_allow_list()
            && self.policy.config.deny.is_none();
        self.required_enforcement.roots |= held;
        held
    }

    /// Whether signals reach only processes that the run itself started.
    fn are_signals_contained(&mut self) -> bool {
        let held = self.walk.surroundings.enforced.signals;
        self.required_enforcement.signals |= held;
        held
    }

    /// Whether the kernel lets no file change, whatever runs.
    fn is_writing_prevented(&mut self) -> bool {
        let held = self.walk.surroundings.enforced.writes;
        self.required_enforcement.writes |= held;
        held
    }

    fn add_reason(
        &mut self,
        decision: Decision,
        rule: &'static str,
        span: Span,
        text: ReasonText<'_>,
    ) {
        self.add_liftable_reason(decision, rule, span, text, Vec::new());
    }

    /// Adds a reason; no other function makes one. `offers`: options that may lift it, the narrowest first. Options
    /// that follow from the rule and the program are added later.
    fn add_liftable_reason(
        &mut self,
        decision: Decision,
        rule: &'static str,
        span: Span,
        text: ReasonText<'_>,
        offers: Vec<Advice>,
    ) {
        if self.is_answered(decision, rule, span) {
            return self.named.note_unread_code();
        }
        self.named.note_reason(rule);
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

    pub(crate) fn report_excess(&mut self, excess: Excess, span: Span) {
        let text =
            ReasonText { program: None, message: excess.to_string(), hint: length::TOO_LONG_HINT };
        self.add_reason(Decision::Deny, rule_id::HYGIENE_LENGTH, span, text);
    }

    pub(crate) fn report_empty_command(&mut self, span: Span) {
        let message = "Empty command".to_owned();
        let hint = "Name a program.";
        let text = ReasonText { program: None, message, hint };
        self.add_reason(Decision::Deny, rule_id::COMMAND_EMPTY, span, text);
    }

    pub(crate) fn report_misplaced(&mut self, misplaced: &MisplacedCharacter, span: Span) {
        let message = misplaced.message.to_owned();
        let text = ReasonText { program: None, message, hint: misplaced.hint };
        self.add_reason(misplaced.decision, misplaced.rule, span, text);
    }

    /// `text` is what the span of the fault is an offset into, where that is known.
    pub(crate) fn report_fault(&mut self, fault: Fault, text: Option<&str>) {
        let (rule, message, hint) = fault.describe(text);
        let reason = ReasonText { program: None, message, hint: &hint };
        self.add_reason(Decision::Deny, rule, fault.span, reason);
    }

    /// Judges a simple command: its name and its arguments.
    pub(crate) fn judge_command(&mut self, words: &[Word], source: SourceKind) {
        let Some(first) = words.first() else { return };
        if first.text.is_empty() {
            return self.report_empty_command(first.span);
        }
        if let Some(excess) = Excess::of_words(words.len()) {
            return self.report_excess(excess, first.span);
        }
        if mark::is_in(&first.text) {
            return self.judge_unknown_name(words);
        }
        let mut program = self.program(&first.text);
        if source != SourceKind::Argv && self.judge_builtin(&program, words, source) {
            return;
        }
        if source == SourceKind::Code {
            self.judge_followed(first.span);
        }
        let found = self.program_of_environment(&program);
        if let Some((path, is_certain)) = found {
            if !is_certain {
                self.judge_by_lists(&program, words);
            }
            program = self.program(&path);
        }
        self.judge_by_lists(&program, words);
        self.judge_secret_files(words);
        self.named.prints_secret |= printed_secrets::is_printed(&program.folded, words);
        let answered = self.words_of_rules(&program, words);
        let outer = std::mem::replace(&mut self.answered, answered);
        self.judge_asked_use(&program, words);
        self.judge_arguments(&program, words);
        self.answered = outer;
        if self.has_allow_list() {
            self.report.offer(|reason| {
                let is_own = effects::IDS.contains(&reason.rule)
                    && reason.program.as_deref() == Some(shown(&program.base).as_str());
                let at = words.iter().position(|word| word.span == reason.span);
                at.filter(|_| is_own).and_then(|at| effects::use_with_options(&program, words, at))
            });
        }
    }

    /// Judges only the name of a command whose arguments could not be read.
    pub(crate) fn judge_name_only(&mut self, words: &[Word]) {
        let Some(first) = words.first() else { return };
        if !first.text.is_empty() {
            let program = self.program(&first.text);
            if builtins::has_no_program(&program) {
                self.compare_with_deny_list(&program, words);
            } else {
                self.judge_by_lists(&program, words);
            }
        }
    }

    /// Judges what the arguments make the program do.
    fn judge_arguments(&mut self, program: &Program, words: &[Word]) {
        if program.is_at_place {
            return self.named.note_unread_code();
        }
        self.note_unlisted_programs(program, words);
        self.judge_equivalents(program, words);
        self.judge_wide_discard(program, words);
        self.judge_removed_history(program, words);
        self.judge_outputs(program, words);
        self.judge_commands_on_input(program, words);
        if self.judge_shell(program, words) {
            return;
        }
        if self.judge_interpreter(program, words) {
            if !self.is_trusted(program) {
                self.ask_about_unknown_arguments(program, words[0].span, &words[1..]);
            }
            return;
        }
        if self.judge_launcher(program, words)
            || self.judge_starter(program, words)
            || self.judge_finder(program, words)
        {
            return;
        }
        if program.kind() == "kill" {
            return self.judge_signalled(program, words);
        }
        let has_row = self.judge_uses(program, words) | self.judge_language(program, words);
        if !Self::is_plain_reader(program, has_row) {
            if has_row || !self.is_unknown_to_shell_only(words) {
                self.judge_unknown_arguments(program, words);
            }
            self.ask_about_unknown_variable(program, &words[1..]);
        }
        self.judge_unknown_launcher(program, words);
    }

    /// Runs `judge` one level deeper, or denies at the limit.
    fn nested(&mut self, span: Span, judge: impl FnOnce(&mut Self)) {
        self.commands += 1;
        if self.depth == MAX_NESTING || self.commands > MAX_INNER_COMMANDS {
            let message = "Commands are nested too deeply".to_owned();
            let hint = "Run the inner command directly.";
            let text = ReasonText { program: None, message, hint };
            return self.add_reason(Decision::Deny, rule_id::HYGIENE_NESTING, span, text);
        }
        self.depth += 1;
        let outer = std::mem::take(&mut self.answered);
        judge(self);
        self.answered = outer;
        self.depth -= 1;
    }

    /// Judges a command that another command starts.
    fn judge_inner_command(&mut self, words: &[Word]) {
        let Some(first) = words.first() else { return };
        self.nested(first.span, |judge| judge.judge_command(words, SourceKind::Argv));
    }

    /// Whether there is an allow list.
    fn has_allow_list(&self) -> bool {
        self.policy.config.allow.is_some()
    }

    /// Whether there is a deny list and no allow list.
    fn is_deny_only(&self) -> bool {
        self.policy.config.allow.is_none() && self.policy.config.deny.is_some()
    }

    /// A denial under an allow list, and a question without one.
    fn denial_or_question(&self) -> Decision {
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
        let text = ReasonText { program: Some(program), message, hint };
        self.add_reason(Decision::Ask, rule, span, text);
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
