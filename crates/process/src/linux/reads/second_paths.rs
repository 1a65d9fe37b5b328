//! Further paths to a place, where its file system is mounted more than once.

use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use handrail_supervisor::mount_table::{Mount, MountTable};

/// The mounts of this machine, the last mounted last.
pub(super) struct Mounts(Vec<Mount>);

impl Mounts {
    pub(super) fn read() -> Mounts {
        Mounts(MountTable::open().and_then(|table| table.mounts()).unwrap_or_default())
    }

    /// The other paths that lead to the same file or folder, this canonical path left out.
    pub(super) fn others(&self, path: &Path) -> Vec<PathBuf> {
        let around = self.0.iter().filter(|mount| path.starts_with(&mount.point));
        // Of several mounts at one point the last one is seen.
        let Some(own) = around.max_by_key(|mount| mount.point.as_os_str().len()) else {
            return Vec::new();
        };
        let Ok(beneath) = path.strip_prefix(&own.point) else { return Vec::new() };
        let inside = own.root.join(beneath);
        let elsewhere = self.0.iter().filter(|mount| mount.device == own.device);
        let paths = elsewhere.filter_map(|mount| {
            let rest = inside.strip_prefix(&mount.root).ok()?;
            // A join with nothing would end with a slash.
            let is_point = rest.as_os_str().is_empty();
            Some(if is_point { mount.point.clone() } else { mount.point.join(rest) })
        });
        let identity = |path: &Path| {
            std::fs::symlink_metadata(path).ok().map(|status| (status.dev(), status.ino()))
        };
        let known = identity(path);
        paths.filter(|other| other != path && known.is_some() && identity(other) == known).collect()
    }
}
