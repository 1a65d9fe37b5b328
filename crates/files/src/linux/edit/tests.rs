//! What happens between finding a file and replacing it.

use crate::linux::files::Files;
use crate::linux::request::{Edit, EditRequest};
use crate::linux::testing::Folder;
use crate::refusal::code;

fn set_up(name: &str) -> (Folder, Files) {
    let folder = Folder::new(&format!("edit-{name}"));
    let files = folder.files();
    (folder, files)
}

fn one_edit() -> EditRequest {
    let edit = Edit { old: "one".into(), new: "two".into(), all: false, occurrence: None };
    EditRequest {
        path: "f".into(),
        edits: vec![edit],
        first: false,
        caller: crate::request::Caller::default(),
    }
}

/// Row race-06, and its kin: whatever becomes of the name before the content is in its place, it stays.
#[test]
fn a_file_that_changes_meanwhile_is_not_replaced() {
    type Meanwhile = fn(&std::path::Path);
    let cases: [(&str, Meanwhile); 4] = [
        ("replaced", |path| {
            std::fs::write(path.with_extension("new"), "other").unwrap();
            std::fs::rename(path.with_extension("new"), path).unwrap();
        }),
        ("written", |path| std::fs::write(path, "other").unwrap()),
        ("linked", |path| {
            std::fs::write(path.with_extension("else"), "other").unwrap();
            std::fs::remove_file(path).unwrap();
            std::os::unix::fs::symlink(path.with_extension("else"), path).unwrap();
        }),
        ("named-twice", |path| std::fs::hard_link(path, path.with_extension("second")).unwrap()),
    ];
    for (name, meanwhile) in cases {
        let (folder, files) = set_up(name);
        let path = folder.0.join("f");
        std::fs::write(&path, "one\n").unwrap();
        let change = files.prepare_edit(&one_edit()).unwrap().unwrap().change;
        meanwhile(&path);
        let after = std::fs::read(&path).unwrap();
        assert_eq!(
            change.publish(files.publish_options, None).unwrap_err().code,
            code::CHANGED_ON_DISK,
            "{name}"
        );
        assert_eq!(std::fs::read(&path).unwrap(), after, "{name}");
        assert!(
            std::fs::read_dir(&folder.0)
                .unwrap()
                .all(|entry| { !entry.unwrap().file_name().to_string_lossy().ends_with(".tmp") })
        );
    }
}
