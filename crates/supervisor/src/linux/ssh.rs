//! The way of `ssh` to the proxy that leads out of a network namespace.
//!
//! `ssh` knows no proxy, reads no variable about one, and looks for its settings in the home of the password file. What it reads
//! everywhere is the machine's configuration. In a view, that file begins with a `ProxyCommand`: this executable under another
//! name (see `connect`).

use std::ffi::OsStr;
use std::io::{self, Write as _};
use std::os::unix::ffi::OsStrExt as _;
use std::path::{Path, PathBuf};

use handrail_supervisor::CONNECT_NAME;
use handrail_supervisor::message::Plan;

use super::mount_tree::{MOUNT_ATTR_NODEV, MOUNT_ATTR_NOEXEC, MOUNT_ATTR_RDONLY, MountTree};

/// The machine's configuration of `ssh`.
const SYSTEM_CONFIG: &str = "/etc/ssh/ssh_config";
/// The name of its replacement in the state directory.
const CONFIG_NAME: &str = "ssh_config";
/// The largest configuration that is replaced.
const MAX_CONFIG_BYTES: u64 = 1 << 20;
const INCLUDE: &[u8] = b"include";

/// The program that connects `ssh` with its server, and the configuration that names it.
pub(crate) struct Connector {
    proxy_port: u16,
    program: MountTree,
    /// The machine's configuration as it is.
    config: Vec<u8>,
}

/// The path of the program in the view of the worker with this folder, if the plan has a proxy.
pub(crate) fn connector_of(plan: &Plan, own: &Path) -> Option<PathBuf> {
    plan.proxy_port.and_then(|_| Some(own.parent()?.join(CONNECT_NAME)))
}

impl Connector {
    /// Opens this executable and the machine's configuration, in a process that has mounted nothing yet.
    ///
    /// # Errors
    /// When the executable was removed meanwhile, or there is no such configuration, which is where there is no `ssh`.
    pub(crate) fn open(proxy_port: u16) -> io::Result<Connector> {
        if std::fs::metadata(SYSTEM_CONFIG)?.len() > MAX_CONFIG_BYTES {
            return Err(io::ErrorKind::InvalidData.into());
        }
        let config = std::fs::read(SYSTEM_CONFIG)?;
        let path = std::fs::read_link("/proc/self/exe")?;
        let identity = |path: &Path| rustix::fs::stat(path).map(|file| (file.st_dev, file.st_ino));
        if identity(&path)? != identity(Path::new("/proc/self/exe"))? {
            return Err(io::ErrorKind::NotFound.into());
        }
        let program = MountTree::clone(&path, MOUNT_ATTR_RDONLY | MOUNT_ATTR_NODEV)?;
        Ok(Connector { proxy_port, program, config })
    }

    /// Mounts the program into the state directory, and a configuration that names it over the machine's.
    pub(crate) fn announce(&self, state: &Path) -> io::Result<()> {
        let program = state.join(CONNECT_NAME);
        std::fs::File::create_new(&program)?;
        self.program.mount_at(&program)?;
        let config = state.join(CONFIG_NAME);
        let text = configuration(&program, self.proxy_port, &self.config, are_owners_known());
        std::fs::File::create_new(&config)?.write_all(&text)?;
        let flags = MOUNT_ATTR_RDONLY | MOUNT_ATTR_NODEV | MOUNT_ATTR_NOEXEC;
        MountTree::clone(&config, flags)?.mount_at(Path::new(SYSTEM_CONFIG))
    }
}

/// Whether files of root are seen as files of root, which they are not in a user namespace of another user.
fn are_owners_known() -> bool {
    rustix::fs::stat("/").is_ok_and(|root| root.st_uid == 0)
}

/// The machine's configuration after lines that name the program: of each setting the first counts. `ssh` refuses included files
/// of an owner that it does not know, so then they are left out.
fn configuration(program: &Path, proxy_port: u16, system: &[u8], owners_known: bool) -> Vec<u8> {
    let mut text = b"ProxyUseFdpass no\nProxyCommand ".to_vec();
    for byte in quoted(program.as_os_str()) {
        text.push(byte);
        if byte == b'%' {
            text.push(byte);
        }
    }
    text.extend_from_slice(format!(" {proxy_port} '%h' %p\n").as_bytes());
    for line in system.split_inclusive(|&byte| byte == b'\n') {
        let is_include = line
            .trim_ascii_start()
            .get(..INCLUDE.len())
            .is_some_and(|word| word.eq_ignore_ascii_case(INCLUDE));
        if owners_known || !is_include {
            text.extend_from_slice(line);
        }
    }
    text
}

/// A word of a shell.
pub(crate) fn quoted(word: &OsStr) -> Vec<u8> {
    let mut text = b"'".to_vec();
    for &byte in word.as_bytes() {
        text.extend_from_slice(if byte == b'\'' { b"'\\''" } else { std::slice::from_ref(&byte) });
    }
    text.push(b'\'');
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    const SYSTEM: &[u8] = b"  Include /etc/ssh/ssh_config.d/*.conf\nHost *\n  SendEnv LANG\n";

    #[test]
    fn the_first_lines_name_the_program() {
        let text = configuration(Path::new("/tmp/100% it's/p"), 61080, SYSTEM, true);
        let first = "ProxyUseFdpass no\nProxyCommand '/tmp/100%% it'\\''s/p' 61080 '%h' %p\n";
        assert_eq!(text, [first.as_bytes(), SYSTEM].concat());
    }

    #[test]
    fn files_of_an_unknown_owner_are_not_included() {
        let text = configuration(Path::new("/p"), 1, SYSTEM, false);
        assert!(text.ends_with(b"%p\nHost *\n  SendEnv LANG\n"));
    }
}
