//! Numbers of masks are those of the content that was given, and of no other.

use handrail_files::{Files, code};
use serde_json::json;

use crate::fixture::{Fixture, ask};
use crate::masks::{edit, read, write};

/// Numbers hold for the masks that were given of the content as it is: what a part of it shows does not make those of an
/// earlier content right again.
#[test]
fn a_part_that_is_read_again_renews_no_other_numbers() {
    let lines = |names: &[(&str, &str)]| -> String {
        let line = |(name, value): &(&str, &str)| [name, "_PASSWORD=", value, "\n"].concat();
        names.iter().map(line).collect()
    };
    let old = [("A", "hunter2alpha"), ("B", "hunter2bravo"), ("C", "hunter2charl")];
    let masks = [("A", "[REDACTED:1]"), ("B", "[REDACTED:2]"), ("C", "[REDACTED:3]")];
    let page = |files: &Files, from: usize, count: usize| {
        let request = json!({ "path": "f", "offset": from, "limit": count });
        ask(&request, |request| files.read(request)).unwrap();
    };
    let stale = lines(&masks);
    let swapped = [("[REDACTED:1", "[REDACTED:3"), ("[REDACTED:3", "[REDACTED:1")];
    let part = ("PASSWORD=[REDACTED:1]\nB", "PASSWORD=[REDACTED:2]\nB");
    let by_others = |fixture: &Fixture| {
        let text = format!("NEW_PASSWORD=hunter2newer\n{}", lines(&old));
        // As editors do it: another file gets the name.
        fixture.file("g", &text);
        std::fs::rename(fixture.path("g"), fixture.path("f")).unwrap();
        text
    };
    let by_us = |fixture: &Fixture, files: &Files| {
        edit(files, "f", &[("A_PASSWORD", "NEW_PASSWORD=hunter2newer\nA_PASSWORD")]).unwrap();
        fixture.text("f")
    };
    for is_ours in [true, false] {
        let fixture = Fixture::new();
        let files = fixture.files();
        fixture.file("f", lines(&old));
        read(&files, "f");
        let text = if is_ours { by_us(&fixture, &files) } else { by_others(&fixture) };
        page(&files, 1, 1);
        for refused in [
            write(&files, "f", &stale),
            edit(&files, "f", &swapped),
            edit(&files, "f", &[part]),
            edit(&files, "f", &[(":3]\nC", ":3]\nD")]),
        ] {
            let refusal = refused.unwrap_err();
            assert_eq!(refusal.code, code::CHANGED_ON_DISK, "{}", refusal.message);
            assert_eq!(fixture.text("f"), text);
        }
        // What was shown again counts, page by page.
        page(&files, 2, 1);
        edit(&files, "f", &[("A_PASSWORD=[REDACTED:2]", "Z_PASSWORD=[REDACTED:2]")]).unwrap();
        page(&files, 3, 2);
        let sorted = [
            ("Z", "[REDACTED:2]"),
            ("C", "[REDACTED:4]"),
            ("B", "[REDACTED:3]"),
            ("NEW", "[REDACTED:1]"),
        ];
        write(&files, "f", &lines(&sorted)).unwrap();
        let values = [("Z", old[0].1), ("C", old[2].1), ("B", old[1].1), ("NEW", "hunter2newer")];
        assert_eq!(fixture.text("f"), lines(&values));
    }
}

/// Whoever may write one file finds out nothing of another by it.
#[test]
fn the_version_of_one_file_says_nothing_of_another() {
    let fixture = Fixture::new();
    let files = fixture.files();
    fixture.file("f", "PASSWORD=hunter2alpha\n");
    let request = json!({ "path": "f" });
    let version =
        |request| ask(&request, |request| files.read(request)).unwrap()["version"].clone();
    let right = write(&files, "g", "PASSWORD=hunter2alpha\n").unwrap()["version"].clone();
    assert_eq!(right, version(json!({ "path": "g" })));
    assert_ne!(right, version(request.clone()));
    assert_eq!(version(request.clone()), version(request));
}
