//! Soak row `redact-json`: random documents of what the rules look at are masked and say the same but for what was masked.

use std::fmt::Write as _;

use crate::soak::{Random, repeat};
use crate::support::{letters, redact};
use serde_json::{Map, Number, Value, json};

const FULL_DOCUMENTS: u64 = 200_000;

/// How deep documents are nested.
const DEPTH: usize = 3;

const NAMES: &[&str] = &[
    "password",
    "token",
    "api_key",
    "secret",
    "secrets",
    "tokens",
    "passwords",
    "credentials",
    "DB_PASSWORD",
    "name",
    "value",
    "Name",
    "Value",
    "key",
    "Key",
    "auth",
    "authorization",
    "Authorization",
    "Proxy-Authorization",
    "X-Api-Key",
    "headers",
    "Cookie",
    "Set-Cookie",
    "url",
    "dsn",
    "command",
    "private_key",
    "pass",
    "pwd",
    "text",
    "note",
    "session",
    "password: a1b2 ",
    "it's",
];

/// Of these texts are made. Each begins or ends something, or is what a rule looks for.
const PIECES: &[&str] = &[
    "hunter2x",
    "aB3dEf6hIj",
    "it's x1y2",
    "a \"b\" c",
    "a\\b",
    "C:\\x\\",
    "x\\",
    "line\nline2",
    "a\r\nb\t",
    "a,b",
    "p{x}",
    "[x]",
    "$x{",
    "Bearer aB3dEf6hIjkl",
    "Bearer aB3d&y=\"z\"",
    "Basic dXNlcjpwYXNz!\\",
    "Digest username=\"u\", nonce=\"n1\"",
    "Authorization: ",
    "Authorization: Digest a=\"b\", c=1 ",
    "https://u:pw1x2@h/x?token=abcd1&y=\"z\"",
    "?password=a1b2&c=d",
    "password=hunter2x",
    "password=",
    "--password hunter2x --y",
    "password: \"hunter2x\"",
    "password: 'hunter2x'",
    "password: hunter2x ok",
    "\\\"password\\\": ",
    "{\"password\":\"hunter2x\"}",
    "{\"password\": 12345, \"x\": [1]}",
    "{\"tokens\":[12345678901,2]}",
    "export A_TOKEN=x1y2z3w4",
    "DB_PASSWORD=0W&v=S;k=1",
    "curl -u a:hunter2x https://x",
    "mysql -phunter2x",
    "sshpass -p a1&b2 ",
    "$(docker login -p x1y2)",
    "\u{1b}[31mpassword\u{1b}[0m: hunter2x",
    "\\u001b[31mtoken\\u001b[0m: x1y2z3w4",
    "password:\n  hunter2x",
    "a: |\n  password: hunter2x\n",
    "ALTER USER a IDENTIFIED BY 'hunter2x'",
    "CREATE USER a IDENTIFIED BY hunter2x",
    "é“x”",
    "\u{2028}x",
    "\u{1f511}",
    "\u{7}",
    "machine h login u password p4ssw0",
    "<password>hunter2x</password>",
    "<password>a b9&amp;\"</password>",
    "<property name=\"db.password\">x1y2</property>",
    "Server=a;Password=a1&b2;X=1;",
    "h:5432:d:u:x1y2",
    "PWD=",
    "-----BEGIN",
    "#x1y2",
    "- x1y2",
    "key: x1y2z3",
    ": x",
    "%x",
    "%22",
    "&quot;",
    "@x",
    "`x1y2`",
    "&a x1y2",
    "*x1y2",
    "!x1y2",
    "null",
    "12345",
    "0x1F",
    "1e5",
    "true",
    "",
    "~",
    "'",
    "\"",
    "x\"",
    "y'",
    "\\\"x\\\"",
    "[REDACTED]",
    "(",
    ")",
    "[",
    "]",
    "{",
    "}",
    ", ",
    ";",
    "/",
    "\\",
    "name=\"password\" value=\"",
    "pass: ",
    "unexpected token: ",
];

fn text(random: &mut Random) -> String {
    let count = *random.pick(&[1, 1, 1, 2, 4]);
    let mut text: String = (0..count).map(|_| *random.pick(PIECES)).collect();
    if random.one_in(20) {
        text.push_str(&letters(36));
    }
    text
}

fn scalar(random: &mut Random) -> Value {
    match random.below(12) {
        0 => Value::Null,
        1 => random.one_in(2).into(),
        2 => (random.below(100_000)).into(),
        3 => 12_345_678_901_u64.into(),
        4 => Number::from_f64(*random.pick(&[1e20, -1.5, 0.25, 1234.5e-10])).into(),
        5 => json!({*random.pick(NAMES): text(random)}).to_string().into(),
        6 => {
            let inner = json!({*random.pick(NAMES): text(random), "n": [null, text(random)]});
            json!({"x": inner.to_string()}).to_string().into()
        }
        _ => text(random).into(),
    }
}

fn value(random: &mut Random, depth: usize) -> Value {
    match random.below(if depth == 0 { 1 } else { 4 }) {
        1 => map(random, depth),
        2 => (0..random.below(4)).map(|_| value(random, depth - 1)).collect(),
        _ => scalar(random),
    }
}

fn map(random: &mut Random, depth: usize) -> Value {
    let members = 1 + random.below(4);
    let member = |random: &mut Random| ((*random.pick(NAMES)).to_owned(), value(random, depth - 1));
    Value::Object((0..members).map(|_| member(random)).collect::<Map<_, _>>())
}

/// As documents are written: compact, with blanks, on lines.
fn written(random: &mut Random, document: &Value) -> String {
    let compact = document.to_string();
    match random.below(4) {
        0 => compact,
        1 => serde_json::to_string_pretty(document).expect("a document"),
        2 => json!({"line": compact, "n": 1}).to_string(),
        // As Python writes them.
        _ => {
            let mut spaced = Vec::new();
            let mut quoted = false;
            let mut escaped = false;
            for byte in compact.bytes() {
                spaced.push(byte);
                quoted ^= byte == b'"' && !escaped;
                escaped = byte == b'\\' && !escaped;
                if !quoted && matches!(byte, b',' | b':') {
                    spaced.push(b' ');
                }
            }
            let spaced = String::from_utf8(spaced).expect("only blanks were added");
            if random.one_in(2) { spaced } else { escape_foreign(&spaced) }
        }
    }
}

/// With every letter that is not ASCII as an escape.
fn escape_foreign(text: &str) -> String {
    let mut escaped = String::new();
    for char in text.chars() {
        if char.is_ascii() {
            escaped.push(char);
        } else {
            for unit in char.encode_utf16(&mut [0; 2]) {
                write!(escaped, "\\u{unit:04x}").expect("a string takes it");
            }
        }
    }
    escaped
}

/// Where `after` says something else than `before` and nothing was masked.
fn difference(before: &Value, after: &Value, place: &str) -> Option<String> {
    let inner = |name: &str| format!("{place}/{name}");
    match (before, after) {
        (Value::Object(before), Value::Object(after)) => {
            if before.len() != after.len() {
                return Some(inner("members"));
            }
            // A name may hold a value of its own: `"password: a1b2 "`.
            before.iter().find_map(|(name, value)| match after.get(name) {
                Some(other) => difference(value, other, &inner(name)),
                None => (!name.contains(": ")).then(|| inner(name)),
            })
        }
        (Value::Array(before), Value::Array(after)) => {
            if before.len() != after.len() {
                return Some(inner("length"));
            }
            let mut both = before.iter().zip(after).enumerate();
            both.find_map(|(index, (before, after))| {
                difference(before, after, &inner(&index.to_string()))
            })
        }
        (Value::String(_) | Value::Number(_), Value::String(after))
            if after.contains("[REDACTED") =>
        {
            None
        }
        _ => (before != after).then(|| place.to_owned()),
    }
}

/// What is wrong with a document that was masked.
fn problem(before: &Value, redacted: &str) -> Option<String> {
    match serde_json::from_str::<Value>(redacted) {
        Ok(after) => difference(before, &after, "").map(|place| format!("it differs at {place}")),
        Err(error) => Some(error.to_string()),
    }
}

#[test]
fn documents_say_the_same_but_for_what_is_masked() {
    let mut masked = 0_u64;
    let mut problems: Vec<String> = Vec::new();
    repeat("JSON documents", FULL_DOCUMENTS, |number| {
        let mut random = Random::new(number);
        let document = map(&mut random, DEPTH);
        let text = written(&mut random, &document);
        let before: Value = serde_json::from_str(&text).expect("the writer");
        let redacted = redact(&text);
        masked += u64::from(redacted != text);
        if let Some(problem) = problem(&before, &redacted) {
            problems.push(format!("{problem}\nnumber {number}: {text}\n=> {redacted}"));
        }
    });
    problems.sort_by_key(String::len);
    let shortest = problems.iter().take(3).map(String::as_str).collect::<Vec<_>>().join("\n\n");
    assert!(problems.is_empty(), "{} documents, the shortest:\n{shortest}", problems.len());
    assert!(masked > 0, "nothing was masked");
}
