//! The N-API binding of Handrail: one file per thing that crosses, and no logic.
//!
//! Every exported function catches panics: a bug of ours must not take the host down.

mod code;
mod engine;
mod redactor;
mod result;
mod terminal;
mod text;
mod verdict;

use napi_derive::napi;

/// The release this binding belongs to; the loader refuses another one.
#[napi]
pub fn version() -> String {
    env!("CARGO_PKG_VERSION").into()
}
