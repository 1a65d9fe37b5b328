//! Reading: pages of lines, encodings, what a file is.

use handrail_files::{Files, Refusal, code};
use serde_json::{Value, json};

use crate::fixture::{Fixture, ask};

fn read(files: &Files, request: &Value) -> Result<Value, Refusal> {
    ask(request, |request| files.read(request))
}

#[test]
fn lines_are_cut_after_masking() {
    let fixture = Fixture::new();
    let files = fixture.files();
    fixture.file("f", "1\n2\npassword=hunter2secret\n4\n5").file("empty", "");
    // Offset, limit and bytes asked for; text, first and last line, where to go on.
    let cases: [(Value, &str, (u64, u64), Value); 7] = [
        (json!({}), "1\n2\npassword=[REDACTED]\n4\n5", (1, 5), Value::Null),
        (json!({ "offset": 2, "limit": 2 }), "2\npassword=[REDACTED]\n", (2, 3), json!(4)),
        (json!({ "offset": 5 }), "5", (5, 5), Value::Null),
        (json!({ "offset": 1, "limit": 1 }), "1\n", (1, 1), json!(2)),
        (json!({ "maxBytes": 4 }), "1\n2\n", (1, 2), json!(3)),
        (json!({ "maxBytes": 5 }), "1\n2\n", (1, 2), json!(3)),
        (json!({ "offset": 3, "maxBytes": 8 }), "password", (3, 3), json!(4)),
    ];
    for (mut request, text, lines, next) in cases {
        request["path"] = "f".into();
        let answer = read(&files, &request).unwrap();
        assert_eq!(answer["text"], text, "{request}");
        assert_eq!(
            (answer["firstLine"].as_u64().unwrap(), answer["lastLine"].as_u64().unwrap()),
            lines,
            "{request}"
        );
        assert_eq!(answer.get("nextOffset").cloned().unwrap_or_default(), next, "{request}");
        assert_eq!((&answer["totalLines"], &answer["redactions"]), (&json!(5), &json!(1)));
    }
    let refusal = read(&files, &json!({ "path": "f", "offset": 6 })).unwrap_err();
    assert_eq!(
        (refusal.code, &*refusal.message),
        (code::PAST_END, "Line 6 is past the end: the file has 5 lines")
    );
    let answer = read(&files, &json!({ "path": "empty" })).unwrap();
    assert_eq!(
        (&answer["text"], &answer["totalLines"], &answer["lastLine"]),
        (&json!(""), &json!(0), &json!(0))
    );
}

#[test]
fn a_file_is_said_to_be_what_it_is() {
    /// Name, content; encoding, mark, line ends, text.
    type Case = (&'static str, Vec<u8>, &'static str, bool, &'static str, &'static str);
    let utf16 = |bom: [u8; 2], bytes: fn(u16) -> [u8; 2], text: &str| -> Vec<u8> {
        bom.into_iter().chain(text.encode_utf16().flat_map(bytes)).collect()
    };
    let cases: [Case; 11] = [
        ("plain", b"a\nb\n".to_vec(), "utf-8", false, "lf", "a\nb\n"),
        ("crlf", b"a\r\nb\r\n".to_vec(), "utf-8", false, "crlf", "a\r\nb\r\n"),
        ("mixed", b"a\r\nb\n".to_vec(), "utf-8", false, "mixed", "a\r\nb\n"),
        ("one line", "é".into(), "utf-8", false, "none", "é"),
        ("bom", b"\xef\xbb\xbfa\n".to_vec(), "utf-8", true, "lf", "a\n"),
        (
            "utf-16le",
            utf16([0xff, 0xfe], u16::to_le_bytes, "a😀\r\n"),
            "utf-16le",
            true,
            "crlf",
            "a😀\r\n",
        ),
        ("utf-16be", utf16([0xfe, 0xff], u16::to_be_bytes, "a\n"), "utf-16be", true, "lf", "a\n"),
        ("half a pair", vec![0xff, 0xfe, 0x00, 0xd8], "binary", false, "none", ""),
        ("latin", b"caf\xe9\n".to_vec(), "unknown", false, "lf", "caf\u{fffd}\n"),
        ("binary", b"\x89PNG\0\0".to_vec(), "binary", false, "none", ""),
        ("late nul", [vec![b'a'; 8000], vec![0]].concat(), "utf-8", false, "none", ""),
    ];
    let fixture = Fixture::new();
    let files = fixture.files();
    for (name, bytes, encoding, bom, newline, text) in cases {
        fixture.file("f", &bytes);
        let answer = read(&files, &json!({ "path": "f" })).unwrap();
        assert_eq!(answer["encoding"], encoding, "{name}");
        assert_eq!((&answer["bom"], &answer["newline"]), (&json!(bom), &json!(newline)), "{name}");
        assert_eq!(answer["binary"], encoding == "binary", "{name}");
        assert_eq!(answer["bytes"], bytes.len(), "{name}");
        if !text.is_empty() || encoding == "binary" {
            assert_eq!(answer["text"], text, "{name}");
        }
    }
}

#[test]
fn the_version_is_that_of_the_content() {
    let fixture = Fixture::new();
    let files = fixture.files();
    let version = |content: &str| {
        fixture.file("f", content);
        read(&files, &json!({ "path": "f" })).unwrap()["version"].as_str().unwrap().to_owned()
    };
    let (first, second) = (version("a"), version("b"));
    assert_ne!(first, second);
    assert_eq!(first, version("a"));
}
