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
const MAX_RANGES: usize = 64;

/// A file, whatever its name is: device and inode.
pub(crate) type FileId = (u64, u64);

#[derive(Debug, Default)]
pub(crate) struct Ledger {
    /// Hashes are keyed: from that of a file nobody finds out what its masks hide.
    keys: RandomState,
    records: HashMap<FileId, FileRecord>,
    /// The oldest first; each file once.
    oldest_first: VecDeque<FileId>,
    /// Hashes kept in `known`.
    lines: usize,
}

#[derive(Debug)]
struct FileRecord {
    hash: u64,
    /// Of each line as it was shown; empty for a file with too many.
    lines: Vec<u32>,
    /// What was given of it, by line from 0; in order and apart.
    lines_given: Vec<Range<usize>>,
    total_lines: usize,
    /// The masks of this content that were given with their numbers, by index; in order and apart.
    known_masks: Vec<Range<usize>>,
}

/// What a file has become.
#[derive(Debug)]
pub(crate) struct NewContent {
    pub(crate) hash: u64,
    /// The text, masked.
    pub(crate) shown: String,
    /// The masks of which the numbers that were given before are still right, by index.
    pub(crate) known_masks: Vec<Range<usize>>,
}

/// How a content differs from one that was seen as a whole.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Unseen {
    /// No line of the file was ever given.
    Never,
    /// The lines that were given, from 0, and the number of lines there are.
    Partly(Vec<Range<usize>>, usize),
    /// Another content was seen: the first and the last line that differ now, as far as that is known.
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
        lines_given: Range<usize>,
        known_masks: Vec<Range<usize>>,
    ) {
        let old = self.records.get_mut(&file).filter(|records| records.hash == hash);
        let (mut before, mut unseen_part) = old.map_or_else(Default::default, |records| {
            (std::mem::take(&mut records.lines_given), std::mem::take(&mut records.known_masks))
        });
        before.push(lines_given);
        unseen_part.extend(known_masks);
        let lines = self.line_hashes(shown);
        let lines = if lines.len() > MAX_FILE_LINES { Vec::new() } else { lines };
        self.lines += lines.len();
        let (lines_given, total_lines) = (merged_ranges(before), count_lines(shown));
        let records = FileRecord {
            hash,
            lines,
            lines_given,
            total_lines,
            known_masks: merged_ranges(unseen_part),
        };
        match self.records.insert(file, records) {
            Some(old) => self.lines -= old.lines.len(),
            None => self.oldest_first.push_back(file),
        }
        while self.oldest_first.len() > MAX_FILES || self.lines > MAX_LINES {
            let Some(oldest) = self.oldest_first.pop_front() else { break };
            let records = self.records.remove(&oldest);
            self.lines -= records.map_or(0, |records| records.lines.len());
        }
    }

    /// Remembers a content that was written here: all of it is known to who wrote it.
    pub(crate) fn record_change(&mut self, file: FileId, now: &NewContent) {
        self.record(
            file,
            now.hash,
            &now.shown,
            0..count_lines(&now.shown),
            now.known_masks.clone(),
        );
    }

    /// Remembers the masks that were given of a content in some of its lines, unless another content of the file was read
    /// before: then only what is read again counts.
    pub(crate) fn record_view(
        &mut self,
        file: FileId,
        content: impl FnOnce() -> Vec<u8>,
        shown: &str,
        known_masks: Vec<Range<usize>>,
    ) {
        let hash = self.hash(&content());
        match self.records.get_mut(&file) {
            None => self.record(file, hash, shown, 0..0, known_masks),
            Some(records) if records.hash == hash => {
                records.known_masks.extend(known_masks);
                records.known_masks = merged_ranges(std::mem::take(&mut records.known_masks));
            }
            Some(_) => {}
        }
    }

    /// The masks of this content that were given with their numbers, by index; `None` when it was not the last one.
    pub(crate) fn known_masks(&self, file: FileId, hash: u64) -> Option<Vec<Range<usize>>> {
        let records = self.records.get(&file).filter(|records| records.hash == hash);
        records.map(|records| records.known_masks.clone())
    }

    /// How this content differs from one that was seen as a whole; `None` when it was seen so itself.
    pub(crate) fn unseen_part(&self, file: FileId, hash: u64, shown: &str) -> Option<Unseen> {
        match self.records.get(&file) {
            None => Some(Unseen::Never),
            Some(records) if records.hash == hash => match &records.lines_given[..] {
                _ if records.total_lines == 0 => None,
                [] => Some(Unseen::Never),
                [lines_given] if *lines_given == (0..records.total_lines) => None,
                lines_given => Some(Unseen::Partly(lines_given.to_vec(), records.total_lines)),
            },
            Some(records) => Some(Unseen::Changed(records.changed_lines(&self.line_hashes(shown)))),
        }
    }
}

/// Stretches without overlaps, in order; those that begin last are forgotten when there are too many.
fn merged_ranges(mut stretches: Vec<Range<usize>>) -> Vec<Range<usize>> {
    stretches.retain(|stretch| !stretch.is_empty());
    stretches.sort_unstable_by_key(|stretch| stretch.start);
    let mut merged_ranges: Vec<Range<usize>> = Vec::with_capacity(stretches.len());
    for stretch in stretches {
        match merged_ranges.last_mut() {
            Some(last) if stretch.start <= last.end => last.end = last.end.max(stretch.end),
            _ => merged_ranges.push(stretch),
        }
    }
    merged_ranges.truncate(MAX_RANGES);
    merged_ranges
}

impl FileRecord {
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
