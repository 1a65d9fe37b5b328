//! Edits and hunks whose old text is a little otherwise than the file has it: those with one honest reading land, all others
//! are refused with what to send instead.

use handrail_files::{Files, Refusal, code};
use proptest::prelude::*;
use serde_json::{Value, json};

use crate::fixture::{Fixture, ask};
use crate::near_miss_cases::LANDS;
use crate::near_miss_refusals::REFUSED;
use crate::patching::{envelope, patch};

fn replace(files: &Files, old: &str, new: &str) -> Result<Value, Refusal> {
    let request = json!({ "path": "f", "edits": [{ "old": old, "new": new }] });
    ask(&request, |request| files.edit(request))
}

/// What the old texts were taken for, as kinds in the order in which they are told.
fn kinds(answer: &Value) -> String {
    let places = answer["edits"].as_array().unwrap().iter();
    let taken = places.flat_map(|place| place["taken"].as_array().unwrap());
    let kinds: Vec<&str> = taken.map(|taken| taken["kind"].as_str().unwrap()).collect();
    kinds.join(" ")
}

#[test]
fn an_edit_with_one_honest_reading_lands() {
    let mut wrong = Vec::new();
    for (expected, before, old, new, after) in LANDS {
        let fixture = Fixture::new();
        fixture.file("f", before);
        let result = replace(&fixture.files(), old, new);
        let (now, said) = (fixture.text("f"), result.as_ref().map(kinds));
        if now != **after || said.as_deref().ok() != Some(expected) {
            wrong.push(format!(
                "{before:?}\n {old:?}\n {new:?}\n {now:?}\n {after:?}\n {expected}: {said:?}"
            ));
        }
    }
    assert!(wrong.is_empty(), "{} of {}\n{}", wrong.len(), LANDS.len(), wrong.join("\n"));
}

#[test]
fn an_edit_with_no_honest_reading_or_two_changes_nothing_and_says_what_to_send() {
    let mut wrong = Vec::new();
    for (expected, before, old, new, needle) in REFUSED {
        let fixture = Fixture::new();
        fixture.file("f", before);
        let result = replace(&fixture.files(), old, new);
        let said = result.as_ref().map_or_else(ToString::to_string, ToString::to_string);
        let refused = result.err().map(|refusal| refusal.code);
        if refused != Some(*expected) || fixture.text("f") != *before || !said.contains(needle) {
            wrong.push(format!(
                "{before:?}\n {old:?}\n {new:?}\n {expected}, {needle:?}: {refused:?} {said}"
            ));
        }
    }
    assert!(wrong.is_empty(), "{} of {}\n{}", wrong.len(), REFUSED.len(), wrong.join("\n"));
}

/// The same change once more is never made twice, however the file writes it.
#[test]
fn what_has_landed_is_not_made_again() {
    for (_, before, old, new, after) in LANDS {
        let fixture = Fixture::new();
        let files = fixture.files();
        fixture.file("f", before);
        if replace(&files, old, new).is_err() {
            continue;
        }
        let again = replace(&files, old, new);
        assert_eq!(fixture.text("f"), **after, "{before:?} {old:?} {new:?} {again:?}");
    }
}

#[test]
fn a_hunk_lands_as_an_edit_does() {
    // What it is taken for, the file, the hunks, the file afterwards.
    let cases: [(&str, &str, &str, &str); 17] = [
        ("trailing_blanks", "a = 1  \nb = 2\n", "@@\n a = 1\n-b = 2\n+b = 3\n", "a = 1  \nb = 3\n"),
        ("trailing_blanks", "a = 1\nb = 2\n", "@@\n a = 1  \n-b = 2\n+b = 3\n", "a = 1\nb = 3\n"),
        (
            "indentation",
            "def f():\n\tif x:\n\t\ty()\n",
            "@@\n def f():\n     if x:\n-        y()\n+        z()\n+        if w:\n+            v()\n",
            "def f():\n\tif x:\n\t\tz()\n\t\tif w:\n\t\t\tv()\n",
        ),
        (
            "indentation",
            "    one()\n    two()\n",
            "@@\n one()\n-two()\n+three()\n",
            "    one()\n    three()\n",
        ),
        (
            "typography",
            "say “hello” now\nend\n",
            "@@\n-say \"hello\" now\n+say \"hello\" then\n end\n",
            "say “hello” then\nend\n",
        ),
        ("typography", "a - b\nend\n", "@@\n a – b\n-end\n+END\n", "a - b\nEND\n"),
        (
            "entities",
            "if (a < b && c)\nend\n",
            "@@\n-if (a &lt; b &amp;&amp; c)\n+if (a &gt; b &amp;&amp; c)\n end\n",
            "if (a > b && c)\nend\n",
        ),
        (
            "entities",
            "<b>Tom &amp; Jerry</b>\nend\n",
            "@@\n-<b>Tom & Jerry</b>\n+<b>Tom & Jerome</b>\n end\n",
            "<b>Tom &amp; Jerome</b>\nend\n",
        ),
        (
            "line_numbers",
            "one\ntwo\nthree\n",
            "@@\n 1\tone\n-2\ttwo\n+2\tTWO\n 3\tthree\n",
            "one\nTWO\nthree\n",
        ),
        (
            "escapes",
            "say(\"hi\")\nend\n",
            "@@\n-say(\\\"hi\\\")\n+say(\\\"ho\\\")\n end\n",
            "say(\"ho\")\nend\n",
        ),
        ("typography trailing_blanks", "say ‘a’ \nb\n", "@@\n say 'a'\n-b\n+c\n", "say ‘a’ \nc\n"),
        ("trailing_blanks", "a\nend  ", "@@\n a\n-end\n+END\n", "a\nEND"),
        ("", "x = 1\ny\nx = 1\n", "@@\n-x = 1\n+x = 2\n@@\n-x = 1\n+x = 3\n", "x = 2\ny\nx = 3\n"),
        ("", "x = 1\ny\nx = 1\n", "@@\n x = 1\n+a\n@@\n x = 1\n+b\n", "x = 1\na\ny\nx = 1\nb\n"),
        (
            "trailing_blanks trailing_blanks",
            "x = 1\nz \ny\nx = 1\nz  \n",
            "@@\n-x = 1\n+x = 2\n z\n@@\n-x = 1\n+x = 3\n z\n",
            "x = 2\nz \ny\nx = 3\nz  \n",
        ),
        ("trailing_blanks", "a\r\nb \r\nc\r\n", "@@\n a\n b\n-c\n+d\n", "a\r\nb \r\nd\r\n"),
        (
            "indentation",
            "class A {\n\trun() {\n\t\tgo();\n\t}\n}\n",
            "@@ class A {\n-  run() {\n-    go();\n-  }\n+  run() {\n+    stop();\n+  }\n",
            "class A {\n\trun() {\n\t\tstop();\n\t}\n}\n",
        ),
    ];
    for (expected, before, hunks, after) in cases {
        let fixture = Fixture::new();
        fixture.file("f", before);
        let result = patch(&fixture.files(), &envelope(&format!("*** Update File: f\n{hunks}")));
        let answer = result.unwrap_or_else(|why| panic!("{before:?} {hunks}: {why}"));
        assert_eq!(fixture.text("f"), after, "{hunks}");
        assert_eq!(kinds(&answer["files"][0]), expected, "{hunks}");
    }
    let refused: [(&str, &str, &str); 10] = [
        ("\tx = 1\ny\n\t\tx = 1\n", "@@\n-  x = 1\n+  x = 2\n", code::AMBIGUOUS),
        ("x = 1\ny\nx = 1\nx = 1\n", "@@\n-x = 1\n+x = 2\n@@\n-x = 1\n+x = 3\n", code::AMBIGUOUS),
        ("a:\n  b\n      c\n", "@@\n a:\n-    b\n-    c\n+    d\n", code::NO_MATCH),
        ("f(a,b)\nend\n", "@@\n-f(a, b)\n+f(c)\n end\n", code::NO_MATCH),
        ("\tone()\n\ttwo()\n", "@@\n   one()\n-  two()\n+     three()\n", code::NO_MATCH),
        ("\tone()\n\ttwo()\n\tthree()\n", "@@\n   one()\n+  two()\n", code::ALREADY_APPLIED),
        ("Changelog\n\n* Changelog\n", "@@\n-- Changelog\n", code::NO_MATCH),
        ("Install\n\n1) Install\n", "@@\n-1. Install\n+1. Setup\n", code::NO_MATCH),
        (
            "Install\nRun\n\n1) Install\n2) Run\n",
            "@@\n 1. Install\n-2. Run\n+2. Start\n",
            code::NO_MATCH,
        ),
        ("one\ntwo\n", "@@\n 1 one\n-2 two\n+2 two\n+3 items left\n", code::NO_MATCH),
    ];
    for (before, hunks, expected) in refused {
        let fixture = Fixture::new();
        fixture.file("f", before);
        let result = patch(&fixture.files(), &envelope(&format!("*** Update File: f\n{hunks}")));
        assert_eq!(result.map_err(|why| why.code).err(), Some(expected), "{hunks}");
        assert_eq!(fixture.text("f"), before);
    }
}

#[test]
fn what_is_around_a_patch_is_read_through() {
    let body = "*** Begin Patch\n*** Update File: f\n@@\n-one\n+two\n*** End Patch";
    let moved: String = body.lines().map(|line| ["    ", line, "\n"].concat()).collect();
    let unified = "--- a/f\n+++ b/f\n@@ -1 +1 @@\n-one\n+two\n";
    let cases = [
        format!("```\n{body}\n```\n"),
        format!("```patch\n{body}\n```"),
        format!("```diff\n{unified}```\n"),
        format!("~~~\n{unified}~~~\n"),
        format!("apply_patch <<'EOF'\n{body}\nEOF\n"),
        format!("apply_patch << \"PATCH\"\n{body}\nPATCH"),
        format!("cat <<-END | patch -p1\n{unified}END\n"),
        format!("```bash\napply_patch <<'EOF'\n{body}\nEOF\n```\n"),
        format!("\n\n{body}\n\n"),
        moved,
        body.replace("*** Begin", "  *** Begin").replace("*** End", " *** End"),
        body.replace("*** Update", "\t*** Update"),
        body.replace("Patch", "Patch  "),
        body.replace("@@", " @@ "),
    ];
    for text in cases {
        let fixture = Fixture::new();
        fixture.file("f", "one\n");
        patch(&fixture.files(), &text).unwrap_or_else(|why| panic!("{text}: {why}"));
        assert_eq!(fixture.text("f"), "two\n", "{text}");
    }
    // A marker within a hunk is a line of the file, and a wrapping has two ends.
    let inside =
        "*** Begin Patch\n*** Update File: f\n@@\n *** End Patch\n-one\n+two\n*** End Patch\n";
    let fixture = Fixture::new();
    fixture.file("f", "*** End Patch\none\n");
    patch(&fixture.files(), inside).unwrap();
    assert_eq!(fixture.text("f"), "*** End Patch\ntwo\n");
    for text in [format!("```\n{body}\n"), format!("apply_patch <<EOF\n{body}\nEND\n")] {
        assert_eq!(patch(&fixture.files(), &text).unwrap_err().code, code::INVALID_PATCH, "{text}");
    }
}

#[test]
fn masks_are_what_they_stand_for_in_an_edit_that_lands_otherwise() {
    let text = "[a]\n\tpassword = hunter2secret\n\turl = \u{201c}x\u{201d}\n\n[b]\n\tpassword = hunter3secret\n";
    let fixture = Fixture::new();
    let files = fixture.files();
    fixture.file("f", text);
    ask(&json!({ "path": "f" }), |request| files.read(request)).unwrap();
    let old = "  password = [REDACTED:1]\n  url = \"x\"";
    replace(&files, old, "  password = [REDACTED:1]\n  url = \"y\"").unwrap();
    assert_eq!(fixture.text("f"), text.replace("\u{201c}x", "\u{201c}y"));
    // Another's mask in the new text is refused as in any edit, and so is a mask that does not fit the place.
    let now = fixture.text("f");
    for (old, new) in [
        ("  password = [REDACTED:1]\n  url = \"y\"", "  password = [REDACTED:2]\n  url = \"y\""),
        ("  password = [REDACTED:2]\n  url = \"y\"", "  password = [REDACTED:2]\n  url = \"z\""),
        ("  password = [REDACTED:1]\n  url = \"y\"", "  shown = [REDACTED:1]\n  url = \"y\""),
        ("  password = hunter2secret\n  url = \"y\"", "  password = x\n  url = \"y\""),
    ] {
        let refusal = replace(&files, old, new).unwrap_err();
        assert_eq!(fixture.text("f"), now, "{old} {new}");
        assert!(!refusal.to_string().contains("hunter3"), "{refusal}");
    }
}

/// An exact search finds none of the cases: what makes them land is that texts may be alike.
#[test]
fn none_of_the_cases_is_found_as_it_stands() {
    for (_, before, old, ..) in LANDS {
        assert!(!before.replace("\r\n", "\n").contains(&old.replace("\r\n", "\n")), "{old:?}");
    }
    assert!(LANDS.len() + REFUSED.len() >= 120);
}

/// A file of lines that are hard to tell apart.
fn lines() -> impl Strategy<Value = Vec<String>> {
    let blanks = prop::sample::select(vec!["", "  ", "    ", "\t", "\t\t", "      "]);
    let body = prop::sample::select(vec![
        "alpha();",
        "say “x”",
        "say \"x\"",
        "a – b",
        "a -- b",
        "if (a < b)",
        "if (a &lt; b)",
        "",
        "}",
        "end\u{a0}x",
        "p = \"a\\nb\"",
        "12: x",
    ]);
    let end = prop::sample::select(vec!["", " ", "\t"]);
    prop::collection::vec(
        (blanks, body, end).prop_map(|(blanks, body, end)| format!("{blanks}{body}{end}")),
        1..12,
    )
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    /// However an edit was taken, it changes no line that it did not name, and no byte of the lines that it keeps.
    #[test]
    fn a_landed_edit_changes_no_line_that_it_did_not_name(
        lines in lines(), crlf in prop::collection::vec(any::<bool>(), 12), from in 0..12_usize, count in 1..5_usize,
        how in 0..7_usize, at in 0..5_usize,
    ) {
        let fixture = Fixture::new();
        let from = from.min(lines.len() - 1);
        let to = (from + count).min(lines.len());
        let ends: Vec<&str> = crlf.iter().map(|crlf| if *crlf { "\r\n" } else { "\n" }).collect();
        let whole: Vec<String> = lines.iter().zip(&ends).map(|(line, end)| format!("{line}{end}")).collect();
        fixture.file("f", whole.concat());
        let spoilt: Vec<String> = lines[from..to].iter().enumerate().map(|(index, line)| match how {
            0 => line.trim_end().to_owned(),
            1 => format!("  {line}"),
            2 => line.replace(['“', '”'], "\"").replace('–', "-"),
            3 => line.replace("    ", "\t"),
            4 => line.replace('&', "&amp;").replace('<', "&lt;"),
            5 => format!("{:>4}\t{line}", from + index + 1),
            _ => line.trim_start().to_owned(),
        }).collect();
        let changed = at.min(spoilt.len() - 1);
        let mut new = spoilt.clone();
        new[changed] = format!("{}changed = 1;", &new[changed][..new[changed].len() - new[changed].trim_start().len()]);
        let result = replace(&fixture.files(), &spoilt.join("\n"), &new.join("\n"));
        let now = fixture.text("f");
        if result.is_err() {
            prop_assert_eq!(now, whole.concat());
            return Ok(());
        }
        let named = from + changed;
        let now: Vec<&str> = now.split_inclusive('\n').collect();
        prop_assert_eq!(now.len(), whole.len());
        let differ: Vec<usize> = (0..now.len()).filter(|&line| now[line] != whole[line]).collect();
        prop_assert!(differ.len() <= 1, "{:?} {:?} {:?}", whole, spoilt, now);
        let is_exact = whole.concat().replace('\r', "").contains(&spoilt.join("\n"));
        // Lines whose indentation is changed each in its way stand no longer for the lines that they were made from.
        let is_uniform = spoilt.len() == 1 || !matches!(how, 3 | 6);
        if let [line] = differ[..] {
            // A text that the file has as it stands is found there, in the middle of a line too.
            let is_there = is_exact || !is_uniform || line == named;
            prop_assert!(is_there, "{:?} {:?} {:?}", whole, spoilt, now);
            prop_assert!(now[line].contains("changed = 1;"));
        }
    }
}
