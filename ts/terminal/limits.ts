/**
 * Every bound of a terminal in one place. Those a caller can change are the defaults of options;
 * the others say why they are fixed.
 */

/** Time a command gets unless it is told otherwise, in milliseconds: two minutes. */
export const DEFAULT_TIMEOUT_MS = 120_000;

/** Shortest time a command can be given. */
export const MIN_TIMEOUT_MS = 1;

/** Longest time a command can be given, in milliseconds: 24 hours. */
export const MAX_TIMEOUT_MS = 86_400_000;

/** Time between the polite and the final signal at a deadline or an abort, in milliseconds. */
export const DEFAULT_GRACE_MS = 2_000;

/** Longest grace, in milliseconds: one minute. A run ends by its deadline plus this. */
export const MAX_GRACE_MS = 60_000;

/** Kept from the beginning of an output, in bytes: 30 % of 64 KiB. */
export const DEFAULT_HEAD_BYTES = 19_660;

/** Kept from the end of an output, in bytes: 70 % of 64 KiB. */
export const DEFAULT_TAIL_BYTES = 45_876;

/** Most that can be kept from either end, in bytes: 64 MiB. It is held in memory and becomes one string. */
export const MAX_KEPT_BYTES = 64 * 1_024 * 1_024;

/** Size of the file that takes what does not fit into head and tail, in bytes: 16 MiB. */
export const DEFAULT_SPILL_BYTES = 16 * 1_024 * 1_024;

/** Largest spill file, in bytes: 1 GiB. */
export const MAX_SPILL_BYTES = 1_024 * 1_024 * 1_024;

/** What the spill files of one terminal, or of one toolkit, take together, in bytes: 256 MiB. */
export const DEFAULT_SPILL_TOTAL_BYTES = 256 * 1_024 * 1_024;

/** Most that spill files may be given together, in bytes: 64 GiB. */
export const MAX_SPILL_TOTAL_BYTES = 64 * 1_024 * 1_024 * 1_024;

/** Most that can be given to a command on its standard input, in bytes: 16 MiB. */
export const MAX_STDIN_BYTES = 16 * 1_024 * 1_024;

/** Most commands of one terminal, or of one toolkit, that run at the same time; others wait. */
export const MAX_WORKERS = 64;

/** Most sessions of one toolkit at the same time, unless `limits.sessions` says otherwise; one more is refused. */
export const DEFAULT_MAX_SESSIONS = 16;

/** Most services (servers that tools talk to) of one toolkit at the same time, unless `limits.services` says otherwise. */
export const DEFAULT_MAX_SERVICES = 16;

/** Most of either that can be asked for. */
export const MAX_LIVE_PROGRAMS = 256;

/**
 * Commands started in one turn of the event loop; the others wait for the next turn, so that a
 * burst never holds the host's loop for long. On a slow machine `MAX_START_MS_PER_TURN` ends a turn
 * before that.
 */
export const MAX_STARTS_PER_TURN = 32;

/** Time starts take in one turn before the others wait, in milliseconds; one start is never interrupted. */
export const MAX_START_MS_PER_TURN = 2;

/** Most entries of `allow`, `deny`, `roots`, `path` and `trustInterpreters`, each. */
export const MAX_LIST_ENTRIES = 1_000;

/** Most arguments one rule can name. */
export const MAX_RULE_ARGUMENTS = 64;

/** Most variables a host can set or let through, each. */
export const MAX_ENVIRONMENT_ENTRIES = 512;

/** Smallest character budget for the texts of a result. */
export const MIN_OUTPUT_CHARS = 1;

/** Folders that programs are searched in first, in this order; the same that commands see in PATH. */
export const SYSTEM_PATH: readonly string[] = ['/usr/local/bin', '/usr/bin', '/bin'];
