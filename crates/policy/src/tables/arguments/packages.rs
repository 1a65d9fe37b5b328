//! Package managers.

use super::Style::{Gnu, Whole};
use super::{Row, code, opaque, row, scripts, unseen};

pub(super) const ROWS: &[Row] = &[
    row(
        "npm pnpm yarn",
        Gnu,
        "wC",
        // Names of one letter are shorthands, behind however many dashes.
        "no global s g n p v i d l",
        &[opaque(
            "",
            "script-shell scripts-prepend-node-path node-options userconfig globalconfig shell editor git \
             onload-script browser viewer python init-module global-pnpmfile pnpmfile use-yarnrc",
        )],
    ),
    row("pip pip3", Gnu, "cdirptf", "", &[opaque("", "python")]),
    row(
        "apt-get apt aptitude apt-cache apt-mark apt-config apt-cdrom apt-file apt-ftparchive apt-sortpkgs \
         unattended-upgrade unattended-upgrades",
        Whole,
        "t",
        "",
        &[opaque("o", "option"), unseen("c", "config-file")],
    ),
    row(
        "dpkg",
        Whole,
        "D",
        "",
        &[
            code("", "pre-invoke post-invoke status-logger"),
            opaque("", "admindir instdir root"),
            scripts("i", "install unpack configure remove purge triggers-only"),
            scripts("r", ""),
            scripts("P", ""),
        ],
    ),
    row("dpkg-deb dpkg-query", Whole, "DfIZzS", "", &[opaque("", "admindir root")]),
    row(
        "yum dnf dnf5 zypper",
        Gnu,
        "c",
        "",
        &[opaque("", "setopt installroot"), unseen("", "config")],
    ),
    row(
        "rpm rpmquery rpmverify rpmdb rpmspec rpmbuild rpmkeys rpmsign",
        Whole,
        "",
        "",
        &[
            opaque("E", "eval"),
            opaque("D", "define"),
            opaque("", "pipe load root"),
            unseen("", "rcfile macros"),
            scripts("U", "upgrade install freshen erase reinstall"),
            scripts("F", ""),
        ],
    ),
    row(
        "pacman",
        Gnu,
        "br",
        "",
        &[opaque("", "hookdir config gpgdir"), scripts("U", "upgrade"), scripts("R", "remove")],
    ),
];
