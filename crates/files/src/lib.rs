//! Directories held open, and paths resolved beneath them.
//!
//! A [`Root`] is opened once; what is reached through it is resolved by the kernel from that
//! descriptor (`openat2` with `RESOLVE_BENEATH`), so a path is never checked as a string and opened
//! afterwards. Only Linux has that: elsewhere a root has a name, and opening is refused.

mod answer;
mod files;
mod refusal;
mod request;
#[cfg(target_os = "linux")]
mod root;
mod roots;
#[cfg(any(test, not(target_os = "linux")))]
pub mod unsupported;
mod write_block;

pub use answer::{EditAnswer, Entry, ListAnswer, ReadAnswer, Replaced, WriteAnswer};
pub use files::{DEFAULT_MAX_READ_BYTES, Files, FilesConfig, Resolution};
pub use refusal::{Refusal, code};
pub use request::{
    Edit, EditRequest, HardLinks, ListRequest, Overwrite, ReadRequest, Text, WriteRequest,
};
#[cfg(target_os = "linux")]
pub use root::{Root, open_directory};
pub use roots::{DirectoryRefusal, Roots};
#[cfg(not(target_os = "linux"))]
pub use unsupported::{Root, open_directory};
pub use write_block::is_write_blocked;
