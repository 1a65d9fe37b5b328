//! Files in another encoding: what is shown of them is not what is there.

use handrail_files::{Files, Refusal, code};
use serde_json::{Value, json};

use crate::fixture::{Fixture, ask};

/// Latin-1, Shift-JIS, bytes of none, and U+FFFD as a character of its own.
const CONTENT: &[u8] = b"# Gr\xfc\xdfe\nport = 80\npassword = p\xe4ssw\xf6rt9x\nname = M\xfcller; a=1\n\x83e\x83X\x83g\n\
                         own \xef\xbf\xbd \xff\xfe\r\nb: \xc3\xa9 \xc3\ntoken = t0kenv\xe4lue9\nend\n";

fn read(files: &Files) -> String {
    let answer = ask(&json!({ "path": "f" }), |request| files.read(request)).unwrap();
    assert_eq!(answer["encoding"], "unknown");
    answer["text"].as_str().unwrap().to_owned()
}

fn edit(files: &Files, old: &str, new: &str) -> Result<Value, Refusal> {
    let edits = json!([{ "old": old, "new": new }]);
    ask(&json!({ "path": "f", "edits": edits }), |request| files.edit(request))
}

fn patch(files: &Files, lines: &str) -> Result<Value, Refusal> {
    let patch = format!("*** Begin Patch\n*** Update File: f\n@@\n{lines}*** End Patch\n");
    ask(&json!({ "patch": patch }), |request| files.patch(request))
}

/// The bytes with one stretch replaced.
fn replaced(old: &[u8], new: &[u8]) -> Vec<u8> {
    let at = CONTENT.windows(old.len()).position(|bytes| bytes == old).unwrap();
    [&CONTENT[..at], new, &CONTENT[at + old.len()..]].concat()
}

#[test]
fn a_lossy_view_is_no_base_of_a_write() {
    let fixture = Fixture::new();
    let files = fixture.files();
    fixture.file("f", CONTENT);
    let shown = read(&files);
    assert!(shown.contains('\u{fffd}'));
    // What a tool without the guard stores is not what was there.
    assert_ne!(shown.as_bytes(), CONTENT);
    for overwrite in ["known", "always"] {
        let part = shown.lines().next().unwrap();
        for content in [&*shown, part] {
            let request = json!({ "path": "f", "content": content.replace('[', "("), "overwrite": overwrite });
            let refusal = ask(&request, |request| files.write(request)).unwrap_err();
            assert_eq!((refusal.code, &*refusal.lines), (code::NOT_EDITABLE, &[1][..]));
            assert!(refusal.hint.unwrap().starts_with("Edit what is plain ASCII"));
            assert_eq!(fixture.bytes("f"), CONTENT);
        }
    }
    let request = json!({ "path": "f", "content": "Grüße\n" });
    ask(&request, |request| files.write(request)).unwrap();
    assert_eq!(fixture.text("f"), "Grüße\n");
}

#[test]
fn an_edit_of_plain_ascii_leaves_every_other_byte() {
    type Change = fn(&Files) -> Result<Value, Refusal>;
    let cases: [(&str, Change, Vec<u8>); 8] = [
        ("a line", |files| edit(files, "port = 80", "port = 8080"), replaced(b"80", b"8080")),
        (
            "beside what is shown lossily",
            |files| edit(files, "\u{fffd}ller; a=1", "\u{fffd}ller; a=2"),
            replaced(b"a=1", b"a=2"),
        ),
        (
            "a line more",
            |files| edit(files, "end\n", "end\nmore\n"),
            replaced(b"end\n", b"end\nmore\n"),
        ),
        (
            "a secret kept, with what it hides",
            |files| edit(files, "password = [", "db_password = ["),
            replaced(b"password", b"db_password"),
        ),
        (
            "a secret gone",
            |files| edit(files, "token = [REDACTED:2]\n", ""),
            replaced(b"token = t0kenv\xe4lue9\n", b""),
        ),
        (
            "a patch",
            |files| patch(files, " # Gr\u{fffd}\u{fffd}e\n-port = 80\n+port = 81\n"),
            replaced(b"80", b"81"),
        ),
        (
            "a patch that adds",
            |files| patch(files, " end\n+last\n"),
            replaced(b"end\n", b"end\nlast\n"),
        ),
        (
            "secrets exchanged",
            |files| {
                let edits = json!([{ "old": "[REDACTED:1]", "new": "[REDACTED:2]" }, { "old": "[REDACTED:2]", "new": "[REDACTED:1]" }]);
                ask(&json!({ "path": "f", "edits": edits }), |request| files.edit(request))
            },
            {
                let first = replaced(b"p\xe4ssw\xf6rt9x", b"t0kenv\xe4lue9");
                let at = first.len() - b"t0kenv\xe4lue9\nend\n".len();
                [&first[..at], b"p\xe4ssw\xf6rt9x\nend\n"].concat()
            },
        ),
    ];
    for (name, change, expected) in cases {
        let fixture = Fixture::new();
        let files = fixture.files();
        fixture.file("f", CONTENT);
        let shown = read(&files);
        assert!(
            shown.contains("password = [REDACTED:1]") && shown.contains("token = [REDACTED:2]"),
            "{shown}"
        );
        change(&files).unwrap_or_else(|why| panic!("{name}: {why}"));
        assert_eq!(fixture.bytes("f"), expected, "{name}");
    }
}

#[test]
fn an_edit_of_what_is_shown_lossily_is_refused() {
    let changes: [(&str, &str); 5] = [
        ("Gr\u{fffd}\u{fffd}e", "Hello"),
        ("port = 80", "port = \u{fffd}"),
        ("port = 80", "größe = 80"),
        ("b: é", "b: e"),
        ("# Gr\u{fffd}", "#\u{fffd} Gr"),
    ];
    for (old, new) in changes {
        let fixture = Fixture::new();
        let files = fixture.files();
        fixture.file("f", CONTENT);
        read(&files);
        let refusal = edit(&files, old, new).unwrap_err();
        assert_eq!((refusal.code, refusal.edit), (code::NOT_EDITABLE, Some(0)), "{old}: {refusal}");
        assert!(refusal.hint.unwrap().contains("plain ASCII"));
        assert_eq!(fixture.bytes("f"), CONTENT, "{old}");
    }
}
