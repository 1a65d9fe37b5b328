//! Editing: every replacement is matched against the text as it is shown, exactly and once, or nothing is changed.

pub(crate) mod locate;
mod nearest;

use std::ops::Range;

use crate::linux::answer::{EditedFile, ReplacedPlace};
use crate::linux::files::Files;
use crate::linux::judge::{Purpose, file_id};
use crate::linux::ledger::{NewContent, Seen};
use crate::linux::path::Asked;
use crate::linux::publish::Change;
use crate::linux::read::Content;
use crate::linux::request::EditRequest;
use crate::linux::resolve::Handle;
use crate::linux::restore::Draft;
use crate::linux::text::{Document, Encoding, count_lines, line_at, lines, named_lines};
use crate::linux::view::{View, floor};
use crate::linux::write::{new_text_of, refuse_mask, stale_numbers, text_of};
use crate::refusal::{Refusal, code};
use locate::{Lead, NO_EDIT, Place, locate};

/// Tries when a file is exchanged between finding and opening it.
const MAX_TRIES: usize = 32;
/// Lines shown on each side of a replacement, and of a place that did not match.
const CONTEXT_LINES: usize = 3;
/// Places of a call that are named one by one; all are counted.
pub(crate) const MAX_REPLACED: usize = 100;
/// Places of a call that are shown.
const MAX_SNIPPETS: usize = 10;
/// Lines that one snippet has.
const MAX_SNIPPET_LINES: usize = 40;
/// Bytes that one snippet has of the file, and how many of them lie before the change.
const MAX_SNIPPET_BYTES: usize = 2 << 10;
const BYTES_BEFORE: usize = 512;
/// Lines shown of a text that has changed.
const SHOWN_LINES: usize = 10;

impl Files {
    /// Replaces parts of a file.
    pub fn edit(&self, request: &EditRequest) -> Result<EditedFile, Refusal> {
        self.edit_file(request).map_err(|refusal| self.masked(refusal))
    }

    fn edit_file(&self, request: &EditRequest) -> Result<EditedFile, Refusal> {
        for _ in 0..MAX_TRIES {
            // Calls that edit one file at the same time do so one after the other.
            let (_, handle) = self.place(&request.path, Purpose::Edit)?;
            let _lock = Files::lock(&handle);
            let Some(Prepared { change, now, answer, .. }) = self.prepare_edit(request)? else {
                continue;
            };
            let stat = change.publish(self.way)?;
            self.ledger().record_change(file_id(&stat), &now);
            return Ok(answer);
        }
        let reason = "the file is being replaced all the time";
        Err(Refusal::new(code::CHANGED_ON_DISK, reason).titled(NO_EDIT))
    }

    /// The new content, and what is said of it; `None` when another file has the name by now.
    pub(crate) fn prepare_edit(&self, request: &EditRequest) -> Result<Option<Prepared>, Refusal> {
        let (asked, handle) = self.place(&request.path, Purpose::Edit)?;
        if handle.stat().is_none() {
            return Err(self.not_found(&asked, Some(&handle)));
        }
        let Some(old) = self.content(&asked, &handle, Purpose::Edit)? else { return Ok(None) };
        self.check_identity(&asked, &old.stat, Purpose::Edit)?;
        let lead = Lead::of_edit();
        let texts = request.edits.iter().flat_map(|edit| [&edit.old, &edit.new]);
        let texts = texts.filter_map(|text| text.0.as_deref());
        let plan = |asked: &Asked, text: &str| plan(asked, text, request);
        self.replace_places((asked, handle, old), &lead, texts, plan).map(Some)
    }

    /// The content with some places of its view replaced; `texts` is all that was given to say which and by what.
    pub(crate) fn replace_places<'r>(
        &self,
        (asked, handle, old): (Asked, Handle, Content),
        lead: &Lead,
        texts: impl Iterator<Item = &'r str>,
        plan: impl FnOnce(&Asked, &str) -> Result<Vec<Place<'r>>, Refusal>,
    ) -> Result<Prepared, Refusal> {
        let (file, seen, stat) = (file_id(&old.stat), old.hash, old.stat);
        let document = Document::decode(old.bytes);
        if document.encoding == Encoding::Binary {
            return Err(lead.refuse(code::NOT_EDITABLE, &format!("{} is binary", asked.shown)));
        }
        let view = View::of(&self.redactor, &document.text);
        let numbers = self.ledger().numbers(file, seen);
        if view.has_unseen(&document.text, texts, numbers.as_deref()) {
            return Err(stale_numbers(&asked));
        }
        let places = plan(&asked, &view.text).map_err(|refusal| {
            let is_stale = matches!(refusal.code, code::NO_MATCH | code::AMBIGUOUS);
            match self.ledger().seen(file, seen, &view.text) {
                Seen::Changed(lines) if is_stale => {
                    changed(&asked, lead, &view.text, lines, refusal.edit)
                }
                _ => refusal,
            }
        })?;
        let numbers = numbers.unwrap_or_default();
        // A part of a mask has no number, but means one.
        if places.iter().any(|place| view.cuts_unseen(&place.shown, &numbers)) {
            return Err(stale_numbers(&asked));
        }
        let kept: usize =
            view.text.len() - places.iter().map(|place| place.shown.len()).sum::<usize>();
        let bytes = places.iter().fold(kept, |bytes, place| bytes.saturating_add(place.new.len()));
        let most = usize::try_from(self.max_read_bytes).unwrap_or(usize::MAX);
        if bytes > most.max(view.text.len()) {
            let reason = format!("{} would be too large to be read again", asked.shown);
            return Err(lead.refuse(code::TOO_LARGE, &reason));
        }
        let breaks: Vec<usize> = memchr::memchr_iter(b'\n', view.text.as_bytes()).collect();
        let mut draft = Draft::new(&view);
        let is_exact = document.encoding.is_exact();
        for place in &places {
            let hunk = place.hunk(&view.text, &breaks);
            let is_ascii = view.text[hunk.shown.clone()].is_ascii() && hunk.new.is_ascii();
            if !(is_exact || is_ascii) {
                return Err(not_ascii(&asked, lead).of_edit(place.edit));
            }
            draft.replace(&hunk);
        }
        let rebuilt = draft.rebuild(&self.redactor, &document.text).map_err(|fault| {
            let refusal = refuse_mask(&asked, fault);
            match places.get(fault.hunk) {
                Some(place) => refusal.of_edit(place.edit),
                None => refusal,
            }
        })?;
        let bytes = rebuilt.encode(&document, &view).ok_or_else(|| not_ascii(&asked, lead))?;
        let hash = self.ledger().hash(&bytes);
        let answer = EditedFile {
            path: self.display(handle.canonical()),
            absolute: self.masked_text(&handle.canonical().to_string_lossy()),
            bytes: bytes.len(),
            places: places.len(),
            edits: replaced(&view.text, &rebuilt.shown, &places, &draft.new),
            restored_masks: rebuilt.restored,
            version: self.version(&handle, hash),
        };
        let numbers = if rebuilt.keeps_numbers { numbers } else { Vec::new() };
        let now = NewContent { hash, shown: rebuilt.shown, numbers };
        let change = Change::replacing(asked, handle, stat, bytes);
        Ok(Prepared { change, now, is_same: rebuilt.is_same, answer })
    }
}

/// An edit that only has to be put in its place.
#[derive(Debug)]
pub(crate) struct Prepared {
    pub(crate) change: Change,
    pub(crate) now: NewContent,
    /// As a model sees it, nothing changes.
    pub(crate) is_same: bool,
    pub(crate) answer: EditedFile,
}

/// Where the edits apply, in the order of the text.
fn plan<'r>(
    asked: &Asked,
    text: &str,
    request: &'r EditRequest,
) -> Result<Vec<Place<'r>>, Refusal> {
    let mut places = Vec::new();
    for (index, edit) in request.edits.iter().enumerate() {
        let located = text_of(&edit.old, "The old text")
            .and_then(|old| Ok((old, new_text_of(&edit.new, "The new text")?)))
            .and_then(|(old, new)| locate(asked, text, (edit, request.first), (old, new), index));
        places.extend(located.map_err(|refusal| refusal.of_edit(index))?);
    }
    in_order(places).map_err(|(a, b, line)| {
        let line = line_at(text, line);
        let reason = format!("edits {a} and {b} overlap at line {line} of {}", asked.shown);
        Refusal::new(code::OVERLAP, reason).titled(NO_EDIT).with_lines(vec![line])
    })
}

/// The places in the order of the text; fails with the numbers of two edits, from 1, that touch the same text, and where.
pub(crate) fn in_order(
    mut places: Vec<Place<'_>>,
) -> Result<Vec<Place<'_>>, (usize, usize, usize)> {
    places.sort_by_key(|place| (place.shown.start, place.shown.end));
    let touch = places.windows(2).find_map(|pair| {
        let [first, second] = pair else { return None };
        let both = (first.edit.min(second.edit) + 1, first.edit.max(second.edit) + 1);
        (second.shown.start < first.shown.end || first.shown.start == second.shown.start)
            .then_some((both.0, both.1, second.shown.start))
    });
    touch.map_or(Ok(places), Err)
}

/// The file is not what was read, and the old text is not there any more.
fn changed(
    asked: &Asked,
    lead: &Lead,
    text: &str,
    lines: Option<(usize, usize)>,
    edit: Option<u32>,
) -> Refusal {
    let reason = format!(
        "{} changed on disk after you read it and the old text no longer matches once",
        asked.shown
    );
    let refusal = match lines {
        None => lead.refuse(code::CHANGED_ON_DISK, &reason).with_hint("Read it again."),
        Some((first, last)) => {
            let shown = nearest::numbered(text, first, (last + 1 - first).min(SHOWN_LINES));
            let reason = format!("{reason}. Current {}:\n{shown}", named_lines(first, last));
            lead.refuse(code::CHANGED_ON_DISK, &reason).with_lines(vec![first, last])
        }
    };
    Refusal { edit, ..refusal }
}

/// Some characters of the file are shown as U+FFFD, and nobody knows what they are.
fn not_ascii(asked: &Asked, lead: &Lead) -> Refusal {
    let reason =
        format!("{} is no UTF-8 or UTF-16 text, and the change is not in plain ASCII", asked.shown);
    let hint = "Change only what is plain ASCII, into plain ASCII; all else stays as it is.";
    lead.refuse(code::NOT_EDITABLE, &reason).with_hint(hint)
}

/// What is said of each place.
fn replaced(
    old: &str,
    new: &str,
    places: &[Place<'_>],
    written: &[Range<usize>],
) -> Vec<ReplacedPlace> {
    let starts: Vec<usize> = lines(new)
        .scan(0, |at, line| {
            *at += line.len();
            Some(*at - line.len())
        })
        .chain([new.len()])
        .collect();
    let breaks = |text: &str| memchr::memchr_iter(b'\n', text.as_bytes()).count();
    // Up to where lines of the old text are counted, and the line there in the new text.
    let (mut counted, mut line) = (0, 1_usize);
    let say = |(index, (place, written)): (usize, (&Place<'_>, &Range<usize>))| {
        let was = &old[place.shown.clone()];
        line += breaks(&old[counted..place.shown.start]);
        counted = place.shown.end;
        let (removed, added) = (count_lines(was), count_lines(&place.new));
        let last_line = starts.len() - 1;
        let first = line.saturating_sub(1 + CONTEXT_LINES).min(last_line);
        let last = (line - 1 + added.max(1) + CONTEXT_LINES).min(last_line);
        let last = last.min(first + MAX_SNIPPET_LINES).max(first);
        let (snippet, skipped) = if index < MAX_SNIPPETS {
            snippet(new, starts[first]..starts[last], written.start)
        } else {
            Default::default()
        };
        let said = ReplacedPlace {
            edit: place.edit,
            line,
            removed,
            added,
            occurrences: place.occurrences,
            snippet,
            snippet_line: first + 1 + skipped,
        };
        line += breaks(&place.new);
        said
    };
    places.iter().zip(written).take(MAX_REPLACED).enumerate().map(say).collect()
}

/// A stretch of a text, or what of it lies around a place, and how many lines that leaves out before.
fn snippet(text: &str, shown: Range<usize>, at: usize) -> (String, usize) {
    if shown.len() <= MAX_SNIPPET_BYTES {
        return (text[shown].to_owned(), 0);
    }
    let last = shown.end - MAX_SNIPPET_BYTES;
    let from = floor(text, at.saturating_sub(BYTES_BEFORE).clamp(shown.start, last));
    let to = floor(text, from + MAX_SNIPPET_BYTES);
    let mark = |left_out: usize| match left_out {
        0 => String::new(),
        bytes => format!("…({bytes} bytes)…"),
    };
    let cut = &text[from..to];
    let snippet = format!("{}{cut}{}", mark(from - shown.start), mark(shown.end - to));
    (snippet, memchr::memchr_iter(b'\n', &text.as_bytes()[shown.start..from]).count())
}

#[cfg(test)]
mod tests;
