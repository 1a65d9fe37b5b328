//! Texts that are no outputs of runs, such as answers of sessions and of servers of tools. Of them the same lines are chosen, and the
//! whole is kept in the same kind of file, within the same budget.

use std::path::PathBuf;

use handrail_text::excerpt;

use crate::linux::spill::{Budget, Spill};
use crate::outcome::{Digest, DigestLimits};

/// Makes the digest of one text. It has what it needs of the engine, so that no other thread waits while it works.
pub struct TextDigest {
    /// The folder for the file; `None` where there can be none.
    directory: Option<PathBuf>,
    name: String,
    budget: Budget,
}

impl TextDigest {
    pub(crate) fn new(directory: Option<PathBuf>, number: u64, budget: &Budget) -> TextDigest {
        TextDigest { directory, name: format!("text-{number}.txt"), budget: budget.clone() }
    }

    /// The lines of a masked text that tell most, and the file with the whole; `None` for a text that fits.
    pub fn of(self, text: &str, limits: DigestLimits) -> Option<Digest> {
        let chosen = excerpt(text, limits.tokens);
        if !chosen.truncated {
            return None;
        }
        let spill = self.directory.and_then(|directory| {
            let mut spill = Spill::new(&directory, self.name, 0, limits.spill_bytes, &self.budget);
            spill.push(text.as_bytes());
            spill.finish()
        });
        Some(Digest { excerpt: chosen, spill })
    }
}

#[cfg(test)]
mod tests;
