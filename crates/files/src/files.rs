//! The file tools of one host.

use std::path::PathBuf;
use std::sync::Arc;

use handrail_policy::paths::{PathRulesConfig, UnknownRule};
use handrail_redact::Redactor;

use crate::answer::{EditAnswer, ListAnswer, ReadAnswer, WriteAnswer};
use crate::refusal::{Refusal, code};
use crate::request::{EditRequest, HardLinks, ListRequest, ReadRequest, WriteRequest};
use crate::roots::Roots;

/// Largest file that is read unless the host says otherwise.
pub const DEFAULT_MAX_READ_BYTES: u64 = 10 << 20;

/// How names become files.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Resolution {
    /// By the kernel where it can, component by component where it cannot.
    #[default]
    Kernel,
    /// Component by component, as on kernels before 5.6.
    Walk,
}

/// What a host decided, once.
#[derive(Debug)]
pub struct FilesConfig {
    /// Where the tools work.
    pub roots: Arc<Roots>,
    /// What is protected there; the roots are added.
    pub rules: PathRulesConfig,
    /// Masks secrets.
    pub redactor: Redactor,
    /// Where relative paths start, absolute; the first root by default.
    pub base: Option<PathBuf>,
    /// What happens to a file with several names when it is changed.
    pub hard_links: HardLinks,
    /// Larger files are not read.
    pub max_read_bytes: u64,
    /// How names become files.
    pub resolution: Resolution,
}

/// The file tools.
#[derive(Debug)]
pub struct Files {
    config: FilesConfig,
}

impl Files {
    /// Looks up which files are protected under any name.
    pub fn new(config: FilesConfig) -> Result<Files, UnknownRule> {
        Ok(Files { config })
    }

    /// Lines of a file.
    pub fn read(&self, _request: &ReadRequest) -> Result<ReadAnswer, Refusal> {
        let _ = &self.config;
        Err(Refusal::new(code::NOT_SUPPORTED, "not yet"))
    }

    /// Makes a file or replaces its content.
    pub fn write(&self, _request: &WriteRequest) -> Result<WriteAnswer, Refusal> {
        Err(Refusal::new(code::NOT_SUPPORTED, "not yet"))
    }

    /// Replaces parts of a file.
    pub fn edit(&self, _request: &EditRequest) -> Result<EditAnswer, Refusal> {
        Err(Refusal::new(code::NOT_SUPPORTED, "not yet"))
    }

    /// Entries of a directory.
    pub fn list(&self, _request: &ListRequest) -> Result<ListAnswer, Refusal> {
        Err(Refusal::new(code::NOT_SUPPORTED, "not yet"))
    }
}
