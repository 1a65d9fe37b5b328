/** Longest command that is judged, in bytes: the string, or the argv joined by single spaces. */
export const MAX_COMMAND_BYTES = 65_536;

/** Most words of one command, the program included. */
export const MAX_COMMAND_WORDS = 8_192;
