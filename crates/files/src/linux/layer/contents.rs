//! Tells whether an entry of a layer and the one below it are the same.

use std::ffi::OsStr;
use std::os::fd::{AsFd, OwnedFd};
use std::path::Path;

use rustix::fs::{FileType, Stat};
use rustix::io::Errno;

use crate::linux::answer::LayerChangeKind;
use crate::linux::open_file;
use crate::linux::tree::{Access, is_folder, kind, modified_at, open_file_of, open_folder_at};

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
    /// In owner, mode, attributes or time.
    Attributes,
    Content,
}

/// Compares two files, or two links.
fn difference(upper: At<'_>, lower: At<'_>) -> Result<Difference, Errno> {
    if kind(upper.stat) == FileType::Symlink {
        let target = |at: At<'_>| rustix::fs::readlinkat(at.folder, at.name, Vec::new());
        let rest = |at: At<'_>| (at.stat.st_uid, at.stat.st_gid, modified_at(at.stat));
        return Ok(match (target(upper)? == target(lower)?, rest(upper) == rest(lower)) {
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
    let is_same = is_like && modified_at(upper.stat) == modified_at(lower.stat);
    Ok(if is_same { Difference::None } else { Difference::Attributes })
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
