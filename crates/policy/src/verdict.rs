//! What a decision is made of.

use std::fmt;

use crate::config::Rule;
use crate::limits::MAX_REASONS;
use crate::rule_id;
use crate::surroundings::Enforced;

/// Byte offsets, start and end, into the source that was judged.
pub type Span = (usize, usize);

/// The answer, ordered from the mildest to the strictest: the worst reason wins.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Decision {
    /// Proved to stay inside the lists.
    Allow,
    /// Not decidable here: a host without an approver treats it as `Deny`.
    Ask,
    /// Proved to leave the lists, or not readable.
    Deny,
}

impl Decision {
    /// The lower-case name that results and reports carry.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Allow => "allow",
            Self::Ask => "ask",
            Self::Deny => "deny",
        }
    }
}

/// One finding. Texts name programs and constructs only, never values of arguments or variables:
/// those may hold secrets.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Reason {
    /// What this finding alone would decide.
    pub decision: Decision,
    /// One of [`crate::rule_id`].
    pub rule: &'static str,
    /// What it concerns. For an argv: offsets into the argv joined by single spaces.
    pub span: Span,
    /// The program (its base name) that it concerns.
    pub program: Option<String>,
    /// One sentence.
    pub message: String,
    /// What to do instead.
    pub hint: Option<String>,
    /// What lifts it; each was tried. Where one reason of a verdict cannot be lifted, no reason has an option.
    pub advice: Vec<Advice>,
    /// Options that may lift it, not tried yet, the narrowest first.
    pub(crate) offers: Vec<Advice>,
    /// The word that was probably meant in the place that it concerns.
    pub(crate) meant: Option<String>,
}

impl Reason {
    /// The only reason of what is allowed.
    pub(crate) fn allowed(span: Span, program: Option<&str>, message: String) -> Self {
        Self {
            decision: Decision::Allow,
            rule: rule_id::LIST_ALLOWED,
            span,
            program: program.map(str::to_owned),
            message,
            hint: None,
            advice: Vec::new(),
            offers: Vec::new(),
            meant: None,
        }
    }
}

/// What lifts a reason.
#[derive(Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Advice {
    /// Another call, which is allowed. Only the first reason of a verdict has it, and it lifts all of them.
    Replace {
        /// What to ask for in place of the command.
        command: String,
        /// The directory to run it in, relative to that of the call.
        directory: Option<String>,
    },
    /// One more entry of the allow list.
    Allow(Rule),
    /// One more interpreter whose code is not judged.
    Trust(String),
    /// The consent of whoever the host asks.
    Approve,
}

/// Arguments of the command may hold secrets: they are not shown.
impl fmt::Debug for Advice {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Replace { command, .. } => {
                write!(formatter, "Replace([{} bytes])", command.len())
            }
            Self::Allow(rule) => {
                let words = rule.args.as_ref().map_or(0, Vec::len);
                write!(formatter, "Allow({}, [{words} words])", rule.program)
            }
            Self::Trust(program) => write!(formatter, "Trust({program})"),
            Self::Approve => formatter.write_str("Approve"),
        }
    }
}

/// A variable set for one command only.
#[derive(Clone, PartialEq, Eq)]
pub struct Assignment {
    /// A shell name: letters, digits and underscores.
    pub name: String,
    /// The literal value.
    pub value: String,
}

impl fmt::Debug for Assignment {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}=[{} bytes]", self.name, self.value.len())
    }
}

/// The answer for one command.
#[derive(Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Verdict {
    /// The worst of the reasons.
    pub decision: Decision,
    /// Never empty; the worst come first, each group in the order of discovery.
    /// An `Allow` has exactly one, with the rule `list.allowed`.
    pub reasons: Vec<Reason>,
    /// The argv to run, absent when the command could not be read. Present does not mean allowed.
    pub argv: Option<Vec<String>>,
    /// The variables to add to the environment of that argv.
    pub assignments: Vec<Assignment>,
    /// The text is a script: `argv` runs bash on exactly these bytes.
    pub script: Option<String>,
    /// The command is a bash that takes what it runs from its terminal: how it starts so that it runs each line as it was
    /// typed.
    pub line_shell: Option<Vec<String>>,
    /// Base names of every program that the text itself names, as written, each once, in the order of the text: those
    /// of launchers and of what they start, those of code in arguments. Built-ins of a shell are none.
    pub programs: Vec<String>,
    /// Nothing else is started by the text: no part of it was left unread or is known only when it runs. What a program
    /// starts by itself is not in the text.
    pub programs_certain: bool,
    /// What the kernel has to hold for this decision: without it there would have been more questions.
    pub stands_on: Enforced,
}

impl Verdict {
    /// The verdict where every line that is typed will be judged: a bash that takes what it runs from its terminal may start
    /// when nothing else is open. None for every other command.
    #[must_use]
    pub fn with_judged_lines(&self) -> Option<Verdict> {
        let argv = self.line_shell.as_ref()?;
        let is_open = |reason: &Reason| reason.rule != rule_id::SHELL_SCRIPT;
        if self.decision != Decision::Ask || self.reasons.iter().any(is_open) {
            return None;
        }
        let verdict = self.clone();
        let span = self.reasons.first().map_or((0, 0), |reason| reason.span);
        let message = "The lines that are typed into it are judged".to_owned();
        let reasons =
            vec![Reason::allowed(span, self.programs.first().map(String::as_str), message)];
        Some(Verdict { decision: Decision::Allow, reasons, argv: Some(argv.clone()), ..verdict })
    }

    /// What nobody judged. For tests of what the kernel holds by itself.
    #[doc(hidden)]
    pub fn unjudged(argv: Vec<String>) -> Verdict {
        Verdict {
            decision: Decision::Allow,
            reasons: Vec::new(),
            argv: Some(argv),
            assignments: Vec::new(),
            script: None,
            line_shell: None,
            programs: Vec::new(),
            programs_certain: false,
            stands_on: Enforced::NOTHING,
        }
    }
}

impl fmt::Debug for Verdict {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("Verdict")
            .field("decision", &self.decision)
            .field("reasons", &self.reasons)
            .field("argv_words", &self.argv.as_ref().map(Vec::len))
            .field("assignments", &self.assignments)
            .field("script_bytes", &self.script.as_ref().map(String::len))
            .field("line_shell_words", &self.line_shell.as_ref().map(Vec::len))
            .field("programs", &self.programs.len())
            .field("programs_certain", &self.programs_certain)
            .field("stands_on", &self.stands_on)
            .finish()
    }
}

/// Collects reasons. The decision is kept apart from them, so that the limit on their number
/// never weakens it.
#[derive(Debug)]
pub(crate) struct Report {
    decision: Decision,
    reasons: Vec<Reason>,
}

impl Report {
    pub(crate) fn new() -> Self {
        Self { decision: Decision::Allow, reasons: Vec::new() }
    }

    pub(crate) fn decision(&self) -> Decision {
        self.decision
    }

    pub(crate) fn push(&mut self, reason: Reason) {
        let worse = reason.decision > self.decision;
        self.decision = self.decision.max(reason.decision);
        // One reason per cause: what is said of the same words by the same rule says it again.
        let is_said = |said: &Reason| {
            (said.rule, said.span, &said.program) == (reason.rule, reason.span, &reason.program)
                && said.decision >= reason.decision
        };
        if self.reasons.iter().any(is_said) {
            return;
        }
        if self.reasons.len() < MAX_REASONS {
            self.reasons.push(reason);
        } else if worse {
            self.reasons.pop();
            self.reasons.push(reason);
        }
    }

    /// For the reasons at this place: the word that was probably meant there.
    pub(crate) fn mean(&mut self, span: Span, meant: &str) {
        for reason in self.reasons.iter_mut().filter(|reason| reason.span == span) {
            reason.meant.get_or_insert_with(|| meant.to_owned());
        }
    }

    /// Worst first; otherwise the order of discovery.
    pub(crate) fn into_parts(mut self) -> (Decision, Vec<Reason>) {
        self.reasons.sort_by_key(|reason| std::cmp::Reverse(reason.decision));
        (self.decision, self.reasons)
    }
}
