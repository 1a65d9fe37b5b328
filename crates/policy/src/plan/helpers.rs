//! Parts of programs: other programs without which they do not work.
//!
//! Only programs in several files are here, such as compilers with their passes. What a program starts on request (a
//! pager, a hook, an editor, a shell) has to be listed by the host.

/// Names of programs with the same parts; files and folders of these parts, relative to the program's own folder or to
/// the folder in a variable; and names of parts on the search path.
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
            // The linker of a tool chain that is installed without rustup.
            "../lib/rustlib",
        ],
        // Compiled code is linked by the C compiler.
        &["rustc", "rustdoc", "cc"],
    ),
    (&["go"], &["../pkg/tool", "../lib/go/pkg/tool"], &["go", "gcc"]),
    (&["java", "javac"], &["../lib/jspawnhelper"], &[]),
    (&["ssh", "scp", "sftp"], &["../lib/openssh"], &["ssh"]),
    // They start scripts of projects with these.
    (&["npm", "npx", "yarn", "pnpm"], &[], &["node", "sh"]),
    (&["psql", "pg_dump", "pg_restore", "createdb", "dropdb"], &["../lib/postgresql"], &[]),
    (&["pip", "pip3", "pytest"], &[], &["python3"]),
];

/// The files, folders and programs that a program with this base name consists of.
pub(super) fn parts_of(name: &str) -> (&'static [&'static str], &'static [&'static str]) {
    // `gcc-12` has the parts of `gcc`, and `python3.11` those of `python3`.
    let stem = name.trim_end_matches(|c: char| c.is_ascii_digit() || matches!(c, '.' | '-'));
    let row = ROWS.iter().find(|(names, ..)| names.contains(&name) || names.contains(&stem));
    row.map_or((&[], &[]), |&(_, folders, programs)| (folders, programs))
}
