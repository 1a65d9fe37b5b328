//! A model sees masks and may write them back. A mask that stands where it stood becomes the secret again, byte for byte;
//! any other is refused, and so is a change after which a secret would be shown.
//!
//! What lies outside of the changed stretches is kept by its offset. Within one, lines that are the same on both sides are
//! kept, and a mask of a changed line is the one of an old line with the same text before it. Which lines are the same is
//! a matter of choice where texts repeat themselves, so the comparison is made from both ends, and must come out alike.

use std::ops::Range;
use std::time::{Duration, Instant};

use handrail_redact::{Redactor, find_masks};
use similar::{Algorithm, DiffOp, capture_diff_slices_deadline};

use crate::text::{line_at, lines};
use crate::view::{Mask, View};

/// After so long a comparison is less exact; then fewer masks find their secret.
const DIFF_LIMIT: Duration = Duration::from_millis(500);

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

/// A line and where it stands.
struct Line<'t> {
    at: Range<usize>,
    /// Without its end, and whether it has one: CRLF and LF are the same.
    key: (&'t str, bool),
}

/// Which lines of a new stretch are those of the old one.
struct Alignment<'v, 't> {
    view: &'v View<'t>,
    new: &'v str,
    /// What stands before the stretch on its first line.
    lead: &'v str,
    /// Offsets are those of the view.
    old_lines: Vec<Line<'v>>,
    new_lines: Vec<Line<'v>>,
    old_masks: Vec<Range<usize>>,
    new_masks: Vec<Range<usize>>,
    from_start: Vec<DiffOp>,
    from_end: Vec<DiffOp>,
}

impl<'v, 't> Alignment<'v, 't> {
    fn new(view: &'v View<'t>, hunk: &'v Hunk) -> Self {
        let old = &view.text[hunk.shown.clone()];
        let shift =
            |range: Range<usize>| range.start + hunk.shown.start..range.end + hunk.shown.start;
        let line_start = view.text[..hunk.shown.start].rfind('\n').map_or(0, |at| at + 1);
        let old_lines = split(old, hunk.shown.start);
        let new_lines = split(&hunk.new, 0);
        let old_keys: Vec<_> = old_lines.iter().map(|line| line.key).collect();
        let new_keys: Vec<_> = new_lines.iter().map(|line| line.key).collect();
        Alignment {
            view,
            new: &hunk.new,
            lead: &view.text[line_start..hunk.shown.start],
            old_masks: find_masks(old.as_bytes()).into_iter().map(shift).collect(),
            new_masks: find_masks(hunk.new.as_bytes()),
            from_start: diff(&old_keys, &new_keys),
            from_end: diff_from_end(old_keys, new_keys),
            old_lines,
            new_lines,
        }
    }

    /// Writes the new stretch; fails with the line of a mask that stands for nothing.
    fn write(&self, builder: &mut Builder<'_, '_>) -> Result<(), usize> {
        let mut pairs = Vec::with_capacity(self.new_masks.len());
        for mask in &self.new_masks {
            let line = line_at(self.new, mask.start);
            let (first, second) =
                (self.pair(&self.from_start, mask), self.pair(&self.from_end, mask));
            let (Some(first), Some(second)) = (first, second) else { return Err(line) };
            if self.meaning(&first, builder.source) != self.meaning(&second, builder.source) {
                return Err(line);
            }
            pairs.push((mask, first));
        }
        for op in &self.from_start {
            if let DiffOp::Equal { old_index, new_index, len } = *op {
                let old =
                    self.old_lines[old_index].at.start..self.old_lines[old_index + len - 1].at.end;
                builder.keep(old).ok_or(new_index + 1)?;
            } else if let Some(lines) =
                self.new_lines.get(op.new_range()).filter(|lines| !lines.is_empty())
            {
                let at = lines[0].at.start..lines[lines.len() - 1].at.end;
                let inside =
                    pairs.iter().filter(|(mask, _)| at.start <= mask.start && mask.end <= at.end);
                self.write_changed(builder, at.clone(), inside)?;
            }
        }
        Ok(())
    }

    /// Writes changed lines with their masks replaced.
    fn write_changed<'p>(
        &self,
        builder: &mut Builder<'_, '_>,
        at: Range<usize>,
        pairs: impl Iterator<Item = &'p (&'p Range<usize>, Range<usize>)>,
    ) -> Result<(), usize> {
        let mut written = at.start;
        for (mask, old) in pairs {
            // A text that looks like a mask and is none stays what it is.
            let Some(secret) = self.secret_at(old) else { continue };
            // The mask may have quotes of its own, or reach into the next line.
            let shown = &self.view.text[secret.shown.clone()];
            let start = mask.start.checked_sub(old.start - secret.shown.start);
            let whole = start.map(|start| start..start + shown.len());
            let whole = whole.filter(|whole| {
                whole.start >= written
                    && self.new.get(whole.clone()) == Some(shown)
                    && !shown.contains('\n')
            });
            let whole = whole.ok_or_else(|| line_at(self.new, mask.start))?;
            builder.text.push_str(&self.new[written..whole.start]);
            builder.secret(secret);
            written = whole.end;
        }
        builder.text.push_str(&self.new[written..at.end]);
        Ok(())
    }

    /// The old mask that a new one is, in the view.
    fn pair(&self, ops: &[DiffOp], mask: &Range<usize>) -> Option<Range<usize>> {
        let line = self.new_lines.partition_point(|line| line.at.end <= mask.start);
        let op = ops.iter().find(|op| op.new_range().contains(&line))?;
        if let DiffOp::Equal { old_index, new_index, .. } = *op {
            let start = self.old_lines[old_index + (line - new_index)].at.start;
            let at = start + (mask.start - self.new_lines[line].at.start);
            return self.old_masks.iter().find(|old| old.start == at).cloned();
        }
        let wanted = self.new_context(mask)?;
        let is_here = |line: Option<usize>, range: Range<usize>| {
            line.is_some_and(|line| range.contains(&line))
        };
        let mut rivals = self.new_masks.iter().filter(|other| {
            is_here(line_of(&self.new_lines, other.start), op.new_range())
                && self.new_context(other).as_ref() == Some(&wanted)
        });
        rivals.next();
        if rivals.next().is_some() {
            return None;
        }
        let mut candidates = self.old_masks.iter().filter(|old| {
            is_here(line_of(&self.old_lines, old.start), op.old_range())
                && self.old_context(old).as_ref() == Some(&wanted)
        });
        let found = candidates.next()?;
        candidates.next().is_none().then(|| found.clone())
    }

    /// What stands before a mask on its line, and the mask.
    fn new_context(&self, mask: &Range<usize>) -> Option<String> {
        let line = line_of(&self.new_lines, mask.start)?;
        let lead = if line == 0 { self.lead } else { "" };
        Some(format!("{lead}{}", &self.new[self.new_lines[line].at.start..mask.end]))
    }

    fn old_context(&self, mask: &Range<usize>) -> Option<String> {
        let line = line_of(&self.old_lines, mask.start)?;
        let lead = if line == 0 { self.lead } else { "" };
        Some(format!("{lead}{}", &self.view.text[self.old_lines[line].at.start..mask.end]))
    }

    fn secret_at(&self, old: &Range<usize>) -> Option<&Mask> {
        let after = self.view.masks.partition_point(|mask| mask.shown.end <= old.start);
        self.view
            .masks
            .get(after)
            .filter(|mask| mask.shown.start <= old.start && old.end <= mask.shown.end)
    }

    /// The secret behind an old mask, or `None` for a text that only looks like one.
    fn meaning<'s>(&self, old: &Range<usize>, source: &'s str) -> Option<&'s str> {
        self.secret_at(old).map(|mask| &source[mask.source.clone()])
    }
}

fn line_of(lines: &[Line<'_>], at: usize) -> Option<usize> {
    let line = lines.partition_point(|line| line.at.end <= at);
    (line < lines.len()).then_some(line)
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

type Key<'t> = (&'t str, bool);

fn diff(old: &[Key<'_>], new: &[Key<'_>]) -> Vec<DiffOp> {
    capture_diff_slices_deadline(Algorithm::Myers, old, new, Some(Instant::now() + DIFF_LIMIT))
}

/// The same comparison from the end of both.
fn diff_from_end(mut old: Vec<Key<'_>>, mut new: Vec<Key<'_>>) -> Vec<DiffOp> {
    let (olds, news) = (old.len(), new.len());
    old.reverse();
    new.reverse();
    let mut ops = diff(&old, &new);
    ops.reverse();
    for op in &mut ops {
        *op = match *op {
            DiffOp::Equal { old_index, new_index, len } => DiffOp::Equal {
                old_index: olds - old_index - len,
                new_index: news - new_index - len,
                len,
            },
            DiffOp::Delete { old_index, old_len, new_index } => DiffOp::Delete {
                old_index: olds - old_index - old_len,
                old_len,
                new_index: news - new_index,
            },
            DiffOp::Insert { old_index, new_index, new_len } => DiffOp::Insert {
                old_index: olds - old_index,
                new_index: news - new_index - new_len,
                new_len,
            },
            DiffOp::Replace { old_index, old_len, new_index, new_len } => DiffOp::Replace {
                old_index: olds - old_index - old_len,
                old_len,
                new_index: news - new_index - new_len,
                new_len,
            },
        };
    }
    ops
}

/// How many lines are new, and how many are gone.
pub(crate) fn count_changes(old: &str, new: &str) -> (usize, usize) {
    let (old, new) = (split(old, 0), split(new, 0));
    let old: Vec<_> = old.iter().map(|line| line.key).collect();
    let new: Vec<_> = new.iter().map(|line| line.key).collect();
    diff(&old, &new).iter().fold((0, 0), |(added, removed), op| match op {
        DiffOp::Equal { .. } => (added, removed),
        op => (added + op.new_range().len(), removed + op.old_range().len()),
    })
}
