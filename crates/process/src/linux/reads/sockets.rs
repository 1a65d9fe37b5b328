//! Sockets of programs of this user, and those that few may connect to.

use std::os::unix::fs::{FileTypeExt, MetadataExt};
use std::path::{Component, Path, PathBuf};

use rustix::fs::Access;

use super::search::walk;
use crate::linux::kernel_plan::TEMPORARY_FOLDER;

/// The folder of sockets of services, and how deep they are looked for there.
const SOCKET_FOLDER: &str = "/run";
const SOCKET_DEPTH: usize = 3;
/// The table of the Unix sockets of this machine.
const SOCKET_TABLE: &str = "/proc/net/unix";
/// The flag of that table that a socket accepts connections.
const LISTENS: u32 = 0x1_0000;
/// The bit of a mode that everybody may write, and so connect.
const WRITABLE_BY_ALL: u32 = 0o002;

/// The sockets of services that belong to this user, or that this user may connect to and not everybody.
pub(super) fn of_services() -> Vec<PathBuf> {
    let user = rustix::process::geteuid().as_raw();
    let mut found = Vec::new();
    walk(Path::new(SOCKET_FOLDER), SOCKET_DEPTH, |entry, kind| {
        let is_power = |status: std::fs::Metadata| {
            let is_for_all = status.mode() & WRITABLE_BY_ALL != 0;
            let may_connect = || rustix::fs::access(entry.path(), Access::WRITE_OK).is_ok();
            status.uid() == user || !is_for_all && may_connect()
        };
        if kind.is_socket() && entry.metadata().is_ok_and(is_power) {
            found.push(entry.path());
        }
        true
    });
    found
}

/// The sockets that this user's programs listen on, among temporary files and in the home.
pub(super) fn listening(home: Option<&Path>) -> Vec<PathBuf> {
    let user = rustix::process::geteuid().as_raw();
    let table = std::fs::read_to_string(SOCKET_TABLE).unwrap_or_default();
    let path_of = |line: &str| {
        let mut words = line.split_whitespace().skip(3);
        let flags = u32::from_str_radix(words.next()?, 16).ok()?;
        let path = words.nth(3).filter(|path| path.starts_with('/') && flags & LISTENS != 0)?;
        Some(PathBuf::from(path))
    };
    let is_ours = |path: &PathBuf| {
        let is_near =
            path.starts_with(TEMPORARY_FOLDER) || home.is_some_and(|home| path.starts_with(home));
        let is_plain = path.components().all(|part| part != Component::ParentDir);
        let is_own =
            |status: std::fs::Metadata| status.file_type().is_socket() && status.uid() == user;
        is_near && is_plain && std::fs::symlink_metadata(path).is_ok_and(is_own)
    };
    table.lines().skip(1).filter_map(path_of).filter(is_ours).collect()
}
