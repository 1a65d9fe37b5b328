//! A path that a caller wrote. It is neither trimmed, decoded nor repaired, so that the path that is checked is the path that
//! is used.

use std::fmt;
use std::path::{Path, PathBuf};

use crate::linux::request::Text;
use crate::refusal::{Refusal, code};

/// Longest path that the kernel takes, without the terminating NUL.
pub(crate) const MAX_PATH_BYTES: usize = 4095;
/// Longest name in the file systems of Linux.
pub(crate) const MAX_NAME_BYTES: usize = 255;
/// Most characters of a path that a message shows.
const MAX_SHOWN_CHARS: usize = 200;

/// A path that a caller wrote.
#[derive(Debug)]
pub(crate) struct RequestedPath {
    /// The path as it was written.
    text: String,
    /// The path for messages: control characters escaped, and cut when it is long.
    pub(crate) shown: String,
    /// The path joined to the base; links and `..` are not resolved.
    pub(crate) absolute: PathBuf,
    /// Whether the path is written as that of a directory, such as `a/` or `a/..`.
    pub(crate) names_directory: bool,
}

impl RequestedPath {
    /// `home` replaces `~` at the start.
    pub(crate) fn parse(
        text: &Text,
        base: &Path,
        home: Option<&Path>,
    ) -> Result<RequestedPath, Refusal> {
        let invalid = |why: &str| Err(Refusal::new(code::INVALID_PATH, format!("The path {why}")));
        let Some(text) = &text.0 else { return invalid("holds half a character") };
        if text.is_empty() {
            return invalid("is empty");
        }
        if text.contains('\0') {
            return invalid("holds a NUL character");
        }
        if text.len() > MAX_PATH_BYTES {
            return invalid("is longer than 4095 bytes");
        }
        if text.split('/').any(|name| name.len() > MAX_NAME_BYTES) {
            return invalid("has a name longer than 255 bytes");
        }
        if text.starts_with("file://") {
            return invalid("is a URL; a plain path is needed");
        }
        let below_home =
            text.strip_prefix('~').filter(|rest| rest.is_empty() || rest.starts_with('/'));
        let absolute = match (home, below_home) {
            (Some(home), Some(rest)) => home.join(rest.trim_start_matches('/')),
            _ => base.join(text),
        };
        let names_directory =
            text.ends_with('/') || matches!(text.rsplit('/').next(), Some("." | ".."));
        Ok(RequestedPath { text: text.clone(), shown: shown(text), absolute, names_directory })
    }

    /// A refusal whose reason is the path and a predicate, such as `is a directory`.
    pub(crate) fn refuse(&self, code: &'static str, predicate: impl fmt::Display) -> Refusal {
        Refusal::new(code, format!("{} {predicate}", self.shown))
    }

    /// Refuses to make a file whose name has invisible characters and so looks like another name.
    pub(crate) fn check_new_name(&self) -> Result<(), Refusal> {
        let Some(hidden) = self.text.chars().find(|&char| is_deceptive(char)) else {
            return Ok(());
        };
        let code_point = u32::from(hidden);
        let predicate =
            format!("holds the invisible character U+{code_point:04X}. Nothing was written");
        Err(self.refuse(code::INVALID_PATH, predicate).titled("Write denied"))
    }
}

/// Whether a character is a control, reorders other characters, or has no width.
pub(crate) fn is_deceptive(char: char) -> bool {
    char.is_control()
        || matches!(char, '\u{ad}' | '\u{61c}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}'
            | '\u{2060}'..='\u{2069}' | '\u{feff}')
}

/// A name for messages and listings: on one line, with deceptive characters escaped.
pub(crate) fn escaped(name: &str) -> String {
    name.chars().fold(String::with_capacity(name.len()), |mut text, char| {
        if is_deceptive(char) || char == '\u{2028}' || char == '\u{2029}' {
            text.extend(char.escape_default());
        } else {
            text.push(char);
        }
        text
    })
}

/// A path or pattern for messages: escaped, and cut when it is long.
pub(crate) fn shown(text: &str) -> String {
    let shown = escaped(text);
    match shown.char_indices().nth(MAX_SHOWN_CHARS) {
        Some((end, _)) => format!("{}…", &shown[..end]),
        None => shown,
    }
}
