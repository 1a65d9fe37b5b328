/** Every bound of the tools in one place. */

/** Unicode characters a result has for the model. */
export const DEFAULT_RESULT_CHARS = 30_000;

/** Tokens that an output has in a result for the model. */
export const DEFAULT_RESULT_TOKENS = 4_000;

/** Smallest `resultTokens`. */
export const MIN_RESULT_TOKENS = 100;

/** Smallest `resultChars`: room for a status line and a denial. */
export const MIN_RESULT_CHARS = 200;

/** Largest `resultChars`. */
export const MAX_RESULT_CHARS = 1_000_000;

/** Longest command a tool takes, in UTF-16 units. The policy has a bound in bytes of its own. */
export const MAX_COMMAND_CHARS = 65_536;

/** Longest path a tool takes, in UTF-16 units. */
export const MAX_PATH_CHARS = 4_096;

/** Longest regular expression of a search, in UTF-16 units. */
export const MAX_PATTERN_CHARS = 4_096;

/** Longest pattern of paths, in UTF-16 units. */
export const MAX_GLOB_CHARS = 1_024;

/** Allowed programs named in a description or a denial; the rest is counted. */
export const MAX_NAMED_PROGRAMS = 30;

/** Problems with the arguments shown to the model; the rest is counted. */
export const MAX_SHOWN_PROBLEMS = 8;

/** Tools that are named where one is unknown; the rest is counted. */
export const MAX_NAMED_TOOLS = 40;

/** Characters of a name a model made up that are repeated to it. */
export const MAX_ECHOED_NAME_CHARS = 64;

/** Agents that a toolkit can know. */
export const MAX_KNOWN_AGENTS = 1_000;

/** Agents named to a model; the rest is counted. */
export const MAX_NAMED_AGENTS = 30;
