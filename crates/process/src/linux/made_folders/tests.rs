use std::fs;
use std::os::unix::fs::{MetadataExt, symlink};

use handrail_files::Root;
use handrail_policy::plan::{Confine, Plan};
use handrail_policy::{Config, Rule};

use super::*;

struct Fixture {
    folder: PathBuf,
    roots: Arc<Roots>,
    register: Arc<FolderRegister>,
}

impl Fixture {
    fn new(name: &str, is_writable: bool) -> Fixture {
        let folder =
            std::env::temp_dir().join(format!("handrail-made-{name}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(folder.join("root/packages/api")).unwrap();
        fs::create_dir_all(folder.join("outside")).unwrap();
        let folder = fs::canonicalize(&folder).unwrap();
        for place in ["root", "root/packages/api", "outside"] {
            fs::write(folder.join(place).join("package.json"), "{}").unwrap();
        }
        let roots =
            Arc::new(Roots::Only(vec![Root::open(&folder.join("root"), is_writable).unwrap()]));
        Fixture { folder, roots, register: Arc::default() }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.join("root").join(name)
    }

    fn make(&self, places: &[&str]) -> MadeFolders {
        let rules = places.iter().copied().map(Rule::program).collect();
        let config = Config { allow: Some(rules), ..Config::default() };
        let plan = Plan::new(&config, &Confine::default(), true, false);
        let makers = FolderMakers::of_text("npm ci", &["npm".to_owned()]);
        MadeFolders::make(&makers, None, &plan.places, &self.roots, &self.register)
    }
}

impl Drop for Fixture {
    fn drop(&mut self) {
        fs::remove_dir_all(&self.folder).unwrap();
    }
}

const PLACES: [&str; 3] = [
    "./node_modules/.bin/*",
    "packages/api/node_modules/.bin/*",
    "packages/web/node_modules/.bin/*",
];

#[test]
fn folders_are_there_for_the_program_and_gone_after_it_unless_they_were_filled() {
    let fixture = Fixture::new("plain", true);
    let (whole, api) = (fixture.path("node_modules"), fixture.path("packages/api/node_modules"));
    let made = fixture.make(&PLACES);
    assert!(whole.is_dir() && api.is_dir());
    assert!(!fixture.path("packages/web").exists());
    fs::write(whole.join("x"), "").unwrap();
    drop(made);
    assert!(whole.is_dir() && !api.exists());
    // One that was there before stays, also while it is empty.
    fs::remove_file(whole.join("x")).unwrap();
    drop(fixture.make(&PLACES));
    assert!(whole.is_dir());
    fs::remove_file(fixture.path("packages/api/package.json")).unwrap();
    let _made = fixture.make(&PLACES);
    assert!(!api.exists(), "without a manifest");
}

#[test]
fn a_folder_lasts_as_long_as_the_last_program_that_it_was_made_for() {
    let fixture = Fixture::new("shared", true);
    let whole = fixture.path("node_modules");
    let first = fixture.make(&PLACES);
    let inode = fs::metadata(&whole).unwrap().ino();
    let second = fixture.make(&PLACES);
    drop(first);
    assert_eq!(fs::metadata(&whole).unwrap().ino(), inode);
    drop(second);
    assert!(!whole.exists());
    // One that took its place meanwhile is not ours.
    let made = fixture.make(&PLACES);
    fs::rename(&whole, fixture.path("kept")).unwrap();
    fs::create_dir(&whole).unwrap();
    drop(made);
    assert!(whole.is_dir() && fixture.path("kept").is_dir());
    assert!(fixture.register.counts().is_empty());
}

#[test]
fn nothing_is_made_through_a_link_or_where_commands_do_not_write() {
    let fixture = Fixture::new("links", true);
    let outside = fixture.folder.join("outside");
    symlink(&outside, fixture.path("node_modules")).unwrap();
    fs::rename(fixture.path("packages"), fixture.path("moved")).unwrap();
    symlink(&outside, fixture.path("packages")).unwrap();
    fs::create_dir(outside.join("api")).unwrap();
    fs::write(outside.join("api/package.json"), "{}").unwrap();
    symlink(fixture.path("moved/api"), fixture.path("inner")).unwrap();
    let made =
        fixture.make(&[&PLACES[..], &["inner/node_modules/.bin/*", "../node_modules/**"]].concat());
    assert!(made.folders.is_empty());
    assert!(
        !outside.join("api/node_modules").exists()
            && !fixture.path("moved/api/node_modules").exists()
    );
    drop(made);
    assert_eq!(fs::read_dir(&outside).unwrap().count(), 2);
    let read_only = Fixture::new("read", false);
    assert!(read_only.make(&PLACES).folders.is_empty());
}

/// Whether an empty folder outside outlives `work`, while the parent of a place is exchanged for a link to outside, again and
/// again, for so many rounds at most.
fn outlives(name: &str, rounds: usize, work: impl Fn(&Fixture)) -> bool {
    let fixture = Fixture::new(name, true);
    let (parent, aside) = (fixture.path("packages/api"), fixture.path("packages/aside"));
    let (link, victim) =
        (fixture.path("packages/link"), fixture.folder.join("outside/node_modules"));
    fs::create_dir(&victim).unwrap();
    let inode = fs::metadata(&victim).unwrap().ino();
    symlink(fixture.folder.join("outside"), &link).unwrap();
    let is_there = || fs::metadata(&victim).is_ok_and(|status| status.ino() == inode);
    std::thread::scope(|scope| {
        let exchange = scope.spawn(|| {
            for _ in (0..rounds).take_while(|_| is_there()) {
                fs::rename(&parent, &aside).unwrap();
                fs::rename(&link, &parent).unwrap();
                fs::rename(&parent, &link).unwrap();
                fs::rename(&aside, &parent).unwrap();
            }
        });
        while !exchange.is_finished() && is_there() {
            work(&fixture);
        }
        exchange.join().unwrap();
    });
    is_there()
}

#[test]
fn nothing_is_made_or_removed_outside_while_the_parent_is_exchanged() {
    let made_count = std::cell::Cell::new(0);
    let is_kept = outlives("race", 3_000, |fixture| {
        let made = fixture.make(&["packages/api/node_modules/.bin/*"]);
        made_count.set(made_count.get() + made.folders.len());
    });
    assert!(is_kept && made_count.get() > 0);
    // The same by paths that are looked at before.
    let is_kept = outlives("naive", 1_000_000, |fixture| {
        let path = fixture.path("packages/api/node_modules");
        let is_own = |path: &Path| fs::canonicalize(path).is_ok_and(|real| real == path);
        let _ = fs::create_dir(&path);
        if is_own(&path) {
            let _ = fs::remove_dir(&path);
        }
    });
    assert!(!is_kept);
}
