//! Reads the entries of an open directory.

use std::ffi::{OsStr, OsString};
use std::os::fd::AsFd;
use std::os::unix::ffi::OsStringExt;

use rustix::fs::{AtFlags, Dir, FileType};
use rustix::io::Errno;

/// The entries sorted by name in the order of bytes; only the first `most` that the directory gives.
pub(crate) fn sorted_entries(
    directory: &impl AsFd,
    most: usize,
) -> Result<Vec<(OsString, FileType)>, Errno> {
    let mut sorted_entries = Vec::new();
    for entry in Dir::read_from(directory)? {
        let entry = entry?;
        let name = entry.file_name().to_bytes();
        if name != b"." && name != b".." {
            sorted_entries.push((OsString::from_vec(name.to_vec()), entry.file_type()));
        }
        if sorted_entries.len() == most {
            break;
        }
    }
    sorted_entries.sort_unstable_by(|(a, _), (b, _)| a.cmp(b));
    Ok(sorted_entries)
}

/// The kind of an entry; links are not followed.
pub(crate) fn entry_kind(directory: &impl AsFd, name: &OsStr) -> FileType {
    let stat = rustix::fs::statat(directory, name, AtFlags::SYMLINK_NOFOLLOW);
    stat.map_or(FileType::Unknown, |stat| FileType::from_raw_mode(stat.st_mode))
}
