//! The prefilter: finds where any of many literals occurs, fast where none does.
//!
//! Of each literal the window of four bytes is chosen that is rarest in logs and source; bytes are folded, so that upper
//! and lower case letters are one. A first test over the text, [`avx2`] or [`portable`], gives places where the window of
//! some literal may be; [`index`] tells there which literals have it, and compares them.

#[cfg(all(test, target_arch = "x86_64"))]
mod arrange;
#[cfg(target_arch = "x86_64")]
mod arranged;
#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod buckets;
#[cfg(target_arch = "x86_64")]
mod features;
mod index;
#[cfg(target_arch = "x86_64")]
mod model;
mod portable;
#[cfg(test)]
mod tests;
mod window;

use index::Index;
use portable::Grams;

/// Shortest literal that can be searched for.
pub(crate) const MIN_LITERAL_BYTES: usize = 3;

/// Begins what programs tell a terminal. It is found by itself, wherever two bytes follow.
const ESCAPE: u8 = 0x1b;

/// Whose an escape is.
pub(crate) const ESCAPE_OWNER: u16 = u16::MAX;

/// A text to search for.
#[cfg_attr(test, derive(Debug))]
pub(crate) struct Literal {
    /// At least [`MIN_LITERAL_BYTES`].
    pub(crate) bytes: Vec<u8>,
    /// Upper and lower case letters of ASCII are the same.
    pub(crate) caseless: bool,
    /// Whom it belongs to.
    pub(crate) owner: u16,
}

/// How rare a literal is in logs and source, as a logarithm.
pub(crate) fn rarity(literal: &[u8]) -> f32 {
    window::Window::rarest(literal)
}

/// The test that all of the text goes through.
enum First {
    #[cfg(target_arch = "x86_64")]
    Avx2(avx2::Searcher),
    Portable(Grams),
}

/// A search for all literals at once.
pub(crate) struct Prefilter {
    first: First,
    index: Index,
}

impl Prefilter {
    pub(crate) fn new(literals: &[Literal]) -> Self {
        let index = Index::new(literals);
        #[cfg(target_arch = "x86_64")]
        if let Some(searcher) = avx2::Searcher::new(index.windows()) {
            return Self { first: First::Avx2(searcher), index };
        }
        Self { first: First::Portable(Grams::new(index.windows())), index }
    }

    /// The same on a machine without vectors.
    #[cfg(test)]
    fn portable(literals: &[Literal]) -> Self {
        let index = Index::new(literals);
        Self { first: First::Portable(Grams::new(index.windows())), index }
    }

    /// What the first test looks for.
    #[cfg(all(test, target_arch = "x86_64"))]
    fn windows(&self) -> impl Iterator<Item = window::Window> {
        self.index.windows()
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.index.is_empty()
    }

    /// False when no literal goes over the place between these bytes of a text.
    #[inline]
    pub(crate) fn may_cross(&self, before: [u8; 2], after: [u8; 2]) -> bool {
        self.index.may_cross(before, after)
    }

    /// Calls `found(owner, start, end)` for every occurrence of every literal and for every escape, until it returns false. The order is that of
    /// the windows in the text; of literals that continue each other the longest comes first.
    pub(crate) fn find(&self, text: &[u8], mut found: impl FnMut(u16, usize, usize) -> bool) {
        if self.is_empty() {
            return;
        }
        let mut compare = |at: usize| self.index.compare(text, at, &mut found);
        let done = match &self.first {
            #[cfg(target_arch = "x86_64")]
            First::Avx2(searcher) => searcher.find(text, &self.index, &mut compare),
            First::Portable(grams) => grams.find(text, &mut compare),
        };
        let Some(tail) = done else { return };
        for at in tail..text.len().saturating_sub(MIN_LITERAL_BYTES - 1) {
            if !compare(at) {
                return;
            }
        }
    }
}
