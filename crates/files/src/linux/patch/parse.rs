//! Parses a patch in either of its two forms. Nothing is guessed: a line that belongs to neither form is refused.

use std::borrow::Cow;

use super::wrapping::unwrapped;
use super::{envelope, unified};
use crate::linux::text::without_crlf;
use crate::refusal::{Refusal, code};

/// Most files of one patch.
const MAX_FILES: usize = 100;
/// Most hunks of one patch.
const MAX_HUNKS: usize = 1000;
/// Most lines after `@@` that one hunk has.
const MAX_SCOPES: usize = 8;
/// Most characters of a line that a message shows.
const MAX_SHOWN_CHARS: usize = 80;

/// What a patch does to one file.
#[derive(Debug)]
pub(super) struct FilePatch {
    pub(super) path: String,
    pub(super) action: Action,
}

/// How a patch changes a file.
#[derive(Debug)]
pub(super) enum Action {
    Add {
        content: String,
        is_executable: bool,
    },
    Update {
        hunks: Vec<Hunk>,
        move_to: Option<String>,
    },
    /// The hunks have the lines of the removed file, where the patch gives them.
    Delete {
        hunks: Vec<Hunk>,
    },
}

impl Action {
    pub(super) fn hunks(&self) -> &[Hunk] {
        match self {
            Action::Add { .. } => &[],
            Action::Update { hunks, .. } | Action::Delete { hunks } => hunks,
        }
    }
}

/// Consecutive lines of a file, some of them new or removed.
#[derive(Clone, Debug, Default)]
pub(super) struct Hunk {
    /// Lines after `@@`, below which the hunk is looked for, the outermost first.
    pub(super) scopes: Vec<String>,
    /// Number of the first line as the patch states it, from 1.
    pub(super) line: Option<usize>,
    /// Numbers of old and new lines as the patch states them.
    stated_counts: Option<(usize, usize)>,
    /// Numbers of old and new lines that were read.
    read_counts: (usize, usize),
    pub(super) lines: Vec<Line>,
    /// Whether the last line of the hunk is the last of the file.
    pub(super) at_end: bool,
}

/// A line of a hunk.
#[derive(Clone, Debug)]
pub(super) struct Line {
    pub(super) sign: Sign,
    /// The line without its sign and its line end.
    pub(super) text: String,
    /// Whether the line is the last of the file and has no line end.
    pub(super) lacks_line_end: bool,
    /// Whether the line was empty in the patch, without even a sign.
    has_no_sign: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Sign {
    Context,
    Removed,
    Added,
}

impl Line {
    pub(super) fn is_old(&self) -> bool {
        self.sign != Sign::Added
    }

    pub(super) fn is_new(&self) -> bool {
        self.sign != Sign::Removed
    }
}

impl Hunk {
    fn push(&mut self, line: Line) {
        self.read_counts.0 += usize::from(line.is_old());
        self.read_counts.1 += usize::from(line.is_new());
        self.lines.push(line);
    }

    /// Removes the last line, which is a context line.
    fn pop_context(&mut self) {
        self.lines.pop();
        self.read_counts = (self.read_counts.0 - 1, self.read_counts.1 - 1);
    }

    /// Numbers of old and new lines that are stated but not read yet; `None` when the patch states none.
    pub(super) fn missing_lines(&self) -> Option<(usize, usize)> {
        let ((old, new), (has_old, has_new)) = (self.stated_counts?, self.read_counts);
        Some((old.saturating_sub(has_old), new.saturating_sub(has_new)))
    }

    /// Whether another hunk has the same old lines and names the same lines above them.
    pub(super) fn names_the_same<'h>(&'h self, other: &'h Hunk) -> bool {
        let old = |hunk: &'h Hunk| hunk.lines.iter().filter(|line| line.is_old());
        let texts = |hunk: &'h Hunk| old(hunk).map(|line| line.text.as_str());
        self.scopes == other.scopes && texts(self).eq(texts(other))
    }

    pub(super) fn is_complete(&self) -> bool {
        self.missing_lines() == Some((0, 0))
    }
}

/// The changes of all files of a patch.
pub(super) fn parse(text: &str) -> Result<Vec<FilePatch>, Refusal> {
    let is_crlf = text.lines().next().is_some_and(|line| text[line.len()..].starts_with("\r\n"));
    let text = if is_crlf { without_crlf(text) } else { Cow::Borrowed(text) };
    let mut lines: Vec<&str> = text.split('\n').collect();
    if text.ends_with('\n') {
        lines.pop();
    }
    let (lines, before) = unwrapped(lines, |line| line == envelope::BEGIN_PATCH);
    let mut reader = PatchReader { lines, at: 0, before };
    let files = if reader.lines.iter().any(|line| line.trim() == envelope::BEGIN_PATCH) {
        envelope::parse(&mut reader)?
    } else {
        unified::parse(&mut reader)?
    };
    let hunks: usize = files.iter().map(|file| file.action.hunks().len()).sum();
    if files.is_empty() || files.len() > MAX_FILES || hunks > MAX_HUNKS {
        let message = format!("a patch has 1 to {MAX_FILES} files and at most {MAX_HUNKS} hunks");
        return Err(Refusal::new(code::INVALID_PATCH, message).with_hint(PATCH_FORMS_HINT));
    }
    Ok(files)
}

pub(super) const PATCH_FORMS_HINT: &str = "Begin with `*** Begin Patch`, then for each file `*** Update File: path` with hunks (`@@` \
                                and lines that begin with ' ', '-' or '+'), `*** Add File: path` with '+' lines, or \
                                `*** Delete File: path`; end with `*** End Patch`. A unified diff is taken as well.";

/// Reads the lines of a patch one by one.
pub(super) struct PatchReader<'t> {
    lines: Vec<&'t str>,
    at: usize,
    /// Number of lines around the patch that come before it.
    before: usize,
}

impl<'t> PatchReader<'t> {
    pub(super) fn peek(&self) -> Option<&'t str> {
        self.peek_at(0)
    }

    pub(super) fn peek_at(&self, by: usize) -> Option<&'t str> {
        self.lines.get(self.at + by).copied()
    }

    pub(super) fn next(&mut self) {
        self.at += 1;
    }

    /// The refusal of the next line.
    pub(super) fn invalid(&self, why: &str) -> Refusal {
        let number = self.before + (self.at + 1).min(self.lines.len().max(1));
        let line = self.peek().map_or(String::new(), |line| {
            format!(" ({})", line.chars().take(MAX_SHOWN_CHARS).collect::<String>())
        });
        let message = format!("line {number} of the patch{line} {why}");
        Refusal::new(code::INVALID_PATCH, message)
            .with_lines(vec![number])
            .with_hint(PATCH_FORMS_HINT)
    }

    /// Reads hunks up to a line that belongs to none.
    pub(super) fn hunks(
        &mut self,
        is_over: impl Fn(&PatchReader<'t>, Option<&Hunk>) -> bool,
    ) -> Result<Vec<Hunk>, Refusal> {
        let mut hunks: Vec<Hunk> = Vec::new();
        while let Some(line) = self.peek().filter(|_| !is_over(self, hunks.last())) {
            // Before the first line of a hunk blanks are no sign of an unchanged one.
            let bare = if hunks.is_empty() { line.trim_start() } else { line };
            if bare.starts_with("@@") {
                self.read_hunk_header(bare, &mut hunks)?;
            } else if line.is_empty() && hunks.last().is_none_or(Hunk::is_complete) {
                // Empty lines between hunks, or after the last one, mean nothing.
            } else {
                self.line(line, &mut hunks)?;
            }
            self.next();
        }
        for hunk in &mut hunks {
            // Empty lines without a sign at the end of a hunk only separate it from the next.
            while !hunk.at_end
                && hunk.stated_counts.is_none_or(|(old, _)| hunk.read_counts.0 > old)
                && hunk.lines.last().is_some_and(|line| line.has_no_sign && !line.lacks_line_end)
            {
                hunk.pop_context();
            }
            if hunk.lines.is_empty() {
                return Err(self.invalid("comes after a hunk without lines"));
            }
        }
        Ok(hunks)
    }

    /// Reads `@@ -1,2 +1,3 @@` with line numbers, or `@@` with a line below which the hunk is looked for.
    fn read_hunk_header(&self, line: &str, hunks: &mut Vec<Hunk>) -> Result<(), Refusal> {
        let after_sign = line[2..].trim();
        let place = after_sign.strip_prefix('-').and_then(parse_range);
        let follows = hunks.last().is_some_and(|last| {
            last.lines.is_empty() && last.stated_counts.is_none() && place.is_none()
        });
        if !follows {
            hunks.push(Hunk::default());
        }
        let Some(hunk) = hunks.last_mut() else { return Err(self.invalid("begins no hunk")) };
        if let Some((line, stated_counts)) = place {
            (hunk.line, hunk.stated_counts) = (Some(line), Some(stated_counts));
            return Ok(());
        }
        let scope = after_sign.strip_suffix("@@").unwrap_or(after_sign).trim();
        if hunk.scopes.len() == MAX_SCOPES {
            return Err(self.invalid("is one `@@` too many for a hunk"));
        }
        if !scope.is_empty() {
            hunk.scopes.push(scope.to_owned());
        }
        Ok(())
    }

    fn line(&self, line: &str, hunks: &mut Vec<Hunk>) -> Result<(), Refusal> {
        if line.trim_end() == envelope::END_OF_FILE {
            let last = hunks.last_mut().filter(|hunk| !hunk.lines.is_empty());
            last.ok_or_else(|| self.invalid("comes before any hunk"))?.at_end = true;
            return Ok(());
        }
        if line.starts_with('\\') {
            let last = hunks.last_mut().and_then(|hunk| hunk.lines.last_mut());
            last.ok_or_else(|| self.invalid("comes before any line"))?.lacks_line_end = true;
            return Ok(());
        }
        let sign = match line.as_bytes().first() {
            None | Some(b' ') => Sign::Context,
            Some(b'-') => Sign::Removed,
            Some(b'+') => Sign::Added,
            Some(_) => return Err(self.invalid("begins with none of ' ', '-', '+' and '@@'")),
        };
        if hunks.last().is_none_or(|last| last.at_end) {
            hunks.push(Hunk::default());
        }
        let Some(hunk) = hunks.last_mut() else { return Ok(()) };
        if hunk.lines.last().is_some_and(|last| last.lacks_line_end && last.sign == sign) {
            return Err(self.invalid("comes after the last line of its file"));
        }
        let text = line.get(1..).unwrap_or_default().to_owned();
        hunk.push(Line { sign, text, lacks_line_end: false, has_no_sign: line.is_empty() });
        Ok(())
    }

    /// Refuses a patch that ends before its last hunk does.
    pub(super) fn check_end(&self, last: Option<&Hunk>) -> Result<(), Refusal> {
        let Some(hunk) = last.filter(|_| self.peek().is_none()) else { return Ok(()) };
        match (hunk.missing_lines(), hunk.stated_counts) {
            (Some((old, new)), Some(stated_counts)) if (old, new) != (0, 0) => {
                let (has_old, has_new) = hunk.read_counts;
                let message = format!(
                    "the last hunk says that it has {} old and {} new lines, and has {has_old} and {has_new}: the patch \
                     seems to be cut off",
                    stated_counts.0, stated_counts.1
                );
                let hint = "Send all of it, or correct the numbers of its @@ line.";
                Err(Refusal::new(code::INVALID_PATCH, message).with_hint(hint))
            }
            _ => Ok(()),
        }
    }
}

/// Reads `1,2 +1,3 @@ …`: the number of the first line, and the numbers of old and new lines.
fn parse_range(after_sign: &str) -> Option<(usize, (usize, usize))> {
    let range = |text: &str| -> Option<(usize, usize)> {
        match text.split_once(',') {
            Some((first, count)) => Some((first.parse().ok()?, count.parse().ok()?)),
            None => Some((text.parse().ok()?, 1)),
        }
    };
    let mut words = after_sign.split_whitespace();
    let (line, old) = range(words.next()?)?;
    let (_, new) = range(words.next()?.strip_prefix('+')?)?;
    words.next()?.starts_with("@@").then_some((line, (old, new)))
}
