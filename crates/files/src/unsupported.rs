//! What stands in for the kernel's resolution beneath a descriptor on systems that have none: a root is
//! known there by its name, for judging commands, and nothing can be opened.

use std::io;
use std::os::fd::OwnedFd;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use handrail_policy::paths::{PathRules, PathRulesConfig, UnknownRule};
use handrail_redact::Redactor;

use crate::answer::{
    EditAnswer, GlobAnswer, GrepAnswer, ListAnswer, PatchAnswer, ReadAnswer, WriteAnswer,
};
use crate::refusal::{Refusal, code};
use crate::request::{
    EditRequest, GlobRequest, GrepRequest, HardLinks, ListRequest, PatchRequest, ReadRequest,
    WriteRequest,
};
use crate::roots::Roots;

/// An allowed directory, by name only.
#[derive(Debug)]
pub struct Root {
    /// Canonical when the root was named.
    path: PathBuf,
    /// As the host wrote it, absolute.
    given: PathBuf,
    writable: bool,
}

impl Root {
    /// Takes an absolute path. Fails when it is no directory, and for the root of the file system.
    pub fn open(path: &Path, writable: bool) -> io::Result<Root> {
        let root = Root::open_any(path, writable)?;
        if root.path == Path::new("/") {
            return Err(io::ErrorKind::InvalidInput.into());
        }
        Ok(root)
    }

    /// The same, for a host that means it when it names the root of the file system.
    pub fn open_any(path: &Path, writable: bool) -> io::Result<Root> {
        if !path.is_absolute() {
            return Err(io::Error::new(io::ErrorKind::InvalidInput, "a root must be absolute"));
        }
        let canonical = std::fs::canonicalize(path)?;
        if !canonical.is_dir() {
            return Err(io::ErrorKind::NotADirectory.into());
        }
        Ok(Root { path: canonical, given: path.to_path_buf(), writable })
    }

    /// Where the root was when it was named.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// As the host wrote it.
    pub fn given(&self) -> &Path {
        &self.given
    }

    /// Whether the host lets agents change what is below.
    pub fn is_writable(&self) -> bool {
        self.writable
    }

    /// The relative path of an absolute one, if it is written as lying below this root.
    pub fn strip<'a>(&self, absolute: &'a Path) -> Option<&'a Path> {
        absolute.strip_prefix(&self.path).or_else(|_| absolute.strip_prefix(&self.given)).ok()
    }
}

/// Refuses with `Unsupported`.
pub fn open_directory(_path: &Path) -> io::Result<OwnedFd> {
    Err(io::ErrorKind::Unsupported.into())
}

/// Largest file that would be read.
pub const DEFAULT_MAX_READ_BYTES: u64 = 10 << 20;

/// How names become files.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Resolution {
    /// They do not.
    #[default]
    Kernel,
    /// They do not.
    Walk,
}

/// What a host decided, once.
#[derive(Debug)]
pub struct FilesConfig {
    /// Where the tools would work.
    pub roots: Arc<Roots>,
    /// What is protected there.
    pub rules: PathRulesConfig,
    /// Masks secrets.
    pub redactor: Redactor,
    /// Where relative paths start.
    pub base: Option<PathBuf>,
    /// What happens to a file with several names when it is changed.
    pub hard_links: HardLinks,
    /// Whether files that nobody may write to are changed.
    pub replace_read_only: bool,
    /// Whether what can only be changed in place is.
    pub in_place: bool,
    /// Whether a change is on the disk before it has its name.
    pub sync: bool,
    /// Larger files are not read.
    pub max_read_bytes: u64,
    /// How names become files.
    pub resolution: Resolution,
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
    pub fn read(&self, _request: &ReadRequest) -> Result<ReadAnswer, Refusal> {
        Err(refusal())
    }

    /// Refuses.
    pub fn write(&self, _request: &WriteRequest) -> Result<WriteAnswer, Refusal> {
        Err(refusal())
    }

    /// Refuses.
    pub fn edit(&self, _request: &EditRequest) -> Result<EditAnswer, Refusal> {
        Err(refusal())
    }

    /// Refuses.
    pub fn patch(&self, _request: &PatchRequest) -> Result<PatchAnswer, Refusal> {
        Err(refusal())
    }

    /// Refuses.
    pub fn list(&self, _request: &ListRequest) -> Result<ListAnswer, Refusal> {
        Err(refusal())
    }

    /// Refuses.
    pub fn glob(&self, _request: &GlobRequest) -> Result<GlobAnswer, Refusal> {
        Err(refusal())
    }

    /// Refuses.
    pub fn grep(&self, _request: &GrepRequest) -> Result<GrepAnswer, Refusal> {
        Err(refusal())
    }
}

fn refusal() -> Refusal {
    let message = "Files cannot be kept below a directory on this system, so none is touched";
    Refusal::new(code::NOT_SUPPORTED, message)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_root_is_an_absolute_directory() {
        let root = Root::open(Path::new("/usr/../usr/bin"), true).unwrap();
        assert_eq!(root.path(), std::fs::canonicalize("/usr/bin").unwrap());
        assert!(root.is_writable());
        assert_eq!(root.strip(&root.path().join("sub")), Some(Path::new("sub")));
        assert_eq!(root.strip(Path::new("/usr/../usr/bin/sub")), Some(Path::new("sub")));
        assert_eq!(root.strip(Path::new("/elsewhere")), None);
        for (path, kind) in [
            ("usr", io::ErrorKind::InvalidInput),
            ("/missing", io::ErrorKind::NotFound),
            ("/dev/null", io::ErrorKind::NotADirectory),
            ("/", io::ErrorKind::InvalidInput),
        ] {
            let error = Root::open(Path::new(path), false).unwrap_err();
            assert_eq!(error.kind(), kind, "{path}");
        }
    }

    #[test]
    fn nothing_is_opened() {
        assert_eq!(open_directory(Path::new("/")).unwrap_err().kind(), io::ErrorKind::Unsupported);
        let config = FilesConfig {
            roots: Arc::new(Roots::Unrestricted),
            rules: PathRulesConfig::default(),
            redactor: Redactor::new(handrail_redact::Options::default()).unwrap(),
            base: None,
            hard_links: HardLinks::Refuse,
            replace_read_only: false,
            in_place: false,
            sync: true,
            max_read_bytes: DEFAULT_MAX_READ_BYTES,
            resolution: Resolution::Walk,
        };
        let files = Files::new(config).unwrap();
        let list = ListRequest { path: "/".into(), depth: None, limit: None };
        assert_eq!(files.list(&list).unwrap_err().code, code::NOT_SUPPORTED);
    }
}
