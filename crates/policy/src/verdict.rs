//! The answer of the policy, and the reasons that it is made of.

use std::fmt;

use crate::config::Rule;
use crate::limits::MAX_REASONS;
use crate::rule_id;
use crate::surroundings::Enforced;

/// Start and end in the judged text, in bytes.
pub type Span = (usize, usize);

/// The answer, ordered from the mildest to the strictest: the worst reason wins.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Decision {
    /// The command surely stays within the lists.
    Allow,
    /// The policy cannot decide. A host without an approver treats it as `Deny`.
    Ask,
    /// The command surely leaves the lists, or cannot be read.
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

/// One reason of a decision. Its texts name programs and constructs, and never values of arguments or variables, which
/// may be secrets.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Reason {
    /// The decision if this were the only reason.
    pub decision: Decision,
    /// One of [`crate::rule_id`].
    pub rule: &'static str,
    /// The part of the text that it concerns. In an argv, offsets into its words joined by single spaces.
    pub span: Span,
    /// The base name of the program that it concerns.
    pub program: Option<String>,
    /// The message, one sentence.
    pub message: String,
    /// What to do instead.
    pub hint: Option<String>,
    /// What would lift it, each tried before. When one reason of a verdict cannot be lifted, none has an option.
    pub advice: Vec<Advice>,
    /// Options that may lift it and have not been tried, the narrowest first.
    pub(crate) offers: Vec<Advice>,
    /// The word that was probably meant at this span.
    pub(crate) meant: Option<String>,
}

impl Reason {
    /// The only reason of an allowed command.
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

/// Something that lifts a reason.
#[derive(Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Advice {
    /// Another call, which is allowed. Only the first reason of a verdict has one; it replaces the whole command.
    Replace {
        /// The command to run instead.
        command: String,
        /// The directory to run it in, relative to that of the call.
        directory: Option<String>,
    },
    /// One more rule in the allow list.
    Allow(Rule),
    /// One more interpreter whose code is not judged.
    Trust(String),
    /// The consent of an approver.
    Approve,
}

/// The arguments are not shown, because they may hold secrets.
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
    /// The name: letters, digits and underscores.
    pub name: String,
    /// The literal value.
    pub value: String,
}

impl fmt::Debug for Assignment {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}=[{} bytes]", self.name, self.value.len())
    }
}

/// The decision on one command, with what to run.
#[derive(Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Verdict {
    /// The strictest decision of all reasons.
    pub decision: Decision,
    /// The reasons, at least one, the strictest first and otherwise in the order of discovery. An allowed command has
    /// exactly one, with the rule `list.allowed`.
    pub reasons: Vec<Reason>,
    /// The argv to run. `None` when the command could not be read; present does not mean allowed.
    pub argv: Option<Vec<String>>,
    /// The variables to add to the environment of that argv.
    pub assignments: Vec<Assignment>,
    /// The text, when it is a script: `argv` runs bash on exactly these bytes.
    pub script: Option<String>,
    /// For a bash that takes its code from its terminal: the argv with which it runs each line as it was typed.
    pub line_shell: Option<Vec<String>>,
    /// Base names of all programs that the text names, as written, each once, in the order of the text. Launchers, the
    /// programs that they start and programs in code count; built-ins of a shell do not.
    pub programs: Vec<String>,
    /// Whether the text starts no other program: all of it could be read, and all of it is known before it runs.
    /// Programs that a program starts by itself are not in the text.
    pub programs_certain: bool,
    /// Whether a program that the text names prints a secret alone, as the text says (`vault kv get -field=x`). What the run
    /// prints is masked then.
    pub prints_secret: bool,
    /// What the kernel has to enforce. Without it, the verdict would have more questions.
    pub required_enforcement: Enforced,
}

impl Verdict {
    /// The verdict for a session in which every typed line will be judged. A bash that takes its code from its terminal
    /// may start, when only its code is open. `None` for any other command.
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

    /// A verdict on a command that is not judged, for tests of what the kernel enforces alone.
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
            prints_secret: false,
            required_enforcement: Enforced::NOTHING,
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
            .field("prints_secret", &self.prints_secret)
            .field("required_enforcement", &self.required_enforcement)
            .finish()
    }
}

/// Collects reasons. The decision is kept separately, so that the limit on the number of reasons never weakens it.
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
        // A cause has one reason: the same rule about the same words would only repeat it.
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

    /// Adds an option that may lift a reason to each that has none.
    pub(crate) fn offer(&mut self, option_for: impl Fn(&Reason) -> Option<Advice>) {
        for reason in self.reasons.iter_mut().filter(|reason| reason.offers.is_empty()) {
            reason.offers.extend(option_for(reason));
        }
    }

    /// Notes, for the reasons at this span, the word that was probably meant.
    pub(crate) fn note_meant_word(&mut self, span: Span, meant: &str) {
        for reason in self.reasons.iter_mut().filter(|reason| reason.span == span) {
            reason.meant.get_or_insert_with(|| meant.to_owned());
        }
    }

    /// The decision and the reasons, the strictest first and otherwise in the order of discovery.
    pub(crate) fn into_parts(mut self) -> (Decision, Vec<Reason>) {
        self.reasons.sort_by_key(|reason| std::cmp::Reverse(reason.decision));
        (self.decision, self.reasons)
    }
}
