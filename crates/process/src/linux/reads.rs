//! The limits of reading with their names resolved to the files that are there now.

mod git;
mod search;
mod second_paths;
mod sockets;
mod tool_chains;
mod watch;

use std::collections::BTreeSet;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use handrail_files::Roots;
use handrail_policy::paths::{ForCommands, PlaceStart};
use handrail_policy::plan::{ReadLimits, Reads};
use handrail_supervisor::message::{PlanPlace, PlanReads};

pub(crate) use self::search::MAX_WALKED;
use self::search::{expand, named_beneath};
use self::second_paths::Mounts;
pub(crate) use self::watch::Watch;
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
/// Files of `ssh` without secrets. Without them no host is known to it, and it says that a host's key is wrong.
const SSH_FILES: [&str; 2] = [".ssh/known_hosts", ".ssh/config"];
/// Most places that the host's own list may name, and most sockets that are looked up.
pub(crate) const MAX_PLACES: usize = 500;

/// What the limits of reading depend on besides themselves.
pub(crate) struct Surroundings<'a> {
    pub(crate) roots: &'a Roots,
    /// Folders in which programs are found.
    pub(crate) search: Vec<&'a Path>,
    /// The files and folders that may be executed; `None` where all may.
    pub(crate) programs: Option<Vec<&'a Path>>,
    pub(crate) environment: &'a [(String, String)],
    /// Whether the folder of temporary files is the run's own.
    pub(crate) own_temporary: bool,
    /// Whether every writable root may be written to.
    pub(crate) writes_roots: bool,
}

/// The limits with their names resolved, and what tells when they have to be resolved again.
pub(crate) fn resolve(
    limits: &ReadLimits,
    places: &ReadPlaces,
    surroundings: &Surroundings<'_>,
) -> (PlanReads, Watch) {
    let homes = Homes::of(places);
    let own = places.own.iter().cloned().filter_map(real);
    let tool_chains = tool_chains::folders(surroundings, &homes.all);
    // Under `Reads::Roots` what is not named is not read.
    let is_kept = limits.reads == Reads::Protected;
    let ssh_files = homes.all.iter().flat_map(|home| SSH_FILES.map(|name| home.join(name)));
    let ssh_files = ssh_files
        .filter(|path| is_kept && path.symlink_metadata().is_ok_and(|status| status.is_file()))
        .filter_map(real);
    let needed: BTreeSet<PathBuf> = tool_chains
        .into_iter()
        .chain(own)
        .chain(git::folders(surroundings.roots))
        .chain(ssh_files)
        .collect();
    let named = Named { home: places.home.as_deref(), roots: paths_of(surroundings.roots) };
    let resolver = Resolver { homes, surroundings, named, needed };
    resolver.resolve(limits, places)
}

/// An entry of `unreadable` that cannot be held, and why. Entries that are names are left out: they cover what lies beneath
/// roots.
pub(crate) fn unholdable<'a>(
    limits: &'a ReadLimits,
    places: &ReadPlaces,
    roots: &Roots,
) -> Option<(&'a str, &'static str)> {
    let homes = Homes::of(places);
    let named = Named { home: places.home.as_deref(), roots: paths_of(roots) };
    let reason = |entry: &str| {
        let found = named.expand(entry).unwrap_or_default();
        found.into_iter().filter_map(real).find_map(|path| why_not(&path, &homes, &named.roots))
    };
    let mut paths = limits.unreadable.iter().filter(|entry| !is_name(entry));
    paths.find_map(|entry| Some((entry.as_str(), reason(entry)?)))
}

/// Why a place cannot be taken away, if it cannot. A root is the host's word, and without the system and the folders that
/// lead to the home nothing runs.
fn why_not(path: &Path, homes: &Homes, roots: &[&Path]) -> Option<&'static str> {
    if roots.contains(&path) {
        return Some("it is a root");
    }
    if homes.first.as_deref().is_some_and(|home| home.starts_with(path)) {
        return Some("it is the home folder or above it; name folders in it");
    }
    let is_above_system = SYSTEM_FOLDERS.iter().any(|folder| Path::new(folder).starts_with(path));
    is_above_system.then_some("without it nothing runs; name folders in it")
}

fn paths_of(roots: &Roots) -> Vec<&Path> {
    match roots {
        Roots::Unrestricted => Vec::new(),
        Roots::Only(roots) => roots.iter().map(handrail_files::Root::path).collect(),
    }
}

/// The canonical home folders of the user.
struct Homes {
    /// That of the environment.
    first: Option<PathBuf>,
    /// The same, and that of the system's list of users.
    all: Vec<PathBuf>,
}

impl Homes {
    fn of(places: &ReadPlaces) -> Homes {
        let canonical = |home: &Option<PathBuf>| home.clone().and_then(real);
        let (first, login) = (canonical(&places.home), canonical(&places.login_home));
        // A user without a home has `/` there.
        let is_home = |home: &PathBuf| home.parent().is_some();
        let all: BTreeSet<PathBuf> = first.iter().cloned().chain(login).filter(is_home).collect();
        Homes { first, all: all.into_iter().collect() }
    }
}

/// Whether an entry of a host's list is a name, which holds at any depth beneath the roots.
fn is_name(entry: &str) -> bool {
    !entry.starts_with('/') && !entry.trim_start_matches("./").contains('/')
}

/// What the names of a host's lists start from.
struct Named<'a> {
    home: Option<&'a Path>,
    roots: Vec<&'a Path>,
}

impl Named<'_> {
    /// The files and folders that an entry of a host's list names. `None` when a root has too many entries to look for a name.
    fn expand(&self, entry: &str) -> Option<Vec<PathBuf>> {
        if let Some(rest) = entry.strip_prefix("~/") {
            let home = self.home.and_then(Path::to_str);
            return Some(home.map_or_else(Vec::new, |home| expand(&format!("{home}/{rest}"))));
        }
        if entry.starts_with('/') {
            return Some(expand(entry));
        }
        if is_name(entry) {
            let found: Option<Vec<_>> =
                self.roots.iter().map(|root| named_beneath(root, entry)).collect();
            return Some(found?.concat());
        }
        let above = self.roots.iter().filter_map(|root| root.to_str());
        Some(above.flat_map(|root| expand(&format!("{root}/{entry}"))).collect())
    }
}

struct Resolver<'a> {
    homes: Homes,
    surroundings: &'a Surroundings<'a>,
    named: Named<'a>,
    /// What commands read wherever it lies: tool chains, the host's own folders, repositories.
    needed: BTreeSet<PathBuf>,
}

impl Resolver<'_> {
    fn resolve(&self, limits: &ReadLimits, places: &ReadPlaces) -> (PlanReads, Watch) {
        let readable: Vec<PathBuf> = limits
            .readable
            .iter()
            .flat_map(|entry| self.named.expand(entry).unwrap_or_default())
            .filter_map(real)
            .collect();
        let is_lifted = |path: &Path| readable.iter().any(|entry| path.starts_with(entry));
        let (mut covered, mut hidden) = (BTreeSet::new(), BTreeSet::new());
        let patterns = self.patterns(limits, places, &readable);
        let is_asked = limits.reads != Reads::Any;
        let watched: Vec<&str> = patterns.iter().map(|(pattern, _)| pattern.as_str()).collect();
        let watch = if is_asked { Watch::new(&watched) } else { Watch::default() };
        for (pattern, held) in &patterns {
            let found = expand(pattern).into_iter().filter_map(real);
            let found = found.filter(|path| !is_lifted(path) && self.can_be_covered(path));
            match held {
                ForCommands::Always => {
                    covered.extend(found.filter(|path| self.is_kept_secret(path)));
                }
                ForCommands::Sockets => hidden.extend(found),
                _ => covered.extend(found),
            }
        }
        if is_asked {
            let listening = sockets::listening(self.homes.first.as_deref());
            let listening = listening.into_iter().chain(sockets::of_services());
            let listening = listening
                .filter_map(real)
                .filter(|path| !is_lifted(path) && !self.is_in_root(path));
            hidden.extend(listening.take(MAX_PLACES));
        }
        let mounts = Mounts::read();
        for places in [&mut covered, &mut hidden] {
            let others: Vec<PathBuf> =
                places.iter().flat_map(|place: &PathBuf| mounts.others(place)).collect();
            let others = others.into_iter();
            places.extend(others.filter(|path| !is_lifted(path) && self.can_be_covered(path)));
        }
        let denied: Option<Vec<Vec<PathBuf>>> =
            limits.unreadable.iter().map(|entry| self.named.expand(entry)).collect();
        let is_overfull = denied.as_ref().is_none_or(|found| found.concat().len() > MAX_PLACES);
        let denied = denied.unwrap_or_default().concat().into_iter().filter_map(real);
        covered.extend(denied.filter(|path| self.can_be_covered(path)).take(MAX_PLACES));
        if self.surroundings.own_temporary {
            covered.retain(|path| !path.starts_with(TEMPORARY_FOLDER));
            hidden.retain(|path| !path.starts_with(TEMPORARY_FOLDER));
        }
        let is_beneath = |path: &Path| {
            covered.iter().chain(&hidden).any(|place| path.starts_with(place) && path != place)
        };
        let has_roots = matches!(self.surroundings.roots, Roots::Only(_));
        let directory = real(places.directory.clone()).filter(|_| !has_roots);
        let kept = readable.iter().chain(&self.needed).chain(&directory);
        let kept: BTreeSet<&Path> =
            kept.map(PathBuf::as_path).filter(|path| is_beneath(path)).collect();
        let roots = &self.named.roots;
        // What lies in a covered folder that nothing leads into is covered with it.
        let is_apart = |path: &Path| {
            let length = |place: &Path| {
                if path.starts_with(place) && path != place { place.as_os_str().len() } else { 0 }
            };
            let places = covered.iter().chain(&hidden).map(PathBuf::as_path);
            let cover = places.map(length).max().unwrap_or(0);
            let way = kept.iter().chain(roots).copied().map(length).max().unwrap_or(0);
            cover == 0 || way >= cover
        };
        let identify = |places: &BTreeSet<PathBuf>| {
            places
                .iter()
                .filter(|path| is_apart(path))
                .filter_map(|path| identified(path))
                .collect()
        };
        let reads = PlanReads {
            limited: limits.limits_anything(),
            lists: digest(limits, places),
            covered: identify(&covered),
            hidden: identify(&hidden),
            kept: kept.iter().map(|path| bytes(path)).collect(),
            only: (limits.reads == Reads::Roots).then(|| self.only(&readable)),
            is_overfull,
        };
        (reads, watch)
    }

    /// The absolute patterns of the places that are held, without those of the host's own list.
    fn patterns(
        &self,
        limits: &ReadLimits,
        places: &ReadPlaces,
        readable: &[PathBuf],
    ) -> Vec<(String, ForCommands)> {
        let is_asked = limits.reads != Reads::Any;
        let held = places.places.iter().filter(|place| match place.held {
            ForCommands::Always => true,
            ForCommands::Held | ForCommands::Sockets => is_asked,
            ForCommands::No => false,
        });
        let held: Vec<_> = held.collect();
        // Of another user's home something may stay visible: logins in it do not.
        let roots = self.named.roots.iter().copied();
        let visible = readable.iter().chain(&self.needed).chain(&self.homes.all);
        let visible: Vec<&Path> = visible.map(PathBuf::as_path).chain(roots).collect();
        let others = held.iter().filter(|place| place.start == PlaceStart::Homes);
        let others = others.flat_map(|place| expand(&format!("/{}", place.pattern)));
        let others = others
            .filter_map(real)
            .filter(|home| visible.iter().any(|path| path.starts_with(home)));
        let homes: BTreeSet<PathBuf> = others.chain(self.homes.all.iter().cloned()).collect();
        let homes: Vec<&str> = homes.iter().filter_map(|home| home.to_str()).collect();
        let mut patterns = Vec::new();
        for place in held {
            let starts = if place.start == PlaceStart::Home { &homes[..] } else { &[""][..] };
            patterns.extend(
                starts.iter().map(|start| (format!("{start}/{}", place.pattern), place.held)),
            );
        }
        patterns
    }

    fn can_be_covered(&self, path: &Path) -> bool {
        why_not(path, &self.homes, &self.named.roots).is_none()
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

    /// What commands read where they read nothing else.
    fn only(&self, readable: &[PathBuf]) -> Vec<Vec<u8>> {
        let system = READ_FOLDERS
            .iter()
            .chain(&LINKED_SETTINGS)
            .filter_map(|path| std::fs::canonicalize(path).ok());
        let roots = self.named.roots.iter().map(|root| root.to_path_buf());
        let all: BTreeSet<PathBuf> = system
            .chain(roots)
            .chain(readable.iter().cloned())
            .chain(self.needed.iter().cloned())
            .collect();
        all.iter().map(|path| bytes(path)).collect()
    }
}

/// A digest of the lists of a plan, which is the same in every plan of this process with these lists.
fn digest(limits: &ReadLimits, places: &ReadPlaces) -> u64 {
    let mut hasher = DefaultHasher::new();
    let ReadPlaces { home, login_home, places, directory, own } = places;
    (&limits.readable, &limits.unreadable, home, login_home, directory, own).hash(&mut hasher);
    (limits.reads == Reads::Any, limits.reads == Reads::Roots).hash(&mut hasher);
    for place in places {
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

#[cfg(test)]
mod tests;
