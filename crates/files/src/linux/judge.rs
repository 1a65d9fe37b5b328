//! From a request to a handle that may be used. First refusal wins: the name as it was asked for, the place it turned out
//! to be, the identity of the file, the mode of its root.

use std::collections::BTreeSet;
use std::fmt;
use std::path::{Path, PathBuf};

use handrail_policy::paths::{Blocked, fold, rule_id};
use rustix::fs::{AtFlags, FileType, Mode, OFlags, Stat};
use rustix::io::Errno;

use crate::config::HardLinks;
use crate::linux::files::Files;
use crate::linux::ledger::FileId;
use crate::linux::path::{Asked, shown};
use crate::linux::request::Text;
use crate::linux::resolve::{Handle, Unresolved};
use crate::refusal::{Refusal, code};
use crate::root::Root;

/// Longest file `.git` that is looked into.
const MAX_GIT_POINTER_BYTES: usize = 4096;
/// Roots that a message names.
const SHOWN_ROOTS: usize = 8;

/// What a handle is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Purpose {
    Read,
    Write,
    /// Changing a part of what is there, which shows some of it as well.
    Edit,
    /// Taking a file away, perhaps to another place.
    Remove,
    List,
    /// Reading a file, or those of a directory.
    Search,
}

impl Purpose {
    fn verb(self) -> &'static str {
        match self {
            Purpose::Read => "Read",
            Purpose::Write => "Write",
            Purpose::Edit => "Edit",
            Purpose::Remove => "Remove",
            Purpose::List => "List",
            Purpose::Search => "Search",
        }
    }

    /// What a refusal is titled when a rule is against it.
    fn denied(self) -> String {
        format!("{} denied", self.verb())
    }

    /// What a refusal is titled when it cannot be done.
    fn failed(self) -> String {
        format!("{} failed", self.verb())
    }

    fn changes(self) -> bool {
        matches!(self, Purpose::Write | Purpose::Edit | Purpose::Remove)
    }

    fn shows(self) -> bool {
        self != Purpose::Write
    }
}

pub(crate) fn file_id(stat: &Stat) -> FileId {
    (stat.st_dev, stat.st_ino)
}

impl Files {
    /// The place that was asked for, as far as its names say that it may be used; of a link at its end where that leads, or
    /// the link itself.
    pub(crate) fn named_place(
        &self,
        path: &Text,
        purpose: Purpose,
        follows_last: bool,
    ) -> Result<(Asked, Handle), Refusal> {
        let asked = Asked::parse(path, &self.base, self.home.as_deref())?;
        if self.resolver().anchor(&asked.absolute).is_none() {
            return Err(self.outside(&asked));
        }
        self.check_name(&asked, &asked.absolute, purpose)?;
        if purpose.changes() {
            asked.check_new_name()?;
        }
        let handle =
            match self.resolver().walk(&asked.absolute, follows_last || asked.names_directory) {
                Ok(handle) => handle,
                Err(why) => return Err(self.unresolved(&asked, why, purpose)),
            };
        self.check_name(&asked, handle.canonical(), purpose)?;
        Ok((asked, handle))
    }

    /// The place that was asked for, if it may be used.
    pub(crate) fn place(&self, path: &Text, purpose: Purpose) -> Result<(Asked, Handle), Refusal> {
        let (asked, handle) = self.named_place(path, purpose, true)?;
        if purpose.changes() {
            self.check_repository(&asked, &handle, &Effect::of([(&handle, purpose)]))?;
        }
        self.check_kind(&asked, &handle, purpose)?;
        if let Some(stat) = handle.stat() {
            if purpose == Purpose::Write {
                self.check_hidden(&asked, handle.canonical())?;
            }
            self.check_identity(&asked, stat, purpose)?;
        }
        if purpose.changes() {
            self.check_mode(&asked, &handle)?;
        }
        Ok((asked, handle))
    }

    fn check_name(&self, asked: &Asked, path: &Path, purpose: Purpose) -> Result<(), Refusal> {
        let path = path.to_string_lossy();
        if purpose.changes()
            && let Some(blocked) = self.rules.judge_write(&path)
        {
            return Err(refuse_blocked(asked, purpose, code::BLOCKED_WRITE, blocked));
        }
        let blocked = if purpose.shows() { self.rules.judge_read(&path) } else { None };
        blocked.map_or(Ok(()), |blocked| {
            Err(refuse_blocked(asked, purpose, code::BLOCKED_READ, blocked))
        })
    }

    /// What may not be read is not replaced either: nobody knows what is lost.
    fn check_hidden(&self, asked: &Asked, canonical: &Path) -> Result<(), Refusal> {
        let judge = |path: &Path| self.rules.judge_read(&path.to_string_lossy());
        let blocked = judge(&asked.absolute).or_else(|| judge(canonical));
        blocked.map_or(Ok(()), |blocked| Err(refuse_hidden(asked, blocked)))
    }

    fn check_kind(&self, asked: &Asked, handle: &Handle, purpose: Purpose) -> Result<(), Refusal> {
        let Some(kind) = handle.kind() else {
            return match purpose {
                Purpose::Write if asked.names_directory => Err(is_a_directory(asked, purpose)),
                Purpose::Write => Ok(()),
                _ => Err(self.not_found(asked, Some(handle))),
            };
        };
        match (kind, purpose) {
            (FileType::Directory, Purpose::List | Purpose::Search) => Ok(()),
            (FileType::Directory, _) => Err(is_a_directory(asked, purpose)),
            (_, Purpose::List) => Err(not_a_directory(asked, purpose)),
            (FileType::RegularFile, _) if asked.names_directory => {
                Err(not_a_directory(asked, purpose))
            }
            (FileType::RegularFile, _) => Ok(()),
            _ => Err(special_file(asked, purpose)),
        }
    }

    /// Whether the file itself may be touched, whatever its name is.
    pub(crate) fn check_identity(
        &self,
        asked: &Asked,
        stat: &Stat,
        purpose: Purpose,
    ) -> Result<(), Refusal> {
        if let Some(&blocked) = self.secrets.get(&file_id(stat)) {
            return Err(if purpose.shows() {
                refuse_blocked(asked, purpose, code::BLOCKED_READ, blocked)
            } else {
                refuse_hidden(asked, blocked)
            });
        }
        let is_read_only = stat.st_mode & Mode::WUSR.bits() == 0;
        if purpose.changes() && is_read_only && !self.replace_read_only {
            let reason = format!(
                "{} is read-only (mode {:03o}). Nothing was written",
                asked.shown,
                stat.st_mode & 0o777
            );
            let hint = "Ask the user to make it writable, or the host for `replaceReadOnly: true`.";
            let refusal = Refusal::new(code::READ_ONLY, reason).titled(purpose.denied());
            return Err(refusal.with_hint(hint));
        }
        if purpose.changes() && stat.st_nlink > 1 && self.hard_links == HardLinks::Refuse {
            let reason = format!(
                "{} has {} names, and the others may lie elsewhere. Nothing was written",
                asked.shown, stat.st_nlink
            );
            let refusal = Refusal::new(code::HARD_LINK, reason).titled(Purpose::Write.denied());
            return Err(refusal.with_hint("Write a new file under another name."));
        }
        Ok(())
    }

    /// The innermost root decides.
    fn check_mode(&self, asked: &Asked, handle: &Handle) -> Result<(), Refusal> {
        let holds = |root: &&Root| handle.canonical().starts_with(root.path());
        let roots = self.roots().iter().filter(holds);
        if roots.max_by_key(|root| root.path().as_os_str().len()).is_some_and(Root::is_writable) {
            return Ok(());
        }
        let reason = format!("{} lies in a read-only directory. Nothing was written", asked.shown);
        let refusal = Refusal::new(code::READ_ONLY_ROOT, reason).titled(Purpose::Write.denied());
        Err(refusal.with_hint(self.allowed_directories()))
    }

    /// A repository is known by what is in it as well: by the file `.git` that names it, and by the three entries that git
    /// takes for one. Neither what is one, nor what is one when all of the effect is there, is changed.
    pub(crate) fn check_repository(
        &self,
        asked: &Asked,
        handle: &Handle,
        effect: &Effect,
    ) -> Result<(), Refusal> {
        let path = handle.canonical();
        let Some(root) = self.roots().iter().find(|root| path.starts_with(root.path())) else {
            return Ok(());
        };
        if !self.rules.holds_for_writes(rule_id::GIT_METADATA) {
            return Ok(());
        }
        let nothing = Effect::default();
        let below = path.ancestors().skip(1).take_while(|folder| folder.starts_with(root.path()));
        for folder in below {
            let is_repository = |effect: &Effect| {
                ["refs", "objects", "HEAD"].iter().all(|name| effect.leaves(root, folder, name))
            };
            let relative = folder.strip_prefix(root.path()).unwrap_or(folder);
            if is_repository(&nothing)
                || is_repository(effect)
                || git_folder(root, relative).is_some_and(|git| path.starts_with(folder.join(git)))
            {
                let hint =
                    "Git takes the folder for a repository; use git commands, or ask the user.";
                let blocked = Blocked { rule: rule_id::GIT_METADATA, hint };
                return Err(refuse_blocked(asked, Purpose::Write, code::BLOCKED_WRITE, blocked));
            }
        }
        Ok(())
    }

    pub(crate) fn unresolved(&self, asked: &Asked, why: Unresolved, purpose: Purpose) -> Refusal {
        match why {
            Unresolved::Outside => self.outside(asked),
            Unresolved::NotFound => self.not_found(asked, None),
            Unresolved::NotADirectory => not_a_directory(asked, purpose),
            Unresolved::TooManyLinks => {
                let message = format!("{} leads through more than 40 links", asked.shown);
                Refusal::new(code::TOO_MANY_LINKS, message)
            }
            Unresolved::System(errno) => system(asked, errno, purpose),
        }
    }

    fn outside(&self, asked: &Asked) -> Refusal {
        let reason = format!("{} is outside the allowed directories", asked.shown);
        let refusal = Refusal::new(code::OUTSIDE_ROOT, reason).titled("Access denied");
        refusal.with_hint(self.allowed_directories())
    }

    fn allowed_directories(&self) -> String {
        let name = |root: &Root| {
            let mode = if root.is_writable() { "read and write" } else { "read only" };
            format!("{} ({mode})", shown(&root.path().to_string_lossy()))
        };
        let names: Vec<String> = self.roots().iter().take(SHOWN_ROOTS).map(name).collect();
        let more = if self.roots().len() > SHOWN_ROOTS { " and others" } else { "" };
        if names.is_empty() {
            "There are none.".into()
        } else {
            format!("Allowed: {}{more}.", names.join(", "))
        }
    }
}

/// What a call makes of a tree: a view of the tree that it leaves, before anything is changed.
#[derive(Debug, Default)]
pub(crate) struct Effect {
    /// Places that are taken, and the folders on the way to them; folded, since the file system may not tell letters apart.
    there: BTreeSet<PathBuf>,
    gone: BTreeSet<PathBuf>,
}

impl Effect {
    pub(crate) fn of<'h>(places: impl IntoIterator<Item = (&'h Handle, Purpose)>) -> Effect {
        let mut effect = Effect::default();
        for (handle, purpose) in places {
            let path = handle.canonical();
            if purpose == Purpose::Remove {
                effect.gone.insert(path.to_path_buf());
                continue;
            }
            effect.there.extend(path.ancestors().take(handle.missing().len() + 1).map(folded));
        }
        effect
    }

    /// Whether a folder of a root has such an entry in the end.
    fn leaves(&self, root: &Root, folder: &Path, name: &str) -> bool {
        let path = folder.join(name);
        let is_on_disk = || {
            let relative = path.strip_prefix(root.path()).unwrap_or(&path);
            let flags = AtFlags::SYMLINK_NOFOLLOW;
            rustix::fs::statat(root.held(), relative, flags).is_ok()
        };
        self.there.contains(&folded(&path)) || (!self.gone.contains(&path) && is_on_disk())
    }
}

fn folded(path: &Path) -> PathBuf {
    path.iter().map(|name| fold(&name.to_string_lossy())).collect()
}

/// The folder that a file `.git` here names.
fn git_folder(root: &Root, folder: &Path) -> Option<PathBuf> {
    use std::os::unix::ffi::OsStrExt;

    let flags =
        OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::NOCTTY | OFlags::CLOEXEC;
    let file = rustix::fs::openat(root.held(), folder.join(".git"), flags, Mode::empty()).ok()?;
    let status = rustix::fs::fstat(&file).ok()?;
    if FileType::from_raw_mode(status.st_mode) != FileType::RegularFile {
        return None;
    }
    let mut start = [0; MAX_GIT_POINTER_BYTES];
    let length = rustix::io::read(&file, &mut start).ok()?;
    let named = start[..length].strip_prefix(b"gitdir:")?.trim_ascii();
    Some(Path::new(std::ffi::OsStr::from_bytes(named)).components().collect())
}

impl Refusal {
    /// The message says first what became of the call.
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

    /// The refusal concerns the edit, or hunk, with this index.
    pub(crate) fn of_edit(self, index: usize) -> Refusal {
        Refusal { edit: u32::try_from(index).ok(), ..self }
    }

    pub(crate) fn blocked(code: &'static str, shown: &str, blocked: Blocked) -> Refusal {
        let reason = format!("{shown} is protected (rule {})", blocked.rule);
        Refusal { rule: Some(blocked.rule), ..Refusal::new(code, reason).with_hint(blocked.hint) }
    }
}

fn refuse_blocked(
    asked: &Asked,
    purpose: Purpose,
    code: &'static str,
    blocked: Blocked,
) -> Refusal {
    Refusal::blocked(code, &asked.shown, blocked).titled(purpose.denied())
}

fn refuse_hidden(asked: &Asked, blocked: Blocked) -> Refusal {
    let hint = "It exists and may not be read, so it is not replaced; ask the user, or write a file of another name.";
    let blocked = Blocked { hint, ..blocked };
    refuse_blocked(asked, Purpose::Write, code::BLOCKED_WRITE, blocked)
}

fn is_a_directory(asked: &Asked, purpose: Purpose) -> Refusal {
    let reason = format!("{} is a directory", asked.shown);
    Refusal::new(code::IS_A_DIRECTORY, reason).titled(purpose.failed())
}

pub(super) fn not_a_directory(asked: &Asked, purpose: Purpose) -> Refusal {
    let what = if purpose == Purpose::List {
        "is not a directory"
    } else {
        "leads through a file as if it were a directory"
    };
    let reason = format!("{} {what}", asked.shown);
    Refusal::new(code::NOT_A_DIRECTORY, reason).titled(purpose.failed())
}

pub(crate) fn special_file(asked: &Asked, purpose: Purpose) -> Refusal {
    let reason = format!("{} is a pipe, a socket, a device or a file without an end", asked.shown);
    Refusal::new(code::SPECIAL_FILE, reason).titled(purpose.denied())
}

pub(crate) fn system(asked: &Asked, errno: Errno, purpose: Purpose) -> Refusal {
    let error = std::io::Error::from(errno);
    let reason = format!("{}: {error}", asked.shown);
    Refusal::new(code::SYSTEM, reason).titled(purpose.failed())
}
