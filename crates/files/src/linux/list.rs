//! Lists a directory: names and kinds of its entries. Links are never followed; it is only told whether they lead out.

use std::ffi::OsStr;
use std::os::fd::OwnedFd;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

use rustix::fs::{AtFlags, FileType, OFlags};
use rustix::io::Errno;

use crate::linux::answer::{FileEntry, LinkTarget, ListedDirectory};
use crate::linux::directory::{entry_kind, sorted_entries};
use crate::linux::files::Files;
use crate::linux::judge::{Purpose, refuse_system_error};
use crate::linux::open_folder;
use crate::linux::path::escaped;
use crate::linux::request::ListRequest;
use crate::linux::resolve::Unresolved;
use crate::linux::view::MaskedView;
use crate::refusal::Refusal;

/// Most entries that are counted; those of a larger tree are left out.
pub(crate) const MAX_ENTRIES: usize = 200_000;

impl Files {
    pub(super) fn list_entries(&self, request: &ListRequest) -> Result<ListedDirectory, Refusal> {
        let (requested, handle) = self.place(&request.path, Purpose::List)?;
        let failed = |error: Errno| refuse_system_error(&requested, error, Purpose::List);
        let directory = handle.open(OFlags::RDONLY | OFlags::DIRECTORY).map_err(failed)?;
        let mut listing = Listing {
            files: self,
            offset: request.offset,
            limit: request.limit,
            depth: request.depth,
            entries: Vec::new(),
            total: 0,
            redactions: 0,
        };
        listing.add_directory(&directory, handle.canonical(), Path::new(""), 1).map_err(failed)?;
        Ok(ListedDirectory {
            path: self.display(handle.canonical()),
            directory: self.masked_text(&handle.canonical().to_string_lossy()),
            truncated: listing.total > request.offset.saturating_add(listing.entries.len())
                || listing.total >= MAX_ENTRIES,
            entries: listing.entries,
            total: listing.total,
            redactions: listing.redactions,
        })
    }
}

impl Files {
    /// Whether a link leads out of the roots.
    pub(super) fn link_target(&self, link: &Path) -> LinkTarget {
        match self.resolver().resolve(link) {
            Err(Unresolved::Outside) => LinkTarget::Outside,
            _ => LinkTarget::Inside,
        }
    }
}

/// A listing so far.
struct Listing<'f> {
    files: &'f Files,
    offset: usize,
    limit: usize,
    depth: usize,
    entries: Vec<FileEntry>,
    total: usize,
    redactions: usize,
}

impl Listing<'_> {
    /// Adds the entries of a directory, each folder followed by its own entries.
    fn add_directory(
        &mut self,
        directory: &OwnedFd,
        path: &Path,
        relative: &Path,
        depth: usize,
    ) -> Result<(), Errno> {
        for (name, kind) in sorted_entries(directory, MAX_ENTRIES - self.total)? {
            if self.total == MAX_ENTRIES {
                break;
            }
            self.total += 1;
            let kind = if kind == FileType::Unknown { entry_kind(directory, &name) } else { kind };
            let (path, relative) = (path.join(&name), relative.join(&name));
            if self.total > self.offset && self.entries.len() < self.limit {
                let entry = self.entry(directory, &name, kind, &path, &relative);
                self.entries.push(entry);
            }
            let is_open = depth < self.depth && kind == FileType::Directory;
            if is_open && self.files.rules.judge_read(&path.to_string_lossy()).is_none() {
                // A folder that is gone, or that this user may not enter, is listed by its name.
                if let Ok(inner) = open_folder(directory, &name) {
                    let _ = self.add_directory(&inner, &path, &relative, depth + 1);
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
                .filter(|stat| !self.files.is_secret_file(stat))
                .and_then(|stat| u64::try_from(stat.st_size).ok()),
            _ => None,
        };
        let target = (kind == FileType::Symlink).then(|| self.files.link_target(path));
        let name = display_name(relative);
        let name = MaskedView::unnumbered(&self.files.redactor, &name);
        self.redactions += name.masks.len();
        FileEntry { name: name.text.into_owned(), r#type: kind.into(), size, target }
    }
}

/// A name on one line; bytes that are not UTF-8 are shown as U+FFFD.
fn display_name(relative: &Path) -> String {
    escaped(&String::from_utf8_lossy(relative.as_os_str().as_bytes()))
}
