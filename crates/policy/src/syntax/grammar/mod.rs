//! Reads a text into a tree as bash does. Syntax without a rule here is a fault.
//!
//! The reader is a recursive descent with one file per level: [`list`], [`compound`], [`conditional`], [`simple`],
//! [`word`], [`dollar`], [`document`]. Every recursion goes through [`Reader::nested`], which counts the depth. Only
//! the text of backticks and here-documents is read twice, after its escapes are removed; offsets in it are mapped
//! back.

mod compound;
mod conditional;
mod document;
mod dollar;
mod list;
mod rule_list;
mod simple;
mod word;

use super::Dialect;
use super::construct::{Construct, Fault};
use super::tree::{RawWord, Script};
use super::unread::Unread;
use crate::limits::MAX_SYNTAX_DEPTH;
use crate::verdict::Span;
use document::PendingDocument;
pub(super) use list::KEYWORDS;
pub use rule_list::rule_words;
pub(crate) use simple::DECLARING_BUILTINS;

/// The first fault ends the reading: the meaning of the text after it is unknown.
pub(crate) type Parsed<T> = Result<T, Fault>;

/// The result of reading a text.
#[derive(Debug)]
pub(crate) struct Reading {
    pub(crate) script: Parsed<Script>,
    /// Constructs that one plain command does not have, each kind once, in the order of the text.
    pub(crate) constructs: Vec<Fault>,
    /// The words of the first simple command, as far as they could be read.
    pub(crate) first: Vec<RawWord>,
}

/// Reads the whole text.
pub(crate) fn read(source: &str, dialect: Dialect) -> Reading {
    let mut reader = Reader::new(source, dialect);
    let script = reader.script();
    let mut constructs = reader.constructs;
    constructs.sort_by_key(|fault| fault.span);
    Reading { script, constructs, first: reader.first }
}

struct Reader<'a> {
    source: &'a str,
    position: usize,
    /// The offset of each byte of `source`, and of its end, in the original text. `None` when the two texts are the
    /// same.
    offsets: Option<&'a [usize]>,
    dialect: Dialect,
    depth: usize,
    /// Here-documents whose lines follow the present line.
    pending: Vec<PendingDocument>,
    /// How many pending here-documents belong to commands around this substitution, which no line may end before.
    outer_pending: usize,
    constructs: Vec<Fault>,
    /// What the compound commands and substitutions begin with that have no end yet, with its position.
    open: Vec<(&'static str, usize)>,
    first: Vec<RawWord>,
    /// Whether the first simple command has ended.
    first_is_over: bool,
}

impl<'a> Reader<'a> {
    fn new(source: &'a str, dialect: Dialect) -> Self {
        Self {
            source,
            position: 0,
            offsets: None,
            dialect,
            depth: 0,
            pending: Vec::new(),
            outer_pending: 0,
            constructs: Vec::new(),
            open: Vec::new(),
            first: Vec::new(),
            first_is_over: false,
        }
    }

    fn script(&mut self) -> Parsed<Script> {
        let script = self.list()?;
        if self.peek(0).is_some() {
            return Err(self.unexpected());
        }
        self.no_document_is_pending()?;
        Ok(script)
    }

    /// Reads a text that was derived from a part of this one, one level deeper.
    fn within<T>(
        &mut self,
        text: &str,
        offsets: &[usize],
        read: impl FnOnce(&mut Reader<'_>) -> Parsed<T>,
    ) -> Parsed<T> {
        let mut reader = Reader {
            source: text,
            position: 0,
            offsets: Some(offsets),
            dialect: self.dialect,
            depth: self.depth,
            pending: Vec::new(),
            outer_pending: 0,
            constructs: Vec::new(),
            open: Vec::new(),
            first: Vec::new(),
            first_is_over: true,
        };
        let result = reader.nested(read);
        for fault in reader.constructs {
            self.record_construct(fault.construct, fault.span);
        }
        result
    }

    fn nested<T>(&mut self, read: impl FnOnce(&mut Self) -> Parsed<T>) -> Parsed<T> {
        if self.depth == MAX_SYNTAX_DEPTH {
            return Err(self.unread(Unread::Depth, self.position));
        }
        self.depth += 1;
        let result = read(self);
        self.depth -= 1;
        result
    }

    fn peek(&self, ahead: usize) -> Option<u8> {
        self.source.as_bytes().get(self.position + ahead).copied()
    }

    fn rest(&self) -> &'a str {
        &self.source[self.position..]
    }

    /// Takes the next character, whatever it is.
    fn next_character(&mut self) -> Option<char> {
        let character = self.rest().chars().next()?;
        self.position += character.len_utf8();
        Some(character)
    }

    fn offset(&self, position: usize) -> usize {
        self.offsets.map_or(position, |offsets| offsets[position])
    }

    /// The span from `start` to the present position, in the original text.
    fn span(&self, start: usize) -> Span {
        (self.offset(start), self.offset(self.position))
    }

    fn takes(&mut self, text: &str) -> bool {
        let found = self.rest().starts_with(text);
        if found {
            self.position += text.len();
        }
        found
    }

    fn expect(&mut self, text: &str) -> Parsed<()> {
        if self.takes(text) { Ok(()) } else { Err(self.unexpected()) }
    }

    /// Records a construct that one plain command does not have.
    fn record_construct(&mut self, construct: Construct, span: Span) {
        if self.constructs.iter().all(|fault| fault.construct != construct) {
            self.constructs.push(Fault { construct, span });
        }
    }

    fn record_construct_from(&mut self, construct: Construct, start: usize) {
        let span = self.span(start);
        self.record_construct(construct, span);
    }

    fn fault(&self, construct: Construct, start: usize) -> Fault {
        let rest = &self.source[start.min(self.source.len())..];
        let two = rest.char_indices().nth(2).map_or(self.source.len(), |(at, _)| start + at);
        let end = self.position.max(two);
        Fault { construct, span: (self.offset(start), self.offset(end)) }
    }

    fn unread(&self, unread: Unread, start: usize) -> Fault {
        self.fault(Construct::Unread(unread), start)
    }

    /// The fault about text that the grammar does not expect here.
    fn unexpected(&self) -> Fault {
        match self.open.last() {
            Some(&(opener, at)) if self.peek(0).is_none() => {
                let span = (self.offset(at), self.offset(at + opener.len()));
                Fault { construct: Construct::Unread(Unread::Unclosed(opener)), span }
            }
            Some(&(opener, _)) => self.unread(Unread::Within(opener), self.position),
            None => self.unread(Unread::Syntax, self.position),
        }
    }

    /// Fails in dialects other than bash, which need not have this form.
    fn only_bash(&self, what: &'static str, start: usize) -> Parsed<()> {
        if self.dialect == Dialect::Bash {
            Ok(())
        } else {
            Err(self.unread(Unread::NotPosix(what), start))
        }
    }

    /// Skips blanks, joined lines and comments.
    fn skip_blanks(&mut self) {
        loop {
            match self.peek(0) {
                Some(b' ' | b'\t') => self.position += 1,
                Some(b'\\') if self.peek(1) == Some(b'\n') => self.position += 2,
                Some(b'#') => {
                    let rest = self.rest();
                    self.position += rest.find('\n').unwrap_or(rest.len());
                }
                _ => return,
            }
        }
    }

    /// Skips blanks, comments and line ends.
    fn skip_lines(&mut self) -> Parsed<()> {
        self.skip_blanks();
        while self.peek(0) == Some(b'\n') {
            self.end_line()?;
            self.skip_blanks();
        }
        Ok(())
    }
}
