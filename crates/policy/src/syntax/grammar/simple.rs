//! Simple commands and redirections.

use super::super::construct::Construct;
use super::super::tree::{
    Assignment, Command, Operator, Part, RawWord, Redirection, Simple, Target,
};
use super::super::unread::Unread;
use super::compound::is_name;
use super::{Parsed, Reader};
use crate::limits::MAX_WORDS;

/// The operators of redirections, the longest first.
const OPERATORS: [(&str, Operator); 12] = [
    ("&>>", Operator::BothAppend),
    ("<<<", Operator::HereString),
    ("<<-", Operator::HereDocument),
    ("<<", Operator::HereDocument),
    ("&>", Operator::Both),
    ("<>", Operator::ReadWrite),
    ("<&", Operator::Duplicate),
    (">&", Operator::Duplicate),
    (">>", Operator::Append),
    (">|", Operator::Clobber),
    ("<", Operator::Input),
    (">", Operator::Output),
];

/// Built-ins whose arguments of the form `NAME=value` are assignments: neither split nor matched as patterns.
pub(crate) const DECLARING_BUILTINS: [&str; 5] =
    ["declare", "export", "local", "readonly", "typeset"];

impl Reader<'_> {
    pub(super) fn simple(&mut self) -> Parsed<Command> {
        let start = self.position;
        let mut simple = Simple::default();
        let mut end = start;
        loop {
            self.skip_blanks();
            if let Some(redirection) = self.redirection()? {
                simple.redirections.push(redirection);
            } else if let Some(assignment) = self.element(&simple)? {
                simple.assignments.push(assignment);
            } else if self.at_word() {
                let at = self.position;
                let mut word = self.word()?;
                if self.opens_list(&simple, &word) {
                    self.list_of(&simple, &mut word, at)?;
                }
                if simple.words.is_empty() && simple.redirections.is_empty() {
                    self.no_hidden_keyword(&simple, &word, at)?;
                }
                if let Some(function) = self.opens_function(&simple, &word, at)? {
                    return Ok(function);
                }
                self.take(&mut simple, word, at)?;
            } else {
                break;
            }
            end = self.position;
        }
        simple.span = (self.offset(start), self.offset(end));
        if simple.words.is_empty()
            && simple.assignments.is_empty()
            && simple.redirections.is_empty()
        {
            return Err(self.unexpected());
        }
        if let Some(first) = simple.assignments.first() {
            if simple.words.is_empty() {
                self.record_construct(Construct::OnlyAssignments, first.span);
            } else if simple.assignments.iter().any(Assignment::is_of_array) {
                // A program would get an array as one text.
                return Err(self.unread(Unread::Array, start));
            }
        }
        Ok(Command::Simple(simple))
    }

    fn at_word(&self) -> bool {
        !matches!(self.peek(0), None | Some(b'\n' | b';' | b'&' | b'|' | b'<' | b'>' | b'(' | b')'))
            || self.at_process()
    }

    pub(super) fn at_process(&self) -> bool {
        matches!(self.peek(0), Some(b'<' | b'>')) && self.peek(1) == Some(b'(')
    }

    /// Refuses a reserved word in which a line is joined.
    fn no_hidden_keyword(&mut self, simple: &Simple, word: &RawWord, at: usize) -> Parsed<()> {
        let keyword =
            super::list::KEYWORDS.into_iter().find(|keyword| word.bare() == Some(keyword));
        if let Some(keyword) = keyword
            && simple.assignments.is_empty()
        {
            self.record_construct_from(Construct::Keyword(keyword), at);
            return Err(self.unread(Unread::Syntax, at));
        }
        Ok(())
    }

    /// Reads an assignment to an element, `name[index]=value`. `None` when there is none here.
    fn element(&mut self, simple: &Simple) -> Parsed<Option<Assignment>> {
        if !simple.words.is_empty() || !simple.redirections.is_empty() {
            return Ok(None);
        }
        let start = self.position;
        let rest = self.rest();
        let length = rest.find(|c: char| !(c.is_ascii_alphanumeric() || c == '_'));
        let name = &rest[..length.unwrap_or(0)];
        if !is_name(name) || !rest[name.len()..].starts_with('[') {
            return Ok(None);
        }
        self.position += name.len();
        let span = self.span(start);
        let bracket = self.position;
        self.record_construct_from(Construct::Element, start);
        self.only_bash("`NAME[…]=`", start)?;
        let subscript = Some(self.index()?);
        let appends = self.takes("+=");
        if !appends && !self.takes("=") {
            return Err(self.unread(Unread::Array, bracket));
        }
        let value = self.word()?;
        if self.peek(0) == Some(b'(') {
            return Err(self.unread(Unread::Array, bracket));
        }
        self.tilde_in_value(&value);
        Ok(Some(Assignment { name: name.to_owned(), subscript, appends, value, span }))
    }

    /// Whether a list of words follows, which is the value of an array: after `name=` in front of all words, or after a
    /// built-in that declares variables.
    fn opens_list(&self, simple: &Simple, word: &RawWord) -> bool {
        let declares = || {
            let first = simple.words.first().and_then(RawWord::bare);
            first.is_some_and(|name| DECLARING_BUILTINS.contains(&name))
        };
        self.peek(0) == Some(b'(')
            && simple.redirections.is_empty()
            && word.bare().is_some_and(|text| text.ends_with('='))
            && matches!(assignment(word), Some(Shape::Plain(name, appends))
                if name.len() + 1 + usize::from(appends) == word.bare().map_or(0, str::len))
            && (simple.words.is_empty() || (simple.assignments.is_empty() && declares()))
    }

    /// Reads the words between parentheses into the last part of the word.
    fn list_of(&mut self, simple: &Simple, word: &mut RawWord, at: usize) -> Parsed<()> {
        let start = self.position;
        self.position += 1;
        self.record_construct_from(Construct::Array, start);
        self.only_bash("`NAME=(…)`", start)?;
        let mut words = Vec::new();
        loop {
            if !self.pending.is_empty() || self.outer_pending > 0 {
                self.skip_blanks();
            } else {
                self.skip_lines()?;
            }
            if self.takes(")") {
                break;
            }
            let at = self.position;
            let element = self.argument()?;
            // With a subscript of its own the word would be another kind of assignment.
            if element.characters().next() == Some(('[', true)) {
                return Err(self.unread(Unread::Array, at));
            }
            if simple.words.len() + words.len() == MAX_WORDS {
                return Err(self.fault(Construct::TooManyWords, at));
            }
            words.push(element);
        }
        if !matches!(self.peek(0), Some(b' ' | b'\t'))
            && (self.at_word() || self.peek(0) == Some(b'('))
        {
            return Err(self.unread(Unread::Array, start));
        }
        word.parts.push(Part::List(words));
        word.span = self.span(at);
        Ok(())
    }

    /// Reads a function definition `name ()`. Any other parenthesis after a word is a pattern, and refused.
    fn opens_function(
        &mut self,
        simple: &Simple,
        word: &RawWord,
        at: usize,
    ) -> Parsed<Option<Command>> {
        let (end, span) = (self.position, self.span(at));
        let adjacent = self.peek(0) == Some(b'(');
        self.skip_blanks();
        let start = self.position;
        if !self.takes("(") {
            self.position = end;
            return Ok(None);
        }
        let is_first = simple.words.is_empty() && simple.assignments.is_empty();
        if adjacent && word.bare().is_some_and(|text| text.ends_with('=')) {
            self.record_construct_from(Construct::Array, start);
            return Err(self.unread(Unread::Array, start));
        }
        if !is_first || !simple.redirections.is_empty() {
            self.record_construct_from(Construct::Parenthesis, start);
            return Err(self.unread(Unread::Pattern, start));
        }
        self.record_construct_from(Construct::Function, start);
        self.first_is_over = true;
        self.skip_blanks();
        if !self.takes(")") {
            return Err(self.unread(Unread::Pattern, start));
        }
        self.function(word, span).map(Some)
    }

    fn take(&mut self, simple: &mut Simple, word: RawWord, at: usize) -> Parsed<()> {
        let shape = if simple.words.is_empty() { assignment(&word) } else { None };
        match shape {
            Some(Shape::Element) => {
                self.record_construct(Construct::Element, word.span);
                return Err(self.unread(Unread::Array, at));
            }
            Some(Shape::Plain(name, appends)) => {
                if appends {
                    self.only_bash("`NAME+=`", at)?;
                    self.record_construct(Construct::Append, word.span);
                }
                let length = name.len();
                let span = (word.span.0, word.span.0 + length);
                let value = behind(word, length + 1 + usize::from(appends));
                self.tilde_in_value(&value);
                let subscript = None;
                simple.assignments.push(Assignment { name, subscript, appends, value, span });
            }
            None => {
                if simple.words.len() == MAX_WORDS {
                    return Err(self.fault(Construct::TooManyWords, at));
                }
                self.expansions_of(&word);
                if !self.first_is_over {
                    self.first.push(word.clone());
                }
                simple.words.push(word);
            }
        }
        Ok(())
    }

    pub(super) fn redirections(&mut self) -> Parsed<Vec<Redirection>> {
        let mut all = Vec::new();
        loop {
            self.skip_blanks();
            match self.redirection()? {
                Some(redirection) => all.push(redirection),
                None => return Ok(all),
            }
        }
    }

    /// Reads a redirection. `None` when there is none here.
    fn redirection(&mut self) -> Parsed<Option<Redirection>> {
        let start = self.position;
        let rest = self.rest();
        let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
        let operator = OPERATORS.into_iter().find(|(text, _)| rest[digits..].starts_with(text));
        let Some((text, mut operator)) = operator else { return self.no_variable_descriptor() };
        if (digits > 0 && text.starts_with('&')) || (digits == 0 && self.at_process()) {
            return Ok(None);
        }
        let written = rest[..digits].parse().ok();
        if digits > 0 && written.is_none() {
            return Err(self.unexpected());
        }
        let descriptor = written.unwrap_or(u32::from(!text.starts_with('<')));
        self.position += digits + text.len();
        let is_here = matches!(operator, Operator::HereDocument | Operator::HereString);
        let construct = if is_here { Construct::HereDocument } else { Construct::Redirection };
        self.record_construct_from(construct, start);
        if matches!(operator, Operator::Both | Operator::BothAppend | Operator::HereString) {
            self.only_bash("`&>` or `<<<`", start)?;
        }
        self.skip_blanks();
        if operator == Operator::HereDocument {
            let target = Target::Document(self.document(text == "<<-")?);
            let span = self.span(start);
            return Ok(Some(Redirection { operator, descriptor, target, span }));
        }
        let at = self.position;
        let word = self.argument()?;
        if has_braces(&word) {
            return Err(self.unread(Unread::Braces, at));
        }
        if operator == Operator::Duplicate && !word.bare().is_some_and(is_descriptor) {
            if text == "<&" || written.is_some() {
                return Err(self.unread(Unread::Descriptor, at));
            }
            self.only_bash("`>&` in front of a name", start)?;
            operator = Operator::Both;
        }
        let span = self.span(start);
        Ok(Some(Redirection { operator, descriptor, target: Target::Word(word), span }))
    }

    /// Refuses `{name}>`, for which bash chooses a descriptor and sets a variable.
    fn no_variable_descriptor(&self) -> Parsed<Option<Redirection>> {
        let Some(inner) = self.rest().strip_prefix('{') else { return Ok(None) };
        let Some(end) = inner.find('}') else { return Ok(None) };
        if is_name(&inner[..end]) && inner[end + 1..].starts_with(['<', '>', '&']) {
            return Err(self.unread(Unread::Descriptor, self.position));
        }
        Ok(None)
    }
}

fn is_descriptor(text: &str) -> bool {
    let number = text.strip_suffix('-').unwrap_or(text);
    text == "-" || (!number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit()))
}

/// Whether the word has a brace that may begin an expansion.
fn has_braces(word: &RawWord) -> bool {
    word.characters().any(|(character, bare)| bare && character == '{')
}

enum Shape {
    Plain(String, bool),
    Element,
}

/// Whether bash takes the word for an assignment: it begins with a bare name and `=`, `+=` or a subscript.
fn assignment(word: &RawWord) -> Option<Shape> {
    let Some(super::super::tree::Part::Bare(text)) = word.parts.first() else { return None };
    let length =
        text.bytes().take_while(|byte| byte.is_ascii_alphanumeric() || *byte == b'_').count();
    let (name, rest) = text.split_at(length);
    if !is_name(name) {
        None
    } else if rest.starts_with('=') {
        Some(Shape::Plain(name.to_owned(), false))
    } else if rest.starts_with("+=") {
        Some(Shape::Plain(name.to_owned(), true))
    } else {
        // A subscript may hold blanks and operators, so that the end of the word is unknown.
        rest.starts_with('[').then_some(Shape::Element)
    }
}

/// The word without its first `length` bytes, which are bare.
pub(crate) fn behind(mut word: RawWord, length: usize) -> RawWord {
    if let Some(super::super::tree::Part::Bare(text)) = word.parts.first_mut() {
        text.drain(..length);
        if text.is_empty() {
            word.parts.remove(0);
        }
    }
    word
}
