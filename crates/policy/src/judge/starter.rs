//! Judges launchers that a row of the table cannot describe: `xargs`, `find`, `fd`, `busybox` and the dynamic loader.

use super::options::{Grammar, OptionsEnd, parse};
use super::payload::Payload;
use super::{Judge, shown};
use crate::program::Program;
use crate::syntax::word::Word;
use crate::tables::holds;
use crate::verdict::Span;

const XARGS: Grammar = Grammar {
    short: "0a:d:E:e::I:i::L:l::n:P:prs:txo",
    long: "null arg-file= delimiter= eof? replace? max-lines? max-args= max-procs= interactive open-tty no-run-if-empty max-chars= verbose show-limits exit process-slot-var= help version",
};
/// Programs that contain many programs; the first argument names the one to run.
const APPLETS: &str = "busybox toybox coreutils sbase-box ubase-box";

impl Judge<'_> {
    /// Judges a launcher of this file. True when the program is one.
    pub(super) fn judge_starter(&mut self, program: &Program, words: &[Word]) -> bool {
        match program.kind() {
            "xargs" | "gxargs" => self.judge_xargs(program, words),
            "find" | "gfind" | "bfs" => self.judge_find_actions(program, words),
            "fd" | "fdfind" => self.judge_fd(program, words),
            name if holds(APPLETS, name) => self.judge_applet(program, words),
            _ if is_loader(&program.folded) => self.judge_launcher_named("ld.so", program, words),
            _ => return false,
        }
        true
    }

    pub(super) fn ask_about_unfollowed_program(&mut self, program: &Program, span: Span) {
        let message = format!("What '{}' starts cannot be followed here", shown(&program.base));
        let hint = "Run the inner program directly.";
        self.ask_about_unknown_program(program, span, message, hint);
    }

    fn judge_xargs(&mut self, program: &Program, words: &[Word]) {
        let parsed = parse(&words[1..], XARGS, OptionsEnd::FirstOperand);
        if let Some(unknown) = parsed.unknown {
            self.ask_about_unknown_option(program, unknown);
        }
        let front = words.len() - parsed.operands.len();
        self.ask_about_unknown_options(program, &words[1..front]);
        if parsed.operands.is_empty() {
            // Without a command, `xargs` runs `echo`; inside of another `xargs` it runs what that one appends.
            self.named.add("echo");
            if self.more_arguments {
                self.ask_about_standard_input(program, words[0].span);
            }
            return;
        }
        if let Some(name) = parsed.value("process-slot-var") {
            self.judge_variable(Some(program), &name.text, "0", name.span);
        }
        let replaces = parsed
            .given
            .iter()
            .rev()
            .find(|given| matches!(given.name.as_str(), "I" | "i" | "replace"));
        // `-I` and these options turn each other off, and versions differ in which one wins.
        let counts = parsed.has("n max-args L l max-lines");
        let appends = replaces.is_none() || counts || self.more_arguments;
        let outer = std::mem::replace(&mut self.more_arguments, appends);
        match replaces {
            Some(given) => {
                let mark = given.value.as_ref().map_or("{}", |word| word.text.as_str()).to_owned();
                self.with_placeholder(&mark, |judge| judge.judge_inner_command(&parsed.operands));
            }
            None => self.judge_inner_command(&parsed.operands),
        }
        self.more_arguments = outer;
    }

    pub(super) fn with_placeholder(&mut self, mark: &str, judge: impl FnOnce(&mut Self)) {
        let outer = self.placeholder.replace(mark.to_owned());
        let outer_by_path = std::mem::take(&mut self.replaced_by_path);
        judge(self);
        self.placeholder = outer;
        self.replaced_by_path = outer_by_path;
    }

    fn judge_applet(&mut self, program: &Program, words: &[Word]) {
        match &words[1..] {
            [] if self.more_arguments => self.ask_about_standard_input(program, words[0].span),
            [only] if self.more_arguments && only.text.starts_with('-') => {
                self.ask_about_standard_input(program, only.span);
            }
            [first, rest @ ..] if first.text == "--" || first.text == "--install" => {
                self.judge_inner_command(rest);
            }
            [first] if first.text.starts_with("--") && !first.text.contains('=') => {}
            [first, ..] if first.text.starts_with('-') => {
                self.ask_about_unknown_option(program, first.span);
            }
            rest => self.judge_inner_command(rest),
        }
    }

    /// Judges the commands of `fd`. After `-x`, all words up to `;` are the command. `fd` appends a path or inserts it
    /// for `{}`, `{/}` or `{.}`; inserted paths may have no directory in front.
    fn judge_fd(&mut self, program: &Program, words: &[Word]) {
        self.ask_about_unknown_arguments(program, words[0].span, &words[1..]);
        let arguments = &words[1..];
        for (at, word) in arguments.iter().enumerate() {
            let text = word.text.as_str();
            let cluster =
                text.starts_with('-') && !text.starts_with("--") && text.contains(['x', 'X']);
            if cluster
                || text.starts_with("--ex")
                    && !text.starts_with("--exclude")
                    && !text.starts_with("--ext")
            {
                let value = text.split_once('=').map(|(name, _)| word.tail(name.len() + 1));
                let rest = value.into_iter().chain(arguments[at + 1..].iter().cloned());
                let inner: Vec<Word> = rest.take_while(|word| word.text != ";").collect();
                if text == "-x" || text == "-X" || text.starts_with("--") {
                    let outer = std::mem::replace(&mut self.more_arguments, true);
                    self.with_placeholder("{", |judge| judge.judge_inner_command(&inner));
                    self.more_arguments = outer;
                } else {
                    self.judge_executing_argument(
                        program,
                        word.span,
                        "a cluster with `-x`",
                        Payload::Opaque,
                    );
                }
            }
        }
    }
}

/// Whether the program is a dynamic loader, which runs the file that it is given.
fn is_loader(name: &str) -> bool {
    name.starts_with("ld-linux")
        || name.starts_with("ld-musl")
        || name.starts_with("ld64.so")
        || name == "ld.so"
        || name.starts_with("ld.so.")
        || (name.starts_with("ld-") && name.contains(".so"))
}
