/**
 * How long a test waits for what has to come. Each wait ends as soon as it is there, so this costs nothing: it ends what
 * hangs, and is far above what a machine takes that is ten times slower or stands still for ten seconds. How fast
 * something is, bench/ and the soak runs say; no test compares times.
 */
export const LIVENESS_MS = 120_000;
