//! A word of a command, after expansion.

use crate::verdict::Span;

/// A text, and where it was written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Word {
    pub(crate) text: String,
    pub(crate) span: Span,
}

impl Word {
    /// The part of the word from byte `from` on, with the same span. `from` must be a character boundary.
    pub(crate) fn tail(&self, from: usize) -> Self {
        Self { text: self.text[from..].to_owned(), span: self.span }
    }

    pub(crate) fn with_text(&self, text: impl Into<String>) -> Self {
        Self { text: text.into(), span: self.span }
    }
}
