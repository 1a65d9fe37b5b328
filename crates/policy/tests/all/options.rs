//! Attacks on how options are read: ends of options, clusters, abbreviations, values, and text that is replaced.

use crate::common::{asked, check_argvs, check_lines, denied, passed};
use handrail_policy::Decision::{Allow, Ask, Deny};

/// Each runs a program although `--`, or what looks like it, stands in front.
#[test]
fn a_double_dash_ends_options_only_where_that_is_certain() {
    denied(&[
        "tar cf -- --checkpoint=1 --checkpoint-action=exec=id y",
        "tar cf -- '-Iid>&2;cat' y",
        "tar cbf 1 -- '-Iid>&2;cat' y",
        "tar cbf 1 -- --use-compress-program=id y",
        "tar -cf -- --to-command=id y",
        "tar cfb -- 1 --info-script=id y",
        "gtar cf -- -Fid y",
        "sort -o -- --compress-program=id a",
        "sort a -- --compress-program=id",
        "rsync -T -- -e id a b:",
        "man ls -- -P id",
        "mysql x -- --pager=id",
        "git grep -- -Oid",
        "git fetch -- --upload-pack=id",
    ]);
    // `x -- install --option`: the parser of the subcommand starts anew.
    denied(&["pip -- install --python=./x y"]);
    // Text to look for may be an option's name.
    passed(&["rg -- --pre", "rg x -- --pre", "ag -- --pager", "rg -F a b -- --pre=x"]);
    denied(&["rg -e -- --pre=id x", "rg --pre=id -- x"]);
}

#[test]
fn the_first_word_of_tar_is_a_cluster() {
    check_lines(&[
        ("-rm", "tar cIf 'rm a' x y", Deny, "list.denied"),
        ("-rm", "tar cfF x 'rm a' y", Deny, "list.denied"),
        ("-rm", "tar cbfF 1 x 'rm a' y", Deny, "list.denied"),
        ("+tar", "tar cTf list x", Ask, "argument.unseen"),
        ("+tar", "tar cfT x list", Ask, "argument.unseen"),
        ("+tar", "tar czf x.tgz dir", Allow, "list.allowed"),
        ("+tar", "tar xf a.tar -C dir", Allow, "list.allowed"),
        ("+tar", "tar cvfz x.tgz dir", Allow, "list.allowed"),
        ("+tar", "tar tf a.tar -- dir", Allow, "list.allowed"),
    ]);
}

#[test]
fn clusters_attached_values_and_values_that_look_like_options() {
    denied(&[
        "git clone -qu id a",
        "git clone -quid a",
        "git rebase -ix id",
        "git rebase -vxid",
        "git grep -nO./x y",
        "rsync -avze id a b:",
        "rsync -avzeid a b:",
        "scp -BS ./x a b:",
        "scp -qRS ./x a b:",
        "sort -k --compress-program=id a",
        "ncat -sh-exec id h 1",
        "ncat -vc id h 1",
        "wget -xe use_askpass=id a",
    ]);
    passed(&[
        "git clone https://a/b",
        "git clone -q --depth 1 -b main https://a/b c",
        "git clone -o up -j 4 https://a/b",
        "git clone -c user.name=x https://a/b",
        "git clone -qccolor.ui=never https://a/b",
        "git fetch -jo 2 origin",
        "rsync -avz --exclude x a b",
        "scp -C -P 22 a b:",
        "nmap -sS -p 1-9 h",
        "nc -lu 53",
        "nc -l -p 53",
        "nc -zv h 22",
        "wget -x https://a",
    ]);
}

#[test]
fn long_names_in_every_spelling_their_parsers_take() {
    denied(&[
        "tar --to-com=id -xf a",
        "tar --checkpoint-act=exec=id -cf a b",
        "tar --checkpoint-a exec=id -cf a b",
        "tar --rsh=id -cf h:a b",
        "tar --use=id -cf a b",
        "rsync --rsh=id a b:",
        "rsync --rsh id a b:",
        "less --lesskey-cont=x a",
        "less --LESSKEY-CONTENT=x a",
        "mysql --plugin_dir=. x",
        "mysql --loose-pager=id x",
        "mysql --loose_plugin_dir=. x",
    ]);
    passed(&["apt-get -q update", "less --LINE-NUMBERS a", "tar --checkpoint=5 -cf a b"]);
}

/// `find` and `xargs` complete the program text, and hide each other's marks.
#[test]
fn program_text_that_is_replaced_is_a_question() {
    for (list, line) in [
        ("+find sed", "find 1 -exec sed {} y ';'"),
        ("+find sed", "find '1e id' -exec sed -n -e p --expression={} y ';'"),
        ("+find gawk", "find x -exec gawk -e {} ';'"),
        ("+find awk", "find x -exec awk 'BEGIN{x=\"{}\"}' ';'"),
        ("+xargs awk", "xargs -I% awk %"),
        ("+xargs awk", "xargs -I% awk '{print \"%\"}' x"),
        ("+xargs sed", "xargs -I@ sed s/a/@/ x"),
        ("+xargs find awk", "xargs -I% find . -exec awk % {} ';'"),
        ("+find xargs awk", "find x -exec xargs -I% awk {} ';'"),
        ("+find xargs sh echo", "find x -exec xargs -I% sh -c 'echo {}' ';'"),
    ] {
        check_lines(&[(list, line, Ask, "program.dynamic")]);
    }
    // The starting point is one of the paths.
    for (list, line) in [
        ("+find awk", "find 'BEGIN{system(\"id\")}' -exec awk {} ';'"),
        ("+find sed", "find '1e id' -exec sed {} y ';'"),
        ("+find sed", "find '1e id' -exec sed -e {} y ';'"),
    ] {
        check_lines(&[(list, line, Ask, "interpreter.code")]);
    }
    check_lines(&[
        ("+find awk", "find . -exec awk 'NR==1' {} ';'", Allow, "list.allowed"),
        ("+find sed", "find . -exec sed -i s/a/b/ {} +", Allow, "list.allowed"),
    ]);
}

/// With `POSIXLY_CORRECT`, what stands in front of `-e` is the script.
#[test]
fn sed_reads_its_script_where_either_order_finds_it() {
    asked(
        &["sed '1e id' -e p x", "sed '1e id' --expression=p x", "sed '1e id' -f x"],
        "interpreter.code",
    );
    passed(&["sed -e p x", "sed -n -e p -e = x -s", "sed p x"]);
}

#[test]
fn effects_of_denied_names_in_every_spelling() {
    for line in [
        "tar cf x --remove-f a",
        "tar cf x --rem a",
        "zip -qm x a",
        "zip -mq x a",
        "zip --mov x a",
        "rsync -a --delete-missing-args a b",
        "rsync -a --remove-sent-files a b",
        "svn del a",
        "svn remove a",
        "hg purg",
        "hg rm a",
        "7z a -SDEL x a",
        "wget --delete-a https://a",
        "fdupes -rdN .",
    ] {
        check_lines(&[("-rm", line, Ask, "effect.equivalent")]);
    }
    for line in ["zip -qr x a", "tar cf x a", "rsync -av a b", "svn status", "hg log", "7z a x a"] {
        check_lines(&[("-rm", line, Allow, "list.allowed")]);
    }
}

#[test]
fn an_argv_is_read_the_same_way() {
    check_argvs(&[
        ("+tar", &["tar", "cf", "--", "-Iid", "y"], Deny, "argument.executes"),
        ("+git", &["git", "clone", "-qccore.sshCommand=id", "x"], Ask, "argument.unseen"),
        ("+git", &["git", "log", "--output=x"], Ask, "effect.write"),
    ]);
    asked(&["git archive -o x HEAD"], "effect.write");
}

/// What a shell reads as a script, or as another way to read its code, is no code that is judged.
#[test]
fn options_of_shells() {
    for (list, line) in [
        ("+bash ls", "bash -norc ./x.sh ls"),
        ("+bash ls", "bash -norc -c ls"),
        ("+bash ls", "bash -posix -c ls"),
        ("+bash ls", "bash -kc 'ls LD_PRELOAD=./x.so'"),
        ("+bash ls", "bash -o keyword -c 'ls LD_PRELOAD=./x.so'"),
        ("+bash ls", "bash -O expand_aliases -c ls"),
        ("+bash ls", "bash -Hc ls"),
        ("+zsh ls", "zsh -b -c ls"),
        ("+zsh ls", "zsh -kc ls"),
        ("+sh ls", "sh -O extglob -c ls"),
    ] {
        check_lines(&[(list, line, Ask, "shell.script")]);
    }
    for line in [
        "bash -euxc ls",
        "bash -euo pipefail -c ls",
        "bash -o pipefail -ec ls",
        "bash -O extglob -c ls",
        "bash -lc ls",
        "bash --norc --noprofile -c ls",
    ] {
        check_lines(&[("+bash ls", line, Allow, "list.allowed")]);
    }
    check_lines(&[
        ("+sh ls", "sh -euc ls", Allow, "list.allowed"),
        ("+python3", "python3 -v", Ask, "interpreter.code"),
        ("+node", "node -v", Allow, "list.allowed"),
    ]);
}

/// npm reads names behind any number of dashes, negated any number of times, and abbreviated.
#[test]
fn scripts_of_npm_are_turned_off_for_certain() {
    asked(
        &[
            "npm i --ignore-scripts -ignore-scripts=false ./x",
            "npm i --ignore-scripts ---ignore-scripts=false ./x",
            "npm i --ignore-scripts -no-ignore-scripts ./x",
            "npm i --ignore-scripts --NO-ignore-s ./x",
            "npm i --ignore-scripts --no-no-no-ignore-scripts ./x",
            "npm diff --diff=./x",
            "npm diff",
        ],
        "interpreter.code",
    );
    passed(&[
        "npm ls -g",
        "npm ls --global",
        "npm ls -s",
        "npm -v",
        "npm ls -p -l",
        "npm i --ignore-scripts --no-audit -D x",
        "pnpm list -r",
    ]);
}
