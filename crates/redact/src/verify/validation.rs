//! Rules that say what a form accepts: `required|string|min:8`, `required,min=8,max=64`.

use super::identifier::Words;
use super::set::Set;
use super::value::Value;
use super::words::{ABOUT, COLUMNS, NOTHING, REQUESTING, SECRETS};

/// Rules that a list of rules begins with, or that no value is.
#[rustfmt::skip]
static OPENING: Set<32> = Set::new(&[
    "bail", "confirmed", "filled", "nullable", "omitempty", "present", "required", "sometimes",
]);

/// Other rules without an argument.
#[rustfmt::skip]
static PLAIN: Set<64> = Set::new(&[
    "accepted", "alpha", "alpha_dash", "alpha_num", "alphanum", "array", "ascii", "boolean", "current_password", "email",
    "integer", "json", "lowercase", "numeric", "password", "printascii", "prohibited", "string", "uppercase", "url",
    "uuid",
]);

/// Rules with numbers.
#[rustfmt::skip]
static MEASURING: Set<32> = Set::new(&[
    "between", "digits", "eq", "gt", "gte", "in", "len", "lt", "lte", "max", "max_length", "min", "min_length", "not_in",
    "size",
]);

/// Rules with the name of another field, or of several.
#[rustfmt::skip]
static RELATING: Set<32> = Set::new(&[
    "different", "eqfield", "necsfield", "nefield", "required_with", "required_without", "same",
]);

/// Rules with the name of another field and what it has to be.
#[rustfmt::skip]
static DEPENDING: Set<16> = Set::new(&["exclude_if", "exclude_unless", "prohibited_if", "required_if", "required_unless"]);

/// Longest argument of a rule, number in one, extension of a file, and beginning of a value.
const ARGUMENT_BYTES: usize = 32;
const NUMBER_BYTES: usize = 5;
const EXTENSION_BYTES: usize = 4;
const PREFIX_BYTES: usize = 8;

/// The value is rules joined by bars or commas, of which one says that no value is meant. What is assigned without a blank,
/// as in a file of settings, is a value.
pub(super) fn are_rules(value: &Value<'_>, body: &[u8]) -> bool {
    let written = value.spaced || matches!(value.before, Some(b'"' | b'\''));
    written && join_rules(body)
}

/// Rules joined by bars or commas, of which one says that no value is meant.
fn join_rules(body: &[u8]) -> bool {
    let separator = if body.contains(&b'|') { b'|' } else { b',' };
    let parts = || body.split(|byte| *byte == separator);
    parts().any(opens_list) && parts().count() > 1 && parts().all(is_rule)
}

/// `required`: the first item of a list of rules, and no value.
pub(super) fn opens_list(item: &[u8]) -> bool {
    OPENING.has(item) || depends(item)
}

/// `string`, `min:8`, `max=64`, `exists:users,token`: a rule, with an argument of its sort behind a colon or an equals sign.
pub(super) fn is_rule(text: &[u8]) -> bool {
    let Some((name, argument)) = parts(text) else { return OPENING.has(text) || PLAIN.has(text) };
    let mut items = argument.split(|byte| *byte == b',');
    match name {
        b"regex" | b"not_regex" => is_regex(argument),
        b"exists" | b"unique" => items.next().is_some_and(is_table) && items.all(is_column),
        b"mimes" => items.all(|item| {
            (2..=EXTENSION_BYTES).contains(&item.len()) && item.iter().all(u8::is_ascii_lowercase)
        }),
        b"starts_with" | b"ends_with" => items.all(is_prefix),
        _ if MEASURING.has(name) => items.all(is_number),
        _ => RELATING.has(name) && items.all(is_field) || depends(text),
    }
}

/// The name of a rule, and its argument.
fn parts(text: &[u8]) -> Option<(&[u8], &[u8])> {
    let mark = memchr::memchr2(b':', b'=', text)?;
    let argument = &text[mark + 1..];
    // A longer one is none.
    let argument = if argument.len() > ARGUMENT_BYTES { b"" } else { argument };
    Some((&text[..mark], argument))
}

/// `required_if:type,2`: a rule that holds when another field has a value.
fn depends(text: &[u8]) -> bool {
    let Some((name, argument)) = parts(text) else { return false };
    let mut items = argument.split(|byte| *byte == b',');
    DEPENDING.has(name)
        && items.next().is_some_and(is_field)
        && items.all(|item| is_number(item) || NOTHING.has(item))
}

/// `8`, `0.5`
fn is_number(text: &[u8]) -> bool {
    (1..=NUMBER_BYTES).contains(&text.len())
        && text.iter().all(|byte| byte.is_ascii_digit() || *byte == b'.')
}

/// `new_password`, `username1`: words that name a field of a form.
fn is_field(text: &[u8]) -> bool {
    let words = Words::new(text);
    let known = |word: &[u8]| {
        word == b"confirmation"
            || SECRETS.has(word)
            || REQUESTING.has(word)
            || ABOUT.has(word)
            || COLUMNS.has(word)
    };
    is_identifier(text) && words.len() > 0 && words.iter().all(known)
}

/// `users`, `App\Models\User`: a table or a class.
fn is_table(text: &[u8]) -> bool {
    let mut names = text.split(|byte| *byte == b'\\').filter(|name| !name.is_empty());
    let table = text.ends_with(b"s") || text.contains(&b'\\');
    table && names.all(|name| is_identifier(name) && !name.iter().any(u8::is_ascii_digit))
}

/// `token`, `1`: a column, or the number of a row.
fn is_column(text: &[u8]) -> bool {
    is_field(text) || is_number(text)
}

/// `tok_`: what a value begins or ends with.
fn is_prefix(text: &[u8]) -> bool {
    (2..=PREFIX_BYTES).contains(&text.len())
        && text.iter().all(|byte| byte.is_ascii_lowercase() || b"_-".contains(byte))
        && text.iter().any(|byte| b"_-".contains(byte))
}

/// `/[a-z]/`
fn is_regex(text: &[u8]) -> bool {
    text.len() > 2
        && text.starts_with(b"/")
        && text.ends_with(b"/")
        && text.iter().any(|byte| b"[\\^$(".contains(byte))
}

/// Letters, digits and lines, at most two digits at the end.
fn is_identifier(text: &[u8]) -> bool {
    let digits = text.iter().rev().take_while(|byte| byte.is_ascii_digit()).count();
    let letters = &text[..text.len() - digits];
    digits <= 2 && letters.iter().all(|byte| byte.is_ascii_alphabetic() || *byte == b'_')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rules_are_told_from_values() {
        for rules in [
            &b"required|string|min:8|confirmed"[..],
            b"required|string|exists:users,token",
            b"required|exists:App\\Models\\User,token",
            b"required|unique:users,password,1",
            b"required,min=8,max=64",
            b"required,eqfield=Password",
            b"nullable|between:8,64",
            b"string|confirmed",
            b"required|string|min:8|regex:/[a-z]/",
            b"required|different:username1|max:255",
            b"required|size:60|starts_with:tok_",
            b"required|mimes:jpg,png",
            b"string|required_if:type,2",
            b"required|same:new_password",
        ] {
            assert!(join_rules(rules), "{}", String::from_utf8_lossy(rules));
        }
        for value in [
            &b"required"[..],
            b"required|hunter2",
            b"required,min=a7Kq2Zx9",
            b"string|min:8",
            b"min:8,tiger",
            b"required|tiger",
            b"required,max",
            b"same|required",
            b"required|same:pony",
            b"required|in:tiger",
            b"required|max:12345678",
            b"required|regex:/tiger/",
            b"required|exists:tiger",
            b"required|exists:users,tiger",
            b"required|starts_with:tiger",
            b"required|mimes:tiger",
            b"required|current_password:tiger",
            b"required|required_if:tiger,2",
            b"required|required_if:type,tiger",
            b"required|min:",
            b"required|in:,",
        ] {
            assert!(!join_rules(value), "{}", String::from_utf8_lossy(value));
        }
    }
}
