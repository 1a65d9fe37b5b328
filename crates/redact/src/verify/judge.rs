//! Whether a value is a secret or a placeholder, a type, code or prose.

use super::assignment::JUDGED_BYTES;
use super::identifier::{NAME_BYTES, Words};
use super::name::Kind;
use super::operator::Operator;
use super::placeholder::{
    is_measured_rate, is_path, is_placeholder, is_rate, is_reference, is_short_place,
    is_version_or_colour, only_opens, stands_for_nothing,
};
use super::random::RANDOM_BYTES;
use super::shape::{
    is_call, is_camel_case, is_code_path, is_constant, is_constant_name, is_expression, is_member,
    is_number, is_regex, is_type_path, names_a_secret,
};
use super::sorts::{
    APOSTROPHE, BLANK, CODE, CODE_PATH, COLON, DOT, FOREIGN, LINE, OPENER, REFERENCE, SLASH, Sorts,
    UPPER, WORDS,
};
use super::value::{Value, Writing};
use super::words::{METAVARIABLES, OBJECTS, SECRETS};
use super::{catalogue, code, plain, quoted, reference, store, table, target, validation};
use crate::class::Class;
use crate::mask;

/// Shortest value masked after anything but an assignment to a password.
const VALUE_BYTES: usize = 3;

/// Shortest word behind a flag that is a value although other words follow, when it is no word of English.
const FLAG_BYTES: usize = 8;

/// Shortest value of a strong name that begins with an operator and is no expression.
const NOISE_BYTES: usize = 12;

/// Longest unit of a number.
const UNIT_BYTES: usize = 3;

/// True when the value of a strong name must be masked. `after` is the text behind it.
pub(crate) fn is_secret(value: &Value<'_>, body: &[u8], quoted: bool, after: &[u8]) -> bool {
    if body.len() > JUDGED_BYTES {
        return true;
    }
    let direct = value.operator == Operator::Assign && value.kind == Kind::Password;
    if body.len() < VALUE_BYTES && !direct {
        return false;
    }
    let sorts = Sorts::of(body);
    let data = value.is_data(quoted);
    // A password where no code can stand is one whatever it looks like.
    let trusted = data && value.kind == Kind::Password;
    let place = || trusted && is_short_place(body);
    if stands_for_nothing(body)
        || !trusted && is_rate(body)
        || is_measured_rate(value, body)
        || memchr::memchr2(b'%', b'{', body).is_some()
            && (!trusted || body.contains(&b'{'))
            && code::is_template(body)
        || is_placeholder(body, quoted)
            && !(value.is_member() && only_opens(body))
            && !(data && opens_like_a_place(value, body))
        || sorts.has(COLON.and(SLASH)) && is_reference(body) && !place()
        || is_path(body) && !place()
        || sorts.has(DOT.and(CODE)) && is_version_or_colour(body)
        || is_regex(body) && !(trusted && is_between_signs(body))
        || is_elided(value, body)
        || store::is_entry(value, body, after)
    {
        return false;
    }
    if is_number(body) {
        return is_secret_number(value, body);
    }
    if plain::is_word_of_grammar(value, body, quoted) {
        return false;
    }
    if quoted {
        let sentence = sorts.has(BLANK.and(FOREIGN))
            && quoted::is_sentence(body)
            && !(trusted && quoted::is_passphrase(value, body));
        !sentence
            && !validation::are_rules(value, body)
            && !catalogue::is_label(value, body, true, after)
            && !reference::is_key_of_storage(value, body)
            && !quoted::is_label(value, body)
            && !quoted::is_own_name(value, body)
            && !quoted::is_name(value, body)
            && !quoted::is_quoted_code(value, body, after, data)
            && !code::is_quoted_name(value, body, after)
            && !code::is_command_for_directory(value, body, after)
            && !(value.name == b"PASS" && value.operator == Operator::Colon && sorts.has(BLANK))
    } else {
        is_bare_secret(value, body, sorts, after, data)
    }
}

/// True when the items of a list have a chance: `tokenVariants` hold something else than `accessTokens` and `token`.
pub(crate) fn may_list(value: &Value<'_>) -> bool {
    let words = value.words();
    let last = words.last();
    match value.kind {
        Kind::Token => last.ends_with(b"token"),
        Kind::Secret => last.ends_with(b"secret") || last.ends_with(b"secrets"),
        Kind::Credential => last.starts_with(b"cred"),
        Kind::Password => memchr::memmem::find(last, b"pass").is_some() || last.ends_with(b"pwd"),
        Kind::Key | Kind::Auth | Kind::Signature => true,
    }
}

/// True when an item of a list names a secret instead of being one, as in `"secrets": ["db-password", "DEPLOY_KEY"]`.
pub(crate) fn is_name_in_list(value: &Value<'_>, body: &[u8]) -> bool {
    value.kind != Kind::Password
        && (names_a_secret(body)
            || value.name.starts_with(body)
            || is_constant(body)
            || body.contains(&b' ')
            || plain::is_words(body, 1))
}

/// Tells whether a line below a name of this kind must be masked.
pub(crate) fn of_lines(kind: Kind) -> fn(&[u8]) -> bool {
    match kind {
        Kind::Password => |line| is_secret_line(Kind::Password, b"password", line),
        Kind::Secret => |line| is_secret_line(Kind::Secret, b"secret", line),
        Kind::Token => |line| is_secret_line(Kind::Token, b"token", line),
        Kind::Credential => |line| is_secret_line(Kind::Credential, b"credentials", line),
        Kind::Key => |line| is_secret_line(Kind::Key, b"api_key", line),
        Kind::Auth => |line| is_secret_line(Kind::Auth, b"auth", line),
        Kind::Signature => |line| is_secret_line(Kind::Signature, b"signature", line),
    }
}

fn is_secret_line(kind: Kind, name: &[u8], line: &[u8]) -> bool {
    let operator = Operator::Colon;
    is_secret(&Value { kind, operator, name, spaced: true, ..Value::PASSWORD }, line, true, b"")
}

fn is_bare_secret(value: &Value<'_>, body: &[u8], sorts: Sorts, after: &[u8], data: bool) -> bool {
    if sorts.has(OPENER) && mask::occurs(body) {
        return false;
    }
    if value.lone_pass
        && value.writing != Writing::Flag
        && (value.operator != Operator::Assign || value.spaced)
        && (value.name == b"PASS" || is_outcome(body) || is_followed(after))
    {
        return false;
    }
    if opens_group(value, body, after, data)
        || is_directory(value, body)
        || is_stand_in(value, body)
        || code::is_in_namespace(value, body, after)
        || !data && reference::is_variable(value, body)
        || reference::is_digest(value, body)
        || code::is_bare_prose(value, body, after)
        || !(data && value.kind == Kind::Password) && code::is_bare_code(value, body, after, data)
    {
        return false;
    }
    if value.operator == Operator::Tab && !table::is_value(value, body, after) {
        return false;
    }
    if sorts.only(UPPER.and(LINE)) && is_constant_name(body) {
        return false;
    }
    if value.is_environment() {
        return true;
    }
    if matches!(
        body,
        [b'{' | b'[' | b'(' | b'|' | b'>' | b'!' | b'&' | b'*' | b'+' | b'?' | b'~', ..]
    ) && !data
        && (value.spaced && !is_long(body) && !is_noise(body) || body.len() < 8)
    {
        return false;
    }
    let commanded = target::follows(value, body, after);
    if !data && !commanded && !is_property(value, after) && is_code(value, body, sorts, after) {
        return false;
    }
    if !sorts.only(WORDS.and(APOSTROPHE)) {
        return true;
    }
    let alone = value.kind != Kind::Password
        && SECRETS.has(body)
        && !body.iter().any(u8::is_ascii_uppercase);
    if is_same_name(value, body) || names_a_secret(body) || alone && value.spaced {
        return false;
    }
    let next_word =
        is_followed(after) || is_followed_by_sign(value, after) && plain::is_words(body, 1);
    match value.operator {
        Operator::Flag if next_word && !commanded => {
            body.len() >= FLAG_BYTES && !plain::is_words(body, 1)
        }
        Operator::Colon if next_word && !is_in_dump(value, after) => {
            value.kind == Kind::Password
                && body.len() >= FLAG_BYTES
                && !body.contains(&b'\'')
                && !plain::is_words(body, 1)
        }
        Operator::Colon if value.before == Some(b'/') && value.spaced => false,
        Operator::Colon if matches!(after, [b' ', b'(', ..]) => false,
        Operator::Colon if !data && is_type_name(body, after) => false,
        Operator::Colon if value.kind != Kind::Password => {
            // `{ROOT_KEY: node}`
            let closes = value.before == Some(b'{') && after.first() == Some(&b'}');
            let ends = matches!(after.first(), Some(b',' | b';' | b')'));
            !(ends || closes && plain::is_words(body, 1))
        }
        Operator::Flag => !is_stand_in(value, body),
        Operator::Assign if value.spaced => {
            let statement = matches!(after.first(), Some(b';' | b',' | b')')) || next_word;
            !statement && (value.kind == Kind::Password || body.len() >= RANDOM_BYTES)
        }
        _ => true,
    }
}

/// A call, a member or another expression.
fn is_code(value: &Value<'_>, body: &[u8], sorts: Sorts, after: &[u8]) -> bool {
    // `process.env.KEY!`
    if let Some(body) = body.strip_suffix(b"!").filter(|body| body.contains(&b'.')) {
        return is_code(value, body, Sorts::of(body), after);
    }
    let path = sorts.only(CODE_PATH.and(REFERENCE));
    let may_be_none = || is_noisy_call(body) || value.kind == Kind::Password && is_element(body);
    sorts.has(OPENER) && is_call(body) && !may_be_none()
        || path && sorts.has(DOT.and(COLON).and(CODE)) && is_code_path(body)
        || sorts.has(COLON) && is_type_path(body)
        || path && sorts.has(DOT) && is_member(value, body)
        || is_expression(body, value.spaced, after)
        || is_declared(value, body, after)
}

/// `tiger[42]`: one word and a number in brackets. What holds several is named in the plural: `parts[1]`.
fn is_element(body: &[u8]) -> bool {
    let Some((name, index)) = body.strip_suffix(b"]").and_then(|body| {
        let open = memchr::memchr(b'[', body)?;
        Some((&body[..open], &body[open + 1..]))
    }) else {
        return false;
    };
    name.len() > 3
        && !matches!(name, [.., b's'] | b"argv")
        && !OBJECTS.has(name)
        && name.iter().all(u8::is_ascii_alphabetic)
        && index.iter().all(u8::is_ascii_digit)
}

/// `kQx(9vLp!2mZr`: what stands before a bracket is no name, and behind it comes noise.
fn is_noisy_call(body: &[u8]) -> bool {
    let name = body.iter().take_while(|byte| byte.is_ascii_alphabetic()).count();
    let has = |test: fn(&u8) -> bool| body.iter().any(test);
    body.len() >= NOISE_BYTES
        && matches!(body.get(name), Some(b'(' | b'['))
        && !plain::is_words(&body[..name], 1)
        && !has(|byte| b",\"'`.".contains(byte))
        && has(u8::is_ascii_digit)
        && has(u8::is_ascii_lowercase)
        && has(u8::is_ascii_uppercase)
}

/// `spring.datasource.password=…` alone on its line, in a file of properties.
fn is_property(value: &Value<'_>, after: &[u8]) -> bool {
    let first = value.name.split(|byte| *byte == b'.').next().unwrap_or_default();
    value.operator == Operator::Assign
        && !value.spaced
        && matches!(value.before, None | Some(b'\n'))
        && value.name.iter().any(|byte| matches!(byte, b'.' | b'-'))
        && !value.name.iter().any(u8::is_ascii_uppercase)
        && !matches!(first, b"self" | b"this" | b"process" | b"exports" | b"module" | b"window")
        && matches!(after, [] | [b'\n' | b'\r', ..])
}

/// `enter-sandman-1991`: begins as a request for a value, and goes on with a number.
fn opens_like_a_place(value: &Value<'_>, body: &[u8]) -> bool {
    matches!(value.kind, Kind::Password | Kind::Secret)
        && body[0].is_ascii_alphabetic()
        && body.iter().any(u8::is_ascii_digit)
        && !names_a_secret(body)
}

/// `^aB3dEf$`: nothing between the signs belongs to a regular expression.
fn is_between_signs(body: &[u8]) -> bool {
    body[0] == b'^' && !body.iter().any(|byte| b"[](){}.*+?\\|".contains(byte))
}

/// `eyJhbGci...`, `my-client-secret`: an example in a text.
fn is_elided(value: &Value<'_>, body: &[u8]) -> bool {
    let own = matches!(body, [b'm', b'y', b'-' | b'_', ..]);
    value.kind != Kind::Password
        && (matches!(body, [.., b'.', b'.', b'.']) && body.len() <= 24
            || own && names_a_secret(body) && !body.iter().any(u8::is_ascii_digit))
}

/// Base64 that is long enough for a key, whatever it begins with.
fn is_long(body: &[u8]) -> bool {
    let has = |test: fn(&u8) -> bool| body.iter().any(test);
    body.len() >= RANDOM_BYTES
        && Class::Encoded.run(body) == body.len()
        && has(u8::is_ascii_digit)
        && has(u8::is_ascii_lowercase)
        && has(u8::is_ascii_uppercase)
}

/// `BinaryLike`: two words with a capital each, of which one is known in code, or a parameter's end follows.
fn is_type_name(body: &[u8], after: &[u8]) -> bool {
    let ends = matches!(after.first(), Some(b',' | b';' | b')'));
    is_camel_case(body) && (plain::is_name_of_code(body) || ends && plain::is_words(body, 1))
}

/// A sign in front of letters of both cases and digits, which no expression has without parentheses, blanks and quotes.
fn is_noise(body: &[u8]) -> bool {
    let has = |test: fn(&u8) -> bool| body.iter().any(test);
    body.len() >= NOISE_BYTES
        && !matches!(body, [b'{' | b'[' | b'(' | b'|' | b'>', ..])
        && !has(|byte| b"()[]{}<>\"'`$".contains(byte))
        && has(u8::is_ascii_digit)
        && has(u8::is_ascii_lowercase)
        && has(u8::is_ascii_uppercase)
}

/// Code that gives a name to another name: `token: TOKEN_0,`, `X509Token = X509Token;`, `token: CachedX509Token)`.
fn is_declared(value: &Value<'_>, body: &[u8], after: &[u8]) -> bool {
    let closes = matches!(
        after,
        [b',' | b';', b'\n' | b'\r', ..] | [b';' | b')', ..] | [b','] | [b' ', b'}', ..]
    );
    let name = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_';
    if !closes || !value.spaced || !body[0].is_ascii_alphabetic() || !body.iter().all(name) {
        return false;
    }
    let shouting = body.contains(&b'_') && !body.iter().any(u8::is_ascii_lowercase);
    let constant = value.operator == Operator::Colon && shouting;
    // A bundler numbers names that are there twice: `token: token2 }`.
    let letters = body.strip_suffix(b"2").or_else(|| body.strip_suffix(b"3")).unwrap_or(b"");
    let numbered =
        value.kind != Kind::Password && letters.len() >= 5 && is_same_name(value, letters);
    let secret = value.kind != Kind::Password && names_a_secret(body);
    let types = value.operator == Operator::Colon
        && after.starts_with(b";")
        && body[0].is_ascii_uppercase()
        && Words::new(body).len() > 2
        && plain::is_words(body, 1);
    constant || numbered || secret || types || body.len() >= 8 && is_same_name(value, body)
}

/// Another word comes after the value. What that was may have been masked.
fn is_followed(after: &[u8]) -> bool {
    matches!(after, [b' ', next, ..] | [b',' | b'.', b' ', next, ..]
        if next.is_ascii_alphabetic() || b"['`".contains(next))
}

/// `{User:joe Password:tiger Port:1}`, `map[password:tiger user:joe]`: behind it comes the next name of a dump of Go.
fn is_in_dump(value: &Value<'_>, after: &[u8]) -> bool {
    let [b' ', rest @ ..] = after else { return false };
    let name = Class::Word.run(&rest[..rest.len().min(NAME_BYTES)]);
    let opened = matches!(value.before, Some(b' ' | b'[' | b'{'));
    opened
        && matches!(value.kind, Kind::Password | Kind::Secret)
        && !value.spaced
        && rest.first().is_some_and(u8::is_ascii_alphabetic)
        && matches!(rest[name..], [b':', next, ..] if !next.is_ascii_whitespace() && !b":/".contains(&next))
}

/// A name, a quotation, markup or a number comes, as it does behind a word of prose.
fn is_followed_by_sign(value: &Value<'_>, after: &[u8]) -> bool {
    match after {
        [b' ', b'_' | b'"' | b'<', ..] => true,
        [b' ', b'0'..=b'9', ..] => value.kind != Kind::Password,
        _ => false,
    }
}

/// What `pass` says of a test: a number, perhaps with a unit, or a word; in code also a variable or markup.
fn is_outcome(body: &[u8]) -> bool {
    if body[0] == b'$' || body.ends_with(b":") || body.contains(&b'`') {
        return true;
    }
    let number = body.iter().take_while(|byte| byte.is_ascii_digit() || b".,/-+:".contains(byte));
    let unit = &body[number.count()..];
    let measured = unit.len() < body.len() && unit.len() <= UNIT_BYTES;
    measured || plain::is_words(body, 1)
}

/// `{name: `, `[[1`, `)`: what opens a list or a map that goes on, or closes what the name stands in.
fn opens_group(value: &Value<'_>, body: &[u8], after: &[u8], data: bool) -> bool {
    let goes_on = value.operator == Operator::Colon && matches!(after, [b' ' | b',', ..]);
    match body {
        [b')', ..] => !data,
        [b'{', inner @ .., b':'] => goes_on && inner.iter().all(|byte| Class::Dash.has(*byte)),
        [b'[', b'[', ..] => goes_on && !body.contains(&b']'),
        _ => false,
    }
}

/// `PWD=src`: where a shell is. In a connection string, `;PWD=…`, it is a password.
fn is_directory(value: &Value<'_>, body: &[u8]) -> bool {
    matches!(value.name, b"PWD" | b"OLDPWD")
        && value.is_environment()
        && value.before != Some(b';')
        && body.split(|byte| *byte == b'/').all(|part| part.is_empty() || plain::is_words(part, 1))
}

/// `--token=TOKEN`, `--key=FILE`: the help of a command.
fn is_stand_in(value: &Value<'_>, body: &[u8]) -> bool {
    value.writing == Writing::Flag
        && body.iter().all(|byte| byte.is_ascii_uppercase() || matches!(byte, b'_' | b'-'))
        && (is_same_name(value, body)
            || names_a_secret(body)
            || if value.kind == Kind::Password {
                METAVARIABLES.has(body)
            } else {
                plain::is_words(body, 4)
            })
}

fn is_secret_number(value: &Value<'_>, body: &[u8]) -> bool {
    let least = if value.operator == Operator::Assign && !value.spaced { 3 } else { 4 };
    let digits = body.iter().all(u8::is_ascii_digit);
    let holds = match value.kind {
        Kind::Password => !value.lone_pass,
        Kind::Secret => true,
        _ => body.len() > 10,
    };
    holds && digits && body.len() >= least && !value.words().last().ends_with(b"s")
}

/// The value says the same as the end of its name.
pub(super) fn is_same_name(value: &Value<'_>, body: &[u8]) -> bool {
    let mut name = value.name.iter().filter(|byte| byte.is_ascii_alphanumeric()).rev();
    let mut letters = body.iter().filter(|byte| byte.is_ascii_alphanumeric()).rev();
    letters.all(|letter| name.next().is_some_and(|other| other.eq_ignore_ascii_case(letter)))
}
