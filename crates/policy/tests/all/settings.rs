//! `key=value`: keys that are known to be data pass, all others are questions. And uses that discard data.

use crate::common::{asked, check_lines, denied, passed};
use handrail_policy::Decision::{Ask, Deny};
use handrail_policy::Enforced;

#[test]
fn settings_that_are_not_known_to_be_data_are_questions() {
    asked(
        &[
            "apt-config -o x dump",
            "apt-get --OPTION x update",
            "apt-get --Option=x update",
            "apt-get -o x install y",
            "apt-get -o x update",
            "cmake -D CMAKE_CXX_COMPILER_LAUNCHER=x .",
            "cmake -DCMAKE_C_COMPILER=./x .",
            "cmake -DCMAKE_MAKE_PROGRAM=x .",
            "gcc -fuse-ld=./x a.c",
            "git --namespace status -c core.fsmonitor=./x status",
            "git --no-pager -c core.editor=x commit",
            "git --shallow-file status -c core.fsmonitor=./x status",
            "git -C status -c core.fsmonitor=./x status",
            "git -P -c core.fsmonitor=./x status",
            "git -c CORE.SSHCOMMAND=x fetch",
            "git -c alias.x=!y x",
            "git -c core.pager=x log",
            "git -c credential.helper=x fetch",
            "git -c difftool.x.cmd=y diff",
            "git -c filter.x.clean=y add .",
            "git -c gpg.program=x log",
            "git -c merge.x.driver=y merge z",
            "git -c trailer.x.cmd=y interpret-trailers",
            "git -c trailer.x.command=y commit -m z",
            "git clone --c=core.sshCommand=x a",
            "git clone --co core.sshCommand=x a",
            "git clone --conf=core.fsmonitor=x a",
            "git clone -c core.fsmonitor=x a",
            "git clone -ccore.fsmonitor=x a",
            "git clone -lsnqc core.sshCommand=x ssh://x/y dst",
            "git clone -qc core.sshCommand=x ssh://x/y dst",
            "git clone -qccore.sshCommand=x ssh://x/y dst",
            "git clone a b -- -c core.sshCommand=x",
            "git difftool -x y",
            "git merge --strat x y",
            "git merge --strategy=x y",
            "git merge -s x y",
            "git merge -sx y",
            "git pull -qs x",
            "git pull -s x",
            "git rebase -s x y",
            "hub -c alias.x=!y x",
            "make SHELL=x",
            "podman --runtime ./x info",
            "rustc --codegen linker=id a.rs",
            "rustc -C linker=id a.rs",
            "rustc -Clinker=id a.rs",
            "rustc -OClinker=./x a.rs",
            "ssh '-oProxyJump=$(./evil.sh)@h' x",
            "ssh -o 'proxyjump $(./evil.sh)@h' x",
            "ssh -o Include=x a",
            "ssh -o ProxyCommand=x a",
            "ssh -oProxyCommand=x a",
            "ssh -vo 'LocalCommand x' a",
            "ssh -o '\"ProxyCommand\" touch x' a",
            "ssh -o ' ProxyCommand=x' a",
            "ssh -o 'BatchMode yes' a",
            "ssh -o '\"BatchMode\"=yes' a",
            "ssh -o ControlPath=x a",
            "scp -o ProxyCommand=x a b:",
            "make 'SHELL = /x' a.o",
            "make 'V =1'",
            "make 'V!=id'",
            "make V='|id'",
            "make CC=x",
            "gmake .SHELLFLAGS=x",
            "cmake -DCMAKE_AR=x .",
            "cmake '-D CMAKE_BUILD_TYPE=x' .",
            "cmake '-DCMAKE_BUILD_TYPE=|x' .",
            "ctest -D x=y",
            "psql 'host=a passfile=x'",
            "psql 'postgres://a/b?sslkey=x'",
            "psql -d service=x",
            "psql 'host=a\tpassfile=x'",
            "psql 'host=a passfile=x password=?host=b'",
            "psql 'passfile=x application_name=://?host=b'",
            "psql \"host=a 'passfile'=x\"",
            "psql 'postgres://h/b?sslk%65y=x'",
            "make -j SHELL=x",
            "git -c ' user.name=x' log",
            "git -c '\"user.name\"=x' log",
            "cargo rustc -- -C linker=x",
        ],
        "argument.unseen",
    );
    passed(&[
        "ssh -o BatchMode=yes -oConnectTimeout=5 a",
        "ssh -o StrictHostKeyChecking=accept-new a",
        "make V=1 -j4 all",
        "make BUILD_TYPE=release PREFIX:=/usr",
        "cmake -DCMAKE_BUILD_TYPE:STRING=Release -D BUILD_SHARED_LIBS=ON -DCMAKE_CXX_STANDARD=20 .",
        "psql 'host=a dbname=b user=c' -c 'select 1'",
        "psql postgres://u@h:5432/b",
        "psql 'postgres://h/b?sslmode=require&connect_timeout=3'",
        "psql -d b",
        "psql -d b -c 'select a from b where c=1'",
        "git -c User.Name=x -c color.ui=never log",
        "rustc -C opt-level=3 a.rs",
        "cargo rustc -- -C debuginfo=2",
        "apt-get -o Debug::pkgAcquire=1 update",
    ]);
    // Under a deny list alone the value is judged where it can be read.
    check_lines(&[
        ("-rm", "ssh -o ProxyCommand='rm x' a", Deny, "list.denied"),
        ("-rm", "git -c core.editor='rm x' commit", Deny, "list.denied"),
        ("-rm", "make SHELL='rm x'", Deny, "list.denied"),
        ("-rm", "ssh -o ProxyCommand='a | b' c", Ask, "argument.executes"),
    ]);
}

#[test]
fn a_leading_bar_is_a_command() {
    denied(&[
        "psql -o '|x' -c 'select 1'",
        "psql --output='|x'",
        "psql -o'|x'",
        "g++ -fmodule-mapper='|/x' a.cc",
        "convert '|x' a.png",
        "gs -sOutputFile='|x' a",
        "sqlite3 a '|x'",
    ]);
    passed(&[
        "grep '|x' a",
        "rg '|x'",
        "git log --format='|%h'",
        "git commit -m '| a |'",
        "jq '.a|.b' c",
    ]);
}

/// A mode of a program that is for something else.
#[test]
fn modes_that_discard_data() {
    let modes = [
        "dd if=a of=b",
        "rsync -a --delete a b",
        "rsync -a --delete-after a b",
        "rsync --remove-source-files a b",
        "find . -delete",
        "git clean -fdx",
        "git rm a",
        "tar cf x --remove-files a",
        "zip -qm x a",
        "wget --delete-after https://a",
        "svn rm a",
        "hg purge",
        "rclone purge a:b",
        "fdupes -rdN .",
        "7z a -sdel x a",
    ];
    asked(&modes, "effect.destructive");
    for line in modes {
        check_lines(&[("-rm", line, Ask, "effect.equivalent")]);
    }
    passed(&[
        "dd if=a",
        "rsync -av a b",
        "find . -name a",
        "git clean -n",
        "tar cf x a",
        "zip -r x a",
    ]);
}

#[test]
fn an_answer_names_what_is_started_and_not_listed() {
    for (list, line, hint) in [
        (
            "git",
            "git push",
            Some("'git' may start 'ssh', 'git-remote-https', which are not listed."),
        ),
        ("git ssh git-remote-https", "git push", None),
        (
            "git",
            "git clone git@a:b",
            Some("'git' may start 'ssh', 'git-remote-https', which are not listed."),
        ),
        ("git", "git log", None),
        ("tar", "tar xf a.gz", Some("'tar' may start 'gzip', which is not listed.")),
        ("make sh", "make", Some("'make' may start 'cc', which is not listed.")),
        (
            "timeout make",
            "timeout 5 make",
            Some("'make' may start 'sh', 'cc', which are not listed."),
        ),
        ("ls", "ls", None),
    ] {
        let verdict = crate::common::allow(list).decide_line(line, Enforced::NOTHING);
        assert_eq!(verdict.reasons[0].hint.as_deref(), hint, "{line}");
        assert_eq!(verdict.decision, handrail_policy::Decision::Allow, "{line}");
    }
    assert_eq!(
        crate::common::deny("rm").decide_line("git push", Enforced::NOTHING).reasons[0].hint,
        None
    );
}

/// Attacks that worked once (F5 to F16), and classics: none is allowed where only the program is listed.
#[test]
fn attacks_by_arguments() {
    for line in [
        "openssl dgst -engine x a",
        "openssl rsa -in org.openssl.engine:/x.so",
        "gdb --data-directory x",
        "cmake -P=file",
        "kubectl kustomize --helm-command x",
        "npm cache add git+file:///x",
        "pip download -r x",
        "g++ -fmodule-mapper='|/x' a.cc",
        "tcpdump -vz x",
        "nmap --script x h",
        "zip -T -TT x a b",
        "coreutils --coreutils-prog=rm a",
        "busybox -x rm a",
        "rsync -e x a b:",
        "tar --to-command=x -xf a",
        "install -s --strip-program=x a b",
        "fzf --preview x",
    ] {
        let name = line.split(' ').next().unwrap_or_default();
        let verdict = crate::common::allow(name).decide_line(line, Enforced::NOTHING);
        assert_ne!(verdict.decision, handrail_policy::Decision::Allow, "{line}");
    }
}
