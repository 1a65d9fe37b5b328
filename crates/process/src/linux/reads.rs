//! The limits of reading with their names resolved to the files that are there now.

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{FileTypeExt, MetadataExt};
use std::path::{Component, Path, PathBuf};

use handrail_files::Roots;
use handrail_policy::paths::ForCommands;
use handrail_policy::plan::{ReadLimits, Reads};
use handrail_supervisor::message::{PlanPlace, PlanReads};

use crate::ReadPlaces;
use crate::linux::kernel_plan::TEMPORARY_FOLDER;

/// Folders that no limit of reading covers: nothing would run.
const SYSTEM_FOLDERS: [&str; 10] =
    ["/usr", "/bin", "/sbin", "/lib", "/lib64", "/etc", "/proc", "/dev", "/run", "/tmp"];
/// Folders that a plan of roots lets commands read besides the roots.
const READ_FOLDERS: [&str; 13] = [
    "/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32", "/opt", "/etc", "/nix",
    "/snap", "/proc", "/sys",
];
/// Settings that are often links to files elsewhere.
const LINKED_SETTINGS: [&str; 3] = ["/etc/resolv.conf", "/etc/localtime", "/etc/ssl/cert.pem"];
/// Folders of a tool chain that its programs are found in. The folder above holds the rest of it.
const PROGRAM_FOLDERS: [&str; 3] = ["bin", "sbin", "shims"];
/// A folder above folders of programs that holds much besides.
const LOCAL_FOLDER: &str = ".local";
/// The variables that say where a tool chain lies.
const TOOL_CHAIN_VARIABLES: [&str; 16] = [
    "RUSTUP_HOME",
    "PYENV_ROOT",
    "RBENV_ROOT",
    "NODENV_ROOT",
    "GOENV_ROOT",
    "NVM_DIR",
    "FNM_DIR",
    "VOLTA_HOME",
    "ASDF_DIR",
    "ASDF_DATA_DIR",
    "SDKMAN_DIR",
    "GOROOT",
    "JAVA_HOME",
    "DOTNET_ROOT",
    "GOPATH",
    "VIRTUAL_ENV",
];
/// The folder of sockets of services, and how deep they are looked for there.
const SOCKET_FOLDER: &str = "/run";
const SOCKET_DEPTH: usize = 3;
/// Most entries that are looked at for one list. What is beyond is not found.
const MAX_WALKED: usize = 200_000;
/// Most places of one list.
const MAX_PLACES: usize = 500;
/// The table of the Unix sockets of this machine.
const SOCKET_TABLE: &str = "/proc/net/unix";
/// The flag of that table that a socket accepts connections.
const LISTENS: u32 = 0x1_0000;

/// What the limits of reading depend on besides themselves.
pub(crate) struct Surroundings<'a> {
    pub(crate) roots: &'a Roots,
    /// Folders in which programs are found, and the files and folders that may be executed.
    pub(crate) programs: Vec<&'a Path>,
    pub(crate) environment: &'a [(String, String)],
    /// Whether the folder of temporary files is the run's own.
    pub(crate) own_temporary: bool,
    /// Whether every writable root may be written to.
    pub(crate) writes_roots: bool,
}

/// When the folders last changed in which protected places can come to be.
pub(crate) fn stamps(limits: &ReadLimits, places: &ReadPlaces) -> Vec<(i64, i64)> {
    if limits.reads == Reads::Any {
        return Vec::new();
    }
    let folders: BTreeSet<&Path> =
        places.places.iter().filter_map(|place| fixed_folder(&place.pattern)).collect();
    // So much happens among temporary files that they are looked at only with the rest.
    let folders = folders.into_iter().filter(|folder| *folder != Path::new(TEMPORARY_FOLDER));
    let changed = |folder: &Path| {
        std::fs::metadata(folder).map_or((0, 0), |status| (status.mtime(), status.mtime_nsec()))
    };
    folders.map(changed).collect()
}

/// The folder of a pattern that has no `*` in its path.
fn fixed_folder(pattern: &str) -> Option<&Path> {
    let fixed = pattern.split('*').next().unwrap_or_default();
    fixed
        .rsplit_once('/')
        .map(|(folder, _)| Path::new(if folder.is_empty() { "/" } else { folder }))
}

/// The limits with their names resolved.
pub(crate) fn resolve(
    limits: &ReadLimits,
    places: &ReadPlaces,
    surroundings: &Surroundings<'_>,
) -> PlanReads {
    let home = places.home.as_deref().and_then(|home| std::fs::canonicalize(home).ok());
    let named = Named { home: places.home.as_deref(), roots: paths_of(surroundings.roots) };
    let resolver = Resolver { home, surroundings, named };
    resolver.resolve(limits, places)
}

fn paths_of(roots: &Roots) -> Vec<&Path> {
    match roots {
        Roots::Unrestricted => Vec::new(),
        Roots::Only(roots) => roots.iter().map(handrail_files::Root::path).collect(),
    }
}

/// What the names of a host's lists start from.
struct Named<'a> {
    home: Option<&'a Path>,
    roots: Vec<&'a Path>,
}

impl Named<'_> {
    /// The files and folders that an entry of a host's list names.
    fn expand(&self, entry: &str) -> Vec<PathBuf> {
        if let Some(rest) = entry.strip_prefix("~/") {
            let home = self.home.and_then(Path::to_str);
            return home.map_or_else(Vec::new, |home| expand(&format!("{home}/{rest}")));
        }
        if entry.starts_with('/') {
            return expand(entry);
        }
        let is_name = !entry.trim_start_matches("./").contains('/');
        if is_name {
            return self.roots.iter().flat_map(|root| named_beneath(root, entry)).collect();
        }
        let above = self.roots.iter().filter_map(|root| root.to_str());
        above.flat_map(|root| expand(&format!("{root}/{entry}"))).collect()
    }
}

struct Resolver<'a> {
    /// The canonical path of the home folder.
    home: Option<PathBuf>,
    surroundings: &'a Surroundings<'a>,
    named: Named<'a>,
}

impl Resolver<'_> {
    fn resolve(&self, limits: &ReadLimits, places: &ReadPlaces) -> PlanReads {
        let is_asked = limits.reads != Reads::Any;
        let readable: Vec<PathBuf> = limits
            .readable
            .iter()
            .flat_map(|entry| self.named.expand(entry))
            .filter_map(real)
            .collect();
        let is_lifted = |path: &Path| readable.iter().any(|entry| path.starts_with(entry));
        let (mut covered, mut hidden) = (BTreeSet::new(), BTreeSet::new());
        for place in &places.places {
            let is_held = match place.held {
                ForCommands::Always => true,
                ForCommands::Held | ForCommands::Sockets => is_asked,
                ForCommands::No => false,
            };
            if !is_held {
                continue;
            }
            let found = expand(&place.pattern).into_iter().filter_map(real);
            let found = found.filter(|path| !is_lifted(path) && self.can_be_covered(path));
            match place.held {
                ForCommands::Always => {
                    covered.extend(found.filter(|path| self.is_kept_secret(path)));
                }
                ForCommands::Sockets => hidden.extend(found),
                _ => covered.extend(found),
            }
        }
        if is_asked {
            let listening = listening_sockets(self.home.as_deref())
                .chain(sockets_beneath(Path::new(SOCKET_FOLDER)));
            let listening = listening
                .filter_map(real)
                .filter(|path| !is_lifted(path) && !self.is_in_root(path));
            hidden.extend(listening.take(MAX_PLACES));
        }
        let denied = limits.unreadable.iter().flat_map(|entry| self.named.expand(entry));
        covered.extend(
            denied.filter_map(real).filter(|path| self.can_be_covered(path)).take(MAX_PLACES),
        );
        if self.surroundings.own_temporary {
            covered.retain(|path| !path.starts_with(TEMPORARY_FOLDER));
            hidden.retain(|path| !path.starts_with(TEMPORARY_FOLDER));
        }
        let own = places.own.iter().cloned().filter_map(real);
        let tool_chains: BTreeSet<PathBuf> = self.tool_chains().chain(own).collect();
        let is_beneath = |path: &Path| {
            covered.iter().chain(&hidden).any(|place| path.starts_with(place) && path != place)
        };
        let has_roots = matches!(self.surroundings.roots, Roots::Only(_));
        let directory = real(places.directory.clone()).filter(|_| !has_roots);
        let kept = readable.iter().chain(&tool_chains).chain(&directory);
        let kept = kept.filter(|path| is_beneath(path));
        let kept = kept.map(|path| bytes(path)).collect();
        let only = (limits.reads == Reads::Roots).then(|| self.only(&readable, &tool_chains));
        PlanReads {
            limited: limits.limits_anything(),
            lists: digest(limits, places),
            kept,
            only,
            covered: covered.iter().filter_map(|path| identified(path)).collect(),
            hidden: hidden.iter().filter_map(|path| identified(path)).collect(),
        }
    }

    /// Whether the place can be taken away. A root is the host's word, and without the system and the folders that lead to the home
    /// nothing runs.
    fn can_be_covered(&self, path: &Path) -> bool {
        let is_above_home = self.home.as_deref().is_some_and(|home| home.starts_with(path));
        let is_above_system =
            SYSTEM_FOLDERS.iter().any(|folder| Path::new(folder).starts_with(path));
        let is_root = self.named.roots.contains(&path);
        !is_above_home && !is_above_system && !is_root
    }

    /// Whether a file of the machine is covered with every plan: only root can read such files, and beneath a writable root the host works
    /// on them.
    fn is_kept_secret(&self, path: &Path) -> bool {
        let Roots::Only(roots) = self.surroundings.roots else { return is_root_user() };
        let mut writable =
            roots.iter().filter(|root| root.is_writable() && self.surroundings.writes_roots);
        is_root_user() && !writable.any(|root| path.starts_with(root.path()))
    }

    fn is_in_root(&self, path: &Path) -> bool {
        self.named.roots.iter().any(|root| path.starts_with(root))
    }

    /// The folders of the tool chains that the plan uses.
    fn tool_chains(&self) -> impl Iterator<Item = PathBuf> {
        let programs = self.surroundings.programs.iter();
        let folders =
            programs.flat_map(|path| [Some(path.to_path_buf()), std::fs::canonicalize(path).ok()]);
        let folders = folders.flatten().filter_map(|path| {
            if path.is_dir() { Some(path) } else { path.parent().map(Path::to_path_buf) }
        });
        let named = |(name, value): &(String, String)| {
            (TOOL_CHAIN_VARIABLES.contains(&name.as_str()) && value.starts_with('/'))
                .then(|| value.into())
        };
        let variables = self.surroundings.environment.iter().filter_map(named);
        folders.map(|folder| self.tool_chain(&folder)).chain(variables.filter_map(real))
    }

    /// The folder of the tool chain whose programs lie in this folder.
    fn tool_chain(&self, programs: &Path) -> PathBuf {
        let is_named = programs
            .file_name()
            .and_then(OsStr::to_str)
            .is_some_and(|name| PROGRAM_FOLDERS.contains(&name));
        let above = programs.parent().filter(|above| {
            let is_above_home = self.home.as_deref().is_some_and(|home| home.starts_with(above));
            is_named && !is_above_home && above.file_name().is_some_and(|name| name != LOCAL_FOLDER)
        });
        above.unwrap_or(programs).to_path_buf()
    }

    /// What commands read where they read nothing else.
    fn only(&self, readable: &[PathBuf], tool_chains: &BTreeSet<PathBuf>) -> Vec<Vec<u8>> {
        let system = READ_FOLDERS
            .iter()
            .chain(&LINKED_SETTINGS)
            .filter_map(|path| std::fs::canonicalize(path).ok());
        let roots = self.named.roots.iter().map(|root| root.to_path_buf());
        let all: BTreeSet<PathBuf> = system
            .chain(roots)
            .chain(readable.iter().cloned())
            .chain(tool_chains.iter().cloned())
            .collect();
        all.iter().map(|path| bytes(path)).collect()
    }
}

/// A digest of the lists of a plan, which is the same in every plan of this process with these lists.
fn digest(limits: &ReadLimits, places: &ReadPlaces) -> u64 {
    let mut hasher = DefaultHasher::new();
    (&limits.readable, &limits.unreadable, &places.home, &places.directory, &places.own)
        .hash(&mut hasher);
    (limits.reads == Reads::Any, limits.reads == Reads::Roots).hash(&mut hasher);
    for place in &places.places {
        place.pattern.hash(&mut hasher);
    }
    hasher.finish()
}

fn is_root_user() -> bool {
    rustix::process::geteuid().is_root()
}

fn real(path: PathBuf) -> Option<PathBuf> {
    std::fs::canonicalize(path).ok()
}

fn bytes(path: &Path) -> Vec<u8> {
    path.as_os_str().as_bytes().to_vec()
}

fn identified(path: &Path) -> Option<PlanPlace> {
    let status = std::fs::symlink_metadata(path).ok()?;
    Some(PlanPlace { path: bytes(path), device: status.dev(), inode: status.ino() })
}

/// The existing paths that an absolute pattern matches.
fn expand(pattern: &str) -> Vec<PathBuf> {
    let mut found = vec![PathBuf::from("/")];
    for part in pattern.split('/').filter(|part| !part.is_empty() && *part != ".") {
        found = match part.split_once('*') {
            None => found.into_iter().map(|above| above.join(part)).collect(),
            Some(around) => found.iter().flat_map(|above| matching(above, around)).collect(),
        };
    }
    found.retain(|path| std::fs::symlink_metadata(path).is_ok());
    found
}

fn matching(folder: &Path, around: (&str, &str)) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    entries.filter(|entry| matches(&entry.file_name(), around)).map(|entry| entry.path()).collect()
}

/// Whether a name begins and ends so. Only a pattern that begins with a dot matches a name that does.
fn matches(name: &OsStr, (start, end): (&str, &str)) -> bool {
    let (name, start, end) = (name.as_bytes(), start.as_bytes(), end.as_bytes());
    name.len() >= start.len() + end.len()
        && name.starts_with(start)
        && name.ends_with(end)
        && (!name.starts_with(b".") || start.starts_with(b"."))
}

/// The files and folders of a name, which may have a `*`, at any depth beneath a folder.
fn named_beneath(folder: &Path, name: &str) -> Vec<PathBuf> {
    let is_named = |found: &OsStr| match name.split_once('*') {
        Some(around) => matches(found, around),
        None => found == name,
    };
    let mut found = Vec::new();
    walk(folder, usize::MAX, |entry, _| {
        let is_match = is_named(&entry.file_name());
        if is_match {
            found.push(entry.path());
        }
        !is_match
    });
    found
}

/// The sockets beneath a folder that belong to this user.
fn sockets_beneath(folder: &Path) -> Vec<PathBuf> {
    let user = rustix::process::geteuid().as_raw();
    let mut found = Vec::new();
    walk(folder, SOCKET_DEPTH, |entry, kind| {
        if kind.is_socket() && entry.metadata().is_ok_and(|status| status.uid() == user) {
            found.push(entry.path());
        }
        true
    });
    found
}

/// Visits what lies beneath a folder; `visit` says whether to look into an entry. Links are not followed.
fn walk(
    folder: &Path,
    depth: usize,
    mut visit: impl FnMut(&std::fs::DirEntry, std::fs::FileType) -> bool,
) {
    let mut waiting = vec![(folder.to_path_buf(), depth)];
    let mut left = MAX_WALKED;
    while let Some((folder, depth)) = waiting.pop() {
        for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
            let Some(rest) = usize::checked_sub(left, 1) else { return };
            left = rest;
            let Ok(kind) = entry.file_type() else { continue };
            if visit(&entry, kind) && kind.is_dir() && depth > 1 {
                waiting.push((entry.path(), depth - 1));
            }
        }
    }
}

/// The sockets that this user's programs listen on, among temporary files and in the home.
fn listening_sockets(home: Option<&Path>) -> impl Iterator<Item = PathBuf> {
    let user = rustix::process::geteuid().as_raw();
    let table = std::fs::read_to_string(SOCKET_TABLE).unwrap_or_default();
    let home = home.map(Path::to_path_buf);
    let listening = |line: &str| {
        let mut words = line.split_whitespace().skip(3);
        let flags = u32::from_str_radix(words.next()?, 16).ok()?;
        let path = words.nth(3).filter(|path| path.starts_with('/') && flags & LISTENS != 0)?;
        Some(PathBuf::from(path))
    };
    let paths: Vec<PathBuf> = table.lines().skip(1).filter_map(listening).collect();
    paths.into_iter().filter(move |path| {
        let is_near = path.starts_with(TEMPORARY_FOLDER)
            || home.as_ref().is_some_and(|home| path.starts_with(home));
        let is_plain = path.components().all(|part| part != Component::ParentDir);
        let is_own =
            |status: std::fs::Metadata| status.file_type().is_socket() && status.uid() == user;
        is_near && is_plain && std::fs::symlink_metadata(path).is_ok_and(is_own)
    })
}

#[cfg(test)]
mod tests;
