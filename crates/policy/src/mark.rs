//! Marks for parts of words that are known only at run time. They are characters that no text should hold; in a text
//! that does hold one, it counts as a mark.

/// Any text within one word.
pub(crate) const ANY_TEXT: char = '\u{fdd0}';
/// Any number of words.
pub(crate) const ANY_WORDS: char = '\u{fdd1}';
/// A part of a path, as it is left by a pattern or a tilde.
pub(crate) const ANY_PATH: char = '\u{fdd2}';

/// A number, perhaps with a sign: neither an option nor a name.
pub(crate) const ANY_NUMBER: char = '\u{fdd3}';

/// The path of a file or folder in the private temporary folder, as `mktemp` makes it.
pub(crate) const TEMPORARY_PATH: char = '\u{fdd4}';

pub(crate) const ALL_MARKS: [char; 5] = [ANY_TEXT, ANY_WORDS, ANY_PATH, ANY_NUMBER, TEMPORARY_PATH];

pub(crate) fn is_in(text: &str) -> bool {
    text.contains(ALL_MARKS)
}

/// Whether the text is a path in the private temporary folder, all of it known but for its beginning.
pub(crate) fn is_temporary_path(text: &str) -> bool {
    text.strip_prefix(TEMPORARY_PATH).is_some_and(|rest| {
        (rest.is_empty() || rest.starts_with('/'))
            && !is_in(rest)
            && !rest.split('/').any(|part| part == "..")
    })
}

/// Whether the text is a path with a known beginning, such as `src/*.c` or `./*`, and so not an option.
pub(crate) fn is_named_path(text: &str) -> bool {
    !text.contains([ANY_TEXT, ANY_WORDS, ANY_NUMBER]) && !text.starts_with(['-', ANY_PATH])
}
