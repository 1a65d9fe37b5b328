//! A question to the policy, kept so that it can be judged again with other lists or another text.

use std::borrow::Cow;

use crate::policy::Policy;
use crate::surroundings::{Enforced, FileText, Surroundings};
use crate::verdict::{Decision, Reason, Span, Verdict};

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

    /// The text as one plain command in the same surroundings. `None` for an argv.
    pub(super) fn as_line<'t>(&self, text: &'t str) -> Option<Question<'t>>
    where
        'q: 't,
    {
        match *self {
            Self::Line(_, surroundings) | Self::Script(_, surroundings) => {
                Some(Question::Line(text, surroundings))
            }
            Self::Argv(..) => None,
        }
    }

    pub(super) fn is_line(&self) -> bool {
        matches!(self, Self::Line(..))
    }

    fn surroundings(&self) -> &Surroundings<'q> {
        match self {
            Self::Line(_, surroundings)
            | Self::Script(_, surroundings)
            | Self::Argv(_, surroundings) => surroundings,
        }
    }

    /// The home folder of the user.
    pub(super) fn home(&self) -> Option<&'q str> {
        self.surroundings().path_rules?.home()
    }

    /// The text of the file that the word at this span names, where the host reads it.
    pub(super) fn file_text(&self, source: &str, (start, end): Span) -> Option<String> {
        let Surroundings { files, directory, .. } = self.surroundings();
        let word = source.get(start..end)?;
        let path = match word.strip_prefix("./").unwrap_or(word) {
            word if word.starts_with('/') => word.to_owned(),
            word => format!("{}/{word}", (*directory)?),
        };
        match (*files)?.text(&path) {
            FileText::Text(text) => Some(text),
            FileText::Missing | FileText::Unreadable => None,
        }
    }

    /// The refusal of the first of these paths that commands are kept from.
    pub(super) fn unread_place(&self, paths: &[String]) -> Option<Reason> {
        let rules = self.surroundings().path_rules?;
        let blocked = paths.iter().find_map(|path| rules.judge_command_read(path))?;
        let message = "It names a path that commands do not read".to_owned();
        Some(Reason {
            decision: Decision::Deny,
            rule: blocked.rule,
            ..Reason::allowed((0, 0), None, message)
        })
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
