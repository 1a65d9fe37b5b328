//! What stands under a name, told without opening it: of a link the link itself.

use rustix::fs::{FileType, Stat};

use crate::linux::answer::StatedFile;
use crate::linux::files::Files;
use crate::linux::judge::{Purpose, not_a_directory, system};
use crate::linux::path::escaped;
use crate::linux::request::StatRequest;
use crate::linux::resolve::Handle;
use crate::linux::view::View;
use crate::refusal::Refusal;

impl Files {
    /// What a name stands for. Judged as reading is.
    pub fn stat(&self, request: &StatRequest) -> Result<StatedFile, Refusal> {
        self.stat_entry(request).map_err(|refusal| self.masked(refusal))
    }

    fn stat_entry(&self, request: &StatRequest) -> Result<StatedFile, Refusal> {
        let (asked, handle) = self.named_place(&request.path, Purpose::Read, false)?;
        let (Some(stat), Some(kind)) = (handle.stat(), handle.kind()) else {
            return Err(self.not_found(&asked, Some(&handle)));
        };
        if asked.names_directory && kind != FileType::Directory {
            return Err(not_a_directory(&asked, Purpose::Read));
        }
        self.check_identity(&asked, stat, Purpose::Read)?;
        let mut answer = StatedFile {
            path: self.display(handle.canonical()),
            absolute: self.masked_text(&handle.canonical().to_string_lossy()),
            ..StatedFile::of(stat, kind)
        };
        if kind == FileType::Symlink {
            let text = link_text(&handle).map_err(|error| system(&asked, error, Purpose::Read))?;
            let view = View::of_name(&self.redactor, &text);
            answer.redactions = view.masks.len();
            answer.link = Some(view.text.into_owned());
            answer.target = Some(self.target_of(handle.canonical()));
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

/// On one line, however the link was made.
fn link_text(handle: &Handle) -> Result<String, rustix::io::Errno> {
    let text = rustix::fs::readlinkat(handle.parent(), handle.name(), Vec::new())?;
    Ok(escaped(&text.to_string_lossy()))
}
