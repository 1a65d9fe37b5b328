//! Tool chains, virtual machines, databases: uses that start something by less known names and options.

use crate::common::{asked, check_lines, denied, passed};
use handrail_policy::Decision::{Allow, Ask, Deny};

#[test]
fn helpers_that_start_what_their_arguments_name() {
    asked(
        &["dbus-send --session x", "parallel-20230122 id", "cpan5.36-x86_64-linux-gnu x"],
        "program.dynamic",
    );
    for line in ["fakeroot-tcp rm a", "nice-9.1 rm a", "x86_64-linux-gnu-strace rm a"] {
        check_lines(&[("-rm", line, Deny, "list.denied"), ("-x", line, Allow, "list.allowed")]);
    }
    check_lines(&[
        ("+xargs-4.9 ls", "xargs-4.9 -a f tar", Deny, "list.not_allowed"),
        ("+xargs-4.9 tar", "xargs-4.9 -a f tar", Ask, "program.dynamic"),
        ("+find-4.9", "find-4.9 . -exec id ';'", Deny, "list.not_allowed"),
    ]);
    passed(&["gprofng display text x", "busctl list", "gio list x", "not-14 --version"]);
}

#[test]
fn options_of_tool_chains() {
    denied(&[
        "rustc --extern x=./x.so a.rs",
        "rustc --extern=x a.rs",
        "rustc -Z x a.rs",
        "rustdoc --extern x=./x.so a.rs",
        "gdbtui -ex '!id'",
        "gdb-multiarch -ex '!id'",
        "ps2pdf -dNOSAFER x.ps",
        "gs-10.0 -dNOSAFER x.ps",
        "editor -es -c '!id'",
        "pager +!id x",
        "xzless +!id x",
    ]);
    asked(&["make V=';id'", "make 'V=a|b'", "gmake test X='&id'"], "argument.unseen");
    passed(&[
        "dpkg-architecture -qDEB_HOST_ARCH",
        "pygmentize -l rust a.rs",
        "rustc -O -o a a.rs",
        "rustc --edition 2021 --crate-type lib a.rs",
        "rustdoc a.rs",
        "javac -d out A.java",
        "jar tf a.jar",
        "javap -c A",
        "keytool -list",
        "opt-14 -O2 -S a.ll",
        "llvm-nm-14 a",
        "gdb-multiarch -batch a",
    ]);
}

#[test]
fn functions_and_commands_of_databases() {
    denied(&[
        "sqlite3 a \"select load_extension ('./x')\"",
        "sqlite3 a 'select \"load_extension\"(1)'",
        "sqlite3 a \"select writefile /**/ ('x','y')\"",
        "sqlite3 a '.shell id'",
        "sqlite3 a '.shell\tid'",
        "sqlite3 a '.system id'",
        "sqlite3 a '.sy id'",
        "sqlite3 -cmd '.shell id' a",
        "sqlite3 a '.output |id'",
        "sqlite3 a '.load ./x'",
        "sqlite3 a '.read |id'",
    ]);
    passed(&[
        "sqlite3 a 'select edit from b'",
        "sqlite3 a 'select credit(1)'",
        "sqlite3 a '.tables;'",
        "sqlite3 a .schema",
        "sqlite3 a 'select a || b from c'",
        "duckdb a 'select 1'",
    ]);
}

/// Shared objects, plug-ins and devices from a folder of the caller's choice.
#[test]
fn libraries_and_folders_of_settings() {
    asked(
        &[
            "docker --config dk info",
            "docker --config=dk info",
            "docker evil",
            "docker -H tcp://h evil",
        ],
        "argument.unseen",
    );
    passed(&[
        "getent passwd root",
        "json_pp -f json",
        "json_pp",
        "gpg --list-keys",
        "gpg --verify x.asc",
        "groff -Tutf8 -man x",
        "groff -t -mandoc x",
        "docker ps -a",
        "docker info",
        "docker -H tcp://h images",
        "docker logs -f x",
        "podman ps",
    ]);
}

/// ssh makes a command line for a shell of the hosts in between.
#[test]
fn a_jump_is_nothing_but_hosts() {
    denied(&[
        "ssh -J '$(./evil.sh)@h' x",
        "ssh '-J$(./evil.sh)@h' x",
        "ssh -vJ '$(./evil.sh)@h' x",
        "ssh -J 'a,`id`' x",
        "ssh -J 'a;id' x",
        "ssh -J -Fx y",
        "scp -J '$(./evil.sh)@h' a x:",
        "sftp -J '$(./evil.sh)@h' x",
    ]);
    passed(&[
        "ssh -J a x",
        "ssh -J 'u@a.example:22,[::1]:22' x",
        "ssh -J ssh://u@a:22 x",
        "scp -J u@a a x:",
        "ssh -i 'My Jay key' x",
    ]);
}

#[test]
fn what_a_compiler_hands_on() {
    asked(
        &[
            "gcc -Wl,@opts a.c",
            "gcc -Wl,--as-needed,@opts a.c",
            "gcc -fuse-ld=gold -Wl,-O1,@opts a.c",
            "gcc -Wa,@opts a.c",
            "gcc -Xlinker @opts a.c",
            "clang -Wl,@opts a.c",
        ],
        "argument.unseen",
    );
    denied(&[
        "gcc -Wl,-plugin,./x.so a.c",
        "gcc -Wl,--as-needed,--plug,./x.so a.c",
        "gcc -fuse-ld=gold -Wl,--plugin=./x.so a.c",
        "gcc -fuse-ld=mold -Wl,-run,./x a.c",
        "gcc -B./x a.c",
        "gcc -B x a.c",
        "gcc -Bevil a.c",
        "gcc -Bstatic a.c",
        "clang -Bstatic a.c",
    ]);
    passed(&[
        "gcc -Wl,--as-needed,-z,now,-rpath,/a/lib a.c",
        "gcc -Wl,-Bstatic -lx -Wl,-Bdynamic a.c",
        "gcc -Xlinker -z -Xlinker now a.c",
        "gcc -Wall -O2 -o a a.c",
    ]);
}

#[test]
fn pip_builds_paths_and_addresses() {
    asked(
        &[
            "pip3 download ./pyp",
            "pip3 wheel ./pyp",
            "pip3 download --only-binary=:all: ./pyp",
            "pip3 wheel --only-binary=:all: pyp/",
            "pip install --only-binary=:all: -e .",
            "pip install --only-binary=:all: -e.",
            "pip install --only-binary=:all: --edit=./x",
            "pip install --only-binary=:all: x.tar.gz",
            "pip install --only-binary=:all: git+https://a/b",
            "pip install --only-binary=:all: 'x @ https://a/b'",
        ],
        "interpreter.code",
    );
    passed(&[
        "pip install --only-binary=:all: x",
        "pip install --only-binary=:all: --index-url https://a/simple x",
    ]);
}
