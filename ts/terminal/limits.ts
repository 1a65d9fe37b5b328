/**
 * Every bound of a terminal in one place. Callers can change those that are defaults of options.
 */

/** Default time limit of a command, in milliseconds: two minutes. */
export const DEFAULT_TIMEOUT_MS = 120_000;

/** Shortest time limit of a command, in milliseconds. */
export const MIN_TIMEOUT_MS = 1;

/** Longest time limit of a command, in milliseconds: 24 hours. */
export const MAX_TIMEOUT_MS = 86_400_000;

/** Time between SIGTERM and SIGKILL at a deadline or an abort, in milliseconds. */
export const DEFAULT_GRACE_MS = 2_000;

/** Longest grace, in milliseconds: one minute. A run ends by its deadline plus this. */
export const MAX_GRACE_MS = 60_000;

/** Bytes kept from the beginning of an output: 30 % of 64 KiB. */
export const DEFAULT_HEAD_BYTES = 19_660;

/** Bytes kept from the end of an output: 70 % of 64 KiB. */
export const DEFAULT_TAIL_BYTES = 45_876;

/** Most bytes that can be kept from either end: 64 MiB. They are held in memory and become one string. */
export const MAX_KEPT_BYTES = 64 * 1_024 * 1_024;

/** Size limit of the file with an output that does not fit into head and tail, in bytes: 16 MiB. */
export const DEFAULT_SPILL_BYTES = 16 * 1_024 * 1_024;

/** Largest spill file, in bytes: 1 GiB. */
export const MAX_SPILL_BYTES = 1_024 * 1_024 * 1_024;

/** Total size of the spill files of one terminal, or of one toolkit, in bytes: 256 MiB. */
export const DEFAULT_SPILL_TOTAL_BYTES = 256 * 1_024 * 1_024;

/** Largest total size of spill files that can be asked for, in bytes: 64 GiB. */
export const MAX_SPILL_TOTAL_BYTES = 64 * 1_024 * 1_024 * 1_024;

/** Most bytes of a standard input that is given as a whole: 16 MiB. */
export const MAX_STDIN_BYTES = 16 * 1_024 * 1_024;

/** Most commands of one terminal, or of one toolkit, that run at the same time; others wait. */
export const MAX_WORKERS = 64;

/** Most sessions of one toolkit at the same time, unless `limits.sessions` says otherwise; one more is refused. */
export const DEFAULT_MAX_SESSIONS = 16;

/** Most services (servers that tools talk to) of one toolkit at the same time, unless `limits.services` says otherwise. */
export const DEFAULT_MAX_SERVICES = 16;

/** Most jobs of one toolkit at the same time, unless `limits.jobs` says otherwise; one more is refused. */
export const DEFAULT_MAX_JOBS = 16;

/** Most sessions, most services, and most jobs, that can be asked for. */
export const MAX_LIVE_PROGRAMS = 1_000;

/**
 * Commands started in one turn of the event loop; the others wait for the next turn, so that a
 * burst never holds the host's loop for long. On a slow machine `MAX_START_MS_PER_TURN` ends a turn
 * before that.
 */
export const MAX_STARTS_PER_TURN = 32;

/** Time that starts may take in one turn before further starts wait, in milliseconds. One start is never interrupted. */
export const MAX_START_MS_PER_TURN = 2;

/** Most entries of each of `allow`, `deny`, `ask`, `roots`, `path` and `trustInterpreters`. */
export const MAX_LIST_ENTRIES = 1_000;

/** Most entries of `confine.network.allow`. */
export const MAX_ALLOWED_HOSTS = 1_024;

/** Time for an answer about a host, in milliseconds. */
export const HOST_ANSWER_MS = 120_000;

/** Most arguments one rule can name. */
export const MAX_RULE_ARGUMENTS = 64;

/** Most variables that a host can set, and most that it can let through. */
export const MAX_ENVIRONMENT_ENTRIES = 512;

/** Smallest character budget for the texts of a result. */
export const MIN_OUTPUT_CHARS = 1;

/** Folders in which programs are searched first, in this order. Commands see the same ones in `PATH`. */
export const SYSTEM_PATH: readonly string[] = ['/usr/local/bin', '/usr/bin', '/bin'];
