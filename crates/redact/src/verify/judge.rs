//! Whether a value is a secret or a placeholder, a type, code or prose.

use super::assignment::JUDGED_BYTES;
use super::identifier::{NAME_BYTES, Words};
use super::name::{Kind, Strength};
use super::operator::Operator;
use super::placeholder::{
    is_one_of, is_path, is_placeholder, is_reference, is_version_or_colour, stands_for_nothing,
};
use super::random::RANDOM_BYTES;
use super::value::{Value, Writing};
use super::words::{ELEMENTS, OBJECTS, TYPES};
use super::{plain, table};
use crate::mask;

/// Shortest value masked after anything but an assignment to a password.
const VALUE_BYTES: usize = 3;

/// Longest unit of a number.
const UNIT_BYTES: usize = 3;

/// How far behind a value the end of a type's parameters is looked for.
const GENERIC_BYTES: usize = 512;

/// True when the value of a strong name must be masked. `after` is the text behind it.
pub(crate) fn is_secret(value: &Value<'_>, body: &[u8], quoted: bool, after: &[u8]) -> bool {
    if body.len() > JUDGED_BYTES {
        return true;
    }
    let direct = value.operator == Operator::Assign && value.kind == Kind::Password;
    if body.len() < VALUE_BYTES && !direct {
        return false;
    }
    if stands_for_nothing(body)
        || is_placeholder(body, quoted)
        || is_reference(body)
        || is_path(body)
        || is_version_or_colour(body)
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
        !is_sentence(body) && !is_label(value, body) && !is_quoted_code(value, body, after)
    } else {
        is_bare_secret(value, body, after)
    }
}

/// True when the items of a list have a chance: `tokenVariants` hold something else than `accessTokens` and `token`.
pub(crate) fn may_list(value: &Value<'_>) -> bool {
    let last = value.words.last();
    match value.kind {
        Kind::Token => last.ends_with("token"),
        Kind::Secret => last.ends_with("secret") || last.ends_with("secrets"),
        Kind::Credential => last.starts_with("cred"),
        Kind::Password => last.contains("pass") || last.ends_with("pwd"),
        Kind::Key | Kind::Auth | Kind::Signature => true,
    }
}

/// True when an item of a list names a secret instead of being one, as in `"secrets": ["db-password", "DEPLOY_KEY"]`.
pub(crate) fn is_name_in_list(value: &Value<'_>, body: &[u8]) -> bool {
    value.kind != Kind::Password
        && (names_a_secret(body)
            || is_constant(body)
            || body.contains(&b' ')
            || plain::is_words(body, 1))
}

/// True when a line of a block scalar must be masked.
pub(crate) fn is_secret_line(kind: Kind, name: &[u8], line: &[u8]) -> bool {
    let name = &name[name.len().saturating_sub(NAME_BYTES)..];
    let value = Value {
        kind,
        strength: Strength::Strong,
        operator: Operator::Colon,
        name,
        words: &Words::new(name),
        spaced: true,
        writing: Writing::Plain,
        complaint: false,
        before: None,
        listed: false,
    };
    is_secret(&value, line, true, b"")
}

fn is_bare_secret(value: &Value<'_>, body: &[u8], after: &[u8]) -> bool {
    if mask::occurs(body) {
        return false;
    }
    let lone_pass = value.words.len() == 1 && value.words.last() == "pass";
    if lone_pass
        && value.writing != Writing::Flag
        && (value.operator != Operator::Assign || value.spaced)
        && (value.name == b"PASS" || is_outcome(body) || is_followed(after))
    {
        return false;
    }
    if is_directory(value, body) || is_stand_in(value, body) {
        return false;
    }
    if value.operator == Operator::Tab && !table::is_value(value, body, after) {
        return false;
    }
    if is_constant_name(body) {
        return false;
    }
    if value.is_environment() {
        return true;
    }
    if matches!(
        body,
        [b'{' | b'[' | b'(' | b'|' | b'>' | b'!' | b'&' | b'*' | b'+' | b'?' | b'~', ..]
    ) && (value.spaced || body.len() < 8)
    {
        return false;
    }
    if is_call(body) || is_code_path(body) || is_member(value, body) {
        return false;
    }
    let letters =
        body.iter().all(|byte| byte.is_ascii_alphabetic() || matches!(byte, b'_' | b'-' | b'\''));
    if !letters {
        return true;
    }
    if is_same_name(value, body) || names_a_secret(body) {
        return false;
    }
    let next_word = is_followed(after);
    match value.operator {
        Operator::Colon | Operator::Flag if next_word => false,
        Operator::Colon if value.before == Some(b'/') && value.spaced => false,
        Operator::Colon if after.starts_with(b" (") || is_camel_case(body) => false,
        Operator::Colon if value.kind != Kind::Password => {
            !matches!(after.first(), Some(b',' | b';' | b')'))
        }
        Operator::Flag => {
            !body.iter().all(|byte| byte.is_ascii_uppercase() || matches!(byte, b'_' | b'-'))
        }
        Operator::Assign if value.spaced => {
            let statement = matches!(after.first(), Some(b';' | b',' | b')')) || next_word;
            !statement && (value.kind == Kind::Password || body.len() >= RANDOM_BYTES)
        }
        _ => true,
    }
}

/// Another word comes after the value. What that was may have been masked.
fn is_followed(after: &[u8]) -> bool {
    matches!(after, [b' ', next, ..] | [b',' | b'.', b' ', next, ..]
        if next.is_ascii_alphabetic() || b"['`".contains(next))
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

/// `PWD=src`: where a shell is. In a connection string, `;PWD=…`, it is a password.
fn is_directory(value: &Value<'_>, body: &[u8]) -> bool {
    matches!(value.name, b"PWD" | b"OLDPWD")
        && value.is_environment()
        && value.before != Some(b';')
        && body.split(|byte| *byte == b'/').all(|part| part.is_empty() || plain::is_words(part, 1))
}

/// `--token=TOKEN`: the help of a command.
fn is_stand_in(value: &Value<'_>, body: &[u8]) -> bool {
    value.writing == Writing::Flag
        && body.iter().all(|byte| byte.is_ascii_uppercase() || matches!(byte, b'_' | b'-'))
        && (is_same_name(value, body) || names_a_secret(body))
}

/// A type behind a colon, as in `password: string` or `token: Kind = …`.
pub(crate) fn is_type(value: &Value<'_>, body: &[u8], after: &[u8]) -> bool {
    let spaced = value.operator == Operator::Assign && value.spaced;
    let typed = spaced || matches!(value.operator, Operator::Colon | Operator::Flag);
    if !typed || body.len() > JUDGED_BYTES {
        return false;
    }
    let word = || body.iter().all(|byte| byte.is_ascii_alphanumeric() || b"_.:<".contains(byte));
    let unions = [&b" | undefined"[..], b" | null", b" | None", b" | string"];
    let goes_on = after.starts_with(b" = ")
        || unions.iter().any(|union| after.starts_with(union))
        || (after.starts_with(b"<") && !after.starts_with(b"</") && !is_element(after))
        || body.ends_with(b"<");
    value.operator == Operator::Colon && goes_on && word()
        || is_generic(body, after)
        || is_one_of(TYPES, body)
}

/// `<br>`, `<td `: an element of HTML, not the parameter of a type.
fn is_element(after: &[u8]) -> bool {
    let name = after[1..].iter().take(12).take_while(|byte| byte.is_ascii_lowercase()).count();
    let closed = matches!(after.get(1 + name), Some(b'>' | b'/' | b' '));
    closed && is_one_of(ELEMENTS, &after[1..=name])
}

/// `Map<string, Token>`, `Option<&'a str>`, `input.parse::<Token![=]>()`: a type with parameters, which may go on behind.
fn is_generic(body: &[u8], after: &[u8]) -> bool {
    let Some(open) = memchr::memchr(b'<', body) else { return false };
    let (name, rest) = body.split_at(open);
    let line = &after[..after.len().min(GENERIC_BYTES)];
    let line = &line[..memchr::memchr(b'\n', line).unwrap_or(line.len())];
    let last = name.rsplit(|byte| *byte == b'.').next().unwrap_or_default();
    (last.first().is_some_and(u8::is_ascii_uppercase) || name.ends_with(b"::"))
        && name.iter().all(|byte| byte.is_ascii_alphabetic() || b"_.:".contains(byte))
        && (after.starts_with(b",") || rest.contains(&b'>') || memchr::memchr(b'>', line).is_some())
}

/// A number as people or programs write it: `1,234`, `1.5`, `4096u32`, `0x10`.
fn is_number(body: &[u8]) -> bool {
    let digits = body.strip_prefix(b"-").unwrap_or(body);
    if let Some(hex) = digits.strip_prefix(b"0x") {
        return hex.len() <= 16 && hex.iter().all(u8::is_ascii_hexdigit);
    }
    let length = digits
        .iter()
        .take_while(|byte| byte.is_ascii_digit() || matches!(byte, b'.' | b',' | b'_'))
        .count();
    let suffixes = [
        &b""[..],
        b"u8",
        b"u16",
        b"u32",
        b"u64",
        b"usize",
        b"i8",
        b"i16",
        b"i32",
        b"i64",
        b"isize",
        b"f32",
        b"f64",
        b"L",
        b"UL",
    ];
    digits.first().is_some_and(u8::is_ascii_digit) && suffixes.contains(&&digits[length..])
}

fn is_secret_number(value: &Value<'_>, body: &[u8]) -> bool {
    let lone_pass = value.words.last() == "pass" && value.words.len() == 1;
    let least = if value.operator == Operator::Assign && !value.spaced { 3 } else { 4 };
    let digits = body.iter().all(u8::is_ascii_digit);
    let holds = match value.kind {
        Kind::Password => !lone_pass,
        Kind::Secret => true,
        _ => body.len() > 10,
    };
    holds && digits && body.len() >= least && !value.words.last().ends_with('s')
}

/// Several words that read like language rather than like a pass phrase.
fn is_sentence(body: &[u8]) -> bool {
    let text = body.trim_ascii();
    let words = text.split(|byte| *byte == b' ').filter(|word| !word.is_empty()).count();
    let plain = text.iter().all(|byte| {
        byte.is_ascii_alphabetic() || !byte.is_ascii() || b" .,;:!?'()[]-/".contains(byte)
    });
    let opens = text.first().is_some_and(u8::is_ascii_uppercase)
        || text.ends_with(b".")
        || text.ends_with(b":")
        || text.ends_with(b"...");
    let foreign = text.iter().filter(|byte| !byte.is_ascii()).count();
    foreign * 2 > text.len() || words > 1 && plain && (opens || names_a_secret(text))
}

/// The quote closes a text that ends with the name, or the value is the name of a type or of a choice.
fn is_quoted_code(value: &Value<'_>, body: &[u8], after: &[u8]) -> bool {
    let closes = matches!(
        body,
        [b')' | b']' | b'}' | b';', ..]
            | [b',', b' ', ..]
            | [b' ', b'+' | b'%' | b'.' | b'-' | b'|' | b'&' | b')' | b'}', ..]
    );
    let compared = value.operator == Operator::Compare && is_one_of(TYPES, body);
    let choice = after.get(1..).is_some_and(|rest| rest.starts_with(b" | "));
    closes || compared || choice
}

/// `BinaryLike`
fn is_camel_case(body: &[u8]) -> bool {
    let humps =
        body.windows(2).filter(|pair| pair[0].is_ascii_lowercase() && pair[1].is_ascii_uppercase());
    body.first().is_some_and(u8::is_ascii_uppercase)
        && body.iter().all(u8::is_ascii_alphabetic)
        && humps.count() == 1
}

/// `"password": "Password"`: a label of a form.
fn is_label(value: &Value<'_>, body: &[u8]) -> bool {
    body.first().is_some_and(u8::is_ascii_uppercase) && is_same_name(value, body)
}

/// The value says the same as the end of its name.
fn is_same_name(value: &Value<'_>, body: &[u8]) -> bool {
    let mut name = value.name.iter().filter(|byte| byte.is_ascii_alphanumeric()).rev();
    let mut letters = body.iter().filter(|byte| byte.is_ascii_alphanumeric()).rev();
    letters.all(|letter| name.next().is_some_and(|other| other.eq_ignore_ascii_case(letter)))
}

/// Several words of which one names a secret: another variable.
fn names_a_secret(body: &[u8]) -> bool {
    let words = super::identifier::Words::new(body);
    words.len() > 1
        && words.iter().any(|word| {
            matches!(
                word,
                "password"
                    | "passwd"
                    | "passphrase"
                    | "secret"
                    | "token"
                    | "key"
                    | "credential"
                    | "credentials"
                    | "apikey"
            )
        })
}

/// `DEFAULT_PASSWORD`: the name of a constant or variable.
fn is_constant_name(body: &[u8]) -> bool {
    is_constant(body) && names_a_secret(body)
}

fn is_constant(body: &[u8]) -> bool {
    body.contains(&b'_') && body.iter().all(|byte| byte.is_ascii_uppercase() || *byte == b'_')
}

/// `getToken()`, `tokens[0]`, `os.environ.get(`, `parse!(`, `String.raw`
fn is_call(body: &[u8]) -> bool {
    let name = body.iter().take_while(|byte| is_code_path_byte(**byte)).count();
    let bang = usize::from(body.get(name) == Some(&b'!'));
    let opens = matches!(body.get(name + bang), Some(b'(' | b'[' | b'`'));
    let closed = body[name..].starts_with(b"()") || body[..name].contains(&b'.');
    name > 0
        && !body[0].is_ascii_digit()
        && opens
        && (closed || !body[..name].iter().any(u8::is_ascii_digit))
}

/// `config.password`, `this->token`, `Token::Eof`
pub(super) fn is_code_path(body: &[u8]) -> bool {
    let body = body.strip_prefix(b"&").or_else(|| body.strip_prefix(b"*")).unwrap_or(body);
    let joined =
        || body.contains(&b'.') || body.windows(2).any(|pair| matches!(pair, b"::" | b"->"));
    if !(body.first().is_some_and(|byte| byte.is_ascii_alphabetic() || *byte == b'_'))
        || !body.iter().all(|byte| is_code_path_byte(*byte))
        || !joined()
    {
        return false;
    }
    let first =
        body.iter().take_while(|byte| byte.is_ascii_alphanumeric() || **byte == b'_').count();
    is_one_of(OBJECTS, &body[..first]) || !body.iter().any(u8::is_ascii_digit)
}

/// `node.token` behind the name `token`.
fn is_member(value: &Value<'_>, body: &[u8]) -> bool {
    let last = body.rsplit(|byte| *byte == b'.').next().unwrap_or_default();
    last.len() < body.len()
        && last.eq_ignore_ascii_case(value.name)
        && body.iter().all(|byte| is_code_path_byte(*byte))
}

fn is_code_path_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric()
        || matches!(byte, b'_' | b'.' | b':' | b'$' | b'?' | b'-' | b'>' | b'#')
}
