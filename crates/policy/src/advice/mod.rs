//! Advice: what would let a refused command pass. Before advice is given, the question is judged again as if it were
//! followed.

mod call;
mod hints;
mod options;
mod question;
mod written;

use crate::policy::Policy;
use crate::verdict::{Decision, Verdict};
pub(crate) use question::Question;

/// Longest command, in bytes, that is judged again to find advice.
const MAX_ADVISED_BYTES: usize = 16 * 1024;

/// Judges the question, and adds advice to a refusal.
pub(crate) fn advised(policy: &Policy, question: &Question<'_>) -> Verdict {
    let mut verdict = question.judge(policy);
    if verdict.decision != Decision::Allow && question.bytes() <= MAX_ADVISED_BYTES {
        hints::judge(policy, question, &mut verdict);
        let replacement = call::replacement(policy, question, &verdict);
        // A misspelled name is corrected; nobody has to list it.
        if replacement.is_none() || verdict.decision == Decision::Ask {
            options::advise(policy, question, &mut verdict);
        }
        if let (Some(replacement), Some(first)) = (replacement, verdict.reasons.first_mut()) {
            first.advice.insert(0, replacement);
        }
    }
    verdict
}
