//! What becomes of a line, before it is written.

use crate::engine::Engine;
use crate::mask;
use crate::output::{Output, write_mask};
use crate::span::RuleId;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Fate {
    Kept,
    Masked {
        rule: RuleId,
        quoted: bool,
    },
    /// Belongs to a mask before.
    Removed,
}

/// A stretch of the line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Part {
    /// Behind its last byte.
    end: usize,
    /// Behind its last byte in the result; known once it is rendered.
    shown_to: usize,
    fate: Fate,
}

/// The parts of a line, in order. None is empty, and kept parts do not follow each other.
#[derive(Clone, Default)]
pub(super) struct Record {
    parts: Vec<Part>,
}

impl Output for Record {
    fn keep(&mut self, bytes: &[u8]) {
        self.add(bytes.len(), Fate::Kept);
    }

    fn mask(&mut self, rule: RuleId, removed: usize, quoted: bool) {
        self.add(removed, Fate::Masked { rule, quoted });
    }

    fn remove(&mut self, removed: usize) {
        self.add(removed, Fate::Removed);
    }
}

impl Record {
    fn add(&mut self, length: usize, fate: Fate) {
        if length == 0 {
            return;
        }
        match (self.parts.last_mut(), fate) {
            (Some(last), Fate::Kept) if last.fate == Fate::Kept => last.end += length,
            // What is removed behind a mask or behind something that was is the same.
            (Some(last), Fate::Removed) if last.fate != Fate::Kept => last.end += length,
            (last, _) => {
                let end = last.map_or(0, |last| last.end) + length;
                self.parts.push(Part { end, shown_to: 0, fate });
            }
        }
    }

    pub(super) fn clear(&mut self) {
        self.parts.clear();
    }

    /// True when nothing is masked or removed.
    pub(super) fn is_kept(&self) -> bool {
        self.parts.iter().all(|part| part.fate == Fate::Kept)
    }

    /// True when a mask stands for all of `line` but blanks.
    pub(super) fn hides_all(&self, line: &[u8]) -> bool {
        let mut start = 0;
        self.parts.iter().all(|part| {
            let bytes = &line[std::mem::replace(&mut start, part.end)..part.end];
            part.fate != Fate::Kept || bytes.trim_ascii().is_empty()
        })
    }

    /// Keeps what would replace a mask, or a part of one, by a mask. `text` is what was recorded.
    pub(super) fn leave_masks(&mut self, text: &[u8]) {
        let mut start = 0;
        for part in &mut self.parts {
            if matches!(part.fate, Fate::Masked { .. }) && mask::covers(text, start..part.end) {
                part.fate = Fate::Kept;
            }
            start = part.end;
        }
    }

    /// Appends the result for `text` to `shown`.
    pub(super) fn render(&mut self, engine: &Engine, text: &[u8], shown: &mut Vec<u8>) {
        let mut start = 0;
        for part in &mut self.parts {
            match part.fate {
                Fate::Kept => shown.extend_from_slice(&text[start..part.end]),
                Fate::Masked { rule, quoted } => {
                    write_mask(engine, rule, quoted, &mut |mask| shown.extend_from_slice(mask));
                }
                Fate::Removed => {}
            }
            start = part.end;
            part.shown_to = shown.len();
        }
    }

    /// Writes the result for `text`.
    pub(super) fn write(&self, text: &[u8], output: &mut impl Output) {
        let mut start = 0;
        for part in &self.parts {
            match part.fate {
                Fate::Kept => output.keep(&text[start..part.end]),
                Fate::Masked { rule, quoted } => output.mask(rule, part.end - start, quoted),
                Fate::Removed => output.remove(part.end - start),
            }
            start = part.end;
        }
    }

    /// Applies to the line what `second` does to its result. What touches a mask takes all that the mask stands for.
    /// False when that adds nothing.
    pub(super) fn take(&mut self, second: &Record) -> bool {
        let parts = Vec::with_capacity(self.parts.len());
        let mut merge = Merge { before: &self.parts, at: (0, 0), parts };
        let mut changed = false;
        let mut from = 0;
        for part in &second.parts {
            if part.fate != Fate::Kept {
                changed |= merge.hide(from, part.end, part.fate);
            }
            from = part.end;
        }
        if changed {
            merge.parts.extend(merge.before);
            self.parts = merge.parts;
        }
        changed
    }

    /// Masks from the first finding, or from the start, to `end`, a part of nothing that ends later.
    pub(super) fn hide_rest(&mut self, all: bool, end: usize) {
        let is_mask = |part: &Part| matches!(part.fate, Fate::Masked { .. });
        let Some(first) = self.parts.iter().position(is_mask) else { return };
        let Fate::Masked { rule, .. } = self.parts[first].fate else { return };
        let after = self.parts.last().map_or(0, |part| part.end);
        self.parts.truncate(if all { 0 } else { first });
        let fate = Fate::Masked { rule, quoted: false };
        self.parts.push(Part { end, shown_to: 0, fate });
        if end < after {
            self.parts.push(Part { end: after, shown_to: 0, fate: Fate::Kept });
        }
    }
}

/// Puts parts together anew.
struct Merge<'a> {
    /// Parts to come; of the first, what lies behind `at`.
    before: &'a [Part],
    /// How far `parts` reach in the line, and in its result.
    at: (usize, usize),
    parts: Vec<Part>,
}

impl Merge<'_> {
    /// Moves on by the next part.
    fn pass(&mut self) -> Option<Part> {
        let (&part, before) = self.before.split_first()?;
        self.before = before;
        self.at = (part.end, part.shown_to);
        Some(part)
    }

    /// Gives bytes `from..to` of the result this fate. False when they all are one mask already.
    fn hide(&mut self, from: usize, to: usize, fate: Fate) -> bool {
        while self.before.first().is_some_and(|part| part.shown_to <= from) {
            let part = self.pass();
            self.parts.extend(part);
        }
        let is_joined = self.at.1 > from;
        let last = self.parts.last().copied().filter(|_| is_joined);
        let head = last.or(self.before.first().copied());
        let Some(head) = head else { return false };
        if head.fate != Fate::Kept && to <= head.shown_to {
            return false;
        }
        if is_joined {
            self.parts.pop();
        } else if head.fate == Fate::Kept && self.at.1 < from {
            self.at = (self.at.0 + from - self.at.1, from);
            self.parts.push(Part { end: self.at.0, shown_to: from, fate: Fate::Kept });
        }
        let whole = self.before.first().is_some_and(|part| to <= part.shown_to) && !is_joined;
        while self.before.first().is_some_and(|part| part.shown_to < to) {
            self.pass();
        }
        match self.before.first() {
            Some(tail) if tail.fate == Fate::Kept && to < tail.shown_to => {
                self.at = (self.at.0 + to - self.at.1, to);
            }
            _ => {
                self.pass();
            }
        }
        // The first one names the rule. A mask gets quotes only in place of what was found to need them.
        let fate = match (head.fate, fate) {
            (Fate::Masked { rule, .. }, Fate::Masked { .. }) => {
                Fate::Masked { rule, quoted: false }
            }
            (_, Fate::Masked { rule, quoted }) => Fate::Masked { rule, quoted: quoted && whole },
            (_, fate) => fate,
        };
        self.parts.push(Part { end: self.at.0, shown_to: self.at.1, fate });
        true
    }
}
