//! How much memory this process could use at most: what the machine has, or what a control group grants.

use std::fs;
use std::sync::OnceLock;

use handrail_supervisor::control_groups::ControlGroups;

/// The memory in bytes that the machine or the control group of this process has; `None` where nobody tells.
pub(crate) fn available_memory() -> Option<u64> {
    static AVAILABLE: OnceLock<Option<u64>> = OnceLock::new();
    *AVAILABLE.get_or_init(|| {
        let machine = total_memory(&fs::read_to_string("/proc/meminfo").ok()?)?;
        Some(ControlGroups::granted_memory().map_or(machine, |granted| granted.min(machine)))
    })
}

fn total_memory(text: &str) -> Option<u64> {
    let line = text.lines().find_map(|line| line.strip_prefix("MemTotal:"))?;
    line.trim().strip_suffix("kB")?.trim().parse::<u64>().ok()?.checked_mul(1024)
}
