//! What a worker takes for the program and the directory that were judged, where its view has a layer over a root.

use std::fs::{self, File};
use std::os::fd::AsRawFd;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use super::*;

fn root_of(path: &Path) -> PlanRoot {
    let (device, inode) = identity_of(path).expect("a root");
    let path = path.as_os_str().as_bytes().to_vec();
    PlanRoot { path, device, inode, writable: true, has_places: false, shown_as: None }
}

/// Whether what `found` leads to passes for what `judged` was opened as.
fn passes(found: &Path, judged: &File, layered: &[PlanRoot]) -> bool {
    let opened = File::open(found).expect("it opens");
    let path = [found.as_os_str().as_bytes(), b"\0"].concat();
    is_meant(opened.as_raw_fd(), judged.as_raw_fd(), &path, layered).expect("two statuses")
}

fn folder(name: &str) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("handrail-meant-{name}-{}", std::process::id()));
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(folder.join("root/bin")).expect("a folder");
    folder.join("root")
}

#[test]
fn what_was_exchanged_since_the_judgement_is_not_taken_for_it() {
    let root = folder("exchanged");
    let layered = [root_of(&root)];
    let (program, other) = (root.join("bin/program"), root.join("bin/other"));
    fs::write(&program, "judged").expect("a file");
    let judged = File::open(&program).expect("it opens");
    assert!(passes(&program, &judged, &layered));
    // Another file with everything that its owner can give it.
    fs::write(&other, "planted").expect("a file");
    File::options().write(true).open(&other).and_then(|file| file.set_len(6)).expect("a length");
    let modified = judged.metadata().and_then(|found| found.modified()).expect("a time");
    let exchanged = File::options().write(true).open(&other).expect("it opens");
    exchanged.set_modified(modified).expect("a time");
    fs::rename(&other, &program).expect("exchanged");
    let found = fs::metadata(&program).expect("a file");
    let meant = judged.metadata().expect("a file");
    assert_eq!(
        (found.len(), found.mode(), found.mtime()),
        (meant.len(), meant.mode(), meant.mtime())
    );
    assert!(!passes(&program, &judged, &layered));
    assert!(!passes(&program, &judged, &[]));
    fs::remove_dir_all(root.parent().expect("its folder")).expect("it is removed");
}

#[test]
fn no_link_in_the_place_of_a_folder_leads_out_of_the_layer() {
    let root = folder("folder");
    let place = root.join("bin");
    let judged = File::open(&place).expect("it opens");
    let outside = root.with_file_name("outside");
    fs::create_dir(&outside).expect("a folder");
    fs::rename(&place, root.join("away")).expect("moved away");
    std::os::unix::fs::symlink(&outside, &place).expect("a link");
    // The layer has a device of its own.
    let layered = [PlanRoot { device: 1, ..root_of(&root) }];
    assert!(!passes(&place, &judged, &layered));
    fs::remove_dir_all(root.parent().expect("its folder")).expect("it is removed");
}

#[test]
fn the_root_itself_is_known_by_what_the_layer_shows_there() {
    let root = folder("root");
    let beneath = File::open(root.join("bin")).expect("what lies beneath the layer");
    assert!(passes(&root, &beneath, &[root_of(&root)]));
    let other = PlanRoot { inode: 1, ..root_of(&root) };
    assert!(!passes(&root, &beneath, &[other]));
    // What is beside a root has no layer, whatever it is called.
    let beside = root.with_file_name("root-beside");
    fs::create_dir(&beside).expect("a folder");
    assert!(!passes(&beside, &beneath, &[root_of(&root)]));
    fs::remove_dir_all(root.parent().expect("its folder")).expect("it is removed");
}
