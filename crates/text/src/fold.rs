//! Lines that repeat: of a run of lines that are the same but for their numbers the first and the last are kept.

use std::ops::Range;

use crate::counts::Counts;
use crate::notice;
use crate::rows::Row;

/// What a run is folded for: less is kept as it is, so that a notice is always shorter than what it stands for.
const FOLD_BYTES: usize = 64;

/// Folds runs of rows.
#[derive(Default)]
pub(crate) struct Fold {
    /// The last line of the run.
    last: Vec<u8>,
    /// The notice in it, and what that stands for.
    shortened: Option<(Range<usize>, Counts)>,
    /// The last line has not been handed on: the run has at least two lines.
    held: bool,
    /// What lies between the first line, which was handed on, and the last.
    between: Counts,
    /// Its text, as long as that is at most [`FOLD_BYTES`] of whole lines.
    small: Vec<u8>,
    /// It is more than that.
    folded: bool,
    /// All lines of the run are the same.
    identical: bool,
}

impl Fold {
    /// Takes a row.
    pub(crate) fn row(&mut self, row: Row<'_>, sink: &mut impl FnMut(Row<'_>)) {
        let (text, shortened) = match &row {
            Row::Line(text) => (*text, None),
            Row::Shortened { text, notice, omitted } => (*text, Some((notice.clone(), *omitted))),
            Row::Front(_) | Row::Rest(_) | Row::Notice { .. } => {
                self.finish(sink);
                return sink(row);
            }
        };
        if is_similar(&self.last, text) {
            self.identical = (self.identical || !self.held) && self.last == text;
            self.withhold();
            self.held = true;
        } else {
            self.finish(sink);
            sink(row);
        }
        self.last.clear();
        self.last.extend_from_slice(text);
        self.shortened = shortened;
    }

    /// Ends the run.
    pub(crate) fn finish(&mut self, sink: &mut impl FnMut(Row<'_>)) {
        if self.held {
            if self.folded {
                let text = notice::folded(self.between.lines, self.identical);
                sink(Row::Notice { text: &text, omitted: self.between });
            } else {
                let lines = self.small.split_inclusive(|&byte| byte == b'\n');
                lines.for_each(|line| sink(Row::Line(line)));
            }
            sink(match self.shortened.take() {
                Some((notice, omitted)) => Row::Shortened { text: &self.last, notice, omitted },
                None => Row::Line(&self.last),
            });
        }
        self.held = false;
        self.folded = false;
        self.between = Counts::default();
        self.small.clear();
        self.last.clear();
    }

    /// Leaves the held line out: a further one has come.
    fn withhold(&mut self) {
        if !self.held {
            return;
        }
        let mut counts = Counts::of(&self.last);
        self.folded |= self.shortened.is_some();
        if let Some((notice, omitted)) = self.shortened.take() {
            counts = counts - Counts::of(&self.last[notice]);
            counts += omitted;
        }
        self.between += counts;
        self.folded |= self.between.bytes > FOLD_BYTES as u64;
        if !self.folded {
            self.small.extend_from_slice(&self.last);
        }
    }
}

/// Whether two lines are the same but for the digits of their numbers and the blanks that align these.
fn is_similar(mut one: &[u8], mut other: &[u8]) -> bool {
    if one.is_empty() {
        return false;
    }
    loop {
        let same = one.iter().zip(other).take_while(|(a, b)| a == b && !is_numeric(**a)).count();
        (one, other) = (&one[same..], &other[same..]);
        let (Some(first), Some(second)) = (one.first(), other.first()) else {
            return one.is_empty() && other.is_empty();
        };
        let blank = (*first == b' ', *second == b' ');
        let (blanks, numbers) = (after_blanks(one), after_blanks(other));
        let at_numbers = starts_with_digit(blanks) && starts_with_digit(numbers);
        if blank.0 != blank.1
            || !(at_numbers || (blank.0 && one.len() - blanks.len() == other.len() - numbers.len()))
        {
            return false;
        }
        (one, other) = (after_digits(blanks), after_digits(numbers));
    }
}

fn is_numeric(byte: u8) -> bool {
    byte == b' ' || byte.is_ascii_digit()
}

fn starts_with_digit(text: &[u8]) -> bool {
    text.first().is_some_and(u8::is_ascii_digit)
}

fn after_blanks(text: &[u8]) -> &[u8] {
    &text[text.iter().take_while(|&&byte| byte == b' ').count()..]
}

fn after_digits(text: &[u8]) -> &[u8] {
    &text[text.iter().take_while(|byte| byte.is_ascii_digit()).count()..]
}

#[cfg(test)]
mod tests {
    use super::is_similar;

    #[test]
    fn lines_are_similar_but_for_their_numbers() {
        for (one, other, expected) in [
            ("a 1\n", "a 22\n", true),
            ("  9 % of 10\n", " 10 % of 10\n", true),
            ("a\n", "a\n", true),
            ("a  b\n", "a  b\n", true),
            ("a 1\n", "a 1", false),
            ("a 1\n", "b 1\n", false),
            ("a 1\n", "a x\n", false),
            ("a  b\n", "a b\n", false),
            ("a1\n", "a 1\n", false),
            ("1.5 s\n", "1 s\n", false),
            ("x 1 y\n", "x 1 y z\n", false),
            ("", "", false),
        ] {
            assert_eq!(is_similar(one.as_bytes(), other.as_bytes()), expected, "{one:?} {other:?}");
            assert_eq!(is_similar(other.as_bytes(), one.as_bytes()), expected, "{other:?} {one:?}");
        }
    }
}
