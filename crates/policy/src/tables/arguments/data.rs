//! Databases, keys, version control.

use super::Style::{Gnu, OneDash, OneDashAbbreviated, Whole};
use super::{Row, code, opaque, row, unless, unseen};

pub(super) const ROWS: &[Row] = &[
    row(
        "openssl",
        OneDash,
        "",
        "",
        &[
            opaque("", "engine ssl_client_engine provider provider-path proxy-cmd"),
            unseen("", "config"),
        ],
    ),
    // PKCS#11 modules are shared objects.
    row("p11tool certtool gnutls-cli", Gnu, "", "", &[opaque("", "provider")]),
    row("pkcs11-tool", Gnu, "mpodaiyw", "mode", &[opaque("", "module")]),
    row("modutil", OneDash, "", "", &[opaque("", "add libfile")]),
    row("psql", Gnu, "dFhLopPRTUv", "", &[unseen("f", "file")]),
    row(
        "mysql mariadb mysqldump mariadb-dump mysqladmin mysqlshow mysqlimport mysqlcheck mysqlslap",
        Gnu,
        "DhPSup",
        "",
        &[
            opaque("", "pager plugin-dir plugin-load"),
            unseen("", "defaults-file defaults-extra-file init-command"),
        ],
    ),
    row("sqlite3 sqlite sqlcipher duckdb", OneDash, "", "", &[unseen("", "init")]),
    // Its other format is Perl.
    row("json_pp", OneDashAbbreviated, "", "", &[unless("", "f F", "json")]),
    row("redis-server valkey-server", OneDash, "", "", &[opaque("", "loadmodule")]),
    row("pg_ctl", Gnu, "DlotU", "", &[opaque("p", ""), opaque("o", "options")]),
    row(
        "gpg gpg2 gpgsm",
        Gnu,
        "uroN",
        "",
        &[
            code("", "photo-viewer"),
            unseen("", "options homedir"),
            opaque("", "agent-program dirmngr-program keyboxd-program pinentry-program exec-path"),
        ],
    ),
    row(
        "gpgconf",
        Gnu,
        "",
        "",
        &[
            unseen("", "options homedir"),
            opaque(
                "",
                "agent-program dirmngr-program keyboxd-program pinentry-program scdaemon-program",
            ),
        ],
    ),
    row("gpgtar", Gnu, "CdorstuT", "", &[code("", "gpg"), opaque("", "tar-args gpg-args")]),
    row(
        "hg chg",
        Gnu,
        "Rr",
        "",
        &[opaque("", "config ssh remotecmd debugger"), opaque("e", ""), unseen("", "tool")],
    ),
    row(
        "svn",
        Whole,
        "rmFNqvcx",
        "",
        &[
            opaque("", "config-option"),
            unseen("", "config-dir"),
            code("", "diff-cmd diff3-cmd editor-cmd merge-cmd"),
        ],
    ),
    row("cvs", Gnu, "dTzs", "", &[code("e", "")]),
    row("darcs", Gnu, "", "", &[code("", "posthook prehook run-posthook run-prehook")]),
    row("jj", Whole, "Rrmn", "", &[opaque("", "config config-toml config-file tool")]),
];
