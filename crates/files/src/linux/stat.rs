//! What stands under a name, told without opening it: of a link the link itself.

use rustix::fs::{FileType, Stat};
use serde::{Deserialize, Serialize};

use crate::linux::files::Files;
use crate::linux::judge::{Purpose, not_a_directory, system};
use crate::linux::list::type_name;
use crate::linux::path::escaped;
use crate::linux::request::Text;
use crate::linux::resolve::Handle;
use crate::linux::view::View;
use crate::refusal::Refusal;

/// A file, a directory, a link or anything else that has a name.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct StatRequest {
    /// Relative paths start at the base.
    pub path: Text,
}

/// What is known of it from outside.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct StatAnswer {
    /// For messages: relative to the base where it lies beneath it.
    pub path: String,
    /// Its canonical name.
    pub absolute: String,
    /// As a listing names it.
    pub r#type: &'static str,
    /// Bytes of a file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub size: Option<u64>,
    /// Who may do what with it, as four octal digits.
    pub mode: String,
    /// When its content was changed last, in milliseconds since 1970.
    pub modified_ms: i64,
    /// When it was read last, as far as the file system keeps that.
    pub accessed_ms: i64,
    /// When its content, its name, its owner or its rights were changed last.
    pub changed_ms: i64,
    /// Of a link, whether it leads to a place `inside` or `outside` of the roots.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub target: Option<&'static str>,
    /// The text of a link, masked.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub link: Option<String>,
    /// Masked secrets of that text.
    pub redactions: usize,
}

impl Files {
    /// What a name stands for. Judged as reading is.
    pub fn stat(&self, request: &StatRequest) -> Result<StatAnswer, Refusal> {
        self.stat_entry(request).map_err(|refusal| self.masked(refusal))
    }

    fn stat_entry(&self, request: &StatRequest) -> Result<StatAnswer, Refusal> {
        let (asked, handle) = self.named_place(&request.path, Purpose::Read, false)?;
        let (Some(stat), Some(kind)) = (handle.stat(), handle.kind()) else {
            return Err(self.not_found(&asked, Some(&handle)));
        };
        if asked.names_directory && kind != FileType::Directory {
            return Err(not_a_directory(&asked, Purpose::Read));
        }
        self.check_identity(&asked, stat, Purpose::Read)?;
        let mut answer = StatAnswer {
            path: self.display(handle.canonical()),
            absolute: self.masked_text(&handle.canonical().to_string_lossy()),
            ..StatAnswer::of(stat, kind)
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

impl StatAnswer {
    fn of(stat: &Stat, kind: FileType) -> StatAnswer {
        let size = u64::try_from(stat.st_size).ok();
        StatAnswer {
            path: String::new(),
            absolute: String::new(),
            r#type: type_name(kind),
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
