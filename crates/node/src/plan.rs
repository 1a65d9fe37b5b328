//! Kernel plans as JavaScript names them, and what is enforced of them.

use std::path::Path;
use std::time::Duration;

use handrail_files::Roots;
use handrail_policy::plan::{
    Confine, Exec, Limits, NO_LIMIT, Network, Place, Plan, Reads, Remove, Writes,
};
use handrail_process::{Capability, Level, Runner, SearchPath};
use handrail_reports as reports;
use napi_derive::napi;

use crate::code::{Result, error};

/// Longest wait for the first message of the supervisor.
pub(crate) const REPORT_LIMIT: Duration = Duration::from_secs(10);

/// The parts of the kernel plan that a host chose; the others follow from its lists.
#[napi(object)]
pub struct NativeConfine {
    /// Where commands may write: `roots`, `none` or `any`.
    #[napi(ts_type = "'roots' | 'none' | 'any'")]
    pub writes: Option<String>,
    /// Which programs they may start: `listed` or `any`.
    #[napi(ts_type = "'listed' | 'any'")]
    pub exec: Option<String>,
    /// What they may connect to: `none`, `loopback`, `allow` for the hosts of the runner's way out, or `any`.
    #[napi(ts_type = "'none' | 'loopback' | 'allow' | 'any'")]
    pub network: Option<String>,
    /// Whether they may remove files: `yes`, `no` or `no-truncate`.
    #[napi(ts_type = "'yes' | 'no' | 'no-truncate'")]
    pub remove: Option<String>,
    /// Names of programs that may remove files where others may not.
    pub rewriters: Option<Vec<String>>,
    /// What they may read: `protected`, `roots` or `any`.
    #[napi(ts_type = "'protected' | 'roots' | 'any'")]
    pub reads: Option<String>,
    /// Places that they may read all the same.
    pub readable: Option<Vec<String>>,
    /// Further places that they may not read.
    pub unreadable: Option<Vec<String>>,
    /// How much each run may use.
    pub limits: Option<NativeLimits>,
}

/// How much each run may use. An infinite number is no limit.
#[napi(object)]
pub struct NativeLimits {
    /// The memory of all of its processes.
    pub memory_bytes: Option<f64>,
    /// Processes and their threads.
    pub processes: Option<f64>,
    /// The processor time of all of its processes.
    pub cpu_ms: Option<f64>,
    /// The size of one file that it writes.
    pub file_bytes: Option<f64>,
    /// What all of its processes write to disk.
    pub disk_bytes: Option<f64>,
    /// The descriptors that one process has open.
    pub open_files: Option<f64>,
}

impl NativeLimits {
    fn read(&self) -> Limits {
        let limit = |given: Option<f64>| {
            given.map(|limit| if limit.is_finite() { limit as u64 } else { NO_LIMIT })
        };
        Limits {
            memory_bytes: limit(self.memory_bytes),
            processes: limit(self.processes),
            cpu_ms: limit(self.cpu_ms),
            file_bytes: limit(self.file_bytes),
            disk_bytes: limit(self.disk_bytes),
            open_files: limit(self.open_files),
        }
    }
}

pub(crate) fn report<'a>(plan: &'a Plan, roots: &Roots) -> reports::Plan<'a> {
    let writable = match roots {
        Roots::Only(roots) if plan.writes != Writes::None => {
            let writable = roots.iter().filter(|root| root.is_writable());
            writable.map(|root| root.path().to_string_lossy().into_owned()).collect()
        }
        _ => Vec::new(),
    };
    reports::Plan {
        writes: name(&WRITES, plan.writes),
        exec: if plan.programs.is_some() { "listed" } else { "any" },
        network: name(&NETWORK, plan.network),
        remove: name(&REMOVE, plan.remove),
        reads: name(&READS, plan.reads.reads),
        programs: match &plan.programs {
            Some(programs) => {
                let names = programs.iter().map(|program| program.name.as_str());
                names.chain(plan.places.iter().map(Place::name)).collect()
            }
            None => Vec::new(),
        },
        writable,
    }
}

/// Refuses a list of what commands do not read that names what cannot be taken away.
pub(crate) fn holdable(runner: &Runner, confine: &Confine) -> Result<()> {
    let Some((entry, why)) = runner.unholdable(confine) else { return Ok(()) };
    let text = format!("confine.unreadable: '{entry}' cannot be made unreadable: {why}");
    Err(error("ERR_INVALID_ARGUMENT", &text))
}

const WRITES: [(&str, Writes); 3] =
    [("roots", Writes::Roots), ("none", Writes::None), ("any", Writes::Any)];
const EXEC: [(&str, Exec); 2] = [("listed", Exec::Listed), ("any", Exec::Any)];
const NETWORK: [(&str, Network); 4] = [
    ("none", Network::None),
    ("loopback", Network::Loopback),
    ("allow", Network::Allow),
    ("any", Network::Any),
];
const REMOVE: [(&str, Remove); 3] =
    [("yes", Remove::Yes), ("no", Remove::No), ("no-truncate", Remove::NoTruncate)];

const READS: [(&str, Reads); 3] =
    [("protected", Reads::Protected), ("roots", Reads::Roots), ("any", Reads::Any)];

fn name<T: Copy + PartialEq>(known: &[(&'static str, T)], choice: T) -> &'static str {
    known.iter().find(|(_, known)| *known == choice).map_or("", |&(name, _)| name)
}

impl NativeConfine {
    pub(crate) fn read(self) -> Result<Confine> {
        Ok(Confine {
            writes: choice("writes", self.writes, &WRITES)?,
            exec: choice("exec", self.exec, &EXEC)?,
            network: choice("network", self.network, &NETWORK)?,
            remove: choice("remove", self.remove, &REMOVE)?,
            rewriters: self.rewriters,
            reads: choice("reads", self.reads, &READS)?,
            readable: self.readable,
            unreadable: self.unreadable,
            limits: self.limits.map(|limits| limits.read()).unwrap_or_default(),
        })
    }
}

fn choice<T: Copy>(key: &str, given: Option<String>, known: &[(&str, T)]) -> Result<Option<T>> {
    let Some(given) = given else { return Ok(None) };
    let refuse = || error("ERR_INVALID_ARGUMENT", &format!("confine.{key}: not a choice"));
    let found = known.iter().find(|(name, _)| *name == given);
    found.map(|&(_, choice)| Some(choice)).ok_or_else(refuse)
}

pub(crate) fn search_folders(search: &SearchPath) -> Vec<reports::SearchFolder> {
    let text = |path: &Path| path.to_string_lossy().into_owned();
    let used = search.directories().map(|path| (text(path), None));
    let left_out = search.left_out().iter().map(|(path, why)| (text(path), Some(why.name())));
    used.chain(left_out).map(|(path, left_out)| reports::SearchFolder { path, left_out }).collect()
}

/// `way_out` says whether commands reach a list of hosts as well.
pub(crate) fn capabilities(report: Vec<Capability>, way_out: bool) -> Vec<reports::Capability> {
    let line = |capability: Capability| reports::Capability {
        feature: capability.feature,
        level: capability.level.as_str(),
        detail: match capability.level {
            Level::Enforced if way_out && capability.feature == "network" => {
                format!("{}; beyond it, the hosts of `allow`", capability.detail)
            }
            _ => capability.detail,
        },
        fix: capability.fix,
    };
    report.into_iter().map(line).collect()
}
