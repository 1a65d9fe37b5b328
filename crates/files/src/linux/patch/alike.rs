//! Finds the place of a hunk whose lines the file writes otherwise.

use super::parse::{Hunk, Line, Sign};
use super::place::{HunkSearch, Turn, without_cr};
use super::scope::Scope;
use crate::linux::answer::TakenFor;
use crate::linux::edit::locate::{refuse_applied_alike, refuse_open};
use crate::linux::likeness::{Found, HunkLines, LikenessSearch, Wanted};
use crate::refusal::Refusal;

/// Passes over a file that a search costs for lines that the file writes otherwise.
const LIKENESS_PASSES: usize = 8;

/// A hunk as the file writes its lines, and in what that differs.
pub(super) type AlikeHunk = (Hunk, Vec<TakenFor>);

impl HunkSearch<'_> {
    /// The place of a hunk whose lines the file writes otherwise, and the hunk as the file has it.
    pub(super) fn alike(
        &self,
        scope: &Scope,
        likeness: &mut LikenessSearch<'_>,
    ) -> Result<(usize, Hunk, Vec<TakenFor>), Refusal> {
        let ended = |is_wanted: fn(&Line) -> bool| {
            let lines = self.hunk.lines.iter().filter(|line| is_wanted(line));
            lines.fold(String::new(), |text, line| text + without_cr(&line.text) + "\n")
        };
        let (old, added) = (ended(Line::is_old), ended(|line| line.sign == Sign::Added));
        let mut order = HunkLines { stays: Vec::new(), after: Vec::new() };
        for line in &self.hunk.lines {
            match line.sign {
                Sign::Added => order.after.push(order.stays.len()),
                sign => order.stays.push(sign == Sign::Context),
            }
        }
        self.budget.spend(LIKENESS_PASSES * self.text.len())?;
        let regions = &scope.regions;
        let at_end = self.hunk.at_end || self.is_last;
        let hunk = Some(&order);
        let mut wanted = Wanted { old: &old, new: &added, hunk, regions, at_end };
        let mut found = likeness.find(wanted);
        let Turn { index, count } = self.turn;
        if let Found::Several(places) = &found
            && count == places.len()
        {
            let own = places[index]..places[index] + 1;
            wanted.regions = std::slice::from_ref(&own);
            found = likeness.find(wanted);
        }
        let likeness = match found {
            Found::Once(likeness) => likeness,
            Found::Several(places) => {
                let length = old.len().saturating_sub(1);
                return Err(self.refuse_places(&places, length));
            }
            found => {
                let (old, new) = (self.joined_lines(Sign::Added), self.joined_lines(Sign::Removed));
                let texts = (self.text, &*old, &*new);
                refuse_applied_alike(self.requested, &self.wording, likeness, texts)?;
                return Err(match found {
                    Found::Open(range) => {
                        refuse_open(self.requested, &self.wording, self.text, range)
                    }
                    _ => self.refuse_nowhere(),
                });
            }
        };
        let mut hunk = self.hunk.clone();
        let mut stands = self.text[likeness.range.clone()].lines();
        let mut added = likeness.lines.into_iter();
        for line in &mut hunk.lines {
            let written = if line.sign == Sign::Added {
                added.next()
            } else {
                stands.next().map(ToOwned::to_owned)
            };
            line.text = written.ok_or_else(|| self.refuse_nowhere())?;
        }
        Ok((likeness.range.start, hunk, likeness.taken))
    }
}
