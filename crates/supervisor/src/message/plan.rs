//! What a worker is to install before it serves, and what it says it has installed.

use super::{flag, flags};
use crate::codec::{Decoder, Encoder};

/// What the kernel holds everything to that a worker starts.
#[expect(clippy::struct_excessive_bools, reason = "independent choices")]
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Plan {
    /// Files may be written everywhere but in file systems that are the kernel's own. Otherwise only
    /// beneath the writable roots and in the worker's own folders.
    pub writes_anywhere: bool,
    /// The directories that commands work in.
    pub roots: Vec<PlanRoot>,
    /// Canonical paths of the programs that may be executed, and of folders of such; `None` for all.
    pub execute: Option<Vec<Vec<u8>>>,
    /// Canonical paths of the dynamic loaders those need: mapped by the kernel, not run by name.
    pub loaders: Vec<Vec<u8>>,
    /// Whether commands may reach anything outside of their run.
    pub network: bool,
    /// Whether files outside of the worker's own folders may be removed or moved.
    pub remove: bool,
    /// Whether they may be emptied.
    pub truncate: bool,
}

/// A directory of a plan. It is used only while its path leads to the directory that was meant.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct PlanRoot {
    /// Canonical.
    pub path: Vec<u8>,
    /// `st_dev`.
    pub device: u64,
    /// `st_ino`.
    pub inode: u64,
    /// Whether commands may write beneath it.
    pub writable: bool,
}

impl Plan {
    /// Holds commands to nothing but what holds for all of them.
    pub fn unconfined() -> Plan {
        Plan {
            writes_anywhere: true,
            network: true,
            remove: true,
            truncate: true,
            ..Plan::default()
        }
    }

    /// Whether no place is held, by the plan's word or because the whole file system is a root.
    pub fn writes_everywhere(&self) -> bool {
        self.writes_anywhere || self.roots.iter().any(|root| root.writable && root.path == b"/")
    }

    pub(super) fn encode(&self, encoder: Encoder) -> Encoder {
        let encoder = encoder.u8(flags(&[
            self.writes_anywhere,
            self.network,
            self.remove,
            self.truncate,
            self.execute.is_some(),
        ]));
        let encoder = encoder
            .list(self.execute.as_deref().unwrap_or_default())
            .list(&self.loaders)
            .u32(u32::try_from(self.roots.len()).unwrap_or(u32::MAX));
        self.roots.iter().fold(encoder, |encoder, root| {
            encoder.bytes(&root.path).u64(root.device).u64(root.inode).u8(flags(&[root.writable]))
        })
    }

    pub(super) fn decode(decoder: &mut Decoder<'_>) -> Option<Plan> {
        let bits = decoder.u8()?;
        let execute = decoder.list()?;
        let loaders = decoder.list()?;
        let count = decoder.u32()?;
        let root = |decoder: &mut Decoder<'_>| {
            Some(PlanRoot {
                path: decoder.bytes()?.to_vec(),
                device: decoder.u64()?,
                inode: decoder.u64()?,
                writable: flag(decoder.u8()?, 0),
            })
        };
        Some(Plan {
            writes_anywhere: flag(bits, 0),
            network: flag(bits, 1),
            remove: flag(bits, 2),
            truncate: flag(bits, 3),
            execute: flag(bits, 4).then_some(execute),
            loaders,
            roots: (0..count).map(|_| root(decoder)).collect::<Option<_>>()?,
        })
    }
}

/// What is used of the kernel: all it has, but in tests that show what others hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Kernel {
    /// The newest ABI of Landlock.
    pub landlock: u32,
    /// Filters of system calls.
    pub filters: bool,
    /// Namespaces.
    pub namespaces: bool,
}

impl Kernel {
    /// All it has.
    pub const WHOLE: Kernel = Kernel { landlock: u32::MAX, filters: true, namespaces: true };

    pub(super) fn encode(self, encoder: Encoder) -> Encoder {
        encoder.u32(self.landlock).u8(flags(&[self.filters, self.namespaces]))
    }

    pub(super) fn decode(decoder: &mut Decoder<'_>) -> Option<Kernel> {
        let (landlock, bits) = (decoder.u32()?, decoder.u8()?);
        Some(Kernel { landlock, filters: flag(bits, 0), namespaces: flag(bits, 1) })
    }
}

/// What a worker has installed for the processes it starts.
#[expect(clippy::struct_excessive_bools, reason = "independent facts, each reported on its own")]
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Enforcement {
    /// Landlock's ABI version, 0 when it is missing or switched off.
    pub landlock_abi: u32,
    /// Processes of a run can signal only each other, and end nothing else (Landlock scope, or a PID
    /// namespace).
    pub signals: bool,
    /// Processes of a run cannot look into processes outside of it (Landlock domain).
    pub introspection: bool,
    /// Abstract Unix sockets outside of the run are out of reach.
    pub abstract_sockets: bool,
    /// `execve` cannot raise privileges.
    pub no_new_privileges: bool,
    /// The host runs as root and its commands lost the capabilities that undo the above.
    pub capabilities_bounded: bool,
    /// A run is ended by one signal that no fork can outrun (rests on `signals`); else by sweeps
    /// over the tree of processes.
    pub atomic_kill: bool,
    /// The system calls that act on other processes and on the machine are filtered.
    pub filtered: bool,
    /// Commands have a view of their own of the file system.
    pub namespace: bool,
    /// Their worker is the first process of a PID namespace: they end with it.
    pub own_processes: bool,
    /// Every loader of the plan only loads, and runs nothing by name.
    pub loaders_bound: bool,
    /// Effective user id of the supervisor.
    pub uid: u32,
}

impl Enforcement {
    pub(super) fn encode(&self, encoder: Encoder) -> Encoder {
        encoder
            .u32(self.landlock_abi)
            .u8(flags(&[
                self.signals,
                self.introspection,
                self.abstract_sockets,
                self.no_new_privileges,
                self.capabilities_bounded,
                self.atomic_kill,
            ]))
            .u8(flags(&[self.filtered, self.namespace, self.loaders_bound, self.own_processes]))
            .u32(self.uid)
    }

    pub(super) fn decode(decoder: &mut Decoder<'_>) -> Option<Enforcement> {
        let landlock_abi = decoder.u32()?;
        let bits = decoder.u8()?;
        let more = decoder.u8()?;
        Some(Enforcement {
            landlock_abi,
            signals: flag(bits, 0),
            introspection: flag(bits, 1),
            abstract_sockets: flag(bits, 2),
            no_new_privileges: flag(bits, 3),
            capabilities_bounded: flag(bits, 4),
            atomic_kill: flag(bits, 5),
            filtered: flag(more, 0),
            namespace: flag(more, 1),
            loaders_bound: flag(more, 2),
            own_processes: flag(more, 3),
            uid: decoder.u32()?,
        })
    }
}
