//! Waiting for a text or a pattern in the output. Both are compared with masked text, as an answer would contain it:
//! otherwise a wait could find out a secret.

use regex_automata::meta;

use crate::echo::Echo;
use crate::transcript::Transcript;

/// The longest text or pattern, in bytes.
pub const MAX_AWAITED_BYTES: usize = 1024;
/// The largest compiled pattern, in bytes of memory. The time for a byte of output grows with this size.
const MAX_COMPILED_BYTES: usize = 1 << 20;
/// The part of an unfinished line that is searched again when the line grows, in bytes.
const MAX_LINE_BYTES: u64 = 64 << 10;

/// A regular expression that is searched for in each line, in linear time.
#[derive(Clone)]
pub struct Pattern {
    regex: meta::Regex,
}

impl std::fmt::Debug for Pattern {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("Pattern").finish_non_exhaustive()
    }
}

impl Pattern {
    /// Compiles an expression. The error says in words why there is none.
    pub fn parse(source: &str) -> Result<Self, String> {
        if source.len() > MAX_AWAITED_BYTES {
            return Err(format!("it is longer than {MAX_AWAITED_BYTES} bytes"));
        }
        let config = meta::Config::new().nfa_size_limit(Some(MAX_COMPILED_BYTES));
        meta::Regex::builder().configure(config).build(source).map(|regex| Self { regex }).map_err(
            |error| match error.syntax_error() {
                Some(error) => error.to_string().lines().last().unwrap_or_default().to_owned(),
                None => "it is too large when compiled".to_owned(),
            },
        )
    }

    /// Whether it matches within a line of a text.
    #[must_use]
    pub fn is_in(&self, text: &str) -> bool {
        text.lines().any(|line| self.regex.is_match(line))
    }
}

/// A text or a pattern that a read waits for.
#[derive(Clone, Copy)]
pub(crate) enum Needle<'a> {
    Text(&'a str),
    Pattern(&'a Pattern),
}

impl Needle<'_> {
    pub(crate) fn is_in(self, text: &str) -> bool {
        match self {
            Needle::Text(needle) => text.contains(needle),
            Needle::Pattern(pattern) => pattern.is_in(text),
        }
    }

    /// The number of bytes before a line that a match in the line may begin with.
    fn overlap(self) -> u64 {
        match self {
            Needle::Text(needle) if needle.contains('\n') => needle.len() as u64,
            Needle::Text(_) | Needle::Pattern(_) => 0,
        }
    }
}

/// How much of the output of one read was searched already.
#[derive(Debug, Default)]
pub(crate) struct Search {
    /// The position where the next search begins.
    resume_at: u64,
}

impl Search {
    /// Searches the output that came since the last search, and the line that had not ended then. `whole` says that the
    /// unfinished line will not change.
    pub(crate) fn find(
        &mut self,
        needle: Needle<'_>,
        transcript: &Transcript,
        echo: &Echo,
        whole: bool,
    ) -> bool {
        let (from, mut text) = transcript.unreported(self.resume_at, whole);
        let mut start = from;
        if from <= transcript.cursor() {
            if echo.may_continue(&text) {
                return false;
            }
            let length = echo.length(&text);
            text.drain(..length);
            start += length as u64;
        }
        let end = transcript.finished();
        let line = text.iter().rposition(|&byte| byte == b'\n').map_or(0, |at| at + 1);
        let line_at = (start + line as u64).max(end.saturating_sub(MAX_LINE_BYTES));
        self.resume_at = line_at.min(end).saturating_sub(needle.overlap()).max(start.min(end));
        needle.is_in(&transcript.masked(text, start))
    }
}
