//! What a worker has to install before it serves, and what it reports as installed.

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use super::{Holder, Layer, Limits};
use crate::wire::wire;

/// The limits that the kernel enforces on everything a worker starts.
#[expect(clippy::struct_excessive_bools, reason = "independent choices")]
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Plan {
    /// Whether files may be written everywhere except in the kernel's own file systems. Otherwise they may be written only
    /// beneath the writable roots and in the worker's own folders.
    pub writes_anywhere: bool,
    /// The directories that commands work in.
    pub roots: Vec<PlanRoot>,
    /// The canonical paths of the programs that may be executed, and of folders of programs. `None` allows every program.
    pub execute: Option<Vec<Vec<u8>>>,
    /// Files and folders beneath the roots that may be executed as well, although commands may write there.
    pub places: Vec<PlanPlace>,
    /// Whether each run has a private folder in which the programs that it builds may be executed.
    pub build: bool,
    /// Whether programs are told that this folder is the one for temporary files.
    pub build_among_temporary_files: bool,
    /// The canonical paths of the dynamic loaders that those programs need. The kernel maps a loader; nobody runs it by name.
    pub loaders: Vec<Vec<u8>>,
    /// What commands may connect to.
    pub network: Reach,
    /// The port, at 127.0.0.1 in the namespace of the network, of the proxy that leads out. `ssh` is told to use it.
    pub proxy_port: Option<u16>,
    /// Whether files outside of the worker's own folders may be removed or moved.
    pub remove: bool,
    /// Folders beneath writable roots in which files may be removed, moved and truncated in any case.
    pub removable: Vec<PlanPlace>,
    /// Whether such files may be truncated.
    pub truncate: bool,
    /// Whether the folder of temporary files that all users share is the worker's own. Nothing that commands need may lie
    /// there but the state directory.
    pub own_temporary: bool,
    /// How much each run may use.
    pub limits: Limits,
    /// What commands may read.
    pub reads: PlanReads,
    /// The name of the only folder of spilled output that commands see in the state directory; [`SPILL_FOLDER_NAME`] where there
    /// is none.
    pub spill: Option<Vec<u8>>,
    /// The layer in which the program of this plan writes instead of in its roots. A worker of such a plan serves one program, and
    /// there is none without a view of the file system.
    pub layer: Option<Layer>,
}

/// The name of the folder for output of callers without a name that did not fit into results.
pub const SPILL_FOLDER_NAME: &str = "spill";

/// The limits of reading.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct PlanReads {
    /// Whether the host asked for limits.
    pub limited: bool,
    /// A digest of the lists that the places were found by. Two plans with the same digest differ only in when they looked.
    pub lists: u64,
    /// The files and folders that commands do not read.
    pub covered: Vec<PlanPlace>,
    /// Sockets and folders of sockets that commands do not reach. Only a view of the file system hides them.
    pub hidden: Vec<PlanPlace>,
    /// Canonical paths beneath those places that stay.
    pub kept: Vec<Vec<u8>>,
    /// The canonical paths that may be read, if nothing else may.
    pub only: Option<Vec<Vec<u8>>>,
    /// Whether the host's own list names more than can be covered. Nothing runs under such a plan.
    pub is_overfull: bool,
}

impl PlanReads {
    /// The place that keeps commands from this absolute path, and the guarantee that does. The innermost place decides.
    pub fn withheld(&self, roots: &[PlanRoot], path: &Path) -> Option<(&'static str, PathBuf)> {
        let real = std::fs::canonicalize(path).unwrap_or_else(|_| {
            match (path.parent(), path.file_name()) {
                (Some(above), Some(name)) => {
                    std::fs::canonicalize(above).unwrap_or(above.into()).join(name)
                }
                _ => path.into(),
            }
        });
        let places = |places: &[PlanPlace], guarantee| -> Vec<(PathBuf, Option<&'static str>)> {
            places.iter().map(|place| (path_of(&place.path), Some(guarantee))).collect()
        };
        let visible = roots.iter().map(|root| &root.path).chain(&self.kept);
        let visible = visible.map(|path| (path_of(path), None));
        let all = places(&self.covered, "reads")
            .into_iter()
            .chain(places(&self.hidden, "sockets"))
            .chain(visible);
        let around = all.filter(|(place, _)| real.starts_with(place));
        let innermost =
            around.max_by_key(|(place, guarantee)| (place.as_os_str().len(), guarantee.is_some()));
        if let Some((place, guarantee)) = innermost {
            return guarantee.map(|guarantee| (guarantee, place));
        }
        let only = self.only.as_ref()?;
        let is_read = only.iter().any(|place| real.starts_with(path_of(place)));
        (!is_read && real.symlink_metadata().is_ok()).then_some(("reads", real))
    }
}

fn path_of(path: &[u8]) -> PathBuf {
    OsStr::from_bytes(path).into()
}

/// What commands may connect to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Reach {
    /// Nothing outside of their run.
    #[default]
    Nothing,
    /// Whatever is in the network namespace of this number, which several plans can share: its loopback, and the listeners
    /// that the host has there. Where no such namespace can be made, nothing.
    Own(u32),
    /// Everything.
    Anything,
}

/// A directory of a plan. It is used only while its path still leads to the directory that was meant.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct PlanRoot {
    /// The canonical path of the directory.
    pub path: Vec<u8>,
    /// The number of its device (`st_dev`).
    pub device: u64,
    /// The number of its inode (`st_ino`).
    pub inode: u64,
    /// Whether commands may write beneath it.
    pub writable: bool,
    /// Whether there are places beneath it whose programs may be executed.
    pub has_places: bool,
    /// A second path by which a view shows the directory. The machine has nothing at its first name.
    pub shown_as: Option<Vec<u8>>,
}

/// A file or folder that is used only while its path still leads to it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct PlanPlace {
    /// Its canonical path.
    pub path: Vec<u8>,
    /// The number of its device (`st_dev`).
    pub device: u64,
    /// The number of its inode (`st_ino`).
    pub inode: u64,
}

impl Plan {
    /// A plan that adds no limits to those that hold for every command.
    pub fn unconfined() -> Plan {
        Plan {
            writes_anywhere: true,
            network: Reach::Anything,
            remove: true,
            truncate: true,
            ..Plan::default()
        }
    }

    /// Whether this plan is the other one, with places that were looked up at another time.
    pub fn is_renewal_of(&self, other: &Plan) -> bool {
        let reads = &other.reads;
        self.reads.lists == reads.lists
            && self.reads.limited == reads.limited
            && Plan { reads: reads.clone(), ..self.clone() } == *other
    }

    /// The name of the folder of spilled output that commands see.
    pub fn spill_folder(&self) -> &OsStr {
        self.spill.as_deref().map_or(OsStr::new(SPILL_FOLDER_NAME), OsStr::from_bytes)
    }

    /// Whether the plan limits no writes: it says so, or the whole file system is a writable root.
    pub fn writes_everywhere(&self) -> bool {
        self.writes_anywhere || self.roots.iter().any(|root| root.writable && root.path == b"/")
    }
}

/// Which features of the kernel are used. Only tests that show what older kernels enforce use less than all.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Kernel {
    /// The newest ABI version of Landlock that is used.
    pub landlock: u32,
    /// Whether system calls are filtered.
    pub filters: bool,
    /// Whether namespaces are used.
    pub namespaces: bool,
    /// Whether control groups are used.
    pub control_groups: bool,
}

impl Kernel {
    /// All features of the kernel.
    pub const WHOLE: Kernel =
        Kernel { landlock: u32::MAX, filters: true, namespaces: true, control_groups: true };
}

/// The protection that a worker has installed for the processes it starts.
#[expect(clippy::struct_excessive_bools, reason = "independent facts, each reported on its own")]
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Enforcement {
    /// Landlock's ABI version, 0 when it is missing or switched off.
    pub landlock_abi: u32,
    /// Whether the processes of a run can signal only each other (by a Landlock scope or a PID namespace).
    pub signals: bool,
    /// Whether the processes of a run are kept from inspecting processes outside of it (by a Landlock domain).
    pub introspection: bool,
    /// Whether abstract Unix sockets outside of the run are out of reach.
    pub abstract_sockets: bool,
    /// Whether `execve` is kept from raising privileges.
    pub no_new_privileges: bool,
    /// Whether commands lack the capabilities that would undo the limits above.
    pub capabilities_bounded: bool,
    /// Whether a run is ended by one signal that no fork can outrun, which relies on `signals`. Otherwise sweeps over the
    /// tree of processes end it.
    pub atomic_kill: bool,
    /// Whether the system calls that act on other processes and on the machine are filtered.
    pub filtered: bool,
    /// Whether commands see a view of the file system that is their own.
    pub namespace: bool,
    /// Whether the worker is the first process of a PID namespace, so that its commands end with it.
    pub own_processes: bool,
    /// Whether the shared folder of temporary files is the worker's own.
    pub own_temporary: bool,
    /// Whether the network is the namespace that the plan names.
    pub own_network: bool,
    /// Whether every loader of the plan only loads programs that the kernel executes, and runs none by name.
    pub loaders_bound: bool,
    /// Whether the kernel reports each program that is executed to the worker, which then notices loaders that are run by name.
    pub reports_programs: bool,
    /// What holds the limit of memory.
    pub memory_holder: Holder,
    /// What holds the limit of processes.
    pub processes_holder: Holder,
    /// The effective user id of the supervisor.
    pub uid: u32,
}

wire!(enum Reach { 0 => Nothing, 1 => Own(number), 2 => Anything });
wire!(struct PlanRoot { path, device, inode, writable, has_places, shown_as });
wire!(struct PlanReads { limited, lists, covered, hidden, kept, only, is_overfull });
wire!(struct PlanPlace { path, device, inode });
wire!(
    struct Plan {
        writes_anywhere,
        roots,
        execute,
        places,
        build,
        build_among_temporary_files,
        loaders,
        network,
        proxy_port,
        remove,
        removable,
        truncate,
        own_temporary,
        limits,
        reads,
        spill,
        layer,
    }
);
wire!(struct Kernel { landlock, filters, namespaces, control_groups });
wire!(
    struct Enforcement {
        landlock_abi,
        signals,
        introspection,
        abstract_sockets,
        no_new_privileges,
        capabilities_bounded,
        atomic_kill,
        filtered,
        namespace,
        own_processes,
        own_temporary,
        own_network,
        loaders_bound,
        reports_programs,
        memory_holder,
        processes_holder,
        uid,
    }
);
