//! Compilers, binary tools, debuggers, builders, linters.

use super::Style::{Gnu, OneDash, OneDashAbbreviated, Whole};
use super::{Row, code, containing, opaque, row, unless, unseen};

pub(super) const ROWS: &[Row] = &[
    row(
        "gcc g++ cc c++ c89 c99 clang clang++ cpp gfortran gdc gnat gccgo",
        OneDash,
        "",
        "",
        &[
            opaque("", "wrapper specs fplugin load iplugindir gcc-toolchain ld-path"),
            unless("", "fuse-ld", "bfd gold lld mold wild"),
        ],
    ),
    row("ghc", OneDash, "", "", &[opaque("e", "e F fplugin ghci-script interactive")]),
    row(
        "javac javadoc",
        OneDash,
        "",
        "",
        &[opaque(
            "",
            "processor processorpath processor-path processor-module-path doclet docletpath",
        )],
    ),
    row(
        "ld ld.bfd ld.gold ld.lld ld.mold mold",
        OneDashAbbreviated,
        "",
        "l p r",
        &[opaque("", "plugin load-pass-plugin run")],
    ),
    // Shared objects: what they hold runs when the tool starts.
    row("ar gcc-ar", Gnu, "", "", &[opaque("", "plugin")]),
    row(
        "nm ranlib strip objcopy objdump size gcc-nm gcc-ranlib",
        Gnu,
        "bCDefIjMmNoPRtxX",
        "p",
        &[opaque("", "plugin")],
    ),
    row(
        "windres",
        Gnu,
        "ioIJOFrlD",
        "",
        &[code("", "preprocessor"), opaque("", "preprocessor-arg")],
    ),
    row(
        "gdb gdbtui lldb cgdb gdb-multiarch",
        OneDashAbbreviated,
        "",
        "c e p s se a i",
        &[opaque(
            "",
            "ex eval-command iex init-eval-command x command ix init-command args o O one-line s source k P \
             eiex early-init-eval-command eix early-init-command",
        )],
    ),
    row(
        "go",
        OneDash,
        "",
        "",
        &[
            code("", "exec toolexec vettool"),
            opaque("", "overlay modfile"),
            containing("ldflags gccgoflags", "extld"),
        ],
    ),
    row("make gmake", Gnu, "CIjloWf", "environment", &[opaque("E", "eval")]),
    row("just", Whole, "dEf", "", &[code("c", "command"), opaque("", "shell shell-arg chooser")]),
    row(
        "ctest",
        OneDash,
        "",
        "",
        &[opaque(
            "",
            "S SP SA script script-new-process build-and-test build-makeprogram test-command",
        )],
    ),
    row(
        "bazel bazelisk",
        Whole,
        "",
        "",
        &[
            code("", "run_under workspace_status_command"),
            opaque("", "credential_helper repo_env action_env"),
            unseen("", "bazelrc"),
        ],
    ),
    row("cargo", Whole, "CFZjp", "", &[opaque("", "config"), opaque("Z", "")]),
    // Macros of other crates run in the compiler.
    row(
        "rustc",
        Whole,
        "lo",
        "",
        &[opaque("C", "codegen extern sysroot"), opaque("Z", ""), unseen("L", "")],
    ),
    row(
        "rustdoc",
        Whole,
        "lo",
        "",
        &[
            opaque("", "test test-runtool runtool test-builder extern sysroot"),
            opaque("C", "codegen"),
            opaque("Z", ""),
            unseen("L", ""),
        ],
    ),
    row(
        "rake",
        Gnu,
        "CfIR",
        "",
        &[
            opaque("e", "execute execute-print execute-continue require"),
            opaque("E", ""),
            opaque("p", ""),
            opaque("r", ""),
        ],
    ),
    row("pytest py.test", Gnu, "kmoc", "", &[opaque("p", ""), opaque("o", "override-ini")]),
    row("tox", Gnu, "ec", "", &[opaque("x", "override")]),
    row(
        "pylint",
        Gnu,
        "defjm",
        "init",
        &[opaque("", "init-hook load-plugins"), unseen("", "rcfile")],
    ),
    row(
        "prove",
        Gnu,
        "aj",
        "",
        &[
            code("e", "exec"),
            opaque("I", "harness formatter source"),
            opaque("M", ""),
            opaque("P", ""),
            unseen("", "rc"),
        ],
    ),
    row(
        "eslint",
        Whole,
        "cfo",
        "",
        &[opaque("", "rulesdir plugin parser resolve-plugins-relative-to")],
    ),
    row("prettier", Whole, "", "", &[opaque("", "plugin plugin-search-dir")]),
    row("mocha", Whole, "", "", &[opaque("r", "require import node-option")]),
    row(
        "jest",
        Whole,
        "cotw",
        "",
        &[opaque(
            "",
            "runner testRunner test-runner resolver globalSetup global-setup globalTeardown global-teardown \
             setupFiles setup-files transform",
        )],
    ),
    row("rollup", Whole, "", "", &[opaque("p", "plugin")]),
    row("babel", Whole, "odx", "", &[opaque("", "plugins presets")]),
    row("cppcheck", Gnu, "DIUijl", "", &[opaque("", "addon clang rule-file")]),
    row(
        "clang-tidy",
        OneDashAbbreviated,
        "",
        "p",
        &[opaque("", "load extra-arg extra-arg-before plugin")],
    ),
    row("mvn gradle", Whole, "DP", "", &[opaque("I", "init-script")]),
    row("terraform", OneDash, "", "", &[opaque("", "chdir plugin-dir")]),
    row(
        "keytool jarsigner",
        OneDash,
        "",
        "",
        &[opaque("", "providerclass providerpath provider addprovider")],
    ),
];
