//! Recognises lines that tell of an error.

use std::sync::OnceLock;

use aho_corasick::{AhoCorasick, packed};

/// Words that tell of an error, in the cases they are written in.
const ERROR_WORDS: [&str; 21] = [
    "error",
    "Error",
    "ERROR",
    "ERR!",
    "fail",
    "Fail",
    "FAIL",
    "panic",
    "Panic",
    "PANIC",
    "fatal",
    "Fatal",
    "FATAL",
    "exception",
    "Exception",
    "EXCEPTION",
    "Traceback",
    "not ok",
    "egmentation fault",
    "undefined reference",
    "ndefined symbol",
];

/// Signs at the beginning of lines about failures, as test runners and compilers write them.
const FAILURE_SIGNS: [&str; 6] = ["✕", "✗", "✖", "✘", "❌", "●"];

/// Searches for the words, with vector instructions where the machine has them.
struct Searcher {
    vector_searcher: Option<packed::Searcher>,
    /// The search for machines without vector instructions.
    automaton: Option<AhoCorasick>,
}

impl Searcher {
    fn new() -> Self {
        let vector_searcher = packed::Config::new().builder().extend(ERROR_WORDS).build();
        if vector_searcher.is_some() {
            Self { vector_searcher, automaton: None }
        } else {
            Self::portable()
        }
    }

    fn portable() -> Self {
        Self { vector_searcher: None, automaton: AhoCorasick::new(ERROR_WORDS).ok() }
    }

    /// Whether `accept` is true for one of the ranges where a word was found.
    fn any_match(&self, line: &[u8], mut accept: impl FnMut(usize, usize) -> bool) -> bool {
        match (&self.vector_searcher, &self.automaton) {
            (Some(vector_searcher), _) => {
                vector_searcher.find_iter(line).any(|found| accept(found.start(), found.end()))
            }
            (None, Some(automaton)) => {
                automaton.find_iter(line).any(|found| accept(found.start(), found.end()))
            }
            (None, None) => false,
        }
    }
}

fn searcher() -> &'static Searcher {
    static SEARCHER: OnceLock<Searcher> = OnceLock::new();
    SEARCHER.get_or_init(Searcher::new)
}

/// Where the next of the words begins, alone or as a part of a longer word. Fast, to skip text without such words.
pub(crate) fn next_error_word(text: &[u8]) -> Option<usize> {
    let mut found = None;
    searcher().any_match(text, |start, _| {
        found = Some(start);
        true
    });
    found
}

/// Whether the line has one of the words as a word of its own, and does not say that there is no error.
pub(crate) fn has_error_word(line: &[u8]) -> bool {
    has_error_word_by(searcher(), line)
}

/// Whether the line begins with a sign of failure, or has one of the words as a word of its own and does not say that there
/// is no error.
pub(crate) fn tells_of_error(line: &[u8]) -> bool {
    let first = line.trim_ascii_start();
    let is_marked = !first.is_empty() && !first[0].is_ascii();
    is_marked && FAILURE_SIGNS.iter().any(|sign| first.starts_with(sign.as_bytes()))
        || has_error_word(line)
}

fn has_error_word_by(searcher: &Searcher, line: &[u8]) -> bool {
    searcher.any_match(line, |start, end| {
        let after = &line[end..];
        let letters = after.iter().take_while(|byte| byte.is_ascii_alphabetic()).count();
        let (before, after) = (&line[..start], &after[letters..]);
        begins_word(before, line[start]) && ends_word(after) && !says_no_error(before, after)
    })
}

fn begins_word(before: &[u8], first: u8) -> bool {
    match before.last() {
        Some(last) if last.is_ascii_lowercase() => first.is_ascii_uppercase(),
        // The list has `Segmentation` and `Undefined` without their first letter.
        Some(b'S' | b'U') => first.is_ascii_lowercase(),
        Some(last) => !(last.is_ascii_alphanumeric() || matches!(last, b'_' | b'-' | b'.' | b'/')),
        None => true,
    }
}

/// Whether a word ends here, and is not the beginning of a name such as `error_handler` or `errors/mod.rs`.
fn ends_word(after: &[u8]) -> bool {
    match after {
        [b'_' | b'-' | b'/', ..] => false,
        [b'.', next, ..] | [next, ..] => !next.is_ascii_alphanumeric(),
        [] => true,
    }
}

/// Whether the text around a word says that there is no error: `0 failed`, `no errors`, `errors: 0`.
fn says_no_error(before: &[u8], after: &[u8]) -> bool {
    let before = before.trim_ascii_end();
    let previous_word_bytes =
        before.iter().rev().take_while(|byte| byte.is_ascii_alphanumeric()).count();
    let negations: [&[u8]; 5] = [b"0", b"no", b"No", b"NO", b"without"];
    let count_at = after.iter().position(|byte| !matches!(byte, b':' | b'=' | b' '));
    let counts_none =
        count_at.is_some_and(|at| at > 0 && after[at] == b'0' && ends_word(&after[at + 1..]));
    negations.contains(&&before[before.len() - previous_word_bytes..]) || counts_none
}

#[cfg(test)]
mod tests {
    use super::{Searcher, has_error_word_by, tells_of_error};

    #[test]
    fn lines_that_tell_of_an_error() {
        for line in [
            "error: no such file",
            "error[E0308]: mismatched types",
            "npm ERR! code 1",
            "Traceback (most recent call last):",
            "ValueError: x",
            "java.lang.NullPointerException",
            "thread 'main' panicked at src/main.rs:1",
            "--- FAIL: TestX (0.00s)",
            "test a ... FAILED",
            "3 failed, 0 skipped",
            "make: *** [all] Error 2",
            "fatal: not a git repository",
            "not ok 3 - works",
            "Segmentation fault (core dumped)",
            "Undefined symbols for architecture",
            "2 errors generated.",
            "(error)",
        ] {
            assert!(tells_of_error(line.as_bytes()), "{line}");
            assert!(has_error_word_by(&Searcher::portable(), line.as_bytes()), "{line}");
        }
    }

    #[test]
    fn lines_that_do_not() {
        for line in [
            "",
            "Compiling error-chain v0.12.4",
            "src/error/mod.rs",
            "src/error.rs",
            "--fail-fast",
            "stderr is a terminal",
            "0 failed",
            "test result: ok. 10 passed; 0 failed",
            "no errors found",
            "errors: 0",
            "Failures: 0, skipped: 1",
            "error_count",
            "terror",
            "non-fatal",
        ] {
            assert!(!tells_of_error(line.as_bytes()), "{line}");
            assert!(!has_error_word_by(&Searcher::portable(), line.as_bytes()), "{line}");
        }
    }
}
