//! Who may do what with a file or folder, its further attributes and its time.

use std::ffi::{CStr, CString, OsString};
use std::os::fd::AsFd;
use std::os::unix::ffi::{OsStrExt, OsStringExt};

use rustix::fs::{Gid, Mode, Stat, Timespec, Timestamps, UTIME_OMIT, Uid, XattrFlags};
use rustix::io::Errno;
use serde::{Deserialize, Serialize};

use super::{Time, is_folder, modified_at};
use crate::linux::journal::PathName;

/// Attributes in which an overlay file system keeps what belongs to itself.
const OVERLAY_PREFIX: &[u8] = b"user.overlay.";
/// Attributes that the machine gives by itself.
const MACHINE_ATTRIBUTES: [&[u8]; 3] = [b"security.selinux", b"security.ima", b"security.evm"];
/// Largest list of attribute names, and largest attribute value, that the kernel returns.
const MAX_ATTRIBUTE_BYTES: usize = 64 << 10;
const MODE_BITS: u32 = 0o7777;

/// Whether an attribute belongs to an overlay file system.
fn is_overlay_attribute(name: &[u8]) -> bool {
    name.starts_with(OVERLAY_PREFIX)
}

/// Owner, mode, attributes and time of a file or folder.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Access {
    pub(crate) mode: u32,
    pub(crate) uid: u32,
    pub(crate) gid: u32,
    pub(crate) attributes: Vec<(PathName, Vec<u8>)>,
    /// `None` where the time stays as it is.
    pub(crate) modified: Option<Time>,
}

impl Access {
    pub(crate) fn of(file: impl AsFd, stat: &Stat) -> Result<Access, Errno> {
        Ok(Access {
            mode: stat.st_mode & MODE_BITS,
            uid: stat.st_uid,
            gid: stat.st_gid,
            attributes: attributes(file)?,
            modified: Some(modified_at(stat)),
        })
    }

    /// Whether both give the same to the same users, whatever their times are.
    pub(crate) fn is_like(&self, other: &Access) -> bool {
        let parts = |access: &Access| (access.mode, access.uid, access.gid);
        parts(self) == parts(other) && self.attributes == other.attributes
    }

    /// Gives a file or folder what this says. The mode comes after the owner, whose change clears bits of it.
    pub(crate) fn apply(&self, file: impl AsFd) -> Result<(), Errno> {
        let now = rustix::fs::fstat(&file)?;
        let current = attributes(&file)?;
        if now.st_uid != self.uid || now.st_gid != self.gid {
            let (uid, gid) = (Uid::from_raw(self.uid), Gid::from_raw(self.gid));
            rustix::fs::fchown(&file, Some(uid), Some(gid))?;
        }
        for (name, _) in current.iter().filter(|(name, _)| !self.has_attribute(name)) {
            let name = c_name(name)?;
            with_writable(&file, &|| rustix::fs::fremovexattr(&file, &name))?;
        }
        for (name, value) in &self.attributes {
            if !current.iter().any(|(old, is)| old == name && is == value) {
                set_attribute(&file, &c_name(name)?, value)?;
            }
        }
        if rustix::fs::fstat(&file)?.st_mode & MODE_BITS != self.mode {
            rustix::fs::fchmod(&file, Mode::from_raw_mode(self.mode))?;
        }
        self.modified.map_or(Ok(()), |modified| set_modified(&file, modified))
    }

    fn has_attribute(&self, name: &PathName) -> bool {
        self.attributes.iter().any(|(kept, _)| kept == name)
    }
}

pub(super) fn times(modified: Time) -> Timestamps {
    Timestamps {
        last_access: Timespec { tv_sec: 0, tv_nsec: UTIME_OMIT },
        last_modification: Timespec { tv_sec: modified.0, tv_nsec: modified.1 },
    }
}

pub(crate) fn set_modified(file: impl AsFd, modified: Time) -> Result<(), Errno> {
    rustix::fs::futimens(file, &times(modified))
}

fn c_name(name: &PathName) -> Result<CString, Errno> {
    CString::new(name.0.as_os_str().as_bytes()).map_err(|_| Errno::INVAL)
}

/// The attributes of a file that are not the machine's own, sorted by name.
fn attributes(file: impl AsFd) -> Result<Vec<(PathName, Vec<u8>)>, Errno> {
    let mut found = Vec::new();
    for name in attribute_names(&file)? {
        let bytes = name.as_bytes();
        if is_overlay_attribute(bytes) || MACHINE_ATTRIBUTES.contains(&bytes) {
            continue;
        }
        let mut value = vec![0; MAX_ATTRIBUTE_BYTES];
        let length = rustix::fs::fgetxattr(&file, &name, &mut value)?;
        value.truncate(length);
        let name = OsString::from_vec(bytes.to_vec());
        found.push((PathName::from(name.as_os_str()), value));
    }
    found.sort();
    Ok(found)
}

/// Names of all attributes; none where the file system has none.
pub(super) fn attribute_names(file: impl AsFd) -> Result<Vec<CString>, Errno> {
    match rustix::fs::flistxattr_query(&file) {
        Ok(0) | Err(Errno::OPNOTSUPP) => return Ok(Vec::new()),
        queried => queried?,
    };
    let mut list = vec![0; MAX_ATTRIBUTE_BYTES];
    let length = rustix::fs::flistxattr(&file, &mut list)?;
    let names = list[..length].split(|&byte| byte == 0).filter(|name| !name.is_empty());
    Ok(names.filter_map(|name| CString::new(name).ok()).collect())
}

/// Whether a file or folder has attributes of the names that an overlay file system keeps for itself.
pub(crate) fn has_overlay_attributes(file: impl AsFd) -> Result<bool, Errno> {
    Ok(attribute_names(&file)?.iter().any(|name| is_overlay_attribute(name.as_bytes())))
}

/// Removes what an overlay file system has written to a file.
pub(crate) fn remove_overlay_attributes(file: impl AsFd) -> Result<(), Errno> {
    for name in attribute_names(&file)? {
        if is_overlay_attribute(name.as_bytes()) {
            with_writable(&file, &|| rustix::fs::fremovexattr(&file, &name))?;
        }
    }
    Ok(())
}

pub(crate) fn set_attribute(file: impl AsFd, name: &CStr, value: &[u8]) -> Result<(), Errno> {
    with_writable(&file, &|| rustix::fs::fsetxattr(&file, name, value, XattrFlags::empty()))
}

/// Changes attributes. Where that is not allowed, once more while the owner may write to the file: an ordinary one may not
/// change those of a file that is read-only.
fn with_writable(file: impl AsFd, change: &dyn Fn() -> Result<(), Errno>) -> Result<(), Errno> {
    match change() {
        Err(Errno::ACCESS) => {}
        changed => return changed,
    }
    let stat = rustix::fs::fstat(&file)?;
    let mode = Mode::from_raw_mode(stat.st_mode & MODE_BITS);
    rustix::fs::fchmod(&file, mode | if is_folder(&stat) { Mode::RWXU } else { Mode::WUSR })?;
    let changed = change();
    rustix::fs::fchmod(&file, mode)?;
    changed
}
