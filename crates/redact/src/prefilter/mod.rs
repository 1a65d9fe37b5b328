//! The prefilter finds the occurrences of many literals. It is fast where none occurs.
//!
//! The search looks for one window of each literal: the four bytes that are rarest in logs and source. Bytes are
//! folded, so that upper and lower case are the same. Three tests follow each other: [`avx512`] or [`avx2`] finds offsets
//! whose four bytes look like a window, [`filter`] keeps those whose hash is that of a window, and [`index`] compares
//! the literals. Without either, [`portable`] asks the filter at every offset. [`blocks`] has what both have in common.
//!
//! A literal with which a long token begins has no window. Both searches find the places where long runs of token
//! characters begin, and [`beginnings`] looks up what stands there, so that such a literal costs nothing elsewhere.

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;
mod beginnings;
#[cfg(target_arch = "x86_64")]
mod blocks;
#[cfg(target_arch = "x86_64")]
mod buckets;
mod filter;
mod index;
mod portable;
#[cfg(test)]
mod tests;
mod window;

use std::cell::Cell;

pub(crate) use beginnings::Beginnings;
use beginnings::Place;
use index::{Index, offsets};

/// The shortest literal that can be searched for.
pub(crate) const MIN_LITERAL_BYTES: usize = 3;

/// How many token characters a token has at least that is found by its beginning alone.
pub(crate) const MIN_TOKEN_BYTES: usize = 16;

/// The byte that begins terminal sequences. The search reports each one that two bytes follow.
const ESCAPE: u8 = 0x1b;

/// The owner that escapes are reported with.
pub(crate) const ESCAPE_OWNER: u16 = u16::MAX;

/// A literal to search for.
#[cfg_attr(test, derive(Clone, Debug))]
pub(crate) struct Literal {
    /// At least [`MIN_LITERAL_BYTES`].
    pub(crate) bytes: Vec<u8>,
    /// Whether upper and lower case of ASCII letters are the same.
    pub(crate) caseless: bool,
    /// Whether only occurrences matter at which a token of [`MIN_TOKEN_BYTES`] or more may begin. The literal begins
    /// with a letter or a digit, and all of it are token characters.
    pub(crate) begins_token: bool,
    /// The number of the rule or pattern that it belongs to.
    pub(crate) owner: u16,
}

/// How rare a literal is in logs and source, as a logarithm.
pub(crate) fn rarity(literal: &[u8]) -> f32 {
    window::rarity(literal)
}

/// The vector instructions that a search uses.
#[doc(hidden)]
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Vectors {
    None,
    Avx2,
    Avx512,
}

thread_local! {
    /// The widest vectors of prefilters that are made on this thread.
    static WIDEST: Cell<Vectors> = const { Cell::new(Vectors::Avx512) };
}

/// Lets everything that `make` makes search with no wider vectors than these. Tests use this.
#[doc(hidden)]
pub fn with_vectors<T>(widest: Vectors, make: impl FnOnce() -> T) -> T {
    WIDEST.set(widest);
    let result = make();
    WIDEST.set(Vectors::Avx512);
    result
}

/// A search for all literals at once.
pub(crate) struct Prefilter {
    index: Index,
    tokens: Beginnings,
    /// `None` if the processor has no AVX2.
    #[cfg(target_arch = "x86_64")]
    vectors: Option<blocks::VectorSearch>,
}

impl Prefilter {
    pub(crate) fn new(literals: Vec<Literal>) -> Self {
        let (tokens, literals): (Vec<_>, Vec<_>) =
            literals.into_iter().partition(|literal| literal.begins_token);
        let index = Index::new(&literals, &offsets(&literals));
        Self {
            #[cfg(target_arch = "x86_64")]
            vectors: blocks::VectorSearch::new(&index.windows(), WIDEST.get()),
            index,
            tokens: Beginnings::new(&tokens),
        }
    }

    /// Calls `found(owner, start, end)` for every occurrence of every literal and for every escape, until `found`
    /// returns false. Returns how many bytes were read. Occurrences come in the order of their windows in the text, or
    /// of their starts where they begin tokens; of literals that continue each other the longest comes first.
    pub(crate) fn find(
        &self,
        text: &[u8],
        mut found: impl FnMut(u16, usize, usize) -> bool,
    ) -> usize {
        if self.index.is_empty() && self.tokens.is_empty() {
            return 0;
        }
        let mut compare = |place| match place {
            Place::Window(at) => self.index.compare(text, at, &mut found),
            Place::Token(start) => self.tokens.find_tokens(text, start, &mut found),
        };
        let searched = Ok(0);
        #[cfg(target_arch = "x86_64")]
        let searched = match &self.vectors {
            Some(vectors) => vectors.find(text, self, &mut compare),
            None => searched,
        };
        match searched {
            Ok(from) => portable::find(text, from, self, &mut compare),
            Err(read) => read,
        }
    }
}
