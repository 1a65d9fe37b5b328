//! Roots that commands find by a second path.

use std::os::unix::fs::symlink;
use std::path::Path;

use handrail_files::{DirectoryRefusal, MAX_SHOWN_PATH_BYTES, Root, Roots};

use crate::fixture::Fixture;

const SHOWN: &str = "/handrail-shown/a";

/// The root with a second path, and a root in it without one.
fn roots(fixture: &Fixture) -> Roots {
    let shown = Root::open(&fixture.root(), true).unwrap().shown_at(Path::new(SHOWN)).unwrap();
    Roots::Only(vec![shown, Root::open(&fixture.path("inner"), true).unwrap()])
}

#[test]
fn a_path_means_the_same_file_by_both_paths_of_a_root() {
    let fixture = Fixture::new();
    fixture.file("sub/file", "x").file("inner/file", "y");
    symlink(format!("{SHOWN}/sub"), fixture.path("linked")).unwrap();
    symlink(format!("{SHOWN}/../../etc"), fixture.path("out")).unwrap();
    let roots = roots(&fixture);
    let shown = |rest: &str| format!("{SHOWN}/{rest}");
    let canonical = |path: &str| roots.canonical(Path::new(path));
    for path in ["sub/file", "linked/file", "sub/../linked/file"] {
        assert_eq!(canonical(&shown(path)).unwrap(), fixture.path("sub/file"), "{path}");
        let own = fixture.path(path);
        assert_eq!(roots.canonical(&own).unwrap(), fixture.path("sub/file"), "{path}");
    }
    for path in ["out/passwd", "../etc/passwd", "../../etc/passwd"] {
        let found = canonical(&shown(path));
        assert!(matches!(found, Err(DirectoryRefusal::OutsideRoot)), "{path}: {found:?}");
    }
    assert!(matches!(canonical(&shown("none")), Err(DirectoryRefusal::NotFound)));
    // A name that only begins alike is another one.
    let found = canonical("/handrail-shown/ab/sub");
    assert!(matches!(found, Err(DirectoryRefusal::OutsideRoot)), "{found:?}");

    let real = |path: &str| roots.real_path(Path::new(path)).into_owned();
    assert_eq!(real(&shown("linked/file")), fixture.path("sub/file"));
    assert_eq!(real(&shown("none")), fixture.path("none"));
    assert_eq!(real("/etc/passwd"), Path::new("/etc/passwd"));
    let seen = |path: &str| roots.shown_path(&fixture.path(path)).into_owned();
    assert_eq!(seen("sub"), Path::new("/handrail-shown/a/sub"));
    assert_eq!(seen("inner/file"), fixture.path("inner/file"));
    assert!(roots.open_directory(Path::new(&shown("sub")), Path::new("/")).is_ok());
    let spellings = roots.writable_spellings().unwrap();
    assert!(spellings.contains(&SHOWN.to_owned()), "{spellings:?}");
}

#[test]
fn a_second_path_is_plain_and_hides_nothing() {
    let fixture = Fixture::new();
    let given = |path: &str| {
        let root = Root::open(&fixture.root(), true).unwrap();
        root.shown_at(Path::new(path)).map(|root| root.shown_as().map(Path::to_path_buf))
    };
    let of_length = |length: usize| format!("/{}", "handrail/".repeat(length))[..length].to_owned();
    let longest = of_length(MAX_SHOWN_PATH_BYTES);
    for path in [SHOWN, "/handrail-shown", &longest] {
        assert_eq!(given(path).unwrap().unwrap(), Path::new(path));
    }
    let long = of_length(MAX_SHOWN_PATH_BYTES + 1);
    let wrong = [
        "/",
        "/etc",
        "/etc/none",
        "/proc",
        "/tmp/x",
        "relative",
        "",
        "/handrail-shown/../etc",
        "/handrail-shown/",
        "/handrail-shown//a",
        "/./handrail-shown",
        &long,
    ];
    for path in wrong {
        assert!(given(path).is_err(), "{path}");
    }
}
