//! What bash itself says of the texts that are read here: which programs it starts, and which words it makes of braces.
//! That it reads the same is tried in `src/syntax/tests.rs`.

#![expect(
    clippy::disallowed_methods,
    reason = "the oracle is another program, and its absence is said"
)]

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::fs;
use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::path::Path;

use handrail_policy::{Decision, Surroundings};

use crate::common::bash::{Folder, bash, quoted};
use crate::common::deny;
use crate::corpus::cases;
use crate::generated;

/// These start what they are told to, and do nothing else.
const FORWARDING: [&str; 8] = ["bash", "dash", "env", "nice", "nohup", "sh", "timeout", "xargs"];

/// Programs of these names write their name to descriptor 9.
fn stubs(folder: &Path, texts: &[String]) {
    let bin = folder.join("bin");
    let stub = folder.join("stub");
    fs::write(&stub, "#!/bin/sh\necho \"${0##*/}\" >&9\n").expect("a file");
    fs::set_permissions(&stub, fs::Permissions::from_mode(0o755)).expect("a mode");
    for name in FORWARDING {
        for real in ["/usr/bin", "/bin"] {
            let real = Path::new(real).join(name);
            if real.exists() && !bin.join(name).exists() {
                symlink(&real, bin.join(name)).expect("a link");
            }
        }
    }
    let is_part = |c: char| c.is_ascii_alphanumeric() || "_.+-".contains(c);
    let names: BTreeSet<&str> = texts
        .iter()
        .flat_map(|text| text.split(|c| !is_part(c)))
        .filter(|name| name.len() < 40)
        .collect();
    for name in names {
        let path = bin.join(name);
        if !matches!(name, "" | "." | "..") && !path.exists() {
            fs::hard_link(&stub, &path).expect("a link");
        }
    }
}

/// Whether nothing in it can reach a file outside of the folder, or a process.
fn is_contained(text: &str) -> bool {
    let text = text.replace("/dev/null", "");
    let absolute = text.char_indices().any(|(at, c)| {
        c == '/'
            && !text[..at]
                .ends_with(|before: char| before.is_ascii_alphanumeric() || "._})".contains(before))
    });
    !absolute
        && !["BASH", "PPID", "OLDPWD", "..", "~", "kill", "\0"]
            .iter()
            .any(|part| text.contains(part))
}

/// What bash started for each text. A loop that does not end is cut.
fn started(texts: &[&str], folder: &Path) -> Option<Vec<BTreeSet<String>>> {
    let mut script = String::from("enable -n kill; exec 8>&1; cd \"$HOME/work\"\n");
    for (at, text) in texts.iter().enumerate() {
        let _ = writeln!(
            script,
            "( ulimit -t 2; exec bash --norc --noprofile -p -c {} ) \
             9>\"$HOME/log.{at}\" </dev/null >/dev/null 2>&1",
            quoted(&format!("set -T; trap '(( ++n_ > 200 )) && exit' DEBUG\n{text}"))
        );
    }
    bash(&script, folder)?;
    let read = |at: usize| {
        let log = fs::read_to_string(folder.join(format!("log.{at}"))).unwrap_or_default();
        log.lines().map(str::to_owned).collect()
    };
    Some((0..texts.len()).map(read).collect())
}

/// The programs that bash starts for each text; absent without bash.
pub(crate) fn programs_of(texts: &[&str]) -> Option<Vec<BTreeSet<String>>> {
    let folder = Folder::new("programs");
    fs::create_dir_all(folder.0.join("work")).expect("a folder");
    let all: Vec<String> = texts.iter().map(|text| (*text).to_owned()).collect();
    stubs(&folder.0, &all);
    started(texts, &folder.0)
}

#[test]
fn bash_starts_nothing_that_was_not_named() {
    let commands =
        cases().into_iter().filter(|case| case.effect != "skip").map(|case| case.command);
    let composed = generated::texts(2000)
        .into_iter()
        .chain(generated::states(2000))
        .chain(generated::arrays(6000));
    let mut texts: Vec<String> = commands.chain(composed).collect();
    texts.retain(|text| is_contained(text));
    let folder = Folder::new("started");
    fs::create_dir_all(folder.0.join("work")).expect("a folder");
    for name in ["a.txt", "b.txt", "in"] {
        fs::write(folder.0.join("work").join(name), "one\ntwo\n").expect("a file");
    }
    stubs(&folder.0, &texts);
    // Nothing is denied, so that what is allowed is what was followed to its end.
    let policy = deny("nothing-at-all");
    let judged: Vec<(&str, BTreeSet<String>)> = texts
        .iter()
        .filter(|text| {
            let verdict = policy.decide_script(text, &Surroundings::default());
            verdict.decision == Decision::Allow
        })
        .map(|text| {
            (
                text.as_str(),
                policy.decide_script(text, &Surroundings::default()).programs.into_iter().collect(),
            )
        })
        .collect();
    let run: Vec<&str> = judged.iter().map(|(text, _)| *text).collect();
    let Some(started) = started(&run, &folder.0) else { return };
    let mut wrong = Vec::new();
    let mut seen = 0;
    for ((text, named), started) in judged.iter().zip(&started) {
        seen += started.len();
        let others: Vec<_> = started.difference(named).collect();
        if !others.is_empty() {
            wrong.push(format!("{text:?} started {others:?}, named {named:?}"));
        }
    }
    assert!(wrong.is_empty(), "{} of {}:\n{}", wrong.len(), run.len(), wrong.join("\n"));
    assert!(seen > 1000, "{seen} programs in {} texts", run.len());
    let arrays = run.iter().filter(|text| text.contains("v=(") || text.contains("[@]")).count();
    assert!(arrays > 500, "{arrays} texts with arrays");
}

#[test]
fn bash_makes_the_same_words_of_braces() {
    // Every word is the name of a program in turn: what follows braces ends each of their words.
    same_programs("braces", &generated::braces(3000), |word| format!("eval {word}\\;"));
}

#[test]
fn bash_makes_the_same_words_of_arrays() {
    let words = generated::braces(6000);
    let lists: Vec<String> = words.chunks(2).map(|pair| pair.join(" ")).collect();
    same_programs("arrays", &lists, |list| {
        format!("v=({}\\;)\neval \"${{v[@]}}\"", list.replace(' ', "\\; "))
    });
}

/// bash starts the same programs as are named for the texts that are made of these words.
fn same_programs(name: &str, words: &[String], text_of: impl Fn(&str) -> String) {
    let folder = Folder::new(name);
    let mut script = String::new();
    for word in words {
        let _ = writeln!(script, "printf '%s\\n' {word}; printf '\\036'");
    }
    let Some(output) = bash(&script, &folder.0) else { return };
    let policy = deny("nothing-at-all");
    let mut read = 0;
    for (word, theirs) in words.iter().zip(output.split('\u{1e}')) {
        let text = text_of(word);
        if policy.decide_script(&text, &Surroundings::default()).decision != Decision::Allow {
            continue;
        }
        read += 1;
        let ours = policy.decide_script(&text, &Surroundings::default()).programs;
        let ours: BTreeSet<&str> = ours.iter().map(String::as_str).collect();
        let theirs: BTreeSet<&str> = theirs.lines().filter(|line| !line.is_empty()).collect();
        assert_eq!(ours, theirs, "{word}");
    }
    assert!(read > 1000, "{read}");
}
