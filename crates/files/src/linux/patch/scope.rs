//! The part of a file that `@@ a line` of a hunk means: the lines below that line.

use std::ops::Range;

use super::budget::SearchBudget;
use crate::linux::text::line_end;
use crate::refusal::Refusal;

/// The part of a file in which a hunk is looked for.
#[derive(Debug)]
pub(super) struct Scope {
    /// Places of the named lines, in order; empty when the hunk names none.
    pub(super) lines: Vec<usize>,
    /// Ranges below these lines, in order, without overlaps.
    pub(super) regions: Vec<Range<usize>>,
}

impl Scope {
    pub(super) fn whole(text: &str) -> Scope {
        let whole_text = 0..text.len().max(1);
        Scope { lines: Vec::new(), regions: vec![whole_text] }
    }

    /// Places in the scope of the lines that are equal to the named one; where there are none, of lines that begin with it.
    pub(super) fn matching_lines(
        &self,
        text: &str,
        named: &str,
        budget: &SearchBudget,
    ) -> Result<Vec<usize>, Refusal> {
        let (mut same, mut longer) = (Vec::new(), Vec::new());
        for region in &self.regions {
            budget.spend(region.len())?;
            for (at, line) in lines_from(text, region.clone()) {
                match line.trim().strip_prefix(named).map(|rest| rest.chars().next()) {
                    Some(None) => same.push(at),
                    Some(Some(next)) if !(next.is_alphanumeric() || next == '_') => longer.push(at),
                    _ => {}
                }
            }
        }
        Ok(if same.is_empty() { longer } else { same })
    }

    /// The part of the text below these lines.
    pub(super) fn below(
        text: &str,
        lines: Vec<usize>,
        budget: &SearchBudget,
    ) -> Result<Scope, Refusal> {
        let mut regions: Vec<Range<usize>> = Vec::new();
        let mut nested = 0;
        for &line in &lines {
            // A line within a block needs no block of its own.
            if line < nested {
                continue;
            }
            let block_at = block_at(text, line);
            budget.spend(block_at.range.len())?;
            if block_at.is_nested {
                nested = block_at.range.end;
            }
            match regions.last_mut() {
                Some(last) if block_at.range.start < last.end => last.end = block_at.range.end,
                _ => regions.push(block_at.range),
            }
        }
        Ok(Scope { lines, regions })
    }

    /// Whether only white space follows the scope.
    pub(super) fn reaches_end(&self, text: &str) -> bool {
        self.regions.last().is_some_and(|last| {
            text.get(last.end..).is_none_or(|rest| rest.trim_start().is_empty())
        })
    }
}

/// A line and the lines below it.
struct Block {
    range: Range<usize>,
    /// Whether its lines are indented deeper than the first.
    is_nested: bool,
}

/// A line and the lines after it that are indented deeper, perhaps after a lone `{`. Where no such lines follow, the block has
/// only the line and the next one.
fn block_at(text: &str, start: usize) -> Block {
    let depth = |line: &str| line.len() - line.trim_start().len();
    let lines = lines_from(text, start..text.len());
    let mut lines = lines.filter(|(_, line)| !line.trim().is_empty());
    let own_depth = lines.next().map_or(0, |(_, line)| depth(line));
    let mut next = lines.next();
    if next.is_some_and(|(_, line)| line.trim() == "{") {
        next = lines.next();
    }
    match next {
        Some((at, line)) if depth(line) <= own_depth => {
            Block { range: start..line_end(text, at), is_nested: false }
        }
        _ => {
            let end = lines.find(|(_, line)| depth(line) <= own_depth);
            Block { range: start..end.map_or(text.len(), |(at, _)| at), is_nested: true }
        }
    }
}

/// The lines of a range that begins at a line, each with its place.
fn lines_from(text: &str, stretch: Range<usize>) -> impl Iterator<Item = (usize, &str)> {
    let mut at = stretch.start;
    let stretch = text.get(stretch).unwrap_or(text);
    stretch.split_inclusive('\n').map(move |line| {
        at += line.len();
        (at - line.len(), line.trim_end_matches('\n'))
    })
}
