//! Which values a second pass leaves alone, so that nobody has to look whether it does: those behind a name and an equals
//! sign or a colon. Their name sees a mask there and asks no further. Nothing else may be in their line that asks at all.

use crate::span::{Alone, Span};

/// What was met of a text so far.
pub(super) struct Settled {
    /// Where the name ends that the triggers met last are in; 0 for a trigger in no name.
    name_end: usize,
    /// Where the first of those begins.
    first: usize,
    /// That name has a value that is settled.
    found: bool,
    /// Behind where the last trigger begins that has none; 0 when all have.
    others_to: usize,
    /// Index of the finding settled last.
    last: usize,
}

impl Settled {
    pub(super) fn new() -> Self {
        Self { name_end: 0, first: 0, found: true, others_to: 0, last: usize::MAX }
    }

    /// A trigger begins at `start`, in a name that ends at `name_end`; 0 when it is in none.
    #[inline]
    pub(super) fn meet(&mut self, start: usize, name_end: usize, spans: &mut [Span]) {
        if name_end == 0 || name_end != self.name_end {
            self.leave(spans);
            (self.name_end, self.first, self.found) = (name_end, start, false);
        }
    }

    /// Nothing more comes of the name met last.
    pub(super) fn leave(&mut self, spans: &mut [Span]) {
        if self.found {
            return;
        }
        self.others_to = self.first + 1;
        if let Some(span) = spans.get_mut(self.last) {
            span.alone.to = self.first;
        }
        self.last = usize::MAX;
    }

    /// The name met last has a value, which will be the finding of this index.
    pub(super) fn find(&mut self, index: usize) -> Alone {
        if self.found || self.name_end == 0 {
            return Alone::NOWHERE;
        }
        (self.found, self.last) = (true, index);
        Alone { from: self.others_to, to: usize::MAX }
    }
}
