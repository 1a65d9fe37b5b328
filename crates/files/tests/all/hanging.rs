//! What never ends or never begins: with no roots and no lists, every call on it is over at once.

use std::fs;

use handrail_files::{Files, Roots, code};
use serde_json::json;

use crate::corpus::fifo;
use crate::fixture::{Fixture, alive, ask, config};

/// Resident memory that a call may add: twice the largest file that is read, with room for a busy test process.
const MAX_GROWTH_KIB: u64 = 128 << 10;

fn unrestricted() -> Files {
    let mut config = config(Roots::Unrestricted, None);
    config.rules.read = false;
    config.rules.write = false;
    Files::new(config).unwrap()
}

fn resident_kib() -> u64 {
    let status = fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap();
    line.trim().trim_end_matches(" kB").parse().unwrap()
}

#[test]
fn pipes_devices_and_endless_files_are_refused_at_once() {
    let fixture = Fixture::new();
    fifo(&fixture.path("pipe"));
    fs::File::create(fixture.path("sparse")).unwrap().set_len(10 << 30).unwrap();
    let _socket = std::os::unix::net::UnixListener::bind(fixture.path("socket")).unwrap();
    let own = |name: &str| fixture.path(name).to_str().unwrap().to_owned();
    let cases = [
        (own("pipe"), vec![code::SPECIAL_FILE]),
        (own("socket"), vec![code::SPECIAL_FILE]),
        (own("sparse"), vec![code::BINARY]),
        ("/dev/zero".to_owned(), vec![code::SPECIAL_FILE]),
        ("/dev/null".to_owned(), vec![code::SPECIAL_FILE]),
        ("/dev/tty".to_owned(), vec![code::SPECIAL_FILE, code::NOT_FOUND]),
        // As the user who runs the tests may or may not read it.
        ("/proc/kmsg".to_owned(), vec![code::SPECIAL_FILE, code::SYSTEM, code::NOT_FOUND]),
        ("/proc/self/mem".to_owned(), vec![code::SYSTEM]),
        ("/proc/self/pagemap".to_owned(), vec![code::TOO_LARGE, code::SPECIAL_FILE, code::SYSTEM]),
        (
            "/proc/self/fd/0".to_owned(),
            vec![code::SPECIAL_FILE, code::NOT_FOUND, code::IS_A_DIRECTORY],
        ),
    ];
    let before = resident_kib();
    {
        let files = unrestricted();
        for (path, codes) in &cases {
            alive(path, || {
                match ask(&json!({ "path": path }), |request| files.read(request)) {
                    Err(refusal) => {
                        assert!(
                            codes.contains(&refusal.code),
                            "{path}: {}: {refusal}",
                            refusal.code
                        );
                    }
                    // Standard input of the tests may be a file.
                    Ok(_) => assert!(path.ends_with("fd/0"), "{path} was read"),
                }
                let edit = json!({ "path": path, "edits": [{ "old": "a", "new": "b" }] });
                assert!(ask(&edit, |request| files.edit(request)).is_err(), "{path} was edited");
                if path.starts_with('/') && !path.starts_with("/proc") && !path.ends_with("sparse")
                {
                    let write = json!({ "path": path, "content": "x", "overwrite": "always" });
                    let refusal = ask(&write, |request| files.write(request)).unwrap_err();
                    assert_eq!(refusal.code, code::SPECIAL_FILE, "{path}");
                }
            });
        }
    }
    let grown = resident_kib() - before;
    assert!(grown < MAX_GROWTH_KIB, "{grown} KiB");
}

#[test]
fn a_file_without_a_size_is_read_when_it_ends() {
    {
        let files = unrestricted();
        let answer =
            ask(&json!({ "path": "/proc/self/status" }), |request| files.read(request)).unwrap();
        assert!(answer["text"].as_str().unwrap().contains("VmHWM"));
        assert!(answer["bytes"].as_u64().unwrap() > 100);
    }
}

#[test]
fn the_largest_file_that_is_held_is_the_one_that_was_configured() {
    let fixture = Fixture::new();
    let mut config = fixture.config();
    config.max_read_bytes = 100;
    let files = Files::new(config).unwrap();
    fixture.file("at", "x".repeat(100)).file("above", "x".repeat(101));
    let read = |path: &str| ask(&json!({ "path": path }), |request| files.read(request));
    assert_eq!(read("at").unwrap()["bytes"], 100);
    // Of a larger one a part is read, and none is changed.
    let above = read("above").unwrap();
    assert_eq!((&above["bytes"], &above["nextColumn"]), (&json!(101), &json!(101)));
    let edit = json!({ "path": "above", "edits": [{ "old": "x", "new": "y", "all": true }] });
    assert_eq!(ask(&edit, |request| files.edit(request)).unwrap_err().code, code::TOO_LARGE);
    // What is too large to be edited can still be replaced.
    let write = json!({ "path": "above", "content": "small", "overwrite": "always" });
    ask(&write, |request| files.write(request)).unwrap();
    assert_eq!(fixture.text("above"), "small");
}
