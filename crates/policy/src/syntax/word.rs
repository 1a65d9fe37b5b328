//! A word that is known.

use crate::verdict::Span;

/// Text, and where it stands.
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
