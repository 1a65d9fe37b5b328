//! Parses `*** Begin Patch` … `*** End Patch`: for each file a line that says what is done to it, then its hunks.

use super::parse::{Action, FilePatch, PatchReader};
use crate::refusal::Refusal;

pub(super) const BEGIN_PATCH: &str = "*** Begin Patch";
pub(super) const END_OF_FILE: &str = "*** End of File";
const END_PATCH: &str = "*** End Patch";
const ADD_FILE: &str = "*** Add File:";
const UPDATE_FILE: &str = "*** Update File:";
const DELETE_FILE: &str = "*** Delete File:";
const MOVE_TO: &str = "*** Move to:";

pub(super) fn parse(reader: &mut PatchReader<'_>) -> Result<Vec<FilePatch>, Refusal> {
    let mut files = Vec::new();
    skip_blank(reader);
    if reader.peek().map(str::trim) != Some(BEGIN_PATCH) {
        return Err(reader.invalid("comes before `*** Begin Patch`"));
    }
    reader.next();
    loop {
        skip_blank(reader);
        // Between the files blanks before a line mean nothing.
        let Some(line) = reader.peek().map(str::trim_start) else {
            return Err(reader
                .invalid("is its last, and `*** End Patch` is missing: it seems to be cut off"));
        };
        if line.trim_end() == END_PATCH {
            break;
        }
        let path_after = |head| {
            line.strip_prefix(head)
                .map(|path: &str| path.trim_matches([' ', '\t', '\r']).to_owned())
        };
        let (added, updated, deleted) =
            (path_after(ADD_FILE), path_after(UPDATE_FILE), path_after(DELETE_FILE));
        let path = added.as_ref().or(updated.as_ref()).or(deleted.as_ref());
        let Some(path) = path.cloned() else {
            return Err(reader.invalid("says nothing about a file"));
        };
        reader.next();
        let action = match (added, updated) {
            (Some(_), _) => add(reader)?,
            (_, Some(_)) => update(reader)?,
            _ => Action::Delete { hunks: Vec::new() },
        };
        files.push(FilePatch { path, action });
    }
    reader.next();
    skip_blank(reader);
    match reader.peek() {
        None => Ok(files),
        Some(_) => Err(reader.invalid("comes after `*** End Patch`")),
    }
}

fn add(reader: &mut PatchReader<'_>) -> Result<Action, Refusal> {
    let mut content = String::new();
    while let Some(line) = reader.peek().and_then(|line| line.strip_prefix('+')) {
        content.push_str(line);
        content.push('\n');
        reader.next();
    }
    if reader.peek().is_some_and(|line| line.starts_with('\\')) && content.pop().is_some() {
        reader.next();
    }
    skip_blank(reader);
    match reader.peek().filter(|line| !line.trim_start().starts_with("***")) {
        None => Ok(Action::Add { content, is_executable: false }),
        Some(_) => Err(reader.invalid("is part of a new file and does not begin with '+'")),
    }
}

fn update(reader: &mut PatchReader<'_>) -> Result<Action, Refusal> {
    let move_to = reader.peek().and_then(|line| line.trim_start().strip_prefix(MOVE_TO));
    let move_to = move_to.map(|path| path.trim_matches([' ', '\t', '\r']).to_owned());
    if move_to.is_some() {
        reader.next();
    }
    let hunks = reader.hunks(|reader, _| {
        let line = reader.peek().unwrap_or_default();
        line.starts_with("***") && line.trim_end() != END_OF_FILE || ends_patch(reader)
    })?;
    if hunks.is_empty() && move_to.is_none() {
        return Err(reader.invalid("comes after a file that is updated without a hunk"));
    }
    Ok(Action::Update { hunks, move_to })
}

/// Whether the next line is the last of the patch, perhaps with blanks before it.
fn ends_patch(reader: &PatchReader<'_>) -> bool {
    let is_last = |by: usize| reader.peek_at(by).is_none_or(|line| line.trim().is_empty());
    reader.peek().is_some_and(|line| line.trim() == END_PATCH) && is_last(1)
}

fn skip_blank(reader: &mut PatchReader<'_>) {
    while reader.peek().is_some_and(|line| line.trim().is_empty()) {
        reader.next();
    }
}
