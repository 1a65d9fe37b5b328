//! Finds old texts. CRLF and LF count as equal, since a model does not see which of them a file has.

use std::borrow::Cow;
use std::ops::Range;

use memchr::memmem;
use similar::DiffOp;

use super::nearest;
use crate::linux::answer::TakenFor;
use crate::linux::likeness::{Found, Likeness, LikenessSearch, Wanted};
use crate::linux::line_diff::differences;
use crate::linux::path::RequestedPath;
use crate::linux::request::Edit;
use crate::linux::restore::TextChange;
use crate::linux::text::{line_at, line_range_name, with_crlf, without_crlf};
use crate::refusal::{Refusal, code};

/// Most matches whose lines a message names.
pub(crate) const MAX_SHOWN_MATCHES: usize = 20;
/// Shortest new text that, where the file has it, shows that the change was made already.
pub(crate) const MIN_APPLIED_CHARS: usize = 12;

/// Most changed lines of an edit that are compared one by one.
const MAX_COMPARED_LINES: usize = 4000;

/// Title of a refusal to edit.
pub(crate) const NO_EDIT: &str = "No edit";

/// Words of a refusal that concerns an old text: those for an edit and those for a hunk differ.
#[derive(Debug)]
pub(crate) struct Wording {
    /// Title of the refusal.
    pub(crate) title: Option<&'static str>,
    /// Beginning of the reason.
    pub(crate) text: String,
    /// Noun for a line of the old text.
    pub(crate) line: &'static str,
    /// Number of each line of the old text; when empty, they are numbered from 1.
    pub(crate) numbers: Vec<usize>,
    /// Hint how to name one of several places.
    pub(crate) ambiguity_hint: &'static str,
    /// What comes before a text of the file that may be sent in place of the old one.
    pub(crate) offer: &'static str,
}

impl Wording {
    pub(crate) fn of_edit() -> Wording {
        Wording {
            title: Some(NO_EDIT),
            text: String::new(),
            line: "your line",
            numbers: Vec::new(),
            ambiguity_hint: "Add a neighbouring line, or set all: true.",
            offer: "If this is the place, send this as the old text, and the new text made from it:",
        }
    }

    pub(crate) fn refuse(&self, code: &'static str, reason: &str) -> Refusal {
        let refusal = Refusal::new(code, format!("{}{reason}", self.text));
        match self.title {
            Some(title) => refusal.titled(title),
            None => refusal,
        }
    }
}

/// A place of the masked text where an edit applies.
#[derive(Debug)]
pub(crate) struct EditPlace<'r> {
    /// Index of the edit.
    pub(crate) edit: usize,
    /// Range of the old text.
    pub(crate) shown: Range<usize>,
    pub(crate) new: Cow<'r, str>,
    /// How often the file has the old text.
    pub(crate) occurrences: usize,
    /// In what the old text differs from the one in the file.
    pub(crate) taken: Vec<TakenFor>,
}

/// A text whose CRLF are replaced by LF.
pub(crate) struct LfText<'t> {
    pub(crate) text: Cow<'t, str>,
    /// Places of the LF that were CRLF.
    crlf_places: Vec<usize>,
}

impl<'t> LfText<'t> {
    pub(crate) fn of(text: &'t str) -> LfText<'t> {
        let removed = memmem::find_iter(text.as_bytes(), b"\r\n").enumerate();
        let crlf_places = removed.map(|(before, at)| at - before).collect();
        LfText { text: without_crlf(text), crlf_places }
    }

    /// The place in the original text.
    pub(crate) fn shown(&self, at: usize) -> usize {
        at + self.crlf_places.partition_point(|&crlf_places| crlf_places < at)
    }
}

/// The places of an old text where an edit applies.
pub(super) fn locate<'r>(
    requested: &RequestedPath,
    text: &str,
    (edit, takes_first): (&Edit, bool),
    (old, new): (&str, &'r str),
    index: usize,
) -> Result<Vec<EditPlace<'r>>, Refusal> {
    let name = &requested.shown;
    if old.is_empty() {
        let refusal = Refusal::new(code::INVALID_TEXT, "the old text is empty").titled(NO_EDIT);
        return Err(refusal.with_hint("Name text of the file, or write the file."));
    }
    let normal = LfText::of(text);
    let old_text = without_crlf(old);
    if old_text == without_crlf(new) {
        return Err(Refusal::new(code::UNCHANGED, "old and new are the same").titled(NO_EDIT));
    }
    let matches: Vec<usize> =
        memmem::find_iter(normal.text.as_bytes(), old_text.as_bytes()).collect();
    let Some(&first) = matches.first() else {
        let new = without_crlf(new);
        // Who says which of several places is meant, means the text itself.
        let likeness = if edit.occurrence.is_none() && !takes_first {
            find_alike(requested, &normal.text, (&old_text, &new))?
        } else {
            None
        };
        let Some(likeness) = likeness else {
            let texts = (&*old_text, &*new);
            return Err(refuse_absent(requested, &Wording::of_edit(), &normal.text, texts));
        };
        let Likeness { range, new, taken, .. } = likeness;
        let shown = normal.shown(range.start)..normal.shown(range.end);
        let new = Cow::Owned(new);
        return Ok(vec![EditPlace { edit: index, shown, new, occurrences: 1, taken }]);
    };
    let places_already_edited = places_already_edited(&normal.text, &old_text, &without_crlf(new));
    // A change whose new text has the old one in it would grow when it is made again.
    let refuse_applied = |places: &[usize]| {
        let is_applied = |at: &usize| {
            let after = places_already_edited.partition_point(|there| there.start <= *at);
            after
                .checked_sub(1)
                .is_some_and(|there| at + old_text.len() <= places_already_edited[there].end)
        };
        let first = places.first().filter(|_| places.iter().all(is_applied));
        first.map_or(Ok(()), |&at| {
            Err(refuse_already_applied(requested, &Wording::of_edit(), &normal.text, at))
        })
    };
    let place = |&at: &usize| EditPlace {
        edit: index,
        shown: normal.shown(at)..normal.shown(at + old_text.len()),
        new: Cow::Borrowed(new),
        occurrences: matches.len(),
        taken: Vec::new(),
    };
    if edit.all {
        refuse_applied(&matches)?;
        return Ok(matches.iter().map(place).collect());
    }
    if let Some(number) = edit.occurrence {
        let chosen = number.checked_sub(1).and_then(|at| matches.get(at));
        let chosen = chosen.ok_or_else(|| {
            let reason = format!("old text occurs {} times in {name}, not {number}", matches.len());
            Refusal::new(code::NO_MATCH, reason).titled(NO_EDIT)
        })?;
        refuse_applied(&[*chosen])?;
        return Ok(vec![place(chosen)]);
    }
    refuse_applied(if takes_first { &matches[..1] } else { &matches })?;
    // Two matches that overlap are ambiguous as well.
    let next_match = memmem::find(&normal.text.as_bytes()[first + 1..], old_text.as_bytes());
    if let Some(next_match) = next_match.filter(|_| !takes_first) {
        let second = first + 1 + next_match;
        let places = if matches.len() > 1 { matches } else { vec![first, second] };
        let times = places.len().to_string();
        return Err(refuse_ambiguous(
            requested,
            &Wording::of_edit(),
            &normal.text,
            (&places, &times),
            old_text.len(),
        ));
    }
    Ok(vec![place(&first)])
}

/// The place of an old text that the file writes otherwise; `None` when there is none.
fn find_alike(
    requested: &RequestedPath,
    text: &str,
    (old, new): (&str, &str),
) -> Result<Option<Likeness>, Refusal> {
    let wording = Wording::of_edit();
    let whole_text = 0..text.len().max(1);
    let regions = std::slice::from_ref(&whole_text);
    let mut search = LikenessSearch::new(text);
    match search.find(Wanted { old, new, hunk: None, regions, at_end: false }) {
        Found::Once(likeness) => {
            let stands = &text[likeness.range.clone()];
            let is_applied = |there: &Range<usize>| {
                there.start <= likeness.range.start && likeness.range.end <= there.end
            };
            if likeness.new == stands
                || places_already_edited(text, stands, &likeness.new).iter().any(is_applied)
            {
                let at = likeness.range.start;
                return Err(refuse_already_applied(requested, &wording, text, at));
            }
            Ok(Some(likeness))
        }
        Found::Several(places) => {
            let times = places.len().to_string();
            Err(refuse_ambiguous(requested, &wording, text, (&places, &times), old.len()))
        }
        found => {
            refuse_applied_alike(requested, &wording, &mut search, (text, old, new))?;
            match found {
                Found::Open(range) => Err(refuse_open(requested, &wording, text, range)),
                _ => Ok(None),
            }
        }
    }
}

/// Refuses a change that was made already, whose new text the file writes otherwise.
pub(crate) fn refuse_applied_alike(
    requested: &RequestedPath,
    wording: &Wording,
    search: &mut LikenessSearch<'_>,
    (text, old, new): (&str, &str, &str),
) -> Result<(), Refusal> {
    if new.trim().chars().count() < MIN_APPLIED_CHARS || new.contains(old) {
        return Ok(());
    }
    let whole_text = 0..text.len().max(1);
    let regions = std::slice::from_ref(&whole_text);
    match search.find(Wanted { old: new, new, hunk: None, regions, at_end: false }) {
        Found::Once(Likeness { range, .. }) | Found::Open(range) => {
            Err(refuse_already_applied(requested, wording, text, range.start))
        }
        _ => Ok(()),
    }
}

/// The refusal of an edit whose place is sure, but not how the new text is to be written there.
pub(crate) fn refuse_open(
    requested: &RequestedPath,
    wording: &Wording,
    text: &str,
    range: Range<usize>,
) -> Refusal {
    let last = range.end.max(range.start + 1) - 1;
    let lines = vec![line_at(text, range.start), line_at(text, last)];
    let refusal = nearest::refuse_no_match(requested, wording, text, &text[range]);
    let reason = format!(
        "{} of {} may be meant, which differs in how it is written, so that nobody can tell how to write the new text there",
        line_range_name(lines[0], lines[1]),
        requested.shown
    );
    let hint = refusal.hint.unwrap_or_default();
    wording.refuse(code::NO_MATCH, &reason).with_lines(lines).with_hint(hint)
}

/// Places of a new text that has the old one in it; none for any other.
fn places_already_edited(text: &str, old: &str, new: &str) -> Vec<Range<usize>> {
    if memmem::find(new.as_bytes(), old.as_bytes()).is_none() {
        return Vec::new();
    }
    let matches = memmem::find_iter(text.as_bytes(), new.as_bytes());
    matches.map(|at| at..at + new.len()).collect()
}

/// The refusal of a change that was made already.
pub(crate) fn refuse_already_applied(
    requested: &RequestedPath,
    wording: &Wording,
    text: &str,
    at: usize,
) -> Refusal {
    let line = line_at(text, at);
    let reason = format!(
        "new text is already at line {line} of {}; this change looks applied",
        requested.shown
    );
    let hint = "To make it once more, name more of the text around it.";
    wording.refuse(code::ALREADY_APPLIED, &reason).with_lines(vec![line]).with_hint(hint)
}

/// The refusal of an old text that the file has at these places; `times` says how often in all.
pub(crate) fn refuse_ambiguous(
    requested: &RequestedPath,
    wording: &Wording,
    text: &str,
    (places, times): (&[usize], &str),
    length: usize,
) -> Refusal {
    let lines: Vec<usize> =
        places.iter().take(MAX_SHOWN_MATCHES).map(|&at| line_at(text, at)).collect();
    let named: Vec<String> = lines.iter().map(ToString::to_string).collect();
    let ellipsis = if places.len() > lines.len() { ", …" } else { "" };
    let lines_named = named.join(", ");
    let reason = format!(
        "old text occurs {times} times in {} (lines {lines_named}{ellipsis})",
        requested.shown
    );
    let mut hint = wording.ambiguity_hint.to_owned();
    let apart = nearest::told_apart(text, places, length);
    if !apart.is_empty() {
        hint.push_str(" Lines of the file to begin from:\n");
        hint.push_str(&apart.join("\n"));
    }
    wording.refuse(code::AMBIGUOUS, &reason).with_lines(lines).with_hint(hint)
}

/// The refusal of an old text that the file does not have.
pub(crate) fn refuse_absent(
    requested: &RequestedPath,
    wording: &Wording,
    text: &str,
    (old, new): (&str, &str),
) -> Refusal {
    let is_telling = new.trim().chars().count() >= MIN_APPLIED_CHARS;
    let mut places_already_edited = memmem::find_iter(text.as_bytes(), new.as_bytes());
    if let Some(at) = places_already_edited.next().filter(|_| is_telling && !new.contains(old))
        && places_already_edited.next().is_none()
    {
        let (first, last) = (line_at(text, at), line_at(text, at + new.trim_end().len()));
        let lines = line_range_name(first, last);
        let reason = format!(
            "new text is already at {lines} of {}; this change looks applied",
            requested.shown
        );
        return wording.refuse(code::ALREADY_APPLIED, &reason).with_lines(vec![first, last]);
    }
    nearest::refuse_no_match(requested, wording, text, old)
}

impl EditPlace<'_> {
    /// The changes of the text, in order: lines that the new text leaves as they are stay byte for byte. `breaks` are the places
    /// of LF in the text.
    pub(super) fn changes(&self, text: &str, breaks: &[usize]) -> Vec<TextChange> {
        let old = LfText::of(&text[self.shown.clone()]);
        let new = without_crlf(&self.new);
        let mut changes: Vec<TextChange> = changed_ranges(&old.text, &new)
            .into_iter()
            .map(|(removed, added)| {
                let at = |plain: usize| self.shown.start + old.shown(plain);
                let shown = at(removed.start)..at(removed.end);
                let is_crlf = uses_crlf(text, breaks, shown.start, &self.new);
                let new = &new[added];
                let new = if is_crlf { with_crlf(new) } else { new.to_owned() };
                TextChange { whole: shown.clone(), shown, new }
            })
            .collect();
        // What the caller gave beside its changes belongs to the change before it, or to the first.
        let starts: Vec<usize> = changes.iter().skip(1).map(|change| change.shown.start).collect();
        for (change, next) in changes.iter_mut().zip(starts.into_iter().chain([self.shown.end])) {
            change.whole.end = next;
        }
        if let Some(first) = changes.first_mut() {
            first.whole.start = self.shown.start;
        }
        changes
    }
}

/// The ranges in which two texts differ: whole lines but at the edges of each. One empty range where they are the same.
fn changed_ranges(old: &str, new: &str) -> Vec<(Range<usize>, Range<usize>)> {
    let (removed, added) = differing(old, new);
    let lines = [&old[removed.clone()], &new[added.clone()]].map(|text| text.matches('\n').count());
    if lines.contains(&0) || lines.iter().sum::<usize>() > MAX_COMPARED_LINES {
        return vec![(removed, added)];
    }
    let split = |text| str::split_inclusive(text, '\n').collect::<Vec<&str>>();
    let (old_lines, new_lines) = (split(old), split(new));
    let starts = |lines: &[&str]| -> Vec<usize> {
        let ends = lines.iter().scan(0, |at, line| {
            *at += line.len();
            Some(*at)
        });
        std::iter::once(0).chain(ends).collect()
    };
    let (old_starts, new_starts) = (starts(&old_lines), starts(&new_lines));
    differences(&old_lines, &new_lines)
        .into_iter()
        .filter(|op| !matches!(op, DiffOp::Equal { .. }))
        .map(|op| {
            let (from, to) = (op.old_range(), op.new_range());
            let old_range = old_starts[from.start]..old_starts[from.end];
            let new_range = new_starts[to.start]..new_starts[to.end];
            let (removed, added) = differing(&old[old_range.clone()], &new[new_range.clone()]);
            let moved = |range: Range<usize>, by: usize| range.start + by..range.end + by;
            (moved(removed, old_range.start), moved(added, new_range.start))
        })
        .collect()
}

/// The parts of two texts that remain without their common beginning and end.
fn differing(old: &str, new: &str) -> (Range<usize>, Range<usize>) {
    let equal_bytes = old.bytes().zip(new.bytes()).take_while(|(a, b)| a == b).count();
    let start = (0..=equal_bytes).rev().find(|&at| old.is_char_boundary(at)).unwrap_or(0);
    let ends = old.bytes().rev().zip(new.bytes().rev());
    let left = old.len().min(new.len()) - start;
    let equal_bytes = ends.take(left).take_while(|(a, b)| a == b).count();
    let end =
        (0..=equal_bytes).rev().find(|&end| old.is_char_boundary(old.len() - end)).unwrap_or(0);
    (start..old.len() - end, start..new.len() - end)
}

/// Whether new lines at this place end in CRLF: as the next line end does, else the last one, else those of the new text.
fn uses_crlf(text: &str, breaks: &[usize], start: usize, new: &str) -> bool {
    let next = breaks.partition_point(|&at| at < start);
    let end = breaks.get(next).or(breaks.last());
    end.map_or_else(|| new.contains("\r\n"), |&at| text[..at].ends_with('\r'))
}
