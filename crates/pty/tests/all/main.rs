//! Tests of the whole crate, in one program.

mod support;

mod answers;
mod ends;
mod learned;
mod limits;
mod marks;
mod onlookers;
mod queries;
mod readiness;
mod screens;
mod secrets;
mod splits;
