//! Chooses the lines to show: those with the highest value for their cost in tokens.
//!
//! The value of a line is the sum of what is new and rare in it: its words, its shape, its first word. Lines that tell of an
//! error, and lines after them, have more value; lines like those that are shown already have less. Lines at the margin
//! that come again and again, with others between, are headings. A share of the budget goes to headings, each with the best
//! line below it.

use std::cmp::Ordering;
use std::collections::BinaryHeap;

use super::features::{ErrorRelation, Features, LineFeatures};
use super::rarity::to_f32;

/// Tokens of the budget that are not spent on lines.
const RESERVED_TOKENS: usize = 20;
/// Largest share of the budget for headings and the lines below them.
const OUTLINE_SHARE: f32 = 0.4;
/// Largest part of that share for the headings themselves.
const HEADING_SHARE: f32 = 0.8;
/// Lines below a heading among which its best line is chosen.
const SECTION_LINES: usize = 8;
/// Factor on the value of a line for each line between it and its heading.
const DISTANCE_FACTOR: f32 = 0.9;
/// Most words of a line that count, the rarest first.
const COUNTED_WORDS: usize = 6;
/// Factor on the value of a word for each time that it was shown.
const SHOWN_WORD_FACTOR: f32 = 0.35;
/// Factor on the value of a line for each shown line with its template.
const SHOWN_TEMPLATE_FACTOR: f32 = 0.55;
/// The same factor for lines about an error.
const SHOWN_ERROR_FACTOR: f32 = 0.8;
/// Factor on the value of a line for each shown line with its skeleton.
const SHOWN_SKELETON_FACTOR: f32 = 0.9;
/// A line without a new word has no value once so many lines with its template are shown.
const MAX_SHOWN_ALIKE: u16 = 6;
/// The same number for lines about an error.
const MAX_SHOWN_ERRORS_ALIKE: u16 = 24;
/// Smallest factor for shown lines with the same template.
const MIN_TEMPLATE_FACTOR: f32 = 0.003;
/// Smallest factor for shown lines with the same skeleton.
const MIN_SKELETON_FACTOR: f32 = 0.02;
const NOVELTY_WEIGHT: f32 = 0.7;
const TEMPLATE_RARITY_WEIGHT: f32 = 0.3;
const SKELETON_RARITY_WEIGHT: f32 = 0.7;
const RARITY_BASE: f32 = 0.25;
const ERROR_WEIGHT: f32 = 3.0;
const AFTER_ERROR_WEIGHT: f32 = 1.8;
/// Factor on the value of a line when the line before it is shown.
const ADJACENT_FACTOR: f32 = 1.35;
/// Factor on the value of an indented line, or of a piece of a long one, while its head is not shown.
const HIDDEN_HEAD_FACTOR: f32 = 0.75;
/// The value of a line is divided by its cost to this power, since long lines say more.
const COST_POWER: f32 = 0.7;
/// Most unusual values of a line that count, the rarest first.
const COUNTED_SURPRISES: usize = 3;
/// Rarity of a value that adds nothing.
const COMMON_RARITY: f32 = 0.4;
/// Factor on the worth of an unusual value for each time that it was shown.
const SHOWN_SURPRISE_FACTOR: f32 = 0.7;
const SURPRISE_WEIGHT: f32 = 2.0;
/// Number of last lines with a bonus, since the end of an output says how it ended.
const LAST_LINES: usize = 12;
/// Bonus of the last line; less for each line before it.
const LAST_LINE_BONUS: f32 = 5.0;
/// Number of first lines with a bonus, since the beginning says what was done.
const FIRST_LINES: usize = 4;
/// Bonus of the first line; less for each line after it.
const FIRST_LINE_BONUS: f32 = 2.0;

/// Whether each row is shown, within about `budget` tokens.
pub(super) fn choose(features: &Features, budget: usize) -> Vec<bool> {
    let mut choice = Choice::new(features, budget.saturating_sub(RESERVED_TOKENS));
    choice.take_outline(budget);
    choice.take_best();
    choice.chosen
}

/// The rows that are chosen so far, and what they cost.
struct Choice<'a> {
    features: &'a Features,
    chosen: Vec<bool>,
    /// Rows with the heads before them, by head.
    below: Vec<(usize, usize)>,
    /// Tokens that are not spent yet.
    left_tokens: usize,
    shown_words: Vec<u16>,
    shown_templates: Vec<u16>,
    shown_skeletons: Vec<u16>,
    /// How often each unusual value was shown.
    shown_surprises: Vec<u16>,
}

/// A row in the queue, with its worth (value for its cost) when it was put there.
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
    fn new(features: &'a Features, left_tokens: usize) -> Self {
        let mut below: Vec<(usize, usize)> = (0..)
            .zip(&features.rows)
            .filter_map(|(row, features)| Some((features.head? as usize, row)))
            .collect();
        below.sort_unstable();
        Self {
            below,
            features,
            chosen: vec![false; features.rows.len()],
            left_tokens,
            shown_words: vec![0; features.word_rarity.len()],
            shown_templates: vec![0; features.templates],
            shown_skeletons: vec![0; features.skeletons],
            shown_surprises: vec![0; features.surprise_kinds],
        }
    }

    /// Takes headings and the best line below each; evenly from the whole text where there are too many.
    fn take_outline(&mut self, budget: usize) {
        let rows = &self.features.rows;
        let headings: Vec<usize> = (0..rows.len()).filter(|&row| rows[row].is_heading).collect();
        let mut share = to_f32(budget) * OUTLINE_SHARE;
        let rare_headings =
            headings.iter().copied().filter(|&row| self.features.has_rare_word(row));
        share -= self.take_evenly(&rare_headings.collect::<Vec<_>>(), share * HEADING_SHARE);
        let section_ends = headings.iter().skip(1).copied().chain([rows.len()]);
        let best_lines: Vec<usize> = headings
            .iter()
            .zip(section_ends)
            .filter_map(|(&row, end)| self.best_of(row + 1..end.min(row + 1 + SECTION_LINES)))
            .collect();
        self.take_evenly(&best_lines, share);
    }

    /// Takes as many rows as `tokens` suffice for, evenly from all of them. Returns their cost.
    fn take_evenly(&mut self, rows: &[usize], tokens: f32) -> f32 {
        let cost = |row: &usize| self.features.rows[*row].cost + self.features.rows[*row].gap_cost;
        let total: usize = rows.iter().map(cost).sum();
        let share_of_all = (tokens / to_f32(total.max(1))).min(1.0);
        let before = self.left_tokens;
        let mut owed = 0.0;
        for &row in rows {
            owed += share_of_all;
            if owed >= 1.0 && !self.chosen[row] && self.cost(row) <= self.left_tokens {
                owed -= 1.0;
                self.take(row);
            }
        }
        to_f32(before - self.left_tokens)
    }

    fn best_of(&self, rows: std::ops::Range<usize>) -> Option<usize> {
        let first = rows.start;
        let distance = |row: usize| i32::try_from(row - first).unwrap_or(i32::MAX);
        let worth = |row: usize| self.worth(row) * DISTANCE_FACTOR.powi(distance(row));
        rows.map(|row| (row, worth(row)))
            .filter(|(_, worth)| *worth > 0.0)
            .max_by(|(_, one), (_, other)| one.total_cmp(other))
            .map(|(row, _)| row)
    }

    /// Takes the row with the highest worth, again and again. The worth of a queued row never rises, unless the row before it
    /// or its head is taken: then the row is queued once more.
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
            if self.cost(row) > self.left_tokens {
                continue;
            }
            self.take(row);
            for risen in [row + 1].into_iter().chain(self.rows_below(row)) {
                if self.chosen.get(risen) == Some(&false) {
                    queue.push(Queued { worth: self.worth(risen), row: risen });
                }
            }
        }
    }

    fn take(&mut self, row: usize) {
        self.left_tokens -= self.cost(row);
        self.chosen[row] = true;
        let LineFeatures { template, skeleton, .. } = self.features.rows[row];
        for &word in self.features.words(row) {
            let shown = &mut self.shown_words[word as usize];
            *shown = shown.saturating_add(1);
        }
        for surprise in self.features.surprises(row) {
            let shown = &mut self.shown_surprises[surprise.kind as usize];
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

    /// The rows whose head is this one.
    fn rows_below(&self, row: usize) -> Vec<usize> {
        let start = self.below.partition_point(|(head, _)| *head < row);
        let below = self.below[start..].iter().take_while(|(head, _)| *head == row);
        below.map(|(_, row)| *row).collect()
    }

    /// Tokens of a row, less the tokens of a gap that it closes, and more for a gap that it opens.
    fn cost(&self, row: usize) -> usize {
        let [before, after] =
            [row.checked_sub(1), Some(row + 1)].map(|neighbour| self.is_shown(neighbour));
        let LineFeatures { cost, gap_cost, .. } = self.features.rows[row];
        match (before, after) {
            (true, true) => cost.saturating_sub(gap_cost),
            (false, false) => cost + gap_cost,
            _ => cost,
        }
    }

    fn worth(&self, row: usize) -> f32 {
        let adjacent = if self.is_shown(row.checked_sub(1)) { ADJACENT_FACTOR } else { 1.0 };
        let lacks_head =
            self.features.rows[row].head.is_some_and(|head| !self.chosen[head as usize]);
        let head = if lacks_head { HIDDEN_HEAD_FACTOR } else { 1.0 };
        self.value(row) * adjacent * head / (to_f32(self.cost(row)) + 2.0).powf(COST_POWER)
    }

    fn value(&self, row: usize) -> f32 {
        let features = &self.features.rows[row];
        if features.is_blank {
            return 0.0;
        }
        let mut rarest = [0.0_f32; COUNTED_WORDS];
        let mut has_new_word = false;
        for &word in self.features.words(row) {
            let shown = i32::from(self.shown_words[word as usize]);
            has_new_word |= shown == 0;
            let mut worth =
                self.features.word_rarity[word as usize] * SHOWN_WORD_FACTOR.powi(shown);
            for place in &mut rarest {
                if worth > *place {
                    std::mem::swap(&mut worth, place);
                }
            }
        }
        let novelty: f32 =
            rarest.iter().zip(1_u8..).map(|(worth, place)| worth / f32::from(place)).sum();
        let rarity = features.template_rarity * TEMPLATE_RARITY_WEIGHT
            + features.skeleton_rarity * SKELETON_RARITY_WEIGHT;
        let (repeat_factor, max_alike, weight) = match features.error {
            ErrorRelation::None => (SHOWN_TEMPLATE_FACTOR, MAX_SHOWN_ALIKE, 1.0),
            ErrorRelation::Follows => {
                (SHOWN_ERROR_FACTOR, MAX_SHOWN_ERRORS_ALIKE, AFTER_ERROR_WEIGHT)
            }
            ErrorRelation::Tells => (SHOWN_ERROR_FACTOR, MAX_SHOWN_ERRORS_ALIKE, ERROR_WEIGHT),
        };
        let shown_alike = self.shown_templates[features.template as usize];
        let template = repeat_factor.powi(shown_alike.into());
        let skeleton =
            SHOWN_SKELETON_FACTOR.powi(self.shown_skeletons[features.skeleton as usize].into());
        let mut value = (novelty * NOVELTY_WEIGHT + rarity)
            * template.max(MIN_TEMPLATE_FACTOR)
            * skeleton.max(MIN_SKELETON_FACTOR)
            * (RARITY_BASE + rarity)
            * (1.0 + features.first_word_rarity);
        value *= if shown_alike >= max_alike && !has_new_word { 0.0 } else { weight };
        value += self.surprise(row) * SURPRISE_WEIGHT;
        let from_end = self.chosen.len() - 1 - row;
        if from_end < LAST_LINES {
            value += LAST_LINE_BONUS * to_f32(LAST_LINES - from_end) / to_f32(LAST_LINES);
        }
        if row < FIRST_LINES {
            value += FIRST_LINE_BONUS * to_f32(FIRST_LINES - row) / to_f32(FIRST_LINES);
        }
        value
    }

    /// How unusual the values of a row are that were not shown before.
    fn surprise(&self, row: usize) -> f32 {
        let mut most = [0.0_f32; COUNTED_SURPRISES];
        for surprise in self.features.surprises(row) {
            let shown = self.shown_surprises[surprise.kind as usize];
            let rarity = (surprise.rarity - COMMON_RARITY).max(0.0);
            let mut worth = rarity * SHOWN_SURPRISE_FACTOR.powi(shown.into());
            for place in &mut most {
                if worth > *place {
                    std::mem::swap(&mut worth, place);
                }
            }
        }
        most.iter().zip(1_u8..).map(|(worth, place)| worth / f32::from(place)).sum()
    }
}
