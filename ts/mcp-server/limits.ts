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

/** Longest wait for a person's answer, in milliseconds. Later the call is denied. */
export const MAX_ANSWER_MS = 5 * 60_000;

/** Most questions that wait for an answer. A further one makes the oldest invalid: its call has to be made again. */
export const MAX_QUESTIONS = 256;

/** Longest question for a person, in characters. What does not fit is not asked, and denied. */
export const MAX_QUESTION_CHARS = 4_000;

/** Most open subscriptions of one client. A further one is refused. */
export const MAX_SUBSCRIPTIONS = 64;

/** Most messages in a batch, which clients of revision 2025-03-26 may send. */
export const MAX_BATCH = 64;

/** How long a client of the stateless revision may keep a list, in milliseconds: tools of other MCP servers come and go. */
export const LIST_TTL_MS = 60_000;

/** Most outputs that can be read as resources, of all callers. Older ones are left to the tools for files. */
export const MAX_OUTPUTS = 64;

/** Largest part of an output in one answer, in bytes. */
export const MAX_RESOURCE_BYTES = 1024 * 1024;

/** Most lines of an output in one answer. */
export const MAX_RESOURCE_LINES = 100_000;

/** Shortest token of a caller over HTTP. */
export const MIN_TOKEN_CHARS = 16;

/** The bounds of a server over HTTP for whoever connects, known or not. */
export type HttpLimits = Readonly<Record<'connections' | 'headMs' | 'requestMs', number>>;

export const HTTP_LIMITS: HttpLimits = Object.freeze({
  /** Most connections at the same time. Further ones are closed. */
  connections: 1_024,
  /** Time that a client has to send the head of a request, in milliseconds. */
  headMs: 10_000,
  /** Time that a client has to send a whole request, in milliseconds. */
  requestMs: 60_000,
});

/** Most requests of one caller at the same time, subscriptions and streams of sessions among them. */
export const MAX_REQUESTS_PER_CALLER = 128;

/** Most sessions of one caller, in revisions that have them. A further one ends the one that was used last the longest ago. */
export const MAX_SESSIONS_PER_CALLER = 64;

/** A session that has no request for so long is ended, in milliseconds. */
export const SESSION_IDLE_MS = 60 * 60_000;

/** Longest time that a server over HTTP which ends waits for open calls, in milliseconds. */
export const MAX_GRACE_MS = 24 * 60 * 60_000;
