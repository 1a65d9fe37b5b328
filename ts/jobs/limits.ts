/** Default life of a job, in milliseconds: one hour. */
export const DEFAULT_JOB_MS = 3_600_000;

/** Cleaned text of a job that is kept, in bytes: 4 MiB, as of a session. */
export const MAX_JOB_HISTORY_BYTES = 4 * 1_024 * 1_024;

/** Ended jobs of one owner whose output and result can still be asked for. */
export const MAX_ENDED_JOBS = 16;

/** Ended jobs of all owners together. */
export const MAX_ENDED_JOBS_OF_ALL = 64;

/** Input that a job has not read, in bytes: 4 MiB. More is refused. */
export const MAX_UNREAD_INPUT_BYTES = 4 * 1_024 * 1_024;

/** Pieces of input that wait, whatever their length. More are refused. */
export const MAX_UNREAD_INPUT_PIECES = 16_384;

/** The pause between two checks whether a job listens on a port, in milliseconds. */
export const PORT_CHECK_MS = 25;

/** The part of an unfinished line that is searched again when the line grows, in UTF-16 units. */
export const MAX_SEARCHED_LINE_CHARS = 65_536;

/** Ended jobs that a loop over them has not taken yet. Older ones are passed over. */
export const MAX_QUEUED_JOBS = 256;
