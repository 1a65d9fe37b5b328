//! Remembers the content of files as it was last read or written by these tools.

use std::collections::{HashMap, VecDeque};
use std::hash::{BuildHasher, RandomState};
use std::ops::Range;
use std::path::Path;

use crate::linux::text::{count_lines, lines};

/// Most files that are remembered.
const MAX_FILES: usize = 4096;
/// Most line hashes that are remembered, of all files together.
const MAX_LINES: usize = 1 << 20;
/// Most line hashes of one file; of a longer file only the hash of the whole is remembered.
const MAX_FILE_LINES: usize = 1 << 16;
/// Most ranges of one file that are remembered as given to a caller.
const MAX_RANGES: usize = 64;

/// Identity of a file, whatever its name is: device and inode.
pub(crate) type FileId = (u64, u64);

/// The remembered files.
#[derive(Debug, Default)]
pub(crate) struct Ledger {
    /// Keys of the hashes: without them nobody can guess the secrets of a file from its hash.
    keys: RandomState,
    records: HashMap<FileId, FileRecord>,
    /// The files in the order in which they were first recorded; each file once.
    oldest_first: VecDeque<FileId>,
    /// Number of line hashes in `records`.
    lines: usize,
}

/// A content of one file, and how much of it was given to a caller.
#[derive(Debug)]
struct FileRecord {
    hash: u64,
    /// Hash of the masked text. The numbers of its masks mean nothing in another one: secrets that were added or learned since
    /// have masks too.
    view: u64,
    /// Hashes of the masked lines; empty for a file with too many lines.
    lines: Vec<u32>,
    /// Ranges of lines, from 0, that were given; in order, without overlaps.
    lines_given: Vec<Range<usize>>,
    total_lines: usize,
    /// Ranges of the indexes of masks that were given with their numbers; in order, without overlaps.
    known_masks: Vec<Range<usize>>,
}

/// The content of a file after a change.
#[derive(Debug)]
pub(crate) struct NewContent {
    pub(crate) hash: u64,
    /// The masked text.
    pub(crate) shown: String,
    /// Ranges of the indexes of masks whose numbers were given before and still stand for the same secrets.
    pub(crate) known_masks: Vec<Range<usize>>,
}

/// Which part of a content a caller has not seen.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Unseen {
    /// No line of the file was ever given to a caller.
    Never,
    /// The ranges of lines that were given to a caller, from 0, and the number of all lines.
    Partly(Vec<Range<usize>>, usize),
    /// Another content was seen: the first and the last line that differ now, as far as that is known.
    Changed(Option<(usize, usize)>),
}

impl Ledger {
    /// Hash of a content. It is not safe against someone who looks for collisions.
    pub(crate) fn hash(&self, content: &[u8]) -> u64 {
        self.keys.hash_one(content)
    }

    /// A text that tells versions of the file at this path apart. Files with equal contents have different texts; otherwise
    /// a caller who may write one file could find out what is in another.
    pub(crate) fn version(&self, path: &Path, hash: u64) -> String {
        format!("{:016x}", self.keys.hash_one((path, hash)))
    }

    fn line_hashes(&self, shown: &str) -> Vec<u32> {
        let lines = lines(shown).take(MAX_FILE_LINES + 1);
        #[expect(clippy::cast_possible_truncation, reason = "half of a hash is one")]
        lines.map(|line| self.keys.hash_one(line) as u32).collect()
    }

    /// Remembers a content and the part of it that was given to a caller: a range of lines, from 0, and the indexes of masks.
    /// Parts of the same content that were given before are kept; parts of another content are forgotten.
    pub(crate) fn record(
        &mut self,
        file: FileId,
        hash: u64,
        shown: &str,
        lines_given: Range<usize>,
        known_masks: Vec<Range<usize>>,
    ) {
        let view = self.hash(shown.as_bytes());
        let old = self.records.get_mut(&file).filter(|records| records.hash == hash);
        let (mut before, mut unseen_part) = old.map_or_else(Default::default, |records| {
            let is_same = records.view == view;
            let known_masks = std::mem::take(&mut records.known_masks);
            (
                std::mem::take(&mut records.lines_given),
                if is_same { known_masks } else { Vec::new() },
            )
        });
        before.push(lines_given);
        unseen_part.extend(known_masks);
        let lines = self.line_hashes(shown);
        let lines = if lines.len() > MAX_FILE_LINES { Vec::new() } else { lines };
        self.lines += lines.len();
        let (lines_given, total_lines) = (merged_ranges(before), count_lines(shown));
        let records = FileRecord {
            hash,
            view,
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

    /// Remembers a content that was written here: the writer knows all of it.
    pub(crate) fn record_change(&mut self, file: FileId, now: &NewContent) {
        self.record(
            file,
            now.hash,
            &now.shown,
            0..count_lines(&now.shown),
            now.known_masks.clone(),
        );
    }

    /// Remembers masks that were given in some lines of a content, unless another content of the file was read before: then
    /// the file has to be read again.
    pub(crate) fn record_view(
        &mut self,
        file: FileId,
        content: impl FnOnce() -> Vec<u8>,
        shown: &str,
        known_masks: Vec<Range<usize>>,
    ) {
        let hash = self.hash(&content());
        let view = self.hash(shown.as_bytes());
        match self.records.get_mut(&file) {
            None => self.record(file, hash, shown, 0..0, known_masks),
            Some(records) if records.hash == hash => {
                if records.view != view {
                    records.known_masks.clear();
                    records.view = view;
                }
                records.known_masks.extend(known_masks);
                records.known_masks = merged_ranges(std::mem::take(&mut records.known_masks));
            }
            Some(_) => {}
        }
    }

    /// Indexes of the masks of this content that were given with their numbers; `None` when the remembered content is another,
    /// or was masked differently.
    pub(crate) fn known_masks(
        &self,
        file: FileId,
        hash: u64,
        shown: &str,
    ) -> Option<Vec<Range<usize>>> {
        let view = self.hash(shown.as_bytes());
        let records = self.records.get(&file);
        let records = records.filter(|records| records.hash == hash && records.view == view);
        records.map(|records| records.known_masks.clone())
    }

    /// The part of this content that a caller has not seen; `None` when all of it was seen.
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

/// The ranges in order, joined where they overlap. The last ones are dropped when there are too many.
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
    /// Numbers of the first and the last line that differ from the new hashes.
    fn changed_lines(&self, now: &[u32]) -> Option<(usize, usize)> {
        if self.lines.is_empty() || now.len() > MAX_FILE_LINES {
            return None;
        }
        let start = self.lines.iter().zip(now).take_while(|(a, b)| a == b).count();
        let max_equal = self.lines.len().min(now.len()) - start;
        let ends = self.lines.iter().rev().zip(now.iter().rev()).take(max_equal);
        let equal_lines = ends.take_while(|(a, b)| a == b).count();
        Some((start + 1, (now.len() - equal_lines).max(start + 1)))
    }
}
