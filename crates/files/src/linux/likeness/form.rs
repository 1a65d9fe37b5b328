//! Forms in which a caller may hold a text of the file: as a reader has shown it, or in a code.

use super::HunkLines;
use super::letters::Code;

/// What a reader puts between the number of a line and the line, the longest first.
const NUMBER_MARKS: [&str; 13] = [
    "\t",
    "\u{2192}",
    " | ",
    " \u{2502} ",
    "| ",
    "\u{2502}",
    "|",
    ": ",
    ":",
    ". ",
    ") ",
    WIDE_BLANKS,
    BLANK,
];
const WIDE_BLANKS: &str = "  ";
const BLANK: &str = " ";
/// Marks that texts have after their own numbers, so that one line is not enough to tell.
const TEXT_MARKS: [&str; 5] = [": ", ". ", ") ", WIDE_BLANKS, BLANK];

/// Characters that mean another thing in a pattern without a backslash before them.
const PATTERN_SIGNS: [char; 13] = ['.', '^', '*', '+', '?', '(', ')', '[', ']', '{', '}', '|', '-'];

/// A form of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    /// The text itself.
    Plain,
    /// With a line end after its last line, which is the last one of the file and has none there.
    LineEnd,
    /// With numbers before its lines, and this between them.
    Numbers(&'static str),
    /// With the signs of a diff before its lines.
    Signs,
    /// In a code.
    Code(Code),
}

impl Form {
    pub(super) fn all() -> impl Iterator<Item = Form> {
        [Form::Plain, Form::LineEnd].into_iter().chain(NUMBER_MARKS.map(Form::Numbers)).chain([
            Form::Signs,
            Form::Code(Code::Entities),
            Form::Code(Code::Escapes),
        ])
    }

    /// Whether the form is about whole lines.
    pub(super) fn has_whole_lines(self) -> bool {
        matches!(self, Form::Numbers(_) | Form::Signs)
    }

    /// The old and the new text, read in this form; `None` when they are not in it, or the new text may be meant otherwise.
    pub(super) fn read(self, old: &str, new: &str, hunk: Option<&HunkLines>) -> Option<ReadTexts> {
        let read = match self {
            Form::Plain => {
                let (old, new) = without_last_blanks(old, new);
                Some(ReadTexts::of(old, new))
            }
            Form::LineEnd => {
                let new = if new.is_empty() { Some(new) } else { new.strip_suffix('\n') };
                Some(ReadTexts::of(old.strip_suffix('\n')?.to_owned(), new?.to_owned()))
            }
            Form::Numbers(mark) => without_numbers(old, new, (mark, hunk)),
            Form::Signs => without_signs(old, new, hunk.is_some()),
            Form::Code(code) => {
                let (old, new) = (code.decoded(old), code.decoded(new));
                let is_coded = |char: &char| old.coded.contains(char);
                let coded = || old.coded.iter().chain(&new.coded);
                // Any character may be coded in HTML. A backslash more than those of the old text may be one of the file.
                let may_add = |char: &char| code == Code::Entities && !old.bare.contains(char);
                let is_mixed = new.bare.iter().any(is_coded)
                    || new.coded.iter().any(|char| !is_coded(char) && !may_add(char))
                    || code == Code::Escapes && coded().any(|char| PATTERN_SIGNS.contains(char));
                (!old.coded.is_empty() && !is_mixed).then(|| ReadTexts::of(old.text, new.text))
            }
        };
        // What changes nothing but numbers or signs is about these.
        read.filter(|read| old == new || read.old != read.new || !self.has_whole_lines())
    }
}

/// The texts of a caller, read in a form.
#[derive(Debug)]
pub(super) struct ReadTexts {
    pub(super) old: String,
    pub(super) new: String,
    /// The number of the first line, where the form has numbers.
    pub(super) first_number: Option<usize>,
}

impl ReadTexts {
    fn of(old: String, new: String) -> ReadTexts {
        ReadTexts { old, new, first_number: None }
    }
}

/// The texts without the indentation of the next line, where both end in it.
fn without_last_blanks(old: &str, new: &str) -> (String, String) {
    let end = |text: &str| text.trim_end_matches([' ', '\t']).len();
    let (old_end, new_end) = (end(old), end(new));
    if old[..old_end].ends_with('\n') && old[old_end..] == new[new_end..] {
        return (old[..old_end].to_owned(), new[..new_end].to_owned());
    }
    (old.to_owned(), new.to_owned())
}

/// The number before a line, and the line. Searches put the path before it, and `-` after those of lines that do not match.
fn numbered<'t>(line: &'t str, mark: &str) -> Option<(usize, &'t str)> {
    let is_search = mark.starts_with(':');
    let from_number = line.trim_start_matches([' ', 'L']);
    let from_number = if is_search { without_path(from_number) } else { from_number };
    let digits = from_number.bytes().take_while(u8::is_ascii_digit).count();
    let rest = &from_number[digits..];
    let other = mark.replace(':', "-");
    let marks = [mark, if is_search { &other } else { mark }];
    // Readers leave out the blanks at the end of an empty line.
    let is_empty_after = |mark: &str| {
        let bare = rest.strip_prefix(mark.trim_end())?;
        (!mark.trim_end().is_empty() && bare.trim().is_empty()).then_some(bare)
    };
    let after = marks.iter().find_map(|mark| rest.strip_prefix(mark));
    let after = after.or_else(|| marks.iter().find_map(|mark| is_empty_after(mark)))?;
    Some((from_number[..digits].parse().ok()?, after))
}

/// The line from the number that follows a path without blanks.
fn without_path(line: &str) -> &str {
    let word = line.split(char::is_whitespace).next().unwrap_or_default();
    let starts = word.match_indices([':', '-']).map(|(at, _)| at + 1);
    let is_number = |at: &usize| {
        let digits = word[*at..].bytes().take_while(u8::is_ascii_digit).count();
        digits > 0 && word[at + digits..].starts_with([':', '-'])
    };
    if word.starts_with(|char: char| char.is_ascii_digit()) {
        return line;
    }
    starts.into_iter().find(is_number).map_or(line, |at| &line[at..])
}

/// The texts without the numbers that count up in the old one. A new text has them before all lines, and they count up as
/// well, or only before those that it keeps.
fn without_numbers(
    old: &str,
    new: &str,
    (mark, hunk): (&str, Option<&HunkLines>),
) -> Option<ReadTexts> {
    let (mut first, mut next) = (None, None);
    let mut read = String::with_capacity(old.len());
    for line in old.split_inclusive('\n') {
        let (number, rest) = numbered(line, mark)?;
        if next.is_some_and(|next| next != number) {
            return None;
        }
        first = first.or(Some(number));
        next = Some(number.checked_add(1)?);
        read.push_str(rest);
    }
    let (first, next) = (first?, next?);
    let may_be_text = TEXT_MARKS.contains(&mark);
    // Without one `:` nothing tells the number of a search from a text.
    if may_be_text && old.lines().count() < 2 || mark.starts_with(':') && !old.contains(':') {
        return None;
    }
    let lines: Vec<&str> = new.split_inclusive('\n').collect();
    let numbers: Vec<Option<(usize, &str)>> =
        lines.iter().map(|line| numbered(line, mark)).collect();
    let number = |index: usize| numbers[index].map(|(number, _)| number);
    let is_blank = [WIDE_BLANKS, BLANK].contains(&mark);
    let counts_up = |index: usize| {
        number(index).is_some_and(|number| {
            let has_line_before = index > 0
                && hunk.is_none_or(|hunk| hunk.after.get(index) == hunk.after.get(index - 1));
            let is_next = if has_line_before {
                follows(numbers[index - 1], number)
            } else {
                (first..next.saturating_add(lines.len())).contains(&number)
            };
            // A number of its own may stand before a blank as well.
            is_next && (!is_blank || number < next)
        })
    };
    let kept = |line: &str| old.lines().any(|old| old == line.trim_end_matches('\n'));
    let is_sure = (0..lines.len()).all(counts_up)
        || (0..lines.len()).all(|index| number(index).is_none() || kept(lines[index]));
    let new =
        lines.iter().zip(&numbers).map(|(line, number)| number.map_or(*line, |(_, rest)| rest));
    is_sure.then(|| ReadTexts { first_number: Some(first), ..ReadTexts::of(read, new.collect()) })
}

fn follows(before: Option<(usize, &str)>, number: usize) -> bool {
    before.is_some_and(|(before, _)| before.checked_add(1) == Some(number))
}

/// The texts without signs: the old one has kept and removed lines, the new one kept and new ones. Lines of the new side of a
/// diff have the same sign in both texts. One line with a sign may be a text as well, and a sign with one blank after it marks
/// an item of a list.
fn without_signs(old: &str, new: &str, is_hunk: bool) -> Option<ReadTexts> {
    let is_item = |rest: &str| {
        let item = rest.strip_prefix(' ');
        item.is_some_and(|item| item.starts_with(|char: char| !char.is_whitespace()))
    };
    let read = |text: &str, sign: char| {
        let mut has_sign = false;
        let lines = text.split_inclusive('\n').map(|line| {
            let signed = line.strip_prefix(sign);
            has_sign |= signed.is_some();
            match signed.or_else(|| line.strip_prefix(' ')) {
                Some(rest) => (signed.is_none() || !is_item(rest)).then_some(rest),
                None => line.trim().is_empty().then_some(line),
            }
        });
        let read: Option<String> = lines.collect();
        read.map(|read| (read, has_sign))
    };
    if old.lines().count() < 2 {
        return None;
    }
    if let (Some((read_old, true)), Some((read, has_new))) = (read(old, '-'), read(new, '+')) {
        let context = |text| str::lines(text).filter(|line| line.starts_with(' '));
        // The added lines of a hunk are without those that stay.
        let is_diff = is_hunk || new.is_empty() || context(old).eq(context(new));
        return (is_diff && (has_new || new.is_empty())).then(|| ReadTexts::of(read_old, read));
    }
    let ((read_old, has_old), (read_new, has_new)) = (read(old, '+')?, read(new, '+')?);
    (has_old && (has_new || new.is_empty())).then(|| ReadTexts::of(read_old, read_new))
}
