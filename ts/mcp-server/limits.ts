/** Every bound of the MCP server in one place. */

/** Longest message of a client, in bytes. A longer one is refused. */
export const MAX_MESSAGE_BYTES = 16 * 1024 * 1024;

/** Most calls of tools at the same time. A further call fails. */
export const MAX_CALLS = 64;

/** Longest id of a request, in UTF-16 units. */
export const MAX_ID_CHARS = 256;

/** Time between two reports of progress, in milliseconds: shorter than clients wait for one. */
export const PROGRESS_MS = 5_000;

/** Most UTF-16 units of waiting messages of a client that does not read its answers. More end the serving. */
export const MAX_WAITING_UNITS = 4 * MAX_MESSAGE_BYTES;

/** UTF-16 units that a waiting line counts in addition to its text. */
export const UNITS_PER_LINE = 64;
