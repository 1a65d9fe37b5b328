//! Parts of tool chains and small helpers that load or start something.

use super::Style::{Gnu, OneDash, OneDashAbbreviated, Whole};
use super::{Row, code, opaque, row, unseen};

pub(super) const ROWS: &[Row] = &[
    row("dpkg-architecture", Whole, "aAtTqeLsifuWEm", "", &[opaque("c", "command")]),
    row("dpkg-source", Whole, "", "", &[opaque("", "before-build extend-diff-ignore")]),
    row(
        "opt llc llvm-lto llvm-lto2 llvm-as llvm-dis llvm-link llvm-mc llvm-mca",
        OneDashAbbreviated,
        "",
        "",
        &[opaque("", "load load-pass-plugin")],
    ),
    row("llvm-rtdyld", OneDashAbbreviated, "", "", &[opaque("", "execute dylib")]),
    row("llvm-cov", OneDash, "", "", &[opaque("", "Xdemangler")]),
    row("llvm-windres", Gnu, "ioIJOFrlD", "", &[code("", "preprocessor preprocessor-arg")]),
    row("gold", OneDashAbbreviated, "", "", &[opaque("", "plugin")]),
    row(
        "lto-dump c89-gcc c99-gcc",
        OneDash,
        "",
        "",
        &[opaque("", "fplugin specs wrapper iplugindir")],
    ),
    row("pygmentize", Whole, "lfFOPaSLNHo", "", &[opaque("x", "")]),
    row("cg_diff", Whole, "", "", &[opaque("", "mod-filename mod-funcname")]),
    row("update-ca-certificates", Whole, "", "", &[opaque("", "hooksdir")]),
    row(
        "pager zmore bzless bzmore xzless xzmore lzless lzmore zstdless",
        Whole,
        "bDhjopPtTxyz",
        "",
        &[unseen("k", "lesskey-file lesskey-src"), opaque("", "lesskey-content")],
    ),
    row("cloc", Gnu, "", "", &[code("", "extract-with"), unseen("", "config")]),
    row("rpcgen", Whole, "DnosK", "", &[opaque("Y", "")]),
    row("perldoc", Whole, "fvqaLdoO", "", &[opaque("M", ""), opaque("n", ""), opaque("w", "")]),
    row("grog", Whole, "", "", &[opaque("", "run")]),
    row("gpic geqn gtbl", Gnu, "", "", &[opaque("U", "")]),
    row("gpg-zip", Whole, "cerustC", "", &[opaque("", "gpg tar gpg-args tar-args")]),
    row(
        "osslsigncode",
        OneDash,
        "",
        "",
        &[opaque("", "pkcs11engine pkcs11module engine provider")],
    ),
    row("ctags-universal etags", Gnu, "fLoIhx", "", &[unseen("", "options optlib-dir")]),
    row("cpack", OneDash, "", "", &[unseen("", "config"), opaque("D", "D")]),
    row("pgbench", Gnu, "bcCdDfFhjlLMpPrRsStTU", "", &[unseen("f", "file")]),
    row("mvndebug", Whole, "DP", "", &[opaque("I", "init-script")]),
];
