//! The message about a fault, with the place and the sign where reading ended.

use std::borrow::Cow;

use super::construct::{Construct, Fault};
use super::grammar::KEYWORDS;
use super::unread::Unread;
use crate::verdict::Span;

/// The signs that messages repeat. Words of a command may be secrets.
const SIGNS: &str = ";&|<>()";
/// Most signs in a row that a message repeats.
const MAX_SIGNS: usize = 3;

/// How compound commands are written, by what they begin with.
const FORMS: [(&str, &str); 9] = [
    ("if", "if …; then …; fi"),
    ("for", "for name in …; do …; done"),
    ("while", "while …; do …; done"),
    ("until", "until …; do …; done"),
    ("case", "case … in pattern) …;; esac"),
    ("{", "{ …; }"),
    ("(", "( … )"),
    ("$(", "$( … )"),
    ("[[", "[[ … ]]"),
];

impl Fault {
    /// The rule, the message, and what to do instead. `text` is what the span is an offset into, where that is known.
    pub(crate) fn describe(self, text: Option<&str>) -> (&'static str, String, Cow<'static, str>) {
        let (rule, message, hint) = self.construct.describe();
        let Some(text) = text else { return (rule, message, hint.into()) };
        let place = place(text, self.span);
        let (message, hint) = match self.construct {
            Construct::Unread(Unread::Unclosed(opener)) => {
                (format!("The `{opener}` {place} has no end"), Cow::from(form_hint(opener)))
            }
            Construct::Unread(Unread::Within(opener)) => {
                (misplaced(text, self.span, &place), Cow::from(form_hint(opener)))
            }
            Construct::Unread(Unread::Syntax) => {
                let sign = sign_at(text, self.span.0);
                (misplaced(text, self.span, &place), hint_about(sign).unwrap_or(hint).into())
            }
            Construct::SingleQuote if is_apostrophe(text, self.span) => {
                let hint = "An apostrophe in a word begins a quote: put the words into double quotes, or write it as \\'.";
                (format!("{message}: it begins {place}"), hint.into())
            }
            Construct::SingleQuote | Construct::DoubleQuote | Construct::AnsiQuote => {
                (format!("{message}: it begins {place}"), hint.into())
            }
            _ => (message, hint.into()),
        };
        (rule, message, hint)
    }
}

/// The line, where there are several, and the column, counted in characters from 1.
pub(crate) fn place(text: &str, (start, _): Span) -> String {
    let before = text.get(..start).unwrap_or(text);
    let line_start = before.rfind('\n').map_or(0, |at| at + 1);
    let column = before[line_start..].chars().count() + 1;
    if text.trim_end().contains('\n') {
        let line = before.matches('\n').count() + 1;
        format!("in line {line}, column {column}")
    } else {
        format!("in column {column}")
    }
}

fn misplaced(text: &str, span: Span, place: &str) -> String {
    match sign_at(text, span.0) {
        _ if text[..span.0].trim_end().len() == text.trim_end().len() => {
            "The shell syntax ends too early".to_owned()
        }
        Some(sign) => format!("The `{sign}` {place} does not belong there"),
        None => format!("The shell syntax {place} could not be read"),
    }
}

/// The signs or the reserved word at this place.
fn sign_at(text: &str, at: usize) -> Option<&str> {
    let rest = text.get(at..)?;
    let signs = rest.bytes().take_while(|byte| SIGNS.contains(char::from(*byte))).count();
    if signs > 0 {
        return Some(&rest[..signs.min(MAX_SIGNS)]);
    }
    let word =
        &rest[..rest.find(|c: char| c.is_whitespace() || SIGNS.contains(c)).unwrap_or(rest.len())];
    KEYWORDS.contains(&word).then_some(word)
}

fn hint_about(sign: Option<&str>) -> Option<&'static str> {
    match sign? {
        sign if sign.starts_with([';', '&', '|']) => {
            Some("In front of it a command is missing; or it is one too many.")
        }
        sign if sign.starts_with(')') || KEYWORDS.contains(&sign) => {
            Some("It closes nothing that was begun: leave it out, or put quotes around it.")
        }
        _ => None,
    }
}

fn form_hint(opener: &str) -> String {
    let form = FORMS.iter().find(|(begin, _)| *begin == opener).map_or("", |(_, form)| *form);
    format!("It is written `{form}`.")
}

/// Whether the quote stands within a word.
fn is_apostrophe(text: &str, (start, _): Span) -> bool {
    text.get(..start).is_some_and(|before| before.ends_with(|c: char| c.is_alphanumeric()))
}
