//! Patches that are none, and paths of patches that lead where none may.

use std::fs;
use std::os::unix::fs::symlink;

use handrail_files::{Files, HardLinks, Root, Roots, code};

use serde_json::json;

use crate::fixture::{Fixture, ask, config};
use crate::patching::{envelope, patch, tree};

#[test]
fn what_is_no_patch_changes_nothing() {
    let fixture = Fixture::new();
    let files = fixture.files();
    fixture.file("a", "1\n2\n").file("b", "1\n").file("big", "x\n".repeat(10));
    symlink("a", fixture.path("link")).unwrap();
    let before = tree(&fixture);
    let cases: [(&str, &str); 27] = [
        ("", code::INVALID_PATCH),
        ("hello", code::INVALID_PATCH),
        ("*** Begin Patch\n*** End Patch\n", code::INVALID_PATCH),
        ("*** Begin Patch\n*** Update File: a\n@@\n-1\n+one\n", code::INVALID_PATCH),
        ("*** Update File: a\n@@\n-1\n+one\n*** End Patch\n", code::INVALID_PATCH),
        ("text\n*** Begin Patch\n*** Delete File: a\n*** End Patch\n", code::INVALID_PATCH),
        (
            "*** Begin Patch\n*** Delete File: a\n*** End Patch\n*** Delete File: b\n",
            code::INVALID_PATCH,
        ),
        ("*** Begin Patch\n*** Update File: a\n*** End Patch\n", code::INVALID_PATCH),
        (
            "*** Begin Patch\n*** Update File: a\n@@\n-1\n+one\n*** Rename File: b\n*** End Patch\n",
            code::INVALID_PATCH,
        ),
        ("*** Begin Patch\n*** Update File: a\n@@\n-1\none\n*** End Patch\n", code::INVALID_PATCH),
        ("*** Begin Patch\n*** Add File: c\nx\n*** End Patch\n", code::INVALID_PATCH),
        ("*** Begin Patch\n*** Add File: a\n+x\n*** End Patch\n", code::EXISTS),
        (
            "*** Begin Patch\n*** Add File: c\n+x\n*** Add File: c/d\n+x\n*** End Patch\n",
            code::INVALID_PATCH,
        ),
        (
            "*** Begin Patch\n*** Update File: a\n@@\n-1\n+one\n*** Update File: ./x/../a\n@@\n-2\n+two\n*** End Patch\n",
            code::NOT_FOUND,
        ),
        (
            "*** Begin Patch\n*** Update File: a\n@@\n-1\n+one\n*** Update File: link\n@@\n-2\n+two\n*** End Patch\n",
            code::INVALID_PATCH,
        ),
        ("*** Begin Patch\n*** Update File: b\n*** Move to: a\n*** End Patch\n", code::EXISTS),
        ("*** Begin Patch\n*** Delete File: link\n*** End Patch\n", code::SPECIAL_FILE),
        ("*** Begin Patch\n*** Update File: a\n@@\n-1\n+1\n*** End Patch\n", code::UNCHANGED),
        ("@@ -1 +1 @@\n-1\n+one\n", code::INVALID_PATCH),
        ("--- a/a\n+++ b/b\n@@ -1 +1 @@\n-1\n+one\n", code::INVALID_PATCH),
        ("--- a/a\n+++ b/a\n@@ -1,2 +1,2 @@\n-1\n+one\n", code::INVALID_PATCH),
        ("--- a/a\n+++ /dev/null\n@@ -1 +0,0 @@\n-1\n", code::NO_MATCH),
        (
            "diff --git a/l b/l\nnew file mode 120000\n--- /dev/null\n+++ b/l\n@@ -0,0 +1 @@\n+a\n\\ No newline at end of file\n",
            code::INVALID_PATCH,
        ),
        (
            "diff --git a/m b/m\nnew file mode 160000\n--- /dev/null\n+++ b/m\n@@ -0,0 +1 @@\n+Subproject commit 1\n",
            code::INVALID_PATCH,
        ),
        (
            "diff --git a/l b/l\nindex 1..2 120000\n--- a/l\n+++ b/l\n@@ -1 +1 @@\n-a\n+b\n",
            code::INVALID_PATCH,
        ),
        (
            "diff --git a/a b/a\nindex 1..2 100644\nGIT binary patch\nliteral 1\nIcmZP\n",
            code::INVALID_PATCH,
        ),
        ("diff --git a/a b/a\nold mode 100644\nnew mode 100755\n", code::INVALID_PATCH),
    ];
    for (text, code) in cases {
        let refusal = patch(&files, text).unwrap_err();
        assert_eq!(refusal.code, code, "{text}\n{refusal}");
        assert!(refusal.message.starts_with("Patch not applied"), "{refusal}");
        assert_eq!(tree(&fixture), before, "{text}");
    }
    let scopes = |count: usize| {
        envelope(&format!("*** Update File: a\n{}-1\n+one\n", "@@ 1\n".repeat(count)))
    };
    assert_eq!(patch(&files, &scopes(9)).unwrap_err().code, code::INVALID_PATCH);
    assert_eq!(patch(&files, &scopes(8)).unwrap()["files"][0]["bytes"], 6);
    fixture.file("a", "1\n2\n");
    let long = envelope(&format!("*** Add File: c\n+{}\n", "x".repeat(1 << 20)));
    assert_eq!(patch(&files, &long).unwrap_err().code, code::TOO_LARGE);
    let add =
        |count: usize| {
            envelope(&(0..count).fold(String::new(), |text, number| {
                format!("{text}*** Add File: many/{number}\n+x\n")
            }))
        };
    assert_eq!(patch(&files, &add(101)).unwrap_err().code, code::INVALID_PATCH);
    assert_eq!(tree(&fixture), before);
    assert_eq!(patch(&files, &add(100)).unwrap()["files"].as_array().unwrap().len(), 100);
}

/// The guard's lists, the roots and links, for each thing that a patch does to a path.
#[test]
fn no_path_of_a_patch_leads_out_or_to_a_protected_place() {
    type Body = fn(&str) -> String;
    let bodies: [(&str, Body); 5] = [
        ("add", |path| format!("*** Add File: {path}\n+x\n")),
        ("update", |path| format!("*** Update File: {path}\n@@\n-SECRET\n+x\n")),
        ("delete", |path| format!("*** Delete File: {path}\n")),
        ("move from", |path| format!("*** Update File: {path}\n*** Move to: there.txt\n")),
        ("move to", |path| format!("*** Update File: a.txt\n*** Move to: {path}\n")),
    ];
    let protected =
        [".git/config", ".git/hooks/post-commit", ".bashrc", ".vscode/tasks.json", ".env"];
    let fixture = Fixture::new();
    fixture.file("a.txt", "SECRET\n").file("ro/f", "SECRET\n").file("z.txt", "z\n");
    for path in protected {
        fixture.file(path, "SECRET\n");
    }
    fs::write(fixture.base.join("outside/f"), "SECRET\n").unwrap();
    symlink(fixture.base.join("outside"), fixture.path("out")).unwrap();
    symlink(fixture.base.join("outside/f"), fixture.path("outf")).unwrap();
    symlink(fixture.path(".git"), fixture.path("git")).unwrap();
    let outside = fixture.base.join("outside/f").to_string_lossy().into_owned();
    let out = [
        "../outside/f",
        "out/f",
        "out/new",
        "outf",
        &outside,
        "a/../../outside/f",
        "/etc/passwd",
        "../new",
    ];
    let (before, secret) = (tree(&fixture), fs::read(fixture.base.join("outside/f")).unwrap());
    let guarded = config(
        Roots::Only(vec![
            Root::open(&fixture.root(), true).unwrap(),
            Root::open(&fixture.path("ro"), false).unwrap(),
        ]),
        Some(&fixture.base.join("home")),
    );
    let files = Files::new(guarded).unwrap();
    let inside = ["git/config", "git/new", ".GIT/config", "ro/f", "ro/new"];
    for path in out.iter().chain(&protected).chain(&inside) {
        for (what, body) in &bodies {
            // With a first file that may be changed: it stays as it is.
            let text = envelope(&format!("*** Update File: z.txt\n@@\n-z\n+Z\n{}", body(path)));
            let refusal = patch(&files, &text).expect_err(&format!("{what} {path}"));
            assert_eq!(tree(&fixture), before, "{what} {path}");
            assert!(!refusal.message.contains("SECRET"), "{refusal}");
            if out.contains(path) && !path.contains("a/..") {
                assert_eq!(refusal.code, code::OUTSIDE_ROOT, "{what} {path}: {refusal}");
            }
        }
    }
    assert_eq!(fs::read(fixture.base.join("outside/f")).unwrap(), secret);
    assert_eq!(fs::read_dir(fixture.base.join("outside")).unwrap().count(), 2);
    // Without the lists the same patches do what they say: it was them that refused.
    let mut unguarded = fixture.config();
    (unguarded.rules.write, unguarded.rules.read) = (false, false);
    let files = Files::new(unguarded).unwrap();
    for path in protected {
        patch(&files, &envelope(&bodies[1].1(path))).unwrap_or_else(|why| panic!("{path}: {why}"));
        patch(&files, &envelope(&bodies[2].1(path))).unwrap_or_else(|why| panic!("{path}: {why}"));
        patch(&files, &envelope(&bodies[0].1(path))).unwrap_or_else(|why| panic!("{path}: {why}"));
    }
    patch(&files, &envelope(&bodies[4].1(".git/moved"))).unwrap();
    assert_eq!(fixture.text(".git/moved"), "SECRET\n");
}

/// A removal without lines says nothing of what is lost: the ledger has to.
#[test]
fn what_nobody_has_seen_is_removed_only_with_its_lines() {
    let known =
        |files: &Files, text: &str| ask(&json!({ "patch": text }), |request| files.patch(request));
    let own = envelope("*** Delete File: f\n");
    let git = "diff --git a/f b/f\ndeleted file mode 100644\nindex e69de29..0000000\n";
    for text in [own.as_str(), git] {
        let fixture = Fixture::new();
        let files = fixture.files();
        let read = |limit: usize| {
            let request = json!({ "path": "f", "limit": limit });
            ask(&request, |request| files.read(request)).unwrap();
        };
        let refused = |code: &str| {
            let refusal = known(&files, text).unwrap_err();
            assert_eq!(refusal.code, code, "{text}: {refusal}");
            assert!(refusal.message.contains("Not removed: f "), "{refusal}");
            assert!(fixture.path("f").exists(), "{text}");
        };
        fixture.file("f", "1\n2\n");
        refused(code::EXISTS);
        read(1);
        refused(code::EXISTS);
        read(2000);
        fixture.file("f", "1\nmine\n");
        refused(code::CHANGED_ON_DISK);
        read(2000);
        known(&files, text).unwrap_or_else(|why| panic!("{text}: {why}"));
        assert!(!fixture.path("f").exists(), "{text}");
    }
    let fixture = Fixture::new();
    let files = fixture.files();
    // What was never read goes with its lines, as a move to another name, or when that is said.
    fixture.file("new", "1\n");
    known(&files, "--- a/new\n+++ /dev/null\n@@ -1 +0,0 @@\n-1\n").unwrap();
    fixture.file("new", "1\n");
    known(&files, &envelope("*** Update File: new\n*** Move to: newer\n")).unwrap();
    fixture.file("other", "1\n");
    patch(&files, &envelope("*** Delete File: other\n")).unwrap();
    assert_eq!(tree(&fixture).into_keys().collect::<Vec<_>>(), ["newer"]);
}

#[test]
fn a_file_with_two_names_is_neither_changed_nor_removed() {
    let fixture = Fixture::new();
    fs::hard_link(fixture.base.join("outside/secret.txt"), fixture.path("h")).unwrap();
    let update = envelope("*** Update File: h\n@@\n-SECRET\n+x\n");
    for text in [
        update.clone(),
        envelope("*** Delete File: h\n"),
        envelope("*** Update File: h\n*** Move to: i\n"),
    ] {
        assert_eq!(patch(&fixture.files(), &text).unwrap_err().code, code::HARD_LINK, "{text}");
    }
    let mut config = fixture.config();
    config.hard_links = HardLinks::Break;
    patch(&Files::new(config).unwrap(), &update).unwrap();
    assert_eq!(
        (fixture.text("h").as_str(), fs::read(fixture.base.join("outside/secret.txt")).unwrap()),
        ("x", b"SECRET".to_vec())
    );
}
