//! Options that make a program run code, read options from elsewhere, or send files away.

/// What the value of such an option is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// A command line or a program.
    Code,
    /// `exec=…` with a command line behind it, harmless otherwise.
    Action,
    /// It runs something that cannot be read here.
    Opaque,
    /// Code or options come from a file or another place.
    Unseen,
    /// A file leaves the machine when the value names one.
    Upload,
}

/// One option. `short` is a letter or empty, `long` a name or empty.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Argument {
    pub(crate) short: &'static str,
    pub(crate) long: &'static str,
    pub(crate) kind: Kind,
}

/// How options are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Style {
    /// Clusters, `--long`, abbreviations.
    Gnu,
    /// Clusters and whole `--long` names.
    Whole,
    /// `-name value`, `-name=value`, also with two dashes.
    OneDash,
}

pub(crate) struct Row {
    pub(crate) names: &'static str,
    pub(crate) style: Style,
    /// Letters that take a value, which ends a cluster.
    pub(crate) valued: &'static str,
    /// Whole long names that look like an abbreviation of one in the row.
    pub(crate) harmless: &'static str,
    pub(crate) arguments: &'static [Argument],
}

const fn code(short: &'static str, long: &'static str) -> Argument {
    Argument { short, long, kind: Kind::Code }
}
const fn opaque(short: &'static str, long: &'static str) -> Argument {
    Argument { short, long, kind: Kind::Opaque }
}
const fn unseen(short: &'static str, long: &'static str) -> Argument {
    Argument { short, long, kind: Kind::Unseen }
}
const fn upload(short: &'static str, long: &'static str) -> Argument {
    Argument { short, long, kind: Kind::Upload }
}

const fn row(
    names: &'static str,
    style: Style,
    valued: &'static str,
    harmless: &'static str,
    arguments: &'static [Argument],
) -> Row {
    Row { names, style, valued, harmless, arguments }
}

use Style::{Gnu, OneDash, Whole};

pub(crate) const ROWS: &[Row] = &[
    row(
        "tar gtar bsdtar",
        Gnu,
        "fCbgKLNVXH",
        "checkpoint to-stdout",
        &[
            Argument { short: "", long: "checkpoint-action", kind: Kind::Action },
            code("I", "use-compress-program"),
            code("", "to-command"),
            code("F", "info-script"),
            unseen("T", "files-from"),
            code("", "new-volume-script"),
            code("", "rsh-command"),
            code("", "rmt-command"),
        ],
    ),
    row("cpio", Gnu, "CEFHIMOR", "", &[code("", "rsh-command")]),
    row("sort gsort", Gnu, "koSTt", "", &[code("", "compress-program")]),
    row("split gsplit csplit", Gnu, "abCln", "", &[code("", "filter")]),
    row("rg ripgrep", Whole, "ABCEMTefgjmrtd", "", &[code("", "pre"), code("", "hostname-bin")]),
    row("ag ack", Whole, "ABCGmp", "", &[code("", "pager")]),
    row("zip", Whole, "btnxiR", "", &[code("TT", "unzip-command")]),
    row(
        "less more zless",
        Whole,
        "bDhjopPtTxyz",
        "",
        &[unseen("k", "lesskey-file"), unseen("", "lesskey-src"), opaque("", "lesskey-content")],
    ),
    row(
        "man apropos whatis",
        Gnu,
        "LmMsSerRE",
        "html",
        &[
            code("P", "pager"),
            opaque("H", "html"),
            opaque("X", "gxditview"),
            unseen("C", "config-file"),
            opaque("p", "preprocessor"),
        ],
    ),
    row("ssh slogin", Whole, "BbcDEeiJLlmOopQRSWw", "", &[unseen("F", ""), opaque("I", "")]),
    row(
        "scp sftp",
        Whole,
        "cilPJXBbRs",
        "",
        &[code("S", ""), unseen("F", ""), code("D", ""), unseen("b", "")],
    ),
    row(
        "rsync",
        Whole,
        "BTfM@",
        "",
        &[
            code("e", "rsh"),
            code("", "rsync-path"),
            unseen("", "config"),
            opaque("M", "remote-option"),
        ],
    ),
    row(
        "gcc g++ cc c++ clang clang++ cpp gfortran",
        OneDash,
        "",
        "",
        &[
            opaque("", "wrapper"),
            opaque("", "specs"),
            opaque("", "fplugin"),
            opaque("", "load"),
            opaque("", "fuse-ld"),
        ],
    ),
    row(
        "gdb lldb cgdb",
        OneDash,
        "",
        "",
        &[
            opaque("", "ex"),
            opaque("", "eval-command"),
            opaque("", "iex"),
            opaque("", "init-eval-command"),
            opaque("", "x"),
            opaque("", "command"),
            opaque("", "ix"),
            opaque("", "init-command"),
            opaque("", "args"),
            opaque("", "o"),
            opaque("", "O"),
            opaque("", "one-line"),
            opaque("", "s"),
            opaque("", "source"),
            opaque("", "k"),
            opaque("", "P"),
        ],
    ),
    row(
        "go",
        OneDash,
        "",
        "",
        &[
            code("", "exec"),
            code("", "toolexec"),
            code("", "vettool"),
            opaque("", "overlay"),
            opaque("", "modfile"),
        ],
    ),
    row("make gmake", Gnu, "CIjloWf", "environment", &[opaque("E", "eval")]),
    row("cargo", Whole, "CFZjp", "", &[opaque("", "config"), opaque("Z", "")]),
    row("rustc", Whole, "LlOoZ", "", &[opaque("C", "codegen")]),
    row(
        "npm pnpm yarn",
        Whole,
        "wC",
        "",
        &[
            opaque("", "script-shell"),
            opaque("", "scripts-prepend-node-path"),
            opaque("", "node-options"),
            opaque("", "userconfig"),
            opaque("", "globalconfig"),
            opaque("", "shell"),
            opaque("", "editor"),
            opaque("", "git"),
            opaque("", "onload-script"),
        ],
    ),
    row("pip pip3", Whole, "", "", &[opaque("", "python")]),
    row(
        "curl",
        Whole,
        "AbCDehHmoPQrtuUwxXyYzE",
        "",
        &[
            unseen("K", "config"),
            upload("d", "data"),
            upload("", "data-binary"),
            upload("", "data-ascii"),
            upload("", "data-urlencode"),
            upload("", "json"),
            upload("", "url-query"),
            upload("F", "form"),
            upload("T", "upload-file"),
            opaque("", "engine"),
        ],
    ),
    row(
        "wget",
        Gnu,
        "aoBiOPQTtUwxD",
        "",
        &[
            code("", "use-askpass"),
            opaque("e", "execute"),
            unseen("", "config"),
            upload("", "post-file"),
            upload("", "body-file"),
            upload("", "post-data"),
        ],
    ),
    row(
        "apt-get apt aptitude apt-cache apt-mark",
        Whole,
        "",
        "",
        &[opaque("o", "option"), unseen("c", "config-file")],
    ),
    row(
        "dpkg",
        Whole,
        "",
        "",
        &[
            code("", "pre-invoke"),
            code("", "post-invoke"),
            code("", "status-logger"),
            opaque("", "admindir"),
        ],
    ),
    row(
        "yum dnf rpm zypper",
        Whole,
        "c",
        "",
        &[
            opaque("", "setopt"),
            opaque("E", "eval"),
            opaque("D", "define"),
            opaque("", "pipe"),
            unseen("", "rcfile"),
            unseen("", "macros"),
        ],
    ),
    row(
        "openssl",
        OneDash,
        "",
        "",
        &[
            opaque("", "engine"),
            opaque("", "provider"),
            opaque("", "provider-path"),
            unseen("", "config"),
            opaque("", "proxy-cmd"),
        ],
    ),
    row("psql", Whole, "dFhLopPRTUv", "", &[unseen("f", "file")]),
    row(
        "mysql mariadb",
        Whole,
        "DhPSup",
        "",
        &[
            opaque("", "pager"),
            unseen("", "defaults-file"),
            unseen("", "defaults-extra-file"),
            unseen("", "init-command"),
        ],
    ),
    row("sqlite3", OneDash, "", "", &[unseen("", "init")]),
    row(
        "nc ncat netcat",
        Whole,
        "ipqswXxgG",
        "",
        &[code("e", "exec"), code("c", "sh-exec"), opaque("", "lua-exec")],
    ),
    row(
        "nmap",
        Whole,
        "",
        "",
        &[opaque("", "script"), opaque("", "datadir"), unseen("", "servicedb")],
    ),
    row("tcpdump", Gnu, "BcCEFGijmMQrsTvVwWyZ", "", &[code("z", "postrotate-command")]),
    row(
        "gpg gpg2",
        Gnu,
        "uroN",
        "",
        &[
            code("", "photo-viewer"),
            unseen("", "options"),
            opaque("", "agent-program"),
            opaque("", "dirmngr-program"),
            opaque("", "keyboxd-program"),
            opaque("", "pinentry-program"),
            opaque("", "exec-path"),
        ],
    ),
    row("hg", Gnu, "Rr", "", &[opaque("", "config"), opaque("", "ssh"), opaque("e", "")]),
    row(
        "svn",
        Whole,
        "rmFNqvcx",
        "",
        &[
            opaque("", "config-option"),
            unseen("", "config-dir"),
            code("", "diff-cmd"),
            code("", "diff3-cmd"),
            code("", "editor-cmd"),
            code("", "merge-cmd"),
        ],
    ),
    row(
        "bat batcat delta difft",
        Whole,
        "lHrmA",
        "",
        &[code("", "pager"), unseen("", "config-file")],
    ),
    row(
        "fzf",
        Whole,
        "dnq",
        "",
        &[opaque("", "bind"), code("", "preview"), opaque("", "become"), code("", "with-shell")],
    ),
    row(
        "exiftool",
        OneDash,
        "",
        "",
        &[opaque("", "if"), opaque("", "if2"), unseen("", "config"), unseen("", "@")],
    ),
    row("ld ld.bfd ld.gold", OneDash, "", "", &[opaque("", "plugin")]),
    row("yq", Whole, "", "", &[opaque("", "security-enable-system-operator")]),
    row("pytest py.test", Whole, "kmoc", "", &[opaque("p", ""), opaque("o", "override-ini")]),
    row("mvn gradle", Whole, "", "", &[opaque("I", "init-script")]),
    row("terraform", OneDash, "", "", &[opaque("", "chdir")]),
    row("ip", OneDash, "", "", &[opaque("", "batch"), opaque("", "b")]),
    row(
        "pdflatex xelatex lualatex latex tex pdftex",
        OneDash,
        "",
        "",
        &[opaque("", "shell-escape"), opaque("", "enable-write18")],
    ),
    row(
        "pandoc",
        Gnu,
        "fortTVMHABDc",
        "",
        &[
            code("F", "filter"),
            code("L", "lua-filter"),
            opaque("", "pdf-engine"),
            unseen("d", "defaults"),
        ],
    ),
    row("minicom cu picocom", Whole, "", "", &[opaque("S", "")]),
];
