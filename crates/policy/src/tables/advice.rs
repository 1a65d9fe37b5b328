//! Programs that well-known programs start, so that an answer can name those that are not listed. The table is never
//! complete: the kernel plan holds which programs start.

use std::sync::LazyLock;

use super::Index;

pub(crate) struct Advice {
    names: &'static str,
    /// Pairs of patterns and programs: when an argument matches one of the patterns, these programs are started. `*`
    /// matches every use.
    pub(crate) uses: &'static [(&'static str, &'static str)],
}

const fn row(names: &'static str, uses: &'static [(&'static str, &'static str)]) -> Advice {
    Advice { names, uses }
}

pub(crate) static ADVICE: LazyLock<Index<Advice>> =
    LazyLock::new(|| Index::of_texts(ROWS.iter().map(|row| (row.names, row))));

const ROWS: &[Advice] = &[
    row(
        "git",
        &[
            ("git@* ssh://*", "ssh"),
            ("https://* http://*", "git-remote-https"),
            ("push fetch pull clone ls-remote", "ssh git-remote-https"),
            ("submodule bisect mergetool difftool filter-branch", "sh"),
            ("--gpg-sign --show-signature verify-commit verify-tag", "gpg"),
        ],
    ),
    row(
        "tar gtar bsdtar",
        &[
            ("*.gz *.tgz --gzip --gunzip", "gzip"),
            ("*.bz2 *.tbz2 --bzip2", "bzip2"),
            ("*.xz *.txz --xz", "xz"),
            ("*.zst --zstd", "zstd"),
        ],
    ),
    row("rsync", &[("*:* -e* --rsh*", "ssh")]),
    row("scp sftp ssh-copy-id", &[("*", "ssh")]),
    row("man", &[("*", "groff less")]),
    row("zgrep zcat zless zmore zdiff zcmp gunzip uncompress", &[("*", "sh gzip")]),
    row("npm npx pnpm yarn corepack", &[("*", "node sh")]),
    row(
        "tsc eslint prettier jest vitest mocha webpack vite rollup babel ts-node tsx",
        &[("*", "node")],
    ),
    row(
        "pip pip3 pytest py.test tox nox pylint flake8 black mypy isort poetry pdm pipenv pipx",
        &[("*", "python3")],
    ),
    row("gem bundle bundler rake rspec rubocop", &[("*", "ruby")]),
    row("composer phpunit", &[("*", "php")]),
    row("make gmake ninja meson ctest", &[("*", "sh cc")]),
    row("cmake", &[("--build", "make ninja"), ("*", "cc c++")]),
    row("gcc g++ cc c++ clang clang++ gfortran", &[("*", "as ld")]),
    row("cargo", &[("build b test t run r check c clippy doc install bench fix", "rustc cc")]),
    row("rustc", &[("*", "cc")]),
    row("go", &[("build test run install vet", "gcc")]),
    row("mvn gradle ant", &[("*", "java sh")]),
    row("apt-get apt", &[("install remove upgrade update", "dpkg sh")]),
];
