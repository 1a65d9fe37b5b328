//! Programs that start others, by class: the use that starts something, and a use that does not.

use crate::common::{asked, check_lines, denied, listed, passed};
use handrail_policy::Decision::{Ask, Deny};
use handrail_policy::Enforced;

#[test]
fn launchers_of_util_linux_and_others() {
    for line in ["ccache rm a", "coreutils rm a"] {
        check_lines(&[
            ("-rm", line, Deny, "list.denied"),
            (listed(line), line, Deny, "list.not_allowed"),
        ]);
    }
    for line in [
        "runcon x rm a",
        "sg x -c 'rm a'",
        "newgrp x",
        "systemd-socket-activate -l 1 rm a",
        "rustup run stable rm",
        "gpg-agent --daemon rm a",
        "msgfilter rm",
        "ifne rm a",
        "stack exec rm",
        "docker exec x ls",
        "yash -c 'rm a'",
        "emacsclient -e x",
        "pydoc ./x.py",
        "x86_64-linux-gnu-gdb-13 x -ex y",
    ] {
        let verdict = crate::common::deny("rm").decide_line(line, Enforced::NOTHING);
        crate::common::verify(&verdict, line.len());
        assert_eq!(verdict.decision, Ask, "{line} {:?}", verdict.reasons);
    }
    passed(&["ccache -s", "rustup show"]);
}

/// Under a deny list the program that an option names is judged.
#[test]
fn options_that_name_a_denied_program() {
    check_lines(&[
        ("-rm", "ugrep --filter='rm a' x", Deny, "list.denied"),
        ("-rm", "gdb -ex '!rm'", Ask, "argument.executes"),
    ]);
}

#[test]
fn files_and_comparing() {
    denied(&["ugrep --filter=x:y z", "zip -TmTT x a b", "zip a b --unzip-c x", "ack --pag=x y"]);
    asked(&["prename s/a/b/ c"], "interpreter.code");
    passed(&[
        "install -m644 a b",
        "install -s a b",
        "install --strip a b",
        "install -d a",
        "sdiff a b",
        "diff3 -m a b c",
        "diff -u a b",
        "patch -p1 -i a",
        "sort -",
        "tar cf - a",
        "tar xf ./a:b",
        "tar --force-local -xf a:b",
        "tar czf a.tgz --transform=s:a:b: c",
        "rename foo bar c",
        "rename 's/foo/bar/g' c",
        "mlr --icsv cat a",
        "ugrep -n x",
    ]);
}

#[test]
fn tools_that_load_shared_objects() {
    denied(&[
        "ssh -I ./x.so a",
        "openssl s_client -ssl_client_engine x",
        "openssl dgst -provider-path . -provider x a",
        "curl --engine x https://a",
        "mysql --plugin-dir=. a",
        "gcc-12 -fplugin=x a.c",
    ]);
    asked(&["rustc @x"], "argument.unseen");
    passed(&[
        "ar t a",
        "ar rcs a b.o",
        "nm a",
        "nm -D --defined-only a",
        "nm -p a",
        "ranlib a",
        "strip -s a",
        "ld -r -o a b.o",
        "ld -lc -o a b.o",
        "objdump -d a",
        "size a",
        "ssh-keygen -t ed25519 -f a",
        "ssh-keygen -lf a",
        "ssh-add -l",
        "gcc -fuse-ld=lld a.c",
        "gcc-12 -O2 a.c",
        "iptables -L -n",
        "ffmpeg -i a -vf scale=1:2 b",
    ]);
}

#[test]
fn builders_debuggers_and_converters() {
    denied(&[
        "ctest --test-command x",
        "ctest -S x",
        "go build -ldflags=-extld=x",
        "go build -ldflags '-extld x'",
        "gdb -eval-comm=x",
        "gs -dNOSAFER a",
        "gs -sOutputFile=%pipe%x a",
        "convert '|x' a.png",
        "systemctl -H x status",
    ]);
    asked(
        &["cmake -C x .", "cmake --toolchain x .", "cargo x", "cargo install x"],
        "argument.unseen",
    );
    asked(
        &["cmake -P x", "cmake -E rm a", "coverage run x", "nix run x", "apt edit-sources"],
        "program.dynamic",
    );
    passed(&[
        "prove -lr t",
        "prove -j4 t",
        "cmake -S . -B build -DCMAKE_BUILD_TYPE=Release",
        "cmake --build build -j4",
        "ctest --output-on-failure",
        "go build -ldflags '-s -w -X main.v=1' ./...",
        "go run .",
        "gdb -batch a",
        "ip -br addr",
        "pdflatex -interaction=nonstopmode x",
        "pandoc -f markdown -t html a",
        "convert a.png -resize 50% b.png",
        "yt-dlp -F https://a",
        "nano a",
        "systemctl status x",
        "journalctl -u x -n 5",
        "mvn -q test",
        "coverage report",
        "gh -R a/b pr list",
        "kubectl -n x get pods",
        "cargo +nightly build",
        "eslint src",
        "nix flake show",
    ]);
}

#[test]
fn git_by_its_options_and_settings() {
    denied(&["git ls-remote ext::x", "git archive --remote=ext::x HEAD"]);
    asked(
        &[
            "git --git-dir=x status",
            "git --git-dir x status",
            "git --bare status",
            "git --git-dir=. log",
            "git merge-index x -a",
            "git hook run x",
        ],
        "argument.unseen",
    );
    passed(&[
        "git merge -s ours y",
        "git merge --strategy=ort -X theirs y",
        "git pull --strategy-option=ours",
        "git rebase -s recursive y",
        "git cherry-pick -s y",
        "git revert -s y",
        "git --git-dir=x/.git status",
        "git --git-dir x/.git --work-tree x status",
        "git -C x status",
        "git grep Context::new",
        "git log -S 'text::x'",
        "git commit -m 'fix Context::new'",
    ]);
}
