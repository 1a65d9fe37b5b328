/**
 * How long a test waits for an expected event. A wait ends as soon as the event occurs, so a long limit costs nothing: it only ends
 * tests that hang, and leaves room for a machine that is ten times slower or stops for ten seconds. Speed is measured by bench/
 * and the soak runs; no test compares times.
 */
export const LIVENESS_MS = 120_000;
