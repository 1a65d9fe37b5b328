//! A folder with an engine beneath it, for the tests of this crate that need its inside.

use std::fs;
use std::path::PathBuf;
use std::sync::Arc;

use handrail_policy::paths::PathRulesConfig;
use handrail_redact::{Options, Redactor};

use crate::config::{FilesConfig, HardLinks};
use crate::linux::files::Files;
use crate::root::Root;
use crate::roots::Roots;

/// Removed with all that is in it.
pub(crate) struct Folder(pub(crate) PathBuf);

impl Drop for Folder {
    fn drop(&mut self) {
        fs::remove_dir_all(&self.0).expect("a test can make it");
    }
}

impl Folder {
    /// `name` is that of the test.
    pub(crate) fn new(name: &str) -> Self {
        let folder = std::env::temp_dir().join(format!("handrail-{name}-{}", std::process::id()));
        fs::create_dir_all(&folder).expect("a test can make it");
        Self(folder)
    }

    pub(crate) fn file(&self, path: &str, content: &str) {
        let path = self.0.join(path);
        fs::create_dir_all(path.parent().expect("a test can make it")).expect("a test can make it");
        fs::write(path, content).expect("a test can make it");
    }

    pub(crate) fn files(&self) -> Files {
        Files::new(FilesConfig {
            roots: Arc::new(Roots::Only(vec![
                Root::open(&self.0, true).expect("a test can make it"),
            ])),
            rules: PathRulesConfig::default(),
            redactor: Redactor::new(Options::default()).expect("a test can make it"),
            learn_secrets: true,
            base: None,
            hard_links: HardLinks::Refuse,
            replace_read_only: false,
            in_place: false,
            sync: true,
            max_read_bytes: 1 << 20,
            journal: None,
        })
        .expect("a test can make it")
    }
}
