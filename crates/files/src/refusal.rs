//! Why a file was not touched. A refusal is a result: what a model caused is never an exception.

use std::fmt;

use serde::Serialize;

/// Stable codes of refusals.
pub mod code {
    /// The path leads out of the roots.
    pub const OUTSIDE_ROOT: &str = "outside_root";
    /// The root is read-only.
    pub const READ_ONLY_ROOT: &str = "read_only_root";
    /// A rule keeps the place from being written.
    pub const BLOCKED_WRITE: &str = "blocked_write";
    /// A rule keeps the place from being read.
    pub const BLOCKED_READ: &str = "blocked_read";
    /// Nothing has that name.
    pub const NOT_FOUND: &str = "not_found";
    /// A file is used as a directory.
    pub const NOT_A_DIRECTORY: &str = "not_a_directory";
    /// A directory is used as a file.
    pub const IS_A_DIRECTORY: &str = "is_a_directory";
    /// The path leads through more links than are followed.
    pub const TOO_MANY_LINKS: &str = "too_many_links";
    /// The file is a pipe, a socket or a device, or never ends.
    pub const SPECIAL_FILE: &str = "special_file";
    /// Not even the owner may write to the file.
    pub const READ_ONLY: &str = "read_only";
    /// No other file can take the name.
    pub const IN_PLACE_ONLY: &str = "in_place_only";
    /// A new file could not have the owner, mode or attributes of the old one.
    pub const ACCESS_NOT_KEPT: &str = "access_not_kept";
    /// The file has several names.
    pub const HARD_LINK: &str = "hard_link";
    /// The text is no path.
    pub const INVALID_PATH: &str = "invalid_path";
    /// The text cannot be written, or an edit replaces nothing.
    pub const INVALID_TEXT: &str = "invalid_text";
    /// The pattern has an error.
    pub const INVALID_PATTERN: &str = "invalid_pattern";
    /// The file or the patch is too large.
    pub const TOO_LARGE: &str = "too_large";
    /// The file is an image, a document of a program, or another file that is no text.
    pub const BINARY: &str = "binary";
    /// The first line or character asked for lies after the last.
    pub const PAST_END: &str = "past_end";
    /// The file exists, and the caller has not read its content.
    pub const EXISTS: &str = "exists";
    /// The content is not the one that was read.
    pub const CHANGED_ON_DISK: &str = "changed_on_disk";
    /// The text of the file cannot be edited.
    pub const NOT_EDITABLE: &str = "not_editable";
    /// The file does not have the old text.
    pub const NO_MATCH: &str = "no_match";
    /// The file has the old text more than once.
    pub const AMBIGUOUS: &str = "ambiguous";
    /// Two edits of one call touch the same text.
    pub const OVERLAP: &str = "overlap";
    /// Old and new text are the same.
    pub const UNCHANGED: &str = "unchanged";
    /// The file has the new text, and the old one not or only within the new one.
    pub const ALREADY_APPLIED: &str = "already_applied";
    /// A mask stands for no secret, or its secret would be shown.
    pub const MASK_IN_TEXT: &str = "mask_in_text";
    /// The text is no patch, or asks for what a patch does not do.
    pub const INVALID_PATCH: &str = "invalid_patch";
    /// Some files of a patch are changed and could not be put back, since another process wrote to them.
    pub const APPLIED_IN_PART: &str = "applied_in_part";
    /// There is no such call to take back.
    pub const UNKNOWN_CHANGE: &str = "unknown_change";
    /// The call was taken back before.
    pub const ALREADY_UNDONE: &str = "already_undone";
    /// Nothing is kept of what the call replaced.
    pub const NOT_KEPT: &str = "not_kept";
    /// A file has changed since the call that is to be taken back.
    pub const CHANGED_SINCE: &str = "changed_since";
    /// The system refused.
    pub const SYSTEM: &str = "system";
    /// This system cannot do it.
    pub const NOT_SUPPORTED: &str = "not_supported";
    /// The tools were closed.
    pub const CLOSED: &str = "closed";
}

/// Why a file was not read, listed or changed. Nothing was changed then, but for `applied_in_part`.
///
/// | code | meaning |
/// | --- | --- |
/// | `outside_root` | the path leads out of the roots; the code is the same whether or not a file is there |
/// | `read_only_root` | the root's mode is `ro` |
/// | `blocked_read`, `blocked_write` | the name or place is protected; `rule` says by which rule |
/// | `invalid_path` | the path is empty, too long, or has NUL or invisible characters |
/// | `invalid_pattern` | the glob pattern or regular expression has an error; the hint says what to write |
/// | `not_found` | nothing has that name; `suggestions` has similar names |
/// | `not_a_directory`, `is_a_directory`, `special_file` | the file is of another kind; FIFOs, devices and sockets are special |
/// | `too_many_links` | the path leads through more than 40 symbolic links, or through a circle of them |
/// | `too_large` | the file to change is larger than `maxReadBytes`, or not read in time, or a patch is larger than a patch may be |
/// | `binary` | the file is no text; the message says what it is, such as a PNG image or a PDF document, and its size |
/// | `past_end` | the first line asked for lies after the last line of the file, or the first character after the end of its line |
/// | `read_only` | even the owner of the file may not write to it; a host allows it with `replaceReadOnly` |
/// | `in_place_only` | no other file can take the name: the file is mounted, or its folder takes no files; a host allows a change in place with `inPlace` |
/// | `access_not_kept` | a new file could not have the owner, group, mode or attributes of the old one; a host allows a change in place with `inPlace` |
/// | `hard_link` | the file has a second name that may lie elsewhere |
/// | `exists` | the file exists, and its content was not read |
/// | `changed_on_disk` | the content is not the one that was read before, or the numbers of masks are not those of the content |
/// | `not_editable` | the file is binary, or its encoding is unknown and the change is not in plain ASCII |
/// | `no_match`, `ambiguous`, `overlap` | the file does not have the text to replace, has it several times, or two edits touch the same text |
/// | `unchanged`, `already_applied` | there is nothing to change, or the file has the change already |
/// | `invalid_patch` | the text is no patch, or asks for what a patch does not do: links, modes, one file twice |
/// | `applied_in_part` | a patch or a change in place failed half way and could not be undone, since others wrote meanwhile; the message says where the old content is |
/// | `invalid_text` | the text has half a surrogate pair and cannot be written, or an edit replaces nothing |
/// | `mask_in_text` | a mask is none of this file's, is there twice, lacks its number, or its secret would be shown |
/// | `unknown_change`, `already_undone` | no call that changed files has this id, or it was taken back before |
/// | `changed_since` | a file is not as the call that is to be taken back left it; the message names each |
/// | `not_kept` | what changes replace is not kept, or what this call replaced was too large |
/// | `system`, `not_supported` | the system refused or cannot do it; the message says why |
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(test, derive(ts_rs::TS), ts(rename = "FileRefusal", optional_fields))]
pub struct Refusal {
    /// Stable, lower case; one of the codes in the table above.
    pub code: &'static str,
    /// Id of the rule that protects the place, such as `git.metadata`. Absent when no rule decided.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rule: Option<&'static str>,
    /// One sentence, or some lines with the place in question; secrets masked.
    pub message: Box<str>,
    /// The message without the words about the call, such as `Write denied:`, that it may begin with.
    pub reason: Box<str>,
    /// What to do instead. Absent when there is nothing to advise.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hint: Option<Box<str>>,
    /// Line numbers that the message names. Absent when it names none.
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    #[cfg_attr(test, ts(as = "Option<Vec<usize>>"))]
    pub lines: Box<[usize]>,
    /// Names that exist and look like the one asked for. Absent when there are none.
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    #[cfg_attr(test, ts(as = "Option<Vec<String>>"))]
    pub suggestions: Box<[String]>,
    /// Which of several edits, or of the hunks of a file, the refusal concerns, from 0. Absent when it concerns none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub edit: Option<u32>,
}

/// An argument that is missing, wrong or unknown: a mistake of the program that calls.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WrongArgument {
    /// The argument as the caller wrote it, such as `edits[0].old`.
    pub name: String,
    /// What was expected, and what came; never a text that was given.
    pub message: String,
}

impl WrongArgument {
    #[cfg_attr(not(target_os = "linux"), expect(dead_code, reason = "nothing is read there"))]
    pub(crate) fn new(name: impl Into<String>, message: String) -> WrongArgument {
        WrongArgument { name: name.into(), message }
    }
}

impl fmt::Display for WrongArgument {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for WrongArgument {}

/// An answer as JSON: `{ "ok": true, …answer }` or `{ "ok": false, "refusal": … }`.
pub type Answer = Result<String, WrongArgument>;

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

    /// A refusal whose message is the reason alone.
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
