//! Which places are read and written: roots and their modes, protected names and files, listings.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;

use handrail_files::{Files, FilesConfig, HardLinks, Refusal, Root, Roots, code, is_write_blocked};
use handrail_policy::paths::DotenvReads;
use serde_json::{Value, json};

use crate::fixture::{Fixture, ask, config};
use crate::patching::envelope;

fn read(files: &Files, path: &str) -> Result<Value, Refusal> {
    ask(&json!({ "path": path }), |request| files.read(request))
}

pub(crate) fn write(files: &Files, path: &str) -> Result<Value, Refusal> {
    let request = json!({ "path": path, "content": "new\n", "overwrite": "always" });
    ask(&request, |request| files.write(request))
}

fn list(files: &Files, request: &Value) -> Result<Value, Refusal> {
    ask(request, |request| files.list(request))
}

pub(crate) fn with_config(fixture: &Fixture, change: impl Fn(&mut FilesConfig)) -> Files {
    let mut config = fixture.config();
    change(&mut config);
    Files::new(config).unwrap()
}

#[test]
fn the_innermost_root_decides_whether_something_is_written() {
    let fixture = Fixture::new();
    fixture.file("fixed/open/f", "a\n").file("f", "b\n");
    symlink("fixed/open", fixture.path("to-open")).unwrap();
    symlink(fixture.path("fixed"), fixture.path("to-fixed")).unwrap();
    let root = |path: &str, writable| Root::open(&fixture.path(path), writable).unwrap();
    let roots = vec![root("", true), root("fixed", false), root("fixed/open", true)];
    let config = config(Roots::Only(roots), None);
    let files = Files::new(config).unwrap();
    for path in ["f", "fixed/open/f", "to-open/f", "to-fixed/open/f"] {
        write(&files, path).unwrap_or_else(|why| panic!("{path}: {why}"));
    }
    for path in ["fixed/f", "to-fixed/f", "fixed/new/f", "to-open/../f"] {
        assert_eq!(write(&files, path).unwrap_err().code, code::READ_ONLY_ROOT, "{path}");
    }
}

#[test]
fn outside_of_the_roots_the_answer_does_not_say_what_is_there() {
    let fixture = Fixture::new();
    symlink(fixture.base.join("outside"), fixture.path("dl")).unwrap();
    let files = with_config(&fixture, |_| ());
    for (present, absent) in
        [("../outside/secret.txt", "../outside/missing.txt"), ("dl/secret.txt", "dl/missing.txt")]
    {
        let say = |path: &str| {
            let refusal = read(&files, path).unwrap_err();
            (refusal.code, refusal.to_string().replace(path, "PATH"))
        };
        assert_eq!(say(present), say(absent));
        assert_eq!(say(present).0, code::OUTSIDE_ROOT);
    }
}

#[test]
fn a_secret_is_recognised_under_any_name() {
    let fixture = Fixture::new();
    let key = fixture.base.join("home/.ssh/id_ed25519");
    fs::create_dir_all(key.parent().unwrap()).unwrap();
    fs::write(&key, "KEY").unwrap();
    fs::hard_link(&key, fixture.path("notes")).unwrap();
    let files = with_config(&fixture, |_| ());
    assert_eq!(read(&files, "notes").unwrap_err().code, code::BLOCKED_READ);
    let edit = json!({ "path": "notes", "edits": [{ "old": "KEY", "new": "x" }] });
    assert_eq!(ask(&edit, |request| files.edit(request)).unwrap_err().code, code::BLOCKED_READ);
    let listed = list(&files, &json!({ "path": "." })).unwrap();
    assert_eq!(listed["entries"][0]["size"], Value::Null, "the size of a secret");
    let files =
        with_config(&fixture, |config| config.rules.lifted = vec!["secrets.credentials".into()]);
    assert_eq!(read(&files, "notes").unwrap()["text"], "KEY");
}

#[test]
fn a_place_of_the_host_is_recognised_under_any_name() {
    let fixture = Fixture::new();
    let config = fixture.base.join("config.toml");
    fs::write(&config, "mine").unwrap();
    fs::hard_link(&config, fixture.path("notes")).unwrap();
    let protect =
        |files: &mut FilesConfig| files.rules.protected = vec![config.to_str().unwrap().to_owned()];
    let files = with_config(&fixture, protect);
    assert_eq!(read(&files, "notes").unwrap_err().rule, Some("host.protected"));
}

#[test]
fn hosts_lift_rules_and_add_places() {
    let fixture = Fixture::new();
    fixture.file(".env", "password=hunter2secret\n").file("data/db", "x").file(".git/config", "x");
    let files = with_config(&fixture, |_| ());
    assert_eq!(read(&files, ".env").unwrap_err().rule, Some("secrets.dotenv"));
    assert_eq!(write(&files, ".git/config").unwrap_err().rule, Some("git.metadata"));
    assert_eq!(read(&files, "data/db").unwrap()["text"], "x");
    let lifted = |config: &mut FilesConfig| {
        config.rules.dotenv_reads = DotenvReads::Mask;
        config.rules.lifted = vec!["git.metadata".into()];
        config.rules.protected = vec![fixture.path("data").to_str().unwrap().to_owned()];
    };
    let files = with_config(&fixture, lifted);
    assert_eq!(read(&files, ".env").unwrap()["text"], "password=[REDACTED]\n");
    write(&files, ".git/config").unwrap();
    assert_eq!(read(&files, "data/db").unwrap_err().rule, Some("host.protected"));
    assert_eq!(write(&files, "data/new").unwrap_err().code, code::BLOCKED_WRITE);
    let mut config = fixture.config();
    config.rules.lifted = vec!["git.metadata".into(), "no.such".into()];
    assert_eq!(Files::new(config).unwrap_err().index, 1);
}

/// What nobody may look at is not to be destroyed either.
#[test]
fn a_file_that_may_not_be_read_is_not_replaced() {
    let fixture = Fixture::new();
    let home = fixture.base.join("home");
    fs::create_dir(home.join(".aws")).unwrap();
    fs::write(home.join(".aws/credentials"), "mine").unwrap();
    fixture.file(".env", "A=1\n").file("plain", "plain\n").file("server.key", "key\n");
    symlink(".env", fixture.path("link")).unwrap();
    symlink("plain", fixture.path(".env.local")).unwrap();
    fs::hard_link(home.join(".aws/credentials"), fixture.path("settings")).unwrap();
    let known = |files: &Files, path: &str| {
        ask(&json!({ "path": path, "content": "new\n" }), |request| files.write(request))
    };
    let files = with_config(&fixture, |config| config.hard_links = HardLinks::Break);
    for (path, rule) in [
        (".env", "secrets.dotenv"),
        ("link", "secrets.dotenv"),
        (".env.local", "secrets.dotenv"),
        ("server.key", "secrets.key"),
        ("settings", "secrets.credentials"),
    ] {
        for refusal in [write(&files, path).unwrap_err(), known(&files, path).unwrap_err()] {
            let said = (refusal.code, refusal.rule);
            assert_eq!(said, (code::BLOCKED_WRITE, Some(rule)), "{path}: {refusal}");
            assert!(refusal.hint.unwrap().contains("may not be read"), "{path}");
        }
    }
    assert_eq!((fixture.text(".env"), fixture.text("plain")), ("A=1\n".into(), "plain\n".into()));
    assert_eq!(fs::read(home.join(".aws/credentials")).unwrap(), b"mine");
    // A new one is made; one that is shown with masks, or whose rule is lifted, is replaced.
    write(&fixture.files(), "sub/.env").unwrap();
    let files = with_config(&fixture, |config| config.rules.dotenv_reads = DotenvReads::Mask);
    write(&files, ".env").unwrap();
    let files = with_config(&fixture, |config| config.rules.lifted = vec!["secrets.key".into()]);
    write(&files, "server.key").unwrap();
}

#[test]
fn a_repository_under_another_name_is_protected_too() {
    let fixture = Fixture::new();
    fixture.file("sub/.git", "gitdir: ../store\n").file("sub/f", "");
    fixture.file("bare/HEAD", "").file("bare/refs/x", "").file("bare/objects/x", "");
    fixture.file("almost/refs/x", "").file("almost/HEAD", "");
    let files = with_config(&fixture, |_| ());
    for path in ["bare/hooks/pre-commit", "bare/config", "almost/objects/x"] {
        assert_eq!(write(&files, path).unwrap_err().rule, Some("git.metadata"), "{path}");
    }
    for path in ["sub/f", "almost/other", "free"] {
        write(&files, path).unwrap_or_else(|why| panic!("{path}: {why}"));
    }
}

/// Runs git in a folder as a command would; whether it ran the planted program.
fn git_runs_what_was_planted(fixture: &Fixture, folder: &str) -> bool {
    let marker = fixture.path("ran");
    let git = std::process::Command::new("git")
        .args(["status", "--short"])
        .current_dir(fixture.path(folder))
        .env("GIT_CONFIG_NOSYSTEM", "1")
        .env("HOME", fixture.base.join("home"))
        .output()
        .unwrap();
    let ran = marker.exists();
    assert!(ran || !git.status.success(), "{}", String::from_utf8_lossy(&git.stderr));
    ran
}

/// What is judged is the tree that a patch leaves: its files make a repository together, or with what is there.
#[test]
fn a_patch_plants_no_repository() {
    let entries = [
        ("HEAD", "ref: refs/heads/main"),
        ("objects/x", "x"),
        ("refs/heads/x", "x"),
        (
            "config",
            "[core]\n+\trepositoryformatversion = 0\n+\tworktree = .\n+\tfsmonitor = \"touch ../ran; false\"",
        ),
    ];
    let add = |folder: &str, (name, text): &(&str, &str)| {
        format!("*** Add File: {folder}/{name}\n+{text}\n")
    };
    let all: String = entries.iter().map(|entry| add("lib", entry)).collect();
    let moved =
        "*** Update File: kept/head\n*** Move to: kept/HEAD\n*** Add File: kept/objects/x\n+x\n";
    let swapped = "*** Delete File: bare/HEAD\n*** Update File: bare/config\n@@\n-x\n+y\n";
    let fixture = Fixture::new();
    fixture.file("kept/head", "x\n").file("kept/refs/x", "");
    fixture.file("bare/HEAD", "x\n").file("bare/refs/x", "").file("bare/objects/x", "");
    fixture.file("bare/config", "x\n");
    let folded = all.replace("lib/HEAD", "lib/Head").replace("lib/refs", "LIB/Refs");
    let files = with_config(&fixture, |_| ());
    for body in [&all, moved, swapped, &folded] {
        let request = json!({ "patch": envelope(body), "overwrite": "always" });
        let refusal = ask(&request, |request| files.patch(request)).unwrap_err();
        assert_eq!((refusal.code, refusal.rule), (code::BLOCKED_WRITE, Some("git.metadata")));
    }
    assert!(!fixture.path("lib").exists());
    // What makes none, together with what is there, is written.
    let body = format!(
        "{}{}{}*** Delete File: part/HEAD\n",
        add("part", &entries[1]),
        add("part", &entries[2]),
        add("other", &entries[0])
    );
    fixture.file("part/HEAD", "x\n");
    let request = json!({ "patch": envelope(&body), "overwrite": "always" });
    ask(&request, |request| files.patch(request)).unwrap();
    for folder in ["part", "other"] {
        fs::remove_dir_all(fixture.path(folder)).unwrap();
    }
    // Without the rule the same patch lands, and git runs what it says.
    let mut config = fixture.config();
    config.rules.lifted = vec!["git.metadata".into()];
    let files = Files::new(config).unwrap();
    ask(&json!({ "patch": envelope(&all) }), |request| files.patch(request)).unwrap();
    assert!(git_runs_what_was_planted(&fixture, "lib"));
}

#[test]
fn home_is_what_a_tilde_means() {
    let fixture = Fixture::new();
    fs::write(fixture.base.join("home/f"), "mine\n").unwrap();
    let roots = vec![Root::open(&fixture.base.join("home"), true).unwrap()];
    let files = Files::new(config(Roots::Only(roots), Some(&fixture.base.join("home")))).unwrap();
    assert_eq!(read(&files, "~/f").unwrap()["text"], "mine\n");
    assert_eq!(read(&files, "~/.ssh/id_rsa").unwrap_err().code, code::BLOCKED_READ);
    assert_eq!(read(&fixture.files(), "~/f").unwrap_err().code, code::OUTSIDE_ROOT);
}

#[test]
fn names_that_are_too_long_are_no_paths() {
    let fixture = Fixture::new();
    let files = with_config(&fixture, |_| ());
    for (name, code) in [
        ("a".repeat(255), code::NOT_FOUND),
        ("a".repeat(256), code::INVALID_PATH),
        (format!("{}b", "a/".repeat(2047)), code::NOT_FOUND),
        (format!("{}b", "a/".repeat(2048)), code::INVALID_PATH),
    ] {
        assert_eq!(read(&files, &name).unwrap_err().code, code, "{} bytes", name.len());
    }
    for name in ["a\nb", "a\u{1b}b", "a\u{202e}b"] {
        assert_eq!(write(&files, name).unwrap_err().code, code::INVALID_PATH);
    }
}

#[test]
fn what_does_not_exist_is_said_with_what_is_like_it() {
    let fixture = Fixture::new();
    fixture
        .file("src/app.ts", "")
        .file("src/api.ts", "")
        .file("src/.env.ts", "")
        .file("cafe\u{301}.txt", "");
    fixture.file("shot 2.40\u{202f}PM.png", "");
    let files = with_config(&fixture, |_| ());
    let close = |path: &str| read(&files, path).unwrap_err().suggestions.into_vec();
    assert_eq!(close("src/ap.ts"), ["src/api.ts", "src/app.ts"]);
    assert_eq!(close("caf\u{e9}.txt"), ["cafe\u{301}.txt"]);
    assert_eq!(close("shot 2.40 PM.png"), ["shot 2.40\u{202f}PM.png"]);
    assert_eq!(close("scr/app.ts"), ["src"]);
    assert_eq!(close("nothing/like/it"), Vec::<String>::new());
}

#[test]
fn a_listing_says_what_things_are() {
    let fixture = Fixture::new();
    fixture.file("b/inner/deep", "12345").file("a", "12").file(".env", "secret").file("B", "");
    crate::corpus::fifo(&fixture.path("pipe"));
    let _socket = std::os::unix::net::UnixListener::bind(fixture.path("sock")).unwrap();
    symlink("a", fixture.path("in")).unwrap();
    symlink("missing", fixture.path("nowhere")).unwrap();
    symlink("../outside/secret.txt", fixture.path("out")).unwrap();
    let files = with_config(&fixture, |_| ());
    let answer = list(&files, &json!({ "path": "." })).unwrap();
    let expected = json!([
        { "name": ".env", "type": "file" },
        { "name": "B", "type": "file", "size": 0 },
        { "name": "a", "type": "file", "size": 2 },
        { "name": "b", "type": "dir" },
        { "name": "in", "type": "symlink", "target": "inside" },
        { "name": "nowhere", "type": "symlink", "target": "inside" },
        { "name": "out", "type": "symlink", "target": "outside" },
        { "name": "pipe", "type": "fifo" },
        { "name": "sock", "type": "socket" },
    ]);
    assert_eq!(answer["entries"], expected);
    assert_eq!((&answer["total"], &answer["truncated"]), (&json!(9), &json!(false)));
    let deep = list(&files, &json!({ "path": "b", "depth": 3 })).unwrap();
    let names = json!([{ "name": "inner", "type": "dir" }, { "name": "inner/deep", "type": "file", "size": 5 }]);
    assert_eq!(deep["entries"], names);
    let cut = list(&files, &json!({ "path": ".", "limit": 2 })).unwrap();
    assert_eq!((cut["entries"].as_array().unwrap().len(), &cut["total"]), (2, &json!(9)));
    assert_eq!(cut["truncated"], true);
    for (path, code) in
        [("a", code::NOT_A_DIRECTORY), ("x", code::NOT_FOUND), ("out", code::OUTSIDE_ROOT)]
    {
        assert_eq!(list(&files, &json!({ "path": path })).unwrap_err().code, code, "{path}");
    }
}

#[test]
fn masks_in_listed_names_are_counted() {
    let fixture = Fixture::new();
    fixture.file("a", "").file("token=s3cretvalue123", "").file("d/password=hunter2secret", "");
    let files = with_config(&fixture, |_| ());
    for (request, masks) in [
        (json!({ "path": "." }), 1),
        (json!({ "path": ".", "depth": 2 }), 2),
        (json!({ "path": ".", "depth": 2, "limit": 2 }), 0),
        (json!({ "path": "d" }), 1),
    ] {
        let answer = list(&files, &request).unwrap();
        assert_eq!(answer["redactions"], masks, "{answer}");
        assert_eq!(answer.to_string().matches("[REDACTED]").count(), masks, "{answer}");
    }
}

/// E.4 of the seeds' faults: a link, or a name that does not exist yet, hid the place.
#[test]
fn the_block_list_follows_links_and_names_that_do_not_exist_yet() {
    let fixture = Fixture::new();
    let data = &fixture.base;
    fs::create_dir_all(data.join("data")).unwrap();
    symlink(data.join("data"), fixture.path("link")).unwrap();
    symlink("/etc", fixture.path("etclink")).unwrap();
    symlink("/etc/not-there-yet", fixture.path("dangling")).unwrap();
    symlink(fixture.path("loop"), fixture.path("loop")).unwrap();
    let root = fixture.root();
    let blocked = |path: &str| is_write_blocked(path, data, Some(&root));
    let at = |path: &Path| path.to_str().unwrap().to_owned();
    for path in [
        "link/memory.db-journal",
        "link/deeper/new.db",
        "etclink/cron.d/x",
        "etclink/ld.so.preload",
        "dangling",
        "loop",
        "../data/memory.db",
        "../config.toml",
        "x/../../data/y",
        "/etc/passwd",
        "/tmp/../etc/newfile",
        "/usr/local/bin/ls",
        "/lib/systemd/system/x.service",
        "/var/spool/cron/x",
        "/run/systemd/system/x",
        "/ETC/passwd",
        ".git/hooks/pre-commit",
        ".bashrc",
        "",
        "a\0b",
    ] {
        assert!(blocked(path), "{path}");
    }
    for path in [
        "a.txt",
        "deep/er/a.txt",
        "../other.txt",
        "/tmp/x",
        &at(&data.join("memory.txt")),
        "etcetera/x",
    ] {
        assert!(!blocked(path), "{path}");
    }
    assert!(is_write_blocked("relative", data, None));
    assert!(!is_write_blocked(&at(&fixture.path("a.txt")), data, None));
}

/// The way up from a root is that of its canonical path, so it meets no link before it comes to another root.
#[test]
fn the_way_up_from_a_root_leads_into_another_one_and_nowhere_else() {
    let fixture = Fixture::new();
    fixture.file("one/f", "1\n").file("two/f", "2\n").file("three/f", "3\n");
    fixture.file("deep/four/f", "4\n");
    symlink("../two/f", fixture.path("one/linked")).unwrap();
    symlink(fixture.path("three"), fixture.path("one/out")).unwrap();
    symlink("../three/f", fixture.path("one/link-out")).unwrap();
    symlink(fixture.path("two"), fixture.path("alias")).unwrap();
    let root = |path: &str, writable| Root::open(&fixture.path(path), writable).unwrap();
    let roots = vec![root("one", true), root("two", false), root("deep/four", true)];
    let files = Files::new(config(Roots::Only(roots), None)).unwrap();
    for (path, text) in [
        ("../two/f", "2\n"),
        ("../one/../two/f", "2\n"),
        ("../deep/four/f", "4\n"),
        ("../deep/four/../../two/f", "2\n"),
        ("linked", "2\n"),
        ("../two/../one/f", "1\n"),
    ] {
        let found = read(&files, path).unwrap_or_else(|refusal| panic!("{path}: {refusal}"));
        assert_eq!(found["text"], text, "{path}");
    }
    for path in [
        "../three/f",
        "out/f",
        "out/../two/f",
        "link-out",
        "../alias/f",
        "../deep/../two/f",
        "../f",
    ] {
        let refusal = read(&files, path).unwrap_err();
        assert_eq!(refusal.code, code::OUTSIDE_ROOT, "{path}");
        let is_link = refusal.message.contains("by a link");
        assert_eq!(is_link, ["out/f", "out/../two/f", "link-out"].contains(&path), "{refusal}");
    }
    assert_eq!(write(&files, "../two/new").unwrap_err().code, code::READ_ONLY_ROOT);
    assert!(write(&files, "../deep/four/new").is_ok());
}

#[test]
fn a_root_that_is_no_place_to_work_in_is_used_and_not_named() {
    let fixture = Fixture::new();
    fixture.file("work/f", "1\n").file("caches/f", "2\n");
    let root = |path: &str| Root::open(&fixture.path(path), true).unwrap();
    let roots = vec![root("work"), root("caches").unnamed()];
    let files = Files::new(config(Roots::Only(roots), None)).unwrap();
    assert!(read(&files, "../caches/f").is_ok());
    let refusal = read(&files, "/etc/passwd").unwrap_err();
    let hint = refusal.hint.unwrap_or_default();
    assert!(hint.contains("work (read and write). Only"), "{hint}");
}
