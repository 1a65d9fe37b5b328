//! The sockets of a session's network namespace, as `/proc/PID/net` lists them.

use std::collections::HashSet;
use std::fs::File;
use std::io::Read as _;

/// Most bytes of one list that are read: about 100,000 sockets.
const MAX_LIST_BYTES: u64 = 16 << 20;
/// The state of a TCP socket that listens.
const LISTEN: &str = "0A";
/// The flag of a Unix socket that listens.
const ACCEPTS: u64 = 1 << 16;
/// The indices of fields of a TCP socket: its address, its state, its inode.
const TCP_FIELDS: [usize; 3] = [1, 3, 9];
/// The indices of fields of a Unix socket: its flags, its inode.
const UNIX_FIELDS: [usize; 2] = [3, 6];

/// The inodes of sockets.
#[derive(Default)]
pub(crate) struct Sockets {
    /// Sockets that wait for clients.
    listening: HashSet<u64>,
    /// TCP sockets with a peer.
    connected: HashSet<u64>,
}

impl Sockets {
    /// The sockets in the network namespace of a process.
    pub(crate) fn of(pid: i32) -> Sockets {
        let mut sockets = Sockets::default();
        for (name, is_tcp) in [("tcp", true), ("tcp6", true), ("unix", false)] {
            let Some(list) = list(pid, name) else { continue };
            for line in list.lines().skip(1) {
                if is_tcp {
                    let Some((_, listens, inode)) = tcp_socket(line) else { continue };
                    let set = if listens { &mut sockets.listening } else { &mut sockets.connected };
                    set.insert(inode);
                } else if let Some(inode) = listening_unix_socket(line) {
                    sockets.listening.insert(inode);
                }
            }
        }
        sockets
    }

    pub(crate) fn listens(&self, inode: u64) -> bool {
        self.listening.contains(&inode)
    }

    pub(crate) fn is_connected(&self, inode: u64) -> bool {
        self.connected.contains(&inode)
    }
}

/// The inodes of the sockets that listen on this TCP port in the network namespace of a process.
pub(crate) fn listeners(pid: i32, port: u16) -> HashSet<u64> {
    let lists = ["tcp", "tcp6"].into_iter().filter_map(|name| list(pid, name));
    let mut inodes = HashSet::new();
    for list in lists {
        inodes.extend(list.lines().skip(1).filter_map(|line| {
            let (own_port, listens, inode) = tcp_socket(line)?;
            (listens && own_port == port).then_some(inode)
        }));
    }
    inodes
}

/// The inode in the target of a descriptor's link, where it is a socket.
pub(crate) fn inode(target: &str) -> Option<u64> {
    target.strip_prefix("socket:[")?.strip_suffix(']')?.parse().ok()
}

fn list(pid: i32, name: &str) -> Option<String> {
    let mut text = String::new();
    let file = File::open(format!("/proc/{pid}/net/{name}")).ok()?;
    file.take(MAX_LIST_BYTES).read_to_string(&mut text).ok()?;
    Some(text)
}

/// The port, whether the socket listens, and the inode.
fn tcp_socket(line: &str) -> Option<(u16, bool, u64)> {
    let fields: Vec<&str> = line.split_ascii_whitespace().take(TCP_FIELDS[2] + 1).collect();
    let [address, state, inode] = TCP_FIELDS.map(|index| fields.get(index));
    let port = u16::from_str_radix(address?.rsplit_once(':')?.1, 16).ok()?;
    Some((port, *state? == LISTEN, inode?.parse().ok()?))
}

fn listening_unix_socket(line: &str) -> Option<u64> {
    let fields: Vec<&str> = line.split_ascii_whitespace().take(UNIX_FIELDS[1] + 1).collect();
    let [flags, inode] = UNIX_FIELDS.map(|index| fields.get(index));
    let flags = u64::from_str_radix(flags?, 16).ok()?;
    (flags & ACCEPTS != 0).then(|| inode?.parse().ok()).flatten()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_the_kernel_are_read() {
        let tcp = "   0: 0100007F:1F90 00000000:0000 0A 00000000:00000000 00:00000000 00000000  1000        0 21539856 1 0 100 0 0 10 0";
        assert_eq!(tcp_socket(tcp), Some((8080, true, 21_539_856)));
        let tcp6 = "   1: 00000000000000000000000001000000:0050 0000000000000000FFFF00000100007F:A1B2 01 00000000:00000000 02:000A 00000000     0        0 77 2 0 20 4 30 10 -1";
        assert_eq!(tcp_socket(tcp6), Some((80, false, 77)));
        let listens = "ffff: 00000002 00000000 00010000 0001 01 12345 /run/x.sock";
        assert_eq!(listening_unix_socket(listens), Some(12345));
        let is_connected = "ffff: 00000003 00000000 00000000 0001 03 12346";
        assert_eq!(listening_unix_socket(is_connected), None);
        for broken in ["", "0:", "0: 1 2 3", "0: 0100007F:XYZ 0:0 0A 0 0 0 0 0 1"] {
            assert_eq!(
                (tcp_socket(broken), listening_unix_socket(broken)),
                (None, None),
                "{broken}"
            );
        }
        assert_eq!((inode("socket:[7]"), inode("pipe:[7]")), (Some(7), None));
    }
}
