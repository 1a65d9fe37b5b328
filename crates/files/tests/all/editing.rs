//! Editing parts of files.

use std::fmt::Write as _;

use handrail_files::{Files, Refusal, code};
use proptest::prelude::*;
use serde_json::{Value, json};

use crate::fixture::{Fixture, ask};

fn edit(files: &Files, edits: &Value) -> Result<Value, Refusal> {
    ask(&json!({ "path": "f", "edits": edits }), |request| files.edit(request))
}

fn replace(files: &Files, old: &str, new: &str) -> Result<Value, Refusal> {
    edit(files, &json!([{ "old": old, "new": new }]))
}

#[test]
fn all_edits_of_a_call_are_made_or_none() {
    let fixture = Fixture::new();
    let files = fixture.files();
    let text = "one\ntwo\nthree\nfour\ntwo\n";
    // Edits; the text afterwards.
    let made: [(Value, &str); 6] = [
        (json!([{ "old": "three", "new": "3" }]), "one\ntwo\n3\nfour\ntwo\n"),
        (
            json!([{ "old": "four", "new": "4" }, { "old": "one\n", "new": "" }]),
            "two\nthree\n4\ntwo\n",
        ),
        (json!([{ "old": "two", "new": "2", "all": true }]), "one\n2\nthree\nfour\n2\n"),
        (json!([{ "old": "two", "new": "2", "occurrence": 2 }]), "one\ntwo\nthree\nfour\n2\n"),
        (
            json!([{ "old": "one", "new": "two" }, { "old": "two\nthree", "new": "one" }]),
            "two\none\nfour\ntwo\n",
        ),
        (json!([{ "old": "one", "new": "$1 \\1 $&" }]), "$1 \\1 $&\ntwo\nthree\nfour\ntwo\n"),
    ];
    for (edits, after) in made {
        fixture.file("f", text);
        edit(&files, &edits).unwrap_or_else(|why| panic!("{edits}: {why}"));
        assert_eq!(fixture.text("f"), after, "{edits}");
    }
    fixture.file("f", text);
    let request = json!({ "path": "f", "edits": [{ "old": "two", "new": "2" }], "first": true });
    ask(&request, |request| files.edit(request)).unwrap();
    assert_eq!(fixture.text("f"), "one\n2\nthree\nfour\ntwo\n");
    let refused: [(Value, &str, Option<u32>); 9] = [
        (json!([{ "old": "", "new": "x" }]), code::INVALID_TEXT, Some(0)),
        (json!([{ "old": "two", "new": "2" }]), code::AMBIGUOUS, Some(0)),
        (
            json!([{ "old": "one", "new": "1" }, { "old": "five", "new": "5" }]),
            code::NO_MATCH,
            Some(1),
        ),
        (json!([{ "old": "one", "new": "one" }]), code::UNCHANGED, Some(0)),
        (json!([{ "old": "one\n", "new": "one\r\n" }]), code::UNCHANGED, Some(0)),
        (
            json!([{ "old": "one\ntwo", "new": "x" }, { "old": "two\nthree", "new": "y" }]),
            code::OVERLAP,
            None,
        ),
        (
            json!([{ "old": "three", "new": "x" }, { "old": "three", "new": "y" }]),
            code::OVERLAP,
            None,
        ),
        (json!([{ "old": "two", "new": "2", "occurrence": 3 }]), code::NO_MATCH, Some(0)),
        (
            json!([{ "old": "zwei und drei", "new": "three\nfour\ntwo" }]),
            code::ALREADY_APPLIED,
            Some(0),
        ),
    ];
    fixture.file("f", text);
    let files = fixture.files();
    for (edits, code, index) in refused {
        let refusal = edit(&files, &edits).unwrap_err();
        assert_eq!((refusal.code, refusal.edit), (code, index), "{edits}: {refusal}");
        assert_eq!(fixture.text("f"), text, "{edits}");
    }
    // Two that overlap are two.
    fixture.file("f", "aaa");
    assert_eq!(replace(&files, "aa", "b").unwrap_err().code, code::AMBIGUOUS);
}

#[test]
fn what_is_said_of_an_edit_is_where_it_is_now() {
    let fixture = Fixture::new();
    let files = fixture.files();
    fixture.file("f", "1\n2\n3\n4\n5\n6\n7\n8\n9\npassword = hunter2secret\n");
    let edits = json!([{ "old": "8\n", "new": "8a\n8b\n8c\n" }, { "old": "2\n3\n", "new": "x\n" }]);
    let answer = edit(&files, &edits).unwrap();
    let expected = json!([
        { "edit": 1, "line": 2, "removed": 2, "added": 1, "occurrences": 1, "taken": [], "snippet": "1\nx\n4\n5\n6\n", "snippetLine": 1 },
        { "edit": 0, "line": 7, "removed": 1, "added": 3, "occurrences": 1, "taken": [],
          "snippet": "5\n6\n7\n8a\n8b\n8c\n9\npassword = [REDACTED]\n", "snippetLine": 4 },
    ]);
    assert_eq!(answer["edits"], expected);
    assert_eq!(answer["bytes"], fixture.bytes("f").len());
}

#[test]
fn a_refusal_shows_the_nearest_place_and_what_differs() {
    let fixture = Fixture::new();
    let files = fixture.files();
    fixture.file("f", "fn a() {\n\tlet x = 1;\n}\n\nfn b() {\n\tlet y = 2;\n}\n");
    let refusal = replace(&files, "fn b() {\n    let y = 3;\n}", "x").unwrap_err();
    assert_eq!((refusal.code, &*refusal.lines), (code::NO_MATCH, &[5, 7][..]));
    let expected = "No edit: old text not found in f. Nearest is lines 5-7; first difference at your line 2 / file line 6:\n  \
                    yours: ····let·y·=·3;\n  file:  →let·y·=·2;\nThe file has there:\n2\t\tlet x = 1;\n3\t}\n4\t\n5\tfn b() {\n\
                    6\t\tlet y = 2;\n7\t}";
    assert_eq!(&*refusal.message, expected);
    let offered = "If this is the place, send this as the old text, and the new text made from it: \
                   \"fn b() {\\n\\tlet y = 2;\\n}\"";
    assert_eq!(refusal.hint.as_deref(), Some(offered));
    let refusal = replace(&files, "let z = 2;", "x").unwrap_err();
    assert_eq!(&*refusal.lines, [6, 6], "{refusal}");
    assert!(refusal.message.contains("Nearest is line 6;"), "{refusal}");
    assert!(replace(&files, "nothing at all is like this", "x").unwrap_err().lines.is_empty());
    let refusal = replace(&files, "fn", "x").unwrap_err();
    assert_eq!(&*refusal.message, "No edit: old text occurs 2 times in f (lines 1, 5)");
    // Secrets stay masked in what a refusal shows.
    fixture.file("f", "password = hunter2secret\nport = 80\n");
    let refusal = replace(&files, "password = hunter3secret\nport = 80", "x").unwrap_err();
    assert!(
        refusal.message.contains("[REDACTED]") && !refusal.message.contains("hunter2"),
        "{refusal}"
    );
}

#[test]
fn a_file_that_changed_is_edited_where_the_text_is_still_there_once() {
    let fixture = Fixture::new();
    let files = fixture.files();
    fixture.file("f", "one\ntwo\nthree\n");
    ask(&json!({ "path": "f" }), |request| files.read(request)).unwrap();
    fixture.file("f", "one\nzwei\nthree\n");
    let refusal = replace(&files, "two", "2").unwrap_err();
    assert_eq!((refusal.code, &*refusal.lines), (code::CHANGED_ON_DISK, &[2, 2][..]));
    assert!(refusal.message.ends_with("Current line 2:\n2\tzwei"), "{refusal}");
    replace(&files, "three", "3").unwrap();
    assert_eq!(fixture.text("f"), "one\nzwei\n3\n");
}

#[test]
fn line_ends_count_as_equal_and_are_kept() {
    let fixture = Fixture::new();
    let files = fixture.files();
    // File, old, new, file afterwards.
    let cases: [(&str, &str, &str, &str); 8] = [
        ("a\r\nb\r\nc\r\n", "a\nb", "a\nx\nb", "a\r\nx\r\nb\r\nc\r\n"),
        ("a\r\nb\r\n", "a\r\nb", "x\ny", "x\r\ny\r\n"),
        ("a\nb\n", "a\r\nb", "x\r\ny", "x\ny\n"),
        ("a\r\nb\nc\n", "b", "b\nd", "a\r\nb\nd\nc\n"),
        ("a\nb\r\nc\n", "a\nb\nc", "a\nB\nc", "a\nB\r\nc\n"),
        ("a\r\nb", "b", "b\nc", "a\r\nb\r\nc"),
        ("ab", "ab", "a\r\nb", "a\r\nb"),
        ("é\r\n日本\r\n", "日本", "日\n本", "é\r\n日\r\n本\r\n"),
    ];
    for (before, old, new, after) in cases {
        fixture.file("f", before);
        replace(&files, old, new).unwrap_or_else(|why| panic!("{before:?}: {why}"));
        assert_eq!(fixture.text("f"), after, "{before:?}");
    }
    let bom = [b"\xef\xbb\xbf".as_slice(), b"a\r\nb"].concat();
    fixture.file("f", &bom);
    replace(&files, "b", "c").unwrap();
    assert_eq!(fixture.bytes("f"), b"\xef\xbb\xbfa\r\nc");
    fixture.file("f", b"a\0b");
    assert_eq!(replace(&files, "a", "b").unwrap_err().code, code::NOT_EDITABLE);
}

#[test]
fn what_is_said_of_many_places_in_long_lines_is_bounded() {
    let fixture = Fixture::new();
    let files = fixture.files();
    // The file, its lines, and how many places.
    let long = "é = 1; ".repeat(1_000);
    let cases = [(long.clone(), 1), (format!("{long}\n").repeat(3), 3), ("\n= \n".repeat(50), 0)];
    for (text, lines) in cases {
        fixture.file("f", &text);
        let answer = edit(&files, &json!([{ "old": "= ", "new": "== ", "all": true }])).unwrap();
        let places = answer["edits"].as_array().unwrap();
        let count = text.matches("= ").count();
        assert_eq!((&answer["places"], places.len()), (&json!(count), count.min(100)));
        for (index, place) in places.iter().enumerate() {
            let snippet = place["snippet"].as_str().unwrap();
            assert_eq!(snippet.is_empty(), index >= 10);
            assert!(snippet.len() <= 2_200, "{}", snippet.len());
            assert!(index >= 10 || snippet.contains("== "), "{snippet}");
            let line = if lines == 0 { 2 * (index + 1) } else { index / 1_000 + 1 };
            assert_eq!(place["line"], line);
        }
        assert!(answer.to_string().len() < 10 * 2_600 + places.len() * 120);
    }
    fixture.file("f", &long);
    let answer = edit(&files, &json!([{ "old": "1", "new": "one", "occurrence": 500 }])).unwrap();
    let snippet = answer["edits"][0]["snippet"].as_str().unwrap();
    assert!(snippet.starts_with("…(3") && snippet.ends_with(" bytes)…"), "{snippet}");
    assert_eq!(snippet.matches("one").count(), 1);
    // Nothing becomes so large that it cannot be read.
    let big = "x".repeat(20_000);
    let refusal = edit(&files, &json!([{ "old": ";", "new": big, "all": true }])).unwrap_err();
    assert_eq!(refusal.code, code::TOO_LARGE);
}

#[test]
fn a_call_has_at_most_a_hundred_edits() {
    let fixture = Fixture::new();
    let files = fixture.files();
    let line = |number: usize| format!("<{number}>\n");
    let text: String = (100..201).map(line).collect();
    let edits = |count: usize| -> Value {
        (100..100 + count)
            .map(|number| json!({ "old": format!("<{number}>"), "new": "x" }))
            .collect()
    };
    fixture.file("f", &text);
    let request = json!({ "path": "f", "edits": edits(101) });
    let wrong = files.call("edit", &request.to_string()).unwrap_err();
    assert_eq!(wrong.message, "Expected `edits` to have at most 100 entries, got 101");
    assert_eq!(fixture.text("f"), text);
    assert_eq!(edit(&files, &edits(100)).unwrap()["edits"].as_array().unwrap().len(), 100);
}

#[test]
fn edits_at_the_same_time_are_all_made() {
    let fixture = Fixture::new();
    let files = fixture.files();
    let text = (0..16).fold(String::new(), |mut text, number| {
        let _ = writeln!(text, "line <{number}>");
        text
    });
    fixture.file("f", &text);
    std::thread::scope(|scope| {
        for number in 0..16 {
            let files = &files;
            scope.spawn(move || replace(files, &format!("<{number}>"), "done").unwrap());
        }
    });
    assert_eq!(fixture.text("f"), "line done\n".repeat(16));
}

/// The tools of two sessions, or of two agents, work on one file.
#[test]
fn edits_through_several_tools_at_the_same_time_are_all_made() {
    let fixture = Fixture::new();
    let line = |number: usize| format!("line <{number}>\n");
    fixture.file("f", (0..64).map(line).collect::<String>());
    std::thread::scope(|scope| {
        for number in 0..4 {
            let files = fixture.files();
            scope.spawn(move || {
                for at in (number..64).step_by(4) {
                    replace(&files, &format!("<{at}>"), "done").unwrap();
                }
            });
        }
    });
    assert_eq!(fixture.text("f"), "line done\n".repeat(64));
}

#[test]
fn a_text_with_nul_is_not_written() {
    let fixture = Fixture::new();
    let files = fixture.files();
    fixture.file("f", "one\n");
    let write = |path: &str, content: &str| {
        let request = json!({ "path": path, "content": content, "overwrite": "always" });
        ask(&request, |request| files.write(request)).unwrap_err()
    };
    for refusal in [
        replace(&files, "one", "a\0b").unwrap_err(),
        write("f", "a\n\0"),
        write("new", "\0"),
        write("new", &format!("{}\0", "x".repeat(9_000))),
    ] {
        assert_eq!(refusal.code, code::INVALID_TEXT, "{refusal}");
        assert!(refusal.message.contains("NUL") && refusal.hint.is_some(), "{refusal}");
    }
    assert_eq!(fixture.text("f"), "one\n");
    assert!(!fixture.path("new").exists());
}

/// Texts of pieces that are hard to tell apart, and hard to cut.
fn pieces() -> impl Strategy<Value = Vec<&'static str>> {
    let piece = prop::sample::select(vec![
        "a",
        "b",
        " ",
        "\t",
        "\n",
        "\r\n",
        "\r",
        "é",
        "e\u{301}",
        "日",
        "😀",
        "$1",
        "[REDACTED]",
        "x = 1\n",
        "\u{feff}",
    ]);
    prop::collection::vec(piece, 0..24)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    /// Outside of what was replaced every byte stays, and inside stands the new text.
    #[test]
    fn untouched_bytes_stay(text in pieces(), from in 0..24_usize, length in 1..6_usize, new in pieces()) {
        let fixture = Fixture::new();
        let files = fixture.files();
        let from = from.min(text.len());
        let to = (from + length).min(text.len());
        let (before, old, after) = (text[..from].concat(), text[from..to].concat(), text[to..].concat());
        let new = new.concat();
        // A CR before a CRLF: taking one of two away leaves the other.
        prop_assume!(!new.contains("\r\r\n"));
        // A byte order mark at the start is the file's, and no part of the text.
        prop_assume!(!(before.is_empty() && old.starts_with('\u{feff}')));
        let whole = text.concat();
        fixture.file("f", &whole);
        if replace(&files, &old, &new).is_err() {
            prop_assert_eq!(fixture.text("f"), whole);
            return Ok(());
        }
        let now = fixture.text("f");
        // A CRLF that was cut in two is one for the text that is matched.
        let is_cut = |a: &str, b: &str| a.ends_with('\r') && b.starts_with('\n');
        if !is_cut(&before, &old) && !is_cut(&old, &after) {
            prop_assert!(now.starts_with(&before) && now.ends_with(&after), "{:?} -> {:?}", whole, now);
            let inside = now[before.len()..now.len() - after.len()].replace("\r\n", "\n");
            prop_assert_eq!(inside, new.replace("\r\n", "\n"));
        }
    }

    /// No string makes the tools fail otherwise than by a refusal.
    #[test]
    fn any_path_is_answered(path in "\\PC{0,40}|[./~a\\x00-\\x1f]{0,20}") {
        let fixture = Fixture::new();
        let files = fixture.files();
        let _ = ask(&json!({ "path": path }), |request| files.read(request));
        let _ = ask(&json!({ "path": path }), |request| files.list(request));
        let _ = ask(&json!({ "path": path, "content": "" }), |request| files.write(request));
        let _ = edit(&files, &json!([{ "old": path, "new": path }]));
    }
}
