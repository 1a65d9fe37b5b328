//! The samples beside the rules of the files, in every place a secret turns up.

use toml::de::{DeTable, DeValue};

use super::super::FILES;
use super::super::file::{self, Entry};
use super::generate::{self, Random};
use super::{check, redacted, redactor};
use crate::token::checksum;

/// Places of a token, in which it is written as `@@`, and the rules that may name it there instead of its own.
const PLACES: &[(&str, &[&str])] = &[
    ("@@", &[]),
    ("@@ at the start", &[]),
    ("at the end @@\n", &[]),
    ("val=@@, ok", &[]),
    ("in (@@), or <b>@@</b>", &[]),
    ("\"@@\"", &[]),
    ("[\"a\",\"@@\",\"b\"]", &[]),
    ("x = '@@';", &[]),
    ("`@@`", &[]),
    ("\u{1b}[32m@@\u{1b}[0m ok", &[]),
    ("https://host/a?x=@@&y=1", &[]),
    ("https://host/a?token=@@&y=1", &["token"]),
    ("{\"a\": \"@@\", \"b\": 1}", &[]),
    ("{\"api_key\":\"@@\"}", &["api-key"]),
    ("{\\\"a\\\":\\\"@@\\\"}", &[]),
    ("- a: @@\n  b: 1", &[]),
    ("secret: \"@@\"", &["secret"]),
    ("export A=@@\nB=1", &[]),
    ("SERVICE_TOKEN='@@'", &["token"]),
    ("tool --value @@ --other", &[]),
    ("tool --api-key=@@ --other", &["api-key"]),
    ("X-Thing: @@\r\nHost: h", &[]),
    ("Authorization: Bearer @@", &["authorization-header", "bearer-token"]),
    ("Authorization: token @@\n", &["authorization-header"]),
    ("a,@@,b", &[]),
    ("line\\n@@\\nline", &[]),
    ("%3D@@%26", &[]),
];

/// The first of them, in which nothing but the token itself is known.
const UNNAMED: usize = 7;

/// Places of a key behind the name of its vendor, written as `@N`.
const NAMED_PLACES: &[&str] = &[
    "@N: @@",
    "@N = \"@@\"",
    "@N ::= \"@@\"",
    "\"@N\": \"@@\"",
    "  @N: '@@' # old",
    "@N=@@\nB=1",
    "export @N=\"@@\"",
    "tool --@N @@ x",
    "tool --@N=@@",
    "https://host/a?@N=@@&y=1",
    "X-@N: @@\r\n",
    "{\\\"@N\\\":\\\"@@\\\"}",
    "\u{1b}[36m@N\u{1b}[0m=\u{1b}[32m@@\u{1b}[0m",
    "<@N>@@</@N>",
    "const @N = '@@';",
    "@N => '@@',",
];

fn entries() -> impl Iterator<Item = Entry> {
    FILES.into_iter().flat_map(file::read)
}

/// What may follow a trigger of the entry.
fn body(entry: &Entry) -> &'static str {
    match entry.text("checksum") {
        Some("crc32") => "{sum}",
        _ => entry.text("form").unwrap_or_default(),
    }
}

/// The secrets of an entry as forms: its examples, and one for each of its triggers.
fn samples(entry: &Entry) -> Vec<String> {
    let form = body(entry);
    let before = entry.text("before").unwrap_or_default();
    let of_trigger = |trigger: &&str| format!("{before}{trigger}{form}");
    let mut samples: Vec<String> =
        entry.texts("examples").iter().map(|&text| text.to_owned()).collect();
    let marked = samples.iter().any(|sample| sample.contains('<'));
    if entry.text("vendors").is_some() {
        samples.push(form.to_owned());
    } else if !marked && entry.text("shape") != Some("base32") {
        let triggers = entry.texts("begins").iter().chain(entry.texts("inside"));
        samples.extend(triggers.map(of_trigger));
    }
    samples
}

#[test]
fn every_entry_is_a_rule_with_an_example() {
    for entry in entries() {
        let id = entry.text("id");
        assert!(entry.rule().is_some(), "{id:?}");
        assert!(!entry.texts("examples").is_empty(), "{id:?}");
    }
}

#[test]
fn examples_are_found_by_their_rule_in_every_place() {
    let redactor = redactor();
    let mut random = Random::new(1);
    let mut wrong = Vec::new();
    for entry in entries().filter(|entry| entry.text("vendors").is_none()) {
        let id = entry.text("id").unwrap_or_default();
        for sample in samples(&entry) {
            let text = random.expand(&sample);
            let (before, secret, after) = match text.split_once('<') {
                Some((before, rest)) => {
                    let (secret, after) = rest.split_once('>').expect("a mark is closed");
                    (before, secret, after)
                }
                None => ("", text.as_str(), ""),
            };
            // Where all of a value is masked, more than the marked part is.
            let places = if text.contains('<') { &PLACES[..UNNAMED] } else { PLACES };
            for (place, others) in places {
                let others = [*others, entry.texts("also")].concat();
                let place = place.replace("@@", &format!("{before}@@{after}"));
                wrong.extend(check(&redactor, id, &others, &place, secret));
            }
        }
    }
    assert!(wrong.is_empty(), "{} {wrong:#?}", wrong.len());
}

#[test]
fn keys_are_found_by_the_name_of_their_vendor_in_every_place() {
    let redactor = redactor();
    let mut random = Random::new(2);
    let mut wrong = Vec::new();
    for entry in entries() {
        let id = entry.text("id").unwrap_or_default();
        for vendor in entry.texts("vendors") {
            let name = generate::name(vendor);
            let fits = |place: &&&str| !name.contains(' ') || place.starts_with("@N:");
            for place in NAMED_PLACES.iter().filter(fits) {
                for name in [name.clone(), name.to_uppercase()] {
                    for sample in samples(&entry) {
                        let place = place.replace("@N", &name);
                        let secret = random.expand(&sample);
                        wrong.extend(check(&redactor, id, entry.texts("also"), &place, &secret));
                    }
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{} {wrong:#?}", wrong.len());
}

#[test]
fn what_only_looks_like_an_example_stays() {
    let redactor = redactor();
    let mut random = Random::new(3);
    let mut wrong = Vec::new();
    for entry in entries() {
        let mut texts: Vec<String> =
            entry.texts("stays").iter().map(|text| random.expand(text)).collect();
        for prefix in entry.texts("begins") {
            texts.extend(generate::too_short(prefix));
        }
        for mark in entry.texts("inside") {
            texts.push(format!("a {mark} b"));
            texts.push(format!("Q {mark}{}", random.expand(body(&entry))));
        }
        for vendor in entry.texts("vendors") {
            let name = generate::name(vendor);
            let key = random.expand(body(&entry));
            texts.push(format!("{name}: ${{VALUE}} or {name}=<value> or \"{name}\": null"));
            texts.push(format!("see {name} and {}", &key[..key.len() - 2]));
            texts.push(format!("{name}_id: null, {name}_url=/a/b"));
        }
        let id = entry.text("id");
        let shown = texts.iter().map(|text| (redacted(&redactor, text), text));
        let changed = shown.filter(|(shown, text)| shown != *text);
        wrong.extend(changed.map(|(shown, text)| format!("{id:?}: {shown}: {text}")));
    }
    assert!(wrong.is_empty(), "{} {wrong:#?}", wrong.len());
}

#[test]
fn the_small_reader_reads_what_a_reader_of_toml_does() {
    for file in FILES {
        let document = DeTable::parse(file).expect("TOML");
        let DeValue::Array(tables) = document.get_ref()["rules"].get_ref() else {
            panic!("rules are an array")
        };
        let entries = file::read(file);
        assert_eq!(tables.len(), entries.len());
        for (table, entry) in tables.iter().zip(entries) {
            let DeValue::Table(table) = table.get_ref() else { panic!("a rule is a table") };
            for (key, value) in table {
                let key = key.get_ref().as_ref();
                assert_eq!(texts(value.get_ref()), entry.texts(key), "{key}");
            }
        }
    }
}

fn texts(value: &DeValue<'_>) -> Vec<String> {
    match value {
        DeValue::String(text) => vec![text.to_string()],
        DeValue::Integer(number) => vec![number.as_str().to_owned()],
        DeValue::Boolean(yes) => vec![yes.to_string()],
        DeValue::Array(values) => values.iter().flat_map(|value| texts(value.get_ref())).collect(),
        _ => panic!("a rule has no such value"),
    }
}

#[test]
fn a_checksum_proves_a_token_inside_a_word() {
    let redactor = redactor();
    let right = checksum::with_sum("a7Kq2Zx9Lm4Wt6Rb8Yc1Nv3Hd5Jf0P");
    for prefix in ["ghp_", "npm_"] {
        let text = format!("prefix{prefix}{right}suffix");
        assert_eq!(redacted(&redactor, &text), "prefix[REDACTED]suffix");
        let wrong = format!("prefix{prefix}{}suffix", right.replace('7', "8"));
        assert_eq!(redacted(&redactor, &wrong), wrong);
    }
}
