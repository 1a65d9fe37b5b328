//! git: a program with launchers, aliases and hooks of its own.

use super::options::{Grammar, Order, parse};
use super::payload::Payload;
use super::{Judge, shown};
use crate::program::Program;
use crate::rule_id;
use crate::syntax::word::Word;
use crate::tables::git::{
    CLEAN, CONFIG, EVERYWHERE, FILLERS, GLOBAL_PLAIN, GLOBAL_VALUED, HARMLESS_SETTINGS, MERGE_FILE,
    OPTIONS, RESTORE, RM, SUBCOMMANDS,
};
use crate::tables::holds;
use crate::verdict::Span;

/// Options of `git config` that read.
const READS: [&str; 7] = ["get", "get-all", "get-regexp", "get-urlmatch", "list", "l", "get-color"];
/// Options of `git config` that name another file than the repository's.
const ELSEWHERE: [&str; 6] = ["global", "system", "file", "f", "blob", "worktree"];

impl Judge<'_> {
    pub(super) fn git(&mut self, program: &Program, words: &[Word]) {
        let mut at = 1;
        while let Some(word) = words.get(at).filter(|word| word.text.starts_with('-')) {
            at += 1;
            let (name, attached) = match word.text.split_once('=') {
                Some((name, _)) if name.starts_with("--") => {
                    (name, Some(word.tail(name.len() + 1)))
                }
                _ => (word.text.as_str(), None),
            };
            let separate = attached.is_none() && takes_word(name);
            let value = if separate { words.get(at).cloned() } else { attached };
            at += usize::from(separate);
            self.git_global(program, word.span, name, value.as_ref());
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

    /// An option in front of the subcommand.
    fn git_global(&mut self, program: &Program, span: Span, name: &str, value: Option<&Word>) {
        match (name, value) {
            ("-c", Some(setting)) => self.git_setting(program, setting),
            ("--config-env", _) => self.unseen(program, span, "`--config-env`"),
            ("--exec-path", Some(_)) => {
                self.executes(program, span, "`--exec-path`", Payload::Opaque);
            }
            ("--git-dir", Some(directory)) => self.git_directory(program, span, &directory.text),
            ("--bare", _) => self.git_directory(program, span, "."),
            // There, git's own files are a work tree: `checkout HEAD config` writes settings.
            ("-C" | "--work-tree", Some(directory)) => {
                if names_repository(&directory.text) {
                    self.writes(program, span, "a work tree inside of a repository");
                }
            }
            ("--list-cmds", _) => {}
            _ if takes_word(name) || holds(GLOBAL_PLAIN, name) => {}
            _ => self.unseen(program, span, "an option that is not known here"),
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
    pub(super) fn git_setting(&mut self, program: &Program, setting: &Word) {
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
        self.options_of(program, &EVERYWHERE, words);
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
            "config" => self.git_config(program, words),
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
        self.git_writes(program, subcommand, words, &operands);
        if discards(name, &words[1..]) {
            self.destructive(program, subcommand.span, "this subcommand");
        }
    }

    /// Operands that name what is written.
    fn git_writes(
        &mut self,
        program: &Program,
        subcommand: &Word,
        words: &[Word],
        operands: &[&Word],
    ) {
        let name = subcommand.text.as_str();
        let first = operands.first().map(|word| word.text.as_str());
        let writes = match name {
            "bundle" => first == Some("create"),
            "merge-file" => {
                !parse(&words[1..], MERGE_FILE, Order::Anywhere).has(&["p", "stdout", "object-id"])
            }
            "mailinfo" | "mailsplit" => true,
            "pack-objects" => !words[1..].iter().any(|word| word.text == "--stdout"),
            _ => false,
        };
        // A source may be a `.git`.
        let sources = usize::from(name == "clone");
        let fills = holds(FILLERS, name)
            && (operands.iter().any(|word| is_inside_repository(&word.text))
                || operands.iter().skip(sources).any(|word| names_repository(&word.text)));
        if writes || fills {
            self.writes(program, subcommand.span, "an operand");
        }
        let runs_hooks = match name {
            "push" | "send-pack" => pushes_to_folder(&words[1..]),
            "remote" => {
                matches!(first, Some("add" | "set-url"))
                    && (operands[1..].iter().any(|word| is_folder(&word.text))
                        || operands.iter().skip(2).any(|word| is_path(&word.text)))
            }
            _ => false,
        };
        if runs_hooks {
            self.unseen(program, subcommand.span, "the hooks of a repository in a folder");
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

    fn git_config(&mut self, program: &Program, words: &[Word]) {
        let parsed = parse(&words[1..], CONFIG, Order::Anywhere);
        // git takes options only before the first operand: `config KEY VALUE --get` writes. Subcommands take their own.
        let leading = parse(&words[1..], CONFIG, Order::FirstOperand);
        let operands = &parsed.operands;
        let is = |names: &str| operands.first().is_some_and(|word| holds(names, &word.text));
        // What is read takes a name and at most a pattern; a third operand is something else.
        let reads = operands.len() <= 2 && leading.has(&READS) || is("get list");
        let key = operands.iter().find(|word| word.text.contains('.'));
        let one_key = operands.len() == 1 && key.is_some() && !parsed.has(&["unset", "unset-all"]);
        let harmless = key.is_some_and(|word| is_harmless(&word.text));
        let sections = parsed.has(&["rename-section", "remove-section", "e", "edit"])
            || is("edit rename-section remove-section");
        let passes = parsed.unknown.is_none()
            && (reads || !sections && (one_key || harmless && !parsed.has(&ELSEWHERE)));
        if !passes {
            self.unseen(program, words[0].span, "a setting that outlives this call");
        }
    }
}

fn takes_word(global: &str) -> bool {
    matches!(global, "-c" | "-C" | "--config-env" | "--git-dir" | "--work-tree")
        || holds(GLOBAL_VALUED, global)
}

/// A path with a `.git` in it, in whatever case a file system may ignore.
fn names_repository(path: &str) -> bool {
    path.split('/').any(|part| part.eq_ignore_ascii_case(".git"))
}

/// The same, and it goes on behind it.
fn is_inside_repository(path: &str) -> bool {
    path.trim_end_matches('/').rsplit_once('/').is_some_and(|(above, _)| names_repository(above))
}

/// An address that can only be a folder of this machine.
fn is_folder(address: &str) -> bool {
    address.starts_with(['.', '/']) || address.starts_with("file:")
}

/// An address that is one unless a remote has such a name.
fn is_path(address: &str) -> bool {
    let ends_in_git = |(_, ending): (&str, &str)| ending.eq_ignore_ascii_case("git");
    is_folder(address)
        || !address.contains(':')
            && (address.contains('/') || address.rsplit_once('.').is_some_and(ends_in_git))
}

/// Whether a push goes to a folder by its first operand, or by an option: `--repo=FOLDER`. The others are names of
/// branches, which may have a `/`.
fn pushes_to_folder(arguments: &[Word]) -> bool {
    let mut is_first = true;
    let mut is_value = false;
    arguments.iter().any(|word| {
        let text = word.text.as_str();
        if text.starts_with('-') {
            let (name, value) = text.split_once('=').unwrap_or((text, ""));
            is_value = value.is_empty() && name == "-o";
            let repository = name.len() > 3 && "--repo".starts_with(name);
            if repository && value.is_empty() {
                is_first = true;
            }
            return is_folder(value) || repository && is_path(value);
        }
        let is_address = std::mem::take(&mut is_first) && !is_value;
        is_first |= std::mem::take(&mut is_value);
        is_folder(text) || is_address && is_path(text)
    })
}

fn is_harmless(key: &str) -> bool {
    let lower = key.to_ascii_lowercase();
    HARMLESS_SETTINGS
        .split(' ')
        .any(|known| known == lower || (known.ends_with('.') && lower.starts_with(known)))
}

/// Uses that throw away work which is not committed, or rewrite what others see. What makes a use harmless must be an
/// option for certain; what makes it harmful may as well be a value that looks like one.
fn discards(subcommand: &str, arguments: &[Word]) -> bool {
    let spares = |grammar: Grammar, names: &[&str]| {
        let parsed = parse(arguments, grammar, Order::Anywhere);
        parsed.unknown.is_none() && parsed.has(names)
    };
    let has = |names: &[&str]| arguments.iter().any(|word| names.contains(&word.text.as_str()));
    let short = |letter: char| {
        arguments.iter().any(|word| {
            word.text.starts_with('-') && !word.text.starts_with("--") && word.text.contains(letter)
        })
    };
    let long = |full: &str| {
        arguments.iter().any(|word| {
            let name = word.text.split('=').next().unwrap_or_default();
            name.len() > 2 && full.starts_with(name)
        })
    };
    match subcommand {
        "clean" => !spares(CLEAN, &["n", "dry-run"]),
        "rm" => !spares(RM, &["n", "dry-run", "cached"]),
        "checkout" | "switch" | "checkout-index" => {
            short('f') || long("--force") || long("--discard-changes") || has(&["--", "."])
        }
        "restore" => !spares(RESTORE, &["S", "staged"]) || short('W') || long("--worktree"),
        "reset" => long("--hard") || long("--merge") || long("--keep"),
        "push" => {
            short('f')
                || short('d')
                || long("--force-with-lease")
                || long("--force-if-includes")
                || long("--mirror")
                || long("--delete")
                || long("--prune")
                || arguments.iter().any(|word| word.text.starts_with(['+', ':']))
        }
        "stash" => has(&["drop", "clear"]),
        "branch" | "tag" => short('D') || (short('d') && short('f')),
        "reflog" => has(&["expire", "delete"]),
        "worktree" => has(&["remove"]) && (short('f') || long("--force")),
        "update-ref" => short('d'),
        _ => false,
    }
}
