/** Every bound of MCP in one place. */

/** Servers of one toolkit or executor. */
export const MAX_MCP_SERVERS = 64;

/** Longest name of a server, in characters: with `mcp__` and the name of a tool it has to fit into a published name. */
export const MAX_SERVER_NAME_CHARS = 32;

/** Longest published name of a tool, in characters: what every provider takes. */
export const MAX_TOOL_NAME_CHARS = 64;

/** Longest line of a server, in bytes: one message of the protocol. */
export const MAX_LINE_BYTES = 16 * 1024 * 1024;

/** Until a server has answered the handshake, in milliseconds. */
export const CONNECT_TIMEOUT_MS = 30_000;

/** Until a server has listed all of its tools, in milliseconds. */
export const LIST_TIMEOUT_MS = 10_000;

/** Until a call is given up when its server is silent, in milliseconds. */
export const DEFAULT_CALL_TIMEOUT_MS = 60_000;

/** Shortest `timeoutMs` of a server, in milliseconds. */
export const MIN_CALL_TIMEOUT_MS = 1;

/** Longest `timeoutMs` of a server, in milliseconds. */
export const MAX_CALL_TIMEOUT_MS = 600_000;

/** Until a call is given up whatever its server reports, in milliseconds, when `maxCallMs` is not given. */
export const DEFAULT_MAX_CALL_MS = 300_000;

/** Longest `maxCallMs` of a server, in milliseconds: an hour. */
export const MAX_CALL_MS = 3_600_000;

/** How long a toolkit waits for its servers, in milliseconds, when `mcpReadyMs` is not given. */
export const DEFAULT_READY_MS = 5_000;

/** Longest `mcpReadyMs`, in milliseconds. */
export const MAX_READY_MS = 60_000;

/** What a server wrote before it ended is waited for this long, in milliseconds. */
export const DRAIN_MS = 250;

/** What a server left behind gets this long to end before its call is answered, in milliseconds. */
export const LEFT_BEHIND_MS = 1_000;

/** Announcements of new tools within this time are one, in milliseconds. */
export const LIST_CHANGED_DEBOUNCE_MS = 50;

/** Calls of one server at once. */
export const MAX_CALLS_PER_SERVER = 4;

/** Calls that wait for one of those. */
export const MAX_QUEUED_CALLS = 64;

/** First pause before a server is started again, in milliseconds. Each further one is twice as long. */
export const FIRST_BACKOFF_MS = 250;

/** Longest pause before a server is started again, in milliseconds. */
export const MAX_BACKOFF_MS = 30_000;

/** Failures in a row after which a server is left alone. */
export const CIRCUIT_FAILURES = 5;

/** How long it is left alone, in milliseconds. */
export const CIRCUIT_MS = 60_000;

/** Pages of tools that are asked for. */
export const MAX_TOOL_PAGES = 64;

/** Tools of one server; further ones are left out. */
export const MAX_TOOLS_PER_SERVER = 512;

/** Unicode characters of a server's description of a tool, and of each description in a schema. */
export const MAX_DESCRIPTION_CHARS = 2_048;

/** Largest schema of a server, in bytes of JSON; a larger one is replaced by one that takes any object. */
export const MAX_SCHEMA_BYTES = 65_536;

/** Deepest nesting of a schema and of structured content, in levels of objects and arrays. */
export const MAX_SCHEMA_DEPTH = 32;

/** Entries of a server's list that it is told of that something was left out; further ones are counted. */
export const MAX_LIST_PROBLEMS = 20;

/** Unicode characters of what a server calls a kind of content that is not known. */
export const MAX_KIND_CHARS = 32;

/** Largest arguments of a call, in bytes of JSON. */
export const MAX_ARGUMENTS_BYTES = 1_048_576;

/** Unicode characters of a result for the model. */
export const MAX_MCP_OUTPUT = 30_000;

/** Unicode characters of a reason or an error message of a server. */
export const MAX_REASON_CHARS = 1_000;

/** Unicode characters of standard error that are quoted when a server ended. */
export const MAX_QUOTED_STDERR_CHARS = 2_000;
