//! The replacement for `linux` on systems that cannot resolve names below a descriptor: a root is a canonical path there,
//! which commands are judged by, and no file can be opened.

use std::io;
use std::os::fd::OwnedFd;
use std::path::{Path, PathBuf};

use handrail_policy::paths::{PathRules, UnknownRule};

use crate::config::FilesConfig;
use crate::refusal::{Answer, Refusal, code};
use crate::root::Root;
use crate::roots::DirectoryRefusal;

/// What a root keeps open: nothing.
#[derive(Debug)]
pub struct RootDirectory;

/// The canonical path of a directory. Fails when there is none.
pub fn open_root(path: &Path) -> io::Result<(RootDirectory, PathBuf)> {
    let canonical = std::fs::canonicalize(path)?;
    if canonical.is_dir() {
        Ok((RootDirectory, canonical))
    } else {
        Err(io::ErrorKind::NotADirectory.into())
    }
}

/// Refuses with `Unsupported`.
pub fn open_directory(_path: &Path) -> io::Result<OwnedFd> {
    Err(io::ErrorKind::Unsupported.into())
}

/// Refuses with `Unsupported`.
pub fn open_beneath(_roots: &[Root], absolute: &Path) -> Result<OwnedFd, DirectoryRefusal> {
    Ok(open_directory(absolute)?)
}

/// The canonical path of a file, whatever the roots are.
pub fn canonical_beneath(_roots: &[Root], absolute: &Path) -> Result<PathBuf, DirectoryRefusal> {
    Ok(std::fs::canonicalize(absolute)?)
}

/// Refuses with `Unsupported`.
pub fn open_in_layer(_held: &OwnedFd, _rest: &Path) -> io::Result<RootDirectory> {
    Err(io::ErrorKind::Unsupported.into())
}

/// There are no layers.
pub fn canonical_in_layer(_roots: &[Root], path: &Path) -> io::Result<PathBuf> {
    std::fs::canonicalize(path)
}

/// There are no layers.
pub fn path_beneath(_roots: &[Root], _canonical: &Path) -> Option<PathBuf> {
    None
}

/// The canonical path of an absolute one, whose last names need not exist. `None` where a link leads to nothing.
pub fn real_place(path: &Path) -> Option<PathBuf> {
    let exists = |place: &Path| place.symlink_metadata().is_ok();
    let existing = path.ancestors().find(|place| exists(place))?;
    Some(std::fs::canonicalize(existing).ok()?.join(path.strip_prefix(existing).ok()?))
}

/// File tools that can be made and closed, and refuse everything.
#[derive(Debug)]
pub struct Files;

impl Files {
    /// Fails for a lifted rule that does not exist.
    pub fn new(config: FilesConfig) -> Result<Files, UnknownRule> {
        PathRules::new(config.rules).map(|_| Files)
    }

    /// Refuses.
    pub fn call(&self, _operation: &str, _request: &str) -> Answer {
        let message = "Files cannot be kept below a directory on this system, so none is touched";
        Ok(Refusal::new(code::NOT_SUPPORTED, message).to_json())
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use handrail_policy::paths::PathRulesConfig;
    use handrail_redact::Redactor;

    use super::*;
    use crate::config::{DEFAULT_MAX_READ_BYTES, HardLinks};
    use crate::roots::Roots;

    #[test]
    fn a_root_is_a_directory_that_exists() {
        let (_, path) = open_root(Path::new("/usr/../usr/bin")).unwrap();
        assert_eq!(path, std::fs::canonicalize("/usr/bin").unwrap());
        for (path, kind) in
            [("/missing", io::ErrorKind::NotFound), ("/dev/null", io::ErrorKind::NotADirectory)]
        {
            assert_eq!(open_root(Path::new(path)).unwrap_err().kind(), kind, "{path}");
        }
    }

    #[test]
    fn a_place_is_followed_as_far_as_it_exists() {
        let base = std::env::temp_dir().join(format!("handrail-place-{}", std::process::id()));
        std::fs::create_dir(&base).unwrap();
        std::os::unix::fs::symlink("/usr/bin", base.join("link")).unwrap();
        std::os::unix::fs::symlink("/missing", base.join("dangling")).unwrap();
        let bin = std::fs::canonicalize("/usr/bin").unwrap();
        assert_eq!(real_place(&base.join("link/new/file")), Some(bin.join("new/file")));
        assert_eq!(real_place(&base.join("dangling")), None);
        std::fs::remove_dir_all(&base).unwrap();
    }

    #[test]
    fn nothing_is_opened() {
        assert_eq!(open_directory(Path::new("/")).unwrap_err().kind(), io::ErrorKind::Unsupported);
        assert!(matches!(
            open_beneath(&[], Path::new("/")),
            Err(DirectoryRefusal::System(error)) if error.kind() == io::ErrorKind::Unsupported
        ));
        let config = FilesConfig {
            roots: Arc::new(Roots::Unrestricted),
            rules: PathRulesConfig::default(),
            redactor: Redactor::new(handrail_redact::Options::default()).unwrap(),
            learn_secrets: true,
            base: None,
            hard_links: HardLinks::Refuse,
            replace_read_only: false,
            in_place: false,
            sync: true,
            max_read_bytes: DEFAULT_MAX_READ_BYTES,
            journal: None,
        };
        let files = Files::new(config).unwrap();
        assert!(files.call("list", "{}").unwrap().contains(code::NOT_SUPPORTED));
    }
}
