//! The prefilter finds where any of many literals occurs, fast where none does.
//!
//! Each literal is looked for by one window: of its parts of four bytes the one that is rarest in logs and source. Bytes
//! are folded, so that letters of both cases are one. Three tests follow each other: [`avx2`] passes places whose four
//! bytes look like a window, [`filter`] passes those whose hash is a window's, [`index`] compares the literals. Without
//! AVX2, [`portable`] asks the filter at every place.

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod buckets;
mod filter;
mod index;
mod portable;
#[cfg(test)]
mod tests;
mod window;

use std::cell::Cell;

use index::Index;

/// Shortest literal that can be searched for.
pub(crate) const MIN_LITERAL_BYTES: usize = 3;

/// Begins what programs tell a terminal. The search reports each one that two bytes follow.
const ESCAPE: u8 = 0x1b;

/// The owner of escapes.
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
    window::rarity(literal)
}

thread_local! {
    /// Whether what is made on this thread does without vectors.
    static PORTABLE: Cell<bool> = const { Cell::new(false) };
}

/// What `make` makes searches as on a machine without AVX2, for tests.
#[doc(hidden)]
pub fn portably<T>(make: impl FnOnce() -> T) -> T {
    PORTABLE.set(true);
    let result = make();
    PORTABLE.set(false);
    result
}

/// A search for all literals at once.
pub(crate) struct Prefilter {
    index: Index,
    /// `None` on a machine without AVX2.
    #[cfg(target_arch = "x86_64")]
    vectors: Option<avx2::Vectors>,
}

impl Prefilter {
    pub(crate) fn new(literals: &[Literal]) -> Self {
        let index = Index::new(literals);
        Self {
            #[cfg(target_arch = "x86_64")]
            vectors: if PORTABLE.get() { None } else { avx2::Vectors::new(&index.windows()) },
            index,
        }
    }

    /// Calls `found(owner, start, end)` for every occurrence of every literal and for every escape, until `found` returns
    /// false. Gives how many bytes were read. The order is that of the windows in the text; of literals that continue each other the longest comes first.
    pub(crate) fn find(
        &self,
        text: &[u8],
        mut found: impl FnMut(u16, usize, usize) -> bool,
    ) -> usize {
        if self.index.is_empty() {
            return 0;
        }
        let mut compare = |at: usize| self.index.compare(text, at, &mut found);
        let searched = Ok(0);
        #[cfg(target_arch = "x86_64")]
        let searched = match &self.vectors {
            Some(vectors) => vectors.find(text, &self.index, &mut compare),
            None => searched,
        };
        match searched {
            Ok(from) => portable::find(text, from, &self.index, &mut compare),
            Err(read) => read,
        }
    }
}
