//! The supervisor and its workers as a host meets them.

use std::io;
use std::os::unix::fs::PermissionsExt;

use crate::host::{Answer, Host};
use handrail_supervisor::message::{FromWorker, ToSupervisor};

/// Sets how many descriptors the process may have open; returns how many it could.
fn limit_descriptors(pid: u32, soft: libc::rlim_t) -> io::Result<libc::rlim_t> {
    let pid = i32::try_from(pid).map_err(io::Error::other)?;
    let mut limit = libc::rlimit { rlim_cur: 0, rlim_max: 0 };
    let (none, old) = (std::ptr::null(), &raw mut limit);
    // SAFETY: the old limit is written to valid memory.
    if unsafe { libc::prlimit(pid, libc::RLIMIT_NOFILE, none, old) } == -1 {
        return Err(io::Error::last_os_error());
    }
    let before = std::mem::replace(&mut limit.rlim_cur, soft);
    let (new, none) = (&raw const limit, std::ptr::null_mut());
    // SAFETY: the new limit is valid for the call.
    if unsafe { libc::prlimit(pid, libc::RLIMIT_NOFILE, new, none) } == -1 {
        return Err(io::Error::last_os_error());
    }
    Ok(before)
}

#[test]
fn a_worker_that_cannot_be_made_leaves_no_folder() {
    let (host, first) = Host::start("no-folder").unwrap();
    assert_eq!(first.number, 1);
    assert_eq!(host.worker_folders().unwrap(), ["worker-1"]);
    // It can make no socket any more.
    let before = limit_descriptors(host.supervisor.id(), 3).unwrap();
    host.ask(&ToSupervisor::MoreWorkers(3)).unwrap();
    for _ in 0..3 {
        assert!(matches!(host.worker().unwrap(), Answer::Failed(libc::EMFILE)));
    }
    assert_eq!(host.worker_folders().unwrap(), ["worker-1"]);
    limit_descriptors(host.supervisor.id(), before).unwrap();
    assert!(host.close().unwrap());
}

#[test]
fn every_run_of_a_worker_finds_its_folders_untouched_and_says_so() {
    let (host, first) = Host::start("untouched").unwrap();
    host.ask(&ToSupervisor::MoreWorkers(1)).unwrap();
    let Answer::Made(second) = host.worker().unwrap() else { panic!("no second worker") };
    for worker in [first, second] {
        for run in 1..=3 {
            let done = worker.run(run, "exit 3").unwrap();
            assert_eq!((done.run, done.wait_status, done.ready), (run, 3 << 8, true));
        }
        // The opposite: what is left behind is noticed, and gone before the next run.
        let done = worker.run(4, ": > \"$TMPDIR/left\"").unwrap();
        assert_eq!((done.wait_status, done.ready), (0, false));
        assert_eq!(worker.hear().unwrap(), FromWorker::Ready { run: 4 });
        let done = worker.run(5, "[ ! -e \"$TMPDIR/left\" ]").unwrap();
        assert_eq!((done.wait_status, done.ready), (0, true));
    }
    assert!(host.close().unwrap());
}

#[test]
fn folders_that_inherit_their_group_are_found_untouched_too() {
    let (host, first) = Host::start("inherited").unwrap();
    let mode = std::fs::Permissions::from_mode(0o2700);
    std::fs::set_permissions(&host.state_directory, mode).unwrap();
    host.ask(&ToSupervisor::MoreWorkers(1)).unwrap();
    let Answer::Made(second) = host.worker().unwrap() else { panic!("no second worker") };
    let home = host.state_directory.join("worker-2/home");
    assert_eq!(std::fs::metadata(home).unwrap().permissions().mode() & 0o7777, 0o2700);
    for worker in [first, second] {
        assert!(worker.run(1, "exit 3").unwrap().ready);
    }
    assert!(host.close().unwrap());
}

#[test]
fn a_tree_deeper_than_there_are_descriptors_goes_away_like_any_other() {
    let (host, first) = Host::start("deep").unwrap();
    let before = limit_descriptors(host.supervisor.id(), 64).unwrap();
    host.ask(&ToSupervisor::MoreWorkers(1)).unwrap();
    let Answer::Made(worker) = host.worker().unwrap() else { panic!("no second worker") };
    limit_descriptors(host.supervisor.id(), before).unwrap();
    let script = "cd \"$TMPDIR\"; for i in $(seq 200); do mkdir d && cd d || exit; done";
    let done = worker.run(1, script).unwrap();
    assert_eq!((done.wait_status, done.ready), (0, false));
    assert_eq!(worker.hear().unwrap(), FromWorker::Ready { run: 1 });
    let done = worker.run(2, "[ ! -e \"$TMPDIR/d\" ]").unwrap();
    assert_eq!((done.wait_status, done.ready), (0, true));
    drop(first);
    assert!(host.close().unwrap());
}
