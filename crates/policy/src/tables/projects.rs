//! Options that make a program work on another project than the one in the working directory.

use std::sync::LazyLock;

use super::Index;

pub(crate) struct Project {
    pub(crate) names: &'static str,
    /// Letters, also in clusters and with an attached value.
    pub(crate) letters: &'static str,
    /// Options of one dash with whole names, also with an attached value.
    pub(crate) words: &'static str,
    /// Names behind two dashes. Abbreviations count.
    pub(crate) long: &'static str,
    /// Whole names, also with a value, that look like an abbreviation of one above and choose no project.
    pub(crate) harmless: &'static str,
    /// Any number of dashes stands in front of names and clusters alike.
    pub(crate) any_dashes: bool,
}

const fn row(
    names: &'static str,
    letters: &'static str,
    words: &'static str,
    long: &'static str,
) -> Project {
    Project { names, letters, words, long, harmless: "", any_dashes: false }
}

impl Project {
    const fn but(mut self, harmless: &'static str) -> Self {
        self.harmless = harmless;
        self
    }

    const fn any_dashes(mut self) -> Self {
        self.any_dashes = true;
        self
    }
}

pub(crate) static PROJECTS: LazyLock<Index<Project>> =
    LazyLock::new(|| Index::of_texts(ROWS.iter().map(|row| (row.names, row))));

// git is not here: its `-C`, `--git-dir` and `--work-tree` stand in front of the subcommand, where no rule with
// arguments reaches over them.
const ROWS: &[Project] = &[
    row(
        "npm",
        "Cwg",
        "",
        "prefix workspace workspaces dir cwd global location include-workspace-root local-prefix",
    )
    .but("include local location=user location=project tag l p d c ignore-scripts")
    .any_dashes(),
    row(
        "pnpm",
        "CFrwg",
        "",
        "dir prefix filter filter-prod workspace-root recursive global lockfile-dir modules-dir workspace-dir",
    )
    .but("tag l p d ignore-scripts")
    .any_dashes(),
    row("yarn", "W", "", "cwd prefix use-yarnrc modules-folder top-level workspaces global-folder"),
    row("bun deno", "c", "", "cwd config prefix filter global"),
    row("npx pnpx", "wC", "", "prefix workspace dir").but("p d").any_dashes(),
    row(
        "pip pip3",
        "er",
        "",
        "editable requirement root prefix target src constraint python index-url extra-index-url find-links",
    )
    .but("pre"),
    row("uv", "p", "", "directory project config-file python"),
    row("poetry pdm", "CPp", "", "directory project"),
    row("bundle bundler", "", "", "gemfile path"),
    row("composer", "d", "", "working-dir"),
    row("make gmake", "CfI", "", "directory file makefile include-dir"),
    row("ninja", "Cf", "", ""),
    row("meson", "C", "", "sourcedir builddir"),
    row("just", "dfg", "", "working-directory justfile global-justfile"),
    row("task", "dtg", "", "dir taskfile global"),
    row("rake", "fCIRNg", "", "rakefile rakelib libdir nosearch system directory"),
    row("cargo", "C", "", "manifest-path config lockfile-path"),
    row("go", "", "C modfile overlay", "").but("mod"),
    row("mvn mvndebug", "", "f s gs t", "file settings global-settings toolchains")
        .but("fae ff fn"),
    row(
        "gradle",
        "",
        "p b c g I",
        "project-dir build-file settings-file gradle-user-home include-build init-script",
    ),
    row("ant", "", "f file buildfile find lib", ""),
    row("sbt dotnet", "", "", "project solution"),
    row("cmake", "SBPC", "", "build preset install source toolchain"),
    row("ctest", "SD", "", "test-dir build-and-test"),
    row("pytest py.test", "c", "", "rootdir confcutdir config-file basetemp ignore-glob")
        .but("co ignore"),
    row("tox nox", "cf", "", "conf root workdir noxfile"),
    row("jest vitest", "cr", "", "config rootDir roots root dir projects project workspace"),
    row("mocha", "", "", "config file package"),
    row("tsc", "pb", "", "project build"),
    row("eslint prettier", "c", "", "config resolve-plugins-relative-to"),
    row("vagrant terraform", "", "chdir", "chdir"),
    row("bazel bazelisk", "", "", "bazelrc package_path override_repository"),
];
