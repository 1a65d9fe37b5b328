//! What a host decides about the file tools, once.

use std::path::PathBuf;
use std::sync::Arc;

use handrail_policy::paths::PathRulesConfig;
use handrail_redact::Redactor;

use crate::roots::Roots;

/// Largest file that is read unless the host says otherwise.
pub const DEFAULT_MAX_READ_BYTES: u64 = 10 << 20;

/// What a host decided.
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
    /// Whether files that nobody may write to are changed.
    pub replace_read_only: bool,
    /// Whether what can only be changed in place is, which is not one step.
    pub in_place: bool,
    /// Whether a change is on the disk before it has its name.
    pub sync: bool,
    /// Larger files are not read.
    pub max_read_bytes: u64,
}

/// What happens to a file with several names when it is changed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum HardLinks {
    /// The change is refused.
    #[default]
    Refuse,
    /// This name gets a file of its own, the others keep the old one.
    Break,
}
