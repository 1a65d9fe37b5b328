//! What the file tools are asked to do.

use std::fmt;

use serde::de::{Deserialize, Deserializer, Error, Visitor};

use crate::linux::arguments::Arguments;
use crate::refusal::WrongArgument;

/// Largest file that any host lets be read, in bytes; no file has more lines, nor a page of it more bytes.
const MAX_READ_BYTES: usize = 256 << 20;
/// Largest number that JavaScript counts to exactly.
const MAX_INTEGER: usize = (1 << 53) - 1;
/// Edits of one call.
pub(crate) const MAX_EDITS: usize = 100;
/// Deepest listing, in levels.
const MAX_LIST_DEPTH: usize = 16;
/// Most entries that a listing shows.
const MAX_LIST_ENTRIES: usize = 100_000;
/// Most paths, lines or files that a search gives.
const MAX_SEARCH_RESULTS: usize = 10_000;
/// Most lines shown before and after each that matches.
pub(crate) const MAX_CONTEXT_LINES: usize = 20;

/// Lines of a file that are read unless the caller says otherwise.
const DEFAULT_READ_LINES: usize = 2000;
/// Entries that are listed unless the caller says otherwise.
const DEFAULT_LIST_ENTRIES: usize = 1000;
/// Paths that a search by names gives unless the caller says otherwise.
const DEFAULT_GLOB_PATHS: usize = 100;
/// Lines, or files, that a search for lines gives unless the caller says otherwise.
const DEFAULT_GREP_RESULTS: usize = 250;

/// A request as it crosses from JavaScript.
pub trait Request: Sized {
    /// Takes what the request needs out of the arguments of its call.
    fn take(arguments: &mut Arguments<'_>) -> Result<Self, WrongArgument>;

    /// Reads a request from a JSON object. Fails with the first argument that is missing, wrong or unknown.
    fn parse(json: &str) -> Result<Self, WrongArgument> {
        let mut arguments = Arguments::of_call(json)?;
        let request = Self::take(&mut arguments)?;
        arguments.finish()?;
        Ok(request)
    }
}

/// A text from JavaScript; `None` where it has half a surrogate pair, since the text that is checked and the text that is
/// used would differ.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Text(pub Option<String>);

impl<'de> Deserialize<'de> for Text {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Bytes;

        impl Visitor<'_> for Bytes {
            type Value = Text;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a string")
            }

            fn visit_bytes<E: Error>(self, bytes: &[u8]) -> Result<Text, E> {
                Ok(Text(String::from_utf8(bytes.to_vec()).ok()))
            }
        }

        deserializer.deserialize_bytes(Bytes)
    }
}

impl From<&str> for Text {
    fn from(text: &str) -> Text {
        Text(Some(text.to_owned()))
    }
}

/// Asks for lines of a file.
#[derive(Clone, Debug)]
pub struct ReadRequest {
    /// The file; a relative path starts at the base.
    pub path: Text,
    /// Number of the first line, from 1.
    pub offset: usize,
    /// Most lines.
    pub limit: usize,
    /// Most bytes, in whole lines but for the first; `None` for no bound.
    pub max_bytes: Option<usize>,
}

impl Request for ReadRequest {
    fn take(arguments: &mut Arguments<'_>) -> Result<ReadRequest, WrongArgument> {
        Ok(ReadRequest {
            path: arguments.text("path")?,
            offset: arguments.integer("offset", 1..=MAX_INTEGER, "lines")?.unwrap_or(1),
            limit: arguments
                .integer("limit", 1..=MAX_READ_BYTES, "lines")?
                .unwrap_or(DEFAULT_READ_LINES),
            max_bytes: arguments.integer("maxBytes", 1..=MAX_READ_BYTES, "bytes")?,
        })
    }
}

/// When an existing file is replaced, or removed without its lines being given.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Overwrite {
    /// Whatever its content is.
    Always,
    /// When its content is the one that was read or written here before.
    #[default]
    Known,
}

impl Overwrite {
    fn take(arguments: &mut Arguments<'_>) -> Result<Overwrite, WrongArgument> {
        let choices = [("always", Overwrite::Always), ("known", Overwrite::Known)];
        Ok(arguments.choice("overwrite", &choices)?.unwrap_or_default())
    }
}

/// Asks for a file with this content.
#[derive(Clone, Debug)]
pub struct WriteRequest {
    /// The file; folders above it that are missing are made.
    pub path: Text,
    /// The whole content.
    pub content: Text,
    /// When an existing file is replaced.
    pub overwrite: Overwrite,
}

impl Request for WriteRequest {
    fn take(arguments: &mut Arguments<'_>) -> Result<WriteRequest, WrongArgument> {
        Ok(WriteRequest {
            path: arguments.text("path")?,
            content: arguments.text("content")?,
            overwrite: Overwrite::take(arguments)?,
        })
    }
}

/// Asks for replacements in one file: all of them, or none.
#[derive(Clone, Debug)]
pub struct EditRequest {
    /// An existing file.
    pub path: Text,
    /// The replacements. Each is matched against the file as it is, and no two touch the same text.
    pub edits: Vec<Edit>,
    /// Whether the first of several occurrences is replaced where an edit does not say which.
    pub first: bool,
}

impl Request for EditRequest {
    fn take(arguments: &mut Arguments<'_>) -> Result<EditRequest, WrongArgument> {
        Ok(EditRequest {
            path: arguments.text("path")?,
            edits: arguments.list("edits", MAX_EDITS, Edit::take)?,
            first: arguments.flag("first")?,
        })
    }
}

/// One replacement.
#[derive(Clone, Debug)]
pub struct Edit {
    /// The text to replace, exactly as the file has it; CRLF and LF count as equal.
    pub old: Text,
    /// The text that takes its place.
    pub new: Text,
    /// Whether every occurrence is replaced.
    pub all: bool,
    /// Number of the occurrence to replace, from 1, where there are several.
    pub occurrence: Option<usize>,
}

impl Edit {
    fn take(arguments: &mut Arguments<'_>) -> Result<Edit, WrongArgument> {
        Ok(Edit {
            old: arguments.text("old")?,
            new: arguments.text("new")?,
            all: arguments.flag("all")?,
            occurrence: arguments.integer("occurrence", 1..=MAX_INTEGER, "occurrences")?,
        })
    }
}

/// Asks for changes of several files: all of them, or none.
#[derive(Clone, Debug)]
pub struct PatchRequest {
    /// `*** Begin Patch` … `*** End Patch`, or a unified diff.
    pub patch: Text,
    /// Whether it is only found out if the patch can be applied: nothing is written then.
    pub dry_run: bool,
    /// When a file is removed of which the patch gives no lines.
    pub overwrite: Overwrite,
}

impl Request for PatchRequest {
    fn take(arguments: &mut Arguments<'_>) -> Result<PatchRequest, WrongArgument> {
        Ok(PatchRequest {
            patch: arguments.text("patch")?,
            dry_run: arguments.flag("dryRun")?,
            overwrite: Overwrite::take(arguments)?,
        })
    }
}

/// Asks for the entries of a directory.
#[derive(Clone, Debug)]
pub struct ListRequest {
    /// The directory.
    pub path: Text,
    /// Levels of folders: 1 is the directory alone.
    pub depth: usize,
    /// Most entries.
    pub limit: usize,
}

impl Request for ListRequest {
    fn take(arguments: &mut Arguments<'_>) -> Result<ListRequest, WrongArgument> {
        Ok(ListRequest {
            path: arguments.text("path")?,
            depth: arguments.integer("depth", 1..=MAX_LIST_DEPTH, "levels")?.unwrap_or(1),
            limit: arguments
                .integer("limit", 1..=MAX_LIST_ENTRIES, "entries")?
                .unwrap_or(DEFAULT_LIST_ENTRIES),
        })
    }
}

/// Asks what a name stands for.
#[derive(Clone, Debug)]
pub struct StatRequest {
    /// The file, directory, link or whatever else has the name.
    pub path: Text,
}

impl Request for StatRequest {
    fn take(arguments: &mut Arguments<'_>) -> Result<StatRequest, WrongArgument> {
        Ok(StatRequest { path: arguments.text("path")? })
    }
}

/// The files that a search looks at beside the plain ones.
#[derive(Clone, Copy, Debug, Default)]
pub struct Reach {
    /// Names that begin with a dot.
    pub hidden: bool,
    /// Files that `.gitignore` leaves out.
    pub ignored: bool,
}

impl Reach {
    fn take(arguments: &mut Arguments<'_>) -> Result<Reach, WrongArgument> {
        Ok(Reach { hidden: arguments.flag("hidden")?, ignored: arguments.flag("ignored")? })
    }
}

/// Asks for files by their names.
#[derive(Clone, Debug)]
pub struct GlobRequest {
    /// Pattern of paths relative to the directory: `**`, `*`, `?`, `[a-z]` and `{a,b}`.
    pub pattern: Text,
    /// The directory.
    pub path: Text,
    /// Most paths.
    pub limit: usize,
    /// Hidden and ignored files.
    pub reach: Reach,
}

impl Request for GlobRequest {
    fn take(arguments: &mut Arguments<'_>) -> Result<GlobRequest, WrongArgument> {
        Ok(GlobRequest {
            pattern: arguments.text("pattern")?,
            path: arguments.text("path")?,
            limit: arguments
                .integer("limit", 1..=MAX_SEARCH_RESULTS, "results")?
                .unwrap_or(DEFAULT_GLOB_PATHS),
            reach: Reach::take(arguments)?,
        })
    }
}

/// What a search for lines gives.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum GrepMode {
    /// The lines that match.
    #[default]
    Lines,
    /// The files that have such lines.
    Files,
    /// These files, each with the number of its lines that match.
    Count,
}

/// Asks for lines of files by a regular expression.
#[derive(Clone, Debug)]
pub struct GrepRequest {
    /// A regular expression that matches within a line.
    pub pattern: Text,
    /// A directory or a file.
    pub path: Text,
    /// Pattern of the paths that are searched; one without a slash is about names alone.
    pub glob: Option<Text>,
    /// What the answer has.
    pub mode: GrepMode,
    /// Lines shown before and after each that matches.
    pub context: usize,
    /// Whether upper and lower case count as equal.
    pub ignore_case: bool,
    /// Most lines that match, or most files.
    pub limit: usize,
    /// Lines that match, or files, that are passed over first.
    pub offset: usize,
    /// Hidden and ignored files.
    pub reach: Reach,
}

impl Request for GrepRequest {
    fn take(arguments: &mut Arguments<'_>) -> Result<GrepRequest, WrongArgument> {
        let modes =
            [("lines", GrepMode::Lines), ("files", GrepMode::Files), ("count", GrepMode::Count)];
        Ok(GrepRequest {
            pattern: arguments.text("pattern")?,
            path: arguments.text("path")?,
            glob: arguments.optional_text("glob")?,
            mode: arguments.choice("mode", &modes)?.unwrap_or_default(),
            context: arguments.integer("context", 0..=MAX_CONTEXT_LINES, "lines")?.unwrap_or(0),
            ignore_case: arguments.flag("ignoreCase")?,
            limit: arguments
                .integer("limit", 1..=MAX_SEARCH_RESULTS, "results")?
                .unwrap_or(DEFAULT_GREP_RESULTS),
            offset: arguments.integer("offset", 0..=MAX_INTEGER, "results")?.unwrap_or(0),
            reach: Reach::take(arguments)?,
        })
    }
}
