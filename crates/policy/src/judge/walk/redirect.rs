//! Judges redirections by the files that they open.

use super::super::{Judge, ReasonText};
use super::directory::{SHARED_TEMPORARY_FOLDER, is_beneath};
use super::names::{is_set_by_bash, may_be_socket};
use crate::mark;
use crate::paths::Blocked;
use crate::rule_id;
use crate::syntax::tree::{Operator, Part, Redirection};
use crate::syntax::word::Word;
use crate::tables::secrets::is_secret_file;
use crate::verdict::{Decision, Span};

/// Files that may be written without any lasting effect.
const HARMLESS_TARGETS: [&str; 4] = ["/dev/null", "/dev/stdout", "/dev/stderr", "/dev/tty"];
/// The folder of shared memory.
const SHARED_MEMORY_FOLDER: &str = "/dev/shm";
/// Folders of the system whose entries are not ordinary files.
const SYSTEM_FOLDERS: [&str; 3] = ["/dev", "/proc", "/sys"];

const LITERAL: &str = "Write to a literal path beneath a root that commands may change, or leave the redirection out: both outputs are captured.";
const BENEATH: &str =
    "Write beneath one of them, or leave the redirection out: both outputs are captured.";
/// Where no path can be written.
const LEAVE_OUT: &str =
    "Nothing can be written here: leave the redirection out, both outputs are captured.";

/// What a redirection makes of standard input.
pub(super) enum Input {
    /// Standard input stays as it was.
    Same,
    Opaque,
    /// Standard input is a text in the script.
    Text(Word),
}

impl Judge<'_> {
    /// Judges a redirection, and returns what it makes of standard input.
    pub(super) fn judge_redirection(&mut self, redirection: &Redirection) -> Input {
        let Some(word) = redirection.target.word() else { return Input::Opaque };
        let is_input = redirection.descriptor == 0;
        let opaque = if is_input { Input::Opaque } else { Input::Same };
        match redirection.operator {
            Operator::HereDocument | Operator::HereString => {
                let text = self.text(word);
                return if is_input {
                    Input::Text(Word { text, span: word.span })
                } else {
                    Input::Same
                };
            }
            Operator::Duplicate => {
                self.judge_copied_descriptor(word, redirection.span);
                return opaque;
            }
            _ => {}
        }
        if redirection.operator == Operator::Input
            && let [Part::Parameter(parameter)] = word.parts.as_slice()
            && parameter.is_plain()
        {
            if self.is_temporary(&parameter.name) {
                self.walk.temporary_uses.push((parameter.name.clone(), redirection.span));
                return opaque;
            }
            // Whether the variable may hold the name of a socket is known at the end of the script.
            self.walk.opened_variables.push((parameter.name.clone(), redirection.span));
            return opaque;
        }
        let target = self.file(word);
        if ["/dev/tcp/", "/dev/udp/"].iter().any(|socket| target.starts_with(socket)) {
            let message = "A redirection to `/dev/tcp` or `/dev/udp` opens a connection".to_owned();
            let text =
                ReasonText { program: None, message, hint: "Use a program that is listed for it." };
            self.add_reason(Decision::Deny, rule_id::SYNTAX_REDIRECTION, redirection.span, text);
            return opaque;
        }
        if may_be_socket(&target) {
            self.ask_about_connection(redirection.span);
        }
        if matches!(redirection.operator, Operator::Input | Operator::ReadWrite) {
            self.judge_opened_input(&target, redirection.span);
        }
        if is_secret_file(&target) {
            self.refuse_secret_file(redirection.span);
        }
        if redirection.operator != Operator::Input {
            self.judge_write(&target, redirection.span);
        }
        opaque
    }

    fn ask_about_connection(&mut self, span: Span) {
        let message = "A redirection that is only known when it runs may open a connection";
        let hint = "Begin the path with what is known of it: `./`, or a folder.";
        self.ask_without_program(rule_id::SYNTAX_REDIRECTION, span, message, hint);
    }

    /// Judges the variables that redirections open, once all assignments of the script are known.
    pub(in crate::judge) fn judge_opened_variables(&mut self) {
        for (name, span) in std::mem::take(&mut self.walk.opened_variables) {
            let is_set = self.walk.text_variables.contains(&name)
                || self.walk.number_variables.contains(&name);
            let inherited = self.walk.surroundings.environment.contains(&name);
            let by_bash = is_set_by_bash(&name);
            let may_be_socket = self.walk.possible_sockets.contains(&name);
            let trusts_code = !self.is_typed_into() && self.trusts_listed_code();
            // Code that the host trusts may connect to anything as well.
            if !is_set || inherited || by_bash || (may_be_socket && !trusts_code) {
                self.ask_about_connection(span);
            }
        }
    }

    fn judge_write(&mut self, target: &str, span: Span) {
        // The target is a process substitution, whose command is judged by itself.
        let is_process =
            target.strip_prefix("/dev/fd/").is_some_and(|rest| rest == mark::ANY_PATH.to_string());
        let is_number =
            |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
        let is_descriptor = target.strip_prefix("/dev/fd/").is_some_and(is_number);
        if is_process || is_descriptor || HARMLESS_TARGETS.contains(&target) {
            return;
        }
        if mark::is_temporary_path(target) && self.is_kept_in_roots() {
            return;
        }
        let free_without_roots =
            self.is_deny_only() && self.walk.surroundings.writable_roots.is_none();
        let paths = if mark::is_in(target) { None } else { self.resolve(target) };
        let Some(paths) = paths else {
            if !free_without_roots || self.walk.surroundings.path_rules.is_some() {
                self.asks_to_write(span, "to a file that is only known when it runs", LITERAL);
            }
            return;
        };
        let roots = self.walk.surroundings.writable_roots.unwrap_or_default();
        for path in paths {
            if mark::is_temporary_path(&path[1..]) && self.is_kept_in_roots() {
                continue;
            }
            if is_beneath(&path, SHARED_TEMPORARY_FOLDER) && self.is_temporary_folder_own() {
                continue;
            }
            // With its writes held beneath the roots, a run has this folder of its own, or does not write there.
            if is_beneath(&path, SHARED_MEMORY_FOLDER) && self.is_kept_in_roots() {
                continue;
            }
            let in_root = || roots.iter().any(|root| is_beneath(&path, root));
            let rules = self.walk.surroundings.path_rules;
            let blocked = rules.and_then(|rules| rules.judge_write(&path));
            let blocked = blocked.filter(|blocked| !self.is_source(blocked, &path));
            if let Some(blocked) = blocked {
                self.refuses_to_write(blocked, span);
            } else if SYSTEM_FOLDERS.iter().any(|folder| is_beneath(&path, folder))
                || !(free_without_roots || in_root())
            {
                self.asks_to_write(span, "outside of the roots that commands may change", BENEATH);
            }
        }
    }

    /// Whether the kernel keeps a file in the private temporary folder, or refuses to make it: where `mktemp` has failed,
    /// its path is none.
    fn is_kept_in_roots(&mut self) -> bool {
        let held = self.walk.surroundings.enforced.roots;
        self.required_enforcement.roots |= held;
        held
    }

    /// Whether the kernel gives each run a `/tmp` of its own.
    pub(super) fn is_temporary_folder_own(&mut self) -> bool {
        let held = self.walk.surroundings.enforced.temporary;
        self.required_enforcement.temporary |= held;
        held
    }

    fn refuses_to_write(&mut self, blocked: Blocked, span: Span) {
        let rule = blocked.rule;
        let hint = blocked.hint();
        if blocked.is_only_new() {
            if !self.is_writing_prevented() {
                let message = format!("A redirection makes a file that is run later ({rule})");
                self.ask_without_program(
                    rule_id::EFFECT_WRITE,
                    span,
                    &message,
                    self.hint_to_write(&hint),
                );
            }
            return;
        }
        let message = format!("The target of a redirection is protected ({rule})");
        let text = ReasonText { program: None, message, hint: self.hint_to_write(&hint) };
        self.add_reason(Decision::Deny, rule_id::EFFECT_WRITE, span, text);
    }

    fn asks_to_write(&mut self, span: Span, place: &str, hint: &str) {
        if self.is_writing_prevented() {
            return;
        }
        let message = format!("A redirection writes {place}");
        self.ask_without_program(rule_id::EFFECT_WRITE, span, &message, self.hint_to_write(hint));
    }

    /// The hint, where there is a root that it can be followed in.
    fn hint_to_write<'h>(&self, hint: &'h str) -> &'h str {
        let has_none = self.walk.surroundings.writable_roots.is_some_and(<[String]>::is_empty);
        if has_none { LEAVE_OUT } else { hint }
    }
}
