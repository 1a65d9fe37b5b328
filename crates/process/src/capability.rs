//! What this machine enforces, as a report that says what to do about the rest.

use handrail_supervisor::message::Enforcement;

/// How far a feature goes here.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Level {
    /// The kernel enforces it.
    Enforced,
    /// It works against programs that do not try to get around it.
    BestEffort,
    /// It is not there.
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
    /// `kill`, `signals`, `environ`, `writes`, `exec` or `network`.
    pub feature: &'static str,
    /// How far it goes.
    pub level: Level,
    /// What makes it so.
    pub detail: String,
    /// What would make it better.
    pub fix: Option<&'static str>,
}

/// Every feature of a report, in its order.
const FEATURES: [&str; 6] = ["kill", "signals", "environ", "writes", "exec", "network"];
const LINUX: &str = "run on Linux (x64 or arm64), for example in a container or a virtual machine";
const NEWER_KERNEL: &str = "run on Linux 6.12 or newer with Landlock enabled (boot option lsm=)";
const ANY_LANDLOCK: &str = "run on a kernel with Landlock enabled (boot option lsm=)";

impl Capability {
    /// The report for what workers have installed.
    pub fn report(enforcement: &Enforcement) -> Vec<Capability> {
        let abi = enforcement.landlock_abi;
        vec![
            kill(enforcement),
            signals(enforcement),
            environ(enforcement),
            missing("writes", abi),
            missing("exec", abi),
            missing("network", abi),
        ]
    }

    /// The report for a platform that runs no commands, for this reason.
    pub fn without_runs(reason: &str) -> Vec<Capability> {
        let line = |feature| capability(feature, Level::Unavailable, reason.into(), Some(LINUX));
        FEATURES.map(line).into()
    }

    /// A short line per mechanism that was really installed, for results.
    pub fn installed(enforcement: &Enforcement) -> Vec<String> {
        let mut installed = Vec::new();
        if enforcement.landlock_abi > 0 {
            let scopes = if enforcement.signals { "signals, abstract sockets, " } else { "" };
            let domain = format!("landlock abi {} ({scopes}ptrace)", enforcement.landlock_abi);
            installed.push(domain);
        }
        if enforcement.no_new_privileges {
            installed.push("no_new_privs".into());
        }
        if enforcement.uid == 0 && enforcement.capabilities_bounded {
            installed.push("capabilities bounded".into());
        }
        installed
    }
}

fn kill(enforcement: &Enforcement) -> Capability {
    if enforcement.atomic_kill {
        let detail = "everything of a run is killed at once: subreaper and Landlock signal scope";
        return capability("kill", Level::Enforced, detail.into(), None);
    }
    let detail = "everything of a run is killed in sweeps over its processes (subreaper); a \
                  program may signal its worker, which ends the run";
    capability("kill", Level::BestEffort, detail.into(), Some(NEWER_KERNEL))
}

fn signals(enforcement: &Enforcement) -> Capability {
    if enforcement.signals {
        let detail = format!("Landlock abi {}: signal scope per run", enforcement.landlock_abi);
        return capability("signals", Level::Enforced, detail, None);
    }
    let detail = "a program can signal other processes of this user".into();
    capability("signals", Level::Unavailable, detail, Some(NEWER_KERNEL))
}

fn environ(enforcement: &Enforcement) -> Capability {
    if enforcement.introspection {
        let bounded = if enforcement.uid == 0 { ", capabilities bounded" } else { "" };
        let detail = format!(
            "Landlock abi {} domain per run{bounded}: environ, maps, mem, fd, root and cwd of \
             processes outside of the run cannot be read; cmdline can",
            enforcement.landlock_abi
        );
        return capability("environ", Level::Enforced, detail, None);
    }
    let detail = "a program can read /proc/<pid>/environ of other processes of this user".into();
    let fix = if enforcement.landlock_abi == 0 {
        ANY_LANDLOCK
    } else {
        "run as an ordinary user, or with the capability to drop capabilities (CAP_SETPCAP)"
    };
    capability("environ", Level::Unavailable, detail, Some(fix))
}

/// Guarantees that this release does not give, whatever the machine could do.
fn missing(feature: &'static str, abi: u32) -> Capability {
    let detail = format!("not part of this release (the kernel offers Landlock abi {abi})");
    let fix = match feature {
        "writes" => "run as a user that cannot write outside of the workspace",
        "exec" => "list programs that run no other programs",
        _ => "run in a network namespace without routes",
    };
    capability(feature, Level::Unavailable, detail, Some(fix))
}

fn capability(
    feature: &'static str,
    level: Level,
    detail: String,
    fix: Option<&'static str>,
) -> Capability {
    Capability { feature, level, detail, fix }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_reports_have_the_same_lines() {
        let names =
            |report: Vec<Capability>| report.iter().map(|line| line.feature).collect::<Vec<_>>();
        assert_eq!(names(Capability::report(&Enforcement::default())), FEATURES);
        assert_eq!(names(Capability::without_runs("")), FEATURES);
    }
}
