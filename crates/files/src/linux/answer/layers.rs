//! The answers about layers.

use serde::Serialize;

use super::FileDiff;

/// What a layer has changed, in the order of paths.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(test, derive(ts_rs::TS), ts(optional_fields))]
pub struct LayerChanges {
    /// The files, links and folders, as many as were asked for.
    pub changes: Vec<LayerChange>,
    /// Whether there are more.
    pub truncated: bool,
    /// Number of entries that were created, those in new folders included.
    pub created: usize,
    /// Number of files and links whose content changed, and of entries that became another kind of file.
    pub changed: usize,
    /// Number of entries that were removed, those in removed folders included.
    pub deleted: usize,
    /// Number of entries of which only owner, mode, attributes, time or number of names changed.
    pub attributes: usize,
    /// Size of all files that were created or changed.
    pub bytes: u64,
    /// Pipes, sockets and devices, which are not brought over.
    pub left_out: LayerPaths,
    /// Files and folders that were changed and lose attributes whose names begin with `user.overlay.`, which overlays keep for
    /// themselves.
    pub lost_attributes: LayerPaths,
    /// Entries that cannot be brought over as things are.
    pub conflicts: Vec<LayerConflict>,
    /// Number of all of these.
    pub conflict_count: usize,
    /// Changes when anything in this answer does, and when a content does.
    pub digest: String,
}

/// Some paths.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct LayerPaths {
    /// The first of them, relative to `cwd` where they lie below that, else absolute; secrets masked.
    pub paths: Vec<String>,
    /// Number of all.
    pub count: usize,
}

/// What became of an entry.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(test, derive(ts_rs::TS))]
pub enum LayerChangeKind {
    /// It is new.
    #[default]
    Created,
    /// It has another content, or is another kind of file.
    Changed,
    /// It was removed.
    Deleted,
    /// Its owner, mode, attributes, time or number of names changed.
    Attributes,
}

/// Kinds of entries.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(test, derive(ts_rs::TS))]
pub enum LayerEntryType {
    /// A file.
    #[default]
    File,
    /// A folder.
    Folder,
    /// A symbolic link.
    Link,
    /// A pipe, a socket or a device.
    Special,
}

/// One entry that a layer has changed.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(test, derive(ts_rs::TS), ts(optional_fields))]
pub struct LayerChange {
    /// Path of the entry, relative to `cwd` where it lies below that, else absolute; secrets masked.
    pub path: String,
    /// What became of it.
    pub kind: LayerChangeKind,
    /// What it is now; of one that was removed, what it was.
    #[serde(rename = "type")]
    pub entry_type: LayerEntryType,
    /// What it was, where that is another kind of file. Absent otherwise.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub was: Option<LayerEntryType>,
    /// Size of a file before. Absent where there was no file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bytes_before: Option<u64>,
    /// Size of a file after. Absent where there is no file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bytes_after: Option<u64>,
    /// Permission bits after, such as `420` for `0644`. Absent for one that was removed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mode: Option<u32>,
    /// What differs in a file or link that was created, changed or removed; that of a link is its target. Absent for folders,
    /// where only attributes changed, and unless it was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub diff: Option<FileDiff>,
}

/// Why an entry cannot be brought over.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(test, derive(ts_rs::TS))]
pub enum LayerConflictReason {
    /// Somebody else has changed or made it since the layer began.
    #[default]
    Changed,
    /// Somebody else has removed or moved it since the layer began.
    Gone,
    /// The place is protected.
    Protected,
    /// It lies below another root, or holds one.
    OtherRoot,
    /// It holds a mounted file system, or lies in one.
    Mounted,
    /// It has more levels of folders than are gone through.
    TooDeep,
    /// The system refuses it: it may not be read, written or moved.
    Refused,
}

/// An entry that cannot be brought over.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct LayerConflict {
    /// Path of the entry, relative to `cwd` where it lies below that, else absolute; secrets masked.
    pub path: String,
    /// Why not.
    pub reason: LayerConflictReason,
}

/// A layer that was brought over, or not.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(test, derive(ts_rs::TS), ts(optional_fields))]
pub struct CommittedLayer {
    /// Whether the changes are in the roots now. Where they are not, the roots are as they were, and the layer has all of
    /// them.
    pub committed: bool,
    /// Id of the commit, by which it is taken back. Absent when nothing had to be changed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
    /// Whether it can be taken back: what it replaced was not too large to be kept.
    pub undoable: bool,
    /// What was brought over, and what stands against it.
    pub changes: LayerChanges,
}

/// A layer that was dropped.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct DiscardedLayer {
    /// Whether there was one.
    pub discarded: bool,
}

/// Layers that were left behind.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct SweptLayers {
    /// Number of layers that were removed, since their processes are gone.
    pub removed: usize,
    /// Number of those that stay: their processes live, or they cannot be removed.
    pub left: usize,
}
