//! What is asked of the file tools.

use std::fmt;

use serde::de::{Deserializer, Error, Visitor};
use serde::{Deserialize, Serialize};

/// A text from JavaScript. Half a surrogate pair makes it none: what is checked and what is used would differ.
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

/// Lines of a file.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ReadRequest {
    /// Relative paths start at the base.
    pub path: Text,
    /// First line, from 1.
    pub offset: Option<usize>,
    /// At most so many lines.
    pub limit: Option<usize>,
    /// Whole lines up to so many bytes, at least the first.
    pub max_bytes: Option<usize>,
}

/// When an existing file is replaced.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Overwrite {
    /// Whatever is in it.
    Always,
    /// When its content is what was read or written here before.
    #[default]
    Known,
}

/// A whole file.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct WriteRequest {
    /// Folders on the way are made.
    pub path: Text,
    /// All that is in it then.
    pub content: Text,
    /// When an existing file is replaced.
    #[serde(default)]
    pub overwrite: Overwrite,
}

/// Replacements in one file: all of them, or none.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct EditRequest {
    /// An existing file.
    pub path: Text,
    /// All matched against the file as it is, without overlap.
    pub edits: Vec<Edit>,
}

/// One replacement.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Edit {
    /// Exactly what is there; line ends count as equal.
    pub old: Text,
    /// What takes its place.
    pub new: Text,
    /// Every occurrence.
    #[serde(default)]
    pub all: bool,
    /// The first of several occurrences.
    #[serde(default)]
    pub first: bool,
    /// This one of several occurrences, from 1.
    pub occurrence: Option<usize>,
}

/// Changes of several files: all of them, or none.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct PatchRequest {
    /// `*** Begin Patch` … `*** End Patch`, or a unified diff.
    pub patch: Text,
    /// Nothing is written.
    #[serde(default)]
    pub dry_run: bool,
    /// When a file is removed of which the patch gives no lines.
    #[serde(default)]
    pub overwrite: Overwrite,
}

/// Entries of a directory.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ListRequest {
    /// A directory.
    pub path: Text,
    /// 1 is the directory itself, which is the default.
    pub depth: Option<usize>,
    /// At most so many entries; 1000 by default.
    pub limit: Option<usize>,
}

/// Files by their names.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct GlobRequest {
    /// `**`, `*`, `?`, `[a-z]` and `{a,b}`, relative to the directory.
    pub pattern: Text,
    /// A directory.
    pub path: Text,
    /// At most so many paths; 100 by default.
    pub limit: Option<usize>,
    /// With names that begin with a dot.
    #[serde(default)]
    pub hidden: bool,
    /// With what `.gitignore` leaves out.
    #[serde(default)]
    pub ignored: bool,
}

/// What a search gives.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum GrepMode {
    /// The lines that match.
    #[default]
    Lines,
    /// The files that have one.
    Files,
    /// How many each of these has.
    Count,
}

/// Lines of files by a regular expression.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct GrepRequest {
    /// A regular expression that matches within a line.
    pub pattern: Text,
    /// A directory or a file.
    pub path: Text,
    /// Only files that match it; without a slash it is about their names.
    pub glob: Option<Text>,
    /// What is given.
    #[serde(default)]
    pub mode: GrepMode,
    /// Lines shown before and after each that matches.
    #[serde(default)]
    pub context: usize,
    /// Letters of both cases are one.
    #[serde(default)]
    pub ignore_case: bool,
    /// At most so many lines, or files; 250 by default.
    pub limit: Option<usize>,
    /// So many are passed over first.
    #[serde(default)]
    pub offset: usize,
    /// With names that begin with a dot.
    #[serde(default)]
    pub hidden: bool,
    /// With what `.gitignore` leaves out.
    #[serde(default)]
    pub ignored: bool,
}
