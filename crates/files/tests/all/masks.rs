//! What a model sees masked, and what becomes of it when it is written back.

use std::fmt::Write as _;

use handrail_files::{Files, Refusal, code};
use handrail_redact::{Options, Redactor};
use proptest::prelude::*;
use serde_json::{Value, json};

use crate::fixture::{Fixture, ask};

const MASK: &str = "[REDACTED]";

fn read(files: &Files, path: &str) -> String {
    let answer = ask(&json!({ "path": path }), |request| files.read(request)).unwrap();
    answer["text"].as_str().unwrap().to_owned()
}

fn write(files: &Files, path: &str, content: &str) -> Result<Value, Refusal> {
    ask(&json!({ "path": path, "content": content }), |request| files.write(request))
}

fn edit(files: &Files, path: &str, edits: &[(&str, &str)]) -> Result<Value, Refusal> {
    let edits: Vec<Value> =
        edits.iter().map(|(old, new)| json!({ "old": old, "new": new })).collect();
    ask(&json!({ "path": path, "edits": edits }), |request| files.edit(request))
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
                assert_eq!(
                    shown.as_bytes(),
                    redacted.unwrap(),
                    "{name}: what is shown is the redacted text"
                );
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
    let password = format!("password = {MASK}");
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
        assert!(shown.contains(&password), "{shown}");
        write(&files, "f", &shown.replacen(old, new, 1))
            .unwrap_or_else(|why| panic!("{name}: {why}"));
        assert_eq!(fixture.text("f"), secrets().replacen(old, new, 1), "{name}");
        // The same as an edit.
        fixture.file("f", secrets());
        edit(&files, "f", &[(old, new)]).unwrap_or_else(|why| panic!("{name}: {why}"));
        assert_eq!(fixture.text("f"), secrets().replacen(old, new, 1), "{name}");
    }
    // An edit that spans masks: their lines stay, or change behind them.
    let fixture = Fixture::new();
    let files = fixture.files();
    fixture.file("f", secrets());
    let old = format!("name = demo\n{password}\nurl = http://host/\n");
    let new = format!("name = other\n{password} # mine\nurl = http://host2/\n");
    let answer = edit(&files, "f", &[(&old, &new)]).unwrap();
    assert_eq!(answer["restoredMasks"], 1);
    assert!(fixture.text("f").contains("password = hunter2secret # mine\nurl = http://host2/\n"));
}

#[test]
fn a_mask_anywhere_else_is_refused_and_nothing_changes() {
    type Change = fn(&str) -> String;
    let password = format!("password = {MASK}\n");
    let changes: [(&str, Change); 8] = [
        ("another key", |text| text.replacen("password = ", "passphrase = ", 1)),
        ("another key before it", |text| text.replacen("password", "my password", 1)),
        ("on a line of its own", |text| text.replacen("name = demo", "[REDACTED]", 1)),
        ("twice", |text| {
            text.replacen(
                "password = [REDACTED]",
                "password = [REDACTED]\npassword = [REDACTED]",
                1,
            )
        }),
        ("in another value", |text| text.replacen("name = demo", "name = [REDACTED]", 1)),
        ("behind an echo", |text| text.replacen("password = ", "echo ", 1)),
        ("the masks exchanged", |text| {
            text.replacen("password = ", "api_key: ", 1).replacen("api_key: [", "password = [", 2)
        }),
        ("with another label", |text| text.replacen(MASK, "[REDACTED:other]", 1)),
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
    }
    let fixture = Fixture::new();
    let files = fixture.files();
    fixture.file("f", secrets()).file("other", "plain\n");
    read(&files, "other");
    for path in ["new", "other"] {
        let refusal = write(&files, path, &password).unwrap_err();
        assert_eq!((refusal.code, &*refusal.lines), (code::MASK_IN_TEXT, &[1][..]), "{path}");
    }
    assert_eq!(
        edit(&files, "other", &[("plain", &password)]).unwrap_err().code,
        code::MASK_IN_TEXT
    );
}

/// What surrounds a secret decides whether it is masked: taking that away would show it.
#[test]
fn no_change_of_the_surroundings_shows_a_secret() {
    let attempts: [&[(&str, &str)]; 7] = [
        &[("password = ", "")],
        &[("password = ", "p = ")],
        &[("password", "pass word")],
        &[("password = [REDACTED]", "[REDACTED]")],
        &[("password = [REDACTED]", "word = [REDACTED]")],
        &[("REDACTED]\nurl", "REDACTED]url")],
        &[("name = demo\npassword = ", "name = ")],
    ];
    for edits in attempts {
        let fixture = Fixture::new();
        let files = fixture.files();
        fixture.file("f", secrets());
        match edit(&files, "f", edits) {
            Err(refusal) => {
                assert!(
                    [code::MASK_IN_TEXT, code::NO_MATCH].contains(&refusal.code),
                    "{edits:?}: {refusal}"
                );
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

#[test]
fn of_lines_that_look_alike_none_gets_the_secret_of_another() {
    let text = "[dev]\npassword = f1rst5ecret9\n[prod]\npassword = s3cond5ecret9\n";
    let cases: [(&str, String, Option<&str>); 5] = [
        ("exchanged", format!("[prod]\npassword = {MASK}\n[dev]\npassword = {MASK}\n"), None),
        (
            "the first is gone",
            format!("[prod]\npassword = {MASK}\n"),
            Some("[prod]\npassword = s3cond5ecret9\n"),
        ),
        // It may be the first with the lines below gone, or the second with the lines between.
        ("the second is gone", format!("[dev]\npassword = {MASK}\n"), None),
        ("nobody knows which", format!("password = {MASK}\n"), None),
        (
            "both are there",
            format!("[dev]\n# a\npassword = {MASK}\n[prod]\n# b\npassword = {MASK}\n"),
            Some("[dev]\n# a\npassword = f1rst5ecret9\n[prod]\n# b\npassword = s3cond5ecret9\n"),
        ),
    ];
    for (name, new, expected) in cases {
        let fixture = Fixture::new();
        let files = fixture.files();
        fixture.file("f", text);
        read(&files, "f");
        let result = write(&files, "f", &new);
        if let Some(expected) = expected {
            result.unwrap_or_else(|why| panic!("{name}: {why}"));
            assert_eq!(fixture.text("f"), expected, "{name}");
        } else {
            assert_eq!(result.expect_err(name).code, code::MASK_IN_TEXT, "{name}");
            assert_eq!(fixture.text("f"), text, "{name}");
        }
    }
    let fixture = Fixture::new();
    let files = fixture.files();
    fixture.file("f", "password = s4mesecret9\npassword = s4mesecret9\n");
    read(&files, "f");
    write(&files, "f", &format!("password = {MASK}\n")).unwrap();
    assert_eq!(fixture.text("f"), "password = s4mesecret9\n");
}

#[test]
fn an_edit_gives_no_mask_the_secret_of_another_line() {
    let sections = "[prod]\npassword = f1rst5ecret9\n[dev]\npassword = s3cond5ecret9\n";
    let same = "password = f1rst5ecret9\npassword = s3cond5ecret9\n";
    let line = format!("password = {MASK}\n");
    let shown = format!("[prod]\n{line}[dev]\n{line}");
    let cut = line.trim_end_matches("]\n");
    // File, old, new, file afterwards.
    let cases: [(&str, String, String, Option<&str>); 8] = [
        (sections, shown.clone(), format!("[dev]\n{line}[prod]\n{line}"), None),
        (
            sections,
            format!("[prod]\n{line}[dev]\n{cut}"),
            format!("[dev]\n{line}[prod]\n{cut}"),
            None,
        ),
        (sections, shown.clone(), format!("[prod]\n{line}"), None),
        (same, line.repeat(2), line.clone(), None),
        (same, format!("{line}{cut}"), cut.to_owned(), None),
        (
            sections,
            shown.clone(),
            shown.replace("[dev]", "[test]"),
            Some("[prod]\npassword = f1rst5ecret9\n[test]\npassword = s3cond5ecret9\n"),
        ),
        (
            sections,
            shown.clone(),
            format!("[dev]\n{line}"),
            Some("[dev]\npassword = s3cond5ecret9\n"),
        ),
        // What is not written back is gone, whatever it was.
        (sections, format!("{line}[dev]\n{line}"), "none\n".into(), Some("[prod]\nnone\n")),
    ];
    for (text, old, new, expected) in cases {
        let fixture = Fixture::new();
        let files = fixture.files();
        fixture.file("f", text);
        let result = edit(&files, "f", &[(&old, &new)]);
        if let Some(expected) = expected {
            result.unwrap_or_else(|why| panic!("{old:?} -> {new:?}: {why}"));
            assert_eq!(fixture.text("f"), expected);
        } else {
            assert_eq!(result.expect_err(&new).code, code::MASK_IN_TEXT, "{old:?} -> {new:?}");
            assert_eq!(fixture.text("f"), text);
        }
    }
}

/// One line with many masks: each change looks at its own surroundings.
#[test]
fn a_long_line_has_its_masks_changed_place_by_place() {
    let fixture = Fixture::new();
    let files = fixture.files();
    let text = "password=hunter2secret; ".repeat(2_000);
    fixture.file("f", &text);
    let edits = json!([{ "old": format!("={MASK};"), "new": format!("={MASK},"), "all": true }]);
    let answer = ask(&json!({ "path": "f", "edits": edits }), |request| files.edit(request));
    assert_eq!(answer.unwrap()["restoredMasks"], 2_000);
    assert_eq!(fixture.text("f"), text.replace(';', ","));
}

#[test]
fn a_thousand_lines_that_look_alike_are_told_apart() {
    let line = |number: usize| format!("password = s3cret{number:05}x\n");
    let text: String = (0..1000).map(line).collect();
    let fixture = Fixture::new();
    let files = fixture.files();
    fixture.file("f", &text);
    let shown = read(&files, "f");
    write(&files, "f", &shown).unwrap();
    assert_eq!(fixture.text("f"), text);
    write(&files, "f", &format!("# first\n{shown}# last\n")).unwrap();
    assert_eq!(fixture.text("f"), format!("# first\n{text}# last\n"));
    // One is gone, and nobody knows which.
    let gone = format!("password = {MASK}\n").repeat(999);
    assert_eq!(write(&files, "f", &gone).unwrap_err().code, code::MASK_IN_TEXT);
}

#[test]
fn a_text_that_looks_like_a_mask_and_hides_nothing_stays_what_it_is() {
    let fixture = Fixture::new();
    let files = fixture.files();
    let text = format!("Masks are written {MASK}.\npassword = hunter2secret\nSee {MASK} above.\n");
    fixture.file("f", &text);
    let shown = read(&files, "f");
    write(&files, "f", &shown).unwrap();
    assert_eq!(fixture.text("f"), text);
    edit(&files, "f", &[("above", "below"), ("Masks are", "Masks were")]).unwrap();
    assert_eq!(fixture.text("f"), text.replace("above", "below").replace("are", "were"));
}

/// Random changes of the lines of a view.
#[derive(Clone, Debug)]
enum Change {
    Remove(usize),
    Insert(usize, usize),
    Swap(usize, usize),
    Extend(usize),
}

fn changes() -> impl Strategy<Value = Vec<Change>> {
    let change = prop_oneof![
        (0..20_usize).prop_map(Change::Remove),
        (0..20_usize, 0..4_usize).prop_map(|(at, what)| Change::Insert(at, what)),
        (0..20_usize, 0..20_usize).prop_map(|(a, b)| Change::Swap(a, b)),
        (0..20_usize).prop_map(Change::Extend),
    ];
    prop::collection::vec(change, 0..5)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    /// Whatever a model makes of a view: it is refused, or the file is what was written with each mask as the secret of the
    /// old line that it was on. Nothing is shown, and no secret goes to another key.
    #[test]
    fn a_changed_view_is_refused_or_means_what_it_says(
        kinds in prop::collection::vec(0..5_usize, 1..16),
        changes in changes(),
        crlf in any::<bool>(),
    ) {
        let end = if crlf { "\r\n" } else { "\n" };
        let mut text = String::new();
        for (index, kind) in kinds.iter().enumerate() {
            let _ = match kind {
                0 => write!(text, "password = s3cret{index:03}x{end}"),
                1 => write!(text, "token: t0ken{index:03}value # note{end}"),
                2 => write!(text, "[section]{end}"),
                3 => write!(text, "literal {MASK} text{end}"),
                _ => write!(text, "line {index}{end}"),
            };
        }
        let fixture = Fixture::new();
        let files = fixture.files();
        fixture.file("f", &text);
        let shown = read(&files, "f");
        let mut lines: Vec<String> = shown.split_inclusive('\n').map(str::to_owned).collect();
        for change in &changes {
            let count = lines.len().max(1);
            match *change {
                Change::Remove(at) if !lines.is_empty() => drop(lines.remove(at % count)),
                Change::Insert(at, what) => {
                    let line = ["x = 1", "[section]", "password = [REDACTED]", "token: [REDACTED] # note"][what];
                    lines.insert(at % count.min(lines.len() + 1), format!("{line}{end}"));
                }
                Change::Swap(a, b) if !lines.is_empty() => lines.swap(a % count, b % count),
                Change::Extend(at) if !lines.is_empty() => {
                    let at = at % count;
                    let line = lines[at].trim_end().to_owned();
                    lines[at] = format!("{line} # more{end}");
                }
                _ => {}
            }
        }
        let new = lines.concat();
        if let Err(refusal) = write(&files, "f", &new) {
            prop_assert_eq!(refusal.code, code::MASK_IN_TEXT);
            prop_assert_eq!(fixture.text("f"), text);
            return Ok(());
        }
        prop_assert_eq!(read(&files, "f"), new);
        // Lines that changed may change places when each has another key; those of one key never do.
        for key in ["s3cret", "t0ken"] {
            let secrets = |text: &str| -> Vec<String> {
                let words = text.split_whitespace().filter(|word| word.starts_with(key));
                words.map(str::to_owned).collect()
            };
            let (old, now) = (secrets(&text), secrets(&fixture.text("f")));
            let mut rest = old.iter();
            prop_assert!(now.iter().all(|secret| rest.any(|old| old == secret)), "{:?} of {:?}", now, old);
        }
    }

    /// The same for an edit anywhere in the view: no character of what surrounds a secret makes it show.
    #[test]
    fn an_edited_view_never_shows_a_secret(
        from in 0..200_usize,
        length in 1..30_usize,
        new in prop::sample::select(vec!["", "x", "\n", " = ", "\"", "#", MASK, "[", "password = ", "{", "http://", "\\"]),
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
        let edits = json!([{ "old": old, "new": new, "first": true }]);
        let edited = ask(&json!({ "path": "f", "edits": edits }), |request| files.edit(request));
        match edited {
            Err(_) => prop_assert_eq!(fixture.text("f"), text),
            Ok(answer) => prop_assert!(!answer.to_string().contains("hunter2"), "{}", answer),
        }
        let now = read(&files, "f");
        prop_assert!(!now.contains("hunter2"), "{:?} -> {:?}: {}", old, new, now);
    }
}
