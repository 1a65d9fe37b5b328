//! Calls that are taken back.

use std::fs;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::time::Duration;

use handrail_files::{Files, FilesConfig, JournalConfig, Refusal, code};
use proptest::prelude::*;
use serde_json::{Value, json};

use crate::fixture::{Fixture, ask, rounds};
use crate::patching::{envelope, patch, tree};

const MAX_BYTES: u64 = 1 << 20;

pub(crate) fn journal(fixture: &Fixture, owner: &str, max_bytes: u64) -> JournalConfig {
    JournalConfig {
        folder: fixture.base.join("state/changes"),
        owner: owner.into(),
        max_bytes,
        max_age: Duration::from_secs(3600),
    }
}

pub(crate) fn config(fixture: &Fixture, owner: &str, max_bytes: u64) -> FilesConfig {
    FilesConfig { journal: Some(journal(fixture, owner, max_bytes)), ..fixture.config() }
}

fn files_of(fixture: &Fixture, owner: &str) -> Files {
    Files::new(config(fixture, owner, MAX_BYTES)).unwrap()
}

fn files_of_size(fixture: &Fixture, max_bytes: u64) -> Files {
    Files::new(config(fixture, "one", max_bytes)).unwrap()
}

pub(crate) fn write(files: &Files, path: &str, content: &str) -> Result<Value, Refusal> {
    let request = json!({ "path": path, "content": content, "overwrite": "always" });
    ask(&request, |request| files.write(request))
}

pub(crate) fn undo(files: &Files, request: &Value) -> Result<Value, Refusal> {
    ask(request, |request| files.undo(request))
}

/// The calls, newest first.
fn history(files: &Files) -> Vec<Value> {
    let listed = ask(&json!({}), |request| files.history(request)).unwrap();
    listed["changes"].as_array().unwrap().clone()
}

fn states(files: &Files) -> Vec<String> {
    history(files).iter().map(|call| call["state"].as_str().unwrap().into()).collect()
}

#[test]
fn every_kind_of_change_is_taken_back_and_made_again() {
    let fixture = Fixture::new();
    fixture.file("a.txt", "one\ntwo\n").file("gone.sh", "#!/bin/sh\n").file("old/b.txt", "b\n");
    fs::set_permissions(fixture.path("gone.sh"), fs::Permissions::from_mode(0o750)).unwrap();
    let files = files_of(&fixture, "one");
    let before = tree(&fixture);
    let body = "*** Update File: a.txt\n@@\n one\n-two\n+2\n*** Add File: new/deep/c.txt\n+c\n*** Delete File: gone.sh\n\
                *** Update File: old/b.txt\n*** Move to: moved.txt\n@@\n-b\n+B\n";
    patch(&files, &envelope(body)).unwrap();
    let after = tree(&fixture);
    assert_ne!(before, after);
    let tried = undo(&files, &json!({ "dryRun": true })).unwrap();
    assert_eq!(tried["files"].as_array().unwrap().len(), 5);
    assert_eq!(tree(&fixture), after);
    let undone = undo(&files, &json!({})).unwrap();
    assert_eq!(undone["files"], tried["files"]);
    assert_eq!(tree(&fixture), before);
    assert_eq!(fs::metadata(fixture.path("gone.sh")).unwrap().mode() & 0o777, 0o750);
    assert_eq!(states(&files), ["done", "undone"]);
    // Taking back what took back makes the change again.
    undo(&files, &json!({ "ids": [undone["id"]] })).unwrap();
    assert_eq!(tree(&fixture), after);
    assert_eq!(states(&files), ["done", "undone", "done"]);
    assert!(fixture.temporary_files().is_empty());
}

#[test]
fn long_and_many_contents_come_back_and_a_removed_file_has_its_mode_again() {
    let fixture = Fixture::new();
    let long = |letter: &str| format!("{}\n", letter.repeat(1023)).repeat(50);
    fixture.file("long", long("a").repeat(2)).file("run.sh", "one\n");
    fs::set_permissions(fixture.path("run.sh"), fs::Permissions::from_mode(0o751)).unwrap();
    let names: Vec<String> = (0..30).map(|number| format!("f{number}")).collect();
    for name in &names {
        fixture.file(name, format!("first\n{}", long(&name[1..2])));
    }
    let files = files_of_size(&fixture, 64 << 20);
    let before = tree(&fixture);
    write(&files, "long", "short\n").unwrap();
    // More than the file of one record holds.
    let update = |name: &String| format!("*** Update File: {name}\n@@\n-first\n+second\n");
    let body: String = names.iter().map(update).collect();
    patch(&files, &envelope(&body)).unwrap();
    write(&files, "run.sh", "two\n").unwrap();
    patch(&files, &envelope("*** Delete File: run.sh\n")).unwrap();
    assert_eq!(states(&files), ["done"; 4]);
    undo(&files, &json!({ "last": 4 })).unwrap();
    assert_eq!(tree(&fixture), before);
    assert_eq!(fs::metadata(fixture.path("run.sh")).unwrap().mode() & 0o777, 0o751);
}

#[test]
fn several_calls_are_taken_back_in_one_step() {
    let fixture = Fixture::new();
    let files = files_of(&fixture, "one");
    fixture.file("a.txt", "0");
    for content in ["1", "2", "3"] {
        write(&files, "a.txt", content).unwrap();
    }
    write(&files, "b.txt", "b").unwrap();
    let ids: Vec<Value> = history(&files).iter().map(|call| call["id"].clone()).collect();
    let undone = undo(&files, &json!({ "since": ids[3] })).unwrap();
    assert_eq!(undone["undone"], json!(ids[..3]));
    assert_eq!((fixture.text("a.txt").as_str(), fixture.path("b.txt").exists()), ("1", false));
    let refusal = undo(&files, &json!({ "ids": [ids[0]] })).unwrap_err();
    assert_eq!(refusal.code, code::ALREADY_UNDONE);
    undo(&files, &json!({ "last": 5 })).unwrap();
    assert_eq!(fixture.text("a.txt"), "0");
    let refusal = undo(&files, &json!({})).unwrap_err();
    assert_eq!(refusal.code, code::UNKNOWN_CHANGE);
}

type Meanwhile = fn(&Fixture);

/// What somebody else has written is never lost, and one file that has changed keeps the whole call.
#[test]
fn a_file_that_somebody_else_has_changed_stays() {
    let fixture = Fixture::new();
    let files = files_of(&fixture, "one");
    fixture.file("a.txt", "a").file("b.txt", "b");
    let body = "*** Update File: a.txt\n@@\n-a\n+A\n*** Update File: b.txt\n@@\n-b\n+B\n*** Add File: c.txt\n+c\n";
    patch(&files, &envelope(body)).unwrap();
    let cases: [(&str, Meanwhile); 4] = [
        ("b.txt", |fixture| fs::write(fixture.path("b.txt"), "mine").unwrap()),
        ("b.txt", |fixture| fs::remove_file(fixture.path("b.txt")).unwrap()),
        ("c.txt", |fixture| fs::write(fixture.path("c.txt"), "mine").unwrap()),
        ("b.txt", |fixture| {
            fs::remove_file(fixture.path("b.txt")).unwrap();
            std::os::unix::fs::symlink("a.txt", fixture.path("b.txt")).unwrap();
        }),
    ];
    for (named, meanwhile) in cases {
        meanwhile(&fixture);
        let now = tree(&fixture);
        let refusal = undo(&files, &json!({})).unwrap_err();
        assert_eq!(refusal.code, code::CHANGED_SINCE, "{refusal}");
        assert!(refusal.message.contains(named), "{refusal}");
        assert_eq!(tree(&fixture), now);
        for (name, content) in [("b.txt", "B\n"), ("c.txt", "c\n")] {
            let _ = fs::remove_file(fixture.path(name));
            fixture.file(name, content);
        }
        // `a` had no line end, so the patched lines have none either.
        fixture.file("b.txt", "B");
    }
    undo(&files, &json!({})).unwrap();
    assert_eq!((fixture.text("a.txt"), fixture.text("b.txt")), ("a".into(), "b".into()));
}

#[test]
fn calls_of_others_are_taken_back_only_when_that_is_asked_for() {
    let fixture = Fixture::new();
    let (one, two) = (files_of(&fixture, "one"), files_of(&fixture, "two"));
    write(&one, "a.txt", "1").unwrap();
    assert!(history(&two).is_empty());
    assert_eq!(undo(&two, &json!({})).unwrap_err().code, code::UNKNOWN_CHANGE);
    let all = ask(&json!({ "all": true }), |request| two.history(request)).unwrap();
    assert_eq!(all["changes"][0]["own"], json!(false));
    undo(&two, &json!({ "all": true })).unwrap();
    assert!(!fixture.path("a.txt").exists());
    // Callers of one host are told apart as well.
    let request = json!({ "path": "a.txt", "content": "1", "overwrite": "always", "caller": "c1" });
    ask(&request, |request| one.write(request)).unwrap();
    let refusal = undo(&one, &json!({ "ofCaller": "c2" })).unwrap_err();
    assert_eq!(refusal.code, code::UNKNOWN_CHANGE);
    undo(&one, &json!({ "ofCaller": "c1" })).unwrap();
}

/// Nothing below another root is named or touched, and what is protected by now stays as it is.
#[test]
fn only_what_may_be_written_is_taken_back() {
    let fixture = Fixture::new();
    write(&files_of(&fixture, "one"), "a.txt", "1").unwrap();
    let elsewhere = FilesConfig {
        roots: std::sync::Arc::new(handrail_files::Roots::Only(vec![
            handrail_files::Root::open(&fixture.base.join("outside"), true).unwrap(),
        ])),
        ..config(&fixture, "one", MAX_BYTES)
    };
    let elsewhere = Files::new(elsewhere).unwrap();
    assert!(history(&elsewhere).is_empty());
    let mut protecting = config(&fixture, "one", MAX_BYTES);
    protecting.rules.protected.push(fixture.path("a.txt").to_string_lossy().into_owned());
    let protecting = Files::new(protecting).unwrap();
    assert_eq!(undo(&protecting, &json!({})).unwrap_err().code, code::BLOCKED_WRITE);
    assert_eq!(fixture.text("a.txt"), "1");
}

#[test]
fn the_oldest_calls_make_room_and_what_is_too_large_is_not_kept() {
    let fixture = Fixture::new();
    let files = files_of_size(&fixture, 1000);
    fixture.file("a.txt", "x".repeat(400)).file("large.txt", "y".repeat(2000));
    for number in 0..200 {
        write(&files, "a.txt", &format!("{number:0400}")).unwrap();
    }
    let listed = ask(&json!({}), |request| files.history(request)).unwrap();
    assert!(listed["keptBytes"].as_u64().unwrap() <= 1000, "{listed}");
    assert!(!listed["changes"].as_array().unwrap().is_empty());
    write(&files, "large.txt", "short").unwrap();
    assert_eq!(states(&files)[0], "unkept");
    assert_eq!(undo(&files, &json!({})).unwrap_err().code, code::NOT_KEPT);
    assert_eq!(fixture.text("large.txt"), "short");
}

#[test]
fn without_a_folder_changes_go_on_and_the_refusal_says_why() {
    let fixture = Fixture::new();
    fs::create_dir_all(fixture.base.join("state/changes")).unwrap();
    let mode = fs::Permissions::from_mode(0o755);
    fs::set_permissions(fixture.base.join("state/changes"), mode).unwrap();
    let files = files_of(&fixture, "one");
    write(&files, "a.txt", "1").unwrap();
    let refusal = undo(&files, &json!({})).unwrap_err();
    assert_eq!(refusal.code, code::NOT_KEPT);
    assert!(refusal.message.contains("other users"), "{refusal}");
}

proptest! {
    #![proptest_config(ProptestConfig { cases: rounds(400).max(8), ..ProptestConfig::default() })]

    /// Whatever was written, taking all of it back leaves the tree as it was.
    #[test]
    fn taking_everything_back_leaves_the_first_tree(
        calls in prop::collection::vec((0..4_usize, 0..3_usize, "[a-c]{0,3}\n"), 1..12),
    ) {
        let fixture = Fixture::new();
        fixture.file("f0", "zero\n").file("d/f1", "one\n");
        let files = files_of(&fixture, "one");
        let before = tree(&fixture);
        let names = ["f0", "d/f1", "d/e/f2", "g/f3"];
        for (file, kind, content) in calls {
            let name = names[file];
            if kind == 0 && fixture.path(name).exists() {
                patch(&files, &envelope(&format!("*** Delete File: {name}\n"))).unwrap();
            } else {
                write(&files, name, &content).unwrap();
            }
        }
        undo(&files, &json!({ "last": 100 })).unwrap();
        prop_assert_eq!(tree(&fixture), before);
    }
}
