//! What differs between two contents of a file, for whoever may read the file as it is shown: both are masked, and what comes of
//! it follows from the masked texts alone. A comparison that knew the secrets would tell whether a guess is right.

use std::ffi::{CString, OsStr};
use std::ops::Range;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::path::Path;

use handrail_text::end_within;
use rustix::fs::{FileType, Stat};
use similar::{DiffOp, group_diff_ops};

use crate::linux::answer::{DiffOmission, FileDiff};
use crate::linux::files::Files;
use crate::linux::judge::file_id;
use crate::linux::line_diff::differences;
use crate::linux::open_file;
use crate::linux::path::is_deceptive;
use crate::linux::read::{ReadFailure, read_all};
use crate::linux::text::{Document, Encoding, lines};
use crate::linux::tree::kind;
use crate::linux::view::MaskedView;

/// Largest content that is compared.
pub(crate) const MAX_COMPARED_BYTES: u64 = 1 << 20;
/// Most bytes of contents that one answer compares.
const MAX_ALL_COMPARED_BYTES: u64 = 32 << 20;
/// Most bytes that are shown of one file.
const MAX_SHOWN_BYTES: usize = 16 << 10;
/// Most bytes that are shown of all files of an answer.
const MAX_ALL_SHOWN_BYTES: usize = 256 << 10;
/// Longest line that is shown whole, in bytes.
const MAX_LINE_BYTES: usize = 1000;
/// Lines that are shown before and after those that differ.
const CONTEXT_LINES: usize = 3;
/// First of the characters that stand for controls.
const CONTROL_PICTURES: u32 = 0x2400;
/// What follows a last line without a line end.
const NO_LINE_END: &str = "\\ No newline at end of file\n";

/// One content of a file: `None` where there is no file.
pub(crate) type Side = Result<Option<Vec<u8>>, DiffOmission>;

/// What differs in the files of one answer, as far as there is room.
pub(crate) struct Diffs<'f> {
    files: &'f Files,
    compared_bytes_left: u64,
    shown_bytes_left: usize,
}

impl<'f> Diffs<'f> {
    pub(crate) fn of(files: &'f Files) -> Diffs<'f> {
        Diffs {
            files,
            compared_bytes_left: MAX_ALL_COMPARED_BYTES,
            shown_bytes_left: MAX_ALL_SHOWN_BYTES,
        }
    }

    /// What differs between the contents of the file with this path. They are not read where nothing of them would be shown.
    pub(crate) fn diff(
        &mut self,
        path: &Path,
        old: impl FnOnce() -> Side,
        new: impl FnOnce() -> Side,
    ) -> FileDiff {
        let judged = self.files.rules.judge_read(&path.to_string_lossy());
        let shown = match judged {
            Some(_) => Err(DiffOmission::Protected),
            None if self.shown_bytes_left == 0 || self.compared_bytes_left == 0 => {
                Err(DiffOmission::NoRoom)
            }
            None => both(old, new).and_then(|(old, new)| self.compare(path, old, new)),
        };
        shown.unwrap_or_else(|why| FileDiff { omitted: Some(why), ..FileDiff::default() })
    }

    fn compare(
        &mut self,
        path: &Path,
        old: Vec<u8>,
        new: Vec<u8>,
    ) -> Result<FileDiff, DiffOmission> {
        let sizes = [&old, &new].map(|side| side.len() as u64);
        if sizes.iter().any(|size| *size > MAX_COMPARED_BYTES) {
            return Err(DiffOmission::TooLarge);
        }
        self.compared_bytes_left = self.compared_bytes_left.saturating_sub(sizes[0] + sizes[1]);
        let is_both = !old.is_empty() && !new.is_empty();
        let (old, new) = (Document::decode(old), Document::decode(new));
        if [&old, &new].iter().any(|side| side.encoding == Encoding::Binary) {
            return Err(DiffOmission::Binary);
        }
        let recoded = is_both && (old.encoding, old.bom) != (new.encoding, new.bom);
        // What is masked in one of them may be a known value in both from then on.
        self.files.view(path, &old.text);
        self.files.view(path, &new.text);
        // Without numbers: a secret more would change those of all behind it.
        let masked = |text| MaskedView::unnumbered(&self.files.redactor, text);
        let (old, new) = (masked(&old.text), masked(&new.text));
        let room = self.shown_bytes_left.min(MAX_SHOWN_BYTES);
        let shown = FileDiff {
            recoded,
            masked: old.masks.len() + new.masks.len(),
            ..shown(&old.text, &new.text, room)
        };
        if shown.text.is_empty() && shown.truncated {
            return Err(DiffOmission::NoRoom);
        }
        self.shown_bytes_left -= shown.text.len();
        Ok(shown)
    }

    /// What differs between two entries of this name, each in its folder. `None` where none of them is a file or a link.
    pub(crate) fn between(
        &mut self,
        path: &Path,
        name: &OsStr,
        old: Option<(&OwnedFd, Stat)>,
        new: Option<(&OwnedFd, Stat)>,
    ) -> Option<FileDiff> {
        let files = self.files;
        let has_content = |side: &Option<(&OwnedFd, Stat)>| {
            side.is_some_and(|(_, stat)| Entry::has_content(&stat))
        };
        if !has_content(&old) && !has_content(&new) {
            return None;
        }
        let read = |side: Option<(&OwnedFd, Stat)>| match side {
            Some((folder, stat)) if Entry::has_content(&stat) => {
                Entry { folder: folder.as_fd(), name, stat }.read(files).map(Some)
            }
            _ => Ok(None),
        };
        Some(self.diff(path, || read(old), || read(new)))
    }
}

/// Both contents; nothing stands for no file.
fn both(
    old: impl FnOnce() -> Side,
    new: impl FnOnce() -> Side,
) -> Result<(Vec<u8>, Vec<u8>), DiffOmission> {
    Ok((old()?.unwrap_or_default(), new()?.unwrap_or_default()))
}

/// An entry of an open folder.
#[derive(Clone, Copy)]
pub(crate) struct Entry<'e> {
    pub(crate) folder: BorrowedFd<'e>,
    pub(crate) name: &'e OsStr,
    pub(crate) stat: Stat,
}

impl Entry<'_> {
    fn has_content(stat: &Stat) -> bool {
        matches!(kind(stat), FileType::RegularFile | FileType::Symlink)
    }

    /// The content of a file, or the target of a link.
    pub(crate) fn read(&self, files: &Files) -> Result<Vec<u8>, DiffOmission> {
        let Entry { folder, name, stat } = *self;
        if files.is_secret_file(&stat) {
            return Err(DiffOmission::Protected);
        }
        if kind(&stat) == FileType::Symlink {
            let target = rustix::fs::readlinkat(folder, name, Vec::new());
            return target.map(CString::into_bytes).map_err(|_| DiffOmission::Unreadable);
        }
        let file = open_file(folder, name).map_err(|_| DiffOmission::Unreadable)?;
        let opened = rustix::fs::fstat(&file).map_err(|_| DiffOmission::Unreadable)?;
        if file_id(&opened) != file_id(&stat) || kind(&opened) != FileType::RegularFile {
            return Err(DiffOmission::ChangedSince);
        }
        read_all(&file, &opened, MAX_COMPARED_BYTES).map_err(|why| match why {
            ReadFailure::TooLarge(_) | ReadFailure::Grows => DiffOmission::TooLarge,
            ReadFailure::Endless | ReadFailure::System(_) => DiffOmission::Unreadable,
        })
    }
}

/// The lines that differ in two masked texts.
fn shown(old: &str, new: &str, room: usize) -> FileDiff {
    let (old, new): (Vec<&str>, Vec<&str>) = (lines(old).collect(), lines(new).collect());
    let ops = differences(&old, &new);
    let mut diff = FileDiff::default();
    for op in ops.iter().filter(|op| !matches!(op, DiffOp::Equal { .. })) {
        diff.added += op.new_range().len();
        diff.removed += op.old_range().len();
    }
    for hunk in group_diff_ops(ops, CONTEXT_LINES) {
        let (Some(first), Some(last)) = (hunk.first(), hunk.last()) else { continue };
        let old_lines = first.old_range().start..last.old_range().end;
        let new_lines = first.new_range().start..last.new_range().end;
        let mut rows = vec![format!("@@ -{} +{} @@\n", place(&old_lines), place(&new_lines))];
        for op in &hunk {
            let row = |sign: char| move |line: &&str| (sign, (*line).to_owned());
            let side = match op {
                DiffOp::Equal { .. } => old[op.old_range()].iter().map(row(' ')).collect(),
                _ => [
                    old[op.old_range()].iter().map(row('-')).collect::<Vec<_>>(),
                    new[op.new_range()].iter().map(row('+')).collect(),
                ]
                .concat(),
            };
            for (sign, line) in side {
                let (line, is_whole) = visible(&line);
                diff.truncated |= !is_whole;
                rows.push(format!("{sign}{line}"));
            }
        }
        for row in rows {
            if diff.text.len() + row.len() > room {
                diff.truncated = true;
                return diff;
            }
            diff.text.push_str(&row);
        }
    }
    diff
}

/// Where a part of a text begins and how many lines it has, as a unified diff says it.
fn place(lines: &Range<usize>) -> String {
    let first = lines.start + usize::from(!lines.is_empty());
    format!("{first},{}", lines.len())
}

/// A line without what a terminal or a reader would not show, on a line of its own; and whether it is all there.
fn visible(line: &str) -> (String, bool) {
    let body = line.strip_suffix('\n');
    let text = body.unwrap_or(line);
    let end =
        if text.len() > MAX_LINE_BYTES { end_within(text, MAX_LINE_BYTES) } else { text.len() };
    let mut shown = String::with_capacity(end + 1);
    for char in text[..end].chars() {
        match char {
            '\t' => shown.push('\t'),
            '\0'..='\u{1f}' => {
                shown.extend(char::from_u32(CONTROL_PICTURES + u32::from(char)));
            }
            '\u{2028}' | '\u{2029}' => shown.extend(char.escape_default()),
            _ if is_deceptive(char) => shown.extend(char.escape_default()),
            _ => shown.push(char),
        }
    }
    if end < text.len() {
        shown.push('…');
    }
    shown.push('\n');
    if body.is_none() {
        shown.push_str(NO_LINE_END);
    }
    (shown, end == text.len())
}
