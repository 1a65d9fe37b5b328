//! The directories that tools work in, opened once and shared.

use std::path::Path;
use std::sync::Arc;

use handrail_files::{Root, Roots};
use napi_derive::napi;

use crate::code::{Result, error};
use crate::engine::{NativeEngine, lock};

/// An allowed directory.
#[napi(object)]
pub struct NativeRoot {
    /// Its path; absolute.
    pub path: String,
    /// Whether agents may change files in it.
    pub writable: bool,
    /// Whether it may be the root of the file system.
    pub allow_filesystem_root: Option<bool>,
    /// A second path of it, which commands find in their view of the file system. Only where they have one; the machine has
    /// nothing at its first name.
    pub shown_as: Option<String>,
    /// Whether refusals do not name it as a place to work in.
    pub unnamed: Option<bool>,
}

/// The directories that tools work in.
#[napi]
pub struct NativeRoots {
    roots: Arc<Roots>,
}

#[napi]
impl NativeRoots {
    /// Opens the directories; null means any. Fails when one cannot be used.
    #[napi(constructor, catch_unwind)]
    pub fn new(roots: Option<Vec<NativeRoot>>) -> Result<Self> {
        let roots = match roots {
            None => Roots::Unrestricted,
            Some(roots) => Roots::Only(roots.iter().map(open_root).collect::<Result<_>>()?),
        };
        Ok(NativeRoots { roots: Arc::new(roots) })
    }

    /// What commands find at an absolute path, by its path on this machine.
    #[napi(catch_unwind)]
    pub fn real_path(&self, path: String) -> String {
        self.roots.real_path(Path::new(&path)).to_string_lossy().into_owned()
    }

    /// The paths of the directories that a layer gets folders for, in the order of its numbers.
    #[napi(catch_unwind)]
    pub fn of_layer(&self) -> Vec<String> {
        let paths = self.roots.of_layer().into_iter();
        paths.map(|path| path.to_string_lossy().into_owned()).collect()
    }

    /// The same directories as the programs of an engine with a layer find them.
    #[napi(catch_unwind)]
    pub fn in_layer(&self, engine: &NativeEngine) -> Result<NativeRoots> {
        let shared = engine.shared();
        let roots = self.roots.in_layer(lock(&shared).layered());
        let roots = roots.map_err(|e| error("ERR_SYSTEM", &format!("a root of a layer: {e}")))?;
        Ok(NativeRoots { roots: Arc::new(roots) })
    }

    /// Closes the directories. Runners and file tools that were made with them keep them open until they are closed.
    #[napi(catch_unwind)]
    pub fn close(&mut self) {
        self.roots = Arc::new(Roots::Only(Vec::new()));
    }
}

impl NativeRoots {
    pub(crate) fn shared(&self) -> Arc<Roots> {
        Arc::clone(&self.roots)
    }
}

fn open_root(root: &NativeRoot) -> Result<Root> {
    let open = if root.allow_filesystem_root == Some(true) { Root::open_any } else { Root::open };
    let shown = |opened: Root| match &root.shown_as {
        Some(shown_as) => opened.shown_at(Path::new(shown_as)),
        None => Ok(opened),
    };
    let named = |opened: Root| if root.unnamed == Some(true) { opened.unnamed() } else { opened };
    open(Path::new(&root.path), root.writable)
        .and_then(shown)
        .map(named)
        .map_err(|e| error("ERR_INVALID_ARGUMENT", &format!("root {}: {e}", root.path)))
}
