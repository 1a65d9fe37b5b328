/** Default time limit of a read, in milliseconds: 20 seconds. */
export const DEFAULT_SESSION_TIMEOUT_MS = 20_000;

/** Most bytes of one answer of a session: 2 MiB. */
export const DEFAULT_SESSION_OUTPUT_BYTES = 2 * 1_024 * 1_024;

/** Time to wait after a marker where the kernel cannot say whether the program waits for input, in milliseconds. */
export const DEFAULT_SETTLE_MS = 200;

/** A program that has written nothing for this long is quiet. In milliseconds. */
export const DEFAULT_QUIET_MS = 80;

/** Bytes of a session's text that are kept: 4 MiB. */
export const DEFAULT_HISTORY_BYTES = 4 * 1_024 * 1_024;

/** Most bytes of a session's text that can be kept: 64 MiB. */
export const MAX_HISTORY_BYTES = 64 * 1_024 * 1_024;

/** Most bytes that can be sent or written at once: 1 MiB. */
export const MAX_SESSION_INPUT_BYTES = 1_024 * 1_024;

/** Most markers of a session. */
export const MAX_READY_MARKERS = 64;
/** Most UTF-8 bytes of a marker. */
export const MAX_READY_MARKER_BYTES = 256;

/** Width of a session's terminal, in characters. */
export const DEFAULT_COLUMNS = 200;

/** Height of a session's terminal, in rows. */
export const DEFAULT_ROWS = 50;

/** Largest width and height of a terminal. */
export const MAX_TERMINAL_SIZE = 10_000;

/** Reads and sends of one session that wait for their turn; one more is refused. */
export const MAX_WAITING_READS = 64;

/** Most UTF-8 bytes of a text or a pattern that a read waits for. */
export const MAX_AWAITED_BYTES = 1_024;

/** Longest wait of a read, in milliseconds: 24 hours. */
export const MAX_SESSION_TIMEOUT_MS = 86_400_000;

/** Longest secret that answers a question of a program, in UTF-8 bytes. */
export const MAX_SECRET_BYTES = 1_024;

/** Most UTF-8 bytes of the line that a question shows. */
export const MAX_PROMPT_BYTES = 1_024;

/** Most callers that look on at one session. */
export const MAX_SESSION_WATCHERS = 8;

/** Most bytes of finished lines in one update for somebody who looks on: 64 KiB. */
export const MAX_UPDATE_BYTES = 64 * 1_024;

/** Most bytes of a recording that names no other limit: 64 MiB. */
export const DEFAULT_RECORDING_BYTES = 64 * 1_024 * 1_024;

/** Smallest limit of a recording, in bytes. */
export const MIN_RECORDING_BYTES = 4_096;

/** Largest limit of a recording, in bytes: 1 GiB. */
export const MAX_RECORDING_BYTES = 1_024 * 1_024 * 1_024;
