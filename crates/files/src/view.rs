//! A text as a model may see it, with the way back to the bytes behind its masks.
//!
//! Where a file holds more than one secret, each mask has a number, in the order of the file. Equal secrets have different
//! numbers: a shared one would say whether a guess is right.

use std::borrow::Cow;
use std::collections::HashSet;
use std::ops::Range;

use handrail_redact::{MASK_NUMBER_DIGITS, Mark, Redactor, find_masks};

/// A redacted text. What lies between its masks is the same in both.
#[derive(Debug)]
pub(crate) struct View<'t> {
    pub(crate) text: Cow<'t, str>,
    /// In order, without overlaps.
    pub(crate) masks: Vec<Mask>,
}

/// A secret: where its mask is shown, and where it stands in the source. Never printed with the source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Mask {
    /// With the quotes that it brings, and with what stays between the parts of its secret.
    pub(crate) shown: Range<usize>,
    pub(crate) source: Range<usize>,
}

impl<'t> View<'t> {
    /// The view of a file.
    pub(crate) fn of(redactor: &Redactor, source: &'t str) -> View<'t> {
        View::new(redactor, source, true)
    }

    /// The view of a name: nobody writes its masks back, so that they have no numbers.
    pub(crate) fn of_name(redactor: &Redactor, source: &'t str) -> View<'t> {
        View::new(redactor, source, false)
    }

    fn new(redactor: &Redactor, source: &'t str, numbered: bool) -> View<'t> {
        let found = redactor.marks(source.as_bytes());
        if found.is_empty() {
            return View { text: Cow::Borrowed(source), masks: Vec::new() };
        }
        let first = if numbered { first_number(redactor, source, &found) } else { None };
        let mut text = String::with_capacity(source.len());
        let mut masks: Vec<Mask> = Vec::with_capacity(found.len());
        let mut kept = 0;
        for Mark { rule, start, end, quoted, continues } in found {
            let (start, end) = (floor(source, start).max(kept), ceil(source, end).max(kept));
            text.push_str(&source[kept..start]);
            kept = end;
            match masks.last_mut() {
                // What stays between the parts of one secret belongs to its mask.
                Some(last) if continues => {
                    last.source.end = end;
                    last.shown.end = text.len();
                }
                _ => {
                    let from = text.len();
                    let mask = redactor.mask(rule, quoted);
                    match first.and_then(|first| Some((first, mask.rsplit_once(']')?))) {
                        Some((first, (opened, rest))) => {
                            let number = (first + masks.len()).to_string();
                            text.extend([opened, ":", &number, "]", rest]);
                        }
                        None => text.push_str(&mask),
                    }
                    masks.push(Mask { shown: from..text.len(), source: start..end });
                }
            }
        }
        text.push_str(&source[kept..]);
        View { text: Cow::Owned(text), masks }
    }

    /// Whether this place of the source is behind a mask.
    pub(crate) fn hides(&self, source: usize) -> bool {
        let after = self.masks.partition_point(|mask| mask.source.end <= source);
        self.masks.get(after).is_some_and(|mask| mask.source.start <= source)
    }

    /// What a mask is called: its text without what belongs to it besides.
    pub(crate) fn name(&self, mask: &Mask) -> &str {
        let shown = &self.text[mask.shown.clone()];
        find_masks(shown.as_bytes()).first().map_or(shown, |name| &shown[name.clone()])
    }
}

/// The number of the first mask; none where one mask is all that looks like it. Texts of the file that look like masks keep
/// theirs: numbers begin behind them.
fn first_number(redactor: &Redactor, source: &str, found: &[Mark]) -> Option<usize> {
    let is_hidden = |at: usize| {
        let after = found.partition_point(|mark| mark.start <= at);
        found[..after].last().is_some_and(|mark| at < mark.end)
    };
    let literal = find_masks(source.as_bytes()).into_iter();
    let literal = literal.filter(|at| !is_hidden(at.start)).map(|at| &source[at]);
    let is_one = found.iter().skip(1).all(|mark| mark.continues);
    let only = redactor.mask(found[0].rule, false);
    let (highest, is_taken) = literal.fold((0, false), |(highest, is_taken), text| {
        (number_of(text).unwrap_or(0).max(highest), is_taken || text == only)
    });
    (!is_one || is_taken).then_some(highest + 1)
}

/// The number of a mask.
pub(crate) fn number_of(mask: &str) -> Option<usize> {
    let (_, number) = mask.strip_suffix(']')?.rsplit_once(':')?;
    let is_number =
        number.len() <= MASK_NUMBER_DIGITS && number.bytes().all(|b| b.is_ascii_digit());
    number.parse().ok().filter(|_| is_number)
}

/// Whether one of these texts has the number of a mask, other than what the file itself holds.
pub(crate) fn have_numbers<'a>(source: &str, texts: impl Iterator<Item = &'a str>) -> bool {
    let literal: HashSet<&str> =
        find_masks(source.as_bytes()).into_iter().map(|at| &source[at]).collect();
    let is_numbered = |mask: &str| number_of(mask).is_some() && !literal.contains(mask);
    texts
        .flat_map(|text| find_masks(text.as_bytes()).into_iter().map(move |at| &text[at]))
        .any(is_numbered)
}

/// The last border of a character up to this place.
pub(crate) fn floor(text: &str, at: usize) -> usize {
    (0..=at.min(text.len())).rev().find(|&at| text.is_char_boundary(at)).unwrap_or(0)
}

fn ceil(text: &str, at: usize) -> usize {
    (at..text.len()).find(|&at| text.is_char_boundary(at)).unwrap_or(text.len())
}
