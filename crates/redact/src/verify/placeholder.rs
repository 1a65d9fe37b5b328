//! Values that stand for a secret without being one.

use super::name::Kind;
use super::value::Value;
use super::words::NOTHING;

/// Shortest base64 that is told from a path, and how often its sorts of characters change in one part of it.
const ENCODED_BYTES: usize = 20;
const ENCODED_TURNS: usize = 4;

pub(super) fn stands_for_nothing(body: &[u8]) -> bool {
    let text = body.trim_ascii();
    // `true|false`, `\undef`
    let nothing =
        |text: &[u8]| NOTHING.has(text) || matches!(text, [b'\\', rest @ ..] if NOTHING.has(rest));
    text.is_empty()
        || text.split(|byte| *byte == b'|').all(nothing)
        || !text.iter().any(|byte| byte.is_ascii_alphanumeric() || !byte.is_ascii())
            && text.len() <= 4
        // What Ansible shows.
        || text == b"VALUE_SPECIFIED_IN_NO_LOG_PARAMETER"
        || text == "…".as_bytes()
        || is_repeated(text.strip_prefix(b":").unwrap_or(text))
}

/// `MB/s`
pub(super) fn is_rate(text: &[u8]) -> bool {
    let unit = text.strip_suffix(b"/s");
    unit.is_some_and(|unit| {
        (1..=4).contains(&unit.len()) && unit.iter().all(u8::is_ascii_alphabetic)
    })
}

/// `token-bucket: 100/s`: how many, behind a name that counts.
pub(super) fn is_measured_rate(value: &Value<'_>, text: &[u8]) -> bool {
    const COUNTING: [&[u8]; 6] = [b"bucket", b"burst", b"limit", b"quota", b"rate", b"tokens"];
    let Some(count) = text.strip_suffix(b"/s") else { return false };
    (1..=6).contains(&count.len())
        && count.iter().all(u8::is_ascii_digit)
        && value.kind == Kind::Token
        && value.words().iter().any(|word| COUNTING.contains(&word))
}

/// `****`, `xxxx`, `....`, `••••`
fn is_repeated(body: &[u8]) -> bool {
    match body {
        [first, rest @ ..] if b"*xX.-_#?".contains(first) => {
            rest.len() >= 2 && rest.iter().all(|byte| byte == first)
        }
        _ => {
            body.len() >= 6
                && body
                    .chunks(3)
                    .all(|character| character == "•".as_bytes() || character == "…".as_bytes())
        }
    }
}

/// `${NAME}`, `$NAME`, `%NAME%`, `{{ name }}`, `<name>`, `%s`, `your-key-here`
pub(super) fn is_placeholder(body: &[u8], quoted: bool) -> bool {
    let identifier = |name: &[u8]| {
        let belongs = |byte: &u8| byte.is_ascii_alphanumeric() || b"_.:!->".contains(byte);
        !name.is_empty() && name.iter().all(belongs)
    };
    match body {
        [b'$' | b'%', b'{' | b'(', ..]
        | [b'{' | b'#' | b'@', b'{', ..]
        | [b'\\', b'w' | b'd' | b's' | b'S', ..]
        | [b'.', b'*' | b'+', ..]
        | [b'[', b'^', ..]
        | [b'(', b'?', ..]
        | [b'%', b's' | b'v' | b'd' | b'q' | b'r']
        | [b'<', .., b'>']
        // What the markup of a manual begins with.
        | [b'\\', b'f', b'B' | b'I' | b'R' | b'P', ..]
        | [b'\\', b'&', b'.', ..]
        | [b'&', b'l', b't', b';', .., b'&', b'g', b't', b';']
        // `$1`, an argument or a group.
        | [b'$', b'1'..=b'9'] => true,
        // `$dir/private/key.pem`
        [b'$', b'a'..=b'z' | b'A'..=b'Z' | b'_', ..] if names_file(body) => true,
        // `$entry->{$name}`
        [b'$', b'a'..=b'z' | b'A'..=b'Z' | b'_', ..]
            if memchr::memmem::find(body, b"->{").is_some() =>
        {
            true
        }
        [b'@', name @ ..] if name.len() > 2 && name.iter().all(u8::is_ascii_uppercase) => true,
        [b'$', name @ ..] => identifier(name) && (name[0].is_ascii_alphabetic() || name[0] == b'_'),
        [b'%', name @ .., b'%'] => identifier(name),
        [b'{', name @ .., b'}'] => name.is_empty() || identifier(name),
        [b'<', ..] => !quoted,
        [b'[', name @ .., b']'] => {
            name.iter().all(|byte| byte.is_ascii_uppercase() || matches!(byte, b'_' | b'-' | b' '))
        }
        _ => {
            let start = |prefix: &[u8]| {
                body.len() >= prefix.len() && body[..prefix.len()].eq_ignore_ascii_case(prefix)
            };
            let prefixes: &[&[u8]] = match body.first().map(u8::to_ascii_lowercase) {
                Some(b'y') => &[b"your-", b"your_", b"your "],
                Some(b'i') => &[b"insert-"],
                Some(b'r') => &[b"replace-", b"replace_", b"replace "],
                Some(b'e') => &[b"enter-", b"enter your"],
                _ => &[],
            };
            prefixes.iter().any(|prefix| start(prefix))
        }
    }
}

/// `${abc`, `(?abc`, `.*abc`: begins as a place for a value or a regular expression does and does not go on like one. That
/// says nothing where a quote inside may have ended it too early.
pub(super) fn only_opens(body: &[u8]) -> bool {
    let lacks = |closer: u8| !body.contains(&closer);
    match body {
        [b'$' | b'%', b'(', ..] | [b'(', b'?', ..] => lacks(b')'),
        [b'$' | b'%' | b'{' | b'#' | b'@', b'{', ..] => lacks(b'}'),
        [b'[', b'^', ..] => lacks(b']'),
        [b'.', b'*' | b'+', rest @ ..] => {
            let sign = |byte: &u8| b"*+?$)]|\\".contains(byte);
            rest.iter().any(u8::is_ascii_digit) && !rest.iter().any(sign)
        }
        _ => false,
    }
}

/// A variable, a slash and a path whose last part has an extension.
fn names_file(body: &[u8]) -> bool {
    let body = body.strip_suffix(b"#").unwrap_or(body);
    let mut parts = body[1..].split(|byte| *byte == b'/');
    let word = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_';
    let part = |part: &[u8]| {
        part.len() <= 24 && part.iter().all(|byte| word(byte) || matches!(byte, b'-' | b'.'))
    };
    parts.next().is_some_and(|variable| variable.iter().all(word))
        && body.contains(&b'/')
        && parts.all(part)
        && body.rsplit(|byte| *byte == b'/').next().is_some_and(|last| last.contains(&b'.'))
}

/// The place of a secret instead of the secret.
pub(super) fn is_reference(body: &[u8]) -> bool {
    let scheme = body
        .iter()
        .take(12)
        .take_while(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'-' | b'.'))
        .count();
    scheme > 1 && body[scheme..].starts_with(b"://")
        || [
            &b"arn:aws"[..],
            b"vault:",
            b"keychain:",
            b"secretref:",
            b"env:",
            b"file:",
            b"projects/",
            b"urn:",
        ]
        .iter()
        .any(|prefix| body.first() == prefix.first() && body.starts_with(prefix))
}

/// `^6.0.0`, `>=3.972.0 <4`, `#dddddd`
pub(super) fn is_version_or_colour(body: &[u8]) -> bool {
    if let Some(colour) = body.strip_prefix(b"#") {
        return matches!(colour.len(), 3 | 6 | 8) && colour.iter().all(u8::is_ascii_hexdigit);
    }
    let digits = body.iter().position(u8::is_ascii_digit).unwrap_or(body.len());
    let marked = digits > 0 && body[..digits].iter().all(|byte| b"^~<>=v ".contains(byte));
    let versions = |byte: &u8| byte.is_ascii_digit() || b".^~<>=| -x*".contains(byte);
    let dots = memchr::memchr_iter(b'.', body).count();
    ((marked && dots > 0) || (digits == 0 && dots > 1)) && body[digits..].iter().all(versions)
}

/// A path with short parts of word characters; base64 that begins with a slash is longer between slashes.
pub(super) fn is_path(body: &[u8]) -> bool {
    let rooted = match body {
        [b'/', ..] | [b'~' | b'.', b'/', ..] | [b'.', b'.', b'/', ..] => true,
        [drive, b':', b'\\' | b'/', ..] => drive.is_ascii_alphabetic(),
        _ => false,
    };
    let part = |part: &[u8]| {
        part.len() <= 24
            && part.iter().all(|byte| {
                byte.is_ascii_alphanumeric()
                    || matches!(byte, b'_' | b'-' | b'.' | b'~' | b':' | b'@' | b' ')
            })
    };
    rooted && !is_encoded(body) && body.split(|byte| matches!(byte, b'/' | b'\\')).all(part)
}

/// Base64 that begins with a slash: letters of both cases and digits take turns.
fn is_encoded(body: &[u8]) -> bool {
    let sort = |byte: u8| (byte.is_ascii_uppercase(), byte.is_ascii_lowercase());
    let turns = |part: &[u8]| {
        let has = |test: fn(&u8) -> bool| part.iter().any(test);
        let turns = part.windows(2).filter(|pair| sort(pair[0]) != sort(pair[1])).count();
        has(u8::is_ascii_digit)
            && has(u8::is_ascii_lowercase)
            && has(u8::is_ascii_uppercase)
            && turns >= ENCODED_TURNS
    };
    body.len() >= ENCODED_BYTES
        && body.iter().all(|byte| byte.is_ascii_alphanumeric() || b"/+=".contains(byte))
        && body.split(|byte| *byte == b'/').any(turns)
}

/// A path of one part that has a digit, or the place of a secret in one word with a digit: `/hunter2`, `env:hunter2`,
/// `aa://hunter2`. A password is that as well.
pub(super) fn is_short_place(body: &[u8]) -> bool {
    let colon = memchr::memchr(b':', body).map_or(0, |colon| colon + 1);
    let scheme = &body[..colon];
    let last = &body[colon..];
    let slashes = last.iter().take_while(|byte| **byte == b'/').count();
    let last = &last[slashes..];
    let one = if colon > 0 { !scheme.contains(&b'/') } else { slashes == 1 };
    one && last.iter().any(u8::is_ascii_digit)
        && last.iter().any(u8::is_ascii_lowercase)
        && !last.iter().any(|byte| matches!(byte, b'/' | b'.' | b':'))
}
