//! Gives a new file the owner, mode, access list and extended attributes of the file that it replaces.

use std::ffi::{CStr, CString};
use std::os::fd::AsFd;

use rustix::fs::{Gid, Mode, Stat, Uid, XattrFlags};
use rustix::io::Errno;

use crate::linux::path::escaped;

/// Largest list of attribute names, and largest attribute value, that the kernel returns.
const MAX_ATTRIBUTE_BYTES: usize = 64 << 10;
const ACL_ATTRIBUTE: &CStr = c"system.posix_acl_access";
/// Attributes that belong to the content and are not copied: capabilities of a program, which the kernel also removes from a
/// file that is written to, and signatures.
const CONTENT_ATTRIBUTES: [&CStr; 3] = [c"security.capability", c"security.ima", c"security.evm"];
/// Mode bits that are copied: all but setuid, setgid and sticky.
pub(super) const KEPT_MODE_BITS: u32 = 0o777;

/// A property of the old file that the new one could not be given.
#[derive(Debug)]
pub(super) struct AccessNotKept {
    pub(super) property: String,
    pub(super) error: Errno,
}

/// Gives a new file, which only its owner may open, the attributes, the owner and the mode of the old one. In this order no
/// user may do more with the new file than with the old one at any time.
pub(super) fn copy_access(
    old: impl AsFd,
    stat: &Stat,
    new: impl AsFd,
) -> Result<(), AccessNotKept> {
    let unkept = |property: String| move |error| AccessNotKept { property, error };
    let attribute = |name: &CStr| {
        if name == ACL_ATTRIBUTE {
            "access control list".into()
        } else {
            format!("extended attribute {}", escaped(&name.to_string_lossy()))
        }
    };
    let attribute_names =
        attribute_names(&old).map_err(unkept("list of extended attributes".into()))?;
    let copy_attribute =
        |name: &CString| copy_attribute(&old, &new, name).map_err(unkept(attribute(name)));
    // Access lists are relative to the owner, so they are copied after it.
    let (access_lists, other_attributes): (Vec<_>, Vec<_>) =
        attribute_names.into_iter().partition(|name| name.to_bytes().starts_with(b"system."));
    other_attributes
        .iter()
        .filter(|name| !CONTENT_ATTRIBUTES.contains(&name.as_c_str()))
        .try_for_each(copy_attribute)?;
    let now = || rustix::fs::fstat(&new).map_err(unkept("status".into()));
    let created = now()?;
    if created.st_gid != stat.st_gid {
        rustix::fs::fchown(&new, None, Some(Gid::from_raw(stat.st_gid)))
            .map_err(unkept(format!("group {}", stat.st_gid)))?;
    }
    if created.st_uid != stat.st_uid {
        rustix::fs::fchown(&new, Some(Uid::from_raw(stat.st_uid)), None)
            .map_err(unkept(format!("owner {}", stat.st_uid)))?;
    }
    access_lists.iter().try_for_each(copy_attribute)?;
    let has_list = access_lists.iter().any(|name| name.as_c_str() == ACL_ATTRIBUTE);
    if !has_list
        && !matches!(
            rustix::fs::fgetxattr_query(&new, ACL_ATTRIBUTE),
            Err(Errno::NODATA | Errno::OPNOTSUPP)
        )
    {
        // The folder has given the new file a default list, which setting the mode would activate.
        rustix::fs::fremovexattr(&new, ACL_ATTRIBUTE).map_err(unkept(attribute(ACL_ATTRIBUTE)))?;
    }
    let mode = stat.st_mode & KEPT_MODE_BITS;
    if now()?.st_mode & KEPT_MODE_BITS != mode {
        rustix::fs::fchmod(&new, Mode::from_raw_mode(mode))
            .map_err(unkept(format!("mode {mode:o}")))?;
    }
    Ok(())
}

/// Names of the extended attributes of a file; none where the file system has none.
fn attribute_names(file: impl AsFd) -> Result<Vec<CString>, Errno> {
    match rustix::fs::flistxattr_query(&file) {
        Ok(0) | Err(Errno::OPNOTSUPP) => return Ok(Vec::new()),
        Ok(_) => {}
        Err(error) => return Err(error),
    }
    let mut list = vec![0; MAX_ATTRIBUTE_BYTES];
    let length = rustix::fs::flistxattr(&file, &mut list)?;
    let attribute_names = list[..length].split(|&byte| byte == 0).filter(|name| !name.is_empty());
    Ok(attribute_names.filter_map(|name| CString::new(name).ok()).collect())
}

/// Copies an attribute, unless the new file has it already or the old one lost it meanwhile.
fn copy_attribute(from: impl AsFd, to: impl AsFd, name: &CStr) -> Result<(), Errno> {
    let value = |file: &dyn AsFd| {
        let mut value = vec![0; MAX_ATTRIBUTE_BYTES];
        let length = rustix::fs::fgetxattr(file.as_fd(), name, &mut value)?;
        value.truncate(length);
        Ok(value)
    };
    let old_value = match value(&from) {
        Ok(old_value) => old_value,
        Err(Errno::NODATA) => return Ok(()),
        Err(error) => return Err(error),
    };
    if value(&to).is_ok_and(|set| set == old_value) {
        return Ok(());
    }
    rustix::fs::fsetxattr(to, name, &old_value, XattrFlags::empty())
}
