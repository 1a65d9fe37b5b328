//! The lines of a stream that may be shown, in memory that does not depend on its length.

use super::line::Line;
use super::shape::{HashedMap, Shape, lead, signature};
use crate::errors::tells_of_error;

/// What is held at most; half of it stays when it is full.
const MAX_BYTES: usize = 1 << 20;
const MAX_LINES: usize = 16 << 10;
/// Shapes and signatures that are told apart; what comes after them counts as one shape.
const MAX_SHAPES: usize = 16 << 10;
/// The first lines are held whatever comes.
const FIRST_LINES: u64 = 16;
/// Of lines of one template so many are held at most when there are too many.
const MOST_ALIKE: u32 = 64;
/// Of lines that differ in their numbers alone, more are only counted.
const ALIKE_LINES: u32 = 128;
/// Of lines that tell of errors, this many times as many are held as of others.
const ERROR_SHARE: u32 = 8;
/// Of a long stream one line in this many is looked at, beside those that tell of errors.
const SAMPLED_LINES: u64 = 16;
/// What is not told apart.
const OTHER: u32 = 0;

/// A line that is held.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Held {
    start: u32,
    head: u32,
    tail: u32,
    pub(crate) omitted_chars: u64,
    /// Its place in the stream, from 0.
    pub(crate) number: u64,
    pub(crate) template: u32,
    /// How many lines of its template came before it.
    nth: u32,
    pub(crate) lead: u64,
    pub(crate) tells_of_error: bool,
    /// Of lines before it that are not held, back to the one that is.
    pub(crate) before: Kinds,
}

/// Lines of one template.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Template {
    pub(crate) count: u64,
    pub(crate) first: u64,
    pub(crate) last: u64,
    pub(crate) skeleton: u32,
}

/// The templates of some lines, as long as they are few.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Kinds {
    ids: [u32; Self::MAX],
    count: usize,
}

impl Kinds {
    pub(crate) const MAX: usize = 4;

    pub(crate) fn add(&mut self, template: u32) {
        if self.is_various() || self.ids().contains(&template) {
            return;
        }
        if let Some(free) = self.ids.get_mut(self.count) {
            *free = template;
        }
        self.count += 1;
    }

    pub(crate) fn add_all(&mut self, other: Kinds) {
        if other.is_various() {
            self.count = Self::MAX + 1;
        }
        other.ids().iter().for_each(|id| self.add(*id));
    }

    pub(crate) fn various() -> Kinds {
        Kinds { ids: [0; Self::MAX], count: Self::MAX + 1 }
    }

    pub(crate) fn is_various(&self) -> bool {
        self.count > Self::MAX
    }

    /// None when there are too many.
    pub(crate) fn ids(&self) -> &[u32] {
        self.ids.get(..self.count).unwrap_or_default()
    }
}

#[derive(Default)]
pub(crate) struct Pool {
    text: Vec<u8>,
    pub(crate) lines: Vec<Held>,
    pub(crate) templates: Vec<Template>,
    /// How many lines have each skeleton.
    pub(crate) skeletons: Vec<u64>,
    template_ids: HashedMap<u64, u32>,
    skeleton_ids: HashedMap<u64, u32>,
    signatures: HashedMap<u64, (u32, u32)>,
    /// Lines that came.
    pub(crate) total: u64,
    /// Lines since the last one that is held.
    left_out: Kinds,
    /// Lines of one template that are held; fewer each time that there are too many.
    alike: u32,
    /// When lines of all kinds are too many, one in this many is held.
    stride: u64,
}

impl Pool {
    pub(crate) fn new() -> Self {
        Self {
            templates: vec![Template::default()],
            skeletons: vec![0],
            alike: u32::MAX,
            stride: 1,
            ..Self::default()
        }
    }

    /// A line that is not looked at.
    pub(crate) fn pass(&mut self) {
        self.total += 1;
        self.left_out = Kinds::various();
    }

    /// Whether the next line is looked at in a long stream, whatever it says.
    pub(crate) fn samples(&self) -> bool {
        self.total.is_multiple_of(SAMPLED_LINES)
    }

    pub(crate) fn push(&mut self, line: Line<'_>) {
        let number = self.total;
        let tells_of_error = tells_of_error(line.head);
        if number >= FIRST_LINES && !number.is_multiple_of(self.stride_of(tells_of_error)) {
            return self.pass();
        }
        self.total += 1;
        let signature = signature(line.head);
        let known = self.signatures.get_mut(&signature).map(|(template, seen)| {
            *seen += 1;
            (*template, *seen)
        });
        let template = match known {
            Some((template, seen)) if seen > ALIKE_LINES => {
                self.count(template, number);
                return self.left_out.add(template);
            }
            Some((template, _)) => template,
            None => {
                let template = self.template(Shape::of(line.head));
                if self.signatures.len() < MAX_SHAPES {
                    self.signatures.insert(signature, (template, 1));
                }
                template
            }
        };
        let nth = self.count(template, number);
        let held = Held {
            start: place(self.text.len()),
            head: place(line.head.len()),
            tail: place(line.tail.len()),
            omitted_chars: line.omitted_chars,
            number,
            template,
            nth,
            lead: lead(line.head),
            tells_of_error,
            before: self.left_out,
        };
        if !self.is_held(&held) {
            return self.left_out.add(template);
        }
        self.left_out = Kinds::default();
        self.lines.push(held);
        self.text.extend_from_slice(line.head);
        self.text.extend_from_slice(line.tail);
        if self.text.len() > MAX_BYTES || self.lines.len() > MAX_LINES {
            self.shrink();
        }
    }

    /// Holds the last lines too, whatever became of them.
    pub(crate) fn push_last(&mut self, number: u64, text: &[u8]) {
        let is_there = self.lines.iter().rev().take_while(|line| line.number >= number);
        if is_there.into_iter().any(|line| line.number == number) {
            return;
        }
        let shape = Shape::of(text);
        let held = Held {
            start: place(self.text.len()),
            head: place(text.len()),
            tail: 0,
            omitted_chars: 0,
            number,
            template: self.template_ids.get(&shape.template).copied().unwrap_or(OTHER),
            nth: 0,
            lead: lead(text),
            tells_of_error: tells_of_error(text),
            before: self.left_out,
        };
        self.text.extend_from_slice(text);
        let at = self.lines.partition_point(|line| line.number < number);
        self.lines.insert(at, held);
    }

    /// What is held of a line: its head, and its tail when it is long.
    pub(crate) fn text(&self, line: &Held) -> (&[u8], &[u8]) {
        let start = line.start as usize;
        let joint = start + line.head as usize;
        (&self.text[start..joint], &self.text[joint..joint + line.tail as usize])
    }

    /// What came after the last line that is held.
    pub(crate) fn after_last(&self) -> Kinds {
        self.left_out
    }

    fn template(&mut self, shape: Shape) -> u32 {
        if let Some(&id) = self.template_ids.get(&shape.template) {
            return id;
        }
        if self.templates.len() >= MAX_SHAPES {
            return OTHER;
        }
        let next = place(self.skeletons.len());
        let skeleton = *self.skeleton_ids.entry(shape.skeleton).or_insert(next);
        if skeleton == next {
            self.skeletons.push(0);
        }
        let id = place(self.templates.len());
        self.templates.push(Template { skeleton, first: self.total - 1, ..Template::default() });
        self.template_ids.insert(shape.template, id);
        id
    }

    /// Counts a line. Returns how many of its template came before.
    fn count(&mut self, template: u32, number: u64) -> u32 {
        let known = &mut self.templates[template as usize];
        let before = known.count;
        known.count += 1;
        known.last = number;
        self.skeletons[known.skeleton as usize] += 1;
        u32::try_from(before).unwrap_or(u32::MAX)
    }

    fn is_held(&self, line: &Held) -> bool {
        let share = if line.tells_of_error { ERROR_SHARE } else { 1 };
        let alike = self.alike.saturating_mul(share);
        let strides = line.number.is_multiple_of(self.stride_of(line.tells_of_error));
        line.number < FIRST_LINES || (line.nth < alike && strides)
    }

    fn stride_of(&self, tells_of_error: bool) -> u64 {
        if tells_of_error { (self.stride / u64::from(ERROR_SHARE)).max(1) } else { self.stride }
    }

    /// Lets lines go until half is left: first those that have many alike, then every second one.
    fn shrink(&mut self) {
        let (most_bytes, most_lines) = (self.text.len() / 2, self.lines.len() / 2);
        self.alike = self.alike.min(MOST_ALIKE);
        loop {
            if self.alike > 1 {
                self.alike /= 2;
            } else {
                self.stride = self.stride.saturating_mul(2);
            }
            let held = self.lines.iter().filter(|line| self.is_held(line));
            let (bytes, lines) = held.fold((0, 0), |(bytes, lines), line| {
                (bytes + line.head as usize + line.tail as usize, lines + 1)
            });
            if bytes <= most_bytes && lines <= most_lines {
                return self.retain();
            }
        }
    }

    fn retain(&mut self) {
        let mut text = Vec::with_capacity(self.text.len());
        let mut lines = Vec::with_capacity(self.lines.len());
        let mut gone = Kinds::default();
        for line in &self.lines {
            if !self.is_held(line) {
                gone.add_all(line.before);
                gone.add(line.template);
                continue;
            }
            let mut line = *line;
            line.before.add_all(std::mem::take(&mut gone));
            let (head, tail) = self.text(&line);
            line.start = place(text.len());
            text.extend_from_slice(head);
            text.extend_from_slice(tail);
            lines.push(line);
        }
        gone.add_all(self.left_out);
        (self.text, self.lines, self.left_out) = (text, lines, gone);
    }
}

/// Offsets and ids are far below what they are kept in.
fn place(at: usize) -> u32 {
    u32::try_from(at).unwrap_or(u32::MAX)
}
