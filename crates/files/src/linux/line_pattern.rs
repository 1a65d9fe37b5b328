//! Regular expressions that match within a line.
//!
//! An expression is rewritten so that a match cannot leave its line: no class matches a line feed, and `^` and `$` match at
//! each line. So a text is searched as a whole, which is many times as fast as line by line.

use std::ops::Range;
use std::time::Instant;

use regex_automata::Input;
use regex_automata::meta::Regex;
use regex_syntax::ParserBuilder;
use regex_syntax::hir::{
    Class, ClassBytes, ClassBytesRange, ClassUnicode, ClassUnicodeRange, Hir, HirKind, Look,
    Repetition,
};

use crate::linux::path::shown;
use crate::linux::request::Text;
use crate::linux::text::line_end;
use crate::refusal::{Refusal, code};

/// Longest text of an expression.
pub(crate) const MAX_PATTERN_BYTES: usize = 4096;
/// Most memory of a compiled expression. The time for one byte of text grows with it.
pub(crate) const MAX_COMPILED_BYTES: usize = 1 << 20;
/// Bytes that are searched, to the end of a line, before the clock is read again.
const CLOCK_BLOCK_BYTES: usize = 64 << 10;

/// A regular expression for lines.
#[derive(Debug)]
pub(crate) struct LinePattern(Regex);

/// The deadline passed before the search ended.
#[derive(Debug)]
pub(crate) struct TimedOut;

impl LinePattern {
    pub(crate) fn parse(text: &Text, ignore_case: bool) -> Result<LinePattern, Refusal> {
        let invalid = |why: String, hint: String| {
            Err(Refusal::new(code::INVALID_PATTERN, why).with_hint(hint))
        };
        let Some(text) = text.0.as_deref() else {
            return invalid(
                "The pattern holds half a character".into(),
                "Write it in whole characters.".into(),
            );
        };
        if text.is_empty() {
            return invalid("The pattern is empty".into(), "For every line, give ^.".into());
        }
        if text.len() > MAX_PATTERN_BYTES {
            let why = format!("The pattern is longer than {MAX_PATTERN_BYTES} bytes");
            return invalid(why, "Search for a part of it.".into());
        }
        let parsed =
            ParserBuilder::new().case_insensitive(ignore_case).crlf(true).build().parse(text);
        let hir = match parsed {
            Ok(hir) => hir,
            Err(error) => {
                let why = format!(
                    "The pattern {} is no regular expression: {}",
                    shown(text),
                    error_reason(&error)
                );
                return invalid(why, pattern_hint(text, &error));
            }
        };
        let Ok(hir) = within_a_line(&hir) else {
            let why = format!(
                "The pattern {} holds a line break, and each line is searched by itself",
                shown(text)
            );
            return invalid(
                why,
                "Search for one of the lines, with context for those around it.".into(),
            );
        };
        let config = Regex::config().nfa_size_limit(Some(MAX_COMPILED_BYTES));
        if let Ok(regex) = Regex::builder().configure(config).build_from_hir(&hir) {
            return Ok(LinePattern(regex));
        }
        let why = format!("The pattern {} is too large when compiled", shown(text));
        let hint =
            r"Make its repetitions smaller, write [0-9A-Za-z_] for \w, or search for a part of it.";
        invalid(why, hint.into())
    }

    /// The first match in a text at or after `from`, where a line begins.
    pub(crate) fn find(
        &self,
        text: &str,
        from: usize,
        deadline: Instant,
    ) -> Result<Option<Range<usize>>, TimedOut> {
        let mut at = from;
        while at < text.len() {
            let end = line_end(text, (at + CLOCK_BLOCK_BYTES).min(text.len()));
            if let Some(found) = self.0.search(&Input::new(text).range(at..end)) {
                // After the last line feed there is no further line.
                let is_line = found.start() < text.len() || !text.ends_with('\n');
                return Ok(is_line.then(|| found.range()));
            }
            at = end;
            if at < text.len() && Instant::now() >= deadline {
                return Err(TimedOut);
            }
        }
        Ok(None)
    }
}

fn error_reason(error: &regex_syntax::Error) -> String {
    match error {
        regex_syntax::Error::Parse(error) => {
            format!("{} (at character {})", error.kind(), error.span().start.column)
        }
        regex_syntax::Error::Translate(error) => {
            format!("{} (at character {})", error.kind(), error.span().start.column)
        }
        _ => "it cannot be read".into(),
    }
}

/// A hint with the pattern that finds a text as it is. One with look-around or a reference back is meant as it stands.
fn pattern_hint(text: &str, error: &regex_syntax::Error) -> String {
    use regex_syntax::ast::ErrorKind::{UnsupportedBackreference, UnsupportedLookAround};
    let kind = match error {
        regex_syntax::Error::Parse(error) => Some(error.kind()),
        _ => None,
    };
    match kind {
        Some(UnsupportedLookAround) => "Write it without `(?=`, `(?!`, `(?<=` and `(?<!`.".into(),
        Some(UnsupportedBackreference) => "Write out what `\\1` would repeat.".into(),
        _ => format!("To search for it literally: {}", regex_syntax::escape(text)),
    }
}

/// The expression matches only texts with a line break.
struct LineBreak;

/// The expression rewritten for single lines. The parser bounds its depth.
fn within_a_line(hir: &Hir) -> Result<Hir, LineBreak> {
    let rewrite_all =
        |parts: &[Hir]| parts.iter().map(within_a_line).collect::<Result<Vec<_>, _>>();
    Ok(match hir.kind() {
        HirKind::Empty => Hir::empty(),
        HirKind::Literal(literal) if literal.0.contains(&b'\n') => return Err(LineBreak),
        HirKind::Literal(literal) => Hir::literal(literal.0.clone()),
        HirKind::Class(class) => without_line_feed(class).ok_or(LineBreak)?,
        HirKind::Look(Look::Start | Look::StartLF) => Hir::look(Look::StartCRLF),
        HirKind::Look(Look::End | Look::EndLF) => Hir::look(Look::EndCRLF),
        HirKind::Look(look) => Hir::look(*look),
        HirKind::Repetition(repetition) => {
            let sub = Box::new(within_a_line(&repetition.sub)?);
            Hir::repetition(Repetition { sub, ..repetition.clone() })
        }
        HirKind::Capture(capture) => within_a_line(&capture.sub)?,
        HirKind::Concat(parts) => Hir::concat(rewrite_all(parts)?),
        HirKind::Alternation(parts) => Hir::alternation(rewrite_all(parts)?),
    })
}

/// A class without the line feed; `None` when nothing else is in it.
fn without_line_feed(class: &Class) -> Option<Hir> {
    let (class, was_empty) = match class {
        Class::Unicode(class) => {
            let mut lines = class.clone();
            lines.difference(&ClassUnicode::new([ClassUnicodeRange::new('\n', '\n')]));
            (Class::Unicode(lines), class.ranges().is_empty())
        }
        Class::Bytes(class) => {
            let mut lines = class.clone();
            lines.difference(&ClassBytes::new([ClassBytesRange::new(b'\n', b'\n')]));
            (Class::Bytes(lines), class.ranges().is_empty())
        }
    };
    (was_empty || !class.is_empty()).then(|| Hir::class(class))
}
