//! Finding literals by looking up what begins at a place. The number of literals costs nothing then: of the beginnings
//! of long tokens, because a text has few runs of token characters that are long enough.

use super::index::Index;
use super::window::gram_at;
use super::{Literal, MIN_TOKEN_BYTES};
use crate::boundary;
use crate::class::Class;

/// The characters that tokens consist of.
const TOKEN_CLASS: Class = Class::Dash;

/// How many characters of an escape may be joined to the beginning of a token: `\n`, `%3D` and `\u0022`.
const ESCAPED_BYTES: [usize; 3] = [1, 2, 5];

/// Literals that are looked up at places.
pub(crate) struct Beginnings(Index);

impl Beginnings {
    pub(crate) fn new(literals: &[Literal]) -> Self {
        Self(Index::new(literals, &vec![0; literals.len()]))
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Calls `found(owner, start, end)` for the literals that begin at `at`, the longest first, until it returns false.
    /// False if it did.
    #[inline]
    pub(crate) fn find(
        &self,
        text: &[u8],
        at: usize,
        found: &mut impl FnMut(u16, usize, usize) -> bool,
    ) -> bool {
        self.0.may_have(gram_at(text, at), 0) == 0 || self.0.compare(text, at, found)
    }

    /// Whether a literal may begin at `start`, or after an escape that ends there.
    #[inline]
    pub(super) fn may_begin(&self, text: &[u8], start: usize) -> bool {
        self.0.may_have(gram_at(text, start), 0) != 0 || is_escaped(text, start)
    }

    /// Calls `found` for the tokens that begin at `start`, or after an escape that ends there. False if it returned
    /// false.
    pub(super) fn find_tokens(
        &self,
        text: &[u8],
        start: usize,
        found: &mut impl FnMut(u16, usize, usize) -> bool,
    ) -> bool {
        // A place after anything else is reported by itself.
        let begins = |&start: &usize| {
            Class::Alnum.has(text[start - 1])
                && is_run(text, start)
                && boundary::begins(text, start)
        };
        let mut later = ESCAPED_BYTES.iter().map(|bytes| start + bytes).filter(begins);
        self.find(text, start, found)
            && (!is_escaped(text, start) || later.all(|start| self.find(text, start, found)))
    }
}

/// Whether an escape may end after `start`.
fn is_escaped(text: &[u8], start: usize) -> bool {
    matches!(text[..start], [.., b'\\' | b'%'])
}

/// Whether a run of at least [`MIN_TOKEN_BYTES`] token characters continues from `at`.
fn is_run(text: &[u8], at: usize) -> bool {
    let run = text.get(at..at + MIN_TOKEN_BYTES);
    run.is_some_and(|run| run.iter().all(|&byte| TOKEN_CLASS.has(byte)))
}

/// The places where a token may begin: letters and digits after something else, with at least [`MIN_TOKEN_BYTES`] token
/// characters.
pub(super) struct Starts<'t> {
    text: &'t [u8],
    at: usize,
    /// The bytes from `at` to here are token characters.
    known: usize,
}

impl<'t> Starts<'t> {
    pub(super) fn new(text: &'t [u8], at: usize) -> Self {
        Self { text, at, known: at }
    }
}

impl Iterator for Starts<'_> {
    type Item = usize;

    fn next(&mut self) -> Option<usize> {
        loop {
            // The last byte that is outside is looked for first: everything before it is skipped.
            let end = self.at + MIN_TOKEN_BYTES;
            let unknown = self.text.get(self.known..end)?;
            let outside = unknown.iter().rposition(|&byte| !TOKEN_CLASS.has(byte));
            let start = self.at;
            self.at = outside.map_or(start + 1, |outside| self.known + outside + 1);
            self.known = end;
            let is_first = || start == 0 || !Class::Alnum.has(self.text[start - 1]);
            if outside.is_none() && Class::Alnum.has(self.text[start]) && is_first() {
                return Some(start);
            }
        }
    }
}

/// Calls `compare` with the windows and `compare_token` with the tokens that start before `end`, in the order of the
/// text, until one of them returns false.
#[inline]
pub(super) fn in_order(
    windows: &[usize],
    tokens: &mut std::iter::Peekable<impl Iterator<Item = usize>>,
    end: usize,
    compare: &mut impl FnMut(Place) -> bool,
) -> bool {
    for &window in windows {
        while let Some(start) = tokens.next_if(|&start| start <= window) {
            if !compare(Place::Token(start)) {
                return false;
            }
        }
        if !compare(Place::Window(window)) {
            return false;
        }
    }
    while let Some(start) = tokens.next_if(|&start| start < end) {
        if !compare(Place::Token(start)) {
            return false;
        }
    }
    true
}

/// A place at which literals are compared.
#[derive(Clone, Copy)]
pub(super) enum Place {
    /// The window of a literal may be here.
    Window(usize),
    /// A long token may begin here.
    Token(usize),
}
