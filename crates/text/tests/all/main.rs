//! Tests of the whole crate, in one program.

mod exact;
#[path = "../soak/mod.rs"]
mod soak;

mod bounder;
mod bounds;
mod cleaner;
mod excerpt;
mod painted;
mod screen;
mod splits;
mod strip;
mod token_estimate;
mod tokens;
