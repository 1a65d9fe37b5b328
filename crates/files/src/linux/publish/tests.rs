//! What other processes do in the moment before a file takes its place.

use std::ffi::OsStr;
use std::fs;
use std::os::fd::AsFd;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::Path;

use rustix::fs::CWD;

use super::*;

/// Replaces `f`, which was `old`, after something has happened to it; gives how that went.
fn replace_after(name: &str, meanwhile: impl Fn(&Path)) -> (Result<(), PublishError>, Vec<String>) {
    let folder = std::env::temp_dir().join(format!("handrail-put-{name}-{}", std::process::id()));
    fs::create_dir_all(&folder).unwrap();
    let path = folder.join("f");
    fs::write(&path, "old").unwrap();
    // So that a new time differs whatever the clock's steps are.
    let times = fs::FileTimes::new().set_modified(std::time::SystemTime::UNIX_EPOCH);
    fs::File::options().write(true).open(&path).unwrap().set_times(times).unwrap();
    let flags = OFlags::PATH | OFlags::DIRECTORY;
    let parent = rustix::fs::openat(CWD, &folder, flags, Mode::empty()).unwrap();
    let old = rustix::fs::statat(&parent, "f", AtFlags::SYMLINK_NOFOLLOW).unwrap();
    let (mut temporary, file) = Temporary::new(parent.as_fd(), NEW_FILE_MODE).unwrap();
    write_all(&file, b"new").unwrap();
    temporary.new_stat = Some(rustix::fs::fstat(&file).unwrap());
    meanwhile(&path);
    let result = temporary.replace(OsStr::new("f"), &old);
    drop(temporary);
    let entries = fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap());
    let mut left: Vec<String> = entries
        .map(|entry| {
            let content = fs::read_to_string(entry.path()).unwrap_or_default();
            format!("{}: {content}", entry.file_name().to_string_lossy())
        })
        .collect();
    left.sort();
    fs::remove_dir_all(&folder).unwrap();
    (result, left)
}

#[test]
fn what_another_process_wrote_gets_its_place_again() {
    type Meanwhile = fn(&Path);
    // What happened; the folder afterwards.
    let cases: [(&str, Meanwhile, &[&str]); 5] = [
        ("written", |path| fs::write(path, "two").unwrap(), &["f: two"]),
        (
            "replaced",
            |path| {
                fs::write(path.with_extension("x"), "two").unwrap();
                fs::rename(path.with_extension("x"), path).unwrap();
            },
            &["f: two"],
        ),
        (
            "linked",
            |path| {
                fs::rename(path, path.with_extension("x")).unwrap();
                symlink("f.x", path).unwrap();
            },
            &["f.x: old", "f: old"],
        ),
        (
            "a folder",
            |path| {
                fs::remove_file(path).unwrap();
                fs::create_dir(path).unwrap();
            },
            &["f: "],
        ),
        ("gone", |path| fs::remove_file(path).unwrap(), &[]),
    ];
    for (name, meanwhile, expected) in cases {
        let (result, left) = replace_after(name, meanwhile);
        assert!(matches!(result, Err(PublishError::Changed)), "{name}: {result:?}");
        assert_eq!(left, expected, "{name}");
    }
    let (result, left) = replace_after("nothing", |_| ());
    assert!(result.is_ok(), "{result:?}");
    assert_eq!(left, ["f: new"]);
}

/// What was in a file that was changed in place is there again, unless somebody has written since; then it is kept beside.
#[test]
fn a_change_in_place_is_taken_back_when_nobody_has_written_since() {
    for (meanwhile, expected) in [("", "old"), ("other", "other")] {
        let folder = crate::linux::testing::Folder::new("in-place");
        let (path, files) = (folder.0.join("f"), folder.files());
        fs::write(&path, "old").unwrap();
        let (requested, handle) = files.place(&"f".into(), Purpose::Write).unwrap();
        let stat = *handle.stat().unwrap();
        let change = Change::replacing(requested, handle, stat, b"a new text".to_vec());
        let parent = rustix::io::fcntl_dupfd_cloexec(change.handle.parent(), 0).unwrap();
        let old = change.old.as_ref().unwrap();
        let mut place = in_place::InPlaceWrite::write(&change, &parent, old, true).unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"a new text");
        let names = fs::read_dir(&folder.0).unwrap().map(|entry| entry.unwrap().path());
        let copy = names.into_iter().find(|name| *name != path).unwrap();
        assert_eq!(fs::read(&copy).unwrap(), b"old");
        assert_eq!(fs::metadata(&copy).unwrap().permissions().mode() & 0o777, 0o600);
        if !meanwhile.is_empty() {
            fs::write(&path, meanwhile).unwrap();
        }
        let kept = place.undo().err();
        drop(place);
        assert_eq!(fs::read_to_string(&path).unwrap(), expected);
        let copy = kept.as_ref().map(|name| fs::read_to_string(folder.0.join(name)).unwrap());
        assert_eq!(copy.as_deref(), (!meanwhile.is_empty()).then_some("old"));
        let names = fs::read_dir(&folder.0).unwrap().count();
        assert_eq!(names, 1 + usize::from(kept.is_some()));
        // Who has written meanwhile is not written over either.
        let (requested, handle) = files.place(&"f".into(), Purpose::Write).unwrap();
        let change = Change::replacing(requested, handle, stat, Vec::new());
        let old = change.old.as_ref().unwrap();
        let written = in_place::InPlaceWrite::write(&change, &parent, old, true);
        assert!(matches!(written, Err(PublishError::Changed)) || meanwhile.is_empty());
    }
}
