//! Tells whether an entry of a layer and the one below it are the same.

use std::ffi::OsStr;
use std::os::fd::{AsFd, OwnedFd};
use std::path::Path;

use rustix::fs::{FileType, Mode, Stat};
use rustix::io::Errno;

use crate::linux::answer::{LayerChangeKind, LayerEntryType};
use crate::linux::journal::hash_of_file;
use crate::linux::open_file;
use crate::linux::tree::{
    Access, changed_at, has_overlay_attributes, is_folder, kind, modified_at, open_file_of,
    open_folder_at,
};

/// Bytes that are compared at once.
const CHUNK_BYTES: usize = 64 << 10;

/// An entry of an open folder.
#[derive(Clone, Copy)]
struct At<'a> {
    folder: &'a OwnedFd,
    name: &'a OsStr,
    stat: &'a Stat,
}

/// How two files or links differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Difference {
    None,
    /// In owner, mode, attributes, time or the number of names.
    Attributes,
    Content,
}

/// Compares two files, or two links.
fn difference(upper: At<'_>, lower: At<'_>) -> Result<Difference, Errno> {
    // It has several names in a layer only where it was given one there: all of them are to be one file in the root as well.
    let has_other_names = upper.stat.st_nlink > 1 && upper.stat.st_nlink != lower.stat.st_nlink;
    let is_same = !has_other_names && modified_at(upper.stat) == modified_at(lower.stat);
    if kind(upper.stat) == FileType::Symlink {
        let target = |at: At<'_>| rustix::fs::readlinkat(at.folder, at.name, Vec::new());
        let owner = |at: At<'_>| (at.stat.st_uid, at.stat.st_gid);
        let is_same = is_same && owner(upper) == owner(lower);
        return Ok(match (target(upper)? == target(lower)?, is_same) {
            (true, true) => Difference::None,
            (true, false) => Difference::Attributes,
            (false, _) => Difference::Content,
        });
    }
    if upper.stat.st_size != lower.stat.st_size {
        return Ok(Difference::Content);
    }
    let new = open_file_of(upper.folder, upper.name, upper.stat)?;
    // What may not be read may not be compared.
    let Ok(old) = open_file(lower.folder, lower.name) else { return Ok(Difference::Content) };
    if !has_same_content(&new, &old)? {
        return Ok(Difference::Content);
    }
    let is_like = Access::of(&new, upper.stat)?.is_like(&Access::of(&old, lower.stat)?);
    Ok(if is_like && is_same { Difference::None } else { Difference::Attributes })
}

fn has_same_content(one: &OwnedFd, other: &OwnedFd) -> Result<bool, Errno> {
    let (mut a, mut b) = (vec![0; CHUNK_BYTES], vec![0; CHUNK_BYTES]);
    loop {
        let length = fill(one, &mut a)?;
        if fill(other, &mut b)? != length || a[..length] != b[..length] {
            return Ok(false);
        }
        if length == 0 {
            return Ok(true);
        }
    }
}

/// Reads until the buffer is full or the file ends.
fn fill(file: impl AsFd, buffer: &mut [u8]) -> Result<usize, Errno> {
    let mut length = 0;
    while length < buffer.len() {
        match rustix::io::read(&file, &mut buffer[length..]) {
            Ok(0) => break,
            Ok(read) => length += read,
            Err(Errno::INTR) => {}
            Err(error) => return Err(error),
        }
    }
    Ok(length)
}

/// What became of an entry that is in both. `None` where they are the same.
pub(super) fn changed(
    upper: &OwnedFd,
    new: &Stat,
    lower: &OwnedFd,
    old: &Stat,
    name: &OsStr,
) -> Result<Option<LayerChangeKind>, Errno> {
    if kind(new) != kind(old) {
        return Ok(Some(LayerChangeKind::Changed));
    }
    if is_folder(new) {
        // The folder is another one.
        let access =
            |folder: &OwnedFd, stat| Access::of(open_folder_at(folder, Path::new(name))?, stat);
        let is_same = access(upper, new)? == access(lower, old)?;
        return Ok((!is_same).then_some(LayerChangeKind::Attributes));
    }
    let upper = At { folder: upper, name, stat: new };
    Ok(match difference(upper, At { folder: lower, name, stat: old })? {
        Difference::None => None,
        Difference::Attributes => Some(LayerChangeKind::Attributes),
        Difference::Content => Some(LayerChangeKind::Changed),
    })
}

/// Whether an entry is replaced by one that has not all of its attributes: those of the same names as what an overlay keeps in
/// an entry do not show through one.
pub(super) fn loses_attributes(
    new: Option<&(&OwnedFd, Stat)>,
    old: Option<&(&OwnedFd, Stat)>,
    name: &OsStr,
) -> bool {
    let Some((folder, stat)) = old.filter(|_| new.is_some()) else { return false };
    let opened = match kind(stat) {
        FileType::RegularFile => open_file(folder, name),
        FileType::Directory => open_folder_at(folder, Path::new(name)),
        _ => return false,
    };
    opened.and_then(has_overlay_attributes).unwrap_or(false)
}

/// What tells a new entry from another one with the same status, which a program can set: the time of the last change, which none
/// can, and the target of a link. A file that its owner may not read is changed by reading it, so that its content stands for the time.
/// A folder is told by its attributes: an overlay changes its time when it is listed, and what it holds has rows of its own.
pub(super) fn seen_of(folder: &OwnedFd, name: &OsStr, stat: &Stat) -> Result<Vec<u8>, Errno> {
    let (seconds, nanoseconds) = changed_at(stat);
    let mut seen = [seconds.to_le_bytes(), nanoseconds.to_le_bytes()].concat();
    match kind(stat) {
        FileType::Directory => {
            let access = Access::of(open_folder_at(folder, Path::new(name))?, stat)?;
            seen = serde_json::to_vec(&access.attributes).map_err(|_| Errno::INVAL)?;
        }
        FileType::Symlink => {
            seen.extend(rustix::fs::readlinkat(folder, name, Vec::new())?.as_bytes());
        }
        FileType::RegularFile if stat.st_mode & Mode::RUSR.bits() == 0 => {
            seen = hash_of_file(open_file_of(folder, name, stat)?, |_| Ok(()))?.into_bytes();
        }
        _ => {}
    }
    Ok(seen)
}

pub(super) fn file_bytes(stat: &Stat) -> Option<u64> {
    (kind(stat) == FileType::RegularFile).then(|| stat.st_size.cast_unsigned())
}

pub(super) fn entry_type(stat: &Stat) -> LayerEntryType {
    match kind(stat) {
        FileType::RegularFile => LayerEntryType::File,
        FileType::Directory => LayerEntryType::Folder,
        FileType::Symlink => LayerEntryType::Link,
        _ => LayerEntryType::Special,
    }
}
