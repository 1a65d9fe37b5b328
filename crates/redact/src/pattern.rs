//! The user's regular expressions.
//!
//! One line, or one window of a long line, is searched at a time. A single search is linear; many matches in one line
//! could make all of them together quadratic, so after [`FREE_MATCHES`] matches the reach of each further search shrinks.

use regex_automata::util::syntax;
use regex_automata::{Input, meta};

use crate::error::Error;

/// Longest pattern accepted.
pub const MAX_PATTERN_BYTES: usize = 4 << 10;

/// Most patterns accepted.
pub const MAX_PATTERNS: usize = 1_000;

/// Most memory a compiled pattern may take.
const PROGRAM_BYTES: usize = 4 << 20;

/// Memory for the states that a search builds as it goes.
const CACHE_BYTES: usize = 1 << 20;

/// Deepest nesting of groups accepted.
const NEST_LIMIT: u32 = 64;

/// Matches in one line whose search may reach to its end.
const FREE_MATCHES: usize = 16;

/// Further matches whose search may reach [`MIDDLE_REACH_BYTES`].
const MIDDLE_MATCHES: usize = 256;

/// How far the next searches reach.
const MIDDLE_REACH_BYTES: usize = 4 << 10;

/// How far all searches after those reach.
const LAST_REACH_BYTES: usize = 256;

/// All patterns, compiled.
pub(crate) struct Patterns {
    patterns: Vec<meta::Regex>,
}

impl Patterns {
    pub(crate) fn new(patterns: &[String]) -> Result<Self, Error> {
        if patterns.len() > MAX_PATTERNS {
            return Err(Error::too_many_patterns(patterns.len()));
        }
        let compile = |(index, pattern): (usize, &String)| compile(index, pattern);
        Ok(Self { patterns: patterns.iter().enumerate().map(compile).collect::<Result<_, _>>()? })
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.patterns.is_empty()
    }

    /// Calls `found(start, end)` for the matches in every line of `text`.
    pub(crate) fn find(&self, text: &[u8], mut found: impl FnMut(usize, usize)) {
        for pattern in &self.patterns {
            let mut start = 0;
            while start < text.len() {
                let end = memchr::memchr(b'\n', &text[start..]).map_or(text.len(), |at| start + at);
                find_in_line(pattern, &text[start..end], |from, to| {
                    found(start + from, start + to);
                });
                start = end + 1;
            }
        }
    }
}

fn find_in_line(pattern: &meta::Regex, line: &[u8], mut found: impl FnMut(usize, usize)) {
    let mut at = 0;
    let mut matches = 0;
    while at < line.len() {
        let reach = if matches < FREE_MATCHES {
            line.len()
        } else if matches < FREE_MATCHES + MIDDLE_MATCHES {
            MIDDLE_REACH_BYTES
        } else {
            LAST_REACH_BYTES
        };
        let end = line.len().min(at + reach);
        match pattern.search(&Input::new(line).range(at..end)) {
            // An empty match hides nothing.
            Some(found) if found.is_empty() => at = found.end() + 1,
            Some(hit) => {
                found(hit.start(), hit.end());
                at = hit.end();
            }
            None if end == line.len() => return,
            None => at += (end - at) / 2 + 1,
        }
        matches += 1;
    }
}

fn compile(index: usize, pattern: &str) -> Result<meta::Regex, Error> {
    if pattern.len() > MAX_PATTERN_BYTES {
        return Err(Error::pattern_too_long(index, pattern.len()));
    }
    let syntax = syntax::Config::new().utf8(false).nest_limit(NEST_LIMIT);
    if let Err(error) = syntax::parse_with(pattern, &syntax) {
        let (position, reason) = explain(pattern, &error.to_string());
        return Err(Error::pattern_syntax(index, position, reason));
    }
    let config = meta::Config::new()
        .utf8_empty(false)
        .nfa_size_limit(Some(PROGRAM_BYTES))
        .onepass_size_limit(Some(PROGRAM_BYTES))
        .hybrid_cache_capacity(CACHE_BYTES);
    let built = meta::Builder::new().configure(config).syntax(syntax).build(pattern);
    built.map_err(|_| Error::pattern_too_large(index))
}

/// Reads position and reason out of the parser's message, which shows the pattern with a mark below the place.
fn explain(pattern: &str, message: &str) -> (Option<usize>, String) {
    let reason = message.rsplit("error: ").next().unwrap_or("it cannot be read").trim();
    let mut reason = reason.to_owned();
    if ["look-around", "backreferences"].iter().any(|word| reason.contains(word)) {
        reason.push_str(" (searches take linear time, which these features rule out)");
    }
    if pattern.contains('\n') {
        return (None, reason);
    }
    let is_mark = |line: &&str| line.trim_start().starts_with('^');
    let indentation = 4;
    let mark = message.lines().find(is_mark).and_then(|line| line.find('^'));
    (mark.and_then(|column| column.checked_sub(indentation)), reason)
}
