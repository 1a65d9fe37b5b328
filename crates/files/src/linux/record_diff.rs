//! What differs in the files of a call that is kept. What they had before is kept with it; what the call left is the content that
//! is there now, or the one that a later call has found, as long as its hash says so. Otherwise it is not known any more.

use std::os::fd::AsFd;
use std::path::Path;

use crate::linux::answer::{ChangeState, DiffOmission, FileDiff};
use crate::linux::files::Files;
use crate::linux::journal::{Facts, Journal, Record, hash_of, moved_name, open_parent};
use crate::linux::judge::Purpose;
use crate::linux::masked_diff::{Diffs, Entry, MAX_COMPARED_BYTES, Side};
use crate::linux::request::Text;
use crate::linux::tree::status;
use crate::refusal::code;

/// The calls that are known, and where what they replaced is kept.
pub(crate) struct KeptCalls<'k> {
    pub(crate) files: &'k Files,
    pub(crate) journal: &'k Journal,
    pub(crate) records: &'k [(Record, ChangeState)],
}

impl KeptCalls<'_> {
    /// What the call changed in the file with this number, or what taking it back changes.
    pub(crate) fn of_place(
        &self,
        diffs: &mut Diffs<'_>,
        record: &Record,
        number: usize,
        is_back: bool,
    ) -> FileDiff {
        let path = &record.places[number].path.0;
        let (old, new) = (|| self.before(record, number), || self.after(record, number));
        if is_back { diffs.diff(path, new, old) } else { diffs.diff(path, old, new) }
    }

    fn before(&self, record: &Record, number: usize) -> Side {
        let place = &record.places[number];
        let Some(facts) = &place.old else { return Ok(None) };
        KeptCalls::read(self.journal, record, number, facts).map(Some)
    }

    /// The content that a file with these facts had before the call.
    pub(crate) fn read(
        journal: &Journal,
        record: &Record,
        number: usize,
        facts: &Facts,
    ) -> Result<Vec<u8>, DiffOmission> {
        if facts.bytes() > MAX_COMPARED_BYTES {
            return Err(DiffOmission::TooLarge);
        }
        let bytes = journal.kept(record, number).map_err(|_| DiffOmission::NotKept)?;
        if hash_of(&bytes) == facts.hash() { Ok(bytes) } else { Err(DiffOmission::NotKept) }
    }

    fn after(&self, record: &Record, number: usize) -> Side {
        let place = &record.places[number];
        let Some(facts) = &place.new else { return Ok(None) };
        if facts.bytes() > MAX_COMPARED_BYTES {
            return Err(DiffOmission::TooLarge);
        }
        if let Some(bytes) = self.now(&place.path.0)?.filter(|now| hash_of(now) == facts.hash()) {
            return Ok(Some(bytes));
        }
        let later = self.records.iter().take_while(|(later, _)| later.id > record.id);
        let found = later.flat_map(|(later, _)| {
            let places = later.places.iter().enumerate();
            places.filter_map(move |(number, found)| {
                let old = found.old.as_ref().filter(|old| old.hash() == facts.hash())?;
                (found.path == place.path && found.is_kept).then_some((later, number, old))
            })
        });
        let mut kept =
            found.map(|(later, number, old)| KeptCalls::read(self.journal, later, number, old));
        kept.find_map(Result::ok).map(Some).ok_or(DiffOmission::ChangedSince)
    }

    /// The content that a file has now.
    fn now(&self, path: &Path) -> Side {
        let text = Text(path.to_str().map(str::to_owned));
        match self.files.open_and_read(&text, Purpose::Read) {
            Ok((handle, content)) if handle.canonical() == path => Ok(Some(content.bytes)),
            Err(refusal) if refusal.code == code::BLOCKED_READ => Err(DiffOmission::Protected),
            // Another file has its place by now, or none, or one that cannot be read.
            Ok(_) | Err(_) => Ok(None),
        }
    }

    /// What the commit of a layer changed in the entry with this number, or what taking it back changes.
    pub(crate) fn of_move(
        &self,
        diffs: &mut Diffs<'_>,
        record: &Record,
        number: usize,
        is_back: bool,
    ) -> FileDiff {
        let path = &record.moves[number].path.0;
        let (old, new) = (|| self.moved_away(record, number), || self.moved_here(record, number));
        if is_back { diffs.diff(path, new, old) } else { diffs.diff(path, old, new) }
    }

    fn moved_away(&self, record: &Record, number: usize) -> Side {
        let Some(stamp) = &record.moves[number].old else { return Ok(None) };
        if stamp.is_folder() {
            return Err(DiffOmission::Folder);
        }
        let name = moved_name(number);
        let folder = self.journal.open_record(record).map_err(|_| DiffOmission::NotKept)?;
        match status(&folder, name.as_ref()) {
            Ok(Some(stat)) => Entry { folder: folder.as_fd(), name: name.as_ref(), stat }
                .read(self.files)
                .map(Some),
            _ => Err(DiffOmission::NotKept),
        }
    }

    fn moved_here(&self, record: &Record, number: usize) -> Side {
        let place = &record.moves[number];
        let Some(stamp) = &place.new else { return Ok(None) };
        if stamp.is_folder() {
            return Err(DiffOmission::Folder);
        }
        let changed = |_| DiffOmission::ChangedSince;
        let folder = open_parent(place, self.files.resolver()).map_err(changed)?;
        let name = place.name();
        let stat = status(&folder, name).map_err(changed)?.ok_or(DiffOmission::ChangedSince)?;
        if !stamp.is_unwritten(&folder, name, &stat) {
            return Err(DiffOmission::ChangedSince);
        }
        Entry { folder: folder.as_fd(), name, stat }.read(self.files).map(Some)
    }
}
