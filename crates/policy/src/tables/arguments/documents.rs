//! Pagers, editors, formatters, converters, players.

use super::Style::{Gnu, OneDash, OneDashAbbreviated, Whole};
use super::{Row, code, opaque, row, unseen};

pub(super) const ROWS: &[Row] = &[
    row(
        "less more zless",
        Gnu,
        "bDhjopPtTxyz",
        "",
        &[unseen("k", "lesskey-file lesskey-src"), opaque("", "lesskey-content")],
    ),
    row(
        "man apropos whatis",
        Gnu,
        "LmMsSRE",
        "html",
        &[
            code("P", "pager"),
            opaque("H", "html"),
            opaque("X", "gxditview"),
            unseen("C", "config-file"),
            opaque("p", "preprocessor"),
        ],
    ),
    row("lnav", Whole, "dI", "", &[opaque("c", ""), unseen("f", ""), opaque("e", "")]),
    row("nano pico", Gnu, "CJoQrTXY", "", &[code("s", "speller"), unseen("f", "rcfile")]),
    row(
        "groff troff nroff",
        Gnu,
        "dDfIKMmnorTwW",
        "",
        // A device description names the program behind.
        &[
            unseen("F", ""),
            opaque("U", ""),
            opaque("L", ""),
            opaque("P", ""),
            opaque("X", ""),
            opaque("l", ""),
        ],
    ),
    row("pic", Gnu, "", "", &[opaque("U", "")]),
    row(
        "texi2any makeinfo",
        Gnu,
        "DEeIoPpU",
        "",
        &[opaque("c", "set-customization-variable conf-dir init-file")],
    ),
    row(
        "pdflatex xelatex lualatex latex tex pdftex xetex luatex luahbtex etex",
        OneDashAbbreviated,
        "",
        "",
        &[opaque("", "shell-escape enable-write18 output-driver lua")],
    ),
    row(
        "latexmk",
        OneDash,
        "",
        "",
        &[
            opaque("", "e latex pdflatex lualatex xelatex usepretex pretex shell-escape"),
            unseen("", "r"),
        ],
    ),
    row(
        "pandoc",
        Gnu,
        "ortTVMHABDc",
        "file-scope",
        &[
            code("F", "filter"),
            code("L", "lua-filter"),
            opaque("", "pdf-engine"),
            unseen("d", "defaults data-dir"),
        ],
    ),
    row(
        "asciidoctor asciidoctor-pdf",
        Gnu,
        "abBdDoS",
        "",
        &[opaque("r", "require"), opaque("I", "load-path"), opaque("T", "template-dir")],
    ),
    row("enscript", Gnu, "", "", &[code("I", "filter")]),
    row("cowsay cowthink", Whole, "eTW", "", &[opaque("f", "")]),
    row(
        "mpv",
        OneDash,
        "",
        "",
        &[opaque(
            "",
            "script scripts scripts-append script-opts input-conf include config-dir load-scripts",
        )],
    ),
    row(
        "ffmpeg ffprobe ffplay",
        OneDash,
        "",
        "",
        &[unseen("", "filter_script filter_complex_script fpre vpre apre")],
    ),
    row("scrot", Gnu, "dq", "", &[code("e", "exec")]),
];
