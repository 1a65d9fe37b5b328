//! Folders and files exchanged for links while the tools work: the rows race-01 to race-04 and race-08 of the corpus.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use handrail_files::Files;
use rustix::fs::{CWD, RenameFlags, renameat_with};
use serde_json::json;

use crate::fixture::{Fixture, ask, rounds};

/// Reads and writes of a row at full count, on each way of resolving.
const FULL: u32 = 100_000;
/// How often the unguarded way has to escape.
const ESCAPES: u32 = 10;
/// How long it may take for that.
const LIVENESS: Duration = Duration::from_secs(300);

/// Exchanges two names until it is dropped.
struct Exchange {
    stop: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

impl Exchange {
    fn start(a: PathBuf, b: PathBuf) -> Exchange {
        let stop = Arc::new(AtomicBool::new(false));
        let stopped = Arc::clone(&stop);
        let thread = std::thread::spawn(move || {
            while !stopped.load(Ordering::Relaxed) {
                renameat_with(CWD, &a, CWD, &b, RenameFlags::EXCHANGE).unwrap();
            }
        });
        Exchange { stop, thread: Some(thread) }
    }
}

impl Drop for Exchange {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::Relaxed);
        self.thread.take().map(JoinHandle::join);
    }
}

fn fixture() -> Fixture {
    let fixture = Fixture::new();
    fixture.file("ra/b/f", "in\n").file("f", "in\n");
    fs::write(fixture.base.join("outside/f"), "OUT").unwrap();
    symlink(fixture.base.join("outside"), fixture.path("rl")).unwrap();
    symlink(fixture.base.join("outside/f"), fixture.path("fl")).unwrap();
    fixture
}

fn files(fixture: &Fixture) -> Files {
    let config = fixture.config();
    Files::new(config).unwrap()
}

/// Calls as often as the row says, and on until one has succeeded: few calls may all fall into one time slice of the exchange.
#[expect(clippy::print_stdout, reason = "the line is the row's result")]
fn repeat(what: &str, mut call: impl FnMut(u32) -> bool) {
    let (started, rounds) = (Instant::now(), rounds(FULL));
    let (mut round, mut done) = (0, 0);
    while round < rounds || (done == 0 && started.elapsed() < LIVENESS) {
        done += u32::from(call(round));
        round += 1;
    }
    println!(
        "\nsoak: {round} {what}, {done} done, 0 escapes, in {:.1} s",
        started.elapsed().as_secs_f64()
    );
    assert!(done > 0, "{what}: none succeeded");
}

/// The same without the guard: the path is checked, then opened. It escapes again and again, so the exchange is no empty gesture.
fn escapes_unguarded(fixture: &Fixture, path: &Path) -> bool {
    let (started, mut escapes) = (Instant::now(), 0);
    while escapes < ESCAPES && started.elapsed() < LIVENESS {
        let inside = fs::canonicalize(path).is_ok_and(|real| real.starts_with(fixture.root()));
        if inside && fs::read(path).is_ok_and(|content| content == b"OUT") {
            escapes += 1;
        }
    }
    escapes == ESCAPES
}

#[test]
fn reading_beneath_a_folder_that_is_exchanged_for_a_link_never_leaves_the_root() {
    let fixture = fixture();
    let files = files(&fixture);
    let _exchange = Exchange::start(fixture.path("ra/b"), fixture.path("rl"));
    repeat("reads beneath an exchanged folder", |_| {
        match ask(&json!({ "path": "ra/b/f" }), |request| files.read(request)) {
            Ok(answer) => {
                assert_eq!(answer["text"], "in\n");
                true
            }
            Err(_) => false,
        }
    });
    assert!(escapes_unguarded(&fixture, &fixture.path("ra/b/f")), "check and open stayed inside");
}

#[test]
fn reading_a_file_that_is_exchanged_for_a_link_never_leaves_the_root() {
    let fixture = fixture();
    let files = files(&fixture);
    let _exchange = Exchange::start(fixture.path("f"), fixture.path("fl"));
    repeat("reads of an exchanged file", |_| {
        match ask(&json!({ "path": "f" }), |request| files.read(request)) {
            Ok(answer) => {
                assert_eq!(answer["text"], "in\n");
                true
            }
            Err(_) => false,
        }
    });
    assert!(escapes_unguarded(&fixture, &fixture.path("f")), "check and open stayed inside");
}

#[test]
fn writing_beneath_a_folder_that_is_exchanged_for_a_link_never_leaves_the_root() {
    for (folder, link, nested) in [("ra/b", "rl", false), ("ra", "rl", true)] {
        let fixture = fixture();
        let files = files(&fixture);
        let outside = fixture.base.join("outside");
        let before = fs::read_dir(&outside).unwrap().count();
        let _exchange = Exchange::start(fixture.path(folder), fixture.path(link));
        repeat("writes beneath an exchanged folder", |round| {
            let path =
                if nested { format!("ra/n{}/m/f", round % 500) } else { "ra/b/f".to_owned() };
            let request = json!({ "path": path, "content": "new\n", "overwrite": "always" });
            let done = ask(&request, |request| files.write(request)).is_ok();
            assert_eq!(fs::read(outside.join("f")).unwrap(), b"OUT");
            assert_eq!(fs::read_dir(&outside).unwrap().count(), before);
            done
        });
    }
}

#[test]
fn patching_beneath_a_folder_that_is_exchanged_for_a_link_never_leaves_the_root() {
    let fixture = fixture();
    let files = files(&fixture);
    let outside = fixture.base.join("outside");
    fs::write(outside.join("g"), "in\n").unwrap();
    fs::write(outside.join("h"), "in\n").unwrap();
    fixture.file("ra/b/g", "in\n");
    let tree = |folder: &Path| {
        let mut names: Vec<_> = fs::read_dir(folder)
            .unwrap()
            .map(|entry| entry.unwrap().path())
            .map(|path| (path.clone(), fs::read(path).unwrap()))
            .collect();
        names.sort();
        names
    };
    let before = tree(&outside);
    let _exchange = Exchange::start(fixture.path("ra/b"), fixture.path("rl"));
    repeat("patches beneath an exchanged folder", |round| {
        let body = match round % 4 {
            0 => "*** Delete File: ra/b/g\n",
            1 => "*** Add File: ra/b/g\n+in\n",
            2 => "*** Update File: ra/b/g\n*** Move to: ra/b/h\n@@\n-in\n+out\n",
            _ => "*** Update File: ra/b/h\n*** Move to: ra/b/g\n@@\n-out\n+in\n",
        };
        let patch = format!("*** Begin Patch\n{body}*** End Patch\n");
        let done = ask(&json!({ "patch": patch }), |request| files.patch(request)).is_ok();
        assert_eq!(tree(&outside), before);
        done
    });
}

#[test]
fn a_root_that_is_moved_away_stays_the_directory_it_was() {
    let fixture = Fixture::new();
    let files = files(&fixture);
    fixture.file("a.txt", "in\n");
    fs::write(fixture.base.join("outside/a.txt"), "OUT").unwrap();
    fs::rename(fixture.root(), fixture.base.join("ws.moved")).unwrap();
    symlink(fixture.base.join("outside"), fixture.root()).unwrap();
    let answer = ask(&json!({ "path": "a.txt" }), |request| files.read(request)).unwrap();
    assert_eq!(answer["text"], "in\n");
}
