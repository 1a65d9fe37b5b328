//! Judges options of git in front of the subcommand, and settings that are stored. Everything else about git is in the
//! table of uses.

use super::Judge;
use super::payload::Payload;
use crate::program::Program;
use crate::syntax::word::Word;
use crate::tables::uses::Row;
use crate::tables::{holds, is_like, is_one_like};
use crate::verdict::Span;

/// Options in front of the subcommand: those that take the next word, and those that take no value and start nothing.
const VALUED_OPTIONS: &str = "-c -C --config-env --git-dir --work-tree --namespace --super-prefix --attr-source --shallow-file";
const PLAIN_OPTIONS: &str = "-v --version -h --help --html-path --man-path --info-path -p --paginate -P --no-pager \
    --no-replace-objects --no-lazy-fetch --no-optional-locks --no-advice --literal-pathspecs --no-literal-pathspecs \
    --glob-pathspecs --noglob-pathspecs --icase-pathspecs --exec-path --list-cmds";
/// Options and words of `git config`: those that only read, and those that may be present when a harmless setting is
/// written.
const READING_WORDS: &str =
    "--get --get-all --get-regexp --get-urlmatch --get-color --list -l -lz get list";
const WRITING_WORDS: &str =
    "--local --add --replace-all --type --bool --int -z --show-origin --name-only set";

/// The index of the subcommand: of the first word after the options of git itself.
pub(super) fn subcommand_index(words: &[Word]) -> usize {
    let mut at = 1;
    while let Some(word) = words.get(at).filter(|word| word.text.starts_with('-')) {
        at += 1 + usize::from(holds(VALUED_OPTIONS, &word.text));
    }
    at.min(words.len())
}

impl Judge<'_> {
    pub(super) fn judge_git(&mut self, program: &Program, row: &Row, words: &[Word]) {
        let mut at = 1;
        while let Some(word) = words.get(at).filter(|word| word.text.starts_with('-')) {
            at += 1;
            let (name, attached) = match word.text.split_once('=') {
                Some((name, _)) if name.starts_with("--") => {
                    (name, Some(word.tail(name.len() + 1)))
                }
                _ => (word.text.as_str(), None),
            };
            let separate = attached.is_none() && holds(VALUED_OPTIONS, name);
            let value = if separate { words.get(at).cloned() } else { attached };
            at += usize::from(separate);
            self.judge_git_option(program, row, word.span, name, value.as_ref());
        }
        let Some(rest) = words.get(at..).filter(|rest| !rest.is_empty()) else {
            if self.more_arguments {
                self.ask_about_standard_input(program, words[0].span);
            }
            return;
        };
        // The program and its subcommand, without the options between them.
        let without_options: Vec<Word> = words[..1].iter().chain(rest).cloned().collect();
        self.apply_row(program, row, &without_options, 1);
        self.judge_subcommand(program, row, &without_options);
        self.judge_checked_out_files(program, &without_options);
        if rest[0].text == "config" && !is_harmless_config(row, &rest[1..]) {
            self.ask_about_other_source(program, rest[0].span, "a setting that outlives this call");
        }
    }

    /// Asks about `git checkout REVISION FILE`, which overwrites the file. One operand is a branch, or a file.
    fn judge_checked_out_files(&mut self, program: &Program, words: &[Word]) {
        let makes_branch = |word: &Word| {
            let text = word.text.as_str();
            ["-b", "-B", "-t"].iter().any(|option| text.starts_with(option))
                || matches!(text, "--track" | "--orphan")
        };
        if words[1].text != "checkout" || words.iter().any(makes_branch) {
            return;
        }
        let is_operand = |at: &usize| !words[*at].text.starts_with('-');
        if let Some(at) = (2..words.len()).filter(is_operand).nth(1) {
            self.judge_discard(program, words, at, "a file that it checks out");
        }
    }

    /// Judges one option in front of the subcommand.
    fn judge_git_option(
        &mut self,
        program: &Program,
        row: &Row,
        span: Span,
        name: &str,
        value: Option<&Word>,
    ) {
        match (name, value) {
            ("-c", Some(setting)) => self.judge_setting(program, row, setting, span),
            ("--exec-path", Some(_)) => {
                self.judge_executing_argument(program, span, "`--exec-path`", Payload::Opaque);
            }
            // Settings of a repository can name commands. A folder named `.git` is protected against writing; any other
            // folder could have been made to look like a repository.
            ("--git-dir", Some(folder)) if is_like("*.git", folder.text.trim_end_matches('/')) => {}
            // With git's own files as the work tree, `checkout HEAD config` overwrites its settings.
            ("-C" | "--work-tree", Some(folder)) => {
                if folder.text.split('/').any(|part| part.eq_ignore_ascii_case(".git")) {
                    self.judge_written_file(program, span, "a work tree inside of a repository");
                }
            }
            ("--config-env" | "--git-dir", _) => {
                self.ask_about_other_source(program, span, "settings of elsewhere");
            }
            _ if holds(VALUED_OPTIONS, name) || holds(PLAIN_OPTIONS, name) => {}
            _ => self.ask_about_other_source(program, span, "an option that is not known here"),
        }
    }
}

/// Whether these arguments of `git config` only read, or store a setting that is data in this repository.
fn is_harmless_config(row: &Row, arguments: &[Word]) -> bool {
    let words = || arguments.iter().map(|word| word.text.as_str());
    let options = || words().filter(|text| text.starts_with('-'));
    let operands: Vec<&str> =
        words().filter(|text| !text.starts_with('-') && !holds("get list set", text)).collect();
    // git accepts options only in front of the first operand: `config KEY VALUE --get` writes.
    let only_reads =
        words().next().is_some_and(|text| holds(READING_WORDS, text)) && operands.len() <= 2;
    let are_known_options = options().all(|text| {
        let name = text.split('=').next().unwrap_or_default();
        holds(READING_WORDS, name) || holds(WRITING_WORDS, name)
    });
    // Who made a commit is the user's to say. Data for one call (`-c user.name=x`), it is a decision when it is stored.
    let is_key = |key: &&str| {
        let key = key.to_ascii_lowercase();
        is_one_like(row.data, &key) && !key.starts_with("user.")
    };
    let one_key = operands.len() == 1 && operands[0].contains('.') && options().next().is_none();
    are_known_options && (only_reads || one_key || operands.first().is_some_and(is_key))
}
