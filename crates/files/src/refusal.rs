//! Why a file was not touched. A refusal is a result: what a model caused is never an exception.

use std::fmt;

use serde::Serialize;

/// Stable codes of refusals.
pub mod code {
    /// It lies in no root.
    pub const OUTSIDE_ROOT: &str = "outside_root";
    /// Its root is not to be changed.
    pub const READ_ONLY_ROOT: &str = "read_only_root";
    /// A rule keeps it from being written.
    pub const BLOCKED_WRITE: &str = "blocked_write";
    /// A rule keeps it from being read.
    pub const BLOCKED_READ: &str = "blocked_read";
    /// Nothing has that name.
    pub const NOT_FOUND: &str = "not_found";
    /// Something else is used as a directory.
    pub const NOT_A_DIRECTORY: &str = "not_a_directory";
    /// A directory is used as a file.
    pub const IS_A_DIRECTORY: &str = "is_a_directory";
    /// More links than are followed.
    pub const TOO_MANY_LINKS: &str = "too_many_links";
    /// A pipe, a socket, a device, or a file of the kernel that never ends.
    pub const SPECIAL_FILE: &str = "special_file";
    /// Nobody may write to the file.
    pub const READ_ONLY: &str = "read_only";
    /// No other file can have its name.
    pub const IN_PLACE_ONLY: &str = "in_place_only";
    /// Another file in its place could be opened by others than it.
    pub const ACCESS_NOT_KEPT: &str = "access_not_kept";
    /// The file has further names.
    pub const HARD_LINK: &str = "hard_link";
    /// No path.
    pub const INVALID_PATH: &str = "invalid_path";
    /// A text that cannot be written, or an edit that means nothing.
    pub const INVALID_TEXT: &str = "invalid_text";
    /// No pattern, or one that is not taken.
    pub const INVALID_PATTERN: &str = "invalid_pattern";
    /// More bytes than are read.
    pub const TOO_LARGE: &str = "too_large";
    /// The first line asked for lies after the last.
    pub const PAST_END: &str = "past_end";
    /// It exists and its content is not known to who overwrites it.
    pub const EXISTS: &str = "exists";
    /// Its content is not what was read.
    pub const CHANGED_ON_DISK: &str = "changed_on_disk";
    /// No text that can be edited.
    pub const NOT_EDITABLE: &str = "not_editable";
    /// The old text is not there.
    pub const NO_MATCH: &str = "no_match";
    /// The old text is there more than once.
    pub const AMBIGUOUS: &str = "ambiguous";
    /// Two edits of one call touch the same text.
    pub const OVERLAP: &str = "overlap";
    /// Old and new text are the same.
    pub const UNCHANGED: &str = "unchanged";
    /// The new text is there, and the old one is not or is a part of it.
    pub const ALREADY_APPLIED: &str = "already_applied";
    /// A mask stands where no secret stood.
    pub const MASK_IN_TEXT: &str = "mask_in_text";
    /// No patch, or one that asks for what is not done.
    pub const INVALID_PATCH: &str = "invalid_patch";
    /// Some files of a patch are changed, and somebody else wrote before they could be put back.
    pub const APPLIED_IN_PART: &str = "applied_in_part";
    /// The system refused.
    pub const SYSTEM: &str = "system";
    /// Not on this system.
    pub const NOT_SUPPORTED: &str = "not_supported";
    /// The tools were closed.
    pub const CLOSED: &str = "closed";
}

/// Why nothing was done, for people and models.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Refusal {
    /// One of [`code`].
    pub code: &'static str,
    /// The rule, when one decided.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rule: Option<&'static str>,
    /// What became of the call, where that is not plain from the code, and why: `Write denied: …`.
    pub message: Box<str>,
    /// Why alone, for readers that say in words of their own what became of the call.
    pub reason: Box<str>,
    /// What to do.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hint: Option<Box<str>>,
    /// Line numbers that the message names: matches, changed lines, the nearest place.
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    pub lines: Box<[usize]>,
    /// Names that exist and look like the one asked for.
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    pub suggestions: Box<[String]>,
    /// Index of the edit it concerns, from 0.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub edit: Option<u32>,
}

/// An answer as JSON: `{ "ok": true, …answer }` or `{ "ok": false, "refusal": … }`. Fails for a request that is none, which
/// is a mistake of the program.
pub type Answer = Result<String, String>;

#[derive(Serialize)]
struct Refused<'r> {
    ok: bool,
    refusal: &'r Refusal,
}

pub(crate) fn json(value: &impl Serialize) -> String {
    // Fails only for maps with keys that are no strings; no answer has a map.
    serde_json::to_string(value).unwrap_or_default()
}

impl Refusal {
    pub(crate) fn to_json(&self) -> String {
        json(&Refused { ok: false, refusal: self })
    }

    pub(crate) fn new(code: &'static str, reason: impl Into<Box<str>>) -> Refusal {
        let reason = reason.into();
        Refusal {
            code,
            rule: None,
            message: reason.clone(),
            reason,
            hint: None,
            lines: Box::default(),
            suggestions: Box::default(),
            edit: None,
        }
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)?;
        self.hint.as_ref().map_or(Ok(()), |hint| write!(f, ". {hint}"))
    }
}

impl std::error::Error for Refusal {}
