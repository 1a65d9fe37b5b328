//! Tells what a name stands for, without opening the file. A link is not followed.

use rustix::fs::{FileType, Stat};

use crate::linux::answer::StatedFile;
use crate::linux::files::Files;
use crate::linux::judge::{Purpose, refuse_not_a_directory, refuse_system_error};
use crate::linux::path::escaped;
use crate::linux::request::StatRequest;
use crate::linux::resolve::Handle;
use crate::linux::view::MaskedView;
use crate::refusal::Refusal;

impl Files {
    pub(super) fn stat_entry(&self, request: &StatRequest) -> Result<StatedFile, Refusal> {
        let (requested, handle) = self.resolve_permitted(&request.path, Purpose::Read, false)?;
        let (Some(stat), Some(kind)) = (handle.stat(), handle.kind()) else {
            return Err(self.refuse_not_found(&requested, Some(&handle)));
        };
        if requested.names_directory && kind != FileType::Directory {
            return Err(refuse_not_a_directory(&requested, Purpose::Read));
        }
        self.check_identity(&requested, stat, Purpose::Read)?;
        let mut answer = StatedFile {
            path: self.display(handle.canonical()),
            absolute: self.masked_text(&handle.canonical().to_string_lossy()),
            ..StatedFile::of(stat, kind)
        };
        if kind == FileType::Symlink {
            let text = link_text(&handle)
                .map_err(|error| refuse_system_error(&requested, error, Purpose::Read))?;
            let view = MaskedView::unnumbered(&self.redactor, &text);
            answer.redactions = view.masks.len();
            answer.link = Some(view.text.into_owned());
            answer.target = Some(self.link_target(handle.canonical()));
        }
        Ok(answer)
    }
}

impl StatedFile {
    fn of(stat: &Stat, kind: FileType) -> StatedFile {
        let size = u64::try_from(stat.st_size).ok();
        StatedFile {
            path: String::new(),
            absolute: String::new(),
            r#type: kind.into(),
            size: size.filter(|_| kind == FileType::RegularFile),
            mode: format!("{:04o}", stat.st_mode & 0o7777),
            modified_ms: milliseconds(stat.st_mtime, stat.st_mtime_nsec),
            accessed_ms: milliseconds(stat.st_atime, stat.st_atime_nsec),
            changed_ms: milliseconds(stat.st_ctime, stat.st_ctime_nsec),
            target: None,
            link: None,
            redactions: 0,
        }
    }
}

fn milliseconds(seconds: i64, nanoseconds: u64) -> i64 {
    seconds.saturating_mul(1_000).saturating_add_unsigned(nanoseconds / 1_000_000)
}

/// The text of a link on one line, with control characters escaped.
fn link_text(handle: &Handle) -> Result<String, rustix::io::Errno> {
    let text = rustix::fs::readlinkat(handle.parent(), handle.name(), Vec::new())?;
    Ok(escaped(&text.to_string_lossy()))
}
