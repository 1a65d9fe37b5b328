//! A question to the policy, kept so that it can be judged again with other lists or another text.

use std::borrow::Cow;

use crate::policy::Policy;
use crate::surroundings::{Enforced, Surroundings};
use crate::verdict::Verdict;

/// A command as the host gave it.
#[derive(Clone, Copy)]
pub(crate) enum Question<'q> {
    /// One plain command.
    Line(&'q str, Surroundings<'q>),
    /// A text that bash may run.
    Script(&'q str, Surroundings<'q>),
    /// The words of an argv, which no shell reads.
    Argv(&'q [String], Surroundings<'q>),
}

impl<'q> Question<'q> {
    pub(crate) fn judge(&self, policy: &Policy) -> Verdict {
        match self {
            Self::Line(line, surroundings) => policy.judge_line(line, *surroundings),
            Self::Script(text, surroundings) => policy.judge_script(text, surroundings),
            Self::Argv(argv, surroundings) => policy.judge_argv(argv, *surroundings),
        }
    }

    /// The same question on a machine whose kernel enforces nothing.
    pub(super) fn unenforced(self) -> Self {
        let plain = |surroundings| Surroundings { enforced: Enforced::NOTHING, ..surroundings };
        match self {
            Self::Line(line, surroundings) => Self::Line(line, plain(surroundings)),
            Self::Script(text, surroundings) => Self::Script(text, plain(surroundings)),
            Self::Argv(argv, surroundings) => Self::Argv(argv, plain(surroundings)),
        }
    }

    /// The same question about another text. `None` for an argv.
    pub(super) fn with_other_text<'t>(&self, text: &'t str) -> Option<Question<'t>>
    where
        'q: 't,
    {
        match *self {
            Self::Line(_, surroundings) => Some(Question::Line(text, surroundings)),
            Self::Script(_, surroundings) => Some(Question::Script(text, surroundings)),
            Self::Argv(..) => None,
        }
    }

    /// The text as a script in the same surroundings. `None` for an argv.
    pub(super) fn as_script<'t>(&self, text: &'t str) -> Option<Question<'t>>
    where
        'q: 't,
    {
        match *self {
            Self::Line(_, surroundings) | Self::Script(_, surroundings) => {
                Some(Question::Script(text, surroundings))
            }
            Self::Argv(..) => None,
        }
    }

    /// The text that the spans of reasons are offsets into.
    pub(super) fn source(&self) -> Cow<'q, str> {
        match self {
            Self::Line(text, _) | Self::Script(text, _) => Cow::Borrowed(text),
            Self::Argv(argv, _) => Cow::Owned(argv.join(" ")),
        }
    }

    pub(super) fn bytes(&self) -> usize {
        match self {
            Self::Line(text, _) | Self::Script(text, _) => text.len(),
            Self::Argv(argv, _) => argv.iter().map(|word| word.len() + 1).sum(),
        }
    }
}
