use std::io;
use std::os::fd::{AsFd, AsRawFd, OwnedFd};
use std::path::{Component, Path, PathBuf};

use rustix::fs::{Mode, OFlags, ResolveFlags};
use rustix::io::Errno;

const DIRECTORY: OFlags = OFlags::PATH.union(OFlags::DIRECTORY).union(OFlags::CLOEXEC);

/// An allowed directory, held open.
#[derive(Debug)]
pub struct Root {
    directory: OwnedFd,
    /// Canonical when the root was opened; used to read absolute paths, never to open them.
    path: PathBuf,
    /// As the host wrote it, absolute.
    given: PathBuf,
    writable: bool,
}

impl Root {
    /// Opens an absolute path. Fails when it is no directory, and for the root of the file system.
    pub fn open(path: &Path, writable: bool) -> io::Result<Root> {
        let root = Root::open_any(path, writable)?;
        if root.path == Path::new("/") {
            let message = "the whole file system is a root only where that is asked for";
            return Err(io::Error::new(io::ErrorKind::InvalidInput, message));
        }
        Ok(root)
    }

    /// The same, for a host that means it when it names the root of the file system.
    pub fn open_any(path: &Path, writable: bool) -> io::Result<Root> {
        if !path.is_absolute() {
            return Err(io::Error::new(io::ErrorKind::InvalidInput, "a root must be absolute"));
        }
        let directory = open_directory(path)?;
        let canonical = real_path(&directory)?;
        Ok(Root { directory, path: canonical, given: path.to_path_buf(), writable })
    }

    /// Where the root was when it was opened.
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

    /// Opens a directory below this root. `..` may be used within; a path or link that leads out is
    /// refused with `PermissionDenied`, whatever is exchanged meanwhile.
    pub fn open_dir_beneath(&self, relative: &Path) -> io::Result<OwnedFd> {
        let relative = if relative.as_os_str().is_empty() { Path::new(".") } else { relative };
        let resolve = ResolveFlags::BENEATH | ResolveFlags::NO_MAGICLINKS;
        match rustix::fs::openat2(&self.directory, relative, DIRECTORY, Mode::empty(), resolve) {
            Ok(directory) => Ok(directory),
            // The kernel refuses every absolute link; one whose target is below is followed by name.
            Err(Errno::XDEV) => self.open_through_absolute_link(relative, resolve),
            Err(Errno::NOSYS) => self.walk(relative),
            Err(error) => Err(error.into()),
        }
    }

    /// The relative path of an absolute one, if it is written as lying below this root.
    pub fn strip<'a>(&self, absolute: &'a Path) -> Option<&'a Path> {
        absolute.strip_prefix(&self.path).or_else(|_| absolute.strip_prefix(&self.given)).ok()
    }

    fn open_through_absolute_link(
        &self,
        relative: &Path,
        resolve: ResolveFlags,
    ) -> io::Result<OwnedFd> {
        // Resolving it led out; whether anything is there is nobody's business.
        let target = std::fs::canonicalize(self.path.join(relative)).map_err(|_| outside())?;
        let below = target.strip_prefix(&self.path).map_err(|_| outside())?;
        let below = if below.as_os_str().is_empty() { Path::new(".") } else { below };
        rustix::fs::openat2(&self.directory, below, DIRECTORY, Mode::empty(), resolve)
            .map_err(|error| if error == Errno::XDEV { outside() } else { error.into() })
    }

    /// Kernels before 5.6: one component at a time, links refused.
    fn walk(&self, relative: &Path) -> io::Result<OwnedFd> {
        let mut stack: Vec<OwnedFd> = Vec::new();
        for component in relative.components() {
            match component {
                Component::CurDir => {}
                Component::ParentDir => {
                    stack.pop().ok_or_else(outside)?;
                }
                Component::Normal(name) => {
                    let parent = stack.last().map_or(self.directory.as_fd(), AsFd::as_fd);
                    let flags = DIRECTORY | OFlags::NOFOLLOW;
                    stack.push(rustix::fs::openat(parent, name, flags, Mode::empty())?);
                }
                Component::RootDir | Component::Prefix(_) => return Err(outside()),
            }
        }
        match stack.pop() {
            Some(directory) => Ok(directory),
            None => Ok(self.directory.try_clone()?),
        }
    }
}

fn outside() -> io::Error {
    io::Error::new(io::ErrorKind::PermissionDenied, "the path leads out of the root")
}

/// Opens a directory by path, for callers that are not restricted to roots.
pub fn open_directory(path: &Path) -> io::Result<OwnedFd> {
    Ok(rustix::fs::open(path, DIRECTORY, Mode::empty())?)
}

fn real_path(directory: &OwnedFd) -> io::Result<PathBuf> {
    std::fs::read_link(format!("/proc/self/fd/{}", directory.as_raw_fd()))
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::os::unix::fs::symlink;

    use super::*;

    struct Fixture(PathBuf);

    impl Fixture {
        fn new(name: &str) -> Fixture {
            let base = std::env::temp_dir().join(format!("handrail-{name}-{}", std::process::id()));
            fs::create_dir_all(base.join("root/inner/deep")).unwrap();
            fs::create_dir_all(base.join("outside")).unwrap();
            symlink(base.join("outside"), base.join("root/absolute-out")).unwrap();
            symlink("../outside", base.join("root/relative-out")).unwrap();
            symlink(base.join("root/inner"), base.join("root/absolute-in")).unwrap();
            symlink("inner", base.join("root/relative-in")).unwrap();
            fs::write(base.join("root/file"), "").unwrap();
            Fixture(base)
        }

        fn root(&self) -> Root {
            Root::open(&self.0.join("root"), true).unwrap()
        }
    }

    impl Drop for Fixture {
        fn drop(&mut self) {
            fs::remove_dir_all(&self.0).unwrap();
        }
    }

    #[test]
    fn opens_what_lies_beneath() {
        let fixture = Fixture::new("beneath");
        let root = fixture.root();
        for path in ["", ".", "inner", "inner/deep/..", "absolute-in/deep", "relative-in/deep"] {
            assert!(root.open_dir_beneath(Path::new(path)).is_ok(), "{path}");
        }
    }

    #[test]
    fn refuses_what_leads_out() {
        let fixture = Fixture::new("out");
        let root = fixture.root();
        let all = [
            "..",
            "inner/../..",
            "absolute-out",
            "relative-out",
            "/",
            "/proc/self/cwd",
            "../missing",
        ];
        for path in all {
            let error = root.open_dir_beneath(Path::new(path)).unwrap_err();
            assert_eq!(error.kind(), io::ErrorKind::PermissionDenied, "{path}");
        }
        for path in ["file", "missing", "file/.."] {
            assert!(root.open_dir_beneath(Path::new(path)).is_err(), "{path}");
        }
    }

    #[test]
    fn the_walk_for_old_kernels_refuses_the_same() {
        let fixture = Fixture::new("walk");
        let root = fixture.root();
        for path in ["", "inner", "inner/deep/.."] {
            assert!(root.walk(Path::new(path)).is_ok(), "{path}");
        }
        for path in ["..", "inner/../..", "absolute-out", "relative-out", "relative-in", "/"] {
            assert!(root.walk(Path::new(path)).is_err(), "{path}");
        }
    }

    #[test]
    fn a_root_is_the_directory_it_was_opened_as() {
        let fixture = Fixture::new("moved");
        let root = fixture.root();
        fs::rename(fixture.0.join("root"), fixture.0.join("elsewhere")).unwrap();
        symlink("outside", fixture.0.join("root")).unwrap();
        assert!(root.open_dir_beneath(Path::new("inner")).is_ok());
        fs::remove_file(fixture.0.join("root")).unwrap();
    }
}
