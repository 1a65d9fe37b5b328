//! The grammar of today: one simple command, and a fault for everything else.

use super::Dialect;
use super::construct::{Construct, Fault};
use super::lexer::{Lexer, Token};
use super::word::{AssignmentShape, RawWord, Word};
use crate::limits::MAX_WORDS;
use crate::verdict::Span;

/// Words that start or continue a compound command where a program is expected.
const KEYWORDS: [&str; 20] = [
    "!", "[[", "case", "coproc", "do", "done", "elif", "else", "esac", "fi", "for", "function",
    "if", "select", "then", "time", "until", "while", "{", "}",
];

/// What a text was read as.
#[derive(Debug, Default)]
pub(crate) struct Reading {
    /// Names and values in front of the program.
    pub(crate) assignments: Vec<(Word, Word)>,
    /// The words of the first simple command; with faults, as far as they could be read.
    pub(crate) words: Vec<Word>,
    /// Empty exactly when the text is one simple command, or nothing at all.
    pub(crate) faults: Vec<Fault>,
    /// The program's name is one literal word, whatever else is wrong.
    pub(crate) program_is_literal: bool,
}

/// Reads the whole text; faults do not end the reading unless their own end is unknown.
pub(crate) fn read(source: &str, dialect: Dialect) -> Reading {
    let mut reader = Reader {
        lexer: Lexer::new(source, dialect),
        reading: Reading::default(),
        phase: Phase::Assignments,
        line_break: None,
    };
    while reader.step() {}
    let mut reading = reader.reading;
    for fault in reader.lexer.faults {
        note(&mut reading.faults, fault.construct, fault.span);
    }
    reading.faults.sort_by_key(|fault| fault.span);
    reading
}

/// One fault of each kind is enough to explain it.
fn note(faults: &mut Vec<Fault>, construct: Construct, span: Span) {
    if faults.iter().all(|fault| fault.construct != construct) {
        faults.push(Fault { construct, span });
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Phase {
    /// Before the program.
    Assignments,
    Arguments,
    /// The first command is over; what follows is only searched for faults.
    Over,
}

struct Reader<'a> {
    lexer: Lexer<'a>,
    reading: Reading,
    phase: Phase,
    line_break: Option<Span>,
}

impl Reader<'_> {
    /// Takes one token; false at the end.
    fn step(&mut self) -> bool {
        match self.lexer.next_token() {
            Token::End => {
                if self.phase == Phase::Assignments
                    && let Some((name, _)) = self.reading.assignments.first()
                {
                    let span = name.span;
                    self.fault(Construct::OnlyAssignments, span);
                }
                return false;
            }
            Token::LineBreak(span) => {
                if self.phase == Phase::Arguments || !self.reading.assignments.is_empty() {
                    self.line_break.get_or_insert(span);
                }
            }
            Token::Operator(construct, span) => self.end_command(construct, span),
            Token::Redirection(construct, span) => self.redirection(construct, span),
            Token::Open(span) => self.open(span),
            Token::Close(span) => self.end_command(Construct::Parenthesis, span),
            Token::Word(word) => self.word(word),
        }
        true
    }

    fn fault(&mut self, construct: Construct, span: Span) {
        note(&mut self.reading.faults, construct, span);
    }

    fn end_command(&mut self, construct: Construct, span: Span) {
        self.fault(construct, span);
        self.phase = Phase::Over;
    }

    fn redirection(&mut self, construct: Construct, mut span: Span) {
        // `2>` is one operator: the digits touching it are no word.
        if let Some(word) = self.reading.words.last()
            && word.span.1 == span.0
            && word.text.bytes().all(|byte| byte.is_ascii_digit())
        {
            span.0 = word.span.0;
            self.reading.words.pop();
            if self.reading.words.is_empty() && self.phase == Phase::Arguments {
                self.phase = Phase::Assignments;
            }
        }
        self.fault(construct, span);
        if construct == Construct::HereDocument {
            // The lines that follow may be text, not commands.
            self.phase = Phase::Over;
        } else if let Token::Word(_) = self.lexer.next_token() {
            // The target is no argument.
        } else {
            self.phase = Phase::Over;
        }
    }

    fn open(&mut self, span: Span) {
        let ends_with_equals = |word: &Word| word.span.1 == span.0 && word.text.ends_with('=');
        let last_value = self.reading.assignments.last();
        let construct = if last_value
            .is_some_and(|(_, value)| value.text.is_empty() && value.span.1 == span.0)
            || self.reading.words.last().is_some_and(ends_with_equals)
        {
            Construct::Array
        } else if self.phase == Phase::Arguments && self.reading.words.len() == 1 {
            Construct::Function
        } else if self.phase == Phase::Arguments {
            Construct::Parenthesis
        } else {
            Construct::Subshell
        };
        self.end_command(construct, span);
    }

    fn word(&mut self, raw: RawWord) {
        let span = raw.span;
        if let Some(line_break) = self.line_break.take() {
            self.end_command(Construct::LineBreak, line_break);
        }
        for construct in raw.expansions() {
            self.fault(construct, span);
        }
        if self.phase == Phase::Over {
            return;
        }
        if self.phase == Phase::Assignments {
            if let Some(shape) = raw.assignment() {
                return self.assignment(raw, shape);
            }
            if raw.is_plain()
                && self.reading.assignments.is_empty()
                && let Some(keyword) = KEYWORDS.iter().find(|word| word.as_bytes() == raw.bytes)
            {
                return self.end_command(Construct::Keyword(keyword), span);
            }
            self.phase = Phase::Arguments;
            self.reading.program_is_literal = !raw.dynamic && raw.expansions().next().is_none();
        }
        if self.reading.words.len() == MAX_WORDS {
            return self.end_command(Construct::TooManyWords, span);
        }
        match raw.into_word() {
            Ok(word) => self.reading.words.push(word),
            Err(fault) => {
                self.fault(fault.construct, fault.span);
                self.reading.program_is_literal &= !self.reading.words.is_empty();
            }
        }
    }

    fn assignment(&mut self, raw: RawWord, shape: AssignmentShape) {
        let span = raw.span;
        match shape {
            AssignmentShape::Append => self.fault(Construct::Append, span),
            AssignmentShape::Element => self.fault(Construct::Element, span),
            AssignmentShape::Plain(length) => match raw.into_word() {
                Ok(word) => {
                    let name = word.with_text(&word.text[..length]);
                    let value = word.tail(length + 1);
                    self.reading.assignments.push((name, value));
                }
                Err(fault) => self.fault(fault.construct, fault.span),
            },
        }
    }
}
