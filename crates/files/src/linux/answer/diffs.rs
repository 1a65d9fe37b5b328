//! The answers about what differs between two contents of a file.

use serde::Serialize;

/// What differs between two contents of a file, line by line. Both are masked before they are compared: two secrets that stand
/// in the same place of the same text count as equal, whether they are or not.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(test, derive(ts_rs::TS), ts(optional_fields))]
pub struct FileDiff {
    /// The lines that differ, with three around them: `@@ -1,4 +1,5 @@`, then lines that begin with a blank, `-` or `+`.
    /// Controls but tabs are shown as characters such as `␛`. Empty where nothing but what is masked differs, and where
    /// `omitted` says why.
    pub text: String,
    /// Number of lines that only the new content has.
    pub added: usize,
    /// Number of lines that only the old content has.
    pub removed: usize,
    /// Number of secrets that are masked in both contents. Whether one of them changed is not told.
    pub masked: usize,
    /// Whether `text` lacks lines, or parts of long ones.
    pub truncated: bool,
    /// Whether the encoding or the byte order mark differs, which `text` does not show.
    pub recoded: bool,
    /// Why nothing is shown. Absent where it is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub omitted: Option<DiffOmission>,
}

/// Why what differs in a file is not shown: one of its contents is no text (`binary`) or has more than 1 MiB (`tooLarge`), the
/// other files of the answer have taken all of the room (`noRoom`), it may not be read (`protected`) or the system refuses to
/// (`unreadable`), somebody has changed it since, so that what the call left is not known any more (`changedSince`), what the call
/// replaced is not kept (`notKept`), or it is a folder that was changed as a whole (`folder`).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(test, derive(ts_rs::TS))]
pub enum DiffOmission {
    /// One of the contents is no text.
    Binary,
    /// One of the contents has more than 1 MiB.
    TooLarge,
    /// The other files of the answer have taken all of the room.
    NoRoom,
    /// The file may not be read.
    Protected,
    /// The system refuses to read it.
    Unreadable,
    /// The content that a call left is not known any more: somebody has changed the file since.
    ChangedSince,
    /// What the call replaced is not kept.
    NotKept,
    /// It is a folder that was changed as a whole.
    Folder,
}
