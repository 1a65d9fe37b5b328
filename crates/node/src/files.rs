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
use std::time::Duration;

use handrail_files::{Files, FilesConfig, HardLinks, JournalConfig};
use handrail_policy::paths::{DotenvReads, PathRulesConfig};
use napi::bindgen_prelude::AsyncTask;
use napi::{Env, Task};
use napi_derive::napi;

use crate::code::{Result, error};
use crate::redactor::NativeRedactor;
use crate::roots::NativeRoots;

/// What a host decides once for its file tools.
#[expect(clippy::struct_excessive_bools, reason = "each is an option of the host")]
#[napi(object)]
pub struct NativeFilesConfig {
    /// The user's home folder; absolute.
    pub home: Option<String>,
    /// The directory that relative paths start at, absolute; the first root by default.
    pub cwd: Option<String>,
    /// Whether protected places of the built-in list are not read.
    pub read_rules: bool,
    /// Whether protected places of the built-in list are not written to.
    pub write_rules: bool,
    /// Whether reads of `.env` files are refused (`block`) or masked (`mask`).
    #[napi(ts_type = "'block' | 'mask'")]
    pub dotenv_reads: String,
    /// Ids of rules that are switched off.
    pub lifted: Vec<String>,
    /// Further places that are neither read nor written to; absolute.
    pub protected_paths: Vec<String>,
    /// Whether random values that were masked in a file are masked everywhere by the redactor from then on.
    pub learn_secrets: bool,
    /// Whether a change of a file with several hard links is refused (`refuse`) or leaves the other links with the old content
    /// (`break`).
    #[napi(ts_type = "'refuse' | 'break'")]
    pub hard_links: String,
    /// Whether read-only files are changed.
    pub replace_read_only: bool,
    /// Whether files that can only be changed in place are changed.
    pub in_place: bool,
    /// Whether a change is synced to the disk before it gets the name of the file.
    pub sync: bool,
    /// The largest size, in bytes, of a file that is read.
    pub max_read_bytes: f64,
    /// Where what changes replace is kept. Undefined for nowhere.
    pub changes: Option<NativeChangesConfig>,
}

/// Where what changes replace is kept, and how long.
#[napi(object)]
pub struct NativeChangesConfig {
    /// Absolute path of a folder that only this user may use.
    pub folder: String,
    /// Tells the calls of these file tools from those of others.
    pub owner: String,
    /// Most bytes of all contents together.
    pub max_bytes: f64,
    /// How long a call is kept, in milliseconds.
    pub max_age_ms: f64,
}

/// The file tools.
#[napi]
pub struct NativeFiles {
    /// `None` after they were closed.
    files: Option<Arc<Files>>,
}

#[napi]
impl NativeFiles {
    /// Fails for an unknown value or an unknown rule.
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
            learn_secrets: config.learn_secrets,
            base: config.cwd.map(PathBuf::from),
            hard_links,
            replace_read_only: config.replace_read_only,
            in_place: config.in_place,
            sync: config.sync,
            max_read_bytes: config.max_read_bytes as u64,
            journal: config.changes.map(|changes| JournalConfig {
                folder: changes.folder.into(),
                owner: changes.owner,
                max_bytes: changes.max_bytes as u64,
                max_age: Duration::from_millis(changes.max_age_ms as u64),
            }),
        })
        .map_err(|e| error("ERR_INVALID_ARGUMENT", &e))?;
        Ok(NativeFiles { files: Some(Arc::new(files)) })
    }

    /// Performs the operation of this name. The request and the answer are JSON.
    #[napi(catch_unwind, ts_return_type = "Promise<string>")]
    pub fn call(&self, operation: String, request: String) -> Result<AsyncTask<FileCall>> {
        let Some(files) = &self.files else {
            return Err(error("ERR_CLOSED", &"These file tools were closed"));
        };
        Ok(AsyncTask::new(FileCall { files: Arc::clone(files), operation, request }))
    }

    /// Closes the directories, once the calls that are running have ended.
    #[napi(catch_unwind)]
    pub fn close(&mut self) {
        self.files = None;
    }
}

/// Whether a path outside all roots is protected from writes.
#[napi(catch_unwind)]
pub fn is_write_blocked(path: String, data_dir: String, workspace: Option<String>) -> bool {
    let workspace = workspace.as_deref().map(Path::new);
    handrail_files::is_write_blocked(&path, Path::new(&data_dir), workspace)
}

/// A call of an operation, for a thread of the pool.
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
