import { HandrailError } from '../errors.js';
import { read } from '../native/json.js';
import { textBinding } from '../native/text-binding.js';
import { callNative } from '../native/unwrap.js';

/** An entry of a TOML document. */
export interface TomlEntry {
  /** The name with the names of its tables: `table.name`. */
  readonly key: string;
  /** The line of its name, from 1. */
  readonly line: number;
  /** A `list` has texts, numbers and booleans only. Anything else is `other`, and has no values. */
  readonly kind: 'text' | 'number' | 'boolean' | 'list' | 'other';
  readonly values: readonly string[];
}

/**
 * The entries of a TOML document, in tables too.
 *
 * @param name The name of the document in messages.
 * @throws HandrailError `ERR_INVALID_CONFIG` with the line, when the text is not TOML.
 */
export function readToml(text: string, name: string): readonly TomlEntry[] {
  const { entries, problem } = read(callNative(() => textBinding().readToml(text)));
  if (problem === undefined) return entries;
  throw new HandrailError('ERR_INVALID_CONFIG', `${name}:${problem.line}: this is not TOML: ${problem.reason}`);
}
