//! Is it a secret? Decided once for each value, by where it stands: data, a line of its own, code or prose.

use std::ops::Range;

use super::code;
use super::name::{Kind, Promise};
use super::placeholder;
use super::random::{Makeup, is_word};
use super::separator::{Operator, Separator, Takes};
use super::value::{Around, Value};
use super::words::{ALGORITHMS, METAVARIABLES, NOTHING, PROSE, TYPES, has};
use crate::mask;
use crate::quote::Quote;

/// How much of a value is judged.
pub(super) const JUDGED_BYTES: usize = 256;

/// Shortest value, shortest number, and shortest value in prose after a name and a blank.
const LEAST_BYTES: usize = 3;
const NUMBER_BYTES: usize = 4;
const QUOTED_NUMBER_BYTES: usize = 6;
const LONG_BYTES: usize = 32;

/// How much before a name and after a value is looked at.
const NEAR_BYTES: usize = 96;

/// A value and all that decides about it.
pub(super) struct Candidate<'t> {
    pub(super) kind: Kind,
    pub(super) promise: Promise,
    pub(super) separator: Separator,
    pub(super) name: &'t [u8],
    /// Where the name begins.
    pub(super) start: usize,
    pub(super) around: Around,
    pub(super) value: Value,
    pub(super) text: &'t [u8],
}

/// Where a value without quotes stands.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Context {
    /// Environment files, flags, queries: everything is a value but placeholders.
    Data,
    /// A line `name: value` or `name = value`, of configuration or of source.
    Line,
    /// An argument or a member among others: names of variables stand here as well.
    Code,
    /// A sentence.
    Prose,
}

/// Whether the value must be masked.
pub(super) fn is_secret(candidate: &Candidate<'_>) -> bool {
    let body = candidate.body();
    if body.len() < LEAST_BYTES {
        return false;
    }
    // Of words after a name and a blank nearly all are short.
    if candidate.separator.operator == Operator::Blank
        && candidate.value.quote.is_none()
        && body.len() < LONG_BYTES
        && candidate.name != b"PASSWORD"
    {
        return false;
    }
    let makeup = Makeup::of(body);
    let any = candidate.takes_any();
    let looks = match candidate.promise {
        Promise::Random => makeup.is_random(),
        Promise::Marked => makeup.looks_like_secret(body),
        // `hunter2`: after such a name a word with a number is no version.
        Promise::Any => {
            makeup.looks_like_secret(body) || makeup.is_numbered_word() && !is_algorithm(body)
        }
    };
    let numbered = makeup.is_numbered_word() && candidate.promise == Promise::Marked;
    if !looks && !any && !numbered && !candidate.is_data()
        || code::is_member(body) && !makeup.is_restless() && !candidate.is_property()
    {
        return false;
    }
    let quoted = candidate.value.quote.is_some() || candidate.separator.operator == Operator::Tag;
    let is_value = if quoted {
        candidate.is_quoted_secret(body, &makeup, looks)
    } else {
        candidate.is_bare_secret(body, &makeup, looks)
    };
    is_value && !placeholder::is_name(body) && !placeholder::stands_for(body) && !mask::occurs(body)
}

/// A quick no to most values without quotes, by the separator and by how they begin.
pub(super) fn may_be_bare_secret(kind: Kind, separator: &Separator, value: &[u8]) -> bool {
    let begins_expression = matches!(value, [b'{' | b'(' | b')' | b'}', ..] | [b'$', b'(', ..]);
    let takes = match separator.operator {
        Operator::Blank => is_told(kind),
        Operator::Colon | Operator::Flag | Operator::Tag => true,
        Operator::Assign | Operator::Argument => separator.takes == Takes::Any,
    };
    takes && (separator.operator == Operator::Tag || !begins_expression)
}

/// After such a name and a blank a value may stand.
fn is_told(kind: Kind) -> bool {
    matches!(kind, Kind::Password | Kind::Secret | Kind::Token)
}

/// Tells whether a line below a name is a value.
pub(super) fn of_lines(promise: Promise) -> fn(&[u8]) -> bool {
    match promise {
        Promise::Any => |line| is_secret_line(line, true),
        Promise::Marked | Promise::Random => |line| is_secret_line(line, false),
    }
}

fn is_secret_line(line: &[u8], any: bool) -> bool {
    let body = &line[..line.len().min(JUDGED_BYTES)];
    let makeup = Makeup::of(body);
    let looks = makeup.looks_like_secret(body);
    let is_value = if body.contains(&b' ') { any && holds_mixed_word(body) } else { looks || any };
    body.len() >= LEAST_BYTES
        && is_value
        && !code::is_expression(body, b"", body)
        && (makeup.is_restless() || !code::is_member(body))
        && !placeholder::is_name(body)
        && !placeholder::stands_for(body)
}

/// A number in JSON: its mask needs quotes for the document to stay JSON.
pub(super) fn needs_quotes(candidate: &Candidate<'_>) -> bool {
    candidate.value.quote.is_none()
        && candidate.separator.quoted
        && candidate.separator.operator == Operator::Colon
        && candidate.text[..candidate.start].ends_with(b"\"")
        && !candidate.text[..candidate.start].ends_with(b"\\\"")
}

impl<'t> Candidate<'t> {
    fn body(&self) -> &'t [u8] {
        &self.text[self.value.start..self.value.end.min(self.value.start + JUDGED_BYTES)]
    }

    /// Any word may be the value. `PWD` of a shell is a folder.
    fn takes_any(&self) -> bool {
        let connection = self.around == Around::Sign(Some(b';'));
        self.promise == Promise::Any && (self.name != b"PWD" || connection)
    }

    /// What is after the value on its line.
    fn after(&self) -> &'t [u8] {
        let end = self.value.end;
        let near = &self.text[end..self.text.len().min(end + NEAR_BYTES)];
        memchr::memchr(b'\n', near).map_or(near, |newline| &near[..newline])
    }

    /// What is before the name on its line.
    fn line_before(&self) -> &'t [u8] {
        let near = &self.text[self.start.saturating_sub(NEAR_BYTES)..self.start];
        memchr::memrchr(b'\n', near).map_or(near, |newline| &near[newline + 1..])
    }

    /// An argument of a command, a part of a query or a variable of an environment: what stands there is a value.
    fn is_data(&self) -> bool {
        let separator = &self.separator;
        let direct = separator.operator == Operator::Assign
            && (self.value.quote.is_none() || self.is_environment());
        self.promise == Promise::Marked
            && separator.takes == Takes::Any
            && (separator.operator == Operator::Flag || direct || self.is_header())
    }

    /// A variable of an environment: `DB_PASSWORD=x` at the start of a line, or after `export`.
    fn is_environment(&self) -> bool {
        self.around == Around::Environment && !matches!(self.value.quote, Some(Quote::Plain(b'`')))
    }

    /// The text of an element, a part of a connection string or a line of a properties file: no code is there.
    fn is_property(&self) -> bool {
        let dotted = self.name.contains(&b'.');
        let connection = self.around == Around::Sign(Some(b';')) && !self.separator.spaced;
        dotted || connection || self.is_environment() || self.separator.operator == Operator::Tag
    }

    /// `X-Api-Key: x`
    fn is_header(&self) -> bool {
        let own = self.name.starts_with(b"X-") || self.name.starts_with(b"x-");
        self.separator.operator == Operator::Colon && self.separator.spaced && own
    }

    fn is_quoted_secret(&self, body: &[u8], makeup: &Makeup, looks: bool) -> bool {
        let foreign = body.iter().any(|byte| *byte >= 0x80);
        let number = makeup.digits == body.len();
        if foreign && makeup.digits == 0
            || number && body.len() < QUOTED_NUMBER_BYTES
            || code::is_template(body)
            || body.iter().all(|byte| byte.is_ascii_digit() || b".-~^>=".contains(byte))
                && body.contains(&b'.')
            || is_rule(body)
            || body.contains(&b' ') && !self.is_phrase(body)
        {
            return false;
        }
        let any = self.promise == Promise::Any || self.is_data();
        let plain = !is_word(body) || is_plain_word(body);
        looks || any && self.separator.takes != Takes::Marked && plain
    }

    /// Words that are a password: in an environment any, elsewhere when one has a digit within, as no word of a sentence.
    fn is_phrase(&self, body: &[u8]) -> bool {
        let environment = self.is_environment();
        let any = self.promise == Promise::Any && self.separator.takes != Takes::Marked;
        any && (environment || holds_mixed_word(body))
    }

    fn is_bare_secret(&self, body: &[u8], makeup: &Makeup, looks: bool) -> bool {
        let flag = self.separator.operator == Operator::Flag;
        let after = if flag { &[][..] } else { self.after() };
        let expression = if self.is_environment() {
            code::is_template(body)
        } else {
            code::is_expression(body, after, self.after())
        };
        if expression {
            return false;
        }
        // What test runners write.
        if self.name == b"PASS" && self.separator.operator == Operator::Colon {
            return false;
        }
        if self.separator.operator == Operator::Blank {
            let statement = self.name == b"PASSWORD" && makeup.is_marked(body);
            return is_told(self.kind)
                && (body.len() >= LONG_BYTES && makeup.is_random() || statement);
        }
        if memchr::memmem::find(self.name, body).is_some() || is_constant(body) {
            return false;
        }
        if self.separator.takes != Takes::Any {
            // The answer to a prompt, or the value of a directive: `Password (again): x`, `ENV PASSWORD x`.
            let answer = matches!(self.separator.operator, Operator::Colon | Operator::Flag);
            return answer && looks;
        }
        if is_number(body) {
            let code = matches!(self.kind, Kind::Password | Kind::Secret);
            return code && body.len() >= NUMBER_BYTES && makeup.digits == body.len();
        }
        let any = self.takes_any();
        match self.context() {
            Context::Data if flag => looks || !self.is_metavariable(body),
            Context::Data => looks || (any || self.is_data()) && !self.is_label(body),
            Context::Line => looks && !is_variable(body, makeup) || self.is_line_word(body, any),
            Context::Code => {
                // `s3cr3t`: no variable has digits in several places.
                let made_up = makeup.is_restless() || makeup.is_unreadable();
                let leet = any && makeup.groups >= 2 && !is_variable(body, makeup);
                looks && (leet || made_up || !code::is_identifier(body))
                    || any && self.is_flow_word(body)
            }
            Context::Prose => looks && !is_variable(body, makeup),
        }
    }

    /// A word of a sentence or of a help after a flag, or a setting: `--password of it`, `--secret id=x`.
    fn is_metavariable(&self, body: &[u8]) -> bool {
        let setting = self.name == b"--secret" || body.contains(&b'=') && !body.ends_with(b"=");
        has(METAVARIABLES, body) || has(PROSE, body) || body[0] == b'-' || setting
    }

    fn context(&self) -> Context {
        let separator = &self.separator;
        let after = self.after();
        let rest = after.trim_ascii_start();
        let is_last = matches!(rest, [] | [b'#', ..] | [b'/', b'/', ..]);
        let closes = |text: &[u8]| text.first().is_some_and(|byte| b",;)}]".contains(byte));
        let within_call = || {
            let count = |byte: u8| memchr::memchr_iter(byte, self.line_before()).count();
            count(b'(') > count(b')')
        };
        let argument = matches!(after, [b',' | b')', ..]) && within_call();
        // `map[host:db password:x]`, as Go prints values.
        let printed =
            separator.operator == Operator::Colon && !separator.spaced && next_is_member(after);
        if separator.operator == Operator::Flag || printed || self.is_header() {
            Context::Data
        } else if argument || separator.quoted {
            Context::Code
        } else if separator.operator == Operator::Assign && !separator.spaced {
            Context::Data
        } else if is_last || matches!(after, [b'"' | b'\'' | b'`' | b'\\', ..]) {
            Context::Line
        } else if closes(after) || matches!(rest, [b'}' | b')', ..]) {
            Context::Code
        } else {
            Context::Prose
        }
    }

    /// A text of a program: `error.password=Wrong password`.
    fn is_label(&self, body: &[u8]) -> bool {
        is_capitalised(body)
            && matches!(self.after(), [b' ', next, ..] if next.is_ascii_alphabetic())
    }

    /// One word after `password: ` on a line of its own, as in YAML: in small letters, or with a digit.
    fn is_line_word(&self, body: &[u8], any: bool) -> bool {
        let joined = |byte: &u8| byte.is_ascii_alphanumeric() || b"_-".contains(byte);
        let shouts = body.len() >= QUOTED_NUMBER_BYTES && body.iter().all(u8::is_ascii_uppercase);
        let digits = body.len() >= QUOTED_NUMBER_BYTES && body.iter().any(u8::is_ascii_digit);
        (any || digits && !is_algorithm(body))
            && self.separator.operator == Operator::Colon
            && (self.separator.spaced || digits)
            && body.iter().all(joined)
            && (shouts || !body[1..].iter().any(u8::is_ascii_uppercase))
            && (shouts || !body[0].is_ascii_uppercase() || digits)
    }

    /// One word in a list of YAML in which all members before have bare values as well: `{user: bob, password: x}`.
    fn is_flow_word(&self, body: &[u8]) -> bool {
        let line = self.line_before();
        let Some(open) = memchr::memrchr(b'{', line) else { return false };
        let is_member = |member: &[u8]| {
            memchr::memchr(b':', member).is_some_and(|colon| {
                let (name, value) = (&member[..colon], member[colon + 1..].trim_ascii());
                let plain = |byte: &u8| byte.is_ascii_alphanumeric() || b"\"'_-".contains(byte);
                let word = name.iter().all(u8::is_ascii_alphanumeric);
                word && !value.is_empty() && value.iter().all(plain) && value != name
            })
        };
        let members = line[open + 1..].split(|byte| *byte == b',').map(<[u8]>::trim_ascii);
        let mut members = members.filter(|member| !member.is_empty()).peekable();
        self.separator.operator == Operator::Colon
            && body.iter().all(u8::is_ascii_lowercase)
            && members.peek().is_some()
            && members.all(is_member)
    }
}

/// ` name:` follows a value.
fn next_is_member(after: &[u8]) -> bool {
    let Some(rest) = after.strip_prefix(b" ") else { return false };
    let name =
        rest.iter().take_while(|byte| byte.is_ascii_alphanumeric() || **byte == b'_').count();
    name > 0 && rest.get(name) == Some(&b':')
}

/// A word is no word of a sentence: letters and digits together, no vowels, or capitals within.
/// Where a value of several words ends that begins a line of YAML with its name and goes on at `end`: after the last word that
/// is none of a sentence.
pub(super) fn phrase_end(text: &[u8], name: usize, value: Range<usize>) -> usize {
    let Range { start, mut end } = value;
    if !is_mixed_word(&text[start..end]) {
        return end;
    }
    let before = &text[name.saturating_sub(NEAR_BYTES)..name];
    let begins = before.iter().rev().take_while(|byte| b" -\"'".contains(byte)).count();
    if !matches!(before[..before.len() - begins], [] | [.., b'\n']) {
        return end;
    }
    let mut at = end;
    let limit = text.len().min(end + NEAR_BYTES);
    while let Some(rest) = text[at..limit].strip_prefix(b" ") {
        let is_part = |byte: &&u8| byte.is_ascii_graphic() && !b"\"'`,".contains(byte);
        let word = rest.iter().take_while(is_part).count();
        if word == 0 || rest[0] == b'#' {
            break;
        }
        at += 1 + word;
        if is_mixed_word(&rest[..word]) {
            end = at;
        }
    }
    end
}

fn holds_mixed_word(body: &[u8]) -> bool {
    body.split(|byte| *byte == b' ').any(is_mixed_word)
}

fn is_mixed_word(word: &[u8]) -> bool {
    let letters = word.iter().filter(|byte| byte.is_ascii_alphabetic()).count();
    let makeup = Makeup::of(word);
    word.len() >= NUMBER_BYTES
        && letters > 0
        && !is_algorithm(word)
        && (makeup.digits > 0 || letters > NUMBER_BYTES && makeup.is_shuffled())
}

/// Rules of a form: `required|min:8`.
fn is_rule(body: &[u8]) -> bool {
    let first = body.split(|byte| *byte == b'|').next().unwrap_or_default();
    first.len() < body.len() && (has(NOTHING, first) || has(TYPES, first))
        || [&b"min:"[..], b"max:", b"size:", b"regex:", b"in:", b"same:", b"required,", b"^["]
            .iter()
            .any(|rule| body.starts_with(rule))
}

/// `sha256`, `oauth2`: an algorithm and a number.
fn is_algorithm(body: &[u8]) -> bool {
    let letters = body.iter().take_while(|byte| byte.is_ascii_alphabetic()).count();
    has(ALGORITHMS, &body[..letters]) && body[letters..].iter().all(u8::is_ascii_digit)
}

fn is_capitalised(body: &[u8]) -> bool {
    body[0].is_ascii_uppercase() && body[1..].iter().all(u8::is_ascii_lowercase)
}

/// One word, or two joined, in small letters or with capitals all over; not a label, a path or a type.
fn is_plain_word(body: &[u8]) -> bool {
    let joints = body.iter().filter(|byte| b"_-".contains(byte)).count();
    !is_capitalised(body) && joints <= 2 && !body.iter().any(|byte| b".:/".contains(byte))
}

/// Digits, or a constant in hexadecimal digits.
fn is_number(body: &[u8]) -> bool {
    body.strip_prefix(b"0x").is_some_and(|digits| digits.len() <= 16)
        || body.iter().all(|byte| byte.is_ascii_digit() || b".,-".contains(byte))
}

/// `UPPER_CASE`
fn is_constant(body: &[u8]) -> bool {
    let sign = |byte: &u8| byte.is_ascii_uppercase() || *byte == b'_';
    body.contains(&b'_') && body.iter().all(sign)
}

/// An identifier of words with a digit among them, as variables and types are named: `base64Key`, `token_v2`, `X509Key`.
fn is_variable(body: &[u8], makeup: &Makeup) -> bool {
    let small = body.iter().rev().take_while(|byte| byte.is_ascii_lowercase()).count();
    let joined =
        body.contains(&b'_') || makeup.humps > 0 || body[0].is_ascii_uppercase() && small > 4;
    let long = body.len() >= 24 && makeup.digits > 2;
    joined
        && !long
        && makeup.digits <= 4
        && code::is_identifier(body)
        && !makeup.is_unreadable()
        && !makeup.is_restless()
}
