//! What would enforce a guarantee that is missing, in the words of where the host runs: a container, a pod, a machine.
//!
//! Files and variables only name the place. Whether something is missing is what workers reported.

/// What is missing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Remedy {
    /// A mount namespace, or the network namespace that comes with it.
    Namespaces,
    /// A control group for the commands.
    ControlGroups,
    /// Landlock.
    Landlock,
    /// Something that the same advice is right for everywhere.
    Advice(&'static str),
}

/// Facts about the process of the host, and files that tell where it runs.
#[expect(clippy::struct_excessive_bools, reason = "independent facts")]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct HostFacts {
    /// Its user is root.
    pub root: bool,
    /// A filter of system calls that Handrail did not install holds it.
    pub filtered: bool,
    /// Kubernetes started it.
    pub kubernetes: bool,
    /// Podman did.
    pub podman: bool,
    /// Docker did.
    pub docker: bool,
    /// `user.max_user_namespaces` is 0.
    pub no_user_namespaces: bool,
    /// `kernel.unprivileged_userns_clone` is 0, a setting of Debian.
    pub root_user_namespaces: bool,
    /// `kernel.apparmor_restrict_unprivileged_userns` is 1, a setting of Ubuntu.
    pub restricted_user_namespaces: bool,
}

impl Remedy {
    /// The text for a host of which these facts are known.
    pub(crate) fn text(self, facts: HostFacts) -> &'static str {
        match self {
            Remedy::Namespaces => namespaces(facts),
            Remedy::ControlGroups => control_groups(facts),
            Remedy::Landlock => landlock(facts),
            Remedy::Advice(text) => text,
        }
    }
}

fn namespaces(facts: HostFacts) -> &'static str {
    // A setting of the machine is what fails only where no filter has refused the call before.
    if !facts.root && !facts.filtered {
        if facts.no_user_namespaces {
            return "let ordinary users have user namespaces: `sysctl -w user.max_user_namespaces=15000`";
        }
        if facts.root_user_namespaces {
            return "let ordinary users have user namespaces: `sysctl -w kernel.unprivileged_userns_clone=1`";
        }
        if facts.restricted_user_namespaces {
            return "Ubuntu gives user namespaces no rights: `sysctl -w \
                    kernel.apparmor_restrict_unprivileged_userns=0`, or a profile of AppArmor for Node with `userns,`";
        }
    }
    match (facts.kubernetes, facts.podman, facts.docker, facts.root) {
        (true, _, _, true) => {
            "in the `securityContext` of this pod's container: `capabilities: {add: [SYS_ADMIN, NET_ADMIN]}` and \
             `appArmorProfile: {type: Unconfined}`"
        }
        (true, _, _, false) => {
            "in the `securityContext` of this pod's container: `seccompProfile: {type: Unconfined}` and \
             `appArmorProfile: {type: Unconfined}`"
        }
        (_, true, _, true) => {
            "start this container with `podman run --cap-add SYS_ADMIN --cap-add NET_ADMIN`"
        }
        (_, true, _, false) => {
            "start this container with `podman run --security-opt seccomp=unconfined`"
        }
        (_, _, true, true) => {
            "start this container with `docker run --cap-add SYS_ADMIN --cap-add NET_ADMIN --security-opt \
             apparmor=unconfined`"
        }
        (_, _, true, false) => {
            "start this container with `docker run --security-opt seccomp=unconfined --security-opt \
             apparmor=unconfined`"
        }
        _ if facts.filtered => {
            "a filter of system calls holds this process, as in a container or a unit of systemd: let `unshare`, \
             `mount` and `setns` pass"
        }
        (.., true) => "run with CAP_SYS_ADMIN and CAP_NET_ADMIN, which this root lacks",
        (.., false) => {
            "run as root, or where ordinary users may have user namespaces (sysctl user.max_user_namespaces, \
             user.max_mnt_namespaces, user.max_net_namespaces)"
        }
    }
}

fn control_groups(facts: HostFacts) -> &'static str {
    if facts.kubernetes {
        return "`resources: {limits: {memory: …}}` bounds all runs of this pod together; for each run a container needs \
                /sys/fs/cgroup writable, and its host in a group beneath the root there";
    }
    if facts.podman || facts.docker {
        return "`--memory … --pids-limit …` bounds all runs of this container together; for each run it needs \
                /sys/fs/cgroup writable, and its host in a group beneath the root there";
    }
    "run where control groups may be made: with those of version 1 by root, or in a leaf of a delegated one of version 2 \
     (systemd: Delegate=yes and DelegateSubgroup=)"
}

fn landlock(facts: HostFacts) -> &'static str {
    if facts.filtered {
        return "run on a kernel with Landlock enabled (boot option `lsm=landlock,…`), and with a filter of system calls that knows it: \
                that of a new Docker or Podman does";
    }
    "run on a kernel with Landlock enabled (boot option `lsm=landlock,…`)"
}

#[cfg(test)]
mod tests;
