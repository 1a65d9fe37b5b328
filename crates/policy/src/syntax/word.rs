//! One word before quote removal is final: its bytes, and which of them were written bare.

use super::construct::{Construct, Fault};
use crate::verdict::Span;

/// A word as the lexer reads it.
#[derive(Clone, Debug, Default)]
pub(crate) struct RawWord {
    /// The bytes after quote removal.
    pub(crate) bytes: Vec<u8>,
    /// For each byte whether it stood outside quotes, unescaped. Same length as `bytes`.
    bare: Vec<bool>,
    /// Some part was quoted, so an empty word is a word.
    pub(crate) quoted: bool,
    /// Part of it is only known when a shell runs it.
    pub(crate) dynamic: bool,
    pub(crate) span: Span,
}

/// A word that is known: text, and where it stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Word {
    pub(crate) text: String,
    pub(crate) span: Span,
}

impl Word {
    /// The word from byte `from` on, at the same place. `from` is a character border.
    pub(crate) fn tail(&self, from: usize) -> Self {
        Self { text: self.text[from..].to_owned(), span: self.span }
    }

    pub(crate) fn with_text(&self, text: impl Into<String>) -> Self {
        Self { text: text.into(), span: self.span }
    }
}

impl RawWord {
    pub(crate) fn push_bare(&mut self, byte: u8) {
        self.bytes.push(byte);
        self.bare.push(true);
    }

    pub(crate) fn push_quoted(&mut self, bytes: &[u8]) {
        self.quoted = true;
        self.bytes.extend_from_slice(bytes);
        self.bare.resize(self.bytes.len(), false);
    }

    /// Nothing was quoted, so it may be a reserved word.
    pub(crate) fn is_plain(&self) -> bool {
        !self.quoted && !self.dynamic
    }

    pub(crate) fn into_word(self) -> Result<Word, Fault> {
        let span = self.span;
        match String::from_utf8(self.bytes) {
            Ok(text) => Ok(Word { text, span }),
            Err(_) => Err(Fault { construct: Construct::Encoding, span }),
        }
    }

    /// The length of a bare `NAME=`, `NAME+=` or `NAME[`: what a shell takes for an assignment.
    pub(crate) fn assignment(&self) -> Option<AssignmentShape> {
        let name = self.name_length()?;
        match self.bytes.get(name..)? {
            [b'=', ..] if self.bare[name] => Some(AssignmentShape::Plain(name)),
            [b'+', b'=', ..] if self.bare[name] && self.bare[name + 1] => {
                Some(AssignmentShape::Append)
            }
            [b'[', rest @ ..] if self.bare[name] && rest.contains(&b'=') => {
                Some(AssignmentShape::Element)
            }
            _ => None,
        }
    }

    /// What bash would expand in this word, besides the substitutions the lexer reports.
    pub(crate) fn expansions(&self) -> impl Iterator<Item = Construct> {
        let glob = self.has_glob().then_some(Construct::Glob);
        let brace = self.has_brace().then_some(Construct::Brace);
        let tilde = self.has_tilde().then_some(Construct::Tilde);
        [glob, brace, tilde].into_iter().flatten()
    }

    fn is_bare(&self, at: usize, byte: u8) -> bool {
        self.bytes[at] == byte && self.bare[at]
    }

    fn name_length(&self) -> Option<usize> {
        let length = self
            .bytes
            .iter()
            .zip(&self.bare)
            .take_while(|(byte, bare)| **bare && (byte.is_ascii_alphanumeric() || **byte == b'_'))
            .count();
        (length > 0 && !self.bytes[0].is_ascii_digit()).then_some(length)
    }

    /// `[` alone is the program of that name. Any other bare `[` counts, with or without its end:
    /// stricter than a shell, never weaker.
    fn has_glob(&self) -> bool {
        let lone_bracket = self.bytes == b"[";
        (0..self.bytes.len()).any(|at| {
            self.bare[at]
                && (matches!(self.bytes[at], b'*' | b'?')
                    || (self.bytes[at] == b'[' && !lone_bracket))
        })
    }

    /// `{…}` with a comma or `..` inside. `{}` and `stash@{0}` are literal.
    fn has_brace(&self) -> bool {
        let Some(open) = (0..self.bytes.len()).find(|at| self.is_bare(*at, b'{')) else {
            return false;
        };
        let Some(close) = (open..self.bytes.len()).rev().find(|at| self.is_bare(*at, b'}')) else {
            return false;
        };
        let inside = &self.bytes[open..close];
        inside.contains(&b',') || inside.windows(2).any(|pair| pair == b"..")
    }

    /// At the start of the word, and in what looks like an assignment after `=` and each `:`.
    fn has_tilde(&self) -> bool {
        if !self.bytes.is_empty() && self.is_bare(0, b'~') {
            return true;
        }
        self.assignment().is_some()
            && (1..self.bytes.len()).any(|at| {
                self.is_bare(at, b'~') && (self.is_bare(at - 1, b'=') || self.is_bare(at - 1, b':'))
            })
    }
}

/// The forms of an assignment word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum AssignmentShape {
    /// `NAME=…`, with the length of the name.
    Plain(usize),
    /// `NAME+=…`
    Append,
    /// `NAME[…]=…`
    Element,
}
