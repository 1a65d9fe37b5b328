//! A change that is sent again is made once.

use handrail_files::{Files, Refusal, code};
use serde_json::{Value, json};

use crate::fixture::{Fixture, ask};

fn edit(files: &Files, edit: &Value) -> Result<Value, Refusal> {
    let mut edit = edit.clone();
    // `first` is an argument of the call.
    let first = edit.as_object_mut().unwrap().remove("first").unwrap_or(Value::Bool(false));
    let request = json!({ "path": "f", "edits": [edit], "first": first });
    ask(&request, |request| files.edit(request))
}

fn patch(files: &Files, lines: &str) -> Result<Value, Refusal> {
    let patch = format!("*** Begin Patch\n*** Update File: f\n{lines}*** End Patch\n");
    ask(&json!({ "patch": patch }), |request| files.patch(request))
}

#[test]
fn an_edit_of_which_the_old_text_is_a_part_is_made_once() {
    // The file, the edit, and the line that it is on; all of them land first.
    let cases = [
        ("timeout: 30\n", json!({ "old": "timeout: 30", "new": "timeout: 300" }), 1),
        ("timeout: 30\n", json!({ "old": "30", "new": "300" }), 1),
        ("timeout: 30\n", json!({ "old": "0\n", "new": "00\n" }), 1),
        ("a\nimport b\nc\n", json!({ "old": "import b\n", "new": "import b\nimport d\n" }), 2),
        ("a\nimport b\nc\n", json!({ "old": "import b\n", "new": "import a\nimport b\n" }), 3),
        ("a\r\nb\r\nc\r\n", json!({ "old": "b\n", "new": "b\nd\n" }), 2),
        ("x = f(1)\ny = f(2)\n", json!({ "old": "f(", "new": "g.f(", "all": true }), 1),
        ("x = f(1)\ny = f(2)\n", json!({ "old": "f(", "new": "g.f(", "first": true }), 1),
        ("x = f(1)\ny = f(2)\n", json!({ "old": "f(", "new": "g.f(", "occurrence": 2 }), 2),
        (
            "password = f1rst5ecret9\nend\n",
            json!({ "old": "[REDACTED]\n", "new": "[REDACTED]\n# kept\n" }),
            1,
        ),
    ];
    for (text, change, line) in cases {
        let fixture = Fixture::new();
        let files = fixture.files();
        fixture.file("f", text);
        edit(&files, &change).unwrap_or_else(|why| panic!("{change}: {why}"));
        let once = fixture.text("f");
        assert_ne!(once, text);
        let refusal = edit(&files, &change).expect_err(&once);
        assert_eq!(
            (refusal.code, &*refusal.lines),
            (code::ALREADY_APPLIED, &[line][..]),
            "{change}: {refusal}"
        );
        assert!(refusal.hint.unwrap().contains("name more of the text around it"));
        assert_eq!(fixture.text("f"), once);
        // Without the guard it would be made again.
        let (old, new) = (change["old"].as_str().unwrap(), change["new"].as_str().unwrap());
        let shown = once.replace("\r\n", "\n").replace("f1rst5ecret9", "[REDACTED]");
        assert_ne!(shown.replacen(old, new, 1), shown);
    }
}

#[test]
fn an_edit_that_only_looks_repeated_lands() {
    let cases = [
        // The file, the edit, the file afterwards.
        (
            "limit: 300\ntimeout: 30\n",
            json!({ "old": "timeout: 30", "new": "timeout: 300" }),
            "limit: 300\ntimeout: 300\n",
        ),
        (
            "foo()\nend\n",
            json!({ "old": "foo()\n", "new": "foo()\nfoo()\n" }),
            "foo()\nfoo()\nend\n",
        ),
        ("aa\n", json!({ "old": "a", "new": "ab", "all": true }), "abab\n"),
        // Some are as they would be: what is meant is every one.
        (
            r"C:\dir \\server",
            json!({ "old": r"\", "new": r"\\", "all": true }),
            r"C:\\dir \\\\server",
        ),
        (
            "timeout: 300\n",
            json!({ "old": "timeout: 300", "new": "timeout: 3000" }),
            "timeout: 3000\n",
        ),
        // With more of the text around it.
        (
            "timeout: 300\n",
            json!({ "old": "timeout: 300\n", "new": "timeout: 3000\n" }),
            "timeout: 3000\n",
        ),
    ];
    for (text, change, after) in cases {
        let fixture = Fixture::new();
        let files = fixture.files();
        fixture.file("f", text);
        edit(&files, &change).unwrap_or_else(|why| panic!("{change}: {why}"));
        assert_eq!(fixture.text("f"), after, "{change}");
    }
}

#[test]
fn a_hunk_that_only_adds_is_applied_once() {
    let cases = [
        ("a\nb\n", "@@\n b\n+c\n"),
        ("a\nb\n", "@@\n+c\n a\n"),
        ("a\nb\n", "@@\n-b\n+b\n+c\n"),
        ("a\nb", "@@\n b\n+c\n"),
        ("fn f() {\n    a();\n}\n", "@@ fn f() {\n+    first_of_all();\n"),
        ("a\n", "@@\n+export default app;\n*** End of File\n"),
    ];
    for (text, lines) in cases {
        let fixture = Fixture::new();
        let files = fixture.files();
        fixture.file("f", text);
        patch(&files, lines).unwrap_or_else(|why| panic!("{lines}: {why}"));
        let once = fixture.text("f");
        assert_ne!(once, text);
        let refusal = patch(&files, lines).expect_err(&once);
        assert_eq!(refusal.code, code::ALREADY_APPLIED, "{lines}: {refusal}");
        assert_eq!(fixture.text("f"), once);
    }
    // A line that goes on differently is another, and a short one may be meant twice.
    let honest = [
        ("a\nbc\n", "@@\n a\n+b\n", "a\nb\nbc\n"),
        ("{\n}\n", "@@\n+}\n*** End of File\n", "{\n}\n}\n"),
    ];
    for (text, lines, after) in honest {
        let fixture = Fixture::new();
        let files = fixture.files();
        fixture.file("f", text);
        patch(&files, lines).unwrap_or_else(|why| panic!("{lines}: {why}"));
        assert_eq!(fixture.text("f"), after, "{lines}");
    }
}

/// A replacement in very many places is told in few words.
#[test]
fn an_answer_names_some_of_many_places_and_counts_all() {
    const PLACES: usize = 1_000_000;
    let fixture = Fixture::new();
    let files = fixture.files();
    fixture.file("f", "ab\n".repeat(PLACES));
    let answer = edit(&files, &json!({ "old": "b", "new": "c", "all": true })).unwrap();
    assert_eq!(
        (&answer["places"], answer["edits"].as_array().unwrap().len()),
        (&json!(PLACES), 100)
    );
    assert!(answer.to_string().len() < 40_000, "{}", answer.to_string().len());
    assert_eq!(fixture.text("f"), "ac\n".repeat(PLACES));
    // The hunks of a patch as well, all files together.
    let lines = |line: &dyn Fn(usize) -> String| (0..150).map(line).collect::<String>();
    let text = lines(&|number| format!("keep {number}\nline {number}\n"));
    let hunks = lines(&|number| format!("@@\n-line {number}\n+more {number}\n"));
    fixture.file("f", &text).file("g", &text);
    let answer = patch(&files, &format!("{hunks}*** Update File: g\n{hunks}")).unwrap();
    let told = |file: usize| {
        (
            answer["files"][file]["places"].clone(),
            answer["files"][file]["edits"].as_array().unwrap().len(),
        )
    };
    assert_eq!((told(0), told(1)), ((json!(150), 100), (json!(150), 0)));
}
