//! Words to what a command gets: text, with marks for what only run time knows.

mod braces;

use std::rc::Rc;

use super::super::Judge;
use crate::mark;
use crate::rule_id;
use crate::syntax::Dialect;
use crate::syntax::command::only;
use crate::syntax::tree::{Form, Operator, Parameter, Part, RawWord, Script};

/// Characters of words that are expanded, in all, and what a word costs besides.
const MAX_EXPANDED: usize = 1 << 22;
const WORD_COST: usize = 32;

type Judged = Vec<*const Script>;

/// How a word is used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Use {
    /// As words of a command: split, with patterns.
    Words,
    /// As one text: a value, a subject.
    Text,
    /// As one file name, which may be a pattern.
    File,
}

#[derive(Default)]
struct Fields {
    done: Vec<String>,
    /// The one that is being made; a quote makes an empty one.
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
        self.done.extend(self.current.take());
    }
}

impl Judge<'_> {
    /// The words that a command gets.
    pub(super) fn fields(&mut self, word: &RawWord) -> Vec<String> {
        if self.walk.expanded > MAX_EXPANDED {
            return self.too_much(word);
        }
        let expanded = braces::expand(word);
        // Not every `sh` expands braces.
        let words =
            expanded.filter(|words| words.len() == 1 || self.walk.dialect() == Dialect::Bash);
        let Some(words) = words else {
            self.unread_braces(word.span);
            return vec![mark::MANY.to_string()];
        };
        let mut judged = Vec::new();
        words.iter().flat_map(|word| self.expand(word, Use::Words, &mut judged)).collect()
    }

    /// An operand of `export` that is an assignment: braces make copies of it.
    pub(super) fn assignments_of(&mut self, word: &RawWord) -> Vec<String> {
        match braces::expand(word) {
            Some(words) => words.iter().map(|word| self.text(word)).collect(),
            None => vec![mark::MANY.to_string()],
        }
    }

    /// A value: neither split nor matched.
    pub(super) fn text(&mut self, word: &RawWord) -> String {
        self.expand(word, Use::Text, &mut Vec::new()).pop().unwrap_or_default()
    }

    /// The target of a redirection.
    pub(super) fn file(&mut self, word: &RawWord) -> String {
        self.expand(word, Use::File, &mut Vec::new()).pop().unwrap_or_default()
    }

    /// `judged`: the substitutions that need no second look, because braces made copies of them.
    fn expand(&mut self, word: &RawWord, usage: Use, judged: &mut Judged) -> Vec<String> {
        let written = word.span.1.saturating_sub(word.span.0);
        self.walk.expanded = self.walk.expanded.saturating_add(WORD_COST + written);
        if self.walk.expanded > MAX_EXPANDED {
            return self.too_much(word);
        }
        let mut fields = Fields::default();
        if word.quoted || usage != Use::Words {
            fields.push("");
        }
        let matched = usage != Use::Text && word.bare() != Some("[");
        for (at, part) in word.parts.iter().enumerate() {
            match part {
                Part::Bare(text) => {
                    let mut text = text.as_str();
                    if at == 0 && text.starts_with('~') {
                        let end = text.find('/').unwrap_or(text.len());
                        if end < text.len() || word.parts.len() == 1 {
                            fields.push("/");
                            fields.mark(mark::PATH);
                            text = &text[end..];
                        }
                    }
                    bare(&mut fields, text, matched);
                }
                Part::Quoted(text) => fields.push(text),
                // A folder, like a tilde: a variable of this name is never set by a script.
                Part::Parameter(parameter)
                    if at == 0
                        && parameter.form.is_plain()
                        && parameter.name == "HOME"
                        && is_folder(&word.parts[1..]) =>
                {
                    fields.push("/");
                    fields.mark(mark::PATH);
                }
                Part::Parameter(parameter) => self.parameter(&mut fields, parameter, usage),
                Part::Command(script, quoted) => {
                    self.substituted(&mut fields, script, (usage, *quoted), judged);
                }
                Part::Process(script) => {
                    self.once(script, judged);
                    fields.push("/dev/fd/");
                    fields.mark(mark::PATH);
                }
                Part::Arithmetic(text) => {
                    self.arithmetic(text);
                    fields.mark(mark::NUMBER);
                }
            }
        }
        fields.end();
        fields.done
    }

    fn too_much(&mut self, word: &RawWord) -> Vec<String> {
        let message = "The script has more words than are looked at";
        let hint = "Run it in parts, with fewer loops and braces.";
        self.asks(rule_id::PROGRAM_DYNAMIC, word.span, message, hint);
        vec![mark::MANY.to_string()]
    }

    fn parameter(&mut self, fields: &mut Fields, parameter: &Parameter, usage: Use) {
        let splits = !parameter.quoted && usage == Use::Words;
        let name = parameter.name.as_str();
        match &parameter.form {
            Form::Plain => {}
            Form::Length => return fields.mark(mark::NUMBER),
            Form::Assign(word) => {
                self.text(word);
                self.set_variable(name, None, parameter.span);
            }
            Form::Alternative(word) | Form::Edit(word) | Form::Element(word) => {
                self.fields(word);
            }
            Form::Slice(text) => self.arithmetic(text),
        }
        let mut number = parameter.form.is_plain() && matches!(name, "#" | "?" | "$" | "!");
        if self.walk.counts && parameter.form.is_plain() && self.walk.numbers.contains(name) {
            // Whether it holds nothing else is known at the end.
            self.walk.evaluated.push((name.to_owned(), parameter.span));
            number = true;
        }
        let many = matches!(name, "@" | "*") || matches!(parameter.form, Form::Element(_));
        let mark = match (splits, many) {
            _ if number => mark::NUMBER,
            (true, _) => mark::MANY,
            (false, true) if usage == Use::Words && name != "*" => mark::MANY,
            (false, _) => mark::ONE,
        };
        fields.mark(mark);
    }

    fn substituted(
        &mut self,
        fields: &mut Fields,
        script: &Rc<Script>,
        place: (Use, bool),
        judged: &mut Judged,
    ) {
        if (place.1 || place.0 == Use::Text)
            && let Some(text) = self.document_text(script)
        {
            return fields.push(&text);
        }
        self.once(script, judged);
        let splits = place == (Use::Words, false);
        fields.mark(if splits { mark::MANY } else { mark::ONE });
    }

    fn once(&mut self, script: &Rc<Script>, judged: &mut Judged) {
        if !judged.contains(&Rc::as_ptr(script)) {
            judged.push(Rc::as_ptr(script));
            let counts = std::mem::take(&mut self.walk.counts);
            self.in_subshell(|judge| judge.script(script));
            self.walk.counts = counts;
        }
    }

    /// `$(cat <<'E' … E)` is its text; `cat` needs no listing for that.
    fn document_text(&mut self, script: &Script) -> Option<String> {
        let simple = only(script)?;
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

/// Whether nothing or a slash follows.
fn is_folder(rest: &[Part]) -> bool {
    match rest.first() {
        None => true,
        Some(Part::Bare(text) | Part::Quoted(text)) => text.starts_with('/'),
        Some(_) => false,
    }
}

/// An opening bracket counts as a pattern wherever the closing one may come from.
fn bare(fields: &mut Fields, text: &str, matched: bool) {
    let mut previous = ' ';
    for character in text.chars() {
        if matched && matches!(character, '*' | '?' | '[') {
            fields.mark(mark::PATH);
        } else if character == '~' && matches!(previous, '=' | ':') {
            fields.push("/");
            fields.mark(mark::PATH);
        } else {
            fields.push(character.encode_utf8(&mut [0; 4]));
        }
        previous = character;
    }
}
