//! What lifts a refusal. Each piece of advice was tried before it is given: the question is judged again with it.

mod call;
mod options;
mod question;

use crate::policy::Policy;
use crate::verdict::{Decision, Verdict};
pub(crate) use question::Question;

/// Longest command, in bytes, that is judged again to find advice.
const MAX_ADVISED_BYTES: usize = 16 * 1024;

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
