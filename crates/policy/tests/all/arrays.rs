//! Arrays: what people write with them, and words and subscripts that would run something else.

use std::fmt::Write as _;

use handrail_policy::Decision::{Allow, Ask, Deny};
use handrail_policy::{Enforced, Surroundings};

use crate::common::{allow, deny, policy, verify};
use crate::oracle;

/// Only listed programs are started and writes stay beneath the roots, as on a machine with a kernel plan.
const HELD: Enforced = Enforced { exec: true, roots: true, ..Enforced::NOTHING };

#[test]
fn ordinary_scripts_with_arrays_run() {
    for text in [
        "args=(); [ -n \"$CI\" ] && args+=(--count); grep \"${args[@]}\" a b.txt",
        "files=(src/*.txt); echo \"${#files[@]}\"; wc -l \"${files[@]}\"",
        "dirs=(src\n  test # of units\n  docs)\nfor d in \"${dirs[@]}\"; do [ -d \"$d\" ] && ls \"$d\"; done",
        "mapfile -t files < <(ls); for f in \"${files[@]}\"; do wc -c \"$f\"; done",
        "readarray -d '' -t files < in; echo \"first: ${files[0]}, last: ${files[-1]}\"",
        "found=(); while IFS= read -r f; do found+=(\"$f\"); done < <(ls); echo \"${found[*]}\"",
        "IFS=, read -ra parts <<< 'a,b'; for p in \"${parts[@]}\"; do echo \"$p\"; done",
        "names=(a b); for i in \"${!names[@]}\"; do echo \"$i: ${names[$i]} ${names[i+1]}\"; done",
        "f() { local -a t=(\"$@\"); [ ${#t[@]} -eq 0 ] && t=(src); ls \"${t[@]}\"; }; f a",
        "declare -a failed=(); ls a || failed+=(a); if (( ${#failed[@]} > 0 )); then exit 1; fi",
        "v=1.2.3; parts=(${v//./ }); major=${parts[0]}; echo \"$major\"",
        "p=(a b c); printf '%s\\n' \"${p[@]:1}\" \"${p[@]/a/b}\" \"${p[@]%.*}\" \"${p[0]:-x}\"",
        "cmd=(grep -c); cmd+=(--color=never); \"${cmd[@]}\" a b.txt",
        "cmd=(ls -l); echo \"+ ${cmd[*]}\"; \"${cmd[@]}\" \"$dir\"",
        "ports=(8080 8081); for p in \"${ports[@]}\"; do echo $((p + 1)); done",
        "a[0]=x; a[1]+=y; i=2; a[i]=z; a[$i]=z; a[${#a[@]}]=w; unset 'a[0]'; echo \"${a[@]}\"",
        "pids=(); for f in a b; do ls $f & pids+=($!); done; wait \"${pids[@]}\"",
        "pids=(); ls & pids+=(\"$!\"); for p in \"${pids[@]}\"; do wait \"$p\" || exit 1; done",
        "n=0; for f in a b; do seen[n++]=$f; done; echo \"${seen[@]}\"",
    ] {
        let verdict = allow("ls cat wc grep").decide_script(text, &HELD.into());
        verify(&verdict, text.len());
        assert_eq!(verdict.decision, Allow, "{text:?} {:?}", verdict.reasons);
    }
}

#[test]
fn a_command_out_of_an_array_is_judged_by_its_words() {
    for (list, text, decision) in [
        ("+ls", "c=(rm -rf /); \"${c[@]}\"", Deny),
        ("-rm", "c=(rm -rf /); \"${c[@]}\"", Deny),
        ("+rm", "c=(rm -rf /); \"${c[@]}\"", Ask),
        ("+rm", "c=(-rf /); rm \"${c[@]}\"", Ask),
        ("+find", "c=(. -exec rm {} +); find \"${c[@]}\"", Deny),
        ("+find", "c=(. -delete); find \"${c[@]}\"", Ask),
        ("+tar", "c=(--to-command=id); tar xf a \"${c[@]}\"", Deny),
        ("+git", "c=(push --force); git \"${c[@]}\"", Ask),
        ("+ls env", "c=(env rm a); \"${c[@]}\"", Deny),
        ("+ls", "c=(ls); f() { \"${c[@]}\" a; }; f; \"${c[@]}\" b", Allow),
        ("+ls", "c=(ls); bash=(rm); \"${c[@]}\" \"${bash[@]}\"", Allow),
        ("+ls", "c=(eval 'rm a'); \"${c[@]}\"", Deny),
        ("+ls", "c=(cd sub); \"${c[@]}\" && ls", Allow),
        // A word for a program that is only known at run time.
        ("+ls", "c=(\"$x\"); \"${c[@]}\"", Ask),
        ("+ls", "c=(*); \"${c[@]}\"", Ask),
        ("+ls", "c=(ls); ${c[@]}", Ask),
        ("+ls", "c=(ls); \"${c[0]}\"", Ask),
        ("+ls", "c=(ls); $c", Ask),
        ("+ls", "c=(ls); c=(rm); \"${c[@]}\"", Ask),
        ("+ls", "c=(); c+=(rm); \"${c[@]}\"", Ask),
        ("+ls", "c=(); for x in rm; do c+=(\"$x\"); done; \"${c[@]}\"", Ask),
        ("+ls", "c=(); while read -r x; do c+=(\"$x\"); done; \"${c[@]}\"", Ask),
        ("+ls", "f() { c=(rm a); }; c=(ls); f; \"${c[@]}\"", Ask),
        ("+ls", "c=(ls); c[0]=rm; \"${c[@]}\"", Ask),
        ("+ls", "c=(ls); c=rm; \"${c[@]}\"", Ask),
        ("+ls", "c=(ls); c+=x; \"${c[@]}\"", Ask),
        ("+ls", "c=(ls); eval 'c=(rm)'; \"${c[@]}\"", Ask),
        ("+ls", "c=(ls); trap 'c=(rm)' DEBUG; \"${c[@]}\"", Ask),
        ("+ls", "c=(ls); read -a c; \"${c[@]}\"", Ask),
        ("+ls", "c=(ls); mapfile -t c < in; \"${c[@]}\"", Ask),
        ("+ls", "c=(ls); unset c; \"${c[@]}\" rm", Ask),
        ("+ls", "c=(ls); unset 'c[0]'; \"${c[@]}\" rm", Ask),
        ("+ls", "c=(ls); printf -v c rm; \"${c[@]}\"", Ask),
        ("+ls", "c=(ls); printf -v 'c[0]' rm; \"${c[@]}\"", Ask),
        ("+ls", "c=(ls); ((c = 1)); \"${c[@]}\"", Ask),
        ("+ls", "c=(ls); for c in rm; do \"${c[@]}\"; done", Ask),
        ("+ls", "c=(ls); : \"${d:=rm}\" \"${d[@]}\"; \"${d[@]}\"", Ask),
        ("+ls", "f() { local c=(rm); \"${c[@]}\"; }; c=(ls); f", Ask),
        // The assignment may not take place, and the words behind the array would be the command.
        ("+ls", "readonly c; c=(ls); \"${c[@]}\" rm", Ask),
        ("+ls", "echo $((1/0)); c=(ls)\n\"${c[@]}\" rm", Ask),
        ("+ls", "[ -f a ] && c=(ls); \"${c[@]}\" rm", Ask),
        ("+ls", "c=(ls) < none; \"${c[@]}\" rm", Ask),
        ("+ls", "(c=(ls)); \"${c[@]}\" rm", Ask),
        ("+ls", "c=(); \"${c[@]}\" rm", Deny),
        ("+ls", "c=(ls) rm a", Deny),
        ("+ls", "declare -A c", Deny),
    ] {
        let verdict = policy(&crate::common::lists(list)).decide_script(text, &HELD.into());
        verify(&verdict, text.len());
        assert_eq!(verdict.decision, decision, "{list} {text:?} {:?}", verdict.reasons);
    }
}

/// bash starts `rm` for each of these.
const ATTACKS: [&str; 36] = [
    "a=(rm b); \"${a[@]}\"",
    "a=(rm b); ${a[*]}",
    "a=(rm b); $a b",
    "a=(echo 'rm b'); IFS=:; ${a[1]}; IFS=' '; ${a[1]}",
    "a=(b rm); \"${a[@]:1}\"",
    ": > rm; a=(r*); \"${a[@]}\"",
    "a=(-c 'rm b'); bash \"${a[@]}\"",
    "a=(-n 1 rm); xargs \"${a[@]}\" <<< b",
    "a=(rm); env \"${a[@]}\" b",
    "a=(); for x in rm b; do a+=(\"$x\"); done; \"${a[@]}\"",
    "a=(); while read -r x; do a+=(\"$x\"); done <<< rm; \"${a[@]}\"",
    "IFS=, read -ra a <<< 'rm,b'; \"${a[@]}\"",
    "mapfile -t a <<< rm; \"${a[@]}\"",
    "mapfile -C 'rm b' -c 1 a <<< x",
    "a[$(rm)]=1",
    "echo ${a[$(rm)]}",
    "a=('b[$(rm)]'); echo ${c[a]}",
    "a=('b[$(rm)]'); echo ${c[${a[0]}]}",
    "a=('b[$(rm)]'); c=(1); echo \"${c[@]:a}\"",
    "a+=('b[$(rm)]'); echo $((a + 1))",
    "a[1]='b[$(rm)]'; echo $((${a[1]}))",
    "read -ra a <<< 'b[$(rm)]'; ((a))",
    "mapfile -t a <<< 'b[$(rm)]'; [[ $a -eq 1 ]]",
    "x='b[$(rm)]'; a[x]=1",
    "x='b[$(rm)]'; a=(1); echo ${#a[$x]}",
    "x='b[$(rm)]'; echo ${!x}",
    "printf -v 'a[$(rm)]' b",
    "a=(1); unset 'a[$(rm)]'",
    "a=(1); [[ -v 'a[$(rm)]' ]]",
    "a=(1); x=-v; [ \"$x\" 'a[$(rm)]' ]",
    "set -- -v 'a[$(rm)]'; a=(1); [ \"${x-\"$@\"}\" ]",
    "a=(1); a+=(-v 'a[$(rm)]'); [ \"${x-\"${a[@]:1}\"}\" ]",
    "declare -a \"a=(\\$(rm))\"",
    "x='($(rm))'; declare -a a=\"$x\"",
    "x='($(rm))'; a=(1); declare a=\"$x\"",
    "f() { local a; a=(1); local a=\"$1\"; }; f '($(rm))'",
];

#[test]
fn words_and_subscripts_that_run_something_else_do_not_pass() {
    let tools = "ls cat env xargs bash";
    for text in ATTACKS {
        for policy in [allow(tools), deny("rm")] {
            for surroundings in [Surroundings::default(), HELD.into()] {
                let verdict = policy.decide_script(text, &surroundings);
                verify(&verdict, text.len());
                assert_ne!(verdict.decision, Allow, "{text:?}");
            }
        }
    }
}

#[test]
fn text_in_arrays_that_is_evaluated_again() {
    for text in [
        "x=$y; a[$x]=1",
        "echo ${a[$(rm)]}",
        "echo ${a[x]}; x=$y",
        "read x; echo ${#a[$x]}",
        "echo \"${a[@]:x}\"; read x",
        "a=('b[$(rm)]'); echo ${c[a]}",
        "a+=(\"$x\"); echo $((a + 1))",
        "a[1]='b[$(rm)]'; echo $((${a[1]}))",
        "read -a 'a[$(rm)]'",
        "read -a \"$x\"",
        "read -a b; echo $((b))",
        "a=(1); for x in \"${a[@]}\"; do echo $((x)); done; a+=(\"$y\")",
        "a=(1); for x in \"${a[@]}\"; do b+=(\"$x\"); for z in \"${b[@]}\"; do : < $z; done; done; a+=(/dev/tcp/a/1)",
        "a=($!); wait \"${a[@]}\"; read -a a",
        "a=(1); a+=(2); [ \"${a[@]}\" 'b[$(rm)]' ]; read -a a",
        "mapfile -t \"$x\"",
        "mapfile -C 'rm' a",
        "mapfile a; echo $((a))",
        "unset \"a[$x]\"",
        "printf -v \"a[$x]\" b",
        "[[ -v a[$x] ]]",
        "declare -a \"a=(\\$(rm))\"",
        "declare -a \"a=$x\"",
        "a=(1); declare a=\"$x\"",
        "declare a=\"$x\"; a=(1)",
        "f() { local a=$1; a=(1); }; f \"$x\"; f \"$x\"",
        "declare -A a; a[$x]=1",
        "a=([$(rm)]=1)",
        "a=(rm b); a=(ls); \"${a[@]}\"",
        "a=(rm b); ${a[0]} b",
        "a=(rm b); $a b",
        "a=(ls); a+=(b); a[0]=rm; \"${a[@]}\"",
        "for x in rm; do a+=(\"$x\"); done; \"${a[@]}\"",
        "while read -r x; do a+=(\"$x\"); done; \"${a[@]}\" b",
        "a=(*); \"${a[@]}\"",
        "a=($x y); env \"${a[@]}\"",
        "PATH=(/tmp)",
        "BASH_ALIASES[0]=rm",
        "DIRSTACK[0]=rm",
        "read 'BASH_ALIASES[0]'",
        "a=(1) bash -c ls",
        "[ \"${b-\"${x[@]}\"}\" ]",
        "for i in \"${!BASH_CMDS[@]}\"; do echo $((i)); done",
    ] {
        for policy in [allow("ls cat bash"), deny("zz")] {
            let verdict = policy.decide_script(text, &Surroundings::default());
            verify(&verdict, text.len());
            assert_ne!(verdict.decision, Allow, "{text:?}");
        }
    }
}

/// Each array would hold the words of the one before twice.
#[test]
fn arrays_that_double_are_bounded() {
    let mut text = "a0=(x)\n".to_owned();
    for at in 1..40 {
        let before = at - 1;
        let _ = writeln!(text, "a{at}=(\"${{a{before}[@]}}\" \"${{a{before}[@]}}\")");
    }
    text.push_str("ls \"${a39[@]}\"");
    let verdict = allow("ls").decide_script(&text, &HELD.into());
    assert_eq!(verdict.decision, Ask, "{:?}", verdict.reasons);
    assert!(verdict.reasons[0].message.contains("more words than are looked at"));
}

/// Numbers are copied from array to array, and the first one may hold a text at last.
#[test]
fn copies_of_copies_are_followed_for_a_while() {
    for (copies, ending, decision) in [
        (7, "", Allow),
        (7, "a0+=(\"$x\")", Ask),
        (8, "a0+=(\"$x\")", Ask),
        (99, "", Allow),
        (99, "a0+=(\"$x\")", Ask),
    ] {
        // The last copy stands first, so that each pass finds one more.
        let mut text = "a0=(1)\n".to_owned();
        for at in 0..copies {
            let _ = writeln!(text, "a{}+=(1)", at + 1);
        }
        for at in (0..copies).rev() {
            let _ = writeln!(text, "a{}+=(\"${{a{at}[@]}}\")", at + 1);
        }
        let _ = writeln!(text, "echo $((${{a{copies}[0]}}))\n{ending}");
        let verdict = allow("ls").decide_script(&text, &HELD.into());
        assert_eq!(verdict.decision, decision, "{text} {:?}", verdict.reasons);
    }
}

#[test]
fn without_the_judgement_bash_does_run_them() {
    let Some(started) = oracle::programs_of(&ATTACKS) else { return };
    for (text, started) in ATTACKS.iter().zip(started) {
        assert!(started.contains("rm"), "{text:?} {started:?}");
    }
}

/// Earlier lines of a shell may have fixed an array, or given a variable another text.
#[test]
fn a_line_that_is_typed_knows_nothing_of_the_lines_before() {
    for (text, whole, typed) in [
        ("c=(ls); \"${c[@]}\" a", Allow, Ask),
        ("echo $((x))", Allow, Ask),
        ("echo ${c[x]}", Allow, Ask),
        ("x=1; echo $((x + 1))", Allow, Allow),
        ("c=(a b); ls \"${c[@]}\"", Allow, Allow),
    ] {
        let policy = allow("ls");
        let surroundings = HELD.into();
        assert_eq!(policy.decide_script(text, &surroundings).decision, whole, "{text:?}");
        assert_eq!(policy.decide_typed(text, false, &surroundings).decision, typed, "{text:?}");
    }
}
