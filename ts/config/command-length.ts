/** Longest command that is judged, in bytes: the string, or the argv joined by single spaces. */
export const MAX_COMMAND_BYTES = 65_536;

/** Most words of one command, the program included. */
export const MAX_COMMAND_WORDS = 8_192;

/** The rule by which a longer command is refused. */
export const LENGTH_RULE = 'hygiene.length';

/** How long a refused command is and how long it may be, to follow the refusal. */
export function lengthFacts(command: string | readonly string[]): string {
  const isLine = typeof command === 'string';
  const bytes = Buffer.byteLength(isLine ? command : command.join(' '));
  if (bytes > MAX_COMMAND_BYTES) return `it has ${bytes} bytes, and ${MAX_COMMAND_BYTES} are the most`;
  const words = isLine ? 'too many' : String(command.length);
  return `it has ${words} words, and ${MAX_COMMAND_WORDS} are the most`;
}
