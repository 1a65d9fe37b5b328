//! The file tools as a class.
//!
//! Requests and answers are JSON, since one string costs a fraction of what dozens of properties cost; their keys are the
//! camelCase fields of `crates/files/src/{linux/request,linux/answer,refusal}.rs`, and `ts/files/answers.ts` has the types of
//! the last two. An answer is one of
//!
//! - `{ "ok": true, ...answer }`,
//! - `{ "ok": false, "refusal": { code, message, reason, rule?, hint?, lines?, suggestions?, edit? } }`,
//! - `{ "ok": false, "error": { code, message, name } }` for a wrong argument, which is a mistake of the program, or a bug.
//!
//! Files are opened and read on a thread of the pool, never on JavaScript's.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use handrail_files::{Files, FilesConfig, HardLinks};
use handrail_policy::paths::{DotenvReads, PathRulesConfig};
use napi::bindgen_prelude::AsyncTask;
use napi::{Env, Task};
use napi_derive::napi;

use crate::code::{Result, error};
use crate::redactor::NativeRedactor;
use crate::roots::NativeRoots;

/// What a host decided, once.
#[expect(clippy::struct_excessive_bools, reason = "each is an option of the host")]
#[napi(object)]
pub struct NativeFilesConfig {
    /// The user's home folder, absolute.
    pub home: Option<String>,
    /// Where relative paths start, absolute; the first root by default.
    pub cwd: Option<String>,
    /// Whether the list of places that are not read holds.
    pub read_rules: bool,
    /// Whether the list of places that are not written to holds.
    pub write_rules: bool,
    /// `block` or `mask`.
    #[napi(ts_type = "'block' | 'mask'")]
    pub dotenv_reads: String,
    /// Ids of rules that do not hold.
    pub lifted: Vec<String>,
    /// Further places that are neither read nor written, absolute.
    pub protected_paths: Vec<String>,
    /// `refuse` or `break`.
    #[napi(ts_type = "'refuse' | 'break'")]
    pub hard_links: String,
    /// Whether files that nobody may write to are changed.
    pub replace_read_only: bool,
    /// Whether what can only be changed in place is.
    pub in_place: bool,
    /// Whether a change is on the disk before it has its name.
    pub sync: bool,
    /// Larger files are not read.
    pub max_read_bytes: f64,
}

/// The file tools.
#[napi]
pub struct NativeFiles {
    /// Until they are closed.
    files: Option<Arc<Files>>,
}

#[napi]
impl NativeFiles {
    /// Fails for a value or a rule that does not exist.
    #[napi(constructor, catch_unwind)]
    pub fn new(
        roots: &NativeRoots,
        redactor: &NativeRedactor,
        config: NativeFilesConfig,
    ) -> Result<Self> {
        let dotenv_reads = match config.dotenv_reads.as_str() {
            "block" => DotenvReads::Block,
            "mask" => DotenvReads::Mask,
            other => return Err(unknown("dotenvReads", other)),
        };
        let hard_links = match config.hard_links.as_str() {
            "refuse" => HardLinks::Refuse,
            "break" => HardLinks::Break,
            other => return Err(unknown("hardLinks", other)),
        };
        let rules = PathRulesConfig {
            home: config.home,
            write: config.write_rules,
            read: config.read_rules,
            dotenv_reads,
            lifted: config.lifted,
            roots: Vec::new(),
            protected: config.protected_paths,
        };
        let files = Files::new(FilesConfig {
            roots: roots.shared(),
            rules,
            redactor: redactor.shared(),
            base: config.cwd.map(PathBuf::from),
            hard_links,
            replace_read_only: config.replace_read_only,
            in_place: config.in_place,
            sync: config.sync,
            max_read_bytes: config.max_read_bytes as u64,
        })
        .map_err(|e| error("ERR_INVALID_ARGUMENT", &e))?;
        Ok(NativeFiles { files: Some(Arc::new(files)) })
    }

    /// Does what `operation` names, to a request and with an answer in JSON.
    #[napi(catch_unwind, ts_return_type = "Promise<string>")]
    pub fn call(&self, operation: String, request: String) -> Result<AsyncTask<FileCall>> {
        let Some(files) = &self.files else {
            return Err(error("ERR_CLOSED", &"These file tools were closed"));
        };
        Ok(AsyncTask::new(FileCall { files: Arc::clone(files), operation, request }))
    }

    /// Gives the directories back when the calls at work are done.
    #[napi(catch_unwind)]
    pub fn close(&mut self) {
        self.files = None;
    }
}

/// Whether a path is protected outside of any root.
#[napi(catch_unwind)]
pub fn is_write_blocked(path: String, data_dir: String, workspace: Option<String>) -> bool {
    let workspace = workspace.as_deref().map(Path::new);
    handrail_files::is_write_blocked(&path, Path::new(&data_dir), workspace)
}

/// One call, for a thread of the pool.
pub struct FileCall {
    files: Arc<Files>,
    operation: String,
    request: String,
}

impl Task for FileCall {
    type Output = String;
    type JsValue = String;

    fn compute(&mut self) -> napi::Result<String> {
        let call = || self.files.call(&self.operation, &self.request);
        Ok(match catch_unwind(AssertUnwindSafe(call)) {
            Ok(answer) => answer.unwrap_or_else(|wrong| {
                mistake("ERR_INVALID_ARGUMENT", &wrong.message, &wrong.name)
            }),
            Err(panic) => mistake("ERR_INTERNAL", &text_of(&*panic), ""),
        })
    }

    fn resolve(&mut self, _env: Env, answer: String) -> napi::Result<String> {
        Ok(answer)
    }
}

/// The answer to a call with a wrong argument, whose name this is, or to one that met a bug.
fn mistake(code: &str, message: &str, name: &str) -> String {
    let error = serde_json::json!({ "code": code, "message": message, "name": name });
    serde_json::json!({ "ok": false, "error": error }).to_string()
}

fn text_of(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<String>().map(String::as_str);
    text.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("panic").to_owned()
}

fn unknown(option: &str, value: &str) -> napi::Error<crate::code::Code> {
    error("ERR_INVALID_ARGUMENT", &format!("{option}: {value:?} is none of its values"))
}
