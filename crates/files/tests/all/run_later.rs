//! Files that a tool runs or believes later, and folders that git takes for repositories: not planted, with the guard off too.

use std::fs;
use std::os::unix::fs::symlink;

use handrail_files::{Files, FilesConfig, code};
use serde_json::json;

use crate::fixture::{Fixture, ask};
use crate::patching::envelope;
use crate::places::{with_config, write};

#[test]
fn a_file_that_a_tool_takes_up_later_is_not_planted_and_a_source_of_them_is_edited() {
    let fixture = Fixture::new();
    fixture
        .file("CLAUDE.md", "be kind\n")
        .file("lefthook.yml", "a: 1\n")
        .file(".ripgreprc", "a=1\n");
    symlink("docs/AGENTS.md", fixture.path("notes.md")).unwrap();
    symlink("plain.md", fixture.path("GEMINI.md")).unwrap();
    fs::create_dir(fixture.path("docs")).unwrap();
    let edit = |files: &Files, path: &str, old: &str| {
        let request = json!({ "path": path, "edits": [{ "old": old, "new": "changed" }] });
        ask(&request, |request| files.edit(request))
    };
    let new = ["AGENTS.md", "sub/agents.md", "notes.md", "GEMINI.md", ".gdbinit", ".unheardofrc"];
    let kept = [".ripgreprc", ".envrc", ".cargo/config.toml", ".kiro/a.md"];
    let files = with_config(&fixture, |_| ());
    for path in new.into_iter().chain(kept) {
        let refusal = write(&files, path).unwrap_err();
        assert_eq!(refusal.code, code::BLOCKED_WRITE, "{path}");
        let hint = refusal.hint.unwrap();
        assert!(hint.contains(" when ") && hint.contains("`lift: ['"), "{hint}");
    }
    let patch =
        |body: &str| ask(&json!({ "patch": envelope(body) }), |request| files.patch(request));
    for body in [
        "*** Add File: AGENTS.md\n+x\n",
        "*** Update File: CLAUDE.md\n*** Move to: sub/CLAUDE.md\n@@\n-be kind\n+be bad\n",
    ] {
        assert_eq!(patch(body).unwrap_err().code, code::BLOCKED_WRITE, "{body}");
    }
    write(&files, "CLAUDE.md").unwrap();
    edit(&files, "CLAUDE.md", "new").unwrap();
    edit(&files, "lefthook.yml", "a: 1").unwrap();
    assert_eq!(edit(&files, ".ripgreprc", "a=1").unwrap_err().code, code::BLOCKED_WRITE);
    patch("*** Delete File: lefthook.yml\n").unwrap();
    assert_eq!(write(&files, "lefthook.yml").unwrap_err().code, code::BLOCKED_WRITE);
    // With the guard off every one of them is written.
    let unguarded = with_config(&fixture, |config| config.rules.write = false);
    for path in new.into_iter().chain(kept) {
        write(&unguarded, path).unwrap_or_else(|why| panic!("{path}: {why}"));
    }
}

#[test]
fn a_repository_whose_settings_lie_elsewhere_is_one() {
    let fixture = Fixture::new();
    fixture.file("store/objects/x", "").file("store/refs/x", "");
    let plant = |files: &Files| {
        ["gitdir/HEAD", "gitdir/commondir"].map(|path| write(files, path).map_err(|why| why.rule))
    };
    assert_eq!(plant(&fixture.files())[1], Err(Some("git.metadata")));
    let lifted = |config: &mut FilesConfig| config.rules.lifted = vec!["git.metadata".into()];
    assert!(plant(&with_config(&fixture, lifted)).iter().all(Result::is_ok));
    // A path with `..` in it is the place that it leads to.
    fixture.file("a/.git", "gitdir: b/../store/./git\n").file("a/store/git/x", "");
    let refused = write(&fixture.files(), "a/store/git/config").unwrap_err();
    assert_eq!(refused.rule, Some("git.metadata"));
    write(&with_config(&fixture, lifted), "a/store/git/config").unwrap();
}
