//! What this machine holds commands to, as far as it is known before a worker has said so: what is not known is not held.

use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};

use handrail_supervisor::PROBE;

use crate::options::EngineOptions;

/// What the workers of one engine will hold commands to. The engine and those who judge for it share one.
#[derive(Debug)]
pub struct Held {
    supervisor: PathBuf,
    /// Whether everything is used that is needed.
    used: bool,
    offered: OnceLock<bool>,
    /// A worker held less than was counted on.
    missed: AtomicBool,
}

impl Held {
    pub(crate) fn new(options: &EngineOptions) -> Held {
        let EngineOptions { supervisor, confine, kernel, .. } = options;
        Held {
            supervisor: supervisor.clone(),
            used: *confine && kernel.landlock > 0 && kernel.filters && kernel.namespaces,
            offered: OnceLock::new(),
            missed: AtomicBool::new(false),
        }
    }

    /// Whether everything of a plan is enforced. The first question tries it out in a process of its own.
    pub fn everything(&self) -> bool {
        self.used
            && !self.missed.load(Ordering::Relaxed)
            && *self.offered.get_or_init(|| self.tries())
    }

    fn tries(&self) -> bool {
        let probe = Command::new(&self.supervisor)
            .arg(PROBE)
            .env_clear()
            .current_dir("/")
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .status();
        probe.is_ok_and(|status| status.success())
    }

    /// Nothing counts on it any more.
    pub(crate) fn missed(&self) {
        self.missed.store(true, Ordering::Relaxed);
    }
}
