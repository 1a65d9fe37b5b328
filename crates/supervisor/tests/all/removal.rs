//! Trees that a hostile program may leave are removed, and nothing beside them.

use std::fs;
use std::io;
use std::os::fd::OwnedFd;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};

use handrail_supervisor::removal::remove_tree;
use rustix::fs::{CWD, Mode, OFlags};

/// Longer than a path may be, and for a recursion deeper than the stack below.
const DEPTH: usize = 2_100;
const STACK_BYTES: usize = 64 * 1024;

/// An empty folder of this test's own.
fn scratch(name: &str) -> io::Result<PathBuf> {
    let name = format!("handrail-removal-{}-{name}", std::process::id());
    let path = std::env::temp_dir().join(name);
    fs::create_dir(&path)?;
    Ok(path)
}

fn open(parent: &OwnedFd, name: &str) -> io::Result<OwnedFd> {
    let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
    Ok(rustix::fs::openat(parent, name, flags, Mode::empty())?)
}

/// `width` folders in every folder; the last of them goes on.
fn nest(top: &Path, depth: usize, width: usize) -> io::Result<()> {
    let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
    let mut current = rustix::fs::openat(CWD, top, flags, Mode::empty())?;
    for _ in 0..depth {
        for index in 0..width {
            rustix::fs::mkdirat(&current, format!("{index}"), Mode::RWXU)?;
        }
        current = open(&current, &format!("{}", width - 1))?;
    }
    Ok(())
}

#[test]
fn a_tree_of_any_depth_is_removed() {
    for (depth, width) in [(0, 1), (1, 1), (DEPTH, 1), (150, 10)] {
        let top = scratch(&format!("deep-{depth}")).unwrap();
        nest(&top, depth, width).unwrap();
        let thread = std::thread::Builder::new().stack_size(STACK_BYTES);
        let removed = top.clone();
        thread.spawn(move || remove_tree(&removed)).unwrap().join().unwrap().unwrap();
        assert!(!top.exists());
    }
}

#[test]
fn what_is_full_everywhere_is_removed() {
    let top = scratch("full").unwrap();
    for outer in 0..30 {
        for inner in 0..30 {
            let folder = top.join(format!("{outer}/{inner}"));
            fs::create_dir_all(&folder).unwrap();
            fs::write(folder.join("file"), "x").unwrap();
        }
    }
    remove_tree(&top).unwrap();
    assert!(!top.exists());
}

#[test]
fn links_are_removed_and_what_they_name_stays() {
    let kept = scratch("kept").unwrap();
    fs::write(kept.join("file"), "x").unwrap();
    let top = scratch("links").unwrap();
    fs::create_dir(top.join("folder")).unwrap();
    symlink(&kept, top.join("folder/link")).unwrap();
    symlink("..", top.join("folder/up")).unwrap();
    symlink("nowhere", top.join("dangling")).unwrap();
    fs::hard_link(kept.join("file"), top.join("file")).unwrap();
    remove_tree(&top).unwrap();
    assert!(!top.exists());
    assert_eq!(fs::read(kept.join("file")).unwrap(), b"x");

    let link = kept.with_extension("link");
    symlink(&kept, &link).unwrap();
    remove_tree(&link).unwrap();
    assert!(fs::symlink_metadata(&link).is_err());
    assert!(kept.join("file").exists());
    remove_tree(&kept).unwrap();
}

#[test]
fn folders_that_were_closed_are_opened() {
    let top = scratch("closed").unwrap();
    fs::create_dir_all(top.join("a/b/c")).unwrap();
    fs::write(top.join("a/b/c/file"), "x").unwrap();
    for (path, mode) in [("a/b/c", 0), ("a/b", 0o500), ("a", 0o100), ("", 0o400)] {
        fs::set_permissions(top.join(path), fs::Permissions::from_mode(mode)).unwrap();
    }
    remove_tree(&top).unwrap();
    assert!(!top.exists());
}

#[test]
fn files_are_removed_and_nothing_is_no_error() {
    let top = scratch("file").unwrap();
    fs::write(top.join("file"), "x").unwrap();
    remove_tree(&top.join("file")).unwrap();
    assert!(!top.join("file").exists());
    remove_tree(&top.join("file")).unwrap();
    remove_tree(&top).unwrap();
    assert!(remove_tree(Path::new("/dev/null/below")).is_err());
}
