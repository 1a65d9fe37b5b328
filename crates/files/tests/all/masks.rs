//! What a model sees masked, and what becomes of it when it is written back.

use std::fs;

use handrail_files::{Files, Refusal, code};
use handrail_redact::{Options, Redactor, find_masks};
use proptest::prelude::*;
use serde_json::{Value, json};

use crate::fixture::{Fixture, ask};

const MASK: &str = "[REDACTED]";

pub(crate) fn read(files: &Files, path: &str) -> String {
    let answer = ask(&json!({ "path": path }), |request| files.read(request)).unwrap();
    answer["text"].as_str().unwrap().to_owned()
}

pub(crate) fn write(files: &Files, path: &str, content: &str) -> Result<Value, Refusal> {
    ask(&json!({ "path": path, "content": content }), |request| files.write(request))
}

pub(crate) fn edit(files: &Files, path: &str, edits: &[(&str, &str)]) -> Result<Value, Refusal> {
    let edits: Vec<Value> =
        edits.iter().map(|(old, new)| json!({ "old": old, "new": new })).collect();
    ask(&json!({ "path": path, "edits": edits }), |request| files.edit(request))
}

fn patch(files: &Files, dry_run: bool, lines: &str) -> Result<Value, Refusal> {
    let patch = format!("*** Begin Patch\n*** Update File: f\n@@\n{lines}*** End Patch\n");
    ask(&json!({ "patch": patch, "dryRun": dry_run }), |request| files.patch(request))
}

/// The text with masks that have no numbers.
fn unnumbered(text: &str) -> String {
    let masks = find_masks(text.as_bytes()).into_iter().rev();
    masks.fold(text.to_owned(), |text, at| {
        let mask = &text[at.clone()];
        let name = mask.trim_end_matches(']').trim_end_matches(|char: char| char.is_ascii_digit());
        let bare = name.strip_suffix(':').map_or(mask.to_owned(), |name| format!("{name}]"));
        format!("{}{bare}{}", &text[..at.start], &text[at.end..])
    })
}

fn utf16(text: &str) -> Vec<u8> {
    [0xff, 0xfe].into_iter().chain(text.encode_utf16().flat_map(u16::to_le_bytes)).collect()
}

/// Lines with secrets of several kinds, made from parts.
fn secrets() -> String {
    let key = ["-----BEGIN", " PRIVATE KEY-----"].concat();
    let end = ["-----END", " PRIVATE KEY-----"].concat();
    let body = "MIIEvgIBADANBgkqhkiG9w0BAQEFAASC".repeat(2);
    format!(
        "# settings\nname = demo\npassword = hunter2secret\nurl = http://host/\n\
         api_key: {}\n{key}\n{body}\n{body}\n{end}\nlast = line\n",
        "k3yv4lue".repeat(4)
    )
}

#[test]
fn a_file_that_is_written_back_as_it_was_read_stays_byte_for_byte() {
    let text = secrets();
    let mixed = text.replacen('\n', "\r\n", 3);
    let contents: [(&str, Vec<u8>); 6] = [
        ("lf", text.clone().into_bytes()),
        ("crlf", text.replace('\n', "\r\n").into_bytes()),
        ("mixed", mixed.into_bytes()),
        ("bom", [b"\xef\xbb\xbf", text.as_bytes()].concat()),
        ("utf16", utf16(&text.replace('\n', "\r\n"))),
        ("no-final-newline", text.trim_end().as_bytes().to_vec()),
    ];
    for label in [false, true] {
        let fixture = Fixture::new();
        let mut config = fixture.config();
        config.redactor = Redactor::new(Options { label, ..Options::default() }).unwrap();
        let redactor = config.redactor.clone();
        let files = Files::new(config).unwrap();
        for (name, content) in &contents {
            fixture.file(name, content);
            let shown = read(&files, name);
            if let Ok(text) = std::str::from_utf8(content) {
                let redacted = redactor.redact(text.trim_start_matches('\u{feff}').as_bytes());
                let redacted = String::from_utf8(redacted.unwrap()).unwrap();
                assert_eq!(unnumbered(&shown), redacted, "{name}: the redacted text is shown");
            }
            assert!(!shown.contains("hunter2secret") && !shown.contains("k3yv4lue"), "{shown}");
            let answer = write(&files, name, &shown).unwrap();
            assert_eq!(&fixture.bytes(name), content, "{name}, labels: {label}");
            assert!(answer["restoredMasks"].as_u64().unwrap() >= 3);
            // A model that sees no CR writes none.
            let answer = write(&files, name, &shown.replace("\r\n", "\n")).unwrap();
            assert_eq!(&fixture.bytes(name), content, "{name} with bare LF, labels: {label}");
            assert_eq!(answer["keptCrlf"], matches!(*name, "crlf" | "utf16"));
        }
    }
}

#[test]
fn a_mask_that_stays_in_its_place_is_the_secret_again() {
    let cases: [(&str, &str, &str); 7] = [
        ("a line above", "# settings\n", "# settings\n# more\n"),
        ("a line above it in the same change", "name = demo\n", "name = demo2\nport = 1\n"),
        ("what follows it on its line", "\nurl = ", " # mine\nurl = "),
        ("lines below", "last = line\n", "last = 1\nlast = 2\n"),
        ("lines around it", "name = demo\n", ""),
        ("the beginning", "# settings\n", ""),
        ("the end", "last = line\n", ""),
    ];
    for (name, old, new) in cases {
        let fixture = Fixture::new();
        let files = fixture.files();
        fixture.file("f", secrets());
        let shown = read(&files, "f");
        assert!(shown.contains("password = [REDACTED:1]"), "{shown}");
        write(&files, "f", &shown.replacen(old, new, 1))
            .unwrap_or_else(|why| panic!("{name}: {why}"));
        assert_eq!(fixture.text("f"), secrets().replacen(old, new, 1), "{name}");
        // The same as an edit.
        fixture.file("f", secrets());
        edit(&files, "f", &[(old, new)]).unwrap_or_else(|why| panic!("{name}: {why}"));
        assert_eq!(fixture.text("f"), secrets().replacen(old, new, 1), "{name}");
    }
    // An edit that spans masks, and one that begins and ends inside of them.
    let fixture = Fixture::new();
    let files = fixture.files();
    fixture.file("f", secrets());
    read(&files, "f");
    let old = "name = demo\npassword = [REDACTED:1]\nurl = http://host/\n";
    let new = "name = other\npassword = [REDACTED:1] # mine\nurl = http://host2/\n";
    let answer = edit(&files, "f", &[(old, new)]).unwrap();
    assert_eq!((&answer["restoredMasks"], &answer["places"]), (&json!(1), &json!(1)));
    assert!(fixture.text("f").contains("password = hunter2secret # mine\nurl = http://host2/\n"));
    edit(&files, "f", &[("1] # mine\nurl = http://host2/\napi_key: [RED", "1]\napi_key: [RED")])
        .unwrap();
    assert!(fixture.text("f").contains("password = hunter2secret\napi_key: k3yv4lue"));
}

#[test]
fn a_mask_that_is_none_of_the_view_is_refused_and_nothing_changes() {
    type Change = fn(&str) -> String;
    let changes: [(&str, Change); 10] = [
        ("twice", |text| format!("{text}password = [REDACTED:1]\n")),
        ("twice, for an equal secret", |text| text.replacen("[REDACTED:2]", "[REDACTED:1]", 1)),
        ("a number that no secret has", |text| text.replacen("[REDACTED:2]", "[REDACTED:9]", 1)),
        ("without its number", |text| text.replacen("[REDACTED:1]", MASK, 1)),
        ("with a label", |text| text.replacen("[REDACTED:1]", "[REDACTED:other:1]", 1)),
        ("with another label", |text| text.replacen("[REDACTED:1]", "[REDACTED:other]", 1)),
        // Where the secret would be shown.
        ("on a line of its own", |text| text.replacen("password = ", "", 1)),
        ("in another value", |text| {
            text.replacen("name = demo", "name = [REDACTED:1]", 1).replacen(
                "password = [REDACTED:1]",
                "",
                1,
            )
        }),
        ("behind an echo", |text| text.replacen("password = ", "echo ", 1)),
        ("in a comment", |text| text.replacen("password = ", "# it was ", 1)),
    ];
    for (name, change) in changes {
        let fixture = Fixture::new();
        let files = fixture.files();
        fixture.file("f", secrets());
        let shown = read(&files, "f");
        let refusal = write(&files, "f", &change(&shown)).expect_err(name);
        assert_eq!(refusal.code, code::MASK_IN_TEXT, "{name}");
        assert_eq!(fixture.text("f"), secrets(), "{name}");
        assert!(!refusal.to_string().contains("hunter2"), "{name}");
        let refusal = edit(&files, "f", &[(&shown, &change(&shown))]).expect_err(name);
        assert_eq!((refusal.code, refusal.edit), (code::MASK_IN_TEXT, Some(0)), "{name}");
    }
    let fixture = Fixture::new();
    let files = fixture.files();
    fixture.file("f", secrets()).file("other", "plain\n");
    read(&files, "other");
    for path in ["new", "other"] {
        for mask in [MASK, "[REDACTED:1]"] {
            let refusal = write(&files, path, &format!("password = {mask}\n")).unwrap_err();
            assert_eq!((refusal.code, &*refusal.lines), (code::MASK_IN_TEXT, &[1][..]), "{path}");
        }
    }
    let refusal = edit(&files, "other", &[("plain", "password = [REDACTED]\n")]).unwrap_err();
    assert_eq!(refusal.code, code::MASK_IN_TEXT);
}

/// What surrounds a secret decides whether it is masked: taking that away would show it.
#[test]
fn no_change_of_the_surroundings_shows_a_secret() {
    let attempts: [&[(&str, &str)]; 7] = [
        &[("password = ", "")],
        &[("password = ", "p = ")],
        &[("password", "pass word")],
        &[("password = [REDACTED:1]", "[REDACTED:1]")],
        &[("password = [REDACTED:1]", "word = [REDACTED:1]")],
        &[("REDACTED:1]\nurl", "REDACTED:1]url")],
        &[("name = demo\npassword = ", "name = ")],
    ];
    for edits in attempts {
        let fixture = Fixture::new();
        let files = fixture.files();
        fixture.file("f", secrets());
        read(&files, "f");
        match edit(&files, "f", edits) {
            Err(refusal) => {
                assert_eq!(refusal.code, code::MASK_IN_TEXT, "{edits:?}: {refusal}");
                assert_eq!(fixture.text("f"), secrets(), "{edits:?}");
            }
            Ok(_) => assert!(!read(&files, "f").contains("hunter2secret"), "{edits:?}"),
        }
    }
    // With the key gone in one call and the value in the next, too.
    let fixture = Fixture::new();
    let files = fixture.files();
    fixture.file("f", secrets());
    assert!(edit(&files, "f", &[("name = demo\n", "x\n"), ("password = ", "y = ")]).is_err());
    assert_eq!(fixture.text("f"), secrets());
}

const TWO: &str = "password = f1rst5ecret9\nlast = 1\ntoken = s3cond5ecret9\n";

#[test]
fn numbers_are_those_of_the_file_whatever_part_of_it_is_shown() {
    let fixture = Fixture::new();
    let files = fixture.files();
    fixture.file("f", TWO).file("one", "password = f1rst5ecret9\n");
    assert_eq!(read(&files, "one"), "password = [REDACTED]\n");
    let part = ask(&json!({ "path": "f", "offset": 3 }), |request| files.read(request)).unwrap();
    assert_eq!(part["text"], "token = [REDACTED:2]\n");
    let files = fixture.files();
    let query = json!({ "path": ".", "pattern": "token" });
    let found = ask(&query, |request| files.grep(request)).unwrap();
    assert_eq!(found["files"][0]["lines"][0]["text"], "token = [REDACTED:2]");
    // They are as good as those that were read.
    let answer = edit(&files, "f", &[("token = [REDACTED:2]", "api_token = [REDACTED:2]")]);
    assert_eq!(
        answer.unwrap()["edits"][0]["snippet"].as_str().unwrap().lines().last(),
        Some("api_token = [REDACTED:2]")
    );
    // Equal secrets have different numbers: a shared one would confirm a guess.
    fixture.file("f", "password = f1rst5ecret9\ntoken = f1rst5ecret9\n");
    assert_eq!(read(&files, "f"), "password = [REDACTED:1]\ntoken = [REDACTED:2]\n");
}

#[test]
fn numbers_of_another_content_are_refused() {
    type Between = fn(&Fixture, &Files);
    let swapped = "token = s3cond5ecret9\nlast = 1\npassword = f1rst5ecret9\n";
    let cases: [(&str, Between); 5] = [
        ("never read", |_, _| {}),
        ("changed in place", |fixture, files| {
            read(files, "f");
            fixture.file("f", TWO.replace("last", "more"));
        }),
        ("replaced", |fixture, files| {
            read(files, "f");
            fixture.file("g", TWO.replace("last", "more"));
            fs::rename(fixture.path("g"), fixture.path("f")).unwrap();
        }),
        ("a secret more above", |fixture, files| {
            read(files, "f");
            fixture.file("f", format!("secret = th1rd5ecret9\n{TWO}"));
        }),
        ("by this tool, which gave new ones", |_, files| {
            let shown = read(files, "f");
            let swapped = "token = [REDACTED:2]\nlast = 1\npassword = [REDACTED:1]\n";
            assert_eq!(shown.matches("[REDACTED:").count(), 2);
            write(files, "f", swapped).unwrap();
        }),
    ];
    for (name, between) in cases {
        let fixture = Fixture::new();
        let files = fixture.files();
        fixture.file("f", TWO);
        between(&fixture, &files);
        let before = fixture.text("f");
        let always =
            json!({ "path": "f", "content": "token = [REDACTED:1]\n", "overwrite": "always" });
        let refusals = [
            ask(&always, |request| files.write(request)),
            edit(&files, "f", &[("= [REDACTED:1]", ": [REDACTED:1]")]),
            edit(&files, "f", &[("= [REDACTED:1]", "= new")]),
            patch(&files, false, "-password = [REDACTED:1]\n+token = [REDACTED:1]\n"),
            patch(&files, false, " token = [REDACTED:2]\n+more = 1\n"),
        ];
        for refusal in refusals {
            let refusal = refusal.expect_err(name);
            assert_eq!(refusal.code, code::CHANGED_ON_DISK, "{name}: {refusal}");
            assert!(refusal.hint.unwrap().contains("Read it again"), "{name}");
        }
        assert_eq!(fixture.text("f"), before, "{name}");
        // Without a number nothing is asked, and what was read again is good.
        edit(&files, "f", &[("= 1", "= 2")]).unwrap();
        let shown = read(&files, "f");
        write(&files, "f", &shown).unwrap();
        assert_eq!(fixture.text("f"), before.replace("= 1", "= 2"), "{name}");
    }
    // A change that leaves the numbers as they are leaves them good.
    let fixture = Fixture::new();
    let files = fixture.files();
    fixture.file("f", TWO);
    read(&files, "f");
    edit(&files, "f", &[("last = 1\n", "")]).unwrap();
    let swap = (
        "password = [REDACTED:1]\ntoken = [REDACTED:2]",
        "token = [REDACTED:2]\npassword = [REDACTED:1]",
    );
    edit(&files, "f", &[swap]).unwrap();
    assert_eq!(fixture.text("f"), swapped.replace("last = 1\n", ""));
    // A mask without a number says which secret it is where there is only one.
    read(&files, "f");
    edit(&files, "f", &[("token = [REDACTED:1]\n", "")]).unwrap();
    edit(&files, "f", &[("password = [REDACTED]", "api_password = [REDACTED]")]).unwrap();
    assert_eq!(fixture.text("f"), "api_password = f1rst5ecret9\n");
}

/// Whatever is asked about a guess, the answer is the same for a right one and a wrong one.
#[test]
fn no_answer_says_whether_a_guess_is_right() {
    let secret = "f1rst5ecret9";
    let told = |guess: &str| -> String {
        let fixture = Fixture::new();
        let files = fixture.files();
        let mut told = Vec::new();
        let mut tell = |what: &str, answer: Result<Value, Refusal>| {
            let answer = answer.map(|mut answer| {
                // It is for the host: it says whether a content that was written is another.
                answer["version"] = Value::Null;
                answer.to_string()
            });
            told.push(format!("{what}: {answer:?}"));
        };
        fixture.file("f", format!("# notes\npassword = {secret}\nlast = 1\n"));
        read(&files, "f");
        tell("old", edit(&files, "f", &[(&format!("password = {guess}"), "x")]));
        let query = json!({ "path": "f", "pattern": guess });
        tell("grep", ask(&query, |request| files.grep(request)));
        let line = format!("-password = {MASK}\n+password = {guess}\n");
        tell("tried", patch(&files, true, &line));
        tell("context", patch(&files, true, &format!(" password = {guess}\n+x\n")));
        let second = format!("password = {MASK}\npassword = {guess}\n");
        tell("second line", write(&files, "f", &second));
        tell("read", ask(&json!({ "path": "f" }), |request| files.read(request)));
        let twice = "password = [REDACTED:1]\npassword = [REDACTED:1]\n";
        tell("twice", write(&files, "f", twice));
        let swapped = "password = [REDACTED:2]\npassword = [REDACTED:1]\n";
        tell("swapped", write(&files, "f", swapped));
        tell("stale", write(&files, "f", swapped));
        read(&files, "f");
        let one = "password = [REDACTED:1]\n";
        tell("one of both", write(&files, "f", one));
        tell("over it", edit(&files, "f", &[(MASK, guess)]));
        tell("again", edit(&files, "f", &[(&format!("= {MASK}"), &format!(": {MASK}"))]));
        let told = told.join("\n").replace(guess, "GUESS");
        told.replace(fixture.base.to_str().unwrap(), "")
    };
    assert_eq!(told(secret), told("s3cond5ecre9"));
    // With one number for equal secrets, the view alone would tell.
    let redactor = Redactor::new(Options::default()).unwrap();
    let by_value = |guess: &str| -> Vec<Option<usize>> {
        let text = format!("password = {secret}\npassword = {guess}\n");
        let found = redactor.scan(text.as_bytes());
        let values: Vec<&str> = found.iter().map(|found| &text[found.start..found.end]).collect();
        values.iter().map(|value| values.iter().position(|other| other == value)).collect()
    };
    assert_eq!(
        (by_value(secret), by_value("s3cond5ecre9")),
        (vec![Some(0); 2], vec![Some(0), Some(1)])
    );
}

/// One line with many masks: each change looks at its own surroundings.
#[test]
fn a_long_line_has_its_masks_changed_place_by_place() {
    let fixture = Fixture::new();
    let files = fixture.files();
    let text = "password=hunter2secret; ".repeat(2_000);
    fixture.file("f", &text);
    let shown = read(&files, "f");
    let edits = json!([{ "old": "];", "new": "],", "all": true }]);
    let answer = ask(&json!({ "path": "f", "edits": edits }), |request| files.edit(request));
    assert_eq!(answer.unwrap()["places"], 2_000);
    assert_eq!(fixture.text("f"), text.replace(';', ","));
    let answer = write(&files, "f", &shown).unwrap();
    assert_eq!(answer["restoredMasks"], 2_000);
    assert_eq!(fixture.text("f"), text);
}

#[test]
fn a_thousand_lines_that_look_alike_are_told_apart() {
    let line = |number: usize| format!("password = s3cret{number:05}x\n");
    let text: String = (0..1000).map(line).collect();
    let fixture = Fixture::new();
    let files = fixture.files();
    fixture.file("f", &text);
    let shown = read(&files, "f");
    write(&files, "f", &format!("# first\n{shown}# last\n")).unwrap();
    assert_eq!(fixture.text("f"), format!("# first\n{text}# last\n"));
    let gone = shown.replace("password = [REDACTED:500]\n", "");
    write(&files, "f", &gone).unwrap();
    assert_eq!(fixture.text("f"), text.replace(&line(499), ""));
}

#[test]
fn a_text_that_looks_like_a_mask_and_hides_nothing_stays_what_it_is() {
    let fixture = Fixture::new();
    let files = fixture.files();
    let text = format!("Masks are written {MASK}.\npassword = hunter2secret\nSee {MASK} above.\n");
    fixture.file("f", &text);
    let shown = read(&files, "f");
    assert_eq!(shown, text.replace("hunter2secret", "[REDACTED:1]"));
    write(&files, "f", &shown).unwrap();
    assert_eq!(fixture.text("f"), text);
    edit(&files, "f", &[("above", "below"), ("Masks are", "Masks were")]).unwrap();
    let text = text.replace("above", "below").replace("are", "were");
    assert_eq!(fixture.text("f"), text);
    // It may be moved or go, and never takes the place of a secret.
    let lines: Vec<String> = read(&files, "f").split_inclusive('\n').map(str::to_owned).collect();
    write(&files, "f", &format!("{}{}", lines[2], lines[1])).unwrap();
    assert_eq!(fixture.text("f"), format!("See {MASK} below.\npassword = hunter2secret\n"));
    let instead = format!("See {MASK} below.\npassword = {MASK}\n");
    assert_eq!(write(&files, "f", &instead).unwrap_err().code, code::MASK_IN_TEXT);
    // Numbers begin where none that the file itself has is in the way; those need no view.
    fixture.file("f", "a [REDACTED:7] b\npassword = hunter2secret\ntoken = t0kenvalue9\n");
    edit(&files, "f", &[("a [REDACTED:7] b", "a [REDACTED:7] c")]).unwrap();
    assert_eq!(
        read(&files, "f"),
        "a [REDACTED:7] c\npassword = [REDACTED:1]\ntoken = [REDACTED:2]\n"
    );
    for (own, first, second) in [("1", 2, 3), ("2", 3, 4), ("999999999", 1, 2)] {
        fixture.file(
            "f",
            format!("a [REDACTED:{own}] b\npassword = hunter2secret\ntoken = t0kenvalue9\n"),
        );
        let [password, token] = [first, second].map(|number| format!("[REDACTED:{number}]"));
        let shown = format!("a [REDACTED:{own}] b\npassword = {password}\ntoken = {token}\n");
        assert_eq!(read(&files, "f"), shown);
        let swapped = format!("a [REDACTED:{own}] b\npassword = {token}\ntoken = {password}\n");
        write(&files, "f", &swapped).unwrap();
        let written =
            format!("a [REDACTED:{own}] b\npassword = t0kenvalue9\ntoken = hunter2secret\n");
        assert_eq!(fixture.text("f"), written);
        // The numbers are those of the content before.
        assert_eq!(write(&files, "f", &swapped).unwrap_err().code, code::CHANGED_ON_DISK);
        assert_eq!(fixture.text("f"), written);
    }
}

/// A bare number in JSON has a mask in quotes, which may be left out where it goes.
#[test]
fn a_mask_that_brings_quotes_is_the_bare_value_again() {
    let fixture = Fixture::new();
    let files = fixture.files();
    fixture.file("f", "{\"password\": 48291377, \"token\": \"t0kenvalue9\"}\n");
    let shown = read(&files, "f");
    assert_eq!(shown, "{\"password\": \"[REDACTED:1]\", \"token\": \"[REDACTED:2]\"}\n");
    write(&files, "f", "{\"token\": \"[REDACTED:2]\", \"password\": \"[REDACTED:1]\"}\n").unwrap();
    assert_eq!(fixture.text("f"), "{\"token\": \"t0kenvalue9\", \"password\": 48291377}\n");
    read(&files, "f");
    write(&files, "f", "token: [REDACTED:1]\npassword: [REDACTED:2]\n").unwrap();
    assert_eq!(fixture.text("f"), "token: t0kenvalue9\npassword: 48291377\n");
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    /// An edit anywhere in the view: no character of what surrounds a secret makes it show.
    #[test]
    fn an_edited_view_never_shows_a_secret(
        from in 0..200_usize,
        length in 1..30_usize,
        new in prop::sample::select(vec!["", "x", "\n", " = ", "\"", "#", "[REDACTED:2]", "[", "password = ", "{", "http://", "\\"]),
    ) {
        let fixture = Fixture::new();
        let files = fixture.files();
        let text = "a = 1\npassword = hunter2secret\nurl: http://user:hunter2secret@host/\n{\"token\": \"hunter2secret\"}\n\
                    export API_KEY='hunter2secret' # end\n";
        fixture.file("f", text);
        let shown: Vec<char> = read(&files, "f").chars().collect();
        let from = from.min(shown.len() - 1);
        let to = (from + length).min(shown.len());
        let old: String = shown[from..to].iter().collect();
        let request = json!({ "path": "f", "edits": [{ "old": old, "new": new }], "first": true });
        let edited = ask(&request, |request| files.edit(request));
        match edited {
            Err(_) => prop_assert_eq!(fixture.text("f"), text),
            Ok(answer) => prop_assert!(!answer.to_string().contains("hunter2"), "{}", answer),
        }
        let now = read(&files, "f");
        prop_assert!(!now.contains("hunter2"), "{:?} -> {:?}: {}", old, new, now);
    }
}
