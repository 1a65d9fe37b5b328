//! Gives a folder another name by moving what it holds: each file is renamed by itself, which an overlay does. All that the old folder
//! had the new one has: owner, mode, attributes and times. The new one gets its name last, and after a failure the old one has
//! everything again.

use std::ffi::{CStr, CString};
use std::os::fd::{AsFd, OwnedFd};

use rustix::fs::{
    AtFlags, Dir, FileType, Gid, Mode, OFlags, RenameFlags, Stat, Timespec, Timestamps, Uid,
    XattrFlags,
};
use rustix::io::Errno;

/// Most levels of folders below one another that are moved.
const MAX_DEPTH: usize = 200;
/// Most folders that lie above one another.
const MAX_ANCESTORS: usize = 4096;
/// Names that are tried for the folder that is being filled.
const MAX_NAMES: usize = 100;
/// Longest list of attributes, and longest attribute, that the kernel knows.
const MAX_ATTRIBUTE_BYTES: usize = 64 << 10;
/// Permission bits of a mode.
const PERMISSIONS: u32 = 0o7777;
const FOLDER_FLAGS: OFlags =
    OFlags::RDONLY.union(OFlags::DIRECTORY).union(OFlags::NOFOLLOW).union(OFlags::CLOEXEC);

/// An entry: its folder, and its name there.
type Entry<'e> = (&'e OwnedFd, &'e CStr);

/// Moves a folder as `renameat2` would. These flags are none, or that nothing is replaced.
pub(crate) fn move_folder(from: Entry<'_>, to: Entry<'_>, flags: RenameFlags) -> Result<(), Errno> {
    let old = open_folder(from)?;
    check_target(&old, to, flags)?;
    let before = rustix::fs::fstat(&old)?;
    let name = make_filled(to.0)?;
    let filled = (to.0, name.as_c_str());
    let moved = open_folder(filled).and_then(|new| {
        let copied =
            move_content(&old, &new, 0).and_then(|()| copy_attributes(&old, &before, &new));
        let named = copied
            .and_then(|()| rustix::fs::renameat_with(to.0, &name, to.0, to.1, flags))
            .and_then(|()| match remove_emptied(from, 0) {
                // Somebody has put something into it meanwhile, which stays.
                Ok(()) | Err(Errno::NOTEMPTY | Errno::NOENT) => Ok(()),
                Err(error) => {
                    let _ = rustix::fs::renameat(to.0, to.1, to.0, &name);
                    Err(error)
                }
            });
        named.inspect_err(|_| {
            let _ = move_back(&new, &old, 0);
            let _ = restore_times(&old, &before);
        })
    });
    moved.inspect_err(|_| {
        let _ = rustix::fs::unlinkat(to.0, &name, AtFlags::REMOVEDIR);
    })
}

/// Refuses what the kernel refuses: a folder in itself, and one in the place of something that it does not replace.
fn check_target(old: &OwnedFd, to: Entry<'_>, flags: RenameFlags) -> Result<(), Errno> {
    let id = |stat: &Stat| (stat.st_dev, stat.st_ino);
    let own = id(&rustix::fs::fstat(old)?);
    let mut above = rustix::fs::openat(to.0, c".", OFlags::PATH | OFlags::CLOEXEC, Mode::empty())?;
    for _ in 0..MAX_ANCESTORS {
        let here = id(&rustix::fs::fstat(&above)?);
        if here == own {
            return Err(Errno::INVAL);
        }
        above = rustix::fs::openat(&above, c"..", OFlags::PATH | OFlags::CLOEXEC, Mode::empty())?;
        if id(&rustix::fs::fstat(&above)?) == here {
            break;
        }
    }
    match rustix::fs::statat(to.0, to.1, AtFlags::SYMLINK_NOFOLLOW) {
        Err(Errno::NOENT) => Ok(()),
        Err(error) => Err(error),
        Ok(_) if flags.contains(RenameFlags::NOREPLACE) => Err(Errno::EXIST),
        Ok(stat) if !is_folder(&stat) => Err(Errno::NOTDIR),
        Ok(_) if !names(&open_folder(to)?)?.is_empty() => Err(Errno::NOTEMPTY),
        Ok(_) => Ok(()),
    }
}

/// Makes the folder that is filled, beside the place that it will have. Its name.
fn make_filled(above: &OwnedFd) -> Result<CString, Errno> {
    let process = rustix::process::getpid().as_raw_nonzero();
    for number in 0..MAX_NAMES {
        let name = CString::new(format!(".handrail-move-{process}-{number}"));
        let name = name.map_err(|_| Errno::INVAL)?;
        match rustix::fs::mkdirat(above, &name, Mode::RWXU) {
            Err(Errno::EXIST) => {}
            made => return made.map(|()| name),
        }
    }
    Err(Errno::EXIST)
}

/// Moves everything. A folder that lies below the layer is made again; the emptied one stays for now.
fn move_content(old: &OwnedFd, new: &OwnedFd, depth: usize) -> Result<(), Errno> {
    if depth > MAX_DEPTH {
        return Err(Errno::NAMETOOLONG);
    }
    for name in names(old)? {
        match rename_new(old, new, &name) {
            // Somebody has taken it away meanwhile.
            Ok(()) | Err(Errno::NOENT) => {}
            Err(Errno::XDEV) => {
                let inner = open_folder((old, &name)).map_err(|_| Errno::XDEV)?;
                let before = rustix::fs::fstat(&inner)?;
                rustix::fs::mkdirat(new, &name, Mode::RWXU)?;
                let made = open_folder((new, &name))?;
                move_content(&inner, &made, depth + 1)?;
                copy_attributes(&inner, &before, &made)?;
            }
            Err(error) => return Err(error),
        }
    }
    Ok(())
}

/// Moves back what was moved, as far as it goes.
fn move_back(new: &OwnedFd, old: &OwnedFd, depth: usize) -> Result<(), Errno> {
    if depth > MAX_DEPTH {
        return Err(Errno::NAMETOOLONG);
    }
    for name in names(new)? {
        // A folder that was made again still stands where it was.
        if rename_new(new, old, &name) == Err(Errno::EXIST) {
            let (made, inner) = (open_folder((new, &name))?, open_folder((old, &name))?);
            let before = rustix::fs::fstat(&made)?;
            let _ = rustix::fs::fchmod(&made, Mode::RWXU);
            move_back(&made, &inner, depth + 1)?;
            rustix::fs::unlinkat(new, &name, AtFlags::REMOVEDIR)?;
            restore_times(&inner, &before)?;
        }
    }
    Ok(())
}

/// Removes a folder that holds nothing but such folders.
fn remove_emptied(entry: Entry<'_>, depth: usize) -> Result<(), Errno> {
    if depth > MAX_DEPTH {
        return Err(Errno::NOTEMPTY);
    }
    let folder = open_folder(entry)?;
    for name in names(&folder)? {
        remove_emptied((&folder, &name), depth + 1).map_err(|error| match error {
            Errno::NOTDIR | Errno::LOOP => Errno::NOTEMPTY,
            error => error,
        })?;
    }
    rustix::fs::unlinkat(entry.0, entry.1, AtFlags::REMOVEDIR)
}

fn rename_new(from: &OwnedFd, to: &OwnedFd, name: &CStr) -> Result<(), Errno> {
    rustix::fs::renameat_with(from, name, to, name, RenameFlags::NOREPLACE)
}

fn open_folder((folder, name): Entry<'_>) -> Result<OwnedFd, Errno> {
    rustix::fs::openat(folder, name, FOLDER_FLAGS, Mode::empty())
}

fn is_folder(stat: &Stat) -> bool {
    FileType::from_raw_mode(stat.st_mode) == FileType::Directory
}

fn names(folder: impl AsFd) -> Result<Vec<CString>, Errno> {
    let mut names = Vec::new();
    for entry in Dir::read_from(folder)? {
        let entry = entry?;
        if entry.file_name() != c"." && entry.file_name() != c".." {
            names.push(entry.file_name().to_owned());
        }
    }
    Ok(names)
}

/// Gives a folder the owner, attributes, mode and times that another one had.
fn copy_attributes(old: &OwnedFd, before: &Stat, new: &OwnedFd) -> Result<(), Errno> {
    let made = rustix::fs::fstat(new)?;
    if (made.st_uid, made.st_gid) != (before.st_uid, before.st_gid) {
        let (user, group) = (Uid::from_raw(before.st_uid), Gid::from_raw(before.st_gid));
        rustix::fs::fchown(new, Some(user), Some(group))?;
    }
    let mut list = vec![0; MAX_ATTRIBUTE_BYTES];
    let length = match rustix::fs::flistxattr(old, &mut list[..]) {
        Err(Errno::OPNOTSUPP) => 0,
        listed => listed?,
    };
    for name in list[..length].split_inclusive(|byte| *byte == 0) {
        let name = CStr::from_bytes_with_nul(name).map_err(|_| Errno::INVAL)?;
        let mut value = vec![0; MAX_ATTRIBUTE_BYTES];
        let length = rustix::fs::fgetxattr(old, name, &mut value[..])?;
        rustix::fs::fsetxattr(new, name, &value[..length], XattrFlags::empty())?;
    }
    rustix::fs::fchmod(new, Mode::from_raw_mode(before.st_mode & PERMISSIONS))?;
    restore_times(new, before)
}

fn restore_times(folder: &OwnedFd, before: &Stat) -> Result<(), Errno> {
    let time = |seconds, nanoseconds: u64| Timespec {
        tv_sec: seconds,
        tv_nsec: nanoseconds.cast_signed(),
    };
    let times = Timestamps {
        last_access: time(before.st_atime, before.st_atime_nsec),
        last_modification: time(before.st_mtime, before.st_mtime_nsec),
    };
    rustix::fs::futimens(folder, &times)
}
