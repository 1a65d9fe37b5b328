//! The configuration of the file tools.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use handrail_policy::paths::PathRulesConfig;
use handrail_redact::Redactor;

use crate::roots::Roots;

/// Largest file that is read unless the host says otherwise.
pub const DEFAULT_MAX_READ_BYTES: u64 = 10 << 20;

/// Configuration of the file tools by a host.
#[expect(clippy::struct_excessive_bools, reason = "each is an option of the host")]
#[derive(Debug)]
pub struct FilesConfig {
    /// The directories that the tools work in.
    pub roots: Arc<Roots>,
    /// The rules about protected places; the roots are added to them.
    pub rules: PathRulesConfig,
    /// Masks secrets.
    pub redactor: Redactor,
    /// Whether random values that were masked in a file are masked everywhere by this redactor from then on.
    pub learn_secrets: bool,
    /// Absolute path where relative paths start; the first root by default.
    pub base: Option<PathBuf>,
    /// What happens to a file with several names when it is changed.
    pub hard_links: HardLinks,
    /// Whether files that even their owner may not write to are changed.
    pub replace_read_only: bool,
    /// Whether files that cannot be replaced are overwritten, which is not one step.
    pub in_place: bool,
    /// Whether a new content is on the disk before it gets its name.
    pub sync: bool,
    /// Largest file that is read.
    pub max_read_bytes: u64,
    /// Where what changes replace is kept; `None` for nowhere.
    pub journal: Option<JournalConfig>,
}

/// Where what changes replace is kept, and how long.
#[derive(Clone, Debug)]
pub struct JournalConfig {
    /// Absolute path of a folder that only this user may use; made where it is missing.
    pub folder: PathBuf,
    /// Tells the calls of this host from those of others.
    pub owner: String,
    /// Most bytes of all contents together; the oldest call goes first.
    pub max_bytes: u64,
    /// How long a call is kept.
    pub max_age: Duration,
}

/// What happens to a file with several names when it is changed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum HardLinks {
    /// The change is refused.
    #[default]
    Refuse,
    /// The changed name gets a file of its own, and the other names keep the old file.
    Break,
}
