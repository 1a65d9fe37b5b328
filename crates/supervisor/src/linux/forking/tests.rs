//! Waiting for a worker that never reports: the end of the host is noticed all the same.

use std::process::{Child, Command, Stdio};

use super::*;

/// A process in the role of the host, and its pidfd.
fn host() -> (Child, OwnedFd) {
    let child = Command::new("sleep").arg("60").stdin(Stdio::null()).spawn().unwrap();
    let pid = rustix::process::Pid::from_child(&child);
    let pidfd = rustix::process::pidfd_open(pid, rustix::process::PidfdFlags::empty()).unwrap();
    (child, pidfd)
}

fn end(mut child: Child) {
    child.kill().unwrap();
    child.wait().unwrap();
}

#[test]
fn the_end_of_the_host_ends_waiting_for_a_worker() {
    let (lifeline, _worker) = socket::pair().unwrap();
    let (control, _theirs) = socket::pair().unwrap();
    let (child, pidfd) = host();
    let killer = std::thread::spawn(move || {
        std::thread::sleep(Duration::from_millis(50));
        end(child);
    });
    let error = await_report(&lifeline, &pidfd, &control).unwrap_err();
    // Not that the time of the worker was over.
    assert_eq!(error.kind(), HOST_GONE_ERROR);
    killer.join().unwrap();
}

#[test]
fn a_host_that_hangs_up_ends_it_too_and_one_that_asks_for_more_does_not() {
    let (lifeline, worker) = socket::pair().unwrap();
    let (control, theirs) = socket::pair().unwrap();
    let (child, pidfd) = host();
    socket::send(&theirs, b"more workers", &[], SendFlags::empty()).unwrap();
    let enforcement = Enforcement { uid: 7, ..Enforcement::default() };
    let report = FromSupervisor::Worker { worker: 0, plan: 0, pid: 0, enforcement };
    socket::send(&worker, &report.encode(), &[], SendFlags::empty()).unwrap();
    assert_eq!(await_report(&lifeline, &pidfd, &control).unwrap().1.uid, 7);

    drop(theirs);
    let error = await_report(&lifeline, &pidfd, &control).unwrap_err();
    // Not that the time of the worker was over.
    assert_eq!(error.kind(), HOST_GONE_ERROR);
    end(child);
}

#[test]
fn a_worker_that_ends_without_a_word_is_no_host_that_is_gone() {
    let (lifeline, worker) = socket::pair().unwrap();
    let (control, _theirs) = socket::pair().unwrap();
    let (child, pidfd) = host();
    drop(worker);
    let error = await_report(&lifeline, &pidfd, &control).unwrap_err();
    assert_eq!(error.kind(), io::ErrorKind::BrokenPipe);
    end(child);
}
