//! What stands in source and in its documentation where a value could: names, calls, places for values, prose.

use super::identifier::Words;
use super::name::Kind;
use super::operator::Operator;
use super::random::RANDOM_BYTES;
use super::shape::{is_call, is_constant, is_regex, names_a_secret};
use super::value::{Value, Writing};
use super::words::{
    ABOUT, COLUMNS, DIRECTORIES, GRAMMAR, LANGUAGE, NOTHING, PROSE, SECRETS, TYPES,
};
use super::{catalogue, plain};

/// Longest directive of a format, and longest name in braces.
const PLACE_BYTES: usize = 64;

/// Longest range of numbers, `8-64`, and longest format of one.
const RANGE_BYTES: usize = 7;

/// `%s:%s`, `{0}:{1}`, `Bearer ${token}`: nothing but places for values, perhaps behind the scheme of a credential.
pub(super) fn is_template(body: &[u8]) -> bool {
    let body = ["Basic ", "Bearer ", "basic ", "bearer ", "token "]
        .iter()
        .find_map(|scheme| body.strip_prefix(scheme.as_bytes()))
        .unwrap_or(body);
    let mut rest = body;
    let mut places = 0;
    while let Some(first) = rest.first() {
        let length = match first {
            b'%' => directive(rest),
            b'$' if rest.get(1) == Some(&b'{') => {
                braces(&rest[1..], |_| true).map(|length| length + 1)
            }
            b'{' => braces(rest, |byte| byte.is_ascii_alphanumeric() || b"_.:!".contains(byte)),
            byte if byte.is_ascii_alphanumeric() || !byte.is_ascii() => return false,
            _ => Some(1).filter(|_| !matches!(first, b'}')),
        };
        let Some(length) = length else { return false };
        places += usize::from(matches!(first, b'%' | b'$' | b'{') && length > 1);
        rest = &rest[length..];
    }
    places > 0
}

/// The length of `%s`, `%-5d` or `%%` at the start of `text`.
fn directive(text: &[u8]) -> Option<usize> {
    let flags =
        text[1..].iter().take(8).take_while(|byte| b"-+ #.0123456789l".contains(byte)).count();
    let ends = text.get(1 + flags).is_some_and(|byte| b"sdvqrxufig%".contains(byte));
    ends.then_some(flags + 2)
}

/// The length of `{…}` at the start of `text`, without braces inside.
fn braces(text: &[u8], belongs: fn(&u8) -> bool) -> Option<usize> {
    let inner = text.get(1..text.len().min(PLACE_BYTES))?;
    let length = memchr::memchr2(b'}', b'{', inner)?;
    (inner[length] == b'}' && inner[..length].iter().all(belongs)).then_some(length + 2)
}

/// Names of code in quotes, and code between them.
pub(super) fn is_quoted_name(value: &Value<'_>, body: &[u8], after: &[u8]) -> bool {
    if value.kind == Kind::Password {
        return false;
    }
    // `private_key: "_RSAPrivateKey"`
    if let [b'_', name @ ..] = body {
        let name = name.strip_prefix(b"_").unwrap_or(name);
        return name.iter().all(|byte| byte.is_ascii_alphabetic() || *byte == b'_')
            && (plain::is_words(name, 1) || names_a_secret(name));
    }
    // `url-token`: `url('./icon.png')`
    if after.first() == Some(&b'`') && body.ends_with(b")") && is_call(body) {
        return true;
    }
    // `lastSignificantToken = "?NonExpressionParenKeyword"`
    let grammar = |word: &[u8]| GRAMMAR.has(word) && word != b"id";
    value.kind == Kind::Token
        && !body.iter().any(u8::is_ascii_digit)
        && (body.len() < RANDOM_BYTES
            || plain::is_words(body.strip_prefix(b"?").unwrap_or(body), 1))
        && value.words().iter().any(grammar)
}

/// What prose says without quotes, and code where data can stand as well.
pub(super) fn is_bare_prose(value: &Value<'_>, body: &[u8], after: &[u8]) -> bool {
    is_about_directory(value, body)
        || catalogue::is_message(value, body, after)
        || catalogue::is_label(value, body, false, after)
        // `passwd: files systemd`
        || value.name == b"passwd" && value.operator == Operator::Colon && DIRECTORIES.contains(&body)
        // `password: 8-64 characters`
        || value.operator == Operator::Colon
            && body.iter().all(|byte| byte.is_ascii_digit() || *byte == b'-')
            && body.len() <= RANGE_BYTES
            && matches!(after, [b' ', next, ..] if next.is_ascii_alphabetic())
        || value.lone_pass && is_count(body)
        || value.writing == Writing::Flag
            && value.operator == Operator::Flag
            && PROSE.has(body)
}

/// `{token:10s}`: how a value is to be printed.
fn is_format(value: &Value<'_>, body: &[u8], after: &[u8]) -> bool {
    let digits = |byte: &u8| byte.is_ascii_digit() || b"<>^.".contains(byte);
    value.before == Some(b'{')
        && value.operator == Operator::Colon
        && after.first() == Some(&b'}')
        && body.len() <= RANGE_BYTES
        && body.split_last().is_some_and(|(_, width)| width.iter().all(digits))
}

/// `token: Token=None`: a type and what a parameter is without a value.
fn is_parameter(value: &Value<'_>, body: &[u8]) -> bool {
    let Some(equals) = memchr::memchr(b'=', body) else { return false };
    let (name, nothing) = (&body[..equals], &body[equals + 1..]);
    value.operator == Operator::Colon
        && value.spaced
        && NOTHING.has(nothing)
        && name.first().is_some_and(u8::is_ascii_alphabetic)
        && plain::is_words(name, 1)
}

/// What code says without quotes. `after` is the text behind it.
pub(super) fn is_bare_code(value: &Value<'_>, body: &[u8], after: &[u8], data: bool) -> bool {
    let followed = matches!(after, [b' ', next, ..] if !next.is_ascii_whitespace());
    match body {
        // `:type passphrase: :py:data:`, in the markup of a documentation
        [b':', role @ .., b':']
            if role.iter().all(|byte| byte.is_ascii_alphabetic() || *byte == b':') =>
        {
            return true;
        }
        // `q{`, `qq(`: a string begins that goes on elsewhere. `qr/[a-z]/` is a regular expression.
        [b'q', b'{' | b'(' | b'['] | [b'q', b'q' | b'w' | b'r', b'{' | b'(' | b'['] => return true,
        [b'q', b'r', regex @ ..] if is_regex(regex) => return true,
        // `s/one/another/`
        [b's', b'/', rest @ ..]
            if memchr::memchr_iter(b'/', rest).count() == 2 && rest.ends_with(b"/") =>
        {
            return true;
        }
        // Variables of Vim: `g:netrw_passwd`, `a:2`
        [b'a' | b'b' | b'g' | b'l' | b's' | b't' | b'v' | b'w', b':', name @ ..] => {
            let number = name.len() == 1 && name[0].is_ascii_digit();
            return number
                || names_a_secret(name)
                    && name.iter().all(|byte| byte.is_ascii_alphabetic() || *byte == b'_');
        }
        // An option is no value of another.
        [b'-', b'-', option @ ..] if plain::is_words(option, 1) => return true,
        // `cleanups: all of it`
        [name @ .., b':']
            if value.operator == Operator::Colon
                && value.spaced
                && followed
                && !name.is_empty()
                && name.iter().all(|byte| byte.is_ascii_alphabetic() || *byte == b'_') =>
        {
            return true;
        }
        _ => {}
    }
    is_repetition(body) && value.spaced
        || is_field_list(value, body)
        || is_renamed_file(value, body)
        || is_argument(value, body)
        || !data && value.kind != Kind::Password && is_code_name(value, body, followed)
        || is_format(value, body, after)
        || is_parameter(value, body)
        || value.spaced && is_snake_call(body)
        || value.spaced && body.ends_with(b"=") && SECRETS.has(&body[..body.len() - 1])
}

/// `1*tchar`, `1*<any`: repetition in a grammar.
fn is_repetition(body: &[u8]) -> bool {
    let digits = body.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let Some(name) = body[digits..].strip_prefix(b"*") else { return false };
    let name = name.strip_prefix(b"<").unwrap_or(name);
    digits > 0
        && !name.is_empty()
        && name.iter().all(|byte| byte.is_ascii_alphabetic() || *byte == b'-')
}

/// `name:passwd:uid:gid`: the fields of a line.
fn is_field_list(value: &Value<'_>, body: &[u8]) -> bool {
    value.before == Some(b':')
        && value.operator == Operator::Colon
        && !value.spaced
        && body.contains(&b':')
        && body.split(|byte| *byte == b':').all(|field| plain::is_words(field, 1))
}

/// `{readpassphrase.3 => readpassphrase.3bsd}`
fn is_renamed_file(value: &Value<'_>, body: &[u8]) -> bool {
    value.name.contains(&b'.') && body.len() > value.name.len() && body.starts_with(value.name)
}

/// `{consumer.key : consumer}`, `self._passphrase = password`, `user, password = credentials`: one name gets another.
fn is_argument(value: &Value<'_>, body: &[u8]) -> bool {
    let object = value.name.split(|byte| *byte == b'.').next().unwrap_or_default();
    if !value.spaced || !body.iter().all(|byte| byte.is_ascii_alphabetic() || *byte == b'_') {
        return false;
    }
    object.len() < value.name.len() && (object == body || matches!(object, b"self" | b"this"))
        || value.among && value.operator == Operator::Assign
}

/// `progressToken: messageId`, `progressToken: TokenSchema$1`, `token=AUTH_HEADER`, `key: ed25519.Ed25519PrivateKey`
fn is_code_name(value: &Value<'_>, body: &[u8], followed: bool) -> bool {
    if let Some(dollar) = memchr::memchr(b'$', body) {
        let (name, number) = (&body[..dollar], &body[dollar + 1..]);
        let numbered = !number.is_empty() && number.iter().all(u8::is_ascii_digit);
        return numbered && names_a_secret(name) && name.iter().all(u8::is_ascii_alphabetic);
    }
    if let Some(dot) = memchr::memrchr(b'.', body).filter(|_| !followed) {
        let class = &body[dot + 1..];
        let module =
            |byte: &u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || b"_.".contains(byte);
        return class.first().is_some_and(u8::is_ascii_uppercase)
            && class.iter().all(u8::is_ascii_alphanumeric)
            && names_a_secret(class)
            && body[0].is_ascii_lowercase()
            && body[..dot].iter().all(module);
    }
    let colon = value.operator == Operator::Colon && value.spaced;
    // `@GNUTLS_PRIVKEY_X509: X.509 private key`, in a comment on a constant.
    if value.before == Some(b'@') && followed && colon {
        return true;
    }
    let humps =
        || body.windows(2).any(|pair| pair[0].is_ascii_lowercase() && pair[1].is_ascii_uppercase());
    let named = !value.is_environment() && value.name.iter().any(u8::is_ascii_lowercase);
    let word = || GRAMMAR.has(body) || LANGUAGE.has(body) || TYPES.has(body);
    value.kind == Kind::Token && word()
        || colon
            && humps()
            && body.iter().all(u8::is_ascii_alphabetic)
            && plain::is_name_of_code(body)
        || named && value.writing != Writing::Flag && is_constant(body) && plain::is_words(body, 1)
}

/// `pwd` names a folder where it is computed: `${PWD:h}`; in a table, and behind `PWD=` with words, it is one of names.
fn is_about_directory(value: &Value<'_>, body: &[u8]) -> bool {
    value.name.eq_ignore_ascii_case(b"pwd") && value.before == Some(b'{')
        || value.operator == Operator::Tab
            && value.words().last().ends_with(b"pwd")
            && plain::is_words(body, 1)
        // `s.pwd = oldDir`
        || value.words().last() == b"pwd"
            && plain::is_words(body, 1)
            && Words::new(body).iter().any(|word| matches!(word, b"dir" | b"path" | b"folder"))
}

/// The text between backquotes is a command, when the name can be that of a folder.
pub(super) fn is_command_for_directory(value: &Value<'_>, body: &[u8], after: &[u8]) -> bool {
    let is_command = after.first() == Some(&b'`') || body.contains(&b'`');
    is_command && {
        let words = value.words();
        words.last().ends_with(b"pwd") && words.len() == 1
    }
}

/// `pass=0:`, the number of a turn.
fn is_count(body: &[u8]) -> bool {
    let digits = body.iter().take_while(|byte| byte.is_ascii_digit()).count();
    (1..=3).contains(&digits) && matches!(&body[digits..], [b':' | b',' | b';' | b')'])
}

/// `utf8_to_utf16(text)`: words joined by lines, each with a letter first, and an argument.
fn is_snake_call(body: &[u8]) -> bool {
    let Some(open) = memchr::memchr(b'(', body) else { return false };
    let name = &body[..open];
    let word = |part: &[u8]| {
        part.first().is_some_and(u8::is_ascii_lowercase)
            && part.iter().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit())
    };
    name.contains(&b'_')
        && name.split(|byte| *byte == b'_').all(word)
        && matches!(body.get(open + 1), Some(b'a'..=b'z' | b'A'..=b'Z' | b'_' | b')'))
}

/// True when the text around a word says that it is one of a namespace: `Symbol.for('secret:mocks')`, `"passwd:shell"`.
pub(super) fn is_in_namespace(value: &Value<'_>, body: &[u8], after: &[u8]) -> bool {
    let alone =
        value.before.is_some_and(|quote| b"'\"`".contains(&quote) && after.first() == Some(&quote));
    alone
        && value.operator == Operator::Colon
        && !value.spaced
        && match value.kind {
            Kind::Password => ABOUT.has(body) || COLUMNS.has(body),
            _ => plain::is_words(body, 1),
        }
}

/// `challengePassword` behind `CHALLENGE_PASSWORD`: the name in another writing.
pub(super) fn is_written_otherwise(value: &Value<'_>, body: &[u8]) -> bool {
    Words::new(body).len() > 1 && value.words().len() > 1 && !value.name.ends_with(body)
}
