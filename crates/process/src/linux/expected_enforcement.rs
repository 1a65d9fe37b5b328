//! Whether workers will enforce everything of a plan, as far as that is known before a worker has reported.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};

use handrail_supervisor::{NETWORK_PROBE, PROBE};

use crate::linux::kernel_plan::TEMPORARY_FOLDER;
use crate::options::EngineOptions;

/// Whether the workers of one engine will enforce everything of a plan. The engine and the runners that judge for it
/// share one value. Where it is unknown, the answer is no.
#[derive(Debug)]
pub struct ExpectedEnforcement {
    supervisor: PathBuf,
    /// The folder in which the engine makes its state directory.
    state_parent: PathBuf,
    /// Whether the options of the engine use every mechanism that plans need.
    is_requested: bool,
    /// Whether its options use every mechanism that a network of their own needs.
    is_network_requested: bool,
    /// Whether the probe succeeded, once it has run.
    probe_succeeded: OnceLock<bool>,
    /// The same for the probe of networks.
    network_probe_succeeded: OnceLock<bool>,
    /// Whether a worker enforced less than was expected.
    has_fallen_short: AtomicBool,
}

impl ExpectedEnforcement {
    pub(crate) fn new(options: &EngineOptions) -> ExpectedEnforcement {
        let EngineOptions { supervisor, state_parent, confine, kernel, .. } = options;
        ExpectedEnforcement {
            supervisor: supervisor.clone(),
            state_parent: state_parent.clone(),
            is_requested: *confine && kernel.landlock > 0 && kernel.filters && kernel.namespaces,
            is_network_requested: *confine && kernel.filters && kernel.namespaces,
            probe_succeeded: OnceLock::new(),
            network_probe_succeeded: OnceLock::new(),
            has_fallen_short: AtomicBool::new(false),
        }
    }

    /// Whether everything of a plan is enforced. The first call starts a process that tries it out.
    pub fn is_complete(&self) -> bool {
        self.is_requested
            && !self.has_fallen_short.load(Ordering::Relaxed)
            && *self.probe_succeeded.get_or_init(|| self.run_probe(PROBE))
    }

    /// Whether commands can have a network namespace. The first call starts a process that tries it out.
    pub fn has_networks(&self) -> bool {
        self.is_network_requested
            && *self.network_probe_succeeded.get_or_init(|| self.run_probe(NETWORK_PROBE))
    }

    /// Whether a folder of temporary files that is a worker's own can have the state directory: right beneath it, or elsewhere.
    pub fn can_own_temporary_folder(&self) -> bool {
        self.state_parent == Path::new(TEMPORARY_FOLDER)
            || std::fs::canonicalize(&self.state_parent)
                .is_ok_and(|parent| !parent.starts_with(TEMPORARY_FOLDER))
    }

    fn run_probe(&self, probe: &str) -> bool {
        let probe = Command::new(&self.supervisor)
            .arg(probe)
            .env_clear()
            .current_dir("/")
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .status();
        probe.is_ok_and(|status| status.success())
    }

    /// A worker enforced less than was expected: from now on nothing is expected.
    pub(crate) fn record_shortfall(&self) {
        self.has_fallen_short.store(true, Ordering::Relaxed);
    }
}
