//! Layers that are listed, brought over and dropped.

use std::fs;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::Path;
use std::sync::Arc;

use handrail_files::{Files, FilesConfig, Root, Roots, code};
use serde_json::{Value, json};

use crate::fixture::{Fixture, ask};
use crate::layer_fixture::{Layered, MAX_BYTES, config, has_overlays, sh};

const TREE: &str = "echo a > a; echo b > b; mkdir -p d/e old; echo c > d/c; echo f > d/e/f; ln -s a link; \
                    echo x > old/x; echo y > old/y; chmod 750 d; mkdir spare; echo s > spare/f; touch -d 2020-01-01 d/c d a";
/// One change of each kind.
const EVERYTHING: &str = "echo A > a; rm b; echo new > n; mkdir -p fresh/in/side; echo z > fresh/in/z; \
                          chmod 600 d/c; rm -r old; mkdir old; echo o > old/o; rm link; mkdir link; echo l > link/l; \
                          ln -s ../n d/e/to; rm d/e/f; touch -d 2021-02-03 d/e; ln n second; chmod 711 d";

/// The kinds and paths of changes.
pub(crate) fn listed(changes: &Value) -> Vec<String> {
    let changes = changes["changes"].as_array().unwrap().iter();
    changes
        .map(|change| format!("{} {}", change["kind"], change["path"]).replace('"', ""))
        .collect()
}

fn conflicts(answer: &Value) -> Vec<String> {
    let found = answer["changes"]["conflicts"].as_array().unwrap().iter();
    found.map(|one| format!("{} {}", one["reason"], one["path"]).replace('"', "")).collect()
}

/// In another file system than the roots.
fn elsewhere() -> Option<std::path::PathBuf> {
    let shared = Path::new("/dev/shm");
    let device = |path: &Path| fs::metadata(path).map(|found| found.dev()).ok();
    (device(shared)? != device(&std::env::temp_dir())?).then(|| shared.to_path_buf())
}

#[test]
fn every_kind_of_change_is_listed_brought_over_and_taken_back() {
    if !has_overlays() {
        return;
    }
    for takes in [true, false] {
        let layered = Layered::new(TREE);
        let before = layered.snapshot();
        let shown = layered.run(EVERYTHING);
        assert_eq!(layered.snapshot(), before);
        let changes = layered.changes();
        assert_eq!(
            listed(&changes),
            [
                "changed a",
                "deleted b",
                "attributes d/c",
                "deleted d/e/f",
                "created d/e/to",
                "attributes d/e",
                "attributes d",
                "created fresh",
                "created fresh/in",
                "created fresh/in/side",
                "created fresh/in/z",
                "changed link",
                "created link/l",
                "created n",
                "attributes old",
                "created old/o",
                "deleted old/x",
                "deleted old/y",
                "created second",
            ]
        );
        let counts =
            ["created", "changed", "deleted", "attributes"].map(|kind| changes[kind].as_u64());
        assert_eq!(counts, [Some(9), Some(2), Some(4), Some(4)]);
        let answer =
            layered.commit(&json!({ "takes": takes, "digest": changes["digest"] })).unwrap();
        assert_eq!((&answer["committed"], &answer["undoable"]), (&json!(true), &json!(true)));
        assert_eq!(layered.snapshot(), shown, "takes: {takes}");
        let inode = |name: &str| fs::metadata(layered.path(name)).unwrap().ino();
        assert_eq!(inode("n"), inode("second"));
        // Nothing is left to bring over, and no temporary name.
        assert_eq!(listed(&layered.changes()), Vec::<String>::new(), "takes: {takes}");
        assert!(layered.fixture.temporary_files().is_empty());
        let undone = layered.undo().unwrap();
        assert_eq!(layered.snapshot(), before, "takes: {takes}");
        let request = json!({ "ids": [undone["id"]] });
        ask(&request, |request| layered.files.undo(request)).unwrap();
        assert_eq!(layered.snapshot(), shown, "takes: {takes}");
    }
}

#[test]
fn a_state_in_another_file_system_is_brought_over_by_copies() {
    let Some(shared) = elsewhere().filter(|_| has_overlays()) else { return };
    let fixture = Fixture::new();
    let state = shared.join(fixture.base.file_name().unwrap());
    let layered = Layered::with_state(fixture, state.clone(), TREE, MAX_BYTES);
    let before = layered.snapshot();
    let shown = layered.run(EVERYTHING);
    layered.commit(&json!({ "takes": true })).unwrap();
    assert_eq!(layered.snapshot(), shown);
    let inode = |name: &str| fs::metadata(layered.path(name)).unwrap().ino();
    assert_eq!(inode("n"), inode("second"));
    layered.undo().unwrap();
    assert_eq!(layered.snapshot(), before);
    fs::remove_dir_all(state).unwrap();
}

/// What others have done since the layer began stays, and the layer keeps what it has.
#[test]
fn a_conflict_is_named_and_nothing_is_brought_over() {
    if !has_overlays() {
        return;
    }
    let cases: [(&str, &str, &str); 13] = [
        ("echo A > a", "echo mine > a", "changed a"),
        ("echo A > a", "touch -d 2019-01-01 a; chmod 600 a", "changed a"),
        ("echo A > a", "echo mine > m; mv m a", "changed a"),
        ("echo A >> a", "rm a", "gone a"),
        ("rm b", "echo mine > b", "changed b"),
        ("echo N > n", "echo mine > n", "changed n"),
        ("rm -r old", "echo mine > old/m", "changed old"),
        ("rm -r old", "echo mine > old/x", "changed old/x"),
        ("rm -r old; mkdir old", "ln -s ../a old/l", "changed old"),
        ("echo F > d/e/f", "mv d/e away; mkdir d/e; cp -p away/f d/e/f", "changed d/e/f"),
        ("echo F > d/e/f", "mv d/e away; mv spare d/e", "gone d/e"),
        ("echo F > d/e/f", "mv d/e out; ln -s out d/e", "gone d/e"),
        ("chmod 700 d", "chmod 755 d", "changed d"),
    ];
    for (script, meanwhile, expected) in cases {
        for takes in [true, false] {
            let layered = Layered::new(TREE);
            layered.run(script);
            sh(meanwhile, &layered.fixture.root());
            let now = layered.snapshot();
            let answer = layered.commit(&json!({ "takes": takes })).unwrap();
            assert_eq!(answer["committed"], json!(false), "{script}; {meanwhile}");
            assert_eq!(conflicts(&answer), [expected], "{script}; {meanwhile}");
            assert_eq!(layered.snapshot(), now, "{script}; {meanwhile}");
            // The rest is brought over where that is asked for.
            layered.run("echo rest > rest");
            let answer = layered.commit(&json!({ "takes": takes, "partly": true })).unwrap();
            assert_eq!(answer["committed"], json!(true));
            assert_eq!(layered.fixture.text("rest"), "rest\n");
        }
    }
}

#[test]
fn what_others_did_elsewhere_or_did_too_is_no_conflict() {
    if !has_overlays() {
        return;
    }
    let cases = [
        ("echo A > a", "echo mine > m; echo B > b"),
        ("rm b", "rm b"),
        ("echo new > d/n", "echo mine > d/m; rm d/c"),
        ("echo A > a; touch -d 2022-02-02 a", "echo A > a; touch -d 2022-02-02 a"),
    ];
    for (script, meanwhile) in cases {
        let layered = Layered::new(TREE);
        layered.run(script);
        sh(meanwhile, &layered.fixture.root());
        let answer = layered.commit(&json!({ "takes": true })).unwrap();
        assert_eq!((&answer["committed"], conflicts(&answer).len()), (&json!(true), 0), "{script}");
        assert!(!layered.path("m").exists() || layered.fixture.text("m") == "mine\n");
    }
}

/// What the host keeps to itself, and other roots, are not reached through a layer, whatever wrote to it.
#[test]
fn protected_places_and_other_roots_stay_as_they_are() {
    if !has_overlays() {
        return;
    }
    let scripts = [
        ("echo A > kept/a", "protected kept/a"),
        ("rm -r kept", "protected kept"),
        ("rm -r above", "protected above"),
        ("rm -r above; ln -s /etc above", "protected above"),
        ("echo A > read/a", "otherRoot read/a"),
        ("rm -r read", "otherRoot read"),
        ("rm -r over", "otherRoot over"),
    ];
    for (script, expected) in scripts {
        let mut layered = Layered::new(
            "mkdir -p kept above/kept read over/read; echo a > kept/a; echo a > read/a",
        );
        let fixture = &layered.fixture;
        let mut guarded = config(fixture, &layered.state, MAX_BYTES);
        for kept in ["kept", "above/kept"] {
            guarded.rules.protected.push(fixture.path(kept).to_string_lossy().into_owned());
        }
        let open = |path: &Path, writable| Root::open(path, writable).unwrap();
        let roots = vec![
            open(&fixture.root(), true),
            open(&fixture.path("read"), false),
            open(&fixture.path("over/read"), false),
        ];
        let guarded = FilesConfig { roots: Arc::new(Roots::Only(roots)), ..guarded };
        layered.run(script);
        let before = layered.snapshot();
        let unguarded = std::mem::replace(&mut layered.files, Files::new(guarded).unwrap());
        let answer = layered.commit(&json!({ "takes": true, "partly": true })).unwrap();
        assert_eq!(conflicts(&answer), [expected], "{script}");
        assert_eq!(layered.snapshot(), before, "{script}");
        // Without the guards it is brought over.
        layered.files = unguarded;
        layered.commit(&json!({ "takes": true })).unwrap();
        assert_ne!(layered.snapshot(), before, "{script}");
    }
}

#[test]
fn a_layer_over_another_root_or_in_one_is_refused() {
    if !has_overlays() {
        return;
    }
    let layered = Layered::new(TREE);
    layered.run("echo A > a");
    let outside = layered.fixture.base.join("outside");
    let refused = |why: &str| {
        let refusal = layered.commit(&json!({ "takes": true })).unwrap_err();
        assert!(refusal.message.contains(why), "{refusal}");
    };
    let text = fs::read_to_string(layered.layer.join("layer.json")).unwrap();
    let other =
        text.replace(&*layered.fixture.root().to_string_lossy(), &outside.to_string_lossy());
    fs::write(layered.layer.join("layer.json"), other).unwrap();
    refused("another root");
    fs::write(layered.layer.join("layer.json"), "{").unwrap();
    refused("description");
    fs::write(layered.layer.join("layer.json"), text).unwrap();
    fs::set_permissions(&layered.layer, fs::Permissions::from_mode(0o755)).unwrap();
    refused("not permitted");
    fs::set_permissions(&layered.layer, fs::Permissions::from_mode(0o700)).unwrap();
    let inside = layered.path("inside");
    fs::create_dir(&inside).unwrap();
    let request = json!({ "layer": inside });
    let refusal = ask(&request, |request| layered.files.layer_commit(request)).unwrap_err();
    assert!(refusal.message.contains("lies in a root"), "{refusal}");
    layered.commit(&json!({ "takes": true })).unwrap();
}

#[test]
fn pipes_and_sockets_are_named_and_left_out() {
    if !has_overlays() {
        return;
    }
    for takes in [true, false] {
        let layered = Layered::new(TREE);
        layered.run(
            "mkfifo pipe; mkdir -p new/in; mkfifo new/in/pipe; echo n > new/n; rm b; mkfifo b",
        );
        let answer = layered.commit(&json!({ "takes": takes })).unwrap();
        let left = &answer["changes"]["leftOut"];
        assert_eq!(left, &json!({ "paths": ["b", "new/in/pipe", "pipe"], "count": 3 }));
        assert!(answer["committed"] == json!(true) && layered.path("new/in").is_dir());
        assert_eq!(
            (layered.fixture.text("new/n"), layered.fixture.text("b")),
            ("n\n".into(), "b\n".into())
        );
        for name in ["pipe", "new/in/pipe"] {
            assert!(!layered.path(name).exists());
        }
    }
}

#[test]
fn modes_lists_of_rights_and_attributes_come_over_and_those_of_the_overlay_do_not() {
    if !has_overlays() {
        return;
    }
    for takes in [true, false] {
        let layered = Layered::new(TREE);
        layered.run(
            "echo s > set; chmod 6755 set; chmod 4711 a; mkdir sticky; chmod 3777 sticky; chmod 0 b; mkdir closed; \
             echo i > closed/i; chmod 555 closed; mv d/c moved; rm -r old; mkdir old; mkdir old/x",
        );
        let upper = layered.layer.join("0/upper");
        for (name, value) in [("set", "s"), ("sticky", "d")] {
            let flags = rustix::fs::XattrFlags::empty();
            rustix::fs::setxattr(upper.join(name), "user.note", value.as_bytes(), flags).unwrap();
        }
        layered.commit(&json!({ "takes": takes })).unwrap();
        let mode = |name: &str| fs::metadata(layered.path(name)).unwrap().mode() & 0o7777;
        let modes = ["set", "a", "sticky", "b", "closed"].map(mode);
        assert_eq!(modes, [0o6755, 0o4711, 0o3777, 0, 0o555]);
        for (name, value) in [("set", "s"), ("sticky", "d")] {
            let mut kept = [0; 8];
            let length = rustix::fs::getxattr(layered.path(name), "user.note", &mut kept).unwrap();
            assert_eq!(&kept[..length], value.as_bytes());
        }
        let names = sh("find . -printf '%P\\n'", &layered.fixture.root());
        for name in names.lines() {
            let mut list = [0; 1024];
            let length = rustix::fs::llistxattr(layered.path(name), &mut list).unwrap();
            let list = String::from_utf8_lossy(&list[..length]).into_owned();
            assert!(!list.contains("overlay"), "{name}: {list}");
        }
        layered.undo().unwrap();
    }
}

/// The other names of a file have the old content, as docs say.
#[test]
fn a_write_breaks_a_hard_link_of_the_root() {
    if !has_overlays() {
        return;
    }
    let layered = Layered::new("echo one > a; ln a b");
    layered.run("echo two > a");
    layered.commit(&json!({ "takes": true })).unwrap();
    assert_eq!(
        (layered.fixture.text("a"), layered.fixture.text("b")),
        ("two\n".into(), "one\n".into())
    );
}

#[test]
fn what_is_too_large_to_be_kept_is_brought_over_and_not_taken_back() {
    if !has_overlays() {
        return;
    }
    let fixture = Fixture::new();
    let state = fixture.base.join("state");
    let layered = Layered::with_state(
        fixture,
        state,
        "head -c 9000 /dev/zero > large; mkdir d; cp large d",
        4000,
    );
    layered.run("rm -r d; echo small > large");
    let answer = layered.commit(&json!({ "takes": true })).unwrap();
    assert_eq!((&answer["committed"], &answer["undoable"]), (&json!(true), &json!(false)));
    assert_eq!(layered.fixture.text("large"), "small\n");
    assert_eq!(layered.undo().unwrap_err().code, code::NOT_KEPT);
    let listed = ask(&json!({}), |request| layered.files.history(request)).unwrap();
    assert_eq!(listed["keptBytes"], json!(0));
}

#[test]
fn thousands_of_files_are_counted_and_a_few_are_named() {
    if !has_overlays() {
        return;
    }
    let layered = Layered::new("mkdir have; for i in $(seq 500); do echo $i > have/$i; done");
    layered.run(
        "mkdir node_modules; cd node_modules; for d in $(seq 100); do mkdir $d; for f in $(seq 30); do echo $f > $d/$f; done; \
         done; cd ..; for i in $(seq 500); do echo new > have/$i; done",
    );
    let answer = layered.commit(&json!({ "takes": true, "limit": 10 })).unwrap();
    let changes = &answer["changes"];
    assert_eq!((&changes["created"], &changes["changed"]), (&json!(3101), &json!(500)));
    assert_eq!(
        (changes["changes"].as_array().unwrap().len(), &changes["truncated"]),
        (10, &json!(true))
    );
    assert_eq!(layered.fixture.text("node_modules/100/30"), "30\n");
    let listed = ask(&json!({}), |request| layered.files.history(request)).unwrap();
    assert_eq!(listed["changes"][0]["fileCount"], json!(501));
    let undone = layered.undo().unwrap();
    assert_eq!(undone["files"].as_array().unwrap().len(), 501);
    assert!(!layered.path("node_modules").exists() && layered.fixture.text("have/7") == "7\n");
}

/// What somebody has put into a new folder since, or changed in it, is not taken away with it.
#[test]
fn a_commit_is_not_taken_back_over_what_others_have_changed_since() {
    if !has_overlays() {
        return;
    }
    let cases = [
        ("mkdir n; echo n > n/n", "echo mine > n/n", "n"),
        ("mkdir n; echo n > n/n", "echo mine > n/m", "n"),
        ("echo A > a", "echo mine > a", "a"),
        // The same size, and the time set back.
        (
            "echo A > a",
            "touch -r a ../t; printf B | dd of=a conv=notrunc 2>/dev/null; touch -r ../t a",
            "a",
        ),
        ("rm b", "echo mine > b", "b"),
        ("rm -r old", "mkdir old", "old"),
    ];
    for (script, meanwhile, named) in cases {
        let layered = Layered::new(TREE);
        layered.run(script);
        layered.commit(&json!({ "takes": true })).unwrap();
        std::thread::sleep(std::time::Duration::from_millis(20));
        sh(meanwhile, &layered.fixture.root());
        let now = layered.snapshot();
        let refusal = layered.undo().unwrap_err();
        assert_eq!(refusal.code, code::CHANGED_SINCE, "{script}; {meanwhile}: {refusal}");
        assert!(refusal.message.contains(named), "{refusal}");
        assert_eq!(layered.snapshot(), now);
    }
}

/// Calls of file tools and commits are taken back in one go, and made again where one of them cannot be.
#[test]
fn commits_and_other_calls_are_taken_back_together() {
    if !has_overlays() {
        return;
    }
    let layered = Layered::new(TREE);
    let write = |name: &str, content: &str| {
        let request = json!({ "path": name, "content": content, "overwrite": "always" });
        ask(&request, |request| layered.files.write(request)).unwrap();
    };
    let before = sh("cat a b; ls -R", &layered.fixture.root());
    write("a", "1");
    layered.tick();
    layered.run("echo 2 > a; rm b; mkdir m");
    layered.commit(&json!({ "takes": true })).unwrap();
    write("a", "3");
    let after = sh("cat a; ls -R", &layered.fixture.root());
    sh("echo mine > b", &layered.fixture.root());
    for dry_run in [true, false] {
        let request = json!({ "last": 3, "dryRun": dry_run });
        let refusal = ask(&request, |request| layered.files.undo(request)).unwrap_err();
        assert_eq!(refusal.code, code::CHANGED_SINCE);
    }
    sh("rm b", &layered.fixture.root());
    let request = json!({ "last": 3, "dryRun": true });
    ask(&request, |request| layered.files.undo(request)).unwrap();
    assert_eq!(sh("cat a; ls -R", &layered.fixture.root()), after);
    ask(&json!({ "last": 3 }), |request| layered.files.undo(request)).unwrap();
    assert_eq!(sh("cat a b; ls -R", &layered.fixture.root()), before);
}

#[test]
fn attributes_that_an_overlay_hides_are_named_where_they_are_lost() {
    if !has_overlays() {
        return;
    }
    let layered = Layered::new("echo a > a; echo b > b; mkdir d; echo c > d/c; ln -s a link");
    for name in ["a", "b", "d"] {
        let flags = rustix::fs::XattrFlags::empty();
        rustix::fs::setxattr(layered.path(name), "user.overlay.note", b"kept", flags).unwrap();
    }
    layered.tick();
    layered.run("echo A > a; rm b; echo C > d/c; rm link; ln -s b link; echo new > n");
    let changes = layered.changes();
    assert_eq!(changes["lostAttributes"], json!({ "paths": ["a"], "count": 1 }));
    layered.commit(&json!({ "takes": true })).unwrap();
    // A folder that stays keeps its own.
    let mut kept = [0; 8];
    rustix::fs::getxattr(layered.path("d"), "user.overlay.note", &mut kept).unwrap();
    rustix::fs::getxattr(layered.path("a"), "user.overlay.note", &mut kept).unwrap_err();
}
