//! Expands words of a script into the words that a command gets. What is known only at run time becomes a mark.

mod braces;

use std::rc::Rc;

use super::super::Judge;
use super::outputs::Output;
use crate::mark;
use crate::rule_id;
use crate::syntax::Dialect;
use crate::syntax::command::only_simple_command;
use crate::syntax::tree::{Form, Operator, Parameter, Part, RawWord, Script, Subscript};
use crate::syntax::unread::Unread;

/// The most characters that the expanded words of one script have, each word counted with `WORD_COST` more.
const MAX_EXPANDED: usize = 1 << 22;
/// What each word counts on top of its length, in characters, so that many empty words reach the limit as well.
const WORD_COST: usize = 32;

type Judged = Vec<*const Script>;

/// What a word is expanded for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum WordUse {
    /// Words of a command: split at blanks, and matched as patterns.
    Words,
    /// One text, such as a value: neither split nor matched.
    Text,
    /// One file name: matched as a pattern, and not split.
    File,
}

#[derive(Default)]
struct Fields {
    finished_words: Vec<String>,
    /// The word that is being made. An empty quote makes an empty word.
    current: Option<String>,
}

impl Fields {
    fn push(&mut self, text: &str) {
        self.current.get_or_insert_default().push_str(text);
    }

    fn mark(&mut self, mark: char) {
        self.current.get_or_insert_default().push(mark);
    }

    fn end(&mut self) {
        self.finished_words.extend(self.current.take());
    }
}

impl Judge<'_> {
    /// The words that a command gets for this word.
    pub(super) fn fields(&mut self, word: &RawWord) -> Vec<String> {
        if self.walk.expanded_characters > MAX_EXPANDED {
            return self.too_much(word);
        }
        let expanded = braces::expand(word);
        // Only bash expands braces.
        let words =
            expanded.filter(|words| words.len() == 1 || self.walk.dialect() == Dialect::Bash);
        let Some(words) = words else {
            self.report_unread(Unread::Braces, word.span);
            return vec![mark::ANY_WORDS.to_string()];
        };
        let mut judged = Vec::new();
        words.iter().flat_map(|word| self.expand(word, WordUse::Words, &mut judged)).collect()
    }

    /// The texts that `export` gets for an operand of the form `NAME=value`. Braces make several.
    pub(super) fn assignments_of(&mut self, word: &RawWord) -> Vec<String> {
        match braces::expand(word) {
            Some(words) => words.iter().map(|word| self.text(word)).collect(),
            None => vec![mark::ANY_WORDS.to_string()],
        }
    }

    /// The text that a value or a subject becomes.
    pub(super) fn text(&mut self, word: &RawWord) -> String {
        self.expand(word, WordUse::Text, &mut Vec::new()).pop().unwrap_or_default()
    }

    /// The path that the target of a redirection becomes.
    pub(super) fn file(&mut self, word: &RawWord) -> String {
        self.expand(word, WordUse::File, &mut Vec::new()).pop().unwrap_or_default()
    }

    /// Expands a word. `judged`: substitutions that were judged already, because braces have copied them.
    fn expand(&mut self, word: &RawWord, word_use: WordUse, judged: &mut Judged) -> Vec<String> {
        let written = word.span.1.saturating_sub(word.span.0);
        self.walk.expanded_characters =
            self.walk.expanded_characters.saturating_add(WORD_COST + written);
        if self.walk.expanded_characters > MAX_EXPANDED {
            return self.too_much(word);
        }
        if word_use == WordUse::Words
            && let Some(words) = self.words_of_array(word)
        {
            return words;
        }
        let mut fields = Fields::default();
        if word.quoted || word_use != WordUse::Words {
            fields.push("");
        }
        let matched = word_use != WordUse::Text && word.bare() != Some("[");
        for (at, part) in word.parts.iter().enumerate() {
            match part {
                Part::Bare(text) => {
                    let mut text = text.as_str();
                    if at == 0 && text.starts_with('~') {
                        let end = text.find('/').unwrap_or(text.len());
                        if end < text.len() || word.parts.len() == 1 {
                            fields.push("/");
                            fields.mark(mark::ANY_PATH);
                            text = &text[end..];
                        }
                    }
                    bare(&mut fields, text, matched);
                }
                Part::Quoted(text) => fields.push(text),
                // `$HOME` is a folder, like a tilde: scripts that set `HOME` are denied.
                Part::Parameter(parameter)
                    if at == 0
                        && parameter.is_plain()
                        && parameter.name == "HOME"
                        && is_folder(&word.parts[1..]) =>
                {
                    fields.push("/");
                    fields.mark(mark::ANY_PATH);
                }
                Part::Parameter(parameter) => self.parameter(&mut fields, parameter, word_use),
                Part::Command(script, quoted) => {
                    self.substituted(&mut fields, script, (word_use, *quoted), judged);
                }
                Part::Process(script) => {
                    self.once(script, judged);
                    fields.push("/dev/fd/");
                    fields.mark(mark::ANY_PATH);
                }
                Part::Arithmetic(text) => {
                    self.judge_arithmetic(text);
                    fields.mark(mark::ANY_NUMBER);
                }
                Part::List(words) => {
                    for word in words {
                        self.fields(word);
                    }
                    fields.mark(mark::ANY_WORDS);
                }
            }
        }
        fields.end();
        fields.finished_words
    }

    /// The words that `"${name[@]}"` becomes, when the array is known, or only ever holds numbers where these are expected.
    fn words_of_array(&mut self, word: &RawWord) -> Option<Vec<String>> {
        let array = word.array()?;
        let name = &array.name;
        if self.walk.expects_numbers && self.walk.number_variables.contains(name) {
            self.walk.numeric_uses.push((name.clone(), array.span));
            return Some(vec![mark::ANY_NUMBER.to_string()]);
        }
        let mut words = self.walk.shell.arrays.get(name)?.clone();
        if self.walk.shell.facts.arrays.get(name)?.grows {
            words.push(mark::ANY_WORDS.to_string());
        }
        self.walk.array_uses.push((name.clone(), array.span));
        self.walk.expanded_characters +=
            words.iter().map(|word| WORD_COST + word.len()).sum::<usize>();
        Some(words)
    }

    fn too_much(&mut self, word: &RawWord) -> Vec<String> {
        let message = "The script has more words than are looked at";
        let hint = "Run it in parts, with fewer loops and braces.";
        self.ask_without_program(rule_id::PROGRAM_DYNAMIC, word.span, message, hint);
        vec![mark::ANY_WORDS.to_string()]
    }

    fn parameter(&mut self, fields: &mut Fields, parameter: &Parameter, word_use: WordUse) {
        let splits = !parameter.quoted && word_use == WordUse::Words;
        let name = parameter.name.as_str();
        if let Some(Subscript::At(index)) = &parameter.subscript {
            self.judge_arithmetic(index);
        }
        match &parameter.form {
            Form::Plain | Form::Indices => {}
            Form::Length => return fields.mark(mark::ANY_NUMBER),
            Form::Assign(word) => {
                self.text(word);
                self.set_variable(name, None, parameter.span);
            }
            Form::Alternative(word) | Form::Edit(word) => {
                self.fields(word);
            }
            Form::Slice(text) => self.judge_arithmetic(text),
        }
        let mut number = parameter.is_plain() && matches!(name, "#" | "?" | "$" | "!");
        let is_expected = self.walk.expects_numbers && self.walk.number_variables.contains(name);
        if parameter.is_plain() && (is_expected || self.is_counted(name)) {
            // At the end it is checked that the variable never holds anything else.
            self.walk.numeric_uses.push((name.to_owned(), parameter.span));
            number = true;
        }
        if parameter.is_plain() && self.is_temporary(name) {
            // At the end it is checked that no other text sets the variable.
            self.walk.temporary_uses.push((name.to_owned(), parameter.span));
            return fields.mark(mark::TEMPORARY_PATH);
        }
        if number && !is_expected && parameter.is_plain() && self.is_counted(name) {
            return fields.mark(mark::ANY_NUMBER);
        }
        let is_many = word_use == WordUse::Words && parameter.makes_many_words();
        fields.mark(match splits || is_many {
            _ if number => mark::ANY_NUMBER,
            true => mark::ANY_WORDS,
            false => mark::ANY_TEXT,
        });
    }

    fn substituted(
        &mut self,
        fields: &mut Fields,
        script: &Rc<Script>,
        place: (WordUse, bool),
        judged: &mut Judged,
    ) {
        if (place.1 || place.0 == WordUse::Text)
            && let Some(text) = self.document_text(script)
        {
            return fields.push(&text);
        }
        self.once(script, judged);
        match self.output_of(script) {
            Some(Output::Number | Output::Plain) => return fields.mark(mark::ANY_NUMBER),
            Some(Output::Temporary) => return fields.mark(mark::TEMPORARY_PATH),
            Some(Output::Files) | None => {}
        }
        let splits = place == (WordUse::Words, false);
        fields.mark(if splits { mark::ANY_WORDS } else { mark::ANY_TEXT });
    }

    fn once(&mut self, script: &Rc<Script>, judged: &mut Judged) {
        if !judged.contains(&Rc::as_ptr(script)) {
            judged.push(Rc::as_ptr(script));
            let counts = std::mem::take(&mut self.walk.expects_numbers);
            self.in_subshell(|judge| judge.judge_script(script));
            self.walk.expects_numbers = counts;
        }
    }

    /// The text of `$(cat <<'E' … E)`, for which `cat` need not be listed. `None` for another substitution.
    fn document_text(&mut self, script: &Script) -> Option<String> {
        let simple = only_simple_command(script)?;
        let ([word], [redirection], []) = (
            simple.words.as_slice(),
            simple.redirections.as_slice(),
            simple.assignments.as_slice(),
        ) else {
            return None;
        };
        let is_cat = word.bare() == Some("cat")
            && redirection.operator == Operator::HereDocument
            && redirection.descriptor == 0
            && !self.walk.shell.facts.functions.contains("cat")
            && !self.is_denied_name("cat");
        let text = redirection.target.word().filter(|_| is_cat)?.literal()?;
        self.named.add("cat");
        Some(text.trim_end_matches('\n').to_owned())
    }
}

/// Whether a variable in front of these parts stands for a folder: nothing follows it, or a slash does.
fn is_folder(rest: &[Part]) -> bool {
    match rest.first() {
        None => true,
        Some(Part::Bare(text) | Part::Quoted(text)) => text.starts_with('/'),
        Some(_) => false,
    }
}

/// Adds text that is not quoted. An opening bracket counts as a pattern, because its closing bracket may come from an
/// expansion.
fn bare(fields: &mut Fields, text: &str, matched: bool) {
    let mut previous = ' ';
    for character in text.chars() {
        if matched && matches!(character, '*' | '?' | '[') {
            fields.mark(mark::ANY_PATH);
        } else if character == '~' && matches!(previous, '=' | ':') {
            fields.push("/");
            fields.mark(mark::ANY_PATH);
        } else {
            fields.push(character.encode_utf8(&mut [0; 4]));
        }
        previous = character;
    }
}
