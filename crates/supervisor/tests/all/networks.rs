//! Network namespaces as a host meets them: listeners inside, connections into them, and what is left of them.

use std::collections::HashMap;
use std::io::{self, Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::os::fd::OwnedFd;
use std::time::{Duration, Instant};

use crate::host::{Answer, Host, Worker};
use handrail_supervisor::message::{FromSupervisor, Plan, Reach, ToSupervisor};

const NETWORK: u32 = 7;
const PLAN: u32 = 1;
const LIVENESS: Duration = Duration::from_secs(30);

/// Listeners by the index of their addresses, or the errors of making them.
type Listeners = HashMap<u32, Result<TcpListener, i32>>;

/// A host with a worker whose network has these listeners, by the index of their addresses.
fn start(name: &str, addresses: &[&str]) -> io::Result<(Host, Worker, Listeners)> {
    let (host, _) = Host::start(name)?;
    let listeners = addresses.iter().map(|address| address.parse::<SocketAddr>());
    let listeners: Result<Vec<_>, _> = listeners.collect();
    let listeners = listeners.map_err(io::Error::other)?;
    host.ask(&ToSupervisor::Network { number: NETWORK, listeners })?;
    let plan = Plan { network: Reach::Own(NETWORK), ..Plan::unconfined() };
    host.ask(&ToSupervisor::Plan { number: PLAN, plan })?;
    host.ask(&ToSupervisor::MoreWorkers { plan: PLAN, count: 1 })?;
    let mut listeners = HashMap::new();
    loop {
        let (message, mut descriptors) = host.hear()?;
        match message {
            FromSupervisor::Listener { network: NETWORK, index, errno } => {
                let listener = descriptors.pop().map(TcpListener::from).ok_or(errno);
                listeners.insert(index, listener);
            }
            FromSupervisor::Network { number: NETWORK, errno: 0 } => break,
            FromSupervisor::Network { errno, .. } => {
                return Err(io::Error::from_raw_os_error(errno));
            }
            _ => {}
        }
    }
    match host.worker()? {
        Answer::Made(worker) => Ok((host, worker, listeners)),
        Answer::Failed(errno) => Err(io::Error::from_raw_os_error(errno)),
    }
}

/// How many descriptors the supervisor has open, which only root sees, and how many children it has.
fn belongings(host: &Host) -> io::Result<(usize, usize)> {
    let id = host.supervisor.id();
    let descriptors = std::fs::read_dir(format!("/proc/{id}/fd")).map_or(0, Iterator::count);
    let children = std::fs::read_to_string(format!("/proc/{id}/task/{id}/children"))?;
    Ok((descriptors, children.split_whitespace().count()))
}

/// Waits until the supervisor has no more than its own: it reaps children after what they did.
fn settle(host: &Host, own: (usize, usize)) -> io::Result<()> {
    let deadline = Instant::now() + LIVENESS;
    while let (descriptors, children) = belongings(host)?
        && (descriptors > own.0 || children > own.1)
    {
        assert!(Instant::now() < deadline, "{descriptors} descriptors, {children} children");
        std::thread::sleep(Duration::from_millis(5));
    }
    Ok(())
}

fn connection(host: &Host, request: u64, port: u16) -> io::Result<Result<TcpStream, i32>> {
    host.ask(&ToSupervisor::Connect { network: NETWORK, request, port })?;
    loop {
        if let (FromSupervisor::Connected { request: answered, errno }, descriptors) =
            host.hear()?
        {
            assert_eq!(answered, request);
            let socket = descriptors.into_iter().next().map(|socket: OwnedFd| socket.into());
            return Ok(socket.ok_or(errno));
        }
    }
}

#[test]
fn commands_reach_the_listeners_of_the_host_and_nothing_else() {
    let outside = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = outside.local_addr().unwrap().port();
    let addresses = ["127.0.0.1:80", "10.0.0.7:5432", "[fd00::7]:443", "127.0.0.1:80", "[::1]:0"];
    let (host, worker, mut listeners) = start("listeners", &addresses).unwrap();
    assert_eq!(listeners.remove(&3).unwrap().unwrap_err(), libc::EADDRINUSE);
    for (index, address) in [(0, "127.0.0.1/80"), (1, "10.0.0.7/5432"), (2, "fd00::7/443")] {
        let listener = listeners.remove(&index).unwrap().unwrap();
        let accepting = std::thread::spawn(move || {
            let mut text = String::new();
            listener.accept()?.0.read_to_string(&mut text).map(|_| text)
        });
        let script = format!("exec bash -c 'echo hello >/dev/tcp/{address}'");
        assert_eq!(worker.run(u64::from(index), &script).unwrap().wait_status, 0, "{address}");
        assert_eq!(accepting.join().unwrap().unwrap(), "hello\n");
    }
    // The host's own loopback is another one.
    let script = format!("exec bash -c 'echo hello >/dev/tcp/127.0.0.1/{port}'");
    assert_ne!(worker.run(9, &script).unwrap().wait_status, 0);
    outside.set_nonblocking(true).unwrap();
    assert_eq!(outside.accept().unwrap_err().kind(), io::ErrorKind::WouldBlock);
    assert!(host.close().unwrap());
}

#[test]
fn the_host_connects_to_a_port_inside_and_no_process_stays() {
    let (host, _worker, mut listeners) =
        start("connections", &["127.0.0.1:81", "[::1]:82"]).unwrap();
    let before = belongings(&host).unwrap();
    for (request, index, port) in [(1, 0, 81), (2, 1, 82)] {
        let listener = listeners.remove(&index).unwrap().unwrap();
        let mut client = connection(&host, request, port).unwrap().unwrap();
        client.write_all(b"hello").unwrap();
        let mut text = [0; 5];
        listener.accept().unwrap().0.read_exact(&mut text).unwrap();
        assert_eq!(&text, b"hello");
    }
    assert_eq!(connection(&host, 3, 83).unwrap().unwrap_err(), libc::ECONNREFUSED);
    settle(&host, before).unwrap();
    host.ask(&ToSupervisor::CloseNetwork { number: NETWORK }).unwrap();
    assert_eq!(connection(&host, 4, 81).unwrap().unwrap_err(), libc::ECONNREFUSED);
    settle(&host, (before.0.saturating_sub(1), before.1)).unwrap();
    assert!(host.close().unwrap());
}
