//! Texts composed of contexts, wrappers and spellings, the same in every run.

#[path = "generated/array_statements.rs"]
mod array_statements;

use array_statements::{ARRAY_ENDS, ARRAY_STATEMENTS};

/// A small generator of numbers: tests need no better one.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, bound: usize) -> usize {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from((self.0 >> 33) % bound as u64).expect("it is small")
    }

    fn pick<'a>(&mut self, all: &[&'a str]) -> &'a str {
        all[self.below(all.len())]
    }
}

/// Programs that tests replace by ones that only write their name down.
pub(crate) const PROGRAMS: [&str; 12] =
    ["rm", "ls", "cat", "git", "npm", "wc", "head", "tail", "grep", "sort", "sed", "touch"];

const SPELLINGS: [&str; 12] = [
    "{}",
    "\\{}",
    "'{}'",
    "\"{}\"",
    "$'{}'",
    "''{}",
    "{}\"\"",
    "command {}",
    "exec {}",
    "env {}",
    "nice {}",
    "timeout 5 {}",
];

const ARGUMENTS: [&str; 33] = [
    " {a,$(% g)}",
    " {`% h`,b}{c,d}",
    " {a,<(% i)}",
    "",
    " a",
    " -n 5",
    " \"$x\"",
    " $x",
    " *.txt",
    " {a,b}",
    " a{1..3}",
    " ~",
    " 'a b'",
    " \"a$(% b)\"",
    " `% c`",
    " $(% d)",
    " ${x:-y}",
    " ${x:-$(% e)}",
    " \"${x%.*}\"",
    " $((1+2))",
    " $((n+1))",
    " <(% f)",
    " 2>&1",
    " >/dev/null",
    " > out",
    " 2> err",
    " < in",
    " <<< \"$x\"",
    " &> all",
    " a#b",
    " \\\n  b",
    " --x=\"y z\"",
    " ${x//a/b}",
];

const CONTEXTS: [&str; 44] = [
    "%",
    "%; %",
    "% && %",
    "% || %",
    "% | %",
    "% |& %",
    "% &\n%",
    "( % )",
    "{ %; }",
    "! %",
    "time %",
    "if %; then %; fi",
    "if %; then %; elif %; then %; else %; fi",
    "for i in a b; do %; done",
    "for i in *; do % \"$i\"; done",
    "for i; do %; done",
    "for ((i=0;i<3;i++)); do %; done",
    "while %; do %; break; done",
    "until %; do %; done",
    "case $x in a) % ;; b|c) % ;; *) % ;; esac",
    "case x in (x) % ;& y) %;; esac",
    "f() { %; }; f",
    "function g { %; }\ng",
    "h() ( % )",
    "[[ -n $x && ( a == b || $x =~ ^a(b|c)$ ) ]] && %",
    "(( n > 1 )) && %",
    "x=1; %",
    "x=$(%); % $x",
    "X=1 %",
    "echo \"$(%)\"",
    "echo `%`",
    "cat <<E\n$(%) `%`\n$x\nE",
    "cat <<'E'\n$(%)\nE\n%",
    "cat <<-E | %\n\ta\n\tE\n%",
    "% <<A <<B\na\nA\nb\nB",
    "eval '%'",
    "bash -c '%'",
    "sh -c \"%\"",
    "trap '%' EXIT",
    "xargs % < in",
    "find . -exec % {} \\;",
    "# comment\n%",
    "%\n\n% # comment",
    "{ %; } > out 2>&1 < in",
];

/// `%` stands for a command, `{}` in a spelling for a program.
fn compose(numbers: &mut Numbers, depth: usize) -> String {
    let context = if depth == 0 { "%" } else { numbers.pick(&CONTEXTS) };
    fill(numbers, context, depth)
}

fn fill(numbers: &mut Numbers, template: &str, depth: usize) -> String {
    let mut text = String::new();
    for (at, piece) in template.split('%').enumerate() {
        if at > 0 {
            let inner = if depth > 0 && numbers.below(3) == 0 {
                compose(numbers, depth - 1)
            } else {
                simple(numbers, depth)
            };
            text.push_str(&inner);
        }
        text.push_str(piece);
    }
    text
}

fn simple(numbers: &mut Numbers, depth: usize) -> String {
    let program = numbers.pick(&PROGRAMS);
    let mut text = numbers.pick(&SPELLINGS).replace("{}", program);
    for _ in 0..numbers.below(3) {
        let argument = numbers.pick(&ARGUMENTS);
        if argument.contains('%') && depth == 0 {
            continue;
        }
        text.push_str(&fill(numbers, argument, depth.saturating_sub(1)));
    }
    text
}

/// The first texts of the sequence.
pub(crate) fn texts(count: usize) -> Vec<String> {
    let mut numbers = Numbers(20_261_122);
    (0..count).map(|_| compose(&mut numbers, 3)).collect()
}

/// Statements about two variables and two functions, which end in a command that a variable names.
const STATEMENTS: [&str; 214] = [
    "RANDOM='a[$(@)]'",
    "read OPTIND <<< 'a[$(@)]'",
    "printf -v SECONDS %s 'a[$(@)]'",
    "export LINENO='a[$(@)]'",
    "for HISTCMD in 'a[$(@)]'; do #; done",
    "COLUMNS='a[$(@)]'; echo $((COLUMNS))",
    "OPTIND=$v getopts a w",
    "getopts a v -a",
    "getopts $v w",
    "echo $((OPTIND + SECONDS))",
    "f() { declare v=@; $v a; }; readonly v=@; f",
    "readonly v; for v in @ @; do $v; done",
    "for i in 1 2; do v=@; $v; readonly v; done",
    "\\export v=$w",
    "\"export\" w=$v",
    "''declare v=$w",
    "\\readonly w=$v",
    "command export v=$w",
    "export v={@,@}; $v a",
    "declare {v,w}=@",
    "v='a w=@'; \\export v=$v; $w",
    "v='@ w=@'",
    "set -oe keyword; a v=@ b",
    "set -eo pipefail",
    "set -u; v=@",
    "set -oa errexit",
    "set -- $v; \"$1\"",
    "eval 'f() { @; v=@; }'; f; $v",
    "v=$(f() { v=@; $v; }; f; unset f; f; $v)",
    "unset f; f",
    "f() { @; }; {f,}; @() { :; }",
    "command_not_found_handle() { @; }; nothing",
    "eval -- v=@; $v",
    "eval -- '#'",
    "! cd sub && v=@; $v",
    "cd sub; true | true && #",
    "v='@?'; $v",
    "v='[s]ed'; $v",
    "v='s]t'; ./[$v; cat < [$v",
    "v='in?'; cat < $v",
    "op=v; [ \"-$op\" 'a[$(@)]' ]",
    "op=$(echo v); [ \"-$op\" 'a[$(@)]' ]",
    "op=$(echo v); wait \"-n$op\" \"$v\"",
    "[ a -o \"$v\" 'a[$(@)]' ]",
    "[ ! \"$v\" \"$w\" ]",
    "v=-v; w='a[$(@)]'",
    "op=v; printf \"-$op\" 'a[$(@)]' b",
    "printf -v v -v 'a[$(@)]' b",
    "wait -np 'a[$(@)]'",
    "wait $v 'a[$(@)]'",
    "read -n$v w <<< @",
    "v='1 a[$(@)]'; read -n$v w <<< b",
    "v=@; echo $((1/0)); v=@\n$v",
    "echo $((08)); v=@; f() { :; }\n$v; f",
    "echo ${v:0:-99}; w=@\n$w",
    "shopt -s failglob; : no*; v=@\n$v",
    "echo ${1:=a}; v=@\n$v; $w",
    "while [ $v -lt 2 ]; do v=$((v+1)); #; done",
    "[ $w = a ] && #",
    "v=0",
    "w=0; test $w",
    "v='a[$(@)]'",
    "w='a[$(@)]'",
    "echo $((v))",
    "echo $((w + 1))",
    "[[ $v -eq 1 ]]",
    "[[ v -eq 1 ]]",
    "[ -v \"$v\" ]",
    "[ \"$v\" \"$w\" ]",
    "[ $v ]",
    "test $w",
    "printf -v \"$v\" x",
    "printf \"$v\" \"$w\" a",
    "printf $v",
    "((w=v))",
    "((v++))",
    "read \"$v\" <<< a",
    "echo ${x:$v}",
    "echo ${x:v}",
    "for ((i=v;i<1;i++)); do #; done",
    "export \"$v\"",
    "export $v",
    "echo $((${v}+1))",
    "echo $(($v))",
    "unset \"$v\"",
    "v=-v",
    "declare -i w=v",
    "v=w",
    "w=v",
    "let v=1",
    "echo ${v[0]}",
    "v=x; x='a[$(@)]'; echo $((v))",
    "echo $((_))",
    ": 'a[$(@)]'; echo $((_+1))",
    "read v <<< 'a[$(@)]'",
    "[[ -v $v ]]",
    "[[ $v == 1 ]]",
    "exit $v",
    "shift $v",
    "wait $v",
    "umask $v",
    "return $v",
    "echo ${v:0:1}",
    "v=$((1)); echo $((v))",
    "bash -c 'echo $((v))'",
    "v='a[$(@)]' bash -c 'echo $((v))'",
    "export v; bash -c '(( v ))'",
    "sh -c 'echo $((v))'",
    "ulimit -n $v",
    "case $((v)) in 1) # ;; esac",
    "builtin eval '#'",
    "command eval \"$v\"",
    "bash -c \"$v\"",
    "sh -c '#'",
    "bash <<< '#'",
    "xargs $v < in",
    "{@,@} a",
    "v={@,a}; $v",
    "exec $v",
    "${v} b",
    "$v$w",
    "set -- @; \"$1\"",
    "f() { \"$@\"; }; f @",
    "v=@ eval '$v'",
    "case @ in @) v=@ ;& *) $v ;; esac",
    "${v:-@} c",
    "${v:+@} d",
    "v=${w:-@}",
    "v=${w}",
    "$v $w",
    "unset -f f",
    "f() { local v=@; g; }",
    "g() { $v; }",
    "until ! @; do #; break; done",
    "{ v=@; } | cat",
    "v=@ | cat",
    "! v=@",
    "time v=@",
    "if v=@; then #; fi",
    "v=@ && $v",
    "v=@ || w=@",
    "((w)) || v=@",
    "[[ $v == @ ]] && v=@",
    "while v=@; do $v; break; done",
    "for v in $w @; do $v; done",
    "for v in {@,@}; do $v e; done",
    "return; v=@",
    "(exit 1) || $v",
    "v=@; (v=@; $v); $v",
    "export -n v",
    "typeset v=@",
    "readonly v=@",
    "v=@ w=$v $w",
    "trap \"$v\" EXIT",
    "trap 'v=@' DEBUG",
    "eval \"f() { @; }\"; f",
    "eval \"$v; $w\"",
    "bash -c 'v=@; $v'",
    "export v; bash -c '$v'",
    "cat <<< $($v)",
    "echo `$v`",
    "echo <($w)",
    "readonly w=@",
    "declare -r v",
    "set -- @ @; v=$1",
    "command export v=@",
    "v=@",
    "w=@",
    "v=$w",
    "w=$v",
    "v=@ w=$v",
    "v+=@",
    "v='@ a'",
    "w=\"$v\"",
    "v=",
    "unset v",
    "export v=@",
    "read v <<< @",
    "read -r w < in",
    "printf -v v %s @",
    "local v=@",
    "declare w=@",
    ": ${v:=@}",
    ": ${w:-@}",
    "v=1",
    "((v=2))",
    "v=$(@)",
    "(#)",
    "{ #; }",
    "if @; then #; fi",
    "if @; then #; else #; fi",
    "@ && #",
    "@ || #",
    "# && #",
    "# | #",
    "# &",
    "for v in @ @; do #; done",
    "for w in 1 2; do #; done",
    "while @; do #; break; done",
    "case $v in @) # ;; *) # ;; esac",
    "f() { #; }",
    "g() { #; }",
    "f",
    "g",
    "f && #",
    "eval '#'",
    "eval \"v=@\"",
    "eval \"$v\"",
    "$v",
    "\"$v\"",
    "$w",
    "env $v",
    "v=@ f",
    "trap '#' EXIT",
];

fn statement(numbers: &mut Numbers, depth: usize) -> String {
    statement_of(numbers, depth, &STATEMENTS)
}

fn statement_of(numbers: &mut Numbers, depth: usize, all: &[&str]) -> String {
    let mut text = String::new();
    let template = loop {
        let template = numbers.pick(all);
        if depth > 0 || !template.contains('#') {
            break template;
        }
    };
    for character in template.chars() {
        match character {
            '@' => text.push_str(numbers.pick(&PROGRAMS)),
            // Quotes would end those around them.
            '#' if template.contains("'#'") => {
                text.push_str(&statement(numbers, 0).replace('\'', "").replace('"', "\\\""));
            }
            '#' => text.push_str(&statement(numbers, depth - 1)),
            other => text.push(other),
        }
    }
    text
}

/// Scripts in which it matters what a variable or a function is at each place.
pub(crate) fn states(count: usize) -> Vec<String> {
    let mut numbers = Numbers(1_789_571);
    (0..count)
        .map(|_| {
            let length = 1 + numbers.below(4);
            let mut statements: Vec<String> =
                (0..length).map(|_| statement(&mut numbers, 2)).collect();
            statements.push(
                numbers
                    .pick(&[
                        "$v",
                        "$w",
                        "\"$v\" a",
                        "f",
                        "$v; $w",
                        "eval \"$v\"",
                        "echo $((v))",
                        "[ \"$v\" \"$w\" ]",
                    ])
                    .to_owned(),
            );
            statements.join("\n")
        })
        .collect()
}

/// Scripts about arrays: mostly statements about these, and some of the others.
pub(crate) fn arrays(count: usize) -> Vec<String> {
    let mut numbers = Numbers(3_141_592);
    (0..count)
        .map(|_| {
            let length = numbers.below(3);
            let first = if numbers.below(2) == 0 { "v=(@ a)" } else { "v=(@ 'a b' \"$w\")" };
            let mut statements = vec![statement_of(&mut numbers, 0, &[first])];
            statements.extend((0..length).map(|_| {
                let all: &[&str] =
                    if numbers.below(6) == 0 { &STATEMENTS } else { &ARRAY_STATEMENTS };
                statement_of(&mut numbers, 2, all)
            }));
            statements.push(statement_of(&mut numbers, 1, &ARRAY_ENDS));
            statements.join("\n")
        })
        .collect()
}

/// Words of little but braces.
pub(crate) fn braces(count: usize) -> Vec<String> {
    const PIECES: [&str; 12] = ["{", "{", "}", "}", ",", ",", "..", "a", "c", "1", "3", "{a,b}"];
    let mut numbers = Numbers(77);
    let mut word = || {
        let length = 2 + numbers.below(9);
        let pieces: String = (0..length).map(|_| numbers.pick(&PIECES)).collect();
        format!("x{pieces}")
    };
    (0..count).map(|_| word()).collect()
}
