//! The rows of `test/corpus/paths.json` that read, write, edit, patch, list and search.

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::Path;

use handrail_files::request::{ReadRequest, Request as _};
use handrail_files::{Files, HardLinks, OPERATIONS, Refusal, Root, Roots};
use handrail_policy::paths::{PathRules, PathRulesConfig};
use serde_json::{Value, json};

use crate::fixture::{Fixture, alive, ask_text, config};
use crate::undoing::journal;

const CORPUS: &str = include_str!("../../../../test/corpus/paths.json");
/// Half a surrogate pair, which `serde_json` takes only as bytes.
const HALF: &str = "\\ud800";
const HALF_NAME: &str = "$HALF";

/// Operations that the file tools need not have: rows of those that they have are run.
const LATER: &[&str] = &["stat", "delete", "mkdir", "copy", "touch"];
/// A patch moves no link.
const NO_PATCH: &[&str] = &["move-05"];
/// Rows with a test of their own: they need something to happen meanwhile (`races.rs`, `src/edit/tests.rs`).
const ELSEWHERE: &[&str] = &["race-01", "race-02", "race-03", "race-04", "race-06", "race-08"];
/// A path that is no string is refused by the schema of the request.
const NOT_A_STRING: &[&str] = &["inval-04"];

#[test]
fn every_row_has_its_decision_code_and_after_state() {
    let corpus: Value = serde_json::from_str(&CORPUS.replace(HALF, HALF_NAME)).unwrap();
    let (mut run, mut later) = (0, 0);
    let mut wrong = Vec::new();
    for case in corpus["cases"].as_array().unwrap() {
        let id = case["id"].as_str().unwrap();
        let platforms = case["platforms"].as_array().unwrap();
        if !platforms.iter().any(|platform| platform == "any" || platform == "linux")
            || ELSEWHERE.contains(&id)
        {
            continue;
        }
        let op = case["op"].as_str().unwrap();
        let is_later = LATER.contains(&op) && !OPERATIONS.contains(&op);
        if is_later || NO_PATCH.contains(&id) {
            later += 1;
            continue;
        }
        let row = Row { id, case, fixture: Fixture::new() };
        if let Err(why) = row.check() {
            wrong.push(format!("{id}: {why} ({})", case["title"]));
        }
        run += 1;
    }
    assert!(wrong.is_empty(), "{} of {run} rows:\n{}", wrong.len(), wrong.join("\n"));
    assert_eq!(run + later, ROWS, "rows that run, rows of operations that come later");
}

const ROWS: usize = 146;

struct Row<'c> {
    id: &'c str,
    case: &'c Value,
    fixture: Fixture,
}

impl Row<'_> {
    fn fill(&self, text: &str) -> String {
        let base = self.fixture.base.to_str().unwrap();
        text.replace("$ROOT2", &format!("{base}/lib"))
            .replace("$ROOT", &format!("{base}/ws"))
            .replace("$OUT", &format!("{base}/outside"))
            .replace("$HOME", &format!("{base}/home"))
            .replace("$BASE", base)
            .replace("$LONGREL4000", &format!("{}../outside", "./".repeat(1990)))
            .replace("$LONG5000", &format!("{}f", "a/".repeat(2500)))
    }

    fn check(&self) -> Result<(), String> {
        self.set_up();
        let before = fs::read(self.fixture.base.join("outside/secret.txt")).unwrap();
        let result = alive(self.id, || self.act());
        let expected = &self.case["expect"];
        let allowed = expected["decision"] == "allow";
        match (&result, allowed) {
            (Ok(_), true) => {}
            (Err(refusal), true) => return Err(format!("refused: {} {refusal}", refusal.code)),
            (Ok(answer), false) => return Err(format!("allowed: {answer}")),
            (Err(refusal), false) => {
                if expected["code"].as_str().is_some_and(|code| code != refusal.code) {
                    return Err(format!("refused as {}: {refusal}", refusal.code));
                }
            }
        }
        let then = self.case["then"].as_array().cloned().unwrap_or_default();
        for check in then {
            let check = self.fill(check.as_str().unwrap());
            if !self.holds(&check, &result, &before) {
                return Err(format!("not so: {check}"));
            }
        }
        let left = self.fixture.temporary_files();
        if left.is_empty() { Ok(()) } else { Err(format!("left behind: {left:?}")) }
    }

    fn set_up(&self) {
        for step in self.case["setup"].as_array().unwrap() {
            let words: Vec<String> = step
                .as_array()
                .unwrap()
                .iter()
                .map(|word| self.fill(word.as_str().unwrap()))
                .collect();
            let path = Path::new(&words[1]);
            let folder = path.parent().unwrap();
            fs::create_dir_all(folder).unwrap();
            match words[0].as_str() {
                "dir" => fs::create_dir_all(path).unwrap(),
                "dirs_of" => {}
                "file" => fs::write(path, &words[2]).unwrap(),
                "symlink" => symlink(&words[2], path).unwrap(),
                "hardlink" => fs::hard_link(&words[2], path).unwrap(),
                "fifo" => fifo(path),
                "socket" => drop(std::os::unix::net::UnixListener::bind(path).unwrap()),
                "chmod" => {
                    let mode = u32::from_str_radix(&words[2], 8).unwrap();
                    fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
                }
                "sparse" => {
                    let size = words[2].strip_suffix('T').unwrap().parse::<u64>().unwrap() << 40;
                    fs::File::create(path).unwrap().set_len(size).unwrap();
                }
                other => panic!("{}: unknown step {other}", self.id),
            }
        }
    }

    /// What somebody else does between a change and its undo.
    fn do_between(&self, step: &str) {
        match step.split(' ').collect::<Vec<_>>()[..] {
            ["delete", path] => fs::remove_file(path).unwrap(),
            ["hardlink", name, "->", file] => fs::hard_link(file, name).unwrap(),
            _ => panic!("{}: unknown step {step}", self.id),
        }
    }

    fn roots(&self) -> Result<Roots, std::io::Error> {
        let Some(roots) = self.case["roots"].as_array() else {
            return Ok(Roots::Only(vec![Root::open(&self.fixture.root(), true)?]));
        };
        let open = |root: &Value| {
            if let Some(path) = root.as_str() {
                return Root::open(Path::new(&self.fill(path)), true);
            }
            let path = self.fill(root["path"].as_str().unwrap());
            let open = if root["allowFsRoot"] == true { Root::open_any } else { Root::open };
            open(Path::new(&path), root["mode"] == "rw")
        };
        roots.iter().map(open).collect::<Result<_, _>>().map(Roots::Only)
    }

    fn act(&self) -> Result<Value, Refusal> {
        let op = self.case["op"].as_str().unwrap();
        if op == "judge" {
            return self.judge();
        }
        let roots = match (self.roots(), op) {
            (Err(_), "config") => return Err(refusal("invalid_root")),
            (Ok(roots), _) => roots,
            (Err(error), _) => panic!("{}: {error}", self.id),
        };
        let mut config = config(roots, Some(&self.fixture.base.join("home")));
        if self.case["policy"]["hardLinks"] == "break" {
            config.hard_links = HardLinks::Break;
        }
        if op == "undo" {
            config.journal = Some(journal(&self.fixture, "one", 1 << 20));
        }
        let files = Files::new(config).unwrap();
        if NOT_A_STRING.contains(&self.id) {
            let request = json!({ "path": self.case["path"] });
            assert!(ReadRequest::parse(&request.to_string()).is_err());
            return Err(refusal("invalid_path"));
        }
        let mut path = self.fill(self.case["path"].as_str().unwrap());
        // Rows of `/proc/self` mean whoever reads; the kernel answers for the thread.
        path = path.replace("$RUN", self.fixture.base.file_name().unwrap().to_str().unwrap());
        let arguments = &self.case["args"];
        let ask_with = |request: Value| request.to_string().replace(HALF_NAME, HALF);
        match op {
            "read" => ask_text(&ask_with(json!({ "path": path })), |request| files.read(request)),
            "list" => {
                let depth = if arguments["recursive"] == true { 10 } else { 1 };
                ask_text(&ask_with(json!({ "path": path, "depth": depth })), |request| {
                    files.list(request)
                })
            }
            "write" => {
                let content = arguments["content"].as_str().unwrap_or("new\n");
                let request = json!({ "path": path, "content": content, "overwrite": "always" });
                ask_text(&ask_with(request), |request| files.write(request))
            }
            "patch" | "move" => {
                let request = json!({ "patch": self.fill(&self.patch()) });
                ask_text(&request.to_string(), |request| files.patch(request))
            }
            "undo" => {
                let request = json!({ "path": path, "content": "new\n", "overwrite": "always" });
                ask_text(&ask_with(request), |request| files.write(request)).unwrap();
                for step in arguments["between"].as_array().unwrap() {
                    self.do_between(&self.fill(step.as_str().unwrap()));
                }
                ask_text("{}", |request| files.undo(request))
            }
            "glob" | "grep" => {
                let request = ask_with(json!({ "path": path, "pattern": arguments["pattern"] }));
                if op == "glob" {
                    ask_text(&request, |request| files.glob(request))
                } else {
                    ask_text(&request, |request| files.grep(request))
                }
            }
            other => {
                let answer = files.call(other, &ask_with(json!({ "path": path }))).unwrap();
                let answer: Value = serde_json::from_str(&answer).unwrap();
                match answer["refusal"]["code"].as_str() {
                    None => Ok(answer),
                    Some(code) => Err(refusal(code.to_owned().leak())),
                }
            }
        }
    }

    /// The patch that a row means.
    fn patch(&self) -> String {
        let arguments = &self.case["args"];
        let text = |key: &str| arguments[key].as_str();
        let moved = |from: &str, to: &str| format!("*** Update File: {from}\n*** Move to: {to}\n");
        let added = |path: &str| format!("*** Add File: {path}\n+new\n");
        let body = if let Some(to) = text("to") {
            moved(self.case["path"].as_str().unwrap(), to)
        } else if let Some(path) = text("adds") {
            added(path)
        } else if let Some(path) = text("delete") {
            format!("*** Delete File: {path}\n")
        } else if let (Some(from), Some(to)) = (text("update"), text("move_to")) {
            moved(from, to)
        } else {
            let steps = arguments["steps"].as_array().unwrap().iter();
            let steps: Vec<&str> = steps.map(|step| step.as_str().unwrap()).collect();
            if let Some((link, target)) =
                steps[0].strip_prefix("add link ").and_then(|rest| rest.split_once(" -> "))
            {
                let file = steps[1].strip_prefix("add file ").unwrap();
                return format!(
                    "diff --git a/{link} b/{link}\nnew file mode 120000\n--- /dev/null\n+++ b/{link}\n@@ -0,0 +1 @@\n\
                     +{target}\n\\ No newline at end of file\ndiff --git a/{file} b/{file}\nnew file mode 100644\n\
                     --- /dev/null\n+++ b/{file}\n@@ -0,0 +1 @@\n+new\n"
                );
            }
            // The row means two spellings of a file that is there.
            fs::create_dir_all(self.fixture.path("sub")).unwrap();
            let paths = steps.iter().map(|step| step.strip_prefix("update ").unwrap());
            let updated = |path| format!("*** Update File: {path}\n@@\n-hello\n+hallo\n");
            paths.map(updated).collect::<Vec<_>>().concat()
        };
        format!("*** Begin Patch\n{body}*** End Patch\n")
    }

    /// Only the rules: the roots need not exist.
    fn judge(&self) -> Result<Value, Refusal> {
        let roots = self.case["roots"].as_array().unwrap().iter();
        let roots = roots.map(|root| self.fill(root.as_str().unwrap())).collect();
        let rules =
            PathRulesConfig { write: true, read: true, roots, ..PathRulesConfig::default() };
        let rules = PathRules::new(rules).unwrap();
        match rules.judge_write(&self.fill(self.case["path"].as_str().unwrap())) {
            None => Ok(Value::Null),
            Some(_) => Err(refusal("blocked_write")),
        }
    }

    fn holds(&self, check: &str, result: &Result<Value, Refusal>, before: &[u8]) -> bool {
        let at = |path: &str| {
            if path.starts_with('/') { path.into() } else { self.fixture.path(path) }
        };
        let answer = result.as_ref().ok();
        if let Some(text) = check.strip_prefix("content_equals ") {
            return answer
                .is_some_and(|answer| answer["text"].as_str().unwrap().trim_end() == text);
        }
        if let Some(path) = check.strip_prefix("absent or unchanged: ") {
            let path = at(path);
            // Rows of the system's folders name files that are there or not, as the machine has them.
            return fs::read(&path).map_or(true, |content| content != b"new\n");
        }
        if let Some(path) = check.strip_prefix("absent ") {
            return fs::symlink_metadata(at(path)).is_err();
        }
        if let Some(path) = check.strip_prefix("exists ") {
            return at(path).exists();
        }
        if let Some(path) = check.strip_prefix("unchanged ") {
            let content = fs::read(at(path)).unwrap();
            return if path.ends_with("secret.txt") {
                content == before
            } else {
                content == b"# rc\n"
            };
        }
        if let Some(path) = check.strip_prefix("is_symlink ") {
            return at(path).is_symlink();
        }
        if let Some(path) = check.strip_prefix("is_dir ") {
            return at(path).is_dir();
        }
        if let Some((path, text)) =
            check.strip_prefix("text ").and_then(|rest| rest.split_once(" = "))
        {
            return fs::read_to_string(at(path)).unwrap().trim_end() == text;
        }
        if let Some(path) =
            check.strip_prefix("mode ").and_then(|rest| rest.strip_suffix(" = 666 & ~umask"))
        {
            let plain = self.fixture.path("made-by-the-test");
            fs::write(&plain, "").unwrap();
            let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode();
            return mode(&at(path)) == mode(&plain);
        }
        let names = || -> Vec<String> {
            let entries = answer.unwrap()["entries"].as_array().unwrap().iter();
            entries.map(|entry| entry["name"].as_str().unwrap().to_owned()).collect()
        };
        let only_file = || match answer.unwrap()["files"].as_array().unwrap().as_slice() {
            [file] => file["path"].as_str().map(str::to_owned),
            _ => None,
        };
        match check {
            "type symlink" => answer.unwrap()["type"] == "symlink",
            "target_class outside" => answer.unwrap()["target"] == "outside",
            "matches only a.txt" | "matches a.txt" => only_file().as_deref() == Some("a.txt"),
            "note: 1 protected file skipped" => answer.unwrap()["skipped"]["protected"] == 1,
            // `check` looks at the time of every row.
            "returns within 1000 ms" | "terminates" => true,
            "listing has 1 entry, newline shown escaped" => names() == ["a\\nfake.txt"],
            "a/self listed once" => {
                names().iter().filter(|name| name.ends_with("self")).count() == 1
            }
            "message lacks 'outside'" => !result.as_ref().unwrap_err().message.contains("outside"),
            other => panic!("{}: unknown check {other}", self.id),
        }
    }
}

fn refusal(code: &'static str) -> Refusal {
    Refusal {
        code,
        rule: None,
        message: Box::default(),
        reason: Box::default(),
        hint: None,
        lines: Box::default(),
        suggestions: Box::default(),
        edit: None,
    }
}

pub(crate) fn fifo(path: &Path) {
    let mode = rustix::fs::Mode::from_raw_mode(0o666);
    rustix::fs::mknodat(rustix::fs::CWD, path, rustix::fs::FileType::Fifo, mode, 0).unwrap();
}
