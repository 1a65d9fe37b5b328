//! Requests: the arguments of each file tool, with their bounds and defaults.

use std::fmt;

use serde::de::{Deserialize, Deserializer, Error, Visitor};

use crate::linux::arguments::Arguments;
use crate::refusal::WrongArgument;

/// Largest file that any host lets be read, in bytes; no file has more lines, nor a page of it more bytes.
const MAX_READ_BYTES: usize = 256 << 20;
/// Largest number that JavaScript counts to exactly.
const MAX_INTEGER: usize = (1 << 53) - 1;
/// Edits of one call.
const MAX_EDITS: usize = 100;
/// Deepest listing, in levels.
const MAX_LIST_DEPTH: usize = 16;
/// Most entries that a listing shows.
const MAX_LIST_ENTRIES: usize = 100_000;
/// Most paths, lines or files that a search gives.
const MAX_SEARCH_RESULTS: usize = 10_000;
/// Most lines shown before and after each that matches.
const MAX_CONTEXT_LINES: usize = 20;

/// Most changes of a layer that are listed.
const MAX_LAYER_CHANGES: usize = 10_000;
/// Changes of a layer that are listed unless the caller says otherwise.
const DEFAULT_LAYER_CHANGES: usize = 1000;

/// Most calls that are listed or taken back at once.
const MAX_HISTORY: usize = 1000;
/// Calls that are listed unless the caller says otherwise.
const DEFAULT_HISTORY: usize = 50;

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

/// Whose call it is; empty where there is only one caller.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Caller(String);

impl Caller {
    fn take(arguments: &mut Arguments<'_>) -> Result<Caller, WrongArgument> {
        let given = arguments.optional_text("caller")?;
        Ok(Caller(given.and_then(|text| text.0).unwrap_or_default()))
    }

    pub(crate) fn as_str(&self) -> &str {
        &self.0
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

impl GrepMode {
    fn take(arguments: &mut Arguments<'_>) -> Result<GrepMode, WrongArgument> {
        let choices =
            [("lines", GrepMode::Lines), ("files", GrepMode::Files), ("count", GrepMode::Count)];
        Ok(arguments.choice("mode", &choices)?.unwrap_or_default())
    }
}

/// The files that a search visits beside those that are neither hidden nor ignored.
#[derive(Clone, Copy, Debug, Default)]
pub struct SearchReach {
    /// Whether names that begin with a dot are visited.
    pub hidden: bool,
    /// Whether files that `.gitignore` leaves out are visited.
    pub ignored: bool,
}

impl SearchReach {
    fn take(arguments: &mut Arguments<'_>) -> Result<SearchReach, WrongArgument> {
        Ok(SearchReach { hidden: arguments.flag("hidden")?, ignored: arguments.flag("ignored")? })
    }
}

/// Defines requests. A field has its documentation, its type, and how its value is taken out of the arguments.
macro_rules! requests {
    ($arguments:ident: $($(#[$docs:meta])* $name:ident {
        $($(#[$field_docs:meta])* $field:ident: $type:ty = $value:expr,)+
    })+) => {
        $($(#[$docs])*
        #[derive(Clone, Debug)]
        pub struct $name {
            $($(#[$field_docs])* pub $field: $type,)+
        }

        impl Request for $name {
            fn take($arguments: &mut Arguments<'_>) -> Result<$name, WrongArgument> {
                Ok($name { $($field: $value,)+ })
            }
        })+
    };
}

requests! { arguments:
    /// Asks for lines of a file.
    ReadRequest {
        /// The file; a relative path starts at the base.
        path: Text = arguments.text("path")?,
        /// Number of the first line, from 1.
        offset: usize = arguments.integer("offset", 1..=MAX_INTEGER, "lines")?.unwrap_or(1),
        /// Most lines.
        limit: usize =
            arguments.integer("limit", 1..=MAX_READ_BYTES, "lines")?.unwrap_or(DEFAULT_READ_LINES),
        /// Number of the first character of the first line, from 1.
        column: usize = arguments.integer("column", 1..=MAX_INTEGER, "characters")?.unwrap_or(1),
        /// Most bytes, in whole lines but for the first; `None` for no bound.
        max_bytes: Option<usize> = arguments.integer("maxBytes", 1..=MAX_READ_BYTES, "bytes")?,
        /// Most tokens, in whole lines but for the first; `None` for no bound.
        max_tokens: Option<usize> = arguments.integer("maxTokens", 1..=MAX_INTEGER, "tokens")?,
        /// Whether each line is shown behind its number, whose tokens count too.
        numbered: bool = arguments.flag("numbered")?,
    }

    /// Asks for a file with this content.
    WriteRequest {
        /// The file; folders above it that are missing are made.
        path: Text = arguments.text("path")?,
        /// The whole content.
        content: Text = arguments.text("content")?,
        /// When an existing file is replaced.
        overwrite: Overwrite = Overwrite::take(arguments)?,
        /// Whose call it is.
        caller: Caller = Caller::take(arguments)?,
    }

    /// Asks for replacements in one file: all of them, or none.
    EditRequest {
        /// An existing file.
        path: Text = arguments.text("path")?,
        /// The replacements. Each is matched against the file as it is, and no two touch the same text.
        edits: Vec<Edit> = arguments.list("edits", MAX_EDITS, Edit::take)?,
        /// Whether the first of several occurrences is replaced where an edit does not say which.
        first: bool = arguments.flag("first")?,
        /// Whose call it is.
        caller: Caller = Caller::take(arguments)?,
    }

    /// One replacement.
    Edit {
        /// The text to replace, as the file has it; CRLF and LF count as equal.
        old: Text = arguments.text("old")?,
        /// The text that takes its place.
        new: Text = arguments.text("new")?,
        /// Whether every occurrence is replaced.
        all: bool = arguments.flag("all")?,
        /// Number of the occurrence to replace, from 1, where there are several.
        occurrence: Option<usize> =
            arguments.integer("occurrence", 1..=MAX_INTEGER, "occurrences")?,
    }

    /// Asks for changes of several files: all of them, or none.
    PatchRequest {
        /// `*** Begin Patch` … `*** End Patch`, or a unified diff.
        patch: Text = arguments.text("patch")?,
        /// Whether the patch is only tried: nothing is written then.
        dry_run: bool = arguments.flag("dryRun")?,
        /// When a file is removed whose lines the patch does not give.
        overwrite: Overwrite = Overwrite::take(arguments)?,
        /// Whose call it is.
        caller: Caller = Caller::take(arguments)?,
    }

    /// Asks for the entries of a directory.
    ListRequest {
        /// The directory.
        path: Text = arguments.text("path")?,
        /// Levels of folders: 1 is the directory alone.
        depth: usize = arguments.integer("depth", 1..=MAX_LIST_DEPTH, "levels")?.unwrap_or(1),
        /// Most entries.
        limit: usize = arguments
            .integer("limit", 1..=MAX_LIST_ENTRIES, "entries")?
            .unwrap_or(DEFAULT_LIST_ENTRIES),
        /// Entries that are passed over first.
        offset: usize = arguments.integer("offset", 0..=MAX_INTEGER, "entries")?.unwrap_or(0),
    }

    /// Asks what a name stands for.
    StatRequest {
        /// The file, directory or link that has the name.
        path: Text = arguments.text("path")?,
    }

    /// Asks for files by their names.
    GlobRequest {
        /// Pattern of paths relative to the directory: `**`, `*`, `?`, `[a-z]` and `{a,b}`.
        pattern: Text = arguments.text("pattern")?,
        /// The directory.
        path: Text = arguments.text("path")?,
        /// Most paths.
        limit: usize = arguments
            .integer("limit", 1..=MAX_SEARCH_RESULTS, "results")?
            .unwrap_or(DEFAULT_GLOB_PATHS),
        /// Paths that are passed over first.
        offset: usize = arguments.integer("offset", 0..=MAX_INTEGER, "results")?.unwrap_or(0),
        /// Whether hidden and ignored files are found.
        reach: SearchReach = SearchReach::take(arguments)?,
    }

    /// Asks for lines of files by a regular expression.
    GrepRequest {
        /// A regular expression that matches within a line.
        pattern: Text = arguments.text("pattern")?,
        /// A directory or a file.
        path: Text = arguments.text("path")?,
        /// Pattern of the paths that are searched; one without a slash is about names alone.
        glob: Option<Text> = arguments.optional_text("glob")?,
        /// What the answer has.
        mode: GrepMode = GrepMode::take(arguments)?,
        /// Lines shown before and after each line that matches.
        context: usize =
            arguments.integer("context", 0..=MAX_CONTEXT_LINES, "lines")?.unwrap_or(0),
        /// Whether upper and lower case count as equal.
        ignore_case: bool = arguments.flag("ignoreCase")?,
        /// Most lines that match, or most files.
        limit: usize = arguments
            .integer("limit", 1..=MAX_SEARCH_RESULTS, "results")?
            .unwrap_or(DEFAULT_GREP_RESULTS),
        /// Lines that match, or files, that are passed over first.
        offset: usize = arguments.integer("offset", 0..=MAX_INTEGER, "results")?.unwrap_or(0),
        /// Whether hidden and ignored files are searched.
        reach: SearchReach = SearchReach::take(arguments)?,
    }

    /// Asks for the calls that changed files.
    HistoryRequest {
        /// Whether those of other hosts below the same roots are listed too.
        all: bool = arguments.flag("all")?,
        /// Only calls of this caller.
        caller: Option<Text> = arguments.optional_text("caller")?,
        /// Most calls.
        limit: usize = arguments
            .integer("limit", 1..=MAX_HISTORY, "calls")?
            .unwrap_or(DEFAULT_HISTORY),
        /// Whether it is shown what each call changed.
        diff: bool = arguments.flag("diff")?,
    }

    /// Asks for calls to be taken back: the ones with these ids, all after one, or the last ones.
    UndoRequest {
        /// Ids of calls.
        ids: Vec<Text> = arguments.texts("ids", MAX_HISTORY)?,
        /// Id of the last call that stays.
        since: Option<Text> = arguments.optional_text("since")?,
        /// Number of calls, from the newest on; 1 where nothing else is given.
        last: Option<usize> = arguments.integer("last", 1..=MAX_HISTORY, "calls")?,
        /// Whether calls of other hosts below the same roots may be taken back too.
        all: bool = arguments.flag("all")?,
        /// Whether it is only tried: nothing is written then.
        dry_run: bool = arguments.flag("dryRun")?,
        /// Whether it is shown what changes.
        diff: bool = arguments.flag("diff")?,
        /// Only calls of this caller.
        of_caller: Option<Text> = arguments.optional_text("ofCaller")?,
        /// Whose call it is.
        caller: Caller = Caller::take(arguments)?,
    }

    /// Asks what a layer has changed.
    LayerChangesRequest {
        /// Absolute path of the layer.
        layer: Text = arguments.text("layer")?,
        /// Most changes that are listed.
        limit: usize = arguments
            .integer("limit", 1..=MAX_LAYER_CHANGES, "changes")?
            .unwrap_or(DEFAULT_LAYER_CHANGES),
        /// Whether it is shown what changed in each file.
        diff: bool = arguments.flag("diff")?,
        /// The digest of the changes that were seen. Other ones are refused.
        digest: Option<Text> = arguments.optional_text("digest")?,
    }

    /// Asks for a layer to be brought over: all of it, or nothing.
    LayerCommitRequest {
        /// Absolute path of the layer.
        layer: Text = arguments.text("layer")?,
        /// Most changes that are listed.
        limit: usize = arguments
            .integer("limit", 1..=MAX_LAYER_CHANGES, "changes")?
            .unwrap_or(DEFAULT_LAYER_CHANGES),
        /// Whether it is shown what changed in each file.
        diff: bool = arguments.flag("diff")?,
        /// Whether the files of the layer themselves get their places, in place of copies. Nothing may live in it any more: an
        /// open file would be one of the root.
        takes: bool = arguments.flag("takes")?,
        /// Whether everything but the conflicts is brought over where there are some.
        partly: bool = arguments.flag("partly")?,
        /// The digest of the changes that were seen. Other ones are not brought over.
        digest: Option<Text> = arguments.optional_text("digest")?,
        /// Whose call it is.
        caller: Caller = Caller::take(arguments)?,
    }

    /// Asks for a layer to be dropped.
    LayerDiscardRequest {
        /// Absolute path of the layer.
        layer: Text = arguments.text("layer")?,
    }

    /// Asks for layers to be dropped whose processes are gone.
    LayerSweepRequest {
        /// Absolute path of the folder of all layers.
        folder: Text = arguments.text("folder")?,
    }
}
