//! `fuzz [libFuzzer's arguments]`, with the check's name in `HANDRAIL_FUZZ`.
#![no_main]

use std::sync::LazyLock;

use libfuzzer_sys::fuzz_target;

static CHECK: LazyLock<handrail_fuzz::Check> = LazyLock::new(|| {
    let name = std::env::var("HANDRAIL_FUZZ").unwrap_or_default();
    handrail_fuzz::check_named(&name).expect("HANDRAIL_FUZZ names a check")
});

fuzz_target!(|input: &[u8]| CHECK(input));
