//! Cases as data: lists, command, decision, and the rule of the reason that decides.

use crate::common::{check_argvs, check_lines};
use handrail_policy::Decision::{Allow, Ask, Deny};

#[test]
fn syntax_that_is_not_one_simple_command() {
    check_lines(&[
        ("+echo wc", "echo a | wc -c", Deny, "syntax.operator"),
        ("+echo", "echo a && echo b", Deny, "syntax.operator"),
        ("+echo", "echo a || echo b", Deny, "syntax.operator"),
        ("+echo", "echo a; echo b", Deny, "syntax.operator"),
        ("+echo", "echo a;", Deny, "syntax.operator"),
        ("+echo", "echo a &", Deny, "syntax.operator"),
        ("+echo", "echo a\necho b", Deny, "syntax.operator"),
        ("+echo", "X=1\necho b", Deny, "syntax.operator"),
        ("+echo", "echo a > b", Deny, "syntax.redirection"),
        ("+echo", "echo a 2>&1", Deny, "syntax.redirection"),
        ("+echo", "echo a &> b", Deny, "syntax.redirection"),
        ("+cat", "cat < a", Deny, "syntax.redirection"),
        ("+cat", "cat <<E\nx\nE", Deny, "syntax.redirection"),
        ("+cat", "cat <<< x", Deny, "syntax.redirection"),
        ("+echo", "echo $HOME", Deny, "syntax.expansion"),
        ("+echo", "echo \"$HOME\"", Deny, "syntax.expansion"),
        ("+echo", "echo $1", Deny, "syntax.expansion"),
        ("+echo", "echo ${x}", Deny, "syntax.expansion"),
        ("+echo", "echo $(id)", Deny, "syntax.expansion"),
        ("+echo", "echo \"$\\\n(id)\"", Deny, "syntax.expansion"),
        ("+echo", "echo $\\\nHOME", Deny, "syntax.expansion"),
        ("+bash echo", "bash -c 'echo \"$\\\n(id)\"'", Deny, "syntax.unreadable"),
        ("+ls", "i\\\nf ls", Deny, "syntax.keyword"),
        ("+echo", "echo \"a $(id)\"", Deny, "syntax.expansion"),
        ("+echo", "echo `id`", Deny, "syntax.expansion"),
        ("+echo", "echo \"`id`\"", Deny, "syntax.expansion"),
        ("+echo", "echo $((1))", Deny, "syntax.expansion"),
        ("+echo", "echo $[1]", Deny, "syntax.expansion"),
        ("+cat", "cat <(id)", Deny, "syntax.expansion"),
        ("+tee", "tee >(id)", Deny, "syntax.expansion"),
        ("+ls", "ls *.rs", Deny, "syntax.glob"),
        ("+ls", "ls a?", Deny, "syntax.glob"),
        ("+ls", "ls [ab]", Deny, "syntax.glob"),
        ("+ls", "ls {a,b}", Deny, "syntax.brace"),
        ("+ls", "ls {1..3}", Deny, "syntax.brace"),
        ("+ls", "ls ~", Deny, "syntax.tilde"),
        ("+ls", "ls ~root/x", Deny, "syntax.tilde"),
        ("+ls", "X=~/a ls", Deny, "syntax.tilde"),
        ("+make", "make X=~/a", Deny, "syntax.tilde"),
        ("+make", "make X=a:~/a", Deny, "syntax.tilde"),
        ("+ls", "(ls)", Deny, "syntax.group"),
        ("+ls", "ls (a)", Deny, "syntax.group"),
        ("+ls", "ls() { ls; }", Deny, "syntax.group"),
        ("+ls", "a=(1 2) ls", Deny, "syntax.group"),
        ("+ls", "{ ls; }", Deny, "syntax.keyword"),
        ("+ls", "! ls", Deny, "syntax.keyword"),
        ("+ls", "time ls", Deny, "syntax.keyword"),
        ("+ls", "if ls", Deny, "syntax.keyword"),
        ("+ls", "[[ a ]]", Deny, "syntax.keyword"),
        ("+ls", "coproc ls", Deny, "syntax.keyword"),
        ("+ls", "X=1", Deny, "syntax.assignment"),
        ("+ls", "X+=1 ls", Deny, "syntax.assignment"),
        ("+ls", "a[0]=1 ls", Deny, "syntax.assignment"),
        ("+ls", "ls 'a", Deny, "syntax.unterminated"),
        ("+ls", "ls \"a", Deny, "syntax.unterminated"),
        ("+ls", "ls $'a", Deny, "syntax.unterminated"),
        ("+ls", "ls a\\", Deny, "syntax.unterminated"),
        ("+ls", "ls $'\\cx'", Deny, "syntax.quoting"),
        ("+ls", "ls $'\\0'", Deny, "hygiene.nul"),
        ("+ls", "ls $'\\xff'", Deny, "hygiene.encoding"),
        ("+ls", "# only a comment", Deny, "command.empty"),
        ("+ls", "", Deny, "command.empty"),
        ("+ls", " \t\n", Deny, "command.empty"),
        ("+ls", "''", Deny, "command.empty"),
    ]);
}

#[test]
fn text_that_is_one_simple_command() {
    check_lines(&[
        ("+echo", "echo 'a | b; $(c) > d * ~ {a,b}'", Allow, "list.allowed"),
        ("+echo", "echo \"a | b; \\$(c) > d * ~ {a,b} \\`\"", Allow, "list.allowed"),
        (
            "+echo",
            "echo a\\|b \\$x \\* \\~ a#b a~b HEAD~1 stash@{0} {} a=b \\;",
            Allow,
            "list.allowed",
        ),
        ("+echo", "\n# first\necho a # last\n\n", Allow, "list.allowed"),
        ("+echo", "echo a \\\n  b", Allow, "list.allowed"),
        ("+echo", "ec\\\nho a", Allow, "list.allowed"),
        ("+echo", "echo $ a$ \"$\" hi! if then", Allow, "list.allowed"),
        ("+[", "[ -f a ]", Allow, "list.allowed"),
        ("+ls", "'if'", Deny, "list.not_allowed"),
        ("+ls", "LC_ALL=C X='a b' ls", Allow, "list.allowed"),
        ("+ls", "l''s \"-l\"", Allow, "list.allowed"),
        ("+ls", "$'l\\x73' -l", Allow, "list.allowed"),
    ]);
}

#[test]
fn lists_by_name_and_path() {
    check_lines(&[
        ("+ls", "ls", Allow, "list.allowed"),
        ("+ls", "lsof", Deny, "list.not_allowed"),
        ("+ls", "LS", Deny, "list.not_allowed"),
        ("+ls", "ls.exe", Deny, "list.not_allowed"),
        ("+ls;-ls", "ls", Deny, "list.denied"),
        ("+", "ls", Deny, "list.empty"),
        ("+;-rm", "ls", Deny, "list.empty"),
        ("-", "ls", Allow, "list.allowed"),
        ("~x", "ls", Deny, "list.empty"),
        ("-rm", "rmdir a", Allow, "list.allowed"),
        ("-rm", "RM.EXE a", Deny, "list.denied"),
        ("-rm", "/bin/rm a", Deny, "list.denied"),
        ("-rm", "./rm a", Deny, "list.denied"),
        ("-rm", "./build.sh", Ask, "program.untrusted_path"),
        ("-rm", "/tmp/x", Ask, "program.untrusted_path"),
        ("+ls", "/usr/bin/ls", Allow, "list.allowed"),
        ("+ls", "/usr/bin/../bin/ls", Allow, "list.allowed"),
        ("+ls", "./ls", Deny, "program.untrusted_path"),
        ("+ls", "/tmp/ls", Deny, "program.untrusted_path"),
        ("+ls", "/tmp/l/../../usr/bin/ls", Deny, "program.untrusted_path"),
        ("+/opt/x/ls", "/opt/x/ls", Allow, "list.allowed"),
        ("+/opt/x/ls", "ls", Deny, "list.not_allowed"),
        ("-/bin/rm", "rm a", Ask, "list.denied"),
        ("-/bin/rm", "/bin/rm a", Deny, "list.denied"),
        ("-python3", "python3.11 x.py", Ask, "list.denied"),
        ("+ls", "cd /tmp", Deny, "program.builtin"),
        ("-rm", "export X=1", Deny, "program.builtin"),
        ("-rm", "exec rm a", Deny, "list.denied"),
        ("-rm", "=rm a", Ask, "program.dynamic"),
        ("-rm", "mytool rm a", Ask, "argument.names_denied"),
        ("-rm", "mytool --run=/bin/rm", Ask, "argument.names_denied"),
        ("-rm", "mytool a", Allow, "list.allowed"),
        ("-rm", "echo rm", Allow, "list.allowed"),
        ("-rm", "unlink a", Ask, "effect.equivalent"),
        ("-rm", "git clean -fd", Ask, "effect.equivalent"),
        ("-rm", "git log -- rm", Allow, "list.allowed"),
        ("-mkfs", "mkfs.ext4 /dev/x", Ask, "effect.equivalent"),
        ("-reboot", "systemctl reboot", Ask, "effect.equivalent"),
        ("-reboot", "systemctl status", Allow, "list.allowed"),
        ("-kill", "pkill x", Ask, "effect.equivalent"),
    ]);
}

#[test]
fn environment_of_a_command() {
    check_lines(&[
        ("+ls", "LD_PRELOAD=x ls", Deny, "environment.dangerous"),
        ("+ls", "PATH=. ls", Deny, "environment.dangerous"),
        ("-rm", "PATH=. ls", Ask, "environment.dangerous"),
        ("+ls env", "env PATH=. ls", Deny, "environment.dangerous"),
        ("+ls env", "env -i A=b ls", Allow, "list.allowed"),
        ("+git", "GIT_AUTHOR_NAME=x git log", Allow, "list.allowed"),
        ("+git", "GIT_PAGER=cat git log", Allow, "list.allowed"),
        ("+git", "GIT_SSH_COMMAND=x git fetch", Deny, "environment.dangerous"),
        ("+npm", "npm_config_script_shell=./x npm test", Deny, "environment.dangerous"),
        ("+ls", "X='() { :; }' ls", Deny, "environment.dangerous"),
        ("+bash ls", "bash -c 'export LD_PRELOAD=x'", Deny, "environment.dangerous"),
    ]);
}

/// A whole name is never taken for the beginning of another.
#[test]
fn whole_names_of_options() {
    check_lines(&[
        ("+tar", "tar --list --file=a.tar", Allow, "list.allowed"),
        ("+tar", "tar --create --file a.tar d", Allow, "list.allowed"),
        ("+tar", "tar --checkpoint=5 --create --file a.tar d", Allow, "list.allowed"),
        ("+tar", "tar --create --file a.tar --files-from x", Ask, "argument.unseen"),
        ("+tar", "tar --create --file a.tar --files x", Ask, "argument.unseen"),
        ("+tar", "tar --create --fil a.tar d", Ask, "argument.unseen"),
    ]);
}

/// The mark may stand in brackets: versions that end the expression there refuse the whole script.
#[test]
fn marks_in_brackets_of_sed() {
    check_lines(&[
        ("+sed", "sed 's/[^/]*$//' f", Allow, "list.allowed"),
        ("+sed", "sed -E 's|[^|]*||' f", Allow, "list.allowed"),
        ("+sed", "sed -n '/[/]/d' f", Allow, "list.allowed"),
        ("+sed", "sed y/abc/xyz/ f", Allow, "list.allowed"),
        ("+sed", "sed 's/a\\/b/c/' f", Allow, "list.allowed"),
        ("+sed", "sed 's/[^/]*$/id/e' f", Ask, "interpreter.code"),
        ("+sed", "sed '/[/]/e id' f", Ask, "interpreter.code"),
        ("+sed", "sed 's/[/a/w;s/]/id/e' f", Ask, "interpreter.code"),
        ("+sed", "sed 's/\\x5b[]/id/e;#]//' f", Ask, "interpreter.code"),
        ("+sed", "sed 's/[[:alpha:]/]/e/' f", Ask, "interpreter.code"),
    ]);
}

#[test]
fn hygiene_of_text_and_names() {
    check_lines(&[
        ("+echo", "echo \u{1b}c", Ask, "hygiene.control"),
        ("+echo", "echo a\r", Ask, "hygiene.control"),
        ("+echo", "echo \u{202e}x", Ask, "hygiene.deceptive"),
        ("+echo", "echo a\u{a0}b", Ask, "hygiene.deceptive"),
        ("+echo", "echo a\0b", Deny, "hygiene.nul"),
        ("+echo", "echo é €", Allow, "list.allowed"),
        ("+cat", "c\u{430}t x", Deny, "list.not_allowed"),
    ]);
    check_argvs(&[
        ("+echo", &["echo", "\u{1b}[2K", "\u{202e}", "a\nb"], Allow, "list.allowed"),
        ("+echo", &["echo", "a\0b"], Deny, "hygiene.nul"),
        ("-rm", &["r\u{200b}m"], Ask, "hygiene.deceptive"),
        ("-rm", &["rm\r"], Ask, "hygiene.control"),
        ("-rm", &[], Deny, "command.empty"),
        ("-rm", &["", "a"], Deny, "command.empty"),
    ]);
}

#[test]
fn an_argv_is_not_shell_text() {
    check_argvs(&[
        ("+echo", &["echo", "a;b", "$(x)", "*", "|", "~", "`"], Allow, "list.allowed"),
        ("+ls", &["X=1", "ls"], Deny, "list.not_allowed"),
        ("-rm", &["eval", "x"], Allow, "list.allowed"),
        ("-rm", &["exec", "rm"], Deny, "list.denied"),
        ("-rm", &["time", "rm", "a"], Deny, "list.denied"),
        ("+bash", &["bash", "-c", "a | b"], Deny, "list.not_allowed"),
        ("+if", &["if", "x"], Allow, "list.allowed"),
    ]);
}
