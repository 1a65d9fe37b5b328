//! Lets the linker leave Node's own symbols unresolved.
fn main() {
    napi_build::setup();
}
