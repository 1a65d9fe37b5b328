use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};

use super::*;

const BYTES: &[u8] = b"more than fits";

/// A state directory `state` with its spill folder, and a folder that is not ours.
struct Fixture(PathBuf);

impl Fixture {
    fn new(name: &str) -> Fixture {
        let base =
            std::env::temp_dir().join(format!("handrail-spill-{name}-{}", std::process::id()));
        // Two tests of one name would see each other's files.
        fs::create_dir(&base).unwrap();
        for folder in ["state/spill", "elsewhere/spill"] {
            fs::create_dir_all(base.join(folder)).unwrap();
        }
        for folder in ["state", "state/spill"] {
            fs::set_permissions(base.join(folder), fs::Permissions::from_mode(0o700)).unwrap();
        }
        Fixture(base)
    }

    fn spill(&self) -> Spill {
        Spill::new(&self.0.join("state/spill"), 1, 0, 1024)
    }

    /// What is found of a spill that was made now.
    fn whole(&self) -> Option<Spilled> {
        let mut spill = self.spill();
        spill.push(BYTES);
        spill.finish()
    }

    fn elsewhere_is_empty(&self) -> bool {
        fs::read_dir(self.0.join("elsewhere/spill")).unwrap().next().is_none()
    }
}

impl Drop for Fixture {
    fn drop(&mut self) {
        fs::remove_dir_all(&self.0).unwrap();
    }
}

#[test]
fn a_file_is_offered_with_all_that_came() {
    let spilled = Fixture::new("whole").whole().unwrap();
    assert_eq!((spilled.bytes, spilled.complete), (BYTES.len() as u64, true));
}

#[test]
fn a_spill_folder_that_was_removed_is_made_anew() {
    let fixture = Fixture::new("removed");
    fs::remove_dir(fixture.0.join("state/spill")).unwrap();
    assert_eq!(fs::read(fixture.whole().unwrap().path).unwrap(), BYTES);
    // Without the folder above there is none, and no error either.
    fs::remove_dir_all(fixture.0.join("state")).unwrap();
    assert!(fixture.whole().is_none());
}

#[test]
fn no_link_is_followed_and_no_folder_of_others_is_used() {
    for replaced in ["state", "state/spill"] {
        let fixture = Fixture::new("link");
        fs::rename(fixture.0.join(replaced), fixture.0.join("moved")).unwrap();
        let target = if replaced == "state" { "elsewhere" } else { "elsewhere/spill" };
        symlink(fixture.0.join(target), fixture.0.join(replaced)).unwrap();
        assert!(fixture.whole().is_none(), "{replaced}");
        assert!(fixture.elsewhere_is_empty(), "{replaced}");
    }
    let fixture = Fixture::new("open");
    fs::set_permissions(fixture.0.join("state"), fs::Permissions::from_mode(0o755)).unwrap();
    assert!(fixture.whole().is_none());
}

#[test]
fn a_file_that_was_swapped_is_not_offered() {
    let fixture = Fixture::new("swapped");
    let mut spill = fixture.spill();
    spill.push(BYTES);
    let path = fixture.0.join("state/spill/run-1.txt");
    fs::rename(&path, fixture.0.join("moved")).unwrap();
    assert!(fixture.spill().finish().is_none());
    fs::write(&path, "forged").unwrap();
    assert!(spill.finish().is_none());
    assert_eq!(fs::read(path).unwrap(), b"forged");
}

#[test]
fn a_file_is_masked_again_when_a_secret_becomes_known() {
    let fixture = Fixture::new("again");
    let mut spill = fixture.spill();
    spill.push(b"a horse-battery\nb\n");
    let redactor = Redactor::new(handrail_redact::Options::default()).unwrap();
    redactor.add_secret("LATE", "horse-battery").unwrap();
    spill.mask_again(&redactor);
    spill.push(b"c\n");
    let spilled = spill.finish().unwrap();
    let expected = b"a [REDACTED]\nb\nc\n";
    assert_eq!(fs::read(&spilled.path).unwrap(), expected);
    assert_eq!((spilled.bytes, spilled.complete), (expected.len() as u64, true));
    assert_eq!(fs::read_dir(spilled.path.parent().unwrap()).unwrap().count(), 1);
}

#[test]
fn a_file_that_cannot_be_masked_again_is_not_offered() {
    let fixture = Fixture::new("unmasked");
    let mut spill = fixture.spill();
    spill.push(BYTES);
    // The name of the copy is taken.
    fs::create_dir(fixture.0.join("state/spill/run-1.txt.next")).unwrap();
    let redactor = Redactor::new(handrail_redact::Options::default()).unwrap();
    redactor.add_secret("LATE", "more than fits").unwrap();
    spill.mask_again(&redactor);
    assert!(spill.finish().is_none());
    assert!(!fixture.0.join("state/spill/run-1.txt").exists());
}

#[test]
fn a_file_that_cannot_be_masked_leaves_nothing() {
    let fixture = Fixture::new("unmovable");
    let mut spill = fixture.spill();
    spill.push(BYTES);
    // Nothing can be moved over a folder.
    let path = fixture.0.join("state/spill/run-1.txt");
    fs::remove_file(&path).unwrap();
    fs::create_dir_all(path.join("inside")).unwrap();
    spill.mask_again(&Redactor::new(handrail_redact::Options::default()).unwrap());
    assert!(spill.finish().is_none());
    let names: Vec<_> = fs::read_dir(fixture.0.join("state/spill"))
        .unwrap()
        .map(|entry| entry.unwrap().file_name())
        .collect();
    assert_eq!(names, ["run-1.txt"]);
}
