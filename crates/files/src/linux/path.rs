//! What was asked for, read once: nothing is trimmed, decoded or repaired, so what is checked is what is used.

use std::path::{Path, PathBuf};

use crate::linux::request::Text;
use crate::refusal::{Refusal, code};

/// As many bytes as the kernel takes, less the terminating one.
pub(crate) const MAX_PATH_BYTES: usize = 4095;
/// Longest name of Linux's file systems.
pub(crate) const MAX_NAME_BYTES: usize = 255;
/// Characters of a path that a message shows.
const MAX_SHOWN_CHARS: usize = 200;

/// A path that somebody asked for.
#[derive(Debug)]
pub(crate) struct RequestedPath {
    /// As it was given.
    text: String,
    /// For messages: without control characters, and not longer than a line or two.
    pub(crate) shown: String,
    /// Neither resolved nor normalised.
    pub(crate) absolute: PathBuf,
    /// The path is written as that of a directory.
    pub(crate) names_directory: bool,
}

impl RequestedPath {
    /// `home` is what `~` at the start means.
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

    /// Why nothing by that name is made: a name must look like what it is.
    pub(crate) fn check_new_name(&self) -> Result<(), Refusal> {
        let Some(hidden) = self.text.chars().find(|&char| is_deceptive(char)) else {
            return Ok(());
        };
        let reason = format!(
            "{} holds the invisible character U+{:04X}. Nothing was written",
            self.shown,
            u32::from(hidden)
        );
        Err(Refusal::new(code::INVALID_PATH, reason).titled("Write denied"))
    }
}

/// Controls, and characters that reorder others or take no room.
fn is_deceptive(char: char) -> bool {
    char.is_control()
        || matches!(char, '\u{ad}' | '\u{61c}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}'
            | '\u{2060}'..='\u{2069}' | '\u{feff}')
}

/// A name as messages and listings show it: on one line, with what hides or reorders text escaped.
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

pub(crate) fn shown(text: &str) -> String {
    let shown = escaped(text);
    match shown.char_indices().nth(MAX_SHOWN_CHARS) {
        Some((end, _)) => format!("{}…", &shown[..end]),
        None => shown,
    }
}
