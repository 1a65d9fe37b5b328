//! The lines about what commands read and which sockets of this machine they reach.

use handrail_supervisor::message::{Enforcement, Plan, Reach};

use super::{Level, Line, USE_NEWER_KERNEL, new_line, not_requested, without_landlock};
use crate::remedy::Remedy;

/// Whether files of protected places are held back.
pub(super) fn reads(enforcement: &Enforcement, plan: &Plan) -> Line {
    let reads = &plan.reads;
    if !reads.limited {
        return not_requested("reads", "ask for `protected`");
    }
    let abi = enforcement.landlock_abi;
    if abi == 0 && (!enforcement.namespace || reads.only.is_some()) {
        return without_landlock("reads");
    }
    let what = match &reads.only {
        Some(only) => {
            format!("Landlock abi {abi}: only the roots, the system and {} more places", only.len())
        }
        None => "everything but the protected places".into(),
    };
    let count = reads.covered.len();
    let how = if enforcement.namespace {
        format!("mounts cover {count} places, and what is made in them later")
    } else {
        format!(
            "Landlock abi {abi} leaves out {count} places; the names of their files can be listed, and \
             what is made later beside the way to them is not read"
        )
    };
    if plan.writes_everywhere() && count > 0 || is_one_in_writable_root(plan) {
        let why = if enforcement.namespace {
            "a place that lies where commands write is covered as it stood, and a folder above it can be moved"
        } else {
            "a place beneath a writable root is not held without a mount namespace"
        };
        let fix = if enforcement.namespace {
            Remedy::Advice("name narrower roots")
        } else {
            Remedy::Namespaces
        };
        return new_line("reads", Level::BestEffort, format!("{what}: {how}; {why}"), Some(fix));
    }
    new_line("reads", Level::Enforced, format!("{what}: {how}"), None)
}

fn is_one_in_writable_root(plan: &Plan) -> bool {
    let mut roots = plan.roots.iter().filter(|root| root.writable);
    let is_beneath = |path: &[u8], root: &[u8]| {
        root == b"/" || path.strip_prefix(root).is_some_and(|rest| rest.starts_with(b"/"))
    };
    roots.any(|root| plan.reads.covered.iter().any(|place| is_beneath(&place.path, &root.path)))
}

/// Whether sockets are held back whose owners start programs.
pub(super) fn sockets(enforcement: &Enforcement, plan: &Plan) -> Line {
    if plan.network == Reach::Nothing && enforcement.filtered {
        let detail =
            "seccomp, as commands have no network: nothing connects to a socket of another process"
                .into();
        return new_line("sockets", Level::Enforced, detail, None);
    }
    if !plan.reads.limited {
        return not_requested("sockets", "ask for `reads: protected`");
    }
    if !enforcement.namespace {
        let detail = "without a mount namespace, and with a network, commands connect to the sockets of this user \
                      (Docker, ssh-agent, D-Bus, tmux)";
        return new_line("sockets", Level::Unavailable, detail.into(), Some(Remedy::Namespaces));
    }
    let count = plan.reads.hidden.len();
    if !enforcement.abstract_sockets {
        let detail = format!(
            "mounts cover {count} sockets and folders of sockets; those with an abstract name are reached"
        );
        let fix = if enforcement.landlock_abi == 0 { Remedy::Landlock } else { USE_NEWER_KERNEL };
        return new_line("sockets", Level::BestEffort, detail, Some(fix));
    }
    let detail = format!(
        "mounts cover {count} sockets and folders of sockets of this user; what is bound elsewhere later is reached"
    );
    new_line("sockets", Level::Enforced, detail, None)
}
