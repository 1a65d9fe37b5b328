//! Layers that a real overlay wrote: mounted in a namespace of its own, as an ordinary user may.

use std::fs;
use std::os::unix::fs::{DirBuilderExt, MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use handrail_files::{Files, FilesConfig, JournalConfig, Refusal};
use serde_json::{Value, json};

use crate::access::skipped;
use crate::fixture::{Fixture, ask};

pub(crate) const MAX_BYTES: u64 = 64 << 20;

/// What a tree looks like: every entry with its kind, mode, time and target, and every content.
const SNAPSHOT: &str =
    "find . -printf '%P|%y|%m|%T@|%l\\n' | sort; find . -type f -exec cksum {} + | sort -k3";

/// A root, and a layer over it.
pub(crate) struct Layered {
    pub(crate) fixture: Fixture,
    pub(crate) layer: PathBuf,
    pub(crate) files: Files,
    /// Where the journal and the layer are, when not in the fixture.
    pub(crate) state: PathBuf,
}

/// Whether this user may mount an overlay here.
pub(crate) fn has_overlays() -> bool {
    static COUNT: AtomicUsize = AtomicUsize::new(0);
    let number = COUNT.fetch_add(1, Ordering::Relaxed);
    let name = format!("handrail-overlay-{}-{number}", std::process::id());
    let base = std::env::temp_dir().join(name);
    let tried = ["l", "u", "w", "m"].iter().all(|name| fs::create_dir_all(base.join(name)).is_ok());
    let script = "mount -t overlay overlay -o lowerdir=l,upperdir=u,workdir=w,userxattr m";
    let mut mounted = Command::new("unshare");
    mounted.args(["-Urm", "sh", "-c", script]).current_dir(&base);
    let works = tried && mounted.output().is_ok_and(|output| output.status.success());
    let _ = fs::remove_dir_all(&base);
    if !works {
        skipped("no overlay in a namespace here");
    }
    works
}

impl Layered {
    /// `prepare` is a script that makes the tree of the root.
    pub(crate) fn new(prepare: &str) -> Layered {
        let fixture = Fixture::new();
        let state = fixture.base.join("state");
        Layered::with_state(fixture, state, prepare, MAX_BYTES)
    }

    pub(crate) fn with_state(
        fixture: Fixture,
        state: PathBuf,
        prepare: &str,
        max_bytes: u64,
    ) -> Layered {
        sh(prepare, &fixture.root());
        let files = Files::new(config(&fixture, &state, max_bytes)).unwrap();
        let layer = state.join("layers/one");
        let layered = Layered { fixture, layer, files, state };
        layered.begin();
        layered
    }

    pub(crate) fn begin(&self) {
        let mut builder = fs::DirBuilder::new();
        builder.recursive(true).mode(0o700);
        for name in ["upper", "work"] {
            builder.create(self.layer.join("0").join(name)).unwrap();
        }
        fs::create_dir_all(self.state.join("merged")).unwrap();
        let mode = fs::metadata(self.fixture.root()).unwrap().mode();
        fs::set_permissions(self.layer.join("0/upper"), fs::Permissions::from_mode(mode)).unwrap();
        let owner = json!({ "pid": std::process::id(), "start": 0 });
        let as_root = format!("touch -r {} upper", self.fixture.root().display());
        sh(&as_root, &self.layer.join("0"));
        let text = json!({ "version": 1, "owner": owner, "roots": [self.fixture.root()] });
        fs::write(self.layer.join("layer.json"), text.to_string()).unwrap();
        self.tick();
    }

    /// Has the layer begin now: whatever was changed before is older.
    pub(crate) fn tick(&self) {
        let begun = self.layer.join("begun");
        let touch = || {
            fs::write(&begun, "").unwrap();
            fs::set_permissions(&begun, fs::Permissions::from_mode(0o600)).unwrap();
            let found = fs::metadata(&begun).unwrap();
            (found.ctime(), found.ctime_nsec())
        };
        let first = touch();
        while touch() == first {
            std::thread::sleep(Duration::from_micros(200));
        }
    }

    /// Runs a script in the layer. What the tree looks like there afterwards.
    pub(crate) fn run(&self, script: &str) -> String {
        let options = "userxattr,index=off,metacopy=off";
        let mounted = format!(
            "mount -t overlay overlay -o lowerdir={},upperdir={layer}/0/upper,workdir={layer}/0/work,{options} {merged} && \
             cd {merged} || exit 1\n( {script}\n)\n{SNAPSHOT}",
            self.fixture.root().display(),
            layer = self.layer.display(),
            merged = self.state.join("merged").display(),
        );
        let mut command = Command::new("unshare");
        let output = command.args(["-Urm", "sh", "-c", &mounted]).output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).unwrap()
    }

    pub(crate) fn changes(&self) -> Value {
        let request = json!({ "layer": self.layer });
        ask(&request, |request| self.files.layer_changes(request)).unwrap()
    }

    pub(crate) fn commit(&self, options: &Value) -> Result<Value, Refusal> {
        let mut request = json!({ "layer": self.layer });
        for (name, value) in options.as_object().unwrap() {
            request[name] = value.clone();
        }
        ask(&request, |request| self.files.layer_commit(request))
    }

    pub(crate) fn undo(&self) -> Result<Value, Refusal> {
        ask(&json!({}), |request| self.files.undo(request))
    }

    /// What the tree of the root looks like.
    pub(crate) fn snapshot(&self) -> String {
        sh(SNAPSHOT, &self.fixture.root())
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.fixture.path(name)
    }
}

impl Drop for Layered {
    fn drop(&mut self) {
        // Nobody may look into what an overlay works with, but its owner may remove it.
        let request = json!({ "layer": self.layer });
        let dropped = ask(&request, |request| self.files.layer_discard(request));
        assert!(dropped.is_ok() || std::thread::panicking(), "{dropped:?}");
    }
}

pub(crate) fn config(fixture: &Fixture, state: &Path, max_bytes: u64) -> FilesConfig {
    FilesConfig {
        journal: Some(JournalConfig {
            folder: state.join("changes"),
            owner: "one".into(),
            max_bytes,
            max_age: Duration::from_secs(3600),
        }),
        ..fixture.config()
    }
}

/// Runs a script in a folder; what it prints.
pub(crate) fn sh(script: &str, folder: &Path) -> String {
    let output: Output =
        Command::new("sh").args(["-c", script]).current_dir(folder).output().unwrap();
    String::from_utf8(output.stdout).unwrap()
}
