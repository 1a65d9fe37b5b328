//! Random trees and random scripts: a layer that is dropped leaves the tree as it was, and one that is brought over makes it what
//! the script makes of it.

use std::fs::{self, File, OpenOptions};
use std::io::Write as _;
use std::os::unix::fs::{MetadataExt, chown};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

use handrail_files::code;
use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};
use serde_json::json;

use crate::access::{NOBODY, as_nobody, is_root};
use crate::fixture::{Fixture, ask, rounds};
use crate::layer_fixture::{Layered, MAX_BYTES, has_overlays, sh};

const NAMES: [&str; 8] = ["a", "b", "d/a", "d/b", "d/e", "d/e/a", "d/e/f/b", "g"];

/// One command of a script, with the names that it is about.
fn command() -> impl Strategy<Value = String> {
    let name = || prop::sample::select(&NAMES[..]);
    (0..17_usize, name(), name(), 0..4_u8).prop_map(|(kind, one, two, number)| match kind {
        0 | 1 => format!("echo {number} > {one}"),
        2 => format!("echo {number} >> {one}"),
        3 | 4 => format!("rm -rf {one}"),
        5 | 6 => format!("mkdir -p {one}"),
        7 | 8 => format!("mv {one} {two}"),
        9 => format!("mv -T {one} {two}"),
        10 => format!("ln -s {two} {one}"),
        11 => format!("ln {one} {two}"),
        12 => format!("chmod {} {one}", ["700", "755", "775", "750"][usize::from(number)]),
        13 => format!("touch -d 201{number}-01-02 {one}"),
        // A copy of a folder into itself holds what it comes to first.
        14 if !two.starts_with(one) => format!("cp -a {one} {two}"),
        14 => format!("touch {one}"),
        15 => format!("mkdir -p {one} && echo {number} > {one}/new"),
        _ => format!("rm -rf {one} && mkdir {one} && echo {number} > {one}/in"),
    })
}

pub(crate) fn script(most: usize) -> impl Strategy<Value = String> {
    let commands = prop::collection::vec(command(), 1..most);
    commands.prop_map(|commands| commands.join(" 2>/dev/null\n") + " 2>/dev/null\ntrue")
}

/// What a tree holds, without times: those of a second run are others.
const TIMELESS: &str = "find . -printf '%P|%y|%l\\n' | sort; find . -type f -printf '%P|%m\\n' | sort; \
                        find . -type f -exec cksum {} + | sort -k3";

/// A snapshot without the time of the root, which changes with its entries alone, and without the times of all folders where
/// nothing has changed.
fn without_times(snapshot: &str, has_changed: bool) -> String {
    let line = |line: &str| {
        let mut parts: Vec<&str> = line.split('|').collect();
        let is_folder = parts.get(1) == Some(&"d");
        if is_folder && (!has_changed || parts[0].is_empty()) {
            parts[3] = "";
        }
        parts.join("|")
    };
    snapshot.lines().map(line).collect::<Vec<_>>().join("\n")
}

/// Tries scripts as this user.
fn run_scripts(cases: u32, owner: Option<u32>) {
    let strategy = (script(12), script(14), any::<bool>());
    let runner =
        &mut TestRunner::new(Config { cases, failure_persistence: None, ..Config::default() });
    let tried = runner.run(&strategy, |(tree, script, takes)| {
        let fixture = Fixture::new();
        let state = fixture.base.join("state");
        if let Some(owner) = owner {
            for name in ["", "ws", "home", "outside", "outside/secret.txt"] {
                chown(fixture.base.join(name), Some(owner), Some(owner)).unwrap();
            }
        }
        let tried = || {
            let layered = Layered::with_state(fixture, state, &tree, MAX_BYTES);
            let before = layered.snapshot();
            let copy = layered.fixture.base.join("copy");
            sh(&format!("cp -a ws {}", copy.display()), &layered.fixture.base);
            let has_links = !sh("find . -type f -links +1", &copy).is_empty();
            let shown = layered.run(&script);
            prop_assert_eq!(&layered.snapshot(), &before, "dropped");
            let answer = layered.commit(&json!({ "takes": takes })).unwrap();
            prop_assert_eq!(&answer["committed"], &json!(true), "{}", answer);
            // Where nothing is brought over the times of folders stay.
            let has_changed = answer["id"].is_string();
            let compared = |snapshot: &str| without_times(snapshot, has_changed);
            prop_assert_eq!(compared(&layered.snapshot()), compared(&shown), "brought over");
            // Where the tree has hard links, a write goes to all names outside of a layer.
            if !has_links {
                sh(&script, &copy);
                prop_assert_eq!(sh(TIMELESS, &layered.fixture.root()), sh(TIMELESS, &copy));
            }
            if has_changed {
                layered.undo().unwrap();
            }
            prop_assert_eq!(&layered.snapshot(), &before, "taken back");
            prop_assert!(layered.fixture.temporary_files().is_empty());
            Ok(())
        };
        if owner.is_some() { as_nobody(tried) } else { tried() }
    });
    tried.unwrap();
    report(cases, if owner.is_some() { "scripts of an ordinary user" } else { "scripts" });
}

/// Says in the form that `npm run soak` looks for how often something was tried.
#[expect(clippy::print_stdout, reason = "a soak test reports what it did")]
pub(crate) fn report(times: u32, what: &str) {
    println!("\nsoak: {times} {what}");
}

#[test]
fn scripts_in_a_layer_do_what_they_do_without() {
    if has_overlays() {
        run_scripts(rounds(400).max(16), None);
    }
}

#[test]
fn scripts_of_an_ordinary_user_do_what_they_do_without() {
    if has_overlays() && is_root() {
        run_scripts(rounds(400).max(16), Some(NOBODY));
    }
}

/// A program that holds files open writes to what had a place while a commit is running, also where that ends half way: what it
/// wrote is in the root afterwards, or kept with a commit that is whole. A file that a whole commit has copied and removed, since
/// its record lies elsewhere, is beyond reach for whoever still has it open.
#[test]
fn what_is_written_through_open_files_during_a_commit_is_never_lost() {
    if !has_overlays() {
        return;
    }
    let shared = Path::new("/dev/shm");
    for round in 0..rounds(20).max(4) {
        let fixture = Fixture::new();
        let mut state = fixture.base.join("state");
        // In another file system the entries stand beside their places.
        let stands_beside = round % 2 == 1 && shared.is_dir();
        if stands_beside {
            state = shared.join(fixture.base.file_name().unwrap());
        }
        let prepare = "for i in $(seq 200); do echo old > f$i; done";
        let layered = Layered::with_state(fixture, state.clone(), prepare, MAX_BYTES);
        layered.run("for i in $(seq 200); do echo new > f$i; done");
        let root = layered.fixture.root();
        let mut names: Vec<_> = (1..=200).map(|number| root.join(format!("f{number}"))).collect();
        names.sort();
        let open = |name| OpenOptions::new().append(true).open(name).unwrap();
        let mut files: Vec<File> = names.iter().map(open).collect();
        let first = files[0].metadata().unwrap().ino();
        let is_over = AtomicBool::new(false);
        let (answer, wrote) = std::thread::scope(|scope| {
            let writer = scope.spawn(|| {
                let has_begun =
                    || fs::symlink_metadata(&names[0]).is_ok_and(|found| found.ino() != first);
                while !has_begun() {
                    if is_over.load(Ordering::Relaxed) {
                        return false;
                    }
                }
                files[0].write_all(b"second-first\n").unwrap();
                files[199].write_all(b"second-last\n").unwrap();
                true
            });
            let answer = layered.commit(&json!({ "takes": true }));
            is_over.store(true, Ordering::Relaxed);
            (answer, writer.join().unwrap())
        });
        let is_whole = answer.as_ref().is_ok_and(|answer| answer["committed"] == json!(true));
        for written in ["second-first", "second-last"] {
            let there = sh(&format!("grep -rl {written} ."), &root);
            let kept = sh(&format!("grep -rl {written} changes"), &state);
            let is_there = !there.is_empty() || (is_whole && (stands_beside || !kept.is_empty()));
            assert!(is_there || !wrote, "{written} is lost in round {round}");
        }
        assert!(layered.fixture.temporary_files().is_empty());
        drop(layered);
        let _ = fs::remove_dir_all(state);
    }
}

#[test]
fn what_was_not_seen_is_not_brought_over() {
    if !has_overlays() {
        return;
    }
    let cases = [
        // The same size, and the time set back.
        (
            "echo A > a",
            "touch -r a ../t; printf B | dd of=a conv=notrunc 2>/dev/null; touch -r ../t a",
        ),
        (
            "echo A > a; chmod 0 a",
            "touch -r a ../t; chmod 600 a; echo B > a; chmod 0 a; touch -r ../t a",
        ),
        ("ln -s aa n", "touch -hr n ../t; rm n; ln -s bb n; touch -hr ../t n"),
        ("echo A > a", "echo AA > a"),
        ("echo A > a", "chmod 640 a"),
        ("echo A > a", "echo N > n"),
    ];
    for (script, later) in cases {
        let layered = Layered::new("echo a > a; mkdir d; echo c > d/c");
        layered.run(script);
        let seen = layered.changes()["digest"].clone();
        // Looking changes nothing.
        let request = json!({ "layer": layered.layer, "digest": seen });
        ask(&request, |request| layered.files.layer_changes(request)).unwrap();
        layered.run("ls -R > /dev/null; cat d/c > /dev/null");
        ask(&request, |request| layered.files.layer_changes(request)).unwrap();
        layered.run(later);
        let refusal = ask(&request, |request| layered.files.layer_changes(request)).unwrap_err();
        assert_eq!(refusal.code, code::CHANGED_ON_DISK, "{later}");
        let refusal = layered.commit(&json!({ "takes": true, "digest": seen })).unwrap_err();
        assert_eq!(refusal.code, code::CHANGED_ON_DISK, "{later}");
        assert_eq!(layered.fixture.text("a"), "a\n");
    }
}
