//! Lists and pipelines.

use super::super::construct::Construct;
use super::super::tree::{
    Command, Connector, Item, Operator, Pipeline, RawWord, Redirection, Script, Target,
};
use super::super::unread::Unread;
use super::{Parsed, Reader};

/// Words that are reserved where a command begins.
pub(in crate::syntax) const KEYWORDS: [&str; 22] = [
    "!", "[[", "]]", "case", "coproc", "do", "done", "elif", "else", "esac", "fi", "for",
    "function", "if", "select", "then", "time", "until", "while", "{", "}", "in",
];
/// Reserved words that end a list.
const CLOSING_KEYWORDS: [&str; 8] = ["do", "done", "elif", "else", "esac", "fi", "then", "}"];

impl Reader<'_> {
    /// Reads a list of commands, which may be empty, up to the word or sign that ends it.
    pub(super) fn list(&mut self) -> Parsed<Script> {
        let mut items: Vec<Item> = Vec::new();
        loop {
            let line = self.position;
            self.skip_lines()?;
            if self.is_at_list_end() {
                return Ok(Script { items });
            }
            if let Some(last) = items.last_mut()
                && self.source[line..self.position].contains('\n')
            {
                last.ends_line = true;
                let at = line + self.source[line..].find('\n').unwrap_or_default();
                let span = (self.offset(at), self.offset(at + 1));
                self.record_construct(Construct::LineBreak, span);
            }
            let mut item = self.item()?;
            self.skip_blanks();
            let start = self.position;
            match self.peek(0) {
                Some(b';') if self.peek(1) != Some(b';') && self.peek(1) != Some(b'&') => {
                    self.position += 1;
                    self.record_construct_from(Construct::Semicolon, start);
                    self.first_is_over = true;
                }
                Some(b'&') => {
                    self.position += 1;
                    self.record_construct_from(Construct::Background, start);
                    self.first_is_over = true;
                    item.background = true;
                }
                Some(b'\n') => {}
                _ if self.is_at_list_end() => {}
                _ => return Err(self.unexpected()),
            }
            items.push(item);
        }
    }

    /// Reads a list that must have a command.
    pub(super) fn body(&mut self) -> Parsed<Script> {
        let script = self.list()?;
        if script.items.is_empty() { Err(self.unexpected()) } else { Ok(script) }
    }

    fn is_at_list_end(&self) -> bool {
        matches!(self.peek(0), None | Some(b')'))
            || (self.peek(0) == Some(b';') && matches!(self.peek(1), Some(b';' | b'&')))
            || self.keyword().is_some_and(|word| CLOSING_KEYWORDS.contains(&word))
    }

    /// The reserved word at the present position.
    pub(super) fn keyword(&self) -> Option<&'static str> {
        let rest = self.rest();
        let ends = |c: char| " \t\n;&|<>()".contains(c);
        let word = &rest[..rest.find(ends).unwrap_or(rest.len())];
        KEYWORDS.into_iter().find(|keyword| *keyword == word)
    }

    /// Skips this reserved word. False when it does not stand here.
    pub(super) fn takes_keyword(&mut self, keyword: &str) -> bool {
        self.keyword() == Some(keyword) && self.takes(keyword)
    }

    pub(super) fn expect_keyword(&mut self, keyword: &str) -> Parsed<()> {
        if self.takes_keyword(keyword) { Ok(()) } else { Err(self.unexpected()) }
    }

    fn item(&mut self) -> Parsed<Item> {
        let first = self.pipeline()?;
        let mut rest = Vec::new();
        loop {
            self.skip_blanks();
            let start = self.position;
            let connector = if self.takes("&&") {
                Connector::And
            } else if self.takes("||") {
                Connector::Or
            } else {
                return Ok(Item { first, rest, background: false, ends_line: false });
            };
            self.record_construct_from(Construct::AndOr, start);
            self.first_is_over = true;
            self.skip_lines()?;
            rest.push((connector, self.pipeline()?));
        }
    }

    fn pipeline(&mut self) -> Parsed<Pipeline> {
        let mut commands = Vec::new();
        let prefixed = self.prefixes()?;
        loop {
            let mut command = self.nested(Self::command)?;
            self.skip_blanks();
            let start = self.position;
            if self.peek(0) != Some(b'|') || self.peek(1) == Some(b'|') {
                commands.push(command);
                return Ok(Pipeline { prefixed, commands });
            }
            self.position += 1;
            if self.takes("&") {
                self.only_bash("`|&`", start)?;
                add_both(&mut command, self.span(start));
            }
            self.record_construct_from(Construct::Pipe, start);
            self.first_is_over = true;
            commands.push(command);
            self.skip_lines()?;
            if matches!(self.keyword(), Some("time" | "!")) {
                return Err(self.unexpected());
            }
        }
    }

    /// Skips `!` and `time`. True when one of them stood there.
    fn prefixes(&mut self) -> Parsed<bool> {
        let mut prefixed = false;
        loop {
            self.skip_blanks();
            let start = self.position;
            match self.keyword() {
                Some("!") => {
                    self.position += 1;
                    self.first_is_over = true;
                    self.record_construct_from(Construct::Keyword("!"), start);
                    if self.peek(0) == Some(b'(') {
                        return Err(self.unread(Unread::Pattern, start));
                    }
                }
                Some("time") => {
                    self.only_bash("`time`", start)?;
                    self.position += 4;
                    self.first_is_over = true;
                    self.record_construct_from(Construct::Keyword("time"), start);
                    self.skip_blanks();
                    let rest = self.rest();
                    if rest.starts_with("-p") && rest[2..].starts_with([' ', '\t']) {
                        self.position += 2;
                    } else if rest.starts_with('-') {
                        return Err(self.unexpected());
                    }
                }
                _ => return Ok(prefixed),
            }
            prefixed = true;
        }
    }
}

/// Adds the redirection that `|&` means: `2>&1 |`.
fn add_both(command: &mut Command, span: crate::verdict::Span) {
    let mut one = RawWord { span, ..RawWord::default() };
    one.push_bare("1");
    let both = Redirection {
        operator: Operator::Duplicate,
        descriptor: 2,
        target: Target::Word(one),
        span,
    };
    match command {
        Command::Simple(simple) => simple.redirections.push(both),
        Command::Compound(_, redirections) => redirections.push(both),
        Command::Function(function) => add_both(&mut function.body, span),
    }
}
