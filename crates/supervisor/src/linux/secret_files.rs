//! Files with passwords and keys of the machine, which root may read whatever their modes are.

use std::ffi::OsStr;
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use handrail_supervisor::message::Plan;

use super::namespace::{MOUNT_ATTR_NODEV, MOUNT_ATTR_NOEXEC, MOUNT_ATTR_RDONLY, MountTree};

/// The judgement refuses the same names (`tables/secrets` in `crates/policy`).
const SECRET_FILES: [&str; 5] =
    ["/etc/shadow", "/etc/shadow-", "/etc/gshadow", "/etc/gshadow-", "/etc/sudoers"];
/// Folders in which files are such secrets, and what their names begin and end with.
const SECRET_FOLDERS: [(&str, &[u8], &[u8]); 2] =
    [("/etc/sudoers.d", b"", b""), ("/etc/ssh", b"ssh_host_", b"_key")];
/// The device that covers them. On a mount without devices nobody can open it.
const COVERING_DEVICE: &str = "/dev/null";

/// Covers the files in this process's view of the file system, if it is root's. Files beneath a writable root stay: the host
/// works on them.
pub(crate) fn cover(plan: &Plan) -> io::Result<()> {
    if !rustix::process::geteuid().is_root() {
        return Ok(());
    }
    let mut paths: Vec<PathBuf> = SECRET_FILES.map(PathBuf::from).into();
    for (folder, start, end) in SECRET_FOLDERS {
        let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
        let is_secret =
            |name: &OsStr| name.as_bytes().starts_with(start) && name.as_bytes().ends_with(end);
        let secrets = entries.filter(|entry| is_secret(&entry.file_name()));
        paths.extend(secrets.map(|entry| entry.path()));
    }
    let is_beneath_root = |path: &Path| {
        let mut writable = plan.roots.iter().filter(|root| root.writable);
        writable.any(|root| path.starts_with(OsStr::from_bytes(&root.path)))
    };
    for path in paths.iter().filter(|path| path.is_file() && !is_beneath_root(path)) {
        let flags = MOUNT_ATTR_RDONLY | MOUNT_ATTR_NODEV | MOUNT_ATTR_NOEXEC;
        MountTree::clone(Path::new(COVERING_DEVICE), flags)?.mount_at(path)?;
    }
    Ok(())
}
