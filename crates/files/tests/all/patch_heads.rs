//! What stands around the hunks of a unified diff.

use std::collections::BTreeSet;

use handrail_files::code;

use crate::fixture::Fixture;
use crate::patching::{patch, tree};

/// Which file a head means, with prefixes and without; one that names two is refused.
#[test]
fn a_head_means_one_file() {
    let hunk = "@@ -1 +1 @@\n-1\n+2\n";
    let (new, gone) = ("@@ -0,0 +1 @@\n+2\n", "@@ -1 +0,0 @@\n-1\n");
    // Head and hunk; the files that are changed, or that it is refused.
    let cases: [(&str, &str, &[&str]); 31] = [
        ("--- a/x\n+++ b/x\n", hunk, &["x"]),
        ("--- a/x\n+++ a/x\n", hunk, &["a/x"]),
        ("--- c/x\n+++ c/x\n", hunk, &["c/x"]),
        ("--- c/x\n+++ w/x\n", hunk, &[]),
        ("--- a/x\n+++ b/c/x\n", hunk, &[]),
        ("--- /dev/null\n+++ c/new\n", new, &["c/new"]),
        ("--- /dev/null\n+++ b/new\n", new, &["new"]),
        ("--- c/x\n+++ /dev/null\n", gone, &["c/x"]),
        ("--- a/x\n+++ /dev/null\n", gone, &["x"]),
        ("--- /dev/null\n+++ /dev/null\n", new, &[]),
        ("diff --git c/x w/x\n--- c/x\n+++ w/x\n", hunk, &["x"]),
        ("diff --git c/x c/x\n--- c/x\n+++ c/x\n", hunk, &["c/x"]),
        ("diff --git c/x c/x\ndeleted file mode 100644\n--- c/x\n+++ /dev/null\n", gone, &["c/x"]),
        ("diff --git c/x i/x\ndeleted file mode 100644\n--- c/x\n+++ /dev/null\n", gone, &["x"]),
        ("diff --git a/x a/x\ndeleted file mode 100644\n", "", &["a/x"]),
        (
            "diff --git c/new c/new\nnew file mode 100644\n--- /dev/null\n+++ c/new\n",
            new,
            &["c/new"],
        ),
        ("diff --git i/new w/new\nnew file mode 100644\n--- /dev/null\n+++ w/new\n", new, &["new"]),
        ("diff --git c/x c/new\nrename from c/x\nrename to c/new\n", "", &["c/new", "c/x"]),
        (
            "diff --git a/x b/new\nrename from x\nrename to new\n--- a/x\n+++ b/new\n",
            hunk,
            &["new", "x"],
        ),
        ("diff --git a/a b b/a b\n--- a/a b\t\n+++ b/a b\t\n", hunk, &["a b"]),
        ("diff --git a/a b b/new b\nrename from a b\nrename to new b\n", "", &["a b", "new b"]),
        ("diff --git \"a/a b\" \"b/a b\"\n--- \"a/a b\"\n+++ \"b/a b\"\n", hunk, &["a b"]),
        ("diff --git a/x b/x\n--- a/c/x\n+++ b/c/x\n", hunk, &[]),
        ("diff --git a/x b/x\n--- a/x\n+++ b/c/x\n", hunk, &[]),
        ("diff --git a/x b/new\nrename from x\nrename to new\n--- a/c/x\n+++ b/new\n", hunk, &[]),
        ("diff --git a/x b/new\nrename from c/x\nrename to new\n", "", &[]),
        ("diff --git a/x b/x\nrename to new\n--- a/x\n+++ b/x\n", hunk, &[]),
        ("diff --git a/x b/new\nrename from x\nrename to new\ndeleted file mode 100644\n", "", &[]),
        ("diff --git a/x b/x\ndeleted file mode 100644\n--- a/x\n+++ b/x\n", hunk, &[]),
        ("diff --git a/new b/new\nnew file mode 100644\n--- a/new\n+++ b/new\n", new, &[]),
        ("diff --git a/x b/c/x\n--- a/x\n+++ b/c/x\n", hunk, &[]),
    ];
    for (head, hunk, changed) in cases {
        let fixture = Fixture::new();
        for name in ["x", "a/x", "c/x", "a b"] {
            fixture.file(name, "1\n");
        }
        let before = tree(&fixture);
        match patch(&fixture.files(), &format!("{head}{hunk}")) {
            Ok(_) => assert!(!changed.is_empty(), "{head}"),
            Err(why) => {
                assert_eq!(why.code, code::INVALID_PATCH, "{head}{why}");
                assert!(changed.is_empty(), "{head}{why}");
            }
        }
        let after = tree(&fixture);
        let names =
            before.keys().chain(after.keys()).filter(|&name| before.get(name) != after.get(name));
        let names: BTreeSet<&str> = names.map(String::as_str).collect();
        assert_eq!(names.into_iter().collect::<Vec<_>>(), changed, "{head}");
    }
}

/// What `git format-patch --stdout` writes of two commits, and the same with numbers that do not fit.
#[test]
fn mails_are_applied_whole_or_not_at_all() {
    let mail = |name: &str, hunk: &str| {
        format!(
            "From 1 Mon Sep 17 00:00:00 2001\nSubject: [PATCH] {name}\n\n- one\n+ two\n---\n {name} | 2 +-\n\n\
             diff --git a/{name} b/{name}\nindex 1..2 100644\n--- a/{name}\n+++ b/{name}\n{hunk}-- \n2.34.1\n\n"
        )
    };
    let (one, two) = (mail("x", "@@ -1 +1 @@\n-1\n+2\n"), mail("y", "@@ -1 +1 @@\n-1\n+2\n"));
    let short = "--- a/x\n+++ b/x\n@@ -1,1 +1,1 @@\n-1\n+2\n-- \n";
    // Patch; x and y afterwards.
    let cases: [(String, Option<(&str, &str)>); 13] = [
        (one.clone(), Some(("2\n- \nz\n", "1\n"))),
        (format!("{one}{two}"), Some(("2\n- \nz\n", "2\n"))),
        (format!("{one}{two}").replace('\n', "\r\n"), Some(("2\n- \nz\n", "2\n"))),
        (format!("{one}{}", two.split_once("\n\ndiff").unwrap().0), None),
        (
            format!("{one}{}", two.replace("diff --git a/y b/y\nindex 1..2 100644\n", "")),
            Some(("2\n- \nz\n", "2\n")),
        ),
        (format!("{one}{}", two.replace("diff --git", "diff").replace("@@ -1", "\n@@ -1")), None),
        (format!("{one}+more\n"), None),
        (format!("{one}@@ -3 +3 @@\n-z\n+y\n"), None),
        (format!("{one}--- a/y\n"), None),
        (short.into(), None),
        (format!("{short} z\n"), None),
        (format!("{short}+z\n"), None),
        (short.replace("1,1 +1,1", "1,2 +1,1"), Some(("2\nz\n", "1\n"))),
    ];
    for (text, expected) in cases {
        let fixture = Fixture::new();
        fixture.file("x", "1\n- \nz\n").file("y", "1\n");
        let result = patch(&fixture.files(), &text);
        assert_eq!(
            result.as_ref().err().map(|why| why.code),
            expected.is_none().then_some(code::INVALID_PATCH),
            "{text}{result:?}"
        );
        let expected = expected.unwrap_or(("1\n- \nz\n", "1\n"));
        assert_eq!((fixture.text("x").as_str(), fixture.text("y").as_str()), expected, "{text}");
    }
}
