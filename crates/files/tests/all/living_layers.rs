//! Layers that are brought over while a program goes on in them, and what was made beneath the roots for such a program.

use std::fs;
use std::os::unix::ffi::OsStrExt;

use serde_json::{Value, json};

use crate::layer_fixture::{Layered, has_overlays, sh};

const TREE: &str = "echo a > a; echo b > b; mkdir d; echo c > d/c; mkdir old; echo x > old/x";
const FIRST: &str = "echo A > a; rm b; echo C > d/c; rm -r old; mkdir m; echo x > m/x; chmod 700 d";

fn conflicts(answer: &Value) -> Vec<&str> {
    let found = answer["changes"]["conflicts"].as_array().unwrap().iter();
    found.map(|one| one["path"].as_str().unwrap()).collect()
}

fn paths(answer: &Value) -> Vec<&str> {
    let found = answer["changes"]["changes"].as_array().unwrap().iter();
    found.map(|one| one["path"].as_str().unwrap()).collect()
}

#[test]
fn what_was_brought_over_counts_again_only_where_it_is_written_again() {
    if !has_overlays() {
        return;
    }
    let copied = json!({ "takes": false });
    for is_noted in [true, false] {
        let layered = Layered::new(TREE);
        layered.run(FIRST);
        assert_eq!(layered.commit(&copied).unwrap()["committed"], json!(true));
        // Others do what they like with it.
        let meanwhile =
            "echo theirs > a; echo back > b; rm d/c; mkdir old; chmod 755 d; echo y > m/y";
        sh(meanwhile, &layered.fixture.root());
        if !is_noted {
            fs::remove_file(layered.layer.join("brought")).unwrap();
        }
        layered.run("echo n > n");
        let second = layered.commit(&copied).unwrap();
        assert_eq!(second["committed"], json!(is_noted), "{second}");
        if !is_noted {
            continue;
        }
        assert_eq!(paths(&second), ["n"]);
        let look = "cat a b m/y n; ls d m; stat -c %a d";
        assert_eq!(sh(look, &layered.fixture.root()), "theirs\nback\ny\nn\nd:\n\nm:\nx\ny\n755\n");
        // What it writes again is a conflict with what they did, and what they left alone is none.
        layered.run("echo again > a; echo more >> n");
        let third = layered.commit(&copied).unwrap();
        assert_eq!((&third["committed"], conflicts(&third)), (&json!(false), vec!["a"]));
        sh("rm a; echo N > a", &layered.fixture.root());
        let last = layered.commit(&json!({ "takes": true, "partly": true })).unwrap();
        assert_eq!(last["committed"], json!(true));
        assert_eq!(sh("cat a n", &layered.fixture.root()), "N\nn\nmore\n");
    }
}

#[test]
fn what_is_written_while_a_layer_is_brought_over_is_brought_over_later() {
    if !has_overlays() {
        return;
    }
    for _ in 0..20 {
        let layered = Layered::new(TREE);
        layered.run("for i in $(seq 50); do echo 0 > f$i; done");
        let upper = layered.layer.join("0/upper");
        std::thread::scope(|scope| {
            let committed = scope.spawn(|| layered.commit(&json!({ "takes": false })));
            // As a program in the layer would write, which goes on meanwhile.
            for number in 1..=50 {
                fs::write(upper.join(format!("f{number}")), "1\n").unwrap();
            }
            committed.join().unwrap().unwrap();
        });
        let mut answer = layered.commit(&json!({ "takes": false })).unwrap();
        if answer["committed"] == json!(false) {
            answer = layered.commit(&json!({ "takes": true })).unwrap();
        }
        assert_eq!(answer["committed"], json!(true), "{answer}");
        let left = sh("cat f* | grep -c 1", &layered.fixture.root());
        assert_eq!(left, "50\n");
    }
}

#[test]
fn a_folder_that_was_made_for_a_program_is_no_conflict_when_it_is_gone() {
    if !has_overlays() {
        return;
    }
    for is_noted in [true, false] {
        let layered = Layered::new(TREE);
        let made = layered.path("node_modules");
        fs::create_dir(&made).unwrap();
        if is_noted {
            let text = [made.as_os_str().as_bytes(), b"\0"].concat();
            fs::write(layered.layer.join("made"), text).unwrap();
        }
        layered.run("mkdir node_modules/p; echo 1 > node_modules/p/index.js");
        fs::remove_dir(&made).unwrap();
        let answer = layered.commit(&json!({ "takes": true })).unwrap();
        assert_eq!(answer["committed"], json!(is_noted), "{answer}");
        if is_noted {
            assert_eq!(layered.fixture.text("node_modules/p/index.js"), "1\n");
            layered.undo().unwrap();
            assert!(!made.exists());
        } else {
            assert_eq!(conflicts(&answer), ["node_modules"]);
        }
    }
}
