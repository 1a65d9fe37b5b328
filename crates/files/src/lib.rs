//! Directories held open, and paths resolved beneath them.
//!
//! A [`Root`] is opened once; what is reached through it is resolved by the kernel from that
//! descriptor (`openat2` with `RESOLVE_BENEATH`), so a path is never checked as a string and opened
//! afterwards.

mod root;
mod roots;

pub use root::{Root, open_directory};
pub use roots::{Refusal, Roots};
