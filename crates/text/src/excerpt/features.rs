//! Properties of the kept lines that the choice depends on.

use super::columns::{RankedColumns, Surprise};
use super::pool::{HeldLine, LinePool};
use super::rarity::to_f32;
use super::shape::{Atom, HashedMap, Shape, indent, words};
use super::shorten::shortened;
use crate::tokens::estimate_tokens;

/// Tokens of the line for a gap.
const NOTICE_TOKENS: usize = 5;
/// Tokens of the sign for a gap within a line.
const OMITTED_TOKENS: usize = 9;
/// Lines after one that tells of an error that are likely about the same error.
const FOLLOWING_LINES: u8 = 8;
/// A blank line ends these lines sooner: it counts as this many.
const BLANK_LINE_COST: u8 = 3;
/// Fewest lines of a template that are headings.
const MIN_HEADINGS: u64 = 3;
/// Fewest lines, on average, from one such heading to the next.
const MIN_HEADING_DISTANCE: u64 = 4;
/// Smallest part of the text between the first and the last of them.
const MIN_HEADINGS_REACH: f32 = 0.3;
/// A line that follows a heading within this many lines, in at least half of its places, is part of that heading.
const MAX_PART_GAP: usize = 3;
/// Most words of a line that are compared.
const MAX_WORDS: usize = 24;

/// Whether a line is about an error.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum ErrorRelation {
    #[default]
    None,
    /// The line follows one that tells of an error.
    Follows,
    Tells,
}

/// The properties of one kept line.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct LineFeatures {
    /// Tokens of the line as it would be shown.
    pub(super) cost: usize,
    /// Tokens of what stands in place of the rows between this one and the one shown before it.
    pub(super) gap_cost: usize,
    pub(super) template: u32,
    pub(super) skeleton: u32,
    /// From 0, when all lines have the template, to 1, when only this line has it.
    pub(super) template_rarity: f32,
    pub(super) skeleton_rarity: f32,
    pub(super) first_word_rarity: f32,
    pub(super) error: ErrorRelation,
    pub(super) is_blank: bool,
    pub(super) is_heading: bool,
    /// The row that says what this one belongs to: the line above that is indented less, or the beginning of its line.
    pub(super) head: Option<u32>,
    words: (u32, u32),
    surprises: (u32, u32),
}

/// The properties of all kept lines.
pub(super) struct Features {
    pub(super) rows: Vec<LineFeatures>,
    /// Ids of the words of all rows, each once in a row.
    words: Vec<u32>,
    pub(super) word_rarity: Vec<f32>,
    surprises: Vec<Surprise>,
    atoms: Vec<Atom>,
    pub(super) surprise_kinds: usize,
    pub(super) templates: usize,
    pub(super) skeletons: usize,
}

impl Features {
    pub(super) fn of(pool: &LinePool, tokens: usize) -> Features {
        let ranked = pool.columns.ranked();
        let mut features = Features {
            surprises: Vec::new(),
            atoms: Vec::new(),
            surprise_kinds: ranked.kinds(),
            rows: Vec::with_capacity(pool.lines.len()),
            words: Vec::new(),
            word_rarity: Vec::new(),
            templates: pool.templates.len(),
            skeletons: pool.skeletons.len(),
        };
        let mut ids = HashedMap::<u32, u32>::default();
        let mut rows_with = Vec::<u32>::new();
        let mut first_words = HashedMap::<u64, u32>::default();
        for line in &pool.lines {
            *first_words.entry(line.first_word).or_default() += 1;
            let row = features.row(pool, line, tokens, &ranked, &mut ids, &mut rows_with);
            features.rows.push(row);
        }
        let count = to_f32(pool.lines.len());
        let rarity = |count: f32, of: f32| ((of + 1.0) / count.max(1.0)).ln() / (of + 1.0).ln();
        features.word_rarity = rows_with.iter().map(|rows| rarity(to_f32(*rows), count)).collect();
        let total = to_f32(pool.total);
        for (row, line) in features.rows.iter_mut().zip(&pool.lines) {
            let template = &pool.templates[line.template as usize];
            row.template_rarity = rarity(to_f32(template.count), total);
            let skeleton = pool.skeletons[template.skeleton as usize];
            row.skeleton_rarity = rarity(to_f32(skeleton), total);
            let (head, _) = pool.text(line);
            let at_margin = head.first().is_some_and(|byte| !byte.is_ascii_whitespace());
            row.first_word_rarity =
                if at_margin { rarity(to_f32(first_words[&line.first_word]), count) } else { 0.0 };
        }
        features.find_followers();
        features.find_heads(pool);
        features.find_headings(pool);
        features
    }

    pub(super) fn words(&self, row: usize) -> &[u32] {
        let (start, end) = self.rows[row].words;
        &self.words[start as usize..end as usize]
    }

    pub(super) fn surprises(&self, row: usize) -> &[Surprise] {
        let (start, end) = self.rows[row].surprises;
        &self.surprises[start as usize..end as usize]
    }

    /// Whether a heading has a word that is rarer than headings of its template.
    pub(super) fn has_rare_word(&self, row: usize) -> bool {
        let common = self.rows[row].template_rarity;
        self.words(row).iter().any(|&word| self.word_rarity[word as usize] > common)
    }

    fn row(
        &mut self,
        pool: &LinePool,
        line: &HeldLine,
        tokens: usize,
        ranked: &RankedColumns<'_>,
        ids: &mut HashedMap<u32, u32>,
        rows_with: &mut Vec<u32>,
    ) -> LineFeatures {
        let (head, tail) = pool.text(line);
        let start = self.words.len();
        words(head, |word| {
            let next = u32::try_from(ids.len()).unwrap_or(u32::MAX);
            let id = *ids.entry(word).or_insert(next);
            let known = &self.words[start..];
            if known.len() < MAX_WORDS && !known.contains(&id) {
                self.words.push(id);
            }
        });
        rows_with.resize(ids.len(), 0);
        self.words[start..].iter().for_each(|word| rows_with[*word as usize] += 1);
        let is_rare = pool.templates[line.template as usize].count == 1;
        let mut shown = shortened(line, head, tail, is_rare, tokens);
        if line.ends_line {
            shown.push(b'\n');
        }
        let first_surprise = self.surprises.len();
        let skeleton = pool.templates[line.template as usize].skeleton;
        Shape::of(head, &mut self.atoms);
        ranked.surprises(&self.atoms, |surprise| self.surprises.push(surprise));
        let place = |at: usize| u32::try_from(at).unwrap_or(u32::MAX);
        LineFeatures {
            cost: estimate_tokens(&shown),
            gap_cost: if line.chars.0 > 0 { OMITTED_TOKENS } else { NOTICE_TOKENS },
            template: line.template,
            skeleton,
            error: if line.tells_of_error { ErrorRelation::Tells } else { ErrorRelation::None },
            is_blank: tail.is_empty() && head.trim_ascii().is_empty(),
            words: (place(start), place(self.words.len())),
            surprises: (place(first_surprise), place(self.surprises.len())),
            ..LineFeatures::default()
        }
    }

    fn find_followers(&mut self) {
        let mut left = 0_u8;
        for row in &mut self.rows {
            if row.error == ErrorRelation::None && left > 0 {
                row.error = ErrorRelation::Follows;
            }
            if row.error == ErrorRelation::Tells {
                left = FOLLOWING_LINES;
            } else {
                left = left.saturating_sub(if row.is_blank { BLANK_LINE_COST } else { 1 });
            }
        }
    }

    fn find_heads(&mut self, pool: &LinePool) {
        // Rows above with rising indentation.
        let mut above: Vec<(usize, u32)> = Vec::new();
        let mut first_piece: Option<(u64, u32)> = None;
        for (at, (row, line)) in (0..).zip(self.rows.iter_mut().zip(&pool.lines)) {
            if line.chars.0 > 0 {
                row.head = first_piece.filter(|(of, _)| *of == line.line).map(|(_, head)| head);
                continue;
            }
            first_piece = Some((line.line, at));
            if row.is_blank {
                continue;
            }
            let indent = indent(pool.text(line).0);
            while above.last().is_some_and(|(of_above, _)| *of_above >= indent) {
                above.pop();
            }
            row.head = above.last().map(|(_, head)| *head);
            above.push((indent, at));
        }
    }

    fn find_headings(&mut self, pool: &LinePool) {
        let text = |line: &HeldLine| pool.text(line).0;
        let margin = pool.lines.iter().zip(&self.rows).filter(|(_, row)| !row.is_blank);
        let margin = margin.map(|(line, _)| indent(text(line))).min().unwrap_or(0);
        for (row, line) in self.rows.iter_mut().zip(&pool.lines) {
            let template = &pool.templates[line.template as usize];
            let reach = template.last - template.first + 1;
            row.is_heading = !row.is_blank
                && line.chars.0 == 0
                && template.count >= MIN_HEADINGS
                && reach >= template.count * MIN_HEADING_DISTANCE
                && to_f32(reach) > to_f32(pool.total) * MIN_HEADINGS_REACH
                && indent(text(line)) <= margin
                && text(line).iter().any(u8::is_ascii_alphanumeric);
        }
        let mut behind = vec![(0_u64, 0_u64); self.templates];
        let mut last: Option<(usize, u32)> = None;
        for (at, row) in self.rows.iter().enumerate().filter(|(_, row)| row.is_heading) {
            let follows = last.is_some_and(|(before, template)| {
                at - before <= MAX_PART_GAP && template != row.template
            });
            let (places, parts) = &mut behind[row.template as usize];
            *places += 1;
            *parts += u64::from(follows);
            last =
                Some((at, if follows { last.map_or(0, |(_, first)| first) } else { row.template }));
        }
        for row in &mut self.rows {
            let (places, parts) = behind[row.template as usize];
            row.is_heading &= parts * 2 < places;
        }
    }
}
