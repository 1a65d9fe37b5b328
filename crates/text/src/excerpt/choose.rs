//! Which lines are shown: those that tell most for what they cost.
//!
//! A line is worth what is new and rare in it: its words, its shape, its first word. What tells of an error, and what
//! follows it, is worth more; a line like those that are shown already is worth less. Lines at the margin that come again
//! and again, with others between, are headings: each with the best line beneath it, as far as a share of the budget goes.

use std::cmp::Ordering;
use std::collections::BinaryHeap;

use super::features::{Error, Features, Row, number};

/// What the budget is spent on besides lines.
const FRAME_TOKENS: usize = 20;
/// Of the budget, what headings and the lines beneath them take at most; and headings of that.
const OUTLINE_SHARE: f32 = 0.4;
const HEADING_SHARE: f32 = 0.8;
/// A heading stands for the lines up to this many after it.
const SECTION_LINES: usize = 8;
/// What is left of the worth of a line for each one between it and its heading.
const NEXT_TO_HEADING: f32 = 0.9;
/// Words of a line that count, the rarest first.
const COUNTED_WORDS: usize = 6;
/// A word is worth this much of itself each time that it was shown.
const SHOWN_WORD: f32 = 0.35;
/// So is a line for each one of its template and of its skeleton; less where it tells of an error.
const SHOWN_TEMPLATE: f32 = 0.55;
const SHOWN_ERROR: f32 = 0.8;
const SHOWN_SKELETON: f32 = 0.9;
/// When so many of its template are shown, a line without a new word is not worth any tokens; more where it tells of an error.
const ENOUGH: u16 = 6;
const ENOUGH_ERRORS: u16 = 24;
/// What is left of a line at the least, however many are like it.
const LEAST_TEMPLATE: f32 = 0.003;
const LEAST_SKELETON: f32 = 0.02;
const NOVELTY: f32 = 0.7;
const TEMPLATE_RARITY: f32 = 0.3;
const SKELETON_RARITY: f32 = 0.7;
const RARITY_BASE: f32 = 0.25;
const ERROR: f32 = 3.0;
const AFTER_ERROR: f32 = 1.8;
/// What a line gains when the one before it is shown.
const ADJACENT: f32 = 1.35;
/// The worth of a line is divided by its cost to this power: long lines tell more.
const COST_POWER: f32 = 0.7;
/// The beginning and the end of an output say what was done and how it ended.
const LAST_LINES: usize = 12;
const LAST_LINE: f32 = 5.0;
const FIRST_LINES: usize = 4;
const FIRST_LINE: f32 = 2.0;

/// Whether each row is shown, within about `budget` tokens. `notice` is what a gap costs.
pub(super) fn choose(features: &Features, budget: usize, notice: usize) -> Vec<bool> {
    let mut choice = Choice::new(features, budget.saturating_sub(FRAME_TOKENS), notice);
    choice.take_outline(budget);
    choice.take_best();
    choice.chosen
}

struct Choice<'a> {
    features: &'a Features,
    chosen: Vec<bool>,
    /// Tokens.
    left: usize,
    notice: usize,
    shown_words: Vec<u16>,
    shown_templates: Vec<u16>,
    shown_skeletons: Vec<u16>,
}

/// A row in the queue, with what it was worth when it was put there.
struct Queued {
    worth: f32,
    row: usize,
}

impl Ord for Queued {
    fn cmp(&self, other: &Self) -> Ordering {
        self.worth.total_cmp(&other.worth).then(other.row.cmp(&self.row))
    }
}

impl PartialOrd for Queued {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Eq for Queued {}

impl PartialEq for Queued {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl<'a> Choice<'a> {
    fn new(features: &'a Features, left: usize, notice: usize) -> Self {
        Self {
            features,
            chosen: vec![false; features.rows.len()],
            left,
            notice,
            shown_words: vec![0; features.word_rarity.len()],
            shown_templates: vec![0; features.templates],
            shown_skeletons: vec![0; features.skeletons],
        }
    }

    /// Headings, then the best line beneath each; evenly from all of them where they are too many.
    fn take_outline(&mut self, budget: usize) {
        let rows = &self.features.rows;
        let headings: Vec<usize> = (0..rows.len()).filter(|&row| rows[row].is_heading).collect();
        let mut share = number(budget) * OUTLINE_SHARE;
        let telling = headings.iter().copied().filter(|&row| self.features.tells_itself(row));
        share -= self.take_evenly(&telling.collect::<Vec<_>>(), share * HEADING_SHARE);
        let ends = headings.iter().skip(1).copied().chain([rows.len()]);
        let beneath: Vec<usize> = headings
            .iter()
            .zip(ends)
            .filter_map(|(&row, end)| self.best(row + 1..end.min(row + 1 + SECTION_LINES)))
            .collect();
        self.take_evenly(&beneath, share);
    }

    /// Takes as many as `tokens` are enough for, from the whole length. Returns what they cost.
    fn take_evenly(&mut self, rows: &[usize], tokens: f32) -> f32 {
        let cost = |row: &usize| self.features.rows[*row].cost + self.notice;
        let total: usize = rows.iter().map(cost).sum();
        let part = (tokens / number(total.max(1))).min(1.0);
        let before = self.left;
        let mut due = 0.0;
        for &row in rows {
            due += part;
            if due >= 1.0 && !self.chosen[row] && self.cost(row) <= self.left {
                due -= 1.0;
                self.take(row);
            }
        }
        number(before - self.left)
    }

    fn best(&self, rows: std::ops::Range<usize>) -> Option<usize> {
        let first = rows.start;
        let distance = |row: usize| i32::try_from(row - first).unwrap_or(i32::MAX);
        let worth = |row: usize| self.worth(row) * NEXT_TO_HEADING.powi(distance(row));
        rows.map(|row| (row, worth(row)))
            .filter(|(_, worth)| *worth > 0.0)
            .max_by(|(_, one), (_, other)| one.total_cmp(other))
            .map(|(row, _)| row)
    }

    /// What is worth most for its cost, again and again. What is in the queue is worth no more than it was, unless the
    /// line before it was taken: then it is put there once more.
    fn take_best(&mut self) {
        let queued = |row: usize| Queued { worth: self.worth(row), row };
        let mut queue: BinaryHeap<Queued> =
            (0..self.chosen.len()).filter(|&row| !self.chosen[row]).map(queued).collect();
        while let Some(Queued { row, .. }) = queue.pop() {
            if self.chosen[row] {
                continue;
            }
            let worth = self.worth(row);
            if worth <= 0.0 {
                continue;
            }
            if queue.peek().is_some_and(|next| next.worth > worth) {
                queue.push(Queued { worth, row });
                continue;
            }
            if self.cost(row) > self.left {
                continue;
            }
            self.take(row);
            let next = row + 1;
            if self.chosen.get(next) == Some(&false) {
                queue.push(Queued { worth: self.worth(next), row: next });
            }
        }
    }

    fn take(&mut self, row: usize) {
        self.left -= self.cost(row);
        self.chosen[row] = true;
        let Row { template, skeleton, .. } = self.features.rows[row];
        for &word in self.features.words(row) {
            let shown = &mut self.shown_words[word as usize];
            *shown = shown.saturating_add(1);
        }
        for shown in [
            &mut self.shown_templates[template as usize],
            &mut self.shown_skeletons[skeleton as usize],
        ] {
            *shown = shown.saturating_add(1);
        }
    }

    fn is_shown(&self, row: Option<usize>) -> bool {
        row.and_then(|row| self.chosen.get(row)).copied().unwrap_or(false)
    }

    /// Tokens of a row; a gap that it closes is saved, one that it opens is paid.
    fn cost(&self, row: usize) -> usize {
        let [before, after] =
            [row.checked_sub(1), Some(row + 1)].map(|neighbour| self.is_shown(neighbour));
        let cost = self.features.rows[row].cost;
        match (before, after) {
            (true, true) => cost.saturating_sub(self.notice),
            (false, false) => cost + self.notice,
            _ => cost,
        }
    }

    fn worth(&self, row: usize) -> f32 {
        let adjacent = if self.is_shown(row.checked_sub(1)) { ADJACENT } else { 1.0 };
        self.gain(row) * adjacent / (number(self.cost(row)) + 2.0).powf(COST_POWER)
    }

    fn gain(&self, row: usize) -> f32 {
        let features = &self.features.rows[row];
        if features.is_blank {
            return 0.0;
        }
        let mut rarest = [0.0_f32; COUNTED_WORDS];
        let mut has_new_word = false;
        for &word in self.features.words(row) {
            let shown = i32::from(self.shown_words[word as usize]);
            has_new_word |= shown == 0;
            let mut worth = self.features.word_rarity[word as usize] * SHOWN_WORD.powi(shown);
            for place in &mut rarest {
                if worth > *place {
                    std::mem::swap(&mut worth, place);
                }
            }
        }
        let novelty: f32 =
            rarest.iter().zip(1_u8..).map(|(worth, place)| worth / f32::from(place)).sum();
        let rarity =
            features.template_rarity * TEMPLATE_RARITY + features.skeleton_rarity * SKELETON_RARITY;
        let (again, enough, weight) = match features.error {
            Error::None => (SHOWN_TEMPLATE, ENOUGH, 1.0),
            Error::Follows => (SHOWN_ERROR, ENOUGH_ERRORS, AFTER_ERROR),
            Error::Tells => (SHOWN_ERROR, ENOUGH_ERRORS, ERROR),
        };
        let alike = self.shown_templates[features.template as usize];
        let template = again.powi(alike.into());
        let skeleton = SHOWN_SKELETON.powi(self.shown_skeletons[features.skeleton as usize].into());
        let mut gain = (novelty * NOVELTY + rarity)
            * template.max(LEAST_TEMPLATE)
            * skeleton.max(LEAST_SKELETON)
            * (RARITY_BASE + rarity)
            * (1.0 + features.lead_rarity);
        gain *= if alike >= enough && !has_new_word { 0.0 } else { weight };
        let from_end = self.chosen.len() - 1 - row;
        if from_end < LAST_LINES {
            gain += LAST_LINE * number(LAST_LINES - from_end) / number(LAST_LINES);
        }
        if row < FIRST_LINES {
            gain += FIRST_LINE * number(FIRST_LINES - row) / number(FIRST_LINES);
        }
        gain
    }
}
