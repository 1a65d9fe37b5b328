//! Which lines a pattern is searched in.

use std::sync::OnceLock;

use aho_corasick::AhoCorasick;
use regex_syntax::hir::{Class, Hir, HirKind};

use super::required::{self, Text};
use crate::prefilter::MIN_LITERAL_BYTES;

/// Most keywords of one rule that the prefilter looks for.
const MAX_TEXTS: usize = 32;

/// Lines are looked at that have one of `texts`, and one of `keywords`.
pub(super) struct Gate {
    /// None: every line.
    pub(super) texts: Option<Vec<Text>>,
    /// None: nothing is asked beyond `texts`.
    pub(super) keywords: Option<Keywords>,
}

impl Gate {
    /// The cheapest that shuts out no line with a match and one of the keywords, which are in lower case.
    pub(super) fn new(hir: &Hir, keywords: Vec<Vec<u8>>) -> Self {
        let required = required::literals(hir);
        if keywords.is_empty() {
            return Self { texts: required, keywords: None };
        }
        let is_usable = keywords.len() <= MAX_TEXTS
            && keywords.iter().all(|keyword| keyword.len() >= MIN_LITERAL_BYTES);
        let of_keywords: Option<Vec<Text>> =
            is_usable.then(|| keywords.iter().map(|keyword| (keyword.clone(), true)).collect());
        let Some(texts) = required else {
            let keywords = of_keywords.is_none().then(|| Keywords::new(keywords));
            return Self { texts: of_keywords, keywords };
        };
        if texts.iter().all(|(text, _)| keywords.iter().any(|keyword| has(text, keyword))) {
            return Self { texts: Some(texts), keywords: None };
        }
        match of_keywords {
            Some(of_keywords) if required::share(&of_keywords) < required::share(&texts) => {
                Self { texts: Some(of_keywords), keywords: None }
            }
            _ => Self { texts: Some(texts), keywords: Some(Keywords::new(keywords)) },
        }
    }
}

fn has(text: &[u8], keyword: &[u8]) -> bool {
    text.windows(keyword.len()).any(|window| window.eq_ignore_ascii_case(keyword))
}

/// Words of which a line must have one, in any case.
pub(super) struct Keywords {
    words: Vec<Vec<u8>>,
    automaton: OnceLock<Option<AhoCorasick>>,
}

impl Keywords {
    fn new(words: Vec<Vec<u8>>) -> Self {
        Self { words, automaton: OnceLock::new() }
    }

    pub(super) fn occur_in(&self, line: &[u8]) -> bool {
        let build = || AhoCorasick::builder().ascii_case_insensitive(true).build(&self.words).ok();
        let automaton = self.automaton.get_or_init(build);
        // What cannot be asked shuts nothing out.
        automaton.as_ref().is_none_or(|automaton| automaton.is_match(line))
    }
}

/// True when every match goes on behind a line break: no line has one.
pub(crate) fn needs_two_lines(hir: &Hir) -> bool {
    match hir.kind() {
        HirKind::Literal(literal) => literal.0.iter().rev().skip(1).any(|&byte| byte == b'\n'),
        HirKind::Empty | HirKind::Look(_) | HirKind::Class(_) => false,
        HirKind::Repetition(repetition) => {
            repetition.min > 0 && needs_two_lines(&repetition.sub)
                || repetition.min > 1 && needs_break(&repetition.sub)
        }
        HirKind::Capture(capture) => needs_two_lines(&capture.sub),
        HirKind::Alternation(parts) => parts.iter().all(needs_two_lines),
        HirKind::Concat(parts) => {
            let behind = |at: usize| parts[at + 1..].iter().any(is_something);
            parts
                .iter()
                .enumerate()
                .any(|(at, part)| needs_two_lines(part) || needs_break(part) && behind(at))
        }
    }
}

fn is_something(hir: &Hir) -> bool {
    hir.properties().minimum_len().is_some_and(|length| length > 0)
}

/// True when every match has a line break.
fn needs_break(hir: &Hir) -> bool {
    match hir.kind() {
        HirKind::Literal(literal) => literal.0.contains(&b'\n'),
        HirKind::Class(Class::Unicode(class)) => {
            matches!(class.ranges(), [range] if range.start() == '\n' && range.end() == '\n')
        }
        HirKind::Class(Class::Bytes(class)) => {
            matches!(class.ranges(), [range] if range.start() == b'\n' && range.end() == b'\n')
        }
        HirKind::Empty | HirKind::Look(_) => false,
        HirKind::Repetition(repetition) => repetition.min > 0 && needs_break(&repetition.sub),
        HirKind::Capture(capture) => needs_break(&capture.sub),
        HirKind::Alternation(parts) => parts.iter().all(needs_break),
        HirKind::Concat(parts) => parts.iter().any(needs_break),
    }
}
