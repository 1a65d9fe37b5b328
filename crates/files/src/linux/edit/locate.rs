//! Where an old text stands. Line ends count as equal: a model sees none of them.

use std::borrow::Cow;
use std::ops::Range;

use memchr::memmem;

use super::nearest;
use crate::linux::path::Asked;
use crate::linux::request::Edit;
use crate::linux::restore::Hunk;
use crate::linux::text::{line_at, named_lines, with_crlf, without_crlf};
use crate::refusal::{Refusal, code};

/// Lines of matches that a message names.
pub(crate) const SHOWN_MATCHES: usize = 20;
/// A shorter text that is there already says nothing about a change.
pub(crate) const MIN_APPLIED_CHARS: usize = 12;

/// What a refusal to edit is titled.
pub(crate) const NO_EDIT: &str = "No edit";

/// How a refusal speaks of the text that was looked for.
#[derive(Debug)]
pub(crate) struct Lead {
    /// What the refusal is titled.
    pub(crate) title: Option<&'static str>,
    /// What the reason begins with.
    pub(crate) text: String,
    /// What the lines of the text are called.
    pub(crate) line: &'static str,
    /// The number of each of them; from 1 on when there are none.
    pub(crate) numbers: Vec<usize>,
    /// How one of several places is meant.
    pub(crate) choose: &'static str,
}

impl Lead {
    pub(crate) fn of_edit() -> Lead {
        Lead {
            title: Some(NO_EDIT),
            text: String::new(),
            line: "your line",
            numbers: Vec::new(),
            choose: "Add a neighbouring line, or set all: true.",
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

/// A place where an edit applies.
#[derive(Debug)]
pub(crate) struct Place<'r> {
    /// Index of the edit.
    pub(crate) edit: usize,
    /// In the view.
    pub(crate) shown: Range<usize>,
    pub(crate) new: Cow<'r, str>,
    pub(crate) occurrences: usize,
}

/// A text with LF as its only line end.
pub(crate) struct Normal<'t> {
    pub(crate) text: Cow<'t, str>,
    /// Where it has an LF that was a CRLF.
    crlf: Vec<usize>,
}

impl<'t> Normal<'t> {
    pub(crate) fn of(text: &'t str) -> Normal<'t> {
        let removed = memmem::find_iter(text.as_bytes(), b"\r\n").enumerate();
        let crlf = removed.map(|(before, at)| at - before).collect();
        Normal { text: without_crlf(text), crlf }
    }

    /// The place in the text as it is.
    pub(crate) fn shown(&self, at: usize) -> usize {
        at + self.crlf.partition_point(|&crlf| crlf < at)
    }
}

pub(super) fn locate<'r>(
    asked: &Asked,
    text: &str,
    (edit, takes_first): (&Edit, bool),
    (old, new): (&str, &'r str),
    index: usize,
) -> Result<Vec<Place<'r>>, Refusal> {
    let name = &asked.shown;
    if old.is_empty() {
        let refusal = Refusal::new(code::INVALID_TEXT, "the old text is empty").titled(NO_EDIT);
        return Err(refusal.with_hint("Name text of the file, or write the file."));
    }
    let normal = Normal::of(text);
    let wanted = without_crlf(old);
    if wanted == without_crlf(new) {
        return Err(Refusal::new(code::UNCHANGED, "old and new are the same").titled(NO_EDIT));
    }
    let found: Vec<usize> = memmem::find_iter(normal.text.as_bytes(), wanted.as_bytes()).collect();
    let Some(&first) = found.first() else {
        let texts = (&*wanted, &*without_crlf(new));
        return Err(absent(asked, &Lead::of_edit(), &normal.text, texts));
    };
    let applied = applied(&normal.text, &wanted, &without_crlf(new));
    // Made again, a change of which the old text is a part would grow.
    let refuse_applied = |places: &[usize]| {
        let is_applied = |at: &usize| {
            let after = applied.partition_point(|there| there.start <= *at);
            after.checked_sub(1).is_some_and(|there| at + wanted.len() <= applied[there].end)
        };
        let first = places.first().filter(|_| places.iter().all(is_applied));
        first.map_or(Ok(()), |&at| Err(already(asked, &Lead::of_edit(), &normal.text, at)))
    };
    let place = |&at: &usize| Place {
        edit: index,
        shown: normal.shown(at)..normal.shown(at + wanted.len()),
        new: Cow::Borrowed(new),
        occurrences: found.len(),
    };
    if edit.all {
        refuse_applied(&found)?;
        return Ok(found.iter().map(place).collect());
    }
    if let Some(number) = edit.occurrence {
        let chosen = number.checked_sub(1).and_then(|at| found.get(at));
        let chosen = chosen.ok_or_else(|| {
            let reason = format!("old text occurs {} times in {name}, not {number}", found.len());
            Refusal::new(code::NO_MATCH, reason).titled(NO_EDIT)
        })?;
        refuse_applied(&[*chosen])?;
        return Ok(vec![place(chosen)]);
    }
    refuse_applied(if takes_first { &found[..1] } else { &found })?;
    // Two that overlap are two as well.
    let again = memmem::find(&normal.text.as_bytes()[first + 1..], wanted.as_bytes());
    if let Some(again) = again.filter(|_| !takes_first) {
        let second = first + 1 + again;
        let places = if found.len() > 1 { found } else { vec![first, second] };
        let times = places.len().to_string();
        return Err(ambiguous(asked, &Lead::of_edit(), &normal.text, (&places, &times)));
    }
    Ok(vec![place(&first)])
}

/// Where a new text stands that has the old one in it.
fn applied(text: &str, old: &str, new: &str) -> Vec<Range<usize>> {
    if memmem::find(new.as_bytes(), old.as_bytes()).is_none() {
        return Vec::new();
    }
    let found = memmem::find_iter(text.as_bytes(), new.as_bytes());
    found.map(|at| at..at + new.len()).collect()
}

/// The old text stands where the change has been made.
pub(crate) fn already(asked: &Asked, lead: &Lead, text: &str, at: usize) -> Refusal {
    let line = line_at(text, at);
    let reason =
        format!("new text is already at line {line} of {}; this change looks applied", asked.shown);
    let hint = "To make it once more, name more of the text around it.";
    lead.refuse(code::ALREADY_APPLIED, &reason).with_lines(vec![line]).with_hint(hint)
}

/// The old text stands at these places, so many times in all.
pub(crate) fn ambiguous(
    asked: &Asked,
    lead: &Lead,
    text: &str,
    (places, times): (&[usize], &str),
) -> Refusal {
    let lines: Vec<usize> =
        places.iter().take(SHOWN_MATCHES).map(|&at| line_at(text, at)).collect();
    let named: Vec<String> = lines.iter().map(ToString::to_string).collect();
    let more = if places.len() > lines.len() { ", …" } else { "" };
    let lines_named = named.join(", ");
    let reason =
        format!("old text occurs {times} times in {} (lines {lines_named}{more})", asked.shown);
    lead.refuse(code::AMBIGUOUS, &reason).with_lines(lines).with_hint(lead.choose)
}

/// The old text stands nowhere.
pub(crate) fn absent(asked: &Asked, lead: &Lead, text: &str, (old, new): (&str, &str)) -> Refusal {
    let is_telling = new.trim().chars().count() >= MIN_APPLIED_CHARS;
    let mut applied = memmem::find_iter(text.as_bytes(), new.as_bytes());
    if let Some(at) = applied.next().filter(|_| is_telling && !new.contains(old))
        && applied.next().is_none()
    {
        let (first, last) = (line_at(text, at), line_at(text, at + new.trim_end().len()));
        let lines = named_lines(first, last);
        let reason =
            format!("new text is already at {lines} of {}; this change looks applied", asked.shown);
        return lead.refuse(code::ALREADY_APPLIED, &reason).with_lines(vec![first, last]);
    }
    nearest::no_match(asked, lead, text, old)
}

impl Place<'_> {
    /// What changes in the text: less than what matched, where the new text begins or ends like the old one. `breaks` are
    /// the places of its LFs.
    pub(super) fn hunk(&self, text: &str, breaks: &[usize]) -> Hunk {
        let old = Normal::of(&text[self.shown.clone()]);
        let new = without_crlf(&self.new);
        let length = old.text.len();
        let at = |plain: usize| self.shown.start + old.shown(plain);
        let same = old.text.bytes().zip(new.bytes()).take_while(|(a, b)| a == b).count();
        let start = (0..=same).rev().find(|&at| old.text.is_char_boundary(at)).unwrap_or(0);
        let ends = old.text.bytes().rev().zip(new.bytes().rev());
        let same = ends.take(length.min(new.len()) - start).take_while(|(a, b)| a == b).count();
        let end =
            (0..=same).rev().find(|&end| old.text.is_char_boundary(length - end)).unwrap_or(0);
        let shown = at(start)..at(length - end);
        let is_crlf = uses_crlf(text, breaks, shown.start, &self.new);
        let new = &new[start..new.len() - end];
        let new = if is_crlf { with_crlf(new) } else { new.to_owned() };
        Hunk { shown, new, whole: self.shown.clone() }
    }
}

/// Whether new lines at this place end in CRLF: as the next line end does, else the one before, else as they are given.
fn uses_crlf(text: &str, breaks: &[usize], start: usize, new: &str) -> bool {
    let next = breaks.partition_point(|&at| at < start);
    let end = breaks.get(next).or(breaks.last());
    end.map_or_else(|| new.contains("\r\n"), |&at| text[..at].ends_with('\r'))
}
