//! Where this process runs, as far as files and one variable tell.

use std::fs;
use std::path::Path;

use crate::remedy::HostFacts;

/// The mode of `Seccomp` in `/proc/self/status` in which a filter holds the process.
const FILTER_MODE: &str = "2";

/// The facts about this process.
pub(crate) fn host_facts() -> HostFacts {
    let exists = |path: &str| Path::new(path).exists();
    let setting_is = |name: &str, value: &str| {
        fs::read_to_string(format!("/proc/sys/{name}")).is_ok_and(|text| text.trim() == value)
    };
    HostFacts {
        root: rustix::process::geteuid().is_root(),
        filtered: fs::read_to_string("/proc/self/status").is_ok_and(|text| is_filtered(&text)),
        kubernetes: std::env::var_os("KUBERNETES_SERVICE_HOST").is_some()
            || exists("/var/run/secrets/kubernetes.io"),
        podman: exists("/run/.containerenv"),
        docker: exists("/.dockerenv"),
        no_user_namespaces: setting_is("user/max_user_namespaces", "0"),
        root_user_namespaces: setting_is("kernel/unprivileged_userns_clone", "0"),
        restricted_user_namespaces: setting_is("kernel/apparmor_restrict_unprivileged_userns", "1"),
    }
}

fn is_filtered(status: &str) -> bool {
    let mode = status.lines().find_map(|line| line.strip_prefix("Seccomp:"));
    mode.is_some_and(|mode| mode.trim() == FILTER_MODE)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_filter_shows_in_the_status_of_a_process() {
        assert!(is_filtered("NoNewPrivs:\t1\nSeccomp:\t2\nSeccomp_filters:\t1\n"));
        assert!(!is_filtered("NoNewPrivs:\t0\nSeccomp:\t0\nSeccomp_filters:\t0\n"));
    }
}
