//! What bash itself says of the texts that are read here.

#![expect(
    clippy::disallowed_types,
    clippy::disallowed_methods,
    clippy::print_stderr,
    reason = "the oracle is another program, and its absence is said"
)]

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::fs;
use std::io::Write as _;
use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use handrail_policy::{Decision, Surroundings, outline};

use crate::common::deny;
use crate::corpus::cases;
use crate::generated;

/// Runs one script in a bash of which nothing but `HOME` and `PATH` is in the environment; absent without bash.
fn bash(script: &str, home: &Path) -> Option<String> {
    // By its path: the name alone would be looked up in the `PATH` of the child.
    let real = ["/usr/bin/bash", "/bin/bash", "/usr/local/bin/bash"];
    let real = real.into_iter().find(|path| Path::new(path).exists()).unwrap_or("bash");
    let mut command = Command::new(real);
    command
        .args(["--norc", "--noprofile"])
        .env_clear()
        .env("HOME", home)
        .env("PATH", home.join("bin"));
    command.current_dir(home).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
    let Ok(mut child) = command.spawn() else {
        eprintln!("bash is missing: the oracle says nothing");
        return None;
    };
    let mut input = child.stdin.take().expect("a pipe");
    let text = script.to_owned();
    let writer = std::thread::spawn(move || {
        let _ = input.write_all(text.as_bytes());
    });
    let output = child.wait_with_output().expect("bash ends");
    writer.join().expect("the writer ends");
    Some(String::from_utf8_lossy(&output.stdout).into_owned())
}

/// A folder that goes away again.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("handrail-{name}-{}", std::process::id()));
        fs::create_dir_all(path.join("bin")).expect("a folder");
        Self(path)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn quoted(text: &str) -> String {
    format!("'{}'", text.replace('\'', "'\\''"))
}

/// One to four lines that follow each other in a file of odd lines.
fn windows() -> Vec<String> {
    let lines: Vec<&str> = include_str!("lines.txt").lines().collect();
    (1..5).flat_map(|length| lines.windows(length).map(|part| part.join("\n"))).collect()
}

/// A function of this body as bash prints it, one for each text; an empty text where bash refuses it.
fn printed(texts: &[String]) -> Option<Vec<String>> {
    let folder = Folder::new("printed");
    let mut script = String::new();
    for text in texts {
        // A text that ends with a comment or a here-document needs its own line.
        let definition = quoted(&format!("f() {{\n{text}\n}}"));
        let _ = writeln!(
            script,
            "unset -f f; eval {definition} 2>/dev/null && declare -f f; printf '\\036'"
        );
    }
    let output = bash(&script, &folder.0)?;
    Some(output.split('\u{1e}').take(texts.len()).map(str::to_owned).collect())
}

#[test]
fn bash_reads_what_is_read_here_and_reads_the_same() {
    let mut texts: Vec<String> = cases().into_iter().map(|case| case.command).collect();
    texts.extend(generated::texts(2000));
    texts.extend(generated::states(500));
    texts.extend(windows());
    texts.retain(|text| !text.contains('\0') && outline(text).is_some());
    let Some(printed) = printed(&texts) else { return };
    assert_eq!(printed.len(), texts.len());
    let mut wrong = Vec::new();
    for (text, printed) in texts.iter().zip(&printed) {
        let ours = outline(text).expect("it is read");
        // Without a command there is no function.
        if ours.is_empty() {
            continue;
        }
        let body =
            printed.split_once("{ \n").map(|(_, rest)| rest.trim_end().trim_end_matches('}'));
        let theirs = body.and_then(outline);
        if theirs.as_ref() != Some(&ours) {
            wrong.push(format!("{text:?}\n  ours   {ours:?}\n  theirs {theirs:?}\n  {printed:?}"));
        }
    }
    assert!(wrong.is_empty(), "{} of {}:\n{}", wrong.len(), texts.len(), wrong.join("\n"));
    assert!(texts.len() > 2000, "{}", texts.len());
}

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

#[test]
fn bash_starts_nothing_that_was_not_named() {
    let commands =
        cases().into_iter().filter(|case| case.effect != "skip").map(|case| case.command);
    let composed = generated::texts(2000).into_iter().chain(generated::states(2000));
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
}

#[test]
fn bash_makes_the_same_words_of_braces() {
    let words = generated::braces(3000);
    let folder = Folder::new("braces");
    let mut script = String::new();
    for word in &words {
        let _ = writeln!(script, "printf '%s\\n' {word}; printf '\\036'");
    }
    let Some(output) = bash(&script, &folder.0) else { return };
    // Every word is the name of a program in turn: what follows braces ends each of their words.
    let policy = deny("nothing-at-all");
    let mut read = 0;
    for (word, theirs) in words.iter().zip(output.split('\u{1e}')) {
        let text = format!("eval {word}\\;");
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
