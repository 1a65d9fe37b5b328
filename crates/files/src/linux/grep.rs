//! Lines of files by a regular expression. Each text is masked as a whole before anything is looked for in it: what a mask
//! hides is neither shown nor found, so that it cannot be asked for letter by letter.

use std::ops::{ControlFlow, Range};
use std::os::fd::AsFd;
use std::path::Path;

use rustix::fs::{FileType, OFlags};
use rustix::io::Errno;

use crate::linux::answer::{FileMatches, FoundLine, FoundLines, SearchStop};
use crate::linux::files::Files;
use crate::linux::judge::{Purpose, file_id, system};
use crate::linux::ledger::FileId;
use crate::linux::line_pattern::{LinePattern, TimedOut, line_end};
use crate::linux::path_pattern::PathPattern;
use crate::linux::read::{Unread, read_all};
use crate::linux::request::{GrepMode, GrepRequest};
use crate::linux::text::{BINARY_SAMPLE_BYTES, Document, Encoding, is_binary};
use crate::linux::view::View;
use crate::linux::walk::{Bounds, Found, Walk};
use crate::refusal::{Refusal, code};

/// Largest file of a directory that is searched.
pub(crate) const MAX_SEARCHED_BYTES: u64 = 10 << 20;
/// Characters of a line that are given.
pub(crate) const MAX_LINE_CHARS: usize = 200;
/// Of these, so many before the match at most.
const CHARS_BEFORE: usize = 60;

impl Files {
    /// Lines that match.
    pub fn grep(&self, request: &GrepRequest) -> Result<FoundLines, Refusal> {
        self.grep_within(request, &Bounds::from_now()).map_err(|refusal| self.masked(refusal))
    }

    pub(crate) fn grep_within(
        &self,
        request: &GrepRequest,
        bounds: &Bounds,
    ) -> Result<FoundLines, Refusal> {
        let pattern = LinePattern::parse(&request.pattern, request.ignore_case).map_err(|why| {
            let text = request.pattern.0.as_deref().unwrap_or_default();
            // Written as a pattern a secret is not recognised any more.
            let hint = "Search for what is not secret in it.";
            if self.masked_text(text) == text { why } else { why.with_hint(hint) }
        })?;
        let filter = request.glob.as_ref().map(PathPattern::parse_filter).transpose()?;
        let (asked, handle) = self.place(&request.path, Purpose::Search)?;
        let answer = FoundLines {
            path: self.display(handle.canonical()),
            absolute: self.masked_text(&handle.canonical().to_string_lossy()),
            ..FoundLines::default()
        };
        let mut search = Search { files: self, request, pattern, filter, bounds, answer };
        let stopped = if handle.kind() == Some(FileType::Directory) {
            let failed = |error| system(&asked, error, Purpose::Search);
            let directory = handle.open(OFlags::RDONLY | OFlags::DIRECTORY).map_err(failed)?;
            let start = (&directory, handle.canonical());
            Walk::run(self, start, request.reach, bounds, &mut |found| search.found(found))
                .map_err(failed)?
        } else {
            search.named_file()?
        };
        Ok(search.finish(stopped))
    }
}

struct Search<'s> {
    files: &'s Files,
    request: &'s GrepRequest,
    pattern: LinePattern,
    filter: Option<PathPattern>,
    bounds: &'s Bounds,
    answer: FoundLines,
}

/// A line that matches: its number from 1, where it is with its end, and where in the text the match is.
struct Hit {
    number: usize,
    line: Range<usize>,
    found: Range<usize>,
}

impl Search<'_> {
    /// A file that was named is searched whatever it is called, and as large as files are read.
    fn named_file(&mut self) -> Result<Option<SearchStop>, Refusal> {
        let (handle, content) = self
            .files
            .open_and_read(&self.request.path, Purpose::Search)
            .map_err(|refusal| match refusal.code {
                code::TOO_LARGE => refusal.with_hint("Search it with a command, such as grep."),
                _ => refusal,
            })?;
        let searched = self.content(handle.canonical(), file_id(&content.stat), content.bytes);
        Ok(searched.break_value())
    }

    fn found(&mut self, found: &Found<'_>) -> ControlFlow<SearchStop> {
        let is_asked_for =
            || self.filter.as_ref().is_none_or(|filter| self.files.matches(filter, found.relative));
        if found.protected {
            let counts = found.kind == FileType::Directory || is_asked_for();
            self.answer.skipped.protected += usize::from(counts);
            return ControlFlow::Continue(());
        }
        if found.kind != FileType::RegularFile || !is_asked_for() {
            return ControlFlow::Continue(());
        }
        match self.bytes_of(found) {
            Ok(Some((file, bytes))) => self.content(found.path, file, bytes),
            // It is gone, or something else has its name.
            Ok(None) | Err(Unread::System(Errno::NOENT | Errno::LOOP | Errno::NXIO)) => {
                ControlFlow::Continue(())
            }
            Err(Unread::TooLarge(_) | Unread::Grows) => {
                self.answer.skipped.large += 1;
                ControlFlow::Continue(())
            }
            Err(Unread::Endless | Unread::System(_)) => {
                self.answer.skipped.unreadable += 1;
                ControlFlow::Continue(())
            }
        }
    }

    /// `None` for what is counted otherwise, or not at all.
    fn bytes_of(&mut self, found: &Found<'_>) -> Result<Option<(FileId, Vec<u8>)>, Unread> {
        let file = found.open().map_err(Unread::System)?;
        let stat = rustix::fs::fstat(&file).map_err(Unread::System)?;
        if self.files.is_secret(&stat) {
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

    fn content(&mut self, path: &Path, file: FileId, bytes: Vec<u8>) -> ControlFlow<SearchStop> {
        let document = Document::decode(bytes);
        if document.encoding == Encoding::Binary {
            self.answer.skipped.binary += 1;
            return ControlFlow::Continue(());
        }
        self.answer.searched += 1;
        let view = View::of(&self.files.redactor, &document.text);
        let (matches, hits, searched) = self.hits(&view.text);
        if matches > 0 {
            self.answer.redactions += view.masks.len();
            if !hits.is_empty() && view.masks.len() > 1 && document.encoding.is_exact() {
                self.files.ledger().record_view(
                    file,
                    || document.encode(&document.text),
                    &view.text,
                    hits.iter().map(|hit| view.masks_in(&hit.line)).collect(),
                );
            }
            self.add(path, &view.text, matches, &hits);
        }
        match searched {
            Ok(()) => ControlFlow::Continue(()),
            Err(TimedOut) => ControlFlow::Break(SearchStop::Deadline),
        }
    }

    /// How many lines match, and those of them that are asked for.
    fn hits(&self, text: &str) -> (usize, Vec<Hit>, Result<(), TimedOut>) {
        let wants_lines = self.request.mode == GrepMode::Lines;
        let first = self.request.offset;
        let window = first..first.saturating_add(self.request.limit);
        let mut hits = Vec::new();
        let (mut at, mut matches) = (0, 0);
        let (mut number, mut counted) = (1, 0);
        loop {
            let found = match self.pattern.find(text, at, self.bounds.until) {
                Ok(Some(found)) => found,
                Ok(None) => return (matches, hits, Ok(())),
                Err(over) => return (matches, hits, Err(over)),
            };
            let start = memchr::memrchr(b'\n', &text.as_bytes()[at..found.start]);
            let start = start.map_or(at, |before| at + before + 1);
            let end = line_end(text, found.start);
            if wants_lines && window.contains(&(self.answer.total_matches + matches)) {
                number += memchr::memchr_iter(b'\n', &text.as_bytes()[counted..start]).count();
                counted = start;
                hits.push(Hit { number, line: start..end, found });
            }
            matches += 1;
            at = end;
        }
    }

    fn add(&mut self, path: &Path, text: &str, matches: usize, hits: &[Hit]) {
        let first = self.request.offset;
        let window = first..first.saturating_add(self.request.limit);
        let is_shown = match self.request.mode {
            GrepMode::Lines => !hits.is_empty(),
            GrepMode::Files | GrepMode::Count => window.contains(&self.answer.total_files),
        };
        self.answer.total_matches += matches;
        self.answer.total_files += 1;
        if is_shown {
            let (path, masks) = self.files.display_whole(path);
            self.answer.redactions += masks;
            let lines = with_context(text, hits, self.request.context);
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

/// The lines with those around them, each once.
fn with_context(text: &str, hits: &[Hit], context: usize) -> Vec<FoundLine> {
    let mut lines = Vec::new();
    let bytes = text.as_bytes();
    // Up to here everything is given that is wanted.
    let mut given = 0;
    for (index, hit) in hits.iter().enumerate() {
        let mut before = Vec::new();
        let mut start = hit.line.start;
        while before.len() < context && start > given {
            let end = start;
            start =
                memchr::memrchr(b'\n', &bytes[given..end - 1]).map_or(given, |at| given + at + 1);
            before.push(&text[start..end]);
        }
        for (distance, line) in before.iter().enumerate().rev() {
            lines.push(FoundLine {
                line: hit.number - distance - 1,
                text: cut(line, &(0..0)),
                r#match: false,
            });
        }
        let line = &text[hit.line.clone()];
        let found = hit.found.start - hit.line.start..hit.found.end - hit.line.start;
        lines.push(FoundLine { line: hit.number, text: cut(line, &found), r#match: true });
        given = hit.line.end;
        let next = hits.get(index + 1).map_or(text.len(), |next| next.line.start);
        for distance in 1..=context {
            if given >= next {
                break;
            }
            let end = line_end(text, given);
            let text = cut(&text[given..end], &(0..0));
            lines.push(FoundLine { line: hit.number + distance, text, r#match: false });
            given = end;
        }
    }
    lines
}

/// A line without its end; of a long one what is around the match.
fn cut(line: &str, found: &Range<usize>) -> String {
    let line = line.strip_suffix('\n').map_or(line, |line| line.strip_suffix('\r').unwrap_or(line));
    if line.char_indices().nth(MAX_LINE_CHARS).is_none() {
        return line.to_owned();
    }
    let back = |from: usize, most: usize| {
        line[..from].char_indices().rev().take(most).last().map_or(from, |(at, _)| at)
    };
    let forth = |from: usize, most: usize| {
        line[from..].char_indices().nth(most).map_or(line.len(), |(at, _)| from + at)
    };
    let start = back(found.start.min(line.len()), CHARS_BEFORE);
    let end = forth(start, MAX_LINE_CHARS);
    // Near its end the line begins earlier, so that as much of it is given.
    let start = if end == line.len() { back(end, MAX_LINE_CHARS) } else { start };
    let mark = |is_cut: bool| if is_cut { "…" } else { "" };
    format!("{}{}{}", mark(start > 0), &line[start..end], mark(end < line.len()))
}

#[cfg(test)]
mod tests;
