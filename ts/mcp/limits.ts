/** All limits of MCP. */

/** How many servers one toolkit or executor has. */
export const MAX_MCP_SERVERS = 64;

/**
 * The longest name of a server, in characters. Together with `mcp__` and the name of a tool it has to fit into a
 * published name.
 */
export const MAX_SERVER_NAME_CHARS = 32;

/** The longest published name of a tool, in characters, which every provider accepts. */
export const MAX_TOOL_NAME_CHARS = 64;

/** The longest line of a server, in bytes. A line is one message of the protocol. */
export const MAX_LINE_BYTES = 16 * 1024 * 1024;

/** How long a server may take to answer the handshake, in milliseconds. */
export const CONNECT_TIMEOUT_MS = 30_000;

/** How long a server may take to list all of its tools, in milliseconds. */
export const LIST_TIMEOUT_MS = 10_000;

/** How long a call waits for a silent server, in milliseconds. */
export const DEFAULT_CALL_TIMEOUT_MS = 60_000;

/** The shortest `timeoutMs` of a server, in milliseconds. */
export const MIN_CALL_TIMEOUT_MS = 1;

/** The longest `timeoutMs` of a server, in milliseconds. */
export const MAX_CALL_TIMEOUT_MS = 600_000;

/** How long a call may take whatever its server reports, in milliseconds, when `maxCallMs` is not given. */
export const DEFAULT_MAX_CALL_MS = 300_000;

/** The longest `maxCallMs` of a server, in milliseconds: an hour. */
export const MAX_CALL_MS = 3_600_000;

/** How long a toolkit waits for its servers, in milliseconds, when `mcpReadyMs` is not given. */
export const DEFAULT_READY_MS = 5_000;

/** The longest `mcpReadyMs`, in milliseconds. */
export const MAX_READY_MS = 60_000;

/** How long the last output of a server that has ended is waited for, in milliseconds. */
export const DRAIN_MS = 250;

/** How long a call waits for the processes of its server to end after the server itself has ended, in milliseconds. */
export const LEFT_BEHIND_MS = 1_000;

/** The time within which several announcements of new tools count as one, in milliseconds. */
export const LIST_CHANGED_DEBOUNCE_MS = 50;

/** How many calls one server runs at once. */
export const MAX_CALLS_PER_SERVER = 4;

/** How many calls wait for one of these to end. */
export const MAX_QUEUED_CALLS = 64;

/** The first pause before a server is started again, in milliseconds. Each further one is twice as long. */
export const FIRST_BACKOFF_MS = 250;

/** The longest pause before a server is started again, in milliseconds. */
export const MAX_BACKOFF_MS = 30_000;

/** After how many failures in a row a server is left alone. */
export const CIRCUIT_FAILURES = 5;

/** How long a server is left alone, in milliseconds. */
export const CIRCUIT_MS = 60_000;

/** How many pages of tools are requested. */
export const MAX_TOOL_PAGES = 64;

/** How many tools of one server are used; further ones are left out. */
export const MAX_TOOLS_PER_SERVER = 512;

/** How many Unicode characters are kept of a server's description of a tool, and of each description in a schema. */
export const MAX_DESCRIPTION_CHARS = 2_048;

/** The largest schema of a server, in bytes of JSON. A larger one is replaced by one that accepts any object. */
export const MAX_SCHEMA_BYTES = 65_536;

/** The deepest nesting of a schema and of structured content, in levels of objects and arrays. */
export const MAX_SCHEMA_DEPTH = 32;

/** Entries of a server's list that it is told of that something was left out; further ones are counted. */
export const MAX_LIST_PROBLEMS = 20;

/** How many Unicode characters are kept of the name of an unknown kind of content. */
export const MAX_KIND_CHARS = 32;

/** The largest arguments of a call, in bytes of JSON. */
export const MAX_ARGUMENTS_BYTES = 1_048_576;

/** How many Unicode characters are kept of a reason or an error message of a server. */
export const MAX_REASON_CHARS = 1_000;

/** How many Unicode characters of standard error are quoted when a server ended. */
export const MAX_QUOTED_STDERR_CHARS = 2_000;

/** Texts of a tool of which it is said what they hide; further ones are counted. */
export const MAX_HIDDEN_NOTES = 32;

/** How many UTF-16 units of a text are looked at for what they hide. */
export const MAX_SCANNED_CHARS = 65_536;

/** How many Unicode characters of a text are quoted where it is said what it hides. */
export const MAX_NOTE_CHARS = 400;

/** The largest lock file, in bytes. */
export const MAX_LOCK_BYTES = 16 * 1024 * 1024;

/** Servers in a lock file, and those whose first tools a process remembers. The oldest gives way. */
export const MAX_PINNED_SERVERS = 256;

/** How long a server over HTTP may take to end its session, in milliseconds. */
export const HTTP_CLOSE_MS = 2_000;

/** The shortest pause before the stream of announcements is opened again, in milliseconds, whatever the server asks for. */
export const MIN_RECONNECT_MS = 1_000;

/** The longest such pause, in milliseconds. */
export const MAX_RECONNECT_MS = 30_000;

/** How often in a row that stream is opened again in vain. */
export const MAX_HTTP_RECONNECTS = 5;

/** How long `token` of a server may take, in milliseconds. */
export const TOKEN_TIMEOUT_MS = 30_000;

/** How many headers a server gets beside those of the protocol. */
export const MAX_HEADERS = 32;
