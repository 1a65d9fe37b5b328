//! Copies a tree of files with owners, modes, attributes, times and links, and without what an overlay keeps in it.

use std::collections::HashMap;
use std::ffi::OsStr;
use std::os::fd::{AsFd, OwnedFd};
use std::path::{Path, PathBuf};

use rustix::fs::{AtFlags, FileType, Gid, Mode, OFlags, SeekFrom, Stat, Uid};
use rustix::io::Errno;

use super::access::times;
use super::{Access, MAX_DEPTH, kind, modified_at, names, open_file_of, open_folder_at, status};
use crate::linux::judge::file_id;
use crate::linux::publish::write_all;

/// Bytes that are copied at once.
const CHUNK_BYTES: usize = 256 << 10;
const PRIVATE_MODE: Mode = Mode::RUSR.union(Mode::WUSR);

/// Copies trees below one folder, the base.
#[derive(Debug)]
pub(crate) struct Copier {
    base: OwnedFd,
    /// Paths below the base of the first copies of files and links with several names, by the identity of the file.
    first: HashMap<(u64, u64), PathBuf>,
}

impl Copier {
    pub(crate) fn new(base: OwnedFd) -> Copier {
        Copier { base, first: HashMap::new() }
    }

    /// Copies an entry with everything below it to a path below the base. Pipes, sockets and devices are left out.
    pub(crate) fn copy(
        &mut self,
        from: &impl AsFd,
        name: &OsStr,
        path: &Path,
    ) -> Result<(), Errno> {
        let parent = path.parent().unwrap_or(Path::new(""));
        let to = open_folder_at(&self.base, parent)?;
        self.copy_levels(from, name, &to, path, 0)
    }

    fn copy_levels(
        &mut self,
        from: &impl AsFd,
        name: &OsStr,
        to: &OwnedFd,
        path: &Path,
        depth: usize,
    ) -> Result<(), Errno> {
        let stat = status(from, name)?.ok_or(Errno::NOENT)?;
        let new_name = path.file_name().ok_or(Errno::INVAL)?;
        match kind(&stat) {
            FileType::Directory if depth == MAX_DEPTH => Err(Errno::NAMETOOLONG),
            FileType::Directory => {
                let old = open_folder_at(from, Path::new(name))?;
                let stat = rustix::fs::fstat(&old)?;
                rustix::fs::mkdirat(to, new_name, Mode::RWXU)?;
                let new = open_folder_at(to, Path::new(new_name))?;
                for entry in names(&old)? {
                    self.copy_levels(&old, &entry, &new, &path.join(&entry), depth + 1)?;
                }
                Access::of(&old, &stat)?.apply(&new)
            }
            FileType::RegularFile | FileType::Symlink if self.names_copy(to, new_name, &stat) => {
                Ok(())
            }
            FileType::RegularFile => {
                copy_file(from, name, to, new_name, &stat)?;
                self.remember(path, &stat);
                Ok(())
            }
            FileType::Symlink => {
                copy_link(from, name, to, new_name, &stat)?;
                self.remember(path, &stat);
                Ok(())
            }
            _ => Ok(()),
        }
    }

    /// Gives the copy of a file that was copied under another name this one as well. False where there is none.
    fn names_copy(&self, to: &OwnedFd, new_name: &OsStr, stat: &Stat) -> bool {
        let Some(first) = self.first.get(&file_id(stat)) else { return false };
        let above = first.parent().unwrap_or(Path::new(""));
        let (Ok(folder), Some(first)) = (open_folder_at(&self.base, above), first.file_name())
        else {
            return false;
        };
        rustix::fs::linkat(folder, first, to, new_name, AtFlags::empty()).is_ok()
    }

    fn remember(&mut self, path: &Path, stat: &Stat) {
        if stat.st_nlink > 1 {
            self.first.insert(file_id(stat), path.to_path_buf());
        }
    }
}

fn copy_file(
    from: &impl AsFd,
    name: &OsStr,
    to: &OwnedFd,
    new_name: &OsStr,
    stat: &Stat,
) -> Result<(), Errno> {
    let old = open_file_of(from, name, stat)?;
    let stat = rustix::fs::fstat(&old)?;
    let flags = OFlags::RDWR | OFlags::CREATE | OFlags::EXCL | OFlags::NOFOLLOW;
    let new = rustix::fs::openat(to, new_name, flags | OFlags::CLOEXEC, PRIVATE_MODE)?;
    // A file system that can share the blocks of two files copies nothing.
    if rustix::fs::ioctl_ficlone(&new, &old).is_err() {
        copy_content(&old, &new)?;
    }
    Access::of(&old, &stat)?.apply(&new)
}

fn copy_link(
    from: &impl AsFd,
    name: &OsStr,
    to: &OwnedFd,
    new_name: &OsStr,
    stat: &Stat,
) -> Result<(), Errno> {
    let target = rustix::fs::readlinkat(from, name, Vec::new())?;
    rustix::fs::symlinkat(target.as_c_str(), to, new_name)?;
    let made = status(to, new_name)?.ok_or(Errno::NOENT)?;
    if (made.st_uid, made.st_gid) != (stat.st_uid, stat.st_gid) {
        let (owner, group) = (Uid::from_raw(stat.st_uid), Gid::from_raw(stat.st_gid));
        let flags = AtFlags::SYMLINK_NOFOLLOW;
        rustix::fs::chownat(to, new_name, Some(owner), Some(group), flags)?;
    }
    let modified = times(modified_at(stat));
    rustix::fs::utimensat(to, new_name, &modified, AtFlags::SYMLINK_NOFOLLOW)
}

/// Copies the content. What was never written takes no room in the copy either.
fn copy_content(old: &OwnedFd, new: &OwnedFd) -> Result<(), Errno> {
    let mut chunk = vec![0; CHUNK_BYTES];
    let length = rustix::fs::fstat(old)?.st_size.cast_unsigned();
    let mut at = 0;
    loop {
        at = match rustix::fs::seek(old, SeekFrom::Data(at)) {
            Ok(data) => data,
            Err(Errno::NXIO) => return rustix::fs::ftruncate(new, length),
            Err(Errno::INVAL | Errno::OPNOTSUPP) => rustix::fs::seek(old, SeekFrom::Start(at))?,
            Err(error) => return Err(error),
        };
        let hole = rustix::fs::seek(old, SeekFrom::Hole(at)).unwrap_or(u64::MAX);
        rustix::fs::seek(old, SeekFrom::Start(at))?;
        rustix::fs::seek(new, SeekFrom::Start(at))?;
        while at < hole {
            let most = usize::try_from(hole - at).unwrap_or(CHUNK_BYTES).min(CHUNK_BYTES);
            match rustix::io::read(old, &mut chunk[..most]) {
                Ok(0) => return Ok(()),
                Ok(read) => {
                    write_all(new, &chunk[..read])?;
                    at += read as u64;
                }
                Err(Errno::INTR) => {}
                Err(error) => return Err(error),
            }
        }
    }
}
