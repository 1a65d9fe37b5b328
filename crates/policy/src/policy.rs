//! The entry of the crate: one configuration decides on many commands.

use crate::advice::{Question, advised};
use crate::checked::CheckedConfig;
use crate::config::{Config, Error};
use crate::hygiene;
use crate::judge::walk::is_left_to_bash;
use crate::judge::{Judge, Judgement, SourceKind, line_shell, shown};
use crate::length::Excess;
use crate::plan::{Confine, Plan};
use crate::program::base_name;
use crate::rule_id;
use crate::surroundings::Surroundings;
use crate::syntax::Dialect;
use crate::syntax::command::{self, only_simple_command};
use crate::syntax::grammar::{self, Reading};
use crate::syntax::tree::Script;
use crate::syntax::word::Word;
use crate::verdict::{Assignment, Decision, Reason, Verdict};

/// Most programs that the message about an allowed script names.
const MAX_SHOWN_PROGRAMS: usize = 12;

/// A checked configuration. Decisions depend on it and on the question, and on nothing else.
#[derive(Clone, Debug)]
pub struct Policy {
    pub(crate) checked: CheckedConfig,
}

impl Policy {
    /// What the kernel holds every command to. `has_roots`: the host named the directories that
    /// commands work in; `shell`: bash runs judged texts.
    pub fn plan(&self, confine: &Confine, has_roots: bool, shell: bool) -> Plan {
        Plan::new(&self.checked.config, confine, has_roots, shell)
    }

    /// Checks the configuration. Fails when a rule could never match what it was meant to match.
    pub fn new(config: Config) -> Result<Self, Error> {
        Ok(Self { checked: CheckedConfig::new(config)? })
    }

    /// Decides on a string that must be one simple command. Where only [`Enforced`] is known, it may be given alone.
    pub fn decide_line<'s>(
        &self,
        line: &str,
        surroundings: impl Into<Surroundings<'s>>,
    ) -> Verdict {
        advised(self, &Question::Line(line, surroundings.into()))
    }

    /// Decides on a text that bash runs, unless it is one plain command. `script` of the verdict is that text, and
    /// `argv` starts bash, which need not be listed.
    pub fn decide_script(&self, text: &str, surroundings: &Surroundings<'_>) -> Verdict {
        advised(self, &Question::Script(text, *surroundings))
    }

    /// Decides on a line in bash syntax that is typed into a program. `edits_lines`: the program itself may edit lines
    /// and expand history. A line that would arrive changed is denied.
    pub fn decide_typed(
        &self,
        line: &str,
        edits_lines: bool,
        surroundings: &Surroundings<'_>,
    ) -> Verdict {
        let Some(misplaced) = hygiene::find_terminal_control(line, edits_lines) else {
            let surroundings = Surroundings { is_continued: true, ..*surroundings };
            return self.decide_script(line, &surroundings);
        };
        let mut judge = Judge::new(&self.checked, *surroundings);
        judge.report_misplaced(&misplaced, (misplaced.at, misplaced.at + misplaced.length));
        unreadable_verdict(judge)
    }

    /// Decides on an argv that no shell sees. The first word is the program, even when it holds a `=`. Where only
    /// [`Enforced`] is known, it may be given alone.
    pub fn decide_argv<'s>(
        &self,
        argv: &[String],
        surroundings: impl Into<Surroundings<'s>>,
    ) -> Verdict {
        advised(self, &Question::Argv(argv, surroundings.into()))
    }

    /// The verdict without advice.
    pub(crate) fn judge_line(&self, line: &str, surroundings: Surroundings<'_>) -> Verdict {
        let mut judge = Judge::new(&self.checked, surroundings);
        if let Some(excess) = Excess::of_bytes(line.len()) {
            judge.report_excess(excess, (0, line.len()));
            return unreadable_verdict(judge);
        }
        for misplaced in hygiene::misplaced_characters(line) {
            judge.report_misplaced(&misplaced, (misplaced.at, misplaced.at + misplaced.length));
        }
        let reading = command::read(line, Dialect::Bash);
        for fault in &reading.faults {
            judge.report_fault(*fault, Some(line));
        }
        let readable = reading.faults.is_empty();
        if readable && reading.words.is_empty() {
            judge.report_empty_command((0, line.len()));
        }
        if readable {
            judge.is_line_shell =
                reading.assignments.is_empty() && line_shell(&reading.words).is_some();
            judge.judge_assignments(&reading.assignments, &reading.words);
            judge.judge_command(&reading.words, SourceKind::Line);
        } else if reading.program_is_literal {
            judge.judge_name_only(&reading.words);
        }
        if !readable || reading.words.is_empty() {
            return unreadable_verdict(judge);
        }
        let assignments = reading
            .assignments
            .into_iter()
            .map(|(name, value)| Assignment { name: name.text, value: value.text })
            .collect();
        finish(judge, reading.words, assignments)
    }

    pub(crate) fn judge_script(&self, text: &str, surroundings: &Surroundings<'_>) -> Verdict {
        let mut judge = Judge::new(&self.checked, *surroundings);
        if let Some(excess) = Excess::of_bytes(text.len()) {
            judge.report_excess(excess, (0, text.len()));
            return unreadable_verdict(judge);
        }
        for misplaced in hygiene::misplaced_characters(text) {
            judge.report_misplaced(&misplaced, (misplaced.at, misplaced.at + misplaced.length));
        }
        let reading = grammar::read(text, Dialect::Bash);
        match &reading.script {
            Err(fault) => {
                judge.report_fault(*fault, Some(text));
                let plain = command::read(text, Dialect::Bash);
                let is_built_in = |word: &Word| is_left_to_bash(&word.text, false);
                if plain.program_is_literal && !plain.words.first().is_some_and(is_built_in) {
                    judge.judge_name_only(&plain.words);
                }
                return unreadable_verdict(judge);
            }
            Ok(script) if script.items.is_empty() => {
                judge.report_empty_command((0, text.len()));
                return unreadable_verdict(judge);
            }
            Ok(script) => {
                if let Some(plain) = self.plain(text, &reading, script, *surroundings) {
                    return plain;
                }
                judge.judge_script_of_host(script);
            }
        }
        let (mut found, advice) = judge.into_parts();
        if found.report.decision() == Decision::Allow {
            found.report.push(allowed_script(found.named.names(), text, advice));
        }
        let argv = ["bash", "--norc", "--noprofile", "-p", "-c", text].map(str::to_owned).to_vec();
        let mut verdict = verdict(found, Some(argv), Vec::new());
        verdict.script = Some(text.to_owned());
        verdict
    }

    /// The verdict on a text that is one plain command and needs no shell. `None` when it is a script, or a built-in.
    fn plain(
        &self,
        text: &str,
        reading: &Reading,
        script: &Script,
        surroundings: Surroundings<'_>,
    ) -> Option<Verdict> {
        let simple = only_simple_command(script).filter(|_| reading.constructs.is_empty())?;
        let name = simple.words.first()?.literal()?;
        let plain = self.judge_line(text, surroundings);
        // A shell that is typed into runs its built-in, and not the listed program of the same name.
        let runs = plain.decision == Decision::Allow && !surroundings.is_continued;
        (!is_left_to_bash(&name, runs)).then_some(plain)
    }

    pub(crate) fn judge_argv(&self, argv: &[String], surroundings: Surroundings<'_>) -> Verdict {
        let mut judge = Judge::new(&self.checked, surroundings);
        let bytes = argv.iter().map(|word| word.len() + 1).sum::<usize>().saturating_sub(1);
        if let Some(excess) = Excess::of_bytes(bytes).or_else(|| Excess::of_words(argv.len())) {
            judge.report_excess(excess, (0, bytes));
            return unreadable_verdict(judge);
        }
        let words = words_of_argv(argv);
        let Some(program) = words.first() else {
            judge.report_empty_command((0, 0));
            return unreadable_verdict(judge);
        };
        for (index, word) in words.iter().enumerate() {
            for misplaced in hygiene::misplaced_characters(&word.text) {
                // An argument may hold any character but NUL: an argv is never shown as one line.
                if index == 0 || misplaced.rule == rule_id::HYGIENE_NUL {
                    let start = word.span.0 + misplaced.at;
                    judge.report_misplaced(&misplaced, (start, start + misplaced.length));
                }
            }
        }
        if program.text.is_empty() {
            judge.report_empty_command(program.span);
        } else {
            judge.is_line_shell = line_shell(&words).is_some();
            judge.judge_command(&words, SourceKind::Argv);
        }
        finish(judge, words, Vec::new())
    }
}

/// The words of an argv. Their spans are offsets into its words joined by single spaces.
fn words_of_argv(argv: &[String]) -> Vec<Word> {
    let mut at = 0;
    argv.iter()
        .map(|text| {
            let span = (at, at + text.len());
            at = span.1 + 1;
            Word { text: text.clone(), span }
        })
        .collect()
}

fn finish(judge: Judge<'_>, words: Vec<Word>, assignments: Vec<Assignment>) -> Verdict {
    let (mut found, advice) = judge.into_parts();
    if found.report.decision() == Decision::Allow {
        found.report.push(allowed(&words[0], advice));
    }
    let line_shell = if assignments.is_empty() { line_shell(&words) } else { None };
    let argv = words.into_iter().map(|word| word.text).collect();
    Verdict { line_shell, ..verdict(found, Some(argv), assignments) }
}

fn unreadable_verdict(judge: Judge<'_>) -> Verdict {
    let (found, _) = judge.into_parts();
    verdict(found, None, Vec::new())
}

fn allowed_script(program_names: &[String], text: &str, hint: Option<String>) -> Reason {
    let program_names: Vec<String> =
        program_names.iter().map(|name| shown(name)).take(MAX_SHOWN_PROGRAMS + 1).collect();
    let message = match program_names.as_slice() {
        [] => "The script is allowed: it starts no program".to_owned(),
        [name] => format!("The script is allowed: it starts '{name}'"),
        all if all.len() > MAX_SHOWN_PROGRAMS => {
            format!(
                "The script is allowed: it starts '{}' and others",
                all[..MAX_SHOWN_PROGRAMS].join("', '")
            )
        }
        [.., last] => {
            let others = program_names[..program_names.len() - 1].join("', '");
            format!("The script is allowed: it starts '{others}' and '{last}'")
        }
    };
    Reason { hint, ..Reason::allowed((0, text.len()), None, message) }
}

fn allowed(program: &Word, hint: Option<String>) -> Reason {
    let name = base_name(&program.text);
    let message = format!("Command '{}' is allowed", shown(name));
    Reason { hint, ..Reason::allowed(program.span, Some(name), message) }
}

fn verdict(found: Judgement, argv: Option<Vec<String>>, assignments: Vec<Assignment>) -> Verdict {
    let Judgement { report, named, required_enforcement } = found;
    let (decision, reasons) = report.into_parts();
    let prints_secret = named.prints_secret;
    let (programs, programs_certain) = named.into_parts();
    Verdict {
        decision,
        reasons,
        argv,
        assignments,
        script: None,
        line_shell: None,
        programs,
        programs_certain,
        prints_secret,
        required_enforcement,
    }
}
