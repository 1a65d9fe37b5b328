//! Archives, searching, sorting, comparing.

use super::Style::{Gnu, OneDash, Whole};
use super::{Argument, Kind, Row, code, opaque, row, unseen};

pub(super) const ROWS: &[Row] = &[
    row(
        "tar gtar bsdtar",
        Gnu,
        "fCbgKLNVXH",
        "checkpoint file",
        &[
            Argument { short: "", long: "checkpoint-action", kind: Kind::Action },
            code("I", "use-compress-program"),
            code("F", "info-script"),
            code("", "to-command new-volume-script rsh-command rmt-command"),
            unseen("T", "files-from"),
        ],
    ),
    row("cpio", Gnu, "CEFHIMOR", "", &[code("", "rsh-command")]),
    row(
        "dar",
        Gnu,
        "cxltdABRXIPgSsUuYZ",
        "",
        &[code("E", "execute"), code("F", "ref-execute"), code("~", ""), code("=", "")],
    ),
    row(
        "borg",
        Gnu,
        "",
        "",
        &[opaque("", "rsh remote-path content-from-command paths-from-command")],
    ),
    row("restic", Whole, "opr", "", &[opaque("o", "option password-command")]),
    row("rclone", Whole, "", "", &[opaque("", "password-command sftp-ssh metadata-mapper config")]),
    row(
        "unison",
        OneDash,
        "",
        "",
        &[opaque("", "sshcmd rshcmd servercmd diff merge addversionno")],
    ),
    row("rdiff-backup", Gnu, "", "", &[opaque("", "remote-schema remote-cmd")]),
    row("sort gsort", Gnu, "koSTt", "", &[code("", "compress-program")]),
    row("split gsplit csplit", Gnu, "abCln", "", &[code("", "filter")]),
    row("install ginstall", Gnu, "gmotS", "strip", &[code("", "strip-program")]),
    row("sdiff diff3", Gnu, "oIWLFx", "", &[code("", "diff-program")]),
    row("patch", Gnu, "BDFYdiopVrz", "", &[opaque("e", "ed"), opaque("g", "get")]),
    row("rg ripgrep rga", Whole, "ABCEMTefgjmrtd", "", &[code("", "pre hostname-bin")]),
    row("ag ack", Gnu, "ABCGmp", "", &[code("", "pager"), unseen("", "ackrc")]),
    row("ugrep ug", Gnu, "ABCDdEeFfgJKMmNOtZ", "", &[code("", "filter pager view")]),
    row("zip", Gnu, "btnxiR", "", &[code("TT", "unzip-command")]),
    row(
        "bat batcat delta difft",
        Whole,
        "lHrmA",
        "",
        &[code("", "pager"), unseen("", "config-file")],
    ),
    row("fzf", Whole, "dnq", "", &[opaque("", "bind become"), code("", "preview with-shell")]),
    row("sk", Whole, "dnq", "", &[opaque("", "bind"), code("c", "cmd"), code("", "preview")]),
    row("peco", Whole, "", "", &[code("", "exec"), unseen("", "rcfile")]),
    row("exiftool", OneDash, "", "", &[opaque("", "if if2"), unseen("", "config @")]),
    row("yq", Whole, "", "", &[opaque("", "security-enable-system-operator")]),
    row("mlr", OneDash, "", "", &[opaque("", "prepipe prepipex load mload"), unseen("", "s")]),
    row("ctags", Gnu, "fLoIhx", "", &[unseen("", "options optlib-dir")]),
];
