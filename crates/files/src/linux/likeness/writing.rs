//! Writes a new text as the file would write it, where an old text was found that the file writes otherwise.

use std::ops::Range;

use similar::DiffOp;

use super::form::Form;
use super::indentation::{Indentation, KnownStep, split, step};
use super::letters::{Code, Decoded};
use super::merge::{Aligned, Letters, LinePair, body, merged, partners};
use super::normal::{Change, Normal, Tolerance};
use super::{HunkLines, Likeness, Wanted};
use crate::linux::answer::{TakenFor, TakenKind};
use crate::linux::line_diff::differences;

/// Most characters shown of what was taken for something else.
const MAX_SHOWN_CHARS: usize = 24;

/// What was compared with what.
pub(super) struct Shown<'n> {
    pub(super) sought: &'n Normal,
    pub(super) normal: &'n Normal,
    /// Where the normal old text stands in that of the file.
    pub(super) start: usize,
}

/// What becomes of a range of the file.
pub(super) enum Outcome {
    /// It is not the old text.
    Elsewhere,
    /// Nobody can tell how the new text is to be written there.
    Open,
    /// This takes its place.
    Written(Likeness),
}

/// Writes the new text as the file would.
pub(super) struct Writing<'w> {
    pub(super) text: &'w str,
    pub(super) form: Form,
    pub(super) tolerance: Tolerance,
    /// The step of indentation of the file.
    pub(super) step: KnownStep,
    pub(super) old: &'w str,
    pub(super) new: &'w str,
    /// The characters that the file codes at this place, and those that it does not code although it could.
    pub(super) codes: Decoded,
}

impl Writing<'_> {
    /// What takes the place of a range.
    pub(super) fn write(
        &self,
        range: &Range<usize>,
        wanted: Wanted<'_>,
        shown: &Shown<'_>,
    ) -> Outcome {
        let file = &self.text[range.clone()];
        let mut taken = self.taken(wanted);
        let mut letters = Letters::default();
        self.compare(shown, &mut letters, &mut taken);
        if self.tolerance.code == Some(Code::Escapes) {
            let new = self.with_escapes(file);
            let range = range.clone();
            return new.map_or(Outcome::Open, |new| {
                Outcome::Written(Likeness { range, new, taken, lines: Vec::new() })
            });
        }
        let split_lines = |text| str::split_inclusive(text, '\n').collect::<Vec<&str>>();
        let (old, file, new) = (split_lines(self.old), split_lines(file), split_lines(self.new));
        if old.len() != file.len() {
            return Outcome::Elsewhere;
        }
        let Some(indentation) = self.indentation(&old, &file, &new, &mut taken) else {
            return Outcome::Elsewhere;
        };
        let blanks = |line: &str| {
            let line = line.strip_suffix('\n').unwrap_or(line);
            line.len() - line.trim_end_matches([' ', '\t']).len()
        };
        // Of the last line the file may have more than was named.
        let is_whole = |file: &str| file.ends_with('\n') || wanted.hunk.is_some();
        let differs = |(old, file): (&&str, &&str)| {
            let counts = is_whole(file) || !self.tolerance.line_ends;
            blanks(old) != if counts { blanks(file) } else { 0 }
        };
        if old.iter().zip(&file).any(differs) {
            add(&mut taken, TakenKind::TrailingBlanks, "", "");
        }
        let pairs: Vec<LinePair<'_>> = old
            .iter()
            .zip(&file)
            .map(|(old, file)| LinePair {
                yours: body(old, self.tolerance),
                file: body(file, self.tolerance),
            })
            .collect();
        let adapted = match wanted.hunk {
            Some(hunk) => self.hunk_lines(&pairs, &new, hunk, &indentation, &letters),
            None => self.edit_lines(&old, &file, &pairs, &new, (&indentation, &letters)),
        };
        adapted.map_or(Outcome::Open, |lines| {
            let new = if wanted.hunk.is_some() { String::new() } else { lines.concat() };
            Outcome::Written(Likeness { range: range.clone(), new, taken, lines })
        })
    }

    /// The lines that take the place of those of the file.
    fn edit_lines(
        &self,
        old: &[&str],
        file: &[&str],
        pairs: &[LinePair<'_>],
        new: &[&str],
        (indentation, letters): (&Uniform, &Letters),
    ) -> Option<Vec<String>> {
        let mut written = Vec::with_capacity(new.len());
        for op in differences(old, new) {
            let (from, to) = (op.old_range(), op.new_range());
            if let DiffOp::Equal { .. } = op {
                written.extend(file[from].iter().map(|line| (*line).to_owned()));
                continue;
            }
            let is_first = from.start == 0 && to.start == 0;
            let added = &new[to];
            let lines = self.added(&pairs[from], added, is_first, indentation, letters)?;
            let ends = added.iter().map(|line| if line.ends_with('\n') { "\n" } else { "" });
            written.extend(lines.into_iter().zip(ends).map(|(line, end)| line + end));
        }
        Some(written)
    }

    /// The new lines of a hunk.
    fn hunk_lines(
        &self,
        pairs: &[LinePair<'_>],
        new: &[&str],
        hunk: &HunkLines,
        indentation: &Uniform,
        letters: &Letters,
    ) -> Option<Vec<String>> {
        let mut written = Vec::with_capacity(new.len());
        let mut at = 0;
        while at < new.len() {
            let here = hunk.after.get(at).copied()?;
            let count = hunk.after[at..].iter().take_while(|after| **after == here).count();
            // The removed lines right before the new ones, or right after them.
            let before = hunk.stays[..here].iter().rev().take_while(|stays| !**stays).count();
            let after = hunk.stays[here..].iter().take_while(|stays| !**stays).count();
            let added = &new[at..at + count];
            let removed = &pairs[here - before..here + after];
            written.extend(self.added(removed, added, here == 0, indentation, letters)?);
            at += count;
        }
        Some(written)
    }

    /// New lines in place of removed ones, without line ends.
    fn added(
        &self,
        removed: &[LinePair<'_>],
        added: &[&str],
        is_first: bool,
        indentation: &Uniform,
        letters: &Letters,
    ) -> Option<Vec<String>> {
        let bodies: Vec<&str> = added
            .iter()
            .map(|line| {
                let line = line.strip_suffix('\n').unwrap_or(line);
                if self.tolerance.indentation { split(line).1 } else { line }
            })
            .collect();
        let old: Vec<&str> = removed.iter().map(|pair| pair.yours).collect();
        let partners = partners(&old, &bodies);
        let mut written = Vec::with_capacity(added.len());
        for (index, (line, new)) in added.iter().zip(&bodies).enumerate() {
            let pair = partners[index].map(|partner| removed[partner]);
            let new_text =
                merged(pair, new, self.tolerance, (letters, &|char| self.is_open(char)))?;
            let line = line.strip_suffix('\n').unwrap_or(line);
            if !self.tolerance.indentation {
                written.push(new_text);
                continue;
            }
            let (blanks, _) = split(line);
            let blanks = if new.is_empty() {
                String::new()
            } else {
                indentation.apply(blanks, is_first && index == 0)?
            };
            written.push(blanks + &new_text);
        }
        Some(written)
    }

    /// Whether nobody can tell how the file would write a new character: it codes the character here, or has none that it
    /// would have to code.
    fn is_open(&self, char: char) -> bool {
        let is_coded = self.codes.coded.contains(&char);
        let hides = |code: Code| code.hides(char) && !self.codes.bare.contains(&char);
        is_coded || self.tolerance.code.is_some_and(hides)
    }

    /// The new text where the file has escapes: what is the same before and after the change stays as the file has it.
    fn with_escapes(&self, file: &str) -> Option<String> {
        let common =
            |a: &mut dyn Iterator<Item = char>, b: &mut dyn Iterator<Item = char>| -> usize {
                a.zip(b).take_while(|(a, b)| a == b).map(|(char, _)| char.len_utf8()).sum()
            };
        let (old, new) = (self.old, self.new);
        let start = common(&mut old.chars(), &mut new.chars());
        let (old_rest, new_rest) = (&old[start..], &new[start..]);
        let end = common(&mut old_rest.chars().rev(), &mut new_rest.chars().rev());
        let changed = &new_rest[..new_rest.len() - end];
        if changed.chars().any(|char| self.is_open(char)) {
            return None;
        }
        let aligned = Aligned::of(old, file, self.tolerance);
        let from = aligned.file_place(start)?;
        let to = aligned.file_place(old.len() - end)?;
        Some([&file[..from], changed, &file[to.max(from)..]].concat())
    }

    /// The one change of indentation; `None` when there is none that fits all lines.
    fn indentation(
        &self,
        old: &[&str],
        file: &[&str],
        new: &[&str],
        taken: &mut Vec<TakenFor>,
    ) -> Option<Uniform> {
        if !self.tolerance.indentation {
            return Some(Uniform { by: Indentation::Same, first: None });
        }
        let pairs: Vec<(&str, &str)> = old
            .iter()
            .zip(file)
            .enumerate()
            .filter(|(index, (old, _))| {
                !(old.trim().is_empty() || *index == 0 && self.old.starts_with('\n'))
            })
            .map(|(_, (old, file))| (split(old).0, split(file).0))
            .collect();
        let yours: Vec<&str> = old.iter().chain(new).copied().collect();
        let steps = (self.step, step(&yours));
        let first = *pairs.first()?;
        let (by, kept) = match Indentation::of(&pairs, steps) {
            Some(by) => (by, None),
            // A caller that copies lines may leave out the blanks before the first.
            None if first.0.is_empty() => {
                let others = pairs.get(1..)?;
                let by = Indentation::of(others, steps).filter(|by| by.is_conversion(others))?;
                (by, Some(first.1))
            }
            None => return None,
        };
        if let Some((yours, file)) = pairs.iter().find(|(yours, file)| yours != file) {
            add(taken, TakenKind::Indentation, yours, file);
        }
        // New lines that begin as the file does are perhaps meant as they are.
        let is_open = new.iter().find(|line| !line.trim().is_empty()).is_some_and(|line| {
            let blanks = split(line).0;
            kept.is_none() && first.0 != first.1 && blanks != first.0 && blanks == first.1
        });
        let first = if is_open { First::Open } else { First::Kept(kept.map(ToOwned::to_owned)) };
        Some(Uniform { by, first: Some(first) })
    }

    /// What the form of the caller's text was taken for.
    fn taken(&self, wanted: Wanted<'_>) -> Vec<TakenFor> {
        let mut taken = Vec::new();
        match self.form {
            Form::Plain => {}
            // The lines of a hunk have no ends of their own.
            Form::LineEnd if wanted.hunk.is_some() => {}
            Form::LineEnd => add(&mut taken, TakenKind::FinalNewline, "", ""),
            Form::Numbers(mark) => {
                let first = wanted.old.split(mark).next().unwrap_or_default();
                add(&mut taken, TakenKind::LineNumbers, &format!("{first}{mark}"), "");
            }
            Form::Signs => add(&mut taken, TakenKind::DiffSigns, "-", ""),
            Form::Code(code) => {
                let at = wanted.old.find(code.mark()).unwrap_or(0);
                let (char, length) = code.first(&wanted.old[at..]).unwrap_or((code.mark(), 1));
                let file = char.to_string();
                add(&mut taken, kind_of(code), &wanted.old[at..at + length], &file);
            }
        }
        taken
    }

    /// Learns which letters differ, and says so.
    fn compare(&self, shown: &Shown<'_>, letters: &mut Letters, taken: &mut Vec<TakenFor>) {
        let length = shown.sought.text.len();
        let in_file = shown.normal.changed(shown.start..shown.start + length);
        let in_file =
            in_file.map(|(change, at)| (change, at.start - shown.start..at.end - shown.start));
        let mut changed: Vec<(Change, Range<usize>)> =
            shown.sought.changed(0..length).chain(in_file).collect();
        changed.sort_by_key(|(_, at)| at.start);
        for (change, at) in changed {
            let yours = shown.sought.source_start(at.start).zip(shown.sought.source_end(at.end));
            let (from, to) = (shown.start + at.start, shown.start + at.end);
            let file = shown.normal.source_start(from).zip(shown.normal.source_end(to));
            let (Some((yours, yours_end)), Some((file, file_end))) = (yours, file) else {
                continue;
            };
            let (yours, file) = (&self.old[yours..yours_end], &self.text[file..file_end]);
            letters.learn(yours, file);
            if yours == file {
                continue;
            }
            let kind = match (change, self.tolerance.code) {
                (Change::Code, Some(code)) => kind_of(code),
                _ => TakenKind::Typography,
            };
            add(taken, kind, yours, file);
        }
    }
}

/// The change of indentation of a place.
struct Uniform {
    by: Indentation,
    first: Option<First>,
}

/// What becomes of the indentation of the first line.
enum First {
    /// It has this one, or what the change makes of it.
    Kept(Option<String>),
    /// Nobody can tell.
    Open,
}

impl Uniform {
    fn apply(&self, blanks: &str, is_first: bool) -> Option<String> {
        match &self.first {
            Some(First::Open) => None,
            Some(First::Kept(Some(kept))) if is_first && blanks.is_empty() => Some(kept.clone()),
            _ => self.by.apply(blanks),
        }
    }
}

fn kind_of(code: Code) -> TakenKind {
    match code {
        Code::Entities => TakenKind::Entities,
        Code::Escapes => TakenKind::Escapes,
    }
}

/// Adds what was taken for what; of each kind the first.
fn add(taken: &mut Vec<TakenFor>, kind: TakenKind, yours: &str, file: &str) {
    if taken.iter().all(|known| known.kind != kind) {
        let short = |text: &str| text.chars().take(MAX_SHOWN_CHARS).collect();
        taken.push(TakenFor { kind, yours: short(yours), file: short(file) });
    }
}
