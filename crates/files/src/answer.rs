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
    /// What was replaced, in the order of the file.
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
