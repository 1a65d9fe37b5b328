//! Tables of programs and variables: data only.

pub(crate) mod advice;
pub(crate) mod dependency_folders;
pub(crate) mod discards;
pub(crate) mod environment;
pub(crate) mod equivalents;
pub(crate) mod finders;
mod index;
pub(crate) mod interpreters;
pub(crate) mod launchers;
pub(crate) mod outputs;
pub(crate) mod printed_secrets;
pub(crate) mod readers;
pub(crate) mod secrets;
pub(crate) mod uses;

pub(crate) use index::{Index, Names};

/// The options that a program accepts.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Grammar {
    /// The letters. `:` follows one that takes a value, `::` one whose value must be attached.
    pub(crate) short: &'static str,
    /// The long names, with blanks between them. `=` follows one that takes a value, `?` one whose value must be
    /// attached.
    pub(crate) long: &'static str,
}

/// Whether a list of names with single blanks between them holds this name. Use [`Names`] for long lists.
pub(crate) fn holds(names: &str, name: &str) -> bool {
    names.as_bytes().split(|&byte| byte == b' ').any(|known| known == name.as_bytes())
}

/// Whether the text matches one of the patterns, which have blanks between them.
pub(crate) fn is_one_like(patterns: &str, text: &str) -> bool {
    patterns.split(' ').any(|pattern| is_like(pattern, text))
}

/// Whether the text matches the pattern, in which `*` matches any text.
pub(crate) fn is_like(pattern: &str, text: &str) -> bool {
    let mut pieces = pattern.split('*');
    let Some(mut rest) = text.strip_prefix(pieces.next().unwrap_or_default()) else { return false };
    let Some(last) = pieces.next_back() else { return rest.is_empty() };
    for piece in pieces {
        match rest.find(piece) {
            Some(at) => rest = &rest[at + piece.len()..],
            None => return false,
        }
    }
    rest.ends_with(last)
}

#[cfg(test)]
mod tests {
    use super::is_like;

    #[test]
    fn patterns() {
        for (pattern, text, expected) in [
            ("*", "", true),
            ("a*", "ab", true),
            ("a*b", "ab", true),
            ("a*b", "a", false),
            ("aa*a", "aa", false),
            ("*/.git/*", "x/.git/y", true),
            ("*x*y", "axby", true),
            ("*x*y", "ayx", false),
            ("-b*", "-Bx", false),
            ("a", "ab", false),
        ] {
            assert_eq!(is_like(pattern, text), expected, "{pattern} {text}");
        }
    }
}
