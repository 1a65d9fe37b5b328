use super::{MEMORY_KILLS, REFUSED_PROCESSES, counter};

#[test]
fn counters_are_read_by_their_whole_name() {
    let events = "max 7\noom 1\noom_kill 2\n";
    assert_eq!(counter(events, MEMORY_KILLS), 2);
    assert_eq!(counter(events, REFUSED_PROCESSES), 7);
    assert_eq!(counter("oom_kill_disable 0\nunder_oom 0\noom_kill 5\n", MEMORY_KILLS), 5);
    assert_eq!(counter("", MEMORY_KILLS), 0);
}
