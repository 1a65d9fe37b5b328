//! Programs that start others, by class: the use that starts something, and a use that does not.

use crate::common::{asked, check_lines, denied, listed, passed};
use handrail_policy::Decision::{Ask, Deny};

#[test]
fn launchers_of_util_linux_and_others() {
    for line in [
        "choom -n 5 rm a",
        "choom --adjust=5 -- rm a",
        "uclampset -m 5 rm a",
        "uclampset --util-max 5 -R rm a",
        "pipesz -s 4096 rm a",
        "enosys -s open rm a",
        "logsave -a x rm a",
        "ccache rm a",
        "grc rm a",
        "tsocks rm a",
        "coreutils --coreutils-prog=rm a",
        "coreutils rm a",
    ] {
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
        "execlineb x",
        "rustup run stable rm",
        "gpg-agent --daemon rm a",
        "msgfilter rm",
        "ifne rm a",
        "dlv exec x",
        "gpg-connect-agent x",
        "stack exec rm",
        "docker exec x ls",
        "yash -c 'rm a'",
        "emacsclient -e x",
        "pydoc ./x.py",
        "x86_64-linux-gnu-gdb-13 x -ex y",
    ] {
        let verdict = crate::common::deny("rm").decide_line(line);
        crate::common::verify(&verdict, line.len());
        assert_eq!(verdict.decision, Ask, "{line} {:?}", verdict.reasons);
    }
    passed(&[
        "choom -p 1",
        "choom -n 5 ls",
        "uclampset -p 1",
        "ccache -s",
        "rustup show",
        "pipesz -s 4096 ls",
    ]);
}

/// Under a deny list the program that an option names is judged.
#[test]
fn options_that_name_a_denied_program() {
    for line in [
        "prove -e 'rm a' t",
        "install -s --strip-program=rm a b",
        "sdiff --diff-program=rm a b",
        "diff3 --diff-program rm a b c",
        "ugrep --filter='rm a' x",
        "certbot renew --deploy-hook 'rm a'",
        "aria2c --on-download-complete=rm https://a",
        "nano -s rm a",
        "helm install --post-renderer rm a b",
        "cvs -e rm commit",
        "bazel run --run_under=rm a",
        "windres --preprocessor=rm a",
        "nice choom -n 1 rm a",
    ] {
        check_lines(&[("-rm", line, Deny, "list.denied")]);
    }
    for line in
        ["nm --plugin ./x.so a", "git merge -s rm x", "ssh-keygen -D ./x.so", "gdb -ex '!rm'"]
    {
        check_lines(&[("-rm", line, Ask, "argument.executes")]);
    }
}

#[test]
fn files_and_comparing() {
    denied(&[
        "install -s --strip-program=x a b",
        "install --strip-p x -s a b",
        "sdiff --diff-program=x a b",
        "diff3 --diff-prog x a b c",
        "patch -e a b",
        "patch --ed a",
        "ugrep --filter=x:y z",
        "dar -c x -E y",
        "tar xf host:a",
        "tar -xf host:a",
        "tar -fhost:a -x",
        "tar --file=host:a -x",
        "tar --file host:a -x",
        "zip -TmTT x a b",
        "zip a b --unzip-c x",
        "borg create --content-from-command x -- y",
        "restic --password-command x backup",
        "mlr --prepipe x cat a",
        "mlr put 'system(\"x\")' a",
        "peco --exec x",
        "ack --pag=x y",
    ]);
    asked(&["rename s/a/b/e c", "rename 'system \"x\"' c", "rename -e x c"], "interpreter.code");
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
        "zip -rTm a b",
        "rename foo bar c",
        "rename 's/foo/bar/g' c",
        "mlr --icsv cat a",
        "ugrep -n x",
    ]);
}

#[test]
fn tools_that_load_shared_objects() {
    denied(&[
        "nm --plugin ./x.so a",
        "nm --plug=./x.so a",
        "ar --plugin ./x.so t a",
        "ranlib --plugin=./x.so a",
        "strip --plugin x a",
        "objcopy --plugin x a",
        "ld -plugin x a.o",
        "ld --plug=x a.o",
        "x86_64-linux-gnu-ar --plugin x t a",
        "ssh-keygen -D ./x.so",
        "ssh-keygen -w ./x.so -t ed25519-sk",
        "ssh-add -s ./x.so",
        "ssh -I ./x.so a",
        "p11tool --provider=./x.so --list-tokens",
        "pkcs11-tool --module ./x.so -L",
        "openssl s_client -ssl_client_engine x",
        "openssl dgst -provider-path . -provider x a",
        "curl --engine x https://a",
        "mysql --plugin-dir=. a",
        "redis-server --loadmodule x",
        "ffmpeg -i a -af ladspa=file=./x.so b",
        "iptables --modprobe=x -L",
        "clang-tidy -load x a.c",
        "gcc-12 -fplugin=x a.c",
        "gcc -fuse-ld=./x a.c",
        "gcc -iplugindir=. a.c",
        "javac -processorpath . -processor X A.java",
    ]);
    asked(&["nm @x", "ld @x", "ar @x", "rustc @x"], "argument.unseen");
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
        "prove -e x t",
        "prove --exec x t",
        "prove --exe=x t",
        "prove -Pplugin t",
        "ghc -e x",
        "cmake -DCMAKE_C_COMPILER=./x .",
        "cmake -D CMAKE_CXX_COMPILER_LAUNCHER=x .",
        "cmake -DCMAKE_MAKE_PROGRAM=x .",
        "ctest --test-command x",
        "ctest -S x",
        "bazel run --run_under=x y",
        "just --shell x y",
        "rake -e x",
        "pylint --init-hook=x a",
        "mvn exec:exec -Dexec.executable=x",
        "go build -ldflags=-extld=x",
        "go build -ldflags '-extld x'",
        "gdb -eval-comm=x",
        "ip -ba x",
        "pdflatex -shell-esc x",
        "latexmk -e x",
        "groff -U x",
        "pandoc -t x.lua a",
        "gs -dNOSAFER a",
        "gs -sOutputFile=%pipe%x a",
        "convert '|x' a.png",
        "asciidoctor -r ./x a",
        "mpv --script=x a",
        "yt-dlp --exec x https://a",
        "aria2c --on-download-comp=x https://a",
        "certbot renew --deploy-hook x",
        "tshark -X lua_script:x",
        "nano -s x a",
        "scrot -e x",
        "eslint --rulesdir x a",
        "mocha -r x",
        "cowsay -f ./x a",
        "systemctl -H x status",
    ]);
    asked(
        &[
            "cmake -C x .",
            "cmake --toolchain x .",
            "go run example.org/x@latest",
            "gh x",
            "kubectl -n y x get",
            "kubectl x",
            "cargo x",
            "cargo install x",
        ],
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
    denied(&[
        "git merge -s x y",
        "git merge -sx y",
        "git merge --strategy=x y",
        "git merge --strat x y",
        "git pull -s x",
        "git rebase -s x y",
        "git cherry-pick --strategy=x y",
        "git revert --strategy x y",
        "git -c trailer.x.command=y commit -m z",
        "git -c trailer.x.cmd=y interpret-trailers",
        "git -c merge.x.driver=y merge z",
        "git -c filter.x.clean=y add .",
        "git -c credential.helper=x fetch",
        "git -c gpg.program=x log",
        "git -c difftool.x.cmd=y diff",
        "git ls-remote ext::x",
        "git archive --remote=ext::x HEAD",
        "hub -c alias.x=!y x",
    ]);
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
