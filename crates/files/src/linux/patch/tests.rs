//! What happens between writing the new contents beside their places and taking the last of these.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use super::place::places;
use super::*;
use crate::linux::request::Overwrite;
use crate::linux::testing::Folder;

const PATCH: &str = "*** Begin Patch\n*** Update File: a\n@@\n-one\n+two\n*** Add File: new/b\n+b\n*** Add File: new/c\n+c\n\
                     *** Delete File: d\n*** Update File: e\n*** Move to: new/f/e\n*** Update File: z\n@@\n-z\n+Z\n\
                     *** End Patch\n";

fn set_up(name: &str) -> (Folder, Files) {
    let folder = Folder::new(&format!("patch-{name}"));
    for (name, content) in [("a", "one\n"), ("d", "d\n"), ("e", "e\n"), ("z", "z\n")] {
        folder.file(name, content);
    }
    let files = folder.files();
    (folder, files)
}

/// Everything beneath a folder, with what is in it.
fn tree(folder: &Path) -> BTreeMap<String, String> {
    let mut found = BTreeMap::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        if path.is_dir() {
            found.extend(
                tree(&path).into_iter().map(|(below, text)| (format!("{name}/{below}"), text)),
            );
            found.insert(name, String::new());
        } else {
            found.insert(name, fs::read_to_string(&path).unwrap());
        }
    }
    found
}

fn plan_all(files: &Files) -> Vec<PlannedFile> {
    parse(PATCH)
        .unwrap()
        .iter()
        .map(|file| {
            files.plan_file(file, Overwrite::Always, &SearchBudget::default()).unwrap().unwrap()
        })
        .collect()
}

/// Whatever becomes of the last file before it is replaced: nothing of the others is changed.
#[test]
fn when_the_last_place_cannot_be_taken_every_other_is_given_back() {
    type Meanwhile = fn(&Path);
    let cases: [(&str, Meanwhile); 4] = [
        ("written", |folder| fs::write(folder.join("z"), "other").unwrap()),
        ("gone", |folder| fs::remove_file(folder.join("z")).unwrap()),
        ("replaced", |folder| {
            fs::write(folder.join("y"), "other").unwrap();
            fs::rename(folder.join("y"), folder.join("z")).unwrap();
        }),
        ("a folder", |folder| {
            fs::remove_file(folder.join("z")).unwrap();
            fs::create_dir(folder.join("z")).unwrap();
        }),
    ];
    for (name, meanwhile) in cases {
        let (folder, files) = set_up(name);
        let planned = plan_all(&files);
        let changes: Vec<&Change> = planned.iter().flat_map(|plan| &plan.changes).collect();
        let staged = Staged::new(&changes, files.publish_options, None).unwrap();
        // What is written has no name yet, so that nothing of it is left should the process be killed.
        assert!(tree(&folder.0).values().all(|text| text != "two\n"), "{name}");
        meanwhile(&folder.0);
        let refusal = staged.publish().unwrap_err();
        assert_eq!(refusal.code, code::CHANGED_ON_DISK, "{name}: {refusal}");
        let mut expected = BTreeMap::from(
            [("a", "one\n"), ("d", "d\n"), ("e", "e\n")]
                .map(|(name, text)| (name.into(), text.into())),
        );
        match name {
            "gone" => None,
            "a folder" => expected.insert("z".to_owned(), String::new()),
            _ => expected.insert("z".to_owned(), "other".to_owned()),
        };
        assert_eq!(tree(&folder.0), expected, "{name}");
    }
    // With nobody in the way all of it is done, and nothing else is left.
    let (folder, files) = set_up("alone");
    let planned = plan_all(&files);
    files.publish(&planned, "").unwrap();
    let done = [
        ("a", "two\n"),
        ("new", ""),
        ("new/b", "b\n"),
        ("new/c", "c\n"),
        ("new/f", ""),
        ("new/f/e", "e\n"),
        ("z", "Z\n"),
    ];
    assert_eq!(
        tree(&folder.0),
        BTreeMap::from(done.map(|(name, text)| (name.into(), text.into())))
    );
}

/// A patch that is dropped before it takes a place leaves nothing, not even the folders.
#[test]
fn what_was_only_written_beside_is_taken_away() {
    let (folder, files) = set_up("dropped");
    let before = tree(&folder.0);
    let planned = plan_all(&files);
    let changes: Vec<&Change> = planned.iter().flat_map(|plan| &plan.changes).collect();
    drop(Staged::new(&changes, files.publish_options, None).unwrap());
    assert_eq!(tree(&folder.0), before);
    fs::create_dir(folder.0.join("new")).unwrap();
    assert_eq!(Staged::new(&changes, files.publish_options, None).unwrap_err().code, code::SYSTEM);
    fs::remove_dir(folder.0.join("new")).unwrap();
    assert_eq!(tree(&folder.0), before);
}

/// Who writes to a file after it was patched, and before the patch fails, keeps what he wrote; the refusal says so.
#[test]
fn what_somebody_wrote_since_is_not_taken_back() {
    let (folder, files) = set_up("since");
    let planned = plan_all(&files);
    let changes: Vec<&Change> = planned.iter().flat_map(|plan| &plan.changes).collect();
    let meanwhile = || {
        assert_eq!(fs::read_to_string(folder.0.join("a")).unwrap(), "two\n");
        assert!(!folder.0.join("d").exists());
        for (name, text) in
            [("a", "mine, longer\n"), ("new/b", "mine, longer\n"), ("d", "mine\n"), ("z", "other")]
        {
            fs::write(folder.0.join(name), text).unwrap();
        }
    };
    let refusal = Staged::new(&changes, files.publish_options, None)
        .unwrap()
        .publish_in_two(4, meanwhile)
        .unwrap_err();
    assert_eq!(refusal.code, code::APPLIED_IN_PART);
    let names: Vec<&str> =
        refusal.message.split("written since to: ").nth(1).unwrap().split(", ").collect();
    assert!(names[0].starts_with("d (its old content is in .handrail-"), "{refusal}");
    assert!(names[1].starts_with("new/b") && names[2].starts_with("a (its old"), "{refusal}");
    let after = tree(&folder.0);
    for (name, text) in
        [("a", "mine, longer\n"), ("new/b", "mine, longer\n"), ("d", "mine\n"), ("e", "e\n")]
    {
        assert_eq!(after[name], text, "{name}");
    }
    assert!(!after.contains_key("new/c") && !after.contains_key("new/f"), "{after:?}");
    let kept: Vec<&str> = after
        .iter()
        .filter(|(name, _)| name.contains(".handrail-"))
        .map(|(_, text)| text.as_str())
        .collect();
    assert_eq!(kept.len(), 2, "{after:?}");
    assert!(kept.contains(&"one\n") && kept.contains(&"d\n"));
}

/// What it takes to find the hunks of a patch in a text, in looks at a byte; that much is enough, and one less is not.
fn looked_at(text: &str, hunks: &str) -> u64 {
    let path = Text(Some("f".into()));
    let requested = RequestedPath::parse(&path, Path::new("/"), None).unwrap();
    let envelope = format!("*** Begin Patch\n*** Update File: f\n{hunks}*** End Patch\n");
    let files = parse(&envelope).unwrap();
    let search =
        |budget: &SearchBudget| places(&requested, text, files[0].action.hunks(), budget).map(drop);
    let budget = SearchBudget::default();
    let all = budget.unspent();
    search(&budget).unwrap();
    let taken = all - budget.unspent();
    search(&SearchBudget::of(taken)).unwrap();
    assert_eq!(search(&SearchBudget::of(taken - 1)).unwrap_err().code, code::TOO_LARGE);
    taken
}

/// However many places the line after an `@@` has, and however deep they lie in each other, each `@@` and each hunk is one
/// pass over the text.
#[test]
fn what_is_looked_at_to_find_a_hunk_does_not_grow_with_the_places_of_its_lines() {
    let nested: String = (0..64).flat_map(|depth| [" ".repeat(depth), "aa\n".into()]).collect();
    let deep = format!("{nested}{}", format!("{}z\n", " ".repeat(64)).repeat(1000));
    let flat = format!("{}{}", "aa\n".repeat(64), " z\n".repeat(1000));
    for text in [format!("{deep}{}u\n", " ".repeat(64)), format!("{flat} u\n")] {
        let removal = format!("-{}\n", text.lines().last().unwrap());
        for scopes in [1, 8] {
            let hunk = format!("{}{removal}", "@@ aa\n".repeat(scopes));
            let passes = looked_at(&text, &hunk) / text.len() as u64;
            assert!(passes <= 2 * scopes as u64 + 1, "{scopes}: {passes}");
        }
    }
}

/// A hunk that nearly fits everywhere, and a thousand of them: the patch is refused, and nothing is changed.
#[test]
fn a_patch_that_takes_too_long_changes_nothing() {
    let (folder, files) = set_up("long");
    let half = "x\n".repeat(100_000);
    fs::write(folder.0.join("a"), half.repeat(2)).unwrap();
    let before = tree(&folder.0);
    let old = half.replace("x\n", "-x\n");
    let patch = format!(
        "*** Begin Patch\n*** Update File: z\n@@\n-z\n+Z\n*** Update File: a\n@@\n{old}\\ No newline at end of file\n+y\n\
         *** End Patch\n"
    );
    let refusal = files
        .patch(&PatchRequest {
            patch: Text(Some(patch)),
            dry_run: false,
            overwrite: Overwrite::Always,
            caller: crate::request::Caller::default(),
        })
        .unwrap_err();
    assert_eq!(refusal.code, code::TOO_LARGE, "{refusal}");
    assert!(refusal.message.starts_with("Patch not applied (0 of 2 files). "), "{refusal}");
    assert_eq!(tree(&folder.0), before);
}
