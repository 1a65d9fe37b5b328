//! Finds lines of files by a regular expression. Each text is masked as a whole before it is searched: a secret is neither
//! shown nor found, so that it cannot be guessed letter by letter.

use std::ops::{ControlFlow, Range};
use std::os::fd::AsFd;
use std::path::Path;

use rustix::fs::{FileType, OFlags};
use rustix::io::Errno;

use crate::linux::answer::{FileMatches, FoundLine, FoundLines, SearchStop};
use crate::linux::files::Files;
use crate::linux::judge::{Purpose, file_id, refuse_system_error};
use crate::linux::ledger::FileId;
use crate::linux::line_pattern::{LinePattern, TimedOut};
use crate::linux::path_pattern::PathPattern;
use crate::linux::read::{ReadFailure, read_all};
use crate::linux::request::{GrepMode, GrepRequest};
use crate::linux::text::{BINARY_SAMPLE_BYTES, Document, Encoding, is_binary, line_end};
use crate::linux::view::MaskedView;
use crate::linux::walk::{SearchBounds, TreeWalk, WalkedEntry};
use crate::refusal::Refusal;

/// Largest file that is searched in a directory.
pub(crate) const MAX_SEARCHED_BYTES: u64 = 10 << 20;
/// Most characters of a line that matches: a longer one is data or minified code.
pub(crate) const MAX_LINE_CHARS: usize = 1_000;
/// Most characters of a line around it.
pub(crate) const MAX_CONTEXT_CHARS: usize = 200;
/// Most of these characters that lie before the match.
const MAX_CHARS_BEFORE: usize = 300;

impl Files {
    pub(super) fn find_lines(&self, request: &GrepRequest) -> Result<FoundLines, Refusal> {
        self.grep_within(request, &SearchBounds::from_now())
    }

    pub(crate) fn grep_within(
        &self,
        request: &GrepRequest,
        bounds: &SearchBounds,
    ) -> Result<FoundLines, Refusal> {
        let pattern = LinePattern::parse(&request.pattern, request.ignore_case).map_err(|why| {
            let text = request.pattern.0.as_deref().unwrap_or_default();
            // In the form of a pattern a secret is not recognised, so that it could not be masked later.
            let hint = "Search for what is not secret in it.";
            if self.masked_text(text) == text { why } else { why.with_hint(hint) }
        })?;
        let parse = |glob| {
            PathPattern::parse_filter(glob).map_err(|refusal| {
                self.refuse_leading_pattern(refusal, "glob", glob, &request.path)
            })
        };
        let filter = request.glob.as_ref().map(parse).transpose()?;
        let (requested, handle) = self.place(&request.path, Purpose::Search)?;
        let answer = FoundLines {
            path: self.display(handle.canonical()),
            absolute: self.masked_text(&handle.canonical().to_string_lossy()),
            ..FoundLines::default()
        };
        let mut search = Search { files: self, request, pattern, filter, bounds, answer };
        let stopped = if handle.kind() == Some(FileType::Directory) {
            let failed = |error| refuse_system_error(&requested, error, Purpose::Search);
            let directory = handle.open(OFlags::RDONLY | OFlags::DIRECTORY).map_err(failed)?;
            let start = (&directory, handle.canonical());
            TreeWalk::run(self, start, request.reach, bounds, &mut |found_match| {
                search.found_match(found_match)
            })
            .map_err(failed)?
        } else {
            search.search_named_file()?
        };
        Ok(search.finish(stopped))
    }
}

/// A search for lines, and its answer so far.
struct Search<'s> {
    files: &'s Files,
    request: &'s GrepRequest,
    pattern: LinePattern,
    filter: Option<PathPattern>,
    bounds: &'s SearchBounds,
    answer: FoundLines,
}

/// A line that matches: its number from 1, its range with the line end, and the range of the match, both in the text.
struct MatchingLine {
    number: usize,
    line: Range<usize>,
    found_match: Range<usize>,
}

impl Search<'_> {
    /// Searches the file that the call names, whatever its name is and up to the size of files that are read.
    fn search_named_file(&mut self) -> Result<Option<SearchStop>, Refusal> {
        let (handle, search_content) =
            self.files.open_and_read(&self.request.path, Purpose::Search)?;
        let searched = self.search_content(
            handle.canonical(),
            file_id(&search_content.stat),
            search_content.bytes,
        );
        Ok(searched.break_value())
    }

    fn found_match(&mut self, found_match: &WalkedEntry<'_>) -> ControlFlow<SearchStop> {
        let is_asked_for = || {
            self.filter
                .as_ref()
                .is_none_or(|filter| self.files.matches(filter, found_match.relative))
        };
        if found_match.protected {
            let counts = found_match.kind == FileType::Directory || is_asked_for();
            self.answer.skipped.protected += usize::from(counts);
            return ControlFlow::Continue(());
        }
        if found_match.kind != FileType::RegularFile || !is_asked_for() {
            return ControlFlow::Continue(());
        }
        match self.read_entry(found_match) {
            Ok(Some((file, bytes))) => self.search_content(found_match.path, file, bytes),
            // The file was removed, or a link or a pipe has its name by now.
            Ok(None) | Err(ReadFailure::System(Errno::NOENT | Errno::LOOP | Errno::NXIO)) => {
                ControlFlow::Continue(())
            }
            Err(ReadFailure::TooLarge(_) | ReadFailure::Grows) => {
                self.answer.skipped.large += 1;
                ControlFlow::Continue(())
            }
            Err(ReadFailure::Endless | ReadFailure::System(_)) => {
                self.answer.skipped.unreadable += 1;
                ControlFlow::Continue(())
            }
        }
    }

    /// The identity and content of a file; `None` for one that is skipped.
    fn read_entry(
        &mut self,
        found_match: &WalkedEntry<'_>,
    ) -> Result<Option<(FileId, Vec<u8>)>, ReadFailure> {
        let file = found_match.open().map_err(ReadFailure::System)?;
        let stat = rustix::fs::fstat(&file).map_err(ReadFailure::System)?;
        if self.files.is_secret_file(&stat) {
            self.answer.skipped.protected += 1;
            return Ok(None);
        }
        if FileType::from_raw_mode(stat.st_mode) != FileType::RegularFile {
            return Ok(None);
        }
        let is_long = usize::try_from(stat.st_size).is_ok_and(|size| size > BINARY_SAMPLE_BYTES);
        if is_long && begins_as_binary(&file) {
            self.answer.skipped.binary += 1;
            return Ok(None);
        }
        let bytes = read_all(&file, &stat, self.files.max_read_bytes.min(MAX_SEARCHED_BYTES))?;
        Ok(Some((file_id(&stat), bytes)))
    }

    fn search_content(
        &mut self,
        path: &Path,
        file: FileId,
        bytes: Vec<u8>,
    ) -> ControlFlow<SearchStop> {
        let document = Document::decode(bytes);
        if document.encoding == Encoding::Binary {
            self.answer.skipped.binary += 1;
            return ControlFlow::Continue(());
        }
        self.answer.searched += 1;
        self.files.learn_whole(path, &document.text);
        let mut view = MaskedView::of(&self.files.redactor, &document.text);
        let (mut matches, mut matching_lines, mut searched) = self.matching_lines(&view.text);
        if !matching_lines.is_empty() && self.files.learn_from(&view, &document.text) {
            view = MaskedView::of(&self.files.redactor, &document.text);
            (matches, matching_lines, searched) = self.matching_lines(&view.text);
        }
        if matches > 0 {
            self.answer.redactions += view.masks.len();
            if !matching_lines.is_empty() && view.masks.len() > 1 && document.encoding.is_exact() {
                self.files.ledger().record_view(
                    file,
                    || document.encode(&document.text),
                    &view.text,
                    matching_lines.iter().map(|matching| view.masks_in(&matching.line)).collect(),
                );
            }
            self.add_file(path, &view.text, matches, &matching_lines);
        }
        match searched {
            Ok(()) => ControlFlow::Continue(()),
            Err(TimedOut) => ControlFlow::Break(SearchStop::Deadline),
        }
    }

    /// The number of lines that match, and those of them that the call asks for.
    fn matching_lines(&self, text: &str) -> (usize, Vec<MatchingLine>, Result<(), TimedOut>) {
        let wants_lines = self.request.mode == GrepMode::Lines;
        let first = self.request.offset;
        let window = first..first.saturating_add(self.request.limit);
        let mut matching_lines = Vec::new();
        let (mut at, mut matches) = (0, 0);
        let (mut number, mut counted) = (1, 0);
        loop {
            let found_match = match self.pattern.find(text, at, self.bounds.deadline) {
                Ok(Some(found_match)) => found_match,
                Ok(None) => return (matches, matching_lines, Ok(())),
                Err(over) => return (matches, matching_lines, Err(over)),
            };
            let start = memchr::memrchr(b'\n', &text.as_bytes()[at..found_match.start]);
            let start = start.map_or(at, |before| at + before + 1);
            let end = line_end(text, found_match.start);
            if wants_lines && window.contains(&(self.answer.total_matches + matches)) {
                number += memchr::memchr_iter(b'\n', &text.as_bytes()[counted..start]).count();
                counted = start;
                matching_lines.push(MatchingLine { number, line: start..end, found_match });
            }
            matches += 1;
            at = end;
        }
    }

    fn add_file(
        &mut self,
        path: &Path,
        text: &str,
        matches: usize,
        matching_lines: &[MatchingLine],
    ) {
        let first = self.request.offset;
        let window = first..first.saturating_add(self.request.limit);
        let is_shown = match self.request.mode {
            GrepMode::Lines => !matching_lines.is_empty(),
            GrepMode::Files | GrepMode::Count => window.contains(&self.answer.total_files),
        };
        self.answer.total_matches += matches;
        self.answer.total_files += 1;
        if is_shown {
            let (path, masks) = self.files.display_whole(path);
            self.answer.redactions += masks;
            let lines = with_context(text, matching_lines, self.request.context);
            self.answer.files.push(FileMatches { path, matches, lines });
        }
    }

    fn finish(self, stopped: Option<SearchStop>) -> FoundLines {
        let GrepRequest { offset, mode, .. } = *self.request;
        let mut answer = self.answer;
        let (total, shown) = match mode {
            GrepMode::Lines => {
                let lines = answer.files.iter().flat_map(|file| &file.lines);
                (answer.total_matches, lines.filter(|line| line.r#match).count())
            }
            GrepMode::Files | GrepMode::Count => (answer.total_files, answer.files.len()),
        };
        let next = offset.saturating_add(shown);
        answer.next_offset = (shown > 0 && next < total).then_some(next);
        answer.truncated = answer.next_offset.is_some() || stopped.is_some();
        answer.stopped = stopped;
        answer
    }
}

fn begins_as_binary(file: &impl AsFd) -> bool {
    let mut start = [0; BINARY_SAMPLE_BYTES];
    rustix::io::pread(file, &mut start, 0).is_ok_and(|length| is_binary(&start[..length]))
}

/// The matching lines with the lines around them, each once.
fn with_context(text: &str, matching_lines: &[MatchingLine], context: usize) -> Vec<FoundLine> {
    let mut lines = Vec::new();
    let bytes = text.as_bytes();
    // End of the last line that was given.
    let mut given = 0;
    for (index, matching) in matching_lines.iter().enumerate() {
        let mut before = Vec::new();
        let mut start = matching.line.start;
        while before.len() < context && start > given {
            let end = start;
            start =
                memchr::memrchr(b'\n', &bytes[given..end - 1]).map_or(given, |at| given + at + 1);
            before.push(&text[start..end]);
        }
        for (distance, line) in before.iter().enumerate().rev() {
            lines.push(FoundLine {
                line: matching.number - distance - 1,
                text: shortened(line, &(0..0), MAX_CONTEXT_CHARS),
                r#match: false,
            });
        }
        let line = &text[matching.line.clone()];
        let found_match = matching.found_match.start - matching.line.start
            ..matching.found_match.end - matching.line.start;
        lines.push(FoundLine {
            line: matching.number,
            text: shortened(line, &found_match, MAX_LINE_CHARS),
            r#match: true,
        });
        given = matching.line.end;
        let next = matching_lines.get(index + 1).map_or(text.len(), |next| next.line.start);
        for distance in 1..=context {
            if given >= next {
                break;
            }
            let end = line_end(text, given);
            let text = shortened(&text[given..end], &(0..0), MAX_CONTEXT_CHARS);
            lines.push(FoundLine { line: matching.number + distance, text, r#match: false });
            given = end;
        }
    }
    lines
}

/// A line without its line end, cut around the match where it is long.
fn shortened(line: &str, found_match: &Range<usize>, max_chars: usize) -> String {
    let line = line.strip_suffix('\n').map_or(line, |line| line.strip_suffix('\r').unwrap_or(line));
    if line.char_indices().nth(max_chars).is_none() {
        return line.to_owned();
    }
    let chars_before = |from: usize, most: usize| {
        line[..from].char_indices().rev().take(most).last().map_or(from, |(at, _)| at)
    };
    let chars_after = |from: usize, most: usize| {
        line[from..].char_indices().nth(most).map_or(line.len(), |(at, _)| from + at)
    };
    let start = chars_before(found_match.start.min(line.len()), MAX_CHARS_BEFORE);
    let end = chars_after(start, max_chars);
    // Near the end of the line the cut begins earlier, so that it is as long.
    let start = if end == line.len() { chars_before(end, max_chars) } else { start };
    let ellipsis = |is_cut: bool| if is_cut { "…" } else { "" };
    format!("{}{}{}", ellipsis(start > 0), &line[start..end], ellipsis(end < line.len()))
}

#[cfg(test)]
mod tests;
