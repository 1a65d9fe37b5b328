//! Edits a file: every old text is found in the masked text, exactly and once, or nothing is changed.

pub(crate) mod locate;
mod nearest;

use std::ops::Range;

use crate::linux::answer::{EditedFile, ReplacedPlace};
use crate::linux::files::Files;
use crate::linux::judge::{Purpose, file_id};
use crate::linux::ledger::{NewContent, Unseen};
use crate::linux::path::RequestedPath;
use crate::linux::publish::Change;
use crate::linux::read::Content;
use crate::linux::request::EditRequest;
use crate::linux::resolve::Handle;
use crate::linux::restore::Draft;
use crate::linux::text::{Document, Encoding, count_lines, line_at, line_range_name, lines};
use crate::linux::until_stable;
use crate::linux::view::floor_char_boundary;
use crate::linux::write::{new_text, refuse_mask, refuse_stale_masks, whole_text};
use crate::refusal::{Refusal, code};
use locate::{EditPlace, NO_EDIT, Wording, locate};

/// Lines shown on each side of a replaced place.
const CONTEXT_LINES: usize = 3;
/// Most places of a call that are described one by one; all are counted.
pub(crate) const MAX_REPLACED: usize = 100;
/// Most places of a call that are shown with a snippet.
const MAX_SNIPPETS: usize = 10;
/// Most lines of one snippet.
const MAX_SNIPPET_LINES: usize = 40;
/// Most bytes of one snippet.
const MAX_SNIPPET_BYTES: usize = 2 << 10;
/// Most bytes of a cut snippet that lie before the change.
const MAX_BYTES_BEFORE: usize = 512;
/// Most lines shown of a text that has changed.
const MAX_SHOWN_LINES: usize = 10;

impl Files {
    pub(super) fn edit_file(&self, request: &EditRequest) -> Result<EditedFile, Refusal> {
        until_stable(Some(NO_EDIT), || {
            // Calls that edit one file at the same time do so one after the other.
            let (_, handle) = self.place(&request.path, Purpose::Edit)?;
            let _lock = Files::lock(&handle);
            let Some(PreparedEdit { change, now, answer, .. }) = self.prepare_edit(request)? else {
                return Ok(None);
            };
            let stat = change.publish(
                self.publish_options,
                self.journal_call("file_edit", request.caller.as_str()),
            )?;
            self.ledger().record_change(file_id(&stat), &now);
            Ok(Some(answer))
        })
    }

    /// The new content and the answer, before anything is written; `None` when another file has the name by now.
    pub(crate) fn prepare_edit(
        &self,
        request: &EditRequest,
    ) -> Result<Option<PreparedEdit>, Refusal> {
        let (requested, handle) = self.place(&request.path, Purpose::Edit)?;
        if handle.stat().is_none() {
            return Err(self.refuse_not_found(&requested, Some(&handle)));
        }
        let Some(old) = self.content(&requested, &handle, Purpose::Edit)? else { return Ok(None) };
        self.check_identity(&requested, &old.stat, Purpose::Edit)?;
        let wording = Wording::of_edit();
        let texts = request.edits.iter().flat_map(|edit| [&edit.old, &edit.new]);
        let texts = texts.filter_map(|text| text.0.as_deref());
        let find_places =
            |requested: &RequestedPath, text: &str| find_places(requested, text, request);
        self.replace_places((requested, handle, old), &wording, texts, find_places).map(Some)
    }

    /// The content with the places replaced that `find_places` finds in its masked text. `texts` are all texts of the caller.
    pub(crate) fn replace_places<'r>(
        &self,
        (requested, handle, old): (RequestedPath, Handle, Content),
        wording: &Wording,
        texts: impl Iterator<Item = &'r str>,
        find_places: impl FnOnce(&RequestedPath, &str) -> Result<Vec<EditPlace<'r>>, Refusal>,
    ) -> Result<PreparedEdit, Refusal> {
        let (file, unseen_part, stat) = (file_id(&old.stat), old.hash, old.stat);
        let document = Document::decode(old.bytes);
        if document.encoding == Encoding::Binary {
            return Err(
                wording.refuse(code::NOT_EDITABLE, &format!("{} is binary", requested.shown))
            );
        }
        let view = self.view(handle.canonical(), &document.text);
        let known_masks = self.ledger().known_masks(file, unseen_part, &view.text);
        if view.names_unseen_mask(&document.text, texts, known_masks.as_deref()) {
            return Err(refuse_stale_masks(&requested));
        }
        let places = find_places(&requested, &view.text).map_err(|refusal| {
            let is_stale = matches!(refusal.code, code::NO_MATCH | code::AMBIGUOUS);
            match self.ledger().unseen_part(file, unseen_part, &view.text) {
                Some(Unseen::Changed(lines)) if is_stale => {
                    refuse_changed(&requested, wording, &view.text, lines, refusal.edit)
                }
                _ => refusal,
            }
        })?;
        let known_masks = known_masks.unwrap_or_default();
        // A range may cut a mask, so that the caller's texts do not have its number.
        if places.iter().any(|place| view.reaches_unseen_mask(&place.shown, &known_masks)) {
            return Err(refuse_stale_masks(&requested));
        }
        let kept_bytes: usize =
            view.text.len() - places.iter().map(|place| place.shown.len()).sum::<usize>();
        let bytes =
            places.iter().fold(kept_bytes, |bytes, place| bytes.saturating_add(place.new.len()));
        let max_bytes = usize::try_from(self.max_read_bytes).unwrap_or(usize::MAX);
        if bytes > max_bytes.max(view.text.len()) {
            let reason = format!("{} would be too large to be read again", requested.shown);
            return Err(wording.refuse(code::TOO_LARGE, &reason));
        }
        let breaks: Vec<usize> = memchr::memchr_iter(b'\n', view.text.as_bytes()).collect();
        let mut draft = Draft::new(&view);
        let is_exact = document.encoding.is_exact();
        // For each change the index of its place, and for each place where its new text begins.
        let (mut owners, mut written) = (Vec::new(), Vec::with_capacity(places.len()));
        for (index, place) in places.iter().enumerate() {
            written.push(draft.new.len());
            for text_change in place.changes(&view.text, &breaks) {
                let is_ascii =
                    view.text[text_change.shown.clone()].is_ascii() && text_change.new.is_ascii();
                if !(is_exact || is_ascii) {
                    return Err(refuse_not_ascii(&requested, wording).of_edit(place.edit));
                }
                draft.replace(&text_change);
                owners.push(index);
            }
        }
        let rebuilt = draft.restore_secrets(&self.redactor, &document.text).map_err(|fault| {
            let refusal = refuse_mask(&requested, fault);
            match owners.get(fault.change) {
                Some(&owner) => refusal.of_edit(places[owner].edit),
                None => refusal,
            }
        })?;
        let bytes = rebuilt
            .encode(&document, &view)
            .ok_or_else(|| refuse_not_ascii(&requested, wording))?;
        let hash = self.ledger().hash(&bytes);
        let written: Vec<Range<usize>> =
            written.into_iter().map(|first| draft.new[first].clone()).collect();
        let answer = EditedFile {
            path: self.display(handle.canonical()),
            absolute: self.masked_text(&handle.canonical().to_string_lossy()),
            bytes: bytes.len(),
            places: places.len(),
            edits: describe_places(&view.text, &rebuilt.shown, &places, &written),
            restored_masks: rebuilt.restored,
            version: self.version(&handle, hash),
        };
        let known_masks = if rebuilt.keeps_numbers { known_masks } else { Vec::new() };
        let now = NewContent { hash, shown: rebuilt.shown, known_masks };
        let change = Change::replacing(requested, handle, stat, bytes);
        Ok(PreparedEdit { change, now, is_same: rebuilt.is_same, answer })
    }
}

/// An edit that only has to be published.
#[derive(Debug)]
pub(crate) struct PreparedEdit {
    pub(crate) change: Change,
    pub(crate) now: NewContent,
    /// Whether the masked text is unchanged.
    pub(crate) is_same: bool,
    pub(crate) answer: EditedFile,
}

/// The places where the edits apply, in the order of the text.
fn find_places<'r>(
    requested: &RequestedPath,
    text: &str,
    request: &'r EditRequest,
) -> Result<Vec<EditPlace<'r>>, Refusal> {
    let mut places = Vec::new();
    for (index, edit) in request.edits.iter().enumerate() {
        let located = whole_text(&edit.old, "The old text")
            .and_then(|old| Ok((old, new_text(&edit.new, "The new text")?)))
            .and_then(|(old, new)| {
                locate(requested, text, (edit, request.first), (old, new), index)
            });
        places.extend(located.map_err(|refusal| refusal.of_edit(index))?);
    }
    sorted_apart(places).map_err(|(a, b, line)| {
        let line = line_at(text, line);
        let reason = format!("edits {a} and {b} overlap at line {line} of {}", requested.shown);
        Refusal::new(code::OVERLAP, reason).titled(NO_EDIT).with_lines(vec![line])
    })
}

/// The places in the order of the text. Fails with the numbers of two edits, from 1, that touch the same text, and its place.
pub(crate) fn sorted_apart(
    mut places: Vec<EditPlace<'_>>,
) -> Result<Vec<EditPlace<'_>>, (usize, usize, usize)> {
    places.sort_by_key(|place| (place.shown.start, place.shown.end));
    let touching = places.windows(2).find_map(|pair| {
        let [first, second] = pair else { return None };
        let numbers = (first.edit.min(second.edit) + 1, first.edit.max(second.edit) + 1);
        (second.shown.start < first.shown.end || first.shown.start == second.shown.start)
            .then_some((numbers.0, numbers.1, second.shown.start))
    });
    touching.map_or(Ok(places), Err)
}

/// The refusal when the file has changed since it was read and an old text is no longer found.
fn refuse_changed(
    requested: &RequestedPath,
    wording: &Wording,
    text: &str,
    lines: Option<(usize, usize)>,
    edit: Option<u32>,
) -> Refusal {
    let reason = format!(
        "{} changed on disk after you read it and the old text no longer matches once",
        requested.shown
    );
    let refusal = match lines {
        None => wording.refuse(code::CHANGED_ON_DISK, &reason).with_hint("Read it again."),
        Some((first, last)) => {
            let shown =
                nearest::with_line_numbers(text, first, (last + 1 - first).min(MAX_SHOWN_LINES));
            let reason = format!("{reason}. Current {}:\n{shown}", line_range_name(first, last));
            wording.refuse(code::CHANGED_ON_DISK, &reason).with_lines(vec![first, last])
        }
    };
    Refusal { edit, ..refusal }
}

/// The refusal of a change outside of plain ASCII in a file whose other characters are shown as U+FFFD.
fn refuse_not_ascii(requested: &RequestedPath, wording: &Wording) -> Refusal {
    let reason = format!(
        "{} is no UTF-8 or UTF-16 text, and the change is not in plain ASCII",
        requested.shown
    );
    let hint = "Change only what is plain ASCII, into plain ASCII; all else stays as it is.";
    wording.refuse(code::NOT_EDITABLE, &reason).with_hint(hint)
}

/// The description of each replaced place for the answer.
fn describe_places(
    old: &str,
    new: &str,
    places: &[EditPlace<'_>],
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
    // Where counting the lines of the old text has come to, and the line number there in the new text.
    let (mut counted, mut line) = (0, 1_usize);
    let describe = |(index, (place, written)): (usize, (&EditPlace<'_>, &Range<usize>))| {
        let old_text = &old[place.shown.clone()];
        line += breaks(&old[counted..place.shown.start]);
        counted = place.shown.end;
        let (removed, added) = (count_lines(old_text), count_lines(&place.new));
        let last_line = starts.len() - 1;
        let first = line.saturating_sub(1 + CONTEXT_LINES).min(last_line);
        let last = (line - 1 + added.max(1) + CONTEXT_LINES).min(last_line);
        let last = last.min(first + MAX_SNIPPET_LINES).max(first);
        let (snippet, skipped) = if index < MAX_SNIPPETS {
            snippet(new, starts[first]..starts[last], written.start)
        } else {
            Default::default()
        };
        let described = ReplacedPlace {
            edit: place.edit,
            line,
            removed,
            added,
            occurrences: place.occurrences,
            taken: place.taken.clone(),
            snippet,
            snippet_line: first + 1 + skipped,
        };
        line += breaks(&place.new);
        described
    };
    places.iter().zip(written).take(MAX_REPLACED).enumerate().map(describe).collect()
}

/// A range of a text, cut around a place where it is long, and the number of lines that are cut off before.
fn snippet(text: &str, shown: Range<usize>, at: usize) -> (String, usize) {
    if shown.len() <= MAX_SNIPPET_BYTES {
        return (text[shown].to_owned(), 0);
    }
    let last = shown.end - MAX_SNIPPET_BYTES;
    let from =
        floor_char_boundary(text, at.saturating_sub(MAX_BYTES_BEFORE).clamp(shown.start, last));
    let to = floor_char_boundary(text, from + MAX_SNIPPET_BYTES);
    let cut_mark = |left_out: usize| match left_out {
        0 => String::new(),
        bytes => format!("…({bytes} bytes)…"),
    };
    let cut = &text[from..to];
    let snippet = format!("{}{cut}{}", cut_mark(from - shown.start), cut_mark(shown.end - to));
    (snippet, memchr::memchr_iter(b'\n', &text.as_bytes()[shown.start..from]).count())
}

#[cfg(test)]
mod tests;
