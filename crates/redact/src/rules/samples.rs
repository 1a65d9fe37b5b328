//! Every rule has samples: what it must find, in every place a secret turns up, and what it must leave. Bodies of tokens
//! are made from forms with a seed, so that nothing in the repository looks like a secret.

use super::{Check, all};
use crate::options::Options;
use crate::redactor::Redactor;
use crate::token::form::Part;

mod files;
mod generate;
mod written;

fn redactor() -> Redactor {
    Redactor::new(Options::default()).expect("the default options")
}

/// Removes colours, as the cleaner does before.
fn plain(text: &str) -> String {
    let mut parts = text.split("\u{1b}[");
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |plain, part| plain + part.split_once('m').map_or("", |(_, rest)| rest))
}

/// Checks one sample: all of `secret` and nothing else is found, by `id` or one of `others`.
fn check(redactor: &Redactor, id: &str, others: &[&str], place: &str, secret: &str) -> Vec<String> {
    let text = plain(&place.replace("@@", secret));
    let findings = redactor.scan(text.as_bytes());
    let mut wrong = Vec::new();
    let wanted = place.matches("@@").count();
    if findings.len() != wanted {
        wrong.push(format!("{id}: {} instead of {wanted} in {text}", findings.len()));
    }
    for finding in &findings {
        let name = redactor.rule_name(finding.rule);
        let found = &text[finding.start..finding.end];
        if found.trim_end() != secret || (name != id && !others.contains(&name)) {
            wrong.push(format!("{id}: {name} found {found} in {text}"));
        }
    }
    let once = redacted(redactor, &text);
    if redacted(redactor, &once) != once {
        wrong.push(format!("{id}: masked twice: {once}"));
    }
    wrong
}

fn redacted(redactor: &Redactor, text: &str) -> String {
    let bytes = redactor.redact(text.as_bytes()).unwrap_or_else(|| text.as_bytes().to_vec());
    String::from_utf8(bytes).expect("UTF-8 stays UTF-8")
}

#[test]
fn ids_are_unique_names_and_there_are_enough() {
    let mut ids: Vec<_> = all().map(|rule| rule.id).collect();
    ids.sort_unstable();
    assert!(ids.windows(2).all(|pair| pair[0] != pair[1]), "{ids:?}");
    let named = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-';
    assert!(ids.iter().all(|id| id.bytes().all(named)));
    assert!(ids.len() >= 220, "{}", ids.len());
}

/// Rows that are joined are looked at again only where a word goes over the break.
#[test]
fn no_token_has_a_blank() {
    for rule in all() {
        let parts = match rule.check {
            Check::Token(ref form) => form.parts.clone(),
            Check::Infix(ref infix) => [vec![infix.before], infix.form.parts.clone()].concat(),
            Check::WebToken => vec![],
            _ => continue,
        };
        assert!(
            rule.triggers.iter().all(|trigger| !trigger.contains(char::is_whitespace)),
            "{}",
            rule.id
        );
        let blanks = b" \t\r\n\x0c";
        assert!(
            !parts.iter().any(|part| match part {
                Part::Literal(text) => text.contains(char::is_whitespace),
                Part::Run { class, .. } => blanks.iter().any(|&blank| class.has(blank)),
            }),
            "{}",
            rule.id
        );
    }
}

#[test]
fn written_samples_are_found() {
    let redactor = redactor();
    let mut wrong = Vec::new();
    for rule in all() {
        if super::of_files().iter().any(|of_file| of_file.id == rule.id) {
            continue;
        }
        let samples = written::POSITIVE.iter().filter(|(id, ..)| *id == rule.id);
        let mut count = 0;
        for (id, place, secret) in samples {
            count += 1;
            for (before, after) in [("", ""), ("x\n", "\ny"), ("\u{1b}[1m", "\u{1b}[0m")] {
                let place = written::expand(&format!("{before}{place}{after}"));
                wrong.extend(check(&redactor, id, &[], &place, &written::expand(secret)));
            }
        }
        if count == 0 {
            wrong.push(format!("{} has no sample", rule.id));
        }
    }
    assert!(wrong.is_empty(), "{} {wrong:#?}", wrong.len());
}

/// What stands on the line before is read with a line or without, as it comes.
#[test]
fn a_line_break_anywhere_in_a_sample_is_the_same_in_pieces() {
    let redactor = redactor();
    let mut wrong = Vec::new();
    for (_, place, secret) in written::POSITIVE {
        let sample = written::expand(&place.replace("@@", secret));
        for at in (1..sample.len()).filter(|&at| sample.is_char_boundary(at)) {
            let (before, after) = sample.split_at(at);
            let pieces = [before, "\n", after, "\n"];
            let mut shown = Vec::new();
            let mut stream = redactor.stream();
            for piece in pieces {
                stream.push(piece.as_bytes(), &mut |bytes| shown.extend_from_slice(bytes));
            }
            stream.finish(&mut |bytes| shown.extend_from_slice(bytes));
            if shown != redacted(&redactor, &pieces.concat()).as_bytes() {
                wrong.push(pieces.concat());
            }
        }
    }
    assert!(wrong.is_empty(), "{} {wrong:#?}", wrong.len());
}

/// How samples come on one line again and again.
const REPEATED: &[&str] = &["@@ ", "@@;", "\"@@\",", "{\"a\":\"@@\"},", "{'a':'@@'},"];

/// What takes more steps for each byte looks at the same bytes again for each sample.
const REPEATED_BYTES: usize = 48 << 10;
const STEPS_PER_BYTE: u64 = 120;

#[test]
fn samples_on_one_line_are_read_once() {
    let redactor = redactor();
    for (id, place, secret) in written::POSITIVE {
        let sample = place.replace("@@", secret).replace('\n', " ");
        for around in REPEATED {
            let piece = written::expand(&around.replace("@@", &sample));
            let text: Vec<u8> = piece.bytes().cycle().take(REPEATED_BYTES).collect();
            let (_, steps) = redactor.redact_counted(&text);
            let each = steps / text.len() as u64;
            assert!(each < STEPS_PER_BYTE, "{id}: {around} takes {each} steps for each byte");
        }
    }
}

#[test]
fn what_only_looks_like_it_stays() {
    let redactor = redactor();
    let mut wrong = Vec::new();
    for (id, text) in written::NEGATIVE {
        let text = written::expand(text);
        let shown = redacted(&redactor, &text);
        if shown != text {
            wrong.push(format!("{id}: {shown}: {text}"));
        }
    }
    assert!(wrong.is_empty(), "{} {wrong:#?}", wrong.len());
}
