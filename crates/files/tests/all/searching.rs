//! Lines of files by a regular expression: what matches, what is shown, and what no search shows.

use std::fs;
use std::os::unix::fs::symlink;

use handrail_files::{Files, Refusal, Root, Roots, code};
use handrail_policy::paths::DotenvReads;
use serde_json::{Value, json};

use crate::corpus::fifo;
use crate::fixture::{Fixture, alive, ask, config};

fn grep(files: &Files, request: &Value) -> Result<Value, Refusal> {
    let mut request = request.clone();
    if request["path"].is_null() {
        request["path"] = ".".into();
    }
    ask(&request, |request| files.grep(request))
}

/// `path:line:text` for what matches, `path-line-text` for what is around it.
fn lines(answer: &Value) -> Vec<String> {
    let mut shown = Vec::new();
    for file in answer["files"].as_array().unwrap() {
        for line in file["lines"].as_array().unwrap() {
            let mark = if line["match"] == true { ':' } else { '-' };
            let (path, text) = (file["path"].as_str().unwrap(), line["text"].as_str().unwrap());
            shown.push(format!("{path}{mark}{}{mark}{text}", line["line"]));
        }
    }
    shown
}

fn found(files: &Files, request: &Value) -> Vec<String> {
    lines(&grep(files, request).unwrap())
}

#[test]
fn a_match_lies_within_a_line() {
    let fixture = Fixture::new();
    fixture.file("f", "foo(bar)\n\n  Foo\r\nüml x\nlast").file("empty", "");
    let cases: [(&str, bool, &[u64]); 19] = [
        ("foo", false, &[1]),
        ("foo", true, &[1, 3]),
        (r"foo\(", false, &[1]),
        ("^$", false, &[2]),
        ("^", false, &[1, 2, 3, 4, 5]),
        ("x*", false, &[1, 2, 3, 4, 5]),
        ("Foo$", false, &[3]),
        (r"\AFoo|\Alast", false, &[5]),
        (r"x\z", false, &[4]),
        (r"[^q]*", false, &[1, 2, 3, 4, 5]),
        (r"\)[^q]*t", false, &[]),
        (r"\)\s*F", false, &[]),
        (r"(?s)\).*t", false, &[]),
        (r"(?m)^last$", false, &[5]),
        (r"^\w+ x$", false, &[4]),
        (r"\bx\b", false, &[4]),
        ("t$", false, &[5]),
        (r"^\s+\S", false, &[3]),
        ("missing", false, &[]),
    ];
    let config = fixture.config();
    let files = Files::new(config).unwrap();
    for (pattern, ignore_case, expected) in cases {
        let request = json!({ "pattern": pattern, "ignoreCase": ignore_case });
        let answer = grep(&files, &request).unwrap();
        let numbers: Vec<u64> = answer["files"]
            .as_array()
            .unwrap()
            .iter()
            .flat_map(|file| file["lines"].as_array().unwrap())
            .map(|line| line["line"].as_u64().unwrap())
            .collect();
        assert_eq!(numbers, expected, "{pattern}");
        assert_eq!(answer["totalMatches"], expected.len(), "{pattern}");
        assert_eq!(answer["searched"], 2);
    }
    assert_eq!(found(&fixture.files(), &json!({ "pattern": "Foo" })), ["f:3:  Foo"]);
}

#[test]
fn a_pattern_that_is_none_is_refused_with_what_to_do() {
    let fixture = Fixture::new();
    fixture.file("f", "foo(bar\n");
    let files = fixture.files();
    let long = "a".repeat(4097);
    let cases: [(&str, &str, &str); 8] = [
        ("foo(bar", "unclosed group (at character 4)", r"To search for it literally: foo\(bar"),
        ("*x", "repetition operator missing expression", r"To search for it literally: \*x"),
        ("a(?=b)", "look-around", "Write it without `(?=`"),
        (r"(a)\1", "backreferences are not supported", r"Write out what `\1` would repeat"),
        ("a\nb", "line break", "one of the lines"),
        (r"((\w{100}){100}){100}", "too large", "repetitions smaller"),
        ("", "empty", "give ^"),
        (&long, "longer than 4096 bytes", "a part"),
    ];
    for (pattern, why, hint) in cases {
        let refusal =
            alive("a bad pattern", || grep(&files, &json!({ "pattern": pattern })).unwrap_err());
        assert_eq!(refusal.code, code::INVALID_PATTERN, "{pattern}");
        assert!(refusal.message.contains(why), "{pattern}: {refusal}");
        assert!(refusal.hint.as_ref().unwrap().contains(hint), "{pattern}: {refusal}");
    }
    assert_eq!(found(&files, &json!({ "pattern": r"foo\(bar" })), ["f:1:foo(bar"]);
    assert!(grep(&files, &json!({ "pattern": &long[1..] })).is_ok());
    let secret = json!({ "pattern": "password='hunter2-secret' (" });
    let masked = grep(&files, &secret).unwrap_err();
    assert!(!masked.to_string().contains("hunter2"), "{masked}");
    assert_eq!(&*masked.hint.unwrap(), "Search for what is not secret in it.");
    let filter = grep(&files, &json!({ "pattern": "x", "glob": "../*" })).unwrap_err();
    assert_eq!(filter.code, code::OUTSIDE_ROOT);
    let missing = grep(&files, &json!({ "pattern": "x", "path": "g" })).unwrap_err();
    assert_eq!(missing.code, code::NOT_FOUND);
}

#[test]
fn offsets_limits_modes_and_context() {
    let fixture = Fixture::new();
    fixture
        .file("a", "hit 1\n2\n3\nhit 4\nhit 5\n6\n7\n8\nhit 9\n")
        .file("b/c", "x\nhit\n")
        .file("d", "");
    let files = fixture.files();
    let part = |request: Value| {
        let answer = grep(&files, &request).unwrap();
        assert_eq!((&answer["totalMatches"], &answer["totalFiles"]), (&json!(5), &json!(2)));
        let next = answer.get("nextOffset").and_then(Value::as_u64);
        assert_eq!(answer["truncated"], next.is_some());
        (lines(&answer), next)
    };
    let all = ["a:1:hit 1", "a:4:hit 4", "a:5:hit 5", "a:9:hit 9", "b/c:2:hit"];
    assert_eq!(part(json!({ "pattern": "hit" })), (all.map(str::to_owned).to_vec(), None));
    for limit in 1..6 {
        let (mut seen, mut offset) = (Vec::new(), Some(0));
        while let Some(from) = offset {
            let (lines, next) = part(json!({ "pattern": "hit", "limit": limit, "offset": from }));
            assert!(lines.len() as u64 <= limit);
            seen.extend(lines);
            offset = next;
        }
        assert_eq!(seen, all);
    }
    assert_eq!(part(json!({ "pattern": "hit", "offset": 5 })), (Vec::new(), None));
    let (around, _) = part(json!({ "pattern": "hit", "context": 1 }));
    assert_eq!(
        around,
        [
            "a:1:hit 1",
            "a-2-2",
            "a-3-3",
            "a:4:hit 4",
            "a:5:hit 5",
            "a-6-6",
            "a-8-8",
            "a:9:hit 9",
            "b/c-1-x",
            "b/c:2:hit",
        ]
    );
    let (two, _) = part(json!({ "pattern": "hit", "context": 9, "limit": 1, "offset": 3 }));
    assert_eq!(two.len(), 9);
    assert_eq!(
        (two[0].as_str(), two[3].as_str(), two[8].as_str()),
        ("a-1-hit 1", "a-4-hit 4", "a:9:hit 9")
    );
    for mode in ["files", "count"] {
        let first = grep(&files, &json!({ "pattern": "hit", "mode": mode, "limit": 1 })).unwrap();
        assert_eq!(first["files"], json!([{ "path": "a", "matches": 4, "lines": [] }]));
        assert_eq!(first["nextOffset"], 1);
        let second = grep(&files, &json!({ "pattern": "hit", "mode": mode, "offset": 1 })).unwrap();
        assert_eq!(second["files"], json!([{ "path": "b/c", "matches": 1, "lines": [] }]));
        assert_eq!(second.get("nextOffset"), None);
    }
    let huge =
        grep(&files, &json!({ "pattern": "hit", "offset": u64::MAX >> 11, "limit": 10_000 }));
    assert_eq!(huge.unwrap()["files"], json!([]));
}

#[test]
fn context_has_its_bound() {
    let fixture = Fixture::new();
    fixture.file("f", format!("{0}hit\n{0}", "line\n".repeat(50)));
    for (context, lines) in [(19, 39), (20, 41)] {
        let given = found(&fixture.files(), &json!({ "pattern": "hit", "context": context }));
        assert_eq!(given.len(), lines);
        assert!(given[lines / 2].starts_with("f:51:"));
    }
}

#[test]
fn a_long_line_is_cut_around_the_match() {
    let fixture = Fixture::new();
    let (before, after) = ("ä".repeat(5000), "ö".repeat(5000));
    fixture.file("middle", format!("{before}hit{after}\n")).file("end", format!("{before}hit"));
    fixture
        .file("fits", format!("{}hit", "a".repeat(997)))
        .file("over", format!("{}hit", "a".repeat(998)));
    let files = fixture.files();
    let text = |path: &str| {
        let answer = grep(&files, &json!({ "pattern": "hit", "path": path })).unwrap();
        answer["files"][0]["lines"][0]["text"].as_str().unwrap().to_owned()
    };
    assert_eq!(text("fits"), format!("{}hit", "a".repeat(997)));
    assert_eq!(text("over"), format!("…{}hit", "a".repeat(997)));
    assert_eq!(text("end"), format!("…{}hit", "ä".repeat(997)));
    assert_eq!(text("middle"), format!("…{}hit{}…", "ä".repeat(300), "ö".repeat(697)));
}

#[test]
fn secrets_are_masked_across_the_text_and_not_found_by_their_letters() {
    let fixture = Fixture::new();
    let key = "-----BEGIN PRIVATE KEY-----\nMIIEvQIBADANBgkqhkiG9w0BAQEFAASC\nBKcwggSjAgEAAoIBAQC7VJTUt9Us8cKj\n-----END PRIVATE KEY-----\n";
    fixture.file("f", format!("one\n{key}password=hunter2secret hit\nhit\n"));
    let files = fixture.files();
    for pattern in ["hunter2", "password=h", "MIIEvQ", "wggSj", "BKcwggSjAgEAAoIBAQC7VJTUt9Us8cKj"]
    {
        let answer = grep(&files, &json!({ "pattern": pattern, "context": 3 })).unwrap();
        assert_eq!(answer["totalMatches"], 0, "{pattern}");
    }
    let answer = grep(&files, &json!({ "pattern": "hit", "context": 5 })).unwrap();
    assert!(!answer.to_string().contains("hunter2") && !answer.to_string().contains("BKcwgg"));
    assert_eq!(answer["redactions"], 2);
    // The numbers are those that `read` has.
    let read = ask(&json!({ "path": "f" }), |request| files.read(request)).unwrap();
    let text: Vec<&str> = read["text"].as_str().unwrap().lines().collect();
    for line in answer["files"][0]["lines"].as_array().unwrap() {
        let number = usize::try_from(line["line"].as_u64().unwrap()).unwrap();
        assert_eq!(line["text"], text[number - 1]);
    }
}

#[test]
fn protected_files_never_show_and_are_counted() {
    let fixture = Fixture::new();
    let key = fixture.base.join("home/.ssh/id_ed25519");
    fs::create_dir_all(key.parent().unwrap()).unwrap();
    fs::write(&key, "TOKEN key").unwrap();
    fs::hard_link(&key, fixture.path("notes")).unwrap();
    fixture
        .file("a.txt", "TOKEN here\n")
        .file(".env", "TOKEN dotenv\n")
        .file("server.pem", "TOKEN pem\n")
        .file(".ssh/config", "TOKEN ssh\n")
        .file("data/db", "TOKEN db\n")
        .file(".gitignore", ".env\n");
    let make = |guarded: bool| {
        let mut config = fixture.config();
        config.rules.read = guarded;
        if guarded {
            config.rules.protected = vec![fixture.path("data").to_str().unwrap().to_owned()];
        }
        Files::new(config).unwrap()
    };
    let files = make(true);
    for extra in [json!({}), json!({ "hidden": true, "ignored": true })] {
        let mut request = json!({ "pattern": "TOKEN", "context": 2 });
        request.as_object_mut().unwrap().extend(extra.as_object().unwrap().clone());
        let answer = grep(&files, &request).unwrap();
        assert_eq!(lines(&answer), ["a.txt:1:TOKEN here"]);
        // `.env`, `.ssh`, `data`, `notes` and `server.pem`.
        assert_eq!(answer["skipped"]["protected"], 5);
    }
    let only = grep(&files, &json!({ "pattern": "TOKEN", "glob": "*.txt" })).unwrap();
    assert_eq!(only["skipped"]["protected"], 2, "folders may hold such files");
    for path in [".env", "server.pem", ".ssh", "data", "notes", ".ssh/config"] {
        let refusal = grep(&files, &json!({ "pattern": "TOKEN", "path": path })).unwrap_err();
        assert_eq!(refusal.code, code::BLOCKED_READ, "{path}");
    }
    // The guard is what keeps them away.
    let all = json!({ "pattern": "TOKEN", "hidden": true, "ignored": true });
    assert_eq!(grep(&make(false), &all).unwrap()["totalFiles"], 6);
    let mut config = fixture.config();
    config.rules.dotenv_reads = DotenvReads::Mask;
    fixture.file(".env", "TOKEN=hunter2secret\n");
    let masked = grep(&Files::new(config).unwrap(), &json!({ "pattern": "TOKEN", "path": ".env" }));
    assert_eq!(lines(&masked.unwrap()), [".env:1:TOKEN=[REDACTED]"]);
}

#[test]
fn links_are_not_followed_and_named_files_are_searched() {
    let fixture = Fixture::new();
    fixture.file("in/a", "SECRET in\n");
    symlink(fixture.base.join("outside"), fixture.path("out")).unwrap();
    symlink(fixture.base.join("outside/secret.txt"), fixture.path("out.txt")).unwrap();
    symlink("a", fixture.path("in/link")).unwrap();
    symlink("..", fixture.path("in/up")).unwrap();
    fifo(&fixture.path("pipe"));
    for writable in [true, false] {
        let roots = Roots::Only(vec![Root::open(&fixture.root(), writable).unwrap()]);
        let files = Files::new(config(roots, None)).unwrap();
        let answer = alive("grep", || grep(&files, &json!({ "pattern": "SECRET" })).unwrap());
        assert_eq!(lines(&answer), ["in/a:1:SECRET in"]);
        assert_eq!(answer["searched"], 1);
        assert_eq!(
            found(&files, &json!({ "pattern": "SECRET", "path": "in/link" })),
            ["in/a:1:SECRET in"]
        );
        for path in ["out", "out.txt", "../outside", "out/secret.txt"] {
            let refusal = grep(&files, &json!({ "pattern": "SECRET", "path": path })).unwrap_err();
            assert_eq!(refusal.code, code::OUTSIDE_ROOT, "{path}");
        }
        let pipe = alive("a pipe", || {
            grep(&files, &json!({ "pattern": "x", "path": "pipe" })).unwrap_err()
        });
        assert_eq!(pipe.code, code::SPECIAL_FILE);
    }
}

#[test]
fn what_is_no_text_or_too_large_is_counted() {
    let fixture = Fixture::new();
    let binary = |nul: usize| {
        let mut bytes = b"hit\n".repeat(5000);
        bytes[nul] = 0;
        bytes
    };
    let utf16: Vec<u8> = "\u{feff}hit\n".encode_utf16().flat_map(u16::to_le_bytes).collect();
    let sized = |size: usize| [b"hit\n".to_vec(), vec![b'\n'; size - 4]].concat();
    fixture
        .file("binary", binary(7_999))
        .file("text", binary(8_000))
        .file("short", b"hit\0")
        .file("wide", utf16)
        .file("latin", b"hit \xe4\n")
        .file("most", sized(10 << 20))
        .file("more", sized((10 << 20) + 1));
    let files = fixture.files();
    let answer = grep(&files, &json!({ "pattern": "hit", "mode": "files" })).unwrap();
    let paths: Vec<&str> = answer["files"]
        .as_array()
        .unwrap()
        .iter()
        .map(|file| file["path"].as_str().unwrap())
        .collect();
    assert_eq!(paths, ["latin", "most", "text", "wide"]);
    assert_eq!(
        answer["skipped"],
        json!({ "protected": 0, "binary": 2, "large": 1, "unreadable": 0 })
    );
    let refusal = grep(&files, &json!({ "pattern": "hit", "path": "more" })).unwrap_err();
    assert_eq!(refusal.code, code::TOO_LARGE);
    assert!(refusal.hint.is_some());
    let mut config = fixture.config();
    config.max_read_bytes = 20 << 20;
    let named =
        grep(&Files::new(config).unwrap(), &json!({ "pattern": "hit", "path": "more" })).unwrap();
    assert_eq!(named["totalMatches"], 1);
}

#[test]
fn ignore_rules_and_filters_decide_what_is_searched() {
    let fixture = Fixture::new();
    fixture
        .file(".gitignore", "dist\n")
        .file("a.ts", "hit\n")
        .file("sub/b.ts", "hit\n")
        .file("sub/c.md", "hit\n")
        .file("dist/d.ts", "hit\n")
        .file(".hidden/e.ts", "hit\n")
        .file(".git/f.ts", "hit\n");
    let files = fixture.files();
    let paths = |extra: Value| {
        let mut request = json!({ "pattern": "hit" });
        request.as_object_mut().unwrap().extend(extra.as_object().unwrap().clone());
        found(&files, &request)
            .iter()
            .map(|line| line.split(':').next().unwrap().to_owned())
            .collect::<Vec<_>>()
    };
    assert_eq!(paths(json!({})), ["a.ts", "sub/b.ts", "sub/c.md"]);
    assert_eq!(paths(json!({ "ignored": true })), ["a.ts", "dist/d.ts", "sub/b.ts", "sub/c.md"]);
    assert_eq!(paths(json!({ "hidden": true }))[0], ".hidden/e.ts");
    assert_eq!(paths(json!({ "glob": "*.ts" })), ["a.ts", "sub/b.ts"]);
    assert_eq!(paths(json!({ "glob": "./*.ts" })), ["a.ts"]);
    assert_eq!(paths(json!({ "glob": "sub/**" })), ["sub/b.ts", "sub/c.md"]);
    assert_eq!(paths(json!({ "glob": "*.{md,txt}" })), ["sub/c.md"]);
    assert_eq!(paths(json!({ "path": "sub", "glob": "b.*" })), ["sub/b.ts"]);
    assert_eq!(paths(json!({ "path": "dist" })), ["dist/d.ts"]);
}

#[test]
fn hostile_patterns_and_ten_thousand_files_end() {
    let fixture = Fixture::new();
    fixture.file("f", "a".repeat(20_000)).file("words", "ab ".repeat(20_000));
    let files = fixture.files();
    for pattern in [
        "(a*)*b",
        "(a|a)*$b",
        "a{1000}b",
        "(x+x+)+y",
        r"(\w+\s?)*$",
        "(?:a?){500}a{500}b",
        r"\b\w+\b.*\bz\b",
        &"(".repeat(4000),
        &"a|".repeat(2000),
        &"[^x]*".repeat(60),
    ] {
        let _ = alive("a hostile pattern", || grep(&files, &json!({ "pattern": pattern })));
    }
    for number in 0..10_000 {
        let path = format!("d{}/f{number}", number % 100);
        if number < 100 {
            fixture.file(&path, "hit\n");
        } else {
            fs::write(fixture.path(&path), if number % 2 == 0 { "hit\n" } else { "miss\n" })
                .unwrap();
        }
    }
    let answer = alive("grep", || grep(&files, &json!({ "pattern": "^hit" })).unwrap());
    assert_eq!((&answer["totalMatches"], &answer["searched"]), (&json!(5050), &json!(10_002)));
    assert_eq!((lines(&answer).len(), &answer["nextOffset"]), (250, &json!(250)));
}
