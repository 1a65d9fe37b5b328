//! Compound commands and functions.

use super::super::construct::Construct;
use super::super::tree::{Command, Compound, Function, RawWord, Script};
use super::super::unread::Unread;
use super::{Parsed, Reader};
use crate::verdict::Span;

impl Reader<'_> {
    pub(super) fn command(&mut self) -> Parsed<Command> {
        let open = self.open.len();
        let command = self.any_command()?;
        self.open.truncate(open);
        Ok(command)
    }

    fn any_command(&mut self) -> Parsed<Command> {
        self.skip_blanks();
        if self.peek(0) == Some(b'(') {
            let compound = self.parenthesis()?;
            return Ok(Command::Compound(compound, self.redirections()?));
        }
        let start = self.position;
        let Some(keyword) = self.keyword() else { return self.simple() };
        let compound = match keyword {
            "function" => return self.function_keyword(),
            "[[" => self.conditional()?,
            "{" => Compound::Group(self.group()?),
            "if" => self.conditions()?,
            "for" => self.for_loop()?,
            "while" | "until" => self.while_loop(keyword)?,
            "case" => self.case()?,
            "coproc" | "select" => {
                self.position += keyword.len();
                self.record_construct_from(Construct::Keyword(keyword), start);
                let form = if keyword == "select" { Unread::Select } else { Unread::Coprocess };
                return Err(self.unread(form, start));
            }
            // The word belongs to a compound command around this one, or to none.
            _ => {
                self.position += keyword.len();
                self.record_construct_from(Construct::Keyword(keyword), start);
                return Err(self.unread(Unread::Syntax, start));
            }
        };
        Ok(Command::Compound(compound, self.redirections()?))
    }

    pub(super) fn opens(&mut self, keyword: &'static str) {
        let start = self.position;
        self.position += keyword.len();
        self.record_construct_from(Construct::Keyword(keyword), start);
        self.first_is_over = true;
        if keyword != "function" {
            self.open.push((keyword, start));
        }
    }

    /// `( … )` and `(( … ))`.
    fn parenthesis(&mut self) -> Parsed<Compound> {
        let start = self.position;
        self.position += 1;
        self.record_construct_from(Construct::Subshell, start);
        self.first_is_over = true;
        self.open.push(("(", start));
        if self.takes("(") {
            self.only_bash("`((`", start)?;
            let text = self.arithmetic(super::dollar::End::Parentheses, false)?;
            return Ok(Compound::Arithmetic(text));
        }
        self.no_joined_line(start)?;
        let script = self.body()?;
        self.expect(")")?;
        Ok(Compound::Subshell(script))
    }

    /// Refuses a line that is joined between two signs: shells differ on what the signs mean together.
    pub(super) fn no_joined_line(&self, start: usize) -> Parsed<()> {
        if self.rest().starts_with("\\\n") {
            Err(self.unread(Unread::Syntax, start))
        } else {
            Ok(())
        }
    }

    fn group(&mut self) -> Parsed<Script> {
        self.opens("{");
        let script = self.body()?;
        self.expect_keyword("}")?;
        Ok(script)
    }

    fn conditions(&mut self) -> Parsed<Compound> {
        self.opens("if");
        let mut arms = Vec::new();
        loop {
            let condition = self.body()?;
            self.expect_keyword("then")?;
            arms.push((condition, self.body()?));
            if self.takes_keyword("elif") {
                continue;
            }
            let otherwise = if self.takes_keyword("else") { Some(self.body()?) } else { None };
            self.expect_keyword("fi")?;
            return Ok(Compound::If(arms, otherwise));
        }
    }

    fn while_loop(&mut self, keyword: &'static str) -> Parsed<Compound> {
        self.opens(keyword);
        let condition = self.body()?;
        self.expect_keyword("do")?;
        let body = self.body()?;
        self.expect_keyword("done")?;
        Ok(Compound::Loop(condition, body))
    }

    fn for_loop(&mut self) -> Parsed<Compound> {
        let start = self.position;
        self.opens("for");
        self.skip_blanks();
        if self.takes("((") {
            self.only_bash("`for ((`", start)?;
            let text = self.arithmetic(super::dollar::End::Parentheses, true)?;
            self.skip_blanks();
            self.takes(";");
            return Ok(Compound::ArithmeticFor(text, self.loop_body()?));
        }
        let word = self.word()?;
        let Some(name) = word.bare().filter(|name| is_name(name)).map(str::to_owned) else {
            return Err(self.unread(Unread::Syntax, start));
        };
        let line = self.position;
        self.skip_lines()?;
        let same_line = !self.source[line..self.position].contains('\n');
        let mut words = None;
        if self.takes_keyword("in") {
            let mut all = Vec::new();
            loop {
                self.skip_blanks();
                match self.peek(0) {
                    Some(b';' | b'\n') => break,
                    None | Some(b'&' | b'|' | b'<' | b'>' | b'(' | b')') if !self.at_process() => {
                        return Err(self.unexpected());
                    }
                    _ => all.push(self.word()?),
                }
            }
            words = Some(all);
        }
        self.skip_blanks();
        if self.peek(0) == Some(b';') && (same_line || words.is_some()) {
            self.position += 1;
        }
        let body = self.loop_body()?;
        Ok(Compound::For { name, words, body })
    }

    /// `do … done`, or `{ … }`.
    fn loop_body(&mut self) -> Parsed<Script> {
        self.skip_lines()?;
        if self.keyword() == Some("{") && self.dialect == super::Dialect::Bash {
            return self.group();
        }
        self.expect_keyword("do")?;
        let body = self.body()?;
        self.expect_keyword("done")?;
        Ok(body)
    }

    fn case(&mut self) -> Parsed<Compound> {
        self.opens("case");
        self.skip_blanks();
        let subject = self.argument()?;
        self.skip_lines()?;
        self.expect_keyword("in")?;
        let mut arms = Vec::new();
        loop {
            self.skip_lines()?;
            if self.takes_keyword("esac") {
                return Ok(Compound::Case(subject, arms));
            }
            if self.takes("(") {
                self.skip_blanks();
            }
            let mut patterns = vec![self.argument()?];
            self.skip_blanks();
            while self.takes("|") {
                self.skip_blanks();
                patterns.push(self.argument()?);
                self.skip_blanks();
            }
            self.expect(")")?;
            arms.push((patterns, self.list()?));
            let start = self.position;
            if self.takes(";;&") || self.takes(";&") {
                self.only_bash("`;&`", start)?;
            } else if !self.takes(";;") {
                self.skip_lines()?;
                self.expect_keyword("esac")?;
                return Ok(Compound::Case(subject, arms));
            }
        }
    }

    /// Reads a word, which must not be missing.
    pub(super) fn argument(&mut self) -> Parsed<RawWord> {
        let start = self.position;
        let word = self.word()?;
        if self.position == start { Err(self.unexpected()) } else { Ok(word) }
    }

    fn function_keyword(&mut self) -> Parsed<Command> {
        let start = self.position;
        self.only_bash("`function`", start)?;
        self.opens("function");
        self.skip_blanks();
        let at = self.position;
        let word = self.argument()?;
        let span = self.span(at);
        self.skip_blanks();
        if self.takes("(") {
            self.skip_blanks();
            self.expect(")")?;
        }
        self.function(&word, span)
    }

    /// Reads the rest of a function definition, after the name.
    pub(super) fn function(&mut self, word: &RawWord, span: Span) -> Parsed<Command> {
        let is_plain = |c: char| c.is_ascii_alphanumeric() || "_-.:".contains(c);
        let name = word.bare().filter(|name| {
            name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
                && name.chars().all(is_plain)
        });
        let Some(name) = name.filter(|name| !super::list::KEYWORDS.contains(name)) else {
            return Err(super::Fault { construct: Construct::Unread(Unread::FunctionName), span });
        };
        self.skip_lines()?;
        let is_compound = self.peek(0) == Some(b'(')
            || matches!(
                self.keyword(),
                Some("{" | "[[" | "if" | "for" | "while" | "until" | "case")
            );
        if !is_compound {
            return Err(self.unexpected());
        }
        let body = Box::new(self.nested(Self::command)?);
        Ok(Command::Function(Function { name: name.to_owned(), span, body }))
    }
}

pub(super) fn is_name(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
        && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
}
