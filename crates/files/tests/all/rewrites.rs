//! What a model makes of files that hold secrets: every honest rewrite lands with each secret where its mask was put, and
//! nothing else does.

use std::cell::Cell;

use handrail_files::{Files, Refusal, code};
use handrail_redact::{Options, Redactor, find_masks};
use proptest::prelude::*;
use proptest::test_runner::TestRunner;
use serde_json::{Value, json};

use crate::fixture::{Fixture, ask, rounds};

/// Rewrites of the row at full count.
const FULL: u32 = 20_000;

/// How a new text is sent.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Way {
    Write,
    Edit,
    Patch,
}

const WAYS: [Way; 3] = [Way::Write, Way::Edit, Way::Patch];

/// Sends a whole new text for an old one.
pub(crate) fn send(files: &Files, way: Way, old: &str, new: &str) -> Result<Value, Refusal> {
    match way {
        Way::Write => ask(&json!({ "path": "f", "content": new }), |request| files.write(request)),
        Way::Edit => {
            let edits = json!([{ "old": old, "new": new }]);
            ask(&json!({ "path": "f", "edits": edits }), |request| files.edit(request))
        }
        Way::Patch => {
            let lines = |sign: &str, text: &str| -> String {
                text.lines().map(|line| [sign, line, "\n"].concat()).collect()
            };
            let hunk = format!("@@\n{}{}", lines("-", old), lines("+", new));
            let patch = format!("*** Begin Patch\n*** Update File: f\n{hunk}*** End Patch\n");
            ask(&json!({ "patch": patch }), |request| files.patch(request))
        }
    }
}

fn read(files: &Files) -> String {
    let answer = ask(&json!({ "path": "f" }), |request| files.read(request)).unwrap();
    answer["text"].as_str().unwrap().to_owned()
}

/// A text with `§1`, `§2` as these.
fn filled(template: &str, value: impl Fn(usize) -> String) -> String {
    (1..=9).rev().fold(template.to_owned(), |text, number| {
        text.replace(&format!("§{number}"), &value(number))
    })
}

fn secret(number: usize) -> String {
    format!("s3cret{number}value9x")
}

/// What it is, the file, and what becomes of it.
const REWRITES: [(&str, &str, &str); 24] = [
    (
        "ini: sections sorted",
        "[prod]\npassword = §1\n[dev]\npassword = §2\n[test]\npassword = §3\n",
        "[dev]\npassword = §2\n[prod]\npassword = §1\n[test]\npassword = §3\n",
    ),
    (
        "ini: two sections swapped",
        "[a]\nhost = h\npassword = §1\n[b]\nhost = h\npassword = §2\n",
        "[b]\nhost = h\npassword = §2\n[a]\nhost = h\npassword = §1\n",
    ),
    (
        "ini: section names swapped",
        "[a]\npassword = §1\n[b]\npassword = §2\n",
        "[b]\npassword = §1\n[a]\npassword = §2\n",
    ),
    (
        "ini: the middle of three deleted",
        "[x]\npassword = §1\n[x]\npassword = §2\n[x]\npassword = §3\n",
        "[x]\npassword = §1\n[x]\npassword = §3\n",
    ),
    (
        "ini: key renamed",
        "[a]\npassword = §1\ntoken = §2\n",
        "[a]\ndb_password = §1\napi_token = §2\n",
    ),
    (
        "ini: blanks around the sign taken out",
        "password = §1\ntoken = §2\n",
        "password=§1\ntoken=§2\n",
    ),
    (
        "yaml: keys sorted",
        "b:\n  password: §1\na:\n  password: §2\n",
        "a:\n  password: §2\nb:\n  password: §1\n",
    ),
    (
        "yaml: indented deeper",
        "db:\n  password: §1\n  token: §2\n",
        "app:\n  db:\n    password: §1\n    token: §2\n",
    ),
    (
        "yaml: a list reversed",
        "users:\n  - name: a\n    password: §1\n  - name: b\n    password: §2\n",
        "users:\n  - name: b\n    password: §2\n  - name: a\n    password: §1\n",
    ),
    (
        "yaml: the first of three deleted",
        "- password: §1\n- password: §2\n- password: §3\n",
        "- password: §2\n- password: §3\n",
    ),
    ("yaml: quotes added", "password: §1\ntoken: §2\n", "password: \"§1\"\ntoken: '§2'\n"),
    (
        "json: keys sorted",
        "{\n  \"token\": \"§1\",\n  \"password\": \"§2\"\n}\n",
        "{\n  \"password\": \"§2\",\n  \"token\": \"§1\"\n}\n",
    ),
    (
        "json: objects of a list swapped",
        "[\n  {\"id\": 1, \"password\": \"§1\"},\n  {\"id\": 2, \"password\": \"§2\"}\n]\n",
        "[\n  {\"id\": 2, \"password\": \"§2\"},\n  {\"id\": 1, \"password\": \"§1\"}\n]\n",
    ),
    (
        "json: pretty printed",
        "{\"a\": {\"password\": \"§1\"}, \"b\": {\"password\": \"§2\"}}\n",
        "{\n    \"b\": {\n        \"password\": \"§2\"\n    },\n    \"a\": {\n        \"password\": \"§1\"\n    }\n}\n",
    ),
    (
        "json: a key between two others deleted",
        "{\"token\": \"§1\", \"password\": \"§2\", \"secret\": \"§3\"}\n",
        "{\"token\": \"§1\", \"secret\": \"§3\"}\n",
    ),
    (
        "toml: tables sorted",
        "[b]\npassword = \"§1\"\n\n[a]\npassword = \"§2\"\n",
        "[a]\npassword = \"§2\"\n\n[b]\npassword = \"§1\"\n",
    ),
    (
        "toml: a table renamed and moved",
        "[old]\ntoken = \"§1\"\n\n[keep]\ntoken = \"§2\"\n",
        "[keep]\ntoken = \"§2\"\n\n[new]\ntoken = \"§1\"\n",
    ),
    (
        "toml: an inline table opened",
        "db = { password = \"§1\", token = \"§2\" }\n",
        "[db]\ntoken = \"§2\"\npassword = \"§1\"\n",
    ),
    (
        "env: lines sorted",
        "DB_PASSWORD=§1\nAPI_TOKEN=§2\nAPP_SECRET=§3\n",
        "API_TOKEN=§2\nAPP_SECRET=§3\nDB_PASSWORD=§1\n",
    ),
    (
        "env: prefix and export added",
        "DB_PASSWORD=§1\nAPI_TOKEN=§2\n",
        "# shop\nexport SHOP_DB_PASSWORD=§1\nexport SHOP_API_TOKEN=§2\n",
    ),
    (
        "env: the middle of three deleted",
        "A_TOKEN=§1\nB_TOKEN=§2\nC_TOKEN=§3\n",
        "A_TOKEN=§1\nC_TOKEN=§3\n",
    ),
    (
        "env: one value given anew",
        "A_TOKEN=§1\nB_TOKEN=§2\n",
        "B_TOKEN=§2\nA_TOKEN=n3wvalue9given\n",
    ),
    ("a private key moved up", "password = §1\n§8", "§8password = §1\n"),
    (
        "one value: its key renamed and moved",
        "name = demo\npassword = §1\n",
        "db_password = §1\nname = demo\n",
    ),
];

/// The secrets in the order of the masks, whatever stood where: what a resolver without numbers would do.
fn by_order(redactor: &Redactor, source: &str, new: &str) -> String {
    let found = redactor.scan(source.as_bytes());
    let mut secrets = found.iter().map(|found| &source[found.start..found.end]);
    let (mut text, mut done) = (String::new(), 0);
    for mask in find_masks(new.as_bytes()) {
        text.push_str(&new[done..mask.start]);
        text.push_str(secrets.next().unwrap_or_default());
        done = mask.end;
    }
    text + &new[done..]
}

#[test]
fn honest_rewrites_land_with_each_secret_where_its_mask_was_put() {
    let body = ["MIIEvgIBADANBgkqhkiG9w0BAQEFAASC"; 3].join("\n");
    let key = ["-----BEGIN", " PRIVATE KEY-----\n§2\n-----END", " PRIVATE KEY-----\n"].concat();
    let redactor = Redactor::new(Options::default()).unwrap();
    let mut wrong = 0;
    for (name, before, after) in REWRITES {
        let (before, after) = (before.replace("§8", &key), after.replace("§8", &key));
        let has_key = before.contains("PRIVATE");
        let real = |number: usize| {
            if has_key && number == 2 { body.clone() } else { secret(number) }
        };
        let is_one = !before.contains("§2");
        let mask = |number: usize| {
            if is_one { "[REDACTED]".to_owned() } else { format!("[REDACTED:{number}]") }
        };
        let (old, new) = (filled(&before, mask), filled(&after, mask));
        for way in WAYS {
            let fixture = Fixture::new();
            let files = fixture.files();
            fixture.file("f", filled(&before, real));
            assert_eq!(read(&files), old, "{name}");
            send(&files, way, &old, &new).unwrap_or_else(|why| panic!("{name}, {way:?}: {why}"));
            assert_eq!(fixture.text("f"), filled(&after, real), "{name}, {way:?}");
        }
        let guessed = by_order(&redactor, &filled(&before, real), &new);
        wrong += usize::from(guessed != filled(&after, real));
    }
    assert!(wrong > 10, "without numbers only {wrong} are wrong");
}

/// Numbers that say what is done next, each time differently.
#[derive(Debug)]
struct Dice<'d>(std::iter::Cycle<std::slice::Iter<'d, u32>>);

impl Dice<'_> {
    fn below(&mut self, sides: usize) -> usize {
        self.0.next().map_or(0, |number| *number as usize % sides.max(1))
    }

    fn shuffle<T>(&mut self, items: &mut [T]) {
        for at in (1..items.len()).rev() {
            items.swap(at, self.below(at + 1));
        }
    }
}

const KEYS: [&str; 4] = ["password", "api_token", "client_secret", "db_password"];

/// A part of a file with one secret, which is its `value`th.
#[derive(Clone, Debug)]
struct Part {
    name: String,
    key: &'static str,
    value: usize,
}

/// The forms a file may have.
const FORMS: usize = 5;

fn rendered(form: usize, parts: &[Part], indent: usize, value: &dyn Fn(usize) -> String) -> String {
    let blank = " ".repeat(indent);
    let part = |Part { name, key, value: index }: &Part| {
        let value = value(*index);
        match form {
            0 => format!("[{name}]\n{key} = {value}\nport = 80\n"),
            1 => format!("{name}:\n{blank}{key}: {value}\n{blank}port: 80\n"),
            2 => format!("{blank}\"{name}\": {{\n{blank}{blank}\"{key}\": \"{value}\"\n{blank}}}"),
            3 => format!("[{name}]\n{key} = \"{value}\"\nport = 80\n"),
            _ => format!("{}_{}={value}\n{0}_PORT=80\n", name.to_uppercase(), key.to_uppercase()),
        }
    };
    let parts: Vec<String> = parts.iter().map(part).collect();
    if form == 2 { format!("{{\n{}\n}}\n", parts.join(",\n")) } else { parts.concat() }
}

/// Whatever is made of these parts by somebody who means well.
fn reordered(dice: &mut Dice<'_>, parts: &[Part]) -> Vec<Part> {
    let mut parts = parts.to_vec();
    for _ in 0..=dice.below(3) {
        let at = dice.below(parts.len());
        match dice.below(6) {
            0 => dice.shuffle(&mut parts),
            1 => parts.sort_by(|a, b| b.name.cmp(&a.name)),
            2 => {
                let other = dice.below(parts.len());
                parts.swap(at, other);
            }
            3 if parts.len() > 1 => drop(parts.remove(at)),
            4 => parts[at].key = KEYS[dice.below(KEYS.len())],
            _ => parts[at].name = format!("renamed{at}"),
        }
    }
    parts
}

/// What somebody sends who does not.
fn dishonest(dice: &mut Dice<'_>, text: &str, names: &[String]) -> String {
    let name = &names[dice.below(names.len())];
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    let at = dice.below(lines.len());
    let (before, after) = (lines[..at].concat(), lines[at..].concat());
    match dice.below(7) {
        0 => format!("{before}{}{after}", lines[at]),
        1 => format!("{before}password = {name}\n{after}"),
        2 => text.replacen(name, "[REDACTED:41]", 1),
        3 if names.len() > 1 => text.replacen(name, "[REDACTED]", 1),
        4 => format!("{before}# {name}\n{}", after.replace(name, "none")),
        5 => format!("{}port = {name}\n", text.replace(name, "none")),
        _ => {
            let key = KEYS[dice.below(KEYS.len())];
            text.replace(key, ["note", "port", "#", ""][dice.below(4)])
        }
    }
}

#[test]
#[expect(clippy::print_stdout, reason = "the line is the row's result")]
fn rewrites_of_files_with_secrets_land_at_their_numbers_or_nowhere() {
    let rounds = rounds(FULL);
    let plain = Redactor::new(Options::default()).unwrap();
    let labelled = Redactor::new(Options { label: true, ..Options::default() }).unwrap();
    let fixture = Fixture::new();
    let tools = [&plain, &labelled].map(|redactor| {
        let mut config = fixture.config();
        config.redactor = redactor.clone();
        (Files::new(config).unwrap(), redactor)
    });
    let [landed, refused, accepted, wrong] = [const { Cell::new(0_usize) }; 4];
    let config =
        ProptestConfig { cases: rounds, failure_persistence: None, ..ProptestConfig::default() };
    let outcome =
        TestRunner::new(config).run(&prop::collection::vec(any::<u32>(), 150), |numbers| {
            let mut dice = Dice(numbers.iter().cycle());
            let (files, redactor) = &tools[dice.below(2)];
            let (form, way, crlf) = (dice.below(FORMS), WAYS[dice.below(3)], dice.below(4) == 0);
            let count = 1 + dice.below(40);
            // Some are equal.
            let secrets: Vec<String> = (0..count).map(|_| secret(dice.below(30))).collect();
            let part = |value| Part {
                name: format!("part{value:02}"),
                key: KEYS[dice.below(KEYS.len())],
                value,
            };
            let parts: Vec<Part> = (0..count).map(part).collect();
            let end = |text: String| if crlf { text.replace('\n', "\r\n") } else { text };
            let real = |index: usize| secrets[index].clone();
            let source = end(rendered(form, &parts, 2, &real));
            fixture.file("f", &source);
            let old = read(files);
            let names: Vec<String> =
                find_masks(old.as_bytes()).into_iter().map(|at| old[at].to_owned()).collect();
            prop_assert_eq!(names.len(), count);
            let name = |index: usize| names[index].clone();
            prop_assert_eq!(&old, &end(rendered(form, &parts, 2, &name)));

            let changed = reordered(&mut dice, &parts);
            let indent = 2 + dice.below(3);
            let new = rendered(form, &changed, indent, &name);
            // A model writes LF where it saw CRLF, or CRLF.
            let new = if matches!(way, Way::Write) && dice.below(2) == 0 { end(new) } else { new };
            let expected = end(rendered(form, &changed, indent, &real));
            if old.replace('\r', "") != new.replace('\r', "") {
                send(files, way, &old, &new)
                    .map_err(|why| TestCaseError::fail(format!("{way:?} of {new:?}: {why}")))?;
                prop_assert_eq!(&fixture.text("f"), &expected);
                landed.update(|count| count + 1);
                let guess = end(by_order(redactor, &source, &new.replace('\r', "")));
                wrong.update(|count| count + usize::from(guess != expected));
            }

            // The same file again, and somebody who wants what is behind the masks.
            fixture.file("f", &source);
            prop_assert_eq!(&read(files), &old);
            let new = dishonest(&mut dice, &old, &names);
            match send(files, way, &old, &new) {
                Err(why) => {
                    let codes = [code::MASK_IN_TEXT, code::UNCHANGED, code::CHANGED_ON_DISK];
                    prop_assert!(codes.contains(&why.code), "{}", why);
                    prop_assert_eq!(fixture.text("f"), source);
                    refused.update(|count| count + 1);
                }
                Ok(answer) => {
                    let now = read(files);
                    for secret in &secrets {
                        let seen = [answer.to_string(), now.clone()];
                        prop_assert!(
                            !seen.iter().any(|text| text.contains(secret)),
                            "{} from {}",
                            now,
                            new
                        );
                        let is_doubled = fixture.text("f").matches(secret).count()
                            > source.matches(secret).count();
                        prop_assert!(!is_doubled, "{} from {}", now, new);
                    }
                    accepted.update(|count| count + 1);
                }
            }
            Ok(())
        });
    outcome.unwrap();
    let [landed, refused, accepted, wrong] =
        [landed, refused, accepted, wrong].map(Cell::into_inner);
    println!(
        "\nsoak: {rounds} files, {landed} honest rewrites landed, of others {refused} refused and {accepted} without harm; \
         by order {wrong} secrets would be wrong"
    );
    assert!(landed > 0 && refused > 0 && wrong > 0);
}
