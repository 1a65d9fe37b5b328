//! Tests of the whole crate, in one program.

mod support;

mod answers;
mod ends;
mod limits;
mod marks;
mod readiness;
mod secrets;
mod splits;
