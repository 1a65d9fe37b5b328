//! Finds the one place that an old text means where the file writes it a little otherwise, and writes the new text as the
//! file would.
//!
//! A reading is a form in which the caller may hold the text (with line numbers, say) and what may differ between the two
//! texts. Readings are tried in stages: each alone, then all together. A place counts when no other one is found in its
//! stage; nothing is chosen between two.

mod form;
mod indentation;
mod letters;
mod listed;
mod merge;
mod normal;
mod writing;

use std::collections::HashMap;
use std::ops::Range;

use memchr::memmem;

use crate::linux::answer::TakenFor;
use crate::linux::text::{line_at, line_end};
use form::{Form, ReadTexts};
use indentation::{KnownStep, step};
use letters::{Code, Dashes};
use normal::{Normal, Tolerance};
use writing::{Outcome, Shown, Writing};

/// Longest old or new text that is read otherwise than it stands there.
const MAX_TEXT_BYTES: usize = 256 << 10;
/// Longest file that is searched for a text that it writes otherwise.
const MAX_FILE_BYTES: usize = 4 << 20;
/// Most lines of old and new text together that are compared.
const MAX_LINES: usize = 4000;
/// Most places that one reading gives.
const MAX_PLACES: usize = 21;
/// Most places that one reading is looked at.
const MAX_CANDIDATES: usize = 1000;

/// Where an old text stands that the file writes otherwise.
#[derive(Debug)]
pub(crate) enum Found {
    /// Nowhere.
    Nowhere,
    /// In several places; where they begin.
    Several(Vec<usize>),
    /// In this place, and nobody can tell how the new text is to be written there.
    Open(Range<usize>),
    /// In this place.
    Once(Likeness),
}

/// A place of the file that counts as the old text.
#[derive(Debug)]
pub(crate) struct Likeness {
    pub(crate) range: Range<usize>,
    /// What takes its place.
    pub(crate) new: String,
    pub(crate) taken: Vec<TakenFor>,
    /// What the new lines of a hunk became, without line ends. For an edit, the lines of `new`.
    pub(crate) lines: Vec<String>,
}

/// What is asked about: both texts have LF only.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Wanted<'t> {
    pub(crate) old: &'t str,
    pub(crate) new: &'t str,
    /// How the lines of a hunk follow each other. `None` for an edit.
    pub(crate) hunk: Option<&'t HunkLines>,
    /// The parts of the file where the place may begin, in order.
    pub(crate) regions: &'t [Range<usize>],
    /// Whether the place ends with the file.
    pub(crate) at_end: bool,
}

/// How the lines of a hunk follow each other.
#[derive(Debug)]
pub(crate) struct HunkLines {
    /// For each old line, whether it stays.
    pub(crate) stays: Vec<bool>,
    /// For each new line, the number of old lines before it.
    pub(crate) after: Vec<usize>,
}

/// The search for old texts in one file, with LF only.
pub(crate) struct LikenessSearch<'t> {
    text: &'t str,
    normals: HashMap<usize, Normal>,
    step: KnownStep,
    knows_step: bool,
}

/// A way to read an old text.
#[derive(Clone, Copy, Debug)]
struct Reading {
    form: Form,
    tolerance: Tolerance,
}

const EXACT: Tolerance =
    Tolerance { line_ends: false, indentation: false, typography: None, code: None };
const SINGLE: Option<Dashes> = Some(Dashes::Single);
const DOUBLE: Option<Dashes> = Some(Dashes::Double);

/// What may differ when each reading is tried alone.
const ALONE: [Tolerance; 6] = [
    Tolerance { line_ends: true, ..EXACT },
    Tolerance { typography: SINGLE, ..EXACT },
    Tolerance { typography: DOUBLE, ..EXACT },
    Tolerance { indentation: true, ..EXACT },
    Tolerance { code: Some(Code::Entities), ..EXACT },
    Tolerance { code: Some(Code::Escapes), ..EXACT },
];
/// What may differ when all are tried together: those that begin within a line first.
const TOGETHER: [Tolerance; 8] = [
    Tolerance { line_ends: true, typography: SINGLE, ..EXACT },
    Tolerance { line_ends: true, typography: DOUBLE, ..EXACT },
    Tolerance { line_ends: true, typography: SINGLE, indentation: true, ..EXACT },
    Tolerance { line_ends: true, typography: DOUBLE, indentation: true, ..EXACT },
    Tolerance { typography: SINGLE, code: Some(Code::Escapes), ..EXACT },
    Tolerance { line_ends: true, typography: SINGLE, code: Some(Code::Entities), ..EXACT },
    Tolerance { line_ends: true, typography: DOUBLE, code: Some(Code::Entities), ..EXACT },
    Tolerance {
        line_ends: true,
        typography: SINGLE,
        indentation: true,
        code: Some(Code::Entities),
    },
];

/// The stages in which readings are tried.
fn stages() -> [Vec<Reading>; 2] {
    let plain = ALONE.map(|tolerance| Reading { form: Form::Plain, tolerance }).into_iter();
    let forms = Form::all().filter(|form| *form != Form::Plain);
    let alone = plain.chain(forms.map(|form| Reading { form, tolerance: EXACT })).collect();
    let together = Form::all().flat_map(|form| {
        // A text is in one code at most.
        let fits = move |tolerance: &Tolerance| form == Form::Plain || tolerance.code.is_none();
        TOGETHER.into_iter().filter(fits).map(move |tolerance| Reading { form, tolerance })
    });
    [alone, together.collect()]
}

/// A place that a reading has found, and what takes its place, if that is sure.
struct Place {
    /// Where the first character that is compared stands.
    visible: usize,
    range: Range<usize>,
    /// Whether what was taken off the text can be nothing but a reader's marks.
    is_proved: bool,
    likeness: Option<Likeness>,
}

impl<'t> LikenessSearch<'t> {
    pub(crate) fn new(text: &'t str) -> LikenessSearch<'t> {
        LikenessSearch { text, normals: HashMap::new(), step: None, knows_step: false }
    }

    /// The place of an old text that the file does not have as it is.
    pub(crate) fn find(&mut self, wanted: Wanted<'_>) -> Found {
        let lines = [wanted.old, wanted.new].map(|text| text.lines().count());
        let is_long = wanted.old.len().max(wanted.new.len()) > MAX_TEXT_BYTES
            || lines.iter().sum::<usize>() > MAX_LINES;
        if is_long || self.text.len() > MAX_FILE_BYTES {
            return Found::Nowhere;
        }
        for stage in stages() {
            let mut places: Vec<Place> = Vec::new();
            for reading in stage {
                let Some(found) = self.places(reading, wanted) else { return Found::Nowhere };
                for place in found {
                    match places.iter_mut().find(|known| known.visible == place.visible) {
                        Some(known) if known.likeness.is_none() => *known = place,
                        Some(_) => {}
                        None => places.push(place),
                    }
                }
            }
            places.sort_by_key(|place| place.range.start);
            if places.len() > 1 {
                return Found::Several(places.iter().map(|place| place.range.start).collect());
            }
            match places.pop() {
                None => {}
                Some(Place { is_proved: false, .. }) => return Found::Nowhere,
                Some(Place { likeness: Some(likeness), .. }) => return Found::Once(likeness),
                Some(Place { range, .. }) => return Found::Open(range),
            }
        }
        Found::Nowhere
    }

    /// The places that a reading finds; `None` when there are too many to be looked at.
    fn places(
        &mut self,
        Reading { form, tolerance }: Reading,
        wanted: Wanted<'_>,
    ) -> Option<Vec<Place>> {
        let none = Some(Vec::new());
        let Some(read) = form.read(wanted.old, wanted.new, wanted.hunk) else { return none };
        let ReadTexts { old, new, first_number } = read;
        let is_hunk = wanted.hunk.is_some();
        let count = |text: &str| text.split_inclusive('\n').count();
        let keeps_lines = count(&old) == count(wanted.old) && count(&new) == count(wanted.new);
        if is_hunk && (!keeps_lines || tolerance.code == Some(Code::Escapes)) {
            return none;
        }
        if tolerance.code.is_some_and(|code| !self.text.contains(code.mark())) {
            return none;
        }
        // The code is that of the file: the caller's text has the characters themselves.
        let sought = Normal::of(&old, Tolerance { code: None, ..tolerance });
        // Signs alone say too little where signs are what may differ.
        let is_telling =
            if form == Form::Plain && tolerance.of_letters() == EXACT && tolerance.code.is_none() {
                !sought.text.trim().is_empty()
            } else {
                sought.text.contains(char::is_alphanumeric)
            };
        if !is_telling {
            return none;
        }
        let has_whole_lines = form.has_whole_lines() || is_hunk;
        let ends_line =
            form == Form::LineEnd || sought.source_end(sought.text.len()) != Some(old.len());
        self.learn_step(tolerance);
        let text = self.text;
        let key = key_of(tolerance);
        let normal = self.normals.entry(key).or_insert_with(|| Normal::of(text, tolerance));
        let (mut places, mut candidates) = (Vec::new(), 0);
        let mut from = 0;
        while let Some(at) = memmem::find(&normal.text.as_bytes()[from..], sought.text.as_bytes()) {
            let start = from + at;
            let end = start + sought.text.len();
            from = start + normal.text[start..].chars().next().map_or(1, char::len_utf8);
            let (Some(visible), Some(last)) = (normal.source_start(start), normal.source_end(end))
            else {
                continue;
            };
            let Some(first) =
                start_of(text, visible, last, &old, (tolerance.indentation, has_whole_lines))
            else {
                continue;
            };
            let rest = &text[last..line_end(text, last.min(text.len()))];
            let is_at_line_end = last == text.len()
                || text[..last].ends_with('\n')
                || rest.trim_matches([' ', '\t', '\n']).is_empty();
            let must_end = has_whole_lines && !old.ends_with('\n') || ends_line;
            let is_at_end =
                is_at_line_end && last + rest.len() == text.len() && !rest.ends_with('\n');
            if must_end && !is_at_line_end || form == Form::LineEnd && !is_at_end {
                continue;
            }
            // The lines of a hunk are whole.
            let range = first..if is_hunk && is_at_end { text.len() } else { last };
            let is_within = wanted.regions.iter().any(|region| region.contains(&range.start));
            if !is_within || wanted.at_end && range.end != text.len() {
                continue;
            }
            candidates += 1;
            if candidates > MAX_CANDIDATES {
                return None;
            }
            let shown = Shown { sought: &sought, normal, start };
            let codes = tolerance.code.map(|code| code.decoded(&text[range.clone()]));
            let written = Writing {
                text,
                form,
                tolerance,
                step: self.step,
                old: &old,
                new: &new,
                codes: codes.unwrap_or_default(),
            };
            let likeness = match written.write(&range, wanted, &shown) {
                Outcome::Elsewhere => continue,
                Outcome::Open => None,
                Outcome::Written(likeness) => Some(likeness),
            };
            let stands = || old.lines().chain(text[range.clone()].lines());
            let is_proved = first_number.is_none_or(|number| number == line_at(text, range.start))
                && !(form.has_whole_lines() && listed::has_item(text, stands()));
            let likeness = likeness.filter(|_| is_proved);
            places.push(Place { visible, range, is_proved, likeness });
            if places.len() == MAX_PLACES {
                break;
            }
        }
        Some(places)
    }

    fn learn_step(&mut self, tolerance: Tolerance) {
        if tolerance.indentation && !self.knows_step {
            let lines: Vec<&str> = self.text.lines().collect();
            (self.step, self.knows_step) = (step(&lines), true);
        }
    }
}

/// A number for what the normal text of a file depends on.
fn key_of(tolerance: Tolerance) -> usize {
    let typography = match tolerance.typography {
        None => 0,
        Some(Dashes::Single) => 1,
        Some(Dashes::Double) => 2,
    };
    let code = match tolerance.code {
        None => 0,
        Some(Code::Entities) => 1,
        Some(Code::Escapes) => 2,
    };
    let lines = usize::from(tolerance.line_ends) + 2 * usize::from(tolerance.indentation);
    lines + 4 * typography + 12 * code
}

/// Where a place begins whose first compared character is at `visible`; `None` when none begins there.
fn start_of(
    text: &str,
    visible: usize,
    last: usize,
    old: &str,
    (by_indentation, has_whole_lines): (bool, bool),
) -> Option<usize> {
    let line = text[..visible].rfind('\n').map_or(0, |end| end + 1);
    let is_blank = text[line..visible].chars().all(letters::is_blank);
    let begins_with_line = !old.starts_with('\n');
    // No word and no indentation is cut.
    let is_word = |char: char| char.is_alphanumeric() || char == '_';
    let cuts = |at: usize| {
        let before = text[..at].chars().next_back();
        before.zip(text[at..].chars().next()).is_some_and(|(before, after)| {
            is_word(before) && is_word(after)
                || letters::is_blank(before) && letters::is_blank(after)
        })
    };
    if cuts(visible) || cuts(last) {
        return None;
    }
    if by_indentation && begins_with_line {
        return is_blank.then_some(line);
    }
    if has_whole_lines && begins_with_line && line != visible {
        return None;
    }
    Some(visible)
}
