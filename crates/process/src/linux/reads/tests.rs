use std::ffi::OsStr;
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
            "home/.claude/own/share",
            "home/.claude/other/bin",
            "home/.claude/wrappers",
            "home/.cache/own",
            "home/project/deep",
            "elsewhere/aws",
        ] {
            fs::create_dir_all(base.join(folder)).unwrap();
        }
        symlink(base.join("elsewhere/aws"), base.join("home/.aws")).unwrap();
        symlink("/", base.join("home/.azure")).unwrap();
        symlink(base.join("elsewhere/kube"), base.join("home/.kube")).unwrap();
        fs::write(base.join("home/.claude/own/bin/program"), "").unwrap();
        fs::write(base.join("home/.netrc"), "").unwrap();
        fs::write(base.join("home/project/.env.local"), "").unwrap();
        fs::write(base.join("home/project/deep/.env"), "").unwrap();
        Fixture(base)
    }

    fn places(&self) -> ReadPlaces {
        ReadPlaces {
            places: command_places(&[]),
            home: Some(self.0.join("home")),
            login_home: None,
            directory: self.0.clone(),
            own: vec![self.0.join("home/.cache/own"), self.0.join("home/.claude/wrappers")],
        }
    }

    fn resolved(&self, confine: &Confine, root: &str) -> PlanReads {
        self.resolved_and_watched(confine, &self.places(), root).0
    }

    fn resolved_and_watched(
        &self,
        confine: &Confine,
        places: &ReadPlaces,
        root: &str,
    ) -> (PlanReads, Watch) {
        let roots = Roots::Only(vec![Root::open(&self.0.join(root), true).unwrap()]);
        let search =
            ["own", "other"].map(|name| self.0.join("home/.claude").join(name).join("bin"));
        let program = search[0].join("program");
        let surroundings = Surroundings {
            roots: &roots,
            search: vec![&search[0], &search[1], Path::new("/usr/bin")],
            programs: Some(vec![&program]),
            environment: &[],
            own_temporary: false,
            writes_roots: true,
        };
        let plan = Plan::new(&Config::default(), confine, true, false);
        resolve(&plan.reads, places, &surroundings)
    }

    /// The covered places beneath the fixture, by their names there.
    fn covered(&self, confine: &Confine, root: &str) -> Vec<String> {
        self.names(&self.resolved(confine, root).covered)
    }

    fn names(&self, covered: &[PlanPlace]) -> Vec<String> {
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
    assert_eq!(fixture.covered(&Confine::default(), "home/project"), all);
    // A root that holds them changes nothing; one that is the place, or a link to it, is the host's word.
    assert_eq!(fixture.covered(&Confine::default(), "home"), all);
    assert_eq!(fixture.covered(&Confine::default(), "elsewhere/aws"), all[1..]);
    let any = Confine { reads: Some(Reads::Any), ..Confine::default() };
    assert_eq!(fixture.covered(&any, "home/project"), [""; 0]);
}

#[test]
fn a_tool_chain_and_a_folder_of_the_hosts_own_stay_in_a_protected_place() {
    let fixture = Fixture::new("kept");
    // Of a folder that is only searched for programs, nothing beside it.
    let kept = ["other/bin", "own", "own/bin", "wrappers"]
        .map(|name| bytes(&fixture.0.join("home/.claude").join(name)));
    assert_eq!(fixture.resolved(&Confine::default(), "home/project").kept, kept);
}

#[test]
fn a_home_around_the_home_of_the_environment_is_protected_as_well() {
    let fixture = Fixture::new("homes");
    let home = fixture.0.join("home/project");
    fs::create_dir(home.join(".ssh")).unwrap();
    let login_home = Some(fixture.0.join("home"));
    let places = ReadPlaces { home: Some(home), login_home, ..fixture.places() };
    let (reads, _) = fixture.resolved_and_watched(&Confine::default(), &places, "elsewhere");
    let all = ["elsewhere/aws", "home/.claude", "home/.netrc", "home/.ssh", "home/project/.ssh"];
    assert_eq!(fixture.names(&reads.covered), all);
    let unknown = ReadPlaces { login_home: None, ..places };
    let (reads, _) = fixture.resolved_and_watched(&Confine::default(), &unknown, "elsewhere");
    assert_eq!(fixture.names(&reads.covered), ["home/project/.ssh"]);
}

#[test]
fn ssh_knows_its_hosts_and_reads_no_key() {
    let fixture = Fixture::new("ssh");
    let folder = fixture.0.join("home/.ssh");
    for name in ["known_hosts", "id_ed25519"] {
        fs::write(folder.join(name), "").unwrap();
    }
    std::os::unix::fs::symlink("id_ed25519", folder.join("config")).unwrap();
    let reads = fixture.resolved(&Confine::default(), "home/project");
    assert!(fixture.names(&reads.covered).contains(&"home/.ssh".to_owned()));
    let kept: Vec<_> = reads.kept.iter().filter(|path| path.starts_with(&bytes(&folder))).collect();
    assert_eq!(kept, [&bytes(&folder.join("known_hosts"))]);
    let roots = Confine { reads: Some(Reads::Roots), ..Confine::default() };
    let only = fixture.resolved(&roots, "home/project").only.unwrap();
    assert!(!only.iter().any(|path| path.starts_with(&bytes(&folder))));
}

#[test]
fn lists_of_the_host_add_and_take_away() {
    let fixture = Fixture::new("lists");
    let lifted = Confine { readable: Some(list(&["~/.ssh", "~/.aws"])), ..Confine::default() };
    assert_eq!(fixture.covered(&lifted, "home/project"), ["home/.claude", "home/.netrc"]);
    let inside = Confine { readable: Some(list(&["~/.claude/own/bin"])), ..Confine::default() };
    let kept = fixture.resolved(&inside, "home/project").kept;
    assert!(kept.contains(&bytes(&fixture.0.join("home/.claude/own/bin"))));
    let any = Confine {
        reads: Some(Reads::Any),
        unreadable: Some(list(&[".env*"])),
        ..Confine::default()
    };
    assert_eq!(
        fixture.covered(&any, "home/project"),
        ["home/project/.env.local", "home/project/deep/.env"]
    );
    let path = Confine {
        reads: Some(Reads::Any),
        unreadable: Some(list(&["deep/.env"])),
        ..Confine::default()
    };
    assert_eq!(fixture.covered(&path, "home/project"), ["home/project/deep/.env"]);
    let empty =
        Confine { readable: Some(list(&[])), unreadable: Some(list(&[])), ..Confine::default() };
    assert_eq!(fixture.covered(&empty, "home/project").len(), 4);
}

#[test]
fn only_what_the_plan_uses_is_read_beneath_roots() {
    let fixture = Fixture::new("roots");
    let confine = Confine { reads: Some(Reads::Roots), ..Confine::default() };
    let only = fixture.resolved(&confine, "home/project").only.unwrap();
    for path in ["home/project", "home/.claude/own", "home/.cache/own"] {
        assert!(only.contains(&bytes(&fixture.0.join(path))), "{path}");
    }
    assert!(only.contains(&b"/usr".to_vec()));
    assert!(!only.contains(&bytes(&fixture.0.join("home"))));
    assert_eq!(fixture.resolved(&Confine::default(), "home/project").only, None);
}

#[test]
fn places_that_come_to_be_are_noticed() {
    let fixture = Fixture::new("watched");
    let watched =
        || fixture.resolved_and_watched(&Confine::default(), &fixture.places(), "home/project").1;
    let mut watch = watched();
    assert!(watch.is_current());
    fs::create_dir(fixture.0.join("home/.gnupg")).unwrap();
    assert!(!watch.is_current());
    // A link of the home leads there.
    let mut watch = watched();
    fs::create_dir(fixture.0.join("elsewhere/kube")).unwrap();
    assert!(!watch.is_current());
}

#[test]
fn a_socket_of_an_agent_is_noticed_among_temporary_files_and_nothing_else_there_is() {
    let mut watch = Watch::new(&["/tmp/ssh-handrail-*"]);
    let made = |name: &str| PathBuf::from(format!("/tmp/{name}-{}", std::process::id()));
    let (other, agent) = (made("handrail-other"), made("ssh-handrail-agent"));
    fs::create_dir(&other).unwrap();
    assert!(watch.is_current());
    fs::create_dir(&agent).unwrap();
    let is_current = watch.is_current();
    fs::remove_dir(&agent).unwrap();
    fs::remove_dir(&other).unwrap();
    assert!(!is_current);
}

#[test]
fn more_than_can_be_covered_is_not_covered_in_part() {
    let fixture = Fixture::new("overfull");
    let confine = Confine { unreadable: Some(list(&["*.secret"])), ..Confine::default() };
    let make = |number: usize| {
        fs::write(fixture.0.join("home/project").join(format!("{number}.secret")), "").unwrap();
    };
    (0..MAX_PLACES).for_each(make);
    assert!(!fixture.resolved(&confine, "home/project").is_overfull);
    make(MAX_PLACES);
    assert!(fixture.resolved(&confine, "home/project").is_overfull);
}

#[test]
fn what_cannot_be_taken_away_is_named() {
    let fixture = Fixture::new("unholdable");
    let roots = Roots::Only(vec![Root::open(&fixture.0.join("home/project"), true).unwrap()]);
    let named = |entry: &str| {
        let confine = Confine { unreadable: Some(list(&["deep", entry])), ..Confine::default() };
        let plan = Plan::new(&Config::default(), &confine, true, false);
        unholdable(&plan.reads, &fixture.places(), &roots).map(|(entry, _)| entry.to_owned())
    };
    let home = fixture.0.join("home");
    for entry in ["/usr", "/tmp", "~/project", home.to_str().unwrap()] {
        assert_eq!(named(entry), Some(entry.into()));
    }
    assert_eq!(named("~/.ssh"), None);
    assert_eq!(named("work"), None);
}

#[test]
fn a_linked_worktree_needs_its_repository_and_a_file_that_commands_write_opens_nothing() {
    let fixture = Fixture::new("git");
    let (main, root) = (fixture.0.join("elsewhere/main/.git"), fixture.0.join("home/project"));
    let own = main.join("worktrees/w");
    let borrowed = fixture.0.join("elsewhere/borrowed/objects");
    for folder in [&own, &main.join("objects/info"), &borrowed.join("pack")] {
        fs::create_dir_all(folder).unwrap();
    }
    fs::write(own.join("commondir"), "../..\n").unwrap();
    fs::write(own.join("gitdir"), format!("{}/.git\n", root.display())).unwrap();
    let alternates = format!("{}\n", borrowed.display());
    fs::write(main.join("objects/info/alternates"), &alternates).unwrap();
    fs::write(root.join(".git"), format!("gitdir: {}\n", own.display())).unwrap();
    let found = |is_writable: bool| {
        git::folders(&Roots::Only(vec![Root::open(&root, is_writable).unwrap()]))
    };
    assert_eq!(found(true), [borrowed.clone(), main]);
    // A folder that does not name the root in turn.
    let ssh = fixture.0.join("home/.ssh");
    fs::write(root.join(".git"), format!("gitdir: {}\n", ssh.display())).unwrap();
    assert!(found(true).is_empty());
    fs::write(own.join("gitdir"), "/elsewhere/.git\n").unwrap();
    fs::write(root.join(".git"), format!("gitdir: {}\n", own.display())).unwrap();
    assert!(found(true).is_empty());
    // A repository in the root may borrow only where commands do not write its list.
    fs::remove_file(root.join(".git")).unwrap();
    fs::create_dir_all(root.join(".git/objects/info")).unwrap();
    fs::write(root.join(".git/objects/info/alternates"), &alternates).unwrap();
    assert!(found(true).is_empty());
    assert_eq!(found(false), [borrowed]);
}
