/** Every bound of the file engine in one place. */

/** Largest file that is held and edited, in bytes: 10 MiB. */
export const DEFAULT_MAX_READ_BYTES = 10 * 1_024 * 1_024;

/** Largest `maxReadBytes`, in bytes: 256 MiB. A file is held in memory while it is read. */
export const MAX_READ_BYTES = 256 * 1_024 * 1_024;

/** Lines that are read when the call names no `limit`. */
export const DEFAULT_READ_LINES = 2_000;

/** Most lines one call can ask for: no file has more. */
export const MAX_READ_LINES = MAX_READ_BYTES;

/** Edits one call can hold. */
export const MAX_EDITS = 100;

/** Longest patch, in UTF-16 units; in UTF-8 it has at most 1 MiB. */
export const MAX_PATCH_CHARS = 1_024 * 1_024;

/** Files one patch can change. */
export const MAX_PATCH_FILES = 100;

/** Entries that are listed when the call names no `limit`. */
export const DEFAULT_DIRECTORY_ENTRIES = 1_000;

/** Most entries one call can ask for. */
export const MAX_DIRECTORY_ENTRIES = 100_000;

/** Paths that `glob` gives when the call names no `limit`. */
export const DEFAULT_GLOB_PATHS = 100;

/** Lines, or files, that `grep` gives when the call names no `limit`. */
export const DEFAULT_GREP_RESULTS = 250;

/** Most paths, lines or files one search can ask for. */
export const MAX_SEARCH_RESULTS = 10_000;

/** Most lines shown before and after each line that matches. */
export const MAX_GREP_CONTEXT = 20;

/** Largest file of spilled output (output that did not fit a result) that is read or searched, in bytes: 64 MiB. */
export const MAX_SPILLED_READ_BYTES = 64 * 1_024 * 1_024;

/** Bytes that are kept of what calls replaced when the host says nothing: 256 MiB. */
export const DEFAULT_CHANGES_BYTES = 256 * 1_024 * 1_024;

/** Most of these bytes that a host can ask for: 64 GiB. */
export const MAX_CHANGES_BYTES = 64 * 1_024 * 1_024 * 1_024;

/** Days that a call is kept when the host says nothing. */
export const DEFAULT_CHANGES_DAYS = 7;

/** Most of these days that a host can ask for. */
export const MAX_CHANGES_DAYS = 3_650;

/** Most calls that are listed or taken back at once; no more are kept. */
export const MAX_CHANGES = 1_000;

/** Most levels of folders that a listing shows. */
export const MAX_LIST_DEPTH = 16;
