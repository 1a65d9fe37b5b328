//! git: a program with launchers, aliases and hooks of its own.

use super::payload::Payload;
use super::{Judge, shown};
use crate::program::Program;
use crate::rule_id;
use crate::syntax::word::Word;
use crate::tables::git::{GLOBAL_VALUED, HARMLESS_SETTINGS, OPTIONS, SUBCOMMANDS};
use crate::verdict::Span;

impl Judge<'_> {
    pub(super) fn git(&mut self, program: &Program, words: &[Word]) {
        let mut at = 1;
        while let Some(word) = words.get(at) {
            let text = word.text.as_str();
            if !text.starts_with('-') {
                break;
            }
            at += 1;
            if text == "-c" {
                if let Some(setting) = words.get(at) {
                    self.git_setting(program, setting);
                }
                at += 1;
            } else if text == "--config-env" || text.starts_with("--config-env=") {
                self.unseen(program, word.span, "`--config-env`");
                at += usize::from(!text.contains('='));
            } else if text.starts_with("--exec-path=") {
                self.executes(program, word.span, "`--exec-path`", Payload::Opaque);
            } else if text == "--git-dir" {
                if let Some(value) = words.get(at) {
                    self.git_directory(program, word.span, &value.text);
                }
                at += 1;
            } else if let Some(directory) = text.strip_prefix("--git-dir=") {
                self.git_directory(program, word.span, directory);
            } else if text == "--bare" {
                self.git_directory(program, word.span, ".");
            } else if GLOBAL_VALUED.contains(&text) {
                at += 1;
            }
        }
        let rest = words.get(at..).unwrap_or_default();
        for word in rest {
            let value = word.text.split_once('=').filter(|_| word.text.starts_with('-'));
            let address = value.map_or(word.text.as_str(), |(_, value)| value);
            if let Some(code) = ["ext::", "fd::"].iter().find_map(|kind| address.strip_prefix(kind))
            {
                let code = word.with_text(code);
                self.executes(program, word.span, "an `ext::` address", Payload::Code(&code));
            }
        }
        match rest {
            [] if self.more_arguments => self.fed(program, words[0].span),
            [] => {}
            [subcommand, ..] => self.git_subcommand(program, subcommand, rest),
        }
    }

    /// The settings of a repository can name commands. In the working directory, or another by `-C`, git looks for a
    /// `.git`, which is a protected name, and checks its owner; any other folder may be made to look like a repository.
    fn git_directory(&mut self, program: &Program, span: Span, directory: &str) {
        if directory.trim_end_matches('/').rsplit('/').next() != Some(".git") {
            self.unseen(program, span, "the settings of a folder that is not a `.git`");
        }
    }

    /// `-c key=value`. Most settings can end in a command: only those known to be data pass.
    fn git_setting(&mut self, program: &Program, setting: &Word) {
        let (key, value) = setting.text.split_once('=').unwrap_or((&setting.text, ""));
        if is_harmless(key) {
            return;
        }
        let value = setting.with_text(value.strip_prefix('!').unwrap_or(value));
        let alias_of_git =
            key.to_ascii_lowercase().starts_with("alias.") && !setting.text.contains("=!");
        let payload = if alias_of_git { Payload::Opaque } else { Payload::Code(&value) };
        self.executes(program, setting.span, "`-c`", payload);
    }

    fn git_subcommand(&mut self, program: &Program, subcommand: &Word, words: &[Word]) {
        let name = subcommand.text.as_str();
        if !SUBCOMMANDS.hold(name) {
            self.unknown_subcommand(program, subcommand, words);
        }
        if let Some(row) = OPTIONS.find(name) {
            self.options_of(program, row, words);
        }
        let operands: Vec<&Word> =
            words[1..].iter().filter(|word| !word.text.starts_with('-')).collect();
        let is = |names: &[&str]| {
            operands.first().is_some_and(|word| names.contains(&word.text.as_str()))
        };
        match name {
            "bisect" if is(&["run"]) => {
                let run = words.iter().position(|word| word.text == "run").unwrap_or(0);
                self.executes(
                    program,
                    subcommand.span,
                    "`bisect run`",
                    Payload::Argv(&words[run + 1..]),
                );
            }
            "bisect" if is(&["view", "visualize"]) => {
                self.unseen(program, subcommand.span, "a viewer");
            }
            "submodule" if is(&["foreach"]) => {
                let text: Vec<&str> = operands[1..].iter().map(|word| word.text.as_str()).collect();
                let code = subcommand.with_text(text.join(" "));
                self.executes(
                    program,
                    subcommand.span,
                    "`submodule foreach`",
                    Payload::Code(&code),
                );
            }
            "difftool" | "mergetool" => self.unseen(program, subcommand.span, "a configured tool"),
            "config" => self.git_config(program, words, &operands),
            "clone" => self.clone_settings(program, words),
            "clean" | "rm" if self.is_denied_name("rm") => {
                let message = format!(
                    "Command '{}' can have the effect of a denied one",
                    shown(&program.base)
                );
                let hint = "Do without this effect, or ask for approval.";
                self.ask(rule_id::EFFECT_EQUIVALENT, program, subcommand.span, message, hint);
            }
            _ => {}
        }
        if discards(name, &words[1..]) {
            self.destructive(program, subcommand.span, "this subcommand");
        }
    }

    /// An alias of the repository, or a program on git's path.
    fn unknown_subcommand(&mut self, program: &Program, subcommand: &Word, words: &[Word]) {
        match subcommand.text.as_str() {
            "filter-branch" => {
                self.executes(program, subcommand.span, "`filter-branch`", Payload::Opaque);
            }
            "send-email" if words.len() > 1 => {
                self.unseen(program, subcommand.span, "`send-email`");
            }
            _ => self.unseen(program, subcommand.span, "an alias or a program of its own"),
        }
    }

    fn git_config(&mut self, program: &Program, words: &[Word], operands: &[&Word]) {
        let has = |names: &[&str]| {
            words[1..]
                .iter()
                .any(|word| names.iter().any(|name| word.text.split('=').next() == Some(name)))
        };
        // git takes options only before the first operand: `config KEY VALUE --get` writes.
        let options_end = words[1..]
            .iter()
            .position(|word| !word.text.starts_with('-'))
            .map_or(words.len(), |at| at + 1);
        let leads = |names: &[&str]| {
            words[1..options_end]
                .iter()
                .any(|word| names.iter().any(|name| word.text.split('=').next() == Some(name)))
        };
        // What is read takes a name and at most a pattern; a third operand is something else.
        let reads = operands.len() <= 2
            && leads(&[
                "--get",
                "--get-all",
                "--get-regexp",
                "--get-urlmatch",
                "--list",
                "-l",
                "--get-color",
            ])
            || operands.first().is_some_and(|word| matches!(word.text.as_str(), "get" | "list"));
        let key = operands.iter().find(|word| word.text.contains('.'));
        let one_key = operands.len() == 1
            && key.is_some()
            && !has(&["--unset", "--unset-all", "-e", "--edit"]);
        let elsewhere = has(&["--global", "--system", "--file", "-f", "--blob", "--worktree"]);
        let harmless = key.is_some_and(|word| is_harmless(&word.text));
        let sections = has(&["--rename-section", "--remove-section", "-e", "--edit"])
            || operands.first().is_some_and(|word| {
                matches!(word.text.as_str(), "edit" | "rename-section" | "remove-section")
            });
        let passes = reads || (!sections && (one_key || (harmless && !elsewhere)));
        if !passes {
            self.unseen(program, words[0].span, "a setting that outlives this call");
        }
    }

    /// `clone -c key=value`, `--config key=value`.
    fn clone_settings(&mut self, program: &Program, words: &[Word]) {
        for (at, word) in words.iter().enumerate().skip(1) {
            let text = word.text.as_str();
            let long = text.len() > 3
                && "--config".starts_with(text.split('=').next().unwrap_or_default());
            if let Some((_, setting)) = text.split_once('=').filter(|_| long) {
                self.git_setting(program, &word.with_text(setting));
            } else if long
                || (text.starts_with('-') && !text.starts_with("--") && text.ends_with('c'))
            {
                if let Some(setting) = words.get(at + 1) {
                    self.git_setting(program, setting);
                }
            } else if text.starts_with("-c") {
                self.git_setting(program, &word.tail(2));
            }
        }
    }
}

fn is_harmless(key: &str) -> bool {
    let lower = key.to_ascii_lowercase();
    HARMLESS_SETTINGS
        .split(' ')
        .any(|known| known == lower || (known.ends_with('.') && lower.starts_with(known)))
}

/// Uses that throw away work which is not committed, or rewrite what others see.
fn discards(subcommand: &str, arguments: &[Word]) -> bool {
    let has = |names: &[&str]| arguments.iter().any(|word| names.contains(&word.text.as_str()));
    let short = |letter: char| {
        arguments.iter().any(|word| {
            word.text.starts_with('-') && !word.text.starts_with("--") && word.text.contains(letter)
        })
    };
    let long = |full: &str, least: usize| {
        arguments.iter().any(|word| {
            let name = word.text.split('=').next().unwrap_or_default();
            name.len() >= least && full.starts_with(name)
        })
    };
    match subcommand {
        "clean" => !short('n') && !long("--dry-run", 3),
        "rm" => !long("--cached", 3) && !short('n') && !long("--dry-run", 3),
        "checkout" | "switch" | "checkout-index" => {
            short('f') || long("--force", 4) || long("--discard-changes", 4) || has(&["--", "."])
        }
        "restore" => !long("--staged", 5) && !short('S') || short('W') || long("--worktree", 4),
        "reset" => long("--hard", 4) || long("--merge", 4) || long("--keep", 3),
        "push" => {
            short('f')
                || short('d')
                || long("--force-with-lease", 4)
                || long("--force-if-includes", 4)
                || long("--mirror", 3)
                || long("--delete", 4)
                || long("--prune", 5)
                || arguments.iter().any(|word| word.text.starts_with(['+', ':']))
        }
        "stash" => has(&["drop", "clear"]),
        "branch" | "tag" => short('D') || (short('d') && short('f')),
        "reflog" => has(&["expire", "delete"]),
        "worktree" => has(&["remove"]) && (short('f') || long("--force", 4)),
        "update-ref" => short('d'),
        _ => false,
    }
}
