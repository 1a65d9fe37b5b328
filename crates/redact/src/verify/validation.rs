//! Rules that say what a form accepts: `required|string|min:8`, `required,min=8,max=64`.

use super::set::Set;

/// Names of rules that take no part of a value.
#[rustfmt::skip]
static RULES: Set<128> = Set::new(&[
    "accepted", "alpha", "alpha_dash", "alpha_num", "array", "ascii", "bail", "between", "boolean", "confirmed",
    "current_password", "different", "digits", "email", "eqfield", "exists", "filled", "gte", "in", "integer", "len",
    "lowercase", "lte", "max", "max_length", "min", "min_length", "necsfield", "nefield", "not_in", "nullable",
    "numeric", "omitempty", "present", "printascii", "prohibited", "regex", "required", "required_if",
    "required_with", "required_without", "same", "size", "sometimes", "string", "unique", "uppercase", "uuid",
]);

/// Those of them that a list of rules begins with, or that no value is.
#[rustfmt::skip]
static OPENING: Set<32> = Set::new(&[
    "bail", "confirmed", "filled", "nullable", "omitempty", "present", "required", "required_if", "required_with",
    "required_without", "sometimes",
]);

/// Longest argument of a rule.
const ARGUMENT_BYTES: usize = 32;

/// Rules joined by bars or commas, of which the first says that there are more.
pub(super) fn is_rules(body: &[u8]) -> bool {
    let separator = if body.contains(&b'|') { b'|' } else { b',' };
    let mut parts = body.split(|byte| *byte == separator);
    let opens = parts.clone().any(|part| OPENING.has(part));
    opens && parts.clone().count() > 1 && parts.all(is_rule)
}

/// `required`: the first item of a list of rules.
pub(super) fn opens_list(item: &[u8]) -> bool {
    OPENING.has(item)
}

/// `string`, `min:8`, `max=64`, `exists:users,token`: a rule, its argument behind a colon or an equals sign.
pub(super) fn is_rule(text: &[u8]) -> bool {
    let Some(mark) = memchr::memchr2(b':', b'=', text) else { return RULES.has(text) };
    let (name, argument) = (&text[..mark], &text[mark + 1..]);
    let numbers = argument.iter().all(|byte| byte.is_ascii_digit() || b",.".contains(byte));
    let words = argument.iter().all(|byte| byte.is_ascii_alphabetic() || b"_.,".contains(byte));
    RULES.has(name)
        && argument.len() <= ARGUMENT_BYTES
        && !argument.is_empty()
        && (numbers || words)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rules_are_told_from_values() {
        for rules in [
            &b"required|string|min:8|confirmed"[..],
            b"required|string|exists:users,token",
            b"required,min=8,max=64",
            b"nullable|between:8,64",
            b"string|confirmed",
        ] {
            assert!(is_rules(rules), "{}", String::from_utf8_lossy(rules));
        }
        for value in [
            &b"required"[..],
            b"required|hunter2",
            b"required,min=a7Kq2Zx9",
            b"string|min:8",
            b"min:8,tiger",
            b"required|tiger",
        ] {
            assert!(!is_rules(value), "{}", String::from_utf8_lossy(value));
        }
    }
}
