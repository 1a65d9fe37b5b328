//! Package managers: some subcommands read, others run the scripts of packages and projects.

use std::sync::LazyLock;

use super::Index;

/// How one is used. Lists hold subcommands, `subcommand/operand`, and `subcommand/` for one
/// without operands; what is in none of them runs scripts.
pub(crate) struct Manager {
    pub(crate) names: &'static str,
    /// Options in front of the subcommand that take the next word.
    pub(crate) valued: &'static str,
    /// Options in front of the subcommand that do not.
    pub(crate) flags: &'static str,
    /// Subcommands that start nothing.
    pub(crate) quiet: &'static str,
    /// Subcommands that start what their arguments name.
    pub(crate) starts: &'static str,
    /// Subcommands whose scripts `without_scripts` turns off.
    pub(crate) installs: &'static str,
    /// An option, or empty.
    pub(crate) without_scripts: &'static str,
    /// Without a subcommand it installs.
    pub(crate) bare_installs: bool,
}

const ROW: Manager = Manager {
    names: "",
    valued: "",
    flags: "-h --help -V -v --version -q --quiet --verbose --no-color",
    quiet: "",
    starts: "",
    installs: "",
    without_scripts: "",
    bare_installs: false,
};

pub(crate) static MANAGERS: LazyLock<Index<Manager>> =
    LazyLock::new(|| Index::of_texts(ROWS.iter().map(|row| (row.names, row))));

const ROWS: &[Manager] = &[
    Manager {
        names: "npm",
        valued: "-C --prefix -w --workspace --loglevel --registry --cache",
        flags: "-h --help -v --version -s --silent -q --quiet -d --verbose -g --global --json -l --long --workspaces \
                --offline --prefer-offline --no-audit --no-fund --no-progress --no-color --ignore-scripts",
        quiet: "access add-user adduser audit author bin bugs c cache completion config deprecate dist-tag \
                dist-tags docs doctor explain find-dupes find fund get help help-search home hook info issues la list \
                ll login logout ls org outdated owner ping pkg prefix profile query repo root run/ run-script/ s sbom se search show \
                star stars team token undeprecate unpublish unstar v version/ view whoami why",
        starts: "exec x explore init create innit edit",
        installs: "add audit/fix ci cit clean-install clean-install-test dedupe ddp i ic in ins inst insta instal \
                   install install-ci-test install-clean install-test isnt isnta isntal isntall isntall-clean it link \
                   ln pack prune publish r rb rebuild remove rm shrinkwrap sit udpate un uninstall unlink up update \
                   upgrade verison version",
        without_scripts: "--ignore-scripts",
        ..ROW
    },
    Manager {
        names: "pnpm",
        valued: "-C --dir -F --filter --filter-prod --loglevel --reporter",
        flags: "-h --help -v --version -s --silent -r --recursive -w --workspace-root --color --no-color --stream",
        quiet: "audit bin c config/get config/list doctor help info la licenses list ll ls outdated root run/ search show \
                store/path store/status view why",
        starts: "exec dlx create init node recursive multi m",
        ..ROW
    },
    Manager {
        names: "yarn",
        valued: "--cwd",
        flags: "-h --help -v --version -s --silent --verbose --json --offline --non-interactive",
        quiet: "audit bin cache/dir cache/list config/get config/list help info licenses list outdated versions why \
                workspaces/info workspaces/list",
        starts: "exec dlx create init node workspace workspaces",
        bare_installs: true,
        ..ROW
    },
    Manager {
        names: "pip pip3",
        valued: "--log --proxy --retries --timeout --exists-action --trusted-host --cert --cache-dir",
        flags: "-h --help -V --version -v --verbose -q --quiet --isolated --no-input --no-color --no-cache-dir \
                --disable-pip-version-check --require-virtualenv",
        quiet: "cache check completion config debug freeze hash help index inspect list search show uninstall",
        installs: "download install lock wheel",
        without_scripts: "--only-binary=:all:",
        ..ROW
    },
    Manager {
        names: "uv",
        valued: "--directory --project --cache-dir --color",
        quiet: "cache export help pip/check pip/freeze pip/list pip/show pip/tree pip/uninstall python/dir \
                python/find python/list self/version tree venv version",
        starts: "run tool x",
        ..ROW
    },
    Manager {
        names: "pipx",
        quiet: "completions ensurepath environment help list uninstall",
        starts: "run runpip",
        ..ROW
    },
    Manager {
        names: "poetry pdm",
        valued: "-C --directory -P --project",
        flags: "-h --help -V --version -q --quiet -v --verbose --no-ansi --ansi -n --no-interaction",
        quiet: "about check config/list env/info env/list help info list search show version",
        starts: "run shell",
        ..ROW
    },
    Manager { names: "pipenv", quiet: "check graph verify", starts: "run shell open", ..ROW },
    Manager {
        names: "conda mamba micromamba",
        quiet: "compare config/get env/list help info list search",
        starts: "run shell",
        ..ROW
    },
    Manager {
        names: "gem",
        quiet: "check contents dependency env environment fetch help info list lock outdated query search sources \
                specification stale which uninstall",
        starts: "exec open",
        ..ROW
    },
    Manager {
        names: "bundle bundler",
        valued: "-r --retry",
        quiet: "check config/get config/list doctor env help info licenses list outdated platform show version",
        starts: "exec open console",
        bare_installs: true,
        ..ROW
    },
    Manager {
        names: "composer",
        valued: "-d --working-dir",
        flags: "-h --help -V --version -q --quiet -v --verbose -n --no-interaction --ansi --no-ansi --no-plugins",
        quiet: "about audit check-platform-reqs depends diagnose fund help info licenses list outdated prohibits \
                search show status suggests validate why why-not",
        starts: "exec",
        ..ROW
    },
    Manager {
        names: "brew",
        quiet: "--cache --cellar --prefix --repository cat commands config deps desc doctor help home info leaves \
                list log ls options outdated search tap-info uses",
        starts: "sh ruby irb exec edit",
        ..ROW
    },
    Manager { names: "luarocks", quiet: "config doc help list path search show which", ..ROW },
    Manager {
        names: "opam",
        quiet: "env help info list repository/list search show switch/list switch/show var",
        starts: "exec",
        ..ROW
    },
];
