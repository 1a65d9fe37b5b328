//! The N-API binding of Handrail: one file per class or group of functions, and no logic.
//!
//! Every exported function catches panics, so that a bug of ours does not end the host.

#![expect(
    clippy::cast_precision_loss,
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    clippy::needless_pass_by_value,
    reason = "JavaScript has one kind of number, and napi hands values over"
)]

pub mod call;
pub mod code;
pub mod controlling_terminal;
pub mod engine;
pub mod files;
pub mod judgement;
pub mod live;
pub mod peer;
mod plan;
pub mod redactor;
mod result;
pub mod roots;
pub mod runner;
pub mod text;
mod units;
pub mod way_out;

use napi_derive::napi;

/// The release of this binding; the loader refuses any other.
#[napi]
pub fn version() -> String {
    env!("CARGO_PKG_VERSION").into()
}
