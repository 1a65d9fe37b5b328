//! Decides whether a call may use the place that it names. These are judged, and the first refusal wins: the path as it was
//! written, the place that it leads to, the identity of the file there, and whether its root is writable.

use std::fmt;
use std::path::{Component, Path, PathBuf};

use handrail_policy::paths::Blocked;
use rustix::fs::{FileType, Mode, Stat};
use rustix::io::Errno;

use crate::config::HardLinks;
use crate::linux::files::Files;
use crate::linux::ledger::FileId;
use crate::linux::path::{RequestedPath, shown};
use crate::linux::repository::TreeAfter;
use crate::linux::request::Text;
use crate::linux::resolve::{Handle, Unresolved};
use crate::refusal::{Refusal, code};
use crate::root::Root;

/// Most roots that a message names.
const MAX_SHOWN_ROOTS: usize = 8;

/// What a call does with a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Purpose {
    Read,
    Write,
    /// Changing parts of a file, which shows some of its content as well.
    Edit,
    /// Giving a file what it had before a call.
    Restore,
    /// Removing a file, or moving it to another place.
    Remove,
    List,
    /// Reading a file, or the files of a directory, to find lines.
    Search,
}

impl Purpose {
    fn verb(self) -> &'static str {
        match self {
            Purpose::Read => "Read",
            Purpose::Write | Purpose::Restore => "Write",
            Purpose::Edit => "Edit",
            Purpose::Remove => "Remove",
            Purpose::List => "List",
            Purpose::Search => "Search",
        }
    }

    /// Title of a refusal by a rule.
    fn denied_title(self) -> String {
        format!("{} denied", self.verb())
    }

    /// Title of a refusal because the file system does not have what was asked for.
    fn failed_title(self) -> String {
        format!("{} failed", self.verb())
    }

    fn is_change(self) -> bool {
        matches!(self, Purpose::Write | Purpose::Restore | Purpose::Edit | Purpose::Remove)
    }

    /// Whether the whole content is given, so that a file may come to be.
    fn writes_whole(self) -> bool {
        matches!(self, Purpose::Write | Purpose::Restore)
    }

    fn shows_content(self) -> bool {
        !self.writes_whole()
    }
}

pub(crate) fn file_id(stat: &Stat) -> FileId {
    (stat.st_dev, stat.st_ino)
}

impl Files {
    /// Resolves a path whose names, as written and as resolved, are permitted for this purpose. A link at its end is followed,
    /// or is itself the place.
    pub(crate) fn resolve_permitted(
        &self,
        path: &Text,
        purpose: Purpose,
        follows_last: bool,
    ) -> Result<(RequestedPath, Handle), Refusal> {
        let requested = RequestedPath::parse(path, &self.base, self.home.as_deref())?;
        if self.resolver().root_of(&requested.absolute).is_none() {
            return Err(self.refuse_outside(&requested));
        }
        self.check_name(&requested, &requested.absolute, purpose, None)?;
        if purpose.is_change() {
            requested.check_new_name()?;
        }
        let handle = match self
            .resolver()
            .walk(&requested.absolute, follows_last || requested.names_directory)
        {
            Ok(handle) => handle,
            Err(why) => return Err(self.refuse_unresolved(&requested, why, purpose)),
        };
        self.check_name(&requested, &requested.absolute, purpose, Some(&handle))?;
        self.check_name(&requested, handle.canonical(), purpose, Some(&handle))?;
        Ok((requested, handle))
    }

    /// Resolves a path to a place that is permitted for this purpose, with the file that is there.
    pub(crate) fn place(
        &self,
        path: &Text,
        purpose: Purpose,
    ) -> Result<(RequestedPath, Handle), Refusal> {
        let (requested, handle) = self.resolve_permitted(path, purpose, true)?;
        if purpose.is_change() {
            self.check_repository(&requested, &handle, &TreeAfter::of([(&handle, purpose)]))?;
        }
        self.check_kind(&requested, &handle, purpose)?;
        if let Some(stat) = handle.stat() {
            if purpose.writes_whole() {
                self.check_unreadable(&requested, handle.canonical())?;
            }
            self.check_identity(&requested, stat, purpose)?;
        }
        if purpose.is_change() {
            self.check_mode(&requested, &handle)?;
        }
        Ok((requested, handle))
    }

    /// Judges a name. What a tool takes up later, and a project may have among its sources, is refused where it is new, which
    /// shows once the file was looked for: nobody plants one, and one that is there is edited. An undo plants nothing.
    fn check_name(
        &self,
        requested: &RequestedPath,
        path: &Path,
        purpose: Purpose,
        found: Option<&Handle>,
    ) -> Result<(), Refusal> {
        let path = path.to_string_lossy();
        let is_new = found.is_some_and(|handle| handle.stat().is_none());
        let holds =
            |blocked: &Blocked| !blocked.is_only_new() || (is_new && purpose == Purpose::Write);
        if purpose.is_change()
            && let Some(blocked) = self.rules.judge_write(&path).filter(holds)
        {
            return Err(refuse_blocked(requested, purpose, code::BLOCKED_WRITE, blocked));
        }
        let blocked = if purpose.shows_content() { self.rules.judge_read(&path) } else { None };
        blocked.map_or(Ok(()), |blocked| {
            Err(refuse_blocked(requested, purpose, code::BLOCKED_READ, blocked))
        })
    }

    /// Refuses to replace a file that may not be read: nobody would know what is lost.
    fn check_unreadable(&self, requested: &RequestedPath, canonical: &Path) -> Result<(), Refusal> {
        let judge = |path: &Path| self.rules.judge_read(&path.to_string_lossy());
        let blocked = judge(&requested.absolute).or_else(|| judge(canonical));
        blocked.map_or(Ok(()), |blocked| Err(refuse_unreadable(requested, blocked)))
    }

    fn check_kind(
        &self,
        requested: &RequestedPath,
        handle: &Handle,
        purpose: Purpose,
    ) -> Result<(), Refusal> {
        let Some(kind) = handle.kind() else {
            return match purpose {
                Purpose::Write | Purpose::Restore if requested.names_directory => {
                    Err(refuse_is_a_directory(requested, purpose))
                }
                Purpose::Write | Purpose::Restore => Ok(()),
                _ => Err(self.refuse_not_found(requested, Some(handle))),
            };
        };
        match (kind, purpose) {
            (FileType::Directory, Purpose::List | Purpose::Search) => Ok(()),
            (FileType::Directory, _) => Err(refuse_is_a_directory(requested, purpose)),
            (_, Purpose::List) => Err(refuse_not_a_directory(requested, purpose)),
            (FileType::RegularFile, _) if requested.names_directory => {
                Err(refuse_not_a_directory(requested, purpose))
            }
            (FileType::RegularFile, _) => Ok(()),
            _ => Err(refuse_special_file(requested, purpose)),
        }
    }

    /// Refuses a file by its identity, whatever its name is: a secret one, a read-only one, or one with several names.
    pub(crate) fn check_identity(
        &self,
        requested: &RequestedPath,
        stat: &Stat,
        purpose: Purpose,
    ) -> Result<(), Refusal> {
        if let Some(blocked) = self.secret_file(stat) {
            return Err(if purpose.shows_content() {
                refuse_blocked(requested, purpose, code::BLOCKED_READ, blocked)
            } else {
                refuse_unreadable(requested, blocked)
            });
        }
        let is_read_only = stat.st_mode & Mode::WUSR.bits() == 0;
        if purpose.is_change() && is_read_only && !self.replace_read_only {
            let mode = stat.st_mode & 0o777;
            let predicate = format!("is read-only (mode {mode:03o}). Nothing was written");
            let hint = "Ask the user to make it writable, or the host for `replaceReadOnly: true`.";
            let refusal =
                requested.refuse(code::READ_ONLY, predicate).titled(purpose.denied_title());
            return Err(refusal.with_hint(hint));
        }
        if purpose.is_change() && stat.st_nlink > 1 && self.hard_links == HardLinks::Refuse {
            let count = stat.st_nlink;
            let predicate =
                format!("has {count} names, and the others may lie elsewhere. Nothing was written");
            let refusal =
                requested.refuse(code::HARD_LINK, predicate).titled(Purpose::Write.denied_title());
            return Err(refusal.with_hint("Write a new file under another name."));
        }
        Ok(())
    }

    /// Refuses to change a place whose innermost root is read-only.
    fn check_mode(&self, requested: &RequestedPath, handle: &Handle) -> Result<(), Refusal> {
        let holds = |root: &&Root| handle.canonical().starts_with(root.path());
        let roots = self.roots().iter().filter(holds);
        if roots.max_by_key(|root| root.path().as_os_str().len()).is_some_and(Root::is_writable) {
            return Ok(());
        }
        let predicate = "lies in a read-only directory. Nothing was written";
        let refusal =
            requested.refuse(code::READ_ONLY_ROOT, predicate).titled(Purpose::Write.denied_title());
        let who = "Only the host can make it a root with mode `rw`: ask the user if it has to be written.";
        Err(refusal.with_hint(format!("{} {who}", self.allowed_directories())))
    }

    pub(crate) fn refuse_unresolved(
        &self,
        requested: &RequestedPath,
        why: Unresolved,
        purpose: Purpose,
    ) -> Refusal {
        match why {
            Unresolved::Outside => self.refuse_outside(requested),
            Unresolved::NotFound => self.refuse_not_found(requested, None),
            Unresolved::NotADirectory => refuse_not_a_directory(requested, purpose),
            Unresolved::TooManyLinks => {
                requested.refuse(code::TOO_MANY_LINKS, "leads through more than 40 links")
            }
            Unresolved::System(errno) => refuse_system_error(requested, errno, purpose),
        }
    }

    fn refuse_outside(&self, requested: &RequestedPath) -> Refusal {
        let predicate = if self.is_named_inside(&requested.absolute) {
            "leads outside the allowed directories by a link"
        } else {
            "is outside the allowed directories"
        };
        let refusal = requested.refuse(code::OUTSIDE_ROOT, predicate).titled("Access denied");
        refusal.with_hint(self.other_place())
    }

    /// Whether a path, as it is written, enters a root and stays in roots: then only a link leads out.
    fn is_named_inside(&self, path: &Path) -> bool {
        let is_inside =
            |place: &Path| self.roots().iter().any(|root| place.starts_with(root.path()));
        let mut has_entered = false;
        let mut place = PathBuf::new();
        for part in path.components() {
            place.push(part);
            place = normal(&place);
            if has_entered && !is_inside(&place) {
                return false;
            }
            has_entered |= is_inside(&place);
        }
        has_entered
    }

    /// The refusal of the pattern of this argument that leads out of the directory it is looked for in, with the path and the pattern that say the
    /// same where that directory may be searched.
    pub(crate) fn refuse_leading_pattern(
        &self,
        refusal: Refusal,
        argument: &str,
        pattern: &Text,
        path: &Text,
    ) -> Refusal {
        let text = pattern.0.as_deref().unwrap_or_default();
        let (folder, rest) = literal_folder(text);
        if refusal.code != code::OUTSIDE_ROOT || folder.is_empty() {
            return refusal;
        }
        let Ok(base) = RequestedPath::parse(path, &self.base, self.home.as_deref()) else {
            return refusal;
        };
        let searched = normal(&base.absolute.join(folder));
        if self.roots().iter().any(|root| searched.starts_with(root.path())) {
            let searched = shown(&searched.to_string_lossy());
            return refusal
                .with_hint(format!("Give path {searched} and {argument} {}.", shown(rest)));
        }
        // With a root there the pattern as it is would be refused again.
        let place = shown(&searched.to_string_lossy());
        let then = format!("That is searched with path {place} and {argument} {}.", shown(rest));
        refusal.with_hint(format!("{} {then}", self.other_place()))
    }

    /// Where to look instead, and who can open another place.
    fn other_place(&self) -> String {
        let who = "Only the host can add a root: ask the user if it has to be this place.";
        format!("{} {who}", self.allowed_directories())
    }

    fn allowed_directories(&self) -> String {
        let name = |root: &Root| {
            let mode = if root.is_writable() { "read and write" } else { "read only" };
            format!("{} ({mode})", shown(&root.path().to_string_lossy()))
        };
        let places: Vec<&Root> = self.roots().iter().filter(|root| root.is_named()).collect();
        let names: Vec<String> =
            places.iter().take(MAX_SHOWN_ROOTS).map(|root| name(root)).collect();
        let and_others = if places.len() > MAX_SHOWN_ROOTS { " and others" } else { "" };
        if names.is_empty() {
            "There are none.".into()
        } else {
            format!("Allowed: {}{and_others}.", names.join(", "))
        }
    }
}

/// The path without `.` and `..`, whatever links it leads through.
pub(crate) fn normal(path: &Path) -> PathBuf {
    let mut parts = PathBuf::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir => {
                parts.pop();
            }
            part => parts.push(part),
        }
    }
    parts
}

/// The folder in front of the first special character of a pattern, and the rest.
fn literal_folder(pattern: &str) -> (&str, &str) {
    let special = pattern.find(['*', '?', '[', '{']).unwrap_or(pattern.len());
    match pattern[..special].rfind('/') {
        Some(0) => ("/", &pattern[1..]),
        Some(end) => (&pattern[..end], &pattern[end + 1..]),
        None => ("", pattern),
    }
}

impl Refusal {
    /// The same refusal, whose message begins with a title, such as `Write denied`.
    pub(crate) fn titled(self, outcome: impl fmt::Display) -> Refusal {
        Refusal { message: format!("{outcome}: {}", self.reason).into(), ..self }
    }

    pub(crate) fn with_hint(mut self, hint: impl Into<Box<str>>) -> Refusal {
        self.hint = Some(hint.into());
        self
    }

    pub(crate) fn with_lines(mut self, lines: Vec<usize>) -> Refusal {
        self.lines = lines.into();
        self
    }

    /// The same refusal, for the edit or hunk with this index.
    pub(crate) fn of_edit(self, index: usize) -> Refusal {
        Refusal { edit: u32::try_from(index).ok(), ..self }
    }

    /// A refusal by a rule.
    pub(crate) fn blocked(code: &'static str, shown: &str, blocked: Blocked) -> Refusal {
        let reason = format!("{shown} is protected (rule {})", blocked.rule);
        Refusal { rule: Some(blocked.rule), ..Refusal::new(code, reason).with_hint(blocked.hint()) }
    }
}

pub(crate) fn refuse_blocked(
    requested: &RequestedPath,
    purpose: Purpose,
    code: &'static str,
    blocked: Blocked,
) -> Refusal {
    Refusal::blocked(code, &requested.shown, blocked).titled(purpose.denied_title())
}

fn refuse_unreadable(requested: &RequestedPath, blocked: Blocked) -> Refusal {
    let hint = "It exists and may not be read, so it is not replaced; ask the user, or write a file of another name.";
    let blocked = Blocked { hint, later: None, ..blocked };
    refuse_blocked(requested, Purpose::Write, code::BLOCKED_WRITE, blocked)
}

fn refuse_is_a_directory(requested: &RequestedPath, purpose: Purpose) -> Refusal {
    requested.refuse(code::IS_A_DIRECTORY, "is a directory").titled(purpose.failed_title())
}

pub(super) fn refuse_not_a_directory(requested: &RequestedPath, purpose: Purpose) -> Refusal {
    let predicate = if purpose == Purpose::List {
        "is not a directory"
    } else {
        "leads through a file as if it were a directory"
    };
    requested.refuse(code::NOT_A_DIRECTORY, predicate).titled(purpose.failed_title())
}

pub(crate) fn refuse_special_file(requested: &RequestedPath, purpose: Purpose) -> Refusal {
    let predicate = "is a pipe, a socket, a device or a file without an end";
    requested.refuse(code::SPECIAL_FILE, predicate).titled(purpose.denied_title())
}

pub(crate) fn refuse_system_error(
    requested: &RequestedPath,
    errno: Errno,
    purpose: Purpose,
) -> Refusal {
    let error = std::io::Error::from(errno);
    let reason = format!("{}: {error}", requested.shown);
    Refusal::new(code::SYSTEM, reason).titled(purpose.failed_title())
}
