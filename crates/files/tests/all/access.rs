//! Who may do what with a file, before and after it was changed; and what can only be changed in place.

use std::fs;
use std::io::Write;
use std::os::unix::fs::{MetadataExt, PermissionsExt, chown};
use std::path::Path;
use std::process::Command;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use handrail_files::{Files, FilesConfig, Refusal, code};
use rustix::fs::{Gid, Uid, XattrFlags};
use rustix::io::Errno;
use serde_json::json;

use crate::fixture::{Fixture, ask};
use crate::patching::{envelope, patch};

pub(crate) const NOBODY: u32 = 65534;
const ACL: &str = "system.posix_acl_access";
const DEFAULT_ACL: &str = "system.posix_acl_default";

pub(crate) fn is_root() -> bool {
    rustix::process::geteuid().is_root()
}

/// Says which part of a test does not run here.
pub(crate) fn skipped(why: &str) {
    let _ = writeln!(std::io::stderr(), "skipped: {why}");
}

/// Runs as an ordinary user: on a thread of its own, when the tests run as root.
pub(crate) fn as_nobody<T: Send>(act: impl FnOnce() -> T + Send) -> T {
    std::thread::scope(|scope| {
        let thread = scope.spawn(|| {
            if is_root() {
                let (uid, gid) = (Uid::from_raw(NOBODY), Gid::from_raw(NOBODY));
                rustix::thread::set_thread_groups(&[]).unwrap();
                rustix::thread::set_thread_res_gid(gid, gid, gid).unwrap();
                rustix::thread::set_thread_res_uid(uid, uid, uid).unwrap();
            }
            act()
        });
        thread.join().unwrap()
    })
}

/// A list of rights as the kernel takes it: kinds of entries, what they may do, and whom they are about.
fn acl(entries: &[(u16, u16, u32)]) -> Vec<u8> {
    let mut bytes = 2_u32.to_le_bytes().to_vec();
    for (kind, rights, whom) in entries {
        bytes.extend(kind.to_le_bytes());
        bytes.extend(rights.to_le_bytes());
        bytes.extend(whom.to_le_bytes());
    }
    bytes
}

const WHOM: u32 = u32::MAX;
/// The owner, a named user, the group, the most that these two may, everybody else.
const fn entries(user: u32, rights: u16, group: u16, most: u16) -> [(u16, u16, u32); 5] {
    [(1, 6, WHOM), (2, rights, user), (4, group, WHOM), (0x10, most, WHOM), (0x20, 0, WHOM)]
}

fn set(path: &Path, name: &str, value: &[u8]) -> bool {
    match rustix::fs::setxattr(path, name, value, XattrFlags::empty()) {
        Ok(()) => true,
        Err(Errno::OPNOTSUPP) => {
            skipped(&format!("no {name} where the tests have their files"));
            false
        }
        Err(error) => panic!("{name}: {error}"),
    }
}

fn get(path: &Path, name: &str) -> Option<Vec<u8>> {
    let mut value = vec![0; 4096];
    let length = rustix::fs::getxattr(path, name, &mut value).ok()?;
    value.truncate(length);
    Some(value)
}

fn config(fixture: &Fixture, change: impl FnOnce(&mut FilesConfig)) -> Files {
    let mut config = fixture.config();
    change(&mut config);
    Files::new(config).unwrap()
}

/// Every way of changing the content of a file, which is one or two afterwards.
const WAYS: [&str; 3] = ["write", "edit", "patch"];

fn change(files: &Files, way: &str, path: &str) -> Result<(), Refusal> {
    let done = match way {
        "write" => {
            let request = json!({ "path": path, "content": "two\n", "overwrite": "always" });
            ask(&request, |request| files.write(request))
        }
        "edit" => {
            let request = json!({ "path": path, "edits": [{ "old": "one", "new": "two" }] });
            ask(&request, |request| files.edit(request))
        }
        _ => patch(files, &envelope(&format!("*** Update File: {path}\n@@\n-one\n+two\n"))),
    };
    done.map(drop)
}

/// As most programs replace a file: the new one gets the mode, and nothing else.
fn change_with_the_mode_only(path: &Path) {
    let mode = fs::metadata(path).unwrap().permissions();
    let new = path.with_extension("new");
    fs::write(&new, "two\n").unwrap();
    fs::set_permissions(&new, mode).unwrap();
    fs::rename(new, path).unwrap();
}

/// What a file lets whom do.
type Access = (u32, u32, u32, Vec<(&'static str, Option<Vec<u8>>)>);

fn access(path: &Path) -> Access {
    let status = fs::metadata(path).unwrap();
    let names = [ACL, "user.note", "trusted.note", "security.note"];
    let attributes = names.map(|name| (name, get(path, name))).to_vec();
    (status.mode(), status.uid(), status.gid(), attributes)
}

#[test]
fn a_change_keeps_owner_mode_lists_of_rights_and_attributes() {
    let fixture = Fixture::new();
    let files = fixture.files();
    let own = fs::metadata(fixture.root()).unwrap().uid();
    let path = fixture.path("f");
    // The list gives the group less than the bits of the mode say: those are the most that anybody may.
    let rights = acl(&entries(4242, 6, 4, 6));
    let make = |uid: u32| {
        fixture.file("f", "one\n");
        fs::set_permissions(&path, fs::Permissions::from_mode(0o640)).unwrap();
        if is_root() {
            chown(&path, Some(uid), Some(uid)).unwrap();
            set(&path, "trusted.note", b"t");
            set(&path, "security.note", b"s");
        }
        set(&path, ACL, &rights) & set(&path, "user.note", b"u")
    };
    if !make(own) {
        return;
    }
    let status = || fs::metadata(&path).unwrap();
    change_with_the_mode_only(&path);
    assert!(get(&path, ACL).is_none() && get(&path, "user.note").is_none());
    assert_eq!(status().mode() & 0o060, 0o060, "the group may write");
    fs::remove_file(&path).unwrap();
    for uid in if is_root() { vec![own, 4242, NOBODY] } else { vec![own] } {
        for way in WAYS {
            make(uid);
            let (before, inode) = (access(&path), status().ino());
            change(&files, way, "f").unwrap_or_else(|why| panic!("{way}: {why}"));
            assert_eq!((fixture.text("f").as_str(), access(&path)), ("two\n", before), "{way}");
            assert_ne!(status().ino(), inode);
            fs::remove_file(&path).unwrap();
        }
        make(uid);
        let before = access(&path);
        patch(&files, &envelope("*** Update File: f\n*** Move to: sub/g\n@@\n-one\n+two\n"))
            .unwrap();
        assert_eq!(access(&fixture.path("sub/g")), before, "moved");
        fs::remove_file(fixture.path("sub/g")).unwrap();
    }
    // An ordinary user, with a file of his own.
    if is_root() {
        chown(fixture.root(), Some(NOBODY), Some(NOBODY)).unwrap();
        for way in WAYS {
            make(NOBODY);
            for name in ["trusted.note", "security.note"] {
                rustix::fs::removexattr(&path, name).unwrap();
            }
            let before = access(&path);
            as_nobody(|| change(&files, way, "f")).unwrap();
            assert_eq!((fixture.text("f").as_str(), access(&path)), ("two\n", before), "{way}");
            fs::remove_file(&path).unwrap();
        }
    }
}

/// Rights of a program do not go over to another content, as they do not when the file is written to.
#[test]
fn no_other_content_runs_as_somebody_else() {
    let fixture = Fixture::new();
    let files = config(&fixture, |config| config.in_place = true);
    for way in WAYS {
        fixture.file("f", "one\n");
        if is_root() {
            let words = [0x0200_0000_u32, 1 << 10, 0, 0, 0];
            let value: Vec<u8> = words.into_iter().flat_map(u32::to_le_bytes).collect();
            set(&fixture.path("f"), "security.capability", &value);
        }
        fs::set_permissions(fixture.path("f"), fs::Permissions::from_mode(0o6755)).unwrap();
        change(&files, way, "f").unwrap();
        assert_eq!(fs::metadata(fixture.path("f")).unwrap().mode() & 0o7777, 0o755, "{way}");
        assert_eq!(get(&fixture.path("f"), "security.capability"), None, "{way}");
    }
}

/// What a folder gives to the files that are made in it is not for one that had less.
#[test]
fn a_folder_gives_a_changed_file_no_rights() {
    let fixture = Fixture::new();
    let files = fixture.files();
    let path = fixture.path("f");
    let make = || {
        fixture.file("f", "one\n");
        let _ = rustix::fs::removexattr(&path, ACL);
        fs::set_permissions(&path, fs::Permissions::from_mode(0o660)).unwrap();
    };
    make();
    if !set(&fixture.root(), DEFAULT_ACL, &acl(&entries(NOBODY, 6, 6, 6))) {
        return;
    }
    change_with_the_mode_only(&path);
    assert!(get(&path, ACL).is_some(), "a new file gets the list of the folder");
    if is_root() {
        assert!(as_nobody(|| fs::read(&path)).is_ok(), "and whom it names reads it");
    }
    for way in WAYS {
        make();
        change(&files, way, "f").unwrap();
        assert_eq!((fixture.text("f").as_str(), get(&path, ACL)), ("two\n", None), "{way}");
        assert!(!is_root() || as_nobody(|| fs::read(&path)).is_err(), "{way}");
    }
}

/// While a change is made, nobody reads who may not read the file.
#[test]
fn nobody_reads_a_content_before_it_has_its_place() {
    const ROUNDS: u32 = 300;
    const LIVENESS: Duration = Duration::from_secs(300);
    if !is_root() {
        return skipped("not root, so there is no other user to read");
    }
    let fixture = Fixture::new();
    let files = fixture.files();
    let (path, root) = (fixture.path("f"), fixture.root());
    fixture.file("f", "one\n");
    fs::set_permissions(&path, fs::Permissions::from_mode(0o640)).unwrap();
    set(&root, DEFAULT_ACL, &acl(&entries(NOBODY, 6, 6, 6)));
    // Changes the file until somebody else has read it; whether that happened.
    let read_while = |act: &mut dyn FnMut(u32) -> bool| {
        let (over, seen) = (AtomicBool::new(false), AtomicBool::new(false));
        std::thread::scope(|scope| {
            scope.spawn(|| {
                as_nobody(|| {
                    while !over.load(Ordering::Relaxed) {
                        for entry in fs::read_dir(&root).unwrap().flatten() {
                            let content = fs::read(entry.path()).unwrap_or_default();
                            seen.fetch_or(!content.is_empty(), Ordering::Relaxed);
                        }
                    }
                });
            });
            let mut round = 0;
            while !seen.load(Ordering::Relaxed) && act(round) {
                round += 1;
            }
            over.store(true, Ordering::Relaxed);
        });
        seen.into_inner()
    };
    assert!(!read_while(&mut |round| {
        let text = format!("{round}\n");
        let request = json!({ "path": "f", "content": text, "overwrite": "always" });
        ask(&request, |request| files.write(request)).unwrap();
        round < ROUNDS
    }));
    let started = Instant::now();
    assert!(read_while(&mut |_| {
        change_with_the_mode_only(&path);
        started.elapsed() < LIVENESS
    }));
}

#[test]
fn what_a_new_file_cannot_have_is_named_and_nothing_is_changed() {
    if !is_root() {
        return skipped("not root, so there is no file of another user");
    }
    let fixture = Fixture::new();
    chown(fixture.root(), Some(NOBODY), Some(NOBODY)).unwrap();
    let (files, in_place) = (fixture.files(), config(&fixture, |config| config.in_place = true));
    let path = fixture.path("f");
    // Owner, group and mode; what cannot be kept; what is said to do.
    let cases = [
        (0, NOBODY, 0o666, "owner 0", "`inPlace: true`"),
        (NOBODY, 0, 0o644, "group 0", "`inPlace: true`"),
        (0, 0, 0o644, "group 0", "It cannot be written to either"),
    ];
    for (uid, gid, mode, what, hint) in cases {
        for way in WAYS {
            fixture.file("f", "one\n");
            chown(&path, Some(uid), Some(gid)).unwrap();
            fs::set_permissions(&path, fs::Permissions::from_mode(mode)).unwrap();
            let (before, inode) = (access(&path), fs::metadata(&path).unwrap().ino());
            let refusal = as_nobody(|| change(&files, way, "f")).unwrap_err();
            assert_eq!(refusal.code, code::ACCESS_NOT_KEPT, "{way}: {refusal}");
            assert!(refusal.message.contains(what), "{refusal}");
            assert!(refusal.hint.as_ref().unwrap().contains(hint), "{refusal}");
            assert_eq!((fixture.text("f").as_str(), access(&path)), ("one\n", before.clone()));
            let done = as_nobody(|| change(&in_place, way, "f"));
            assert_eq!(done.is_ok(), hint.contains("inPlace"), "{way}: {done:?}");
            assert_eq!((access(&path), fs::metadata(&path).unwrap().ino()), (before, inode));
            assert_eq!(fixture.text("f"), if done.is_ok() { "two\n" } else { "one\n" });
            assert!(fixture.temporary_files().is_empty());
            fs::remove_file(&path).unwrap();
        }
    }
    // A file that would belong to somebody else in its new place stays.
    fixture.file("f", "one\n");
    let moved = envelope("*** Update File: f\n*** Move to: g\n");
    for files in [&files, &in_place] {
        let refusal = as_nobody(|| patch(files, &moved)).unwrap_err();
        assert_eq!(refusal.code, code::ACCESS_NOT_KEPT);
        assert!(path.exists() && !fixture.path("g").exists());
    }
}

#[test]
fn a_file_that_nobody_may_write_to_is_changed_when_the_host_says_so() {
    let fixture = Fixture::new();
    let (files, lifted) =
        (fixture.files(), config(&fixture, |config| config.replace_read_only = true));
    let path = fixture.path("f");
    let act = |files: &Files, way: &str| match way {
        "remove" => patch(files, &envelope("*** Delete File: f\n")).map(drop),
        "move" => patch(files, &envelope("*** Update File: f\n*** Move to: g\n")).map(drop),
        way => change(files, way, "f"),
    };
    let try_all = |uid: Option<u32>| {
        let run = |files: &Files, way: &str| match uid {
            Some(_) => as_nobody(|| act(files, way)),
            None => act(files, way),
        };
        for way in ["write", "edit", "patch", "remove", "move"] {
            fixture.file("f", "one\n");
            chown(&path, uid, uid).unwrap();
            fs::set_permissions(&path, fs::Permissions::from_mode(0o444)).unwrap();
            let refusal = run(&files, way).unwrap_err();
            assert_eq!(refusal.code, code::READ_ONLY, "{way}: {refusal}");
            assert!(refusal.message.contains("mode 444") && refusal.hint.is_some());
            assert_eq!(fixture.text("f"), "one\n", "{way}");
            run(&lifted, way).unwrap();
            if WAYS.contains(&way) {
                assert_eq!(fixture.text("f"), "two\n", "{way}");
                assert_eq!(fs::metadata(&path).unwrap().mode() & 0o777, 0o444);
                fs::remove_file(&path).unwrap();
            }
            assert!(!path.exists(), "{way}");
            let _ = fs::remove_file(fixture.path("g"));
        }
    };
    try_all(None);
    if is_root() {
        chown(fixture.root(), Some(NOBODY), Some(NOBODY)).unwrap();
        try_all(Some(NOBODY));
    }
}

/// Files of ours where copies of old contents lie.
fn copies() -> Vec<String> {
    let names = fs::read_dir("/var/tmp").unwrap().flatten().map(|entry| entry.file_name());
    let names = names.map(|name| name.to_string_lossy().into_owned());
    names.filter(|name| name.starts_with(".handrail-")).collect()
}

#[test]
fn a_file_in_a_folder_that_takes_no_files_is_changed_in_place_when_the_host_says_so() {
    let fixture = Fixture::new();
    let (files, in_place) = (fixture.files(), config(&fixture, |config| config.in_place = true));
    let path = fixture.path("fixed/f");
    fixture.file("fixed/f", "one\n");
    if is_root() {
        chown(&path, Some(NOBODY), Some(NOBODY)).unwrap();
    }
    let folder = fixture.path("fixed");
    let before = copies();
    for way in WAYS {
        fs::write(&path, "one\n").unwrap();
        fs::set_permissions(&folder, fs::Permissions::from_mode(0o555)).unwrap();
        let inode = fs::metadata(&path).unwrap().ino();
        let refusal = as_nobody(|| change(&files, way, "fixed/f")).unwrap_err();
        assert_eq!(refusal.code, code::IN_PLACE_ONLY, "{way}: {refusal}");
        assert!(refusal.hint.as_ref().unwrap().contains("`inPlace: true`"), "{refusal}");
        assert_eq!(fs::read(&path).unwrap(), b"one\n");
        as_nobody(|| change(&in_place, way, "fixed/f")).unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"two\n", "{way}");
        assert_eq!(fs::metadata(&path).unwrap().ino(), inode);
        // A longer content and a shorter one.
        for content in ["long\n".repeat(50_000), "short\n".to_owned()] {
            let request = json!({ "path": "fixed/f", "content": content, "overwrite": "always" });
            as_nobody(|| ask(&request, |request| in_place.write(request))).unwrap();
            assert_eq!(fs::read_to_string(&path).unwrap(), content);
        }
    }
    // Nothing can be made or removed there in place.
    let body = "*** Delete File: fixed/f\n";
    assert_eq!(as_nobody(|| patch(&in_place, &envelope(body))).unwrap_err().code, code::SYSTEM);
    fs::set_permissions(&folder, fs::Permissions::from_mode(0o755)).unwrap();
    assert_eq!(copies(), before);
}

/// Where mounts are this test's alone; `None` where there is no such place.
fn alone_with_mounts(test: &str) -> Option<bool> {
    if std::env::var_os("HANDRAIL_OWN_MOUNTS").is_some() {
        return Some(true);
    }
    let own =
        if is_root() { vec!["--mount"] } else { vec!["--mount", "--user", "--map-root-user"] };
    let mut can = Command::new("unshare");
    can.args(&own).args(["mount", "-t", "tmpfs", "none", "/mnt"]);
    if !can.output().is_ok_and(|output| output.status.success()) {
        skipped("no mount namespace of our own");
        return None;
    }
    let output = Command::new("unshare")
        .args(&own)
        .arg(std::env::current_exe().unwrap())
        .args(["--exact", test, "--nocapture"])
        .env("HANDRAIL_OWN_MOUNTS", "1")
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success() && said.contains("1 passed"), "{said}\n{output:?}");
    Some(false)
}

fn mount(arguments: &[&str]) {
    let output = Command::new("mount").args(arguments).output().unwrap();
    assert!(output.status.success(), "{arguments:?}: {output:?}");
}

#[test]
fn a_file_that_is_mounted_by_itself_is_changed_in_place_and_put_back_when_that_fails() {
    let Some(true) = alone_with_mounts(
        "access::a_file_that_is_mounted_by_itself_is_changed_in_place_and_put_back_when_that_fails",
    ) else {
        return;
    };
    let fixture = Fixture::new();
    let text = |path: &Path| path.to_str().unwrap().to_owned();
    let small = fixture.base.join("small");
    fs::create_dir(&small).unwrap();
    mount(&["-t", "tmpfs", "-o", "size=64k", "none", &text(&small)]);
    let (files, in_place) = (fixture.files(), config(&fixture, |config| config.in_place = true));
    for (name, source) in [("f", fixture.base.join("outside/f")), ("s", small.join("s"))] {
        fs::write(&source, "one\n").unwrap();
        fixture.file(name, "");
        mount(&["--bind", &text(&source), &text(&fixture.path(name))]);
    }
    for way in WAYS {
        let refusal = change(&files, way, "f").unwrap_err();
        assert_eq!(refusal.code, code::IN_PLACE_ONLY, "{way}: {refusal}");
        assert_eq!(fixture.text("f"), "one\n", "{way}");
        change(&in_place, way, "f").unwrap();
        assert_eq!(fs::read(fixture.base.join("outside/f")).unwrap(), b"two\n", "{way}");
        fs::write(fixture.path("f"), "one\n").unwrap();
    }
    // More than there is room for: what was there is there again, in the files of the patch before it as well.
    let before = fs::metadata(fixture.path("s")).unwrap().modified().unwrap();
    let lines = "+more and more\n".repeat(10_000);
    let body = format!("*** Update File: f\n@@\n-one\n+two\n*** Update File: s\n@@\n one\n{lines}");
    fixture.file("a", "a\n");
    let body = format!("*** Update File: a\n@@\n-a\n+b\n{body}");
    let refusal = patch(&in_place, &envelope(&body)).unwrap_err();
    assert_eq!(refusal.code, code::SYSTEM, "{refusal}");
    for (name, content) in [("a", "a\n"), ("f", "one\n"), ("s", "one\n")] {
        assert_eq!(fixture.text(name), content, "{name}");
    }
    assert_eq!(fs::metadata(fixture.path("s")).unwrap().modified().unwrap(), before);
    assert!(fixture.temporary_files().is_empty());
    for name in ["f", "s"] {
        assert!(Command::new("umount").arg(fixture.path(name)).status().unwrap().success());
    }
    assert!(Command::new("umount").arg(&small).status().unwrap().success());
}
