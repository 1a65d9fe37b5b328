//! A model sees masks and may write them back. A mask that stands where it stood becomes the secret again, byte for byte;
//! any other is refused, and so is a change after which a secret would be shown.
//!
//! What lies outside of the changed stretches is kept by its offset. Within one, lines that are the same on both sides are
//! kept, and a mask of a changed line is the one of an old line with the same text before it. Where texts repeat
//! themselves, which lines are the same is a matter of choice: a mask is only restored when every other choice, one that
//! gives it another secret, leaves fewer lines as they are.

use std::borrow::Cow;
use std::cell::Cell;
use std::collections::HashMap;
use std::hash::{Hash, Hasher};
use std::ops::Range;
use std::time::{Duration, Instant};

use handrail_redact::{Redactor, find_masks};
use similar::{Algorithm, DiffOp, capture_diff_slices_deadline};

use crate::text::{line_at, lines};
use crate::view::{Mask, View, floor};

/// After so long a comparison is less exact; then fewer masks find their secret.
const DIFF_LIMIT: Duration = Duration::from_secs(2);
/// Lines that are compared in search of other choices; after that, every other choice counts as one that is as good.
const MAX_COMPARED_LINES: usize = 20_000_000;
/// Bytes before a change on its line that tell masks apart.
const MAX_LEAD_BYTES: usize = 1 << 10;

/// A stretch of a view and what takes its place. Stretches are in order and do not overlap.
#[derive(Debug)]
pub(crate) struct Hunk {
    pub(crate) shown: Range<usize>,
    pub(crate) new: String,
}

/// Why a text with masks is not written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fault {
    /// The mask on this line of this hunk's new text stands for no secret there.
    Unknown { hunk: usize, line: usize },
    /// This hunk begins or ends inside of a mask.
    Cut { hunk: usize },
    /// The secret on this line of the new text would be shown.
    Shown { line: usize },
}

impl Fault {
    /// The hunk it lies in.
    pub(crate) fn hunk(self) -> Option<usize> {
        match self {
            Fault::Unknown { hunk, .. } | Fault::Cut { hunk } => Some(hunk),
            Fault::Shown { .. } => None,
        }
    }
}

/// A new text, with its secrets.
#[derive(Debug)]
pub(crate) struct Rebuilt {
    pub(crate) text: String,
    /// Masks of the new stretches that became secrets.
    pub(crate) restored: usize,
}

/// Puts a new text together. `keep_ends` keeps the line ends of lines that stay.
pub(crate) fn rebuild(
    redactor: &Redactor,
    source: &str,
    view: &View<'_>,
    hunks: &[Hunk],
    keep_ends: bool,
) -> Result<Rebuilt, Fault> {
    let mut builder =
        Builder { source, view, text: String::with_capacity(source.len()), secrets: Vec::new() };
    let mut kept = 0;
    let mut restored = 0;
    for (index, hunk) in hunks.iter().enumerate() {
        builder.keep(kept..hunk.shown.start).ok_or(Fault::Cut { hunk: index })?;
        kept = hunk.shown.end;
        view.source_at(kept).ok_or(Fault::Cut { hunk: index })?;
        let has_masks = !find_masks(hunk.new.as_bytes()).is_empty();
        if has_masks || keep_ends {
            let before = builder.secrets.len();
            Alignment::new(view, hunk)
                .write(&mut builder)
                .map_err(|line| Fault::Unknown { hunk: index, line })?;
            restored += builder.secrets.len() - before;
        } else {
            builder.text.push_str(&hunk.new);
        }
    }
    builder.keep(kept..view.text.len()).ok_or(Fault::Cut { hunk: hunks.len() })?;
    let Builder { text, secrets, .. } = builder;
    if !secrets.is_empty() {
        let masks = View::of(redactor, &text).masks;
        let is_masked = |secret: &Range<usize>| {
            let after = masks.partition_point(|mask| mask.source.start <= secret.start);
            masks[..after].last().is_some_and(|mask| secret.end <= mask.source.end)
        };
        if let Some(secret) = secrets.iter().find(|secret| !is_masked(secret)) {
            return Err(Fault::Shown { line: line_at(&text, secret.start) });
        }
    }
    Ok(Rebuilt { text, restored })
}

struct Builder<'v, 't> {
    source: &'v str,
    view: &'v View<'t>,
    text: String,
    /// Where the secrets of the source stand in the new text.
    secrets: Vec<Range<usize>>,
}

impl Builder<'_, '_> {
    /// Takes over a stretch of the view as its source has it; `None` when it cuts a mask.
    fn keep(&mut self, shown: Range<usize>) -> Option<()> {
        let source = self.view.source_of(&shown)?;
        let to = self.text.len();
        let moved = |at: usize| to + (at - source.start);
        let masks = self.view.masks_in(&shown).iter();
        self.secrets.extend(masks.map(|mask| moved(mask.source.start)..moved(mask.source.end)));
        self.text.push_str(&self.source[source]);
        Some(())
    }

    fn secret(&mut self, mask: &Mask) {
        let from = self.text.len();
        self.text.push_str(&self.source[mask.source.clone()]);
        self.secrets.push(from..self.text.len());
    }
}

/// A line and where it stands. Lines with the same text are equal.
#[derive(Debug)]
struct Line<'t> {
    at: Range<usize>,
    /// Without its end, and whether it has one: CRLF and LF are the same.
    key: (&'t str, bool),
}

impl PartialEq for Line<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.key == other.key
    }
}

impl Eq for Line<'_> {}

impl Hash for Line<'_> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.key.hash(state);
    }
}

/// A text that looks like a mask, and where it stands.
struct Written<'t> {
    /// In the text that it is part of.
    at: Range<usize>,
    /// Its line in the stretch, from 0.
    line: usize,
    /// Its line up to its end.
    context: Cow<'t, str>,
}

/// Which lines of a new stretch are those of the old one.
struct Alignment<'v, 't> {
    view: &'v View<'t>,
    new: &'v str,
    /// Offsets are those of the view.
    old_lines: Vec<Line<'v>>,
    new_lines: Vec<Line<'v>>,
    old_masks: Vec<Written<'v>>,
    new_masks: Vec<Written<'v>>,
    ops: Vec<DiffOp>,
    /// Lines that stay.
    same: usize,
    /// Lines that may still be compared.
    budget: Cell<usize>,
    deadline: Instant,
}

impl<'v, 't> Alignment<'v, 't> {
    fn new(view: &'v View<'t>, hunk: &'v Hunk) -> Self {
        let lead = lead(&view.text[..hunk.shown.start]);
        let old_lines = split(&view.text[hunk.shown.clone()], hunk.shown.start);
        let new_lines = split(&hunk.new, 0);
        let deadline = Instant::now() + DIFF_LIMIT;
        let ops = diff(&old_lines, &new_lines, deadline);
        Alignment {
            view,
            new: &hunk.new,
            old_masks: written(&view.text[..hunk.shown.end], &old_lines, &lead),
            new_masks: written(&hunk.new, &new_lines, &lead),
            same: same(&ops),
            ops,
            old_lines,
            new_lines,
            budget: Cell::new(MAX_COMPARED_LINES),
            deadline,
        }
    }

    /// Writes the new stretch; fails with the line of a mask that stands for nothing.
    fn write(&self, builder: &mut Builder<'_, '_>) -> Result<(), usize> {
        let mut by_context: HashMap<&str, Vec<usize>> = HashMap::new();
        for (index, old) in self.old_masks.iter().enumerate() {
            by_context.entry(&old.context).or_default().push(index);
        }
        let mut pairs = Vec::with_capacity(self.new_masks.len());
        for new in &self.new_masks {
            let alike = by_context.get(&*new.context).map_or(&[][..], Vec::as_slice);
            let old = self.pair(new, alike).ok_or(new.line + 1)?;
            if !self.is_certain(new, old, alike, builder.source) {
                return Err(new.line + 1);
            }
            pairs.push((new, &self.old_masks[old]));
        }
        for op in &self.ops {
            if let DiffOp::Equal { old_index, new_index, len } = *op {
                let lines = &self.old_lines[old_index..old_index + len];
                builder.keep(span(lines)).ok_or(new_index + 1)?;
            } else if !op.new_range().is_empty() {
                let lines = op.new_range();
                let first = pairs.partition_point(|(new, _)| new.line < lines.start);
                let after = pairs.partition_point(|(new, _)| new.line < lines.end);
                let at = span(&self.new_lines[lines]);
                self.write_changed(builder, at, &pairs[first..after])?;
            }
        }
        Ok(())
    }

    /// Writes changed lines with their masks replaced.
    fn write_changed(
        &self,
        builder: &mut Builder<'_, '_>,
        at: Range<usize>,
        pairs: &[(&Written<'_>, &Written<'_>)],
    ) -> Result<(), usize> {
        let mut done = at.start;
        for (new, old) in pairs {
            // A text that looks like a mask and is none stays what it is.
            let Some(secret) = self.secret_at(&old.at) else { continue };
            // The mask may have quotes of its own, or reach into the next line.
            let shown = &self.view.text[secret.shown.clone()];
            let start = new.at.start.checked_sub(old.at.start - secret.shown.start);
            let whole = start.map(|start| start..start + shown.len()).filter(|whole| {
                whole.start >= done
                    && self.new.get(whole.clone()) == Some(shown)
                    && !shown.contains('\n')
            });
            let whole = whole.ok_or(new.line + 1)?;
            builder.text.push_str(&self.new[done..whole.start]);
            builder.secret(secret);
            done = whole.end;
        }
        builder.text.push_str(&self.new[done..at.end]);
        Ok(())
    }

    /// The old mask that a new one is; `alike` are those with the same text before them.
    fn pair(&self, new: &Written<'_>, alike: &[usize]) -> Option<usize> {
        let op = self.ops.iter().find(|op| op.new_range().contains(&new.line))?;
        let lines = match *op {
            DiffOp::Equal { old_index, new_index, .. } => {
                let line = old_index + (new.line - new_index);
                line..line + 1
            }
            _ => op.old_range(),
        };
        let is_rival = |other: &&Written<'_>| {
            op.new_range().contains(&other.line) && other.context == new.context
        };
        if !matches!(op, DiffOp::Equal { .. }) && self.new_masks.iter().filter(is_rival).count() > 1
        {
            return None;
        }
        let mut there = alike.iter().filter(|&&old| lines.contains(&self.old_masks[old].line));
        let found = there.next()?;
        there.next().is_none().then_some(*found)
    }

    /// Whether no other old mask, with another meaning, could as well be the one.
    fn is_certain(&self, new: &Written<'_>, old: usize, alike: &[usize], source: &str) -> bool {
        let line = |old: usize| self.old_masks[old].line;
        let meaning = |old: usize| self.meaning(&self.old_masks[old].at, source);
        let changed = self.old_lines[line(old)] != self.new_lines[new.line];
        let kept = 2 * self.same + usize::from(changed);
        // Further away than that there are not enough lines before or after to keep as much.
        let first = (kept / 2).saturating_sub(self.new_lines.len() - new.line);
        let last = (self.old_lines.len() + new.line).saturating_sub(kept / 2);
        let near = &alike[alike.partition_point(|&other| line(other) < first)..];
        let near = &near[..near.partition_point(|&other| line(other) <= last)];
        near.iter().filter(|&&other| meaning(other) != meaning(old)).all(|&other| {
            let cost = self.old_lines.len() + self.new_lines.len();
            let is_affordable = self.budget.get() >= cost && Instant::now() < self.deadline;
            self.budget.set(self.budget.get().saturating_sub(cost));
            is_affordable && self.kept_with(line(other), new.line) < kept
        })
    }

    /// How much stays as it is when this old line is that new one: two for each line, one if this one changed.
    fn kept_with(&self, old: usize, new: usize) -> usize {
        let count = |old: &[Line<'_>], new: &[Line<'_>]| same(&diff(old, new, self.deadline));
        let before = count(&self.old_lines[..old], &self.new_lines[..new]);
        let after = count(&self.old_lines[old + 1..], &self.new_lines[new + 1..]);
        2 * (before + after) + 1 + usize::from(self.old_lines[old] == self.new_lines[new])
    }

    fn secret_at(&self, old: &Range<usize>) -> Option<&Mask> {
        let after = self.view.masks.partition_point(|mask| mask.shown.end <= old.start);
        let mask = self.view.masks.get(after)?;
        (mask.shown.start <= old.start && old.end <= mask.shown.end).then_some(mask)
    }

    /// The secret behind an old mask, or `None` for a text that only looks like one.
    fn meaning<'s>(&self, old: &Range<usize>, source: &'s str) -> Option<&'s str> {
        self.secret_at(old).map(|mask| &source[mask.source.clone()])
    }
}

/// What stands on a line before a stretch of it. Of much only the end, after an LF: no other line begins like that.
fn lead(before: &str) -> String {
    let from = floor(before, before.len().saturating_sub(MAX_LEAD_BYTES));
    let lead = &before[from..];
    match lead.rfind('\n') {
        Some(at) => lead[at + 1..].to_owned(),
        None if from > 0 => format!("\n{lead}"),
        None => lead.to_owned(),
    }
}

/// The masks in lines of a text; `lead` stands before the first of them.
fn written<'t>(text: &'t str, lines: &[Line<'t>], lead: &str) -> Vec<Written<'t>> {
    let start = lines.first().map_or(text.len(), |line| line.at.start);
    let masks = find_masks(&text.as_bytes()[start..]).into_iter();
    let mask = |mask: Range<usize>| {
        let at = start + mask.start..start + mask.end;
        let line = lines.partition_point(|line| line.at.end <= at.start);
        let before = &text[lines.get(line)?.at.start..at.end];
        let context = if line == 0 && !lead.is_empty() {
            Cow::Owned(format!("{lead}{before}"))
        } else {
            Cow::Borrowed(before)
        };
        Some(Written { at, line, context })
    };
    masks.filter_map(mask).collect()
}

/// From the first of some lines to the last; there is at least one.
fn span(lines: &[Line<'_>]) -> Range<usize> {
    lines[0].at.start..lines[lines.len() - 1].at.end
}

fn split(text: &str, base: usize) -> Vec<Line<'_>> {
    let mut start = base;
    let line = |line| {
        let at = start..start + str::len(line);
        start = at.end;
        let body = line.strip_suffix('\n');
        let key =
            (body.map_or(line, |body| body.strip_suffix('\r').unwrap_or(body)), body.is_some());
        Line { at, key }
    };
    lines(text).map(line).collect()
}

fn diff(old: &[Line<'_>], new: &[Line<'_>], deadline: Instant) -> Vec<DiffOp> {
    capture_diff_slices_deadline(Algorithm::Myers, old, new, Some(deadline))
}

/// Lines that stay.
fn same(ops: &[DiffOp]) -> usize {
    let stays = |op: &&DiffOp| matches!(op, DiffOp::Equal { .. });
    ops.iter().filter(stays).map(|op| op.new_range().len()).sum()
}

/// How many lines are new, and how many are gone.
pub(crate) fn count_changes(old: &str, new: &str) -> (usize, usize) {
    let ops = diff(&split(old, 0), &split(new, 0), Instant::now() + DIFF_LIMIT);
    ops.iter().fold((0, 0), |(added, removed), op| match op {
        DiffOp::Equal { .. } => (added, removed),
        op => (added + op.new_range().len(), removed + op.old_range().len()),
    })
}
