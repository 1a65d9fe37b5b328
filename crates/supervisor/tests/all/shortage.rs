//! A process that may open no more descriptors still hears what it is told. The limit holds for the
//! whole process, so the test runs in one of its own.

use std::os::fd::{AsFd, AsRawFd};
use std::process::Command;

use handrail_supervisor::socket;
use rustix::net::{RecvFlags, SendFlags};
use rustix::process::{Resource, getrlimit, setrlimit};

/// Set in the process that is limited.
const LIMITED: &str = "HANDRAIL_TEST_LIMITED";

#[test]
fn a_message_arrives_with_the_descriptors_that_fit() {
    if std::env::var_os(LIMITED).is_none() {
        let this = "shortage::a_message_arrives_with_the_descriptors_that_fit";
        let mut alone = Command::new(std::env::current_exe().unwrap());
        let output = alone.args([this, "--exact"]).env(LIMITED, "1").output().unwrap();
        let said = String::from_utf8_lossy(&output.stdout);
        assert!(output.status.success() && said.contains("1 passed"), "{said}");
        return;
    }
    let (near, far) = socket::pair().unwrap();
    let both = [near.as_fd(), far.as_fd()];
    for _ in 0..2 {
        socket::send(&near, b"told", &both, SendFlags::empty()).unwrap();
    }
    let before = getrlimit(Resource::Nofile);
    // One more than are open now.
    let next = far.try_clone().unwrap().as_raw_fd();
    let mut limit = before;
    limit.current = u64::try_from(next + 1).ok();
    setrlimit(Resource::Nofile, limit).unwrap();
    let one = socket::receive(&far, RecvFlags::empty());
    let none = {
        let _held = &one;
        socket::receive(&far, RecvFlags::empty())
    };
    setrlimit(Resource::Nofile, before).unwrap();
    for (received, count) in [(one, 1), (none, 0)] {
        let received = received.unwrap().unwrap();
        assert_eq!(
            (received.message.as_slice(), received.descriptors.len()),
            (&b"told"[..], count)
        );
    }
}
