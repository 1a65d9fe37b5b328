//! Files with the passwords and keys of the machine.

use super::is_one_like;

/// Patterns of their absolute paths. The kernel plan covers the same files (`namespace` in `crates/supervisor`).
const SECRET_FILES: &str = "/etc/shadow /etc/shadow- /etc/gshadow /etc/gshadow- /etc/sudoers /etc/sudoers.d/* \
    /etc/ssh/ssh_host_*_key";

/// Whether the path, however its slashes and dots are written, is one of these.
pub(crate) fn is_secret_file(path: &str) -> bool {
    let mut parts: Vec<&str> = Vec::new();
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." => {
                parts.pop();
            }
            part => parts.push(part),
        }
    }
    is_one_like(SECRET_FILES, &format!("/{}", parts.join("/")))
}
