//! What a prompt has between a name and its colon, and what Markdown has: `Secret Access Key [None]: `, `Password (again): `,
//! `Password for user joe: `, `Unseal Key 1: `, `**Password:** `, and the next cell of a table.

use super::random;
use crate::class::Class;

/// Longest hint.
const HINT_BYTES: usize = 96;

/// Shortest value behind one: prose about a name has a type or an explanation there.
const VALUE_BYTES: usize = 8;

/// What parts the cells of a table.
const BORDERS: [&[u8]; 3] = [b"|", "│".as_bytes(), "┃".as_bytes()];

/// Most blanks after `for`: `for user joe`.
const WORDS: usize = 1;

/// Behind the colon of the name that ends at `name_end`, when a hint or a mark of Markdown is between the two or behind the
/// colon, and what follows looks like nothing but a value.
pub(super) fn read(text: &[u8], name_end: usize) -> Option<usize> {
    let rest = &text[name_end..text.len().min(name_end + HINT_BYTES)];
    let after = match rest {
        [b':', b'*', b'*', b' ', ..]
        | [b'*', b'*', b':', b' ', ..]
        | [b':', b'_', b'_', b' ', ..] => 3,
        [b' ', open @ (b'(' | b'['), inner @ ..] => {
            let close = if *open == b'(' { b')' } else { b']' };
            let length = inner.iter().position(|byte| *byte == close || b"\n([".contains(byte))?;
            let closes = inner[length..].starts_with(&[close, b':', b' ']);
            // `secret (kubernetes.io/tls): `: a type.
            let typed = inner[..length].contains(&b'/');
            (closes && !typed).then_some(2 + length + 2)?
        }
        [b' ', b'f', b'o', b'r', b' ', whom @ ..] => {
            let ends = |pair: &[u8]| matches!(pair, [b':', b' '] | [b'\n', _]);
            let length = whom.windows(2).position(ends)?;
            let blanks = memchr::memchr_iter(b' ', &whom[..length]).count();
            (whom[length] == b':' && blanks <= WORDS).then_some(5 + length + 1)?
        }
        // `Unseal Key 1: `
        [b' ', digit, b':', b' ', ..] if digit.is_ascii_digit() => 3,
        [b' ', b'p', b'h', b'r', b'a', b's', b'e', b':', b' ', ..] => 8,
        [b' ', ..] => behind_border(&text[..name_end], rest)?,
        _ => return None,
    };
    let value = &text[name_end + after..];
    let value = &value[Class::run_of_blanks(value)..];
    let id = rest.starts_with(b" for ") && is_id(&text[..name_end], value);
    (!id && random::is_made_up(value, VALUE_BYTES)).then_some(name_end + after)
}

/// Behind the border that ends the cell of a name: `| Password | `, `│ Password │ `.
fn behind_border(before: &[u8], rest: &[u8]) -> Option<usize> {
    let behind = &rest[Class::run_of_blanks(rest)..];
    let border = BORDERS.iter().find(|mark| behind.starts_with(mark))?;
    let name = before.iter().rev().take(HINT_BYTES).take_while(|&&byte| byte != b'\n');
    let line = &before[before.len() - name.count()..];
    let opened = memchr::memmem::rfind(line, border)?;
    let cell = line[opened + border.len()..].strip_prefix(b" ")?;
    let named = cell.iter().all(|byte| Class::Dot.has(*byte) || *byte == b' ');
    named.then_some(Class::run_of_blanks(rest) + border.len())
}

/// `secret for app: app-7d9f8b6c5d-x2x9k`, `token for job: 0190a1b2c3d4`: what it belongs to, in small letters; of a password no
/// letters and digits alone are.
fn is_id(name: &[u8], value: &[u8]) -> bool {
    let id = &value[..Class::Dash.run(&value[..value.len().min(HINT_BYTES)])];
    let ends = value[id.len()..]
        .first()
        .is_none_or(|next| next.is_ascii_whitespace() || b",;.)".contains(next));
    ends && !id.iter().any(u8::is_ascii_uppercase)
        && (id.contains(&b'-') || !name.to_ascii_lowercase().ends_with(b"assword"))
}
