//! Folders of dependencies and build results, and the commands that make them where they are missing.

/// A row of the table.
#[derive(Clone, Copy, Debug)]
pub(crate) struct DependencyFolder {
    pub(crate) name: &'static str,
    /// Files of which one lies beside the folder in a project that has such a folder, with blanks between them.
    pub(crate) manifests: &'static str,
    /// The commands. No other reads whether the folder is there: a script of a package may.
    pub(crate) makers: &'static [Maker],
}

/// Commands that make a folder.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Maker {
    /// Names of the programs, with blanks between them.
    pub(crate) programs: &'static str,
    /// Words of which one is among the arguments. Empty: every use makes the folder.
    pub(crate) words: &'static str,
    /// Whether the arguments name the folder.
    pub(crate) is_named: bool,
}

const fn maker(programs: &'static str, words: &'static str) -> Maker {
    Maker { programs, words, is_named: false }
}

const fn naming(programs: &'static str, words: &'static str) -> Maker {
    Maker { programs, words, is_named: true }
}

/// The folder of build results. `--target-dir` and a variable give it another name.
pub(crate) const BUILD_FOLDER: &str = "target";

const PYTHON: &str =
    "python python3 python3.9 python3.10 python3.11 python3.12 python3.13 python3.14";

pub(crate) const DEPENDENCY_FOLDERS: &[DependencyFolder] = &[
    DependencyFolder {
        name: "node_modules",
        manifests: "package.json",
        makers: &[
            maker(
                "npm",
                "add ci clean-install i install install-ci-test install-test it link up update upgrade",
            ),
            maker("pnpm bun", "add i install install-test it up update"),
            maker("yarn", ""),
        ],
    },
    DependencyFolder {
        name: BUILD_FOLDER,
        manifests: "Cargo.toml",
        makers: &[
            maker(
                "cargo",
                "b bench build c check clippy d doc fix install llvm-cov miri nextest package r run rustc rustdoc t test",
            ),
            // A recipe or a script of a package may build with cargo, and none looks whether the folder is there.
            maker("cargo-clippy cargo-nextest make gmake just maturin npm pnpm yarn bun", ""),
        ],
    },
    DependencyFolder {
        name: ".venv",
        manifests: "pyproject.toml setup.py setup.cfg Pipfile requirements.txt requirements-dev.txt uv.lock",
        makers: &[
            maker("uv", "add run sync venv"),
            naming(PYTHON, "venv"),
            naming("virtualenv", ""),
        ],
    },
    DependencyFolder {
        name: "venv",
        manifests: "",
        makers: &[naming("uv", "venv"), naming(PYTHON, "venv"), naming("virtualenv", "")],
    },
    DependencyFolder { name: "vendor", manifests: "", makers: &[] },
];
