//! The answers about calls that changed files.

use serde::Serialize;

use super::FileDiff;

/// The calls that changed files, newest first.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(test, derive(ts_rs::TS), ts(optional_fields))]
pub struct ChangeHistory {
    /// The calls.
    pub changes: Vec<ChangeRecord>,
    /// Whether there are more calls than were asked for.
    pub truncated: bool,
    /// Bytes that are kept of what calls replaced, of all roots of this user together.
    pub kept_bytes: u64,
    /// Most of them; the oldest call goes first.
    pub max_bytes: u64,
    /// Why nothing is kept of the last call. Absent when it was kept.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub failure: Option<String>,
}

/// What can be done with a call that changed files.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum ChangeState {
    /// It can be taken back.
    #[default]
    Done,
    /// It was taken back.
    Undone,
    /// Its process was killed half way, and somebody else had written since, so that not all of it was put back.
    Interrupted,
    /// What it replaced was too large to be kept.
    Unkept,
}

/// A call that changed files.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct ChangeRecord {
    /// Id of the call, which sorts by time.
    pub id: String,
    /// When it was made, in milliseconds since 1970.
    pub time_ms: u64,
    /// The tool: `file_write`, `file_edit`, `file_patch` or `changes_undo`.
    pub tool: String,
    /// Who made it, as the host said; empty where it said nothing.
    pub caller: String,
    /// Whether this host made it, not another one of the same roots.
    pub own: bool,
    /// `done`, `undone`, `interrupted` (killed half way, and not put back as a whole, since somebody else had written) or
    /// `unkept` (too large to be kept).
    #[cfg_attr(test, ts(type = "'done' | 'undone' | 'interrupted' | 'unkept'"))]
    pub state: ChangeState,
    /// Ids of the calls that this one took back.
    pub undoes: Vec<String>,
    /// The files that it changed, the first 1,000. The commit of a transaction names a new or removed folder as one.
    pub files: Vec<ChangedFile>,
    /// Number of all of them.
    pub file_count: usize,
}

/// What a call, or taking calls back, does to a file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum FileChange {
    /// It creates the file.
    Add,
    /// It replaces the content.
    #[default]
    Update,
    /// It removes the file.
    Delete,
}

/// One file that a call changed.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(test, derive(ts_rs::TS), ts(optional_fields))]
pub struct ChangedFile {
    /// Path of the file, relative to `cwd` where it lies below that, else absolute; secrets masked.
    pub path: String,
    /// Whether the file was created, changed or removed.
    #[cfg_attr(test, ts(type = "'add' | 'update' | 'delete'"))]
    pub operation: FileChange,
    /// Size before; absent for a file that was created.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bytes_before: Option<u64>,
    /// Size after; absent for a file that was removed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bytes_after: Option<u64>,
    /// What differs between before and after. Absent unless it was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub diff: Option<FileDiff>,
}

/// Calls that were taken back: all of them, or none.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(test, derive(ts_rs::TS), ts(optional_fields))]
pub struct UndoneChanges {
    /// Ids of the calls that were taken back, newest first.
    pub undone: Vec<String>,
    /// Id of this call, which can be taken back as well. Absent when nothing had to be written.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
    /// What became of each file.
    pub files: Vec<ChangedFile>,
    /// Whether it was only tried: then nothing was written.
    pub dry_run: bool,
}
