//! Keeps the lines of a stream that may be shown, in memory that does not depend on its length.

use super::columns::Columns;
use super::line::LineEnds;
use super::shape::{Atom, HashedMap, Shape, first_word};
use crate::counts;
use crate::errors::tells_of_error;

/// Most bytes that are kept; when there are more, half of the lines are dropped.
const MAX_BYTES: usize = 1 << 20;
/// Most lines that are kept; when there are more, half of them are dropped.
const MAX_LINES: usize = 16 << 10;
/// Most templates that are told apart; further lines count as one template.
const MAX_TEMPLATES: usize = 16 << 10;
/// Number of first lines that are always kept.
const FIRST_LINES: u64 = 16;
/// Most lines of one template that are kept once lines have to be dropped.
const MAX_HELD_PER_TEMPLATE: u32 = 64;
/// Lines after which it is asked again whether most shapes are new.
const SHAPE_LINES: u32 = 256;
/// Lines that tell of errors may be this many times as many as others.
const ERROR_FACTOR: u32 = 8;
/// One line in this many of a long stream is read, beside those that tell of errors.
const SAMPLE_DISTANCE: u64 = 16;
/// A line with a rarer value is kept while others are dropped; the bound rises where there are many.
const HELD_RARITY: f32 = 0.5;
const HELD_RARITY_STEP: f32 = 0.05;
/// Template of all lines that are not told apart.
const OTHER_TEMPLATE: u32 = 0;

/// A line that is kept.
#[derive(Clone, Copy, Debug)]
pub(crate) struct HeldLine {
    start: u32,
    head_bytes: u32,
    tail_bytes: u32,
    pub(crate) omitted_chars: u64,
    /// Number of the line in the stream, from 0.
    pub(crate) line: u64,
    /// Characters of the line before this piece, and up to its end.
    pub(crate) chars: (u64, u64),
    /// Whether no piece of the line follows.
    pub(crate) ends_line: bool,
    /// Number of the piece in the stream, from 0; most lines are one piece.
    number: u64,
    pub(crate) template: u32,
    /// Number of earlier lines with the same template.
    index_in_template: u32,
    pub(crate) first_word: u64,
    pub(crate) tells_of_error: bool,
    /// How rare the rarest of its values was when that was last looked at: from 0 to 1.
    rarity: f32,
    /// Templates of the lines between this one and the kept line before it.
    pub(crate) skipped_before: TemplateSet,
}

/// The lines of one template: their number, the numbers of the first and the last, and their skeleton.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Template {
    pub(crate) count: u64,
    pub(crate) first: u64,
    pub(crate) last: u64,
    pub(crate) skeleton: u32,
}

/// The templates of some lines, as long as they are few; else it has overflown.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct TemplateSet {
    ids: [u32; Self::MAX],
    count: usize,
}

impl TemplateSet {
    pub(crate) const MAX: usize = 4;

    pub(crate) fn add(&mut self, template: u32) {
        if self.is_overflown() || self.ids().contains(&template) {
            return;
        }
        if let Some(free) = self.ids.get_mut(self.count) {
            *free = template;
        }
        self.count += 1;
    }

    pub(crate) fn add_all(&mut self, other: TemplateSet) {
        if other.is_overflown() {
            self.count = Self::MAX + 1;
        }
        other.ids().iter().for_each(|id| self.add(*id));
    }

    pub(crate) fn overflown() -> TemplateSet {
        TemplateSet { ids: [0; Self::MAX], count: Self::MAX + 1 }
    }

    pub(crate) fn is_overflown(&self) -> bool {
        self.count > Self::MAX
    }

    /// The templates; none when there are too many.
    pub(crate) fn ids(&self) -> &[u32] {
        self.ids.get(..self.count).unwrap_or_default()
    }
}

/// The kept lines, and counts of all lines.
#[derive(Default)]
pub(crate) struct LinePool {
    text: Vec<u8>,
    pub(crate) lines: Vec<HeldLine>,
    pub(crate) templates: Vec<Template>,
    /// Number of lines with each skeleton.
    pub(crate) skeletons: Vec<u64>,
    template_ids: HashedMap<u64, u32>,
    skeleton_ids: HashedMap<u64, u32>,
    /// Of the lines read last: how many, and how many of them had a new shape.
    recent: (u32, u32),
    finds_new_shapes: bool,
    pub(super) columns: Columns,
    atoms: Vec<Atom>,
    /// Number of lines so far.
    pub(crate) lines_read: u64,
    /// Number of pieces so far.
    pub(crate) total: u64,
    /// Characters of the long lines of which a piece is kept.
    line_chars: HashedMap<u64, u64>,
    /// Templates of the lines since the last kept one.
    skipped: TemplateSet,
    /// Most lines of one template that are kept; fewer each time that lines are dropped.
    max_per_template: u32,
    /// A line with a rarer value is kept while others are dropped.
    held_rarity: f32,
    /// One line in this many is kept, once lines of all templates are too many.
    stride: u64,
}

impl LinePool {
    pub(crate) fn new() -> Self {
        Self {
            templates: vec![Template::default()],
            skeletons: vec![0],
            max_per_template: u32::MAX,
            held_rarity: HELD_RARITY,
            stride: 1,
            ..Self::default()
        }
    }

    /// Passes over a piece of a line, or the whole of it.
    pub(crate) fn skip(&mut self, piece: LineEnds<'_>) {
        if piece.ends_line {
            self.note_chars(self.lines_read, &piece);
            self.skip_line();
        }
    }

    /// Notes how long a line is of which an earlier piece is kept.
    fn note_chars(&mut self, line: u64, last: &LineEnds<'_>) {
        let is_held = self.lines.last().is_some_and(|held| held.line == line);
        if is_held && last.start > 0 {
            self.line_chars.insert(line, last.start + last.chars());
        }
    }

    /// Counts a line that is not read.
    pub(crate) fn skip_line(&mut self) {
        self.total += 1;
        self.lines_read += 1;
        self.skipped = TemplateSet::overflown();
    }

    /// Whether the next line of a long stream belongs to the sample.
    pub(crate) fn samples_next(&self) -> bool {
        self.total.is_multiple_of(SAMPLE_DISTANCE)
    }

    pub(crate) fn push(&mut self, line: LineEnds<'_>) {
        let number = self.total;
        let line_number = self.lines_read;
        let tells_of_error = tells_of_error(line.head);
        self.total += 1;
        self.lines_read += u64::from(line.ends_line);
        let shape = Shape::of(line.head, &mut self.atoms);
        let templates = self.templates.len();
        let template = self.template(shape);
        self.notice_shape(self.templates.len() > templates || template == OTHER_TEMPLATE);
        let rarity = self.columns.count(&self.atoms);
        let index_in_template = self.count(template, number);
        let held = HeldLine {
            start: to_u32(self.text.len()),
            head_bytes: to_u32(line.head.len()),
            tail_bytes: to_u32(line.tail.len()),
            omitted_chars: line.omitted_chars,
            line: line_number,
            chars: (line.start, line.start + line.chars()),
            ends_line: line.ends_line,
            number,
            template,
            index_in_template,
            first_word: first_word(line.head),
            tells_of_error,
            rarity,
            skipped_before: self.skipped,
        };
        if self.should_hold(&held) {
            self.skipped = TemplateSet::default();
            self.lines.push(held);
            self.text.extend_from_slice(line.head);
            self.text.extend_from_slice(line.tail);
        } else {
            self.skipped.add(template);
        }
        if line.ends_line {
            self.note_chars(line_number, &line);
        }
        if self.text.len() > MAX_BYTES || self.lines.len() > MAX_LINES {
            self.drop_half();
        }
    }

    /// Number of characters of a line of which a piece is kept.
    pub(crate) fn chars_of(&self, piece: &HeldLine) -> u64 {
        self.line_chars.get(&piece.line).copied().unwrap_or(piece.chars.1)
    }

    /// Keeps a line from the end of the stream, unless it or a piece of it is kept already.
    pub(crate) fn push_last(&mut self, number: u64, text: &[u8]) {
        let at = self.lines.partition_point(|line| line.line < number);
        if self.lines.get(at).is_some_and(|line| line.line == number) {
            return;
        }
        let shape = Shape::of(text, &mut self.atoms);
        let held = HeldLine {
            start: to_u32(self.text.len()),
            head_bytes: to_u32(text.len()),
            tail_bytes: 0,
            omitted_chars: 0,
            line: number,
            chars: (0, counts::chars(text)),
            ends_line: true,
            number: self.total,
            template: self.template_ids.get(&shape.template).copied().unwrap_or(OTHER_TEMPLATE),
            index_in_template: 0,
            first_word: first_word(text),
            tells_of_error: tells_of_error(text),
            rarity: 0.0,
            skipped_before: self.skipped,
        };
        self.text.extend_from_slice(text);
        self.lines.insert(at, held);
    }

    /// Head and tail of a kept line; the tail is empty unless the line is long.
    pub(crate) fn text(&self, line: &HeldLine) -> (&[u8], &[u8]) {
        text_of(&self.text, line)
    }

    /// The first piece of the line of a piece, if it is kept.
    pub(crate) fn first_piece(&self, piece: &HeldLine) -> Option<&HeldLine> {
        let at = self.lines.partition_point(|line| line.line < piece.line);
        self.lines.get(at).filter(|first| first.line == piece.line && first.chars.0 == 0)
    }

    /// Templates of the lines after the last kept one.
    pub(crate) fn after_last(&self) -> TemplateSet {
        self.skipped
    }

    /// Whether most of the lines that were read last have shapes that no line before had.
    pub(crate) fn finds_new_shapes(&self) -> bool {
        self.finds_new_shapes
    }

    fn notice_shape(&mut self, is_new: bool) {
        let (lines, new) = &mut self.recent;
        *lines += 1;
        *new += u32::from(is_new);
        if *lines == SHAPE_LINES {
            self.finds_new_shapes = *new > SHAPE_LINES / 2;
            self.recent = (0, 0);
        }
    }

    fn template(&mut self, shape: Shape) -> u32 {
        if let Some(&id) = self.template_ids.get(&shape.template) {
            return id;
        }
        if self.templates.len() >= MAX_TEMPLATES {
            return OTHER_TEMPLATE;
        }
        let next = to_u32(self.skeletons.len());
        let skeleton = *self.skeleton_ids.entry(shape.skeleton).or_insert(next);
        if skeleton == next {
            self.skeletons.push(0);
        }
        let id = to_u32(self.templates.len());
        self.templates.push(Template { skeleton, first: self.total - 1, ..Template::default() });
        self.template_ids.insert(shape.template, id);
        id
    }

    /// Counts a line. Returns the number of earlier lines with its template.
    fn count(&mut self, template: u32, number: u64) -> u32 {
        let known = &mut self.templates[template as usize];
        let skipped_before = known.count;
        known.count += 1;
        known.last = number;
        self.skeletons[known.skeleton as usize] += 1;
        u32::try_from(skipped_before).unwrap_or(u32::MAX)
    }

    fn should_hold(&self, line: &HeldLine) -> bool {
        let share = if line.tells_of_error { ERROR_FACTOR } else { 1 };
        let max_per_template = self.max_per_template.saturating_mul(share);
        let strides = line.number.is_multiple_of(self.stride_of(line.tells_of_error));
        line.number < FIRST_LINES
            || line.rarity > self.held_rarity
            || (line.index_in_template < max_per_template && strides)
    }

    fn stride_of(&self, tells_of_error: bool) -> u64 {
        if tells_of_error { (self.stride / u64::from(ERROR_FACTOR)).max(1) } else { self.stride }
    }

    /// Drops lines until half is left: first those with many others of their template, then every second one.
    fn drop_half(&mut self) {
        let (most_bytes, most_lines) = (self.text.len() / 2, self.lines.len() / 2);
        self.max_per_template = self.max_per_template.min(MAX_HELD_PER_TEMPLATE);
        self.look_at_rarities();
        loop {
            let unusual = self.lines.iter().filter(|line| line.rarity > self.held_rarity);
            if unusual.count() > most_lines / 2 {
                self.held_rarity += HELD_RARITY_STEP;
            }
            if self.max_per_template > 1 {
                self.max_per_template /= 2;
            } else {
                self.stride = self.stride.saturating_mul(2);
            }
            let held = self.lines.iter().filter(|line| self.should_hold(line));
            let (bytes, lines) = held.fold((0, 0), |(bytes, lines), line| {
                (bytes + line.head_bytes as usize + line.tail_bytes as usize, lines + 1)
            });
            if bytes <= most_bytes && lines <= most_lines {
                return self.drop_unheld();
            }
        }
    }

    /// Looks again how rare the values of the unusual lines are, now that more lines were read.
    fn look_at_rarities(&mut self) {
        let ranked = self.columns.ranked();
        let mut lines = std::mem::take(&mut self.lines);
        for line in lines.iter_mut().filter(|line| line.rarity > self.held_rarity) {
            Shape::of(text_of(&self.text, line).0, &mut self.atoms);
            line.rarity = 0.0;
            ranked.surprises(&self.atoms, |surprise| {
                line.rarity = line.rarity.max(surprise.rarity);
            });
        }
        self.lines = lines;
    }

    fn drop_unheld(&mut self) {
        let mut text = Vec::with_capacity(self.text.len());
        let mut lines = Vec::with_capacity(self.lines.len());
        let mut gone = TemplateSet::default();
        for line in &self.lines {
            if !self.should_hold(line) {
                gone.add_all(line.skipped_before);
                gone.add(line.template);
                continue;
            }
            let mut line = *line;
            line.skipped_before.add_all(std::mem::take(&mut gone));
            let (head_bytes, tail_bytes) = self.text(&line);
            line.start = to_u32(text.len());
            text.extend_from_slice(head_bytes);
            text.extend_from_slice(tail_bytes);
            lines.push(line);
        }
        gone.add_all(self.skipped);
        let is_held = |number: u64| {
            let at = lines.partition_point(|line| line.line < number);
            lines.get(at).is_some_and(|line| line.line == number)
        };
        self.line_chars.retain(|line, _| is_held(*line));
        (self.text, self.lines, self.skipped) = (text, lines, gone);
    }
}

fn text_of<'a>(text: &'a [u8], line: &HeldLine) -> (&'a [u8], &'a [u8]) {
    let start = line.start as usize;
    let tail_start = start + line.head_bytes as usize;
    (&text[start..tail_start], &text[tail_start..tail_start + line.tail_bytes as usize])
}

/// An offset or id as it is stored; all of them are far below the limit.
fn to_u32(at: usize) -> u32 {
    u32::try_from(at).unwrap_or(u32::MAX)
}
