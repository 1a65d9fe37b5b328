//! Layers that are dropped, and what processes leave of theirs.

use std::fs;

use serde_json::json;

use crate::fixture::{Fixture, ask};
use crate::layer_fixture::{Layered, MAX_BYTES, sh};

#[test]
fn a_layer_is_dropped_whole_and_those_of_dead_processes_are_swept() {
    let fixture = Fixture::new();
    let state = fixture.base.join("state");
    let layered = Layered::with_state(fixture, state, "echo a > a", MAX_BYTES);
    sh("mkdir -p 0/upper/x/y; echo 1 > 0/upper/x/y/z; chmod 0 0/upper/x/y", &layered.layer);
    // Deeper than any other call goes.
    let deep = vec!["d"; 600].join("/");
    sh(&format!("mkdir -p {deep}"), &layered.layer.join("0/upper"));
    let sweep = || {
        let request = json!({ "folder": layered.state.join("layers") });
        ask(&request, |request| layered.files.layer_sweep(request)).unwrap()
    };
    let stat = fs::read_to_string("/proc/self/stat").unwrap();
    let since_boot: u64 =
        stat.rsplit_once(')').unwrap().1.split_whitespace().nth(19).unwrap().parse().unwrap();
    let own = |start: u64| {
        let owner = json!({ "pid": std::process::id(), "start": start });
        let text = json!({ "version": 1, "owner": owner, "roots": [layered.fixture.root()] });
        fs::write(layered.layer.join("layer.json"), text.to_string()).unwrap();
    };
    own(since_boot);
    fs::create_dir(layered.state.join("layers/foreign")).unwrap();
    assert_eq!(sweep(), json!({ "removed": 0, "left": 2 }));
    own(since_boot - 1);
    let begun = fs::File::open(layered.layer.join("begun")).unwrap();
    begun.lock().unwrap();
    assert_eq!(sweep(), json!({ "removed": 0, "left": 2 }));
    drop(begun);
    // A program that another test starts at this moment may hold the file until it runs.
    while sweep()["removed"] == json!(0) {
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
    assert!(!layered.layer.exists());
    let request = json!({ "layer": layered.state.join("layers/foreign") });
    ask(&request, |request| layered.files.layer_discard(request)).unwrap_err();
    assert!(layered.state.join("layers/foreign").is_dir());
    let request = json!({ "layer": layered.layer });
    let discarded = ask(&request, |request| layered.files.layer_discard(request)).unwrap();
    assert_eq!(discarded, json!({ "discarded": false }));
    layered.begin();
    let discarded = ask(&request, |request| layered.files.layer_discard(request)).unwrap();
    assert_eq!(discarded, json!({ "discarded": true }));
    assert!(!layered.layer.exists());
}

#[test]
fn what_is_left_of_a_layer_that_never_began_is_swept_once_it_is_old() {
    let fixture = Fixture::new();
    let state = fixture.base.join("state");
    let layered = Layered::with_state(fixture, state, "echo a > a", MAX_BYTES);
    sh(
        "mkdir -m 700 ../empty ../blank ../young ../full ../damaged; touch ../blank/layer.json; \
         echo x > ../full/notes; echo x > ../damaged/layer.json; \
         touch -d '2 hours ago' ../empty ../blank ../full ../damaged; touch -d '50 minutes ago' ../young",
        &layered.layer,
    );
    let request = json!({ "folder": layered.state.join("layers") });
    let swept = ask(&request, |request| layered.files.layer_sweep(request)).unwrap();
    let left = sh("ls", &layered.state.join("layers"));
    // The layer's own process is another one by the time that it says.
    assert_eq!((&swept["removed"], left.as_str()), (&json!(3), "damaged\nfull\nyoung\n"));
    layered.begin();
}
