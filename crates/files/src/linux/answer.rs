//! What the file tools answer. Texts are masked.

use serde::Serialize;

/// Lines of a file, as a model may see them. Line numbers are those of the masked text.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[expect(clippy::struct_excessive_bools, reason = "independent facts of a file")]
pub struct ReadAnswer {
    /// For messages: relative to the base where it lies beneath it.
    pub path: String,
    /// Its canonical name.
    pub absolute: String,
    /// The lines with their ends; empty for a binary file.
    pub text: String,
    /// Number of the first line; 0 when there is none.
    pub first_line: usize,
    /// Number of the last line; 0 when there is none.
    pub last_line: usize,
    /// Lines of the whole file.
    pub total_lines: usize,
    /// Bytes of the whole file.
    pub bytes: usize,
    /// `utf-8`, `utf-16le`, `utf-16be`, `unknown` (shown with U+FFFD, not editable) or `binary`.
    pub encoding: &'static str,
    /// Whether it begins with a byte order mark.
    pub bom: bool,
    /// `lf`, `crlf`, `mixed` or `none`.
    pub newline: &'static str,
    /// Whether the last line has an end.
    pub final_newline: bool,
    /// Whether it is no text.
    pub binary: bool,
    /// Masked secrets of the whole file.
    pub redactions: usize,
    /// Whether lines after the last one shown were left out.
    pub truncated: bool,
    /// Where to go on.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next_offset: Option<usize>,
    /// Hash of the whole content.
    pub version: String,
}

/// A file that was written.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct WriteAnswer {
    /// For messages.
    pub path: String,
    /// Its canonical name.
    pub absolute: String,
    /// Bytes in it.
    pub bytes: usize,
    /// Lines in it.
    pub total_lines: usize,
    /// Whether there was none before.
    pub created: bool,
    /// Lines that are new.
    pub added: usize,
    /// Lines that are gone.
    pub removed: usize,
    /// Masks that became the secret they stood for.
    pub restored_masks: usize,
    /// Whether bare LF became CRLF, as the file had it.
    pub kept_crlf: bool,
    /// Hash of the content.
    pub version: String,
}

/// A file that was edited.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct EditAnswer {
    /// For messages.
    pub path: String,
    /// Its canonical name.
    pub absolute: String,
    /// Bytes in it.
    pub bytes: usize,
    /// Places that were replaced.
    pub places: usize,
    /// The first of them, in the order of the file.
    pub edits: Vec<Replaced>,
    /// Masks of the new texts that became the secret they stood for.
    pub restored_masks: usize,
    /// Hash of the content.
    pub version: String,
}

/// One place that was replaced.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Replaced {
    /// Index of the edit, from 0.
    pub edit: usize,
    /// Its first line, in the new text.
    pub line: usize,
    /// Lines of the old text.
    pub removed: usize,
    /// Lines of the new text.
    pub added: usize,
    /// How often the old text was there.
    pub occurrences: usize,
    /// The new lines with three on each side, cut around the change when they are long; of the first places only.
    pub snippet: String,
    /// Number of the first line of the snippet.
    pub snippet_line: usize,
}

/// Files that were patched.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct PatchAnswer {
    /// In the order of the patch.
    pub files: Vec<PatchedFile>,
    /// Whether it was only tried.
    pub dry_run: bool,
}

/// What became of a file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum PatchOperation {
    /// It is new.
    Add,
    /// Parts of it were replaced.
    #[default]
    Update,
    /// It is gone.
    Delete,
    /// It has another name, perhaps with parts replaced.
    Move,
}

/// A file of a patch.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct PatchedFile {
    /// For messages; where it is now.
    pub path: String,
    /// Its canonical name.
    pub absolute: String,
    /// What became of it.
    pub operation: PatchOperation,
    /// For messages: where a file that was moved lay before.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub from: Option<String>,
    /// Bytes in it; 0 when it is gone.
    pub bytes: usize,
    /// Lines that are new.
    pub added: usize,
    /// Lines that are gone.
    pub removed: usize,
    /// Places that were replaced.
    pub places: usize,
    /// The first of them, in the order of the file; `edit` is the index of the hunk.
    pub edits: Vec<Replaced>,
    /// Masks of the new lines that became the secret they stood for.
    pub restored_masks: usize,
    /// Hash of the content; none when it is gone, or was only tried.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub version: Option<String>,
}

/// A directory.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ListAnswer {
    /// For messages.
    pub path: String,
    /// Its canonical name.
    pub directory: String,
    /// Sorted by name, in byte order; those of a directory follow it.
    pub entries: Vec<Entry>,
    /// Entries there are.
    pub total: usize,
    /// Secrets masked in the names of the entries.
    pub redactions: usize,
    /// Whether some were left out.
    pub truncated: bool,
}

/// What is in a directory.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Entry {
    /// Relative to the directory listed; control characters are escaped.
    pub name: String,
    /// `file`, `dir`, `symlink`, `fifo`, `socket`, `device` or `unknown`.
    pub r#type: &'static str,
    /// Bytes of a file that may be read.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub size: Option<u64>,
    /// Of a symlink: `inside` or `outside` of the roots.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub target: Option<&'static str>,
}

/// Why a search ended before it had seen everything.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Stopped {
    /// It took too long.
    Deadline,
    /// There is more than is looked at.
    Entries,
}

/// Files by their names.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct GlobAnswer {
    /// For messages: the directory.
    pub path: String,
    /// Its canonical name.
    pub directory: String,
    /// Those changed last come first; relative to the base where they lie beneath it, control characters escaped.
    pub paths: Vec<String>,
    /// Files that match.
    pub total: usize,
    /// Whether `paths` lacks some, or the search was stopped.
    pub truncated: bool,
    /// Files that match and are left out because they are ignored, hidden, or both; counted when nothing else matches.
    pub left_out: LeftOut,
    /// Protected files that match, and protected folders.
    pub protected: usize,
    /// Secrets masked in `paths`.
    pub redactions: usize,
    /// Why it ended early.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stopped: Option<Stopped>,
}

/// Files that another call would find.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct LeftOut {
    /// With `ignored`.
    pub ignored: usize,
    /// With `hidden`.
    pub hidden: usize,
    /// With both.
    pub both: usize,
}

/// Lines of files by a regular expression. Line numbers are those of the masked text.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct GrepAnswer {
    /// For messages: where was searched.
    pub path: String,
    /// Its canonical name.
    pub absolute: String,
    /// The files of this part, by name.
    pub files: Vec<GrepFile>,
    /// Lines that match, in all files.
    pub total_matches: usize,
    /// Files that have one.
    pub total_files: usize,
    /// Files whose text was searched.
    pub searched: usize,
    /// Files that were not.
    pub skipped: Skipped,
    /// Whether `files` lacks some that come later, or the search was stopped.
    pub truncated: bool,
    /// Where to go on.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next_offset: Option<usize>,
    /// Secrets masked in the files with matches.
    pub redactions: usize,
    /// Why it ended early.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stopped: Option<Stopped>,
}

/// A file with lines that match.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct GrepFile {
    /// Relative to the base where it lies beneath it; control characters escaped.
    pub path: String,
    /// Lines of it that match.
    pub matches: usize,
    /// Those of this part, with the lines around them; empty unless lines were asked for.
    pub lines: Vec<GrepLine>,
}

/// A line of a file.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct GrepLine {
    /// From 1.
    pub line: usize,
    /// Without its end; a long one is cut around the match.
    pub text: String,
    /// Whether it matches; the others are shown for what is around.
    pub r#match: bool,
}

/// Files that were not searched.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Skipped {
    /// Protected files, and protected folders.
    pub protected: usize,
    /// No text.
    pub binary: usize,
    /// Larger than is searched.
    pub large: usize,
    /// The system refused, or they have no end.
    pub unreadable: usize,
}
