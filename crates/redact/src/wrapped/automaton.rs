//! The known values as an automaton that is walked byte by byte.

use aho_corasick::Anchored;
use aho_corasick::automaton::{Automaton, StateID};
use aho_corasick::nfa::noncontiguous::NFA;

use super::MIN_WRAPPED_BYTES;
use crate::error::Error;
use crate::literal::{Literal, MAX_LITERAL_BYTES};

/// The number of bytes in a gram.
const GRAM_BYTES: usize = 4;

/// The number of filter bits for each gram.
const BITS_PER_GRAM: usize = 16;

/// The multiplier of the hash that spreads grams over the filter.
const MULTIPLIER: u32 = 0x9e37_79b1;

/// The forms of known values that are long enough to be found over line breaks.
pub(crate) struct Wraps {
    automaton: NFA,
    start: StateID,
    /// For each state, the length of the longest beginning of a value that the text ends with.
    node_depths: Vec<u16>,
    /// A bit for each hash of four bytes that occur in a value.
    grams: Vec<u64>,
    /// How many bits a hash is shifted right by.
    shift: u32,
    /// The bytes that values begin with.
    begins: [bool; 256],
}

impl Wraps {
    /// `None` if no literal is long enough.
    pub(crate) fn new<'l>(
        literals: impl Iterator<Item = &'l Literal>,
    ) -> Result<Option<Self>, Error> {
        let long = |literal: &&Literal| literal.bytes.len() >= MIN_WRAPPED_BYTES;
        let values: Vec<&[u8]> =
            literals.filter(long).map(|literal| literal.bytes.as_slice()).collect();
        if values.is_empty() {
            return Ok(None);
        }
        let too_large = |_| Error::literals_too_large();
        let automaton = NFA::builder().build(&values).map_err(too_large)?;
        let start = automaton.start_state(Anchored::No).map_err(|_| Error::literals_too_large())?;
        let mut begins = [false; 256];
        for value in &values {
            begins[usize::from(value[0])] = true;
        }
        let (node_depths, grams) = (Vec::new(), Vec::new());
        let mut wraps = Self { automaton, start, node_depths, grams, shift: 0, begins };
        wraps.measure(&values);
        wraps.collect_grams(&values);
        Ok(Some(wraps))
    }

    fn measure(&mut self, values: &[&[u8]]) {
        for value in values {
            let mut node = self.start;
            for (depth, &byte) in (1..).zip(*value) {
                node = self.step(node, byte);
                let index = node.as_usize();
                if index >= self.node_depths.len() {
                    self.node_depths.resize(index + 1, 0);
                }
                self.node_depths[index] = depth;
            }
        }
    }

    fn collect_grams(&mut self, values: &[&[u8]]) {
        let count: usize = values.iter().map(|value| value.len()).sum();
        let bits = (count * BITS_PER_GRAM).next_power_of_two().max(64);
        self.grams = vec![0; bits / 64];
        self.shift = 32 - bits.trailing_zeros().min(32);
        for gram in values
            .iter()
            .flat_map(|value| value.windows(GRAM_BYTES))
            .filter_map(<[u8]>::first_chunk)
        {
            let hash = self.hash(*gram);
            self.grams[hash / 64] |= 1 << (hash % 64);
        }
    }

    fn hash(&self, gram: [u8; GRAM_BYTES]) -> usize {
        (u32::from_le_bytes(gram).wrapping_mul(MULTIPLIER) >> self.shift) as usize
    }

    pub(super) fn step(&self, node: StateID, byte: u8) -> StateID {
        self.automaton.next_state(Anchored::No, node, byte)
    }

    /// How many of the last bytes at this state may be the beginning of a value.
    pub(super) fn depth(&self, node: StateID) -> usize {
        self.node_depths.get(node.as_usize()).map_or(0, |&depth| usize::from(depth))
    }

    /// Whether the value at this state continues with `byte`.
    pub(super) fn continues_value(&self, node: StateID, byte: u8) -> bool {
        self.depth(self.step(node, byte)) == self.depth(node) + 1
    }

    /// The length of the longest value that ends at this state.
    pub(super) fn found(&self, node: StateID) -> Option<usize> {
        if !self.automaton.is_match(node) {
            return None;
        }
        let length = |index| self.automaton.pattern_len(self.automaton.match_pattern(node, index));
        (0..self.automaton.match_len(node)).map(length).max()
    }

    /// The state at the end of a line that consists of `before` and then `line`.
    pub(super) fn at_end(&self, before: &[u8], line: &[u8]) -> StateID {
        let mut line = &line[line.len().saturating_sub(MAX_LITERAL_BYTES)..];
        let room = MAX_LITERAL_BYTES - line.len();
        let mut before = &before[before.len().saturating_sub(room)..];
        if line.last_chunk().is_some_and(|&gram| !self.may_contain_gram(gram)) {
            // Only these last bytes can be part of a value.
            before = &[];
            line = &line[line.len() + 1 - GRAM_BYTES..];
            if !line.iter().any(|&byte| self.begins[usize::from(byte)]) {
                return self.start;
            }
        }
        before.iter().chain(line).fold(self.start, |node, &byte| self.step(node, byte))
    }

    fn may_contain_gram(&self, gram: [u8; GRAM_BYTES]) -> bool {
        let hash = self.hash(gram);
        self.grams[hash / 64] >> (hash % 64) & 1 != 0
    }
}
