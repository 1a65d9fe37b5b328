//! Puts secrets back: a model sees masks and writes them back, and each becomes the secret that it stands for in the masked
//! text, byte for byte, once, wherever the mask is now. Nothing is guessed: a mask that is not of the masked text is refused,
//! and so is a change after which a secret would be shown.

use std::collections::HashMap;
use std::ops::Range;

use handrail_redact::{Redactor, find_masks};

use crate::linux::text::{Document, Encoding, REPLACEMENT_CHARACTER, line_at};
use crate::linux::view::{MaskedView, floor_char_boundary, mask_number};

/// Most bytes of a line before a text that looks like a mask, which identify that text.
const MAX_LEAD_BYTES: usize = 1 << 10;

/// A range of a masked text and the text that takes its place. Changes are in order and do not overlap.
#[derive(Debug)]
pub(crate) struct TextChange {
    pub(crate) shown: Range<usize>,
    pub(crate) new: String,
    /// The range with the unchanged text on both sides of it that the caller gave as well.
    pub(crate) whole: Range<usize>,
}

/// A new text, still with the masks of the masked text that it is made from.
#[derive(Debug)]
pub(crate) struct Draft<'v> {
    view: &'v MaskedView<'v>,
    text: String,
    /// Ranges of the new texts in `text`.
    pub(crate) new: Vec<Range<usize>>,
    /// These ranges with the unchanged text around them that the caller gave as well.
    given_ranges: Vec<Range<usize>>,
    /// The ranges of the masked text that they replace.
    replaced_ranges: Vec<Range<usize>>,
}

/// Why a new text with masks is not written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct MaskError {
    pub(crate) kind: MaskErrorKind,
    pub(crate) line: usize,
    /// Index of the change that the mask is in, or of the last change before it.
    pub(crate) change: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum MaskErrorKind {
    /// The mask stands for no secret of the file.
    Unknown,
    /// The mask has no number, although this many secrets have one.
    Unnumbered(usize),
    /// The new text has the mask twice.
    Twice,
    /// The secret would no longer be masked.
    Shown,
}

/// A new text with its secrets in the places of their masks.
#[derive(Debug)]
pub(crate) struct RestoredText {
    pub(crate) text: String,
    /// Index of each mask, and the range of its secret in `text`.
    pub(crate) secrets: Vec<(usize, Range<usize>)>,
    /// Number of masks in the caller's texts that became secrets.
    pub(crate) restored: usize,
    /// The new text, masked again.
    pub(crate) shown: String,
    /// Whether every mask number stands for the same secret as before.
    pub(crate) keeps_numbers: bool,
    /// Whether the masked text is unchanged. Comparing the texts with their secrets would tell whether a guess was right.
    pub(crate) is_same: bool,
}

impl RestoredText {
    /// The bytes of the text in the encoding of its file. Bytes that the decoded text shows as U+FFFD are put back; `None` when
    /// a change has touched one of them.
    pub(crate) fn encode(&self, document: &Document, view: &MaskedView<'_>) -> Option<Vec<u8>> {
        if document.encoding != Encoding::Unknown {
            return Some(document.encode(&self.text));
        }
        let undecodable = document.undecodable();
        let mut shown = undecodable.iter().filter(|(at, _)| !view.is_masked(*at));
        let mut bytes = Vec::with_capacity(self.text.len());
        let (mut copied, mut secrets) = (0, self.secrets.iter().peekable());
        for (at, _) in self.text.match_indices(REPLACEMENT_CHARACTER) {
            while secrets.next_if(|(_, secret)| secret.end <= at).is_some() {}
            let (_, was) = match secrets.peek().filter(|(_, secret)| secret.start <= at) {
                Some((mask, secret)) => {
                    let from = view.masks[*mask].source.start + (at - secret.start);
                    &undecodable[undecodable.binary_search_by_key(&from, |(at, _)| *at).ok()?]
                }
                None => shown.next()?,
            };
            bytes.extend_from_slice(&self.text.as_bytes()[copied..at]);
            bytes.extend_from_slice(was);
            copied = at + REPLACEMENT_CHARACTER.len();
        }
        bytes.extend_from_slice(&self.text.as_bytes()[copied..]);
        shown.next().is_none().then_some(bytes)
    }
}

impl<'v> Draft<'v> {
    pub(crate) fn new(view: &'v MaskedView<'v>) -> Draft<'v> {
        let text = String::with_capacity(view.text.len());
        Draft { view, text, new: Vec::new(), given_ranges: Vec::new(), replaced_ranges: Vec::new() }
    }

    pub(crate) fn replace(&mut self, change: &TextChange) {
        self.text.push_str(&self.view.text[self.copied_end()..change.shown.start]);
        let from = self.text.len();
        self.text.push_str(&change.new);
        self.new.push(from..self.text.len());
        let before = change.shown.start - change.whole.start;
        let after = change.whole.end - change.shown.end;
        self.given_ranges.push(from - before..self.text.len() + after);
        self.replaced_ranges.push(change.shown.clone());
    }

    /// Where the part of the masked text ends that was copied or replaced so far.
    fn copied_end(&self) -> usize {
        self.replaced_ranges.last().map_or(0, |replaced_ranges| replaced_ranges.end)
    }

    /// Finishes the new text, with the secrets of the source in the places of their masks.
    pub(crate) fn restore_secrets(
        &mut self,
        redactor: &Redactor,
        source: &str,
    ) -> Result<RestoredText, MaskError> {
        let view = self.view;
        self.text.push_str(&view.text[self.copied_end()..]);
        let index_by_name: HashMap<&str, usize> =
            view.masks.iter().enumerate().map(|(index, mask)| (view.name(mask), index)).collect();
        // Texts of the file that merely look like masks and are replaced, with the line before them: they may be written back.
        let mut literal_masks: HashMap<&str, usize> = HashMap::new();
        for at in find_masks(view.text.as_bytes()) {
            if !index_by_name.contains_key(&view.text[at.clone()])
                && any_overlaps(&self.replaced_ranges, &at)
            {
                *literal_masks.entry(line_up_to(&view.text, &at)).or_default() += 1;
            }
        }
        let mut text = String::with_capacity(source.len().max(self.text.len()));
        let mut mask_places: Vec<Option<usize>> = vec![None; view.masks.len()];
        let (mut secrets, mut restored, mut copied) = (Vec::new(), 0, 0);
        for at in find_masks(self.text.as_bytes()) {
            let name = &self.text[at.clone()];
            let Some(&index) = index_by_name.get(name) else {
                if !any_overlaps(&self.new, &at) {
                    continue;
                }
                let left =
                    literal_masks.get_mut(line_up_to(&self.text, &at)).filter(|left| **left > 0);
                *left.ok_or_else(|| self.error_at(self.unknown_mask_error(name), at.start))? -= 1;
                continue;
            };
            if let Some(first) = mask_places[index].replace(at.start) {
                // At least one of the two is in a new text.
                let is_new = any_overlaps(&self.new, &at);
                return Err(
                    self.error_at(MaskErrorKind::Twice, if is_new { at.start } else { first })
                );
            }
            let mask = &view.masks[index];
            let shown = self.written_range(&view.text[mask.shown.clone()], name, &at, copied);
            let shown = shown.ok_or_else(|| self.error_at(MaskErrorKind::Unknown, at.start))?;
            text.push_str(&self.text[copied..shown.start]);
            let from = text.len();
            text.push_str(&source[mask.source.clone()]);
            secrets.push((index, from..text.len()));
            restored += usize::from(any_overlaps(&self.given_ranges, &at));
            copied = shown.end;
        }
        text.push_str(&self.text[copied..]);
        let new_view = MaskedView::of(redactor, &text);
        let masked = |secret: &Range<usize>| {
            let after = new_view.masks.partition_point(|mask| mask.source.start <= secret.start);
            after.checked_sub(1).filter(|&mask| secret.end <= new_view.masks[mask].source.end)
        };
        let shared_masks = new_view.masks.len().min(view.masks.len());
        let (mut unchanged_numbers, mut changed_numbers) = (0, 0);
        for (index, secret) in &secrets {
            let Some(mask) = masked(secret) else {
                let at = mask_places[*index].unwrap_or(0);
                return Err(self.error_at(MaskErrorKind::Shown, at));
            };
            let is_same = mask == *index
                && view.name(&view.masks[*index]) == new_view.name(&new_view.masks[mask]);
            unchanged_numbers += usize::from(is_same);
            changed_numbers += usize::from(!is_same && mask < shared_masks);
        }
        let is_same = self.text == view.text;
        let shown = new_view.text.into_owned();
        let keeps_numbers = unchanged_numbers == shared_masks && changed_numbers == 0;
        Ok(RestoredText { text, secrets, restored, shown, keeps_numbers, is_same })
    }

    /// The range of a mask with the text that belongs to it: its quotes, which may be left out, or the text between the parts
    /// of its secret.
    fn written_range(
        &self,
        whole: &str,
        name: &str,
        at: &Range<usize>,
        copied: usize,
    ) -> Option<Range<usize>> {
        let before = whole.find(name)?;
        let start = at.start.checked_sub(before).filter(|&start| start >= copied);
        let whole_range = start.map(|start| start..start + whole.len());
        let is_there =
            |whole_range: &Range<usize>| self.text.get(whole_range.clone()) == Some(whole);
        let is_quoted = whole.len() == name.len() + 2 * before;
        whole_range.filter(is_there).or_else(|| is_quoted.then(|| at.clone()))
    }

    /// The kind of error for a mask that stands for no secret.
    fn unknown_mask_error(&self, mask: &str) -> MaskErrorKind {
        let first = self.view.masks.first();
        let is_numbered = first.is_some_and(|first| mask_number(self.view.name(first)).is_some());
        if is_numbered && mask_number(mask).is_none() {
            return MaskErrorKind::Unnumbered(self.view.masks.len());
        }
        MaskErrorKind::Unknown
    }

    fn error_at(&self, kind: MaskErrorKind, at: usize) -> MaskError {
        // A mask that a change has cut begins before that change.
        let mask_end = self.text[at..].find(']').map_or(at, |end| at + end);
        let change = self
            .given_ranges
            .partition_point(|given_ranges| given_ranges.start <= mask_end)
            .saturating_sub(1);
        MaskError { kind, line: line_at(&self.text, at), change }
    }
}

/// Whether one of these ranges, which are in order and without overlaps, overlaps this one.
fn any_overlaps(stretches: &[Range<usize>], at: &Range<usize>) -> bool {
    let after = stretches.partition_point(|stretch| stretch.end <= at.start);
    stretches.get(after).is_some_and(|stretch| stretch.start < at.end)
}

/// A text that looks like a mask, with the part of its line before it, without indentation.
fn line_up_to<'t>(text: &'t str, at: &Range<usize>) -> &'t str {
    let from = floor_char_boundary(text, at.start.saturating_sub(MAX_LEAD_BYTES));
    let line = text[from..at.start].rfind('\n').map_or(from, |end| from + end + 1);
    text[line..at.end].trim_start()
}
