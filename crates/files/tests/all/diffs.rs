//! What differs in changed files, as it is shown: masked, bounded, and by the masked texts alone.

use std::fs;

use handrail_files::{Files, FilesConfig};
use handrail_redact::{Options, Redactor, Rules};
use serde_json::{Value, json};

use crate::fixture::{Fixture, ask};
use crate::layer_fixture::{Layered, MAX_BYTES, config as layer_config, has_overlays};
use crate::patching::{envelope, patch};
use crate::undoing::{config, undo, write};

/// Looks random.
fn secret(word: &str) -> String {
    ["Zk3v", word, "Q9xT7mLp"].concat()
}

fn files_of(fixture: &Fixture) -> Files {
    Files::new(config(fixture, "one", MAX_BYTES)).unwrap()
}

/// With a redactor that masks nothing.
fn bare_files_of(fixture: &Fixture) -> Files {
    let redactor = Redactor::new(Options { rules: Rules::None, ..Options::default() }).unwrap();
    Files::new(FilesConfig { redactor, ..config(fixture, "one", MAX_BYTES) }).unwrap()
}

/// The changed files of each call, newest first.
fn history(files: &Files) -> Vec<Value> {
    let listed = ask(&json!({ "diff": true }), |request| files.history(request)).unwrap();
    listed["changes"].as_array().unwrap().iter().map(|call| call["files"].clone()).collect()
}

fn diff_of(files: &Files) -> Value {
    history(files)[0][0]["diff"].clone()
}

/// What differs in a file that had the one content and has the other.
fn diff_between(old: &str, new: &str) -> Value {
    let fixture = Fixture::new();
    fixture.file("f", old);
    let files = files_of(&fixture);
    write(&files, "f", new).unwrap();
    diff_of(&files)
}

fn numbered(lines: std::ops::RangeInclusive<u32>) -> String {
    let lines: Vec<String> = lines.map(|line| format!("line {line}\n")).collect();
    lines.concat()
}

#[test]
fn lines_that_differ_are_shown_with_those_around_them() {
    let old = numbered(1..=20);
    let new = old.replace("line 9\n", "line nine\n").replace("line 20\n", "line 20\nend");
    let shown = diff_between(&old, &new);
    let text = "@@ -6,7 +6,7 @@\n line 6\n line 7\n line 8\n-line 9\n+line nine\n line 10\n line 11\n line 12\n\
                @@ -18,3 +18,4 @@\n line 18\n line 19\n line 20\n+end\n\\ No newline at end of file\n";
    let counts = json!({ "added": 2, "removed": 1, "masked": 0, "truncated": false, "recoded": false, "text": text });
    assert_eq!(shown, counts);
    assert_eq!(diff_between("", "a\n")["text"], "@@ -0,0 +1,1 @@\n+a\n");
    let hidden = diff_between("a\n", "\u{1b}[2Ja\u{202e}b\u{85}\n");
    assert_eq!(hidden["text"], "@@ -1,1 +1,1 @@\n-a\n+␛[2Ja\\u{202e}b\\u{85}\n");
}

#[test]
fn a_secret_is_masked_before_texts_are_compared_and_cut() {
    let (one, other) = (secret("one"), secret("two"));
    let old = format!("port=1\npassword={one}\nend\n");
    let new = format!("port=2\npassword={other}\nend\n");
    let masked = "@@ -1,3 +1,3 @@\n-port=1\n+port=2\n password=[REDACTED]\n end\n";
    let shown = diff_between(&old, &new);
    assert_eq!((&shown["text"], &shown["masked"]), (&json!(masked), &json!(2)));
    // A line that is cut in the middle of a secret.
    let long = format!("{} password={one}\n", "x".repeat(985));
    let cut = diff_between("", &long);
    assert_eq!(cut["truncated"], true);
    assert!(!cut.to_string().contains(&one[..6]), "{cut}");
    // Without the masks both are there.
    let fixture = Fixture::new();
    fixture.file("f", &old);
    let files = bare_files_of(&fixture);
    write(&files, "f", &new).unwrap();
    let bare = diff_of(&files)["text"].to_string();
    assert!(bare.contains(&one) && bare.contains(&other), "{bare}");
}

#[test]
fn no_guess_is_confirmed() {
    let (real, wrong) = (secret("one"), secret("two"));
    let guesses = |old: &str, new: fn(&str) -> String| {
        let (right, wrong) = (diff_between(old, &new(&real)), diff_between(old, &new(&wrong)));
        assert_eq!(right, wrong);
        right
    };
    let alone = guesses(&format!("password={real}\nport=1\n"), |guess| {
        format!("password={guess}\nport=2\n")
    });
    assert_eq!(alone["added"], 1);
    // Neither by moving it, by a second one in front of it, nor by another encoding.
    let old = format!("[a]\npassword={real}\n[b]\npassword={}\n", secret("six"));
    guesses(&old, |guess| format!("[b]\npassword={}\n[a]\npassword={guess}\n", secret("six")));
    guesses(&old, |guess| format!("[c]\npassword={guess}\n[a]\npassword={guess}\n"));
    guesses(&old, |guess| {
        format!("\u{feff}[a]\npassword={guess}\n[b]\npassword={}\n", secret("six"))
    });
}

#[test]
fn what_is_not_shown_is_said() {
    let omitted = |old: &str, new: &str| diff_between(old, new)["omitted"].clone();
    assert_eq!(omitted("a\0b", "a\n"), "binary");
    assert_eq!(omitted("a\n", &"x".repeat((1 << 20) + 1)), "tooLarge");
    assert_eq!(omitted("a\n", &"x".repeat(1 << 20)), Value::Null);
    // The text has an end, and so has that of all files together.
    let many = numbered(0..=3999);
    let long = diff_between("", &many);
    assert_eq!((&long["truncated"], &long["added"]), (&json!(true), &json!(4000)));
    assert!(long["text"].as_str().unwrap().len() <= 16 << 10);
    let fixture = Fixture::new();
    let files = files_of(&fixture);
    let lines = many.trim_end().replace('\n', "\n+");
    let body: Vec<String> =
        (0..20).map(|number| format!("*** Add File: f{number}\n+{lines}\n")).collect();
    patch(&files, &envelope(&body.concat())).unwrap();
    let shown = history(&files)[0].clone();
    let rows = shown.as_array().unwrap();
    let bytes: usize = rows.iter().map(|row| row["diff"]["text"].as_str().unwrap().len()).sum();
    assert!(bytes <= 256 << 10, "{bytes}");
    assert_eq!(rows[19]["diff"]["omitted"], "noRoom");
}

#[test]
fn nothing_is_shown_of_a_file_that_may_not_be_read() {
    for reads in [true, false] {
        let fixture = Fixture::new();
        fixture.file("private/notes", "one\n");
        let files = files_of(&fixture);
        write(&files, "private/notes", "two\n").unwrap();
        let mut later = config(&fixture, "one", MAX_BYTES);
        if !reads {
            later.rules.protected.push(fixture.path("private").to_string_lossy().into_owned());
        }
        let later = Files::new(later).unwrap();
        for shown in [diff_of(&later), undo_diff(&later)] {
            let is_shown = shown.to_string().contains("+two") || shown.to_string().contains("-two");
            assert_eq!(is_shown, reads, "{shown}");
        }
    }
}

/// What an undo would change, or why it is refused.
fn undo_diff(files: &Files) -> Value {
    match undo(files, &json!({ "dryRun": true, "diff": true })) {
        Ok(undone) => undone["files"][0]["diff"].clone(),
        Err(refusal) => json!(refusal.code),
    }
}

#[test]
fn what_a_call_left_is_exact_or_said_to_be_unknown() {
    let fixture = Fixture::new();
    let files = files_of(&fixture);
    for content in ["1\n", "2\n", "3\n"] {
        write(&files, "f", content).unwrap();
    }
    let texts = |files: &Files| -> Vec<Value> {
        history(files).iter().map(|call| call[0]["diff"].clone()).collect()
    };
    let changed = |old: &str, new: &str| json!(format!("@@ -1,1 +1,1 @@\n-{old}\n+{new}\n"));
    let found = texts(&files);
    assert_eq!((&found[0]["text"], &found[1]["text"]), (&changed("2", "3"), &changed("1", "2")));
    assert_eq!(found[2]["text"], "@@ -0,0 +1,1 @@\n+1\n");
    assert_eq!(undo_diff(&files)["text"], changed("3", "2"));
    // Somebody else changes it: what the newest call left is nowhere any more.
    fs::write(fixture.path("f"), "4\n").unwrap();
    let found = texts(&files);
    assert_eq!(found[0]["omitted"], "changedSince");
    assert_eq!(found[1]["text"], changed("1", "2"));
    // What they wrote is kept with the next call, and says nothing of the one before.
    write(&files, "f", "5\n").unwrap();
    let found = texts(&files);
    assert_eq!(found[0]["text"], changed("4", "5"));
    assert_eq!(found[1]["omitted"], "changedSince");
    let undone = undo(&files, &json!({ "diff": true })).unwrap();
    assert_eq!(undone["files"][0]["diff"]["text"], changed("5", "4"));
    // Unless it is asked for nothing is compared.
    let listed = ask(&json!({}), |request| files.history(request)).unwrap();
    assert!(!listed.to_string().contains("diff"));
}

#[test]
fn changes_of_a_layer_are_shown_and_those_of_its_commit() {
    if !has_overlays() {
        return;
    }
    let (one, other) = (secret("one"), secret("two"));
    let layered = Layered::new(&format!(
        "printf 'port=1\\npassword={one}\\n' > conf; echo gone > gone; ln -s conf link; mkdir old; echo o > old/o; echo m > mode; printf 'a\\r\\n' > ends"
    ));
    layered.run(&format!(
        "printf 'port=2\\npassword={other}\\n' > conf; rm gone; rm link; ln -s new link; mkdir new; echo n > new/n; rm -r old; chmod 600 mode; printf '\\357\\273\\277a\\n' > ends"
    ));
    let request = json!({ "layer": layered.layer, "diff": true });
    let changes = ask(&request, |request| layered.files.layer_changes(request)).unwrap();
    let rows = changes["changes"].as_array().unwrap();
    let text = |path: &str| {
        let row = rows.iter().find(|row| row["path"] == path).unwrap();
        row["diff"]["text"].clone()
    };
    let conf = "@@ -1,2 +1,2 @@\n-port=1\n+port=2\n password=[REDACTED]\n";
    assert_eq!(text("conf"), conf);
    assert_eq!(text("gone"), "@@ -1,1 +0,0 @@\n-gone\n");
    assert_eq!(text("new/n"), "@@ -0,0 +1,1 @@\n+n\n");
    // A change of line ends alone is one.
    assert_eq!(text("ends"), "@@ -1,1 +1,1 @@\n-a␍\n+a\n");
    assert_eq!(rows.iter().filter(|row| row["diff"]["recoded"] == true).count(), 1);
    let end = "\\ No newline at end of file";
    assert_eq!(text("link"), format!("@@ -1,1 +1,1 @@\n-conf\n{end}\n+new\n{end}\n"));
    assert_eq!([text("new"), text("old"), text("mode")], [Value::Null, Value::Null, Value::Null]);
    for shown in [&changes.to_string(), &layered.changes().to_string()] {
        assert!(!shown.contains(&one) && !shown.contains(&other), "{shown}");
    }
    // The digest is that of the changes alone.
    assert_eq!(layered.changes()["digest"], changes["digest"]);
    let answer = layered.commit(&json!({ "diff": true })).unwrap();
    assert_eq!(answer["changes"]["changes"], changes["changes"]);
    let committed = history(&layered.files)[0].clone();
    let of = |path: &str| {
        let all = committed.as_array().unwrap();
        all.iter().find(|file| file["path"] == path).unwrap()["diff"].clone()
    };
    assert_eq!((&of("conf")["text"], &of("old")["omitted"]), (&json!(conf), &json!("folder")));
    let back = undo(&layered.files, &json!({ "dryRun": true, "diff": true })).unwrap();
    let back =
        back["files"].as_array().unwrap().iter().find(|file| file["path"] == "conf").unwrap();
    assert_eq!(back["diff"]["text"], "@@ -1,2 +1,2 @@\n-port=2\n+port=1\n password=[REDACTED]\n");
    // Without the masks they are there.
    let redactor = Redactor::new(Options { rules: Rules::None, ..Options::default() }).unwrap();
    let bare = layer_config(&layered.fixture, &layered.state, MAX_BYTES);
    let bare = Files::new(FilesConfig { redactor, ..bare }).unwrap();
    let shown = ask(&json!({ "diff": true }), |request| bare.history(request)).unwrap().to_string();
    assert!(shown.contains(&one) && shown.contains(&other), "{shown}");
}

#[test]
fn a_layer_shows_nothing_of_a_file_that_may_not_be_read() {
    if !has_overlays() {
        return;
    }
    for reads in [true, false] {
        let layered = Layered::new("echo one > notes; mkdir keys; echo two > keys/other");
        layered.run("echo NOTED >> notes; rm keys/other; echo KEYED > keys/new");
        let mut config = layer_config(&layered.fixture, &layered.state, MAX_BYTES);
        if !reads {
            let places = ["notes", "keys"].map(|name| layered.path(name));
            config.rules.protected.extend(places.map(|path| path.to_string_lossy().into_owned()));
        }
        let files = Files::new(config).unwrap();
        let request = json!({ "layer": layered.layer, "diff": true });
        let shown = ask(&request, |request| files.layer_changes(request)).unwrap().to_string();
        for word in ["NOTED", "KEYED", "two"] {
            assert_eq!(shown.contains(word), reads, "{shown}");
        }
        assert_eq!(shown.matches("\"protected\"").count() >= 3, !reads, "{shown}");
    }
}
