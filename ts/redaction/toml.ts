import { HandrailError } from '../errors.js';
import { read } from '../native/json.js';
import { textBinding } from '../native/text-binding.js';
import { callNative } from '../native/unwrap.js';

/** An entry of a TOML document. */
export interface TomlEntry {
  /** With the names of the tables it is in: `table.name`. */
  readonly key: string;
  /** Where its name stands, from 1. */
  readonly line: number;
  /** A list has texts, numbers and booleans; anything else is `other`, which has no values. */
  readonly kind: 'text' | 'number' | 'boolean' | 'list' | 'other';
  readonly values: readonly string[];
}

/**
 * The entries of a TOML document, in tables too.
 *
 * @param name What messages call it.
 * @throws HandrailError `ERR_INVALID_CONFIG` with the line, for what is no TOML.
 */
export function readToml(text: string, name: string): readonly TomlEntry[] {
  const { entries, problem } = read(callNative(() => textBinding().readToml(text)));
  if (problem === undefined) return entries;
  throw new HandrailError('ERR_INVALID_CONFIG', `${name}:${problem.line}: this is not TOML: ${problem.reason}`);
}
