use std::fs;
use std::os::unix::fs::symlink;

use handrail_files::Root;
use handrail_policy::Config;
use handrail_policy::paths::command_places;
use handrail_policy::plan::{Confine, Plan};

use super::*;

/// A home with protected places, and folders beside it. Gone with it.
struct Fixture(PathBuf);

impl Fixture {
    fn new(name: &str) -> Fixture {
        let built = std::env::current_exe().unwrap().parent().unwrap().to_path_buf();
        let base = built.join(format!(".handrail-{name}-{}", std::process::id()));
        for folder in [
            "home/.ssh",
            "home/.claude/own/bin",
            "home/.claude/wrappers",
            "home/.cache/own",
            "home/work/deep",
            "elsewhere/aws",
        ] {
            fs::create_dir_all(base.join(folder)).unwrap();
        }
        symlink(base.join("elsewhere/aws"), base.join("home/.aws")).unwrap();
        symlink("/", base.join("home/.azure")).unwrap();
        fs::write(base.join("home/.netrc"), "").unwrap();
        fs::write(base.join("home/work/.env.local"), "").unwrap();
        fs::write(base.join("home/work/deep/.env"), "").unwrap();
        Fixture(base)
    }

    fn resolved(&self, confine: &Confine, root: &str) -> PlanReads {
        let home = self.0.join("home");
        let places = ReadPlaces {
            places: command_places(home.to_str(), &[]),
            home: Some(home),
            directory: self.0.clone(),
            own: vec![self.0.join("home/.cache/own"), self.0.join("home/.claude/wrappers")],
        };
        let roots = Roots::Only(vec![Root::open(&self.0.join(root), true).unwrap()]);
        let programs = self.0.join("home/.claude/own/bin");
        let surroundings = Surroundings {
            roots: &roots,
            programs: vec![&programs, Path::new("/usr/bin")],
            environment: &[],
            own_temporary: false,
            writes_roots: true,
        };
        let plan = Plan::new(&Config::default(), confine, true, false);
        resolve(&plan.reads, &places, &surroundings)
    }

    /// The covered places beneath the fixture, by their names there.
    fn covered(&self, confine: &Confine, root: &str) -> Vec<String> {
        let covered = self.resolved(confine, root).covered;
        let name = |place: &PlanPlace| {
            let path = Path::new(OsStr::from_bytes(&place.path)).strip_prefix(&self.0).ok()?;
            Some(path.to_str().unwrap().to_owned())
        };
        covered.iter().filter_map(name).collect()
    }
}

impl Drop for Fixture {
    fn drop(&mut self) {
        fs::remove_dir_all(&self.0).unwrap();
    }
}

fn list(entries: &[&str]) -> Vec<String> {
    entries.iter().map(|&entry| entry.to_owned()).collect()
}

#[test]
fn protected_places_are_covered_where_they_really_lie() {
    let fixture = Fixture::new("places");
    let all = ["elsewhere/aws", "home/.claude", "home/.netrc", "home/.ssh"];
    assert_eq!(fixture.covered(&Confine::default(), "home/work"), all);
    // A root that holds them changes nothing; one that is the place, or a link to it, is the host's word.
    assert_eq!(fixture.covered(&Confine::default(), "home"), all);
    assert_eq!(fixture.covered(&Confine::default(), "elsewhere/aws"), all[1..]);
    let any = Confine { reads: Some(Reads::Any), ..Confine::default() };
    assert_eq!(fixture.covered(&any, "home/work"), [""; 0]);
}

#[test]
fn a_tool_chain_and_a_folder_of_the_hosts_own_stay_in_a_protected_place() {
    let fixture = Fixture::new("kept");
    let kept = ["own", "wrappers"].map(|name| bytes(&fixture.0.join("home/.claude").join(name)));
    assert_eq!(fixture.resolved(&Confine::default(), "home/work").kept, kept);
}

#[test]
fn lists_of_the_host_add_and_take_away() {
    let fixture = Fixture::new("lists");
    let lifted = Confine { readable: Some(list(&["~/.ssh", "~/.aws"])), ..Confine::default() };
    assert_eq!(fixture.covered(&lifted, "home/work"), ["home/.claude", "home/.netrc"]);
    let inside = Confine { readable: Some(list(&["~/.claude/own/bin"])), ..Confine::default() };
    let kept = fixture.resolved(&inside, "home/work").kept;
    assert!(kept.contains(&bytes(&fixture.0.join("home/.claude/own/bin"))));
    let any = Confine {
        reads: Some(Reads::Any),
        unreadable: Some(list(&[".env*"])),
        ..Confine::default()
    };
    assert_eq!(fixture.covered(&any, "home/work"), ["home/work/.env.local", "home/work/deep/.env"]);
    let path = Confine {
        reads: Some(Reads::Any),
        unreadable: Some(list(&["deep/.env"])),
        ..Confine::default()
    };
    assert_eq!(fixture.covered(&path, "home/work"), ["home/work/deep/.env"]);
    let empty =
        Confine { readable: Some(list(&[])), unreadable: Some(list(&[])), ..Confine::default() };
    assert_eq!(fixture.covered(&empty, "home/work").len(), 4);
}

#[test]
fn only_what_the_plan_uses_is_read_beneath_roots() {
    let fixture = Fixture::new("roots");
    let confine = Confine { reads: Some(Reads::Roots), ..Confine::default() };
    let only = fixture.resolved(&confine, "home/work").only.unwrap();
    for path in ["home/work", "home/.claude/own", "home/.cache/own"] {
        assert!(only.contains(&bytes(&fixture.0.join(path))), "{path}");
    }
    assert!(only.contains(&b"/usr".to_vec()));
    assert!(!only.contains(&bytes(&fixture.0.join("home"))));
    assert_eq!(fixture.resolved(&Confine::default(), "home/work").only, None);
}

#[test]
fn a_place_that_comes_to_be_changes_the_stamps() {
    let fixture = Fixture::new("stamps");
    let home = fixture.0.join("home");
    let places = ReadPlaces {
        places: command_places(home.to_str(), &[]),
        home: Some(home.clone()),
        directory: home,
        own: Vec::new(),
    };
    let plan = Plan::new(&Config::default(), &Confine::default(), true, false);
    let before = stamps(&plan.reads, &places);
    assert_eq!(stamps(&plan.reads, &places), before);
    fs::create_dir(fixture.0.join("home/.kube")).unwrap();
    assert_ne!(stamps(&plan.reads, &places), before);
}
