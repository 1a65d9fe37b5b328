//! What a commit keeps of files beside their contents: that two names are one file, modes that forbid writing, times that were set.

use std::fs;
use std::os::unix::fs::{MetadataExt, chown};

use serde_json::json;

use crate::access::{NOBODY, as_nobody, is_root};
use crate::fixture::{Fixture, ask};
use crate::layer_fixture::{Layered, MAX_BYTES, has_overlays};
use crate::layers::listed;

const TREE: &str =
    "echo a > a; mkdir -p d/e; echo c > d/c; ln -s a d/link; touch -d 2020-01-01 d/c a d/e d";

/// A new name for a file of the root, in a folder that is new as well or beside it.
#[test]
fn a_file_and_a_new_name_for_it_stay_one_file() {
    if !has_overlays() {
        return;
    }
    for takes in [true, false] {
        let layered = Layered::new(TREE);
        let before = layered.snapshot();
        layered.run("ln a again; mkdir made; ln d/c made/c; ln d/link made/link");
        let expected = [
            "attributes a",
            "created again",
            "attributes d/c",
            "attributes d/link",
            "created made",
            "created made/c",
            "created made/link",
        ];
        assert_eq!(listed(&layered.changes()), expected);
        layered.commit(&json!({ "takes": takes })).unwrap();
        let inode = |name: &str| fs::symlink_metadata(layered.path(name)).unwrap().ino();
        for (name, other) in [("a", "again"), ("d/c", "made/c"), ("d/link", "made/link")] {
            assert_eq!(inode(name), inode(other), "takes: {takes}");
        }
        assert_eq!(listed(&layered.changes()), Vec::<String>::new(), "takes: {takes}");
        let request = json!({ "layer": layered.layer });
        ask(&request, |request| layered.files.layer_discard(request)).unwrap();
        layered.undo().unwrap();
        assert_eq!(layered.snapshot(), before, "takes: {takes}");
    }
}

#[test]
fn what_an_ordinary_user_may_only_read_is_brought_over() {
    if !has_overlays() {
        return;
    }
    let fixture = Fixture::new();
    let state = fixture.base.join("state");
    if is_root() {
        for name in ["", "ws", "home", "outside", "outside/secret.txt"] {
            chown(fixture.base.join(name), Some(NOBODY), Some(NOBODY)).unwrap();
        }
    }
    as_nobody(|| {
        let tree = "mkdir d e; for i in 1 2 3; do echo $i > d/$i; done; chmod 444 d/*";
        let layered = Layered::with_state(fixture, state, tree, MAX_BYTES);
        let before = layered.snapshot();
        let shown = layered.run("mv d/1 e/1; chmod 400 d/2; touch -d 2020-01-01 d/3; chmod 555 e");
        layered.commit(&json!({ "takes": true })).unwrap();
        assert_eq!(layered.snapshot(), shown);
        layered.undo().unwrap();
        assert_eq!(layered.snapshot(), before);
    });
}

#[test]
fn a_folder_keeps_the_time_that_was_set() {
    if !has_overlays() {
        return;
    }
    for when in ["2001-02-03", "2101-02-03"] {
        let layered = Layered::new(TREE);
        let before = layered.snapshot();
        let shown = layered.run(&format!("touch -d {when} d/e"));
        assert_eq!(listed(&layered.changes()), ["attributes d/e"]);
        layered.commit(&json!({ "takes": true })).unwrap();
        assert_eq!(layered.snapshot(), shown);
        layered.undo().unwrap();
        assert_eq!(layered.snapshot(), before);
    }
    // What was made and removed again is no change.
    let layered = Layered::new(TREE);
    layered.run("touch d/e/made; rm d/e/made");
    assert_eq!(listed(&layered.changes()), Vec::<String>::new());
}
