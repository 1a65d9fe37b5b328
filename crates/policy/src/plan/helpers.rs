//! What a program cannot do without: other programs that are parts of it.
//!
//! Only what is the program itself in several files, such as the passes of a compiler. What it starts
//! because somebody asks for it (a pager, a hook, an editor, a shell) is listed by the host or not at all.

/// Names that share a row; places from the program's own folder, or beneath one that a variable of the
/// commands names; names of programs, which have rows of their own.
type Row = (&'static [&'static str], &'static [&'static str], &'static [&'static str]);

const ROWS: [Row; 9] = [
    (&["git"], &["../lib/git-core", "../libexec/git-core"], &[]),
    (
        &["cc", "c++", "gcc", "g++", "clang", "clang++", "cpp", "gfortran"],
        &["../lib/gcc", "../libexec/gcc"],
        &["as", "ld", "ld.bfd", "ld.gold", "ld.lld", "collect2"],
    ),
    (
        &["rustc", "cargo", "rustdoc", "rustup"],
        &[
            "../../.rustup/toolchains",
            "../../rustup/toolchains",
            "$RUSTUP_HOME/toolchains",
            "$HOME/.rustup/toolchains",
        ],
        // What is compiled is linked with the C compiler.
        &["rustc", "rustdoc", "cc"],
    ),
    (&["go"], &["../pkg/tool", "../lib/go/pkg/tool"], &["go", "gcc"]),
    (&["java", "javac"], &["../lib/jspawnhelper"], &[]),
    (&["ssh", "scp", "sftp"], &["../lib/openssh"], &["ssh"]),
    // They start scripts of projects with it.
    (&["npm", "npx", "yarn", "pnpm"], &[], &["node", "sh"]),
    (&["psql", "pg_dump", "pg_restore", "createdb", "dropdb"], &["../lib/postgresql"], &[]),
    (&["pip", "pip3", "pytest"], &[], &["python3"]),
];

/// The places and programs that the program with this base name is made of.
pub(super) fn of(name: &str) -> (&'static [&'static str], &'static [&'static str]) {
    // `gcc-12` and `python3.11` are what their names begin with.
    let stem = name.trim_end_matches(|c: char| c.is_ascii_digit() || matches!(c, '.' | '-'));
    let row = ROWS.iter().find(|(names, ..)| names.contains(&name) || names.contains(&stem));
    row.map_or((&[], &[]), |&(_, folders, programs)| (folders, programs))
}
