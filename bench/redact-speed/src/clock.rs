//! The CPU time of a thread, without the time that it waits for a processor.

use std::time::Duration;

use rustix::time::{ClockId, clock_gettime};

fn now() -> Duration {
    let time = clock_gettime(ClockId::ThreadCPUTime);
    let seconds = u64::try_from(time.tv_sec).unwrap_or_default();
    Duration::new(seconds, u32::try_from(time.tv_nsec).unwrap_or_default())
}

/// The median time of `runs` calls, after one call that warms up.
pub(crate) fn median(runs: usize, mut work: impl FnMut()) -> Duration {
    work();
    let mut times: Vec<Duration> = (0..runs.max(1))
        .map(|_| {
            let start = now();
            work();
            now().saturating_sub(start)
        })
        .collect();
    times.sort_unstable();
    times[times.len() / 2]
}

/// Millions of bytes per second.
pub(crate) fn speed(bytes: usize, time: Duration) -> f64 {
    let bytes = u32::try_from(bytes / 1_000).unwrap_or(u32::MAX);
    f64::from(bytes) / 1_000.0 / time.as_secs_f64().max(1e-9)
}
