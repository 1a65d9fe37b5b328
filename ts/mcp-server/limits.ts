/** Every bound of the MCP server in one place. */

/** Longest message of a client, in bytes. A longer one is passed over. */
export const MAX_MESSAGE_BYTES = 16 * 1024 * 1024;

/** Calls of tools at once; one more is answered as a call that failed. */
export const MAX_CALLS = 64;

/** Longest text a client may give as the id of a request, in UTF-16 units. */
export const MAX_ID_CHARS = 256;

/** Between two reports of progress, in milliseconds: less than clients wait for a sign of life. */
export const PROGRESS_MS = 5_000;

/** What may wait of a client that does not read its answers, in UTF-16 units: more ends the serving. */
export const MAX_WAITING = 4 * MAX_MESSAGE_BYTES;

/** What a line that waits takes beside its text. */
export const LINE_COST = 64;
