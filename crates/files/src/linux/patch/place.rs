//! Finds the places where the hunks of a file apply: one place each, where the file has the lines of the hunk. A line number
//! in the patch only chooses among several such places.

use std::borrow::Cow;
use std::ops::Range;

use memchr::memmem::Finder;

use super::alike::AlikeHunk;
use super::budget::SearchBudget;
use super::parse::{Hunk, Line, Sign};
use super::scope::Scope;
use crate::linux::edit::locate::{
    EditPlace, LfText, MAX_SHOWN_MATCHES, MIN_APPLIED_CHARS, Wording, refuse_absent,
    refuse_already_applied, refuse_ambiguous,
};
use crate::linux::likeness::LikenessSearch;
use crate::linux::path::RequestedPath;
use crate::linux::text::{line_at, line_end};
use crate::refusal::{Refusal, code};

/// Most places that a line after `@@` may have in the file.
const MAX_NAMED_LINES: usize = 64;

/// The byte order mark.
const BYTE_ORDER_MARK: char = '\u{feff}';

const SCOPE_HINT: &str = "Below a line are those indented deeper; where the next one is not, only that one. Begin the hunk there, or \
                     leave @@ alone and add lines around the change.";

/// The places of the changed lines of all hunks.
pub(super) fn places(
    requested: &RequestedPath,
    text: &str,
    hunks: &[Hunk],
    budget: &SearchBudget,
) -> Result<Vec<EditPlace<'static>>, Refusal> {
    let normal = LfText::of(text);
    let mut places = Vec::new();
    let mut likeness = LikenessSearch::new(&normal.text);
    for (index, hunk) in hunks.iter().enumerate() {
        let turn = Turn::of(hunks, index);
        let hunk = &*without_byte_order_mark(hunk, &normal.text, budget)?;
        let search = HunkSearch::new(requested, &normal.text, (hunk, index), turn, budget);
        let (start, alike) =
            search.start(&mut likeness).map_err(|refusal| refusal.of_edit(index))?;
        let (hunk, taken) =
            alike.as_ref().map_or((hunk, Vec::new()), |alike| (&alike.0, alike.1.clone()));
        let of_hunk = places.len();
        places.extend(changed_places(&normal, hunk, start, index));
        if let Some(first) = places.get_mut(of_hunk) {
            first.taken = taken;
        }
    }
    Ok(places)
}

/// Which of several hunks with the same old lines one is, and how many there are: they name the places of these lines in
/// their order.
#[derive(Clone, Copy, Debug)]
pub(super) struct Turn {
    pub(super) index: usize,
    pub(super) count: usize,
}

impl Turn {
    fn of(hunks: &[Hunk], index: usize) -> Turn {
        let same = |hunk: &&Hunk| hunk.names_the_same(&hunks[index]);
        let before = hunks[..index].iter().filter(same).count();
        Turn { index: before, count: before + hunks[index..].iter().filter(same).count() }
    }
}

/// A hunk without the byte order mark of the file, which is no part of the text.
fn without_byte_order_mark<'h>(
    hunk: &'h Hunk,
    text: &str,
    budget: &SearchBudget,
) -> Result<Cow<'h, Hunk>, Refusal> {
    let is_marked = |&at: &usize| hunk.lines[at].text.starts_with(BYTE_ORDER_MARK);
    let first = |is_it: fn(&Line) -> bool| hunk.lines.iter().position(is_it).filter(is_marked);
    let Some(old) = first(Line::is_old) else { return Ok(Cow::Borrowed(hunk)) };
    budget.spend(text.len())?;
    if text.contains(BYTE_ORDER_MARK) {
        return Ok(Cow::Borrowed(hunk));
    }
    let mut bare = hunk.clone();
    for at in [Some(old), first(Line::is_new).filter(|&new| new != old)].into_iter().flatten() {
        bare.lines[at].text.drain(..BYTE_ORDER_MARK.len_utf8());
    }
    Ok(Cow::Owned(bare))
}

fn wording(requested: &RequestedPath, index: usize, hunk: &Hunk) -> Wording {
    let lines = hunk.lines.iter().enumerate().filter(|(_, line)| line.is_old());
    Wording {
        title: None,
        text: format!("{} hunk {}: ", requested.shown, index + 1),
        line: "hunk line",
        numbers: lines.map(|(at, _)| at + 1).collect(),
        ambiguity_hint: "Add lines around the change, or above it `@@` with the line of the function that it is in.",
        offer: "If this is the place, send these as the unchanged and removed lines:",
    }
}

/// The search for one hunk in a text, which has LF only.
pub(super) struct HunkSearch<'s> {
    pub(super) requested: &'s RequestedPath,
    pub(super) text: &'s str,
    pub(super) hunk: &'s Hunk,
    /// Whether the last old line of the hunk has no line end, so that it is the last of the file.
    pub(super) is_last: bool,
    pub(super) wording: Wording,
    pub(super) turn: Turn,
    pub(super) budget: &'s SearchBudget,
}

impl<'s> HunkSearch<'s> {
    fn new(
        requested: &'s RequestedPath,
        text: &'s str,
        (hunk, index): (&'s Hunk, usize),
        turn: Turn,
        budget: &'s SearchBudget,
    ) -> HunkSearch<'s> {
        let is_last = hunk.lines.iter().any(|line| line.is_old() && line.lacks_line_end);
        let wording = wording(requested, index, hunk);
        HunkSearch { requested, text, hunk, is_last, wording, turn, budget }
    }

    /// The place where the hunk begins, and the hunk that the file has there, where it writes the lines otherwise.
    fn start(
        &self,
        likeness: &mut LikenessSearch<'_>,
    ) -> Result<(usize, Option<AlikeHunk>), Refusal> {
        let hunk = self.hunk;
        if hunk.lines.iter().all(|line| line.sign == Sign::Context) {
            return Err(self.refuse(code::UNCHANGED, "it has neither a new nor a removed line"));
        }
        let scope = self.scope()?;
        let exact = self.exact_start(&scope)?;
        if let Some(start) = exact {
            return Ok((start, None));
        }
        let (start, hunk, taken) = self.alike(&scope, likeness)?;
        let alike = HunkSearch { hunk: &hunk, wording: wording(self.requested, 0, &hunk), ..*self };
        let (old, new) = (alike.joined_lines(Sign::Added), alike.joined_lines(Sign::Removed));
        if !alike.has_lines_at(start, &old) {
            return Err(self.refuse_nowhere());
        }
        if old == new {
            return Err(refuse_already_applied(self.requested, &self.wording, self.text, start));
        }
        self.unless_applied(start, starts_around(start, &old, &new), &new)?;
        Ok((start, Some((hunk, taken))))
    }

    /// The place where the file has the lines of the hunk as they are, or where it adds its lines; `None` when there is none.
    fn exact_start(&self, scope: &Scope) -> Result<Option<usize>, Refusal> {
        let hunk = self.hunk;
        let (old, new) = (self.joined_lines(Sign::Added), self.joined_lines(Sign::Removed));
        if !hunk.lines.iter().any(Line::is_old) {
            let at = self.addition_place(scope)?;
            // The new lines may follow this place already, or be the last lines of the file.
            let before = [0, new.len(), new.len() + 1].map(|back| at.checked_sub(back));
            let is_telling = new.trim().chars().count() >= MIN_APPLIED_CHARS;
            let other_places = before.into_iter().flatten().filter(|_| is_telling);
            return self.unless_applied(at, other_places, &new).map(Some);
        }
        let mut places_found = Vec::new();
        for region in &scope.regions {
            self.find(&old, region, &mut places_found)?;
        }
        places_found.sort_unstable();
        places_found.dedup();
        let start = match places_found[..] {
            [] => return Ok(None),
            [start] => start,
            _ => {
                self.budget.spend(self.text.len())?;
                let stated = hunk.line.and_then(|line| line_start(self.text, line));
                let stated = stated.filter(|&at| {
                    self.has_lines_at(at, &old)
                        && scope.regions.iter().any(|region| region.contains(&at))
                });
                let Turn { index, count } = self.turn;
                let are_apart = places_found.windows(2).all(|pair| pair[0] + old.len() < pair[1]);
                let own_place = || places_found.get(index).copied();
                let has_all = count == places_found.len() && are_apart;
                let start = stated.or_else(|| own_place().filter(|_| has_all));
                start.ok_or_else(|| self.refuse_places(&places_found, old.len()))?
            }
        };
        self.unless_applied(start, starts_around(start, &old, &new), &new).map(Some)
    }

    /// The place of the hunk. Refused when the file has its new lines already at one of the other places.
    fn unless_applied(
        &self,
        at: usize,
        other_places: impl Iterator<Item = usize>,
        new: &str,
    ) -> Result<usize, Refusal> {
        for start in other_places {
            let begins = |text: &str| text.split('\n').next().map(str::len);
            if self.text.get(start..).is_none_or(|text| begins(text) != begins(new)) {
                continue;
            }
            self.budget.spend(new.len())?;
            if self.has_lines_at(start, new) {
                return Err(refuse_already_applied(
                    self.requested,
                    &self.wording,
                    self.text,
                    start,
                ));
            }
        }
        Ok(at)
    }

    /// The lines of the hunk without those of the other sign, joined by LF, without a last line end.
    pub(super) fn joined_lines(&self, other: Sign) -> String {
        let lines = self.hunk.lines.iter().filter(|line| line.sign != other);
        let lines: Vec<&str> = lines.map(|line| without_cr(&line.text)).collect();
        lines.join("\n")
    }

    /// Adds the places in a region where the file has these whole lines, up to one more than a message names.
    fn find(
        &self,
        old: &str,
        region: &Range<usize>,
        places_found: &mut Vec<usize>,
    ) -> Result<(), Refusal> {
        let searched_bytes = &self.text.as_bytes()[..self.text.len().min(region.end + old.len())];
        let finder = Finder::new(old);
        let mut from = region.start;
        while from < region.end && places_found.len() <= MAX_SHOWN_MATCHES {
            let at = finder.find(&searched_bytes[from..]).map(|at| from + at);
            self.budget.spend(at.unwrap_or(searched_bytes.len()) - from + old.len())?;
            let Some(at) = at else { break };
            if at < region.end && self.has_lines_at(at, old) {
                places_found.push(at);
            }
            let Some(line) = memchr::memchr(b'\n', &self.text.as_bytes()[at..]) else { break };
            from = at + line + 1;
        }
        Ok(())
    }

    /// Whether the file has these whole lines at this place.
    fn has_lines_at(&self, at: usize, old: &str) -> bool {
        let (bytes, end) = (self.text.as_bytes(), at + old.len());
        let begins = at == 0 || bytes[at - 1] == b'\n';
        // An empty last line counts only when it has a line end.
        let is_line = end < bytes.len() || !(old.is_empty() || old.ends_with('\n'));
        let ends = match &bytes[end.min(bytes.len())..] {
            [] => is_line,
            [b'\n'] => !self.is_last,
            [b'\n', ..] => !self.is_last && !self.hunk.at_end,
            _ => false,
        };
        begins && ends && self.text[at..].starts_with(old)
    }

    /// The place for new lines of a hunk without context.
    fn addition_place(&self, scope: &Scope) -> Result<usize, Refusal> {
        if self.text.is_empty() || self.hunk.at_end && scope.reaches_end(self.text) {
            return Ok(self.text.len());
        }
        if self.hunk.at_end {
            let what = "it adds at the end of the file, and what stands below the line after its @@ ends before that";
            let hint = "To append to the file, leave @@ alone; to add below that line, leave out `*** End of File`.";
            return Err(self.refuse(code::NO_MATCH, what).with_hint(hint));
        }
        match scope.lines[..] {
            [] => {
                let what = "it only adds, and has no line of the file to be found by";
                let refusal = self.refuse(code::NO_MATCH, what);
                let hint = "Add lines around the new ones. To append, end the hunk with `*** End of File`.";
                Err(refusal.with_hint(hint))
            }
            [line] => Ok(line_end(self.text, line)),
            _ => Err(self.refuse_several(&scope.lines)),
        }
    }

    /// The refusal of a hunk that may apply in several places, whose old lines have this length.
    pub(super) fn refuse_places(&self, places: &[usize], length: usize) -> Refusal {
        let times = match places.len() {
            count if count > MAX_SHOWN_MATCHES => format!("more than {MAX_SHOWN_MATCHES}"),
            count => count.to_string(),
        };
        refuse_ambiguous(self.requested, &self.wording, self.text, (places, &times), length)
    }

    /// The refusal of a line after `@@` that is there several times.
    fn refuse_several(&self, places: &[usize]) -> Refusal {
        let length = |&at: &usize| line_end(self.text, at) - at;
        self.refuse_places(places, places.first().map_or(0, length))
    }

    /// The part of the file below the lines that the hunk names; the whole file when it names none.
    fn scope(&self) -> Result<Scope, Refusal> {
        self.hunk.scopes.iter().try_fold(Scope::whole(self.text), |scope, named| {
            let lines = scope.matching_lines(self.text, named, self.budget)?;
            match lines.len() {
                0 => {
                    let what =
                        format!("no line of {} is the one after its @@", self.requested.shown);
                    let refusal = self.refuse(code::NO_MATCH, &what);
                    Err(refusal.with_hint("Copy a line of the file after @@, or leave @@ alone."))
                }
                1..=MAX_NAMED_LINES => Scope::below(self.text, lines, self.budget),
                _ => Err(self.refuse_several(&lines)),
            }
        })
    }

    pub(super) fn refuse_nowhere(&self) -> Refusal {
        let (old, new) = (&*self.joined_lines(Sign::Added), &*self.joined_lines(Sign::Removed));
        let whole = Hunk::default();
        let wording = wording(self.requested, 0, &whole);
        let anywhere = HunkSearch { hunk: &whole, is_last: false, wording, ..*self };
        let mut places_found = Vec::new();
        if let Err(refusal) = anywhere.find(old, &(0..self.text.len()), &mut places_found) {
            return refusal;
        }
        let Some(&at) = places_found.first() else {
            return refuse_absent(self.requested, &self.wording, self.text, (old, new));
        };
        let line = line_at(self.text, at);
        let (limit, hint) = match (self.hunk.scopes.last(), self.hunk.at_end) {
            (Some(_), _) => ("not below the line after its @@", Some(SCOPE_HINT)),
            (None, true) => ("not at the end of the file", None),
            (None, false) => ("its last line has an end there", None),
        };
        let message = format!("its lines stand at line {line}, but {limit}");
        let refusal = self.refuse(code::NO_MATCH, &message).with_lines(vec![line]);
        Refusal { hint: hint.map(Into::into), ..refusal }
    }

    fn refuse(&self, code: &'static str, what: &str) -> Refusal {
        self.wording.refuse(code, what)
    }
}

/// The places where the new lines would begin if the old lines at this place were a part of them.
fn starts_around(at: usize, old: &str, new: &str) -> impl Iterator<Item = usize> {
    let is_line = |&from: &usize| {
        let ends = new.as_bytes().get(from + old.len());
        (from == 0 || new.as_bytes()[from - 1] == b'\n') && ends.is_none_or(|&end| end == b'\n')
    };
    let offsets = memchr::memmem::find_iter(new.as_bytes(), old.as_bytes());
    let offsets = offsets.filter(|_| new.len() > old.len());
    offsets.filter(is_line).filter_map(move |offset| at.checked_sub(offset))
}

/// The places of the changed lines of a hunk that begins at `start`.
fn changed_places(
    normal: &LfText<'_>,
    hunk: &Hunk,
    start: usize,
    index: usize,
) -> Vec<EditPlace<'static>> {
    let text = &*normal.text;
    let says_end = hunk.lines.iter().any(|line| line.sign == Sign::Removed && line.lacks_line_end);
    let lacks_line_end = !text.is_empty() && !text.ends_with('\n');
    let mut places = Vec::new();
    let mut at = start;
    let mut lines = hunk.lines.iter().peekable();
    while let Some(first) = lines.peek() {
        if first.sign == Sign::Context {
            at = line_end(text, at);
            lines.next();
            continue;
        }
        let from = at;
        let mut new = String::new();
        while let Some(line) = lines.next_if(|line| line.sign != Sign::Context) {
            if line.sign == Sign::Removed {
                at = line_end(text, at);
            } else {
                new.push_str(&line.text);
                new.push_str(if line.lacks_line_end { "" } else { "\n" });
            }
        }
        if at < text.len() {
            // More lines of the file follow, so that the new ones need a line end.
            if !new.is_empty() && !new.ends_with('\n') {
                new.push('\n');
            }
        } else if lacks_line_end && !new.is_empty() {
            // The last line of the file has no line end; the new last line gets none either, unless the patch says so.
            if !says_end && new.ends_with('\n') {
                new.pop();
            }
            if from == at {
                new.insert(0, '\n');
            }
        }
        let shown = normal.shown(from)..normal.shown(at);
        places.push(EditPlace {
            edit: index,
            shown,
            new: Cow::Owned(new),
            occurrences: 1,
            taken: Vec::new(),
        });
    }
    places
}

/// The place where the line with this number begins.
fn line_start(text: &str, line: usize) -> Option<usize> {
    match line {
        0 => None,
        1 => Some(0),
        _ => memchr::memchr_iter(b'\n', text.as_bytes()).nth(line - 2).map(|at| at + 1),
    }
}

/// A line without the CR of its CRLF.
pub(super) fn without_cr(line: &str) -> &str {
    line.strip_suffix('\r').unwrap_or(line)
}
