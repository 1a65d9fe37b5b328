//! What lifts a refusal. Each piece of advice was tried before it is given: the question is judged again with it.

mod call;
mod options;
mod question;

use std::fmt;

use crate::config::Rule;
use crate::policy::Policy;
use crate::verdict::{Decision, Verdict};
pub(crate) use question::Question;

/// Longest command, in bytes, that is judged again to find advice.
const MAX_ADVISED_BYTES: usize = 16 * 1024;

/// What lifts a reason.
#[derive(Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Advice {
    /// Another call, which is allowed. Only the first reason of a verdict has it, and it lifts all of them.
    Replace {
        /// What to ask for in place of the command.
        command: String,
        /// The directory to run it in, relative to that of the call.
        directory: Option<String>,
    },
    /// One more entry of the allow list.
    Allow(Rule),
    /// One more interpreter whose code is not judged.
    Trust(String),
    /// One more directory that programs are found in.
    Path(String),
    /// The consent of whoever the host asks.
    Approve,
}

/// Arguments of the command may hold secrets: they are not shown.
impl fmt::Debug for Advice {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Replace { command, .. } => {
                write!(formatter, "Replace([{} bytes])", command.len())
            }
            Self::Allow(rule) => {
                let words = rule.args.as_ref().map_or(0, Vec::len);
                write!(formatter, "Allow({}, [{words} words])", rule.program)
            }
            Self::Trust(program) => write!(formatter, "Trust({program})"),
            Self::Path(directory) => write!(formatter, "Path({directory})"),
            Self::Approve => formatter.write_str("Approve"),
        }
    }
}

/// The verdict on a question, with advice where it is refused.
pub(crate) fn advised(policy: &Policy, question: &Question<'_>) -> Verdict {
    let mut verdict = question.judge(policy);
    if verdict.decision != Decision::Allow && question.bytes() <= MAX_ADVISED_BYTES {
        let replacement = call::replacement(policy, question, &verdict);
        // Nobody lists a program for a slip in its name.
        if replacement.is_none() || verdict.decision == Decision::Ask {
            options::advise(policy, question, &mut verdict);
        }
        if let (Some(replacement), Some(first)) = (replacement, verdict.reasons.first_mut()) {
            first.advice.insert(0, replacement);
        }
    }
    verdict
}
