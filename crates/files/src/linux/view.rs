//! A text with its secrets masked, and for each mask the bytes of the secret that it stands for.
//!
//! Where a file holds more than one secret, each mask has a number, in the order of the file. Equal secrets have different
//! numbers: a shared number would tell whether a guess is right.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};
use std::ops::Range;

use handrail_redact::{MASK_NUMBER_DIGITS, Mark, Redactor, find_masks};

/// Highest number of a mask; one with more digits is not recognised.
const MAX_NUMBER: usize = 999_999_999;

/// A masked text. Between its masks it is the same as the source.
#[derive(Debug)]
pub(crate) struct MaskedView<'t> {
    pub(crate) text: Cow<'t, str>,
    /// The masks in the order of the text, without overlaps.
    pub(crate) masks: Vec<Mask>,
}

/// Where a mask is in the masked text, and where its secret is in the source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Mask {
    /// Range in the masked text, with quotes that belong to the mask, and text between the parts of its secret.
    pub(crate) shown: Range<usize>,
    /// Range of the secret in the source.
    pub(crate) source: Range<usize>,
}

impl<'t> MaskedView<'t> {
    /// The masked text of a file; its masks have numbers where there are several.
    pub(crate) fn of(redactor: &Redactor, source: &'t str) -> MaskedView<'t> {
        MaskedView::new(redactor, source, true)
    }

    /// The masked text of what nobody writes back, such as a name: its masks have no numbers.
    pub(crate) fn unnumbered(redactor: &Redactor, source: &'t str) -> MaskedView<'t> {
        MaskedView::new(redactor, source, false)
    }

    fn new(redactor: &Redactor, source: &'t str, numbered: bool) -> MaskedView<'t> {
        let found_marks = redactor.marks(source.as_bytes());
        if found_marks.is_empty() {
            return MaskedView { text: Cow::Borrowed(source), masks: Vec::new() };
        }
        let first = if numbered { first_mask_number(redactor, source, &found_marks) } else { None };
        let mut text = String::with_capacity(source.len());
        let mut masks: Vec<Mask> = Vec::with_capacity(found_marks.len());
        let mut copied_end = 0;
        for Mark { rule, start, end, quoted, continues } in found_marks {
            let (start, end) = (
                floor_char_boundary(source, start).max(copied_end),
                ceil_char_boundary(source, end).max(copied_end),
            );
            text.push_str(&source[copied_end..start]);
            copied_end = end;
            match masks.last_mut() {
                // Text between two parts of one secret belongs to the mask.
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
        text.push_str(&source[copied_end..]);
        MaskedView { text: Cow::Owned(text), masks }
    }

    /// The secrets of the source by lines: a line of a secret is learned for what it is.
    pub(crate) fn secrets<'s>(&self, source: &'s str) -> impl Iterator<Item = &'s str> {
        self.masks.iter().flat_map(|mask| source[mask.source.clone()].lines().map(str::trim))
    }

    /// Whether the byte at this place of the source is masked.
    pub(crate) fn is_masked(&self, source: usize) -> bool {
        let after = self.masks.partition_point(|mask| mask.source.end <= source);
        self.masks.get(after).is_some_and(|mask| mask.source.start <= source)
    }

    /// Indexes of the masks that lie in a range of the masked text.
    pub(crate) fn masks_in(&self, shown: &Range<usize>) -> Range<usize> {
        let first = self.masks.partition_point(|mask| mask.shown.start < shown.start);
        let end = self.masks.partition_point(|mask| mask.shown.end <= shown.end);
        first..end.max(first)
    }

    /// Whether a range of the masked text overlaps a numbered mask that was not shown to the caller. `known_masks` has the
    /// indexes of the masks that were.
    pub(crate) fn reaches_unseen_mask(
        &self,
        shown: &Range<usize>,
        known_masks: &[Range<usize>],
    ) -> bool {
        let first = self.masks.partition_point(|mask| mask.shown.end <= shown.start);
        let reached = self.masks[first..].iter().take_while(|mask| mask.shown.start < shown.end);
        (first..).zip(reached).any(|(index, mask)| {
            mask_number(self.name(mask)).is_some() && !is_in_ranges(known_masks, index)
        })
    }

    /// Whether one of these texts has a numbered mask that was not shown to the caller. `known_masks` has the indexes of the
    /// masks that were. Texts of the source that merely look like masks do not count.
    pub(crate) fn names_unseen_mask<'a>(
        &self,
        source: &str,
        texts: impl Iterator<Item = &'a str>,
        known_masks: Option<&[Range<usize>]>,
    ) -> bool {
        let mut mentioned = texts
            .flat_map(|text| find_masks(text.as_bytes()).into_iter().map(move |at| &text[at]))
            .filter(|mask| mask_number(mask).is_some())
            .peekable();
        if mentioned.peek().is_none() {
            return false;
        }
        let literal_masks: HashSet<&str> =
            find_masks(source.as_bytes()).into_iter().map(|at| &source[at]).collect();
        let index_by_name: HashMap<&str, usize> =
            self.masks.iter().enumerate().map(|(index, mask)| (self.name(mask), index)).collect();
        let is_whole = known_masks.is_some_and(|known_masks| {
            (0..self.masks.len()).all(|index| is_in_ranges(known_masks, index))
        });
        let known_masks = known_masks.unwrap_or_default();
        mentioned.filter(|mask| !literal_masks.contains(mask)).any(|mask| {
            match index_by_name.get(mask) {
                Some(&index) => !is_in_ranges(known_masks, index),
                // When all masks were shown, a mask with another number is a plain mistake, which is refused elsewhere.
                None => !is_whole,
            }
        })
    }

    /// The text of a mask without its quotes and without the text between parts of its secret.
    pub(crate) fn name(&self, mask: &Mask) -> &str {
        let shown = &self.text[mask.shown.clone()];
        find_masks(shown.as_bytes()).first().map_or(shown, |name| &shown[name.clone()])
    }
}

/// The number of the first mask; `None` where there is one mask and no text that looks like it. The numbers begin where they
/// collide with no text of the source that looks like a numbered mask.
fn first_mask_number(redactor: &Redactor, source: &str, found_marks: &[Mark]) -> Option<usize> {
    let is_hidden = |at: usize| {
        let after = found_marks.partition_point(|mark| mark.start <= at);
        found_marks[..after].last().is_some_and(|mark| at < mark.end)
    };
    let literal_masks = find_masks(source.as_bytes()).into_iter();
    let literal_masks: Vec<&str> =
        literal_masks.filter(|at| !is_hidden(at.start)).map(|at| &source[at]).collect();
    let masks = found_marks.iter().filter(|mark| !mark.continues).count();
    let only = redactor.mask(found_marks[0].rule, false);
    if masks <= 1 && !literal_masks.contains(&only.as_ref()) {
        return None;
    }
    let mut taken_numbers: Vec<usize> = literal_masks.into_iter().filter_map(mask_number).collect();
    taken_numbers.sort_unstable();
    let free = taken_numbers.into_iter().fold(1, |first, number| {
        if (first..first + masks).contains(&number) { number + 1 } else { first }
    });
    // Where no numbers are free, masks that collide with texts of the source are refused when they are written back.
    Some(if free + masks <= MAX_NUMBER { free } else { 1 })
}

/// The number in a mask such as `[REDACTED:2]`.
pub(crate) fn mask_number(mask: &str) -> Option<usize> {
    let (_, number) = mask.strip_suffix(']')?.rsplit_once(':')?;
    let is_number =
        number.len() <= MASK_NUMBER_DIGITS && number.bytes().all(|b| b.is_ascii_digit());
    number.parse().ok().filter(|_| is_number)
}

fn is_in_ranges(known_masks: &[Range<usize>], index: usize) -> bool {
    let after = known_masks.partition_point(|mentioned| mentioned.end <= index);
    known_masks.get(after).is_some_and(|mentioned| mentioned.contains(&index))
}

/// The last character boundary at or before this place.
pub(crate) fn floor_char_boundary(text: &str, at: usize) -> usize {
    (0..=at.min(text.len())).rev().find(|&at| text.is_char_boundary(at)).unwrap_or(0)
}

fn ceil_char_boundary(text: &str, at: usize) -> usize {
    (at..text.len()).find(|&at| text.is_char_boundary(at)).unwrap_or(text.len())
}
