//! Files read and changed beneath directories that are held open.
//!
//! A path is resolved from a root's descriptor to a handle (`resolve`), and the tools take nothing but handles: what was
//! judged is what is opened, whatever is exchanged meanwhile. Names are judged by the tables of the policy, contents go
//! through the redactor, and a mask that is written back becomes the secret that had it (`restore`).
//!
//! Only Linux has the calls that this rests on: elsewhere a root has a name, and nothing is opened.

mod answer;
mod refusal;
mod request;
mod roots;
mod write_block;

#[cfg(target_os = "linux")]
mod directory;
#[cfg(target_os = "linux")]
mod edit;
#[cfg(target_os = "linux")]
mod files;
#[cfg(target_os = "linux")]
mod glob;
#[cfg(target_os = "linux")]
mod grep;
#[cfg(target_os = "linux")]
mod ignore_rules;
#[cfg(target_os = "linux")]
mod judge;
#[cfg(target_os = "linux")]
mod ledger;
#[cfg(target_os = "linux")]
mod line_diff;
#[cfg(target_os = "linux")]
mod line_pattern;
#[cfg(target_os = "linux")]
mod list;
#[cfg(target_os = "linux")]
mod patch;
#[cfg(target_os = "linux")]
mod path;
#[cfg(target_os = "linux")]
mod path_pattern;
#[cfg(target_os = "linux")]
mod publish;
#[cfg(target_os = "linux")]
mod read;
#[cfg(target_os = "linux")]
mod resolve;
#[cfg(target_os = "linux")]
mod restore;
#[cfg(target_os = "linux")]
mod root;
#[cfg(target_os = "linux")]
mod suggest;
#[cfg(all(test, target_os = "linux"))]
mod testing;
#[cfg(target_os = "linux")]
mod text;
#[cfg(any(test, not(target_os = "linux")))]
pub mod unsupported;
#[cfg(target_os = "linux")]
mod view;
#[cfg(target_os = "linux")]
mod walk;
#[cfg(target_os = "linux")]
mod write;

pub use answer::{
    EditAnswer, Entry, GlobAnswer, GrepAnswer, GrepFile, GrepLine, LeftOut, ListAnswer,
    PatchAnswer, PatchOperation, PatchedFile, ReadAnswer, Replaced, Skipped, Stopped, WriteAnswer,
};
#[cfg(target_os = "linux")]
pub use files::{DEFAULT_MAX_READ_BYTES, Files, FilesConfig};
pub use refusal::{Refusal, code};
pub use request::{
    Edit, EditRequest, GlobRequest, GrepMode, GrepRequest, HardLinks, ListRequest, Overwrite,
    PatchRequest, ReadRequest, Text, WriteRequest,
};
#[cfg(target_os = "linux")]
pub use resolve::Resolution;
#[cfg(target_os = "linux")]
pub use root::{Root, open_directory};
pub use roots::{DirectoryRefusal, Roots};
#[cfg(not(target_os = "linux"))]
pub use unsupported::{
    DEFAULT_MAX_READ_BYTES, Files, FilesConfig, Resolution, Root, open_directory,
};
pub use write_block::is_write_blocked;
