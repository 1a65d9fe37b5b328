//! Listing: names and kinds; links are told apart by where they lead, and never followed.

use std::ffi::OsStr;
use std::os::fd::OwnedFd;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

use rustix::fs::{AtFlags, FileType, Mode, OFlags};
use rustix::io::Errno;

use crate::linux::answer::{FileEntry, LinkTarget, ListedDirectory};
use crate::linux::directory::{kind_of, names};
use crate::linux::files::Files;
use crate::linux::judge::{Purpose, system};
use crate::linux::path::escaped;
use crate::linux::request::ListRequest;
use crate::linux::resolve::Unresolved;
use crate::linux::view::View;
use crate::refusal::Refusal;

/// Entries that are counted; a larger tree is cut there.
pub(crate) const MAX_ENTRIES: usize = 200_000;

impl Files {
    /// Entries of a directory.
    pub fn list(&self, request: &ListRequest) -> Result<ListedDirectory, Refusal> {
        self.list_entries(request).map_err(|refusal| self.masked(refusal))
    }

    fn list_entries(&self, request: &ListRequest) -> Result<ListedDirectory, Refusal> {
        let (asked, handle) = self.place(&request.path, Purpose::List)?;
        let failed = |error: Errno| system(&asked, error, Purpose::List);
        let directory = handle.open(OFlags::RDONLY | OFlags::DIRECTORY).map_err(failed)?;
        let mut listing = Listing {
            files: self,
            limit: request.limit,
            depth: request.depth,
            entries: Vec::new(),
            total: 0,
            redactions: 0,
        };
        listing.add(&directory, handle.canonical(), Path::new(""), 1).map_err(failed)?;
        Ok(ListedDirectory {
            path: self.display(handle.canonical()),
            directory: self.masked_text(&handle.canonical().to_string_lossy()),
            truncated: listing.total > listing.entries.len() || listing.total >= MAX_ENTRIES,
            entries: listing.entries,
            total: listing.total,
            redactions: listing.redactions,
        })
    }
}

impl Files {
    /// Where a link leads.
    pub(super) fn target_of(&self, link: &Path) -> LinkTarget {
        match self.resolver().resolve(link) {
            Err(Unresolved::Outside) => LinkTarget::Outside,
            _ => LinkTarget::Inside,
        }
    }
}

struct Listing<'f> {
    files: &'f Files,
    limit: usize,
    depth: usize,
    entries: Vec<FileEntry>,
    total: usize,
    redactions: usize,
}

impl Listing<'_> {
    /// Adds what is in a directory, and then what is in its directories.
    fn add(
        &mut self,
        directory: &OwnedFd,
        path: &Path,
        relative: &Path,
        depth: usize,
    ) -> Result<(), Errno> {
        for (name, kind) in names(directory, MAX_ENTRIES - self.total)? {
            if self.total == MAX_ENTRIES {
                break;
            }
            self.total += 1;
            let kind = if kind == FileType::Unknown { kind_of(directory, &name) } else { kind };
            let (path, relative) = (path.join(&name), relative.join(&name));
            if self.entries.len() < self.limit {
                let entry = self.entry(directory, &name, kind, &path, &relative);
                self.entries.push(entry);
            }
            let is_open = depth < self.depth && kind == FileType::Directory;
            if is_open && self.files.rules.judge_read(&path.to_string_lossy()).is_none() {
                let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
                // A folder that is gone, or that this user may not enter, is listed by its name.
                if let Ok(inner) = rustix::fs::openat(directory, &name, flags, Mode::empty()) {
                    let _ = self.add(&inner, &path, &relative, depth + 1);
                }
            }
        }
        Ok(())
    }

    fn entry(
        &mut self,
        directory: &OwnedFd,
        name: &OsStr,
        kind: FileType,
        path: &Path,
        relative: &Path,
    ) -> FileEntry {
        let stat = || rustix::fs::statat(directory, name, AtFlags::SYMLINK_NOFOLLOW).ok();
        let is_shown = || self.files.rules.judge_read(&path.to_string_lossy()).is_none();
        let size = match kind {
            FileType::RegularFile if is_shown() => stat()
                .filter(|stat| !self.files.is_secret(stat))
                .and_then(|stat| u64::try_from(stat.st_size).ok()),
            _ => None,
        };
        let target = (kind == FileType::Symlink).then(|| self.files.target_of(path));
        let name = display_name(relative);
        let name = View::of_name(&self.files.redactor, &name);
        self.redactions += name.masks.len();
        FileEntry { name: name.text.into_owned(), r#type: kind.into(), size, target }
    }
}

/// A name on one line; bytes that are no UTF-8 are shown as U+FFFD.
fn display_name(relative: &Path) -> String {
    escaped(&String::from_utf8_lossy(relative.as_os_str().as_bytes()))
}
