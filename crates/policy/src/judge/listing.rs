//! Judges the name of a program by the lists.

use super::effects::this_use;
use super::{Judge, ReasonText, shown};
use crate::config::Rule;
use crate::lists::{self, Denial, Listing};
use crate::place;
use crate::program::{Origin, Program, base_name, fold};
use crate::rule_id;
use crate::syntax::word::Word;
use crate::verdict::{Advice, Decision, Span};

/// Most uses of a program that a hint names.
const MAX_NAMED_USES: usize = 8;

/// The program with the arguments that a rule of the host names.
fn named_use(program: &str, args: &[String]) -> String {
    let words = args.iter().map(|arg| shown(arg));
    [program.to_owned()].into_iter().chain(words).collect::<Vec<_>>().join(" ")
}

impl Judge<'_> {
    pub(super) fn judge_by_lists(&mut self, program: &Program, words: &[Word]) {
        self.named.add(&program.base);
        let span = words[0].span;
        let arguments = &words[1..];
        let config = &self.policy.config;
        self.compare_with_deny_list(program, words);
        match config.allow.as_deref() {
            None if config.deny.is_none() => self.report_nothing_listed(program, words),
            Some([]) => self.report_nothing_listed(program, words),
            Some(_) => {
                let listing = lists::allowed(config, program, arguments);
                self.allow_side(program, listing, words);
            }
            None => self.ask_about_unlisted_path(program, span),
        }
        self.judge_replaced_name(program, span);
    }

    /// Compares with the deny list alone: a built-in need not be listed, and may be denied.
    pub(super) fn compare_with_deny_list(&mut self, program: &Program, words: &[Word]) {
        let denied = lists::denied(self.policy, program, &words[1..]);
        if let Some((denial, rule)) = denied {
            self.deny_side(program, denial, rule, words[0].span);
        }
    }

    fn deny_side(&mut self, program: &Program, denial: Denial, rule: &Rule, span: Span) {
        let name = shown(&program.base);
        // A rule with arguments denies a use, and the program has others.
        let denied_use = rule.args.as_ref().map(|args| named_use(&name, args));
        let other_uses =
            denied_use.as_ref().map(|_| format!("Other uses of '{name}' are not denied."));
        let (decision, message, hint) = match denial {
            Denial::None => return,
            Denial::Perhaps => {
                let what =
                    denied_use.map_or("one that".to_owned(), |given| format!("'{given}', which"));
                let message = format!("Command '{name}' may be {what} policy denies");
                (Decision::Ask, message, "Use another program.")
            }
            Denial::Denied => {
                let what = denied_use.unwrap_or(name);
                let message = format!("Command '{what}' is denied by policy");
                (Decision::Deny, message, "Do without this program.")
            }
        };
        let hint = other_uses.as_deref().unwrap_or(hint);
        let text = ReasonText { program: Some(program), message, hint };
        self.add_reason(decision, rule_id::LIST_DENIED, span, text);
    }

    fn report_nothing_listed(&mut self, program: &Program, words: &[Word]) {
        let message = format!("Command '{}' is not allowed", shown(&program.base));
        let text =
            ReasonText { program: Some(program), message, hint: "No program is allowed here." };
        let offers = this_use(program, words, 1).into_iter().collect();
        let (rule, span) = (rule_id::LIST_EMPTY, words[0].span);
        self.add_liftable_reason(Decision::Deny, rule, span, text, offers);
    }

    fn allow_side(&mut self, program: &Program, listing: Listing, words: &[Word]) {
        let span = words[0].span;
        if !program.base.is_ascii() {
            let hint = "Program names are ASCII here.";
            return self.report_not_allowed(rule_id::LIST_NOT_ALLOWED, program, span, "", hint);
        }
        match listing {
            Listing::Listed => {}
            Listing::NotListed if self.place_of(program).is_some() => {
                self.report_untrusted_path(program, span);
            }
            Listing::NotListed => {
                let hint = "Use one of the allowed programs.";
                self.report_not_allowed(rule_id::LIST_NOT_ALLOWED, program, span, "", hint);
            }
            Listing::OtherArguments => {
                let name = shown(&program.base);
                let uses = lists::allowed_uses(&self.policy.config, program);
                let uses: Vec<String> = uses.map(|args| named_use(&name, args)).collect();
                let shown_uses = uses[..uses.len().min(MAX_NAMED_USES)].join("', '");
                let others = if uses.len() > MAX_NAMED_USES { " and others" } else { "" };
                let hint =
                    format!("Of '{name}' only these uses are allowed: '{shown_uses}'{others}.");
                let message = format!("Command '{name}' is not allowed with these arguments");
                let text = ReasonText { program: Some(program), message, hint: &hint };
                let offers = this_use(program, words, 1).into_iter().collect();
                let rule = rule_id::LIST_NOT_ALLOWED;
                self.add_liftable_reason(Decision::Deny, rule, span, text, offers);
            }
            Listing::UntrustedPath => self.report_untrusted_path(program, span),
        }
    }

    /// Denies a program by its path. A rule for its place lifts the denial of a program beneath a root.
    fn report_untrusted_path(&mut self, program: &Program, span: Span) {
        let message = format!("Command '{}' is not allowed by this path", shown(&program.base));
        let place = self.place_of(program);
        let hint = match place {
            Some(_) => "Use one of the allowed programs.",
            None => "Write the bare program name.",
        };
        let text = ReasonText { program: Some(program), message, hint };
        let offers = place.map(Rule::program).map(Advice::Allow).into_iter().collect();
        let rule = rule_id::PROGRAM_UNTRUSTED_PATH;
        self.add_liftable_reason(Decision::Deny, rule, span, text, offers);
    }

    /// The place of a program beneath a root, when it is known and plain enough for a rule.
    fn place_of(&self, program: &Program) -> Option<String> {
        let [path] = program.paths.as_slice() else { return None };
        let is_plain = |c: char| c.is_ascii_alphanumeric() || "/._+@-".contains(c);
        place::of_path(&self.policy.config.roots, path).filter(|place| place.chars().all(is_plain))
    }

    fn report_not_allowed(
        &mut self,
        rule: &'static str,
        program: &Program,
        span: Span,
        manner: &str,
        hint: &str,
    ) {
        let message = format!("Command '{}' is not allowed{manner}", shown(&program.base));
        let text = ReasonText { program: Some(program), message, hint };
        self.add_reason(Decision::Deny, rule, span, text);
    }

    /// Under a deny list alone, asks about a path outside of the trusted directories, which may lead to any program.
    fn ask_about_unlisted_path(&mut self, program: &Program, span: Span) {
        if program.origin == Origin::Untrusted {
            let message =
                format!("Command '{}' is outside the trusted directories", shown(&program.base));
            let hint = "Write the bare program name.";
            self.ask(rule_id::PROGRAM_UNTRUSTED_PATH, program, span, message, hint);
        }
    }

    /// Asks about a name that something replaces before the program starts.
    fn judge_replaced_name(&mut self, program: &Program, span: Span) {
        let replaced = self.placeholder.are_in(&program.base)
            || program.paths.iter().any(|path| self.placeholder.are_in(path));
        if replaced || program.base.starts_with('=') {
            let message = "The name of the program is not known before it runs".to_owned();
            let hint = self.naming_hint();
            self.ask(rule_id::PROGRAM_DYNAMIC, program, span, message, hint);
        }
    }

    /// What helps where the name of a program is only known at run time.
    pub(super) fn naming_hint(&self) -> &'static str {
        if self.has_allow_list() {
            "Write the name of an allowed program in its place."
        } else {
            "Write the name of the program in its place."
        }
    }

    /// The words after the program that a rule of the allow list names. A word that came from the same text as one that no
    /// rule names is left out.
    pub(super) fn words_of_rules(&self, program: &Program, words: &[Word]) -> Vec<Span> {
        let count = lists::named_words(&self.policy.config, program, &words[1..]);
        let (named, others) = words[1..].split_at(count);
        let spans = named.iter().map(|word| word.span);
        spans.filter(|span| others.iter().all(|other| other.span != *span)).collect()
    }

    /// Whether a rule that names the word at this span answers the question about it.
    pub(super) fn is_answered(&self, decision: Decision, rule: &str, span: Span) -> bool {
        can_be_answered(decision, rule) && self.answered.contains(&span)
    }

    /// Whether the allow list does not let this command run. What it would do is not asked about then.
    pub(super) fn is_unlisted(&self, program: &Program, words: &[Word]) -> bool {
        let config = &self.policy.config;
        self.has_allow_list() && lists::allowed(config, program, &words[1..]) != Listing::Listed
    }

    /// Whether the deny list names this program, with any arguments.
    pub(super) fn is_denied_name(&self, name: &str) -> bool {
        self.is_denied_kind(&fold(base_name(name)))
    }

    /// The same for a folded base name.
    pub(super) fn is_denied_kind(&self, folded: &str) -> bool {
        self.policy.denied_names.iter().any(|denied| denied == folded)
    }

    /// Whether the host lists an interpreter, with any arguments, and trusts it with any code.
    pub(super) fn trusts_listed_code(&self) -> bool {
        let config = &self.policy.config;
        let rules = config.allow.as_deref().unwrap_or_default().iter();
        let mut whole_programs = rules.filter(|rule| rule.args.is_none());
        whole_programs.any(|rule| {
            config.trust_interpreters.iter().any(|name| name == base_name(&rule.program))
        })
    }

    /// Whether the host trusts the code of this program: it is a shell or an interpreter that the host named, or a rule
    /// for a place names it. A program of the same name in another directory is not trusted.
    pub(super) fn is_trusted(&self, program: &Program) -> bool {
        let is_interpreter = program.origin != Origin::Untrusted
            && self.policy.config.trust_interpreters.contains(&program.base);
        is_interpreter || program.is_at_place
    }

    /// The program that a word names, in the directories that the script may be in.
    pub(super) fn program(&self, word: &str) -> Program {
        let mut program = Program::parse(word, &self.policy.config.trusted_directories);
        if word.contains('/') && !word.starts_with('/') {
            program.paths = self.resolve(word).unwrap_or_default();
        }
        program.is_at_place = lists::is_at_place(&self.policy.config, &program.paths);
        program
    }
}

/// Whether a rule of the allow list that names its word answers such a reason. What an argument executes is refused
/// otherwise, and is answered as well. What is denied, hidden or set in the environment is not.
pub(super) fn can_be_answered(decision: Decision, rule: &str) -> bool {
    const ANSWERED: [&str; 9] = [
        rule_id::ARGUMENT_UNSEEN,
        rule_id::EFFECT_DESTRUCTIVE,
        rule_id::EFFECT_UPLOAD,
        rule_id::EFFECT_WRITE,
        rule_id::INTERPRETER_CODE,
        rule_id::LAUNCHER_OPTION,
        rule_id::LAUNCHER_OUTSIDE,
        rule_id::PROGRAM_DYNAMIC,
        rule_id::SHELL_SCRIPT,
    ];
    let is_question = decision == Decision::Ask && ANSWERED.contains(&rule);
    is_question || rule == rule_id::ARGUMENT_EXECUTES
}
