//! Renames entries, also where a folder may not be written to by its owner as things are.

use std::ffi::OsStr;
use std::os::fd::{AsFd, OwnedFd};
use std::path::Path;

use rustix::fs::{Mode, RenameFlags, Stat};
use rustix::io::Errno;

use crate::linux::judge::file_id;
use crate::linux::publish::rename_new;
use crate::linux::tree::{is_folder, open_folder_at, status};

/// Renames an entry to a name that no entry may have. A folder that may not be written to gets another parent all the same.
pub(crate) fn rename_entry(
    from: &OwnedFd,
    name: &OsStr,
    to: &OwnedFd,
    new_name: &OsStr,
) -> Result<(), Errno> {
    with_writable_folders(&[(from, name)], &[(to, new_name)], &mut || {
        match rustix::fs::renameat_with(from, name, to, new_name, RenameFlags::NOREPLACE) {
            Err(Errno::INVAL | Errno::NOSYS) if file_id_of(from) == file_id_of(to) => {
                rename_new(from.as_fd(), name, new_name)
            }
            renamed => renamed,
        }
    })
}

/// Exchanges two entries.
pub(crate) fn exchange_entries(
    from: &OwnedFd,
    name: &OsStr,
    to: &OwnedFd,
    new_name: &OsStr,
) -> Result<(), Errno> {
    let ends = [(from, name), (to, new_name)];
    let turned = [(to, new_name), (from, name)];
    with_writable_folders(&ends, &turned, &mut || {
        rustix::fs::renameat_with(from, name, to, new_name, RenameFlags::EXCHANGE)
    })
}

fn file_id_of(folder: &OwnedFd) -> Option<(u64, u64)> {
    rustix::fs::fstat(folder).ok().map(|stat| file_id(&stat))
}

type End<'e> = (&'e OwnedFd, &'e OsStr);

/// Renames. Where that is not allowed, once more with folders that their owner may write to: those that hold the entries, and
/// those that are renamed, which get their modes back.
fn with_writable_folders(
    ends: &[End<'_>],
    after: &[End<'_>],
    rename: &mut dyn FnMut() -> Result<(), Errno>,
) -> Result<(), Errno> {
    match rename() {
        Err(Errno::ACCESS) => {}
        renamed => return renamed,
    }
    let mut opened: Vec<(OwnedFd, Mode)> = Vec::new();
    let mut renamed_modes: Vec<Option<Mode>> = Vec::new();
    let mode_of = |stat: &Stat| Mode::from_raw_mode(stat.st_mode & 0o7777);
    for (folder, name) in ends.iter().chain(after) {
        let own = open_folder_at(folder, Path::new(""))?;
        let mode = mode_of(&rustix::fs::fstat(&own)?);
        if !mode.contains(Mode::RWXU) && rustix::fs::fchmod(&own, mode | Mode::RWXU).is_ok() {
            opened.push((own, mode));
        }
        if renamed_modes.len() < ends.len() {
            let stat = status(folder, name)?.filter(is_folder);
            renamed_modes.push(stat.map(|stat| mode_of(&stat)).filter(|mode| {
                let wanted = *mode | Mode::RWXU;
                !mode.contains(Mode::RWXU) && set_mode(folder, name, wanted).is_ok()
            }));
        }
    }
    let renamed = rename();
    let now_at = if renamed.is_ok() { after } else { ends };
    for (mode, (folder, name)) in renamed_modes.iter().zip(now_at) {
        if let Some(mode) = mode {
            set_mode(folder, name, *mode)?;
        }
    }
    for (folder, mode) in opened.iter().rev() {
        rustix::fs::fchmod(folder, *mode)?;
    }
    renamed
}

/// Changes what a folder holds. Where that is not allowed, once more while its owner may write to it.
pub(crate) fn with_writable_folder(
    folder: &OwnedFd,
    change: &mut dyn FnMut() -> Result<(), Errno>,
) -> Result<(), Errno> {
    match change() {
        Err(Errno::ACCESS) => {}
        changed => return changed,
    }
    let own = open_folder_at(folder, Path::new(""))?;
    let mode = Mode::from_raw_mode(rustix::fs::fstat(&own)?.st_mode & 0o7777);
    rustix::fs::fchmod(&own, mode | Mode::RWXU)?;
    let changed = change();
    rustix::fs::fchmod(&own, mode)?;
    changed
}

fn set_mode(folder: &OwnedFd, name: &OsStr, mode: Mode) -> Result<(), Errno> {
    rustix::fs::chmodat(folder, name, mode, rustix::fs::AtFlags::empty())
}
