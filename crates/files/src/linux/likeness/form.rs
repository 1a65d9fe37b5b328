//! Forms in which a caller may hold a text of the file: as a reader has shown it, or in a code.

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
/// Marks that lines have without any number, so that one line is not enough to tell.
const WIDE_BLANKS: &str = "  ";
const BLANK: &str = " ";

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
    pub(super) fn read(self, old: &str, new: &str) -> Option<(String, String)> {
        match self {
            Form::Plain => Some(without_last_blanks(old, new)),
            Form::LineEnd => {
                let new = if new.is_empty() { Some(new) } else { new.strip_suffix('\n') };
                Some((old.strip_suffix('\n')?.to_owned(), new?.to_owned()))
            }
            Form::Numbers(mark) => without_numbers(old, new, mark),
            Form::Signs => without_signs(old, new),
            Form::Code(code) => {
                let (old, new) = (code.decoded(old), code.decoded(new));
                let is_coded = |char: &char| old.coded.contains(char);
                // What coded line ends did so with the whole text.
                let is_whole = code == Code::Entities || is_coded(&'\n');
                let is_bare = |char: &char| !is_whole || old.bare.contains(char);
                let is_mixed = new.bare.iter().any(is_coded)
                    || new.coded.iter().any(|char| !is_coded(char) && is_bare(char));
                (!old.coded.is_empty() && !is_mixed).then_some((old.text, new.text))
            }
        }
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

/// The texts without the numbers that count up in the old one. A new text has them before all lines, or before those that it
/// keeps.
fn without_numbers(old: &str, new: &str, mark: &str) -> Option<(String, String)> {
    let mut next = None;
    let mut read = String::with_capacity(old.len());
    for line in old.split_inclusive('\n') {
        let (number, rest) = numbered(line, mark)?;
        if next.is_some_and(|next| next != number) {
            return None;
        }
        next = Some(number + 1);
        read.push_str(rest);
    }
    let last = next?;
    let count = old.lines().count();
    let is_weak = [WIDE_BLANKS, BLANK].contains(&mark) && count < 2;
    // Without one `:` nothing tells the number of a search from a text.
    if is_weak || mark.starts_with(':') && !old.contains(':') {
        return None;
    }
    let is_near = |number: usize| number < last + new.len();
    let new = new.split_inclusive('\n').map(|line| match numbered(line, mark) {
        Some((number, rest)) if is_near(number) => rest,
        _ => line,
    });
    let new: String = new.collect();
    Some((read, new))
}

/// The texts without signs: the old one has kept and removed lines, the new one kept and new ones. Lines of the new side of a
/// diff have the same sign in both texts.
fn without_signs(old: &str, new: &str) -> Option<(String, String)> {
    let read = |text: &str, sign: char| {
        let mut has_sign = false;
        let lines = text.split_inclusive('\n').map(|line| {
            has_sign |= line.starts_with(sign);
            match line.strip_prefix([' ', sign]) {
                Some(rest) => Some(rest),
                None => line.trim().is_empty().then_some(line),
            }
        });
        let read: Option<String> = lines.collect();
        read.map(|read| (read, has_sign))
    };
    if let (Some((old, true)), Some((read, has_new))) = (read(old, '-'), read(new, '+')) {
        return (has_new || new.is_empty()).then_some((old, read));
    }
    let ((read_old, has_old), (read_new, has_new)) = (read(old, '+')?, read(new, '+')?);
    (has_old && (has_new || new.is_empty()) && old.lines().count() > 1)
        .then_some((read_old, read_new))
}
