//! What is judged, in a form that can be judged again with other lists or another text.

use std::borrow::Cow;

use crate::policy::Policy;
use crate::surroundings::Surroundings;
use crate::verdict::Verdict;

/// A command, as a host gives it.
#[derive(Clone, Copy)]
pub(crate) enum Question<'q> {
    /// One plain command.
    Line(&'q str),
    /// A text that bash may run.
    Script(&'q str, &'q Surroundings<'q>),
    /// Words that no shell sees.
    Argv(&'q [String]),
}

impl<'q> Question<'q> {
    pub(crate) fn judge(&self, policy: &Policy) -> Verdict {
        match self {
            Self::Line(line) => policy.judge_line(line),
            Self::Script(text, surroundings) => policy.judge_script(text, surroundings),
            Self::Argv(argv) => policy.judge_argv(argv),
        }
    }

    /// The same question about another text. An argv has none.
    pub(super) fn about<'t>(&self, text: &'t str) -> Option<Question<'t>>
    where
        'q: 't,
    {
        match *self {
            Self::Line(_) => Some(Question::Line(text)),
            Self::Script(_, surroundings) => Some(Question::Script(text, surroundings)),
            Self::Argv(_) => None,
        }
    }

    /// What the spans of reasons refer to.
    pub(super) fn source(&self) -> Cow<'q, str> {
        match self {
            Self::Line(text) | Self::Script(text, _) => Cow::Borrowed(text),
            Self::Argv(argv) => Cow::Owned(argv.join(" ")),
        }
    }

    pub(super) fn bytes(&self) -> usize {
        match self {
            Self::Line(text) | Self::Script(text, _) => text.len(),
            Self::Argv(argv) => argv.iter().map(|word| word.len() + 1).sum(),
        }
    }
}
