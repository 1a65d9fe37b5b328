//! The supervisor and its workers as a host meets them.

use std::io;
use std::os::fd::OwnedFd;
use std::os::unix::fs::PermissionsExt;

use crate::host::{Answer, Host, MORE};
use handrail_supervisor::message::{FromWorker, Kind, MAX_EXTRA_DESCRIPTORS, ToSupervisor};
use rustix::pty::OpenptFlags;

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
    host.ask(&ToSupervisor::MoreWorkers { plan: 0, count: 3 }).unwrap();
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
    host.ask(&MORE).unwrap();
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
    host.ask(&MORE).unwrap();
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
    host.ask(&MORE).unwrap();
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

/// A file without a name that holds this text, to be read from its beginning.
fn file(text: &str) -> io::Result<OwnedFd> {
    let file = rustix::fs::memfd_create("handrail-test", rustix::fs::MemfdFlags::CLOEXEC)?;
    rustix::io::write(&file, text.as_bytes())?;
    rustix::fs::seek(&file, rustix::fs::SeekFrom::Start(0))?;
    Ok(file)
}

#[test]
fn a_program_finds_further_descriptors_at_the_numbers_that_were_asked_for() {
    let (host, worker) = Host::start("extra").unwrap();
    // Every number a worker may have something at itself is asked for once: nothing is in the way of anything.
    let numbers: Vec<u8> = (3..=60).collect();
    for (run, targets) in (1..).zip(numbers.windows(4).map(<[u8]>::to_vec)) {
        // The other way round too: what comes first would be overwritten by what comes last.
        let targets: Vec<u8> =
            if run % 2 == 0 { targets } else { targets.into_iter().rev().collect() };
        let texts: Vec<String> = targets.iter().map(|target| format!("for {target}")).collect();
        let files: Vec<OwnedFd> = texts.iter().map(|text| file(text).unwrap()).collect();
        let test =
            |(target, text): (&u8, &String)| format!("[ \"$(cat /dev/fd/{target})\" = '{text}' ]");
        let found: Vec<String> = targets.iter().zip(&texts).map(test).collect();
        // And no other is open but the directory that is being listed.
        let counted = format!("set -- /proc/$$/fd/* && [ $# = {} ]", 4 + targets.len());
        let script = format!("{} && {counted}", found.join(" && "));
        let done = worker.run_with(run, Kind::Run, &script, None, &targets, &files).unwrap();
        assert_eq!((done.wait_status, done.ready), (0, true), "at {targets:?}");
    }
    assert!(host.close().unwrap());
}

#[test]
fn more_further_descriptors_than_there_may_be_are_refused() {
    let targets = [3, 4, 5, 6, 7];
    assert_eq!(targets.len(), MAX_EXTRA_DESCRIPTORS + 1);
    let (_host, worker) = Host::start("too-many").unwrap();
    let files: Vec<OwnedFd> = targets.iter().map(|_| file("").unwrap()).collect();
    assert!(worker.run_with(1, Kind::Run, "exit 0", None, &targets, &files).is_err());
}

#[test]
fn the_program_of_a_session_has_a_controlling_terminal_and_that_of_a_run_has_none() {
    let (host, worker) = Host::start("controlling").unwrap();
    let has_one = "{ : > /dev/tty; } 2> /dev/null";
    let flags = OpenptFlags::RDWR | OpenptFlags::NOCTTY | OpenptFlags::CLOEXEC;
    let ours = rustix::pty::openpt(flags).unwrap();
    rustix::pty::unlockpt(&ours).unwrap();
    let theirs = rustix::pty::ioctl_tiocgptpeer(&ours, flags).unwrap();
    let script = format!("[ -t 0 ] && {has_one} && echo hello > /dev/tty");
    let done = worker.run_with(1, Kind::Session, &script, Some(&theirs), &[], &[]).unwrap();
    assert_eq!(done.wait_status, 0);
    let mut said = [0; 16];
    let count = rustix::io::read(&ours, &mut said).unwrap();
    assert_eq!(&said[..count], b"hello\r\n");
    let done = worker.run_with(2, Kind::Run, has_one, None, &[], &[]).unwrap();
    assert_ne!(done.wait_status, 0);
    assert!(host.close().unwrap());
}
