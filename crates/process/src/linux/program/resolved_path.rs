//! A path resolved through every link, with the folders that it leads through: whoever may change one of these folders decides
//! which file the path names.

use std::collections::VecDeque;
use std::ffi::OsString;
use std::io;
use std::path::{Component, Path, PathBuf};

use handrail_files::Roots;

use super::others::{is_changeable_by_others, is_own};

/// Most links that the kernel follows in one path.
const MAX_LINKS: usize = 40;

/// The folders that a path leads through, and the file that it names.
#[derive(Debug)]
pub(crate) struct ResolvedPath {
    folders: Vec<PathBuf>,
    pub(crate) file: PathBuf,
}

impl ResolvedPath {
    /// Follows an absolute path as the kernel does.
    pub(crate) fn of(path: &Path) -> io::Result<ResolvedPath> {
        let mut remaining = names(path);
        let mut folders = vec![PathBuf::from("/")];
        let mut here = PathBuf::from("/");
        let mut link_count = 0;
        while let Some(name) = remaining.pop_front() {
            if name == ".." {
                here.pop();
                continue;
            }
            if folders.last() != Some(&here) {
                folders.push(here.clone());
            }
            let next = here.join(name);
            if !std::fs::symlink_metadata(&next)?.is_symlink() {
                here = next;
                continue;
            }
            link_count += 1;
            if link_count > MAX_LINKS {
                return Err(rustix::io::Errno::LOOP.into());
            }
            let target = std::fs::read_link(&next)?;
            if target.is_absolute() {
                here = PathBuf::from("/");
            }
            let mut target_names = names(&target);
            target_names.append(&mut remaining);
            remaining = target_names;
        }
        Ok(ResolvedPath { folders, file: here })
    }

    /// Whether agents may change one of the folders, or the file.
    pub(crate) fn is_in_writable_root(&self, roots: &Roots) -> bool {
        self.folders_and_file().any(|place| roots.is_writable(place))
    }

    /// Whether a group of several users or everybody may change one of the folders, or the file.
    pub(crate) fn is_writable_by_others(&self) -> bool {
        self.folders_and_file().any(|place| match std::fs::symlink_metadata(place) {
            Ok(status) => is_changeable_by_others(&status),
            Err(_) => true,
        })
    }

    /// Whether other users may change one of the folders, or the file, as its owner or by its mode.
    pub(crate) fn is_others(&self) -> bool {
        self.folders_and_file().any(|place| match std::fs::symlink_metadata(place) {
            Ok(status) => !is_own(&status) || is_changeable_by_others(&status),
            Err(_) => true,
        })
    }

    fn folders_and_file(&self) -> impl Iterator<Item = &Path> {
        self.folders.iter().chain([&self.file]).map(PathBuf::as_path)
    }
}

fn names(path: &Path) -> VecDeque<OsString> {
    path.components()
        .filter(|part| matches!(part, Component::Normal(_) | Component::ParentDir))
        .map(|part| part.as_os_str().to_os_string())
        .collect()
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::os::unix::fs::symlink;

    use super::*;

    #[test]
    fn a_path_leads_through_the_folder_of_every_link() {
        let base = std::env::temp_dir().join(format!("handrail-resolved-{}", std::process::id()));
        let base = {
            fs::create_dir_all(&base).unwrap();
            fs::canonicalize(&base).unwrap()
        };
        for folder in ["bin", "alternatives", "versions/1"] {
            fs::create_dir_all(base.join(folder)).unwrap();
        }
        fs::write(base.join("versions/1/tool"), "").unwrap();
        symlink("1", base.join("versions/current")).unwrap();
        symlink("../versions/current/tool", base.join("alternatives/tool")).unwrap();
        symlink(base.join("alternatives/tool"), base.join("bin/tool")).unwrap();
        symlink("loop", base.join("loop")).unwrap();
        let resolved = ResolvedPath::of(&base.join("bin/tool")).unwrap();
        let looped = ResolvedPath::of(&base.join("loop"));
        let missing = ResolvedPath::of(&base.join("missing"));
        fs::remove_dir_all(&base).unwrap();
        assert_eq!(resolved.file, base.join("versions/1/tool"));
        for passed in ["bin", "alternatives", "versions", "versions/1"] {
            assert!(resolved.folders.contains(&base.join(passed)), "{passed}: {resolved:?}");
        }
        assert_eq!(looped.unwrap_err().raw_os_error(), Some(40));
        assert!(missing.is_err());
    }
}
