import { HandrailError } from '../errors.js';

/** Longest value of a list variable, in UTF-16 units. */
export const MAX_LIST_VARIABLE_CHARS = 65_536;

/** A comma inside braces, as in `{3,5}`, which probably belongs to an entry. */
const COMMA_IN_BRACES = /\{[^{}]*,[^{}]*\}/;

/**
 * The entries of a list variable: separated by commas, or a JSON array of strings when the value
 * starts with `[`. Unset and empty are an empty list.
 *
 * A value that can be read in two ways is an error: a pattern that is split at the wrong comma would silently match
 * nothing.
 *
 * @param kind The kind of the entries, for the example in messages.
 * @throws HandrailError `ERR_INVALID_CONFIG` naming the variable and the place, never the value.
 */
export function listVariable(variable: string, value: string | undefined, kind: ListKind = 'texts'): readonly string[] {
  const text = value?.trim() ?? '';
  if (text.length > MAX_LIST_VARIABLE_CHARS) {
    throw invalidVariable(variable, `is longer than ${MAX_LIST_VARIABLE_CHARS} characters`);
  }
  if (text.includes('\0')) throw invalidVariable(variable, 'contains a NUL character');
  if (text.startsWith('[')) return Object.freeze(jsonEntries(variable, text, kind));
  const commaAt = text.search(COMMA_IN_BRACES);
  if (commaAt >= 0) {
    throw invalidVariable(
      variable,
      `has a comma inside braces at character ${commaAt + 1}, where a list is split; ${jsonHint(kind)}`,
    );
  }
  return Object.freeze(
    text
      .split(',')
      .map((entry) => entry.trim())
      .filter((entry) => entry !== ''),
  );
}

/** The kind of the entries of a list. */
export type ListKind = 'programs' | 'texts' | 'patterns';

/** An example of a list of each kind. */
const EXAMPLES: Readonly<Record<ListKind, string>> = Object.freeze({
  programs: '["git","ls"], or with commas: git,ls',
  texts: '["one, with a comma","two"]',
  patterns: '["[a-z]{3,5}"]',
});

/** A hint about writing a list as a JSON array. */
export function jsonHint(kind: ListKind): string {
  return `write the list as a JSON array, such as ${EXAMPLES[kind]}`;
}

function jsonEntries(variable: string, text: string, kind: ListKind): string[] {
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch {
    // The parser's message quotes the value, which may be a secret: it is not kept as a cause.
    throw invalidVariable(variable, `starts with [ but is not valid JSON; ${jsonHint(kind)}`);
  }
  if (!Array.isArray(parsed)) throw invalidVariable(variable, `is not an array; ${jsonHint(kind)}`);
  return parsed.map((entry: unknown, index) => {
    if (typeof entry === 'string' && entry !== '') return entry;
    throw invalidVariable(variable, `entry ${index + 1} is not a string of at least one character; ${jsonHint(kind)}`);
  });
}

/** The error for a variable that cannot be used. */
export function invalidVariable(variable: string, problem: string, cause?: unknown): HandrailError {
  return new HandrailError('ERR_INVALID_CONFIG', `${variable} ${problem}`, {
    data: { variable },
    ...(cause === undefined ? {} : { cause }),
  });
}
