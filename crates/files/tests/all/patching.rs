//! Patches of several files.

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::PermissionsExt;

use handrail_files::{Files, Refusal, code};
use proptest::prelude::*;
use serde_json::{Value, json};
use similar::udiff::UnifiedDiffHunk;
use similar::{ChangeTag, TextDiff};

use crate::fixture::{Fixture, ask};

pub(crate) fn patch(files: &Files, patch: &str) -> Result<Value, Refusal> {
    ask(&json!({ "patch": patch, "overwrite": "always" }), |request| files.patch(request))
}

pub(crate) fn envelope(body: &str) -> String {
    format!("*** Begin Patch\n{body}*** End Patch\n")
}

/// Every file of the root with its content.
pub(crate) fn tree(fixture: &Fixture) -> BTreeMap<String, Vec<u8>> {
    fn walk(
        folder: &std::path::Path,
        root: &std::path::Path,
        tree: &mut BTreeMap<String, Vec<u8>>,
    ) {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            let name = path.strip_prefix(root).unwrap().to_string_lossy().into_owned();
            if path.is_symlink() {
                tree.insert(name, b"link".to_vec());
            } else if path.is_dir() {
                tree.insert(format!("{name}/"), Vec::new());
                walk(&path, root, tree);
            } else {
                tree.insert(name, fs::read(&path).unwrap());
            }
        }
    }
    let mut found = BTreeMap::new();
    walk(&fixture.root(), &fixture.root(), &mut found);
    found
}

#[test]
fn one_patch_adds_updates_moves_and_removes() {
    let git = "diff --git a/keep.txt b/keep.txt\nindex 1..2 100644\n--- a/keep.txt\n+++ b/keep.txt\n@@ -1,2 +1,2 @@\n one\n-two\n+2\n\
               diff --git a/old.txt b/new/name.txt\nsimilarity index 90%\nrename from old.txt\nrename to new/name.txt\n--- a/old.txt\n+++ b/new/name.txt\n@@ -1 +1,2 @@\n x\n+y\n\
               diff --git a/gone.txt b/gone.txt\ndeleted file mode 100644\n--- a/gone.txt\n+++ /dev/null\n@@ -1 +0,0 @@\n-bye\n\
               diff --git a/new/run.sh b/new/run.sh\nnew file mode 100755\n--- /dev/null\n+++ b/new/run.sh\n@@ -0,0 +1 @@\n+echo\n";
    let own = envelope(
        "*** Update File: keep.txt\n@@\n one\n-two\n+2\n\
         *** Update File: old.txt\n*** Move to: new/name.txt\n@@\n x\n+y\n\
         *** Delete File: gone.txt\n\
         *** Add File: new/run.sh\n+echo\n",
    );
    for (form, text) in
        [("git", git.to_owned()), ("envelope", own), ("crlf", git.replace('\n', "\r\n"))]
    {
        let fixture = Fixture::new();
        let files = fixture.files();
        fixture.file("keep.txt", "one\ntwo\n").file("old.txt", "x\n").file("gone.txt", "bye\n");
        fs::set_permissions(fixture.path("old.txt"), fs::Permissions::from_mode(0o640)).unwrap();
        let tried =
            ask(&json!({ "patch": text, "dryRun": true, "overwrite": "always" }), |request| {
                files.patch(request)
            })
            .unwrap();
        assert_eq!(tree(&fixture).len(), 3, "{form}: only tried");
        let answer = patch(&files, &text).unwrap_or_else(|why| panic!("{form}: {why}"));
        let mut done = answer["files"].clone();
        for file in done.as_array_mut().unwrap() {
            file.as_object_mut().unwrap().remove("version");
        }
        assert_eq!((&tried["files"], &tried["dryRun"]), (&done, &json!(true)));
        let said: Vec<Value> = answer["files"]
            .as_array()
            .unwrap()
            .iter()
            .map(|file| {
                json!([
                    file["operation"],
                    file["path"],
                    file["from"],
                    file["bytes"],
                    file["added"],
                    file["removed"]
                ])
            })
            .collect();
        let expected = json!([
            ["update", "keep.txt", null, 6, 1, 1],
            ["move", "new/name.txt", "old.txt", 4, 1, 0],
            ["delete", "gone.txt", null, 0, 0, 1],
            ["add", "new/run.sh", null, 5, 1, 0],
        ]);
        assert_eq!(json!(said), expected, "{form}");
        assert_eq!(answer["files"][0]["edits"][0]["line"], 2);
        let left: BTreeMap<String, Vec<u8>> = [
            ("keep.txt", "one\n2\n"),
            ("new/", ""),
            ("new/name.txt", "x\ny\n"),
            ("new/run.sh", "echo\n"),
        ]
        .map(|(name, text)| (name.to_owned(), text.as_bytes().to_vec()))
        .into();
        assert_eq!(tree(&fixture), left, "{form}");
        let mode =
            |name: &str| fs::metadata(fixture.path(name)).unwrap().permissions().mode() & 0o777;
        assert_eq!(mode("new/name.txt"), 0o640);
        assert_eq!(mode("new/run.sh") & 0o100, if form == "envelope" { 0 } else { 0o100 });
    }
}

#[test]
fn a_hunk_is_found_by_its_lines_once() {
    let text = "def a():\n    x = 1\n    return x\n\ndef b():\n    x = 1\n    return x\n\nend\n";
    // Hunks; the text afterwards, or why not.
    let cases: [(&str, Result<String, &str>); 14] = [
        ("@@\n end\n+more\n", Ok(format!("{text}more\n"))),
        ("@@\n-    x = 1\n+    x = 2\n", Err(code::AMBIGUOUS)),
        (
            "@@ def b():\n-    x = 1\n+    x = 2\n",
            Ok(text.replacen("b():\n    x = 1", "b():\n    x = 2", 1)),
        ),
        // A number chooses among places with the same lines, and makes none.
        (
            "@@ -6,1 +6,1 @@\n-    x = 1\n+    x = 2\n",
            Ok(text.replacen("b():\n    x = 1", "b():\n    x = 2", 1)),
        ),
        ("@@ -5,1 +5,1 @@\n-    x = 1\n+    x = 2\n", Err(code::AMBIGUOUS)),
        ("@@ -2,1 +2,1 @@\n-end\n+the end\n", Ok(text.replace("end\n", "the end\n"))),
        ("@@ -2,1 +2,1 @@\n-    x = 2\n+    x = 3\n", Err(code::NO_MATCH)),
        // A line below which there is another text is no licence.
        ("@@ def a():\n-end\n+the end\n", Err(code::NO_MATCH)),
        ("@@ def c():\n-    x = 1\n+    x = 2\n", Err(code::NO_MATCH)),
        // What only adds has to say where.
        ("@@\n+more\n", Err(code::NO_MATCH)),
        ("@@ def b():\n+    y = 2\n", Ok(text.replace("b():\n", "b():\n    y = 2\n"))),
        ("@@\n+more\n*** End of File\n", Ok(format!("{text}more\n"))),
        ("@@\n-    return x\n+    return 1\n*** End of File\n", Err(code::NO_MATCH)),
        ("@@\n end\n", Err(code::UNCHANGED)),
    ];
    for (hunks, expected) in cases {
        let fixture = Fixture::new();
        fixture.file("f", text);
        let result = patch(&fixture.files(), &envelope(&format!("*** Update File: f\n{hunks}")));
        let result = result.map(|_| fixture.text("f")).map_err(|why| why.code);
        assert_eq!(result, expected, "{hunks}");
    }
}

/// A line after `@@` stands for what is its own, however the file is laid out; never for what comes after that.
#[test]
fn a_hunk_below_a_line_is_not_found_in_what_follows_it() {
    let c = "int f()\n{\n  q;\n}\nint g()\n{\n  x;\n}\n";
    let toml = "[a]\nx = 1\n\n[b]\nx = 2\ny = 3\n";
    let python = "def f(): pass\ndef g():\n  x\n\ndef h():\n  y\n";
    // File, hunks; the text afterwards, or why not.
    let cases: [(&str, &str, Result<String, &str>); 14] = [
        (c, "@@ int f()\n-  x;\n+  y;\n", Err(code::NO_MATCH)),
        (c, "@@ int f()\n-  q;\n+  y;\n", Ok(c.replace('q', "y"))),
        (c, "@@ int g()\n-  x;\n+  y;\n", Ok(c.replace('x', "y"))),
        (c, "@@ int g()\n {\n-  x;\n+  y;\n", Ok(c.replace('x', "y"))),
        (toml, "@@ [a]\n-y = 3\n+y = 4\n", Err(code::NO_MATCH)),
        (toml, "@@ [a]\n-x = 2\n+x = 3\n", Err(code::NO_MATCH)),
        (toml, "@@ [a]\n-x = 1\n+x = 3\n", Ok(toml.replace("x = 1", "x = 3"))),
        (toml, "@@ [b]\n x = 2\n-y = 3\n+y = 4\n", Ok(toml.replace('3', "4"))),
        (python, "@@ def f(): pass\n-  x\n+  z\n", Err(code::NO_MATCH)),
        (python, "@@ def f():\n-  y\n+  z\n", Err(code::NO_MATCH)),
        (python, "@@ def g():\n+  z\n*** End of File\n", Err(code::NO_MATCH)),
        (python, "@@ def h():\n+  z\n*** End of File\n", Ok(format!("{python}  z\n"))),
        (python, "@@ def h():\n-  y\n+  z\n*** End of File\n", Ok(python.replace('y', "z"))),
        ("def f():\n", "@@ def f():\n+  x\n", Ok("def f():\n  x\n".into())),
    ];
    for (text, hunks, expected) in cases {
        let fixture = Fixture::new();
        fixture.file("f", text);
        let result = patch(&fixture.files(), &envelope(&format!("*** Update File: f\n{hunks}")));
        if let Err(refusal) = &result {
            assert!(refusal.hint.is_some(), "{refusal}");
        }
        let result = result.map(|_| fixture.text("f")).map_err(|why| why.code);
        assert_eq!(result, expected, "{text}{hunks}");
    }
}

#[test]
fn a_file_is_removed_with_its_byte_order_mark() {
    for (content, patched) in [
        (&b"\xef\xbb\xbfa\n"[..], "-\u{feff}a\n"),
        (b"\xef\xbb\xbfa\n", "-a\n"),
        (b"\xff\xfea\0\n\0", "-a\n"),
    ] {
        let fixture = Fixture::new();
        fixture.file("f", content);
        let text = format!("--- a/f\n+++ /dev/null\n@@ -1 +0,0 @@\n{patched}");
        let answer =
            patch(&fixture.files(), &text).unwrap_or_else(|why| panic!("{patched}: {why}"));
        assert_eq!(answer["files"][0]["removed"], 1);
        assert!(tree(&fixture).is_empty(), "{patched}");
        let further = [content, b"b\n"].concat();
        fixture.file("f", &further);
        assert_eq!(patch(&fixture.files(), &text).unwrap_err().code, code::NO_MATCH, "{patched}");
        assert_eq!(fixture.bytes("f"), further);
    }
}

#[test]
fn a_refusal_names_the_hunk_and_shows_what_is_there() {
    let fixture = Fixture::new();
    let files = fixture.files();
    fixture.file("a", "1\n2\n").file("src/b.ts", "fn a() {\n\tlet x = 1;\n\tlet y = 2;\n}\nend\n");
    let before = tree(&fixture);
    let text = envelope(
        "*** Update File: a\n@@\n-1\n+one\n\
         *** Update File: src/b.ts\n@@\n-end\n+END\n@@\n fn a() {\n+\tnew();\n \tlet x = 1;\n-\tlet z = 2;\n",
    );
    let refusal = patch(&files, &text).unwrap_err();
    assert_eq!(
        (refusal.code, refusal.edit, &*refusal.lines),
        (code::NO_MATCH, Some(1), &[1, 3][..])
    );
    assert_eq!(
        &*refusal.message,
        "Patch not applied (0 of 2 files). src/b.ts hunk 2: old text not found in src/b.ts. Nearest is lines 1-3; first difference at \
         hunk line 4 / file line 3:\n  yours: →let·z·=·2;\n  file:  →let·y·=·2;\nThe file has there:\n1\tfn a() {\n2\t\tlet x = 1;\n\
         3\t\tlet y = 2;\n4\t}\n5\tend"
    );
    assert_eq!(tree(&fixture), before);
    let twice = envelope("*** Update File: a\n@@\n-1\n+one\n@@\n-1\n+uno\n");
    let refusal = patch(&files, &twice).unwrap_err();
    assert_eq!(
        &*refusal.message,
        "Patch not applied (0 of 1 file). a: hunks 1 and 2 overlap at line 1"
    );
    let done =
        envelope("*** Update File: src/b.ts\n@@\n-\tlet x = 0;\n+\tlet x = 1;\n+\tlet y = 2;\n");
    assert_eq!(patch(&files, &done).unwrap_err().code, code::ALREADY_APPLIED);
    assert_eq!(tree(&fixture), before);
}

#[test]
fn masks_stand_for_what_they_hide_and_go_nowhere_else() {
    let text = "name = demo\npassword = hunter2secret\nurl = x\n";
    let keep = "password = [REDACTED]";
    // Hunks; the text afterwards, or that it is refused.
    let cases: [(String, Option<String>); 7] = [
        (
            format!("@@\n name = demo\n {keep}\n-url = x\n+url = y\n"),
            Some(text.replace("= x", "= y")),
        ),
        (
            format!("@@\n-name = demo\n-{keep}\n+name = a\n+{keep} # mine\n"),
            Some("name = a\npassword = hunter2secret # mine\nurl = x\n".into()),
        ),
        (format!("@@\n-{keep}\n"), Some("name = demo\nurl = x\n".into())),
        (format!("@@\n-{keep}\n+shown = [REDACTED]\n"), None),
        (format!("@@\n url = x\n+{keep}\n"), None),
        ("@@\n-name = demo\n+name = [REDACTED]\n".into(), None),
        ("@@\n-password = hunter2secret\n+password = x\n".into(), None),
    ];
    for (hunks, expected) in cases {
        let fixture = Fixture::new();
        fixture.file("f", text);
        let result = patch(&fixture.files(), &envelope(&format!("*** Update File: f\n{hunks}")));
        assert_eq!(result.is_ok(), expected.is_some(), "{hunks} {result:?}");
        assert_eq!(fixture.text("f"), expected.unwrap_or_else(|| text.into()), "{hunks}");
        if let Err(refusal) = result {
            assert!(!refusal.to_string().contains("hunter2"), "{refusal}");
        }
    }
    let fixture = Fixture::new();
    fixture.file("f", text);
    let files = fixture.files();
    assert_eq!(
        patch(&files, &envelope(&format!("*** Add File: g\n+{keep}\n"))).unwrap_err().code,
        code::MASK_IN_TEXT
    );
    patch(&files, &envelope("*** Update File: f\n*** Move to: g\n@@\n-name = demo\n+name = g\n"))
        .unwrap();
    assert_eq!(fixture.text("g"), text.replace("demo", "g"));
}

#[test]
fn line_ends_the_mark_and_the_end_of_the_file_stay() {
    // File, hunks, file afterwards.
    let cases: [(&str, &str, &str); 20] = [
        ("a\r\nb\r\nc\r\n", "@@\n a\n-b\n+x\n+y\n c\n", "a\r\nx\r\ny\r\nc\r\n"),
        ("a\nb\r\nc\nd\n", "@@\n-a\n+A\n b\n-c\n+C\n d\n", "A\nb\r\nC\nd\n"),
        ("\u{feff}a\r\nb", "@@\n-b\n+c\n", "\u{feff}a\r\nc"),
        ("a\nb", "@@\n b\n+c\n", "a\nb\nc"),
        ("a\nb", "@@\n-b\n+c\n+d\n", "a\nc\nd"),
        ("a\nb", "@@\n a\n-b\n", "a\n"),
        ("a\nb", "@@\n-b\n\\ No newline at end of file\n+b\n", "a\nb\n"),
        ("a\nb\n", "@@\n-b\n+b\n\\ No newline at end of file\n", "a\nb"),
        ("a\nb\n", "@@\n a\n+c\n\\ No newline at end of file\n", "a\nc\nb\n"),
        ("", "@@\n+a\n+b\n", "a\nb\n"),
        ("a\n\n\nb\n", "@@\n a\n\n-\n b\n\n", "a\n\nb\n"),
        ("\u{feff}a\nb\n", "@@\n-\u{feff}a\n+\u{feff}c\n b\n", "\u{feff}c\nb\n"),
        ("\u{feff}a\nb\n", "@@\n \u{feff}a\n-b\n+c\n", "\u{feff}a\nc\n"),
        ("\u{feff}a\nb\n", "@@\n+\u{feff}c\n-\u{feff}a\n b\n", "\u{feff}c\nb\n"),
        ("a\n\u{feff}b\n", "@@\n-\u{feff}b\n+\u{feff}c\n", "a\n\u{feff}c\n"),
        ("a\nb\n", "@@\n-a\n+\u{feff}a\n", "\u{feff}a\nb\n"),
        // Blank lines without a sign are there for the eye, those with one are the file's.
        ("x\na\n\nx\nb\n", "@@\n-x\n+y\n b\n\n", "x\na\n\ny\nb\n"),
        ("x\na\nx\n\n", "@@\n-x\n+y\n \n", "x\na\ny\n\n"),
        ("a\n\nb\n\n", "@@ b\n+x\n \n", "a\n\nb\nx\n\n"),
        ("--- x\n+++ y\nz\n", "@@ -1,3 +1,1 @@\n---- x\n-+++ y\n z\n", "z\n"),
    ];
    for (before, hunks, after) in cases {
        let fixture = Fixture::new();
        fixture.file("f", before);
        patch(&fixture.files(), &envelope(&format!("*** Update File: f\n{hunks}")))
            .unwrap_or_else(|why| panic!("{before:?} {hunks}: {why}"));
        assert_eq!(fixture.text("f"), after, "{before:?} {hunks}");
    }
}

fn texts() -> impl Strategy<Value = (String, String)> {
    let line = prop_oneof![
        4 => "[a-c]{1,2}",
        1 => Just(String::new()),
        1 => "[-+@ *\\\\]{1,3} ?[a-c]?",
        1 => "-- [ab]",
        1 => "\\+\\+ [ab]",
    ];
    let change = prop_oneof![
        6 => Just(None),
        1 => Just(Some(Vec::new())),
        2 => prop::collection::vec("[a-d]{1,2}|-- x|\\+\\+ x", 1..3).prop_map(Some),
    ];
    let lines = prop::collection::vec((line, change), 1..40);
    (lines, any::<[bool; 3]>()).prop_map(|(lines, [ends, ends_after, crlf])| {
        let end = if crlf { "\r\n" } else { "\n" };
        let old: Vec<&str> = lines.iter().map(|(line, _)| line.as_str()).collect();
        let new: Vec<&str> = lines
            .iter()
            .flat_map(|(line, change)| match change {
                None => vec![line.as_str()],
                Some(new) => new.iter().map(String::as_str).collect(),
            })
            .collect();
        let text = |lines: &[&str], ends: bool| {
            let text = lines.join(end);
            if ends && !lines.is_empty() { text + end } else { text }
        };
        (text(&old, ends), text(&new, ends_after))
    })
}

/// The lines that a hunk leaves, without CR and the last line end.
fn made_lines(hunk: &UnifiedDiffHunk<'_, '_, '_, str>) -> String {
    let kept = hunk.iter_changes().filter(|change| change.tag() != ChangeTag::Delete);
    let lines: Vec<&str> =
        kept.map(|change| change.value().trim_end_matches(['\r', '\n'])).collect();
    lines.join("\n")
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 150, ..ProptestConfig::default() })]

    /// A unified diff of two texts makes the one into the other, unless the lines that a hunk makes stand there already, as among
    /// equal lines; cut off after any line it does so or nothing, and damaged in any place it leaves the other file of the patch
    /// as it is unless it is applied.
    #[test]
    fn a_diff_makes_exactly_the_new_file((old, new) in texts(), context in 1..4_usize, at in any::<prop::sample::Index>(), byte in any::<u8>()) {
        let fixture = Fixture::new();
        let files = fixture.files();
        let diff = TextDiff::from_lines(&old, &new);
        let mut diff = diff.unified_diff();
        let made: Vec<String> = diff.context_radius(context).iter_hunks().map(|hunk| made_lines(&hunk)).collect();
        let diff = diff.header("a/f", "b/f").to_string();
        fixture.file("f", &old).file("z", "z\n");
        if diff.is_empty() {
            return Ok(());
        }
        let both = format!("--- a/z\n+++ b/z\n@@ -1 +1 @@\n-z\n+Z\n{diff}");
        let before = tree(&fixture);
        let lines: Vec<&str> = both.split_inclusive('\n').collect();
        for end in 5..lines.len() {
            let cut = lines[..end].concat();
            // A diff may end after a hunk as well as after the last.
            let is_whole = end == 5 || lines[end].starts_with("@@ ") || lines[end].starts_with('\\');
            let result = ask(&json!({ "patch": cut, "dryRun": true }), |request| files.patch(request));
            prop_assert!(is_whole || result.is_err(), "{cut}");
        }
        prop_assert_eq!(tree(&fixture), before.clone());
        let mut damaged = both.clone().into_bytes();
        let place = at.index(damaged.len());
        damaged[place] = byte % 128;
        if let Ok(damaged) = String::from_utf8(damaged) && damaged != both {
            match patch(&files, &damaged) {
                Err(_) => prop_assert_eq!(tree(&fixture), before.clone(), "{}", damaged),
                Ok(answer) => {
                    let named = answer["files"].as_array().unwrap().len();
                    let now = tree(&fixture);
                    let changed = before.iter().filter(|(name, text)| now.get(*name) != Some(text)).count();
                    prop_assert!(named >= changed && changed > 0, "{}", damaged);
                }
            }
            fixture.file("f", &old).file("z", "z\n");
        }
        if let Err(why) = patch(&files, &both) {
            prop_assert_eq!(tree(&fixture), before, "{}", why);
            let is_there = made.iter().any(|lines| old.replace('\r', "").contains(lines));
            prop_assert!(is_there && why.code == code::ALREADY_APPLIED, "{why}\n{both}");
            return Ok(());
        }
        prop_assert_eq!(fixture.text("f"), new);
        prop_assert_eq!(fixture.text("z"), "Z\n");
        prop_assert!(fixture.temporary_files().is_empty());
    }

    /// An envelope that is cut off anywhere before its end changes nothing.
    #[test]
    fn an_envelope_that_is_cut_off_changes_nothing(at in any::<prop::sample::Index>()) {
        let fixture = Fixture::new();
        let files = fixture.files();
        fixture.file("a", "1\n2\n").file("b", "1\n");
        let whole = envelope("*** Update File: a\n@@\n-1\n+one\n*** Add File: c/d\n+x\n*** Delete File: b\n");
        let before = tree(&fixture);
        let end = at.index(whole.len() - 1);
        prop_assert_eq!(patch(&files, &whole[..end]).unwrap_err().code, code::INVALID_PATCH);
        prop_assert_eq!(tree(&fixture), before);
    }
}
