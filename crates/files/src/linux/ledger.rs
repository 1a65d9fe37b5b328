//! What the content of files was when it was last read or written here.

use std::collections::{HashMap, VecDeque};
use std::hash::{BuildHasher, RandomState};
use std::ops::Range;
use std::path::Path;

use crate::linux::text::{count_lines, lines};

/// Files that are remembered.
const MAX_FILES: usize = 4096;
/// Lines that are remembered, of all files together.
const MAX_LINES: usize = 1 << 20;
/// Lines of a file that are remembered; a longer file is known as a whole.
const MAX_FILE_LINES: usize = 1 << 16;
/// Stretches of a file that are remembered as given.
const MAX_GIVEN: usize = 64;

/// A file, whatever its name is: device and inode.
pub(crate) type FileId = (u64, u64);

#[derive(Debug, Default)]
pub(crate) struct Ledger {
    /// Hashes are keyed: from that of a file nobody finds out what its masks hide.
    keys: RandomState,
    known: HashMap<FileId, Known>,
    /// The oldest first; each file once.
    order: VecDeque<FileId>,
    /// Hashes kept in `known`.
    lines: usize,
}

#[derive(Debug)]
struct Known {
    hash: u64,
    /// Of each line as it was shown; empty for a file with too many.
    lines: Vec<u32>,
    /// What was given of it, by line from 0; in order and apart.
    given: Vec<Range<usize>>,
    total: usize,
    /// The masks of this content that were given with their numbers, by index; in order and apart.
    numbers: Vec<Range<usize>>,
}

/// What a file has become.
#[derive(Debug)]
pub(crate) struct NewContent {
    pub(crate) hash: u64,
    /// The text, masked.
    pub(crate) shown: String,
    /// The masks of which the numbers that were given before are still right, by index.
    pub(crate) numbers: Vec<Range<usize>>,
}

/// What the ledger says of a content.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Seen {
    Never,
    Same,
    /// The lines that were given, from 0, of so many.
    Partly(Vec<Range<usize>>, usize),
    /// With the first and the last line that differ now, as far as that is known.
    Changed(Option<(usize, usize)>),
}

impl Ledger {
    /// Tells contents apart; no proof against somebody who looks for two of the same.
    pub(crate) fn hash(&self, content: &[u8]) -> u64 {
        self.keys.hash_one(content)
    }

    /// Tells versions of the file with this name apart. Files with the same content have different ones: who may write one
    /// of them would find out what is in the other.
    pub(crate) fn version(&self, path: &Path, hash: u64) -> String {
        format!("{:016x}", self.keys.hash_one((path, hash)))
    }

    fn line_hashes(&self, shown: &str) -> Vec<u32> {
        let lines = lines(shown).take(MAX_FILE_LINES + 1);
        #[expect(clippy::cast_possible_truncation, reason = "half of a hash is one")]
        lines.map(|line| self.keys.hash_one(line) as u32).collect()
    }

    /// Remembers a content of which these lines were given, from 0, and these masks with their numbers. What was given of it
    /// before counts as well; what was given of another content does not.
    pub(crate) fn record(
        &mut self,
        file: FileId,
        hash: u64,
        shown: &str,
        given: Range<usize>,
        numbers: Vec<Range<usize>>,
    ) {
        let old = self.known.get_mut(&file).filter(|known| known.hash == hash);
        let (mut before, mut seen) = old.map_or_else(Default::default, |known| {
            (std::mem::take(&mut known.given), std::mem::take(&mut known.numbers))
        });
        before.push(given);
        seen.extend(numbers);
        let lines = self.line_hashes(shown);
        let lines = if lines.len() > MAX_FILE_LINES { Vec::new() } else { lines };
        self.lines += lines.len();
        let (given, total) = (merged(before), count_lines(shown));
        let known = Known { hash, lines, given, total, numbers: merged(seen) };
        match self.known.insert(file, known) {
            Some(old) => self.lines -= old.lines.len(),
            None => self.order.push_back(file),
        }
        while self.order.len() > MAX_FILES || self.lines > MAX_LINES {
            let Some(oldest) = self.order.pop_front() else { break };
            let known = self.known.remove(&oldest);
            self.lines -= known.map_or(0, |known| known.lines.len());
        }
    }

    /// Remembers a content that was written here: all of it is known to who wrote it.
    pub(crate) fn record_change(&mut self, file: FileId, now: &NewContent) {
        self.record(file, now.hash, &now.shown, 0..count_lines(&now.shown), now.numbers.clone());
    }

    /// Remembers the masks that were given of a content in some of its lines, unless another content of the file was read
    /// before: then only what is read again counts.
    pub(crate) fn record_view(
        &mut self,
        file: FileId,
        content: impl FnOnce() -> Vec<u8>,
        shown: &str,
        numbers: Vec<Range<usize>>,
    ) {
        let hash = self.hash(&content());
        match self.known.get_mut(&file) {
            None => self.record(file, hash, shown, 0..0, numbers),
            Some(known) if known.hash == hash => {
                known.numbers.extend(numbers);
                known.numbers = merged(std::mem::take(&mut known.numbers));
            }
            Some(_) => {}
        }
    }

    /// The masks of this content that were given with their numbers, by index; `None` when it was not the last one.
    pub(crate) fn numbers(&self, file: FileId, hash: u64) -> Option<Vec<Range<usize>>> {
        let known = self.known.get(&file).filter(|known| known.hash == hash);
        known.map(|known| known.numbers.clone())
    }

    pub(crate) fn seen(&self, file: FileId, hash: u64, shown: &str) -> Seen {
        match self.known.get(&file) {
            None => Seen::Never,
            Some(known) if known.hash == hash => match &known.given[..] {
                _ if known.total == 0 => Seen::Same,
                [] => Seen::Never,
                [given] if *given == (0..known.total) => Seen::Same,
                given => Seen::Partly(given.to_vec(), known.total),
            },
            Some(known) => Seen::Changed(known.changed_lines(&self.line_hashes(shown))),
        }
    }
}

/// Stretches without overlaps, in order; those that begin last are forgotten when there are too many.
fn merged(mut stretches: Vec<Range<usize>>) -> Vec<Range<usize>> {
    stretches.retain(|stretch| !stretch.is_empty());
    stretches.sort_unstable_by_key(|stretch| stretch.start);
    let mut merged: Vec<Range<usize>> = Vec::with_capacity(stretches.len());
    for stretch in stretches {
        match merged.last_mut() {
            Some(last) if stretch.start <= last.end => last.end = last.end.max(stretch.end),
            _ => merged.push(stretch),
        }
    }
    merged.truncate(MAX_GIVEN);
    merged
}

impl Known {
    /// From the first to the last line that differs.
    fn changed_lines(&self, now: &[u32]) -> Option<(usize, usize)> {
        if self.lines.is_empty() || now.len() > MAX_FILE_LINES {
            return None;
        }
        let start = self.lines.iter().zip(now).take_while(|(a, b)| a == b).count();
        let most = self.lines.len().min(now.len()) - start;
        let ends = self.lines.iter().rev().zip(now.iter().rev()).take(most);
        let same = ends.take_while(|(a, b)| a == b).count();
        Some((start + 1, (now.len() - same).max(start + 1)))
    }
}
