//! Deciding whether a value is a secret. Each value is classified once, by its context: data, a line of its own, code
//! or prose.

use std::ops::Range;

use super::code;
use super::name::{NameKind, Requirement};
use super::placeholder;
use super::random::{ByteStats, is_word, reads_like_words};
use super::separator::{AcceptedValues, Operator, Separator};
use super::value::{Surroundings, Value};
use super::words::{
    ALGORITHM_NAMES, EMPTY_VALUE_WORDS, METAVARIABLES, PROSE_WORDS, TYPE_NAMES, has,
};
use crate::class::Class;
use crate::mask;
use crate::quote::Quote;

/// How much of a value is examined.
pub(super) const MAX_EXAMINED_BYTES: usize = 256;

/// The shortest value, the shortest number with and without quotes, and the shortest value that follows a name and a
/// blank in prose.
pub(super) const MIN_VALUE_BYTES: usize = 3;
const MIN_NUMBER_BYTES: usize = 4;
const MIN_QUOTED_NUMBER_BYTES: usize = 6;
const MIN_PROSE_VALUE_BYTES: usize = 32;

/// The shortest value of letters and signs in any order that is no word.
const MIN_MIXED_BYTES: usize = 8;

/// How much of the text before a name and after a value is examined.
const MAX_CONTEXT_BYTES: usize = 96;

/// A value, and everything that its classification depends on.
pub(super) struct Candidate<'t> {
    pub(super) kind: NameKind,
    pub(super) requirement: Requirement,
    pub(super) separator: Separator,
    pub(super) name: &'t [u8],
    /// The offset of the name.
    pub(super) start: usize,
    pub(super) surroundings: Surroundings,
    pub(super) value: Value,
    pub(super) text: &'t [u8],
}

/// The context of an unquoted value.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Context {
    /// Environment files, flags and queries: every word is a value unless it is a placeholder.
    Data,
    /// A line `name: value` or `name = value` of configuration or source.
    Line,
    /// An argument or a member among others. The value may be the name of a variable.
    Code,
    /// A sentence of prose.
    Prose,
}

/// Whether the value must be masked.
pub(super) fn is_secret(candidate: &Candidate<'_>) -> bool {
    let body = candidate.body();
    if body.len() < MIN_VALUE_BYTES {
        return false;
    }
    let stats = ByteStats::of(body);
    // Nearly all words that follow a name and a blank in prose are short.
    if candidate.separator.operator == Operator::Blank
        && candidate.value.quote.is_none()
        && body.len() < MIN_PROSE_VALUE_BYTES
        && candidate.name != b"PASSWORD"
        && !is_made_up(body, &stats)
        && !candidate.ends_sentence(&stats)
    {
        return false;
    }
    let any = candidate.accepts_any_word();
    let looks_secret = match candidate.requirement {
        Requirement::Random => {
            stats.is_random()
                || candidate.separator.operator == Operator::Apart && is_made_up(body, &stats)
        }
        Requirement::Marked => stats.looks_like_secret(body),
        // After such a name a word with a number is a password and no version: `hunter2`.
        Requirement::Any => {
            let is_path = candidate.separator.operator == Operator::Argument
                && body.iter().any(|byte| b"-_/.".contains(byte));
            stats.looks_like_secret(body)
                || stats.is_numbered_word() && !is_algorithm(body) && !is_path
        }
    };
    let numbered = stats.is_numbered_word() && candidate.requirement == Requirement::Marked;
    if !looks_secret && !any && !numbered && !candidate.is_data()
        || code::is_member(body) && !stats.is_alternating() && !candidate.is_property()
    {
        return false;
    }
    let quoted = candidate.value.quote.is_some() || candidate.separator.operator == Operator::Tag;
    let is_value = if quoted {
        candidate.is_quoted_secret(body, &stats, looks_secret)
    } else {
        candidate.is_unquoted_secret(body, &stats, looks_secret)
    };
    is_value
        && !placeholder::is_name(body)
        && !placeholder::is_placeholder(body)
        && !mask::occurs(body)
}

/// Quickly rules out most unquoted values, by the separator and by how they begin.
pub(super) fn may_be_unquoted_secret(kind: NameKind, separator: &Separator, value: &[u8]) -> bool {
    let begins_expression = matches!(value, [b'{' | b'(' | b')' | b'}', ..] | [b'$', b'(', ..]);
    let accepts = match separator.operator {
        Operator::Blank => may_follow_blank(kind),
        Operator::Colon | Operator::Flag | Operator::Tag | Operator::Apart => true,
        Operator::Assign | Operator::Argument => separator.accepts == AcceptedValues::Any,
    };
    accepts && (separator.operator == Operator::Tag || !begins_expression)
}

/// Whether a value may follow a name of this kind after only a blank.
fn may_follow_blank(kind: NameKind) -> bool {
    matches!(kind, NameKind::Password | NameKind::Secret | NameKind::Token)
}

/// Whether the value is a number in JSON. Its mask needs quotes for the document to remain valid JSON.
pub(super) fn needs_quotes(candidate: &Candidate<'_>) -> bool {
    candidate.value.quote.is_none()
        && candidate.separator.quoted
        && candidate.separator.operator == Operator::Colon
        && candidate.text[..candidate.start].ends_with(b"\"")
        && !candidate.text[..candidate.start].ends_with(b"\\\"")
}

impl<'t> Candidate<'t> {
    fn body(&self) -> &'t [u8] {
        &self.text[self.value.start..self.value.end.min(self.value.start + MAX_EXAMINED_BYTES)]
    }

    /// Whether any word may be the value. The value of `PWD` in a shell is a folder.
    fn accepts_any_word(&self) -> bool {
        let is_connection_string = self.surroundings == Surroundings::Sign(Some(b';'));
        self.requirement == Requirement::Any && (self.name != b"PWD" || is_connection_string)
    }

    /// The text after the value on its line.
    fn after(&self) -> &'t [u8] {
        let end = self.value.end;
        let near = &self.text[end..self.text.len().min(end + MAX_CONTEXT_BYTES)];
        memchr::memchr(b'\n', near).map_or(near, |newline| &near[..newline])
    }

    /// The text from the start of the line to the name to which the value belongs.
    fn line_before(&self) -> &'t [u8] {
        let near = &self.text[self.start.saturating_sub(MAX_CONTEXT_BYTES)..self.start];
        memchr::memrchr(b'\n', near).map_or(near, |newline| &near[newline + 1..])
    }

    /// Whether a password ends a part of a sentence: `user joe, password x1y2.`
    fn ends_sentence(&self, stats: &ByteStats) -> bool {
        self.kind == NameKind::Password
            && self.requirement == Requirement::Any
            && matches!(self.after(), [] | [b',' | b'.' | b';' | b')' | b'\r', ..])
            && stats.is_marked(self.body())
            && !self.body().iter().any(|byte| b".:&".contains(byte))
    }

    /// Whether the value is an argument of a command, a part of a query or an environment variable, where every word is
    /// a value.
    fn is_data(&self) -> bool {
        let separator = &self.separator;
        let direct = separator.operator == Operator::Assign
            && (self.value.quote.is_none() || self.is_environment());
        self.requirement == Requirement::Marked
            && self.kind != NameKind::Auth
            && separator.accepts == AcceptedValues::Any
            && (separator.operator == Operator::Flag || direct || self.is_header())
    }

    /// Whether the name is an environment variable: `DB_PASSWORD=x` at the start of a line, or after `export`.
    fn is_environment(&self) -> bool {
        self.surroundings == Surroundings::Environment
            && !matches!(self.value.quote, Some(Quote::Plain(b'`')))
    }

    /// Whether the value is the text of an element, a part of a connection string or a line of a properties file, none
    /// of which contains code.
    fn is_property(&self) -> bool {
        let is_dotted = self.name.contains(&b'.');
        let is_connection_string =
            self.surroundings == Surroundings::Sign(Some(b';')) && !self.separator.spaced;
        is_dotted
            || is_connection_string
            || self.is_environment()
            || self.separator.operator == Operator::Tag
    }

    /// Whether the value belongs to a header such as `X-Api-Key: x`.
    fn is_header(&self) -> bool {
        let own = self.name.starts_with(b"X-") || self.name.starts_with(b"x-");
        self.separator.operator == Operator::Colon && self.separator.spaced && own
    }

    fn is_quoted_secret(&self, body: &[u8], stats: &ByteStats, looks_secret: bool) -> bool {
        let has_non_ascii = body.iter().any(|byte| *byte >= 0x80);
        let is_all_digits = stats.digits == body.len();
        if has_non_ascii && stats.digits == 0
            || is_all_digits && body.len() < MIN_QUOTED_NUMBER_BYTES
            || code::is_template(body)
            || body.iter().all(|byte| byte.is_ascii_digit() || b".-~^>=\\x".contains(byte))
                && body.contains(&b'.')
            || is_rule(body)
            || self.separator.accepts == AcceptedValues::Marked && is_file(body)
            || body.contains(&b' ') && !self.is_passphrase(body)
        {
            return false;
        }
        let any = self.requirement == Requirement::Any || self.is_data();
        let is_plain = !is_word(body) || is_plain_word(body);
        looks_secret || any && self.separator.accepts != AcceptedValues::Marked && is_plain
    }

    /// Whether several words are a password: any words in an environment variable, and elsewhere words of which one
    /// mixes letters and digits as no word of a sentence does.
    fn is_passphrase(&self, body: &[u8]) -> bool {
        let environment = self.is_environment();
        let any = self.requirement == Requirement::Any
            && self.separator.accepts != AcceptedValues::Marked;
        any && (environment || has_mixed_word(body))
    }

    fn is_unquoted_secret(&self, body: &[u8], stats: &ByteStats, looks_secret: bool) -> bool {
        let flag = self.separator.operator == Operator::Flag;
        let after = if flag { &[][..] } else { self.after() };
        let expression = if self.is_environment() {
            code::is_template(body) || code::is_lookup(body, self.after())
        } else {
            code::is_expression(body, after, self.after())
        };
        if expression {
            return false;
        }
        // Test runners print `PASS: …`.
        if self.name == b"PASS" && self.separator.operator == Operator::Colon {
            return false;
        }
        if self.separator.operator == Operator::Blank {
            let is_sql_statement = self.name == b"PASSWORD" && stats.is_marked(body);
            let is_long = body.len() >= MIN_PROSE_VALUE_BYTES && stats.is_random();
            return may_follow_blank(self.kind)
                && (is_long
                    || is_sql_statement
                    || is_made_up(body, stats)
                    || self.ends_sentence(stats) && !is_variable(body, stats));
        }
        if memchr::memmem::find(self.name, body).is_some() || is_constant(body) {
            return false;
        }
        if self.separator.operator == Operator::Apart {
            let is_numbered = self.requirement == Requirement::Any
                && self.separator.accepts == AcceptedValues::Any
                && stats.is_numbered_word()
                && !is_algorithm(body)
                && body.iter().all(u8::is_ascii_alphanumeric);
            let is_name = is_variable(body, stats) || stats.groups > 0 && reads_like_words(body);
            return is_made_up(body, stats)
                || (stats.is_marked(body) || is_numbered || stats.is_random()) && !is_name;
        }
        if self.separator.accepts != AcceptedValues::Any {
            // The value is the answer to a prompt or the value of a directive: `Password (again): x`, `ENV PASSWORD x`.
            let answer = matches!(self.separator.operator, Operator::Colon | Operator::Flag);
            return answer && looks_secret;
        }
        if is_number(body) {
            let code = matches!(self.kind, NameKind::Password | NameKind::Secret);
            return code && body.len() >= MIN_NUMBER_BYTES && stats.digits == body.len();
        }
        let any = self.accepts_any_word();
        match self.context() {
            Context::Data if flag => looks_secret || !self.is_metavariable(body),
            Context::Data => looks_secret || (any || self.is_data()) && !self.is_label(body),
            Context::Line => {
                looks_secret && !is_variable(body, stats) || self.is_line_word(body, any)
            }
            Context::Code => {
                // No variable has digits in several places, as `s3cr3t` has.
                let is_made_up =
                    is_made_up(body, stats) || stats.is_random() && !is_variable(body, stats);
                let has_digit_groups = any && stats.groups >= 2 && !is_variable(body, stats);
                looks_secret && (has_digit_groups || is_made_up || !code::is_identifier(body))
                    || any && self.is_flow_word(body)
            }
            Context::Prose => looks_secret && !is_variable(body, stats),
        }
    }

    /// Whether the value is a word of a sentence or of a help text after a flag, or a setting: `--password of it`,
    /// `--secret id=x`, `--api-key strings   what it is`.
    fn is_metavariable(&self, body: &[u8]) -> bool {
        let is_described = || {
            let blanks = Class::run_of_blanks(self.after());
            let next = self.after().get(blanks);
            let begins_line = self
                .line_before()
                .iter()
                .all(|byte| b" \t-,".contains(byte) || byte.is_ascii_lowercase());
            blanks > 1 && next.is_some_and(u8::is_ascii_alphabetic) && begins_line
        };
        let is_setting = self.name == b"--secret" || body.contains(&b'=') && !body.ends_with(b"=");
        has(METAVARIABLES, body)
            || has(PROSE_WORDS, body)
            || body[0] == b'-'
            || is_setting
            || is_described()
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
        // Go prints values like this: `map[host:db password:x]`.
        let is_printed_pair = separator.operator == Operator::Colon
            && !separator.spaced
            && is_followed_by_member(after);
        if separator.operator == Operator::Flag || is_printed_pair || self.is_header() {
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

    /// Whether the value begins a message of a program: `error.password=Wrong password`.
    fn is_label(&self, body: &[u8]) -> bool {
        is_capitalised(body)
            && matches!(self.after(), [b' ', next, ..] if next.is_ascii_alphabetic())
    }

    /// Whether the value is one word on a line of its own, as in YAML: in lower case, or with a digit.
    fn is_line_word(&self, body: &[u8], any: bool) -> bool {
        let joined = |byte: &u8| byte.is_ascii_alphanumeric() || b"_-".contains(byte);
        let is_upper =
            body.len() >= MIN_QUOTED_NUMBER_BYTES && body.iter().all(u8::is_ascii_uppercase);
        let digits = body.len() >= MIN_QUOTED_NUMBER_BYTES && body.iter().any(u8::is_ascii_digit);
        (any || digits && !is_algorithm(body))
            && self.separator.operator == Operator::Colon
            && (self.separator.spaced || digits)
            && (body.iter().all(joined)
                && (is_upper || !body[1..].iter().any(u8::is_ascii_uppercase))
                && (is_upper || !body[0].is_ascii_uppercase() || digits)
                || any && body.len() >= MIN_MIXED_BYTES && !reads_like_words(body))
    }

    /// Whether the value is one word in a YAML mapping on one line whose previous members all have unquoted values:
    /// `{user: bob, password: x}`.
    fn is_flow_word(&self, body: &[u8]) -> bool {
        let line = self.line_before();
        let Some(open) = memchr::memrchr(b'{', line) else { return false };
        let is_member = |member: &[u8]| {
            memchr::memchr(b':', member).is_some_and(|colon| {
                let (name, value) = (&member[..colon], member[colon + 1..].trim_ascii());
                let is_plain = |byte: &u8| byte.is_ascii_alphanumeric() || b"\"'_-".contains(byte);
                let word = name.iter().all(u8::is_ascii_alphanumeric);
                word && !value.is_empty() && value.iter().all(is_plain) && value != name
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

/// Whether ` name:` follows the value.
fn is_followed_by_member(after: &[u8]) -> bool {
    let Some(rest) = after.strip_prefix(b" ") else { return false };
    let name =
        rest.iter().take_while(|byte| byte.is_ascii_alphanumeric() || **byte == b'_').count();
    name > 0 && rest.get(name) == Some(&b':')
}

/// Where a value of several words ends, if its name begins a line of YAML. The value continues after `value.end` up to
/// the last word that is no word of a sentence.
pub(super) fn phrase_end(text: &[u8], name: usize, value: Range<usize>) -> usize {
    let Range { start, mut end } = value;
    if !is_mixed_word(&text[start..end]) {
        return end;
    }
    let before = &text[name.saturating_sub(MAX_CONTEXT_BYTES)..name];
    let begins = before.iter().rev().take_while(|byte| b" -\"'".contains(byte)).count();
    if !matches!(before[..before.len() - begins], [] | [.., b'\n']) {
        return end;
    }
    let mut at = end;
    let limit = text.len().min(end + MAX_CONTEXT_BYTES);
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

pub(super) fn has_mixed_word(body: &[u8]) -> bool {
    body.split(|byte| *byte == b' ').any(is_mixed_word)
}

fn is_mixed_word(word: &[u8]) -> bool {
    let letters = word.iter().filter(|byte| byte.is_ascii_alphabetic()).count();
    let stats = ByteStats::of(word);
    word.len() >= MIN_NUMBER_BYTES
        && letters > 0
        && !is_algorithm(word)
        && (stats.digits > 0 || letters > MIN_NUMBER_BYTES && stats.is_shuffled())
}

/// Whether the value is no word, name or number of a text: its letters, digits and signs are in no order.
fn is_made_up(body: &[u8], stats: &ByteStats) -> bool {
    (stats.is_alternating() || stats.is_unpronounceable(body))
        && !body.starts_with(b"-")
        && !is_variable(body, stats)
}

/// Whether the value is a validation rule of a form: `required|min:8`.
fn is_rule(body: &[u8]) -> bool {
    let first = body.split(|byte| *byte == b'|').next().unwrap_or_default();
    first.len() < body.len() && (has(EMPTY_VALUE_WORDS, first) || has(TYPE_NAMES, first))
        || [&b"min:"[..], b"max:", b"size:", b"regex:", b"in:", b"same:", b"required,", b"^["]
            .iter()
            .any(|rule| body.starts_with(rule))
}

/// Whether the value is the name of an algorithm and a number: `sha256`, `oauth2`, `base64url`.
pub(super) fn is_algorithm(body: &[u8]) -> bool {
    let letters = body.iter().take_while(|byte| byte.is_ascii_alphabetic()).count();
    let digits = body[letters..].iter().take_while(|byte| byte.is_ascii_digit()).count();
    let rest = &body[letters + digits..];
    has(ALGORITHM_NAMES, &body[..letters])
        && (rest.is_empty() || letters > 1 && digits > 0 && rest.iter().all(u8::is_ascii_lowercase))
}

fn is_capitalised(body: &[u8]) -> bool {
    body[0].is_ascii_uppercase() && body[1..].iter().all(u8::is_ascii_lowercase)
}

/// Whether the value is one word, or up to three joined words, that is not a label, a path or a type.
fn is_plain_word(body: &[u8]) -> bool {
    let joints = body.iter().filter(|byte| b"_-".contains(byte)).count();
    !is_capitalised(body) && joints <= 2 && !body.iter().any(|byte| b".:/".contains(byte))
}

/// Whether the value is a path to a file: `keys/agent2-key.pem`.
fn is_file(body: &[u8]) -> bool {
    body.contains(&b'/') && body.contains(&b'.')
}

/// Whether the value is a number, or a hexadecimal constant.
pub(super) fn is_number(body: &[u8]) -> bool {
    body.strip_prefix(b"0x").is_some_and(|digits| digits.len() <= 16)
        || body.iter().all(|byte| byte.is_ascii_digit() || b".,-".contains(byte))
}

/// Whether the value is a name in `UPPER_CASE`, or one with a number at its end.
fn is_constant(body: &[u8]) -> bool {
    let digits = body.iter().rev().take(2).take_while(|byte| byte.is_ascii_digit()).count();
    let sign = |byte: &u8| byte.is_ascii_uppercase() || *byte == b'_';
    body.contains(&b'_') && body[..body.len() - digits].iter().all(sign)
}

/// Whether the value is an identifier of several words with few digits, as variables and types are named: `base64Key`,
/// `token_v2`, `X509Key`.
fn is_variable(body: &[u8], stats: &ByteStats) -> bool {
    let is_snake = body.contains(&b'_') && stats.digits <= 4 && !stats.is_alternating();
    let is_joined = stats.camel_humps > 0 || stats.joins_number;
    code::is_identifier(body) && (is_snake || is_joined && reads_like_words(body))
}
