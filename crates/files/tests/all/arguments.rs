//! Arguments are checked where they arrive: their kinds, their bounds at the value and above, and that no other is given.

use serde_json::{Value, json};

use crate::fixture::Fixture;

const MAX_READ_BYTES: u64 = 256 << 20;
const MAX_INTEGER: u64 = (1 << 53) - 1;
const ENTRY: &str = r#"{"old":"a","new":"b"}"#;

/// What `call` says of a wrong argument: its name and the message.
fn wrong(operation: &str, request: &str) -> Option<(String, String)> {
    let fixture = Fixture::new();
    let answer = fixture.files().call(operation, request);
    answer.err().map(|wrong| (wrong.name, wrong.message))
}

#[test]
fn bounds_hold_at_their_value_and_not_above() {
    let rows: [(&str, Value, &str, u64, u64, &str); 11] = [
        ("read", json!({ "path": "f" }), "offset", 1, MAX_INTEGER, "lines"),
        ("read", json!({ "path": "f" }), "limit", 1, MAX_READ_BYTES, "lines"),
        ("read", json!({ "path": "f" }), "maxBytes", 1, MAX_READ_BYTES, "bytes"),
        ("read", json!({ "path": "f" }), "column", 1, MAX_INTEGER, "characters"),
        ("read", json!({ "path": "f" }), "maxTokens", 1, MAX_INTEGER, "tokens"),
        ("list", json!({ "path": "." }), "depth", 1, 16, "levels"),
        ("list", json!({ "path": "." }), "limit", 1, 100_000, "entries"),
        ("glob", json!({ "path": ".", "pattern": "*" }), "limit", 1, 10_000, "results"),
        ("grep", json!({ "path": ".", "pattern": "x" }), "limit", 1, 10_000, "results"),
        ("grep", json!({ "path": ".", "pattern": "x" }), "context", 0, 20, "lines"),
        ("grep", json!({ "path": ".", "pattern": "x" }), "offset", 0, MAX_INTEGER, "results"),
    ];
    for (operation, request, name, least, most, unit) in rows {
        let with = |value: Value| {
            let mut request = request.clone();
            request[name] = value;
            wrong(operation, &request.to_string())
        };
        for fitting in [least, most] {
            assert_eq!(with(fitting.into()), None, "{operation} {name}");
        }
        let expected = format!(
            "Expected `{name}` to be a whole number of {unit} from {least} to {most}, got "
        );
        let cases = [
            (json!(least.cast_signed() - 1), format!("`{}` (number)", least.cast_signed() - 1)),
            (json!(most + 1), format!("`{}` (number)", most + 1)),
            (json!(1.5), "`1.5` (number)".into()),
            (json!("1"), "a string".into()),
            (json!(null), "null".into()),
            (json!([1]), "an array".into()),
            (json!({}), "an object".into()),
            (json!(true), "`true` (boolean)".into()),
        ];
        for (value, shown) in cases {
            let message = format!("{expected}{shown}");
            assert_eq!(with(value), Some((name.into(), message)), "{operation} {name}");
        }
    }
}

#[test]
fn a_wrong_argument_is_named_as_it_was_written() {
    let edit = |edits: &str| format!(r#"{{"path":"f","edits":{edits}}}"#);
    let hundred = vec![ENTRY; 100].join(",");
    assert_eq!(wrong("edit", &edit(&format!("[{hundred}]"))), None);
    let rows = [
        (
            "write",
            json!({ "path": "f" }).to_string(),
            "content",
            "Expected `content` to be a string, got undefined",
        ),
        (
            "write",
            json!({ "path": "f", "content": "", "overwrite": "sometimes" }).to_string(),
            "overwrite",
            "Expected `overwrite` to be one of 'always', 'known', got a string",
        ),
        (
            "patch",
            json!({ "patch": 7 }).to_string(),
            "patch",
            "Expected `patch` to be a string, got `7` (number)",
        ),
        (
            "patch",
            json!({ "patch": "", "dryRun": 1 }).to_string(),
            "dryRun",
            "Expected `dryRun` to be a boolean, got `1` (number)",
        ),
        (
            "grep",
            json!({ "path": ".", "pattern": "x", "mode": "all" }).to_string(),
            "mode",
            "Expected `mode` to be one of 'lines', 'files', 'count', got a string",
        ),
        (
            "grep",
            json!({ "path": ".", "pattern": "x", "glob": [] }).to_string(),
            "glob",
            "Expected `glob` to be a string, got an array",
        ),
        (
            "edit",
            json!({ "path": "f" }).to_string(),
            "edits",
            "Expected `edits` to be an array, got undefined",
        ),
        ("edit", edit("{}"), "edits", "Expected `edits` to be an array, got an object"),
        (
            "edit",
            edit("[]"),
            "edits",
            "Expected `edits` to be an array with at least one entry, got an empty array",
        ),
        (
            "edit",
            edit(&format!("[{hundred},{ENTRY}]")),
            "edits",
            "Expected `edits` to have at most 100 entries, got 101",
        ),
        (
            "edit",
            edit(&format!("[{ENTRY},7]")),
            "edits[1]",
            "Expected `edits[1]` to be an object, got `7` (number)",
        ),
        (
            "edit",
            edit(r#"[{"old":1,"new":"b"}]"#),
            "edits[0].old",
            "Expected `edits[0].old` to be a string, got `1` (number)",
        ),
        (
            "edit",
            edit(r#"[{"old":"a","new":"b","occurrence":0}]"#),
            "edits[0].occurrence",
            "Expected `edits[0].occurrence` to be a whole number of occurrences from 1 to 9007199254740991, got `0` (number)",
        ),
        (
            "edit",
            edit(r#"[{"old":"a","new":"b","where":1}]"#),
            "edits[0]",
            "Unknown key in `edits[0]`: `where`; known are old, new, all, occurrence",
        ),
        (
            "edit",
            edit(r#"[{"old":"a","new":"b","hunter2":1}]"#),
            "edits[0]",
            "Unknown key in `edits[0]`: a key of a strange name; known are old, new, all, occurrence",
        ),
        ("stat", "7".into(), "request", "Expected the request to be an object"),
        (
            "stat",
            r#"{"path":".","extra":1}"#.into(),
            "request",
            "Unknown key in `request`: `extra`; known are path",
        ),
        ("fly", "{}".into(), "operation", "there is no such operation"),
    ];
    for (operation, request, name, message) in rows {
        assert_eq!(wrong(operation, &request), Some((name.into(), message.into())), "{request}");
    }
}

/// A text is never repeated: it may be a secret.
#[test]
fn no_message_repeats_a_text() {
    let requests = [
        ("read", r#"{"path":"f","limit":"hunter2"}"#),
        ("read", r#"{"path":["hunter2"]}"#),
        ("read", r#"{"path":"f","hunter2":1}"#),
        ("write", r#"{"path":"f","content":{"hunter2":1}}"#),
        ("write", r#"{"path":"f","content":"","overwrite":"hunter2"}"#),
        ("edit", r#"{"path":"f","edits":"hunter2"}"#),
        ("edit", r#"{"path":"f","edits":[{"old":"a","new":"b","all":"hunter2"}]}"#),
        ("grep", r#"{"path":".","pattern":"x","mode":"hunter2"}"#),
        ("hunter2", "{}"),
    ];
    for (operation, request) in requests {
        let (name, message) = wrong(operation, request).unwrap();
        assert!(!format!("{name} {message}").contains("hunter2"), "{message}");
    }
}
