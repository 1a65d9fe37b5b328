//! What bash itself says of the texts that are read here.

use std::io::Write as _;
use std::process::{Command, Stdio};

use crate::corpus::{Case, cases};
use crate::generated;

/// Runs one script in a bash without an environment; absent without bash.
fn bash(script: &str, arguments: &[&str]) -> Option<String> {
    let mut command = Command::new("bash");
    command.args(["--norc", "--noprofile"]).args(arguments).env_clear();
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
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

fn quoted(text: &str) -> String {
    format!("'{}'", text.replace('\'', "'\\''"))
}

/// One to four lines that follow each other in a file of odd lines.
fn windows() -> Vec<String> {
    let lines: Vec<&str> = include_str!("lines.txt").lines().collect();
    (1..5).flat_map(|length| lines.windows(length).map(|part| part.join("\n"))).collect()
}

/// Texts of the corpus and composed ones that are read here.
fn texts() -> Vec<String> {
    let mut all: Vec<String> = cases().into_iter().map(|case: Case| case.command).collect();
    all.extend(generated::texts(2000));
    all.extend(windows());
    all.retain(|text| !text.contains('\0') && handrail_policy::outline(text).is_some());
    all
}

/// A function of this body as bash prints it, one for each text; an empty text where bash refuses it.
fn printed(texts: &[String]) -> Option<Vec<String>> {
    let mut script = String::new();
    for text in texts {
        // A text that ends with a comment or a here-document needs its own line.
        let definition = format!("f() {{\n{text}\n}}");
        script.push_str(&format!(
            "unset -f f; eval {} 2>/dev/null && declare -f f; printf '\\036'\n",
            quoted(&definition)
        ));
    }
    let output = bash(&script, &[])?;
    Some(output.split('\u{1e}').take(texts.len()).map(str::to_owned).collect())
}

#[test]
fn bash_reads_what_is_read_here_and_reads_the_same() {
    let texts = texts();
    let Some(printed) = printed(&texts) else { return };
    assert_eq!(printed.len(), texts.len());
    let mut wrong = Vec::new();
    for (text, printed) in texts.iter().zip(&printed) {
        let ours = handrail_policy::outline(text).expect("it is read");
        if ours.is_empty() {
            continue;
        }
        // Texts without a command print nothing.
        let body =
            printed.split_once("{ \n").map(|(_, rest)| rest.trim_end().trim_end_matches('}'));
        let theirs = body.and_then(handrail_policy::outline);
        if theirs.as_ref() != Some(&ours) {
            wrong.push(format!("{text:?}\n  ours   {ours:?}\n  theirs {theirs:?}\n  {printed:?}"));
        }
    }
    assert!(wrong.is_empty(), "{} of {}:\n{}", wrong.len(), texts.len(), wrong.join("\n"));
}
