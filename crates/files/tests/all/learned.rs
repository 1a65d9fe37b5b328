//! What was masked in a file that was read is masked in all that the redactor sees from then on.

use handrail_files::{Files, FilesConfig, code};
use handrail_redact::{Options, Redactor};
use serde_json::{Value, json};

use crate::fixture::{Fixture, ask};
use crate::masks::{edit, read, write};

/// Looks random.
fn secret(word: &str) -> String {
    ["Zk3v", word, "Q9xT7mLp"].concat()
}

/// Tools with a redactor of their own.
fn tools(fixture: &Fixture, learn_secrets: bool) -> (Files, Redactor) {
    let redactor = Redactor::new(Options::default()).unwrap();
    let config = FilesConfig { redactor: redactor.clone(), learn_secrets, ..fixture.config() };
    (Files::new(config).unwrap(), redactor)
}

fn is_bare(redactor: &Redactor, text: &str) -> bool {
    redactor.redact(text.as_bytes()).is_none()
}

fn grep(files: &Files, pattern: &str) -> Value {
    ask(&json!({ "path": ".", "pattern": pattern }), |request| files.grep(request)).unwrap()
}

#[test]
fn a_value_that_was_masked_is_masked_without_its_name() {
    type Way = (&'static str, fn(&Files));
    let ways: [Way; 3] = [
        ("read", |files| drop(read(files, "f.ini"))),
        ("searched", |files| drop(grep(files, "port"))),
        ("edited", |files| drop(edit(files, "f.ini", &[("port=80", "port=81")]).unwrap())),
    ];
    for (way, act) in ways {
        for learn_secrets in [true, false] {
            let fixture = Fixture::new();
            fixture.file("f.ini", format!("port=80\npassword={}\n", secret("one")));
            let (files, redactor) = tools(&fixture, learn_secrets);
            assert!(is_bare(&redactor, &secret("one")), "{way}");
            act(&files);
            assert_eq!(is_bare(&redactor, &secret("one")), !learn_secrets, "{way}");
        }
    }
}

#[test]
fn a_file_whose_path_names_a_secret_is_one() {
    for (path, is_secret) in [
        ("secrets/smtp", true),
        ("config/db_password", true),
        ("secrets/smtp.md", false),
        ("notes/smtp", false),
    ] {
        for learn_secrets in [true, false] {
            let fixture = Fixture::new();
            fixture.file(path, format!("{}\n", secret("one")));
            let (files, redactor) = tools(&fixture, learn_secrets);
            let is_masked = is_secret && learn_secrets;
            assert_eq!(read(&files, path) == "[REDACTED]\n", is_masked, "{path}");
            assert_eq!(is_bare(&redactor, &secret("one")), !is_masked, "{path}");
            let (files, _) = tools(&fixture, learn_secrets);
            let found = grep(&files, "x").to_string();
            assert_eq!(found.contains(&secret("one")), !is_masked, "{path}");
        }
    }
}

#[test]
fn what_was_not_shown_teaches_nothing() {
    let fixture = Fixture::new();
    fixture.file("f.ini", format!("port=80\npassword={}\n", secret("one")));
    let (files, redactor) = tools(&fixture, true);
    grep(&files, "no such line");
    write(&files, "g.ini", &format!("password={}\n", secret("two"))).unwrap();
    assert_eq!(redactor.generation(), 0);
}

#[test]
fn a_file_without_random_secrets_changes_nothing() {
    let uuid = "0b9f2a4e-7c61-4d3e-9b1a-5f3c8e2d7a60";
    let hash = "sha512-q1w2E3r4T5y6U7i8O9p0aSdFgHjKlZxCvBnM1234567890abcdefghij==";
    let fixture = Fixture::new();
    let settings = [
        "PORT=8080",
        "USER=admin",
        "DEBUG=true",
        "REGION=eu-central-1",
        "PASSWORD=hunter2",
        "DB_PASSWORD=postgres",
        "ADMIN_PASSWORD=company-2024",
    ];
    fixture.file("settings.env", settings.join("\n"));
    fixture.file("ids.json", format!("{{ \"id\": \"{uuid}\", \"commit\": \"3f2a9c81d0\" }}\n"));
    fixture.file("package-lock.json", format!("{{ \"integrity\": \"{hash}\" }}\n"));
    let (files, redactor) = tools(&fixture, true);
    for name in ["settings.env", "ids.json", "package-lock.json"] {
        read(&files, name);
    }
    assert_eq!(redactor.generation(), 0);
    for text in
        ["listens on 8080", "admin", "true", "hunter2", "postgres", "company-2024", uuid, hash]
    {
        assert!(is_bare(&redactor, text), "{text}");
    }
}

/// A value of several lines is learned line by line, as what each of them is.
#[test]
fn of_a_private_key_the_lines_of_its_body_are_learned() {
    let fixture = Fixture::new();
    let (first, last) = (secret("one").repeat(3), secret("two").repeat(3));
    let mark = |word: &str| ["-----", word, " PRIVATE", " KEY-----"].concat();
    let key = [mark("BEGIN"), first.clone(), "hunter2".to_owned(), last.clone(), mark("END")];
    fixture.file("key.txt", format!("port=80\n{}\n", key.join("\n")));
    let (files, redactor) = tools(&fixture, true);
    assert!(is_bare(&redactor, &first));
    assert!(!read(&files, "key.txt").contains("hunter2"));
    assert!(!is_bare(&redactor, &first) && !is_bare(&redactor, &last));
    assert!(is_bare(&redactor, "hunter2") && is_bare(&redactor, &mark("END")));
}

/// A value that is learned gets masks where it stood without them: the numbers of the first view are those of the next one.
#[test]
fn the_first_view_has_all_masks() {
    let fixture = Fixture::new();
    let (one, two) = (secret("one"), secret("two"));
    fixture.file("f.ini", format!("# not {one} again\npassword={one}\ntoken={two}\n"));
    let (files, _) = tools(&fixture, true);
    let shown = read(&files, "f.ini");
    assert_eq!(shown, "# not [REDACTED:1] again\npassword=[REDACTED:2]\ntoken=[REDACTED:3]\n");
    assert_eq!(shown, read(&files, "f.ini"));
    let found = grep(&files, "token=");
    assert_eq!(found["files"][0]["lines"][0]["text"], "token=[REDACTED:3]");
    edit(&files, "f.ini", &[("token=[REDACTED:3]", "key=[REDACTED:3]")]).unwrap();
    assert_eq!(fixture.text("f.ini"), format!("# not {one} again\npassword={one}\nkey={two}\n"));
}

/// What another file teaches shifts the numbers in a file that was read before. Old numbers are refused then: they would
/// bring another secret back.
#[test]
fn numbers_from_before_a_value_was_learned_are_refused() {
    let fixture = Fixture::new();
    let (one, two, three) = (secret("one"), secret("two"), secret("three"));
    let text = format!("a_token={one}\n# see {three}\nb_token={two}\n");
    fixture.file("f.ini", &text).file("g.ini", format!("password={three}\n"));
    let (files, _) = tools(&fixture, true);
    let stale = read(&files, "f.ini");
    assert_eq!(stale, format!("a_token=[REDACTED:1]\n# see {three}\nb_token=[REDACTED:2]\n"));
    read(&files, "g.ini");
    let swap = [("b_token=[REDACTED:3]", "c_token=[REDACTED:3]")];
    for refused in [write(&files, "f.ini", &stale), edit(&files, "f.ini", &swap)] {
        assert_eq!(refused.unwrap_err().code, code::CHANGED_ON_DISK);
        assert_eq!(fixture.text("f.ini"), text);
    }
    read(&files, "f.ini");
    edit(&files, "f.ini", &swap).unwrap();
    assert_eq!(fixture.text("f.ini"), text.replace("b_token", "c_token"));
}
