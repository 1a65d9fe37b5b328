//! Launchers whose inner command needs more than a row: `xargs`, `find`, `su`, `busybox`, …

use super::options::{Grammar, Order, parse};
use super::payload::Payload;
use super::{Judge, shown};
use crate::program::Program;
use crate::rule_id;
use crate::syntax::word::Word;
use crate::tables::holds;
use crate::tables::starters::STARTERS;
use crate::verdict::Span;

const XARGS: Grammar = Grammar {
    short: "0a:d:E:e::I:i::L:l::n:P:prs:txo",
    long: "null arg-file= delimiter= eof? replace? max-lines? max-args= max-procs= interactive open-tty no-run-if-empty max-chars= verbose show-limits exit process-slot-var= help version",
};
const FLOCK: Grammar = Grammar {
    short: "sexnuE:w:oFhV",
    long: "shared exclusive unlock nonblock nb timeout= wait= conflict-exit-code= close no-fork verbose fcntl help version",
};
const SU: Grammar = Grammar {
    short: "c:lmpPs:g:G:fw:u:ThV",
    long: "command= session-command= login preserve-environment shell= group= supp-group= fast whitelist-environment= user= pty no-pty help version",
};
const SCRIPT: Grammar = Grammar {
    short: "aefqc:B:I:O:T:t::m:o:E:hV",
    long: "append command= echo= return flush force log-io= log-in= log-out= log-timing= logging-format= output-limit= quiet timing? help version",
};
const WATCH: Grammar = Grammar {
    short: "n:d::btegcCpwxrq:s:fhv",
    long: "interval= differences? beep color no-color errexit chgexit equexit= exec precise no-rerun no-title no-wrap no-linewrap shotsdir= follow help version",
};
const DAEMON: Grammar = Grammar {
    short: "SKTHVx:a:n:p:u:g:s:k:c:r:d:N:P:I:R:O:botqvmCie:",
    long: "start stop status exec= startas= name= pidfile= pid= ppid= user= group= signal= retry= chuid= chroot= chdir= nicelevel= procsched= iosched= umask= output= background oknodo test quiet verbose make-pidfile remove-pidfile no-close notify-await notify-timeout= exec",
};
const PERSONALITIES: [&str; 12] = [
    "linux32", "linux64", "i386", "i486", "i586", "i686", "x86_64", "amd64", "aarch64", "armv7l",
    "ppc64le", "uname26",
];

impl Judge<'_> {
    /// True when the program is one of these, which is then judged.
    pub(super) fn starter(&mut self, program: &Program, words: &[Word]) -> bool {
        match program.kind() {
            "xargs" | "gxargs" => self.xargs(program, words),
            "find" | "gfind" | "bfs" => self.find_actions(program, words),
            "flock" => self.flock(program, words),
            "su" | "runuser" => self.su(program, words),
            "watch" => self.watch(program, words),
            "script" => self.script_session(program, words),
            "start-stop-daemon" => self.daemon(program, words),
            "busybox" | "toybox" | "coreutils" | "sbase-box" | "ubase-box" => {
                self.applet(program, words);
            }
            "fd" | "fdfind" => self.fd(program, words),
            "setarch" => self.personality(program, words),
            _ if PERSONALITIES.contains(&program.folded.as_str()) => {
                self.personality(program, words);
            }
            _ if is_loader(&program.folded) => self.loader(program, words),
            _ => return self.opaque_starter(program, words),
        }
        true
    }

    fn opaque_starter(&mut self, program: &Program, words: &[Word]) -> bool {
        let Some(row) = STARTERS.find_program(program) else { return false };
        if super::shell::is_only_version(&words[1..]) && !self.more_arguments {
            return true;
        }
        let starts = row.subcommands.is_empty()
            || words[1..].iter().any(|word| holds(row.subcommands, &word.text));
        if starts {
            self.unfollowed(program, words[0].span);
        }
        // A program with harmless subcommands is judged by the other tables too.
        row.subcommands.is_empty()
    }

    pub(super) fn unfollowed(&mut self, program: &Program, span: Span) {
        let message = format!("What '{}' starts cannot be followed here", shown(&program.base));
        let hint = "Run the inner program directly, or ask for approval.";
        self.dynamic(program, span, message, hint);
    }

    fn xargs(&mut self, program: &Program, words: &[Word]) {
        let parsed = parse(&words[1..], XARGS, Order::FirstOperand);
        if let Some(unknown) = parsed.unknown {
            self.unknown_option(program, unknown);
        }
        let front = words.len() - parsed.operands.len();
        self.front_completed_later(program, &words[1..front]);
        if parsed.operands.is_empty() {
            // `xargs` alone runs `echo`; fed by another one, it runs what that hands on.
            self.named.add("echo");
            if self.more_arguments {
                self.fed(program, words[0].span);
            }
            return;
        }
        if let Some(name) = parsed.value(&["process-slot-var"]) {
            self.variable(Some(program), &name.text, "0", name.span);
        }
        let replaces = parsed
            .given
            .iter()
            .rev()
            .find(|given| matches!(given.name.as_str(), "I" | "i" | "replace"));
        // The later of `-I` and these turns the other off, and a version may see it the other way round.
        let counts = parsed.has(&["n", "max-args", "L", "l", "max-lines"]);
        let appends = replaces.is_none() || counts || self.more_arguments;
        let outer = std::mem::replace(&mut self.more_arguments, appends);
        match replaces {
            Some(given) => {
                let mark = given.value.as_ref().map_or("{}", |word| word.text.as_str()).to_owned();
                self.with_placeholder(&mark, |judge| judge.inner(&parsed.operands));
            }
            None => self.inner(&parsed.operands),
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

    pub(super) fn destructive(&mut self, program: &Program, span: Span, construct: &str) {
        if self.has_allow_list() {
            let message =
                format!("Command '{}' discards data by {construct}", shown(&program.base));
            let hint = "Leave that argument out, or ask for approval.";
            self.ask(rule_id::EFFECT_DESTRUCTIVE, program, span, message, hint);
        }
    }

    fn flock(&mut self, program: &Program, words: &[Word]) {
        let parsed = parse(&words[1..], FLOCK, Order::FirstOperand);
        if let Some(unknown) = parsed.unknown {
            self.unknown_option(program, unknown);
        }
        let command = parsed.operands.get(1..).unwrap_or_default();
        self.front_completed_later(program, &words[1..words.len() - command.len()]);
        match command {
            [] if self.more_arguments => self.fed(program, words[0].span),
            [] => {}
            [flag] if self.more_arguments && flag.text.starts_with('-') => {
                self.fed(program, flag.span);
            }
            [flag, code, ..] if matches!(flag.text.as_str(), "-c" | "--command") => {
                self.shell_code_of(program, code);
            }
            words => self.inner(words),
        }
    }

    fn su(&mut self, program: &Program, words: &[Word]) {
        self.completed_later(program, words);
        let arguments = &words[1..];
        let as_argv = program.folded == "runuser"
            && parse(arguments, SU, Order::FirstOperand).has(&["u", "user"]);
        let order = if as_argv { Order::FirstOperand } else { Order::Anywhere };
        let parsed = parse(arguments, SU, order);
        if let Some(unknown) = parsed.unknown {
            self.unknown_option(program, unknown);
        }
        if as_argv {
            return self.inner(&parsed.operands);
        }
        if let Some(shell) = parsed.value(&["s", "shell"]) {
            let name = Program::parse(&shell.text, &self.policy.config.trusted_directories);
            self.listing(&name, std::slice::from_ref(shell));
        }
        match parsed.value(&["c", "command", "session-command"]) {
            Some(code) => self.shell_code_of(program, code),
            None => self.starts_shell(program, words[0].span),
        }
        if parsed.operands.len() > 2 {
            self.starts_shell(program, words[0].span);
        }
    }

    /// Its operand is the file to write; newer versions take a command behind `--`.
    fn script_session(&mut self, program: &Program, words: &[Word]) {
        self.completed_later(program, words);
        let parsed = parse(&words[1..], SCRIPT, Order::Anywhere);
        if let Some(unknown) = parsed.unknown {
            self.unknown_option(program, unknown);
        }
        let code = parsed.value(&["c", "command"]);
        if let Some(code) = code {
            self.shell_code_of(program, code);
        }
        if code.is_none() || parsed.operands.len() > 1 {
            self.starts_shell(program, words[0].span);
        }
    }

    fn watch(&mut self, program: &Program, words: &[Word]) {
        let parsed = parse(&words[1..], WATCH, Order::FirstOperand);
        if let Some(unknown) = parsed.unknown {
            self.unknown_option(program, unknown);
        }
        self.front_completed_later(program, &words[1..words.len() - parsed.operands.len()]);
        let Some(first) = parsed.operands.first() else {
            return self.completed_later(program, words);
        };
        if parsed.has(&["x", "exec"]) {
            return self.inner(&parsed.operands);
        }
        self.completed_later(program, words);
        let text: Vec<&str> = parsed.operands.iter().map(|word| word.text.as_str()).collect();
        let code = first.with_text(text.join(" "));
        self.shell_code_of(program, &code);
    }

    fn daemon(&mut self, program: &Program, words: &[Word]) {
        let parsed = parse(&words[1..], DAEMON, Order::FirstOperand);
        if let Some(unknown) = parsed.unknown {
            self.unknown_option(program, unknown);
        }
        self.outside(program, words[0].span);
        for given in &parsed.given {
            if let ("x" | "exec" | "a" | "startas", Some(value)) =
                (given.name.as_str(), &given.value)
            {
                let mut inner = vec![value.clone()];
                inner.extend(parsed.operands.iter().cloned());
                self.inner(&inner);
            }
        }
    }

    fn applet(&mut self, program: &Program, words: &[Word]) {
        match &words[1..] {
            [] if self.more_arguments => self.fed(program, words[0].span),
            [only] if self.more_arguments && only.text.starts_with('-') => {
                self.fed(program, only.span);
            }
            [first, rest @ ..] if first.text == "--" || first.text == "--install" => {
                self.inner(rest);
            }
            // The coreutils in one program: `coreutils --coreutils-prog=rm a`.
            [first, rest @ ..] if first.text.starts_with("--coreutils-prog") => {
                if let Some((option, _)) = first.text.split_once('=') {
                    let mut inner = vec![first.tail(option.len() + 1)];
                    inner.extend_from_slice(rest);
                    self.inner(&inner);
                }
            }
            [first, ..] if first.text.starts_with('-') => {}
            rest => self.inner(rest),
        }
    }

    /// `fd -x CMD`: everything after the option is the command, up to `;`. A path goes to its end, or to where a mark
    /// (`{}`, `{/}`, `{.}`) stands; some of them have no directory in front.
    fn fd(&mut self, program: &Program, words: &[Word]) {
        self.completed_later(program, words);
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
                    self.with_placeholder("{", |judge| judge.inner(&inner));
                    self.more_arguments = outer;
                } else {
                    self.executes(program, word.span, "a cluster with `-x`", Payload::Opaque);
                }
            }
        }
    }

    /// `setarch [ARCH] [options] [program]`, and its other names.
    fn personality(&mut self, program: &Program, words: &[Word]) {
        let flags =
            |words: &[Word]| words.iter().take_while(|word| word.text.starts_with('-')).count();
        let mut rest = &words[1..];
        rest = &rest[flags(rest)..];
        if program.folded == "setarch"
            && let Some((first, after)) = rest.split_first()
            && (PERSONALITIES.contains(&first.text.as_str()) || first.text.starts_with("linux"))
        {
            rest = &after[flags(after)..];
        }
        self.front_completed_later(program, &words[1..words.len() - rest.len()]);
        if rest.is_empty() {
            return self.starts_shell(program, words[0].span);
        }
        self.inner(rest);
    }

    /// The dynamic loader runs the file that it is given.
    fn loader(&mut self, program: &Program, words: &[Word]) {
        let mut rest = &words[1..];
        while let [option, after @ ..] = rest {
            let valued = match option.text.as_str() {
                "--library-path"
                | "--inhibit-rpath"
                | "--argv0"
                | "--glibc-hwcaps-prepend"
                | "--glibc-hwcaps-mask" => true,
                "--preload" | "--audit" => {
                    self.executes(program, option.span, "a preloaded library", Payload::Opaque);
                    true
                }
                text if text.starts_with("--preload=") || text.starts_with("--audit=") => {
                    self.executes(program, option.span, "a preloaded library", Payload::Opaque);
                    false
                }
                text if text.starts_with("--") => false,
                _ => break,
            };
            rest = if valued { after.get(1..).unwrap_or_default() } else { after };
        }
        self.front_completed_later(program, &words[1..words.len() - rest.len()]);
        if rest.is_empty() && self.more_arguments {
            self.fed(program, words[0].span);
        }
        self.inner(rest);
    }
}

fn is_loader(name: &str) -> bool {
    name.starts_with("ld-linux")
        || name.starts_with("ld-musl")
        || name == "ld.so"
        || name.starts_with("ld.so.")
        || name.starts_with("ld64.so")
        || (name.starts_with("ld-2.") && name.contains(".so"))
        || (name.starts_with("ld-") && name.contains(".so"))
}
