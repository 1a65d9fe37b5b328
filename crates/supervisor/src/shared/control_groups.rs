//! Control groups that hold the memory and the processes of a worker: where they may be made, and what is written into them.
//!
//! A group for a worker is made beneath the group of the process that calls this, so that what holds the host holds the worker as
//! well. In the second version only a group without processes passes controllers on. There the group above is used, if it
//! was delegated to this host (`Delegate=yes` and `DelegateSubgroup=` of systemd) or is the root of a container.

use std::ffi::OsStr;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::message::{Holder, LimitMet, LimitName, Limits};

mod events;

pub use events::{GroupCounts, GroupEvents};

/// The controllers that workers need.
const CONTROLLERS: [&str; 2] = ["memory", "pids"];
/// The attributes by which systemd marks a group as delegated, for a service of the machine and for one of a user.
const DELEGATION_MARKS: [&str; 2] = ["trusted.delegate", "user.delegate"];
/// The file of a group that lists its processes. Writing 0 moves the writer into the group.
const PROCESSES_FILE: &str = "cgroup.procs";

/// How often the removal of groups is tried, and the pause between two tries.
const MAX_REMOVE_TRIES: u32 = 20;
const REMOVE_PAUSE: Duration = Duration::from_millis(5);

/// Where groups for workers may be made.
#[derive(Debug, Default)]
pub struct ControlGroups {
    memory: Option<Parent>,
    processes: Option<Parent>,
}

/// A group beneath which others may be made.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Parent {
    folder: PathBuf,
    holder: Holder,
}

/// The groups of one worker: one for both controllers in the second version, one for each in the first.
#[derive(Debug, Default)]
pub struct WorkerGroup {
    folders: Vec<PathBuf>,
    memory: Option<(Holder, PathBuf)>,
    processes: Option<(Holder, PathBuf)>,
    limits: Limits,
}

/// The groups of a worker, held open so that it can enter them when it has no view of their folders any more.
#[derive(Debug)]
pub struct OpenGroup {
    entrances: Vec<fs::File>,
    events: GroupEvents,
}

impl ControlGroups {
    /// Finds where this process may make groups.
    pub fn find() -> ControlGroups {
        let read = |path| fs::read_to_string(path).unwrap_or_default();
        let (own, mounts) = (read("/proc/self/cgroup"), read("/proc/self/mountinfo"));
        ControlGroups::find_in(&own, &mounts, Path::new("/"))
    }

    /// Finds them from the texts of `/proc/self/cgroup` and `/proc/self/mountinfo`, with all paths beneath `root`.
    pub fn find_in(own: &str, mounts: &str, root: &Path) -> ControlGroups {
        let first = |name: &str| first_version(own, mounts, root, name);
        let second = second_version(own, mounts, root);
        let find = |name| first(name).or_else(|| second.clone());
        ControlGroups { memory: find("memory"), processes: find("pids") }
    }

    /// The memory that the group of this process and those above grant at most, if one of them limits it.
    pub fn granted_memory() -> Option<u64> {
        let read = |path| fs::read_to_string(path).unwrap_or_default();
        granted_memory(&read("/proc/self/cgroup"), &read("/proc/self/mountinfo"), Path::new("/"))
    }

    /// Makes the groups of a worker with these limits. What cannot be made is left out.
    pub fn make(&self, name: &OsStr, limits: &Limits) -> WorkerGroup {
        let mut made = WorkerGroup { limits: *limits, ..WorkerGroup::default() };
        if let (Some(parent), Some(bytes)) = (&self.memory, limits.memory_bytes) {
            let folder = parent.folder.join(name);
            if made.add(&folder).is_ok() && limit_memory(parent.holder, &folder, bytes).is_ok() {
                made.memory = Some((parent.holder, folder));
            }
        }
        if let (Some(parent), Some(count)) = (&self.processes, limits.processes) {
            let folder = parent.folder.join(name);
            let max = with_worker(count).to_string();
            if made.add(&folder).is_ok() && fs::write(folder.join("pids.max"), max).is_ok() {
                made.processes = Some((parent.holder, folder));
            }
        }
        made
    }

    /// Removes every group whose name begins like this. False if one of them is left.
    fn remove_all(&self, prefix: &str) -> bool {
        let mut is_clean = true;
        for Parent { folder, .. } in [&self.memory, &self.processes].into_iter().flatten() {
            for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
                let is_ours = entry.file_name().to_str().is_some_and(|n| n.starts_with(prefix));
                is_clean &= !is_ours || is_gone(fs::remove_dir(entry.path()));
            }
        }
        is_clean
    }
}

/// Removes every group whose name begins like this. Processes that were killed just now may still be in one, for a moment.
pub fn remove_all(groups: &ControlGroups, prefix: &str) {
    for _ in 0..MAX_REMOVE_TRIES {
        if groups.remove_all(prefix) {
            return;
        }
        std::thread::sleep(REMOVE_PAUSE);
    }
}

/// What the names of the groups begin with that belong to the supervisor with this state directory.
pub fn group_prefix(state_directory: &Path) -> String {
    format!("{}.", state_directory.file_name().unwrap_or_default().to_string_lossy())
}

impl WorkerGroup {
    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.folders.is_empty()
    }

    fn add(&mut self, folder: &Path) -> io::Result<()> {
        if self.folders.iter().any(|known| known == folder) {
            return Ok(());
        }
        fs::create_dir(folder)?;
        self.folders.push(folder.to_owned());
        Ok(())
    }

    /// Opens the groups. One that cannot be opened holds nothing.
    pub fn open(&self) -> OpenGroup {
        let opened: Vec<(&PathBuf, fs::File)> = self
            .folders
            .iter()
            .filter_map(|folder| {
                let entrance = fs::File::options().write(true).open(folder.join(PROCESSES_FILE));
                Some((folder, entrance.ok()?))
            })
            .collect();
        let is_open = |folder: &PathBuf| opened.iter().any(|(known, _)| *known == folder);
        let events = self.events(is_open);
        OpenGroup { entrances: opened.into_iter().map(|(_, entrance)| entrance).collect(), events }
    }

    /// The event files of these folders.
    fn events(&self, is_wanted: impl Fn(&PathBuf) -> bool) -> GroupEvents {
        let mut events = GroupEvents::default();
        let memory = self.memory.as_ref().filter(|(_, folder)| is_wanted(folder));
        if let (Some((holder, folder)), Some(bytes)) = (memory, self.limits.memory_bytes) {
            events.open_memory(*holder, folder, bytes);
        }
        let processes = self.processes.as_ref().filter(|(_, folder)| is_wanted(folder));
        if let (Some((holder, folder)), Some(count)) = (processes, self.limits.processes) {
            events.open_processes(*holder, folder, with_worker(count));
        }
        events
    }

    /// The limit that a run of the worker had met, if the kernel ended a process for that. Only a worker that was itself ended is asked:
    /// any other has told its host, and serves no run after it.
    pub fn limit_met(&self) -> Option<LimitMet> {
        let met = self.events(|_| true).limit_met(&GroupCounts::default());
        let name = met.filter(|name| *name == LimitName::MemoryBytes)?;
        Some(LimitMet { name, value: self.limits.memory_bytes?, used: None })
    }

    /// Removes the groups, in which no process is left. False if one stays.
    pub fn remove(&self) -> bool {
        self.folders
            .iter()
            .fold(true, |is_clean, folder| is_clean & is_gone(fs::remove_dir(folder)))
    }
}

impl OpenGroup {
    /// Moves this process, which has one thread, into the groups. If it cannot enter one, neither holds anything.
    pub fn enter(mut self) -> GroupEvents {
        let has_entered =
            self.entrances.iter_mut().all(|entrance| entrance.write_all(b"0").is_ok());
        if has_entered { self.events } else { GroupEvents::default() }
    }
}

/// What a group has at most in which a run may have so many processes: the worker is in it as well.
fn with_worker(count: u64) -> u64 {
    count.saturating_add(1)
}

fn limit_memory(holder: Holder, folder: &Path, bytes: u64) -> io::Result<()> {
    let bytes = bytes.to_string();
    // A machine without accounting of swap has no such file, and without swap the limit is whole all the same.
    if holder == Holder::GroupV2 {
        fs::write(folder.join("memory.max"), bytes)?;
        let _ = fs::write(folder.join("memory.swap.max"), "0");
    } else {
        fs::write(folder.join("memory.limit_in_bytes"), &bytes)?;
        let _ = fs::write(folder.join("memory.memsw.limit_in_bytes"), &bytes);
        // Buffers of sockets are no part of the memory above. A kernel without this file has no limit for them.
        let _ = fs::write(folder.join("memory.kmem.tcp.limit_in_bytes"), &bytes);
    }
    Ok(())
}

fn is_gone(removed: io::Result<()>) -> bool {
    removed.map_or_else(|error| error.kind() == io::ErrorKind::NotFound, |()| true)
}

/// A file system of control groups that is mounted.
struct Mount<'a> {
    /// The group at the mount point.
    group: &'a str,
    point: &'a str,
    /// The type of the file system.
    kind: &'a str,
    options: &'a str,
}

impl Mount<'_> {
    /// The mounts in the text of `/proc/self/mountinfo`.
    fn all(text: &str) -> impl Iterator<Item = Mount<'_>> {
        text.lines().filter_map(|line| {
            let (place, file_system) = line.split_once(" - ")?;
            let mut place = place.split(' ').skip(3);
            let mut file_system = file_system.split(' ');
            Some(Mount {
                group: place.next()?,
                point: place.next()?,
                kind: file_system.next()?,
                options: file_system.nth(1).unwrap_or_default(),
            })
        })
    }

    /// Whether it has this controller of the first version.
    fn controls(&self, name: &str) -> bool {
        self.kind == "cgroup" && self.options.split(',').any(|one| one == name)
    }

    /// The folder of this group.
    fn folder(&self, root: &Path, group: &str) -> Option<PathBuf> {
        let beneath = group.strip_prefix(self.group.trim_end_matches('/'))?;
        let folder = root.join(self.point.trim_start_matches('/'));
        Some(folder.join(beneath.trim_start_matches('/')))
    }
}

fn granted_memory(own: &str, mounts: &str, root: &Path) -> Option<u64> {
    let memory_mount = Mount::all(mounts).find(|mount| mount.controls("memory"));
    let (mount, group, file) = if let Some(mount) = memory_mount {
        (mount, first_version_group(own, "memory")?, "memory.limit_in_bytes")
    } else {
        let mount = Mount::all(mounts).find(|mount| mount.kind == "cgroup2")?;
        (mount, second_version_group(own)?, "memory.max")
    };
    let (folder, top) = (mount.folder(root, group)?, mount.folder(root, mount.group)?);
    let groups = folder.ancestors().take_while(|group| group.starts_with(&top));
    let limit = |group: &Path| fs::read_to_string(group.join(file)).ok()?.trim().parse().ok();
    groups.filter_map(limit).min()
}

/// The group of this process in the hierarchy of a controller of the first version.
fn first_version(own: &str, mounts: &str, root: &Path, name: &str) -> Option<Parent> {
    let group = first_version_group(own, name)?;
    let mount = Mount::all(mounts).find(|mount| mount.controls(name))?;
    let folder = mount.folder(root, group)?;
    Some(Parent { folder, holder: Holder::GroupV1 })
}

fn first_version_group<'a>(own: &'a str, name: &str) -> Option<&'a str> {
    own.lines().find_map(|line| {
        let (controllers, group) = line.split_once(':')?.1.split_once(':')?;
        controllers.split(',').any(|one| one == name).then_some(group)
    })
}

fn second_version_group(own: &str) -> Option<&str> {
    own.lines().find_map(|line| line.strip_prefix("0::"))
}

/// The group beneath which groups of the second version get the controllers.
fn second_version(own: &str, mounts: &str, root: &Path) -> Option<Parent> {
    let group = second_version_group(own)?;
    let mount = Mount::all(mounts).find(|mount| mount.kind == "cgroup2")?;
    let folder = mount.folder(root, group)?;
    let top = mount.folder(root, mount.group)?;
    let above = folder.parent().filter(|above| *above != root && above.starts_with(&top));
    let delegated = above.filter(|above| is_delegated(above, *above == top));
    let candidates = [Some(folder.as_path()), delegated];
    let mut usable =
        candidates.into_iter().flatten().filter(|folder| passes_controllers_on(folder));
    usable.next().map(|folder| Parent { folder: folder.to_owned(), holder: Holder::GroupV2 })
}

/// Whether this group belongs to the host: systemd delegated it, or it is the root of a container and not of the machine,
/// whose root has no type.
fn is_delegated(folder: &Path, is_top: bool) -> bool {
    let is_marked = DELEGATION_MARKS.iter().any(|name| {
        let mut value = [0; 1];
        rustix::fs::getxattr(folder, *name, &mut value).is_ok_and(|_| value == *b"1")
    });
    is_marked || is_top && folder.join("cgroup.type").exists()
}

/// Makes the group pass the controllers on to the groups beneath. Fails where it has processes.
fn passes_controllers_on(folder: &Path) -> bool {
    let has_all = |file: &str| {
        let text = fs::read_to_string(folder.join(file)).unwrap_or_default();
        CONTROLLERS.iter().all(|name| text.split_whitespace().any(|one| one == *name))
    };
    if !has_all("cgroup.controllers") {
        return false;
    }
    if !has_all("cgroup.subtree_control") {
        let enabled = fs::write(folder.join("cgroup.subtree_control"), "+memory +pids");
        return enabled.is_ok() && has_all("cgroup.subtree_control");
    }
    true
}

#[cfg(test)]
mod tests;
