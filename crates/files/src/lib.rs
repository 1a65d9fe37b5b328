//! Reads and changes files below directories that are kept open, the roots.
//!
//! A path is resolved from a root's descriptor to a handle (`linux::resolve`), and the tools open files only by handles: the
//! file that was judged is the file that is opened, whatever is exchanged meanwhile. Names are judged by the tables of the
//! policy, contents go through the redactor, and a mask that is written back becomes the secret that it stands for
//! (`linux::restore`).
//!
//! Only Linux has the system calls for that. Elsewhere a root is a path that commands are judged by, and no file is opened.

mod config;
mod refusal;
mod root;
mod roots;
mod write_block;

#[cfg(target_os = "linux")]
mod linux;
#[cfg(any(test, not(target_os = "linux")))]
pub mod unsupported;

#[cfg(target_os = "linux")]
use linux as platform;
#[cfg(not(target_os = "linux"))]
use unsupported as platform;

pub use config::{DEFAULT_MAX_READ_BYTES, FilesConfig, HardLinks, JournalConfig};
#[cfg(target_os = "linux")]
pub use linux::{OPERATIONS, answer, request};
pub use platform::{Files, open_directory};
pub use refusal::{Answer, Refusal, WrongArgument, code};
pub use root::{MAX_SHOWN_PATH_BYTES, Root};
pub use roots::{DirectoryRefusal, Roots};
pub use write_block::is_write_blocked;
