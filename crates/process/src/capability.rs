//! A report on what this machine enforces, with what would make it better.

mod reads;

use handrail_policy::Enforced;
use handrail_supervisor::message::{Enforcement, Holder, Limits, Plan, Reach};

use crate::remedy::{HostFacts, Remedy};

/// The first ABI of Landlock that limits truncation.
const ABI_TRUNCATE: u32 = 3;

/// How far a guarantee holds on this machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Level {
    /// The kernel enforces it.
    Enforced,
    /// It holds for programs that do not try to get around it.
    BestEffort,
    /// It does not hold.
    Unavailable,
}

impl Level {
    /// The name in reports.
    pub fn as_str(self) -> &'static str {
        match self {
            Level::Enforced => "enforced",
            Level::BestEffort => "best-effort",
            Level::Unavailable => "unavailable",
        }
    }
}

/// One line of the report.
#[derive(Clone, Debug)]
pub struct Capability {
    /// `kill`, `signals`, `environ`, `host`, `writes`, `exec`, `network`, `remove`, `reads`, `sockets` or `limits`.
    pub feature: &'static str,
    /// How far it holds.
    pub level: Level,
    /// The reason.
    pub detail: String,
    /// What the host can do about it.
    pub fix: Option<&'static str>,
}

/// A line of the report, whose remedy depends on where the host runs.
struct Line {
    feature: &'static str,
    level: Level,
    detail: String,
    remedy: Option<Remedy>,
}

/// The features of a report, in its order.
const FEATURES: [&str; 11] = [
    "kill", "signals", "environ", "host", "writes", "exec", "network", "remove", "reads",
    "sockets", "limits",
];
const USE_LINUX: &str =
    "run on Linux (x64 or arm64), for example in a container or a virtual machine";
const USE_NEWER_KERNEL: Remedy =
    Remedy::Advice("run on Linux 6.12 or newer with Landlock enabled (boot option lsm=)");
const USE_TRUNCATING_LANDLOCK: Remedy =
    Remedy::Advice("run on Linux 6.2 or newer with Landlock enabled (boot option lsm=)");
const ALLOW_BOUNDING: Remedy = Remedy::Advice(
    "run as an ordinary user, or with the capability to drop capabilities (CAP_SETPCAP)",
);
const ENABLE_FILTERS: Remedy =
    Remedy::Advice("run on a kernel with seccomp filters (CONFIG_SECCOMP_FILTER)");

impl Capability {
    /// The report on what workers of this plan have installed, on a host of which these facts are known.
    pub fn report(enforcement: &Enforcement, plan: &Plan, facts: HostFacts) -> Vec<Capability> {
        let lines = [
            kill(enforcement),
            signals(enforcement),
            environ(enforcement),
            host(enforcement),
            writes(enforcement, plan),
            exec(enforcement, plan),
            network(enforcement, plan),
            remove(enforcement, plan),
            reads::reads(enforcement, plan),
            reads::sockets(enforcement, plan),
            limits(enforcement, plan),
        ];
        let resolved = |Line { feature, level, detail, remedy }: Line| {
            let fix = remedy.map(|remedy| remedy.text(facts));
            Capability { feature, level, detail, fix }
        };
        lines.map(resolved).into()
    }

    /// Whether workers that enforce this much enforce for commands of this plan all that is needed.
    pub fn are_enforced(needs: Enforced, enforcement: &Enforcement, plan: &Plan) -> bool {
        let is_enforced = |line: Line| line.level == Level::Enforced;
        (!needs.exec || is_enforced(exec(enforcement, plan)))
            && (!(needs.writes || needs.roots) || is_enforced(writes(enforcement, plan)))
            && (!needs.temporary || enforcement.own_temporary)
            && (!needs.signals || is_enforced(signals(enforcement)))
    }

    /// The report for a platform that runs no commands, for this reason.
    pub fn without_runs(reason: &str) -> Vec<Capability> {
        let line = |feature| Capability {
            feature,
            level: Level::Unavailable,
            detail: reason.into(),
            fix: Some(USE_LINUX),
        };
        FEATURES.map(line).into()
    }

    /// A short line for each mechanism that was installed, for results.
    pub fn installed(enforcement: &Enforcement, plan: &Plan) -> Vec<String> {
        let mut installed = Vec::new();
        if enforcement.landlock_abi > 0 {
            let scopes =
                if enforcement.abstract_sockets { "signals, abstract sockets, " } else { "" };
            let domain = format!("landlock abi {} ({scopes}ptrace)", enforcement.landlock_abi);
            installed.push(domain);
        }
        if enforcement.no_new_privileges {
            installed.push("no_new_privs".into());
        }
        if enforcement.uid == 0 && enforcement.capabilities_bounded {
            installed.push("capabilities bounded".into());
        }
        if enforcement.filtered {
            installed.push("seccomp".into());
        }
        if enforcement.namespace {
            installed.push("mount namespace".into());
        }
        if enforcement.own_processes {
            installed.push("pid namespace".into());
        }
        if enforcement.own_network {
            installed.push("network namespace".into());
        } else if matches!(plan.network, Reach::Own(_)) && enforcement.filtered {
            installed.push("no network at all".into());
        }
        let holders =
            [("memory", enforcement.memory_holder), ("processes", enforcement.processes_holder)];
        for (name, holder) in holders {
            if let Some(holder) = holder_name(holder) {
                installed.push(format!("{holder} ({name})"));
            }
        }
        // Each guarantee that the plan asks for, and how far it holds.
        for line in [writes, exec, network, remove, reads::reads, reads::sockets, limits] {
            let Line { feature, level, .. } = line(enforcement, plan);
            if is_requested(feature, plan) {
                installed.push(format!("{feature}: {}", level.as_str()));
            }
        }
        installed
    }
}

/// Whether the plan asks for this guarantee.
fn is_requested(feature: &str, plan: &Plan) -> bool {
    match feature {
        "writes" => !plan.writes_anywhere,
        "exec" => plan.execute.is_some(),
        "network" => plan.network != Reach::Anything,
        "reads" | "sockets" => plan.reads.limited,
        "limits" => plan.limits != Limits::default(),
        _ => !plan.remove,
    }
}

/// The line for a guarantee that the plan does not ask for.
fn not_requested(feature: &'static str, advice: &'static str) -> Line {
    let detail = format!("not asked for: `{feature}` lets everything pass");
    new_line(feature, Level::Unavailable, detail, Some(Remedy::Advice(advice)))
}

fn without_landlock(feature: &'static str) -> Line {
    let detail = "this kernel has no Landlock, or it is switched off".into();
    new_line(feature, Level::Unavailable, detail, Some(Remedy::Landlock))
}

fn writes(enforcement: &Enforcement, plan: &Plan) -> Line {
    let abi = enforcement.landlock_abi;
    if abi == 0 {
        return without_landlock("writes");
    }
    if plan.writes_anywhere {
        let fix = "ask for `roots`, and name the roots";
        let mut line = not_requested("writes", fix);
        line.detail.push_str("; nothing below /proc and /sys is written all the same");
        return line;
    }
    if abi < ABI_TRUNCATE {
        let detail = format!("Landlock abi {abi}: files outside of the roots can still be emptied");
        return new_line("writes", Level::BestEffort, detail, Some(USE_TRUNCATING_LANDLOCK));
    }
    if !enforcement.namespace {
        let detail = format!(
            "Landlock abi {abi}: only beneath the writable roots; without a mount namespace of its \
             own, modes, owners, times and attributes of this user's files can be changed elsewhere, and no terminal can be made"
        );
        return new_line("writes", Level::BestEffort, detail, Some(Remedy::Namespaces));
    }
    let detail = format!(
        "Landlock abi {abi}: only beneath the writable roots, the private home and temporary folder, \
         null devices and terminals of its own; read-only mounts keep modes, owners, times and attributes too"
    );
    new_line("writes", Level::Enforced, detail, None)
}

fn exec(enforcement: &Enforcement, plan: &Plan) -> Line {
    if enforcement.landlock_abi == 0 {
        return without_landlock("exec");
    }
    if plan.execute.is_none() {
        return not_requested("exec", "ask for `listed`, with an allow list");
    }
    let abi = enforcement.landlock_abi;
    if !enforcement.namespace || !enforcement.loaders_bound {
        let loaders = if enforcement.reports_programs {
            "a run that hands a program to the dynamic loader is ended before that program begins, unless \
             somebody traces it"
        } else {
            "a program that was handed to the dynamic loader is noticed by looking every 50 ms, and its run ended"
        };
        let detail = format!(
            "Landlock abi {abi}: only listed programs, without a mount namespace of its own: what a \
             listed program maps as a library is not held; {loaders}"
        );
        return new_line("exec", Level::BestEffort, detail, Some(Remedy::Namespaces));
    }
    if !enforcement.filtered {
        let detail = format!(
            "Landlock abi {abi}: only listed programs; without a filter of system calls, a file in \
             memory can be executed"
        );
        return new_line("exec", Level::BestEffort, detail, Some(ENABLE_FILTERS));
    }
    let is_root = plan.roots.iter().any(|root| root.writable && root.path == b"/");
    if plan.writes_anywhere || is_root {
        let detail = format!(
            "Landlock abi {abi}: only listed programs; where they may write everywhere, a library \
         that they wrote can be mapped"
        );
        let fix = "ask for `roots`, and name the roots";
        return new_line("exec", Level::BestEffort, detail, Some(Remedy::Advice(fix)));
    }
    let detail = format!(
        "Landlock abi {abi}: only listed programs and their parts; nothing in a writable place is \
         executed or mapped as a library, the dynamic loader runs nothing by name"
    );
    new_line("exec", Level::Enforced, detail, None)
}

fn network(enforcement: &Enforcement, plan: &Plan) -> Line {
    if !enforcement.filtered {
        let detail = "this kernel filters no system calls".into();
        return new_line("network", Level::Unavailable, detail, Some(ENABLE_FILTERS));
    }
    let no_network =
        "seccomp: no sockets but pairs within the run, nothing connects or listens, no io_uring";
    match plan.network {
        Reach::Anything => not_requested("network", "ask for `none` or `loopback`"),
        Reach::Nothing => new_line("network", Level::Enforced, no_network.into(), None),
        Reach::Own(_) if enforcement.own_network => {
            let detail = "network namespace: a loopback that only programs of the same toolkit or \
                          terminal share; seccomp: only sockets of TCP, UDP, Unix and of questions \
                          about interfaces, no io_uring";
            new_line("network", Level::Enforced, detail.into(), None)
        }
        Reach::Own(_) => {
            let detail = format!(
                "there is no network namespace here, so no loopback: commands reach nothing, as \
                 with `none` ({no_network})"
            );
            new_line("network", Level::Unavailable, detail, Some(Remedy::Namespaces))
        }
    }
}

fn remove(enforcement: &Enforcement, plan: &Plan) -> Line {
    let abi = enforcement.landlock_abi;
    if abi == 0 {
        return without_landlock("remove");
    }
    if plan.remove {
        return not_requested("remove", "ask for `no`, or deny `rm`");
    }
    let emptied = match (plan.truncate, abi < ABI_TRUNCATE) {
        (true, _) => "; they can be emptied and overwritten",
        (false, false) => ", nor emptied",
        (false, true) => {
            let detail = format!("Landlock abi {abi}: files can still be emptied");
            return new_line("remove", Level::BestEffort, detail, Some(USE_TRUNCATING_LANDLOCK));
        }
    };
    let detail = format!(
        "Landlock abi {abi}: files outside of the private folders are not removed or moved, but by \
         rewriters{emptied}"
    );
    new_line("remove", Level::Enforced, detail, None)
}

fn holder_name(holder: Holder) -> Option<&'static str> {
    match holder {
        Holder::Count => None,
        Holder::GroupV1 => Some("cgroup v1"),
        Holder::GroupV2 => Some("cgroup v2"),
        Holder::UserNamespace => Some("user namespace"),
    }
}

fn limits(enforcement: &Enforcement, plan: &Plan) -> Line {
    let Limits { memory_bytes, processes, disk_bytes, .. } = plan.limits;
    if plan.limits == Limits::default() {
        return not_requested("limits", "leave out `none`");
    }
    let held = |name, limit: Option<u64>, holder| {
        let holder = holder_name(holder).unwrap_or("counted every 50 ms");
        limit.map(|_| format!("{name}: {holder}"))
    };
    let parts = [
        held("memory", memory_bytes, enforcement.memory_holder),
        held("processes", processes, enforcement.processes_holder),
        plan.limits.cpu_ms.map(|_| "processor time: counted every 50 ms".to_owned()),
        plan.limits.file_bytes.map(|_| "files: rlimit".to_owned()),
        disk_bytes.map(|_| "disk: written bytes counted every 50 ms".to_owned()),
        plan.limits.open_files.map(|_| "open files: rlimit".to_owned()),
    ];
    let detail = parts.into_iter().flatten().collect::<Vec<_>>().join(", ");
    let is_counted = |limit: Option<u64>, holder| limit.is_some() && holder == Holder::Count;
    if is_counted(memory_bytes, enforcement.memory_holder)
        || is_counted(processes, enforcement.processes_holder)
    {
        let detail = format!("{detail}; a run can be past a count until the next one");
        return new_line("limits", Level::BestEffort, detail, Some(Remedy::ControlGroups));
    }
    if disk_bytes.is_some() || plan.limits.cpu_ms.is_some() {
        let detail = format!(
            "{detail}; room that is reserved and not written is not counted, nor children that nobody waits for"
        );
        let fix = "leave out `diskBytes` and `cpuMs`: a quota of the file system and a deadline hold more";
        return new_line("limits", Level::BestEffort, detail, Some(Remedy::Advice(fix)));
    }
    new_line("limits", Level::Enforced, detail, None)
}

fn kill(enforcement: &Enforcement) -> Line {
    if enforcement.own_processes {
        let detail =
            "everything of a run is killed at once: PID namespace, which ends with its worker";
        return new_line("kill", Level::Enforced, detail.into(), None);
    }
    if enforcement.atomic_kill {
        let detail = "everything of a run is killed at once: subreaper and Landlock signal scope";
        return new_line("kill", Level::Enforced, detail.into(), None);
    }
    let detail = "everything of a run is killed in sweeps over its processes (subreaper); a \
                  program may kill its worker, its supervisor and what ends them, and live on";
    new_line("kill", Level::BestEffort, detail.into(), Some(USE_NEWER_KERNEL))
}

fn signals(enforcement: &Enforcement) -> Line {
    if enforcement.signals {
        let detail = if enforcement.own_processes {
            "PID namespace per worker: processes outside of the run have no number in it".into()
        } else {
            format!("Landlock abi {}: signal scope per run", enforcement.landlock_abi)
        };
        return new_line("signals", Level::Enforced, detail, None);
    }
    let detail = "a program can signal other processes of this user".into();
    new_line("signals", Level::Unavailable, detail, Some(USE_NEWER_KERNEL))
}

fn environ(enforcement: &Enforcement) -> Line {
    if enforcement.introspection {
        let bounded = if enforcement.uid == 0 { ", capabilities bounded" } else { "" };
        let rest = if enforcement.own_processes {
            "and by a PID namespace they have no folder in /proc"
        } else {
            "cmdline can"
        };
        let detail = format!(
            "Landlock abi {} domain per run{bounded}: environ, maps, mem, fd, root and cwd of \
             processes outside of the run cannot be read; {rest}",
            enforcement.landlock_abi
        );
        return new_line("environ", Level::Enforced, detail, None);
    }
    let detail = "a program can read /proc/<pid>/environ of other processes of this user".into();
    let fix = if enforcement.landlock_abi == 0 { Remedy::Landlock } else { ALLOW_BOUNDING };
    new_line("environ", Level::Unavailable, detail, Some(fix))
}

/// The guarantee for the host, which does not depend on the plan.
fn host(enforcement: &Enforcement) -> Line {
    let abi = enforcement.landlock_abi;
    if abi == 0 {
        return without_landlock("host");
    }
    if !enforcement.filtered {
        let detail = "this kernel filters no system calls: a program can set limits, priorities and \
                      processors of other processes of this user";
        return new_line("host", Level::Unavailable, detail.into(), Some(ENABLE_FILTERS));
    }
    if !enforcement.capabilities_bounded {
        let detail = "root keeps capabilities that change the machine";
        return new_line("host", Level::BestEffort, detail.into(), Some(ALLOW_BOUNDING));
    }
    let detail = format!(
        "seccomp, Landlock abi {abi}: no limits, priorities or processors of other processes, no call \
         that changes the machine, no write below /proc and /sys"
    );
    new_line("host", Level::Enforced, detail, None)
}

fn new_line(feature: &'static str, level: Level, detail: String, remedy: Option<Remedy>) -> Line {
    Line { feature, level, detail, remedy }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_reports_have_the_same_lines() {
        let names =
            |report: Vec<Capability>| report.iter().map(|line| line.feature).collect::<Vec<_>>();
        let facts = HostFacts::default();
        let report = Capability::report(&Enforcement::default(), &Plan::default(), facts);
        assert_eq!(names(report), FEATURES);
        assert_eq!(names(Capability::without_runs("")), FEATURES);
    }
}
