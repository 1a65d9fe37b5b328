use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};

use super::budget::BLOCK_BYTES;
use super::*;

const BYTES: &[u8] = b"more than fits";
const LARGE: u64 = 1 << 20;

fn block() -> Vec<u8> {
    vec![b'x'; usize::try_from(BLOCK_BYTES).unwrap()]
}

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
        self.spill_of(1, 1024, &Budget::new(LARGE))
    }

    fn spill_of(&self, run: u64, limit: u64, budget: &Budget) -> Spill {
        Spill::new(&self.0.join("state/spill"), format!("run-{run}.txt"), 0, limit, budget)
    }

    /// The spill of a run that wrote so many bytes and is over.
    fn written(&self, run: u64, bytes: u64, budget: &Budget) -> Option<Spilled> {
        let mut spill = self.spill_of(run, LARGE, budget);
        spill.push(&vec![b'x'; usize::try_from(bytes).unwrap()]);
        spill.finish()
    }

    /// The runs whose files are there.
    fn kept(&self) -> Vec<u64> {
        let files = fs::read_dir(self.0.join("state/spill")).unwrap();
        let mut runs: Vec<u64> = files
            .map(|file| file.unwrap().file_name().into_string().unwrap())
            .map(|name| name["run-".len()..name.len() - ".txt".len()].parse().unwrap())
            .collect();
        runs.sort_unstable();
        runs
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

#[test]
fn files_beyond_the_budget_cost_the_oldest_one() {
    let fixture = Fixture::new("budget");
    let budget = Budget::new(3 * BLOCK_BYTES);
    for run in 1..=3 {
        fixture.written(run, BLOCK_BYTES, &budget).unwrap();
    }
    assert_eq!(fixture.kept(), [1, 2, 3]);
    // One byte more than the budget.
    let spilled = fixture.written(4, 1, &budget).unwrap();
    assert_eq!((spilled.bytes, spilled.complete), (1, true));
    assert_eq!(fixture.kept(), [2, 3, 4]);
    fixture.written(5, 2 * BLOCK_BYTES, &budget).unwrap();
    assert_eq!(fixture.kept(), [4, 5]);
    // The attack, in a folder without a bound: everything stays.
    for run in 6..=46 {
        fixture.written(run, BLOCK_BYTES, &Budget::new(LARGE)).unwrap();
    }
    assert_eq!(fixture.kept().len(), 43);
}

#[test]
fn a_file_that_is_being_written_is_cut_where_the_budget_ends_and_removed_for_none() {
    let fixture = Fixture::new("living");
    let budget = Budget::new(2 * BLOCK_BYTES);
    let mut living = fixture.spill_of(1, LARGE, &budget);
    living.push(&[&block()[..], b"x"].concat());
    // Where there is no room at all there is no file.
    assert!(fixture.written(2, 1, &budget).is_none());
    // At the budget, and one byte above it.
    living.push(&block()[1..]);
    living.push(b"x");
    assert_eq!(fixture.kept(), [1]);
    let spilled = living.finish().unwrap();
    assert_eq!((spilled.bytes, spilled.complete), (2 * BLOCK_BYTES, false));
    assert_eq!(fs::metadata(&spilled.path).unwrap().len(), spilled.bytes);
    // It is over: the next takes its place.
    fixture.written(3, 2 * BLOCK_BYTES, &budget).unwrap();
    assert_eq!(fixture.kept(), [3]);
}

#[test]
fn a_file_has_no_gap_when_there_is_room_again() {
    let fixture = Fixture::new("gap");
    let budget = Budget::new(2 * BLOCK_BYTES);
    let mut other = fixture.spill_of(1, LARGE, &budget);
    other.push(BYTES);
    let mut spill = fixture.spill_of(2, LARGE, &budget);
    spill.push(&[block(), block()].concat());
    drop(other);
    spill.push(b"not written either");
    let spilled = spill.finish().unwrap();
    assert_eq!((spilled.bytes, spilled.complete), (BLOCK_BYTES, false));
}

#[test]
fn what_a_run_leaves_without_telling_of_it_gives_its_room_back() {
    let fixture = Fixture::new("untold");
    let budget = Budget::new(BLOCK_BYTES);
    let mut untold = fixture.spill_of(1, LARGE, &budget);
    untold.push(BYTES);
    drop(untold);
    assert!(fixture.kept().is_empty());
    assert!(fixture.written(2, BLOCK_BYTES, &budget).unwrap().complete);
}

#[test]
fn room_is_made_by_removing_no_other_file_in_the_place_of_one() {
    let fixture = Fixture::new("forged");
    let budget = Budget::new(BLOCK_BYTES);
    let path = fixture.written(1, BLOCK_BYTES, &budget).unwrap().path;
    fs::rename(&path, fixture.0.join("moved")).unwrap();
    fs::write(&path, "forged").unwrap();
    fixture.written(2, BLOCK_BYTES, &budget).unwrap();
    assert_eq!(fs::read(path).unwrap(), b"forged");
}

#[test]
fn a_masked_copy_that_the_budget_has_no_room_for_is_not_offered() {
    for (blocks, offered) in [(1, false), (2, true)] {
        let fixture = Fixture::new("copy");
        let mut spill = fixture.spill_of(1, LARGE, &Budget::new(blocks * BLOCK_BYTES));
        spill.push(BYTES);
        spill.mask_again(&Redactor::new(handrail_redact::Options::default()).unwrap());
        assert_eq!(spill.finish().is_some(), offered);
        assert_eq!(fixture.kept(), if offered { vec![1] } else { Vec::new() });
    }
}
