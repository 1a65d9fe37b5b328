//! Text to tokens. No recursion: substitutions are not entered, they end the reading.

use super::Dialect;
use super::ansi_c;
use super::construct::{Construct, Fault};
use super::word::RawWord;
use crate::verdict::Span;

/// One step of the reading.
#[derive(Clone, Debug)]
pub(crate) enum Token {
    Word(RawWord),
    /// An operator that ends or joins commands.
    Operator(Construct, Span),
    /// A redirection operator; its target is the next word.
    Redirection(Construct, Span),
    Open(Span),
    Close(Span),
    LineBreak(Span),
    End,
}

/// Reads tokens from `source`, one per call of [`Lexer::next_token`].
#[derive(Debug)]
pub(crate) struct Lexer<'a> {
    source: &'a str,
    position: usize,
    /// A construct whose end is not looked for was met: nothing after it counts.
    halted: bool,
    dialect: Dialect,
    /// What was met inside words; the grammar collects it.
    pub(crate) faults: Vec<Fault>,
}

/// Longest first, so that the first match is the operator.
const OPERATORS: [(&str, Operator); 22] = [
    ("&>>", Operator::Redirection(Construct::Redirection)),
    ("<<<", Operator::Redirection(Construct::HereDocument)),
    ("<<-", Operator::Redirection(Construct::HereDocument)),
    (";;&", Operator::Control(Construct::Semicolon)),
    ("&&", Operator::Control(Construct::AndOr)),
    ("||", Operator::Control(Construct::AndOr)),
    ("|&", Operator::Control(Construct::Pipe)),
    (";;", Operator::Control(Construct::Semicolon)),
    (";&", Operator::Control(Construct::Semicolon)),
    ("&>", Operator::Redirection(Construct::Redirection)),
    ("<<", Operator::Redirection(Construct::HereDocument)),
    ("<(", Operator::Halt(Construct::ProcessSubstitution)),
    (">(", Operator::Halt(Construct::ProcessSubstitution)),
    ("<>", Operator::Redirection(Construct::Redirection)),
    ("<&", Operator::Redirection(Construct::Redirection)),
    (">&", Operator::Redirection(Construct::Redirection)),
    (">>", Operator::Redirection(Construct::Redirection)),
    (">|", Operator::Redirection(Construct::Redirection)),
    (";", Operator::Control(Construct::Semicolon)),
    ("&", Operator::Control(Construct::Background)),
    ("|", Operator::Control(Construct::Pipe)),
    ("<", Operator::Redirection(Construct::Redirection)),
];

#[derive(Clone, Copy)]
enum Operator {
    Control(Construct),
    Redirection(Construct),
    Halt(Construct),
}

impl<'a> Lexer<'a> {
    pub(crate) fn new(source: &'a str, dialect: Dialect) -> Self {
        Self { source, position: 0, halted: false, dialect, faults: Vec::new() }
    }

    pub(crate) fn next_token(&mut self) -> Token {
        self.skip_blanks();
        let start = self.position;
        match self.peek(0) {
            None => Token::End,
            Some(b'\n') => {
                self.position += 1;
                Token::LineBreak((start, start + 1))
            }
            Some(b'(') => {
                self.position += 1;
                Token::Open((start, start + 1))
            }
            Some(b')') => {
                self.position += 1;
                Token::Close((start, start + 1))
            }
            Some(b';' | b'&' | b'|' | b'<' | b'>') => self.operator(start),
            Some(_) => self.word(start),
        }
    }

    fn peek(&self, ahead: usize) -> Option<u8> {
        self.source.as_bytes().get(self.position + ahead).copied()
    }

    fn fault(&mut self, construct: Construct, start: usize) {
        self.faults.push(Fault { construct, span: (start, self.position) });
    }

    /// Gives up at a construct whose end is not looked for.
    fn halt(&mut self, construct: Construct, start: usize) {
        if !self.halted {
            let rest = &self.source[start..];
            let end = rest.char_indices().nth(2).map_or(self.source.len(), |(at, _)| start + at);
            self.faults.push(Fault { construct, span: (start, end) });
        }
        self.halted = true;
        self.position = self.source.len();
    }

    fn skip_blanks(&mut self) {
        loop {
            match self.peek(0) {
                Some(b' ' | b'\t') => self.position += 1,
                Some(b'\\') if self.peek(1) == Some(b'\n') => self.position += 2,
                Some(b'#') => {
                    let rest = &self.source[self.position..];
                    self.position += rest.find('\n').unwrap_or(rest.len());
                }
                _ => return,
            }
        }
    }

    fn operator(&mut self, start: usize) -> Token {
        let rest = &self.source[start..];
        let (text, operator) = OPERATORS
            .into_iter()
            .find(|(text, _)| rest.starts_with(text))
            .unwrap_or((">", Operator::Redirection(Construct::Redirection)));
        self.position += text.len();
        let span = (start, self.position);
        match operator {
            Operator::Control(construct) => Token::Operator(construct, span),
            Operator::Redirection(construct) => Token::Redirection(construct, span),
            Operator::Halt(construct) => {
                self.halt(construct, start);
                Token::End
            }
        }
    }

    fn word(&mut self, start: usize) -> Token {
        let mut word = RawWord::default();
        while let Some(byte) = self.peek(0) {
            match byte {
                b' ' | b'\t' | b'\n' | b';' | b'&' | b'|' | b'<' | b'>' | b'(' | b')' => break,
                b'\\' => self.backslash(&mut word),
                b'\'' => self.single_quotes(&mut word),
                b'"' => self.double_quotes(&mut word),
                b'$' if matches!(self.peek(1), Some(b'\'' | b'"')) => self.dollar_quotes(&mut word),
                b'$' => self.dollar(&mut word, false),
                b'`' => self.halt(Construct::Backtick, self.position),
                _ => {
                    word.push_bare(byte);
                    self.position += 1;
                }
            }
        }
        word.span = (start, self.position);
        Token::Word(word)
    }

    fn backslash(&mut self, word: &mut RawWord) {
        let start = self.position;
        let Some(next) = self.source[start + 1..].chars().next() else {
            self.position += 1;
            return self.fault(Construct::Backslash, start);
        };
        self.position += 1 + next.len_utf8();
        if next != '\n' {
            word.push_quoted(&self.source.as_bytes()[start + 1..self.position]);
        }
    }

    fn single_quotes(&mut self, word: &mut RawWord) {
        let start = self.position;
        let rest = &self.source[start + 1..];
        let Some(length) = rest.find('\'') else {
            return self.halt(Construct::SingleQuote, start);
        };
        self.position = start + length + 2;
        word.push_quoted(&rest.as_bytes()[..length]);
    }

    fn double_quotes(&mut self, word: &mut RawWord) {
        let start = self.position;
        self.position += 1;
        word.push_quoted(b"");
        loop {
            match (self.peek(0), self.peek(1)) {
                (None, _) => return self.halt(Construct::DoubleQuote, start),
                (Some(b'"'), _) => {
                    self.position += 1;
                    return;
                }
                (Some(b'\\'), Some(b'\n')) => self.position += 2,
                (Some(b'\\'), Some(next @ (b'$' | b'`' | b'"' | b'\\'))) => {
                    word.push_quoted(&[next]);
                    self.position += 2;
                }
                (Some(b'`'), _) => return self.halt(Construct::Backtick, self.position),
                (Some(b'$'), _) => self.dollar(word, true),
                (Some(byte), _) => {
                    word.push_quoted(&[byte]);
                    self.position += 1;
                }
            }
        }
    }

    /// `$'…'` and `$"…"`. A `$"…"` is translated by message catalogues; without one it is `"…"`.
    fn dollar_quotes(&mut self, word: &mut RawWord) {
        let start = self.position;
        if self.dialect == Dialect::Posix {
            return self.halt(Construct::AmbiguousQuote, start);
        }
        self.position += 1;
        if self.peek(0) == Some(b'"') {
            return self.double_quotes(word);
        }
        let bytes = self.source.as_bytes();
        let mut end = self.position + 1;
        loop {
            match bytes.get(end) {
                None => return self.halt(Construct::AnsiQuote, start),
                Some(b'\\') => end += 2,
                Some(b'\'') => break,
                Some(_) => end += 1,
            }
        }
        let text = &self.source[self.position + 1..end];
        self.position = end + 1;
        match ansi_c::decode(text) {
            Ok(decoded) => word.push_quoted(&decoded),
            Err(construct) => self.fault(construct, start),
        }
    }

    /// A `$` that starts no quote: a substitution, or itself.
    fn dollar(&mut self, word: &mut RawWord, quoted: bool) {
        let start = self.position;
        match self.peek(1) {
            Some(b'(') if self.peek(2) == Some(b'(') => self.halt(Construct::Arithmetic, start),
            Some(b'(') => self.halt(Construct::CommandSubstitution, start),
            Some(b'[') => self.halt(Construct::Arithmetic, start),
            Some(b'{') => self.halt(Construct::ParameterExpansion, start),
            Some(byte) if byte.is_ascii_alphabetic() || byte == b'_' => {
                self.position += 2;
                while self.peek(0).is_some_and(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
                {
                    self.position += 1;
                }
                self.fault(Construct::Variable, start);
            }
            Some(b'0'..=b'9' | b'@' | b'*' | b'#' | b'?' | b'-' | b'$' | b'!') => {
                self.position += 2;
                self.fault(Construct::Variable, start);
            }
            // A line is joined before a shell looks for what follows the `$`.
            Some(b'\\') if self.peek(2) == Some(b'\n') => {
                self.position += 1;
                self.fault(Construct::Variable, start);
            }
            _ => {
                self.position += 1;
                if quoted {
                    word.push_quoted(b"$");
                } else {
                    word.push_bare(b'$');
                }
                return;
            }
        }
        word.dynamic = true;
    }
}
