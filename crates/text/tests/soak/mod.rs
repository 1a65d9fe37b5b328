//! How long the soak tests run.

/// How often a soak test repeats, in hundredths of its full count.
#[expect(clippy::disallowed_methods, reason = "how long to test is the runner's choice")]
pub(crate) fn soak() -> u32 {
    std::env::var("HANDRAIL_SOAK").ok().and_then(|factor| factor.parse().ok()).unwrap_or(1)
}
