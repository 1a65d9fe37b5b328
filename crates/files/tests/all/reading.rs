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
        (json!({ "offset": 3, "maxBytes": 8 }), "password", (3, 3), json!(3)),
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
    let cases: [Case; 9] = [
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
        ("latin", b"caf\xe9\n".to_vec(), "unknown", false, "lf", "caf\u{fffd}\n"),
        ("late nul", [vec![b'a'; 8000], vec![0]].concat(), "utf-8", false, "none", ""),
    ];
    let fixture = Fixture::new();
    let files = fixture.files();
    for (name, bytes, encoding, bom, newline, text) in cases {
        fixture.file("f", &bytes);
        let answer = read(&files, &json!({ "path": "f" })).unwrap();
        assert_eq!(answer["encoding"], encoding, "{name}");
        assert_eq!((&answer["bom"], &answer["newline"]), (&json!(bom), &json!(newline)), "{name}");
        assert_eq!(answer["bytes"], bytes.len(), "{name}");
        if !text.is_empty() {
            assert_eq!(answer["text"], text, "{name}");
        }
    }
}

#[test]
fn a_file_that_is_no_text_is_refused_by_its_kind() {
    let at = |offset: usize, bytes: &[u8]| [&vec![0; offset][..], bytes].concat();
    // Content; the kind that the refusal names, or nothing for a text.
    let cases: [(Vec<u8>, Option<&str>); 13] = [
        (b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR".to_vec(), Some("a PNG image")),
        // Without a NUL it is no text either.
        (b"\xff\xd8\xff\xe1\xe1".to_vec(), Some("a JPEG image")),
        (b"GIF89a\x01\0".to_vec(), Some("a GIF image")),
        (b"RIFF\x10\0\0\0WEBPVP8 ".to_vec(), Some("a WebP image")),
        (b"%PDF-1.7\n1 0 obj\n".to_vec(), Some("a PDF document")),
        (b"\x7fELF\x02\x01\x01\0".to_vec(), Some("an ELF program, library or object file")),
        (at(257, b"ustar"), Some("a tar archive")),
        (at(258, b"ustar"), Some("a binary file")),
        (b"a\0b".to_vec(), Some("a binary file")),
        (vec![0xff, 0xfe, 0x00, 0xd8], Some("a binary file")),
        // Texts that begin like one.
        (b"GIF89a is a format\n".to_vec(), None),
        (b"MZ is how Windows programs begin\n".to_vec(), None),
        (b"caf\xe9 %PDF-\n".to_vec(), None),
    ];
    let fixture = Fixture::new();
    let files = fixture.files();
    for (bytes, kind) in cases {
        fixture.file("f", &bytes);
        let answer = read(&files, &json!({ "path": "f" }));
        let Some(kind) = kind else {
            answer.unwrap();
            continue;
        };
        let refusal = answer.unwrap_err();
        let message =
            format!("f is {kind} ({} bytes), and no text: nothing of it is shown", bytes.len());
        assert_eq!((refusal.code, &*refusal.message), (code::BINARY, &*message));
        assert!(refusal.hint.is_some());
    }
}

/// Reads a file to its end in the parts that are given, and returns them.
fn parts(files: &Files, bounds: &Value) -> Vec<String> {
    let (mut offset, mut column) = (json!(1), json!(1));
    let mut parts = Vec::new();
    loop {
        let mut request = bounds.clone();
        request["path"] = "f".into();
        request["offset"] = offset;
        request["column"] = column;
        let answer = read(files, &request).unwrap();
        parts.push(answer["text"].as_str().unwrap().to_owned());
        let Some(next) = answer.get("nextOffset") else { return parts };
        assert_eq!(answer["truncated"], true);
        offset = next.clone();
        column = answer.get("nextColumn").cloned().unwrap_or(json!(1));
    }
}

#[test]
fn a_file_is_read_on_to_its_end_whatever_its_lines_are() {
    let fixture = Fixture::new();
    let files = fixture.files();
    let secret = ["ghp_", &"x7Yq".repeat(9)].concat();
    let long = format!("a😀é token {secret} ").repeat(300);
    let texts = [
        long.clone(),
        format!("one\r\n{long}\r\ntwo\r\n"),
        "x\n".repeat(500),
        format!("{long}\n{long}"),
        "\r\n\r\n".to_owned(),
        "é".to_owned(),
    ];
    for text in texts {
        fixture.file("f", &text);
        let whole = parts(&files, &json!({})).concat();
        assert!(!whole.contains(&secret));
        for bounds in [
            json!({ "maxTokens": 1 }),
            json!({ "maxTokens": 100 }),
            json!({ "maxTokens": 100, "numbered": true }),
            json!({ "maxBytes": 1 }),
            json!({ "maxBytes": 500 }),
        ] {
            let given = parts(&files, &bounds);
            assert_eq!(given.concat(), whole, "{bounds}");
            for part in &given {
                let opened = part.matches("[REDACTED").count();
                assert_eq!(opened, part.matches(']').count(), "a mask was cut: {bounds}");
                if let Some(most) = bounds["maxBytes"].as_u64() {
                    assert!(part.len() as u64 <= most.max(16), "{bounds}: {}", part.len());
                }
            }
        }
    }
    fixture.file("f", "abc\r\nd");
    let text = |request: Value| read(&files, &request).map(|answer| answer["text"].clone());
    let at =
        |offset: u64, column: u64| text(json!({ "path": "f", "offset": offset, "column": column }));
    assert_eq!(at(1, 3).unwrap(), "c\r\nd");
    assert_eq!(at(2, 1).unwrap(), "d");
    for column in [4, 5, u64::from(u32::MAX)] {
        let refusal = at(1, column).unwrap_err();
        let message = format!("Column {column} is past the end: line 1 has 3 characters");
        assert_eq!((refusal.code, &*refusal.message), (code::PAST_END, &*message));
    }
}

/// A file that is too large to be held is read in the same parts as one that is not, but for the numbers of masks.
#[test]
fn a_file_that_is_too_large_to_be_held_is_read_in_parts() {
    let fixture = Fixture::new();
    let whole = fixture.files();
    let mut config = fixture.config();
    config.max_read_bytes = 4_000;
    let streamed = Files::new(config).unwrap();
    let secret = ["ghp_", &"x7Yq".repeat(9)].concat();
    let rows: Vec<String> = (0..60_000).map(|row| format!("row {row} é😀\n")).collect();
    let rows = rows.concat();
    let long = "a😀é ".repeat(30_000);
    for (text, requests) in [
        (
            format!("{rows}token {secret}\nlast"),
            vec![
                json!({ "limit": 3 }),
                json!({ "offset": 59_999 }),
                json!({ "offset": 60_001, "limit": 1 }),
                json!({ "offset": 60_002 }),
                json!({ "offset": 60_003 }),
                json!({ "offset": 30_000, "limit": 50, "maxBytes": 300 }),
                json!({ "offset": 30_000, "limit": 50, "maxTokens": 30, "numbered": true }),
                json!({ "offset": 7, "column": 6, "limit": 1 }),
                json!({ "offset": 7, "column": 60, "limit": 1 }),
            ],
        ),
        (
            format!("one\r\n{long}\r\nthree\r\n"),
            vec![
                json!({ "offset": 2, "maxBytes": 100 }),
                json!({ "offset": 2, "column": 77_777, "maxBytes": 100 }),
                json!({ "offset": 2, "column": 119_990, "maxBytes": 100 }),
                json!({ "offset": 2, "column": 120_002, "maxBytes": 100 }),
                json!({ "offset": 3 }),
            ],
        ),
    ] {
        fixture.file("f", &text);
        for mut request in requests {
            request["path"] = "f".into();
            match (read(&whole, &request), read(&streamed, &request)) {
                (Ok(mut one), Ok(mut other)) => {
                    one["version"] = Value::Null;
                    other["version"] = Value::Null;
                    assert_eq!(other, one, "{request}");
                    assert!(!other["text"].as_str().unwrap().contains(&secret[..12]));
                }
                (one, other) => {
                    let (one, other) = (one.unwrap_err(), other.unwrap_err());
                    assert_eq!(
                        (other.code, one.code),
                        (code::PAST_END, code::PAST_END),
                        "{request}"
                    );
                }
            }
        }
    }
    // Whole lines as far as they are held, and on from there: nothing is lost.
    fixture.file("f", &rows);
    let mut given = String::new();
    let mut next = json!({ "path": "f", "limit": 1_000_000 });
    for _ in 0..5 {
        let answer = read(&streamed, &next).unwrap();
        given += answer["text"].as_str().unwrap();
        next["offset"] = answer["nextOffset"].clone();
    }
    assert!(rows.starts_with(&given) && given.len() > 15_000, "{}", given.len());
    let version = |content: &str| {
        fixture.file("f", content);
        read(&streamed, &json!({ "path": "f" })).unwrap()["version"].clone()
    };
    assert_ne!(version(&rows), version(&rows[6..]));
    for binary in [&b"\0\x01"[..], b"\xff\xfea\0", b"%PDF-1.7\n"] {
        fixture.file("f", [binary, rows.as_bytes()].concat());
        let refusal = read(&streamed, &json!({ "path": "f" })).unwrap_err();
        assert!([code::BINARY, code::TOO_LARGE].contains(&refusal.code), "{refusal}");
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
