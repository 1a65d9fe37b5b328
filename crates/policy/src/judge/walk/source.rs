//! Judges `source`: the file that it reads is a part of the script.

use super::super::Judge;
use super::activation::{activated_folder, folder_of_activation};
use super::directory::is_beneath;
use super::state::Activated;
use crate::hygiene;
use crate::length::Excess;
use crate::program::{Origin, Program};
use crate::rule_id;
use crate::surroundings::FileText;
use crate::syntax::word::Word;
use crate::verdict::Span;

/// The function by which the script of a Python environment takes its changes back.
const END_OF_ACTIVATION: &str = "deactivate";

impl Judge<'_> {
    /// Judges `. FILE` and `source FILE`. The text of the file is judged here, and bash runs it when it gets here: another
    /// process may change the file in between, and then the kernel plan alone holds what it does.
    pub(super) fn judge_source(&mut self, program: &Program, words: &[Word]) {
        let operands = match &words[1..] {
            [dashes, rest @ ..] if dashes.text == "--" => rest,
            all => all,
        };
        let file = operands.first().and_then(|word| Some((word, self.one_path(&word.text)?)));
        let Some((word, path)) = file.filter(|(word, path)| {
            // A name without a slash is looked up among the programs first, where commands cannot write, unless an
            // environment was activated.
            (word.text.contains('/') || self.walk.shell.environment.is_none())
                && self.may_source(path)
        }) else {
            return self.refused_builtin(program, words[0].span);
        };
        let found = self.walk.surroundings.files.map_or(FileText::Missing, |all| all.text(&path));
        let written = self.texts_written_to(&path, word.span);
        let texts = match (found, written) {
            (FileText::Text(text), Some(written)) => [vec![text], written].concat(),
            (FileText::Missing, Some(written)) => written,
            _ => {
                return self.ask_about_other_source(program, word.span, "a file that is not known");
            }
        };
        let folder = folder_of_activation(&path);
        if texts.is_empty() {
            // The file is made by an earlier command, such as `python3 -m venv`. Its name says what it does.
            match folder {
                Some(folder) => self.note_activated(folder.to_owned(), false),
                None => {
                    self.ask_about_other_source(program, word.span, "a file that does not exist");
                }
            }
        }
        for text in texts {
            match folder.and_then(|_| activated_folder(&text)).filter(|one| self.may_source(one)) {
                Some(folder) => self.note_activated(folder, true),
                None => self.judge_sourced_text(&word.with_text(text)),
            }
        }
    }

    /// Whether the shell may read code from this file: it lies beneath a root, and the host reads it.
    fn may_source(&self, path: &str) -> bool {
        let roots = self.walk.surroundings.writable_roots.unwrap_or_default();
        self.walk.surroundings.files.is_some() && roots.iter().any(|root| is_beneath(path, root))
    }

    fn judge_sourced_text(&mut self, code: &Word) {
        if let Some(excess) = Excess::of_bytes(code.text.len()) {
            return self.report_excess(excess, code.span);
        }
        for misplaced in hygiene::misplaced_characters(&code.text) {
            self.report_misplaced(&misplaced, code.span);
        }
        self.judge_code_here(code);
    }

    pub(super) fn ask_about_changed_code(&mut self, span: Span) {
        let message = "A file that is read as code may be changed by a command of the script";
        let hint = "Write the variables into the script, or change the file in a command before.";
        self.ask_without_program(rule_id::ARGUMENT_UNSEEN, span, message, hint);
    }

    /// Whether this is the call that ends the activation of an environment.
    pub(super) fn is_end_of_activation(&self, name: &str) -> bool {
        name == END_OF_ACTIVATION
            && self.walk.has_activated
            && !self.walk.shell.facts.functions.contains(name)
    }

    fn note_activated(&mut self, folder: String, is_certain: bool) {
        self.walk.has_activated = true;
        self.walk.shell.environment = Some(Activated { folder, is_certain });
    }

    /// The program that runs by this word, in an activated environment too.
    pub(super) fn program_by(&self, word: &str) -> Program {
        let program = self.program(word);
        match self.program_of_environment(&program) {
            Some((path, _)) => self.program(&path),
            None => program,
        }
    }

    /// The path of the program that the shell finds by this name in an activated environment, and whether it surely
    /// does.
    pub(in crate::judge) fn program_of_environment(
        &self,
        program: &Program,
    ) -> Option<(String, bool)> {
        let Activated { folder, is_certain } = self.walk.shell.environment.as_ref()?;
        let path = format!("{folder}/bin/{}", program.base);
        let files = self.walk.surroundings.files.filter(|_| program.origin == Origin::Bare)?;
        files.is_program(&path).then_some((path, *is_certain))
    }
}
