import { HandrailError } from '../errors.js';

/** Longest value of a list variable, in UTF-16 units. */
export const MAX_LIST_VARIABLE_CHARS = 65_536;

/** `{3,5}` and the like: a comma that belongs to an entry. */
const COMMA_IN_BRACES = /\{[^{}]*,[^{}]*\}/;

/**
 * The entries of a list variable: separated by commas, or a JSON array of strings when the value
 * starts with `[`. Unset and empty are an empty list.
 *
 * A value that could be meant either way is an error: split at the wrong place, a pattern would
 * silently match nothing.
 *
 * @throws HandrailError `ERR_INVALID_CONFIG` naming the variable and the place, never the value.
 */
export function listVariable(variable: string, value: string | undefined): readonly string[] {
  const text = value?.trim() ?? '';
  if (text.length > MAX_LIST_VARIABLE_CHARS) {
    throw invalidVariable(variable, `is longer than ${MAX_LIST_VARIABLE_CHARS} characters`);
  }
  if (text.includes('\0')) throw invalidVariable(variable, 'contains a NUL character');
  if (text.startsWith('[')) return Object.freeze(jsonEntries(variable, text));
  const commaAt = text.search(COMMA_IN_BRACES);
  if (commaAt >= 0) {
    throw invalidVariable(
      variable,
      `has a comma inside braces at character ${commaAt + 1}, where a list is split; ${JSON_HINT}`,
    );
  }
  return Object.freeze(
    text
      .split(',')
      .map((entry) => entry.trim())
      .filter((entry) => entry !== ''),
  );
}

/** How to write what commas cannot say. */
export const JSON_HINT = 'write the list as a JSON array instead, such as ["[a-z]{3,5}"]';

function jsonEntries(variable: string, text: string): string[] {
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch {
    // The parser's message quotes the value, which may be a secret: it is not kept as a cause.
    throw invalidVariable(variable, `starts with [ but is not valid JSON; ${JSON_HINT}`);
  }
  if (!Array.isArray(parsed)) throw invalidVariable(variable, `is not an array; ${JSON_HINT}`);
  return parsed.map((entry: unknown, index) => {
    if (typeof entry === 'string' && entry !== '') return entry;
    throw invalidVariable(variable, `entry ${index + 1} is not a string of at least one character; ${JSON_HINT}`);
  });
}

/** The error for a variable that cannot be used. */
export function invalidVariable(variable: string, problem: string, cause?: unknown): HandrailError {
  return new HandrailError('ERR_INVALID_CONFIG', `${variable} ${problem}`, {
    data: { variable },
    ...(cause === undefined ? {} : { cause }),
  });
}
