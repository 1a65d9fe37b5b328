/** Every bound of the tools in one place. */

/** Default of `resultChars`, in Unicode characters. */
export const DEFAULT_RESULT_CHARS = 60_000;

/** Default of `resultTokens`. */
export const DEFAULT_RESULT_TOKENS = 4_000;

/** Default of `readTokens`. */
export const DEFAULT_READ_TOKENS = 10_000;

/** Tokens that headings and notes may add to what fits `resultTokens` or `readTokens`. */
export const MAX_NOTE_TOKENS = 500;

/** Smallest `resultTokens`, and smallest `readTokens`. */
export const MIN_RESULT_TOKENS = 100;

/** Smallest `resultChars`: room for a status line and a denial. */
export const MIN_RESULT_CHARS = 200;

/** Largest `resultChars`. */
export const MAX_RESULT_CHARS = 1_000_000;

/** Default of `timeoutMs` of a tool of the host's own. */
export const DEFAULT_CUSTOM_TIMEOUT_MS = 120_000;

/** Longest command that a tool takes, in UTF-16 units. The policy has its own bound, in bytes. */
export const MAX_COMMAND_CHARS = 65_536;

/** Longest path that a tool takes, in UTF-16 units. */
export const MAX_PATH_CHARS = 4_096;

/** Longest regular expression of a search, in UTF-16 units. */
export const MAX_PATTERN_CHARS = 4_096;

/** Longest glob pattern, in UTF-16 units. */
export const MAX_GLOB_CHARS = 1_024;

/** Most allowed programs that a description names; further ones are counted. */
export const MAX_NAMED_PROGRAMS = 30;

/** Most allowed programs that a denial names, which is where a model looks for another one; further ones are counted. */
export const MAX_DENIAL_PROGRAMS = 250;

/** Most problems with arguments that a refusal names; further ones are counted. */
export const MAX_SHOWN_PROBLEMS = 8;

/** Most tools that the refusal of an unknown tool names; further ones are counted. */
export const MAX_NAMED_TOOLS = 40;

/** Longest name of a model that is repeated to it, in characters. */
export const MAX_ECHOED_NAME_CHARS = 64;

/** Most entries of `chat.agents`. */
export const MAX_KNOWN_AGENTS = 1_000;

/** Most agents that are named to a model; further ones are counted. */
export const MAX_NAMED_AGENTS = 30;

/** Changes of commands that wait for a decision, with `changes: 'staged'`. While there are as many, no further command starts. */
export const MAX_STAGED_LAYERS = 64;

/** Places that the result of a command names among its changes, and among its conflicts. */
export const MAX_STAGED_PLACES = 10;
