//! Services, containers, administration.

use super::Style::{Gnu, Whole};
use super::{Row, code, opaque, row, unless, unseen};

pub(super) const ROWS: &[Row] = &[
    row(
        "systemctl loginctl journalctl hostnamectl timedatectl localectl busctl",
        Gnu,
        "DFMcgopst",
        "",
        &[opaque("H", "host address")],
    ),
    row(
        "coredumpctl",
        Gnu,
        "DFnoSU",
        "debugger-help",
        &[code("", "debugger"), opaque("A", "debugger-arguments")],
    ),
    // Name services are shared objects.
    row("getent", Gnu, "", "", &[opaque("s", "service")]),
    // The folder of settings holds plug-ins and helpers for credentials.
    row("docker", Whole, "", "", &[unseen("", "config")]),
    row(
        "podman nerdctl",
        Whole,
        "",
        "",
        &[
            unseen("", "config module"),
            opaque(
                "",
                "runtime runtime-flag conmon hooks-dir network-cmd-path storage-opt cni-path",
            ),
        ],
    ),
    row("kubectl oc", Whole, "cflno", "", &[opaque("", "kubeconfig")]),
    row("helm", Whole, "fn", "", &[code("", "post-renderer"), opaque("", "kubeconfig")]),
    row("facter", Gnu, "", "", &[opaque("", "custom-dir external-dir")]),
    row(
        "mkfs fsck",
        Gnu,
        "",
        "",
        &[unless("t", "type", "ext2 ext3 ext4 xfs btrfs vfat fat ntfs f2fs exfat msdos minix")],
    ),
];
