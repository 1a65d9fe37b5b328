//! Commands that move, replace or remove Handrail's own folders: nothing else is removed for it, and
//! the next run works.

use std::fs;
use std::io;
use std::os::unix::fs::symlink;
use std::path::PathBuf;

use crate::host::{Answer, Host, MORE, Worker};
use handrail_supervisor::message::{Done, FromWorker};
use handrail_supervisor::removal::remove_tree;

/// A folder that is not Handrail's, laid out as its own are.
struct Victim(PathBuf);

const FILES: [&str; 5] =
    ["home/file", "tmp/file", "worker-1/home/file", "worker-1/tmp/file", "worker-2/home/file"];

impl Victim {
    fn new(name: &str) -> io::Result<Victim> {
        let name = format!("handrail-victim-{}-{name}", std::process::id());
        let path = std::env::temp_dir().join(name);
        for file in FILES {
            fs::create_dir_all(path.join(file).parent().unwrap_or(&path))?;
            fs::write(path.join(file), "precious")?;
        }
        Ok(Victim(path))
    }

    fn is_whole(&self) -> bool {
        FILES.iter().all(|file| fs::read(self.0.join(file)).is_ok_and(|text| text == b"precious"))
    }

    fn remove(self) -> io::Result<()> {
        fs::remove_dir_all(self.0)
    }
}

/// The run is answered, and its worker serves no other.
fn is_last(worker: &Worker, script: &str) -> io::Result<Done> {
    let done = worker.run(1, script)?;
    match worker.hear() {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(done),
        Ok(FromWorker::Ready { .. }) => Err(io::Error::other("the worker goes on")),
        Ok(_) => Err(io::Error::other("the worker speaks")),
        Err(error) => Err(error),
    }
}

/// The wait status of a run that finds empty folders and leaves something, on another worker.
fn next_run(host: &Host) -> io::Result<i32> {
    host.ask(&MORE)?;
    let Answer::Made(worker) = host.worker()? else { return Err(io::ErrorKind::NotFound.into()) };
    let script = "[ -z \"$(ls -A \"$HOME\")$(ls -A \"$TMPDIR\")\" ] && : > \"$TMPDIR/left\"";
    let done = worker.run(2, script)?;
    match worker.hear()? {
        FromWorker::Ready { run: 2 } => Ok(done.wait_status),
        _ => Err(io::ErrorKind::InvalidData.into()),
    }
}

/// What a script leaves of a victim: `W` is the worker's folder, `S` the state directory, `V` the
/// victim.
struct Attacked {
    done: Done,
    next: i32,
    whole: bool,
    /// What is at the state directory's path when its supervisor is gone.
    left: Option<fs::FileType>,
}

fn attack(name: &str, script: &str) -> io::Result<Attacked> {
    let victim = Victim::new(name)?;
    let (host, worker) = Host::start_open(name)?;
    let state = host.state_directory.clone();
    let places = format!("S={} V={}", state.display(), victim.0.display());
    let done = is_last(&worker, &format!("W=${{HOME%/home}} {places}; {script}"))?;
    let next = next_run(&host)?;
    host.close()?;
    let attacked = Attacked {
        done,
        next,
        whole: victim.is_whole(),
        left: fs::symlink_metadata(&state).ok().map(|status| status.file_type()),
    };
    victim.remove()?;
    Ok(attacked)
}

fn assert_harmless(attacked: &Attacked) {
    assert_eq!((attacked.done.wait_status, attacked.done.ready), (0, false));
    assert_eq!(attacked.next, 0);
    assert!(attacked.whole);
}

/// Removes what an attack moved, and the link that it put in its place.
fn remove_moved(name: &str) -> io::Result<()> {
    let state = crate::host::state_directory(name);
    fs::remove_dir_all(state.with_extension("x"))?;
    fs::remove_file(state)
}

#[test]
fn a_removal_by_path_follows_what_a_command_put_above() {
    // The attack itself, on what no guard is asked about.
    let victim = Victim::new("by-path").unwrap();
    let worker = victim.0.with_extension("worker");
    symlink(&victim.0, &worker).unwrap();
    remove_tree(&worker.join("home")).unwrap();
    assert!(!victim.is_whole());
    fs::remove_file(worker).unwrap();
    victim.remove().unwrap();
}

#[test]
fn a_worker_folder_that_was_swapped_for_a_link_costs_nobody_anything() {
    let attacked = attack("link", "mv $W $W.x && ln -s $V $W").unwrap();
    assert_harmless(&attacked);
    assert!(attacked.left.is_none());
}

#[test]
fn neither_does_one_below_it() {
    let attacked = attack("below", "mv $W/tmp $W/x && ln -s $V/tmp $W/tmp").unwrap();
    assert_harmless(&attacked);
    assert!(attacked.left.is_none());
}

#[test]
fn neither_does_the_state_directory() {
    // Whoever put the link there may want it, and what was moved is not where it was made.
    let attacked = attack("state", "mv $S $S.x && ln -s $V $S").unwrap();
    assert_harmless(&attacked);
    assert!(attacked.left.is_some_and(|kind| kind.is_symlink()));
    remove_moved("state").unwrap();
}

#[test]
fn after_removing_all_folders_the_next_run_works() {
    for (name, script) in
        [("all", "rm -rf $S"), ("workers", "rm -rf $S/*"), ("moved", "mv $W $S/x")]
    {
        let attacked = attack(name, script).unwrap();
        assert_harmless(&attacked);
        assert!(attacked.left.is_none(), "{script}");
    }
}

#[test]
fn folders_of_idle_workers_that_were_removed_are_made_anew() {
    let (host, worker) = Host::start_open("idle").unwrap();
    host.ask(&MORE).unwrap();
    let Answer::Made(idle) = host.worker().unwrap() else { panic!("no worker") };
    assert_eq!(is_last(&worker, "rm -rf ${HOME%/worker-1/home}").unwrap().wait_status, 0);
    // The end of its worker has been dealt with when there is another.
    assert_eq!(next_run(&host).unwrap(), 0);
    assert_eq!(idle.number, 2);
    assert!(host.worker_folders().unwrap().contains(&"worker-2".into()));
    let done = idle.run(3, "[ -d \"$HOME\" ] && [ -d \"$TMPDIR\" ]").unwrap();
    assert_eq!(done.wait_status, 0);
    assert!(host.close().unwrap());
}

#[test]
fn a_home_that_was_removed_is_made_anew() {
    let (host, worker) = Host::start_open("home").unwrap();
    let done = worker.run(1, "rm -rf $HOME").unwrap();
    assert_eq!((done.wait_status, done.ready), (0, false));
    assert_eq!(worker.hear().unwrap(), FromWorker::Ready { run: 1 });
    assert_eq!(worker.run(2, "[ -d \"$HOME\" ]").unwrap().wait_status, 0);
    assert!(host.close().unwrap());
}

#[test]
fn a_link_in_the_place_of_the_state_directory_is_not_followed_at_the_end() {
    let victim = Victim::new("last").unwrap();
    let (host, _worker) = Host::start_open("last").unwrap();
    let state = host.state_directory.clone();
    fs::rename(&state, state.with_extension("x")).unwrap();
    symlink(&victim.0, &state).unwrap();
    host.close().unwrap();
    assert!(victim.is_whole());
    remove_moved("last").unwrap();
    victim.remove().unwrap();
}
