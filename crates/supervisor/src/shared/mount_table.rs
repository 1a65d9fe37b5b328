//! The mounts of a mount namespace, and whether they changed.

use std::ffi::OsString;
use std::io;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::os::unix::ffi::OsStringExt;
use std::path::PathBuf;

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::fs::{Mode, OFlags};

/// How much of the table is read at once.
const READ_BYTES: usize = 16 * 1024;

/// The table of the mount namespace of the process that opened it. Another process can read it and notice changes.
#[derive(Debug)]
pub struct MountTable(OwnedFd);

impl MountTable {
    /// Opens the table of this process. Changes from now on are noticed.
    ///
    /// # Errors
    /// When `/proc` is not mounted.
    pub fn open() -> io::Result<MountTable> {
        let flags = OFlags::RDONLY | OFlags::CLOEXEC;
        Ok(MountTable(rustix::fs::open("/proc/self/mountinfo", flags, Mode::empty())?))
    }

    /// Whether mounts changed since this was asked last, or since the table was opened.
    pub fn has_changed(&self) -> bool {
        let mut polled = [PollFd::new(&self.0, PollFlags::PRI)];
        let now = Timespec { tv_sec: 0, tv_nsec: 0 };
        poll(&mut polled, Some(&now)).is_err() || polled[0].revents().contains(PollFlags::PRI)
    }

    /// All mounts, in the order in which they were made.
    ///
    /// # Errors
    /// When the table cannot be read.
    pub fn mounts(&self) -> io::Result<Vec<Mount>> {
        let mut table = Vec::new();
        let mut part = vec![0; READ_BYTES];
        loop {
            let count = rustix::io::pread(&self.0, &mut part[..], table.len() as u64)?;
            if count == 0 {
                break;
            }
            table.extend_from_slice(&part[..count]);
        }
        Ok(table.split(|&byte| byte == b'\n').filter_map(Mount::read).collect())
    }
}

/// A mount.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mount {
    /// The numbers of its file system's device.
    pub device: String,
    /// The path inside of the file system that is mounted.
    pub root: PathBuf,
    /// Where it is mounted.
    pub point: PathBuf,
}

impl Mount {
    /// Reads a line of the table.
    fn read(line: &[u8]) -> Option<Mount> {
        let mut words = line.split(|&byte| byte == b' ').skip(2);
        let device = String::from_utf8(words.next()?.to_vec()).ok()?;
        let mut path = || Some(PathBuf::from(OsString::from_vec(unescaped(words.next()?))));
        Some(Mount { device, root: path()?, point: path()? })
    }
}

impl AsFd for MountTable {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.0.as_fd()
    }
}

impl From<OwnedFd> for MountTable {
    fn from(opened: OwnedFd) -> MountTable {
        MountTable(opened)
    }
}

/// Decodes a path of the table, in which blanks, line ends and backslashes are written as `\ooo`.
fn unescaped(path: &[u8]) -> Vec<u8> {
    let mut rest = path;
    let mut plain = Vec::with_capacity(path.len());
    while let [first, left @ ..] = rest {
        let code = |digits: &[u8]| {
            digits.iter().try_fold(0_u8, |code, digit| {
                code.checked_mul(8)?.checked_add(digit.checked_sub(b'0').filter(|d| *d < 8)?)
            })
        };
        let escaped = left.split_at_checked(3).filter(|_| *first == b'\\');
        let read = escaped.and_then(|(digits, left)| Some((code(digits)?, left)));
        let (byte, left) = read.unwrap_or((*first, left));
        plain.push(byte);
        rest = left;
    }
    plain
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;

    #[test]
    fn a_line_is_read_with_what_is_escaped_in_it() {
        let line = b"36 35 98:0 /mnt1 /mnt\\0402 rw,noatime master:1 - ext3 /dev/root rw";
        let mount = Mount::read(line).unwrap();
        assert_eq!((mount.device.as_str(), mount.root), ("98:0", "/mnt1".into()));
        assert_eq!(mount.point, Path::new("/mnt 2"));
        assert_eq!(Mount::read(b"36 35 98:0"), None);
    }

    #[test]
    fn nothing_has_changed_in_a_table_that_was_just_opened() {
        let table = MountTable::open().unwrap();
        assert!(table.mounts().unwrap().iter().any(|mount| mount.point == Path::new("/proc")));
    }
}
