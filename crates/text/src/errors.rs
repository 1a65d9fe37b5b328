//! Which lines tell of an error.

use std::sync::OnceLock;

use aho_corasick::{AhoCorasick, packed};

/// Words that tell of an error, in the cases they are written in.
const WORDS: [&str; 21] = [
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

/// Signs that test runners and compilers begin a line of a failure with.
const SIGNS: [&str; 6] = ["✕", "✗", "✖", "✘", "❌", "●"];

/// The words, searched with vectors where the machine has them.
struct Searcher {
    vectors: Option<packed::Searcher>,
    /// Where it has none.
    automaton: Option<AhoCorasick>,
}

impl Searcher {
    fn new() -> Self {
        let vectors = packed::Config::new().builder().extend(WORDS).build();
        if vectors.is_some() { Self { vectors, automaton: None } } else { Self::portable() }
    }

    fn portable() -> Self {
        Self { vectors: None, automaton: AhoCorasick::new(WORDS).ok() }
    }

    /// Whether `accept` takes one of the places where a word was found.
    fn any(&self, line: &[u8], mut accept: impl FnMut(usize, usize) -> bool) -> bool {
        match (&self.vectors, &self.automaton) {
            (Some(vectors), _) => {
                vectors.find_iter(line).any(|found| accept(found.start(), found.end()))
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

/// Where the next of the words begins, as a word of its own or not. Fast, to pass over what has none.
pub(crate) fn next_word(text: &[u8]) -> Option<usize> {
    let mut found = None;
    searcher().any(text, |start, _| {
        found = Some(start);
        true
    });
    found
}

/// Whether one of the words in the line tells of an error.
pub(crate) fn says_error(line: &[u8]) -> bool {
    tells(searcher(), line)
}

/// Whether the line begins with a sign of failure, or one of the words stands in it as a word of its own and the line does
/// not say that there is none.
pub(crate) fn tells_of_error(line: &[u8]) -> bool {
    let first = line.trim_ascii_start();
    let is_marked = !first.is_empty() && !first[0].is_ascii();
    is_marked && SIGNS.iter().any(|sign| first.starts_with(sign.as_bytes())) || says_error(line)
}

fn tells(searcher: &Searcher, line: &[u8]) -> bool {
    searcher.any(line, |start, end| {
        let after = &line[end..];
        let letters = after.iter().take_while(|byte| byte.is_ascii_alphabetic()).count();
        let (before, after) = (&line[..start], &after[letters..]);
        begins_word(before, line[start]) && ends_word(after) && !says_none(before, after)
    })
}

fn begins_word(before: &[u8], first: u8) -> bool {
    match before.last() {
        Some(last) if last.is_ascii_lowercase() => first.is_ascii_uppercase(),
        // The beginnings of `Segmentation` and `Undefined` are left out in the list.
        Some(b'S' | b'U') => first.is_ascii_lowercase(),
        Some(last) => !(last.is_ascii_alphanumeric() || matches!(last, b'_' | b'-' | b'.' | b'/')),
        None => true,
    }
}

/// A name such as `error_handler`, `error-chain` or `errors/mod.rs` goes on.
fn ends_word(after: &[u8]) -> bool {
    match after {
        [b'_' | b'-' | b'/', ..] => false,
        [b'.', next, ..] | [next, ..] => !next.is_ascii_alphanumeric(),
        [] => true,
    }
}

/// `0 failed`, `no errors`, `errors: 0`.
fn says_none(before: &[u8], after: &[u8]) -> bool {
    let before = before.trim_ascii_end();
    let word = before.iter().rev().take_while(|byte| byte.is_ascii_alphanumeric()).count();
    let none: [&[u8]; 5] = [b"0", b"no", b"No", b"NO", b"without"];
    let count = after.iter().position(|byte| !matches!(byte, b':' | b'=' | b' '));
    let counted =
        count.is_some_and(|at| at > 0 && after[at] == b'0' && ends_word(&after[at + 1..]));
    none.contains(&&before[before.len() - word..]) || counted
}

#[cfg(test)]
mod tests {
    use super::{Searcher, tells, tells_of_error};

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
            assert!(tells(&Searcher::portable(), line.as_bytes()), "{line}");
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
            assert!(!tells(&Searcher::portable(), line.as_bytes()), "{line}");
        }
    }
}
