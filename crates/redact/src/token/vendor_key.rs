//! Keys without a prefix of their own. The name of a vendor together with a word for a key precedes them, then a
//! separator, then a value of a fixed form. There are many vendors and few words for a key, so the words are searched
//! for, and the names are looked up in front of them.

use super::form::{End, Form};
use crate::class::Class;
use crate::detect;
use crate::detect::identifier::{MAX_NAME_BYTES, NameWords};
use crate::detect::random::looks_like_secret;
use crate::detect::scan::Scan;
use crate::detect::separator::{self, Operator};
use crate::detect::words::{NON_SECRET_ENDINGS, has};
use crate::prefilter::Beginnings;
use crate::quote::Quote;
use crate::rules::Rule;
use crate::span::RuleId;

/// The value after a vendor's name. The names are the triggers.
#[derive(Debug)]
pub(crate) struct VendorKey {
    pub(crate) form: Form,
    /// Whether the name needs no word for a key.
    pub(crate) alone: bool,
}

/// The longest name of a vendor.
pub(crate) const MAX_VENDOR_BYTES: usize = 32;

/// The characters of keys, and how many of them in a row the shortest key after the name of a vendor has.
const KEY_CLASS: Class = Class::Encoded;
const MIN_KEY_BYTES: usize = 14;

/// How far the separator may be from the vendor's name.
const MAX_REACH_BYTES: usize = 48;

/// How many words may follow the name after blanks, as in `Datadog API key: …`.
const MAX_WORDS_AFTER_NAME: usize = 4;

/// The endings that mark a word for a key.
#[rustfmt::skip]
const KEY_WORDS: [&str; 18] = [
    "key", "token", "secret", "password", "auth", "api", "pass", "pwd", "pat", "dsn", "access", "credential",
    "credentials", "creds", "license", "licence", "webhook", "private",
];

/// The literals that all words for a key contain. `api` and `pat` are parts of too many other words, and count only
/// where they are joined to a name.
#[rustfmt::skip]
pub(crate) const TRIGGERS: [&str; 16] = [
    "key", "token", "secret", "pass", "auth", "pwd", "cred", "access", "license", "licence", "private", "webhook",
    "dsn", "_api", "_pat", "-pat",
];

/// Looks up the names of vendors in front of the word for a key at `key`, and checks what follows each.
pub(crate) fn check_before(
    scan: &mut Scan<'_, '_>,
    vendors: &Beginnings,
    rules: &[&'static Rule],
    key: usize,
) {
    let text = scan.text;
    // Most words for a key have no value after them.
    let name_end = scan.runs.end(text, Class::Dot, key);
    if !text.get(name_end).is_some_and(|&byte| Class::AfterName.has(byte)) {
        return;
    }
    let checked_to = scan.vendors_checked_to;
    scan.vendors_checked_to = checked_to.max(key + 1);
    if !has_key_ahead(scan, name_end) {
        return;
    }
    let from = key.saturating_sub(MAX_VENDOR_BYTES + MAX_REACH_BYTES).max(checked_to);
    let mut words = 0;
    let is_name = |byte: &&u8| {
        words += usize::from(**byte == b' ');
        Class::Dot.has(**byte) || **byte == b' ' && words <= MAX_WORDS_AFTER_NAME
    };
    let length = text.get(from..key).unwrap_or_default().iter().rev().take_while(is_name).count();
    scan.count(length);
    for at in key - length..=key {
        vendors.find(text, at, &mut |owner, start, end| {
            let rule = rules.get(usize::from(owner));
            rule.is_none_or(|rule| detect::check(scan, RuleId(owner), &rule.check, start, end))
        });
    }
}

/// Whether the line has a text from `at` on that is long enough for a key. Each line is read once.
fn has_key_ahead(scan: &mut Scan<'_, '_>, at: usize) -> bool {
    if !scan.key_ahead.0.contains(&at) {
        let text = scan.text;
        let mut end = at;
        let is_there = loop {
            let run = KEY_CLASS.run(&text[end..text.len().min(end + MIN_KEY_BYTES)]);
            if run == MIN_KEY_BYTES {
                break true;
            }
            end += run;
            if matches!(text.get(end), None | Some(b'\n')) {
                break false;
            }
            end += 1;
        };
        scan.count(end - at);
        scan.key_ahead = (at..end + 1, is_there);
    }
    scan.key_ahead.1
}

/// Checks the value after the vendor's name that was found at `start..end`.
pub(crate) fn check(scan: &mut Scan<'_, '_>, vendor_key: &VendorKey, start: usize, end: usize) {
    let run_end = scan.runs.end(scan.text, Class::Dot, end);
    let Some(at) = value_of(scan.text, vendor_key, start, end, run_end) else { return };
    if let Some(End::Whole(end)) = vendor_key.form.end(scan, at)
        && looks_like_secret(&scan.text[at..end])
    {
        scan.mask_run(at, end, vendor_key.form.last_class());
    }
}

/// Where the value of the vendor's name at `start..end` begins. The name continues to `run_end`.
fn value_of(
    text: &[u8],
    vendor_key: &VendorKey,
    start: usize,
    end: usize,
    run_end: usize,
) -> Option<usize> {
    let before = text[..start].iter().rev().take(MAX_NAME_BYTES);
    let name_start = start - before.take_while(|byte| Class::Dot.has(**byte)).count();
    let reach = text.len().min(end + MAX_REACH_BYTES);
    let mut name_end = run_end;
    for _ in 0..=MAX_WORDS_AFTER_NAME {
        if name_end > reach {
            return None;
        }
        let separator = separator::read(text, &(name_start..name_end));
        if let Some(separator) = separator.filter(|found| found.operator != Operator::Blank) {
            let name = &text[start.max(name_end.saturating_sub(MAX_NAME_BYTES))..name_end];
            let opening = Quote::at(&text[separator.at..]).map_or(0, |(_, length)| length);
            return (vendor_key.alone || has_key_word(name)).then_some(separator.at + opening);
        }
        let next = &text[name_end..reach];
        if next.len() < 2 || next[0] != b' ' || !next[1].is_ascii_alphabetic() {
            return None;
        }
        name_end += 1 + Class::Dot.run(&next[1..]);
    }
    None
}

/// Whether a word of a name ends in a word for a key, and its last word does not say something else about it.
fn has_key_word(name: &[u8]) -> bool {
    let is_key = |word: &[u8]| KEY_WORDS.iter().any(|key| word.ends_with(key.as_bytes()));
    let words = NameWords::new(name);
    words.iter().any(is_key) && (is_key(words.last()) || !has(NON_SECRET_ENDINGS, words.last()))
}

#[cfg(test)]
mod tests {
    use super::{KEY_CLASS, KEY_WORDS, MAX_VENDOR_BYTES, MIN_KEY_BYTES, TRIGGERS, VendorKey};
    use crate::rules::{self, Check};
    use crate::token::form::FormPart;

    #[test]
    fn every_word_for_a_key_has_a_trigger_where_it_is_joined_to_a_name() {
        for word in KEY_WORDS {
            let name = format!("vendor_{word}");
            assert!(TRIGGERS.iter().any(|trigger| name.contains(trigger)), "{word}");
        }
    }

    #[test]
    fn no_key_is_shorter_than_what_is_looked_for() {
        for rule in rules::all().filter(|rule| rule.check.is_before_key_word()) {
            let Check::VendorKey(VendorKey { form, .. }) = &rule.check else { continue };
            let is_long = |part: &FormPart| {
                matches!(part, FormPart::Run { class, min, .. }
                    if class.is_within(KEY_CLASS) && *min >= MIN_KEY_BYTES)
            };
            let is_found =
                form.least_run(KEY_CLASS) >= MIN_KEY_BYTES || form.parts.iter().any(is_long);
            assert!(is_found, "{}", rule.id);
        }
    }

    #[test]
    fn no_name_of_a_vendor_is_longer_than_what_is_looked_up() {
        let vendors = rules::all().filter(|rule| rule.check.is_before_key_word());
        for name in vendors.flat_map(|rule| rule.triggers) {
            assert!(name.len() <= MAX_VENDOR_BYTES, "{name}");
        }
    }
}
