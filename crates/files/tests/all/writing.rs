//! Writing whole files.

use std::fs;
use std::os::unix::fs::{MetadataExt, PermissionsExt};

use handrail_files::request::{Request as _, WriteRequest};
use handrail_files::{Files, Refusal, code};
use serde_json::{Value, json};

use crate::fixture::{Fixture, ask};

fn write(files: &Files, path: &str, content: &str) -> Result<Value, Refusal> {
    ask(&json!({ "path": path, "content": content }), |request| files.write(request))
}

fn overwrite(files: &Files, path: &str, content: &str) -> Result<Value, Refusal> {
    let request = json!({ "path": path, "content": content, "overwrite": "always" });
    ask(&request, |request| files.write(request))
}

fn read(files: &Files, path: &str) -> Value {
    ask(&json!({ "path": path }), |request| files.read(request)).unwrap()
}

#[test]
fn an_existing_file_is_replaced_when_its_content_is_known() {
    let fixture = Fixture::new();
    let files = fixture.files();
    fixture.file("f", "1\n2\n3\n4\n");
    let refusal = write(&files, "f", "new\n").unwrap_err();
    assert_eq!(refusal.code, code::EXISTS);
    read(&files, "f");
    fixture.file("f", "1\ntwo\nthree\n4\n");
    let refusal = write(&files, "f", "new\n").unwrap_err();
    assert_eq!((refusal.code, &*refusal.lines), (code::CHANGED_ON_DISK, &[2, 3][..]));
    assert_eq!(fixture.text("f"), "1\ntwo\nthree\n4\n");
    read(&files, "f");
    let answer = write(&files, "f", "1\nnew\n4\n").unwrap();
    assert_eq!(
        (&answer["created"], &answer["added"], &answer["removed"]),
        (&json!(false), &json!(1), &json!(2))
    );
    // What was written here is known.
    write(&files, "f", "again\n").unwrap();
    overwrite(&files, "f", "always\n").unwrap();
    let answer = write(&files, "deep/er/new", "a\nb\n").unwrap();
    assert_eq!(
        (&answer["created"], &answer["added"], &answer["bytes"]),
        (&json!(true), &json!(2), &json!(4))
    );
    write(&files, "deep/er/new", "c\n").unwrap();
    // A touch changes no content.
    let file = fs::File::options().append(true).open(fixture.path("f")).unwrap();
    file.set_modified(std::time::SystemTime::UNIX_EPOCH).unwrap();
    write(&files, "f", "touched\n").unwrap();
}

/// What was not shown is not lost by being unknown.
#[test]
fn a_file_that_was_read_in_part_is_not_known() {
    type Case<'a> = (&'a [Value], Option<(&'a str, usize)>);
    let fixture = Fixture::new();
    let text = "line of text\n".repeat(50);
    // Offset, limit and bytes of each read; what a refusal says, or nothing.
    let part = "Not written: f exists, and of its 50 lines you have read only ";
    let cases: [Case<'_>; 9] = [
        (&[json!({})], None),
        (&[json!({ "limit": 1 })], Some(("line 1", 2))),
        (&[json!({ "offset": 11 })], Some(("lines 11-50", 1))),
        (&[json!({ "limit": 20 }), json!({ "offset": 21 })], None),
        (&[json!({ "offset": 15 }), json!({ "limit": 20 })], None),
        (&[json!({ "limit": 20 }), json!({ "offset": 22 })], Some(("lines 1-20, lines 22-50", 21))),
        (&[json!({ "maxBytes": 40 })], Some(("lines 1-3", 4))),
        // The rest of the line was not given.
        (&[json!({ "offset": 2 }), json!({ "maxBytes": 5 })], Some(("lines 2-50", 1))),
        (
            &[1, 3, 5, 7].map(|at| json!({ "offset": at, "limit": 1 })),
            Some(("line 1, line 3, line 5, …", 2)),
        ),
    ];
    for (reads, refused) in cases {
        let files = fixture.files();
        fixture.file("f", &text);
        for request in reads {
            let mut request = request.clone();
            request["path"] = "f".into();
            ask(&request, |request| files.read(request)).unwrap();
        }
        let result = write(&files, "f", "new\n");
        let Some((lines, next)) = refused else {
            result.unwrap_or_else(|why| panic!("{reads:?}: {why}"));
            continue;
        };
        let refusal = result.unwrap_err();
        assert_eq!((refusal.code, &*refusal.lines), (code::EXISTS, &[next][..]), "{reads:?}");
        assert_eq!(*refusal.message, format!("{part}{lines}"));
        let hint = format!("Read on from line {next}, or say that it is to be overwritten.");
        assert_eq!(refusal.hint, Some(hint.into()));
        assert_eq!(fixture.text("f"), text);
    }
    // Parts of two versions are no whole; nothing of a binary file is shown.
    let files = fixture.files();
    let part = |request: Value| ask(&request, |request| files.read(request)).unwrap();
    part(json!({ "path": "f", "limit": 20 }));
    fixture.file("f", text.replace("text", "words")).file("binary", b"\0\x01").file("empty", "");
    part(json!({ "path": "f", "offset": 21 }));
    let binary = json!({ "path": "binary" });
    assert_eq!(ask(&binary, |request| files.read(request)).unwrap_err().code, code::BINARY);
    part(json!({ "path": "empty" }));
    for path in ["f", "binary"] {
        assert_eq!(write(&files, path, "new\n").unwrap_err().code, code::EXISTS, "{path}");
    }
    write(&files, "empty", "new\n").unwrap();
    overwrite(&files, "f", "new\n").unwrap();
}

/// So many reads apart from each other are not all remembered; what is forgotten has to be read again.
#[test]
fn many_parts_are_remembered_as_far_as_there_is_room() {
    let fixture = Fixture::new();
    let files = fixture.files();
    fixture.file("f", "x\n".repeat(2_000));
    let read = |offset: usize, limit: usize| {
        let request = json!({ "path": "f", "offset": offset, "limit": limit });
        ask(&request, |request| files.read(request)).unwrap()
    };
    for line in (1..2_000).step_by(2) {
        read(line, 1);
    }
    assert_eq!(*write(&files, "f", "new\n").unwrap_err().lines, [2]);
    for line in (2..=2_000).step_by(2) {
        read(line, 1);
    }
    assert_eq!(write(&files, "f", "new\n").unwrap_err().code, code::EXISTS);
    read(1, 1_000);
    read(1_001, 1_000);
    write(&files, "f", "new\n").unwrap();
}

#[test]
fn rights_marks_and_line_ends_of_a_file_are_kept() {
    let fixture = Fixture::new();
    let files = fixture.files();
    fixture.file("f", b"\xef\xbb\xbfa\r\nb\r\n");
    fs::set_permissions(fixture.path("f"), fs::Permissions::from_mode(0o754)).unwrap();
    let answer = overwrite(&files, "f", "c\nd\n").unwrap();
    assert_eq!(
        (&answer["keptCrlf"], fixture.bytes("f").as_slice()),
        (&json!(true), b"\xef\xbb\xbfc\r\nd\r\n".as_slice())
    );
    assert_eq!(fs::metadata(fixture.path("f")).unwrap().permissions().mode() & 0o7777, 0o754);
    // Ends that are written out are meant.
    let answer = overwrite(&files, "f", "c\r\nd\n").unwrap();
    assert_eq!(
        (&answer["keptCrlf"], fixture.bytes("f").as_slice()),
        (&json!(false), b"\xef\xbb\xbfc\r\nd\n".as_slice())
    );
    // Lines that stay keep theirs.
    fixture.file("mixed", "a\r\nb\nc\r\n");
    overwrite(&files, "mixed", "a\nnew\nb\nc\n").unwrap();
    assert_eq!(fixture.text("mixed"), "a\r\nnew\nb\nc\r\n");
    fixture.file("binary", b"\0\x01");
    overwrite(&files, "binary", "text\n").unwrap();
    assert_eq!(fixture.text("binary"), "text\n");
    assert!(fixture.temporary_files().is_empty());
}

#[test]
fn a_refused_write_leaves_nothing() {
    let fixture = Fixture::new();
    let files = fixture.files();
    fixture.file("file", "x");
    for path in ["new/../x/y", "file/below", "dir/", ".git/x/y", "a/b/../c/d"] {
        assert!(write(&files, path, "x").is_err(), "{path}");
    }
    assert!(write(&files, "new/deep/f", "a [REDACTED] b").is_err());
    let half = WriteRequest::parse(r#"{"path":"half","content":"a\ud800"}"#).unwrap();
    assert_eq!(files.write(&half).unwrap_err().code, code::INVALID_TEXT);
    let names: Vec<_> =
        fs::read_dir(fixture.root()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(names, ["file"]);
}

/// The name of the temporary file is taken away again when the content cannot be put in its place, and so are folders.
#[test]
fn what_cannot_be_put_in_its_place_is_taken_away() {
    let fixture = Fixture::new();
    let files = fixture.files();
    let long = "x".repeat(256 - 1);
    // Longer than any file system takes with the folders before it: the last step fails, not the first.
    fs::create_dir(fixture.path("fixed")).unwrap();
    fixture.file("fixed/f", "old\n");
    let before = fs::metadata(fixture.path("fixed/f")).unwrap();
    assert!(write(&files, &format!("made/{long}x"), "x").is_err());
    assert!(!fixture.path("made").exists());
    overwrite(&files, "fixed/f", "new\n").unwrap();
    let after = fs::metadata(fixture.path("fixed/f")).unwrap();
    assert_ne!(before.ino(), after.ino(), "a new file takes the place in one step");
    assert_eq!(fs::read_dir(fixture.path("fixed")).unwrap().count(), 1);
}

#[test]
fn writers_at_the_same_time_leave_one_whole_content() {
    let fixture = Fixture::new();
    let files = fixture.files();
    fixture.file("f", "start\n");
    let contents: Vec<String> = (0..8).map(|number| format!("{number}\n").repeat(5_000)).collect();
    std::thread::scope(|scope| {
        for content in &contents {
            scope.spawn(|| {
                for _ in 0..10 {
                    overwrite(&files, "f", content).unwrap();
                }
            });
        }
    });
    assert!(contents.contains(&fixture.text("f")));
    assert!(fixture.temporary_files().is_empty());
}
