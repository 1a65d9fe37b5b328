/**
 * Every bound of a terminal in one place. Those a caller can change are the defaults of options;
 * the others say why they are fixed.
 */

/** Time a command gets unless it is told otherwise. */
export const DEFAULT_TIMEOUT_MS = 120_000;

/** Shortest time a command can be given. */
export const MIN_TIMEOUT_MS = 1;

/** Longest time a command can be given: 24 hours. */
export const MAX_TIMEOUT_MS = 86_400_000;

/** Time between the polite and the final signal at a deadline or an abort. */
export const DEFAULT_GRACE_MS = 2_000;

/** Longest grace: one minute. A run ends by its deadline plus this. */
export const MAX_GRACE_MS = 60_000;

/** Kept from the beginning of an output: 30 % of 64 KiB. */
export const DEFAULT_HEAD_BYTES = 19_660;

/** Kept from the end of an output: 70 % of 64 KiB. */
export const DEFAULT_TAIL_BYTES = 45_876;

/** Most that can be kept from either end: 64 MiB. It is held in memory and becomes one string. */
export const MAX_KEPT_BYTES = 64 * 1_024 * 1_024;

/** Size of the file that takes what does not fit into head and tail: 16 MiB. */
export const DEFAULT_SPILL_BYTES = 16 * 1_024 * 1_024;

/** Largest spill file: 1 GiB. */
export const MAX_SPILL_BYTES = 1_024 * 1_024 * 1_024;

/** Most that can be given to a command on its standard input: 16 MiB. */
export const MAX_STDIN_BYTES = 16 * 1_024 * 1_024;

/** Commands of one engine that can run at the same time. */
export const MAX_WORKERS = 64;

/**
 * Commands started in one turn of the event loop; the others wait for the next turn, so that a
 * burst never holds the host's loop for long. On a slow machine `MAX_START_MS_PER_TURN` ends a turn
 * before that.
 */
export const MAX_STARTS_PER_TURN = 32;

/** Time starts take in one turn before the others wait; one start is never interrupted. */
export const MAX_START_MS_PER_TURN = 2;

/** Rules in each of the lists, roots, search folders and trusted interpreters, each. */
export const MAX_LIST_ENTRIES = 1_000;

/** Arguments one rule can name. */
export const MAX_RULE_ARGUMENTS = 64;

/** Variables a host can set or let through. */
export const MAX_ENVIRONMENT_ENTRIES = 512;

/** Smallest character budget for the texts of a result. */
export const MIN_OUTPUT_CHARS = 1;
