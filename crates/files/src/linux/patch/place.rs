//! Where the hunks of a file apply: in one place each, found by their lines. The number that a patch gives chooses among
//! places with the same lines; it never makes one.

use std::borrow::Cow;
use std::ops::Range;

use memchr::memmem::Finder;

use super::budget::Budget;
use super::parse::{Hunk, Line, Sign};
use super::scope::{Scope, after_line};
use crate::linux::edit::locate::{
    Lead, MIN_APPLIED_CHARS, Normal, Place, SHOWN_MATCHES, absent, already, ambiguous,
};
use crate::linux::path::Asked;
use crate::linux::text::line_at;
use crate::refusal::{Refusal, code};

/// Places that a line after `@@` may have.
const MAX_SCOPE_LINES: usize = 64;

/// The byte order mark.
const MARK: char = '\u{feff}';

const BELOW: &str = "Below a line are those indented deeper; where the next one is not, only that one. Begin the hunk there, or \
                     leave @@ alone and add lines around the change.";

/// The changed lines of every hunk.
pub(super) fn places(
    asked: &Asked,
    text: &str,
    hunks: &[Hunk],
    budget: &Budget,
) -> Result<Vec<Place<'static>>, Refusal> {
    let normal = Normal::of(text);
    let mut places = Vec::new();
    for (index, hunk) in hunks.iter().enumerate() {
        let hunk = &*without_mark(hunk, &normal.text, budget)?;
        let is_last = hunk.lines.iter().any(|line| line.is_old() && line.is_unended);
        let lead = lead(asked, index, hunk);
        let search = Search { asked, text: &normal.text, hunk, is_last, lead, budget };
        let start = search.start().map_err(|refusal| refusal.of_edit(index))?;
        places.extend(changes(&normal, hunk, start, index));
    }
    Ok(places)
}

/// A hunk as the text has it: the mark that a file may begin with is none of its characters.
fn without_mark<'h>(hunk: &'h Hunk, text: &str, budget: &Budget) -> Result<Cow<'h, Hunk>, Refusal> {
    let is_marked = |&at: &usize| hunk.lines[at].text.starts_with(MARK);
    let first = |is_it: fn(&Line) -> bool| hunk.lines.iter().position(is_it).filter(is_marked);
    let Some(old) = first(Line::is_old) else { return Ok(Cow::Borrowed(hunk)) };
    budget.take(text.len())?;
    if text.contains(MARK) {
        return Ok(Cow::Borrowed(hunk));
    }
    let mut bare = hunk.clone();
    for at in [Some(old), first(Line::is_new).filter(|&new| new != old)].into_iter().flatten() {
        bare.lines[at].text.drain(..MARK.len_utf8());
    }
    Ok(Cow::Owned(bare))
}

fn lead(asked: &Asked, index: usize, hunk: &Hunk) -> Lead {
    let lines = hunk.lines.iter().enumerate().filter(|(_, line)| line.is_old());
    Lead {
        title: None,
        text: format!("{} hunk {}: ", asked.shown, index + 1),
        line: "hunk line",
        numbers: lines.map(|(at, _)| at + 1).collect(),
        choose: "Add lines around the change, or above it `@@` with the line of the function that it is in.",
    }
}

/// One hunk, and the text it is looked for in, which has LF only.
struct Search<'s> {
    asked: &'s Asked,
    text: &'s str,
    hunk: &'s Hunk,
    /// Its last old line has no end.
    is_last: bool,
    lead: Lead,
    budget: &'s Budget,
}

impl Search<'_> {
    /// Where the hunk begins.
    fn start(&self) -> Result<usize, Refusal> {
        let hunk = self.hunk;
        if hunk.lines.iter().all(|line| line.sign == Sign::Context) {
            return Err(self.refuse(code::UNCHANGED, "it has neither a new nor a removed line"));
        }
        let scope = self.scope()?;
        let (old, new) = (self.joined(Sign::Added), self.joined(Sign::Removed));
        if !hunk.lines.iter().any(Line::is_old) {
            let at = self.addition(&scope)?;
            // As what follows, or as the lines before the end.
            let before = [0, new.len(), new.len() + 1].map(|back| at.checked_sub(back));
            let is_telling = new.trim().chars().count() >= MIN_APPLIED_CHARS;
            let there = before.into_iter().flatten().filter(|_| is_telling);
            return self.unless_applied(at, there, &new);
        }
        let mut found = Vec::new();
        for region in &scope.regions {
            self.find(&old, region, &mut found)?;
        }
        found.sort_unstable();
        found.dedup();
        match found[..] {
            [] => Err(self.nowhere(&old, &new)),
            [start] => self.unless_applied(start, around(start, &old, &new), &new),
            _ => {
                self.budget.take(self.text.len())?;
                let stated = hunk.line.and_then(|line| line_start(self.text, line));
                let stated = stated.filter(|&at| {
                    self.stands_at(at, &old)
                        && scope.regions.iter().any(|region| region.contains(&at))
                });
                let start = stated.ok_or_else(|| self.several(&found))?;
                self.unless_applied(start, around(start, &old, &new), &new)
            }
        }
    }

    /// The place of the hunk; its new lines do not stand at one of these others.
    fn unless_applied(
        &self,
        at: usize,
        there: impl Iterator<Item = usize>,
        new: &str,
    ) -> Result<usize, Refusal> {
        for start in there {
            let begins = |text: &str| text.split('\n').next().map(str::len);
            if self.text.get(start..).is_none_or(|text| begins(text) != begins(new)) {
                continue;
            }
            self.budget.take(new.len())?;
            if self.stands_at(start, new) {
                return Err(already(self.asked, &self.lead, self.text, start));
            }
        }
        Ok(at)
    }

    /// The lines of one side, as they are when they have LF only and no end at the end.
    fn joined(&self, other: Sign) -> String {
        let lines = self.hunk.lines.iter().filter(|line| line.sign != other);
        let lines: Vec<&str> = lines.map(|line| plain(&line.text)).collect();
        lines.join("\n")
    }

    /// The places where whole lines are these, as many as a message names and one more.
    fn find(
        &self,
        old: &str,
        region: &Range<usize>,
        found: &mut Vec<usize>,
    ) -> Result<(), Refusal> {
        let reach = &self.text.as_bytes()[..self.text.len().min(region.end + old.len())];
        let finder = Finder::new(old);
        let mut from = region.start;
        while from < region.end && found.len() <= SHOWN_MATCHES {
            let at = finder.find(&reach[from..]).map(|at| from + at);
            self.budget.take(at.unwrap_or(reach.len()) - from + old.len())?;
            let Some(at) = at else { break };
            if at < region.end && self.stands_at(at, old) {
                found.push(at);
            }
            let Some(line) = memchr::memchr(b'\n', &self.text.as_bytes()[at..]) else { break };
            from = at + line + 1;
        }
        Ok(())
    }

    /// Whether whole lines at this place are these.
    fn stands_at(&self, at: usize, old: &str) -> bool {
        let (bytes, end) = (self.text.as_bytes(), at + old.len());
        let begins = at == 0 || bytes[at - 1] == b'\n';
        // An empty line is one that has an end.
        let is_line = end < bytes.len() || !(old.is_empty() || old.ends_with('\n'));
        let ends = match &bytes[end.min(bytes.len())..] {
            [] => is_line,
            [b'\n'] => !self.is_last,
            [b'\n', ..] => !self.is_last && !self.hunk.at_end,
            _ => false,
        };
        begins && ends && self.text[at..].starts_with(old)
    }

    /// Where lines go that say nothing of what is around them.
    fn addition(&self, scope: &Scope) -> Result<usize, Refusal> {
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
            [line] => Ok(after_line(self.text, line)),
            _ => Err(self.several(&scope.lines)),
        }
    }

    /// Places of which nobody knows which is meant.
    fn several(&self, places: &[usize]) -> Refusal {
        let times = match places.len() {
            count if count > SHOWN_MATCHES => format!("more than {SHOWN_MATCHES}"),
            count => count.to_string(),
        };
        ambiguous(self.asked, &self.lead, self.text, (places, &times))
    }

    /// What stands below the lines that the hunk names: all there is when it names none.
    fn scope(&self) -> Result<Scope, Refusal> {
        self.hunk.scopes.iter().try_fold(Scope::whole(self.text), |scope, named| {
            let lines = scope.lines_that_are(self.text, named, self.budget)?;
            match lines.len() {
                0 => {
                    let what = format!("no line of {} is the one after its @@", self.asked.shown);
                    let refusal = self.refuse(code::NO_MATCH, &what);
                    Err(refusal.with_hint("Copy a line of the file after @@, or leave @@ alone."))
                }
                1..=MAX_SCOPE_LINES => Scope::below(self.text, lines, self.budget),
                _ => Err(self.several(&lines)),
            }
        })
    }

    fn nowhere(&self, old: &str, new: &str) -> Refusal {
        let whole = Hunk::default();
        let lead = lead(self.asked, 0, &whole);
        let anywhere = Search { hunk: &whole, is_last: false, lead, ..*self };
        let mut found = Vec::new();
        if let Err(refusal) = anywhere.find(old, &(0..self.text.len()), &mut found) {
            return refusal;
        }
        let Some(&at) = found.first() else {
            return absent(self.asked, &self.lead, self.text, (old, new));
        };
        let line = line_at(self.text, at);
        let (limit, hint) = match (self.hunk.scopes.last(), self.hunk.at_end) {
            (Some(_), _) => ("not below the line after its @@", Some(BELOW)),
            (None, true) => ("not at the end of the file", None),
            (None, false) => ("its last line has an end there", None),
        };
        let message = format!("its lines stand at line {line}, but {limit}");
        let refusal = self.refuse(code::NO_MATCH, &message).with_lines(vec![line]);
        Refusal { hint: hint.map(Into::into), ..refusal }
    }

    fn refuse(&self, code: &'static str, what: &str) -> Refusal {
        self.lead.refuse(code, what)
    }
}

/// Where the new lines would begin if the old ones at this place were a part of them.
fn around(at: usize, old: &str, new: &str) -> impl Iterator<Item = usize> {
    let is_line = |&from: &usize| {
        let ends = new.as_bytes().get(from + old.len());
        (from == 0 || new.as_bytes()[from - 1] == b'\n') && ends.is_none_or(|&end| end == b'\n')
    };
    let offsets = memchr::memmem::find_iter(new.as_bytes(), old.as_bytes());
    let offsets = offsets.filter(|_| new.len() > old.len());
    offsets.filter(is_line).filter_map(move |offset| at.checked_sub(offset))
}

/// The changed lines of a hunk that begins here.
fn changes(normal: &Normal<'_>, hunk: &Hunk, start: usize, index: usize) -> Vec<Place<'static>> {
    let text = &*normal.text;
    let says_end = hunk.lines.iter().any(|line| line.sign == Sign::Removed && line.is_unended);
    let is_unended = !text.is_empty() && !text.ends_with('\n');
    let mut places = Vec::new();
    let mut at = start;
    let mut lines = hunk.lines.iter().peekable();
    while let Some(first) = lines.peek() {
        if first.sign == Sign::Context {
            at = after_line(text, at);
            lines.next();
            continue;
        }
        let from = at;
        let mut new = String::new();
        while let Some(line) = lines.next_if(|line| line.sign != Sign::Context) {
            if line.sign == Sign::Removed {
                at = after_line(text, at);
            } else {
                new.push_str(&line.text);
                new.push_str(if line.is_unended { "" } else { "\n" });
            }
        }
        if at < text.len() {
            // More lines follow.
            if !new.is_empty() && !new.ends_with('\n') {
                new.push('\n');
            }
        } else if is_unended && !new.is_empty() {
            // The file's last line has no end, and unless the patch speaks of it the new one has none either.
            if !says_end && new.ends_with('\n') {
                new.pop();
            }
            if from == at {
                new.insert(0, '\n');
            }
        }
        let shown = normal.shown(from)..normal.shown(at);
        places.push(Place { edit: index, shown, new: Cow::Owned(new), occurrences: 1 });
    }
    places
}

/// Where a line begins, by its number.
fn line_start(text: &str, line: usize) -> Option<usize> {
    match line {
        0 => None,
        1 => Some(0),
        _ => memchr::memchr_iter(b'\n', text.as_bytes()).nth(line - 2).map(|at| at + 1),
    }
}

/// A line without what is left of a CRLF.
fn plain(line: &str) -> &str {
    line.strip_suffix('\r').unwrap_or(line)
}
