//! The answers of the file tools. Every text in them is masked.
//!
//! Their types for TypeScript, which are public, are generated from these (`answer/tests.rs`): the comments here are the API
//! reference.

use rustix::fs::FileType;
use serde::Serialize;

mod changes;
mod diffs;
mod layers;

pub use crate::linux::text::{Encoding, Newline};
pub use changes::{
    ChangeHistory, ChangeRecord, ChangeState, ChangedFile, FileChange, UndoneChanges,
};
pub use diffs::{DiffOmission, FileDiff};
pub use layers::{
    CommittedLayer, DiscardedLayer, LayerChange, LayerChangeKind, LayerChanges, LayerConflict,
    LayerConflictReason, LayerEntryType, LayerPaths, SweptLayers,
};

/// A text file, or some of its lines. Line numbers are those of the masked text.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(test, derive(ts_rs::TS), ts(optional_fields))]
pub struct ReadFile {
    /// Path of the file, relative to `cwd` where it lies below that, else absolute; secrets masked.
    pub path: String,
    /// Absolute path of the file, links resolved; secrets masked.
    pub absolute: String,
    /// The lines that were asked for, as they are in the file, secrets masked. Where the file holds more than one secret, the
    /// masks have numbers in the order of the file: `[REDACTED:2]`. Of a first line that is longer than was asked for it has a part.
    pub text: String,
    /// Number of the first line of `text`, from 1; 0 when `text` has no line.
    pub first_line: usize,
    /// Number of the last line of `text`; 0 when `text` has no line.
    pub last_line: usize,
    /// Number of lines of the whole file.
    pub total_lines: usize,
    /// Size of the file.
    pub bytes: usize,
    /// How the file is encoded.
    pub encoding: Encoding,
    /// Whether the file begins with a byte order mark, which is not in `text`.
    pub bom: bool,
    /// Which line ends the file has.
    pub newline: Newline,
    /// Whether the last line of the file has a line end.
    pub final_newline: bool,
    /// Number of secrets that were masked in the whole file.
    pub redactions: usize,
    /// Whether lines after `lastLine`, or the end of that line, were left out.
    pub truncated: bool,
    /// The `offset` to read on with. Absent when nothing is left.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next_offset: Option<usize>,
    /// The `column` to read on with, where a part of that line was given. Absent otherwise.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next_column: Option<usize>,
    /// Changes when the content of the file does.
    pub version: String,
}

/// A file that was created or replaced.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct WrittenFile {
    /// Path of the file, relative to `cwd` where it lies below that, else absolute; secrets masked.
    pub path: String,
    /// Absolute path of the file, links resolved; secrets masked.
    pub absolute: String,
    /// Size of the file after the change.
    pub bytes: usize,
    /// Whether there was no such file before.
    pub created: bool,
    /// Number of lines after the change.
    pub total_lines: usize,
    /// Number of lines that the file did not have before.
    pub added: usize,
    /// Number of lines that the file no longer has.
    pub removed: usize,
    /// Number of masks that became the secrets they stood for.
    pub restored_masks: usize,
    /// Whether line ends were written as CRLF because the file had CRLF before.
    pub kept_crlf: bool,
    /// Changes when the content of the file does.
    pub version: String,
}

/// A file that was edited: all edits of a call were applied.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct EditedFile {
    /// Path of the file, relative to `cwd` where it lies below that, else absolute; secrets masked.
    pub path: String,
    /// Absolute path of the file, links resolved; secrets masked.
    pub absolute: String,
    /// Size of the file after the change.
    pub bytes: usize,
    /// Number of places that were replaced.
    pub places: usize,
    /// The first hundred of these places, in the order of the file.
    pub edits: Vec<ReplacedPlace>,
    /// Number of masks that became the secrets they stood for.
    pub restored_masks: usize,
    /// Changes when the content of the file does.
    pub version: String,
}

/// One place of a file where a text was replaced.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct ReplacedPlace {
    /// Index of the edit, from 0.
    pub edit: usize,
    /// Number of the line where the place begins after the change, from 1.
    pub line: usize,
    /// Number of lines of the old text.
    pub removed: usize,
    /// Number of lines of the new text.
    pub added: usize,
    /// How often the file had the old text.
    pub occurrences: usize,
    /// In what the old text differed from the one that was replaced, which was the only one like it. Empty where the file had
    /// the old text as it was given; CRLF and LF count as equal.
    pub taken: Vec<TakenFor>,
    /// The new lines with three lines on each side, secrets masked, cut around the change where they are long. Empty but
    /// for the first ten places of a call.
    pub snippet: String,
    /// Number of the first line of `snippet`.
    pub snippet_line: usize,
}

/// A difference between an old text and the text of the file that it was taken for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct TakenFor {
    /// What differed: blanks at line ends; the indentation, by one change for all lines; typographic letters and those typed
    /// in their place; HTML entities; escapes such as `\n`; numbers before the lines; signs of a diff before the lines; the line
    /// end after the last line of the file.
    #[cfg_attr(
        test,
        ts(
            type = "'trailing_blanks' | 'indentation' | 'typography' | 'entities' | 'escapes' | 'line_numbers' | 'diff_signs' | 'final_newline'"
        )
    )]
    pub kind: TakenKind,
    /// The first such text of the caller, cut after 24 characters. Empty where it is blanks at a line end or a line end.
    pub yours: String,
    /// What the file has there, or the new text got in its place.
    pub file: String,
}

/// Kinds of differences between an old text and what it was taken for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum TakenKind {
    /// Blanks at line ends.
    TrailingBlanks,
    /// The indentation.
    Indentation,
    /// Typographic letters.
    Typography,
    /// HTML entities.
    Entities,
    /// Escapes.
    Escapes,
    /// Numbers before lines.
    LineNumbers,
    /// Signs of a diff before lines.
    DiffSigns,
    /// The line end after the last line.
    FinalNewline,
}

/// Files that were patched: all of a patch was applied, or would be.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct PatchedFiles {
    /// Each file, in the order of the patch.
    pub files: Vec<PatchedFile>,
    /// Whether the patch was only tried: then nothing was written.
    pub dry_run: bool,
}

/// What a patch does to a file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum PatchOperation {
    /// It creates the file.
    Add,
    /// It replaces parts of the file.
    #[default]
    Update,
    /// It removes the file.
    Delete,
    /// It gives the file another name, and perhaps replaces parts of it.
    Move,
}

/// What a patch did to one file.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(test, derive(ts_rs::TS), ts(optional_fields))]
pub struct PatchedFile {
    /// Path of the file after the patch, relative to `cwd` where it lies below that, else absolute; secrets masked.
    pub path: String,
    /// Absolute path of the file, links resolved; secrets masked.
    pub absolute: String,
    /// Whether the patch created the file, changed parts of it, removed it, or moved it (and perhaps changed parts of it).
    #[cfg_attr(test, ts(type = "'add' | 'update' | 'delete' | 'move'"))]
    pub operation: PatchOperation,
    /// Path of a moved file before the patch. Absent for every other file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub from: Option<String>,
    /// Size of the file after the patch; 0 when it was removed.
    pub bytes: usize,
    /// Number of lines that the file did not have before.
    pub added: usize,
    /// Number of lines that the file no longer has.
    pub removed: usize,
    /// Number of places that were replaced.
    pub places: usize,
    /// The first of these places, in the order of the file; `edit` is the index of the hunk. A patch names a hundred places in
    /// all its files, of which the first ten have a `snippet`.
    pub edits: Vec<ReplacedPlace>,
    /// Number of masks that became the secrets they stood for.
    pub restored_masks: usize,
    /// Changes when the content of the file does. Absent when the file was removed, or the patch was only tried.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub version: Option<String>,
}

/// The entries of a directory.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct ListedDirectory {
    /// Path of the directory, relative to `cwd` where it lies below that, else absolute; secrets masked.
    pub path: String,
    /// Absolute path of the directory, links resolved; secrets masked.
    pub directory: String,
    /// Sorted by name, in the order of bytes; a folder is followed by its own entries.
    pub entries: Vec<FileEntry>,
    /// Number of entries there are; more than `entries` has when there were too many.
    pub total: usize,
    /// Number of secrets that were masked in names.
    pub redactions: usize,
    /// Whether `entries` lacks some.
    pub truncated: bool,
}

/// The kind of file that a name stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum EntryType {
    /// A regular file.
    File,
    /// A directory.
    Dir,
    /// A symbolic link.
    Symlink,
    /// A named pipe.
    Fifo,
    /// A socket.
    Socket,
    /// A device.
    Device,
    /// The file system does not say.
    Unknown,
}

impl From<FileType> for EntryType {
    fn from(kind: FileType) -> EntryType {
        match kind {
            FileType::RegularFile => EntryType::File,
            FileType::Directory => EntryType::Dir,
            FileType::Symlink => EntryType::Symlink,
            FileType::Fifo => EntryType::Fifo,
            FileType::Socket => EntryType::Socket,
            FileType::CharacterDevice | FileType::BlockDevice => EntryType::Device,
            FileType::Unknown => EntryType::Unknown,
        }
    }
}

/// Where a symbolic link leads.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum LinkTarget {
    /// To a place below a root.
    Inside,
    /// Out of the roots.
    Outside,
}

/// One entry of a directory.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(test, derive(ts_rs::TS), ts(optional_fields))]
pub struct FileEntry {
    /// Name of the entry; below the first level, its path from the directory. Control characters as escapes, secrets masked.
    pub name: String,
    /// The kind of file. Links are not followed.
    #[cfg_attr(
        test,
        ts(type = "'dir' | 'file' | 'symlink' | 'fifo' | 'socket' | 'device' | 'unknown'")
    )]
    pub r#type: EntryType,
    /// Size of a file. Absent for everything else, and for files that may not be read.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub size: Option<u64>,
    /// Whether a link leads to a place inside of the roots. Absent for everything but links.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(type = "'inside' | 'outside'", optional))]
    pub target: Option<LinkTarget>,
}

/// The file, directory or link that a name stands for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(test, derive(ts_rs::TS), ts(optional_fields))]
pub struct StatedFile {
    /// The path, relative to `cwd` where it lies below that, else absolute; secrets masked.
    pub path: String,
    /// Absolute path, links on the way to its last name resolved; secrets masked.
    pub absolute: String,
    /// The kind of file.
    #[cfg_attr(test, ts(type = "FileEntry['type']"))]
    pub r#type: EntryType,
    /// Size of a file. Absent for everything else.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub size: Option<u64>,
    /// Who may read, write and execute the file, as four octal digits such as `0644`.
    pub mode: String,
    /// When the content was changed last, in milliseconds since 1970.
    pub modified_ms: i64,
    /// When the file was read last, in milliseconds since 1970, as far as the file system keeps that.
    pub accessed_ms: i64,
    /// When the content, name, owner or mode was changed last, in milliseconds since 1970.
    pub changed_ms: i64,
    /// Whether a link leads to a place inside of the roots. Absent for everything but links.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(type = "'inside' | 'outside'", optional))]
    pub target: Option<LinkTarget>,
    /// The text of a link; control characters as escapes, secrets masked. Absent for everything but links.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub link: Option<String>,
    /// Number of secrets that were masked in `link`.
    pub redactions: usize,
}

/// Why a search ended before it had seen everything: after 30 seconds, or at 200,000 entries or 64 levels.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(test, derive(ts_rs::TS))]
pub enum SearchStop {
    /// The time was over.
    Deadline,
    /// There are too many entries or levels.
    Entries,
}

/// Files that were found by their names.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(test, derive(ts_rs::TS), ts(optional_fields))]
pub struct FoundFiles {
    /// Path of the directory, relative to `cwd` where it lies below that, else absolute; secrets masked.
    pub path: String,
    /// Absolute path of the directory, links resolved; secrets masked.
    pub directory: String,
    /// Paths of the files, those changed last first, each written as `path` is; control characters as escapes.
    pub paths: Vec<String>,
    /// Number of files that match; more than `paths` has when there were too many.
    pub total: usize,
    /// Whether `paths` lacks some, or the search ended early.
    pub truncated: bool,
    /// Files that match but were left out as hidden or ignored; counted only when no other file matches.
    pub left_out: LeftOutFiles,
    /// Number of protected files that match, and of protected folders.
    pub protected: usize,
    /// Number of secrets that were masked in `paths`.
    pub redactions: usize,
    /// Why the search ended early. Absent when everything was seen.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stopped: Option<SearchStop>,
}

/// Numbers of files that match but were left out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct LeftOutFiles {
    /// Files that `ignored` would show.
    pub ignored: usize,
    /// Files that `hidden` would show.
    pub hidden: usize,
    /// Files that only both options together would show.
    pub both: usize,
}

/// Lines that were found by a regular expression. Line numbers are those of the masked text.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(test, derive(ts_rs::TS), ts(optional_fields))]
pub struct FoundLines {
    /// Path of the file or directory that was searched, relative to `cwd` where it lies below that, else absolute; secrets
    /// masked.
    pub path: String,
    /// Absolute path of the file or directory, links resolved; secrets masked.
    pub absolute: String,
    /// The files of this part of the results, sorted by path in the order of bytes.
    pub files: Vec<FileMatches>,
    /// Number of lines that match, in all files.
    pub total_matches: usize,
    /// Number of files that have such lines.
    pub total_files: usize,
    /// Number of files whose text was searched.
    pub searched: usize,
    /// Numbers of files that were not searched.
    pub skipped: SkippedFiles,
    /// Whether more results come after this part, or the search ended early.
    pub truncated: bool,
    /// The `offset` to go on with. Absent when no result is left.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next_offset: Option<usize>,
    /// Number of secrets that were masked in the files that have matches.
    pub redactions: usize,
    /// Why the search ended early. Absent when everything was seen.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stopped: Option<SearchStop>,
}

/// A file that has lines that match.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct FileMatches {
    /// Path of the file, relative to `cwd` where it lies below that, else absolute; control characters as escapes, secrets
    /// masked.
    pub path: String,
    /// Number of lines of the file that match.
    pub matches: usize,
    /// The lines of this part of the results, with the lines around them. Empty but for mode `'lines'`.
    pub lines: Vec<FoundLine>,
}

/// A line that matches, or one around it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct FoundLine {
    /// Number of the line in the masked text, from 1, as reading counts.
    pub line: usize,
    /// The line without its end, secrets masked; of a long line 1,000 characters around the match, or its first 200 where it is shown for another.
    pub text: String,
    /// Whether the line matches; false for the lines around one that does.
    pub r#match: bool,
}

/// Numbers of files that were not searched.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct SkippedFiles {
    /// Protected files, and protected folders.
    pub protected: usize,
    /// Binary files: NUL is among the first 8,000 bytes.
    pub binary: usize,
    /// Files larger than 10 MiB, or than `maxReadBytes`.
    pub large: usize,
    /// Files that the system refused to open or read, or that have no end.
    pub unreadable: usize,
}

#[cfg(test)]
mod tests;
