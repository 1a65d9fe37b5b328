//! Files by their names: what a pattern matches, what is left out, and what no pattern shows.

use std::fs;
use std::os::unix::fs::symlink;
use std::time::{Duration, SystemTime};

use handrail_files::{Files, Refusal, Root, Roots, code};
use serde_json::{Value, json};

use crate::fixture::{Fixture, alive, ask, config};

fn glob(files: &Files, request: &Value) -> Result<Value, Refusal> {
    let mut request = request.clone();
    if request["path"].is_null() {
        request["path"] = ".".into();
    }
    ask(&request, |request| files.glob(request))
}

/// Sorted: what changed last is another matter.
fn paths(answer: &Value) -> Vec<String> {
    let paths = answer["paths"].as_array().unwrap().iter();
    let mut paths: Vec<String> = paths.map(|path| path.as_str().unwrap().to_owned()).collect();
    paths.sort();
    paths
}

#[test]
fn a_pattern_matches_from_the_directory_on() {
    let fixture = Fixture::new();
    for path in ["a.ts", "b.md", "src/a.ts", "src/deep/c.ts", "src/deep/d1.md", "src/x[1].ts"] {
        fixture.file(path, "");
    }
    let cases: [(&str, &str, &[&str]); 14] = [
        ("*.ts", ".", &["a.ts"]),
        ("**/*.ts", ".", &["a.ts", "src/a.ts", "src/deep/c.ts", "src/x[1].ts"]),
        ("./**/c.ts", ".", &["src/deep/c.ts"]),
        ("src/*", ".", &["src/a.ts", "src/x[1].ts"]),
        ("src/deep/", ".", &["src/deep/c.ts", "src/deep/d1.md"]),
        ("*.ts", "src", &["src/a.ts", "src/x[1].ts"]),
        ("**/?.ts", ".", &["a.ts", "src/a.ts", "src/deep/c.ts"]),
        ("**/[cd]*", ".", &["src/deep/c.ts", "src/deep/d1.md"]),
        ("**/[!a]*.md", ".", &["b.md", "src/deep/d1.md"]),
        ("{b.md,src/deep/*.{md,txt}}", ".", &["b.md", "src/deep/d1.md"]),
        (r"src/x\[1\].ts", ".", &["src/x[1].ts"]),
        ("*.TS", ".", &[]),
        ("src", ".", &[]),
        ("**/deep/**", "src", &["src/deep/c.ts", "src/deep/d1.md"]),
    ];
    let config = fixture.config();
    let files = Files::new(config).unwrap();
    for (pattern, path, expected) in cases {
        let answer = glob(&files, &json!({ "pattern": pattern, "path": path })).unwrap();
        assert_eq!(paths(&answer), expected, "{pattern} in {path}");
        assert_eq!(answer["total"], expected.len());
    }
}

#[test]
fn what_leads_out_or_is_no_pattern_is_refused_with_what_to_do() {
    let fixture = Fixture::new();
    fixture.file("a.ts", "");
    let files = fixture.files();
    let long = "a".repeat(1025);
    let cases: [(&str, &str, &str); 13] = [
        ("/etc/*", code::OUTSIDE_ROOT, "Allowed: "),
        ("/*.ts", code::OUTSIDE_ROOT, "Allowed: "),
        ("../*", code::OUTSIDE_ROOT, "Allowed: "),
        ("src/../../*", code::OUTSIDE_ROOT, "Allowed: "),
        ("src/../lib/*.ts", code::OUTSIDE_ROOT, "/ws/lib and pattern *.ts."),
        ("{a,..}/*", code::OUTSIDE_ROOT, "Give the directory as path"),
        ("{a,/etc/*}", code::OUTSIDE_ROOT, "Give the directory as path"),
        ("{/etc/*,a}", code::OUTSIDE_ROOT, "Give the directory as path"),
        ("", code::INVALID_PATTERN, "**/*"),
        ("!*.ts", code::INVALID_PATTERN, "Name what is to be found"),
        ("a[", code::INVALID_PATTERN, r"write \*, \?, \[ and \{"),
        ("{a", code::INVALID_PATTERN, r"write \*, \?, \[ and \{"),
        (&long, code::INVALID_PATTERN, "shorter"),
    ];
    for (pattern, code, hint) in cases {
        let refusal = glob(&files, &json!({ "pattern": pattern })).unwrap_err();
        assert_eq!(refusal.code, code, "{pattern}");
        assert!(refusal.hint.as_ref().unwrap().contains(hint), "{pattern}: {refusal}");
    }
    assert!(glob(&files, &json!({ "pattern": &long[1..] })).is_ok());
    let file = glob(&files, &json!({ "pattern": "*", "path": "a.ts" })).unwrap_err();
    assert_eq!(file.code, code::NOT_A_DIRECTORY);
    assert!(file.hint.unwrap().starts_with("Give the directory as path"));
    let outside = glob(&files, &json!({ "pattern": "*", "path": "../outside" })).unwrap_err();
    assert_eq!(outside.code, code::OUTSIDE_ROOT);
}

#[test]
fn ignored_and_hidden_files_are_left_out_and_counted() {
    let fixture = Fixture::new();
    fixture
        .file(".gitignore", "# built\n/dist/\n*.log\n!keep.log\nnode_modules\n[\n")
        .file("dist/a.js", "")
        .file("sub/dist/a.js", "")
        .file("sub/.gitignore", "!*.log\ninner.txt\n")
        .file("sub/a.log", "")
        .file("sub/inner.txt", "")
        .file("inner.txt", "")
        .file("a.log", "")
        .file("keep.log", "")
        .file("node_modules/m/a.js", "")
        .file(".github/ci.yml", "")
        .file(".git/objects/a.js", "")
        .file("nested/.git/HEAD", "")
        .file("nested/b.log", "");
    let files = fixture.files();
    let found = |request: Value| paths(&glob(&files, &request).unwrap());
    assert_eq!(found(json!({ "pattern": "**/*.js" })), ["sub/dist/a.js"]);
    // A repository within the folder has rules of its own.
    assert_eq!(found(json!({ "pattern": "**/*.log" })), ["keep.log", "nested/b.log", "sub/a.log"]);
    assert_eq!(found(json!({ "pattern": "**/inner.txt" })), ["inner.txt"]);
    assert_eq!(
        found(json!({ "pattern": "**/*.js", "ignored": true })),
        ["dist/a.js", "node_modules/m/a.js", "sub/dist/a.js"]
    );
    // Rules from above hold below, and a folder that was named is searched.
    assert_eq!(found(json!({ "pattern": "*.txt", "path": "sub" })), [""; 0]);
    assert_eq!(found(json!({ "pattern": "**", "path": "node_modules" })), ["node_modules/m/a.js"]);
    assert_eq!(
        found(json!({ "pattern": "**/*.yml", "hidden": true, "ignored": true })),
        [".github/ci.yml"]
    );
    assert_eq!(found(json!({ "pattern": ".git/**", "hidden": true, "ignored": true })), [""; 0]);
    let left = |request: Value| glob(&files, &request).unwrap()["leftOut"].clone();
    assert_eq!(
        left(json!({ "pattern": "*/*.js" })),
        json!({ "ignored": 1, "hidden": 0, "both": 0 })
    );
    assert_eq!(
        left(json!({ "pattern": "**/*.yml" })),
        json!({ "ignored": 0, "hidden": 1, "both": 0 })
    );
    assert_eq!(
        left(json!({ "pattern": "**/*.js", "path": "sub" })),
        json!({ "ignored": 0, "hidden": 0, "both": 0 }),
        "nothing is counted where something is found"
    );
}

#[test]
fn an_ignore_file_counts_up_to_its_bound_and_only_as_a_file_in_the_roots() {
    let fixture = Fixture::new();
    fs::write(fixture.base.join(".gitignore"), "*\n").unwrap();
    fs::write(fixture.base.join("outside/rules"), "*\n").unwrap();
    fixture.file("a.txt", "").file("linked/b.txt", "").file("long/c.txt", "").file("far/d.txt", "");
    symlink(fixture.base.join("outside/rules"), fixture.path("linked/.gitignore")).unwrap();
    let comment = "#".repeat((64 << 10) - 6);
    fixture.file("long/.gitignore", format!("{comment}\n*.txt"));
    fixture.file("far/.gitignore", format!("{comment}#\n*.txt"));
    let files = fixture.files();
    let answer = glob(&files, &json!({ "pattern": "**/*.txt" })).unwrap();
    assert_eq!(paths(&answer), ["a.txt", "far/d.txt", "linked/b.txt"]);
}

#[test]
fn those_changed_last_come_first_and_the_rest_is_counted() {
    let fixture = Fixture::new();
    let start = SystemTime::UNIX_EPOCH + Duration::from_secs(1_000_000);
    for number in 0..120 {
        let name = format!("f{number:03}");
        fixture.file(&name, "");
        let file = fs::File::options().write(true).open(fixture.path(&name)).unwrap();
        file.set_modified(start + Duration::from_secs(number / 2)).unwrap();
    }
    let files = fixture.files();
    let answer = glob(&files, &json!({ "pattern": "*" })).unwrap();
    let given = answer["paths"].as_array().unwrap();
    assert_eq!(
        (given.len(), &answer["total"], &answer["truncated"]),
        (100, &json!(120), &json!(true))
    );
    assert_eq!(given[..3], ["f118", "f119", "f116"]);
    let all = glob(&files, &json!({ "pattern": "*", "limit": 120 })).unwrap();
    assert_eq!((&all["truncated"], all["paths"].as_array().unwrap().len()), (&json!(false), 120));
}

#[test]
fn protected_files_are_counted_and_links_lead_nowhere_else() {
    let fixture = Fixture::new();
    let key = fixture.base.join("home/.ssh/id_ed25519");
    fs::create_dir_all(key.parent().unwrap()).unwrap();
    fs::write(&key, "KEY").unwrap();
    fs::hard_link(&key, fixture.path("notes.txt")).unwrap();
    fixture.file("a.txt", "").file("server.pem", "").file(".ssh/b.txt", "").file("sub/c.txt", "");
    symlink(fixture.base.join("outside"), fixture.path("out")).unwrap();
    symlink(fixture.base.join("outside/secret.txt"), fixture.path("out.txt")).unwrap();
    symlink("a.txt", fixture.path("in.txt")).unwrap();
    symlink("server.pem", fixture.path("key.txt")).unwrap();
    symlink("sub", fixture.path("to-sub")).unwrap();
    symlink(".", fixture.path("sub/self")).unwrap();
    let answer = glob(&fixture.files(), &json!({ "pattern": "**", "hidden": true })).unwrap();
    assert_eq!(paths(&answer), ["a.txt", "in.txt", "sub/c.txt"]);
    // The key under another name and by a link, the file of keys, and the folder.
    assert_eq!(answer["protected"], 4);
    // Without the lists everything in the root is found, and still nothing outside of it.
    let mut config = fixture.config();
    config.rules.read = false;
    let files = Files::new(config).unwrap();
    let answer = glob(&files, &json!({ "pattern": "**", "hidden": true })).unwrap();
    assert_eq!(
        paths(&answer),
        [".ssh/b.txt", "a.txt", "in.txt", "key.txt", "notes.txt", "server.pem", "sub/c.txt"]
    );
}

#[test]
fn a_secret_in_a_name_is_masked_and_not_found_by_its_letters() {
    let fixture = Fixture::new();
    fixture.file("password=hunter2secret", "").file("odd\nname", "");
    let files = fixture.files();
    let find = |pattern: &str| glob(&files, &json!({ "pattern": pattern })).unwrap();
    let all = find("*");
    assert_eq!(paths(&all), ["odd\\nname", "password=[REDACTED]"]);
    assert_eq!(all["redactions"], 1);
    assert_eq!(find("password=h*")["total"], 0);
    assert_eq!(find(r"password=\[*")["total"], 1);
}

#[test]
fn a_read_only_root_works_and_so_do_ten_thousand_files() {
    let fixture = Fixture::new();
    for number in 0..10_000 {
        let path = format!("d{}/f{number}.txt", number % 100);
        if number < 100 {
            fixture.file(&path, "");
        } else {
            fs::write(fixture.path(&path), "").unwrap();
        }
    }
    let roots = Roots::Only(vec![Root::open(&fixture.root(), false).unwrap()]);
    let files = Files::new(config(roots, None)).unwrap();
    let answer = alive("glob", || glob(&files, &json!({ "pattern": "**/*.txt" })).unwrap());
    assert_eq!(
        (&answer["total"], answer["paths"].as_array().unwrap().len()),
        (&json!(10_000), 100)
    );
    assert_eq!(answer.get("stopped"), None);
}

#[test]
fn hostile_patterns_end() {
    let fixture = Fixture::new();
    fixture.file(&format!("{}f", "a/".repeat(60)), "").file(&format!("{}b", "a".repeat(200)), "");
    let files = fixture.files();
    for pattern in
        ["*a".repeat(500), "**/".repeat(300), "{".repeat(1000), "{a,".repeat(300), "[".repeat(900)]
    {
        let _ = alive("a hostile glob", || glob(&files, &json!({ "pattern": pattern })));
    }
}
