//! Compilers, builders and package managers: what runs code besides their options.

use super::Judge;
use super::payload::Payload;
use crate::lists::option_name;
use crate::program::Program;
use crate::syntax::word::Word;
use crate::tables::arguments::ROWS;
use crate::tables::extensibles::EXTENSIBLES;
use crate::tables::holds;

impl Judge<'_> {
    pub(super) fn make(&mut self, program: &Program, words: &[Word]) {
        self.operand_completed_later(program, words);
        for (at, word) in words.iter().enumerate().skip(1) {
            let text = word.text.as_str();
            let standard_input =
                matches!(text, "-f-" | "--file=-" | "--makefile=-" | "-f/dev/stdin")
                    || (text.starts_with('-')
                        && text.ends_with(['f', 'e'])
                        && words
                            .get(at + 1)
                            .is_some_and(|next| next.text == "-" || next.text == "/dev/stdin"));
            if standard_input {
                self.unseen(program, word.span, "standard input");
            }
            let variable = text.split([':', '+', '?', '!', '=']).next().unwrap_or_default();
            if text.contains('=')
                && !text.starts_with('-')
                && (matches!(
                    variable,
                    "SHELL" | ".SHELLFLAGS" | "MAKEFLAGS" | "MAKE" | "CC" | "CXX" | "PATH"
                ) || text.contains("$(")
                    || text.contains("${")
                    || text.contains("!="))
            {
                self.executes(program, word.span, "a variable", Payload::Opaque);
            } else if text.contains('=')
                && !text.starts_with('-')
                && text.contains([';', '&', '|', '<', '>', '`', '\n'])
            {
                // Recipes put variables into code without quotes.
                self.unseen(program, word.span, "a variable");
            }
        }
    }

    pub(super) fn npm(&mut self, program: &Program, words: &[Word]) {
        let mut operands = words[1..].iter().filter(|word| !word.text.starts_with('-'));
        let (first, second) = (operands.next(), operands.next());
        let is = |word: Option<&Word>, names: &[&str]| {
            word.is_some_and(|word| names.contains(&word.text.as_str()))
        };
        if is(first, &["config", "c", "set"]) && !is(second, &["get", "list", "ls"]) {
            self.unseen(program, words[0].span, "its configuration");
        }
        self.npm_spellings(program, words);
    }

    /// npm reads a name behind any number of dashes and negations, pnpm any setting behind `config.`: what the table of
    /// arguments does not know in that spelling is looked up in the usual one.
    fn npm_spellings(&mut self, program: &Program, words: &[Word]) {
        let Some(row) = ROWS.find(program.kind()) else { return };
        let usual = |word: &Word| {
            if !word.text.starts_with('-') {
                return word.clone();
            }
            let usual = format!("--{}", option_name(&word.text));
            let given = word.text.split('=').next().unwrap_or_default();
            word.with_text(if given == usual { "-" } else { usual.as_str() })
        };
        let words: Vec<Word> = words.iter().map(usual).collect();
        self.options_of(program, row, &words);
    }

    /// Options from a file, a folder of programs, and plug-ins.
    pub(super) fn compiler(&mut self, program: &Program, words: &[Word]) {
        for word in &words[1..] {
            let text = word.text.as_str();
            if text.starts_with('@') {
                self.unseen(program, word.span, "`@file`");
            } else if [
                // Also `-Bstatic`: gcc looks for its parts in a folder of that name.
                "-B",
                "-fplugin",
                "-iplugindir",
                "--gcc-toolchain",
                "--ld-path",
                "-specs",
                "-wrapper",
                "-fpass-plugin",
                "--config",
                "-Xclang",
                "-plugin",
            ]
            .iter()
            .any(|option| text.starts_with(option) || text.starts_with(&format!("-{option}")))
            {
                self.executes(program, word.span, "an option", Payload::Opaque);
            }
        }
        self.linker(program, words);
    }

    /// What a compiler hands on: `-Wl,WORD,WORD`, `-Xlinker WORD`, and the same for the assembler and preprocessor,
    /// whose words start nothing besides a file of options.
    fn linker(&mut self, program: &Program, words: &[Word]) {
        let mut handed = vec![words[0].clone()];
        for (at, word) in words.iter().enumerate().skip(1) {
            let is_tool = |tool: &&&str| word.text.starts_with(**tool);
            if let Some(tool) = ["-Wl,", "-Wa,", "-Wp,"].iter().find(is_tool) {
                let pieces = word.text[tool.len()..].split(',');
                let file = pieces.clone().any(|piece| piece.starts_with('@'));
                if file {
                    self.unseen(program, word.span, "`@file`");
                }
                if *tool == "-Wl," {
                    handed.extend(pieces.map(|piece| word.with_text(piece)));
                }
            } else if matches!(word.text.as_str(), "-Xlinker" | "--for-linker") {
                handed.extend(words.get(at + 1).cloned());
            } else if let Some(piece) = word.text.strip_prefix("--for-linker=") {
                handed.push(word.with_text(piece));
            }
        }
        if let Some(row) = ROWS.find("ld") {
            self.options_of(program, row, &handed);
        }
    }

    /// Variables that name programs and scripts, and files of variables. `-E` and `-P` are starters.
    pub(super) fn cmake(&mut self, program: &Program, words: &[Word]) {
        const NAMES: [&str; 9] = [
            "COMPILER",
            "PROGRAM",
            "LAUNCHER",
            "TOOLCHAIN",
            "INCLUDE",
            "LINKER",
            "COMMAND",
            "EXECUTABLE",
            "EMULATOR",
        ];
        for (at, word) in words.iter().enumerate().skip(1) {
            let text = word.text.as_str();
            if text.starts_with("-C") || text.starts_with("--toolchain") {
                self.unseen(program, word.span, "a file of settings");
            }
            let setting = match text.strip_prefix("-D") {
                Some("") => words.get(at + 1).map(|next| next.text.as_str()),
                other => other,
            };
            let name =
                setting.and_then(|setting| setting.split(['=', ':']).next()).unwrap_or_default();
            if NAMES.iter().any(|part| name.contains(part)) {
                self.executes(program, word.span, "a variable", Payload::Opaque);
            }
        }
    }

    /// `@file` stands for the options in the file.
    pub(super) fn response_file(&mut self, program: &Program, words: &[Word]) {
        if let Some(word) = words[1..].iter().find(|word| word.text.starts_with('@')) {
            self.unseen(program, word.span, "`@file`");
        }
    }

    /// `-J` hands an option to the virtual machine, which loads agents and libraries; `-Xplugin:` names a plug-in.
    pub(super) fn java_tool(&mut self, program: &Program, words: &[Word]) {
        let loads = |word: &&Word| {
            ["-J", "-Xplugin", "--plugin"].iter().any(|option| word.text.starts_with(option))
        };
        if let Some(word) = words[1..].iter().find(loads) {
            self.executes(program, word.span, "an option of the virtual machine", Payload::Opaque);
        }
        self.response_file(program, words);
    }

    /// Goals and properties that run a command.
    pub(super) fn maven(&mut self, program: &Program, words: &[Word]) {
        let runs = |word: &&Word| {
            let text = word.text.as_str();
            text.starts_with("exec:")
                || text.contains(":exec-maven-plugin")
                || text.starts_with("-Dexec")
                || text.contains("antrun:")
        };
        if let Some(word) = words[1..].iter().find(runs) {
            self.executes(program, word.span, "a goal", Payload::Opaque);
        }
    }

    pub(super) fn go(&mut self, program: &Program, words: &[Word]) {
        let has = |text: &str| words[1..].iter().any(|word| word.text == text);
        if has("env") && (has("-w") || has("-u")) {
            self.unseen(program, words[0].span, "its configuration");
        }
        // `go run example.org/x@v1` fetches what it runs.
        if let Some(word) = words[1..].iter().find(|word| has("run") && word.text.contains('@')) {
            self.unseen(program, word.span, "a module of elsewhere");
        }
    }

    /// Subcommands that a program does not bring are programs on the search path. True when the program has a
    /// row.
    pub(super) fn foreign(&mut self, program: &Program, words: &[Word]) -> bool {
        let Some(row) = EXTENSIBLES.find(program.kind()) else { return false };
        let mut rest = words[1..].iter();
        while let Some(word) = rest.next() {
            if holds(row.valued, &word.text) {
                rest.next();
            } else if !word.text.starts_with(['-', '+']) {
                if !holds(row.own, &word.text) {
                    self.unseen(program, word.span, "a subcommand of another program");
                }
                break;
            }
        }
        true
    }

    pub(super) fn pip(&mut self, program: &Program, words: &[Word]) {
        let has =
            |names: &[&str]| words[1..].iter().any(|word| names.contains(&word.text.as_str()));
        if has(&["config"]) && has(&["set", "edit", "unset"]) {
            self.unseen(program, words[0].span, "its configuration");
        }
    }
}
