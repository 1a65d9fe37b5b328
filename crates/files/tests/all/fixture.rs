//! Directories of their own for each test, and tools on them.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use handrail_files::request::Request;
use handrail_files::{DEFAULT_MAX_READ_BYTES, Files, FilesConfig, HardLinks, Refusal, Root, Roots};
use handrail_policy::paths::PathRulesConfig;
use handrail_redact::{Options, Redactor};
use serde::Serialize;
use serde_json::Value;

/// `ws` is the root, `outside` holds `secret.txt`, `home` is the home folder. Removed in the end.
pub(crate) struct Fixture {
    pub(crate) base: PathBuf,
}

impl Fixture {
    pub(crate) fn new() -> Fixture {
        static COUNT: AtomicUsize = AtomicUsize::new(0);
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        let name = format!("handrail-files-{}-{number}", std::process::id());
        let base = fs::canonicalize(std::env::temp_dir()).unwrap().join(name);
        for folder in ["ws", "outside", "home"] {
            fs::create_dir_all(base.join(folder)).unwrap();
        }
        fs::write(base.join("outside/secret.txt"), "SECRET").unwrap();
        Fixture { base }
    }

    pub(crate) fn root(&self) -> PathBuf {
        self.base.join("ws")
    }

    pub(crate) fn path(&self, below_root: &str) -> PathBuf {
        self.root().join(below_root)
    }

    pub(crate) fn file(&self, below_root: &str, content: impl AsRef<[u8]>) -> &Fixture {
        let path = self.path(below_root);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, content).unwrap();
        self
    }

    pub(crate) fn bytes(&self, below_root: &str) -> Vec<u8> {
        fs::read(self.path(below_root)).unwrap()
    }

    pub(crate) fn text(&self, below_root: &str) -> String {
        String::from_utf8(self.bytes(below_root)).unwrap()
    }

    /// Writable, with the lists on.
    pub(crate) fn config(&self) -> FilesConfig {
        config(
            Roots::Only(vec![Root::open(&self.root(), true).unwrap()]),
            Some(&self.base.join("home")),
        )
    }

    pub(crate) fn files(&self) -> Files {
        Files::new(self.config()).unwrap()
    }

    /// Names in the root that are left of a change.
    pub(crate) fn temporary_files(&self) -> Vec<String> {
        let names = fs::read_dir(self.root()).unwrap().map(|entry| entry.unwrap().file_name());
        names
            .map(|name| name.to_string_lossy().into_owned())
            .filter(|name| name.starts_with(".handrail-"))
            .collect()
    }
}

impl Drop for Fixture {
    fn drop(&mut self) {
        fs::remove_dir_all(&self.base).unwrap();
    }
}

/// One for all tests: its rules are compiled once.
fn redactor() -> Redactor {
    static REDACTOR: OnceLock<Redactor> = OnceLock::new();
    REDACTOR.get_or_init(|| Redactor::new(Options::default()).unwrap()).clone()
}

pub(crate) fn config(roots: Roots, home: Option<&Path>) -> FilesConfig {
    FilesConfig {
        roots: Arc::new(roots),
        rules: PathRulesConfig {
            home: home.map(|home| home.to_str().unwrap().to_owned()),
            write: true,
            read: true,
            ..PathRulesConfig::default()
        },
        redactor: redactor(),
        base: None,
        hard_links: HardLinks::Refuse,
        // The redactor is shared; learned.rs is about it.
        learn_secrets: false,
        replace_read_only: false,
        in_place: false,
        // Of thousands of changes; test/tools/power-cut.test.ts is about it.
        sync: false,
        max_read_bytes: DEFAULT_MAX_READ_BYTES,
        journal: None,
    }
}

/// How often a row does what it does: hundredths of the full count.
pub(crate) fn rounds(full: u32) -> u32 {
    let hundredths = std::env::var("HANDRAIL_SOAK").ok().and_then(|text| text.parse().ok());
    full / 100 * hundredths.unwrap_or(1)
}

/// What a call that may hang gets: a hundred times the second that it may take, for a machine that stands still for a while.
const LIVENESS: Duration = Duration::from_secs(100);

/// Calls `act`, and ends all tests when it hangs: nothing else could.
pub(crate) fn alive<T>(what: &str, act: impl FnOnce() -> T) -> T {
    let (done, over) = channel::<()>();
    let what = what.to_owned();
    let watch = std::thread::spawn(move || {
        if over.recv_timeout(LIVENESS) == Err(RecvTimeoutError::Timeout) {
            let _ = writeln!(std::io::stderr(), "{what} hangs");
            std::process::abort();
        }
    });
    let result = act();
    drop(done);
    watch.join().unwrap();
    result
}

/// What a tool says to a request, as JSON as the binding gives it.
pub(crate) fn ask<Asked: Request, Answer: Serialize>(
    request: &Value,
    tool: impl FnOnce(&Asked) -> Result<Answer, Refusal>,
) -> Result<Value, Refusal> {
    ask_text(&request.to_string(), tool)
}

pub(crate) fn ask_text<Asked: Request, Answer: Serialize>(
    request: &str,
    tool: impl FnOnce(&Asked) -> Result<Answer, Refusal>,
) -> Result<Value, Refusal> {
    tool(&Asked::parse(request).unwrap()).map(|answer| serde_json::to_value(answer).unwrap())
}
