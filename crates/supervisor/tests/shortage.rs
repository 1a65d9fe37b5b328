//! A process that may open no more descriptors still hears what it is told. Alone in its file: the
//! limit holds for the whole process.

#![cfg(target_os = "linux")]

use std::os::fd::{AsFd, AsRawFd};

use handrail_supervisor::socket;
use rustix::net::{RecvFlags, SendFlags};
use rustix::process::{Resource, getrlimit, setrlimit};

#[test]
fn a_message_arrives_with_the_descriptors_that_fit() {
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
