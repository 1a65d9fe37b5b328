//! How a command is run.

use std::path::PathBuf;
use std::time::Duration;

use handrail_process::{Call, Input, LayerFolder, SpillFolder};
use napi::bindgen_prelude::Uint8Array;
use napi_derive::napi;

use crate::runner::milliseconds;

/// How a command is run.
#[expect(clippy::struct_excessive_bools, reason = "each is an option of the caller")]
#[napi(object, object_to_js = false)]
pub struct NativeCall {
    /// Working directory; absolute.
    pub cwd: String,
    /// Limit of the whole run, in milliseconds.
    pub timeout_ms: f64,
    /// The standard input; empty when absent.
    pub stdin: Option<Uint8Array>,
    /// Whether the standard input is a pipe, which `write` and `endInput` of the engine serve.
    pub piped: bool,
    /// Whether both outputs share one pipe.
    pub merge: bool,
    /// Whether the output is also sent as events.
    pub stream: bool,
    /// Whether somebody approved a command that the policy asks about.
    pub approved: bool,
    /// Whether it counts among the jobs.
    pub job: bool,
    /// The folder of its caller for output that does not fit its result.
    pub spill: Option<NativeSpillFolder>,
    /// The layer in which it writes, of its own.
    pub layer: Option<NativeLayerFolder>,
}

/// A layer for one program.
#[napi(object)]
pub struct NativeLayerFolder {
    /// The path of its folder; absolute.
    pub folder: String,
    /// The paths of the roots that it lies over, in the order of their numbers.
    pub roots: Vec<String>,
}

impl NativeLayerFolder {
    pub(crate) fn read(self) -> LayerFolder {
        let roots = self.roots.into_iter().map(PathBuf::from).collect();
        LayerFolder { path: PathBuf::from(self.folder), roots }
    }
}

/// A folder for output that did not fit into results of one caller.
#[napi(object)]
pub struct NativeSpillFolder {
    /// Its name in the state directory.
    pub name: String,
    /// Whether the caller's commands see it.
    pub shown: bool,
}

impl NativeSpillFolder {
    pub(crate) fn read(self) -> SpillFolder {
        SpillFolder { name: self.name, is_shown: self.shown }
    }
}

impl NativeCall {
    /// The call as the engine takes it.
    pub(crate) fn read(self, grace: Duration) -> Call {
        Call {
            directory: Some(PathBuf::from(self.cwd)),
            timeout: milliseconds(self.timeout_ms),
            grace,
            stdin: match self.stdin {
                Some(input) => Input::Bytes(input.to_vec()),
                None if self.piped => Input::Pipe,
                None => Input::Null,
            },
            merge: self.merge,
            stream: self.stream,
            approved: self.approved,
            is_job: self.job,
            spill: self.spill.map(NativeSpillFolder::read),
            layer: self.layer.map(NativeLayerFolder::read),
        }
    }
}
