//! Every rule finds what it is for, by its own name, in every place a secret turns up, and leaves what only looks like it.
//! Tokens are made from the forms in `src/rules/*.toml` with a seed, so that nothing in the repository looks like a secret.

#![expect(clippy::disallowed_methods, reason = "a test may read files")]

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use crate::support::generate::{self, Random, with_sum};
use crate::support::{redact, redact_with, stream};
use crate::tables;
use handrail_redact::{Options, Redactor, RuleId};
use toml::de::{DeTable, DeValue};

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
    "<@N>@@</@N>",
    "const @N = '@@';",
    "@N => '@@',",
];

/// One `[[rules]]` of a file.
struct Entry {
    id: String,
    fields: Vec<(String, Vec<String>)>,
}

impl Entry {
    fn texts(&self, key: &str) -> &[String] {
        let field = self.fields.iter().find(|(name, _)| name == key);
        field.map_or(&[], |(_, texts)| texts)
    }

    fn text(&self, key: &str) -> Option<&str> {
        self.texts(key).first().map(String::as_str)
    }

    /// What may follow a trigger of the entry.
    fn body(&self) -> &str {
        if self.text("checksum").is_some() { "{sum}" } else { self.text("form").unwrap_or("") }
    }

    /// The secrets of the entry as forms: its examples, and one for each of its triggers.
    fn samples(&self) -> Vec<String> {
        let mut samples = self.texts("examples").to_vec();
        let marked = samples.iter().any(|sample| sample.contains('<'));
        if self.text("vendors").is_some() {
            samples.push(self.body().to_owned());
        } else if !marked && self.text("shape") != Some("base32") {
            let before = self.text("before").unwrap_or_default();
            let triggers = self.texts("begins").iter().chain(self.texts("inside"));
            samples.extend(triggers.map(|trigger| format!("{before}{trigger}{}", self.body())));
        }
        samples
    }
}

/// The entries of all files, as a reader of all of TOML sees them: the crate has a smaller one.
fn entries() -> Vec<Entry> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/rules");
    let paths = fs::read_dir(folder).expect("the rules are there");
    let mut paths: Vec<_> = paths.map(|entry| entry.expect("an entry").path()).collect();
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "toml"));
    paths.sort_unstable();
    paths.iter().flat_map(|path| entries_of(path)).collect()
}

fn entries_of(path: &Path) -> Vec<Entry> {
    let text = fs::read_to_string(path).expect("rules are text");
    let document = DeTable::parse(&text).expect("TOML");
    let tables = document.get_ref()["rules"].get_ref().as_array().expect("rules are an array");
    let entry = |table: &DeValue<'_>| {
        let fields = table.as_table().expect("a rule is a table").iter();
        let fields = fields.map(|(key, value)| (key.get_ref().to_string(), texts(value.get_ref())));
        let mut entry = Entry { id: String::new(), fields: fields.collect() };
        entry.id = entry.text("id").expect("a rule has an id").to_owned();
        entry
    };
    tables.iter().map(|table| entry(table.get_ref())).collect()
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

fn redactor() -> Redactor {
    Redactor::new(Options::default()).expect("the default options")
}

/// Checks one sample: all of `secret` and nothing else is found, by `id` or one of `others`.
fn check(redactor: &Redactor, id: &str, others: &[&str], place: &str, secret: &str) -> Vec<String> {
    let text = place.replace("@@", secret);
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
    let once = redact_with(redactor, &text);
    if redact_with(redactor, &once) != once {
        wrong.push(format!("{id}: masked twice: {once}"));
    }
    wrong
}

fn none(wrong: &[String]) {
    assert!(wrong.is_empty(), "{} {wrong:#?}", wrong.len());
}

#[test]
fn every_rule_has_a_name_of_its_own_and_an_example() {
    let redactor = redactor();
    let names = (0..).map_while(RuleId::from_index).map(|rule| redactor.rule_name(rule));
    let ids: Vec<&str> = names.take_while(|name| *name != "known-value").collect();
    let unique: BTreeSet<&str> = ids.iter().copied().collect();
    assert!(unique.len() == ids.len() && ids.len() >= 220, "{}", ids.len());
    let plain = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-';
    assert!(ids.iter().all(|id| id.bytes().all(plain)));
    let entries = entries();
    let rows = tables::rows();
    for id in ids {
        let entry = entries.iter().find(|entry| entry.id == id);
        let has_row = || rows.iter().any(|row| row.rule.as_deref() == Some(id) && row.holds());
        assert!(entry.map_or_else(has_row, |entry| !entry.texts("examples").is_empty()), "{id}");
    }
    // An entry that cannot be read is no rule.
    let is_rule = |entry: &Entry| unique.contains(entry.id.as_str());
    assert!(entries.iter().all(is_rule));
}

/// Of lines that are joined, no token reaches from one into the next.
#[test]
fn no_token_has_a_blank() {
    for entry in entries() {
        let triggers = entry.texts("begins").iter().chain(entry.texts("inside"));
        let parts =
            triggers.map(String::as_str).chain(entry.text("form")).chain(entry.text("before"));
        assert!(!parts.collect::<String>().contains(char::is_whitespace), "{}", entry.id);
    }
}

#[test]
fn examples_are_found_by_their_rule_in_every_place() {
    let redactor = redactor();
    let mut random = Random::new(1);
    let mut wrong = Vec::new();
    for entry in entries().iter().filter(|entry| entry.text("vendors").is_none()) {
        for sample in entry.samples() {
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
                let also = entry.texts("also").iter().map(String::as_str);
                let others: Vec<&str> = others.iter().copied().chain(also).collect();
                let place = place.replace("@@", &format!("{before}@@{after}"));
                wrong.extend(check(&redactor, &entry.id, &others, &place, secret));
            }
        }
    }
    none(&wrong);
}

#[test]
fn keys_are_found_by_the_name_of_their_vendor_in_every_place() {
    let redactor = redactor();
    let mut random = Random::new(2);
    let mut wrong = Vec::new();
    for entry in entries() {
        let also: Vec<&str> = entry.texts("also").iter().map(String::as_str).collect();
        for name in entry.texts("vendors").iter().map(|vendor| generate::name(vendor)) {
            let fits = |place: &&&str| !name.contains(' ') || place.starts_with("@N:");
            for place in NAMED_PLACES.iter().filter(fits) {
                for name in [name.clone(), name.to_uppercase()] {
                    for sample in entry.samples() {
                        let place = place.replace("@N", &name);
                        let secret = random.expand(&sample);
                        wrong.extend(check(&redactor, &entry.id, &also, &place, &secret));
                    }
                }
            }
        }
    }
    none(&wrong);
}

#[test]
fn what_only_looks_like_an_example_stays() {
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
            texts.push(format!("Q {mark}{}", random.expand(entry.body())));
        }
        for vendor in entry.texts("vendors") {
            let name = generate::name(vendor);
            let key = random.expand(entry.body());
            texts.push(format!("{name}: ${{VALUE}} or {name}=<value> or \"{name}\": null"));
            texts.push(format!("see {name} and {}", &key[..key.len() - 2]));
            texts.push(format!("{name}_id: null, {name}_url=/a/b"));
        }
        let shown = texts.iter().map(|text| (redact(text), text));
        let changed = shown.filter(|(shown, text)| shown != *text);
        wrong.extend(changed.map(|(shown, text)| format!("{}: {shown}: {text}", entry.id)));
    }
    none(&wrong);
}

#[test]
fn a_checksum_proves_a_token_inside_a_word() {
    let right = with_sum("a7Kq2Zx9Lm4Wt6Rb8Yc1Nv3Hd5Jf0P");
    for prefix in ["ghp_", "npm_"] {
        let text = format!("prefix{prefix}{right}suffix");
        assert_eq!(redact(&text), "prefix[REDACTED]suffix");
        let wrong = format!("prefix{prefix}{}suffix", right.replace('7', "8"));
        assert_eq!(redact(&wrong), wrong);
    }
}

/// What stands on the line before is read with a line or without, as it comes.
#[test]
fn a_line_break_anywhere_in_an_example_is_the_same_in_pieces() {
    for row in tables::rows().iter().filter(|row| row.is_around()) {
        let sample = &row.input;
        for at in (1..sample.len()).filter(|&at| sample.is_char_boundary(at)) {
            let (before, after) = sample.split_at(at);
            let pieces = [before, "\n", after, "\n"];
            let shown = stream(&row.redactor, &pieces.map(str::as_bytes));
            let whole = redact_with(&row.redactor, &pieces.concat());
            assert_eq!(String::from_utf8_lossy(&shown), whole, "{pieces:?}");
        }
    }
}
