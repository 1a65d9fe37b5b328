//! Kernel plans as JavaScript names them, and what is enforced of them.

use std::time::Duration;

use handrail_policy::plan::{Confine, Exec, Network, Remove, Writes};
use handrail_process::Capability;
use napi_derive::napi;

use crate::code::{Result, error};

/// How long a report may wait for the supervisor's first word.
pub(crate) const REPORT_LIMIT: Duration = Duration::from_secs(10);

/// What a host chose; the rest follows from its lists.
#[napi(object)]
pub struct NativeConfine {
    /// `roots`, `none` or `any`.
    pub writes: Option<String>,
    /// `listed` or `any`.
    pub exec: Option<String>,
    /// `none` or `any`.
    pub network: Option<String>,
    /// `yes`, `no` or `no-truncate`.
    pub remove: Option<String>,
    /// Programs that may remove files all the same.
    pub rewriters: Option<Vec<String>>,
}

/// One line of the report on what this machine enforces.
#[napi(object)]
pub struct NativeCapability {
    /// A guarantee's name.
    pub feature: String,
    /// `enforced`, `best-effort` or `unavailable`.
    pub level: String,
    /// What makes it so.
    pub detail: String,
    /// What would make it better.
    pub fix: Option<String>,
}

impl NativeConfine {
    pub(crate) fn read(self) -> Result<Confine> {
        let writes = [("roots", Writes::Roots), ("none", Writes::None), ("any", Writes::Any)];
        let exec = [("listed", Exec::Listed), ("any", Exec::Any)];
        let network = [("none", Network::None), ("any", Network::Any)];
        let remove =
            [("yes", Remove::Yes), ("no", Remove::No), ("no-truncate", Remove::NoTruncate)];
        Ok(Confine {
            writes: choice("writes", self.writes, &writes)?,
            exec: choice("exec", self.exec, &exec)?,
            network: choice("network", self.network, &network)?,
            remove: choice("remove", self.remove, &remove)?,
            rewriters: self.rewriters,
        })
    }
}

fn choice<T: Copy>(key: &str, given: Option<String>, known: &[(&str, T)]) -> Result<Option<T>> {
    let Some(given) = given else { return Ok(None) };
    let refuse = || error("ERR_INVALID_ARGUMENT", &format!("confine.{key}: not a choice"));
    let found = known.iter().find(|(name, _)| *name == given);
    found.map(|&(_, choice)| Some(choice)).ok_or_else(refuse)
}

pub(crate) fn native(report: Vec<Capability>) -> Vec<NativeCapability> {
    let line = |capability: Capability| NativeCapability {
        feature: capability.feature.into(),
        level: capability.level.as_str().into(),
        detail: capability.detail,
        fix: capability.fix.map(Into::into),
    };
    report.into_iter().map(line).collect()
}
