//! New namespaces for this process, with a user namespace of its own where it needs or wants one.

use std::io;

use super::confine;
use super::syscall::check;

/// Enters new namespaces of these kinds, for good. A process that may not do that enters a user namespace of its own with them;
/// returns whether it did.
pub(crate) fn unshare_with_users(namespaces: libc::c_int) -> io::Result<bool> {
    match unshare(namespaces) {
        Ok(()) => Ok(false),
        Err(_) if unshare_users(namespaces)? => Ok(true),
        Err(error) => Err(error),
    }
}

/// Enters a new user namespace and others of these kinds in it, for good. False if there can be none.
pub(crate) fn unshare_users(namespaces: libc::c_int) -> io::Result<bool> {
    let (user, group) = (rustix::process::geteuid(), rustix::process::getegid());
    // The files that map users and groups belong to root while this process is opaque.
    confine::become_opaque(false)?;
    let entered = unshare(libc::CLONE_NEWUSER | namespaces).is_ok();
    let mapped = if entered { map_users(user.as_raw(), group.as_raw()) } else { Ok(()) };
    confine::become_opaque(true)?;
    mapped?;
    Ok(entered)
}

/// Gives this process the user and the group that it had before it entered its user namespace.
fn map_users(user: u32, group: u32) -> io::Result<()> {
    std::fs::write("/proc/self/setgroups", "deny")?;
    std::fs::write("/proc/self/uid_map", format!("{user} {user} 1"))?;
    std::fs::write("/proc/self/gid_map", format!("{group} {group} 1"))
}

/// Enters new namespaces of these kinds, for good.
pub(crate) fn unshare(namespaces: libc::c_int) -> io::Result<()> {
    // SAFETY: a plain number; this process has one thread.
    check(unsafe { libc::unshare(namespaces) })
}
